"""What all open files have in common."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.session.session import Session
from sdfviewer.session.unsaved_work import OpenDocuments

TEXT = '<sdf version="1.11">\n  <model name="m">\n    <link name="L"/>\n  </model>\n</sdf>\n'


def opened(path: Path) -> Session:
    path.write_text(TEXT, encoding="utf-8")
    return Session.open(path)


def change(session: Session) -> None:
    at = session.document.text.index("</model>")
    session.apply(Edit("Change", session.document, (Replacement(at, at, "<!-- changed -->"),)))


def test_what_is_unsaved_follows_a_file_to_another_path(tmp_path: Path) -> None:
    documents, session = OpenDocuments(), opened(tmp_path / "before.sdf")
    documents.add(session)
    assert not documents.unsaved
    change(session)
    assert list(documents.unsaved) == [(tmp_path / "before.sdf").resolve()]
    session.save(tmp_path / "after.sdf")
    change(session)
    assert list(documents.unsaved) == [(tmp_path / "after.sdf").resolve()]
    assert documents.unsaved[(tmp_path / "after.sdf").resolve()] is session.document
    documents.remove(session)
    assert not documents.unsaved


@pytest.mark.usefixtures("others_set_aside")
def test_paths_of_closed_files_are_forgotten(tmp_path: Path) -> None:
    """A window that is open for weeks opens thousands of files."""
    documents = OpenDocuments()

    def paths() -> int:
        gc.collect()
        return sum(isinstance(each, Path) for each in gc.get_objects())

    counts = []
    for number in range(12):
        session = opened(tmp_path / f"{number}.sdf")
        documents.add(session)
        change(session)
        assert len(list(documents.unsaved)) == 1
        documents.remove(session)
        del session
        counts.append(paths())
    assert counts[-1] <= counts[1]
