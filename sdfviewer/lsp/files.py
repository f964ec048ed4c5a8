"""The open files of an editor, text and model, and the workspace that is indexed in the background.

It is indexed in slices between requests, with progress, and kept up to date.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TypeVar
from uuid import uuid4

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from sdfviewer.contracts import ContractCheck
from sdfviewer.diagnostics import Diagnostic, Replacement
from sdfviewer.document.document import Document, parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.files.paths import real_path
from sdfviewer.files.search import uris_in
from sdfviewer.formats.load import Loader
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.garbage_collection import paused_collection
from sdfviewer.language.completion import Open, Outline
from sdfviewer.language.outline import Symbol, SymbolReader
from sdfviewer.language.text_map import Positions, TextMap, Unit, plain
from sdfviewer.language.workspace import INDEXED, Progress, WorkspaceIndex
from sdfviewer.model.model import Model
from sdfviewer.refactoring.fix_offers import offer_fixes
from sdfviewer.session.included_files import included_files as included_by_session

#: The length of a slice: a request that arrives meanwhile waits for this and one file at most.
_SLICE_SECONDS = 0.01
#: How often progress is reported.
_REPORT_SECONDS = 0.25
#: An index that is ready within this time shows no progress.
_QUIET_SECONDS = 0.3

_Answer = TypeVar("_Answer")


class Indexing:
    """Fills a workspace index on the server's worker thread.

    Parameters
    ----------
    server
        Shows progress.
    run
        Runs a job on the worker thread, behind the requests that wait for it.
    """

    def __init__(self, server: LanguageServer, run: Callable[[Callable[[], object]], Awaitable[object]]) -> None:
        self._server = server
        self._run = run
        self._task: asyncio.Task[None] | None = None
        self.index = WorkspaceIndex()

    def start(self, folders: Iterable[Path], index: WorkspaceIndex | None = None) -> None:
        """Index folders; what is being indexed is given up. What has not changed is not read again."""
        self.cancel()
        if index is not None:
            self.index = index
        self._task = asyncio.get_running_loop().create_task(self._fill(tuple(folders)))

    def cancel(self) -> None:
        """Stop indexing; what is indexed so far stays."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def update(self, paths: Iterable[Path]) -> None:
        """Index files again that have changed on the disk, appeared or gone."""
        changed = [path for path in paths if path.name.lower().endswith(INDEXED)]

        def run() -> None:
            for path in changed:
                self.index.update(real_path(path))

        if changed:
            await self._run(run)

    async def _fill(self, folders: tuple[Path, ...]) -> None:
        steps, started = self.index.scan(folders), time.monotonic()
        token: str | None = None
        reported = 0.0
        try:
            while True:
                progress = await self._run(lambda: _slice(steps))
                if not isinstance(progress, Progress):
                    break
                now = time.monotonic()
                if token is None and now - started > _QUIET_SECONDS and self._shows_progress:
                    token = await self._begin()
                if token is not None and now - reported > _REPORT_SECONDS:
                    reported = now
                    self._report(token, progress)
                if token is not None and self._server.work_done_progress.tokens[token].cancelled():
                    break
        finally:
            if token is not None:
                self._end(token)

    @property
    def _shows_progress(self) -> bool:
        return bool(get_capability(self._server.client_capabilities, "window.work_done_progress", False))

    async def _begin(self) -> str | None:
        token = str(uuid4())
        try:
            await asyncio.shield(self._server.work_done_progress.create_async(token))
        except JsonRpcException:
            return None  # the editor has changed its mind: the work is done without
        begin = types.WorkDoneProgressBegin("Indexing models", cancellable=True, percentage=0)
        self._server.work_done_progress.begin(token, begin)
        return token

    def _report(self, token: str, progress: Progress) -> None:
        percentage = 100 * progress.done // max(progress.total, 1)
        message = f"{progress.done} of {progress.total} files"
        report = types.WorkDoneProgressReport(message=message, percentage=percentage, cancellable=True)
        self._server.work_done_progress.report(token, report)

    def _end(self, token: str) -> None:
        text = f"{len(self.index)} files"
        if self.index.is_full:
            text += "; too many symbols, some are found in open files only"
        self._server.work_done_progress.end(token, types.WorkDoneProgressEnd(message=text))


def _slice(steps: Iterator[Progress]) -> Progress | None:
    """Do some of the work; return how far it is, None where it is done."""
    end = time.monotonic() + _SLICE_SECONDS
    progress = next(steps, None)
    while progress is not None and time.monotonic() < end:
        progress = next(steps, None)
    return progress


@dataclass(frozen=True)
class Meaning:
    """What a version of a text means.

    Attributes
    ----------
    model
        The model, None where it has none.
    diagnostics
        All of them.
    refused
        The xacro files among what it is made of that may not be evaluated.
    """

    model: Model | None
    diagnostics: tuple[Diagnostic, ...]
    refused: tuple[Document, ...] = ()


@dataclass
class LastModel:
    """The last model of a file whose text could be read, and the version of the text that it is of."""

    model: Model | None = None
    version: int = 0


@dataclass(frozen=True)
class Snapshot:
    """One version of an open file. Immutable, so that an answer may be computed while the next key is typed.

    Attributes
    ----------
    uri, version
        As the editor calls them.
    document, positions
        The text, and positions in it.
    last
        For names while the present text is half typed.
    reader
        Reads its symbols, as it has read those of the versions before.
    """

    uri: str
    version: int
    document: Document
    positions: Positions
    last: LastModel = field(default_factory=LastModel, repr=False)
    reader: SymbolReader = field(default_factory=SymbolReader, repr=False)

    @property
    def last_model(self) -> Model | None:
        """The last model of the file whose text could be read."""
        return self.last.model

    @property
    def shown(self) -> Document:
        """The text with its elements, also while it cannot be read: what is only looked at is found in it."""
        return self.document.recovered

    @cached_property
    def symbols(self) -> tuple[tuple[int, Symbol], ...]:
        """The document symbols, and where they begin."""
        with paused_collection():
            return self.reader.read(self.shown)

    @property
    def text(self) -> str:
        """The text."""
        return self.document.text

    def offset(self, position: types.Position) -> int:
        """Return the offset of a position."""
        return self.positions.offset(position.line, position.character)

    def offsets(self, where: types.Range) -> tuple[int, int]:
        """Return the offsets of the start and the end of a range."""
        return self.offset(where.start), self.offset(where.end)

    def open_elements_at(self, text: str, offset: int) -> list[Open]:
        """Return the elements that are open at an offset of a text with plain line ends, half typed or not."""
        return Outline(self.document, TextMap(self.text)).open_at(text, offset)

    def text_before(self, offset: int) -> str:
        """Return the text before an offset with plain line ends."""
        return plain(self.text[:offset])


@dataclass(frozen=True, slots=True)
class Edited:
    """A change of a text: the range that is replaced as (line, character) pairs, None for all, and the new text."""

    start: tuple[int, int] | None
    end: tuple[int, int] | None
    text: str


class IncludedTexts(Mapping[Path, Document]):
    """The open documents as other files include them: with their elements, also while a tag is half typed.

    Parameters
    ----------
    documents
        The open documents by path, as their texts are.
    """

    def __init__(self, documents: Mapping[Path, Document]) -> None:
        self._documents = documents

    def __getitem__(self, path: Path) -> Document:
        return self._documents[path].recovered

    def __iter__(self) -> Iterator[Path]:
        return iter(self._documents)

    def __len__(self) -> int:
        return len(self._documents)


def included_files(model: Model, others: Sequence[Document] = ()) -> frozenset[Path]:
    """Return the files that the file of a model includes, at once or through others; see ``included_documents``."""
    return frozenset(map(real_path, included_by_session(model, model.document, others)))


class ServerFile:
    """An open file: its present snapshot, and the cache that makes an edit cost what it touches.

    Parameters
    ----------
    uri, path
        Its address, and its path where it is on the disk.
    text, version
        As the editor sends them.
    finder
        Where included files are looked for.
    unsaved
        Open documents by path; they are included in place of what is on the disk.
    unit
        How the editor counts characters.
    expander
        Evaluates the xacro files that may be.
    """

    def __init__(
        self,
        uri: str,
        path: Path | None,
        text: str,
        version: int,
        finder: Finder,
        unsaved: dict[Path, Document],
        unit: Unit,
        expander: Expander,
    ) -> None:
        self.path = path
        self._expander = expander
        self._lock = Lock()
        self._unit = unit
        self._unsaved = unsaved
        self.take_finder(finder)
        self._meaning: tuple[Document, Meaning] | None = None
        self._changes_around = 0
        # Files that the last version that could be read includes, at once or through others.
        self._included: frozenset[Path] = frozenset()
        document = parse_document(text, path)
        self.snapshot = Snapshot(uri, version, document, Positions(text, unit))
        self._publish()

    def _publish(self) -> None:
        if self.path is not None:
            self._unsaved[real_path(self.path)] = self.snapshot.document

    def change(self, changes: Iterable[Edited], version: int) -> None:
        """Apply changes one after the other. Only what they touch is read again."""
        document, positions = self.snapshot.document, self.snapshot.positions
        for change in changes:
            if change.start is None or change.end is None:
                document = parse_document(change.text, self.path)
            else:
                start, end = positions.offset(*change.start), positions.offset(*change.end)
                document = document.edited([Replacement(start, max(start, end), change.text)])
            positions = Positions(document.text, self._unit)
        self.snapshot = replace(self.snapshot, version=version, document=document, positions=positions)
        self._publish()

    def close(self) -> None:
        """Let other files include what is on the disk again."""
        if self.path is not None:
            self._unsaved.pop(real_path(self.path), None)

    def take_finder(self, finder: Finder) -> None:
        """Look for included files with another finder from now on, from the next version of the text."""
        expander = self._expander.fork()
        self._loader = Loader(
            finder, self._unsaved, expander, extra_checks=[ContractCheck(finder)], offer_fixes=offer_fixes
        )
        self._shown_loader = Loader(finder, IncludedTexts(self._unsaved), expander)

    def may_include(self, path: Path | None) -> bool:
        """Return whether a file is included, or may be by its name, in the file as it was read last."""
        if path is None:
            return False
        if real_path(path) in self._included:
            return True
        names = {path.name, path.parent.name}
        return any(not names.isdisjoint(uri.replace("\\", "/").split("/")) for uri in uris_in(self.snapshot.text))

    @property
    def loader(self) -> Loader:
        """The loader of this file, for refactorings."""
        return self._loader

    def forget(self) -> None:
        """Forget what the text means: an included file has changed."""
        self._changes_around += 1
        self._meaning = None

    def meaning(self, snapshot: Snapshot) -> Meaning:
        """Return the model of a snapshot. The last one is cached; one thread at a time loads."""
        with self._lock:
            return self._find_meaning(snapshot)

    def _find_meaning(self, snapshot: Snapshot) -> Meaning:
        if self._meaning is not None and self._meaning[0] is snapshot.document:
            return self._meaning[1]
        changes_around = self._changes_around
        model, diagnostics = self._loader.load_with_diagnostics(snapshot.document)
        if any(each.recovered is not each for each in (snapshot.document, *list(self._unsaved.values()))):
            model, _ = self._shown_loader.load_with_diagnostics(snapshot.shown)
        meaning = Meaning(model, diagnostics, tuple(self._loader.expander.refused))
        if changes_around != self._changes_around or snapshot.version < snapshot.last.version:
            return meaning  # of a text, or of included files, that there are newer ones of
        self._meaning = (snapshot.document, meaning)
        if meaning.model is not None:
            self._included = included_files(meaning.model)
            snapshot.last.model, snapshot.last.version = meaning.model, snapshot.version
        return meaning

    def model(self, snapshot: Snapshot) -> Model | None:
        """Return the model of a snapshot, of :attr:`Snapshot.shown`; None where its text means nothing at present."""
        return self.meaning(snapshot).model
