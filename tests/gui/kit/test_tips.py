"""Tooltips that follow the mouse."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.safe_text import show_tip


def test_the_mouse_goes_through_a_tip(qtbot: QtBot) -> None:
    if QApplication.platformName() == "offscreen":
        pytest.skip("the offscreen platform finds windows by their geometry only")
    below = QLabel("below")
    qtbot.addWidget(below)
    screen = below.screen().availableGeometry()
    below.setGeometry(screen)
    with qtbot.waitExposed(below):
        below.show()
    show_tip(screen.bottomRight(), "a line<br>another line<br>a third line", below)
    tip = next(each for each in QApplication.topLevelWidgets() if each.inherits("QTipLabel"))
    qtbot.waitUntil(lambda: tip.isVisible() and tip.geometry().intersects(screen))
    assert QApplication.widgetAt(tip.geometry().center()) is below
    QToolTip.hideText()
