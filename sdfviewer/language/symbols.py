"""The document symbols: worlds, models, links, joints and frames with their members."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sdfviewer.document.document import Document
from sdfviewer.document.element import Element

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


class WrittenSymbol(NamedTuple):
    """A symbol as it was written for an editor.

    Attributes
    ----------
    symbol, begin
        The symbol, and the line and character where it begins.
    number
        How many symbols that is, with those inside it.
    text
        What was written.
    """

    symbol: Symbol
    begin: tuple[int, int]
    number: int
    text: str


class SymbolReader:
    """Reads the symbols of one version of a file after the other; what an edit leaves as it was is not read again.

    Attributes
    ----------
    written
        The symbols of the version before as they were written, by their identity.
    """

    def __init__(self) -> None:
        self.written: dict[int, WrittenSymbol] = {}
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
