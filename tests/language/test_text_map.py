"""Offsets between file and editor."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.language.text_map import TextMap, difference, plain, rebase

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
