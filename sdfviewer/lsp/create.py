"""Creates the language server with all its features."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from sdfviewer.lsp import checking, completing, editing, following, navigation, presentation
from sdfviewer.lsp.protocol import path_of
from sdfviewer.lsp.server import SdfServer


def create_server() -> SdfServer:
    """Return a server that answers every request of the protocol that concerns a file."""
    server = SdfServer()

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.configure(params.initialization_options)

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        server.start_indexing()
        await server.watch_files()

    @server.feature(types.SHUTDOWN)
    def shutdown(params: None) -> None:
        server.end()

    @server.feature(types.EXIT)
    def leave(params: None) -> None:
        server.left_in_order = server.protocol.is_shut_down
        server.protocol.leave()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def did_change_folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        server.start_indexing()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: types.DidOpenTextDocumentParams) -> None:
        server.open(params.text_document)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: types.DidChangeTextDocumentParams) -> None:
        server.change(params)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(params: types.DidSaveTextDocumentParams) -> None:
        path, file = path_of(params.text_document.uri), server.open_files.get(params.text_document.uri)
        if file is not None:
            server.decisions.note_saved(file.snapshot.document)
        await server.update_disk(() if path is None else (path,))

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def did_change_watched_files(params: types.DidChangeWatchedFilesParams) -> None:
        paths = (path_of(change.uri) for change in params.changes)
        await server.update_disk(path for path in paths if path is not None)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
        settings: Any = params.settings
        server.reconfigure(settings.get("sdfviewer", settings) if isinstance(settings, dict) else None)

    for part in (checking, navigation, completing, editing, presentation, following):
        part.register(server)
    return server
