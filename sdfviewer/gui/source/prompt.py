"""A field over the editor for one short answer: a line number, a new name."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QWidget

from sdfviewer.gui.kit.widgets import named, row_of


class Prompt(QFrame):
    """Asks for a text; Enter answers, Esc or a click elsewhere gives up. A refusal is shown, and the field stays."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self._answer: Callable[[str], str] = lambda text: ""
        self.setObjectName("prompt")  # the style sheet gives it ground and edge
        self.question = QLabel()
        self.question.setProperty("role", "muted")
        self.field = _Field(self)
        self.refusal = QLabel()
        self.refusal.setProperty("role", "error")
        row_of(self.question, self.field, self.refusal, parent=self, margins=(8, 4, 8, 4), spacing=8)
        self.hide()

    def ask(self, question: str, text: str, at: QPoint, answer: Callable[[str], str]) -> None:
        """Ask something.

        Parameters
        ----------
        question
            What is requested.
        text
            The answer as long as nothing is typed.
        at
            The wanted position of the field.
        answer
            Takes the answer and returns why it is refused, or nothing.
        """
        self._answer = answer
        self.question.setText(question)
        self.refusal.hide()
        named(self.field, question).setText(text)
        self.field.selectAll()
        self._place(at)
        self.show()
        self.raise_()
        self.field.setFocus()

    def _place(self, at: QPoint) -> None:
        self.adjustSize()
        x = min(at.x(), self._over.width() - self.width() - 4)
        y = min(at.y(), self._over.height() - self.height() - 4)
        self.move(max(x, 0), max(y, 0))

    def give(self) -> None:
        """Give the answer."""
        why_not = self._answer(self.field.text().strip())
        if not why_not:
            self.give_up()
            return
        self.refusal.setText(why_not)
        self.refusal.show()
        self._place(self.pos())

    def give_up(self) -> None:
        """Close without an answer."""
        if self.isVisible():
            self.hide()
            self._over.setFocus()


class _Field(QLineEdit):
    """The field of a prompt."""

    def __init__(self, prompt: Prompt) -> None:
        super().__init__(prompt)
        self._prompt = prompt
        self.setMinimumWidth(160)

    def event(self, event: QEvent) -> bool:
        """Keep Esc from the window."""
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Answer with Enter, give up with Esc; the editor behind must not see either."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._prompt.give()
        elif event.key() == Qt.Key.Key_Escape:
            self._prompt.give_up()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Give up with a click elsewhere."""
        super().focusOutEvent(event)
        if event.reason() in (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self._prompt.hide()
