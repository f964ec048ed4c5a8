"""Completion of elements, attributes, values, names and URIs."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from sdfviewer.language.annotations import describe_attribute, describe_element
from sdfviewer.language.completion import Ending, complete, definition_of
from sdfviewer.language.links import UriChoice, uris_at
from sdfviewer.language.text_map import plain
from sdfviewer.lsp.files import ServerFile, Snapshot
from sdfviewer.lsp.protocol import Ranges
from sdfviewer.lsp.server import SdfServer
from sdfviewer.refactoring.templates import TEMPLATES


def register(server: SdfServer) -> None:
    """Answer the requests of this module."""

    @server.answers(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=["<", '"', "'", ":", "/", ">", " "], resolve_provider=True),
    )
    def completion(
        params: types.CompletionParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> types.CompletionList:
        return _completion(server, params.position, file, snapshot, ranges)

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    def resolve_completion(item: types.CompletionItem) -> types.CompletionItem:
        if isinstance(item.data, dict) and isinstance(item.data.get("text"), str):
            item.documentation = types.MarkupContent(types.MarkupKind.PlainText, item.data["text"])
        return item


def _completion(
    server: SdfServer, position: types.Position, file: ServerFile, snapshot: Snapshot, ranges: Ranges
) -> types.CompletionList:
    offset = snapshot.offset(position)
    before = snapshot.text_before(offset)
    named = uris_at(
        before, lambda at: snapshot.open_elements_at(before, at), snapshot.document.path, server.finder_for(file.path)
    )
    if named is not None:
        typed, choices = named
        start = offset - len(typed)
        return types.CompletionList(
            is_incomplete=True, items=[_uri_item(each, start, offset, ranges) for each in choices]
        )
    if "<" not in snapshot.text:
        return types.CompletionList(is_incomplete=False, items=_templates(before, ranges, snapshot.document.path))
    model = file.model(snapshot) or snapshot.last_model
    behind = plain(snapshot.text[offset:])
    found = complete(before, model, lambda at: snapshot.open_elements_at(before, at), behind)
    definition = definition_of(snapshot.open_elements_at(before, len(before)), model)
    where = ranges.range(offset - len(found.typed), offset)
    has_snippets = server.supports("text_document.completion.completion_item.snippet_support")
    items = []
    for order, choice in enumerate(found.choices):
        ending = found.endings.get(choice)
        documentation = ""
        kind = types.CompletionItemKind.Value
        if definition is not None and choice in definition.children:
            kind, documentation = types.CompletionItemKind.Property, describe_element(definition.children[choice])
        elif definition is not None and choice in definition.attributes:
            kind, documentation = types.CompletionItemKind.Field, describe_attribute(definition.attributes[choice])
        elif model is not None and ending is None:
            kind = types.CompletionItemKind.Reference
        text = choice
        if ending is not None:
            text = _snippet(choice, ending) if has_snippets else choice + ending.text
        items.append(
            types.CompletionItem(
                choice,
                kind=kind,
                sort_text=f"{order:05}",
                insert_text_format=types.InsertTextFormat.Snippet
                if ending and has_snippets
                else types.InsertTextFormat.PlainText,
                text_edit=types.TextEdit(where, text),
                data={"text": documentation} if documentation else None,
            )
        )
    return types.CompletionList(is_incomplete=False, items=items)


def _templates(before: str, ranges: Ranges, path: Path | None) -> list[types.CompletionItem]:
    """Return what a file without any element may start with: the whole text of a new file of the kind of its name."""
    start = len(before) - len(before.rsplit(maxsplit=1)[-1]) if before[-1:].strip() else len(before)
    where = ranges.range(start, len(before))
    return [
        types.CompletionItem(
            name.replace("_", " ") if template.is_urdf else f"sdf {name}",
            kind=types.CompletionItemKind.Snippet,
            detail=f"New file: {template.title}",
            sort_text=f"{order:05}",
            # An XML declaration is allowed only at the very beginning of a file.
            text_edit=types.TextEdit(where, template.text() if start == 0 else template.text().partition("\n")[2]),
        )
        for order, (name, template) in enumerate(TEMPLATES.items())
        if template.fits(path)
    ]


def _uri_item(choice: UriChoice, start: int, end: int, ranges: Ranges) -> types.CompletionItem:
    kind = types.CompletionItemKind.Folder if choice.is_folder else types.CompletionItemKind.File
    edit = types.TextEdit(ranges.range(start, end), choice.uri)
    return types.CompletionItem(choice.uri, kind=kind, detail=str(choice.path), text_edit=edit, filter_text=choice.uri)


def _snippet(choice: str, ending: Ending) -> str:
    """Return a choice and its ending as a snippet, with a tab stop at each stop of the ending."""

    def escaped(text: str) -> str:
        return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")

    pieces, at = [escaped(choice)], 0
    for number, (start, end) in enumerate(ending.stops, 1):
        pieces.append(escaped(ending.text[at:start]))
        pieces.append(f"${{{number}:{escaped(ending.text[start:end])}}}" if end > start else f"${number}")
        at = end
    return "".join((*pieces, escaped(ending.text[at:])))
