"""MoveIt…: what the SRDF of a robot says is listed, shown, and gets the pairs that never collide."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot

from sdfviewer.gui.operations.semantics_dialog import SemanticsDialog
from sdfviewer.gui.shell.window import MainWindow

LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'


def link(name: str) -> str:
    inertia = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    box = '<collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>'
    return f'<link name="{name}"><inertial><mass value="1"/>{inertia}</inertial>{box}</link>'


def joint(name: str, parent: str, child: str) -> str:
    ends = f'<origin xyz="0 0 1"/><parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="revolute">{ends}{LIMIT}</joint>'


ROBOT = "\n".join(
    (
        '<robot name="arm">',
        link("base"),
        link("upper"),
        link("hand"),
        joint("shoulder", "base", "upper"),
        joint("elbow", "upper", "hand"),
        "</robot>\n",
    )
)
SRDF = """<robot name="arm">
  <group name="arm"><chain base_link="base" tip_link="hand"/></group>
  <group_state name="home" group="arm"><joint name="shoulder" value="0.5"/></group_state>
  <end_effector name="tool" parent_link="hnad" group="arm"/>
  <disable_collisions link1="base" link2="upper" reason="Adjacent"/>
</robot>
"""


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    path = tmp_path / "arm.urdf"
    path.write_text(ROBOT)
    return path


def shown(window: MainWindow, robot: Path) -> SemanticsDialog:
    window.files.open([robot])
    window.actions_by_id["file.moveit"].trigger()
    [dialog] = window.findChildren(SemanticsDialog)
    return dialog


def row(dialog: SemanticsDialog, name: str) -> QTreeWidgetItem:
    [item] = dialog.list.findItems(name, Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive)
    return item


def test_all_that_the_srdf_says_is_listed_with_its_problems(window: MainWindow, robot: Path) -> None:
    robot.with_suffix(".srdf").write_text(SRDF)
    dialog = shown(window, robot)
    lines = [(item.text(0), item.text(1)) for item in map(dialog.list.topLevelItem, range(6)) if item is not None]
    assert lines == [
        ("arm.srdf", "line 4"),
        ("arm", "group"),
        ("home", "state of arm"),
        ("tool", "end effector"),
        ("1 disabled pair", ""),
    ]
    assert "did you mean 'hand'?" in row(dialog, "arm.srdf").text(2)
    assert row(dialog, "arm").text(2) == "2 joints, 2 links"
    dialog.reject()


def test_a_click_selects_and_moves(window: MainWindow, robot: Path) -> None:
    robot.with_suffix(".srdf").write_text(SRDF)
    dialog = shown(window, robot)
    session = window.current.session if window.current is not None else None
    assert session is not None
    dialog.list.setCurrentItem(row(dialog, "base – upper"))
    assert set(session.selection) == {"arm::base", "arm::upper"}
    dialog.list.setCurrentItem(row(dialog, "home"))
    assert session.positions["arm::shoulder"] == (0.5,)
    dialog.reject()


@pytest.mark.panels("joints")
def test_states_are_poses_of_the_joints(window: MainWindow, robot: Path) -> None:
    robot.with_suffix(".srdf").write_text(SRDF)
    window.files.open([robot])
    assert window.current is not None
    saved = window.current.joints.kept
    saved.fill()
    [home] = [action for action in saved.menu().actions() if action.text() == "home (arm)"]
    home.trigger()
    assert window.current.session.positions["arm::shoulder"] == (0.5,)


def test_pairs_become_an_edit_of_the_srdf_that_can_be_undone(qtbot: QtBot, window: MainWindow, robot: Path) -> None:
    path = robot.with_suffix(".srdf")
    path.write_text(SRDF)
    dialog = shown(window, robot)
    dialog.pairs.click()
    qtbot.waitUntil(lambda: bool(dialog.list.findItems("2 disabled pairs", Qt.MatchFlag.MatchExactly)))
    [srdf] = [each.session for each in window.files.opened if each.session.path == path]
    assert '<disable_collisions link1="upper" link2="hand" reason="Adjacent"/>' in srdf.document.text
    assert path.read_text() == SRDF
    srdf.undo()
    assert srdf.document.text == SRDF
    dialog.reject()


def test_without_an_srdf_a_new_one_is_written_beside_the_robot(qtbot: QtBot, window: MainWindow, robot: Path) -> None:
    dialog = shown(window, robot)
    assert dialog.summary.text().startswith("There is no SRDF beside this file")
    dialog.pairs.click()
    qtbot.waitUntil(lambda: bool(dialog.found))
    assert robot.with_suffix(".srdf").read_text().startswith('<?xml version="1.0"?>\n<robot name="arm">')
    dialog.reject()
