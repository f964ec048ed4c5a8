"""A line of text that keeps undo to itself only while something in it is not finished."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit

#: Not the standard key for redo everywhere, but everywhere in the window.
CTRL_Y = QKeySequence(Qt.KeyboardModifier.ControlModifier | Qt.Key.Key_Y)
_OWN_LETTERS = (Qt.Key.Key_A, Qt.Key.Key_C, Qt.Key.Key_V, Qt.Key.Key_X)
"""What a line does with Ctrl and a letter everywhere; all else is a shortcut of the window first."""

BY_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
"""Why a field has the focus where its text is selected, so that typing replaces it."""


class LineEdit(QLineEdit):
    """A line whose Undo and Redo belong to the window once what was typed is committed.

    Qt's own line takes these keys even where it has nothing to undo, and on some systems Ctrl+E and others that move
    the cursor.
    """

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            if self._belongs_to_window(event):
                event.ignore()
                return False
            if self._is_history_key(event):  # of which Qt's own line knows only the standard ones
                event.accept()
                return True
        return super().event(event)

    def _belongs_to_window(self, event: QKeyEvent) -> bool:
        if self._is_history_key(event):
            return not self._has_own_history(event)
        is_letter = Qt.Key.Key_A <= event.key() <= Qt.Key.Key_Z
        has_control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        return is_letter and has_control and event.key() not in _OWN_LETTERS

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._is_history_key(event):
            super().keyPressEvent(event)
        elif not self._has_own_history(event):
            event.ignore()
        elif event.matches(QKeySequence.StandardKey.Undo):
            self.undo()
        else:
            self.redo()

    @staticmethod
    def _is_history_key(event: QKeyEvent) -> bool:
        return (
            event.matches(QKeySequence.StandardKey.Undo)
            or event.matches(QKeySequence.StandardKey.Redo)
            # Not the standard shortcut on every system, but used everywhere in this window.
            or QKeySequence(event.keyCombination()) == CTRL_Y
        )

    def _has_own_history(self, event: QKeyEvent) -> bool:
        if event.matches(QKeySequence.StandardKey.Undo):
            return self.isModified() and self.isUndoAvailable()
        return self.isRedoAvailable()
