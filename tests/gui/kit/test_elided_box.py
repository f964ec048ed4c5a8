"""A combo box that has no room for its text."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.labels import ElidedBox


def test_what_does_not_fit_is_shortened_in_its_middle(qtbot: QtBot) -> None:
    box = ElidedBox()
    qtbot.addWidget(box)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.addItem("bl_caster_rotation_joint (sweep)")
    box.resize(600, 30)
    assert box.shown_text == box.currentText()
    box.resize(140, 30)
    first, dots, last = box.shown_text.partition("…")
    assert dots
    assert box.currentText().startswith(first)
    assert box.currentText().endswith(last)
    assert not box.grab().isNull()
