"""Opens the file that a URI in the source names."""

from __future__ import annotations

from sdfviewer.diagnostics import Span
from sdfviewer.formats.registry import model_suffixes
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.language.links import link_at


def open_link(context: DocumentContext, offset: int) -> bool:
    """Open the model that the URI at an offset names, or say why not; return whether there is a URI."""
    session = context.session
    link = link_at(session.document.recovered, session.finder, offset)
    if link is None:
        return False
    if link.file is None:
        context.refused.emit(f"'{link.uri}' is not found")
    elif link.file.suffix.lower() not in model_suffixes():
        context.refused.emit(f"{link.file.name} does not open here, since it is not a model")
    else:
        context.other_file_requested.emit(Span(str(link.file), 0, 0, 1, 1, 1, 1))
    return True
