"""Notices above the view that do not block the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from sdfviewer.diagnostics import Severity
from sdfviewer.gui.widgets.elided import ElidedLines
from sdfviewer.gui.widgets.icons import SEVERITIES, icon
from sdfviewer.gui.widgets.named import named
from sdfviewer.gui.widgets.theme import on_theme_change, tokens
from sdfviewer.number_text import counted

MOST_SHOWN = 3
"""More notices than these, the newest ones, would cover the view: the others wait behind a button."""
MOST_LINES = 2
"""A longer text is shortened: beside its buttons in a narrow window it would cover the view."""


class NoticeBar(QWidget):
    """A stack of notices, each with its answers; one notice for each topic."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._notices: dict[str, QFrame] = {}
        self._about: dict[str, object] = {}
        self._shown: object = None
        self._shows_all = False
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.more = QToolButton()
        self.more.setAutoRaise(True)
        self.more.clicked.connect(self._show_all)
        self.more.hide()
        self._column.addWidget(self.more)
        on_theme_change(self._paint)

    def ask(
        self,
        topic: str,
        text: str,
        answers: Mapping[str, Callable[[], object]],
        sign_icon: str = "",
        about: object = None,
    ) -> None:
        """Show a notice; an answer closes it and runs. A notice of the same topic is replaced.

        A notice `about` something is in sight only while that is shown.
        """
        self.withdraw(topic)
        self._about[topic] = about
        bar = QFrame()
        bar.setObjectName(f"notice_{topic}")
        bar.setFrameShape(QFrame.Shape.StyledPanel)
        row = QHBoxLayout(bar)
        row.setContentsMargins(8, 4, 8, 4)
        row.setSpacing(8)
        sign = QLabel()
        sign.setObjectName("sign")
        sign.setProperty("icon_name", sign_icon or "mdi6.information-outline")
        row.addWidget(sign)
        row.addWidget(ElidedLines(text, MOST_LINES), 1)
        for label, answer in answers.items():
            button = QPushButton(label)
            button.clicked.connect(lambda _=False, answer=answer: self._answer(topic, answer))
            row.addWidget(button)
        dismiss = named(QToolButton(), "Dismiss", "Dismiss")
        dismiss.setObjectName("dismiss")
        dismiss.clicked.connect(lambda: self.withdraw(topic))
        row.addWidget(dismiss)
        self._notices[topic] = bar
        self._column.insertWidget(self._column.indexOf(self.more), bar)
        self._paint()
        self._fold()

    def _paint(self) -> None:
        """Give all notices their icons in the colours of the theme."""
        colours = tokens(self.palette())
        for bar in self._notices.values():
            for sign in bar.findChildren(QLabel, "sign"):
                name = str(sign.property("icon_name"))
                tone = colours.error if name == SEVERITIES[Severity.ERROR] else colours.warning
                sign.setPixmap(icon(name, tone).pixmap(16, 16))
            for dismiss in bar.findChildren(QToolButton, "dismiss"):
                dismiss.setIcon(icon("mdi6.close", colours.muted))

    def follow(self, shown: object) -> None:
        """Show only the notices about this, and those about nothing in particular."""
        self._shown = shown
        self._fold()

    def _show_all(self) -> None:
        self._shows_all = True
        self._fold()

    def _fold(self) -> None:
        """Show the newest notices and how many others there are."""
        bars = [bar for topic, bar in self._notices.items() if self._about[topic] in (None, self._shown)]
        for bar in self._notices.values():
            if bar not in bars:
                bar.hide()
        self._shows_all = self._shows_all and len(bars) > MOST_SHOWN
        hidden = 0 if self._shows_all else max(len(bars) - MOST_SHOWN, 0)
        for number, bar in enumerate(bars):
            bar.setVisible(number >= hidden)
        self.more.setText(f"Show {counted(hidden, 'more notice')}")
        self.more.setVisible(hidden > 0)
        self.setVisible(bool(bars))  # an empty stack takes no room

    def _answer(self, topic: str, answer: Callable[[], object]) -> None:
        self.withdraw(topic)
        answer()

    def withdraw(self, topic: str) -> None:
        """Take a notice away."""
        self._about.pop(topic, None)
        bar = self._notices.pop(topic, None)
        if bar is not None:
            self._column.removeWidget(bar)
            bar.hide()
            bar.deleteLater()
            self._fold()

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics of the notices shown."""
        return tuple(self._notices)
