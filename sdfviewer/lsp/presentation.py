"""Presentation requests: hover, hints, colours, lenses, signatures, semantic tokens, symbols and folding ranges."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import count, islice
from typing import Any

import numpy as np
from lsprotocol import types

from sdfviewer.display_text import markdown_code, markdown_text, with_capital
from sdfviewer.document.element import Element
from sdfviewer.garbage_collection import paused_collection
from sdfviewer.language.annotations import (
    DEFINITION,
    LEGEND,
    HintKind,
    code_lenses,
    describe_chain,
    describe_markup,
    describe_number,
    describe_origins,
    document_colours,
    format_colour,
    format_pose_shown,
    inlay_hints,
    semantic_tokens,
    signature_at,
)
from sdfviewer.language.links import UriLink, link_at
from sdfviewer.language.markup import tag_at
from sdfviewer.language.names import Name, name_at, value_origins_at
from sdfviewer.language.outline import Symbol, WrittenPart, WrittenParts, comment_folds, element_folds, flat_symbols
from sdfviewer.language.text_map import Positions, plain
from sdfviewer.lsp.files import ServerFile, Snapshot
from sdfviewer.lsp.protocol import Json, Ranges, symbol_kind
from sdfviewer.lsp.server import SdfServer
from sdfviewer.model.explanation import explain_axes, explain_settings
from sdfviewer.model.model import Model

#: An answer has this many symbols. An editor takes longer to show more of them than it helps to look for one; the
#: largest of 480 real files has 12,000.
_MOST_SYMBOLS = 100_000
_MORE = "… more are not listed"
#: The text of a symbol with more inside it is not kept: something in it changes with each key.
_MOST_KEPT = 1000
#: Characters of an element whose folding ranges are not kept as one text, but those of what is in it.
_LONGEST_KEPT = 20_000
_FOLD = '{"startLine":%d,"endLine":%d,"kind":"%s"}'
_RANGE = '{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}}'
_SYMBOL = f'{{"name":%s,"kind":%d%s,"range":{_RANGE},"selectionRange":{_RANGE}%s}}'


def _register_outline(server: SdfServer) -> None:
    """Answer requests for symbols and folding ranges."""

    # Both are written as JSON at once: the objects of the protocol would take ten times as long.
    @server.answers(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(_params: Any, _file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> Json:
        is_tree = server.supports("text_document.document_symbol.hierarchical_document_symbol_support")
        with paused_collection():
            return Json((symbol_tree if is_tree else symbol_list)(snapshot, ranges))

    @server.answers(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(_params: Any, _file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> Json:
        with paused_collection():
            return Json(folds(snapshot, ranges))


def _range(start: int, end: int, positions: Positions) -> dict[str, Any]:
    (line, character), (end_line, end_character) = positions.position(start), positions.position(end)
    return {
        "start": {"line": line, "character": character},
        "end": {"line": end_line, "character": end_character},
    }


def symbol_list(snapshot: Snapshot, ranges: Ranges) -> str:
    """Return the symbols of a file as a list in JSON, for editors that show no tree."""
    result = []
    for number, each in enumerate(ranges.interruptible(flat_symbols(snapshot.symbols))):
        if number > _MOST_SYMBOLS:
            break
        result.append(
            {
                "name": each.symbol.name if number < _MOST_SYMBOLS else _MORE,
                "kind": symbol_kind(each.symbol.tag).value,
                "location": {"uri": snapshot.uri, "range": _range(*each.range, snapshot.positions)},
                **({"containerName": each.around} if each.around else {}),
            }
        )
    return json.dumps(result)


def symbol_tree(snapshot: Snapshot, ranges: Ranges) -> str:
    """Return the symbols of a file as JSON, each with those inside it.

    A file of thousands of models has tens of thousands, and editors ask for them after each key: what begins in the
    same place as in the version before is written as it was.
    """
    position, quoted = snapshot.positions.position, json.JSONEncoder().encode
    last, written, count = snapshot.reader.symbols, WrittenParts(), 0

    def write(inside: Iterable[tuple[int, Symbol]], offset: int) -> str:
        nonlocal count
        texts = []
        for at, each in ranges.interruptible(inside):
            if count > _MOST_SYMBOLS:
                break
            start, before = offset + at, count
            begin, known = position(start), last.get(id(each))
            if known is None or known.begin != begin or count + known.number > _MOST_SYMBOLS:
                count += 1
                name = each.name if count <= _MOST_SYMBOLS else _MORE
                detail = f',"detail":{quoted(each.detail)}' if each.detail else ""
                ends = (position(start + end) for end in (each.length, *each.selected))
                places = (number for place in (begin, *ends) for number in place)
                children = write(each.children, start) if each.children else ""
                inner = f',"children":[{children}]' if children else ""
                text = _SYMBOL % (quoted(name), symbol_kind(each.tag), detail, *places, inner)
                known = WrittenPart(each, begin, count - before, text)
            else:
                count += known.number
            if each.children and known.number <= _MOST_KEPT:
                written[id(each)] = known
                # The text of a child is in this one: kept on each level, it would grow by the depth.
                for _, child in each.children:
                    written.pop(id(child), None)
            texts.append(known.text)
        return ",".join(texts)

    found = write(snapshot.symbols, 0)
    snapshot.reader.symbols = written
    return f"[{found}]"


def folds(snapshot: Snapshot, ranges: Ranges) -> str:
    """Return the folding ranges of a file as JSON: of its elements first, then of its comments.

    What begins in the same line as in the version before is written as it was.
    """
    document, positions = snapshot.shown, snapshot.positions
    last, written, texts = snapshot.reader.folds, WrittenParts(), list[str]()
    tops = [] if document.root is None else [(document.root, document.offset(document.root))]
    for element, offset in ranges.interruptible(_with_parts(tops)):
        line, known = positions.line(offset), last.get(id(element))
        if known is None or known.begin != line:
            inside = element_folds(element, offset, positions)
            inside = islice(inside, 1) if element.length > _LONGEST_KEPT else inside
            lines = [_FOLD % (*fold, "region") for fold in inside]
            known = WrittenPart(element, line, len(lines), ",".join(lines))
        if element.length <= _LONGEST_KEPT:
            written[id(element)] = known
        texts.append(known.text)
    texts += [_FOLD % (*fold, "comment") for fold in comment_folds(document.text, positions)]
    snapshot.reader.folds = written
    return f"[{','.join(filter(None, texts))}]"


def _with_parts(stack: list[tuple[Element, int]]) -> Iterator[tuple[Element, int]]:
    """Yield elements and their offsets in the order of the text, too long ones with their parts."""
    while stack:
        element, offset = stack.pop()
        yield element, offset
        if element.length > _LONGEST_KEPT:
            parts = zip(element.children, element.offsets, strict=True)
            stack += [(child, offset + at) for child, at in parts][::-1]


_NUMBERS = {name: number for number, name in enumerate(LEGEND)}


def _register_tokens(server: SdfServer) -> None:
    """Answer the requests of this module."""
    legend = types.SemanticTokensLegend(list(LEGEND), [DEFINITION])

    # The tokens that the editor has of each file, by the number under which it knows them.
    sent: dict[str, tuple[str, list[int]]] = {}
    numbers = count(1)

    def remember(uri: str, tokens: types.SemanticTokens) -> types.SemanticTokens:
        for closed in sent.keys() - server.open_files.keys():
            del sent[closed]
        tokens.result_id = str(next(numbers))
        sent[uri] = tokens.result_id, list(tokens.data)
        return tokens

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    async def tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        uri = params.text_document.uri
        return remember(uri, await server.compute(uri, _all_tokens))

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, legend)
    async def tokens_delta(params: types.SemanticTokensDeltaParams) -> types.SemanticTokens | types.SemanticTokensDelta:
        uri = params.text_document.uri
        known_id, before = sent.get(uri, ("", []))
        tokens = remember(uri, await server.compute(uri, _all_tokens))
        if known_id != params.previous_result_id:
            return tokens
        return types.SemanticTokensDelta(list(_delta(before, list(tokens.data))), tokens.result_id)

    @server.answers(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, legend)
    def tokens_range(
        params: types.SemanticTokensRangeParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> types.SemanticTokens:
        return _tokens(file, snapshot, ranges, *snapshot.offsets(params.range))


def _delta(before: list[int], after: list[int]) -> Iterator[types.SemanticTokensEdit]:
    """Yield the one edit between the common beginning and the common end of two lists, none where they agree."""
    most = min(len(before), len(after))
    start = next((at for at in range(most) if before[at] != after[at]), most)
    most -= start
    end = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
    if start + end < max(len(before), len(after)):
        yield types.SemanticTokensEdit(start, len(before) - start - end, after[start : len(after) - end])


def _all_tokens(file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> types.SemanticTokens:
    return _tokens(file, snapshot, ranges, 0, None)


def _tokens(file: ServerFile, snapshot: Snapshot, ranges: Ranges, start: int, end: int | None) -> types.SemanticTokens:
    """Return tokens as the protocol packs them: five numbers for each, relative to the one before."""
    model = file.model(snapshot)
    data: list[int] = []
    if model is None or model.document is not snapshot.shown:
        return types.SemanticTokens(data)
    with paused_collection():
        found = list(ranges.interruptible(semantic_tokens(model, start, end)))
        places = iter(snapshot.positions.positions([at for each in found for at in (each.start, each.end)]))
        line = character = 0
        for token in found:
            (first_line, first), (last_line, last) = next(places), next(places)
            if first_line != last_line:
                continue
            before = character if first_line == line else 0
            data += (first_line - line, first - before, last - first, _NUMBERS[token.type], int(token.is_definition))
            line, character = first_line, first
    return types.SemanticTokens(data)


_MOST_PLACES = 6
#: So many hints are given at once: a file may be one line of 100,000 poses, and an editor asks for what is in sight.
_MOST_HINTS = 5_000


def register(server: SdfServer) -> None:
    """Answer the requests of this module."""
    _register_outline(server)
    _register_tokens(server)

    @server.answers(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> types.Hover | None:
        offset = snapshot.offset(params.position)
        text, where = _hover(server, file, snapshot, offset)
        if not text:
            return None
        about = ranges.range(*where) if where is not None and where[0] <= offset <= where[1] else None
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), about)

    @server.answers(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions([" ", '"', "'", ">"], [" "]))
    def signature(
        params: types.SignatureHelpParams, _: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> types.SignatureHelp | None:
        found = signature_at(snapshot.text, snapshot.offset(params.position))
        if found is None:
            return None
        units = found.units
        parameters = [types.ParameterInformation(name, units[index] or None) for index, name in enumerate(found.names)]
        label = f"{found.label}: {' '.join(found.names)}"
        active = min(found.active, len(found.names))
        return types.SignatureHelp([types.SignatureInformation(label, None, parameters, active)], 0, active)

    @server.answers(types.TEXT_DOCUMENT_INLAY_HINT)
    def hints(
        params: types.InlayHintParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.InlayHint]:
        model = file.model(snapshot)
        if model is None or model.document is not snapshot.shown or not server.settings.hints:
            return []
        return [
            types.InlayHint(
                ranges.range(each.offset, each.offset).start,
                each.label,
                types.InlayHintKind.Type if each.kind is not HintKind.DEFAULT_FRAME else None,
                tooltip=each.tooltip,
            )
            for each in ranges.interruptible(
                islice(inlay_hints(model, *snapshot.offsets(params.range), server.settings.hints), _MOST_HINTS)
            )
        ]

    @server.answers(types.TEXT_DOCUMENT_DOCUMENT_COLOR)
    def colours(
        params: types.DocumentColorParams, _: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.ColorInformation]:
        return [
            types.ColorInformation(ranges.range(each.start, each.end), types.Color(*each.rgba))
            for each in ranges.interruptible(document_colours(snapshot.shown))
        ]

    @server.answers(types.TEXT_DOCUMENT_COLOR_PRESENTATION)
    def colour_presentation(
        params: types.ColorPresentationParams, _: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.ColorPresentation]:
        start, end = snapshot.offsets(params.range)
        picked = params.color
        rgba = (picked.red, picked.green, picked.blue, picked.alpha)
        return [types.ColorPresentation(format_colour(rgba, like=snapshot.text[start:end]))]

    @server.answers(types.TEXT_DOCUMENT_CODE_LENS)
    def lenses(
        params: types.CodeLensParams, file: ServerFile, snapshot: Snapshot, ranges: Ranges
    ) -> list[types.CodeLens]:
        model = file.model(snapshot)
        if model is None or model.document is not snapshot.shown or not server.settings.lenses:
            return []
        uri = params.text_document.uri
        result = []
        for each in ranges.interruptible(code_lenses(model)):
            where = ranges.range(each.offset, each.offset)
            show = [uri, {"line": where.start.line, "character": where.start.character}, model.names[each.row]]
            # The protocol has no command for either; where the editor has none of its own they are only text.
            knows = server.settings.lens_commands
            references = types.Command(each.title, "sdfviewer.showReferences" if knows else "", arguments=show)
            result.append(types.CodeLens(where, references))
            if each.body:
                title = f"moves with {each.body}"
                result.append(types.CodeLens(where, types.Command(title, "")))
            opening = types.Command("open in sdfviewer", "sdfviewer.open", arguments=[uri, model.names[each.row]])
            result.append(types.CodeLens(where, opening))
        return result


def _hover(server: SdfServer, file: ServerFile, snapshot: Snapshot, offset: int) -> tuple[str, tuple[int, int] | None]:
    """Return the hover text of a place as Markdown, empty if there is none, and the range that it is about."""
    link = link_at(snapshot.shown, server.finder_for(file.path), offset)
    if link is not None:
        return _describe_link(link), (link.start, link.end)
    model = file.model(snapshot)
    if model is not None and (origins := value_origins_at(model, offset)):
        return "\n".join(f"{_bullet(line)}{markdown_code(line.strip())}" for line in describe_origins(origins)), None
    name = name_at(model, offset) if model is not None else None
    if model is not None and name is not None:
        where = name.start, name.end
        return _describe_name(model, name), where
    if number := describe_number(snapshot.text, offset):
        return number, None
    text = snapshot.text
    tag = tag_at(text, offset)
    if tag is None:
        return "", None
    before = plain(text[: tag.start])
    return describe_markup(text, offset, snapshot.open_elements_at(before, len(before)), model), None


def _bullet(line: str) -> str:
    return "  - " if line.startswith(" ") else "- "


def _describe_link(link: UriLink) -> str:
    if link.file is not None:
        return markdown_code(str(link.file))
    tried = [f"- {markdown_code(str(path))}" for path in link.found.tried[:_MOST_PLACES]]
    more = len(link.found.tried) - len(tried)
    rest = [f"- and {more} more"] if more > 0 else []
    reason = f" ({markdown_text(link.found.problem)})" if link.found.problem else ""
    heading = [f"Not found{reason}." + (" Searched:" if tried else "")]
    return "\n".join([*heading, "", *tried, *rest])


def _describe_name(model: Model, name: Name) -> str:
    if name.row is not None:
        return _describe_row(model, name.row)
    if name.text == "world":
        return "**world**: what is attached to it does not move."
    return f"There is no frame {markdown_code(name.text)} in this scope."


def _describe_row(model: Model, row: int) -> str:
    lines = [f"**{model.kinds[row].value}** {markdown_code(model.names[row])}"]
    if model.kinds[row].is_vertex:
        X = model.X_RootF[row]
        pose = f"`{format_pose_shown(X)}` (metres; roll, pitch, yaw)" if np.isfinite(X).all() else "not known"
        lines += ["", f"Pose in {markdown_code(model.names[0])}: {pose}"]
        body = int(model.bodies[row])
        if body >= 0 and body != row:
            lines += ["", f"Moves with {markdown_code(model.names[body])}."]
        lines += [line for each in explain_axes(model, row) for line in ("", markdown_text(with_capital(each)))]
        lines += [
            "",
            "Why here:",
            *(f"{number}. {markdown_code(step)}" for number, step in enumerate(describe_chain(model, row), 1)),
        ]
    lines += [line for each in explain_settings(model, row) for line in ("", markdown_text(each))]
    if model.sources[row] is not None:
        lines += ["", f"From {markdown_code(model.document_of(row).name)}."]
    return "\n".join(lines)
