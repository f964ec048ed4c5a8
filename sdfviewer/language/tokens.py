"""Colours in an editor: semantic tokens by the kind of frame, and swatches of the colours that a text gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from sdfviewer.document.document import Document
from sdfviewer.document.edits import text_offsets
from sdfviewer.language.names import elements_between, rows_between, target_of, value_range
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.references import find_references
from sdfviewer.number_text import format_exact

#: The protocol's type of each kind of frame. Clients have colours for these types.
TOKEN_TYPES: dict[Kind, str] = {
    Kind.WORLD: "namespace",
    Kind.MODEL: "class",
    Kind.LINK: "struct",
    Kind.JOINT: "method",
    Kind.FRAME: "variable",
    Kind.VISUAL: "property",
    Kind.COLLISION: "property",
    Kind.SENSOR: "event",
    Kind.LIGHT: "event",
    Kind.ACTOR: "class",
    Kind.PROJECTOR: "property",
    Kind.PARTICLE_EMITTER: "property",
}
#: The type of a name that no frame has.
UNRESOLVED_TYPE = "comment"
#: All types, in the order of the legend.
LEGEND = (*dict.fromkeys(TOKEN_TYPES.values()), UNRESOLVED_TYPE)
DEFINITION = "definition"


class Token(NamedTuple):
    """A name in the text: its range, the type of its token, and whether the frame is defined here."""

    start: int
    end: int
    type: str
    is_definition: bool


def semantic_tokens(model: Model, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """Yield the names of frames between two offsets of the model's file, in their order."""
    document = model.document
    rows = range(len(model)) if end is None else rows_between(model, start, end)
    end = len(document.text) if end is None else end
    tokens = []
    for row in rows:
        written = document.value_offsets(model.elements[row], "name") if model.sources[row] is None else None
        if written is not None:
            tokens.append(Token(*written, TOKEN_TYPES[model.kinds[row]], is_definition=True))
    for reference in find_references(model, rows):
        target = target_of(model, reference)
        if target is not None:
            kind = TOKEN_TYPES[model.kinds[target]]
        else:  # a joint may name the world around the file
            kind = TOKEN_TYPES[Kind.WORLD] if reference.name == "world" else UNRESOLVED_TYPE
        tokens.append(Token(*value_range(document, reference), kind, is_definition=False))
    tokens.sort()
    last = -1
    for token in tokens:
        if token.start >= max(start, last) and token.end <= end and token.end > token.start:
            last = token.end
            yield token


_TAGS = frozenset(("ambient", "diffuse", "specular", "emissive", "color", "background", "sky", "fog"))
Rgba = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Colour:
    """The range of a colour, and its red, green, blue and alpha from 0 to 1."""

    start: int
    end: int
    rgba: Rgba


def document_colours(document: Document) -> Iterator[Colour]:
    """Yield the colours in a document, ``<diffuse>`` and others, URDF's ``rgba``."""
    for element, offset, _ in elements_between(document, 0, len(document.text)):
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
