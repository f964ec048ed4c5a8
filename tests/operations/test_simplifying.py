"""Collisions are aligned to visuals, and simple shapes take the place of meshes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sdfviewer import Box, Cylinder, EditableDocument, Mesh, SdfViewerError, open_document

pytest.importorskip("PIL", reason="meshes are read with the extra [render]")
MESHES = Path(__file__).parents[1] / "collection" / "meshes"
TEXT = """\
<sdf version="1.11">
  <model name="m">
    <link name="base">
      <inertial>
        <mass>1</mass>
        <inertia>
          <ixx>0.00167</ixx>
          <iyy>0.00167</iyy>
          <izz>0.00167</izz>
        </inertia>
      </inertial>
      <visual name="body">
        <pose>0 0 0.1 0 0 0</pose>
        <geometry>
          <cylinder>
            <radius>0.1</radius>
            <length>0.2</length>
          </cylinder>
        </geometry>
      </visual>
      <visual name="lamp_visual">
        <geometry>
          <mesh>
            <uri>binary.stl</uri>
            <scale>2 2 2</scale>
          </mesh>
        </geometry>
      </visual>
      <collision name="hull">
        <geometry>
          <box>
            <size>0.1 0.1 0.1</size>
          </box>
        </geometry>
      </collision>
    </link>
    <link name="frame"/>
  </model>
</sdf>
"""


@pytest.fixture
def robot(tmp_path: Path) -> EditableDocument:
    shutil.copy(MESHES / "binary.stl", tmp_path)
    path = tmp_path / "robot.sdf"
    path.write_text(TEXT, encoding="utf-8")
    return open_document(path)


def test_collisions_get_the_shapes_of_the_visuals(robot: EditableDocument) -> None:
    with robot.edit() as edit:
        edit.align_collisions()
    hull, lamp = robot.model.link("base").collisions
    assert hull.geometry == Cylinder(0.1, 0.2)
    assert hull.pose.xyz == pytest.approx((0, 0, 0.1))
    assert lamp.name == "base::lamp_collision"
    assert isinstance(lamp.geometry, Mesh)
    assert (lamp.geometry.uri, lamp.geometry.scale) == ("binary.stl", (2.0, 2.0, 2.0))


def test_the_inertial_follows_the_collision_that_it_was_made_of(robot: EditableDocument) -> None:
    with robot.edit() as edit:
        edit.remove("base::lamp_visual")
        edit.align_collisions("base::body")
    base = robot.model.link("base")
    assert base.inertial.mass == pytest.approx(1000 * base.collisions[0].geometry.volume)
    assert base.inertial.center_of_mass == pytest.approx((0, 0, 0.1))


def test_a_box_around_a_mesh_becomes_its_collision(robot: EditableDocument) -> None:
    with robot.edit() as edit:
        edit.fit_collisions("base::lamp_visual", shape="box")
    lamp = robot.model.link("base").collisions[1]
    assert isinstance(lamp.geometry, Box)
    with robot.edit() as edit:
        edit.fit_collisions("base::hull", "base::lamp_collision", shape="sphere")
    assert {each.geometry.kind for each in robot.model.link("base").collisions} == {"sphere"}


def test_a_hull_is_written_in_a_mesh_file_beside_the_mesh(robot: EditableDocument) -> None:
    assert robot.path is not None
    folder, before = robot.path.parent, robot.text
    with robot.edit() as edit:
        edit.fit_collisions("base::lamp_visual", shape="hull")
    lamp = robot.model.link("base").collisions[1]
    assert isinstance(lamp.geometry, Mesh)
    assert (lamp.geometry.uri, lamp.geometry.scale) == ("base_lamp_visual_hull.obj", (1.0, 1.0, 1.0))
    assert lamp.triangles().bounds == pytest.approx(robot.model.link("base").visuals[1].triangles().bounds, abs=1e-6)
    robot.undo()
    assert robot.text == before
    robot.save()
    assert {each.name for each in folder.iterdir()} == {"binary.stl", "robot.sdf"}
    robot.redo()
    robot.save()
    assert {each.name for each in folder.iterdir()} == {"binary.stl", "robot.sdf", "base_lamp_visual_hull.obj"}
    assert not robot.model.diagnostics


def test_another_hull_does_not_replace_a_file(robot: EditableDocument) -> None:
    assert robot.path is not None
    other = robot.path.with_name("base_lamp_visual_hull.obj")
    other.write_text("v 0 0 0\n", encoding="utf-8")
    with robot.edit() as edit:
        edit.fit_collisions("base::lamp_visual", shape="hull")
    lamp = robot.model.link("base").collisions[1].geometry
    assert isinstance(lamp, Mesh)
    assert lamp.uri == "base_lamp_visual_hull_2.obj"
    assert other.read_text(encoding="utf-8") == "v 0 0 0\n"


def test_a_mesh_of_another_project_has_its_hull_beside_the_document(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "mine").mkdir(parents=True)
    shutil.copy(MESHES / "binary.stl", elsewhere)
    path = elsewhere / "mine" / "robot.sdf"
    path.write_text(TEXT.replace("binary.stl", "../binary.stl"), encoding="utf-8")
    robot = open_document(path)
    with robot.edit() as edit:
        edit.fit_collisions("base::lamp_visual", shape="hull")
    robot.save()
    assert (elsewhere / "mine" / "meshes" / "base_lamp_visual_hull.obj").is_file()


def test_a_text_without_a_file_has_no_place_for_a_hull() -> None:
    robot = open_document(source=TEXT)
    with pytest.raises(SdfViewerError, match="save the document first"), robot.edit() as edit:
        edit.fit_collisions("base::hull", shape="hull")


def test_pieces_become_several_collisions(robot: EditableDocument) -> None:
    pytest.importorskip("coacd", reason="cuts meshes, where it is installed")
    assert robot.path is not None
    corners = [(0, 0), (1, 0), (1, 0.2), (0.2, 0.2), (0.2, 1), (0, 1)]
    outline = "".join(f"<point>{x} {y}</point>" for x, y in corners)
    text = TEXT.replace(
        "<box>\n            <size>0.1 0.1 0.1</size>\n          </box>",
        f"<polyline>{outline}<height>0.2</height></polyline>",
    )
    robot.path.write_text(text, encoding="utf-8")
    robot = open_document(robot.path)
    with robot.edit() as edit:
        edit.decompose_collisions("base::hull", pieces=4)
    robot.save()
    pieces = robot.model.link("base").collisions
    assert 2 <= len(pieces) <= 4
    assert [each.name for each in pieces[:2]] == ["base::hull", "base::hull_1"]
    assert sum(each.triangles().volume for each in pieces) == pytest.approx(0.072, rel=0.03)


def test_a_link_without_a_visual_is_refused(robot: EditableDocument) -> None:
    with pytest.raises(SdfViewerError, match="none of these links has a visual"), robot.edit() as edit:
        edit.align_collisions("frame")
