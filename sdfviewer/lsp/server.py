"""The language server: open files, the worker thread and diagnostics."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from sdfviewer import __version__
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.files.configuration import ConfigurationError, find_configuration
from sdfviewer.files.finder import Finder
from sdfviewer.language.hints import HintKind
from sdfviewer.language.names import definition_of_row
from sdfviewer.language.positions import Unit
from sdfviewer.language.text_map import difference, rebase
from sdfviewer.lsp.convert import Ranges, path_of
from sdfviewer.lsp.files import Edited, OpenFile, Snapshot
from sdfviewer.lsp.live import LiveClient, window_command
from sdfviewer.validation.suppression import reported

#: How long a text must be left alone before its problems are looked for: shorter than between two keys.
_DEBOUNCE_SECONDS = 0.06
#: How long a text must be left alone before a window that follows it gets it.
_FOLLOW_SECONDS = 0.15

_Answer = TypeVar("_Answer")


@dataclass
class Settings:
    """What the editor configures: kinds of inlay hints that are shown, model paths, and whether lenses are shown."""

    hints: tuple[HintKind, ...] = tuple(HintKind)
    paths: tuple[str, ...] = ()
    lenses: bool = True

    @classmethod
    def read(cls, options: object) -> Settings:
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
        paths = tuple(path for path in paths if isinstance(path, str)) if isinstance(paths, list) else ()
        return cls(hints, paths, written.get("codeLens") is not False)


class SdfServer(LanguageServer):
    """The server. Text changes are applied in the event loop; everything else is computed on one worker thread.

    A request that is cancelled before its turn is never computed, and an answer to a text that has changed meanwhile is
    never sent.
    """

    def __init__(self) -> None:
        super().__init__("sdfviewer", __version__, types.TextDocumentSyncKind.Incremental)
        self.settings = Settings()
        self.finder = Finder()
        self.open_files: dict[str, OpenFile] = {}
        self.unsaved: dict[Path, Document] = {}
        self.folders: list[Path] = []
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="sdfviewer")
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self.live = LiveClient(self._receive_from_window)
        # The files that a window follows, and those whose text it has yet to get.
        self._followed: set[str] = set()
        self._sending: asyncio.TimerHandle | None = None

    # --- open files ------------------------------------------------------------------------------------------------

    @property
    def unit(self) -> Unit:
        """How the editor counts characters, as it was negotiated."""
        encoding = self.server_capabilities.position_encoding
        return Unit(getattr(encoding, "value", encoding)) if encoding is not None else Unit.UTF16

    def configure(self, options: object) -> None:
        """Take the editor's settings."""
        self.settings = Settings.read(options)
        folders = [path for folder in self.workspace.folders.values() if (path := path_of(folder.uri)) is not None]
        self.folders = folders or ([root] if (root := path_of(self.workspace.root_uri or "")) is not None else [])
        base = self.folders[0] if self.folders else Path.cwd()
        self.finder = Finder([base / path for path in self.settings.paths])

    def file(self, uri: str) -> OpenFile:
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
        file = OpenFile(document.uri, path, document.text, document.version, self.finder, self.unsaved, self.unit)
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
        self.file(params.text_document.uri).change(changes, params.text_document.version)
        self.look_at(params.text_document.uri)
        self._follow_text(params.text_document.uri)

    def close(self, uri: str) -> None:
        """Forget a file that the editor has closed."""
        file = self.open_files.pop(uri, None)
        if file is not None:
            file.close()
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def forget_disk(self) -> None:
        """Look at included files again: some have changed on the disk."""
        self.finder.forget()
        for uri, file in self.open_files.items():
            file.forget()
            self.look_at(uri)

    # --- answers ---------------------------------------------------------------------------------------------------

    async def compute(self, uri: str, answer: Callable[[OpenFile, Snapshot, Ranges], _Answer]) -> _Answer:
        """Return an answer about the present version of a file, computed on the worker thread.

        Raises
        ------
        JsonRpcContentModified
            If the text has changed before the answer was there.
        """
        file = self.file(uri)
        snapshot = file.snapshot
        loop = asyncio.get_running_loop()
        result = await loop.run_in_executor(self._worker, lambda: answer(file, snapshot, Ranges(self.unit, snapshot)))
        if self.open_files.get(uri) is not file or file.snapshot.version != snapshot.version:
            raise JsonRpcContentModified("the text has changed")
        return result

    async def run(self, job: Callable[[], _Answer]) -> _Answer:
        """Run a job on the worker thread."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, job)

    # --- the window ------------------------------------------------------------------------------------------------

    async def show_in_window(self, uri: str, frame: str) -> bool:
        """Show a file as it is typed in a window, with a frame selected; return whether there is a window."""
        path = path_of(uri)
        if path is None or not await self.live.connect(start=window_command(path)):
            return False
        message = {"type": "show", "path": str(path), "frame": frame}
        file = self.open_files.get(uri)
        if file is not None:
            self._followed.add(uri)
            message["text"] = file.snapshot.text
        self.live.send(message)
        return True

    def select_in_window(self, uri: str, frame: str) -> None:
        """Select the frame at the caret in the window, where one shows the file."""
        path = path_of(uri)
        if uri in self._followed and path is not None:
            self.live.send({"type": "select", "path": str(path), "frame": frame})

    def _follow_text(self, uri: str) -> None:
        """Send the text of a file to the window once it is left alone."""
        if uri not in self._followed or not self.live.is_connected:
            return
        if self._sending is not None:
            self._sending.cancel()
        self._sending = asyncio.get_running_loop().call_later(_FOLLOW_SECONDS, self._send_text, uri)

    def _send_text(self, uri: str) -> None:
        file, path = self.open_files.get(uri), path_of(uri)
        if file is not None and path is not None:
            self.live.send({"type": "text", "path": str(path), "text": file.snapshot.text})

    def _receive_from_window(self, message: dict[str, Any]) -> None:
        path = message.get("path")
        uri = next((uri for uri in self._followed if isinstance(path, str) and path_of(uri) == Path(path)), None)
        file = self.open_files.get(uri) if uri is not None else None
        if uri is None or file is None:
            return
        if message["type"] == "selected" and isinstance(message.get("frame"), str):
            asyncio.get_running_loop().create_task(self._show_frame(uri, message["frame"]))
        elif message["type"] == "edited":
            self._apply_from_window(file, message)

    async def _show_frame(self, uri: str, frame: str) -> None:
        """Let the editor show where a frame that was picked in the window is defined."""

        def answer(file: OpenFile, snapshot: Snapshot, ranges: Ranges) -> types.Location | None:
            model = file.model(snapshot)
            row = None if model is None else model.rows_by_name.get(frame)
            if model is None or row is None or model.document is not snapshot.document:
                return None
            place = definition_of_row(model, row)
            return ranges.location(place.document, place.start, place.end)

        try:
            place = await self.compute(uri, answer)
        except JsonRpcContentModified:
            return
        if place is not None:
            self.window_show_document(
                types.ShowDocumentParams(place.uri, external=False, take_focus=False, selection=place.range)
            )

    def _apply_from_window(self, file: OpenFile, message: dict[str, Any]) -> None:
        """Hand an edit of the window to the editor; what was typed meanwhile stays where both touch other places."""
        base, text, snapshot = message.get("base"), message.get("text"), file.snapshot
        if not isinstance(base, str) or not isinstance(text, str):
            return
        change = difference(base, text)
        typed = difference(base, snapshot.text)
        if change is not None and typed is not None:
            change = rebase(change, typed)
        if change is None:
            self._send_text(snapshot.uri)
            return
        identifier = types.OptionalVersionedTextDocumentIdentifier(snapshot.uri, snapshot.version)
        edits = list(Ranges(self.unit, snapshot).edits([change]))
        edit = types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, list(edits))])
        self.workspace_apply_edit(types.ApplyWorkspaceEditParams(edit, "Edit in sdfviewer"))

    # --- diagnostics -----------------------------------------------------------------------------------------------

    @property
    def pulls_diagnostics(self) -> bool:
        """Whether the editor asks for diagnostics itself; then none are pushed."""
        document = self.client_capabilities.text_document
        return document is not None and document.diagnostic is not None

    def look_at(self, uri: str) -> None:
        """Publish the diagnostics of a file once its text is left alone, and of those that may include it."""
        for each in [uri, *(other for other in self.open_files if other != uri)]:
            previous = self._waiting.pop(each, None)
            if previous is not None:
                previous.cancel()
            if each != uri:
                self.open_files[each].forget()
            if not self.pulls_diagnostics:
                self._waiting[each] = asyncio.get_running_loop().create_task(self._publish(each))

    async def _publish(self, uri: str) -> None:
        await asyncio.sleep(_DEBOUNCE_SECONDS)
        try:
            found = await self.compute(uri, diagnostics_of)
        except (JsonRpcContentModified, JsonRpcInvalidParams):
            return  # a later version is looked at in its turn
        file = self.open_files.get(uri)
        if file is not None:
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, file.snapshot.version))


def diagnostics_of(file: OpenFile, snapshot: Snapshot, ranges: Ranges) -> list[types.Diagnostic]:
    """Return the diagnostics of a file that neither a comment nor the project's configuration suppresses."""
    document = snapshot.document
    try:
        configuration = find_configuration(document.path)
    except ConfigurationError:
        configuration = None  # `sdfviewer check` reports it; nothing is suppressed meanwhile
    found = reported(document, file.meaning(snapshot).diagnostics, configuration)
    return [ranges.diagnostic(each) for each in found]


def refuse(error: SdfViewerError) -> JsonRpcInvalidParams:
    """Return the error of the protocol that shows a reason to the user."""
    return JsonRpcInvalidParams(str(error))
