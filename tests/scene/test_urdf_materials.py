"""Colours, sizes and inertia of URDF links."""

from __future__ import annotations

import numpy as np

import sdfviewer
from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.document.finder import Finder
from sdfviewer.scene.build import SceneBuilder
from sdfviewer.scene.geometry import read_geometry
from sdfviewer.scene.inertia import read_urdf_inertia
from sdfviewer.scene.materials import gazebo_materials
from sdfviewer.scene.urdf_materials import read_urdf_surface
from sdfviewer.semantics import Kind, Loader, Model

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
    surfaces = [read_urdf_surface(each, "a", model.document.root, None, Finder()) for each in visuals(model)]
    assert [surface.material and surface.material.diffuse for surface in surfaces] == [
        (0, 0, 1, 0.5),
        (1, 0, 0, 1),
        (1, 0, 0, 1),
        None,
    ]


def test_a_missing_texture_is_a_problem() -> None:
    text = ROBOT.replace('<color rgba="0 0 1 0.5"/>', '<texture filename="package://p/none.png"/>')
    model = sdfviewer.load(text)
    surface = read_urdf_surface(visuals(model)[0], "a", model.document.root, None, Finder())
    assert "none.png" in surface.problems[0].message


def test_inertia_is_read_from_attributes() -> None:
    inertia = read_urdf_inertia(sdfviewer.load(ROBOT).frame("r::a").element)
    assert inertia.mass == 2
    np.testing.assert_allclose(inertia.moments, [1, 2, 3])
    np.testing.assert_allclose(inertia.X_LI[:3, 3], [0, 0, 1])


def seen_in_gazebo(extensions: str):
    """Return the surface of a visual that is blue in URDF, with some ``<gazebo>`` elements in the file."""
    model = sdfviewer.load(ROBOT.replace("</robot>", extensions + "</robot>"))
    return read_urdf_surface(visuals(model)[0], "a", model.document.root, None, Finder())


def test_gazebo_materials_by_name_win_over_the_colour() -> None:
    surface = seen_in_gazebo('<gazebo reference="a"><material>\n Gazebo/Orange </material></gazebo>')
    assert surface.material == gazebo_materials()["Gazebo/Orange"]
    assert (
        seen_in_gazebo('<gazebo reference="a"><material value="Gazebo/Red"/></gazebo>').material
        == (gazebo_materials()["Gazebo/Red"])
    )
    assert seen_in_gazebo('<gazebo reference="b"><material>Gazebo/Orange</material></gazebo>').material.diffuse == (
        (0, 0, 1, 0.5)
    )


def test_gazebo_materials_in_full() -> None:
    surface = seen_in_gazebo(
        """<gazebo reference="a"><visual><transparency>0.4</transparency>
        <material><diffuse>0 1 0 1</diffuse><specular>1 1 1 1</specular></material></visual></gazebo>"""
    )
    assert surface.material.diffuse == (0, 1, 0, 1)
    assert surface.material.specular == (1, 1, 1, 1)
    assert surface.transparency == 0.4


def test_colours_that_gazebo_leaves_open_are_those_of_urdf() -> None:
    surface = seen_in_gazebo(
        """<gazebo reference="a"><visual><material>
        <pbr><metal><metalness>1</metalness></metal></pbr></material></visual></gazebo>"""
    )
    assert surface.material.diffuse == (0, 0, 1, 0.5)
    assert surface.material.metalness == 1


def test_of_several_gazebo_materials_the_last_counts() -> None:
    surface = seen_in_gazebo(
        """<gazebo reference="a"><material>Gazebo/Red</material></gazebo>
        <gazebo reference="a"><mu1>1</mu1></gazebo>
        <gazebo reference="a"><material>Gazebo/Green</material></gazebo>"""
    )
    assert surface.material == gazebo_materials()["Gazebo/Green"]


def test_an_unknown_gazebo_material_is_a_problem_and_keeps_the_colour() -> None:
    surface = seen_in_gazebo('<gazebo reference="a"><material>Gazebo/Orangs</material></gazebo>')
    assert surface.material.diffuse == (0, 0, 1, 0.5)
    assert "Gazebo/Orangs" in surface.problems[0].message


def test_gazebo_materials_are_drawn_and_follow_edits() -> None:
    extension = '<gazebo reference="a"><material>Gazebo/Orange</material></gazebo>'
    builder = SceneBuilder(Finder(), lambda shape: None)
    document = parse_document(ROBOT.replace("</robot>", extension + "</robot>"))
    first = builder.build(Loader(Finder()).load(document))
    assert first.surfaces[0].material == gazebo_materials()["Gazebo/Orange"]
    start = document.text.index("Orange")
    changed = document.edited([Replacement(start, start + len("Orange"), "Red")])
    assert builder.build(Loader(Finder()).load(changed)).surfaces[0].material == gazebo_materials()["Gazebo/Red"]
