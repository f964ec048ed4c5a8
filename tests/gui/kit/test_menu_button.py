"""Buttons that open a menu."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QToolButton
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.widgets import set_menu


@pytest.mark.parametrize("is_over", [False, True])
def test_a_button_is_lit_after_its_menu_only_while_the_mouse_is_over_it(qtbot: QtBot, is_over: bool) -> None:
    button = QToolButton()
    qtbot.addWidget(button)
    menu = QMenu(button)
    menu.addAction("One")
    set_menu(button, menu)
    with qtbot.waitExposed(button):
        button.show()
    place = button.mapToGlobal(button.rect().center() if is_over else button.rect().bottomRight() * 3)
    QCursor.setPos(place)
    qtbot.waitUntil(lambda: QCursor.pos() == place)
    button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)  # as Qt leaves it when the menu opens
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
    menu.close()
    qtbot.waitUntil(lambda: button.underMouse() is is_over)
