"""Labels that shorten their text."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.text.elided import PartsLabel


def test_no_number_is_cut(qtbot: QtBot) -> None:
    label = PartsLabel()
    qtbot.addWidget(label)
    label.set_full_text("154 of 428 vertices · 214 edges")
    width = label.fontMetrics().horizontalAdvance(label.full_text)
    for room, text in ((width, label.full_text), (width - 2, "154 of 428 vertices"), (width // 4, "")):
        label.resize(room, 20)
        label.set_full_text(label.full_text)
        assert label.text() == text
