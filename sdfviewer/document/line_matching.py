"""Match the lines of two texts.

Knows lists of lines; must not know what they mean, nor who shows them.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias

from sdfviewer.computed import equal_at_end, first_difference

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
