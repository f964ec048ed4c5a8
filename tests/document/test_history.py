"""The states of a text."""

from __future__ import annotations

from pathlib import Path
from sys import getsizeof

import pytest

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document, Fingerprint, parse_document
from sdfviewer.document.element import Element
from sdfviewer.document.history import History
from sdfviewer.document.indexes import ElementIndex

A, B, C = (parse_document(f'<sdf version="1.11"><model name="{name}"/></sdf>', Path("m.sdf")) for name in "abc")


def read(text: str, document: Document) -> Document:
    return parse_document(text, document.path, on_disk=document.fingerprint)


def test_history_walks_over_the_same_snapshots() -> None:
    history = History(A)
    history.push("Rename", B)
    assert history.dirty
    assert history.undo_label == "Rename"
    history.go_to(0, read)
    assert history.document is A
    assert not history.dirty
    assert history.redo_label == "Rename"
    history.go_to(1, read)
    assert history.document is B
    with pytest.raises(IndexError):
        history.go_to(2, read)
    with pytest.raises(IndexError):
        history.go_to(-1, read)
    history.go_to(0, read)
    history.push("Rename again", C)
    assert history.redo_label is None
    assert [step.label for step in history.steps] == ["Open", "Rename again"]


def test_locations_are_known_from_before_a_fault_until_it_is_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = parse_document('<sdf version="1.11"><model name="a"/><model name="b"/></sdf>')
    last = whole.element((1,))
    assert whole.address(last) == (1,)
    indexed: list[Element | None] = []
    find_all = ElementIndex.of
    monkeypatch.setattr(ElementIndex, "of", lambda root: indexed.append(root) or find_all(root))
    history = History(whole)
    for typed in "<o":
        at = history.document.text.index("/>")
        history.push("Type", history.document.edited([Replacement(at, at, typed)]))
        assert history.document.root is None
        assert whole.address(last) == (1,), "views show what the text meant before"
    at = history.document.text.index("<o")
    history.push("Type", history.document.edited([Replacement(at, at + 2, "")]))
    assert history.document.address(last) == (1,)
    history.go_to(1, read)
    history.go_to(0, read)
    assert history.document.address(last) == (1,)
    assert not indexed
    history.push("Type", whole.edited([Replacement(at, at, " ")]))
    assert whole.address(last) == (1,)
    assert indexed, "an index that nobody needs takes no memory"


def test_where_the_file_lies_is_not_undone() -> None:
    history = History(A)
    history.push("Rename", B)
    on_disk = Fingerprint(1, 2, "x")
    history.mark_saved(B.moved_to(Path("elsewhere.sdf"), on_disk))
    assert not history.dirty
    history.go_to(0, read)
    assert history.dirty
    assert (history.document.path, history.document.fingerprint) == (Path("elsewhere.sdf"), on_disk)
    assert history.document.text == A.text
    history.go_to(1, read)
    assert not history.dirty


def test_states_that_were_passed_through_are_read_when_somebody_goes_there() -> None:
    history = History(A)
    history.push("Third word", C, passed=[("First word", "<sdf"), ("Second word", B.text)])
    assert [step.label for step in history.steps] == ["Open", "First word", "Second word", "Third word"]
    history.go_to(1, read)
    assert history.document.text == "<sdf"
    assert history.document.root is None
    history.go_to(2, read)
    assert history.document.root is not None


def test_what_is_merged_replaces_the_present_state_but_never_the_first() -> None:
    history = History(A)
    history.push("b", B, merge=True)
    assert [step.label for step in history.steps] == ["Open", "b"]
    history.push("bc", C, merge=True)
    assert [step.label for step in history.steps] == ["Open", "bc"]
    history.push("d", B, passed=[("cd", "<x/>")], merge=True)
    assert [(step.label, step.text) for step in history.steps[1:]] == [("cd", "<x/>"), ("d", B.text)]


def test_names_follow_over_several_steps_in_both_directions() -> None:
    history = History(A)
    history.push("a to b", B, renamed=(("a", "b"), ("a::L", "b::L")))
    history.push("swap", C, renamed=(("b", "x"), ("x", "b")))
    assert dict(history.go_to(0, read)) == {"b": "x", "x": "a", "b::L": "a::L"}
    assert dict(history.go_to(1, read)) == {"a": "b", "a::L": "b::L"}
    assert dict(history.go_to(0, read)) == {"b": "a", "b::L": "a::L"}
    assert dict(history.go_to(2, read)) == {"a": "x", "x": "b", "a::L": "b::L"}


def test_the_oldest_states_are_given_up_before_memory_is() -> None:
    history = History(A, most_bytes=3 * getsizeof(A.text))
    for document in (B, C, A, B):
        history.push(document.text, document)
    assert [step.text for step in history.steps] == [C.text, A.text, B.text]
    assert history.index == 2
    history.go_to(0, read)
    assert history.document.text == C.text


def test_snapshots_far_from_the_present_state_are_read_again() -> None:
    history = History(A)
    documents = [parse_document(f"<sdf>{number}</sdf>") for number in range(30)]
    for document in documents:
        history.push(document.text, document)
    kept = [step.text for step in history.steps if step.document is not None]
    assert kept == [document.text for document in documents[-9:]]
    history.go_to(3, read)
    assert history.document.text == documents[2].text
    kept = [step.text for step in history.steps if step.document is not None]
    assert kept == [documents[2].text], "the others have not been near since they were read"


def test_a_file_that_has_gone_makes_everything_unsaved_until_it_is_back() -> None:
    history = History(A)
    history.is_missing = True
    assert history.dirty
    assert not history.is_saved(0)
    history.is_missing = False
    assert not history.dirty
    history.is_missing = True
    history.mark_saved(A)
    assert not history.dirty


@pytest.mark.parametrize("is_known", [False, True], ids=["what is replaced is found", "it is known"])
def test_a_thousand_keys_take_the_memory_of_some_texts(is_known: bool) -> None:
    """Of each state only what differs is kept, and each can still be gone to."""
    text = f"<sdf>{'x' * 20_000}</sdf>"
    history, texts = History(parse_document(text)), [text]
    for number in range(1000):
        text = text[: 10 + number] + chr(97 + number % 26) + text[10 + number :]
        texts.append(text)
        at = 10 + number
        history.push(f"key {number}", parse_document(text), replaced=(at, at) if is_known else None)
    assert sum(step.size for step in history.steps) < 50 * getsizeof(text)
    assert [step.text for step in history.steps] == texts
    for index in (3, 998, 500, 499, 0, 1000):
        history.go_to(index, read)
        assert history.document.text == texts[index]
    history.go_to(500, read)
    history.push("another way", B)
    history.push("merged", C, merge=True)
    assert [step.text for step in history.steps] == [*texts[:501], C.text]
    assert history.is_saved(0)
    history.go_to(400, read)
    history.mark_saved(history.document)
    assert [index for index in range(502) if history.is_saved(index)] == [400]
    assert [step.text for step in history.steps[:501]] == texts[:501]
