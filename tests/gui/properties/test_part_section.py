"""A visual and a collision that are one part are edited together, or one of them alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from sdfviewer.model.shapes import SHAPES
from sdfviewer.model.shapes.box import Box
from tests.gui.properties.properties_desk import PropertiesDesk

BOX = "<geometry><box><size>0.1 0.1 0.1</size></box></geometry>"
TEXT = f"""<sdf version="1.11">
  <model name="m">
    <link name="base">
      <inertial><mass>1</mass>
        <inertia><ixx>0.00167</ixx><iyy>0.00167</iyy><izz>0.00167</izz></inertia></inertial>
      <visual name="shell">{BOX}</visual>
      <collision name="hull">{BOX}</collision>
      <visual name="lamp"><pose>1 0 0 0 0 0</pose>{BOX}</visual>
    </link>
  </model>
</sdf>
"""


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> PropertiesDesk:
    return PropertiesDesk(qtbot, tmp_path, TEXT)


def said(desk: PropertiesDesk) -> list[str]:
    return [each.text() for each in desk.panel.part.findChildren(QLabel) if each.text()]


def test_the_panel_says_what_changes_too_and_one_step_changes_it(desk: PropertiesDesk) -> None:
    desk.context.session.select(("m::base::shell",))
    assert said(desk) == ["Changes with collision hull and the inertial"]
    desk.enter("geometry/box/size", "0.2 0.1 0.1")
    assert desk.text.count("<size>0.2 0.1 0.1</size>") == 2
    assert "<mass>2</mass>" in desk.text
    desk.context.edits.undo()
    assert desk.text == TEXT


def test_separate_holds_for_one_edit(desk: PropertiesDesk) -> None:
    desk.context.session.select(("m::base::hull",))
    desk.panel.part.separate.click()
    assert said(desk) == ["Changes without visual shell and the inertial"]
    desk.enter("geometry/box/size", "0.2 0.1 0.1")
    assert desk.text == TEXT.replace(f'hull">{BOX}', f'hull">{BOX.replace("0.1 0.1 0.1", "0.2 0.1 0.1")}')
    assert desk.context.parts.together


def test_a_shape_without_a_partner_says_nothing(desk: PropertiesDesk) -> None:
    desk.context.session.select(("m::base::lamp",))
    assert not desk.panel.part.isVisible()


def test_the_mass_of_a_mesh_follows_its_scale(qtbot: QtBot, tmp_path: Path) -> None:
    """Its file is read beside the window once it is selected."""
    cube = Box((1.0, 1.0, 1.0))
    surface = SHAPES["box"].surfaces(cube)[0]
    corners = "".join(f"v {x} {y} {z}\n" for x, y, z in surface.positions.tolist())
    faces = "".join(f"f {a} {b} {c}\n" for a, b, c in (surface.indices + 1).tolist())
    (tmp_path / "cube.obj").write_text(corners + faces, encoding="utf-8")
    mesh = BOX.replace("<box><size>0.1 0.1 0.1</size></box>", "<mesh><uri>CUBE</uri><scale>0.1 0.1 0.1</scale></mesh>")
    text = TEXT.replace(BOX, mesh.replace("CUBE", (tmp_path / "cube.obj").as_posix()), 2)
    desk = PropertiesDesk(qtbot, tmp_path, text)
    with qtbot.waitSignal(desk.context.parts.weighed):
        desk.context.session.select(("m::base::shell",))
    assert said(desk) == ["Changes with collision hull and the inertial"]
    desk.enter("geometry/mesh/scale", "0.2 0.1 0.1")
    assert desk.text.count("<scale>0.2 0.1 0.1</scale>") == 2
    assert "<mass>2</mass>" in desk.text
    assert "<ixx>0.003333333</ixx><iyy>0.008333333</iyy>" in desk.text
    desk.context.edits.undo()
    assert desk.text == text
