"""A URDF in the window: its panels write URDF, what it cannot say is refused, and the file can become SDFormat."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QFrame, QLabel, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.gui.graphs.graph_editing import Retargeting
from sdfviewer.gui.operations.form_dialog import FormDialog
from sdfviewer.gui.properties.fields import ChoiceField
from sdfviewer.gui.properties.pose_editor import PoseField
from sdfviewer.gui.shell.actions.converting import CONVERT
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.refactoring.pose_moving import Move, MoveSet
from sdfviewer.transforms import pose_to_matrix

pytestmark = pytest.mark.panels("properties")

URDF = """<robot name="r">
  <link name="base"/>
  <link name="arm"/>
  <joint name="hinge" type="revolute">
    <parent link="base"/>
    <child link="arm"/>
    <origin xyz="0 0 0.5"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="5" velocity="2"/>
  </joint>
</robot>
"""

FLANGE = """  <link name="flange"/>
  <joint name="mount" type="fixed"><origin xyz="0 0 0.2"/><parent link="arm"/><child link="flange"/></joint>
</robot>"""
#: In an extension a pose is one of SDFormat.
EXTENSION = """<gazebo><frame name="tool"><pose relative_to="arm">0 0 0.2 0 0 1</pose></frame></gazebo>
</robot>"""


@pytest.fixture
def robot(window: MainWindow, tmp_path: Path) -> OpenFile:
    path = tmp_path / "r.urdf"
    path.write_text(URDF, encoding="utf-8")
    window.files.open([path])
    assert window.current is not None
    window.current.session.select(("r::hinge",))
    return window.current


def answers(window: MainWindow) -> dict[str, QPushButton]:
    """Return the buttons of the notices in sight by their texts."""
    bars = [bar for bar in window.notices.findChildren(QFrame) if bar.objectName().startswith("notice_")]
    return {button.text(): button for bar in bars if bar.isVisible() for button in bar.findChildren(QPushButton)}


def typed(field: PoseField, text: str) -> None:
    """Type a number into a field of a pose."""
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_a_number_of_a_joint_is_written_into_its_origin(robot: OpenFile) -> None:
    assert not robot.properties.note.isVisible()
    typed(robot.properties.pose.fields[2], "0.75")
    assert robot.session.document.text == URDF.replace('xyz="0 0 0.5"', 'xyz="0 0 0.75"')
    robot.session.undo()
    assert robot.session.document.text == URDF


def test_a_link_has_the_pose_of_the_joint_that_carries_it(robot: OpenFile) -> None:
    robot.session.select(("r::arm",))
    assert [field.value for field in robot.properties.pose.fields] == [0.0, 0.0, 0.5, 0.0, 0.0, 0.0]
    assert robot.properties.relative_to.picker.text() == "default: base", "what its numbers are measured from"
    typed(robot.properties.pose.fields[5], "1.5")
    assert '<origin xyz="0 0 0.5" rpy="0 0 1.5"/>' in robot.session.document.text


def test_the_numbers_of_a_link_follow_the_mouse_that_drags_it(robot: OpenFile) -> None:
    """They were those of the link in its joint: 0 0 0, until the mouse was released."""
    session = robot.session
    session.select(("r::arm",))
    model, kinematics = session.model, session.kinematics
    assert model is not None
    assert kinematics is not None
    move = Move(kinematics, kinematics.positions(session.positions), MoveSet(model, [model.row("r::arm")]))
    move.by(pose_to_matrix((0.25, 0, 0, 0, 0, 0)))
    robot.context.motion.set_move(move)
    assert [field.text() for field in robot.properties.pose.fields[:3]] == ["0.25", "0", "0.5"]
    robot.context.motion.set_move(None)
    assert [field.text() for field in robot.properties.pose.fields[:3]] == ["0", "0", "0.5"]


def test_the_root_link_says_why_it_has_no_pose(window: MainWindow, robot: OpenFile) -> None:
    robot.session.select(("r::base",))
    typed(robot.properties.pose.fields[0], "1")
    assert "'base' is a root link" in window.status.message
    assert robot.session.document.text == URDF


def test_the_types_of_a_joint_and_the_shapes_are_those_of_urdf(window: MainWindow, robot: OpenFile) -> None:
    field = robot.properties.details.field("@type")
    assert isinstance(field, ChoiceField)
    types = [field.box.itemText(each) for each in range(field.box.count())]
    assert {"floating", "planar"} <= set(types)
    assert not {"ball", "screw"} & set(types)
    window.actions_by_id["edit.add_joint"].trigger()
    (dialog,) = (each for each in window.findChildren(FormDialog) if each.isVisible())
    offered = dialog.findChild(QComboBox, "Type") or next(
        each for each in dialog.findChildren(QComboBox) if each.findText("revolute") >= 0
    )
    assert offered.findText("planar") >= 0
    assert offered.findText("ball") < 0
    dialog.reject()


@pytest.mark.panels("graphs")
def test_a_link_in_the_kinematic_graph_is_dragged_to_another_parent(robot: OpenFile) -> None:
    text = URDF.replace("</robot>", FLANGE)
    session = robot.session
    session.apply(Edit("Add", session.document, (Replacement(0, len(URDF), text),)))
    model = session.model
    assert model is not None
    dragged = Retargeting(model, GraphKind.KINEMATIC, model.row("r::flange"))
    assert dragged.allows(model.row("r::base"))
    assert not dragged.allows(model.row("r::flange"))
    edit, kept = dragged.edit(session, model.row("r::base"), "pose")
    assert kept == "pose"
    session.apply(edit)
    mount = '<origin xyz="0 0 0.2"/><parent link="arm"/><child link="flange"/>'
    assert session.document.text == text.replace(mount, mount.replace("0.2", "0.7").replace("arm", "base"))


@pytest.mark.parametrize(
    "id",
    [
        "refactor.flatten",
        *(pytest.param(f"refactor.{id}", marks=pytest.mark.nightly) for id in ("element_relative", "write_defaults")),
    ],
)
def test_what_urdf_cannot_say_is_refused_and_a_conversion_is_offered(
    id: str, window: MainWindow, robot: OpenFile
) -> None:
    window.actions_by_id[id].trigger()
    assert {"Convert to SDFormat", "Edit Text"} <= set(answers(window))
    assert robot.session.document.text == URDF


def test_an_offer_to_convert_that_was_closed_does_not_come_back(window: MainWindow, robot: OpenFile) -> None:
    window.actions_by_id["refactor.flatten"].trigger()
    (topic,) = (each for each in window.notices.topics if each.startswith("edited as text"))
    notice = window.notices.findChild(QFrame, f"notice_{topic}")
    assert isinstance(notice, QFrame)
    notice.findChild(QToolButton).click()
    window.actions_by_id["refactor.write_defaults"].trigger()
    assert "Convert to SDFormat" not in answers(window)
    assert "convert the file to SDFormat" in window.status.message


def test_shapes_are_put_into_a_urdf(window: MainWindow, robot: OpenFile) -> None:
    window.actions_by_id["show.shapes"].setChecked(True)
    palette = robot.view.shapes
    assert not palette.isHidden()
    offered = {shape for shape, button in palette.buttons.items() if not button.isHidden()}
    assert offered == {"box", "cylinder", "sphere"}
    buttons = {each.defaultAction(): each for each in robot.view.strip.findChildren(QToolButton)}
    for id in ("show.shapes", "tool.move", "tool.rotate", "tool.pose"):
        assert buttons[window.actions_by_id[id]].isEnabled()


def test_a_urdf_becomes_a_new_file_beside_it_that_can_be_edited(
    window: MainWindow, robot: OpenFile, qtbot: QtBot
) -> None:
    path = robot.session.path
    assert path is not None
    window.actions_by_id[CONVERT].trigger()
    qtbot.waitUntil(lambda: window.current is not robot)
    file = window.current
    assert file is not None
    assert file.session.path == path.with_name("r.sdf")
    assert file.session.dirty
    assert not path.with_name("r.sdf").exists()
    file.session.select(("r::hinge",))
    assert not file.properties.pose.fields[0].isReadOnly()
    assert "r.sdf is r.urdf in SDFormat" in " ".join(label.text() for label in window.notices.findChildren(QLabel))
    answers(window)["Save"].click()
    assert path.with_name("r.sdf").read_text("utf-8").startswith("<?xml")
    assert robot.session.document.text == URDF


def test_each_version_in_the_menu_converts_a_urdf_and_a_name_that_is_taken_stays(
    window: MainWindow, robot: OpenFile, qtbot: QtBot
) -> None:
    path = robot.session.path
    assert path is not None
    path.with_name("r.sdf").write_text("<sdf/>", encoding="utf-8")
    window.actions_by_id["refactor.version_1.9"].trigger()
    qtbot.waitUntil(lambda: window.current is not robot)
    file = window.current
    assert file is not None
    assert file.session.path == path.with_name("r_1.sdf")
    assert 'version="1.9"' in file.session.document.text


def test_a_refused_pose_does_not_stay_in_the_field(window: MainWindow, arm_frame: OpenFile) -> None:
    field = arm_frame.properties.pose.fields[0]
    before = field.text()
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "7")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.value == float(before)


@pytest.fixture
def arm_frame(arm: OpenFile, monkeypatch: pytest.MonkeyPatch) -> OpenFile:
    """Return an arm whose every edit is refused, with a frame selected."""
    arm.session.select(("arm::base",))
    monkeypatch.setattr(arm.context.edits, "apply", lambda *_arguments: False)
    return arm


def test_a_pose_tag_means_nothing_in_a_urdf(window: MainWindow, robot: OpenFile, tmp_path: Path) -> None:
    path = tmp_path / "pose.urdf"
    posed = '<link name="arm"><pose relative_to="base">0 0 0.3 0 0 0</pose></link>'
    text = URDF.replace('<link name="arm"/>', posed).replace("</robot>", EXTENSION)
    path.write_text(text, encoding="utf-8")
    window.files.open([path])
    file = window.current
    assert file is not None
    assert file is not robot
    file.session.select(("r::arm",))
    assert [field.value for field in file.properties.pose.fields] == [0.0, 0.0, 0.5, 0.0, 0.0, 0.0]
    file.session.select(("r::tool",))
    assert [field.value for field in file.properties.pose.fields] == [0.0, 0.0, 0.2, 0.0, 0.0, 1.0]
