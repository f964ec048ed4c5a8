"""Differences as people read them: lines that belong together, words that changed, whatever the size."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.document.line_difference import (
    DiffLine,
    EqualLines,
    TextDifference,
    changed_words,
    edit_difference,
    shortened,
    text_difference,
)

TEXT = "".join(f"<a{n}/>\n" for n in range(30))
LINKS = """<link name="a">
  <pose>0 0 1 0 0 0</pose>
</link>
<link name="b">
  <pose>0 0 2 0 0 0</pose>
</link>"""


def check(before: str, after: str, found: TextDifference) -> None:
    """Assert that a difference tells both texts, in order, in either layout."""
    unified, pairs = found.unified(), found.side_by_side()
    a, b = (text.split("\n") for text in (before, after))
    for lines, text, own in (
        ([line for line in unified if line.sign != "+"], a, "before"),
        ([line for line, _ in pairs if line is not None], a, "before"),
        ([line for line in unified if line.sign != "-"], b, "after"),
        ([line for _, line in pairs if line is not None], b, "after"),
    ):
        assert [line.text.removesuffix("\r") for line in lines] == [each.removesuffix("\r") for each in text]
        assert [getattr(line, own) for line in lines] == list(range(1, len(text) + 1))


def changes(before: str, after: str) -> list[Any]:
    """Return what stands beside what in the changes."""
    pairs = text_difference(before, after).side_by_side()
    return [
        (removed and removed.text, added and added.text)
        for removed, added in pairs
        if removed is None or added is None or removed.sign != " "
    ]


def marked(line: DiffLine | EqualLines | None) -> list[str]:
    assert isinstance(line, DiffLine)
    return [line.text[start:end] for start, end in line.changed]


def test_words_that_changed_are_marked() -> None:
    ((removed, added),) = text_difference(
        '<pose relative_to="upper_arm">0 0.25 1.5e-3 0 0 0</pose>',
        '<pose relative_to="upper">0 0.5 1.5e-3 0 0 0</pose>',
    ).side_by_side()
    assert marked(removed) == ["upper_arm", "0.25"]
    assert marked(added) == ["upper", "0.5"]
    ((removed, added),) = text_difference("<xyz>1 2 3</xyz>", "<xyz>4 5 3</xyz>").side_by_side()
    assert marked(removed) == ["1 2"]  # the blank between two changed words is no island
    assert marked(added) == ["4 5"]


def test_an_end_tag_stays_with_what_it_ends() -> None:
    new = '<link name="new">\n  <pose>0 0 3 0 0 0</pose>\n</link>\n'
    after = LINKS.replace('<link name="b">', f'{new}<link name="b">')
    assert [added for _, added in changes(LINKS, after)] == new.rstrip("\n").split("\n")


def test_a_line_is_beside_what_it_became() -> None:
    before = "<a>\n<pose>1 2 3 0 0 0</pose>\n</a>"
    after = "<a>\n<!-- lifted -->\n<static>1</static>\n<pose>1 2 4 0 0 0</pose>\n</a>"
    assert changes(before, after) == [
        (None, "<!-- lifted -->"),
        (None, "<static>1</static>"),
        ("<pose>1 2 3 0 0 0</pose>", "<pose>1 2 4 0 0 0</pose>"),
    ]


def test_lines_that_have_nothing_in_common_are_not_paired() -> None:
    ((removed, added),) = text_difference("<mass>1</mass>", "wholly other words").side_by_side()
    assert marked(removed) == []
    assert marked(added) == []


def test_ten_copies_of_a_model_are_distinguished_by_their_order() -> None:
    before = "\n".join([LINKS] * 10)
    lines = before.split("\n")
    lines[31] = "  <pose>7 7 7 0 0 0</pose>"
    assert changes(before, "\n".join(lines)) == [("  <pose>0 0 1 0 0 0</pose>", lines[31])]


def test_line_ends_show_only_where_they_are_the_difference() -> None:
    assert changes("a\r\nb 1\r\n", "a\r\nb 2\r\n") == [("b 1", "b 2")]
    assert changes("a\r\nb", "a\nb") == [("a\r", "a")]


def test_an_edit_is_compared_only_where_it_is() -> None:
    document = parse_document(f"<r>\n{TEXT}</r>\n")

    def at(*numbers: int) -> TextDifference:
        starts = [document.text.index(f"<a{number}/>") for number in numbers]
        return edit_difference(document, [Replacement(start, start, "<b/>") for start in starts])

    assert at(10).blocks == ((11, 12, 11, 12),)
    assert len(at(2, 20).blocks) == 2
    assert at(10, 11).blocks == ((11, 13, 11, 13),)
    assert edit_difference(document, ()).blocks == ()


def test_the_difference_of_an_edit_reads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    document = parse_document(f"<r>\n{TEXT}</r>\n")
    at = document.text.index("<a10/>")
    monkeypatch.setattr(type(document), "edited", None)
    assert edit_difference(document, [Replacement(at, at, "<b/>")]).blocks == ((11, 12, 11, 12),)


@pytest.mark.parametrize("after", ["", LINKS, "\n".join(reversed(TEXT.split("\n"))), TEXT.replace("\n", "\r\n")])
def test_texts_that_share_little_are_reported_whole(after: str) -> None:
    check(TEXT, after, text_difference(TEXT, after))


@given(*[st.lists(st.sampled_from(["<a/>", "<b/>", "<b x='1'/>", "", "c"]), max_size=12).map("\n".join)] * 2)
def test_any_two_texts_are_reported_whole(before: str, after: str) -> None:
    found = text_difference(before, after)
    check(before, after, found)
    assert (before == after) == (found.blocks == ())
    for one, other in pairwise(found.blocks):
        assert one[1] < other[0]
        assert one[3] < other[2]


@given(
    st.lists(st.tuples(st.integers(4, 150), st.integers(0, 12), st.sampled_from(["", "x", "\n", "y\nz\n"])), max_size=5)
)
def test_the_difference_of_an_edit_leads_to_the_new_text(edits: list[tuple[int, int, str]]) -> None:
    document = parse_document(f"<r>\n{TEXT}</r>\n")
    replacements, at = [], 0
    for start, length, text in sorted(edits):
        if start >= at:
            replacements.append(Replacement(start, start + length, text))
            at = start + length
    after = document.edited(replacements).text
    check(document.text, after, edit_difference(document, replacements))


def test_a_pose_is_beside_that_pose_and_not_beside_another_element() -> None:
    before = '<link name="a">\n<pose>1 2 3 0 0 0</pose>\n<mass>1</mass>'
    assert changes(before, '<link name="a">\n<pose>9 8 7 6 5 4</pose>\n<mass>1</mass>') == [
        ("<pose>1 2 3 0 0 0</pose>", "<pose>9 8 7 6 5 4</pose>")
    ]
    ((removed, added),) = [
        pair
        for pair in text_difference("<pose>1 2 3</pose>", "<pose>9 8 7</pose>").side_by_side()
        if pair[0] is not None and pair[1] is not None
    ]
    assert (marked(removed), marked(added)) == (["1 2 3"], ["9 8 7"])
    ((removed, added),) = text_difference(
        "<pose>1 2 3</pose>", '<frame name="m"><pose>4 5 6</pose></frame>'
    ).side_by_side()
    assert marked(removed) == []


def test_what_is_equal_is_folded_and_can_be_opened() -> None:
    lines = [f"<l{number}/>" for number in range(40)]
    found = text_difference("\n".join(lines), "\n".join([*lines[:20], "<new/>", *lines[20:]]))
    rows = found.side_by_side(3)
    folds = [row for row, _ in rows if isinstance(row, EqualLines)]
    assert folds == [EqualLines(tuple(lines[:17]), 1, 1), EqualLines(tuple(lines[23:]), 24, 25)]
    assert len(rows) == 2 + 3 + 1 + 3
    opened = found.side_by_side(3, {24})
    assert len(opened) == 1 + 3 + 1 + 20
    assert opened[4:] == found.side_by_side()[20:]
    assert found.unified(3) == [row if row is not None else other for row, other in rows]
    same = text_difference("a\nb\nc", "a\nb\nc")
    assert same.side_by_side(3) == [(EqualLines(("a", "b", "c"), 1, 1),) * 2]
    assert len(text_difference("a\nb\nc\nd", "a\nb\nc\nx").unified(3)) == 5  # too few to fold


def long_line(size: str) -> str:
    """Return a world of 1.6 MB in one line."""
    models = (f'<model name="m{n}"><link name="l"/><pose>{n} 0 0 0 0 0</pose></model>' for n in range(27_000))
    return "".join(models).replace("<pose>20000 0", f"<pose>20000 {size}")


def test_one_change_in_a_line_without_an_end_is_found_and_cut_out() -> None:
    before, after = long_line("0"), long_line("0.25")
    (removed, added) = text_difference(before, after).unified()
    assert isinstance(removed, DiffLine)
    assert isinstance(added, DiffLine)
    assert [removed.text[start:end] for start, end in removed.changed] == ["0"]
    assert [added.text[start:end] for start, end in added.changed] == ["0.25"]
    for row, word in ((removed, "0"), (added, "0.25")):
        shown = shortened(row)
        assert len(shown.text) < 200
        assert shown.text[0] == shown.text[-1] == "…"
        assert f"<pose>20000 {word} 0" in shown.text
        assert [shown.text[start:end] for start, end in shown.changed] == [word]


def test_long_lines_that_differ_everywhere_are_one_change() -> None:
    before = long_line("0")
    after = before.replace("0", "7")
    row = text_difference(before, after).unified()[0]
    assert isinstance(row, DiffLine)
    ((start, end),) = row.changed
    assert before[start:].startswith("m0")
    assert end > len(before) - 100
    assert len(shortened(row).text) <= 1002


def test_a_long_line_alone_is_shown_from_its_beginning_and_a_short_one_whole() -> None:
    (row,) = text_difference("a", "a\n" + long_line("0")).unified()[1:]
    assert isinstance(row, DiffLine)
    assert shortened(row).text.startswith('<model name="m0">')
    assert shortened(row).text.endswith("…")
    (short,) = text_difference("a", "a\nb").unified()[1:]
    assert isinstance(short, DiffLine)
    assert shortened(short) is short


@pytest.mark.parametrize("same", ["", "a", "ab" * 700, " "])
def test_words_at_the_ends_of_what_long_lines_have_in_common_stay_whole(same: str) -> None:
    blank = " x" * 5000
    before, after = f"{blank} pre{same}1post {blank}", f"{blank} pre{same}2post {blank}"
    ((start, end),) = changed_words(before, after)
    assert "1" in before[start:end]
    if len(same) < 100 and same != " ":
        assert before[start:end] == f"pre{same}1post"
