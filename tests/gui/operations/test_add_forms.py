"""The forms that add elements: units, what there is to do, whole rows, and beside what they are about."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.frame_picker import FrameChoice
from sdfviewer.gui.operations.add import AddDialog
from sdfviewer.gui.operations.add_link import AddLinkDialog
from sdfviewer.gui.operations.form_dialog import FormArea
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow


def open_form(window: MainWindow, id: str) -> AddDialog:
    window.actions_by_id[id].trigger()
    dialog = window.app.dialog
    assert isinstance(dialog, AddDialog)
    return dialog


def units(dialog: AddDialog) -> list[str]:
    """Return the units in sight, from above."""
    known = {"m", "rad", "m, rad", "N, m/s", "N m, rad/s", "kg/m³", "kg"}
    labels = [each for each in dialog.findChildren(QLabel) if each.isVisible() and each.text() in known]
    return [each.text() for each in sorted(labels, key=lambda each: each.mapTo(dialog, each.pos()).y())]


def test_the_numbers_of_a_link_and_its_joint_have_units(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(("arm::forearm",))
    dialog = open_form(window, "edit.add_link")
    assert isinstance(dialog, AddLinkDialog)
    assert sorted(units(dialog)) == sorted(["rad", "N m, rad/s", "m, rad", "m", "m, rad", "kg/m³"])
    dialog.joint.type.setCurrentText("prismatic")
    assert "N, m/s" in units(dialog)
    assert "rad" not in units(dialog)


def test_what_there_is_to_do_is_no_error_before_anything_is_done(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(())
    dialog = open_form(window, "edit.add_joint")
    assert dialog.fault.text() == "A joint needs a parent and a child."
    assert dialog.fault.property("role") == "muted"
    dialog.name.setText("")
    assert dialog.fault.property("role") == "error"


def test_only_the_end_of_a_joint_that_is_missing_is_asked_for(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(("arm::forearm",))
    assert open_form(window, "edit.add_joint").fault.text() == "A joint needs a child."


def test_a_joint_between_two_models_belongs_to_the_world(window: MainWindow, tmp_path: Path) -> None:
    """It only said that a child is missing, though two links were selected."""
    models = "".join(f'<model name="m{k}"><link name="L"/></model>' for k in range(2))
    path = tmp_path / "two.sdf"
    path.write_text(f'<sdf version="1.9"><world name="w">{models}</world></sdf>', encoding="utf-8")
    window.files.open([path])
    assert window.current is not None
    window.current.session.select(("m0::L", "m1::L"))
    dialog = open_form(window, "edit.add_joint")
    assert dialog.fault.text() == "SDFormat 1.9 has no <joint> in a <world>."
    assert "1.10" in dialog.convert_button.text()
    assert {picker.text() for picker in dialog.pickers.values()} >= {"m0::L", "m1::L"}


def test_a_form_opens_over_the_panels_and_leaves_the_3d_view_in_sight(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(("arm::forearm",))
    dialog = open_form(window, "edit.add_frame")
    middle = window.centralWidget()
    aside = dialog.geometry().center().x() - window.x() - middle.geometry().center().x()
    assert abs(aside) > middle.width() / 4, "over the panels of one side"


def test_the_rows_of_a_form_that_scrolls_are_whole(qtbot: QtBot) -> None:
    area = FormArea()
    qtbot.addWidget(area)
    for _ in range(8):
        label = QLabel("row")
        label.setFixedHeight(30)
        area.form.addRow(label)
    spacing = area.form.verticalSpacing()
    area.set_limit(3 * 30 + 2 * spacing + 17)
    assert area.sizeHint().height() == 3 * 30 + 2 * spacing


def test_a_link_that_is_called_link_is_added_as_one(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(())
    dialog = open_form(window, "edit.add_link")
    assert dialog.name.text() == "link"
    dialog.accept()
    assert window.status.message == "Done: add link"


def test_a_world_is_the_same_default_everywhere(window: MainWindow, open_example: Callable[[str], OpenFile]) -> None:
    file = open_example("world_frames")
    file.session.select(())
    world = file.session.model.names[0]
    defaults = []
    for id, field in (("edit.add_light", "relative_to"), ("edit.add_frame", "attached_to")):
        dialog = open_form(window, id)
        dialog.owner_picker.picked.emit(FrameChoice(world, world, "world"))
        defaults.append(dialog.default_of(field))
    assert defaults == ["default: world_frames"] * 2


def test_a_known_plugin_is_called_as_its_class(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(("arm",))
    dialog = open_form(window, "edit.add_plugin")
    line = dialog.lines["filename"]
    completer = line.completer()
    assert completer is not None
    completer.setCompletionPrefix("traj")
    offered = {completer.setCurrentRow(row) and completer.currentCompletion() for row in range(2)}
    assert offered == {"gz-sim-joint-trajectory-controller-system", "gz-sim-trajectory-follower-system"}
    line.setText("gz-sim-thruster-system")
    assert dialog.name.text() == "gz::sim::systems::Thruster"
    assert line.toolTip() == "A propeller under water or in air."


def test_the_shape_of_a_wheel_is_on_its_axis_and_has_a_colour(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(("arm::forearm",))
    dialog = open_form(window, "edit.add_link")
    assert isinstance(dialog, AddLinkDialog)
    at = dialog.lines["shape_pose"]
    dialog.shape.box.setCurrentText("cylinder")
    assert at.text() == "0 0 0.05"
    dialog.joint.type.setCurrentText("continuous")
    assert at.text() == ""
    dialog.joint.axis.setCurrentText("0 1 0")
    assert at.text() == "0 0 0 -90deg 0 0"
    dialog.joint.axis.setCurrentText("0 1")
    assert dialog.fault.text() == "Axis needs 3 numbers, not all zero."
    dialog.joint.axis.setCurrentText("1 0 0")
    assert at.text() == "0 0 0 0 90deg 0"
    dialog.lines["color"].setText("mauve")
    assert dialog.fault.text().startswith("Color: 'mauve' is not a colour: #336699, ")
    dialog.lines["color"].setText("Dark Grey")
    dialog.accept()
    text = arm.session.document.text
    assert text.count("<pose>0 0 0 0 1.5707963267948966 0</pose>") == 2
    assert text.count("<diffuse>0.2 0.2 0.2 1</diffuse>") == 1


def test_a_sensor_is_called_as_its_type_until_a_name_is_typed(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(("arm::forearm",))
    dialog = open_form(window, "edit.add_sensor")
    assert dialog.name.text() == "camera"
    dialog.types["type"].setCurrentText("gpu_lidar")
    assert dialog.name.text() == "lidar"
    QTest.keyClicks(dialog.name, "x")
    dialog.types["type"].setCurrentText("imu")
    assert dialog.name.text() == "lidarx"


def test_a_plugin_is_about_the_selected_joints_and_says_what_it_gets(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(("arm::joint_1", "arm::joint_2"))
    dialog = open_form(window, "edit.add_plugin")
    assert dialog.about.text() == "arm::joint_1, arm::joint_2"
    dialog.lines["filename"].setText("gz-sim-joint-position-controller-system")
    assert dialog.remarks.text() == "From the model: joint_name joint_1. From the model: joint_name joint_2."
    dialog.accept()
    found = re.findall(r"<joint_name>(\w+)</joint_name>", arm.session.document.text)
    assert found == ["joint_1", "joint_2"]


def test_a_plugin_goes_where_it_can_be(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "cart.sdf"
    sensor = '<sensor name="camera" type="camera"/>'
    path.write_text(f'<sdf version="1.12"><model name="cart"><link name="L">{sensor}</link></model></sdf>')
    window.files.open([path])
    assert window.current is not None
    window.current.session.select(("cart::L::camera",))
    dialog = open_form(window, "edit.add_plugin")
    assert dialog.about.text() == "the whole sensor"
    dialog.lines["filename"].setText("gz-sim-diff-drive-system")
    assert dialog.owner_picker.text() == "cart"
    assert dialog.about.text() == "the whole model"
