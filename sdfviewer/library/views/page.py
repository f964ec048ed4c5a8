"""A web page of a model."""

from __future__ import annotations

from pathlib import Path

from sdfviewer.export.page.page import PageModel, write_page
from sdfviewer.files import saving
from sdfviewer.files.finder import Finder


def make_page(
    subject: PageModel, finder: Finder, path: str | Path | None, max_size: float, before: PageModel | None
) -> str:
    """Return a page as HTML; see :meth:`Model.to_html`."""
    text = write_page(subject, finder, max_size, before).text
    if path is not None:
        saving.save(Path(path), text.encode("utf-8"))
    return text
