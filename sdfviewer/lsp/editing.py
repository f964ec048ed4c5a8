"""Requests that change the text: rename, code actions, formatting; and the command that opens the window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from sdfviewer.diagnostics import Diagnostic, Edge, SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.formats.xacro.decisions import Answer, folder_of
from sdfviewer.formats.xacro.expansion import holds_xacro
from sdfviewer.formats.xacro.value_origins import ends_of
from sdfviewer.language.actions import (
    CodeAction,
    Edits,
    edits_of_fix,
    other_frames,
    perform,
    problem_of,
    problems_between,
    quick_fixes,
    refactorings,
)
from sdfviewer.language.line_commands import formatted
from sdfviewer.language.names import home_of, value_origins_at
from sdfviewer.language.renaming import renamable_at, rename_everywhere
from sdfviewer.language.text_map import difference
from sdfviewer.lsp.files import ServerFile, Snapshot
from sdfviewer.lsp.protocol import Ranges, uri_of
from sdfviewer.lsp.server import FileChange, SdfServer, edit_for_editor, refuse, reported_in
from sdfviewer.model.model import Model
from sdfviewer.refactoring.fix_check import fix_all
from sdfviewer.validation.format_rules import xacro_not_evaluated
from sdfviewer.validation.urdf_rules import urdf_is_xacro

#: The command that decides. No setting allows an evaluation: a workspace can bring settings of its own.
DECIDE = "sdfviewer.xacro"
#: The command that selects the place of a value.
SHOW_VALUE = "sdfviewer.showValue"
#: So many places are offered.
_MOST_PLACES = 8


def _register_decisions(server: SdfServer) -> None:
    """Answer the command that decides about xacro files."""

    @server.command(DECIDE)
    async def decide(*arguments: Any) -> bool:
        """Take the answer about the xacro files that a file is made of, and look at all files again.

        The arguments are the file's URI, the path of the xacro file, and ``file``, ``folder`` or ``never``.
        """
        match arguments:
            case (str(uri), str(path), str(word)) if word in {each.value for each in Answer}:
                answer = Answer(word)
            case _:
                raise JsonRpcInvalidParams("the arguments are a file's URI, the path of a xacro file, and the answer")
        refused = await server.compute(uri, lambda file, snapshot, _ranges: file.meaning(snapshot).refused)
        documents = [each for each in refused if each.name == path]
        server.decisions.decide(documents, answer)
        server.look_again()
        return bool(documents)

    @server.command(SHOW_VALUE)
    async def show(*arguments: Any) -> bool:
        """Let the editor select a value; the arguments are a file's URI, and line and character of start and end."""
        match arguments:
            case (str(uri), int(line), int(character), int(last_line), int(last_character)):
                start, end = types.Position(line, character), types.Position(last_line, last_character)
            case _:
                raise JsonRpcInvalidParams("the arguments are a file's URI and four numbers: where a value is")
        params = types.ShowDocumentParams(uri, take_focus=True, selection=types.Range(start, end))
        return (await server.window_show_document_async(params)).success


def decisions_at(
    file: ServerFile, snapshot: Snapshot, ranges: Ranges, start: int, end: int
) -> Iterator[types.CodeAction]:
    """Yield what can be decided about xacro files that are not evaluated, where that is a problem."""
    meaning = file.meaning(snapshot)
    if not meaning.refused:
        return
    diagnostics = reported_in(file, snapshot)
    for problem, shown in zip(diagnostics, ranges.diagnostics(diagnostics), strict=True):
        if problem.rule in (xacro_not_evaluated, urdf_is_xacro) and _touches(problem, snapshot, start, end):
            for document in _about(problem, meaning.refused):
                yield from _answers(snapshot.uri, document, shown)


def _touches(problem: Diagnostic, snapshot: Snapshot, start: int, end: int) -> bool:
    span = problem.span
    return span is not None and span.path == snapshot.document.name and span.start <= end and start <= span.end


def _about(problem: Diagnostic, refused: tuple[Document, ...]) -> list[Document]:
    """Return the files that a problem is about: it is in them, or they are named with it."""
    spans = (problem.span, *(related.span for related in problem.related))
    paths = {span.path for span in spans if span is not None}
    return list({each.name: each for each in refused if each.name in paths}.values())


def _answers(uri: str, document: Document, problem: types.Diagnostic) -> Iterator[types.CodeAction]:
    path = Path(document.name)
    titles = {Answer.FILE: f"Evaluate {path.name}{' as xacro' if holds_xacro(document) else ''}"}
    if (folder := folder_of(path)) is not None:
        titles[Answer.FOLDER] = f"Evaluate every xacro file in {folder.name}"
    titles[Answer.NEVER] = f"Never evaluate {path.name} as it is now"
    for answer, title in titles.items():
        command = types.Command(title, DECIDE, arguments=[uri, document.name, answer.value])
        yield types.CodeAction(title, types.CodeActionKind.QuickFix, [problem], command=command)


def value_places_at(
    server: SdfServer, file: ServerFile, snapshot: Snapshot, ranges: Ranges, offset: int
) -> Iterator[types.CodeAction]:
    """Yield an action for each literal that the value at an offset of a xacro file comes from."""
    model = file.model(snapshot)
    if model is None or not server.supports("window.show_document.support"):
        return
    if not (origins := value_origins_at(model, offset)):
        return
    for origin in islice((each for each in ends_of(origins) if each.name), _MOST_PLACES):
        if origin.document is None:
            continue
        where = ranges.location(origin.document, origin.start, origin.end)
        path = origin.document.path
        place = origin.document.name if path is None else "/".join(path.parts[-2:])
        start, end = where.range.start, where.range.end
        title = f"Change {origin.kind} {origin.name} in {place}, line {start.line + 1}"
        numbers = [start.line, start.character, end.line, end.character]
        command = types.Command(title, SHOW_VALUE, arguments=[where.uri, *numbers])
        yield types.CodeAction(title, types.CodeActionKind.RefactorRewrite, command=command)


_APPLY = "sdfviewer.applyAction"


def register(server: SdfServer) -> None:
    """Answer the requests of this module."""
    _register_decisions(server)

    @server.answers(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(
        params: types.PrepareRenameParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> types.PrepareRenamePlaceholder | None:
        model = _model_to_edit(file, snapshot)
        offset = snapshot.offset(params.position)
        try:
            name = renamable_at(model, offset, server.make_loader(file.path)) if model is not None else None
        except SdfViewerError as error:
            raise refuse(error) from error
        if name is None:
            return None
        return types.PrepareRenamePlaceholder(ranges.range(name.start, name.end), name.text)

    @server.answers(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True), takes_long=True)
    def rename(
        params: types.RenameParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> types.WorkspaceEdit | None:
        model = _model_to_edit(file, snapshot)
        offset = snapshot.offset(params.position)
        try:
            loader = server.make_loader(file.path)
            name = renamable_at(model, offset, loader) if model is not None else None
            if model is None or name is None:
                return None
            if name.row is not None and (home := home_of(model, name.row, loader)) is not None:
                model, name = home[0], replace(name, row=home[1])  # it is renamed where it is given
            candidates = server.dependents_of(model.document)
            finder, expander = server.finder_for(file.path).fresh(), server.expander.fork()
            edits = rename_everywhere(model, name, params.new_name, candidates, finder, server.is_stopped, expander)
        except SdfViewerError as error:
            raise refuse(error) from error
        return _workspace_edit(server, [each.edit for each in edits], ranges)

    @server.answers(
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
    def code_actions(
        params: types.CodeActionParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.CodeAction | types.Command]:
        return _code_actions(server, params, file, snapshot, ranges)

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve_action(action: types.CodeAction) -> types.CodeAction:
        data: Any = action.data
        if not isinstance(data, dict) or action.edit is not None:
            return action

        try:
            action.edit = await _computed(server, data)
        except SdfViewerError as error:
            raise refuse(error) from error  # editors show the reason of an error, and nothing of an empty action
        return action

    @server.command(_APPLY)
    async def apply_action(data: Any) -> bool:
        """Make the edit of an action, in editors that do not ask for it."""
        if not isinstance(data, dict):
            return False
        try:
            edit = await _computed(server, data)
        except SdfViewerError as error:
            server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, str(error)))
            return False
        return (await server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit))).applied

    @server.answers(types.TEXT_DOCUMENT_FORMATTING)
    def formatting(_params: Any, _file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> list[types.TextEdit]:
        return _indented(snapshot, ranges, None)

    @server.answers(types.TEXT_DOCUMENT_RANGE_FORMATTING)
    def range_formatting(
        params: types.DocumentRangeFormattingParams, _file: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.TextEdit]:
        return _indented(snapshot, ranges, params.range)


# --- edits ---------------------------------------------------------------------------------------------------------


def _model_to_edit(file: ServerFile, snapshot: Snapshot) -> Model | None:
    """Return the model of a text that can be read, else None: edits count on all of its elements."""
    model = file.model(snapshot)
    return model if model is not None and model.document is snapshot.document else None


def _workspace_edit(server: SdfServer, edits: Iterable[Edit], ranges: Ranges) -> types.WorkspaceEdit:
    """Return the edits of several files as one."""
    opened = {id(file.snapshot.document): file.snapshot for file in tuple(server.open_files.values())}
    changes: list[FileChange] = []
    for each in edits:
        snapshot = opened.get(id(each.document))
        uri = uri_of(each.document.name) if snapshot is None else snapshot.uri
        written = ranges.edits(each.replacements, each.document)
        changes.append((uri, None if snapshot is None else snapshot.version, written))
    return edit_for_editor(server, changes)


async def _computed(server: SdfServer, data: dict[str, Any]) -> types.WorkspaceEdit:
    """Return the edit of an action that was offered.

    Raises
    ------
    SdfViewerError
        With the reason why it cannot be made.
    """

    def compute_edit(file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> types.WorkspaceEdit:
        return _workspace_edit(server, _edits_of(file, snapshot, data), ranges)

    return await server.compute(str(data.get("uri")), compute_edit)


def _edges_of(problem: types.Diagnostic) -> list[Edge]:
    """Return the references at fault that a diagnostic was sent with."""
    data: Any = problem.data
    given = data.get("references", ()) if isinstance(data, dict) else ()
    return [Edge(str(each["frame"]), str(each["attribute"]), axis=str(each["axis"])) for each in given]


def _code_actions(
    server: SdfServer, params: types.CodeActionParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges
) -> list[types.CodeAction | types.Command]:
    start, end = snapshot.offsets(params.range)
    only = params.context.only
    result: list[types.CodeAction] = []
    diagnostics = reported_in(file, snapshot)
    count_of_rule = Counter(each.rule.name for each in diagnostics)
    # Editors that keep the data of a diagnostic say with them what it is about: it may have moved since then.
    sent = [(each, problem_of(diagnostics, each.data)) for each in params.context.diagnostics if each.data]
    kept = [each for each, problem in sent if problem is not None]
    found = [problem for _, problem in sent if problem is not None]
    found += problems_between(snapshot.document, diagnostics, start, end)
    problems = list({id(each): each for each in found}.values())
    shown = dict(zip(map(id, diagnostics), ranges.diagnostics(diagnostics), strict=True)) if problems else {}
    model = _model_to_edit(file, snapshot)
    fixes = list(quick_fixes(snapshot.document, problems, model))
    data = {"uri": snapshot.uri, "version": snapshot.version}
    for action in fixes:
        assert action.diagnostic is not None
        problem = shown[id(action.diagnostic)]
        offered = _action(action, {**data, "cause": problem.data})
        offered.diagnostics = [problem]
        offered.edit = _workspace_edit(server, action.compute(), ranges)
        offered.is_preferred = not any(other.diagnostics == offered.diagnostics for other in result)
        result.append(offered)
        rule = action.diagnostic.rule.name
        is_here = all(edit.document is snapshot.document for edit in action.compute())
        if is_here and count_of_rule.pop(rule, 0) > 1:
            title = f"Fix all problems of {rule}"
            result.append(types.CodeAction(title, types.CodeActionKind.QuickFix, data={**data, "rules": [rule]}))
    if model is not None:
        fixed = {edit.replacements for action in fixes for edit in action.compute()}
        for problem in kept or [shown[id(each)] for each in problems]:
            for action in other_frames(model, file.loader, _edges_of(problem), fixed):
                offered = _action(action, data)
                offered.diagnostics = [problem]
                offered.edit = _workspace_edit(server, action.compute(), ranges)
                result.append(offered)
        fitting = refactorings(model, file.loader, start, everywhere=bool(only))
        result += [_action(action, data) for action in fitting]
    result += decisions_at(file, snapshot, ranges, start, end)
    result += value_places_at(server, file, snapshot, ranges, start)
    if diagnostics:
        title = "Fix all problems that have a safe fix"
        result.append(types.CodeAction(title, types.CodeActionKind.SourceFixAll, data={**data, "rules": None}))
    if only:
        result = [each for each in result if any(_is_kind(each.kind, kind) for kind in only)]
    if not server.supports("text_document.code_action.code_action_literal_support"):
        return [each.command or types.Command(each.title, _APPLY, arguments=[each.data]) for each in result]
    if not server.supports("text_document.code_action.resolve_support"):
        # A command does what such an editor never requests.
        for each in result:
            if each.edit is None and each.command is None:
                each.command = types.Command(each.title, _APPLY, arguments=[each.data])
    return list(result)


def _action(action: CodeAction, data: dict[str, Any]) -> types.CodeAction:
    """Return an action that says in its data what makes its edit."""
    made = {"title": action.title, "operation": action.operation, "arguments": dict(action.arguments)}
    return types.CodeAction(action.title, types.CodeActionKind(action.kind.value), data={**made, **data})


def _is_kind(kind: object, wanted: object) -> bool:
    written, asked = str(getattr(kind, "value", kind)), str(getattr(wanted, "value", wanted))
    return asked in ("", written) or written.startswith(asked + ".")  # the empty kind is all of them


def _edits_of(file: ServerFile, snapshot: Snapshot, data: dict[str, Any]) -> Edits:
    """Return the edits of an action that was offered: its data say what makes them, also of a text that has changed.

    These are an operation with its arguments, the problem that a fix removes, or the rules whose problems are fixed; of
    all rules the safe fixes.

    Raises
    ------
    SdfViewerError
        With the reason why it cannot be made.
    """
    if "rules" in data:
        is_safe = data["rules"] is None
        rules = {each.rule.name for each in reported_in(file, snapshot)} if is_safe else set(data["rules"])
        fixed = fix_all(file.loader, snapshot.document, rules, unsafe=not is_safe)
        change = difference(snapshot.text, fixed.document.text)
        if change is None:
            raise SdfViewerError("no problem of this file has a safe fix")
        return (Edit("Fix all", snapshot.document, (change,)),)
    title, arguments = str(data.get("title")), dict(data.get("arguments") or {})
    if not data.get("operation"):
        problem = problem_of(reported_in(file, snapshot), data.get("cause"))
        fix = next((each for each in (problem.fixes if problem is not None else ()) if each.label == title), None)
        if fix is None:
            raise SdfViewerError("the text has changed, and this problem is no longer there")
        return edits_of_fix(snapshot.document, file.model(snapshot), fix)
    model = _model_to_edit(file, snapshot)
    if model is None or (snapshot.version != data.get("version") and _counts_rows(arguments)):
        raise SdfViewerError("the text has changed since then")
    edits = perform(model, file.loader, str(data["operation"]), arguments)
    if all(each.document.spliced(each.replacements) == each.document.text for each in edits):
        raise SdfViewerError(f"“{data.get('title')}” changes nothing in this file")
    return edits


def _counts_rows(arguments: Mapping[str, Any]) -> bool:
    """Return whether arguments name something by its place in the file, since it has no name of its own."""
    values = [each for value in arguments.values() for each in (value if isinstance(value, list) else [value])]
    return any(isinstance(each, int) and not isinstance(each, bool) for each in values)


def _indented(snapshot: Snapshot, ranges: Ranges, where: types.Range | None) -> list[types.TextEdit]:
    """Return the edits that correct the indentation, in the file's own step; nothing where the text is not XML."""
    start, end = 0, len(snapshot.text)
    if where is not None:
        start, end = snapshot.offset(types.Position(where.start.line, 0)), snapshot.offset(where.end)
    try:
        return ranges.edits(formatted(snapshot.document, start, end))
    except SdfViewerError:
        return []
