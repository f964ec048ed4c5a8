"""Plain text in every widget, with an escape for each character that cannot be seen.

Names and paths come from whoever wrote a file. The code that shows one need not escape it: this is done here for all
labels, buttons, menus, titles, lists and tooltips.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QLocale, QObject, QPoint, Qt
from PySide6.QtGui import QAction, QActionEvent, QHelpEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QGroupBox,
    QHeaderView,
    QLabel,
    QMenu,
    QStyledItemDelegate,
    QTabBar,
    QToolTip,
    QWidget,
)

from sdfviewer.display_text import visible
from sdfviewer.gui.widgets.rich_text import safe_tip, visible_lines


class PlainDelegate(QStyledItemDelegate):
    """Shows the texts of lists, tables and trees."""

    def displayText(self, value: Any, locale: QLocale | QLocale.Language) -> str:
        """Return the text of an item as it is shown."""
        return visible_lines(value) if isinstance(value, str) else super().displayText(value, locale)


class PlainText(QObject):
    """Belongs to the application: widgets show plain text unless they say otherwise, and tooltips what is written."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Correct what a widget is about to show."""
        kind = event.type()
        if kind == QEvent.Type.Paint:
            _show_unseen(watched)
        elif kind == QEvent.Type.Polish:
            _settle(watched)
        elif kind == QEvent.Type.WindowTitleChange and isinstance(watched, QWidget):
            if not (title := watched.windowTitle()).isprintable():
                watched.setWindowTitle(visible(title))
        elif kind in (QEvent.Type.ActionAdded, QEvent.Type.ActionChanged) and isinstance(event, QActionEvent):
            _show_unseen_of_action(event.action())
        elif kind == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and isinstance(watched, QWidget):
            text = _tip_of(watched, event.pos())
            if text and safe_tip(text) != text:
                QToolTip.showText(event.globalPos(), safe_tip(text), watched)
                return True
        return False


def _settle(watched: QObject) -> None:
    """Settle the format of a label and the delegate of a list, before they are seen."""
    if isinstance(watched, QLabel):
        if watched.textFormat() == Qt.TextFormat.AutoText and not watched.inherits("QTipLabel"):
            watched.setTextFormat(Qt.TextFormat.PlainText)
    elif isinstance(watched, QAbstractItemView) and not isinstance(watched, QHeaderView):
        delegate = watched.itemDelegate()
        # Delegates of our own show their text themselves, and those of combo boxes and completers draw something else.
        if delegate is not None and delegate.metaObject().className() == "QStyledItemDelegate":
            watched.setItemDelegate(PlainDelegate(watched))


def _show_unseen(watched: QObject) -> None:
    """Escape what cannot be seen of the text of a label or button, just before it is painted."""
    if isinstance(watched, QLabel):
        # Rich text is made of escaped parts.
        if watched.textFormat() != Qt.TextFormat.RichText and not (text := watched.text()).isprintable():
            _replace(text, watched.setText)
    elif isinstance(watched, QAbstractButton):
        if not (text := watched.text()).isprintable():
            _replace(text, watched.setText)
    elif isinstance(watched, QGroupBox) and not (text := watched.title()).isprintable():
        _replace(text, watched.setTitle)


def _replace(text: str, show: Callable[[str], None]) -> None:
    if (shown := visible_lines(text)) != text:
        show(shown)


def _show_unseen_of_action(action: QAction) -> None:
    if not (text := action.text()).isprintable():
        name, tab, keys = text.partition("\t")  # the keys of a menu are behind a tab
        shown = visible(name) + tab + visible(keys)
        if shown != text:
            action.setText(shown)


def _tip_of(widget: QWidget, at: QPoint) -> str:
    """Return the tooltip that Qt would show at a place of a widget, empty where that is the widget's own affair."""
    view = widget.parent()
    if isinstance(view, QHeaderView) and widget is view.viewport():
        model = view.model()
        section = view.logicalIndexAt(at)
        found = (
            model.headerData(section, view.orientation(), Qt.ItemDataRole.ToolTipRole) if model is not None else None
        )
    elif isinstance(view, QAbstractItemView) and widget is view.viewport():
        found = view.indexAt(at).data(Qt.ItemDataRole.ToolTipRole)
    elif isinstance(widget, QMenu):
        action = widget.actionAt(at)
        found = action.toolTip() if action is not None and widget.toolTipsVisible() else None
    elif isinstance(widget, QTabBar):
        found = widget.tabToolTip(widget.tabAt(at))
    else:
        found = widget.toolTip()
    return found if isinstance(found, str) else ""
