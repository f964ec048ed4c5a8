"""Several edits, each of the text that the one before has left, are one edit of the first text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.refactoring.draft import Draft

TEXT = "<sdf>\n  <a>one</a>\n  <b>two</b>\n</sdf>\n"


@st.composite
def replacements(draw: st.DrawFn, length: int) -> tuple[Replacement, ...]:
    """Return replacements of a text that do not overlap."""
    offsets = sorted(draw(st.lists(st.integers(0, length), min_size=2, max_size=6)))
    words = st.sampled_from(["", "x", "long\n"])
    pairs = zip(offsets[::2], offsets[1::2], strict=False)
    return tuple(Replacement(start, end, draw(words)) for start, end in pairs)


@given(st.data())
def test_edits_are_composed(data: st.DataObject) -> None:
    first = parse_document(TEXT)
    draft = Draft(first)
    for _ in range(4):
        draft.edit(data.draw(replacements(len(draft.document.text))))
    assert first.edited(draft.replacements()).text == draft.document.text


def test_what_is_not_touched_is_not_written_again() -> None:
    draft = Draft(parse_document(TEXT))
    draft.edit((Replacement(11, 14, "1"),))
    draft.edit((Replacement(draft.document.text.index("two"), draft.document.text.index("two") + 3, "2"),))
    assert [(TEXT[each.start : each.end], each.text) for each in draft.replacements()] == [("one", "1"), ("two", "2")]


def test_places_are_those_of_the_first_text() -> None:
    draft = Draft(parse_document(TEXT))
    draft.edit((Replacement(8, 8, "<new/>\n\n\n"),))
    root = draft.document.root
    assert root is not None
    new, _, b = root.children
    assert draft.note(b, "here") == "-:3: here"
    assert draft.note(new, "there") == "-:2: there"
