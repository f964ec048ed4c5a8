"""The SRDF files of the robot of a session."""

from __future__ import annotations

from pathlib import Path

from sdfviewer.document.document import Document, UnreadableFileError
from sdfviewer.files.opening import open_document
from sdfviewer.files.paths import real_path
from sdfviewer.files.search import semantic_files_near
from sdfviewer.formats.srdf import Semantics, is_semantic, read_semantics
from sdfviewer.session.session import Session


def semantics_of(session: Session) -> list[Semantics]:
    """Return what the SRDF files near the file of a session say of its robot, those that are open as they are there.

    Of a session with an SRDF that is its own.
    """
    model = session.model
    if is_semantic(session.document):
        return [read_semantics(session.document)]
    if session.path is None or model is None or len(model) == 0:
        return []
    found = []
    for path in semantic_files_near(session.path):
        document = _document(session, path)
        if document is not None and is_semantic(document):
            semantics = read_semantics(document)
            if semantics.root.attributes.get("name") == model.local_names[0]:
                found.append(semantics)
    return found


def _document(session: Session, path: Path) -> Document | None:
    opened = session.unsaved.get(real_path(path))
    if opened is not None:
        return opened
    try:
        return open_document(path)
    except UnreadableFileError:
        return None
