"""Positions as editors count them, in each unit, compared with counting one character after the other."""

from __future__ import annotations

import random
from typing import SupportsIndex

import pytest

from sdfviewer.language.text_map import Positions, Unit

_ENCODINGS = {Unit.UTF8: ("utf-8", 1), Unit.UTF16: ("utf-16-le", 2), Unit.UTF32: ("utf-32-le", 4)}


def units(text: str, unit: Unit) -> int:
    encoding, width = _ENCODINGS[unit]
    return len(text.encode(encoding, "surrogatepass")) // width


@pytest.mark.parametrize("unit", Unit)
def test_positions_and_offsets_are_those_of_counting(unit: Unit) -> None:
    rng = random.Random(1)
    for _ in range(200):
        text = "".join(rng.choice("ab<é😀漢\n\r\udc80") for _ in range(rng.randrange(40)))
        positions = Positions(text, unit)
        many = list(range(len(text) + 1))
        assert positions.positions(many) == [positions.position(each) for each in many]
        for offset in many:
            line, character = positions.position(offset)
            start = positions.offset(line, 0)
            assert character == units(text[start:offset], unit)
            if not text[start:offset].endswith(("\n", "\r")):
                assert positions.offset(line, character) == offset


@pytest.mark.parametrize("unit", Unit)
def test_a_position_inside_of_a_character_is_behind_it(unit: Unit) -> None:
    text = "a😀b\nc"
    positions = Positions(text, unit)
    ends = [1 + number for number in range(1, units("😀", unit) + 1)]
    assert {positions.offset(0, each) for each in ends} == {2}
    assert positions.offset(0, 99) == 3
    assert positions.offset(0, -1) == 0
    assert positions.offset(9, 0) == len(text)


class Counted(str):
    """A text of which only single characters may be looked at."""

    __slots__ = ()

    def __getitem__(self, at: SupportsIndex | slice) -> str:
        assert not isinstance(at, slice), "each position counts the line again"
        return super().__getitem__(at)

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        raise AssertionError("each position counts the line again")


@pytest.mark.parametrize("letter", ["a", "é", "😀"])
def test_a_long_line_is_counted_once(letter: str) -> None:
    text = f"{letter}{' ' * 20}" * 3_000
    positions = Positions(text, Unit.UTF8)
    positions.text = Counted(text)
    for offset in range(0, len(text), 40):
        line, character = positions.position(offset)
        assert positions.offset(line, character) == offset
