"""Requests that change the text: rename, code actions, formatting; and the command that opens the window."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lsprotocol import types

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.edits import Edit, indentation_step
from sdfviewer.files.dependents import find_including, project_folder
from sdfviewer.language.actions import ActionKind, CodeAction, apply, quick_fixes, refactorings
from sdfviewer.language.formatting import can_indent, indent_lines
from sdfviewer.language.renaming import FileEdit, renamable_at, rename_everywhere
from sdfviewer.language.text_map import difference
from sdfviewer.lsp.convert import Ranges, uri_of
from sdfviewer.lsp.files import OpenFile, Snapshot
from sdfviewer.lsp.server import SdfServer, refuse
from sdfviewer.refactoring.fix_all import fix_all

_DEPENDENT = "dependent"


def register(server: SdfServer) -> None:
    """Answer the requests of this module."""

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare_rename(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        def answer(file: OpenFile, snapshot: Snapshot, ranges: Ranges) -> types.PrepareRenamePlaceholder | None:
            model = file.model(snapshot)
            offset = snapshot.offset(params.position.line, params.position.character)
            try:
                name = renamable_at(model, offset) if model is not None else None
            except SdfViewerError as error:
                raise refuse(error) from error
            if model is None or name is None or name.row is None:
                return None
            # Of a::b the part that is renamed is b.
            local = model.local_names[name.row]
            return types.PrepareRenamePlaceholder(
                ranges.range(name.end - len(name.text.split("::")[-1]), name.end), local
            )

        return await server.compute(params.text_document.uri, answer)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        def answer(file: OpenFile, snapshot: Snapshot, ranges: Ranges) -> types.WorkspaceEdit | None:
            model = file.model(snapshot)
            offset = snapshot.offset(params.position.line, params.position.character)
            try:
                name = renamable_at(model, offset) if model is not None else None
                if model is None or name is None or name.row is None:
                    return None
                candidates = []
                if snapshot.document.path is not None:
                    finder = server.finder.fresh()
                    path = snapshot.document.path
                    opened = [each.snapshot.document for each in server.open_files.values() if each.path != path]
                    places = (*server.folders, project_folder(path), *finder.model_folders)
                    candidates = list(find_including(path, places, finder, opened).documents)
                edits = rename_everywhere(model, name.row, params.new_name, candidates, server.finder.fresh())
            except SdfViewerError as error:
                raise refuse(error) from error
            return _workspace_edit(server, edits, ranges)

        return await server.compute(params.text_document.uri, answer)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(
            [
                types.CodeActionKind.QuickFix,
                types.CodeActionKind.RefactorRewrite,
                types.CodeActionKind.RefactorInline,
                types.CodeActionKind.SourceFixAll,
            ],
            resolve_provider=True,
        ),
    )
    async def code_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return await server.compute(params.text_document.uri, lambda *known: _code_actions(params, *known))

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve_action(action: types.CodeAction) -> types.CodeAction:
        data: Any = action.data
        if not isinstance(data, dict) or action.edit is not None:
            return action

        def answer(file: OpenFile, snapshot: Snapshot, ranges: Ranges) -> types.CodeAction:
            if snapshot.version != data.get("version"):
                raise refuse(SdfViewerError("the text has changed since then"))
            try:
                edit = _edit_of(file, snapshot, data)
            except SdfViewerError as error:
                action.disabled = types.CodeActionDisabled(str(error))
                return action
            action.edit = _single_edit(snapshot, ranges.edits(edit.replacements))
            return action

        return await server.compute(str(data["uri"]), answer)

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        return await server.compute(
            params.text_document.uri, lambda file, snapshot, ranges: _indented(snapshot, ranges, None)
        )

    @server.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)
    async def range_formatting(params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
        return await server.compute(
            params.text_document.uri,
            lambda file, snapshot, ranges: _indented(snapshot, ranges, params.range),
        )

    @server.command("sdfviewer.open")
    async def open_window(uri: str, frame: str = "") -> bool:
        """Show a file in a running window, or in a new one, and follow each other from then on."""
        if await server.show_in_window(uri, frame):
            return True
        text = "The window could not be opened. Save the file first, and install sdfviewer[gui]."
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))
        return False


# --- edits ---------------------------------------------------------------------------------------------------------


def _single_edit(snapshot: Snapshot, edits: list[types.TextEdit]) -> types.WorkspaceEdit:
    identifier = types.OptionalVersionedTextDocumentIdentifier(snapshot.uri, snapshot.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, list(edits))])


def _workspace_edit(server: SdfServer, edits: Iterable[FileEdit], ranges: Ranges) -> types.WorkspaceEdit:
    """Return the edits of several files as one; those of other files are to be confirmed."""
    opened = {id(file.snapshot.document): file.snapshot for file in server.open_files.values()}
    changes: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile] = []
    for number, each in enumerate(edits):
        snapshot = opened.get(id(each.document))
        uri = uri_of(each.document.name) if snapshot is None else snapshot.uri
        version = None if snapshot is None else snapshot.version
        written: list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit] = []
        for edit in ranges.edits(each.edit.replacements, each.document):
            annotated = types.AnnotatedTextEdit(_DEPENDENT, edit.range, edit.new_text)
            written.append(annotated if number else edit)
        changes.append(types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, version), written))
    annotation = types.ChangeAnnotation("Update dependent files", True, "These files include the renamed frame.")
    return types.WorkspaceEdit(
        document_changes=changes, change_annotations={_DEPENDENT: annotation} if len(changes) > 1 else None
    )


def _offered(file: OpenFile, snapshot: Snapshot, start: int, end: int) -> list[CodeAction]:
    meaning = file.meaning(snapshot)
    actions = list(quick_fixes(snapshot.document, meaning.diagnostics, start, end))
    if meaning.model is not None and meaning.model.document is snapshot.document:
        actions += refactorings(meaning.model, file.loader, start, end)
    return actions


def _code_actions(
    params: types.CodeActionParams, file: OpenFile, snapshot: Snapshot, ranges: Ranges
) -> list[types.CodeAction]:
    where = params.range
    start = snapshot.offset(where.start.line, where.start.character)
    end = snapshot.offset(where.end.line, where.end.character)
    only = params.context.only
    result: list[types.CodeAction] = []
    rules: dict[str, int] = {}
    for each in file.meaning(snapshot).diagnostics:
        rules[each.rule.name] = rules.get(each.rule.name, 0) + 1
    for action in _offered(file, snapshot, start, end):
        data = {"uri": snapshot.uri, "version": snapshot.version, "id": action.id, "start": start, "end": end}
        offered = types.CodeAction(action.title, types.CodeActionKind(action.kind.value), data=data)
        if action.diagnostic is not None:
            offered.diagnostics = [ranges.diagnostic(action.diagnostic)]
            offered.edit = _single_edit(snapshot, ranges.edits(action.compute().replacements))
            rule = action.diagnostic.rule.name
            offered.is_preferred = not any(other.diagnostics == offered.diagnostics for other in result)
            if rules.pop(rule, 0) > 1:
                all_of = {**data, "id": f"all:{rule}"}
                result.append(
                    types.CodeAction(f"Fix all problems of {rule}", types.CodeActionKind.SourceFixAll, data=all_of)
                )
        result.append(offered)
    if only:
        result = [each for each in result if any(_is_kind(each.kind, kind) for kind in only)]
    return result


def _is_kind(kind: object, wanted: object) -> bool:
    written, asked = str(getattr(kind, "value", kind)), str(getattr(wanted, "value", wanted))
    return written == asked or written.startswith(asked + ".")


def _edit_of(file: OpenFile, snapshot: Snapshot, data: dict[str, Any]) -> Edit:
    """Return the edit of an action that was offered for the same version.

    Raises
    ------
    SdfViewerError
        With the reason why it cannot be made.
    """
    id = str(data["id"])
    if id.startswith("all:"):
        fixed = fix_all(file.loader, snapshot.document, {id.removeprefix("all:")}, unsafe=True)
        change = difference(snapshot.text, fixed.document.text)
        return Edit("Fix all", snapshot.document, () if change is None else (change,))
    for action in _offered(file, snapshot, int(data["start"]), int(data["end"])):
        if action.id == id and action.kind is not ActionKind.QUICK_FIX:
            return apply(action, snapshot.document)
    raise SdfViewerError("this is no longer available")


def _indented(snapshot: Snapshot, ranges: Ranges, where: types.Range | None) -> list[types.TextEdit]:
    """Return the edits that correct the indentation, in the file's own step; nothing where the text is not XML."""
    document = snapshot.document
    if not can_indent(document):
        return []
    step = indentation_step(document)
    start, end = 0, len(snapshot.text)
    if where is not None:
        start = snapshot.offset(where.start.line, 0)
        end = snapshot.offset(where.end.line, where.end.character)
    return ranges.edits(indent_lines(snapshot.text, step, start, end))
