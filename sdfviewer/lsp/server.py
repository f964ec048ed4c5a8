"""The language server: open files, the worker thread and diagnostics."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event, local
from typing import Any, TypeVar

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import (
    JsonRpcContentModified,
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcRequestCancelled,
    PyglsError,
)
from pygls.lsp.server import LanguageServer

from sdfviewer import __version__
from sdfviewer.diagnostics import Diagnostic, SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.files.configuration import NAMES, ConfigurationError, find_configuration, reported
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import current_folder
from sdfviewer.files.paths import home_folder
from sdfviewer.files.search import find_including, search_places
from sdfviewer.formats.load import Loader
from sdfviewer.formats.xacro.decisions import Decisions
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.language.annotations import HintKind
from sdfviewer.language.text_map import Unit
from sdfviewer.language.workspace import INDEXED, WorkspaceIndex
from sdfviewer.lsp.files import Edited, Indexing, ServerFile, Snapshot
from sdfviewer.lsp.protocol import Protocol, Ranges, RulePages, path_of


@dataclass(frozen=True)
class ServerSettings:
    """The settings of an editor.

    Attributes
    ----------
    hints
        Kinds of inlay hints that are shown.
    paths
        Model paths, relative to the workspace folder.
    lenses
        Whether code lenses are shown.
    lens_commands
        Whether the editor knows the commands of the lenses itself, as the extension for VS Code does.
    rule_pages
        Address of the rules' pages, to which ``/NAME.html`` is added; empty for pages on this computer.
    index
        Whether files that are not open are indexed.
    workspace_problems
        Whether files that are not open are checked when the editor asks for the problems of the workspace.
    """

    hints: tuple[HintKind, ...] = tuple(HintKind)
    paths: tuple[str, ...] = ()
    lenses: bool = True
    lens_commands: bool = False
    rule_pages: str = ""
    index: bool = True
    workspace_problems: bool = True

    @classmethod
    def read(cls, options: object) -> ServerSettings:
        """Return the settings in ``initializationOptions`` or a configuration; whatever is not understood is left out.

        An example: ``{"paths": ["models"], "hints": {"unit": false}, "codeLens": true}``.
        """
        written = options if isinstance(options, dict) else {}
        wanted = written.get("hints", {})
        if isinstance(wanted, bool):
            hints = tuple(HintKind) if wanted else ()
        else:
            off = {name for name, on in wanted.items() if on is False} if isinstance(wanted, dict) else set()
            hints = tuple(kind for kind in HintKind if kind.value not in off)
        paths = written.get("paths", [])
        pages = written.get("rulePages", "")
        return cls(
            hints,
            tuple(path for path in paths if isinstance(path, str)) if isinstance(paths, list) else (),
            written.get("codeLens") is not False,
            written.get("lensCommands") is True,
            pages.rstrip("/") if isinstance(pages, str) else "",
            written.get("index") is not False,
            written.get("workspaceProblems") is not False,
        )


#: How long after the last key problems are computed; shorter than the interval of a repeating key.
_DEBOUNCE_SECONDS = 0.03

_DEPENDENT = "dependent"

_Answer = TypeVar("_Answer")
_DocumentAnswer = TypeVar("_DocumentAnswer", bound=Callable[..., Any])
#: A file, its version where it is open, and its edits.
FileChange = tuple[str, int | None, list[types.TextEdit]]


class SdfServer(LanguageServer):
    """The server. Text changes are applied in the event loop; everything else is computed on one worker thread, and
    what reads many files on a second one.

    A request that is cancelled before its turn is never computed, a longer one stops, and an answer to a text that has
    changed meanwhile is never sent.
    """

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("sdfviewer", __version__, types.TextDocumentSyncKind.Incremental, protocol_cls=Protocol)
        # The texts are here, in `open_files`; the base class would keep them a second time.
        for method in (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE, types.TEXT_DOCUMENT_DID_CLOSE):
            self.protocol.fm.builtin_features.pop(method, None)
        self.settings = ServerSettings()
        self.finder = Finder()
        self._paths: list[Path] = []
        self._finders: dict[tuple[Path, ...], Finder] = {}
        self.decisions = Decisions("use a quick fix")
        self.expander = Expander(permission=self.decisions)
        self.open_files: dict[str, ServerFile] = {}
        self.unsaved: dict[Path, Document] = {}
        self.folders: list[Path] = []
        #: Called with the address of a file whose text has changed, and of one with the frame at its caret.
        self.changed: list[Callable[[str], None]] = []
        self.pointed: list[Callable[[str, str], None]] = []
        #: Called with the files that have changed on the disk.
        self.disk_changed: list[Callable[[Sequence[Path]], None]] = []
        #: False if the editor ends the server without having shut it down.
        self.left_in_order = True
        #: Called when the editor ends.
        self.closing: list[Callable[[], None]] = []
        self.rule_pages = RulePages()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="sdfviewer")
        self.long_worker = ThreadPoolExecutor(1, thread_name_prefix="sdfviewer-long")
        self._job = local()
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._refresh_timer: asyncio.TimerHandle | None = None
        self._refreshing: set[asyncio.Task[None]] = set()
        self.indexing = Indexing(self, self.run)

    # --- settings --------------------------------------------------------------------------------------------------

    @property
    def unit(self) -> Unit:
        """How the editor counts characters, as it was negotiated."""
        encoding = self.server_capabilities.position_encoding
        return Unit(getattr(encoding, "value", encoding)) if encoding is not None else Unit.UTF16

    def supports(self, capability: str) -> bool:
        """Return whether the editor has a capability, for example ``workspace.workspace_edit.document_changes``."""
        return bool(get_capability(self.client_capabilities, capability, False))

    def configure(self, options: object) -> None:
        """Take the editor's settings, before the files that it opens."""
        self.settings = ServerSettings.read(options)
        self.rule_pages.close()
        self.rule_pages = RulePages(self.settings.rule_pages)
        self._take_folders()

    def reconfigure(self, options: object) -> None:
        """Take settings that have changed."""
        self.configure(options)
        for file in self.open_files.values():
            file.take_finder(self.finder_for(file.path))
        self.look_again()

    def _take_folders(self) -> None:
        folders = [path for folder in self.workspace.folders.values() if (path := path_of(folder.uri)) is not None]
        folders = folders or ([root] if (root := path_of(self.workspace.root_uri or "")) is not None else [])
        base = folders[0] if folders else current_folder()
        # Never search the whole disk or the home folder.
        home = home_folder()
        self.folders = [folder for folder in folders if folder not in (home, *home.parents)]
        self._paths = [base / path for path in self.settings.paths]
        self._finders = {}
        paths = list(self._paths)
        for folder in self.folders:
            try:
                paths += find_configuration(folder / "any").paths
            except ConfigurationError:
                continue  # `sdfviewer check` reports it
        self.finder = Finder(paths)

    def finder_for(self, path: Path | None) -> Finder:
        """Return what finds the files that a file names: in the folders of the nearest settings file above it.

        The command line looks for that file in the same way. What belongs to no file finds all that the workspace has.
        """
        if path is None:
            return self.finder
        try:
            paths = find_configuration(path).paths
        except ConfigurationError:
            paths = ()  # `sdfviewer check` reports it
        if paths not in self._finders:
            self._finders[paths] = Finder([*self._paths, *paths])
        return self._finders[paths]

    def start_indexing(self) -> None:
        """Index the folders of the workspace in the background."""
        self._take_folders()
        if self.settings.index:
            is_new = len(self.indexing.index) == 0
            self.indexing.start(self.folders, WorkspaceIndex(self.unit) if is_new else None)

    def end(self) -> None:
        """Let go of everything: the editor ends."""
        self.indexing.cancel()
        if self._refresh_timer is not None:
            self._refresh_timer.cancel()
        self.rule_pages.close()
        for close in self.closing:
            close()

    def report_server_error(self, error: Exception, source: type[PyglsError | JsonRpcException]) -> None:
        """Show an error in the editor, unless it is that a message cannot be sent: neither could this one."""
        if source is not JsonRpcInternalError:
            super().report_server_error(error, source)

    # --- open files ------------------------------------------------------------------------------------------------

    def file(self, uri: str) -> ServerFile:
        """Return an open file.

        Raises
        ------
        JsonRpcInvalidParams
            If the editor has not opened it.
        """
        file = self.open_files.get(uri)
        if file is None:
            raise JsonRpcInvalidParams(f"{uri} is not open")
        return file

    def open(self, document: types.TextDocumentItem) -> None:
        """Take a file that the editor has opened."""
        path = path_of(document.uri)
        finder = self.finder_for(path)
        file = ServerFile(
            document.uri, path, document.text, document.version, finder, self.unsaved, self.unit, self.expander
        )
        self.open_files[document.uri] = file
        self.look_at(document.uri)

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Apply what was typed."""
        changes = []
        for each in params.content_changes:
            where = getattr(each, "range", None)
            start = None if where is None else (where.start.line, where.start.character)
            end = None if where is None else (where.end.line, where.end.character)
            changes.append(Edited(start, end, each.text))
        uri = params.text_document.uri
        self.file(uri).change(changes, params.text_document.version)
        self.look_at(uri)
        for react in self.changed:
            react(uri)

    def close(self, uri: str) -> None:
        """Forget a file that the editor has closed."""
        file = self.open_files.pop(uri, None)
        if file is not None:
            file.close()
            self._look_at_dependents(file)
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    async def update_disk(self, paths: Iterable[Path]) -> None:
        """Look at files again that have changed on the disk, and at what may include them."""
        changed = list(paths)
        for finder in (self.finder, *self._finders.values()):
            finder.forget()
        if any(path.name in NAMES for path in changed):
            self._take_folders()
            for file in self.open_files.values():
                file.take_finder(self.finder_for(file.path))
        for react in self.disk_changed:
            react(changed)
        opened = {file.path for file in self.open_files.values()}
        if any(path not in opened for path in changed):
            self.look_again()
        await self.indexing.update(changed)

    def look_again(self) -> None:
        """Find out again what all open files mean: something around them has changed."""
        for uri, file in self.open_files.items():
            file.forget()
            self._publish_soon(uri)
        self._refresh_soon()

    # --- answers ---------------------------------------------------------------------------------------------------

    def answers(
        self,
        request: str,
        options: object = None,
        *,
        takes_long: bool = False,
        uri_in: Callable[[Any], str] = lambda params: str(params.text_document.uri),
    ) -> Callable[[_DocumentAnswer], _DocumentAnswer]:
        """Let a function answer a request about a file, on the worker thread: of its parameters and what is known then.

        Parameters
        ----------
        request, options
            Its name in the protocol, and what the editor is told of it.
        takes_long
            Whether many files are read for it, see :meth:`compute_long`; else :meth:`compute`.
        uri_in
            Returns the file's URI in the parameters.
        """

        def take(answer: _DocumentAnswer) -> _DocumentAnswer:
            @self.feature(request, options)
            async def respond(params: Any) -> Any:
                compute = self.compute_long if takes_long else self.compute
                return await compute(uri_in(params), partial(answer, params))

            return answer

        return take

    async def compute(self, uri: str, answer: Callable[[ServerFile, Snapshot, Ranges], _Answer]) -> _Answer:
        """Return an answer about the present version of a file, computed on the worker thread.

        Raises
        ------
        JsonRpcContentModified
            If the text has changed before the answer was there.
        """
        file = self.file(uri)
        snapshot = file.snapshot

        def check() -> None:
            if self.is_stopped():
                raise JsonRpcRequestCancelled
            self._refuse_stale(file, snapshot)

        def job() -> _Answer:
            check()
            return answer(file, snapshot, Ranges(self.unit, snapshot, self.rule_pages, check))

        result = await self.run(job)
        self._refuse_stale(file, snapshot)
        return result

    async def compute_long(self, uri: str, answer: Callable[[ServerFile, Snapshot, Ranges], _Answer]) -> _Answer:
        """Return an answer for which many files are read: other answers do not wait for it.

        Raises
        ------
        JsonRpcContentModified
            If the text has changed before the answer was there.
        """
        file = self.file(uri)
        snapshot = file.snapshot
        await self.compute(uri, lambda *known: file.meaning(snapshot))  # kept: the second thread seldom loads again
        ranges = Ranges(self.unit, snapshot, self.rule_pages)
        result = await self.run(lambda: answer(file, snapshot, ranges), self.long_worker)
        self._refuse_stale(file, snapshot)
        return result

    def _refuse_stale(self, file: ServerFile, snapshot: Snapshot) -> None:
        if self.open_files.get(snapshot.uri) is not file or file.snapshot.version != snapshot.version:
            raise JsonRpcContentModified("the text has changed")

    async def run(self, job: Callable[[], _Answer], worker: ThreadPoolExecutor | None = None) -> _Answer:
        """Run a job on a worker thread. If it is cancelled, :meth:`is_stopped` tells it so."""
        stopped = Event()

        def run() -> _Answer:
            self._job.stopped = stopped
            return job()

        try:
            return await asyncio.get_running_loop().run_in_executor(worker or self._worker, run)
        except asyncio.CancelledError:
            stopped.set()
            raise

    def is_stopped(self) -> bool:
        """Return whether the request that is being answered was cancelled; to be asked on its worker thread."""
        return bool(self._job.stopped.is_set())

    def make_loader(self, path: Path | None) -> Loader:
        """Return what loads files around one, as they are typed where they are open."""
        return Loader(self.finder_for(path).fresh(), self.unsaved, self.expander.fork(), keeps_all=True)

    def dependents_of(self, document: Document) -> Sequence[Document]:
        """Return the files that include a file, at once or through others, open ones as they are typed.

        To be asked on the worker thread: it may take a while.
        """
        if document.path is None:
            return ()
        finder, path = self.finder.fresh(), document.path
        opened = [file.snapshot.document for file in tuple(self.open_files.values()) if file.path != path]
        places = (*self.folders, *search_places(path), *finder.model_folders)
        uris_of = self.indexing.index.uris_of
        return find_including(path, places, finder, opened, self.is_stopped, uris_of).documents

    # --- diagnostics -----------------------------------------------------------------------------------------------

    @property
    def pulls_diagnostics(self) -> bool:
        """Whether the editor asks for diagnostics itself; then none are pushed."""
        return self.supports("text_document.diagnostic")

    def look_at(self, uri: str) -> None:
        """Publish the diagnostics of a file once its text is left alone, and of those that include it."""
        self._publish_soon(uri)
        self._look_at_dependents(self.open_files[uri])

    def _look_at_dependents(self, file: ServerFile) -> None:
        dependents = [
            uri for uri, other in self.open_files.items() if other is not file and other.may_include(file.path)
        ]
        for uri in dependents:
            self.open_files[uri].forget()
            self._publish_soon(uri)
        if dependents:
            self._refresh_soon()

    def _publish_soon(self, uri: str) -> None:
        previous = self._waiting.pop(uri, None)
        if previous is not None:
            previous.cancel()
        if not self.pulls_diagnostics:
            self._waiting[uri] = asyncio.get_running_loop().create_task(self._publish(uri))

    async def _publish(self, uri: str) -> None:
        await asyncio.sleep(_DEBOUNCE_SECONDS)
        try:
            found = await self.compute(uri, diagnostics_of)
        except (JsonRpcContentModified, JsonRpcInvalidParams):
            return  # a later version is looked at in its turn
        file = self.open_files.get(uri)
        if file is not None:
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, file.snapshot.version))

    def _refresh_soon(self) -> None:
        """Let the editor ask again for what it shows of files whose text has not changed."""
        # A request to the editor that is under way is never cancelled, because its response would match no request.
        if self._refresh_timer is not None:
            self._refresh_timer.cancel()
        loop = asyncio.get_running_loop()
        self._refresh_timer = loop.call_later(_DEBOUNCE_SECONDS, self._start_refresh)

    def _start_refresh(self) -> None:
        task = asyncio.get_running_loop().create_task(self._refresh())
        self._refreshing.add(task)
        task.add_done_callback(self._refreshing.discard)

    async def _refresh(self) -> None:
        for what, refresh in (
            ("diagnostics", self.workspace_diagnostic_refresh_async),
            ("inlay_hint", self.workspace_inlay_hint_refresh_async),
            ("semantic_tokens", self.workspace_semantic_tokens_refresh_async),
            ("code_lens", self.workspace_code_lens_refresh_async),
        ):
            if self.supports(f"workspace.{what}.refresh_support"):
                try:
                    await refresh(None)
                except JsonRpcException:
                    continue  # the editor shows what it had: it cannot refresh after all

    async def watch_files(self) -> None:
        """Ask the editor to tell when a file of the workspace changes on the disk."""
        if not self.supports("workspace.did_change_watched_files.dynamic_registration"):
            return
        names = ",".join(suffix[1:] for suffix in (*INDEXED, ".config", ".toml", ".yaml", ".yml"))
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(f"**/*.{{{names}}}")])
        registration = types.Registration("watch", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        try:
            await self.client_register_capability_async(types.RegistrationParams([registration]))
        except JsonRpcException:
            return  # what changes is seen when it is saved in this editor, or when it is requested


def diagnostics_of(file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> list[types.Diagnostic]:
    """Return the diagnostics of a file as the editor shows them."""
    return ranges.diagnostics(reported_in(file, snapshot))


def reported_in(file: ServerFile, snapshot: Snapshot) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of an open file that are reported."""
    return reported_of(snapshot.document, file.meaning(snapshot).diagnostics)


def reported_of(document: Document, diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a document that neither a comment nor the project's configuration suppresses."""
    try:
        configuration = find_configuration(document.path)
    except ConfigurationError:
        configuration = None  # `sdfviewer check` reports it; nothing is suppressed meanwhile
    return reported(document, diagnostics, configuration)


def refuse(error: SdfViewerError) -> JsonRpcInvalidParams:
    """Return the error of the protocol that shows a reason to the user."""
    return JsonRpcInvalidParams(str(error))


def edit_for_editor(server: SdfServer, changes: list[FileChange]) -> types.WorkspaceEdit:
    """Return an edit as the editor can take it; the edits of all files but the first one are a group of their own."""
    if not server.supports("workspace.workspace_edit.document_changes"):
        return types.WorkspaceEdit({uri: edits for uri, _, edits in changes})
    has_annotations = len(changes) > 1 and server.supports("workspace.workspace_edit.change_annotation_support")
    written = []
    for number, (uri, version, edits) in enumerate(changes):
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri, version)
        annotated = [types.AnnotatedTextEdit(_DEPENDENT, each.range, each.new_text) for each in edits]
        written.append(types.TextDocumentEdit(identifier, list(annotated if number and has_annotations else edits)))
    annotation = types.ChangeAnnotation("Update dependent files", False, "These files include the renamed frame.")
    return types.WorkspaceEdit(
        document_changes=list(written), change_annotations={_DEPENDENT: annotation} if has_annotations else None
    )
