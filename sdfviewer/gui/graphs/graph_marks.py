"""The highlights of a graph: of what is selected, pointed at or a problem, and of what a search finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor

from sdfviewer.graphs.graph_view import EdgeChanges, Graph, edges_along, edges_to_roots
from sdfviewer.graphs.layout import Bools, Ints
from sdfviewer.gui.kit.search import Candidate, IncrementalSearch, SearchHit
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


#: Of names that match at all, those are found that match at least this much as well as the best one.
WORTH = 0.5


@dataclass(frozen=True, slots=True)
class VertexMatches:
    """The result of a search in a graph.

    Attributes
    ----------
    query
        What was searched for; nothing is searched for where it is empty.
    letters
        Scoped names of the vertices found, the best match first, with the offsets of the letters that match.
    """

    query: str = ""
    letters: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


class GraphSearch(QObject):
    """Finds vertices of one graph."""

    #: All that matches the present query.
    found = Signal(VertexMatches)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._graph: Graph | None = None
        self._query = ""
        self._filters: list[str] | None = None
        self._index = IncrementalSearch(self)
        self._index.found.connect(self._report)

    @property
    def is_running(self) -> bool:
        """Whether there is more to search."""
        return self._index.is_running

    def show_graph(self, graph: Graph | None) -> None:
        """Search in another graph; what is found in it is reported where there is something to search for."""
        self._index.stop()
        self._graph, self._filters = graph, None
        if self._query:
            self.search(self._query)

    def search(self, query: str) -> None:
        """Find the vertices that match every word of a query.

        Parameters
        ----------
        query
            Letters of scoped names, as :class:`FuzzyQuery` reads them, and words for properties: see `filter_vertices`.
        """
        self._query = query.strip()
        self._index.stop()
        if not self._query or self._graph is None:
            self.found.emit(VertexMatches())
            return
        words = self._query.split()
        filters = [word for word in words if is_filter(word)]
        if filters != self._filters:
            self._filters = filters
            names = self._graph.names
            self._index.set_candidates([Candidate(v, names[v]) for v in filter_vertices(self._graph, filters)])
        self._index.search(" ".join(word for word in words if not is_filter(word)))

    def _report(self, hits: Sequence[SearchHit[int]]) -> None:
        graph = self._graph
        assert graph is not None
        least = WORTH * hits[0].match.score if hits else 0.0
        letters = {graph.names[hit.entry]: hit.match.positions for hit in hits if hit.match.score >= least}
        self.found.emit(VertexMatches(self._query, letters))


def is_filter(word: str) -> bool:
    """Return whether a word of a query means a property: ``kind:``, ``model:`` or ``is:`` and a value."""
    key, colon, _ = word.lower().partition(":")
    return bool(colon) and key in {"kind", "model", "is"} and not word.startswith(f"{key}::")


def filter_vertices(graph: Graph, words: Sequence[str]) -> list[int]:
    """Return the vertices that have every property of some words.

    Parameters
    ----------
    graph
        Where to search.
    words
        ``kind:joint`` means a kind, ``model:arm`` everything in models whose name has ``arm``, ``is:unresolved``,
        ``is:default``, ``is:canonical`` and ``is:static`` what they say.
    """
    chosen = list(range(len(graph)))
    sets = {
        "default": frozenset(graph.sources[~graph.written].tolist()),
        "unresolved": frozenset(np.flatnonzero(graph.unresolved).tolist()),
        "canonical": frozenset(np.flatnonzero(graph.canonical).tolist()),
        "static": frozenset(np.flatnonzero(graph.static).tolist()),
    }
    for word in words:
        key, _, value = word.lower().partition(":")
        if key == "kind":
            chosen = [v for v in chosen if graph.kinds[v].startswith(value)]
        elif key == "model":
            chosen = [v for v in chosen if value in graph.names[v].lower().rpartition("::")[0]]
        else:
            kept = sets.get(value, frozenset())
            chosen = [v for v in chosen if v in kept]
    return chosen
