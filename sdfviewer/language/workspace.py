"""The index of a workspace: symbols and includes of all files below its folders, open or not.

Nothing of a file's text is kept. An entry is as good as its file is unchanged: its time and size are compared before it
is used.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from pathlib import Path
from threading import Lock

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.files.opening import open_document
from sdfviewer.files.paths import Stamp, stamp_of
from sdfviewer.files.search import MOST_FILES, MOST_FOLDERS, SUFFIXES, included_uris, source_files, uris_in
from sdfviewer.language.fuzzy import FuzzyQuery
from sdfviewer.language.outline import SymbolReader, flat_symbols
from sdfviewer.language.text_map import Positions, Unit

#: Files with these suffixes are indexed.
INDEXED = (*SUFFIXES, ".urdf", ".xacro", ".mjcf")
#: The symbols of larger files are found only while they are open: to parse one takes longer than an answer may.
MOST_PARSED_BYTES = 2**20
#: After so many symbols, some 60 MiB, files are indexed without theirs.
MOST_SYMBOLS = 250_000


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of the files that are known so far have been indexed."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class FoundSymbol:
    """A symbol of a file: its name, its tag, the scoped name of what is around it, and the range of its name."""

    path: Path
    name: str
    tag: str
    around: str
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Entry:
    stamp: Stamp
    uris: Sequence[str]
    symbols: Sequence[FoundSymbol] = ()
    letters: Collection[str] = ()  # of all names, in lower case


class WorkspaceIndex:
    """Symbols and includes by file. Several threads may ask and update it.

    Parameters
    ----------
    unit
        How positions count the characters of a line.
    most_symbols
        How many symbols are kept in all.
    """

    def __init__(self, unit: Unit = Unit.UTF16, most_symbols: int = MOST_SYMBOLS) -> None:
        self._unit = unit
        self._most_symbols = most_symbols
        self._symbol_count = 0
        self._entries: dict[Path, _Entry] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def is_full(self) -> bool:
        """Whether files were left without their symbols because there were too many."""
        return self._symbol_count >= self._most_symbols

    def scan(self, folders: Iterable[Path]) -> Iterator[Progress]:
        """Index all files below folders, a folder or a file at each step; files that are gone are forgotten."""
        found: dict[Path, None] = {}
        for number, paths in enumerate(source_files(folders, INDEXED)):
            found |= dict.fromkeys(paths)
            yield Progress(0, len(found))
            if number >= MOST_FOLDERS or len(found) >= MOST_FILES:
                break
        with self._lock:
            for gone in self._entries.keys() - found.keys():
                self._forget(gone)
        for number, path in enumerate(found, 1):
            self.update(path)
            yield Progress(number, len(found))

    def update(self, path: Path) -> bool:
        """Index a file again where it has changed, forget it where it is gone; return whether its entry changed."""
        stamp = stamp_of(path)
        with self._lock:
            known = self._entries.get(path)
            if stamp is None:
                self._forget(path)
                return known is not None
            if known is not None and known.stamp == stamp:
                return False
            self._forget(path)
            self._entries[path] = self._read(path, stamp)
            return True

    def uris_of(self, path: Path) -> Sequence[str]:
        """Return the URIs of the ``<include>`` elements of a file as it is now."""
        self.update(path)
        entry = self._entries.get(path)
        return () if entry is None else entry.uris

    def find(
        self,
        query: str,
        most: int,
        without: Collection[Path] = (),
        stopped: Callable[[], bool] = lambda: False,
    ) -> list[tuple[float, FoundSymbol]]:
        """Return the symbols that match a query with their scores, the best first.

        Parameters
        ----------
        query
            What was typed, see :class:`sdfviewer.language.fuzzy.FuzzyQuery`.
        most
            How many to return at most.
        without
            Files to leave out.
        stopped
            Whether to give up: then symbols may be missing.
        """
        with self._lock:
            entries = tuple(self._entries.items())
        matches = _matches(entries, query, without, stopped)
        best = nsmallest(most, matches, key=lambda match: (-match[0], match[1].path, match[2]))
        return [(score, symbol) for score, symbol, _ in best]

    def _forget(self, path: Path) -> None:
        entry = self._entries.pop(path, None)
        if entry is not None:
            self._symbol_count -= len(entry.symbols)

    def _read(self, path: Path, stamp: Stamp) -> _Entry:
        if stamp[1] > MOST_PARSED_BYTES or self.is_full:
            return _Entry(stamp, included_uris(path))
        try:
            document = open_document(path)
        except SdfViewerError:
            return _Entry(stamp, ())
        symbols = tuple(self._symbols(path, document))
        self._symbol_count += len(symbols)
        letters = frozenset().union(*(each.name.lower() for each in symbols))
        return _Entry(stamp, uris_in(document.text), symbols, letters)

    def _symbols(self, path: Path, document: Document) -> Iterator[FoundSymbol]:
        positions = Positions(document.text, self._unit)
        for each in flat_symbols(SymbolReader().read(document)):
            (line, start), (last, end) = map(positions.position, each.name_range)
            name, scope = (text.replace("\n", " ") for text in (each.symbol.name, each.around))
            yield FoundSymbol(path, name, each.symbol.tag, scope, line, start, end if last == line else start)


def _matches(
    entries: Iterable[tuple[Path, _Entry]], query: str, without: Collection[Path], stopped: Callable[[], bool]
) -> Iterator[tuple[float, FoundSymbol, int]]:
    # A name without all letters of the query cannot match, which excludes most names.
    letters = set(query.lower()) - set(" :/")
    fuzzy = FuzzyQuery(query)
    for path, entry in entries:
        if stopped():
            return
        if path in without or not letters.issubset(entry.letters):
            continue
        for index, symbol in enumerate(entry.symbols):
            match = fuzzy.match(f"{symbol.around}::{symbol.name}" if symbol.around else symbol.name)
            if match is not None:
                yield match.score, symbol, index
