"""The difference between two texts, line by line."""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate, zip_longest
from pathlib import Path
from typing import Literal, TypeAlias

from sdfviewer.computed import equal_at_end, first_difference
from sdfviewer.diagnostics import Replacement
from sdfviewer.display_text import path_here
from sdfviewer.document.document import Document

#: Lines of the first text that are replaced by lines of the second: first and end there, first and end here, from 0.
Block: TypeAlias = tuple[int, int, int, int]

#: Where no line occurs once in each, so many lines of both together are compared; longer stretches count as replaced.
_MOST_COMPARED = 4000
#: Products of two numbers of lines up to which each is compared with each.
_MOST_PAIRED = 2500
#: The least share of common names and numbers of two lines of which one became the other.
_ALIKE = 0.45
_TAG = re.compile(r"\s*(</?[\w:.-]+)")
#: Characters of two lines together that are compared word by word.
_LONG_LINES = 8000
_LONGEST_WORD = 1000
_WORD_BEFORE, _WORD_BEHIND = re.compile(r"(?:[\w.+-]+|\s+)\Z"), re.compile(r"[\w.+-]*|\s*")
_WORD = re.compile(r"[\w.+-]+|\s+|.", re.DOTALL)


def changed_blocks(a: Sequence[str], b: Sequence[str], block: Block) -> Iterator[Block]:
    """Yield the parts of a block in which ``a`` and ``b`` really differ, in order, none touching the next.

    Lines that occur exactly once in both texts are anchors (patience difference); only between them the
    longest common runs are searched for. That keeps end tags, which all look alike, with what they end, and takes time
    in proportion to the lines.
    """
    last: Block | None = None
    for part in _parts(a, b, block):
        if last is not None and last[1] == part[0] and last[3] == part[2]:
            last = (last[0], part[1], last[2], part[3])
            continue
        if last is not None:
            yield last
        last = part
    if last is not None:
        yield last


def _parts(a: Sequence[str], b: Sequence[str], block: Block) -> Iterator[Block]:
    first_a, end_a, first_b, end_b = block
    while first_a < end_a and first_b < end_b and a[first_a] == b[first_b]:
        first_a, first_b = first_a + 1, first_b + 1
    while first_a < end_a and first_b < end_b and a[end_a - 1] == b[end_b - 1]:
        end_a, end_b = end_a - 1, end_b - 1
    if first_a == end_a and first_b == end_b:
        return
    if first_a == end_a or first_b == end_b:
        yield first_a, end_a, first_b, end_b
        return
    anchors = _anchors(a[first_a:end_a], b[first_b:end_b])
    if anchors:
        at_a, at_b = first_a, first_b
        # Each stretch begins with the anchor before it, which is trimmed as a line in common.
        for i, j in [*anchors, (end_a - first_a, end_b - first_b)]:
            yield from _parts(a, b, (at_a, first_a + i, at_b, first_b + j))
            at_a, at_b = first_a + i, first_b + j
        return
    if end_a - first_a + end_b - first_b > _MOST_COMPARED:
        yield first_a, end_a, first_b, end_b
        return
    matcher = difflib.SequenceMatcher(None, a[first_a:end_a], b[first_b:end_b])
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            yield first_a + i, first_a + j, first_b + k, first_b + m


def _anchors(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places in ``a`` and ``b`` of lines that occur once in each, as many as keep their order in both.

    Without such lines, as in a world with ten copies of one model, lines that occur equally often in both are
    taken, the first for the first.
    """
    counts_a, counts_b = Counter(a), Counter(b)
    equal = {line for line, count in counts_a.items() if counts_b[line] == count}
    once = {line for line in equal if counts_a[line] == 1}
    places: dict[str, list[int]] = {}
    for number in range(len(b) - 1, -1, -1):
        if b[number] in (once or equal):
            places.setdefault(b[number], []).append(number)
    pairs = [(number, places[line].pop()) for number, line in enumerate(a) if line in places]
    # The longest increasing subsequence: for each length the pair with the smallest end, and the pair before each.
    ends: list[int] = []
    tops: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        length = bisect_left(ends, j)
        before.append(tops[length - 1] if length else -1)
        ends[length : length + 1] = [j]
        tops[length : length + 1] = [number]
    chosen: list[tuple[int, int]] = []
    number = tops[-1] if tops else -1
    while number >= 0:
        chosen.append(pairs[number])
        number = before[number]
    return chosen[::-1]


def paired_lines(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Return which lines of ``a`` became which of ``b``, in order: the most similar ones, if they are similar at all.

    Of long lists only those of the same length are paired, one by one.
    """
    if len(a) * len(b) > _MOST_PAIRED:
        return [(n, n) for n in range(len(a))] if len(a) == len(b) else []
    words_a, words_b = ([_Words(line) for line in lines] for lines in (a, b))
    # The best sum of likenesses of the lines from i and from j on.
    best = [[0.0] * (len(b) + 1) for _ in range(len(a) + 1)]
    alike = [[_likeness(one, other) for other in words_b] for one in words_a]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + alike[i][j])
    pairs = []
    i = j = 0
    while i < len(a) and j < len(b):
        if alike[i][j] and best[i][j] == best[i + 1][j + 1] + alike[i][j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


class _Words:
    """The names and numbers of a line, and the tag that it begins with."""

    def __init__(self, line: str) -> None:
        self.counts = Counter(word for word in words(line) if word[0].isalnum() or word[0] in "_+-.")
        tag = _TAG.match(line)
        self.tag = tag[1] if tag is not None else ""


def _likeness(one: _Words, other: _Words) -> float:
    total = one.counts.total() + other.counts.total()
    share = 2 * (one.counts & other.counts).total() / total if total else 0.0
    # A pose is still the same pose if all its numbers differ.
    if one.tag and one.tag == other.tag:
        share = (1 + share) / 2
    return share if share >= _ALIKE else 0.0


def words(line: str) -> list[str]:
    """Return a line cut into names, numbers, single signs, and the blanks between them."""
    return _WORD.findall(line)


@lru_cache(maxsize=512)  # requested each time that a line is coloured and painted
def changed_words(line: str, other: str) -> tuple[tuple[int, int], ...]:
    """Return the parts of a line, as starts and ends, that are other words than in the line it is paired with.

    Of long lines only what is between their common ends is looked at, and is one part where that is still long.
    """
    start, end, other_end = 0, len(line), len(other)
    if len(line) + len(other) > _LONG_LINES:
        start = first_difference(line, other)
        same = min(equal_at_end(line, other), end - start, other_end - start)
        start = _word_start(line, start)
        same = end - _word_end(line, end - same)
        end, other_end = end - same, other_end - same
        if end - start + other_end - start > _LONG_LINES:
            return ((start, end),) if start < end else ()
    mine, theirs = words(line[start:end]), words(other[start:other_end])
    matcher = difflib.SequenceMatcher(None, mine, theirs, autojunk=False)
    starts = [start, *accumulate(map(len, mine), initial=start)][1:]
    spans: list[tuple[int, int]] = []
    for tag, i, j, _, _ in matcher.get_opcodes():
        if tag == "equal" or i == j:
            continue
        first, last = starts[i], starts[j]
        if spans and line[spans[-1][1] : first].isspace():
            first = spans.pop()[0]
        spans.append((first, last))
    return tuple(spans)


def _word_start(line: str, at: int) -> int:
    """Return where the word or the blanks around a place begin; of very long ones the place itself."""
    near = max(at - _LONGEST_WORD, 0)
    found = _WORD_BEFORE.search(line[near:at])
    return near + found.start() if found is not None and (found.start() or not near) else at


def _word_end(line: str, at: int) -> int:
    near = line[at : at + _LONGEST_WORD]
    found = _WORD_BEHIND.match(near)
    return at + found.end() if found is not None and (found.end() < len(near) or at + len(near) == len(line)) else at


Sign: TypeAlias = Literal[" ", "-", "+"]


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a difference.

    Attributes
    ----------
    sign
        Blank for a line of both texts, ``-`` for one of the first only, ``+`` for one of the second only.
    text
        The line without its end.
    before, after
        Its number in either text, counted from 1, None where it is not there.
    partner
        The line of the other text that it was, or became; None if there is none.
    """

    sign: Sign
    text: str
    before: int | None
    after: int | None
    partner: str | None = None

    @property
    def changed(self) -> tuple[tuple[int, int], ...]:
        """Starts and ends of the words that differ from the line it is paired with; they take a moment to find."""
        return () if self.partner is None else changed_words(self.text, self.partner)


#: Characters from which on a line is shown in part, how many are shown then, and of these what is equal around it.
_LONG, _PART, _AROUND = 4000, 1000, 60
_LEFT_OUT = "…"


def shortened(line: DiffLine) -> DiffLine:
    """Return a line that is too long to be laid out with the part that its first change is in.

    What is left out on either side is one sign. A line and its partner are cut at the same places.
    """
    if max(len(line.text), len(line.partner or "")) <= _LONG:
        return line
    if line.partner is None:
        return replace(line, text=_part(line.text, 0, len(line.text)))
    start = first_difference(line.text, line.partner)
    same_end = equal_at_end(line.text, line.partner)
    start, same_end = max(start - _AROUND, 0), max(same_end - _AROUND, 0)
    text, partner = (_part(each, start, len(each) - same_end) for each in (line.text, line.partner))
    return replace(line, text=text, partner=partner)


def _part(text: str, start: int, end: int) -> str:
    end = min(max(end, start), start + _PART)
    return _LEFT_OUT * (start > 0) + text[start:end] + _LEFT_OUT * (end < len(text))


#: Equal lines that are shown around a change, and how many more there must be to be folded.
CONTEXT, _LEAST_FOLDED = 3, 2


@dataclass(frozen=True, slots=True)
class EqualLines:
    """Represents equal lines that are not shown.

    Attributes
    ----------
    lines
        Their text.
    before, after
        The number of the first one in either text, counted from 1.
    """

    lines: tuple[str, ...]
    before: int
    after: int


#: What a column shows in a row: a line, a fold, or nothing beside a line of the other column.
Row: TypeAlias = DiffLine | EqualLines | None
#: A row of the first text and what is beside it in the second.
Pair: TypeAlias = tuple[Row, Row]


@dataclass(frozen=True)
class TextDifference:
    """Two texts, and the blocks of lines in which they differ.

    Attributes
    ----------
    before, after
        The lines of either text, a carriage return at their ends included.
    blocks
        The changes in order, none touching the next.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    blocks: tuple[Block, ...]

    @cached_property
    def changed_pairs(self) -> list[list[Pair]]:
        """The lines of each change, each beside what it became; finding them takes a while."""
        return [self._changed(block) for block in self.blocks]

    def side_by_side(self, context: int | None = None, opened: Container[int] = ()) -> list[Pair]:
        """Return the rows of two columns, a line beside what it became.

        Parameters
        ----------
        context
            How many equal lines are shown around a change, the others are folded; None shows all.
        opened
            Folds that are open, by the number of their first line before.
        """
        pairs: list[Pair] = []
        for number in range(len(self.blocks)):
            pairs += [(row, row) for row in self._equal(number, context, opened)]
            pairs += self.changed_pairs[number]
        pairs += [(row, row) for row in self._equal(len(self.blocks), context, opened)]
        return pairs

    def unified(self, context: int | None = None, opened: Container[int] = ()) -> list[Row]:
        """Return the rows of one column: in a change first what is removed, then what is added; see `side_by_side`."""
        rows: list[Row] = []
        for number in range(len(self.blocks)):
            rows += self._equal(number, context, opened)
            pairs = self.changed_pairs[number]
            rows += [removed for removed, _ in pairs if removed is not None]
            rows += [added for _, added in pairs if added is not None]
        rows += self._equal(len(self.blocks), context, opened)
        return rows

    def _equal(self, number: int, context: int | None, opened: Container[int]) -> Iterator[Row]:
        """Yield the equal lines before a change, or after the last one, folded in the middle."""
        at_a, at_b = self.blocks[number - 1][1::2] if number else (0, 0)
        end = self.blocks[number][0] if number < len(self.blocks) else len(self.before)
        first = at_a + (context or 0) if number else at_a
        last = end - (context or 0) if number < len(self.blocks) else end
        shift = at_b - at_a
        if context is None or last - first < _LEAST_FOLDED or first + 1 in opened:
            first = last = end
        yield from self._common(at_a, first, shift)
        if first < last:
            yield EqualLines(self.before[first:last], first + 1, first + shift + 1)
        yield from self._common(last, end, shift)

    def _common(self, first: int, end: int, shift: int) -> Iterator[DiffLine]:
        for number in range(first, end):
            yield DiffLine(" ", self.before[number].removesuffix("\r"), number + 1, number + shift + 1)

    def _changed(self, block: Block) -> list[Pair]:
        first_a, end_a, first_b, end_b = block
        a, b = self.before[first_a:end_a], self.after[first_b:end_b]
        pairs: list[Pair] = []
        at_a = at_b = 0
        for i, j in [*paired_lines(a, b), (len(a), len(b))]:
            removed = [_alone("-", a[number], first_a + number) for number in range(at_a, i)]
            added = [_alone("+", b[number], first_b + number) for number in range(at_b, j)]
            pairs += zip_longest(removed, added)
            if i < len(a):
                pairs.append(_pair(a[i], b[j], first_a + i, first_b + j))
            at_a, at_b = i + 1, j + 1
        return pairs


def edit_difference(document: Document, replacements: Sequence[Replacement]) -> TextDifference:
    """Return the difference that an edit makes; only the lines that it touches are read again and compared."""
    text = document.text
    a, b = _lines_of(text), list[str]()
    blocks: list[Block] = []
    behind = 0
    for first, end, group in _touched_lines(text, replacements):
        start = text.rfind("\n", 0, group[0].start) + 1
        stop = text.find("\n", group[-1].end)
        b += a[behind:first]
        at = len(b)
        b += _replaced(text, start, len(text) if stop < 0 else stop, group).split("\n")
        blocks.append((first, end, at, len(b)))
        behind = end
    b += a[behind:]
    return TextDifference(a, tuple(b), tuple(part for block in blocks for part in changed_blocks(a, b, block)))


def _touched_lines(text: str, replacements: Sequence[Replacement]) -> Iterator[tuple[int, int, list[Replacement]]]:
    """Yield the first line that replacements touch and the one behind the last, joined where lines meet."""
    line_of = _line_numbers(text)
    group: list[Replacement] = []
    first = end = 0
    for each in sorted(replacements, key=lambda each: (each.start, each.end)):
        line, behind = line_of(each.start), line_of(each.end) + 1
        if group and line > end:
            yield first, end, group
            group = []
        if not group:
            first = line
        group.append(each)
        end = behind
    if group:
        yield first, end, group


def _replaced(text: str, start: int, end: int, replacements: Sequence[Replacement]) -> str:
    """Return a part of a text with replacements in it made."""
    parts: list[str] = []
    for each in replacements:
        parts += (text[start : each.start], each.text)
        start = each.end
    return "".join(parts) + text[start:end]


@lru_cache(maxsize=1)
def _lines_of(text: str) -> tuple[str, ...]:
    """Return the lines of a text. A dialog asks with each key for those of a file that may have very many."""
    return tuple(text.split("\n"))


def text_difference(before: str, after: str) -> TextDifference:
    """Return the difference between two texts."""
    a, b = tuple(before.split("\n")), tuple(after.split("\n"))
    return TextDifference(a, b, tuple(changed_blocks(a, b, (0, len(a), 0, len(b)))))


def _line_numbers(text: str) -> Callable[[int], int]:
    """Return what numbers the lines of a text from 0 by an offset in them, each at or behind the one before."""
    line = last = 0

    def line_of(offset: int) -> int:
        nonlocal line, last
        line, last = line + text.count("\n", last, offset), offset
        return line

    return line_of


def _alone(sign: Sign, line: str, number: int) -> DiffLine:
    text = line.removesuffix("\r")
    return DiffLine("-", text, number + 1, None) if sign == "-" else DiffLine("+", text, None, number + 1)


def _pair(line: str, other: str, number: int, other_number: int) -> Pair:
    """Return two lines that differ; a carriage return is part of them only where nothing else differs."""
    if line.removesuffix("\r") != other.removesuffix("\r"):
        line, other = line.removesuffix("\r"), other.removesuffix("\r")
    return (
        DiffLine("-", line, number + 1, None, other),
        DiffLine("+", other, None, other_number + 1, line),
    )


#: Other programs end a line only at a line feed; `str.splitlines` also does at ten other characters.
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def name_in_difference(name: str) -> str:
    """Return the path of a file as :func:`unified_diff` writes it."""
    return Path(path_here(name)).as_posix()


def unified_diff(name: str, before: str | None, after: str) -> str:
    """Return the difference of two texts of a file in the unified format, empty where they are equal.

    Parameters
    ----------
    name
        The file; `patch -p1` and `git apply` find it from the current folder where it is in it.
    before, after
        The texts; `before` is None where there was no file.
    """
    name = name_in_difference(name)
    old = "/dev/null" if before is None else f"a/{name}"
    lines = difflib.unified_diff(_LINE.findall(before or ""), _LINE.findall(after), old, f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
