"""Plain text in every widget, with an escape for each character that cannot be seen.

Names and paths come from whoever wrote a file. The code that shows one need not escape it: this is done here for all
labels, buttons, menus, titles, lists and tooltips.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QLocale, QObject, QPoint, Qt
from PySide6.QtGui import QActionEvent, QHelpEvent
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
        # Tens of thousands of events come here before the window is seen.
        correct = _CORRECTIONS.get(event.type())
        return correct is not None and correct(watched, event)


def _settle(watched: QObject, _event: QEvent) -> bool:
    """Settle the format of a label and the delegate of a list, before they are seen."""
    if isinstance(watched, QLabel):
        if watched.textFormat() == Qt.TextFormat.AutoText and not watched.inherits("QTipLabel"):
            watched.setTextFormat(Qt.TextFormat.PlainText)
    elif isinstance(watched, QAbstractItemView) and not isinstance(watched, QHeaderView):
        delegate = watched.itemDelegate()
        # Delegates of our own show their text themselves, and those of combo boxes and completers draw something else.
        if delegate is not None and delegate.metaObject().className() == "QStyledItemDelegate":
            watched.setItemDelegate(PlainDelegate(watched))
    return False


def _show_unseen(watched: QObject, _event: QEvent) -> bool:
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
    return False


def _replace(text: str, show: Callable[[str], None]) -> None:
    if (shown := visible_lines(text)) != text:
        show(shown)


def _show_unseen_of_title(watched: QObject, _event: QEvent) -> bool:
    """Escape what cannot be seen of the title of a window."""
    if isinstance(watched, QWidget) and not (title := watched.windowTitle()).isprintable():
        watched.setWindowTitle(visible(title))
    return False


def _show_unseen_of_action(_watched: QObject, event: QEvent) -> bool:
    """Escape what cannot be seen of the text of an action."""
    action = event.action() if isinstance(event, QActionEvent) else None
    if action is not None and not (text := action.text()).isprintable():
        name, tab, keys = text.partition("\t")  # the keys of a menu are behind a tab
        shown = visible(name) + tab + visible(keys)
        if shown != text:
            action.setText(shown)
    return False


def _show_safe_tip(watched: QObject, event: QEvent) -> bool:
    """Show a tooltip with escapes; return whether this took the place of Qt's own."""
    if not isinstance(event, QHelpEvent) or not isinstance(watched, QWidget):
        return False
    text = _tip_of(watched, event.pos())
    if not text or safe_tip(text) == text:
        return False
    QToolTip.showText(event.globalPos(), safe_tip(text), watched)
    return True


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


#: What is done at an event, and whether the event ends there.
_CORRECTIONS: dict[int, Callable[[QObject, QEvent], bool]] = {
    QEvent.Type.Paint: _show_unseen,
    QEvent.Type.Polish: _settle,
    QEvent.Type.WindowTitleChange: _show_unseen_of_title,
    QEvent.Type.ActionAdded: _show_unseen_of_action,
    QEvent.Type.ActionChanged: _show_unseen_of_action,
    QEvent.Type.ToolTip: _show_safe_tip,
}
