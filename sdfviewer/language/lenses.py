"""Code lenses above links, joints and frames: the number of references, and what moves with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sdfviewer.language.names import reference_counts
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model

#: In files with more rows only referenced names have a lens: thousands of "0 references" are no help.
_MANY_ROWS = 3000
_SHOWN = (Kind.MODEL, Kind.LINK, Kind.JOINT, Kind.FRAME)


@dataclass(frozen=True, slots=True)
class Lens:
    """A lens: the row that it is about, the offset of the row's element, references, and the body that carries it."""

    row: int
    offset: int
    references: int
    body: str

    @property
    def title(self) -> str:
        """The text of the references: ``2 references``."""
        return f"{self.references} reference{'' if self.references == 1 else 's'}"


def code_lenses(model: Model) -> Iterator[Lens]:
    """Yield a lens for each model, link, joint and frame that is written in the file itself."""
    counts = reference_counts(model)
    has_many = len(model) > _MANY_ROWS
    for row, kind in enumerate(model.kinds):
        if kind not in _SHOWN or model.sources[row] is not None:
            continue
        if has_many and row not in counts:
            continue
        body = int(model.bodies[row])
        carrier = model.names[body] if kind in (Kind.JOINT, Kind.FRAME) and body >= 0 else ""
        yield Lens(row, model.document.offset(model.elements[row]), counts.get(row, 0), carrier)
