"""The tab order of a panel, by the position of its widgets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget


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
