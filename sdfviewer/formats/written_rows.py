"""Which rows of a model are written at places of its file; a xacro file writes them where its elements are."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sdfviewer.computed import with_attributes
from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document.document import Document
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.formats.sdformat.params import ChangedDocument
from sdfviewer.formats.xacro.expansion import XacroExpansion
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.versions import parse_version


class IncludedDocument(Document):
    """The text of an included file as one include sees it.

    An edit of it says what is to become of the model in its place; where that is written is asked afterwards, see
    :mod:`sdfviewer.refactoring.composition.in_context`.

    Attributes
    ----------
    including
        The model of the file that includes it, at once or through others.
    include
        The row of the innermost include that brings it.
    rows
        The rows that it writes there.
    original
        The file, without what an include changes.
    """

    including: Model
    include: int
    rows: tuple[int, ...]
    original: Document


def in_included_file(model: Model, rows: Sequence[int]) -> Model | None:
    """Return a model in which what one include brings at some rows is written in the file itself, and nothing else is.

    It has the same rows; its document is an :class:`IncludedDocument`. None where the rows are not all written in one
    file that is read as it is, and brought by one include.
    """
    first = next(iter(rows), None)
    document = None if first is None else model.sources[first]
    if first is None or document is None or document.root is None or isinstance(document, ExpandedDocument):
        return None
    include = _include_around(model, first)
    if include is None or expansion_of(model) is not None or model.document.root is None:
        return None
    is_merged, owner = model.kinds[include] is Kind.FRAME, int(model.owners[include])
    end = model.inside(owner if is_merged else include).stop
    if is_merged:  # until the next include of the file around it
        elsewhere = (row for row in range(include + 1, end) if model.sources[row] is model.sources[include])
        end = next((row for row in elsewhere if model.elements[row].tag == "include"), end)
    written = [row for row in range(include + 1, end) if model.sources[row] is document]
    if not set(rows) <= set(written):
        return None
    seen = object.__new__(IncludedDocument)
    seen.__dict__.update(document.__dict__)
    seen.including, seen.include, seen.rows = model, include, tuple(written)
    seen.original = document.original if isinstance(document, ChangedDocument) else document
    sources: list[Document | None] = [source or model.document for source in model.sources]
    for row in written:
        sources[row] = None
    version = parse_version(document.root.word("version")) or model.version
    return with_attributes(model, document=seen, sources=sources, version=version, diagnostics=())


def _include_around(model: Model, row: int) -> int | None:
    """Return the row of the innermost include that brings a row, that of its frame where it is merged."""
    source, around = model.sources[row], set(model.around(row))
    for each in range(row - 1, -1, -1):
        brings = model.elements[each].tag == "include" and model.sources[each] is not source
        if brings and (each in around or (model.kinds[each] is Kind.FRAME and int(model.owners[each]) in around)):
            return each
    return None


def rows_written_at(model: Model, offsets: Iterable[int]) -> dict[int, int]:
    """Return the row that is written at each of many offsets of the file, by offset, of those that have one.

    Offsets are looked up in their order, each from the elements around the one before: most problems of a large world
    are close to the next one.
    """
    rows: dict[int, int] = {}
    wanted, root = sorted(set(offsets)), model.document.root
    if not wanted or root is None:
        return rows
    row_of = _rows_by_written_element(model)
    start = model.document.root_offset
    around = [(root, start, start + root.length, row_of.get(id(root)))]
    for offset in wanted:
        while around and offset >= around[-1][2]:
            around.pop()
        while around:
            element, at, _, row = around[-1]
            number = bisect_right(element.offsets, offset - at) - 1
            if number < 0:
                break
            child = element.children[number]
            start = at + element.offsets[number]
            if offset >= start + child.length:
                break
            around.append((child, start, start + child.length, row_of.get(id(child), row)))
        if around and offset >= around[0][1] and (row := around[-1][3]) is not None:
            rows[offset] = row
    return rows


def first_document(model: Model) -> Document | None:
    """Return the document that the first row is written in, of a xacro file what it writes; None without rows."""
    return model.document_of(0) if len(model) else None


def expansion_of(model: Model) -> XacroExpansion | None:
    """Return the expansion that a model is written in, None where its file is not xacro, or is the expansion itself."""
    document = first_document(model)
    return document if isinstance(document, XacroExpansion) and document is not model.document else None


def is_written_here(model: Model, row: int) -> bool:
    """Return whether a row is written in the file of a model itself, of a xacro file in what that writes."""
    source = model.sources[row]
    return source is None or source is expansion_of(model)


def _rows_by_written_element(model: Model) -> Mapping[int, int]:
    """Return the row that each element of the file writes, by its identity; of a xacro file the first one."""
    expanded = first_document(model)
    if not isinstance(expanded, ExpandedDocument):
        return model.rows_by_element
    rows: dict[int, int] = {}
    for row, written in enumerate(model.elements):
        if model.sources[row] is expanded:
            for element in expanded.writers(written):
                rows.setdefault(id(element), row)
    return rows


def with_holders(model: Model, diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return diagnostics of a file; those that name no frame say in whose element they are written."""
    file = model.document.name

    def place(each: Diagnostic) -> int | None:
        return each.span.start if not each.frames and each.span is not None and each.span.path == file else None

    places = [place(each) for each in diagnostics]
    rows = rows_written_at(model, (at for at in places if at is not None))
    if not rows:
        return diagnostics
    return tuple(
        each if at is None or at not in rows else replace(each, holder=model.names[rows[at]])
        for each, at in zip(diagnostics, places, strict=True)
    )
