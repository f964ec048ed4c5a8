"""Colours, sizes and inertia of URDF links."""

from __future__ import annotations

import numpy as np

import sdfviewer
from sdfviewer.document.finder import Finder
from sdfviewer.scene.geometry import read_geometry
from sdfviewer.scene.inertia import read_urdf_inertia
from sdfviewer.scene.urdf_materials import read_urdf_surface
from sdfviewer.semantics import Kind, Model

ROBOT = """<robot name="r"><material name="blue"><color rgba="0 0 1 0.5"/></material>
<link name="a">
  <inertial><origin xyz="0 0 1"/><mass value="2"/><inertia ixx="3" iyy="2" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><box size="1 2 3"/></geometry><material name="blue"/></visual>
  <visual><geometry><mesh filename="package://p/m.stl" scale="2 2 -2"/></geometry>
    <material name="red"><color rgba="1 0 0 1"/></material></visual>
  <visual><geometry><cylinder radius="0.5" length="4"/></geometry><material name="red"/></visual>
  <visual><geometry><sphere radius="3"/></geometry></visual>
</link></robot>"""


def visuals(model: Model):
    return [model.elements[row] for row, kind in enumerate(model.kinds) if kind is Kind.VISUAL]


def test_shapes_are_read_from_attributes() -> None:
    box, mesh, cylinder, sphere = (read_geometry(each.find("geometry")) for each in visuals(sdfviewer.load(ROBOT)))
    assert box.scale == (1, 2, 3)
    assert (mesh.uri, mesh.scale, mesh.mirror) == ("package://p/m.stl", (2, 2, 2), (1, 1, -1))
    assert cylinder.scale == (0.5, 0.5, 4)
    assert sphere.scale == (3, 3, 3)


def test_materials_are_found_by_name() -> None:
    model = sdfviewer.load(ROBOT)
    surfaces = [read_urdf_surface(each, model.document.root, None, Finder()) for each in visuals(model)]
    assert [surface.material and surface.material.diffuse for surface in surfaces] == [
        (0, 0, 1, 0.5),
        (1, 0, 0, 1),
        (1, 0, 0, 1),
        None,
    ]


def test_a_missing_texture_is_a_problem() -> None:
    text = ROBOT.replace('<color rgba="0 0 1 0.5"/>', '<texture filename="package://p/none.png"/>')
    model = sdfviewer.load(text)
    surface = read_urdf_surface(visuals(model)[0], model.document.root, None, Finder())
    assert "none.png" in surface.problems[0].message


def test_inertia_is_read_from_attributes() -> None:
    inertia = read_urdf_inertia(sdfviewer.load(ROBOT).frame("r::a").element)
    assert inertia.mass == 2
    np.testing.assert_allclose(inertia.moments, [1, 2, 3])
    np.testing.assert_allclose(inertia.X_LI[:3, 3], [0, 0, 1])
