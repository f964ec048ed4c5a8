"""Colours in a text: their ranges and values, and how to write a picked colour."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sdfviewer.document.document import Document
from sdfviewer.document.edits import text_offsets
from sdfviewer.language.elements import elements_between
from sdfviewer.number_text import format_exact

_TAGS = frozenset(("ambient", "diffuse", "specular", "emissive", "color", "background", "sky", "fog"))
Rgba = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Colour:
    """The range of a colour, and its red, green, blue and alpha from 0 to 1."""

    start: int
    end: int
    rgba: Rgba


def document_colours(document: Document, start: int = 0, end: int | None = None) -> Iterator[Colour]:
    """Yield the colours between two offsets of a document, ``<diffuse>`` and others, URDF's ``rgba``."""
    for element, offset, _ in elements_between(document, start, len(document.text) if end is None else end):
        if element.tag == "color" and "rgba" in element.attributes:
            where = document.value_offsets(element, "rgba", offset) or (offset, offset)
            rgba = parse_colour(element.attributes["rgba"])
        elif element.tag in _TAGS and not element.children:
            where, rgba = text_offsets(document, element), parse_colour(element.text)
        else:
            continue
        if rgba is not None:
            yield Colour(*where, rgba)


def parse_colour(text: str) -> Rgba | None:
    """Return the colour of three or four numbers from 0 to 1, alpha 1 where it is left out; None for anything else."""
    words = text.split()
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        return None
    if len(numbers) not in (3, 4) or not all(0 <= number <= 1 for number in numbers):
        return None
    red, green, blue, alpha = (*numbers, 1.0)[:4]
    return red, green, blue, alpha


def format_colour(rgba: Rgba, *, like: str) -> str:
    """Return a colour as text, with as many numbers as ``like`` has; alpha is written where it is not 1."""
    count = 3 if len(like.split()) == 3 and rgba[3] == 1.0 else 4
    return " ".join(format_exact(round(number, 4)) for number in rgba[:count])
