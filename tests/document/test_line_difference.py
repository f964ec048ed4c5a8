"""Differences as people read them, equal to what difflib finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.document.line_difference import Hunk, edit_difference, text_difference

TEXT = "".join(f"<a{n}/>\n" for n in range(30))


def replayed(before: str, hunks: list[Hunk]) -> str:
    """Return the second text, made from the first and the difference."""
    lines = before.split("\n")
    made: list[str] = []
    at = 0
    for hunk in hunks:
        for line in hunk:
            if line.before is not None:
                made += lines[at : line.before - 1]
                at = line.before
                assert lines[at - 1] == line.text
            if line.sign != "-":
                made.append(line.text)
                if line.before is None and line.after is not None:
                    assert line.after == len(made)
    return "\n".join(made + lines[at:])


def test_a_change_within_a_line_is_marked() -> None:
    (hunk,) = text_difference("a\nposition 1 2 3\nb", "a\nposition 1 5 3\nb")
    removed, added = (line for line in hunk if line.sign != " ")
    assert removed.changed is not None
    assert removed.text[slice(*removed.changed)] == "2"
    assert added.changed is not None
    assert added.text[slice(*added.changed)] == "5"
    assert (removed.before, added.after) == (2, 2)


def test_changes_far_apart_are_parted_and_near_ones_are_not() -> None:
    document = parse_document(f"<r>\n{TEXT}</r>\n")

    def at(*numbers: int) -> list[Hunk]:
        edits = []
        for number in numbers:
            start = document.text.index(f"<a{number}/>")
            edits.append(Replacement(start, start, "<b/>"))
        return edit_difference(document, edits)

    assert [len(hunk) for hunk in at(10)] == [8]
    assert len(at(2, 20)) == 2
    assert len(at(10, 12)) == 1
    assert edit_difference(document, ()) == []


def test_line_ends_are_not_shown() -> None:
    (hunk,) = text_difference("a\r\nb\r\n", "a\r\nc\r\n")
    assert [line.text for line in hunk] == ["a", "b", "c", ""]


@given(
    st.lists(st.tuples(st.integers(4, 150), st.integers(0, 12), st.sampled_from(["", "x", "\n", "y\nz\n"])), max_size=5)
)
def test_the_difference_of_an_edit_leads_to_the_new_text(changes: list[tuple[int, int, str]]) -> None:
    document = parse_document(f"<r>\n{TEXT}</r>\n")
    edits, at = [], 0
    for start, length, text in sorted(changes):
        if start >= at:
            edits.append(Replacement(start, start + length, text))
            at = start + length
    after = document.edited(edits).text
    assert replayed(document.text, edit_difference(document, edits)) == after
    assert replayed(document.text, text_difference(document.text, after)) == after
