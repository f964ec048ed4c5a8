"""Rich text made of escaped parts.

Qt takes any text that looks like HTML for it: in labels, message boxes and tooltips. A frame called
``<img src="//server/x">`` would then be a picture, which Windows fetches from that server.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from html import escape

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QMenu, QTabBar, QToolTip, QWidget

from sdfviewer.display_text import visible

#: Marks tooltips that were made here; no file can hold it.
_MARK = f"<!--{secrets.token_hex(16)}-->"


class Markup(str):
    """Rich text whose parts are escaped; made by :func:`markup` and :func:`joined` only."""

    __slots__ = ()


def _lines(text: str) -> str:
    """Return a text in which nothing reverses or hides what is around it."""
    return text if text.isprintable() else "\n".join(map(visible, text.split("\n")))


def _escaped(text: str) -> str:
    return escape(_lines(text))


def markup(template: str, **parts: object) -> Markup:
    """Return rich text.

    Parameters
    ----------
    template
        HTML, with a ``{name}`` for each part.
    parts
        The contents; everything except `Markup` is escaped.
    """
    texts = {name: part if isinstance(part, Markup) else _escaped(str(part)) for name, part in parts.items()}
    return Markup(template.format(**texts))


def joined(separator: str, parts: Iterable[str]) -> Markup:
    """Return parts with a separator of HTML between them; all but `Markup` are escaped."""
    return Markup(separator.join(part if isinstance(part, Markup) else _escaped(part) for part in parts))


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
    return wrapped_tip([text]) if QtGui.Qt.mightBeRichText(text) else _lines(text)


class PlainText(QObject):
    """Belongs to the application: labels show plain text unless they say otherwise, and tooltips what is written."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Settle the format of labels before they are seen, and show tooltips that look like rich text."""
        kind = event.type()
        if kind == QEvent.Type.Polish:
            if (
                isinstance(watched, QLabel)
                and watched.textFormat() == Qt.TextFormat.AutoText
                and not watched.inherits("QTipLabel")
            ):
                watched.setTextFormat(Qt.TextFormat.PlainText)
        elif kind == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and isinstance(watched, QWidget):
            text = _tip_of(watched, event.pos())
            if text and safe_tip(text) != text:
                QToolTip.showText(event.globalPos(), safe_tip(text), watched)
                return True
        return False


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
