"""The tour: five steps, which can be skipped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QDockWidget, QFrame, QLabel, QMainWindow, QPushButton, QWidget

from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widgets import column_of, row_of

_GAP, _WIDTH, _NARROWEST = 12, 340, 220
_MOVED = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide)
"""After these the part may be elsewhere."""


@dataclass(frozen=True)
class TourStep:
    """One step: its title, what it says, and the part of the window it is about; None where that is not in sight.

    Attributes
    ----------
    area
        What of the part it is about, in the pixels of the part: all of it unless this is given.
    prepare
        Gives the part something to show, and returns what takes that back.
    """

    title: str
    text: str
    part: Callable[[], QWidget | None]
    area: Callable[[], QRect] | None = None
    prepare: Callable[[], Callable[[], None]] | None = None


class Tour(QWidget):
    """Darkens the window but for one part, which can be used, and says beside it what that is for.

    Attributes
    ----------
    lit
        Where that part is; the card is never over it.
    """

    ended = Signal()

    def __init__(self, steps: Sequence[TourStep], window: QWidget) -> None:
        super().__init__(window)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Tour")
        self._steps = steps
        self.number = 0
        self.lit = QRect()
        self._covered: list[QDockWidget] = []
        self._take_back: Callable[[], None] | None = None
        # The window is laid out in several steps.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.follow)
        self.card = QFrame(self)
        self.card.setObjectName("tour")
        self.card.setFrameShape(QFrame.Shape.StyledPanel)
        self.card.setAutoFillBackground(True)
        self.card.setFixedWidth(_WIDTH)
        self.title, self.text, self.count = QLabel(), QLabel(wordWrap=True), QLabel()
        self.title.setProperty("role", "title")
        self.count.setProperty("role", "muted")
        self.skip_button, self.next_button = QPushButton("Skip Tour"), QPushButton("Next")
        self.next_button.setProperty("role", "primary")
        self.skip_button.clicked.connect(self.end)
        self.next_button.clicked.connect(self.go_on)
        self.next_button.setDefault(True)
        self.skip_button.setToolTip("Esc")
        self.next_button.setToolTip("Enter")
        window.installEventFilter(self)
        row = row_of((self.count, 1), self.skip_button, self.next_button)
        column_of(self.title, self.text, row, parent=self.card, margins=(16, 16, 16, 12), spacing=8)
        self._show()

    def _show(self) -> None:
        step = self._steps[self.number]
        self.title.setText(step.title)
        self.text.setText(step.text)
        self.count.setText(f"{self.number + 1} of {len(self._steps)}")
        is_last = self.number == len(self._steps) - 1
        self.next_button.setText("Done" if is_last else "Next")
        self.skip_button.setVisible(not is_last)
        part = step.part()
        if isinstance(part, QDockWidget):
            self._bring_to_front(part)
        self._clean_up()
        self._take_back = None if step.prepare is None else step.prepare()
        self.follow()
        self.show()
        self.raise_()
        self.next_button.setFocus()

    def _clean_up(self) -> None:
        """Take back what a step has prepared."""
        take_back, self._take_back = self._take_back, None
        if take_back is not None:
            take_back()

    def _bring_to_front(self, dock: QDockWidget) -> None:
        """Show a panel that may be behind another tab, until the end of the tour."""
        host = dock.parentWidget()
        tabs = host.tabifiedDockWidgets(dock) if isinstance(host, QMainWindow) else []
        self._covered += [tab for tab in tabs if not tab.visibleRegion().isEmpty()]
        dock.raise_()

    def follow(self) -> None:
        """Cover the window and put the card beside the part again, after either has changed."""
        window = self.parentWidget()
        assert window is not None
        self.setGeometry(window.rect())
        hole = self._hole()
        beside = max(hole.left(), self.width() - hole.right()) - 2 * _GAP
        self.card.setFixedWidth(_WIDTH if hole.isNull() or beside < _NARROWEST else min(_WIDTH, beside))
        self.card.adjustSize()
        self.card.move(self._beside(hole))
        if hole.intersects(self.card.geometry()):
            hole.setBottom(self.card.y() - _GAP)
        self.lit = hole
        # What is lit can be used.
        self.setMask(QRegion(self.rect()) - QRegion(hole.adjusted(2, 2, -2, -2)))
        part = self._steps[self.number].part()
        if part is not None:
            part.installEventFilter(self)
        self.update()

    def _hole(self) -> QRect:
        part, window = self._steps[self.number].part(), self.parentWidget()
        if part is None or window is None or not part.isVisible():
            return QRect()
        area = self._steps[self.number].area
        within = part.rect() if area is None else area()
        return QRect(part.mapTo(window, within.topLeft()), within.size())

    def _beside(self, hole: QRect) -> QPoint:
        """Return where the card is: below a low part, beside another, at the bottom of one that fills the window."""
        card, room = self.card.size(), self.rect()
        if hole.isNull():
            return room.center() - QPoint(card.width() // 2, card.height() // 2)
        x = min(max(hole.center().x() - card.width() // 2, _GAP), room.right() - card.width() - _GAP)
        y = min(max(hole.top() + _GAP, _GAP), room.bottom() - card.height() - _GAP)
        right, left = QPoint(hole.right() + _GAP, y), QPoint(hole.left() - card.width() - _GAP, y)
        below, above = QPoint(x, hole.bottom() + _GAP), QPoint(x, hole.top() - card.height() - _GAP)
        is_low = hole.height() < card.height() // 2
        inside = room.adjusted(0, 0, -_GAP, -_GAP)
        places = (below, right, left, above) if is_low else (right, left, below, above)
        fitting = (place for place in places if inside.contains(QRect(place, card)))
        return next(fitting, QPoint(x, room.bottom() - card.height() - _GAP))

    def go_on(self) -> None:
        """Show the next step, or end after the last one."""
        if self.number + 1 < len(self._steps):
            self.number += 1
            self._show()
        else:
            self.end()

    def end(self) -> None:
        """End the tour, with the panels in front that were there before."""
        self.hide()
        self._clean_up()
        for dock in reversed(self._covered):
            dock.raise_()
        self.ended.emit()
        self.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc skips the tour, Enter goes to the next step."""
        if event.key() == Qt.Key.Key_Escape:
            self.end()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.go_on()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """End the tour: the user has clicked in the window."""
        event.accept()
        self.end()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the window at every size, and light the part where it is now."""
        if event.type() in _MOVED and self.isVisible():
            self._soon.start()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Darken all but the part."""
        with QPainter(self) as painter:
            shade, hole = QColor(0, 0, 0, 120), self.lit
            if hole.isNull():
                painter.fillRect(self.rect(), shade)
            else:
                top, bottom = hole.top(), hole.bottom() + 1
                painter.fillRect(0, 0, self.width(), top, shade)
                painter.fillRect(0, bottom, self.width(), self.height() - bottom, shade)
                painter.fillRect(0, top, hole.left(), hole.height(), shade)
                painter.fillRect(hole.right() + 1, top, self.width() - hole.right() - 1, hole.height(), shade)
                painter.setPen(QPen(QColor(tokens(self.palette()).accent), 2))
                painter.drawRect(hole.adjusted(1, 1, -1, -1))
