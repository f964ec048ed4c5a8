"""Shows an element of another file, which is opened for it."""

from __future__ import annotations

from pathlib import Path

from sdfviewer.diagnostics import Span
from sdfviewer.gui.shell.app import App
from sdfviewer.language.names import row_at


def open_at(app: App, span: Span) -> None:
    """Open the file of a span, or show it if it is open; then select the frame written there and show its source."""
    path = Path(span.path)

    def show_when_open() -> None:
        file = app.files.find(path)
        if file is not None or app.files.opening is None:
            app.files.opening_changed.disconnect(show_when_open)
        if file is not None:
            model = file.session.model
            row = None if model is None else row_at(model, span.start)
            if model is not None and row is not None:
                file.session.select((model.names[row],))
            app.docks.reveal("source")
            file.context.show_place(span)

    app.files.opening_changed.connect(show_when_open)
    app.files.open_soon([path])
