"""The highlights of a graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from PySide6.QtGui import QColor

from sdfviewer.graphs.edge_changes import EdgeChanges
from sdfviewer.graphs.layout import Bools, Ints


@dataclass(slots=True)
class Marks:
    """What is pointed out in a graph, by vertex and edge.

    Attributes
    ----------
    selected, found
        Vertices of the selection and of the search.
    chain
        Edges that lead from the selection to its root.
    hovered, hovered_edge
        Under the mouse, or -1.
    bright
        Vertices that matter now, the others are dimmed; None: all.
    dragged
        The edge whose head is being moved (the index of its source vertex), or -1.
    legal
        Where the head may be dropped; None while nothing is dragged.
    preview
        What a previewed edit would change.
    letters
        Offsets of the letters in the texts of vertices that the search matches.
    bodies
        A colour for each vertex that says which body it ends in, or None.
    """

    selected: frozenset[int] = frozenset()
    found: frozenset[int] = frozenset()
    chain: frozenset[int] = frozenset()
    hovered: int = -1
    hovered_edge: int = -1
    bright: Bools | None = None
    dragged: int = -1
    legal: Bools | None = None
    preview: EdgeChanges | None = None
    letters: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    bodies: list[QColor | None] | None = None


def body_colours(bodies: Ints) -> list[QColor | None]:
    """Return a colour for each body, neighbours far apart on the colour wheel; None where there is no body."""
    order = {body: index for index, body in enumerate(dict.fromkeys(bodies[bodies >= 0].tolist()))}
    return [
        QColor.fromHslF(order[body] * 0.381966 % 1.0, 0.65, 0.55) if body in order else None for body in bodies.tolist()
    ]
