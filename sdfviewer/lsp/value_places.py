"""Code actions on a value of a xacro file: each leads to a place that gives the value, where it can be changed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from sdfviewer.formats.xacro.value_origins import ends_of
from sdfviewer.language.names import value_origins_at
from sdfviewer.lsp.convert import Ranges
from sdfviewer.lsp.files import ServerFile, Snapshot
from sdfviewer.lsp.server import SdfServer

COMMAND = "sdfviewer.showValue"
#: So many places are offered.
_MOST_PLACES = 8


def register(server: SdfServer) -> None:
    """Answer the command of this module."""

    @server.command(COMMAND)
    async def show(*arguments: Any) -> bool:
        """Let the editor select a value; the arguments are a file's URI, and line and character of start and end."""
        match arguments:
            case (str(uri), int(line), int(character), int(last_line), int(last_character)):
                start, end = types.Position(line, character), types.Position(last_line, last_character)
            case _:
                raise JsonRpcInvalidParams("the arguments are a file's URI and four numbers: where a value is")
        params = types.ShowDocumentParams(uri, take_focus=True, selection=types.Range(start, end))
        return (await server.window_show_document_async(params)).success


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
        command = types.Command(title, COMMAND, arguments=[where.uri, *numbers])
        yield types.CodeAction(title, types.CodeActionKind.RefactorRewrite, command=command)
