"""What has the keyboard: the tab order of a panel, by position, and a ring where nothing else shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QStackedWidget,
    QTabBar,
    QWidget,
)

from sdfviewer.gui.kit.theme import tokens


def tab_stops(widget: QWidget) -> Iterator[QWidget]:
    """Yield what Tab stops at inside of a widget: from the top, in a row from the left, each widget with all in it."""
    children = [child for child in widget.children() if isinstance(child, QWidget) and not child.isWindow()]
    for child in _as_read(child for child in children if child.isVisibleTo(widget) and child.isEnabled()):
        if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.focusProxy() is None:
            yield child
        yield from tab_stops(child)


def _as_read(widgets: Iterable[QWidget]) -> Iterator[QWidget]:
    row: list[QWidget] = []
    for widget in sorted(widgets, key=lambda each: each.geometry().top()):
        if row and widget.geometry().center().y() > row[0].geometry().bottom():
            yield from sorted(row, key=lambda each: each.geometry().left())
            row = []
        row.append(widget)
    yield from sorted(row, key=lambda each: each.geometry().left())


class PanelStack(QStackedWidget):
    """The panels of one dock, showing those of the current file."""

    #: Tab or Shift+Tab leaves the panel.
    left = Signal(QWidget, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.currentChanged.connect(lambda _index: self.updateGeometry())

    def minimumSizeHint(self) -> QSize:  # Qt's name
        """Return the size of the visible panel: those of other files need no room."""
        panel = self.currentWidget()
        return super().minimumSizeHint() if panel is None else panel.minimumSizeHint()

    def delete_panel(self, panel: QWidget) -> None:
        """Take a panel out and let Qt delete it."""
        panel.deleteLater()

    def focusNextPrevChild(self, next: bool) -> bool:
        """Focus the next stop of the visible panel, or another panel."""
        stops = list(tab_stops(self))
        now = self.window().focusWidget()
        if now not in stops:
            return super().focusNextPrevChild(next)
        place = stops.index(now) + (1 if next else -1)
        if 0 <= place < len(stops):
            self.enter(stops[place], next)
        else:
            self.left.emit(self, next)
        return True

    @staticmethod
    def enter(stop: QWidget, next: bool) -> None:
        """Give the keyboard to a stop, as Tab does it."""
        stop.setFocus(Qt.FocusReason.TabFocusReason if next else Qt.FocusReason.BacktabFocusReason)


def go_on(parts: Sequence[QWidget], now: QWidget, next: bool) -> None:
    """Tab from one part of a window into the next or previous visible part that has a stop."""
    place = parts.index(now)
    others = [*parts[place + 1 :], *parts[:place]] if next else [*parts[:place][::-1], *parts[place + 1 :][::-1]]
    for part in others:
        stops = list(tab_stops(part)) if part.isVisible() else []
        if stops:
            PanelStack.enter(stops[0] if next else stops[-1], next)
            return


#: What shows by its border or caret that it has the keyboard.
SHOW_IT = (QAbstractSpinBox, QCheckBox, QComboBox, QLineEdit, QPlainTextEdit, QPushButton, QRadioButton, QTabBar)
WIDTH, RADIUS = 2, 4


def mark_focus(_before: QWidget | None, widget: QWidget | None) -> None:
    """Put a ring around the widget that has the keyboard now, if it came there by a key."""
    if widget is None or isinstance(widget, SHOW_IT) or widget.isWindow():
        return
    by_mouse = QApplication.mouseButtons() != Qt.MouseButton.NoButton
    if not by_mouse and widget.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange):
        FocusRing(widget).show()


class FocusRing(QWidget):
    """The ring, which is removed when the focus leaves."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.resize(widget.size())
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.resize(self._widget.size())
        elif event.type() == QEvent.Type.FocusOut:
            watched.removeEventFilter(self)
            self.hide()
            self.deleteLater()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            colours = tokens(self.palette())
            # A checked button already has a border in the accent colour.
            is_on = isinstance(self._widget, QAbstractButton) and self._widget.isChecked()
            painter.setPen(QPen(QColor(colours.text if is_on else colours.accent), WIDTH))
            half = WIDTH / 2
            painter.drawRoundedRect(self.rect().toRectF().adjusted(half, half, -half, -half), RADIUS, RADIUS)
