"""Text from files in widgets: plain text as it is written, and rich text made of escaped parts.

Names and paths come from whoever wrote a file. Qt takes any text that looks like HTML for it: in labels, message boxes
and tooltips. A frame called ``<img src="//server/x">`` would then be a picture, which Windows fetches from that server.
So all labels, buttons, menus, titles, lists and tooltips show plain text, with an escape for each character that cannot
be seen; the code that shows a name need not escape it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any, TypeVar

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QLocale, QObject, QPoint, Qt
from PySide6.QtGui import QAction, QActionEvent, QHelpEvent, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
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
from sdfviewer.gui.kit.pyside import raises_nothing

#: Marks tooltips that were made here; no file can hold it.
_MARK = f"<!--{secrets.token_hex(16)}-->"


class Markup(str):
    """Rich text whose parts are escaped; made by :func:`markup` and :func:`joined` only."""

    __slots__ = ()


def visible_lines(text: str) -> str:
    """Return a text of one or more lines in which nothing reverses or hides what is around it."""
    return text if text.isprintable() else "\n".join(map(visible, text.split("\n")))


def escaped(text: str, *, quote: bool = True) -> Markup:
    """Return plain text as rich text that shows it as it is written; outside of tags quotes may stay."""
    return Markup(escape(visible_lines(text), quote=quote))


def markup(template: str, **parts: object) -> Markup:
    """Return rich text.

    Parameters
    ----------
    template
        HTML, with a ``{name}`` for each part.
    parts
        The contents; everything except `Markup` is escaped.
    """
    texts = {name: part if isinstance(part, Markup) else escaped(str(part)) for name, part in parts.items()}
    return Markup(template.format(**texts))


def joined(separator: str, parts: Iterable[str]) -> Markup:
    """Return parts with a separator of HTML between them; all but `Markup` are escaped."""
    return Markup(separator.join(part if isinstance(part, Markup) else escaped(part) for part in parts))


def set_rich_text(label: QLabel, text: Markup) -> None:
    """Show rich text in a label."""
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setText(text)


def rich_tip(text: Markup) -> str:
    """Return a tooltip of rich text."""
    return f"{text}{_MARK}" if text else ""


def wrapped_tip(texts: Iterable[str]) -> str:
    """Return plain texts as a tooltip that is no wider than can be read: Qt breaks only rich text into lines."""
    paragraphs = (
        markup("<p>{lines}</p>", lines=joined("<br>", text.split("\n"))) for text in dict.fromkeys(texts) if text
    )
    return rich_tip(joined("", paragraphs))


def safe_tip(text: str) -> str:
    """Return a tooltip that shows as it is written, unless it was made here."""
    if text.endswith(_MARK):
        return text
    return wrapped_tip([text]) if QtGui.Qt.mightBeRichText(text) else visible_lines(text)


def show_tip(where: QPoint, text: str, widget: QWidget) -> None:
    """Show a tooltip at the mouse at once, in global coordinates; no text hides it.

    Where the screen ends, Qt puts it above or beside the mouse, on what one points at next. The mouse goes through it.
    """
    QToolTip.showText(where, text, widget)
    for tip in QApplication.topLevelWidgets():
        window = tip.windowHandle()
        if window is not None and tip.inherits("QTipLabel"):
            window.setFlag(Qt.WindowType.WindowTransparentForInput)


_Widget = TypeVar("_Widget", bound=QWidget)


class PlainDelegate(QStyledItemDelegate):
    """Shows the texts of lists, tables and trees."""

    def displayText(self, value: Any, locale: QLocale | QLocale.Language) -> str:
        """Return the text of an item as it is shown."""
        return visible_lines(value) if isinstance(value, str) else super().displayText(value, locale)


class PlainText(QObject):
    """Belongs to the application: widgets show plain text unless they say otherwise, and tooltips what is written.

    Attributes
    ----------
    is_at_work
        Whether it filters events.
    """

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self.is_at_work = True
        application.installEventFilter(self)

    @raises_nothing
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Correct what a widget is about to show."""
        # Every event of the program comes here, and to ask for its type takes longer than the rest.
        if type(event) not in _CORRECTED:
            return False
        correct = _CORRECTIONS.get(event.type())
        try:
            return correct is not None and correct(watched, event)
        except BaseException:  # caught as kit/pyside.py says
            raise


@contextmanager
def uncorrected() -> Iterator[bool]:
    """Let events of widgets pass that show no text that is new; yields whether texts are corrected otherwise.

    A file that is opened brings thousands of events, each of which takes a detour through Python to be corrected.
    """
    application = QApplication.instance()
    assert application is not None
    filters = application.findChildren(PlainText, options=Qt.FindChildOption.FindDirectChildrenOnly)
    at_work = [each for each in filters if each.is_at_work]
    for each in at_work:
        each.is_at_work = False
        application.removeEventFilter(each)
    try:
        yield bool(filters)
    finally:
        for each in at_work:
            each.is_at_work = True
            application.installEventFilter(each)


def made_plain(make: Callable[[], _Widget]) -> _Widget:
    """Return the widget that a function makes, corrected as a whole rather than at each event until it is made.

    A window with a file in it gets a dozen events for each widget before it is seen.
    """
    with uncorrected() as is_plain:
        made = make()
    if is_plain:
        widgets: list[QWidget] = [made, *made.findChildren(QWidget)]
        for widget in widgets:
            _settle(widget)
            _show_unseen_of_title(widget)
        for action in made.findChildren(QAction):
            _show_unseen_of_action(action)
    return made


@contextmanager
def settled_at_once(parts: Callable[[], Iterable[QWidget]]) -> Iterator[None]:
    """Correct as a whole what some widgets that are made plain get while they come into sight.

    They must not be painted meanwhile, and no text of a title or an action may change. Only in these is looked for
    labels and lists: to meet a widget that Qt is about to delete would keep it.
    """
    with uncorrected() as is_plain:
        yield
    for part in parts() if is_plain else ():
        shown: list[QWidget] = [*part.findChildren(QLabel), *part.findChildren(QAbstractItemView)]
        for widget in shown:
            _settle(widget)


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


def _show_unseen_of_title(watched: QObject) -> None:
    """Escape what cannot be seen of the title of a window."""
    if isinstance(watched, QWidget) and not (title := watched.windowTitle()).isprintable():
        watched.setWindowTitle(visible(title))


def _show_unseen_of_action(action: QAction) -> None:
    """Escape what cannot be seen of the text of an action."""
    if not (text := action.text()).isprintable():
        name, tab, keys = text.partition("\t")  # the keys of a menu are behind a tab
        shown = visible(name) + tab + visible(keys)
        if shown != text:
            action.setText(shown)


def _show_safe_tip(watched: QObject, event: QEvent) -> bool:
    """Show a tooltip with escapes, and none that repeats the entry of a menu; return whether Qt is to show none."""
    if not isinstance(event, QHelpEvent) or not isinstance(watched, QWidget):
        return False
    entry = watched.actionAt(event.pos()) if isinstance(watched, QMenu) else None
    if entry is not None and entry.toolTip() == entry.text().partition("\t")[0].replace("&", ""):
        return True
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


def _correct_action(_watched: QObject, event: QEvent) -> bool:
    if isinstance(event, QActionEvent):
        _show_unseen_of_action(event.action())
    return False


def _without_event(correct: Callable[[QObject], None]) -> Callable[[QObject, QEvent], bool]:
    """Return a correction that needs only the widget, as one of an event that goes on."""

    def correct_at(watched: QObject, _event: QEvent) -> bool:
        correct(watched)
        return False

    return correct_at


#: The classes of the events at which something is done.
_CORRECTED = {QEvent, QPaintEvent, QActionEvent, QHelpEvent}
#: What is done at an event, and whether the event ends there.
_CORRECTIONS: dict[int, Callable[[QObject, QEvent], bool]] = {
    QEvent.Type.Paint: _without_event(_show_unseen),
    QEvent.Type.Polish: _without_event(_settle),
    QEvent.Type.WindowTitleChange: _without_event(_show_unseen_of_title),
    QEvent.Type.ActionAdded: _correct_action,
    QEvent.Type.ActionChanged: _correct_action,
    QEvent.Type.ToolTip: _show_safe_tip,
}
