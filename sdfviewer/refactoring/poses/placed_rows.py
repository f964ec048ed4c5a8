"""Which frames move where values of what a xacro file writes change."""

from __future__ import annotations

from collections.abc import Iterable

from sdfviewer.document.element import Element
from sdfviewer.formats.xacro.expansion import XacroExpansion
from sdfviewer.formats.xacro.write_back import ChangedPart
from sdfviewer.model import graph
from sdfviewer.model.model import Model

#: Elements in that of a row whose values place the row: in URDF, and in SDFormat.
_PLACING = ("origin", "parent", "pose")


class PlacedRows:
    """Which rows of a model move where values of its expansion change: those that they place, and what hangs on them.

    Parameters
    ----------
    model
        The model of a xacro file.
    expanded
        What the file writes.
    """

    def __init__(self, model: Model, expanded: XacroExpansion) -> None:
        self._model, self._expanded = model, expanded
        self._rows = {id(element): row for row, element in enumerate(model.elements)}

    def row(self, value: tuple[Element, str]) -> int | None:
        """Return the row that a value places, None where it places none."""
        element, part = value
        is_new = part.startswith(ChangedPart.CHILD)
        tag, around = (part[1:], element) if is_new else (element.tag, self._expanded.parent(element))
        return None if around is None or tag not in _PLACING else self._rows.get(id(around))

    def moved(self, values: Iterable[tuple[Element, str]]) -> frozenset[int]:
        """Return the rows that move with values."""
        placed = [row for row in map(self.row, values) if row is not None]
        return frozenset(graph.dependents(self._model.relative_to, placed).tolist()) if placed else frozenset()
