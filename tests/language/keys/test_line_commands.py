"""Whole lines: commented, moved, copied, indented."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.language.line_commands import Passage, duplicate, indent, move, outdent, remove, toggle_comment


def read(marked: str) -> Passage:
    """Return the passage of a text with '[' at the anchor and '|' at the caret, which is both where no '[' is."""
    bare = marked.replace("|", "")
    anchor = bare.find("[")
    caret = marked.replace("[", "").index("|")
    return Passage(bare.replace("[", ""), caret if anchor < 0 else marked.replace("|", "").index("["), caret)


def write(passage: Passage) -> str:
    """Return a passage as `read` takes it."""
    marks = sorted({(passage.caret, "|"), *([(passage.anchor, "[")] if passage.anchor != passage.caret else [])})
    text = passage.text
    for at, mark in reversed(marks):
        text = text[:at] + mark + text[at:]
    return text


@pytest.mark.parametrize(
    ("change", "before", "after"),
    [
        (duplicate, "a\nb|c\nd", "a\nbc\nb|c\nd"),
        (duplicate, "[a\nb|c\nd", "a\nbc\n[a\nb|c\nd"),
        (lambda each: move(each, 1), "a|\nb\nc", "b\na|\nc"),
        (lambda each: move(each, -1), "a\n[b\nc|\nd", "[b\nc|\na\nd"),
        (lambda each: move(each, -1), "a|\nb", "a|\nb"),
        (lambda each: move(each, 1), "a\nb|", "a\nb|"),
        (lambda each: move(each, 1), "[a\n|b\nc", "b\n[a\n|c"),
        (remove, "a\nb|c\nd", "a\nd|"),
        (remove, "a\nbc|", "a|"),
        (remove, "one|", "|"),
        (lambda each: indent(each, "  "), "[a\n\n b|\nc", "[  a\n\n   b|\nc"),
        (lambda each: indent(each, "\t"), "x\n|a", "x\n|\ta"),
        (lambda each: outdent(each, "  "), "[    a\n b\n\tc|", "[  a\nb\nc|"),
        (toggle_comment, "  <a>|</a>\n", "  <!-- <a>|</a> -->\n"),
        (toggle_comment, "  <!-- <a>|</a> -->\n", "  <a>|</a>\n"),
        (toggle_comment, "  <!--<a/>|-->", "  <a/>|"),
        (toggle_comment, "  <!--|-->", "  |"),
        (toggle_comment, "[  <a/>\n  <b/>|\nc", "[  <!-- <a/>\n  <b/>| -->\nc"),
        (toggle_comment, "  <!-- <a/>\n  <b|/> -->\nc", "  <a/>\n  <b|/>\nc"),
        (toggle_comment, "[<a/>\n<!-- b -->|", "[<!-- <a/>\n<!~~ b ~~>| -->"),
        (toggle_comment, "[<!-- <a/>\n<!~~ b ~~> -->|", "[<a/>\n<!-- b -->|"),
        (toggle_comment, "   |\n", "   |\n"),
    ],
)
def test_lines(change: Callable[[Passage], Passage], before: str, after: str) -> None:
    assert write(change(read(before))) == after


TEXTS = st.lists(st.sampled_from(["<a/>", "<!-- x -->", "\n", "  ", "\t", "t", "--"]), max_size=14).map("".join)


@given(TEXTS, st.data())
def test_everything_can_be_taken_back_by_its_opposite(text: str, data: st.DataObject) -> None:
    places = st.integers(0, len(text))
    passage = Passage(text, data.draw(places), data.draw(places))
    assert outdent(indent(passage, "   "), "   ").text == text
    caret = Passage(text, passage.caret, passage.caret)
    assert move(move(caret, 1), -1).text == text or caret.lines()[1] == len(text)
    copied = duplicate(passage)
    start, end = copied.lines()
    assert copied.text[start:end] == text[slice(*passage.lines())]
    commented = toggle_comment(passage)
    if "<!--" not in text and commented.text != text:
        assert toggle_comment(commented).text == text
    for changed in (copied, commented, remove(passage), move(passage, 1)):
        assert 0 <= changed.anchor <= len(changed.text)
        assert 0 <= changed.caret <= len(changed.text)
