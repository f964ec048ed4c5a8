"""Search among many names without holding up the window: a slice of them at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from sdfviewer.gui.kit.jobs import Later
from sdfviewer.language.fuzzy import FuzzyQuery, Match

Entry = TypeVar("Entry")
SLICE = 2500
"""The number of names that are matched in a slice of some milliseconds."""


# Not frozen: a list of a large world has thousands of each, and frozen ones take three times as long to make.
@dataclass(slots=True)
class Candidate(Generic[Entry]):
    """Something that can be found.

    Attributes
    ----------
    entry
        What it is.
    text, aside
        Its name, and more words that count but are not shown; see :meth:`FuzzyQuery.match`.
    rank
        Candidates of a lower rank come first, however well others match.
    """

    entry: Entry
    text: str
    aside: str = ""
    rank: int = 0


@dataclass(slots=True)
class SearchHit(Generic[Entry]):
    """A candidate that matches."""

    candidate: Candidate[Entry]
    match: Match

    @property
    def entry(self) -> Entry:
        """What was found."""
        return self.candidate.entry


class IncrementalSearch(QObject):
    """Finds candidates by a few letters; a new query ends the search before.

    Up to `SLICE` candidates are searched at once, so that short lists answer at each key. A query that continues the
    last one looks only at what matched that one.
    """

    #: A query takes more than a slice.
    began = Signal()
    #: All `Hit`s of the present query, the best first.
    found = Signal(list)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._candidates: Sequence[Candidate[Any]] = ()
        self._query = FuzzyQuery("")
        self._pending: Sequence[Candidate[Any]] = ()
        self._next = 0
        self._hits: list[SearchHit[Any]] = []
        #: The last query that was answered, and what matched it, in the order of the candidates.
        self._answered: tuple[FuzzyQuery, list[SearchHit[Any]]] | None = None
        self._later = Later(self)

    @property
    def is_running(self) -> bool:
        """Whether there is more to search."""
        return self._later.has_jobs

    def set_candidates(self, candidates: Sequence[Candidate[Any]]) -> None:
        """Search among others from the next query on."""
        self._later.stop()
        self._candidates = candidates
        self._answered = None

    def search(self, text: str) -> None:
        """Find what matches a text; `found` is emitted when all is searched, at once for short lists."""
        self._later.stop()
        self._query = FuzzyQuery(text)
        self._next, self._hits = 0, []
        if self._answered is not None and self._query.narrows(self._answered[0]):
            self._pending = [hit.candidate for hit in self._answered[1]]
        else:
            self._pending = self._candidates
        self._search_slice()
        if self.is_running:
            self.began.emit()

    def stop(self) -> None:
        """Give the search up."""
        self._later.stop()

    def _search_slice(self) -> None:
        match = self._query.match
        for candidate in self._pending[self._next : self._next + SLICE]:
            matched = match(candidate.text, candidate.aside)
            if matched is not None:
                self._hits.append(SearchHit(candidate, matched))
        self._next += SLICE
        if self._next < len(self._pending):
            self._later.do(self._search_slice)
            return
        self._answered = (self._query, self._hits)
        self.found.emit(sorted(self._hits, key=lambda hit: (hit.candidate.rank, -hit.match.score)))
