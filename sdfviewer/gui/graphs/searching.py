"""Search in a graph, by property or by fuzzy name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QObject, Signal

from sdfviewer.graphs.graph_view import Graph
from sdfviewer.gui.kit.search import Candidate, IncrementalSearch, SearchHit

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
