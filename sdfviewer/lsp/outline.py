"""The outline of a file: its symbols and folding ranges, written as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from lsprotocol import types

from sdfviewer.garbage_collection import paused_collection
from sdfviewer.language.outline import Symbol, WrittenSymbol, comment_folds, element_folds, flat_symbols
from sdfviewer.language.text_map import Positions
from sdfviewer.lsp.files import ServerFile, Snapshot
from sdfviewer.lsp.protocol import Json, Ranges, symbol_kind
from sdfviewer.lsp.server import SdfServer

#: An answer has this many symbols. An editor takes longer to show more of them than it helps to look for one; the
#: largest of 480 real files has 12,000.
_MOST_SYMBOLS = 100_000
_MORE = "… more are not listed"
#: The text of a symbol with more inside it is not kept: something in it changes with each key.
_MOST_KEPT = 1000
_RANGE = '{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}}'
_SYMBOL = f'{{"name":%s,"kind":%d%s,"range":{_RANGE},"selectionRange":{_RANGE}%s}}'


def register(server: SdfServer) -> None:
    """Answer the requests of this module."""

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
    last, written, count = snapshot.reader.written, dict[int, WrittenSymbol](), 0

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
                known = WrittenSymbol(each, begin, count - before, text)
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
    snapshot.reader.written = written
    return f"[{found}]"


def folds(snapshot: Snapshot, ranges: Ranges) -> str:
    """Return the folding ranges of a file as JSON: of its elements first, then of its comments."""
    document, root = snapshot.shown, snapshot.shown.root
    elements = () if root is None else element_folds(root, document.offset(root), snapshot.positions)
    found = [("region", *fold) for fold in ranges.interruptible(elements)]
    found += [("comment", *fold) for fold in comment_folds(document.text, snapshot.positions)]
    return json.dumps([{"startLine": first, "endLine": last, "kind": kind} for kind, first, last in found])
