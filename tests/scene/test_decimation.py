import numpy as np
import pytest

from sdfviewer.scene.mesh import MeshMaterial, MeshPart, TriangleMesh
from sdfviewer.scene.solid import HEAVY, with_coarse
from tests.scene.scenes import ball


def test_light_meshes_stay_as_they_are() -> None:
    mesh = ball(40)
    assert len(mesh.indices) < HEAVY
    assert with_coarse(mesh) is mesh


def test_a_heavy_mesh_keeps_its_shape_with_a_fifth_of_its_triangles() -> None:
    mesh = with_coarse(ball(230))
    coarse = mesh.coarse
    assert coarse is not None
    assert 0.1 < len(coarse.indices) / len(mesh.indices) < 0.25
    np.testing.assert_allclose(coarse.bounds, mesh.bounds, atol=0.05)
    np.testing.assert_allclose(np.linalg.norm(coarse.positions, axis=1), 1, atol=0.03)
    np.testing.assert_allclose((coarse.normals * coarse.positions).sum(axis=1), 1, atol=0.05)
    assert mesh.nbytes > coarse.nbytes > 0


@pytest.mark.parametrize("normals", [True, False])
def test_parts_and_what_belongs_to_vertices_are_carried_over(normals: bool) -> None:
    whole = ball(230)
    half = len(whole.indices) // 2
    parts = (
        MeshPart(0, half, MeshMaterial(), "upper"),
        MeshPart(half, len(whole.indices) - half, MeshMaterial(), "lower"),
    )
    colours = np.zeros((len(whole.positions), 3), np.uint8)
    colours[:, 0] = np.where(whole.positions[:, 2] > 0, 255, 0)
    mesh = TriangleMesh(
        whole.positions, whole.normals if normals else None, whole.positions[:, :2], whole.indices, parts, None, colours
    )
    coarse = with_coarse(mesh).coarse
    assert coarse is not None
    assert [part.name for part in coarse.parts] == ["upper", "lower"]
    assert sum(part.count for part in coarse.parts) == len(coarse.indices)
    for part, high in zip(coarse.parts, (True, False), strict=True):
        z = coarse.positions[coarse.indices[part.start : part.start + part.count]][:, :, 2].mean()
        assert (z > 0) == high
    far = np.abs(coarse.positions[:, 2]) > 0.1
    assert ((coarse.colours[far, 0] == 255) == (coarse.positions[far, 2] > 0)).all()
    assert coarse.uvs.shape == (len(coarse.positions), 2)


def test_both_sides_of_a_thin_plate_stay_apart() -> None:
    n = 200
    x, y = (each.ravel() for each in np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n)))
    top = np.stack([x, y, np.full(n * n, 1e-4)], axis=1).astype(np.float32)
    bottom = top * np.array((1, 1, 0), np.float32)
    corner = np.arange(n * n).reshape(n, n)
    a, b, c, d = (each.ravel() for each in (corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]))
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]).astype(np.uint32)
    up = np.tile(np.array((0, 0, 1), np.float32), (n * n, 1))
    mesh = TriangleMesh(
        np.concatenate([top, bottom]),
        np.concatenate([up, -up]),
        None,
        np.concatenate([faces, faces[:, ::-1] + np.uint32(n * n)]),
    )
    coarse = with_coarse(mesh).coarse
    assert coarse is not None
    facing = coarse.normals[coarse.indices][:, :, 2]
    assert (np.abs(facing.sum(axis=1)) == 3).all()
    assert (facing > 0).any()
    assert (facing < 0).any()


def test_a_mesh_that_clustering_hardly_reduces_has_no_coarse_version() -> None:
    generator = np.random.default_rng(3)
    positions = generator.uniform(size=(3 * HEAVY, 3)).astype(np.float32)
    mesh = TriangleMesh(positions, None, None, np.arange(3 * HEAVY, dtype=np.uint32).reshape(-1, 3))
    assert with_coarse(mesh) is mesh
