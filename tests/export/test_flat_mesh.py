"""Flat meshes get a back in bundles."""

from __future__ import annotations

import numpy as np
import pytest

from sdfviewer.export.mesh_files import with_back
from sdfviewer.scene.mesh import MeshPart, TriangleMesh

SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
TRIANGLES = np.array([[0, 1, 2], [0, 2, 3]], np.uint32)


def mesh(positions: np.ndarray, indices: np.ndarray = TRIANGLES, *, rich: bool = False) -> TriangleMesh:
    if not rich:
        return TriangleMesh(positions.astype(np.float32), None, None, indices)
    normals = np.tile(np.array([0, 0, 1], np.float32), (len(positions), 1))
    return TriangleMesh(
        positions.astype(np.float32), normals, positions[:, :2].astype(np.float32), indices, (MeshPart(0, 2),)
    )


@pytest.mark.parametrize("size", [0.01, 1.0, 100.0])
def test_a_flat_mesh_gets_a_back_on_the_side_from_which_it_is_not_seen(size: float) -> None:
    flat = mesh(SQUARE * size, rich=True)
    made = with_back(flat)
    np.testing.assert_array_equal(made.positions[:4], flat.positions)
    np.testing.assert_allclose(made.positions[4:, 2], -1e-4 * 2**0.5 * size, rtol=0.5)
    assert made.normals is not None
    np.testing.assert_array_equal(made.normals[4:], -made.normals[:4])
    np.testing.assert_array_equal(made.indices[2:], [[6, 5, 4], [7, 6, 4]])
    assert [(part.start, part.count) for part in made.parts] == [(0, 2), (2, 2)]


def test_others_stay_as_they_are() -> None:
    bent = SQUARE.copy()
    bent[2, 2] = 0.1
    line = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]], np.float32)
    empty = mesh(np.zeros((0, 3)), np.zeros((0, 3), np.uint32))
    for each in (mesh(bent), mesh(line), empty):
        assert with_back(each) is each
