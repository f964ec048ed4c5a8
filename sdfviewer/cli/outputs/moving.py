"""Write a text to a file in another folder, with its URIs and what is copied, and read it back."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sdfviewer.cli.outputs import print_note
from sdfviewer.document.document import Document
from sdfviewer.files import saving
from sdfviewer.files.uris import UriForm
from sdfviewer.formats.load import Loader
from sdfviewer.refactoring.composition.moved_text import moved_text
from sdfviewer.refactoring.composition.moved_uris import FileCopy


def write_elsewhere(
    document: Document, target: Path, loader: Loader, form: UriForm | None
) -> tuple[bytes, tuple[str, ...]]:
    """Write a text to a file; return what was written, and what differs there and was not announced.

    Parameters
    ----------
    document
        The text, with the file that it was made from.
    form
        How it names its files there, see `URI_FORMS`.
    """
    moved = moved_text(document, target, loader.finder, form)
    model = loader.load(document) if document.path is not None else None
    content = moved.document.to_bytes()
    saving.save(target, content, tell=print_note)
    copy_files(moved.copies, loader)
    loader.finder.forget()
    differences = moved.differences(model, None if model is None else loader.load(moved.document), loader.finder)
    for each in (*moved.notes, *differences.missing, *differences.faults):
        print_note(each)
    return content, differences.faults


def copy_files(copies: Iterable[FileCopy], loader: Loader) -> None:
    """Copy files beside those that are written."""
    copies = tuple(copies)
    if copies:
        from sdfviewer.scene.copied_files import write_copies  # few outputs need copies

        write_copies(copies, loader.finder)
