import numpy as np
import pytest

from sdfviewer.model.shapes.box import Box
from sdfviewer.model.shapes.capsule import Capsule
from sdfviewer.model.shapes.cone import Cone
from sdfviewer.model.shapes.cylinder import Cylinder
from sdfviewer.model.shapes.ellipsoid import Ellipsoid
from sdfviewer.model.shapes.plane import Plane
from sdfviewer.model.shapes.sphere import Sphere
from sdfviewer.scene.geometry import own_mesh
from sdfviewer.scene.mesh import TriangleMesh

SHAPES = {
    "box": (own_mesh(Box((1.0, 2.0, 3.0))), 6.0),
    "sphere": (own_mesh(Sphere(0.5)), 4 / 3 * np.pi * 0.125),
    "ellipsoid": (own_mesh(Ellipsoid((1.0, 2.0, 0.5))), 4 / 3 * np.pi),
    "cylinder": (own_mesh(Cylinder(0.5, 2.0)), np.pi * 0.5),
    "cone": (own_mesh(Cone(0.5, 2.0)), np.pi * 0.5 / 3),
    "capsule": (own_mesh(Capsule(0.5, 2.0)), np.pi * 0.5 + 4 / 3 * np.pi * 0.125),
}


def corners(mesh: TriangleMesh) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    a, b, c = (mesh.positions[mesh.indices[:, k]].astype(np.float64) for k in range(3))
    return a, b, c


@pytest.mark.parametrize("name", SHAPES)
def test_volume_and_winding(name: str) -> None:
    mesh, volume = SHAPES[name]
    a, b, c = corners(mesh)
    signed = float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum()) / 6
    assert signed == pytest.approx(volume, rel=0.02)  # positive: all triangles turn outwards


@pytest.mark.parametrize("name", SHAPES)
def test_normals_are_unit_and_agree_with_the_triangles(name: str) -> None:
    mesh, _ = SHAPES[name]
    assert mesh.normals is not None
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-5)
    a, b, c = corners(mesh)
    face = np.cross(b - a, c - a)
    face /= np.linalg.norm(face, axis=1, keepdims=True)
    for k in range(3):
        assert (np.einsum("ij,ij->i", face, mesh.normals[mesh.indices[:, k]]) > 0.5).all()


def test_bounds() -> None:
    np.testing.assert_allclose(SHAPES["box"][0].bounds, [[-0.5, -1, -1.5], [0.5, 1, 1.5]])
    np.testing.assert_allclose(SHAPES["capsule"][0].bounds[:, 2], [-1.5, 1.5], atol=1e-6)
    np.testing.assert_allclose(SHAPES["cone"][0].bounds[:, 2], [-1.0, 1.0], atol=1e-6)


@pytest.mark.parametrize("normal", [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0, -1, 0), (1, 2, -0.5)])
def test_plane_faces_its_normal(normal: tuple[float, float, float]) -> None:
    mesh = own_mesh(Plane(normal, (2.0, 1.0)))
    a, b, c = corners(mesh)
    face = np.cross(b - a, c - a)
    unit = np.asarray(normal) / np.linalg.norm(normal)
    np.testing.assert_allclose(face / np.linalg.norm(face, axis=1, keepdims=True), [unit, unit], atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(mesh.positions[1] - mesh.positions[0]), 2.0, rtol=1e-6)


def test_texture_on_a_box_is_upright() -> None:
    mesh = own_mesh(Box())
    assert mesh.uvs is not None
    assert mesh.normals is not None
    sides = np.abs(mesh.normals[:, 2]) < 0.5
    np.testing.assert_allclose(mesh.uvs[sides, 1], mesh.positions[sides, 2] + 0.5, atol=1e-6)
