"""Remove the tags of an element and keep its indented content."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.edits import CDATA, Replacements, indentation, remove_element
from sdfviewer.document.element import Element

_LINE = re.compile(r"\n([ \t]*)")


@dataclass(frozen=True, slots=True)
class Shell:
    """An element whose tags go.

    Attributes
    ----------
    element
        The element.
    instead
        Lines that take the place of its start tag, further ones indented relative to the first; none where nothing
        does.
    removed
        Those of its children that go too.
    """

    element: Element
    instead: tuple[str, ...]
    removed: tuple[Element, ...]


def unwrap(document: Document, shells: Sequence[Shell]) -> Replacements:
    """Return the edit that unwraps elements, which may stand in each other."""
    removals: Replacements = ()
    steps: list[tuple[int, int, int]] = []  # from where to where lines move left, and by how many characters
    for shell in shells:
        start, end = document.offsets(shell.element, "element")
        for child in shell.removed:
            removals += remove_element(document, child)
        if shell.element.end_length:
            removals += _remove_line(document, end - shell.element.end_length, end)
        steps.append((start + shell.element.start_length, end, _step(document, shell.element)))
    edits = removals
    margin = _margin(steps)
    for shell in shells:
        start = document.offset(shell.element)
        if not shell.instead:
            edits += _remove_line(document, start, start + shell.element.start_length)
        else:
            own = indentation(document, shell.element)
            text = (document.newline + own[min(len(own), margin(start)) :]).join(shell.instead)
            edits += (Replacement(start, start + shell.element.start_length, text),)
    return edits + _dedent(document, margin, edits)


def _margin(steps: Sequence[tuple[int, int, int]]) -> Callable[[int], int]:
    """Return the function that maps an offset to the number of characters by which its line moves left."""
    turns = sorted([(first, by) for first, _, by in steps] + [(last, -by) for _, last, by in steps])
    places, sums = [place for place, _ in turns], list(accumulate((by for _, by in turns), initial=0))
    return lambda offset: sums[bisect_right(places, offset)]


def _step(document: Document, element: Element) -> int:
    """Return by how many characters the content of an element is indented."""
    own = indentation(document, element)
    for child in element.children:
        inner = indentation(document, child)
        if inner.startswith(own) and inner != own:
            return len(inner) - len(own)
    return 0


def _remove_line(document: Document, start: int, end: int) -> Replacements:
    """Return the edit that takes a tag out, with its line if nothing else is on it."""
    text = document.text
    line_start, line_end = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    alone = line_end >= 0 and not text[line_start:start].strip() and not text[end:line_end].strip()
    return (Replacement(line_start, line_end + 1, "") if alone else Replacement(start, end, ""),)


def _dedent(document: Document, margin: Callable[[int], int], edits: Replacements) -> Replacements:
    """Return the edit that moves lines left, other edits and what is written as it is left alone."""
    raw = [match.span() for match in CDATA.finditer(document.text)]
    changed = sorted([*((each.start, each.end) for each in edits), *raw])
    starts, reach = [start for start, _ in changed], list(accumulate((end for _, end in changed), max))
    result: list[Replacement] = []
    for line in _LINE.finditer(document.text):
        at = line.start(1)
        taken = min(margin(at), line.end(1) - at)
        before = bisect_right(starts, at) - 1
        if taken > 0 and (before < 0 or reach[before] <= at):
            result.append(Replacement(at, at + taken, ""))
    return tuple(result)
