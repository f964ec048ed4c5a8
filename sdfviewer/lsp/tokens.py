"""Semantic tokens: of a whole file, of a range, and what has changed since the last time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from lsprotocol import types

from sdfviewer.garbage_collection import paused_collection
from sdfviewer.language.annotations import DEFINITION, LEGEND, semantic_tokens
from sdfviewer.lsp.files import ServerFile, Snapshot
from sdfviewer.lsp.protocol import Ranges
from sdfviewer.lsp.server import SdfServer

_NUMBERS = {name: number for number, name in enumerate(LEGEND)}


def register(server: SdfServer) -> None:
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
