"""The panel shows the parameters of plugins as fields: pickers, units, choices, and the text of what is not known."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from sdfviewer.gui.properties.fields import ChoiceField, FieldEntry, TextField, ValueField
from sdfviewer.gui.properties.plugin_section import PluginForm
from sdfviewer.gui.properties.reference_field import ReferenceField
from tests.gui.properties.properties_desk import PropertiesDesk

TEXT = """<sdf version="1.11">
  <model name="rover">
    <link name="base"/><link name="left"/><link name="right"/>
    <joint name="l" type="revolute"><parent>base</parent><child>left</child><axis><xyz>0 1 0</xyz></axis></joint>
    <joint name="r" type="revolute"><parent>base</parent><child>right</child><axis><xyz>0 1 0</xyz></axis></joint>
    <plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive">
      <left_joint>l</left_joint>
      <right_joint>wrong</right_joint>
      <wheel_separation>0.5</wheel_separation>
      <!-- kept --><topic>cmd_vel</topic>
      <mistake>7</mistake>
    </plugin>
  </model>
</sdf>
"""


class Desk(PropertiesDesk):
    """A session and its properties panel with a rover selected."""

    def __init__(self, qtbot: QtBot, folder: Path, text: str = TEXT) -> None:
        super().__init__(qtbot, folder, text, width=340)
        self.context.session.select(["rover"])

    def form(self, number: int = 0) -> PluginForm:
        return self.panel.plugins.forms[number]

    def field(self, path: str) -> ValueField:
        return self.form().fields[path]

    def type(self, path: str, text: str) -> None:
        """Replace the text of a field by hand."""
        field = self.field(path)
        assert isinstance(field, TextField)
        field.edit.setFocus()
        field.edit.selectAll()
        QTest.keyClicks(field.edit, text)
        QTest.keyClick(field.edit, Qt.Key.Key_Return)

    @property
    def text(self) -> str:
        return self.context.session.document.text


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Desk:
    return Desk(qtbot, tmp_path)


def test_fields_are_what_the_catalogue_says(desk: Desk) -> None:
    assert isinstance(desk.field("left_joint"), ReferenceField)
    assert desk.field("wheel_separation").unit_label.text() == "m"
    assert list(desk.form().fields) == ["left_joint", "right_joint", "wheel_separation", "topic", "mistake"]
    desk.form().more.click()
    radius = desk.field("wheel_radius")
    assert isinstance(radius, TextField)
    assert radius.edit.placeholderText() == "0.2"


def test_a_field_writes_its_value_and_nothing_else(desk: Desk) -> None:
    desk.type("wheel_separation", "45cm")
    after = TEXT.replace(">0.5<", ">0.45<")
    assert desk.text == after
    desk.type("mistake", "8 & 9")
    assert desk.text == after.replace(">7<", ">8 &amp; 9<")
    picker = desk.field("right_joint")
    picker.committed.emit(FieldEntry("r"))
    assert desk.text == after.replace(">7<", ">8 &amp; 9<").replace(">wrong<", ">r<")
    for _ in range(3):
        desk.context.edits.undo()
    assert desk.text == TEXT


def test_a_value_that_the_plugin_would_not_take_is_refused(desk: Desk) -> None:
    desk.type("wheel_separation", "wide")
    assert desk.field("wheel_separation").fault == "wheel_separation is 'wide', but must be a number."
    assert desk.text == TEXT


def test_a_parameter_that_is_not_written_is_added_and_removed(desk: Desk) -> None:
    desk.form().more.click()
    desk.type("wheel_radius", "0.1")
    assert desk.text == TEXT.replace("</mistake>\n", "</mistake>\n      <wheel_radius>0.1</wheel_radius>\n")
    desk.type("wheel_radius", "")
    QTest.keyClick(desk.field("wheel_radius").focusProxy(), Qt.Key.Key_Delete)
    QTest.keyClick(desk.field("wheel_radius").focusProxy(), Qt.Key.Key_Return)
    assert desk.text == TEXT


def test_another_of_several_is_added_while_its_field_has_the_keyboard(desk: Desk) -> None:
    desk.form().more.click()
    before = desk.field("left_joint[2]")
    before.setFocus()
    before.committed.emit(FieldEntry("r"))
    assert "<left_joint>l</left_joint>\n      <left_joint>r</left_joint>" in desk.text
    assert desk.field("left_joint[2]").isAncestorOf(desk.panel.focusWidget())
    assert "left_joint[3]" in desk.form().fields


def test_several_plugins_are_folded(qtbot: QtBot, tmp_path: Path) -> None:
    motor = '<plugin filename="gz-sim-multicopter-motor-model-system" name="p"><turningDirection>cw</turningDirection>'
    desk = Desk(qtbot, tmp_path, TEXT.replace("</model>", f"{motor}</plugin></model>"))
    assert [form.heading.text() for form in desk.panel.plugins.forms] == ["DiffDrive plugin", "p plugin"]
    assert not desk.form(1).fields
    desk.form(1).heading.click()
    assert isinstance(desk.form(1).fields["turningDirection"], ChoiceField)
