"""Reads the file of a session again, in as little time as what has changed in it takes."""

from __future__ import annotations

from dataclasses import dataclass

from sdfviewer.document.document import Document, parse_document
from sdfviewer.files.opening import read_decoded
from sdfviewer.language.text_map import difference

#: Characters: a change of more of the text is read beside the window's thread.
_LARGE_CHANGE = 100_000


@dataclass(frozen=True, slots=True)
class RereadDocument:
    """The document of a file as it is on disk now, and whether so much is new that loading it takes long."""

    document: Document
    is_large_change: bool


def reread(document: Document) -> RereadDocument:
    """Read the file of a document again; what is the same is shared.

    Raises
    ------
    UnreadableFileError
        If there is no such file or it cannot be read.
    """
    assert document.path is not None
    decoded, on_disk = read_decoded(document.path)
    if decoded.undecodable or decoded.encoding != document.encoding:
        whole = parse_document(decoded.text, document.path, encoding=decoded.encoding, on_disk=on_disk)
        return RereadDocument(whole, is_large_change=len(whole.text) > _LARGE_CHANGE)
    change = difference(document.text, decoded.text)
    edited = document.edited(() if change is None else (change,)).moved_to(document.path, on_disk)
    is_large_change = change is not None and len(change.text) > _LARGE_CHANGE
    if is_large_change and edited.root is not None:
        edited.offset(edited.root)  # finds where all elements are, which somebody asks at once
    return RereadDocument(edited, is_large_change)
