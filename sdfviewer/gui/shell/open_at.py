"""Shows a place of another file, which is opened for it."""

from __future__ import annotations

from pathlib import Path

from sdfviewer.diagnostics import Span
from sdfviewer.gui.shell.app import App


def open_at(app: App, span: Span) -> None:
    """Open the file of a span, or show it if it is open, and show the place in its source once it has been read."""
    path = Path(span.path)

    def show_when_open() -> None:
        file = app.files.find(path)
        if file is not None or app.files.opening is None:
            app.files.opening_changed.disconnect(show_when_open)
        if file is not None:
            app.docks.reveal("source")
            file.context.show_place(span)

    app.files.opening_changed.connect(show_when_open)
    app.files.open_soon([path])
