"""The file behind a session: what undoing must not undo."""

from __future__ import annotations

import gc
import os
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.document.merging import merge
from sdfviewer.files.opening import open_document
from sdfviewer.files.saving import ChangedOnDiskError
from sdfviewer.model.model import Model
from sdfviewer.session.session import Session

TEXT = '<sdf version="1.11">\n  <model name="m">\n    <link name="L"/>\n  </model>\n</sdf>\n'


@pytest.fixture
def session(tmp_path: Path) -> Session:
    path = tmp_path / "m.sdf"
    path.write_text(TEXT, encoding="utf-8")
    return Session.open(path)


def insert(session: Session, text: str, before: str = "</model>") -> None:
    at = session.document.text.index(before)
    session.apply(Edit(text, session.document, (Replacement(at, at, text),)))


def test_undo_across_a_save_is_no_conflict(session: Session) -> None:
    insert(session, "<!-- a -->")
    session.save()
    session.undo()
    assert session.dirty
    session.save()
    assert session.path is not None
    assert session.path.read_text(encoding="utf-8") == TEXT
    session.redo()
    session.path.write_text("<sdf/>", encoding="utf-8")
    with pytest.raises(ChangedOnDiskError):
        session.save()


def test_undo_across_save_as_stays_in_the_new_file(session: Session, tmp_path: Path) -> None:
    insert(session, "<!-- a -->")
    session.save(tmp_path / "new.sdf")
    session.undo()
    assert session.path == tmp_path / "new.sdf"
    session.save()
    assert (tmp_path / "new.sdf").read_text(encoding="utf-8") == TEXT
    assert (tmp_path / "m.sdf").read_text(encoding="utf-8") == TEXT


def test_problems_move_with_the_file(session: Session, tmp_path: Path) -> None:
    insert(session, '<link name="L"/>')
    insert(session, "<broken>")
    session.save(tmp_path / "new.sdf")
    assert {problem.span.path for problem in session.diagnostics if problem.span} == {str(tmp_path / "new.sdf")}
    session.undo()
    assert [problem.rule.name for problem in session.diagnostics] == ["duplicate-name"]
    assert {problem.span.path for problem in session.diagnostics if problem.span} == {str(tmp_path / "new.sdf")}


def test_includes_are_looked_for_beside_the_new_file(session: Session, tmp_path: Path) -> None:
    insert(session, "<include><uri>part.sdf</uri></include>")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "part.sdf").write_text(TEXT.replace('"m"', '"part"'), encoding="utf-8")
    assert [problem.rule.name for problem in session.diagnostics] == ["uri-not-found"]
    session.save(tmp_path / "folder" / "m.sdf")
    assert session.diagnostics == ()


def test_selection_and_joints_follow_a_rename_back_and_forth(session: Session) -> None:
    session.select(["m::L"])
    session.positions = {"m::L": (1.0,)}  # a name is a name
    at = session.document.text.index('"L"')
    session.apply(Edit("Rename", session.document, (Replacement(at + 1, at + 2, "base"),), (("m::L", "m::base"),)))
    assert session.selection == ("m::base",)
    session.undo()
    assert session.selection == ("m::L",)
    assert session.positions == {"m::L": (1.0,)}
    session.redo()
    assert session.selection == ("m::base",)


def test_a_file_that_has_gone_is_made_again_by_saving(session: Session) -> None:
    assert session.path is not None
    session.path.unlink()
    session.note_missing(True)
    assert session.dirty
    session.save()
    assert not session.dirty
    assert session.path.read_text(encoding="utf-8") == TEXT


def test_a_file_that_is_back_as_it_was_is_saved_work_again(session: Session) -> None:
    session.note_missing(True)
    assert session.dirty
    session.note_missing(False)
    assert not session.dirty


def test_reading_the_same_again_is_no_step(session: Session) -> None:
    session.reload()
    assert not session.can_undo


def test_the_words_of_a_burst_are_steps_and_the_file_is_read_once(session: Session) -> None:
    changes: list[object] = []
    session.subscribe(changes.append)
    texts = [
        TEXT.replace("</model>", f"{typed}</model>") for typed in ("<frame", '<frame name="F"', '<frame name="F"/>')
    ]
    at = TEXT.index("</model>")
    edit = Edit("third", session.document, (Replacement(at, at, '<frame name="F"/>'),))
    session.apply(edit, passed=[("first", texts[0]), ("second", texts[1])])
    assert len(changes) == 1
    for expected in (texts[1], texts[0], TEXT):
        session.undo()
        assert session.document.text == expected
    assert not session.dirty


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_another_path_to_the_file_is_a_conflict_too(session: Session, tmp_path: Path) -> None:
    insert(session, "<!-- mine -->")
    assert session.path is not None
    link = tmp_path / "link.sdf"
    link.symlink_to(session.path)
    session.path.write_text("<sdf/>", encoding="utf-8")
    with pytest.raises(ChangedOnDiskError):
        session.save(link)
    assert session.path.read_text(encoding="utf-8") == "<sdf/>"


def test_reload_reads_only_what_has_changed(session: Session) -> None:
    assert session.path is not None
    text = TEXT.replace("</sdf>", '  <model name="other"/>\n</sdf>')
    session.path.write_text(text, encoding="utf-8")
    kept = session.document.element((0,))
    session.reload()
    assert session.document.text == text
    assert session.document.element((0,)) is kept
    assert not session.dirty


def test_a_large_change_is_read_beside_and_prepared_there(session: Session) -> None:
    waiting: list[Callable[[], None]] = []
    prepared: list[Model] = []
    session.read_in_background(lambda job, then: waiting.append(lambda: then(job())))
    session.prepare_in_background(prepared.append)
    assert session.path is not None
    links = "".join(f'    <link name="link_{n}"/>\n' for n in range(5000))
    session.path.write_text(TEXT.replace("  </model>", f"{links}  </model>"), encoding="utf-8")
    before = session.model
    session.reload()
    assert session.is_reading
    assert session.model is before
    assert not session.dirty
    waiting.pop()()
    assert session.model is not None
    assert "m::link_4999" in session.model.rows_by_name
    assert prepared == [session.model]
    session.undo()
    assert session.document.text == TEXT


def test_a_session_that_nobody_needs_is_gone_at_once(session: Session) -> None:
    path = session.path
    assert path is not None
    gc.disable()  # without help
    try:
        other = Session.open(path)
        model = weakref.ref(other.model)
        del other
        assert model() is None
    finally:
        gc.enable()


LATIN = """<?xml version="1.0" encoding="ISO-8859-1"?>
<sdf version="1.9"><!-- caf\xe9 --><model name="m"><link name="l"/></model></sdf>"""


def test_a_comment_that_latin_1_cannot_write_makes_the_file_utf_8_and_undo_goes_back(tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    path.write_bytes(LATIN.encode("latin-1"))
    session = Session.open(path)
    at = LATIN.index("caf\xe9")
    session.apply(Edit("Type", session.document, (Replacement(at, at, "5 € "),)))
    typed = session.document.text
    told: list[str] = []
    session.save(tell=told.append)
    assert path.read_bytes().decode() == session.document.text == typed.replace("ISO-8859-1", "UTF-8")
    assert not session.dirty
    assert told == [f"{path} is saved as UTF-8, and declares it: ISO8859-1 has no '€'."]
    assert Session.open(path).document.text == session.document.text
    session.undo()
    assert session.document.text == typed
    session.undo()
    session.save(tell=told.append)
    assert path.read_bytes() == LATIN.encode("latin-1")
    assert len(told) == 1
    session.redo()
    session.redo()
    session.save()
    assert path.read_bytes().decode() == typed.replace("ISO-8859-1", "UTF-8")


def test_a_far_state_of_the_history_is_written_as_it_declares(tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    path.write_bytes(LATIN.encode("latin-1"))
    session = Session.open(path)
    for word in ["€", *"abcdefghijklmnopqrst"]:
        at = session.document.text.index("caf\xe9")
        session.apply(Edit("Type", session.document, (Replacement(at, at, word),)))
        session.save()
    while session.can_undo:
        session.undo()
    session.save()
    assert path.read_bytes() == LATIN.encode("latin-1")


def test_a_save_that_is_refused_changes_no_encoding(tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    path.write_bytes(LATIN.encode("latin-1"))
    session = Session.open(path)
    at = LATIN.index("caf\xe9")
    session.apply(Edit("Type", session.document, (Replacement(at, at, "€"),)))
    typed = session.document.text
    path.write_bytes(b"<sdf/>")
    told: list[str] = []
    with pytest.raises(ChangedOnDiskError):
        session.save(tell=told.append)
    assert (session.document.text, told) == (typed, [])


def test_a_large_edit_is_undone_and_redone_beside_the_thread_too(session: Session) -> None:
    waiting: list[Callable[[], None]] = []
    session.read_in_background(lambda job, then: waiting.append(lambda: then(job())))
    at = TEXT.index("</model>")
    edit = Edit("Add", session.document, (Replacement(at, at, '<link name="new"/>'),))
    session.select(["m::L"])
    session.apply(edit, edited=session.document.edited(edit.replacements))
    waiting.pop()()
    edited = session.document.text
    for go, text, is_there in ((session.undo, TEXT, False), (session.redo, edited, True)):
        before = session.model
        go()
        assert session.document.text == text
        assert session.is_reading
        assert session.model is before
        assert session.selection == ("m::L",)
        waiting.pop()()
        assert session.model is not None
        assert ("m::new" in session.model.rows_by_name) == is_there
    insert(session, "<!-- small -->")
    session.undo()
    assert not session.is_reading
    session.go_to(0)
    waiting.pop()()
    assert session.document.text == TEXT


def merged_with(session: Session, theirs: bytes) -> None:
    """Let another program write the file, and merge that."""
    assert session.path is not None
    session.path.write_bytes(theirs)
    base, other = parse_document(session.history.saved_text, session.path), open_document(session.path)
    found = merge(base, session.document, other)
    session.take_merged(Edit("Merge", session.document, found.replacements()), other)


def test_a_merge_is_one_step_and_what_is_on_disk_counts_as_read(session: Session) -> None:
    insert(session, '  <link name="mine"/>\n')
    mine = session.document.text
    merged_with(session, TEXT.replace('name="L"', 'name="L" x="1"').encode())
    merged = mine.replace('name="L"', 'name="L" x="1"')
    assert session.document.text == merged
    assert session.dirty
    session.undo()
    assert session.document.text == mine
    session.redo()
    session.save()
    assert session.path is not None
    assert session.path.read_text(encoding="utf-8") == merged
    assert not session.dirty


def test_a_merge_that_adds_nothing_to_mine_is_no_step_and_one_that_gives_theirs_is_saved(session: Session) -> None:
    insert(session, "<!-- a -->")
    steps, text = session.history.index, session.document.text
    merged_with(session, text.encode())
    assert (session.history.index, session.document.text, session.dirty) == (steps, text, False)
    session.save()


def test_a_merge_takes_the_encoding_that_the_other_program_has_chosen(session: Session) -> None:
    insert(session, "<!-- a -->")
    theirs = f'<?xml version="1.0" encoding="latin-1"?>\n{TEXT}'.replace("L", "\u00c4").encode("latin-1")
    merged_with(session, theirs)
    session.save()
    assert session.path is not None
    assert session.path.read_bytes() == theirs.replace(b"</model>", b"<!-- a --></model>")
