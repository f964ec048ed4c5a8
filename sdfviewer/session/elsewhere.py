"""Write a text to a file in another folder, with its URIs and what is copied, and read it back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sdfviewer.document.document import Document
from sdfviewer.files import saving
from sdfviewer.files.uris import Keep, UriForm
from sdfviewer.formats.load import Loader
from sdfviewer.refactoring.composition.moved_text import moved_text


def write_elsewhere(
    document: Document,
    target: Path,
    loader: Loader,
    form: UriForm | Keep | None,
    tell: Callable[[str], object],
) -> tuple[bytes, tuple[str, ...]]:
    """Write a text to a file; return what was written, and what differs there and was not announced.

    Parameters
    ----------
    document
        The text, with the file that it was made from.
    target, loader
        The file, and what reads both.
    form
        How it names its files there, see :func:`.moved_text.moved_text`.
    tell
        Called with each sentence about what is named otherwise, is not found from there, or differs; see also
        :func:`.saving.save`.

    Raises
    ------
    SdfViewerError
        If it cannot be written, or something cannot be copied.
    """
    moved = moved_text(document, target, loader.finder, form)
    content = moved.document.to_bytes()
    if moved.copies:  # first, so that no text names a copy that could not be made
        from sdfviewer.scene.copied_files import write_copies  # noqa: PLC0415  # few outputs need copies

        write_copies(moved.copies, loader.finder)
    saving.save(target, content, tell=tell)
    if moved.is_in_place:
        return content, ()
    loader.finder.forget()
    model = None if document.path is None else loader.load(document)
    after = None if model is None else loader.load(moved.document)
    differences = moved.differences(model, after, loader.finder)
    for each in (*moved.notes, *differences.missing, *differences.faults):
        tell(each)
    return content, differences.faults
