"""Merge two texts that were made of one, three ways, by the difference between them, element by element.

What only one of them has changed is taken. What both have changed to the same is taken once. What both have changed to
something else is a conflict, which somebody has to decide. Every character that neither has changed stays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.element import ATTRIBUTE, Element
from sdfviewer.document.line_difference import Block, changed_blocks
from sdfviewer.document.xml.encoding import Encoding

#: A comment, CDATA, an instruction, a declaration or a run of text with the blanks before it; or blanks at the end.
_PIECE = re.compile(
    r"\s*(?:<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<![^\[>]*(?:\[.*?\]\s*)?>|[^<\s][^<]*?(?=\s*(?:<|\Z)))|\s+|.",
    re.DOTALL,
)
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
#: What character data and lines are called among what a change writes: one cannot be beside another unseen.
TEXT, LINE = "#text", "#line"


@dataclass(frozen=True, slots=True)
class TextChange:
    """A piece of one text that is another one in the second text.

    Attributes
    ----------
    start, end
        Offsets in the first text.
    text
        What the second text has there.
    names
        What that is: tags with names of elements, names of attributes, `TEXT` or `LINE`; nothing for blanks.
    """

    start: int
    end: int
    text: str
    names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Piece:
    """What is between two elements that both texts have: an item with the blanks before it, or blanks."""

    start: int
    end: int
    name: str


_Child = tuple[Element, int]


def element_changes(a: Document, b: Document) -> list[TextChange]:
    """Return what makes the text of ``b`` of that of ``a``, in order, none overlapping the next.

    Elements are matched by tag and name, and by what is in them where only the name differs. Both documents must be
    well-formed.
    """
    return list(_Difference(a, b).changes())


def line_changes(a: str, b: str) -> list[TextChange]:
    """Return what makes one text of another, line by line."""
    lines_a, lines_b = _LINE.findall(a), _LINE.findall(b)
    changes, at, line = [], 0, 0
    for block in changed_blocks(lines_a, lines_b, (0, len(lines_a), 0, len(lines_b))):
        start = at + sum(map(len, lines_a[line : block[0]]))
        at, line = start + sum(map(len, lines_a[block[0] : block[1]])), block[1]
        changes.append(TextChange(start, at, "".join(lines_b[block[2] : block[3]]), frozenset({LINE})))
    return changes


class _Difference:
    def __init__(self, a: Document, b: Document) -> None:
        self._a, self._b = a, b
        self._text_a, self._text_b = a.text, b.text

    def changes(self) -> Iterator[TextChange]:
        children = [[] if each.root is None else [(each.root, each.root_offset)] for each in (self._a, self._b)]
        yield from self._content((0, len(self._text_a)), children[0], (0, len(self._text_b)), children[1])

    def _element(self, x: _Child, y: _Child) -> Iterator[TextChange]:
        (one, at), (other, there) = x, y
        end, end_there = at + one.length, there + other.length
        if self._text_a[at:end] == self._text_b[there:end_there]:
            return
        if one.tag != other.tag or (one.end_length == 0) != (other.end_length == 0):
            yield TextChange(at, end, self._text_b[there:end_there], frozenset({_name(other)}))
            return
        yield from self._start_tag(x, y)
        inside = at + one.start_length, end - one.end_length
        inside_there = there + other.start_length, end_there - other.end_length
        yield from self._content(inside, _children(x), inside_there, _children(y))
        end_tag = self._text_b[inside_there[1] : end_there]
        if self._text_a[inside[1] : end] != end_tag:
            yield TextChange(inside[1], end, end_tag)

    def _start_tag(self, x: _Child, y: _Child) -> Iterator[TextChange]:
        pieces_a, pieces_b = _attributes(self._text_a, *x), _attributes(self._text_b, *y)
        names_a, names_b = [each.name for each in pieces_a], [each.name for each in pieces_b]
        yield from self._pieces(x[1], pieces_a, pieces_b, names_a, names_b)

    def _content(
        self,
        range_a: tuple[int, int],
        children_a: Sequence[_Child],
        range_b: tuple[int, int],
        children_b: Sequence[_Child],
    ) -> Iterator[TextChange]:
        """Yield the changes of what is between two tags: each pair of elements, and what is between the pairs."""
        i = j = 0
        at_a, at_b = range_a[0], range_b[0]
        for next_i, next_j in self._pairs(children_a, children_b):
            x, y = children_a[next_i], children_b[next_j]
            yield from self._between((at_a, x[1]), children_a[i:next_i], (at_b, y[1]), children_b[j:next_j])
            yield from self._element(x, y)
            i, j = next_i + 1, next_j + 1
            at_a, at_b = x[1] + x[0].length, y[1] + y[0].length
        yield from self._between((at_a, range_a[1]), children_a[i:], (at_b, range_b[1]), children_b[j:])

    def _between(
        self,
        range_a: tuple[int, int],
        children_a: Sequence[_Child],
        range_b: tuple[int, int],
        children_b: Sequence[_Child],
    ) -> Iterator[TextChange]:
        text_a, text_b = self._text_a, self._text_b
        if text_a[slice(*range_a)] == text_b[slice(*range_b)]:
            return
        pieces_a, pieces_b = _cut(text_a, range_a, children_a), _cut(text_b, range_b, children_b)
        tokens = [
            [text[each.start : each.end] for each in pieces]
            for text, pieces in ((text_a, pieces_a), (text_b, pieces_b))
        ]
        yield from self._pieces(range_a[0], pieces_a, pieces_b, *tokens)

    def _pieces(
        self,
        at: int,
        pieces_a: Sequence[_Piece],
        pieces_b: Sequence[_Piece],
        tokens_a: Sequence[str],
        tokens_b: Sequence[str],
    ) -> Iterator[TextChange]:
        """Yield the changes of consecutive pieces from an offset on, which are matched by their tokens."""
        shift_i = shift_j = 0
        blocks = list(changed_blocks(tokens_a, tokens_b, (0, len(tokens_a), 0, len(tokens_b))))
        for i, end_i, j, end_j in [*blocks, (len(pieces_a), len(pieces_a), len(pieces_b), len(pieces_b))]:
            for one, other in zip(pieces_a[shift_i:i], pieces_b[shift_j:j], strict=True):
                text = self._text_b[other.start : other.end]
                if self._text_a[one.start : one.end] != text:
                    yield TextChange(one.start, one.end, text, frozenset({other.name} - {""}))
                at = one.end
            written = pieces_b[j:end_j]
            if i < end_i or written:
                end = pieces_a[end_i - 1].end if i < end_i else at
                text = self._text_b[written[0].start : written[-1].end] if written else ""
                yield TextChange(at, end, text, frozenset(each.name for each in written) - {""})
                at = end
            shift_i, shift_j = end_i, end_j

    def _pairs(self, children_a: Sequence[_Child], children_b: Sequence[_Child]) -> list[tuple[int, int]]:
        """Return which elements of two lists are the same ones, in order."""
        names_a, names_b = ([_name(each) for each, _ in children] for children in (children_a, children_b))
        counts_a, counts_b = Counter(names_a), Counter(names_b)
        # Of several of one name those that are equal belong together.
        tokens_a, tokens_b = (
            [
                name if counts_a[name] == counts_b[name] == 1 else text[at : at + each.length]
                for name, (each, at) in zip(names, children, strict=True)
            ]
            for text, names, children in (
                (self._text_a, names_a, children_a),
                (self._text_b, names_b, children_b),
            )
        )
        whole = (0, len(children_a), 0, len(children_b))
        blocks = list(changed_blocks(tokens_a, tokens_b, whole))
        pairs = _outside(blocks, whole)
        for block in blocks:
            inner = list(changed_blocks(names_a, names_b, block))
            pairs += _outside(inner, block)
            for i, end_i, j, end_j in inner:
                renamed = list(zip(range(i, end_i), range(j, end_j), strict=False))
                if end_i - i == end_j - j and all(self._is_renamed(children_a[m], children_b[n]) for m, n in renamed):
                    pairs += renamed
        return sorted(pairs)

    def _is_renamed(self, x: _Child, y: _Child) -> bool:
        """Return whether two elements are alike but for their start tags."""
        one, other = x[0], y[0]
        if one.tag != other.tag:
            return False
        if not one.children and not other.children:
            return one.value == other.value
        inside, inside_there = (
            Counter(text[begin : begin + each.length] for each, begin in _children(child))
            for text, child in ((self._text_a, x), (self._text_b, y))
        )
        return 2 * (inside & inside_there).total() >= max(inside.total(), inside_there.total())


def _outside(blocks: Sequence[Block], within: Block) -> list[tuple[int, int]]:
    """Return the pairs of what is equal around blocks that differ."""
    pairs: list[tuple[int, int]] = []
    i, end_i, j, end_j = within
    for first, last, there, end_there in [*blocks, (end_i, end_i, end_j, end_j)]:
        pairs += zip(range(i, first), range(j, there), strict=True)
        i, j = last, end_there
    return pairs


def _name(element: Element) -> str:
    """Return what an element is called among its siblings."""
    about = element.text_of("uri") if element.tag == "include" else element.word("reference")
    return f"{element.tag} {element.given_name or about}"


def _children(child: _Child) -> list[_Child]:
    element, at = child
    return [(each, at + offset) for each, offset in zip(element.children, element.offsets, strict=True)]


def _attributes(text: str, element: Element, at: int) -> list[_Piece]:
    """Return the pieces of a start tag: its name, each attribute with the blanks before it, and its end."""
    end = at + element.start_length
    behind = at + 1 + len(element.tag)
    pieces = [_Piece(at, behind, "")]
    for match in ATTRIBUTE.finditer(text, behind, end):
        pieces.append(_Piece(behind, match.end(), f"@{match[1]}"))
        behind = match.end()
    return [*pieces, _Piece(behind, end, "")]


def _cut(text: str, between: tuple[int, int], children: Sequence[_Child]) -> list[_Piece]:
    """Return the pieces of a text: its elements, comments and runs of text, each with the blanks before it."""
    pieces: list[_Piece] = []
    at, end = between
    for child, start in [*children, (None, end)]:
        while at < start:
            match = _PIECE.match(text, at, start)
            assert match is not None  # the pattern matches any character
            if child is not None and match.end() == start and match[0].isspace():
                break  # these blanks belong to the element
            pieces.append(_Piece(at, match.end(), _name_of_piece(match[0].strip())))
            at = match.end()
        if child is not None:
            pieces.append(_Piece(at, start + child.length, _name(child)))
            at = start + child.length
    return pieces


def _name_of_piece(piece: str) -> str:
    return piece if piece.startswith(("<!--", "<?", "<!D")) else TEXT if piece else ""


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
    by_elements = all(each.is_well_formed for each in (base, mine, theirs))
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
