"""Of what is included the panel says where it is written, and offers to override it here or to add a frame."""

from __future__ import annotations

from pathlib import Path

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
