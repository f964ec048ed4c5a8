"""Creates the language server with all its features."""

from __future__ import annotations

import hashlib
from typing import Any

from lsprotocol import types

from sdfviewer.lsp import completing, editing, following, navigation, outline, presentation, tokens
from sdfviewer.lsp.convert import path_of
from sdfviewer.lsp.server import SdfServer, diagnostics_of


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
        path = path_of(params.text_document.uri)
        await server.update_disk(() if path is None else (path,))

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def did_change_watched_files(params: types.DidChangeWatchedFilesParams) -> None:
        paths = (path_of(change.uri) for change in params.changes)
        await server.update_disk(path for path in paths if path is not None)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
        settings: Any = params.settings
        server.reconfigure(settings.get("sdfviewer", settings) if isinstance(settings, dict) else None)

    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier="sdfviewer"),
    )
    async def pull_diagnostics(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        found = await server.compute(params.text_document.uri, diagnostics_of)
        # Equal problems have an equal number, whatever else has changed: nothing is kept of what was sent.
        number = hashlib.sha1(repr(found).encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
        if number == params.previous_result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(number)
        return types.RelatedFullDocumentDiagnosticReport(found, result_id=number)

    for part in (navigation, outline, completing, editing, presentation, tokens, following):
        part.register(server)
    return server
