"""What is typed along."""

from __future__ import annotations

import pytest

from sdfviewer.language.completion import open_elements
from sdfviewer.language.typing import Typed, break_line, respond


def after(marked: str, typed: Typed) -> str:
    """Return what a text with '|' at the caret becomes."""
    before, behind = marked.split("|")
    return before + typed.before + "|" + typed.behind + behind[typed.skipped :]


def press(marked: str, key: str) -> str:
    """Return what typing a character at '|' makes."""
    text, at = marked.replace("|", ""), marked.index("|")

    def innermost(offset: int) -> str | None:
        opened = open_elements(text[:offset])
        return opened[-1].tag if opened else None

    return after(marked, respond(text, at, key, innermost))


@pytest.mark.parametrize(
    ("before", "key", "behind"),
    [
        ("<r><a|</r>", ">", "<r><a>|</a></r>"),
        ('<r><a b="c"|</r>', ">", '<r><a b="c">|</a></r>'),
        ("<r><a|</a></r>", ">", "<r><a>|</a></r>"),
        ("<r><a/|</r>", ">", "<r><a/>|</r>"),
        ("<r><a|></a></r>", ">", "<r><a>|</a></r>"),
        ('<r><a b="|"/></r>', ">", '<r><a b=">|"/></r>'),
        ("<r>1 |</r>", ">", "<r>1 >|</r>"),
        ("<!-- <a| --><r/>", ">", "<!-- <a>| --><r/>"),
        ("<r><a><|</r>", "/", "<r><a></a>|</r>"),
        ("<r><a></a><|", "/", "<r><a></a></r>|"),
        ("<r><a><|</a></r>", "/", "<r><a></|a></r>"),
        ("<r>m|s</r>", "/", "<r>m/|s</r>"),
        ("<a b|>", "=", '<a b="|">'),
        ("<a b|c>", "=", "<a b=|c>"),
        ("<r><a b='c'/><a b|></r>", "=", "<r><a b='c'/><a b='|'></r>"),
        ("<a>b|", "=", "<a>b=|"),
        ("<a b=|>", "'", "<a b='|'>"),
        ('<a b="|">', '"', '<a b=""|>'),
        ('<a b="c|" d="">', '"', '<a b="c"| d="">'),
        ("<a>it|s", "'", "<a>it'|s"),
        ("<r><!-|</r>", "-", "<r><!--|--></r>"),
        ("<r><!-- a |--></r>", "-", "<r><!-- a -|-></r>"),
        ("<r>-|</r>", "-", "<r>--|</r>"),
    ],
)
def test_a_key_types_its_partner_too(before: str, key: str, behind: str) -> None:
    assert press(before, key) == behind


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("  <a>|</a>", "  <a>\n    |\n  </a>"),
        ("  <a>|", "  <a>\n    |"),
        ("  <a/>|", "  <a/>\n  |"),
        ("  </a>|", "  </a>\n  |"),
        ("  <a><b/>|</a>", "  <a><b/>\n  |</a>"),
        ("\t<!-- x -->|", "\t<!-- x -->\n\t|"),
        ("  text|", "  text\n  |"),
        ("  <a b=''>  |", "  <a b=''>  \n    |"),
        ("|", "\n|"),
    ],
)
def test_a_new_line_goes_in_where_its_place_is(before: str, behind: str) -> None:
    text = before.replace("|", "")
    assert after(before, break_line(text, before.index("|"), "  ")) == behind
