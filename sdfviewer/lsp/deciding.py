"""Whether xacro files are evaluated: quick fixes with which the user of an editor decides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document.document import Document
from sdfviewer.formats.xacro.decisions import Answer, folder_of
from sdfviewer.formats.xacro.expansion import holds_xacro
from sdfviewer.lsp.convert import Ranges
from sdfviewer.lsp.files import ServerFile, Snapshot
from sdfviewer.lsp.server import SdfServer, reported_in
from sdfviewer.validation.urdf_rules import urdf_is_xacro
from sdfviewer.validation.xacro_rules import xacro_not_evaluated

#: The command of these quick fixes. No setting allows an evaluation: a workspace can bring settings of its own.
COMMAND = "sdfviewer.xacro"


def register(server: SdfServer) -> None:
    """Answer the command of this module."""

    @server.command(COMMAND)
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
        command = types.Command(title, COMMAND, arguments=[uri, document.name, answer.value])
        yield types.CodeAction(title, types.CodeActionKind.QuickFix, [problem], command=command)
