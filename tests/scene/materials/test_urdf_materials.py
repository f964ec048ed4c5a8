"""Colours, sizes and inertia of URDF links."""

from __future__ import annotations

import numpy as np

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.formats.contents import read_visual
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.scene.geometry import shape_of
from sdfviewer.scene.marks import inertia_of
from sdfviewer.scene.materials import gazebo_materials, surface_of
from sdfviewer.scene.scene_build import SceneBuilder

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
    return [read_visual(model, row) for row, kind in enumerate(model.kinds) if kind is Kind.VISUAL]


def test_shapes_are_read_from_attributes() -> None:
    box, mesh, cylinder, sphere = (shape_of(each.geometry) for each in visuals(load_model(ROBOT)))
    assert box.scale == (1, 2, 3)
    assert (mesh.scale, mesh.geometry) == ((2, 2, 2), Mesh("package://p/m.stl", scale=(1, 1, -1)))
    assert cylinder.scale == (0.5, 0.5, 4)
    assert sphere.scale == (3, 3, 3)


def test_materials_are_found_by_name() -> None:
    model = load_model(ROBOT)
    surfaces = [surface_of(each, None, Finder()) for each in visuals(model)]
    assert [surface.material and surface.material.diffuse for surface in surfaces] == [
        (0, 0, 1, 0.5),
        (1, 0, 0, 1),
        (1, 0, 0, 1),
        None,
    ]


def test_a_missing_texture_is_a_problem() -> None:
    text = ROBOT.replace('<color rgba="0 0 1 0.5"/>', '<texture filename="package://p/none.png"/>')
    model = load_model(text)
    surface = surface_of(visuals(model)[0], None, Finder())
    assert "none.png" in surface.problems[0].message


def test_inertia_is_read_from_attributes() -> None:
    model = load_model(ROBOT)
    inertia = inertia_of(model, model.row("r::a"))
    assert inertia.mass == 2
    np.testing.assert_allclose(inertia.moments, [1, 2, 3])
    np.testing.assert_allclose(inertia.X_LI[:3, 3], [0, 0, 1])


def seen_in_gazebo(extensions: str):
    """Return the surface of a visual that is blue in URDF, with some ``<gazebo>`` elements in the file."""
    model = load_model(ROBOT.replace("</robot>", extensions + "</robot>"))
    return surface_of(visuals(model)[0], None, Finder())


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
