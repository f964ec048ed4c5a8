"""The properties panel, typed into and clicked as a user does; what counts is the text of the file."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit, QScrollArea
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.fields import AngleUnit
from sdfviewer.gui.kit.labels import BREAK
from sdfviewer.gui.properties.fields import ChoiceField, FileField
from sdfviewer.gui.properties.group_form import GroupForm
from sdfviewer.gui.properties.panel import WIDEST
from sdfviewer.gui.properties.reference_field import build_choices
from tests.gui.properties.properties_desk import PropertiesDesk

TEXT = """<sdf version="1.11">
  <model name="m">
    <link name="base"><inertial><mass>2</mass></inertial>
      <visual name="look"><geometry><box><size>1 1 1</size></box></geometry></visual>
    </link>
    <link name="arm"><pose relative_to="__model__">0 0 1 0 0 0</pose></link>
    <link name="tip"/>
    <joint name="hinge" type="revolute">
      <parent>base</parent>
      <child>arm</child>
      <axis>
        <xyz>0 0 1</xyz>
        <limit>
          <lower>-1</lower>
          <upper>1</upper>
        </limit>
      </axis>
    </joint>
  </model>
</sdf>
"""


class Desk(PropertiesDesk):
    """A session and its properties panel, shown."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        super().__init__(qtbot, folder, TEXT)

    def select(self, *names: str) -> None:
        self.context.session.select(f"m::{name}" for name in names)

    def fault(self, path: str) -> str:
        return self.panel.details.field(path).fault


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Desk:
    return Desk(qtbot, tmp_path)


def test_what_has_no_name_is_called_so(qtbot: QtBot, tmp_path: Path) -> None:
    text = TEXT.replace('<visual name="look">', '<visual name="">')
    desk = PropertiesDesk(qtbot, tmp_path, text)
    desk.context.session.select(["m::base::"])
    assert desk.panel.name.field.text() == ""
    assert desk.panel.name.field.placeholderText() == "(no name)"
    assert [step.name for step in desk.panel.why.steps] == ["m", "base", "(no name)"]


def plain(label: QLabel) -> str:
    """Return what a label of rich text shows, without the places where names may break."""
    document = QTextDocument()
    document.setHtml(label.text())
    return document.toPlainText().replace(BREAK, "")


def test_without_a_selection_the_panel_shows_the_robot(desk: Desk, qtbot: QtBot) -> None:
    robot = desk.panel.robot
    assert robot.isVisible()
    assert robot.title.full_text == "m"
    shown = {name: plain(label) for name, label in robot.values.items() if label.isVisible()}
    assert shown["links"] == "3"
    assert shown["joints"] == "1 · 1 DoF"
    assert shown["mass"] == "4 kg, 2 links with 1 kg by default"
    with qtbot.waitSignal(desk.panel.list_wanted) as wanted:
        robot.values["joints"].linkActivated.emit("joint")
    assert wanted.args == ["joint"]
    desk.select("arm")
    assert not robot.isVisible()
    desk.select()
    assert robot.isVisible()


def test_why_here_is_a_sentence_whose_frames_are_links(desk: Desk) -> None:
    desk.select("arm")
    assert plain(desk.panel.sentence) == "At (0, 0, 1) m in m. Line 6."
    desk.select("hinge")
    assert plain(desk.panel.sentence) == "At the origin of arm by default. It moves with arm. Line 8."
    desk.panel.sentence.linkActivated.emit(str(desk.context.session.model.row("m::arm")))
    assert desk.context.session.selection == ("m::arm",)


def test_the_sentence_of_a_link_of_a_urdf_has_the_numbers_of_its_pose_which_its_joint_writes(
    qtbot: QtBot, tmp_path: Path
) -> None:
    text = """<robot name="r">
  <link name="calf"/>
  <link name="foot"/>
  <joint name="ankle" type="fixed">
    <origin xyz="0 0 -0.213"/>
    <parent link="calf"/>
    <child link="foot"/>
  </joint>
</robot>
"""
    desk = PropertiesDesk(qtbot, tmp_path, text)
    desk.context.session.select(("r::foot",))
    says = "At (0, 0, -0.213) m in calf by default, where its joint ankle is. Line 4."
    assert plain(desk.panel.sentence) == says
    assert [field.value for field in desk.panel.pose.fields[:3]] == [0.0, 0.0, -0.213]
    desk.context.close()


def test_a_selection_that_comes_from_elsewhere_puts_the_focus_in_no_field(desk: Desk) -> None:
    desk.panel.robot.values["links"].setFocus()
    desk.select("arm")
    assert not isinstance(QApplication.focusWidget(), QLineEdit)


def test_the_properties_of_a_joint_come_before_its_pose(desk: Desk) -> None:
    desk.select("arm")
    assert desk.panel.details.y() > desk.panel.pose.y()
    desk.select("hinge")
    QApplication.processEvents()
    assert desk.panel.details.y() < desk.panel.pose.y()


def test_a_number_is_written_in_place(desk: Desk) -> None:
    desk.select("hinge")
    desk.enter("axis/limit/lower", "-pi/4")
    assert desk.text == TEXT.replace("<lower>-1<", "<lower>-0.7853981633974483<")
    desk.context.session.undo()
    assert desk.text == TEXT
    assert desk.line("axis/limit/lower").text() == "-1"


def test_a_bad_value_is_shown_at_the_field_and_not_written(desk: Desk) -> None:
    desk.select("hinge")
    desk.enter("axis/limit/lower", "0.5m")
    assert desk.text == TEXT
    assert desk.fault("axis/limit/lower") == "This is a length; this field expects an angle."
    assert desk.line("axis/limit/lower").property("invalid")
    QTest.keyClick(desk.line("axis/limit/lower"), Qt.Key.Key_Escape)
    assert desk.line("axis/limit/lower").text() == "-1"
    assert not desk.fault("axis/limit/lower")


def test_clearing_a_field_goes_back_to_the_default(desk: Desk) -> None:
    desk.select("hinge")
    desk.enter("axis/limit/upper", "")
    assert desk.text == TEXT.replace("          <upper>1</upper>\n", "")
    assert desk.line("axis/limit/upper").placeholderText() == "∞"


def test_a_default_is_greyed_and_written_where_it_is_missing(desk: Desk) -> None:
    desk.select("hinge")
    line = desk.line("axis/limit/effort")
    assert (line.text(), line.placeholderText()) == ("", "∞")
    desk.enter("axis/limit/effort", "5")
    assert "          <upper>1</upper>\n          <effort>5</effort>\n" in desk.text


def test_angles_are_shown_and_typed_in_the_unit_of_the_user(desk: Desk) -> None:
    desk.select("hinge")
    desk.settings.angle_unit = AngleUnit.DEGREES
    assert desk.line("axis/limit/lower").text() == "-57.29577951308232"
    desk.enter("axis/limit/lower", "-90")
    assert "<lower>-1.5707963267948966</lower>" in desk.text


def test_the_type_of_a_joint_decides_what_else_it_has(desk: Desk) -> None:
    desk.select("hinge")
    field = desk.panel.details.field("@type")
    assert isinstance(field, ChoiceField)
    assert "default" not in field.box.itemText(0)
    field.box.setCurrentIndex(field.box.findText("prismatic"))
    field.box.activated.emit(field.box.currentIndex())
    assert '<joint name="hinge" type="prismatic">' in desk.text
    assert desk.panel.details.field("axis/limit/lower").unit_label.text() == "m"
    field.box.setCurrentIndex(field.box.findText("screw"))
    field.box.activated.emit(field.box.currentIndex())
    assert desk.panel.details.field("screw_thread_pitch").isVisible()


def test_pickers_hold_the_scope_with_the_reason_against_what_is_not_legal(desk: Desk) -> None:
    desk.select("hinge")
    picker: Any = desk.panel.details.field("child").focusProxy()
    picker.open()
    popup = picker.popup
    assert popup is not None
    texts = [popup.results.model().index(row, 0).data() for row in range(popup.results.model().rowCount())]
    assert texts[:2] == ["arm", "tip"] or set(texts[:2]) <= {"arm", "tip", "__model__"}
    QTest.keyClicks(popup.search, "tip")
    QTest.keyClick(popup.search, Qt.Key.Key_Return)
    assert "<child>tip</child>" in desk.text
    # The joint leaned on its child: its numbers keep it in place.
    assert "<pose>0 0 1 0 0 0</pose>" in desk.text


def test_several_things_are_edited_as_one(desk: Desk) -> None:
    desk.select("base", "arm", "tip")
    assert desk.line("inertial/mass").placeholderText() == "—"
    desk.enter("inertial/mass", "4")
    assert desk.text.count("<mass>4</mass>") == 3
    desk.context.session.undo()
    assert desk.text == TEXT
    z = desk.panel.several.fields[2]
    assert z.edit.placeholderText() == "—"
    z.edit.setFocus()
    QTest.keyClicks(z.edit, "0.5")
    QTest.keyClick(z.edit, Qt.Key.Key_Return)
    assert desk.text.count("0 0 0.5 0 0 0") == 3


def test_things_of_different_kinds_show_what_they_share(desk: Desk) -> None:
    desk.select("base", "hinge")
    assert desk.panel.several.isVisible()
    assert not desk.panel.details.isVisible()
    assert not desk.panel.pose.isVisible()


def test_a_redundant_relative_to_is_reported_and_removed_on_request(desk: Desk) -> None:
    desk.select("arm")
    section = next(each for each in desk.panel.sections if type(each).__name__ == "RedundantSection")
    assert section.isVisible()
    section.note.linkActivated.emit("remove")
    assert desk.text == TEXT.replace(' relative_to="__model__"', "")
    assert not section.isVisible()


def test_a_shape_is_exchanged(desk: Desk) -> None:
    desk.select("base::look")
    field = desk.panel.details.field("geometry")
    assert isinstance(field, ChoiceField)
    field.box.setCurrentIndex(field.box.findText("sphere"))
    field.box.activated.emit(field.box.currentIndex())
    assert "<sphere>" in desk.text
    desk.enter("geometry/sphere/radius", "0.3")
    assert "<radius>0.3</radius>" in desk.text


def test_groups_fold_and_remember_it(desk: Desk) -> None:
    desk.select("hinge")
    desk.panel.details.complete()
    form = next(each for each in desk.panel.details.findChildren(GroupForm) if each.group.title == "Limits")
    assert form.is_open
    assert form.heading is not None
    form.heading.click()
    assert not form.body.isVisible()
    desk.select("base")
    desk.select("hinge")
    assert not form.body.isVisible()


def test_escape_takes_back_a_name_that_was_refused(desk: Desk) -> None:
    desk.select("arm")
    field = desk.panel.name.field
    field.selectAll()
    QTest.keyClicks(field, "tip")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert desk.panel.name.fault.text()
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert (field.text(), desk.panel.name.fault.text()) == ("arm", "")


def test_nothing_is_cut_in_a_narrow_panel(desk: Desk) -> None:
    desk.select("arm")
    area = desk.panel.findChild(QScrollArea)
    assert area is not None
    for width in (220, 260, 330):
        desk.panel.resize(width, 900)
        QApplication.processEvents()
        room = area.viewport().width()
        for field in (*desk.panel.pose.fields, desk.panel.name.field, desk.panel.resolved.copy):
            assert field.isVisible()
            assert field.mapTo(area.viewport(), QPoint(field.width(), 0)).x() <= room, width
        tops = [field.mapTo(desk.panel, QPoint()).y() for field in desk.panel.pose.fields]
        gaps = [after - before for before, after in pairwise(tops)]
        assert all(gap >= field.height() for gap, field in zip(gaps, desk.panel.pose.fields, strict=False)), width


def test_a_world_has_the_name_of_the_tree_in_fields(qtbot: QtBot, tmp_path: Path) -> None:
    text = "<sdf version='1.9'><world name='lab'><model name='m'><link name='l'/></model>"
    text += "<model name='n'>{}</model></world></sdf>"
    text = text.format("<pose relative_to='world'/><link name='l'/>")
    desk = PropertiesDesk(qtbot, tmp_path, text)
    desk.context.session.select(("m",))
    model = desk.context.session.model
    assert model is not None
    assert desk.panel.why.steps[-1].edge == "in lab by default"
    assert build_choices(model, model.row("m"), "relative_to")[0].label == "default: lab"
    assert desk.panel.relative_to.picker.full_text == "default: lab"
    assert desk.panel.resolved.picker.full_text == "lab"
    # References are written with the word that the file has for it.
    desk.context.session.select(("n",))
    assert desk.panel.why.steps[-1].edge == "in lab (world)"
    assert desk.panel.relative_to.picker.full_text == "lab (world)"
    assert [each.label for each in build_choices(model, model.row("n"), "relative_to") if each.name == "world"] == [
        "lab (world)"
    ]
    desk.context.close()


def test_the_default_of_a_joint_without_its_child_is_not_found(qtbot: QtBot, tmp_path: Path) -> None:
    text = "<sdf version='1.9'><model name='m'><link name='l'/>{}</model></sdf>".format(
        "<joint name='j' type='fixed'><parent>l</parent><child>ha</child></joint>"
    )
    desk = PropertiesDesk(qtbot, tmp_path, text)
    desk.context.session.select(("m::l",))
    desk.context.session.select(("m::j",))
    picker = desk.panel.relative_to.picker
    assert picker.full_text == "default: not found"
    assert picker.icon().isNull(), "not the icon of the selection before"
    assert "its child does not lead to a link" in plain(desk.panel.sentence)
    desk.context.close()


def test_a_name_is_shown_whole_beside_a_long_scope_and_a_file_as_it_is_called(qtbot: QtBot, tmp_path: Path) -> None:
    """The heading was ``ba…  link of iris_with_gimbal::iris_with_stand``, and the place ``Model.sdf, line 3``."""
    part = "<model name='a_part_with_a_long_name'><link name='base_link'/></model>"
    text = f"<sdf version='1.9'><model name='m'><model name='a_vehicle_with_a_gimbal'>{part}</model></model></sdf>"
    desk = PropertiesDesk(qtbot, tmp_path, text, width=320)
    desk.context.session.select(("m::a_vehicle_with_a_gimbal::a_part_with_a_long_name::base_link",))
    field = desk.panel.name.field
    qtbot.waitUntil(lambda: field.width() > field.fontMetrics().horizontalAdvance(field.text()))
    assert field.text() == "base_link"
    model, why = desk.context.session.model, desk.panel.why
    assert model is not None
    desk.panel.sentence.show_row(model, why.written_step.row, why.written_step, "model.sdf, line 3")
    assert plain(desk.panel.sentence).endswith("model.sdf, line 3.")
    desk.context.close()


def test_a_model_that_is_not_found_is_called_so(qtbot: QtBot, tmp_path: Path) -> None:
    include = "<include><uri>model://gone</uri><name>arm</name></include>"
    desk = PropertiesDesk(
        qtbot, tmp_path, f"<sdf version='1.9'><model name='m'><link name='l'/>{include}</model></sdf>"
    )
    desk.context.session.select(("m::arm",))
    assert "Nothing of model://gone is included" in plain(desk.panel.sentence)
    assert "moves with nothing" not in plain(desk.panel.sentence)
    desk.context.close()


def test_the_fields_of_a_maximized_panel_stay_near_their_labels(desk: Desk) -> None:
    desk.select("hinge")
    desk.panel.resize(1800, 800)
    QTest.qWait(0)
    line = desk.line("axis/limit/lower")
    assert line.mapTo(desk.panel, line.rect().topRight()).x() <= WIDEST


def test_a_mesh_is_chosen_by_its_file(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "meshes").mkdir()
    wheel = tmp_path / "meshes" / "wheel.stl"
    wheel.write_text("solid wheel\nendsolid wheel\n", encoding="utf-8")
    mesh = "<geometry><mesh><uri>{}</uri></mesh></geometry>"
    text = f'<sdf version="1.9"><model name="m"><link name="a"><visual name="v">{mesh}</visual></link></model></sdf>'
    desk = PropertiesDesk(qtbot, tmp_path, text.format("wheal.stl"))
    desk.context.session.save(tmp_path / "m.sdf")
    desk.context.session.select(["m::a::v"])
    field = desk.panel.details.field("geometry/mesh/uri")
    assert isinstance(field, FileField)
    asked = []

    def choose(_parent: object, _title: str, folder: str, kinds: str) -> tuple[str, str]:
        asked.append((Path(folder), kinds))
        return str(wheel), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choose)
    field.browse.click()
    assert desk.context.session.document.text == text.format("meshes/wheel.stl")
    field = desk.panel.details.field("geometry/mesh/uri")
    assert isinstance(field, FileField)
    field.browse.click()
    assert [folder for folder, _ in asked] == [tmp_path, wheel.parent]
    assert "*.stl" in asked[0][1]
