"""A combo box that has no room for its text."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QStyleOptionComboBox
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.labels import ElidedBox


def shown_text(box: ElidedBox) -> str:
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    return option.currentText


def test_what_does_not_fit_is_shortened_in_its_middle(qtbot: QtBot) -> None:
    box = ElidedBox()
    qtbot.addWidget(box)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.addItem("bl_caster_rotation_joint (sweep)")
    box.resize(600, 30)
    assert shown_text(box) == box.currentText()
    box.resize(140, 30)
    first, dots, last = shown_text(box).partition("…")
    assert dots
    assert box.currentText().startswith(first)
    assert box.currentText().endswith(last)
    assert not box.grab().isNull()
