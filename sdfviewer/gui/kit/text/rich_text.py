"""Rich text made of escaped parts.

Qt takes any text that looks like HTML for it: in labels, message boxes and tooltips. A frame called
``<img src="//server/x">`` would then be a picture, which Windows fetches from that server.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from html import escape

from PySide6 import QtGui
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget

from sdfviewer.display_text import visible

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
