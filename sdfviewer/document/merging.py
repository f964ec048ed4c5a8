"""Merge two texts that were made of one, three ways.

What only one of them has changed is taken. What both have changed to the same is taken once. What both have changed to
something else is a conflict, which somebody has to decide. Every character that neither has changed stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.element_difference import LINE, TextChange, element_changes, has_elements, line_changes
from sdfviewer.document.xml.encoding import Encoding


class Side(str, Enum):
    """Whose change a part of a merged text is; of a conflict, whose is taken."""

    MINE = "mine"
    THEIRS = "theirs"
    BOTH = "both"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class MergePart:
    """A part of the first text that at least one of two others has changed.

    Attributes
    ----------
    start, end
        Where it is in the first text.
    mine, theirs
        What either text has there.
    side
        Who has changed it: `Side.BOTH` have changed it to the same, or have added what is not in the way of the other.
    can_take_both
        Of a conflict, whether one can be behind the other.
    """

    start: int
    end: int
    mine: str
    theirs: str
    side: Side
    can_take_both: bool = False

    def text(self, chosen: Side | None = None) -> str:
        """Return what the merged text has there; of a conflict what is chosen, mine without a choice."""
        side = (chosen or Side.MINE) if self.side is Side.CONFLICT else self.side
        if side is Side.BOTH:
            return self.mine if self.mine == self.theirs else self.mine + self.theirs
        return self.theirs if side is Side.THEIRS else self.mine


@dataclass(frozen=True, slots=True)
class Merge:
    """Two texts merged.

    Attributes
    ----------
    base
        The text that both were made of.
    parts
        What either has changed, in order.
    by_elements
        Whether they were compared element by element, not line by line.
    encoding
        How the merged text is written: as mine, unless theirs is written in another way than ``base``.
    """

    base: str
    parts: tuple[MergePart, ...]
    by_elements: bool
    encoding: Encoding

    @property
    def conflicts(self) -> tuple[MergePart, ...]:
        """What both have changed to something else."""
        return tuple(part for part in self.parts if part.side is Side.CONFLICT)

    def count(self, side: Side) -> int:
        """Return how many parts are of one side."""
        return sum(part.side is side for part in self.parts)

    def text(self, chosen: Sequence[Side | None] = ()) -> str:
        """Return the merged text.

        ``chosen`` has a side for each conflict: mine where it is None, and for those behind its end.
        """
        pieces, at = list[str](), 0
        for part, side in self._decided(chosen):
            pieces += (self.base[at : part.start], part.text(side))
            at = part.end
        return "".join((*pieces, self.base[at:]))

    def replacements(self, chosen: Sequence[Side | None] = ()) -> tuple[Replacement, ...]:
        """Return the edit that makes the merged text of mine."""
        made = []
        for part, side, start in self.places_in_mine(chosen):
            if (text := part.text(side)) != part.mine:
                made.append(Replacement(start, start + len(part.mine), text))
        return tuple(made)

    def places_in_mine(self, chosen: Sequence[Side | None] = ()) -> Iterator[tuple[MergePart, Side | None, int]]:
        """Yield each part, what is chosen of it, and where it begins in my text."""
        shift = 0
        for part, side in self._decided(chosen):
            yield part, side, part.start + shift
            shift += len(part.mine) - (part.end - part.start)

    def _decided(self, chosen: Sequence[Side | None]) -> Iterator[tuple[MergePart, Side | None]]:
        sides = iter(chosen)
        for part in self.parts:
            yield part, next(sides, None) if part.side is Side.CONFLICT else None


def merge(base: Document, mine: Document, theirs: Document) -> Merge:
    """Return two texts merged that were made of ``base``: by elements where all three are well-formed, else by lines.

    Elements that both have added at one place are both taken, mine first, unless they have the same tag and name.
    """
    by_elements = all(map(has_elements, (base, mine, theirs)))
    changes: list[tuple[TextChange, Side]] = []
    for side, document in ((Side.MINE, mine), (Side.THEIRS, theirs)):
        found = element_changes(base, document) if by_elements else line_changes(base.text, document.text)
        changes += [(each, side) for each in found]
    changes.sort(key=lambda each: (each[0].start, each[0].end))
    parts = tuple(_part(base.text, group) for group in _groups(changes))
    encoding = mine.encoding if theirs.encoding == base.encoding else theirs.encoding
    return Merge(base.text, parts, by_elements, encoding)


_Group = list[tuple[TextChange, Side]]


def _groups(changes: _Group) -> Iterator[_Group]:
    """Yield the changes together that are in the way of each other, all others alone."""
    group: _Group = []
    for change, side in changes:
        others = [each for each, owner in group if owner is not side]
        # They are in order: the last one, and the one that reaches farthest, meet whatever any of them meets.
        near = {*others[-1:], *sorted(others, key=lambda each: each.end)[-1:]} if len(others) > 1 else others
        if group and not any(_meet(change, each) for each in near):
            yield group
            group = []
        group.append((change, side))
    if group:
        yield group


def _meet(change: TextChange, other: TextChange) -> bool:
    """Return whether both cannot be made without a look at each other."""
    if change.start > other.end or other.start > change.end:
        return False
    if LINE in change.names or change.names & other.names:
        return True
    if change.start == change.end or other.start == other.end:  # something is inserted
        is_inside = change.start < other.start < change.end or other.start < change.start < other.end
        return is_inside or (change.start, change.end) == (other.start, other.end)
    return change.start < other.end and other.start < change.end


def _part(base: str, group: _Group) -> MergePart:
    start, end = group[0][0].start, max(change.end for change, _ in group)
    sides = {side for _, side in group}
    mine, theirs = (
        _applied(base, start, end, [change for change, owner in group if owner is side])
        for side in (Side.MINE, Side.THEIRS)
    )
    if len(sides) == 1:
        return MergePart(start, end, mine, theirs, next(iter(sides)))
    if mine == theirs:
        return MergePart(start, end, mine, theirs, Side.BOTH)
    (one, _), (other, _) = group[0], group[-1]
    adds = start == end
    if adds and one.names and other.names and not one.names & other.names:
        return MergePart(start, end, mine, theirs, Side.BOTH)
    is_by_lines = LINE in one.names
    return MergePart(start, end, mine, theirs, Side.CONFLICT, adds or (is_by_lines and bool(mine and theirs)))


def _applied(base: str, start: int, end: int, changes: Sequence[TextChange]) -> str:
    pieces: list[str] = []
    for change in changes:
        pieces += (base[start : change.start], change.text)
        start = change.end
    return "".join((*pieces, base[start:end]))
