"""The outline of a text: its symbols with their members, what can be folded, and what Expand Selection selects next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from sdfviewer.document.document import Document
from sdfviewer.document.element import ATTRIBUTE, Element
from sdfviewer.document.xml.parse import comment_end
from sdfviewer.language.markup import WORD
from sdfviewer.language.text_map import Positions

#: Elements that are listed if they have a name.
_LISTED = frozenset(
    (
        *("world", "model", "link", "joint", "frame", "visual", "collision", "sensor", "light", "actor", "plugin"),
        *("projector", "particle_emitter", "gripper", "material", "physics", "population", "road", "state"),
        *("model_state", "robot", "body", "geom", "site", "camera"),  # the latter of MJCF
    )
)
#: Show the end of longer scoped names, because each symbol repeats the name of the symbol around it.
_LONGEST_SCOPE = 1000


class Symbol(NamedTuple):
    """A named element, wherever in the text it is.

    Attributes
    ----------
    name, tag
        Its name and its tag.
    detail
        What it adds: the type of a joint or sensor, the URI of an include.
    length
        Characters of the whole element.
    selected
        Range to select, from the beginning of the element: the value of its name, or its start tag.
    children
        Symbols inside it, each with how many characters behind its beginning they begin.
    """

    name: str
    tag: str
    detail: str
    length: int
    selected: tuple[int, int]
    children: tuple[tuple[int, Symbol], ...] = ()


class FlatSymbol(NamedTuple):
    """A symbol at its place in a text.

    Attributes
    ----------
    symbol
        The named element.
    start
        Where it begins.
    around
        The scoped name of the symbol around it.
    """

    symbol: Symbol
    start: int
    around: str

    @property
    def range(self) -> tuple[int, int]:
        """Where the element begins and ends."""
        return self.start, self.start + self.symbol.length

    @property
    def name_range(self) -> tuple[int, int]:
        """Where what is to be selected begins and ends."""
        first, last = self.symbol.selected
        return self.start + first, self.start + last


class WrittenPart(NamedTuple):
    """What was written for an editor of a part of a file: so it is written again while the part begins where it began.

    Attributes
    ----------
    part
        The part, which is kept so that no other one gets its identity.
    begin
        Where it begins, as far as the text says it: line and character, or the line.
    number
        How many are written there: itself and those inside it.
    text
        What was written.
    """

    part: Symbol | Element
    begin: tuple[int, int] | int
    number: int
    text: str


#: By the identity of the part.
WrittenParts: TypeAlias = dict[int, WrittenPart]


class SymbolReader:
    """Reads the symbols of one version of a file after the other; what an edit leaves as it was is not read again.

    Attributes
    ----------
    symbols, folds
        The symbols, and the folding ranges of elements, of the version before as they were written.
    """

    def __init__(self) -> None:
        self.symbols: WrittenParts = {}
        self.folds: WrittenParts = {}
        # By the identity of the element, which is kept so that no other one gets it.
        self._last: dict[int, tuple[Element, Symbol]] = {}

    def read(self, document: Document) -> tuple[tuple[int, Symbol], ...]:
        """Return the outline of a document, up to where its text is not XML: symbols and where they begin."""
        root = document.root
        if root is None:
            return ()
        read: dict[int, tuple[Element, Symbol]] = {}
        offset = document.offset(root)
        if root.tag in _LISTED:  # as <robot> is; of <sdf> only what is inside is listed
            symbol = self._symbol_of(document, root, offset, root.attributes.get("name", ""), read)
            found: tuple[tuple[int, Symbol], ...] = ((offset, symbol),)
        else:
            found = tuple((offset + at, symbol) for at, symbol in self._inside(document, root, offset, read))
        self._last = read
        return found

    def _symbol_of(
        self, document: Document, element: Element, offset: int, name: str, read: dict[int, tuple[Element, Symbol]]
    ) -> Symbol:
        """Return the symbol of an element that begins at an offset, with those inside it."""
        known = self._last.get(id(element))
        if known is None:
            selected, tag = (0, element.start_length), element.tag
            value = document.value_offsets(element, "name", offset) if "name" in element.attributes else None
            if value is not None:
                selected = value[0] - offset, value[1] - offset
            children = tuple(self._inside(document, element, offset, read))
            known = element, Symbol(name or tag, tag, _detail(element), element.length, selected, children)
        if element.children:
            read[id(element)] = known
        return known[1]

    def _inside(
        self, document: Document, element: Element, offset: int, read: dict[int, tuple[Element, Symbol]]
    ) -> Iterator[tuple[int, Symbol]]:
        for child, at in zip(element.children, element.offsets, strict=True):
            name = _listed_name(child)
            if name is not None:
                yield at, self._symbol_of(document, child, offset + at, name, read)


def flat_symbols(symbols: Iterable[tuple[int, Symbol]], around: str = "", offset: int = 0) -> Iterator[FlatSymbol]:
    """Yield symbols with all that are inside them, each at its place."""
    for at, symbol in symbols:
        start = offset + at
        yield FlatSymbol(symbol, start, around)
        if symbol.children:
            scope = f"{around}::{symbol.name}" if around else symbol.name
            scope = scope if len(scope) <= _LONGEST_SCOPE else f"…{scope[-_LONGEST_SCOPE:]}"
            yield from flat_symbols(symbol.children, scope, start)


def _listed_name(element: Element) -> str | None:
    """Return the name under which an element below the root is listed, None where it is not."""
    if element.tag == "include":
        return element.included_name or "include"
    return element.attributes.get("name") or None if element.tag in _LISTED else None


def _detail(element: Element) -> str:
    if element.tag == "include":
        return element.text_of("uri")
    return element.attributes.get("filename" if element.tag == "plugin" else "type", "")


class Fold(NamedTuple):
    """The first and the last line of what can be folded, counted from 0."""

    first: int
    last: int


def element_folds(element: Element, offset: int, positions: Positions) -> Iterator[Fold]:
    """Yield the folding ranges of an element that begins at an offset, and of those inside it.

    The end tag of an element stays visible.
    """
    if not element.end_length:
        return
    first, last = positions.line(offset), positions.line(offset + element.length) - 1
    if last <= first:  # nor does anything inside it
        return
    yield Fold(first, last)
    for child, at in zip(element.children, element.offsets, strict=True):
        yield from element_folds(child, offset + at, positions)


def comment_folds(text: str, positions: Positions) -> Iterator[Fold]:
    """Yield the folding ranges of the comments in a text: a comment folds to its first line.

    One that is being typed does not fold over the comment that follows.
    """
    start = text.find("<!--")
    while start >= 0:
        end = comment_end(text, start)
        first, last = positions.line(start), positions.line(end)
        if last > first:
            yield Fold(first, last)
        start = text.find("<!--", end)


def end_of_first_element(document: Document, start: int, line: str) -> int | None:
    """Return the offset behind the element that begins in a line, None where none does.

    Where several elements begin in one line the first counts.

    Parameters
    ----------
    start, line
        Offset and text of the line, as the editor divides the text into lines.
    """
    column = line.find("<")
    if column < 0 or document.root is None:
        return None
    start += column
    element = document.element_at(start)
    # The match begins here, or is around what begins here: an end tag, a comment.
    if element is None or not document.text.startswith(f"<{element.tag}", start):
        return None
    return start + element.length


def selection_ranges(document: Document, offset: int) -> list[tuple[int, int]]:
    """Return ranges around an offset, the smallest first, each inside the next."""
    text = document.text
    ranges = {(0, len(text))}
    for element, start, _ in document.path_to(offset, offset):
        end = start + element.length
        tag_end, content_end = start + element.start_length, end - element.end_length
        ranges.add((start, end))
        if element.end_length and tag_end <= offset <= content_end:
            content = text[tag_end:content_end]
            if content.strip():
                first = tag_end + len(content) - len(content.lstrip())
                ranges |= {(first, tag_end + len(content.rstrip())), (tag_end, content_end)}
        elif offset <= tag_end:
            ranges.add((start, tag_end))
            for match in ATTRIBUTE.finditer(text, start + 1 + len(element.tag), tag_end):
                if match.start() <= offset <= match.end():
                    value = text.index(text[match.end() - 1], match.start()) + 1
                    ranges |= {match.span(), (value, match.end() - 1)}
    line_start, line_end = text.rfind("\n", 0, offset) + 1, text.find("\n", offset)
    words = WORD.finditer(text, line_start, len(text) if line_end < 0 else line_end)
    ranges |= {match.span() for match in words if match.start() <= offset <= match.end()}
    nested: list[tuple[int, int]] = []
    for start, end in sorted(ranges, key=lambda each: (each[1] - each[0], each)):
        if start <= offset <= end and end > start and (not nested or (start <= nested[-1][0] and nested[-1][1] <= end)):
            nested.append((start, end))
    return nested
