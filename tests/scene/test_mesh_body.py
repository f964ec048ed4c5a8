"""Bodies of closed meshes against closed forms."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import load_model
from sdfviewer.model.shapes.box import Box
from sdfviewer.model.shapes.cylinder import Cylinder
from sdfviewer.model.shapes.sphere import Sphere
from sdfviewer.model.solids import solid_body
from sdfviewer.refactoring.inertia import computed_body, link_shapes
from sdfviewer.scene.geometry import shape_of
from sdfviewer.scene.loader import MeshLoader
from sdfviewer.scene.mesh import TriangleMesh
from sdfviewer.scene.mesh_body import mesh_bodies, solid_mesh_body


def mesh(geometry: Box | Sphere | Cylinder, offset: tuple[float, float, float] = (0, 0, 0)) -> TriangleMesh:
    shape = shape_of(geometry)
    assert shape is not None
    found = MeshLoader(Finder()).mesh(shape)
    return TriangleMesh(
        found.positions * np.array(shape.scale, np.float32) + np.array(offset, np.float32), None, None, found.indices
    )


@pytest.mark.parametrize(
    ("geometry", "tolerance"), [(Box((1, 2, 3)), 1e-5), (Sphere(0.5), 0.05), (Cylinder(0.3, 2.0), 0.05)]
)
def test_a_mesh_of_a_shape_weighs_what_the_shape_weighs(geometry: Box, tolerance: float) -> None:
    offset = (4.0, -1.0, 2.0)
    body, solid = solid_mesh_body(mesh(geometry, offset), 700.0), solid_body(geometry, 700.0)
    assert body is not None
    assert solid is not None
    assert body.mass == pytest.approx(solid.mass, rel=tolerance)
    np.testing.assert_allclose(body.p_FB, offset, atol=1e-4)
    np.testing.assert_allclose(body.I_B, solid.I_B, rtol=2 * tolerance, atol=1e-3 * solid.I_B.max())


def test_an_open_mesh_has_no_volume() -> None:
    whole = mesh(Box((1, 1, 1)))
    assert solid_mesh_body(TriangleMesh(whole.positions, None, None, whole.indices[:-1]), 1.0) is None


def test_the_mesh_of_a_link_with_its_scale(tmp_path: Path) -> None:
    whole = mesh(Box((1, 1, 1)))
    with (tmp_path / "cube.stl").open("wb") as file:
        file.write(bytes(80) + struct.pack("<I", len(whole.indices)))
        for triangle in whole.indices:
            file.write(struct.pack("<12fH", 0, 0, 0, *whole.positions[triangle].ravel().tolist(), 0))
    path = tmp_path / "m.sdf"
    path.write_text(
        '<sdf version="1.9"><model name="m"><link name="l">'
        '<collision name="c"><geometry><mesh><uri>cube.stl</uri><scale>2 1 1</scale></mesh></geometry></collision>'
        '<collision name="d"><geometry><mesh><uri>gone.stl</uri></mesh></geometry></collision>'
        "</link></model></sdf>"
    )
    model = load_model(path)
    bodies = mesh_bodies(Finder())
    assert link_shapes(model, 1, bodies).volume == pytest.approx(2, rel=1e-5)
    assert len(link_shapes(model, 1, bodies).unknown) == 1
    body = computed_body(model, 1, mass=12, mesh_body=bodies)
    np.testing.assert_allclose(np.diag(body.I_B), [2, 5, 5], rtol=1e-4)
