"""A small editor with a server of its own, and the requests of one file one after the other."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO, TypeVar, cast

from lsprotocol import types
from pygls import uris
from pygls.lsp.client import LanguageClient
from pygls.protocol import default_converter

from sdfviewer.language.text_map import Positions, Unit
from sdfviewer.lsp.create import create_server
from sdfviewer.lsp.protocol import MessageInput
from tests.patience import PATIENCE_SECONDS

_Answer = TypeVar("_Answer")
#: A converter compiles how it reads each message when the first one comes: that takes longer than most tests.
_OURS, _THEIRS = default_converter(), default_converter()


def capabilities(unit: Unit) -> types.ClientCapabilities:
    """Return what an editor that can do everything says of itself."""
    action = types.ClientCodeActionLiteralOptions(types.ClientCodeActionKindOptions([]))
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind(unit.value)]),
        workspace=types.WorkspaceClientCapabilities(
            apply_edit=True,
            workspace_edit=types.WorkspaceEditClientCapabilities(
                document_changes=True, change_annotation_support=types.ChangeAnnotationsSupportOptions()
            ),
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
            inlay_hint=types.InlayHintWorkspaceClientCapabilities(refresh_support=True),
        ),
        text_document=types.TextDocumentClientCapabilities(
            completion=types.CompletionClientCapabilities(
                completion_item=types.ClientCompletionItemOptions(snippet_support=True)
            ),
            document_symbol=types.DocumentSymbolClientCapabilities(hierarchical_document_symbol_support=True),
            code_action=types.CodeActionClientCapabilities(
                code_action_literal_support=action,
                resolve_support=types.ClientCodeActionResolveOptions(["edit"]),
            ),
        ),
        window=types.WindowClientCapabilities(
            work_done_progress=True, show_document=types.ShowDocumentClientCapabilities(support=True)
        ),
    )


class Editor:
    """An editor with one server. Positions are given as offsets, or by a text with ``|`` at the caret."""

    def __init__(self, client: LanguageClient, unit: Unit) -> None:
        self.client = client
        self.unit = unit
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.published: dict[str, types.PublishDiagnosticsParams] = {}
        self.progress: list[dict[str, Any]] = []
        self.token: types.ProgressToken = ""
        self.refreshed = 0
        self.shown: list[types.ShowDocumentParams] = []
        self.watched: list[types.Registration] = []
        self._arrived = asyncio.Condition()

        @client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def create_progress(params: types.WorkDoneProgressCreateParams) -> None:
            self.token = params.token

        @client.feature(types.PROGRESS)
        async def show_progress(params: types.ProgressParams) -> None:
            async with self._arrived:
                value = params.value
                self.progress.append(value if isinstance(value, dict) else value._asdict())
                self._arrived.notify_all()

        @client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)
        async def refresh(params: None) -> None:
            async with self._arrived:
                self.refreshed += 1
                self._arrived.notify_all()

        @client.feature(types.WINDOW_SHOW_DOCUMENT)
        def show_document(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
            self.shown.append(params)
            return types.ShowDocumentResult(True)

        @client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams) -> None:
            self.watched += params.registrations

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        async def publish(params: types.PublishDiagnosticsParams) -> None:
            async with self._arrived:
                self.published[params.uri] = params
                self._arrived.notify_all()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until the server has sent what fulfils a condition."""
        async with self._arrived:
            await asyncio.wait_for(self._arrived.wait_for(condition), PATIENCE_SECONDS)

    async def diagnostics(self, path: Path) -> list[types.Diagnostic]:
        """Return the diagnostics of the present version of a file, as soon as they are there."""
        uri = path.as_uri()
        await self.until(lambda: uri in self.published and self.published[uri].version == self.versions[uri])
        return list(self.published[uri].diagnostics)

    def open(self, path: Path, text: str | None = None) -> types.TextDocumentIdentifier:
        """Open a file, with text that is not saved where that is given."""
        uri = path.as_uri()
        self.texts[uri] = path.read_bytes().decode() if text is None else text
        self.versions[uri] = 1
        item = types.TextDocumentItem(uri, "sdf", 1, self.texts[uri])
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return types.TextDocumentIdentifier(uri)

    def position(self, path: Path, offset: int) -> types.Position:
        """Return the position of an offset of an open file."""
        return types.Position(*Positions(self.texts[path.as_uri()], self.unit).position(offset))

    def find(self, path: Path, marked: str) -> types.Position:
        """Return the position of ``|`` in the first occurrence of a piece of text."""
        at = self.texts[path.as_uri()].index(marked.replace("|", ""))
        return self.position(path, at + marked.index("|"))

    def type(self, path: Path, start: int, end: int, text: str) -> None:
        """Replace a range."""
        uri = path.as_uri()
        where = types.Range(self.position(path, start), self.position(path, end))
        self.texts[uri] = self.texts[uri][:start] + text + self.texts[uri][end:]
        self.versions[uri] += 1
        identifier = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        change = types.TextDocumentContentChangePartial(where, text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))

    def apply(self, edit: types.WorkspaceEdit) -> dict[str, str]:
        """Return the texts of files after an edit, by URI."""
        result = {}
        for change in edit.document_changes or ():
            assert isinstance(change, types.TextDocumentEdit)
            uri = change.text_document.uri
            text = self.texts.get(uri) or Path(uris.to_fs_path(uri) or "").read_bytes().decode()
            positions = Positions(text, self.unit)
            for each in sorted(change.edits, key=lambda each: (each.range.start.line, each.range.start.character))[
                ::-1
            ]:
                assert not isinstance(each, types.SnippetTextEdit)
                start = positions.offset(each.range.start.line, each.range.start.character)
                end = positions.offset(each.range.end.line, each.range.end.character)
                text = text[:start] + each.new_text + text[end:]
            result[uri] = text
        return result


def edit(
    scenario: Callable[[Editor], Coroutine[Any, Any, _Answer]],
    folder: Path,
    unit: Unit = Unit.UTF16,
    options: dict[str, Any] | None = None,
    able: types.ClientCapabilities | None = None,
    seconds: float = 120,
    process: bool = False,
) -> _Answer:
    """Run a scenario with an editor on a folder and return its answer; the server ends with it.

    The server is a thread of its own; with `process` a process as an editor starts it, which takes a second of
    processor to start.
    """

    async def run() -> _Answer:
        client = LanguageClient("tests", "1", converter_factory=lambda: _OURS)
        async with _started(client, process):
            editor = Editor(client, unit)
            answered = await client.initialize_async(
                types.InitializeParams(
                    able or capabilities(unit), root_uri=folder.as_uri(), initialization_options=options
                )
            )
            assert answered.capabilities.position_encoding == unit.value
            client.initialized(types.InitializedParams())
            try:
                return await scenario(editor)
            finally:
                await client.shutdown_async(None)
                client.exit(None)
                await client.stop()

    return asyncio.run(asyncio.wait_for(_awaited(run()), seconds))


@asynccontextmanager
async def _started(client: LanguageClient, process: bool) -> AsyncIterator[None]:
    """Connect a client with a server that is started for it."""
    if process:
        await client.start_io(sys.executable, "-m", "sdfviewer", "lsp")
        yield
        return
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Thread(target=_serve, args=(listening,), daemon=True)
        server.start()
        await client.start_tcp(*listening.getsockname())
        try:
            yield
        finally:  # else Python waits at its end for a server that nobody stops
            writer = client.protocol.writer
            assert isinstance(writer, asyncio.StreamWriter)
            writer.close()
            await writer.wait_closed()
            await asyncio.to_thread(server.join, PATIENCE_SECONDS)
            assert not server.is_alive()


def _serve(listening: socket.socket) -> None:
    with listening.accept()[0] as editor, editor.makefile("rb") as sent, editor.makefile("wb") as answers:
        server = create_server()
        server.protocol._converter = _THEIRS
        server.start_io(cast(BinaryIO, MessageInput(sent)), answers)


async def _awaited(job: Awaitable[_Answer]) -> _Answer:
    return await job
