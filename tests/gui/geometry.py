"""Facts about where things are in a window: nothing is cut, nothing lies over another, nothing is empty."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPushButton,
    QToolButton,
    QWidget,
)

from sdfviewer.gui.shell.notice import NoticeBar
from sdfviewer.gui.view3d.tools.tool_strip import ToolStrip

_PARTS = (QLabel, QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox)
_LEAST_DOCK = 150, 40
"""Width and height of the smallest panel in which something can be read."""
_ALLOWED = 1
"""Pixels by which frames of neighbours may share their edge."""


def layout_faults(window: QMainWindow) -> list[str]:
    """Return what is cut, empty, or lies over something else in a window, in words."""
    return [*_empty_docks(window), *_cut(window), *_overlaps(window), *_covered_tools(window)]


def _name(widget: QWidget) -> str:
    text = getattr(widget, "text", None)
    words = text() if callable(text) else ""
    name = words or widget.accessibleName() or widget.objectName()
    around = next((each for each in _around(widget) if isinstance(each, QDockWidget)), None)
    return f"{type(widget).__name__} {name!r}" + (f" in {around.windowTitle()}" if around is not None else "")


def _around(widget: QWidget) -> Iterator[QWidget]:
    parent = widget.parentWidget()
    while parent is not None and not widget.isWindow():
        yield parent
        if parent.isWindow():
            return
        parent = parent.parentWidget()


def _is_scrolled(widget: QWidget) -> bool:
    """Return whether a widget lies in an area that scrolls, and so may be partly out of sight."""
    return any(isinstance(each, QAbstractScrollArea) for each in _around(widget))


def _shown(window: QWidget) -> list[QWidget]:
    return [
        each
        for each in window.findChildren(QWidget)
        if each.isVisible() and isinstance(each, _PARTS) and each.window() is window
    ]


def _empty_docks(window: QMainWindow) -> Iterator[str]:
    for dock in window.findChildren(QDockWidget):
        if dock.isVisible() and not dock.visibleRegion().isEmpty():
            width, height = dock.width(), dock.height()
            if width < _LEAST_DOCK[0] or height < _LEAST_DOCK[1]:
                yield f"the panel {dock.windowTitle()} has only {width}×{height} pixels"


def _cut(window: QMainWindow) -> Iterator[str]:
    for part in _shown(window):
        if part.visibleRegion().isEmpty() or _is_scrolled(part):
            continue
        for around in _around(part):
            place = QRect(part.mapTo(around, QPoint()), part.size())
            if not around.rect().adjusted(-_ALLOWED, -_ALLOWED, _ALLOWED, _ALLOWED).contains(place):
                yield f"{_name(part)} reaches beyond {type(around).__name__}"
                break
        needed = _text_width(part)
        if needed > part.width() + _ALLOWED:
            yield f"{_name(part)} is cut: {part.width()} of {needed} pixels"


def _text_width(part: QWidget) -> int:
    """Return the least width in which the words of a widget are whole."""
    metrics = part.fontMetrics()
    if isinstance(part, QPushButton):
        return metrics.horizontalAdvance(part.text().replace("&", ""))
    if isinstance(part, QToolButton) and part.toolButtonStyle() is not Qt.ToolButtonStyle.ToolButtonIconOnly:
        return metrics.horizontalAdvance(part.text()) if part.text() and part.icon().isNull() else 0
    if isinstance(part, QLabel) and not part.wordWrap() and part.textFormat() is not Qt.TextFormat.RichText:
        text = part.text()
        return 0 if "<" in text else max((metrics.horizontalAdvance(line) for line in text.split("\n")), default=0)
    return 0


def _overlaps(window: QMainWindow) -> Iterator[str]:
    siblings: dict[QWidget, list[QWidget]] = {}
    for part in _shown(window):
        parent = part.parentWidget()
        if parent is not None and not part.visibleRegion().isEmpty() and not isinstance(parent, _PARTS):
            siblings.setdefault(parent, []).append(part)
    for parts in siblings.values():
        for one, other in combinations(parts, 2):
            shared = one.geometry() & other.geometry()
            if shared.width() > _ALLOWED and shared.height() > _ALLOWED:
                yield f"{_name(one)} and {_name(other)} lie over each other"


def _covered_tools(window: QMainWindow) -> Iterator[str]:
    """Yield the tools of 3D views that notices cover."""
    for notices in window.findChildren(NoticeBar):
        for tools in window.findChildren(ToolStrip):
            if notices.isVisible() and tools.isVisible() and not tools.visibleRegion().isEmpty():
                one = QRect(notices.mapTo(window, QPoint()), notices.size())
                if one.intersects(QRect(tools.mapTo(window, QPoint()), tools.size())):
                    yield "a notice covers tools of the 3D view"
