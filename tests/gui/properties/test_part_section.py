"""A visual and a collision that are one part are edited together, or one of them alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

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
