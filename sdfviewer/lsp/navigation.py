"""Navigation requests: definition, references, symbols of the workspace, links, hierarchy."""

from __future__ import annotations

from lsprotocol import types

from sdfviewer.files.paths import real_path
from sdfviewer.language.fuzzy import FuzzyQuery
from sdfviewer.language.links import document_links, link_at
from sdfviewer.language.markup import partner_of, tag_at
from sdfviewer.language.names import attached_rows, definition_of_row, home_of, name_at, names_of, value_origins_at
from sdfviewer.language.outline import flat_symbols, selection_ranges
from sdfviewer.lsp.files import ServerFile, Snapshot
from sdfviewer.lsp.protocol import Ranges, symbol_kind, uri_of
from sdfviewer.lsp.server import SdfServer
from sdfviewer.model.model import Model

#: At most so many symbols answer a search of the workspace.
_MOST_SYMBOLS = 200


def register(server: SdfServer) -> None:  # noqa: PLR0915  # one short function for each request
    """Answer the requests of this module."""

    @server.answers(types.TEXT_DOCUMENT_DEFINITION)
    def definition(
        params: types.DefinitionParams | types.DeclarationParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.Location] | None:
        """Return where the name at a position is defined, or the file that a URI leads to."""
        offset = snapshot.offset(params.position)
        link = link_at(snapshot.shown, server.finder_for(file.path), offset)
        if link is not None and link.file is not None:
            start = types.Position(0, 0)
            return [types.Location(uri_of(link.file), types.Range(start, start))]
        known = file.model(snapshot)
        if known is not None and (origins := value_origins_at(known, offset)):
            return [
                ranges.location(each.document, each.start, each.end) for each in origins if each.document is not None
            ]
        found = _frame_at(file, snapshot, params.position)
        if found is None:
            return None
        model, row = found
        place = definition_of_row(model, row)
        return [ranges.location(place.document, place.start, place.end)]

    @server.answers(types.TEXT_DOCUMENT_DECLARATION)
    def declaration(
        params: types.DeclarationParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.Location] | None:
        finder = server.finder_for(file.path)
        link = link_at(snapshot.shown, finder, snapshot.offset(params.position))
        if link is not None and link.file is not None and link.is_include:
            config = link.file.parent / "model.config"
            if config.is_file():
                start = types.Position(0, 0)
                return [types.Location(uri_of(config), types.Range(start, start))]
        return definition(params, file, snapshot, ranges)

    @server.answers(types.TEXT_DOCUMENT_REFERENCES, takes_long=True)
    def references(
        params: types.ReferenceParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.Location] | None:
        found = _frame_at(file, snapshot, params.position)
        if found is None:
            return None
        model, row = found
        return _references(server, model, row, ranges, with_definition=params.context.include_declaration)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
        def find_marks(file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> list[types.DocumentHighlight] | None:
            found = _frame_at(file, snapshot, params.position)
            if found is None:
                return None
            model, row = found
            picked.append(model.names[row])
            return [types.DocumentHighlight(ranges.range(*each)) for each in names_of(model, row)]

        picked: list[str] = []
        marks = await server.compute(params.text_document.uri, find_marks)
        # Editors send this request when the caret moves; nothing else reveals its position.
        for react in server.pointed if picked else ():
            react(params.text_document.uri, picked[0])
        return marks

    @server.feature(types.WORKSPACE_SYMBOL)
    async def workspace_symbols(params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
        return await server.run(lambda: _search(server, params.query))

    @server.answers(types.TEXT_DOCUMENT_SELECTION_RANGE)
    def selection(
        params: types.SelectionRangeParams, _: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.SelectionRange]:
        result = []
        for position in params.positions:
            nested: types.SelectionRange | None = None
            for each in reversed(selection_ranges(snapshot.shown, snapshot.offset(position))):
                nested = types.SelectionRange(ranges.range(*each), nested)
            result.append(nested or types.SelectionRange(types.Range(position, position)))
        return result

    @server.answers(types.TEXT_DOCUMENT_LINKED_EDITING_RANGE)
    def linked_editing(
        params: types.LinkedEditingRangeParams, _: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> types.LinkedEditingRanges | None:
        offset = snapshot.offset(params.position)
        tag = tag_at(snapshot.text, offset)
        if tag is None or not tag.name_start <= offset <= tag.name_start + len(tag.name):
            return None
        partner = partner_of(snapshot.text, tag)
        if partner is None:
            return None
        both = [(each.name_start, each.name_start + len(each.name)) for each in (tag, partner)]
        return types.LinkedEditingRanges([ranges.range(*each) for each in sorted(both)], r"[\w.:-]+")

    @server.answers(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    def links(
        params: types.DocumentLinkParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.DocumentLink]:
        finder = server.finder_for(file.path)
        return [
            types.DocumentLink(ranges.range(each.start, each.end), uri_of(each.file), each.says)
            for each in ranges.interruptible(document_links(snapshot.shown, finder))
            if each.file is not None
        ]

    @server.answers(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    def prepare_hierarchy(
        params: types.CallHierarchyPrepareParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.CallHierarchyItem] | None:
        found = _frame_at(file, snapshot, params.position)
        if found is None:
            return None
        model, row = found
        return [_hierarchy_item(model, row, ranges)]

    @server.answers(types.CALL_HIERARCHY_INCOMING_CALLS, uri_in=lambda params: _item_uri(params.item))
    def incoming(
        params: types.CallHierarchyIncomingCallsParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.CallHierarchyIncomingCall]:
        """Return the frames that are attached to an item."""
        model, row = _item_row(file, snapshot, params.item)
        if model is None or row is None:
            return []
        items = [_hierarchy_item(model, each, ranges) for each in attached_rows(model, row)]
        return [types.CallHierarchyIncomingCall(item, [item.selection_range]) for item in items]

    @server.answers(types.CALL_HIERARCHY_OUTGOING_CALLS, uri_in=lambda params: _item_uri(params.item))
    def outgoing(
        params: types.CallHierarchyOutgoingCallsParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.CallHierarchyOutgoingCall]:
        """Return the frame that an item is attached to."""
        model, row = _item_row(file, snapshot, params.item)
        if model is None or row is None or int(model.attached_to[row]) < 0:
            return []
        item = _hierarchy_item(model, int(model.attached_to[row]), ranges)
        return [types.CallHierarchyOutgoingCall(item, [params.item.selection_range])]


def _frame_at(file: ServerFile, snapshot: Snapshot, position: types.Position) -> tuple[Model, int] | None:
    """Return the model and the row of the frame whose name is at a position, None where there is no such name."""
    model = file.model(snapshot)
    name = None if model is None else name_at(model, snapshot.offset(position))
    return None if model is None or name is None or name.row is None else (model, name.row)


def _references(
    server: SdfServer, model: Model, row: int, ranges: Ranges, *, with_definition: bool
) -> list[types.Location]:
    """Return where a frame is named, in the file in which it is written and in those that include that."""
    loader = server.make_loader(model.document.path)
    model, row = home_of(model, row, loader) or (model, row)
    document = model.document
    definition = definition_of_row(model, row)
    result = [
        ranges.location(document, start, end)
        for start, end in names_of(model, row)
        if with_definition or (start, end) != (definition.start, definition.end) or definition.document is not document
    ]
    if document.path is None or model.sources[row] is not None:
        return result
    name = model.local_names[row]
    is_plain = not any(letter in name for letter in "&<>'\"")  # else it may be written as an entity
    for other in server.dependents_of(document):
        if server.is_stopped():
            break
        if is_plain and name not in other.text:
            continue
        including = loader.load(other)
        if including is None:
            continue
        for each, element in enumerate(including.elements):
            if element is model.elements[row] or _same_place(including, each, definition.start, document.path):
                result += [ranges.location(other, start, end) for start, end in names_of(including, each)]
    return result


def _same_place(including: Model, row: int, start: int, path: object) -> bool:
    """Return whether a row of an including model is defined at an offset of an included file."""
    source = including.sources[row]
    return source is not None and source.path == path and definition_of_row(including, row).start == start


def _search(server: SdfServer, query: str) -> list[types.SymbolInformation]:
    """Return the symbols of the workspace that match a query, the best first; open files as they are typed."""
    found: list[tuple[float, types.SymbolInformation]] = []
    fuzzy = FuzzyQuery(query)
    opened = set()
    for uri, file in tuple(server.open_files.items()):
        snapshot = file.snapshot
        if file.path is not None:
            opened.add(real_path(file.path))
        matches = []
        for each in flat_symbols(snapshot.symbols):
            match = fuzzy.match(f"{each.around}::{each.symbol.name}" if each.around else each.symbol.name)
            if match is not None:
                matches.append((match.score, each))
        matches.sort(key=lambda each: -each[0])
        for score, each in matches[:_MOST_SYMBOLS]:
            first, last = (types.Position(*snapshot.positions.position(at)) for at in each.name_range)
            name, tag = each.symbol.name, each.symbol.tag
            found.append((score, _information(uri, types.Range(first, last), name, tag, each.around)))
    for score, other in server.indexing.index.find(query, _MOST_SYMBOLS, opened, server.is_stopped):
        where = types.Range(types.Position(other.line, other.start), types.Position(other.line, other.end))
        found.append((score, _information(uri_of(other.path), where, other.name, other.tag, other.around)))
    found.sort(key=lambda each: -each[0])
    return [information for _, information in found[:_MOST_SYMBOLS]]


def _information(uri: str, where: types.Range, name: str, tag: str, around: str) -> types.SymbolInformation:
    return types.SymbolInformation(types.Location(uri, where), name, symbol_kind(tag), container_name=around or None)


def _hierarchy_item(model: Model, row: int, ranges: Ranges) -> types.CallHierarchyItem:
    place = definition_of_row(model, row)
    document = model.document_of(row)
    location = ranges.location(place.document, place.start, place.end)
    whole = ranges.location(document, *document.offsets(model.elements[row], "element"))
    return types.CallHierarchyItem(
        model.local_names[row],
        symbol_kind(model.kinds[row].value),
        location.uri,
        whole.range,
        location.range,
        detail=model.names[row],
        data={"file": ranges.location(model.document, 0, 0).uri, "name": model.names[row]},
    )


def _item_uri(item: types.CallHierarchyItem) -> str:
    return str(item.data["file"]) if isinstance(item.data, dict) and "file" in item.data else item.uri


def _item_row(file: ServerFile, snapshot: Snapshot, item: types.CallHierarchyItem) -> tuple[Model | None, int | None]:
    model = file.model(snapshot)
    name = item.data.get("name") if isinstance(item.data, dict) else None
    return model, None if model is None or not isinstance(name, str) else model.rows_by_name.get(name)
