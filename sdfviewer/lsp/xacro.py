"""Code actions on xacro files: deciding whether they are evaluated, and each place that gives a value."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document.document import Document
from sdfviewer.formats.xacro.decisions import Answer, folder_of
from sdfviewer.formats.xacro.expansion import holds_xacro
from sdfviewer.formats.xacro.value_origins import ends_of
from sdfviewer.language.names import value_origins_at
from sdfviewer.lsp.files import ServerFile, Snapshot
from sdfviewer.lsp.protocol import Ranges
from sdfviewer.lsp.server import SdfServer, reported_in
from sdfviewer.validation.format_rules import xacro_not_evaluated
from sdfviewer.validation.urdf_rules import urdf_is_xacro

#: The command that decides. No setting allows an evaluation: a workspace can bring settings of its own.
DECIDE = "sdfviewer.xacro"
#: The command that selects the place of a value.
SHOW_VALUE = "sdfviewer.showValue"
#: So many places are offered.
_MOST_PLACES = 8


def register(server: SdfServer) -> None:
    """Answer the commands of this module."""

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
