"""Of what is included the panel says where it is written, and offers to override it here or to add a frame."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.gui.properties.properties_desk import PropertiesDesk


def test_what_is_included_can_be_overridden_or_given_a_frame(qtbot: QtBot, tmp_path: Path) -> None:
    part = tmp_path / "part.sdf"
    part.write_text('<sdf version="1.11"><model name="part"><link name="a"/></model></sdf>', encoding="utf-8")
    include = f"<include><uri>{part.as_uri()}</uri></include>"
    text = f'<sdf version="1.11"><world name="w">{include}<frame name="own"/></world></sdf>'
    desk = PropertiesDesk(qtbot, tmp_path, text)
    desk.context.session.select(["part::a"])
    assert "Override Here" in desk.panel.note.text()
    wanted: list[str] = []
    desk.panel.action_wanted.connect(wanted.append)
    for link in ("edit.override_pose", "edit.add_frame"):
        desk.panel.note.linkActivated.emit(link)
    assert wanted == ["edit.override_pose", "edit.add_frame"]
    desk.context.session.select(["own"])
    assert not desk.panel.note.isVisible()


def test_what_an_include_overrides_is_shown_changed_and_taken_out(qtbot: QtBot, tmp_path: Path) -> None:
    part = tmp_path / "part.sdf"
    part.write_text(
        '<sdf version="1.11"><model name="part"><link name="a"><pose>0 0 1 0 0 0</pose></link></model></sdf>', "utf-8"
    )
    change = '<link element_id="a"><pose action="modify">0 0 2 0 0 0</pose></link>'
    include = f"<include><uri>{part.as_uri()}</uri><experimental:params>{change}</experimental:params></include>"
    desk = PropertiesDesk(
        qtbot, tmp_path, f'<sdf version="1.11" xmlns:experimental="x"><world name="w">{include}</world></sdf>'
    )
    section = desk.panel.overrides
    for selected in ("part", "part::a"):
        desk.context.session.select([selected])
        assert section.isVisible()
        assert section.fields["a/pose"].edit.text() == "0 0 2 0 0 0"
    line = section.fields["a/pose"].edit
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "0 0 3 0 0 0")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert desk.text.count("0 0 3 0 0 0") == 1
    section.buttons["a/pose"].click()
    assert "element_id" not in desk.text
    assert not section.isVisible()
    desk.context.edits.undo()
    assert section.isVisible()
