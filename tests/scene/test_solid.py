"""Which meshes are solid: closed, and facing outwards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sdfviewer.model.shapes.box import Box
from sdfviewer.model.shapes.cone import Cone
from sdfviewer.model.shapes.cylinder import Cylinder
from sdfviewer.model.shapes.sphere import Sphere
from sdfviewer.scene.geometry import own_mesh
from sdfviewer.scene.mesh import TriangleMesh
from sdfviewer.scene.solid import is_solid


def together(*meshes: TriangleMesh) -> TriangleMesh:
    """Return one mesh of several."""
    starts = np.cumsum([0, *(len(mesh.positions) for mesh in meshes)])
    indices = [mesh.indices + np.uint32(start) for mesh, start in zip(meshes, starts, strict=False)]
    return TriangleMesh(np.concatenate([mesh.positions for mesh in meshes]), None, None, np.concatenate(indices))


@pytest.mark.parametrize("make", [Box, Sphere, Cylinder, Cone])
def test_shapes_with_seams_are_solid(make) -> None:
    assert is_solid(own_mesh(make()))


def test_a_mesh_with_a_hole_is_not_solid() -> None:
    box = own_mesh(Box())
    assert not is_solid(replace(box, indices=box.indices[1:]))


def test_a_mesh_that_faces_inwards_is_not_solid() -> None:
    box = own_mesh(Box())
    assert not is_solid(replace(box, indices=box.indices[:, ::-1]))


def test_one_shell_that_faces_inwards_spoils_a_mesh_of_several() -> None:
    large, small = own_mesh(Box()), own_mesh(Box())
    small = replace(small, positions=small.positions * np.float32(0.1) + np.float32(5.0))
    assert is_solid(together(large, small))
    assert not is_solid(together(large, replace(small, indices=small.indices[:, ::-1])))


def test_an_empty_mesh_is_not_solid() -> None:
    assert not is_solid(TriangleMesh(np.zeros((0, 3), np.float32), None, None, np.zeros((0, 3), np.uint32)))
