"""What is pointed out in a graph."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor

from sdfviewer.gui.graphs.trying import Tried
from sdfviewer.scene.graph_layout import Bools


@dataclass(slots=True)
class Marks:
    """What is pointed out in a graph at the moment, by vertex and edge.

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
    tried
        What an edit that is only looked at would change.
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
    tried: Tried | None = None
    bodies: list[QColor | None] | None = None
