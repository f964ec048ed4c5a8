"""A URDF in the window: what is edited as text is read-only from the start, and the file can become SDFormat."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.requests import MeshDrop
from sdfviewer.gui.operations.form_dialog import FormDialog
from sdfviewer.gui.properties.fields import TextField
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.scene.tools.dropping import DropTarget
from sdfviewer.scene.tools.placing import PickedPlace

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


def test_what_a_urdf_says_as_text_is_read_only_and_the_panel_says_why(robot: OpenFile) -> None:
    panel = robot.properties
    assert all(field.isReadOnly() for field in panel.pose.fields)
    assert not panel.relative_to.picker.isEnabled()
    axis = panel.details.field("axis/xyz")
    assert isinstance(axis, TextField)
    assert axis.edit.isReadOnly()
    assert not panel.name.field.isReadOnly()
    assert panel.note.isVisible()
    expected = "In URDF files only names can be edited; edit the rest as text, or convert to SDFormat."
    assert panel.read_only_reason == expected
    assert "In URDF files only names can be edited. <a" in panel.note.text(), "its links say what helps"


def test_the_panel_leads_to_the_source(window: MainWindow, robot: OpenFile) -> None:
    robot.properties.note.linkActivated.emit("source")
    assert window.docks.docks["source"].isVisible()
    cursor = robot.source.editor.textCursor()
    assert '<joint name="hinge"' in cursor.block().text()


@pytest.mark.parametrize("id", ["edit.pose", "edit.relative_to", "edit.attached_to", "edit.paste_pose"])
def test_an_action_on_the_pose_of_a_urdf_says_why_not(id: str, window: MainWindow, robot: OpenFile) -> None:
    QGuiApplication.clipboard().setText("1 2 3 0 0 0")
    window.actions_by_id[id].trigger()
    assert window.status.message == robot.properties.read_only_reason
    assert robot.session.document.text == URDF


def test_a_name_in_a_urdf_can_be_changed(window: MainWindow, robot: OpenFile) -> None:
    window.actions_by_id["edit.rename"].trigger()
    field = robot.properties.name.field
    field.selectAll()
    QTest.keyClicks(field, "elbow")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert '<joint name="elbow"' in robot.session.document.text


@pytest.mark.parametrize(
    "id",
    [
        *("edit.add_link", "edit.add_joint", "edit.add_frame", "edit.add_visual", "edit.duplicate", "edit.remove"),
        *("edit.move_to", "edit.mate", "edit.mirror", "edit.align", "refactor.flatten", "refactor.element_relative"),
    ],
)
def test_an_edit_that_a_urdf_refuses_opens_no_form_and_offers_to_convert(
    id: str, window: MainWindow, robot: OpenFile
) -> None:
    window.actions_by_id[id].trigger()
    assert not [each for each in window.findChildren(FormDialog) if each.isVisible()]
    assert {"Convert to SDFormat", "Edit Text"} <= set(answers(window))
    assert robot.session.document.text == URDF


def test_an_offer_to_convert_that_was_closed_does_not_come_back(window: MainWindow, robot: OpenFile) -> None:
    window.actions_by_id["edit.add_link"].trigger()
    (topic,) = (each for each in window.notices.topics if each.startswith("edited as text"))
    notice = window.notices.findChild(QFrame, f"notice_{topic}")
    assert isinstance(notice, QFrame)
    notice.findChild(QToolButton).click()
    window.actions_by_id["edit.add_frame"].trigger()
    assert "Convert to SDFormat" not in answers(window)
    assert "only names can be edited" in window.status.message


def test_neither_shapes_nor_meshes_are_put_into_a_urdf(window: MainWindow, robot: OpenFile) -> None:
    window.actions_by_id["show.shapes"].setChecked(True)
    assert robot.view.shapes.isHidden()
    buttons = {each.defaultAction(): each for each in robot.view.strip.findChildren(QToolButton)}
    shapes = buttons[window.actions_by_id["show.shapes"]]
    assert not shapes.isChecked(), "no palette is shown"
    for id in ("show.shapes", "tool.move", "tool.rotate"):
        button = buttons[window.actions_by_id[id]]
        assert not button.isEnabled()
        assert button.toolTip() == robot.properties.read_only_reason
    assert buttons[window.actions_by_id["tool.pose"]].isEnabled(), "joints can be moved"
    model = robot.session.model
    assert model is not None
    place = PickedPlace(np.zeros(3), None, None, 1, "base", np.zeros((3, 3)), 0.0)
    robot.context.requests.mesh.emit(MeshDrop(Path("part.stl"), DropTarget(model, model.X_RootF, place, 1)))
    assert not [each for each in window.findChildren(FormDialog) if each.isVisible()]
    assert "Convert to SDFormat" in answers(window)


def test_a_urdf_becomes_a_new_file_beside_it_that_can_be_edited(
    window: MainWindow, robot: OpenFile, qtbot: QtBot
) -> None:
    path = robot.session.path
    assert path is not None
    robot.properties.note.linkActivated.emit("convert")
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
    monkeypatch.setattr(arm.context, "apply", lambda *_arguments: False)
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
    assert [field.value for field in file.properties.pose.fields] == [0.0] * 6
    file.session.select(("r::tool",))
    assert [field.value for field in file.properties.pose.fields] == [0.0, 0.0, 0.2, 0.0, 0.0, 1.0]
