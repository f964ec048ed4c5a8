"""Offsets between file and editor."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.language.text_map import TextMap, difference, long_lines, plain, rebase

PIECES = st.sampled_from(["a", "b", "<", "\r\n", "\n", "é", "🤖"])
TEXTS = st.lists(PIECES, max_size=60).map("".join)


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@given(TEXTS)
def test_positions_and_offsets_are_each_others_inverse(text: str) -> None:
    places = TextMap(text)
    assert places.shown == text.replace("\r\n", "\n")
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] == "\r\n" and offset:
            continue  # between the two characters of a line end no caret can be
        position = places.to_position(offset)
        assert position == utf16(plain(text[:offset]))
        assert places.to_offset(position) == offset


MARKUP = st.lists(st.sampled_from(["<a>", "</a>", "x y ", "🤖", "z" * 1500, "\r\n", "\n"]), max_size=40).map("".join)


@given(MARKUP)
def test_long_lines_are_shown_in_pieces_and_every_character_has_its_place(text: str) -> None:
    longest = 30
    places, whole = TextMap(text, longest), TextMap(text)
    assert places.whole == whole.shown
    assert max(map(len, places.shown.split("\n"))) <= 2000
    assert places.is_cut == (places.shown != places.whole) or not any(
        "><" in line or len(line) > 2000 for line in whole.shown.split("\n")
    )
    assert places.line_ends == whole.line_ends
    for offset in range(0, len(text), 7):
        if text[offset - 1 : offset + 1] == "\r\n" and offset:
            continue
        position = places.to_position(offset)
        assert places.shown[places.shown_of_position(position)] == whole.shown[whole.shown_of_offset(offset)]
        assert places.to_offset(position) == offset
        line = places.shown.count("\n", 0, places.shown_of_position(position)) - places.pieces_before(position)
        assert line == text.count("\n", 0, offset)
    pieces = places.shown.split("\n")
    at = [sum(utf16(piece) + 1 for piece in pieces[:number]) for number in range(len(pieces))]
    assert sum(places.begins_inside(each) for each in at) == len(places.shown) - len(places.whole)


@given(MARKUP)
def test_lines_are_long_beyond_a_number_of_characters(text: str) -> None:
    text = plain(text)
    found = [text[start:end] for start, end in long_lines(text, 30)]
    assert found == [line for line in text.split("\n") if len(line) > 30]


@given(TEXTS, TEXTS)
def test_the_difference_makes_one_text_of_the_other(old: str, new: str) -> None:
    change = difference(old, new)
    if change is None:
        assert old == new
    else:
        assert old[: change.start] + change.text + old[change.end :] == new


@given(TEXTS, TEXTS, TEXTS)
def test_an_edit_touches_no_line_end_outside_of_it(head: str, tail: str, typed: str) -> None:
    text = head + tail
    typed = plain(typed)
    change = TextMap(text).replacement(plain(head) + typed + plain(tail))
    edited = text if change is None else text[: change.start] + change.text + text[change.end :]
    assert plain(edited) == plain(head) + typed + plain(tail)
    if "\r\n" in text and "\n" not in text.replace("\r\n", ""):
        assert "\n" not in edited.replace("\r\n", ""), "a CRLF file stays one"


@given(st.text("ab", max_size=8), st.text("ab", max_size=8), st.text("ab", max_size=8), st.text("cd", max_size=4))
def test_rebasing_makes_both_changes(head: str, middle: str, tail: str, typed: str) -> None:
    text = f"{head}<{middle}>{tail}"
    first = difference(text, f"{head}{typed}<{middle}>{tail}")
    second = difference(text, f"{head}<{middle}>{typed}{typed}{tail}")
    for change, onto in ((first, second), (second, first)):
        if change is None or onto is None:
            continue
        made = text[: onto.start] + onto.text + text[onto.end :]
        kept = rebase(change, onto)
        assert kept is not None
        assert made[: kept.start] + kept.text + made[kept.end :] == f"{head}{typed}<{middle}>{typed}{typed}{tail}"
