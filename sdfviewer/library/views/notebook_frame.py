"""The frame in which a notebook shows the web page of a model."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Final

from sdfviewer.diagnostics import SdfViewerError

#: Height in pixels of a page in a notebook.
FRAME_HEIGHT: Final = 560


def page_frame(title: str, make: Callable[[], str], height: int = FRAME_HEIGHT, key: str = "") -> str:
    """Return HTML that shows a page in a frame without access to what is around it, or says why there is none.

    The script of a widget finds the frame by its key.
    """
    title = escape(title)
    try:
        page = escape(make())
    except SdfViewerError as error:
        return f"<div><b>{title}</b></div><div><small>{escape(str(error))}</small></div>"
    style = f"display: block; width: 100%; height: {height}px; border: 0"
    key = f' data-sdfviewer="{escape(key)}"' if key else ""
    return f'<iframe title="{title}"{key} sandbox="allow-scripts" style="{style}" srcdoc="{page}"></iframe>'
