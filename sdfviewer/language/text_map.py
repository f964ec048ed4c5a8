"""Positions in a text: as code editors count them, and between the text of a file and that of an editor.

Lines count from 0, characters in UTF-8, UTF-16 or UTF-32 units; an editor has line ends of one character.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdfviewer.computed import equal_at_end, first_difference
from sdfviewer.diagnostics import Replacement
from sdfviewer.document.indexes import characters_of

Ints: TypeAlias = NDArray[np.int64]


class Unit(str, Enum):
    """The unit in which a position counts the characters of a line; the value is the name in the protocol."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


#: The first characters that take another unit, by what is counted.
_WIDER = {Unit.UTF8: (0x80, 0x800, 0x10000), Unit.UTF16: (0x10000,), Unit.UTF32: ()}


def _wide_characters(text: str, unit: Unit) -> tuple[Ints, Ints]:
    """Return the offsets (k,) of characters of more than one unit, and how many more all before each take (k + 1,)."""
    if text.isascii() or not _WIDER[unit]:
        return np.zeros(0, np.int64), np.zeros(1, np.int64)
    codes, _ = characters_of(text)
    offsets = np.flatnonzero(codes >= _WIDER[unit][0])
    extra = np.sum([codes[offsets] >= first for first in _WIDER[unit]], axis=0)
    return offsets, np.concatenate([np.zeros(1, np.int64), np.cumsum(extra)])


def _line_starts(text: str) -> list[int]:
    """Return the offset of each line. Form feeds and the separators of Unicode end no line for the protocol."""
    characters, _ = characters_of(text)
    ends = characters == ord("\n")
    if "\r" in text:  # which ends a line too, unless a line feed follows
        returns = characters == ord("\r")
        returns[:-1] &= ~ends[1:]
        ends |= returns
    return [0, *(np.flatnonzero(ends) + 1).tolist()]


class Positions:
    """Translates between offsets in a text, counted in code points, and positions.

    Parameters
    ----------
    text
        The text. Lone surrogates, which stand for bytes that could not be decoded, count as one unit.
    unit
        How positions count the characters of a line.
    """

    def __init__(self, text: str, unit: Unit = Unit.UTF16) -> None:
        self.text = text
        self._starts = _line_starts(text)
        self._wide, self._extra = _wide_characters(text, unit)
        #: Where they would begin if the text were one line, counted as positions are.
        self._begins = self._wide + self._extra[:-1]

    @property
    def line_count(self) -> int:
        """The number of lines; a text that ends with a line end has an empty last line."""
        return len(self._starts)

    def _line_end(self, line: int) -> int:
        """Return the offset of the end of a line, before the characters that end it."""
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self.text)
        while end > self._starts[line] and self.text[end - 1] in "\r\n":
            end -= 1
        return end

    def offset(self, line: int, character: int) -> int:
        """Return the offset of a position; beyond a line it is the line's end, beyond the text the text's end."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self.text)
        start, end, character = self._starts[line], self._line_end(line), max(character, 0)
        if not len(self._wide):
            return min(start + character, end)
        first, last = np.searchsorted(self._wide, (start, end)).tolist()
        before = start + int(self._extra[first]) + character
        number = min(int(np.searchsorted(self._begins, before)), last)  # of the wide characters before the position
        if number == first:
            return min(start + character, end)
        behind = int(self._wide[number - 1]) + 1
        return min(max(before - int(self._extra[number]), behind), end)

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and the character of an offset, both counted from 0."""
        offset = min(max(offset, 0), len(self.text))
        line = self.line(offset)
        start = self._starts[line]
        return line, offset - start + (self._extra_between(start, offset) if len(self._wide) else 0)

    def line(self, offset: int) -> int:
        """Return the line of an offset, counted from 0."""
        return bisect_right(self._starts, offset) - 1

    def positions(self, offsets: Sequence[int]) -> list[tuple[int, int]]:
        """Return the positions of many offsets in the text, faster than one by one."""
        starts = np.asarray(self._starts)
        at = np.asarray(offsets, starts.dtype)
        lines = np.searchsorted(starts, at, "right") - 1
        extra = self._extra_between(starts[lines], at) if len(self._wide) else 0
        return list(zip(lines.tolist(), (at - starts[lines] + extra).tolist(), strict=True))

    def _extra_between(self, start: Any, end: Any) -> Any:
        """Return how many units characters take beyond one each, between two offsets or many (n,)."""
        extra = self._extra[np.searchsorted(self._wide, end)] - self._extra[np.searchsorted(self._wide, start)]
        return extra if np.ndim(extra) else int(extra)


#: Number of characters that the search for a difference compares at a time.
_STEP = 65536
#: The surrogates of undecodable bytes, and the characters that Qt uses as frame ends.
_UNHELD = re.compile("[\ud800-\udfff\ufdd0\ufdd1]")
#: Maximum number of characters of a line that an editor lays out at once without a delay.
LONGEST_LINE = 20_000
#: Number of characters in one piece of a longer line.
_PIECE = 1_000


class TextMap:
    """Translates offsets between a file's text and the editor that shows it.

    Qt's editor knows one line end only and counts in UTF-16 units; the file may have CRLF, or both kinds, and
    characters beyond the basic plane.

    Parameters
    ----------
    text
        The file's text.
    longest
        A line of more characters is shown in pieces: at the ends of its tags and, where there are none for long, in
        between. None shows all lines whole.

    Attributes
    ----------
    text
        The file's text.
    shown
        The text as the editor holds it: lines ended by ``"\\n"``, U+FFFD for what it cannot hold, and ``"\\n"``
        between the pieces of long lines.
    whole
        The same with every line whole.
    """

    def __init__(self, text: str, longest: int | None = None) -> None:
        self.text = text
        self._newline = "\r\n" if "\r\n" in text else "\n"
        returns = re.finditer("\r(?=\n)", text) if "\r" in text else ()
        self._returns = [match.start() for match in returns]
        # Their offsets in the shown text, which has no carriage returns.
        self._returns_shown = [at - index for index, at in enumerate(self._returns)]
        self.shown = self.whole = plain(text) if text.isascii() else _UNHELD.sub("\ufffd", plain(text))
        # Where pieces begin in the text without breaks between them, and where these breaks are in the shown text.
        self._cuts = [] if longest is None else _cuts(self.shown, longest)
        self._breaks: list[int] = []
        if self._cuts:
            self._breaks = (np.asarray(self._cuts) + np.arange(len(self._cuts))).tolist()
            self.shown = _with_breaks(self.shown, self._cuts)
        # Python knows at once that a text is ASCII; to search a large one takes 10 ms.
        wide = () if self.shown.isascii() else re.finditer("[\U00010000-\U0010ffff]", self.shown)
        self._wide = [match.start() for match in wide]
        self._wide_positions = [at + index for index, at in enumerate(self._wide)]

    @property
    def line_ends(self) -> str:
        """What ends the lines of the file."""
        if not self._returns:
            return "LF"
        return "CRLF" if len(self._returns) == self.shown.count("\n") - len(self._cuts) else "CRLF and LF"

    @property
    def is_cut(self) -> bool:
        """Whether a line is shown in pieces."""
        return bool(self._cuts)

    def begins_inside(self, position: int) -> bool:
        """Return whether a line of the editor that begins at a position is a later piece of a line."""
        at = self.shown_of_position(position) - 1
        number = bisect_left(self._breaks, at)
        return number < len(self._breaks) and self._breaks[number] == at

    def pieces_before(self, position: int) -> int:
        """Return how many lines of the editor before a position and at it are later pieces of lines of the file."""
        return bisect_left(self._breaks, self.shown_of_position(position))

    def to_position(self, offset: int) -> int:
        """Return the editor's position of a character of the file."""
        return self.position_of_shown(self.shown_of_offset(offset))

    def positions_of_shown(self, ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the editor's positions of ranges of the text that is shown."""
        if not self._wide:  # in nearly every text the two are the same
            return ranges
        return [(self.position_of_shown(start), self.position_of_shown(end)) for start, end in ranges]

    def positions_of_whole(self, ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the editor's positions of ranges of the text with every line whole."""
        cuts = self._cuts
        return self.positions_of_shown(
            [(start + bisect_right(cuts, start), end + bisect_left(cuts, end)) for start, end in ranges]
        )

    def position_of_shown(self, shown: int) -> int:
        """Return the editor's position of a character of the text that is shown."""
        return shown + bisect_left(self._wide, shown)

    def to_offset(self, position: int) -> int:
        """Return the offset in the file of a position in the editor."""
        return self.offset_of_shown(self.shown_of_position(position))

    def shown_of_position(self, position: int) -> int:
        """Return the offset in the text that is shown of a position in the editor."""
        return position - bisect_left(self._wide_positions, position)

    def shown_of_offset(self, offset: int) -> int:
        """Return the offset in the text that is shown of a character of the file."""
        whole = offset - bisect_left(self._returns, offset)
        return whole + bisect_right(self._cuts, whole)

    def offset_of_shown(self, shown: int) -> int:
        """Return the offset in the file of a character of the text that is shown."""
        whole = shown - bisect_left(self._breaks, shown)
        return whole + bisect_left(self._returns_shown, whole)

    def replacement(self, shown: str) -> Replacement | None:
        """Return the smallest edit of the file that makes the editor's text from the shown one, None if none is needed.

        What is typed gets the line ends of the file; what is not touched keeps its own.
        """
        change = difference(self.shown, shown)
        if change is None:
            return None
        start, end = self.offset_of_shown(change.start), self.offset_of_shown(change.end)
        return Replacement(start, end, change.text.replace("\n", self._newline))

    def written(self, states: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return the text of the file at consecutive states of the editor, each with its name."""
        places, written = self, []
        for name, shown in states:
            change = places.replacement(shown)
            if change is not None:
                places = TextMap(places.text[: change.start] + change.text + places.text[change.end :])
            written.append((name, places.text))
        return written


def long_lines(text: str, longest: int = LONGEST_LINE) -> Iterator[tuple[int, int]]:
    """Yield start and end of the lines of more characters than ``longest``; a text without any is hardly read."""
    start = 0
    while start + longest < len(text):
        end = text.rfind("\n", start, start + longest + 1)
        if end < 0:
            end = text.find("\n", start)
            end = len(text) if end < 0 else end
            yield start, end
        start = end + 1


def _cuts(text: str, longest: int) -> list[int]:
    """Return where the pieces of long lines begin but for the first of each."""
    cuts: list[int] = []
    for start, end in long_lines(text, longest):
        tags = start + _tag_after_tag(text[start:end])
        edges = np.concatenate(([start], tags, [end]))
        within: list[int] = []
        for number in np.flatnonzero(np.diff(edges) > 2 * _PIECE).tolist():
            # What has no tags, such as a long comment or value, is cut behind a blank, or anywhere.
            begin, stop = edges[number : number + 2].tolist()
            while stop - begin > 2 * _PIECE:
                begin = text.rfind(" ", begin, begin + _PIECE) + 1 or begin + _PIECE
                within.append(begin)
        cuts += sorted([*tags.tolist(), *within]) if within else tags.tolist()
    return cuts


def _tag_after_tag(line: str) -> NDArray[np.int64]:
    """Return the offsets (k,) where a tag begins at once behind another one."""
    characters, _ = characters_of(line)
    return np.flatnonzero((characters[:-1] == ord(">")) & (characters[1:] == ord("<"))) + 1


def _with_breaks(text: str, cuts: list[int]) -> str:
    """Return a text with a line end at each of some offsets; to join 100 000 pieces would take five times as long."""
    characters, encoding = characters_of(text)
    return np.insert(characters, cuts, ord("\n")).tobytes().decode(encoding)


def plain(text: str) -> str:
    """Return a text with every line end as one ``"\\n"``, as Qt's editor reads it."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\u2029", "\n")


def difference(old: str, new: str) -> Replacement | None:
    """Return the one replacement between the common beginning and the common end of two texts, None if they agree."""
    if old == new:
        return None
    start = common_start(old, new)
    end = min(_common_end(old, new), min(len(old), len(new)) - start)
    return Replacement(start, len(old) - end, new[start : len(new) - end])


def place_after(old: str, new: str, at: int) -> int | None:
    """Return where a place of a text is in one of as many lines that has taken its place, None where it has others.

    It stays in its line, before or behind what the line has in common with the other one.
    """
    if old.count("\n") != new.count("\n"):
        return None
    before = old.count("\n", 0, at)
    line, other = old.split("\n")[before], new.split("\n")[before]
    column = at - (old.rfind("\n", 0, at) + 1)
    if column > common_start(line, other):
        column = max(len(other) - (len(line) - column), 0)
    return sum(len(each) + 1 for each in new.split("\n")[:before]) + column


def rebase(change: Replacement, onto: Replacement) -> Replacement | None:
    """Return a change of a text for the text that another change of it has made; None where both touch one place."""
    if change.end < onto.start:
        return change
    if change.start > onto.end:
        shift = len(onto.text) - (onto.end - onto.start)
        return Replacement(change.start + shift, change.end + shift, change.text)
    return None


def common_start(old: str, new: str, most: int | None = None) -> int:
    """Return how many characters two texts have in common at their beginning, at most so many."""
    limit, at = min(len(old), len(new)), 0
    limit = limit if most is None else min(limit, most)
    while at + _STEP <= limit and old[at : at + _STEP] == new[at : at + _STEP]:
        at += _STEP
    end = min(at + _STEP, limit)
    return at + first_difference(old[at:end], new[at:end])


def _common_end(old: str, new: str) -> int:
    limit, at = min(len(old), len(new)), 0
    while (
        at + _STEP <= limit and old[len(old) - at - _STEP : len(old) - at] == new[len(new) - at - _STEP : len(new) - at]
    ):
        at += _STEP
    end = min(at + _STEP, limit)
    former, present = old[len(old) - end : len(old) - at], new[len(new) - end : len(new) - at]
    return at + equal_at_end(former, present)
