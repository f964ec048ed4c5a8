"""The highlights of a graph, and what they are computed from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtGui import QColor

from sdfviewer.graphs.graph_view import EdgeChanges, Graph, edges_along, edges_to_roots
from sdfviewer.graphs.layout import Bools, Ints
from sdfviewer.model.model import Model


@dataclass(slots=True)
class GraphMarks:
    """The highlights of a graph, by vertex and edge.

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
        A colour for each vertex that says which body it ends in, or None; families and ghosts have none.
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


def compute_marks(
    graph: Graph,
    model: Model,
    *,
    selection: Sequence[str],
    matches: Mapping[str, Sequence[int]],
    is_searching: bool,
    chain: Sequence[str],
    shows_bodies: bool,
    preview: EdgeChanges | None,
) -> GraphMarks:
    """Return the highlights of a graph.

    Parameters
    ----------
    graph, model
        The graph as drawn, and the model that it is drawn from.
    selection
        Scoped names of the selected frames.
    matches
        Offsets of the letters that match, by the scoped names that the search has found.
    is_searching
        Whether everything else is dimmed, if anything matches.
    chain
        Scoped names of the steps of a chain to highlight in place of the selection's.
    shows_bodies
        Whether vertices have the colour of their body.
    preview
        What a previewed edit would change.
    """
    selected = frozenset(v for v in map(graph.vertex, selection) if v >= 0)
    found = frozenset(v for v in map(graph.vertex, matches) if v >= 0)
    bright = None
    if is_searching and matches:
        bright = np.zeros(len(graph), dtype=bool)
        bright[list(found | selected)] = True
    # A family has as many bodies as members.
    bodies = body_colours(np.where(graph.rows >= 0, model.bodies[graph.rows], -1)) if shows_bodies else None
    steps = [graph.vertex(name) for name in chain]
    edges = edges_along(graph, steps) if steps else edges_to_roots(graph, selected)
    letters = _letters(graph, found, matches)
    return GraphMarks(selected, found, edges, bright=bright, preview=preview, letters=letters, bodies=bodies)


def _letters(graph: Graph, found: frozenset[int], matches: Mapping[str, Sequence[int]]) -> dict[int, tuple[int, ...]]:
    """Return the offsets of the letters that match in the labels that show them."""
    letters = {}
    for vertex in found:
        name, label = graph.names[vertex], graph.labels[vertex]
        if name.endswith(label):
            before = len(name) - len(label)
            letters[vertex] = tuple(at - before for at in matches.get(name, ()) if at >= before)
    return letters
