"""The keyboard around the menu bar: it goes back to where it was as soon as it is not the menus that are meant."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar

_HELD = (Qt.Key.Key_Alt, Qt.Key.Key_Control, Qt.Key.Key_Meta, Qt.Key.Key_Shift)


class MenuFocus(QObject):
    """Gives back the keyboard that a menu bar has taken.

    Qt leaves it there after Escape has closed a menu, where letters open menus, and where each action in a menu counts
    as having the focus: keys of the source view would compete with those of the window.
    """

    def __init__(self, bar: QMenuBar) -> None:
        super().__init__(bar)
        self._bar = bar
        bar.installEventFilter(self)

    def add(self, menu: QMenu) -> None:
        """Follow a menu of the bar."""
        menu.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape and isinstance(watched, QMenu):
                watched.close()
                self._give_back()
                return True
            if event.type() == QEvent.Type.ShortcutOverride and watched is self._bar and self._bar.hasFocus():
                return self._hand_on(event)
        return super().eventFilter(watched, event)

    def _hand_on(self, event: QKeyEvent) -> bool:
        """Let a shortcut mean what it means where the keyboard was; keys without modifiers are those of the menus."""
        if event.key() in _HELD:
            return False
        is_function = Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35
        if not is_function and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            event.accept()
            return True
        self._give_back()
        focus = QApplication.focusWidget()
        if focus is not None and focus is not self._bar:
            event.ignore()
            QApplication.sendEvent(focus, event)
        return True

    def _give_back(self) -> None:
        if self._bar.hasFocus():
            QApplication.sendEvent(
                self._bar, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
            )
