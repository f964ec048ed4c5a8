"""Semantic tokens: names of frames, coloured by the kind of frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sdfviewer.language.names import rows_between, target_of, value_range
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.references import find_references

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
