"""The document symbols: worlds, models, links, joints and frames with their members."""

from __future__ import annotations

from collections.abc import Iterator
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
    """A named element.

    Attributes
    ----------
    name, tag
        Its name and its tag.
    detail
        What it adds: the type of a joint or sensor, the URI of an include.
    start, end
        Range of the whole element.
    name_start, name_end
        Range to select: the value of its name, or its start tag.
    children
        Symbols inside it.
    """

    name: str
    tag: str
    detail: str
    start: int
    end: int
    name_start: int
    name_end: int
    children: tuple[Symbol, ...] = ()

    @property
    def name_range(self) -> tuple[int, int]:
        """Where its name begins and ends."""
        return self.name_start, self.name_end


def document_symbols(document: Document) -> tuple[Symbol, ...]:
    """Return the outline of a document, up to where its text is not XML."""
    root = document.root
    if root is None:
        return ()
    offset = document.offset(root)
    if root.tag in _LISTED:  # as <robot> is; of <sdf> only what is inside is listed
        return (_symbol_of(document, root, offset, root.attributes.get("name", "")),)
    return tuple(_inside(document, root, offset))


def flat_symbols(symbols: tuple[Symbol, ...], around: str = "") -> Iterator[tuple[Symbol, str]]:
    """Yield symbols with all that are inside them, each with the scoped name of the symbol around it."""
    for symbol in symbols:
        yield symbol, around
        scope = f"{around}::{symbol.name}" if around else symbol.name
        yield from flat_symbols(
            symbol.children, scope if len(scope) <= _LONGEST_SCOPE else f"…{scope[-_LONGEST_SCOPE:]}"
        )


def _listed_name(element: Element) -> str | None:
    """Return the name under which an element below the root is listed, None where it is not."""
    if element.tag == "include":
        return element.included_name or "include"
    return element.attributes.get("name") or None if element.tag in _LISTED else None


def _symbol_of(document: Document, element: Element, offset: int, name: str) -> Symbol:
    """Return the symbol of an element that begins at an offset, with those inside it."""
    start, end = offset, offset + element.start_length
    if "name" in element.attributes:
        start, end = document.value_offsets(element, "name", offset) or (start, end)
    children, tag = tuple(_inside(document, element, offset)), element.tag
    return Symbol(name or tag, tag, _detail(element), offset, offset + element.length, start, end, children)


def _inside(document: Document, element: Element, offset: int) -> Iterator[Symbol]:
    for child, at in zip(element.children, element.offsets, strict=True):
        name = _listed_name(child)
        if name is not None:
            yield _symbol_of(document, child, offset + at, name)


def _detail(element: Element) -> str:
    if element.tag == "include":
        return element.text_of("uri")
    return element.attributes.get("filename" if element.tag == "plugin" else "type", "")
