"""Representation of models in notebooks: an image and tables."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Sequence
from html import escape

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.library.things import Link

_MOST_ROWS = 12
_SIZE = (480, 320)


def page(title: str, *parts: str) -> str:
    """Return HTML with a title."""
    return f"<div><b>{escape(title)}</b></div>" + "".join(parts)


def mass_text(link: Link) -> str:
    """Return the mass of a link, a question mark where it is not known."""
    try:
        return f"{link.mass:.6g} kg"
    except SdfViewerError:
        return "?"


def picture(draw: Callable[[tuple[int, int]], bytes]) -> str:
    """Return a picture as HTML, or why there is none."""
    try:
        data = base64.b64encode(draw(_SIZE)).decode("ascii")
    except SdfViewerError as error:
        return f"<div><small>{escape(str(error))}</small></div>"
    return f'<img alt="" width="{_SIZE[0]}" height="{_SIZE[1]}" src="data:image/png;base64,{data}"/>'


def table(titles: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table as HTML, nothing where it has no rows."""
    if not rows:
        return ""

    def line(cells: Iterable[object], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

    shown = "".join(line(row, "td") for row in rows[:_MOST_ROWS])
    rest = len(rows) - _MOST_ROWS
    more = f'<tr><td colspan="{len(titles)}">and {rest} more</td></tr>' if rest > 0 else ""
    return f"<table>{line(titles, 'th')}{shown}{more}</table>"
