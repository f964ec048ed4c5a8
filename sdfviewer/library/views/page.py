"""A web page of a model."""

from __future__ import annotations

from pathlib import Path

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.export.page.page import PageModel, write_page
from sdfviewer.files.finder import Finder


def make_page(
    subject: PageModel, finder: Finder, path: str | Path | None, max_size: float, before: PageModel | None
) -> str:
    """Return a page as HTML; see :meth:`Model.to_html`."""
    text = write_page(subject, finder, max_size, before).text
    if path is not None:
        try:
            Path(path).write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise SdfViewerError(f"cannot write {path}: {error.strerror or error}") from error
    return text
