"""The names of frames in a text: targets, definitions and references."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sdfviewer.diagnostics import Span
from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.formats.written_rows import first_document, rows_written_at
from sdfviewer.formats.xacro.expansion import XacroExpansion
from sdfviewer.language.text_map import difference
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.references import Reference, find_references

if TYPE_CHECKING:
    from sdfviewer.document.element import Element
    from sdfviewer.formats.load import Loader
    from sdfviewer.formats.xacro.value_origins import ValueOrigin


@dataclass(frozen=True, slots=True)
class Name:
    """A name in the file: its text, its range, and the row that it means, None if it means nothing.

    A path ``a::b::c`` is three names.
    """

    text: str
    start: int
    end: int
    row: int | None


@dataclass(frozen=True, slots=True)
class Location:
    """A range of a document."""

    document: Document
    start: int
    end: int


def target_of(model: Model, reference: Reference) -> int | None:
    """Return the row that a reference means, None if it finds nothing."""
    if reference.name == "__model__" or (reference.name == "world" and model.kinds[reference.scope] is Kind.WORLD):
        return reference.scope
    steps = reference.steps(model)
    return steps[-1] if len(steps) == len(reference.name.split("::")) else None


def row_at(model: Model, offset: int) -> int | None:
    """Return the row of the innermost element with a pose around an offset of the file."""
    return model.innermost_row([step.element for step in model.document.path_to(offset, offset + 1)])


def rows_between(model: Model, start: int, end: int) -> list[int]:
    """Return the rows of which a part is written between two offsets of the file, in document order."""
    placed = elements_between(model.document, start, end)
    rows = (model.rows_by_element.get(id(each.element)) for each in placed)
    return [row for row in rows if row is not None]


def rows_changed(model: Model, before: str) -> list[int]:
    """Return the rows around the first and the last place where the text of a model differs from another text.

    The root is none of them: it is around every place.
    """
    change = difference(before, model.document.text)
    if change is None:
        return []
    start, end = change.start, change.start + len(change.text)
    if change.start == change.end:
        start, end = _from_line(model.document.text, start, end)
    elif not change.text:
        # Where lines were removed, show the lines around them.
        start, _ = _from_line(before, change.start, change.end)
        end = start
    inside = model.document.text[start:end]
    ends = (start + len(inside) - len(inside.lstrip()), max(start + len(inside.rstrip()) - 1, start))
    rows = (row_at(model, offset) for offset in ends)
    return list(dict.fromkeys(row for row in rows if row is not None and row > 0))


def _from_line(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the same piece of text from the beginning of its line on, if one begins there that reads the same.

    Of two elements in a row that begin alike, a comparison from the left takes the end of the first one's beginning.
    """
    at, by = start, end - start
    while at > 0 and text[at - 1] != "\n" and text[at - 1] == text[at - 1 + by]:
        at -= 1
    begins_line = at == 0 or text[at - 1] == "\n"
    return (at, at + by) if begins_line else (start, end)


def row_written_at(model: Model, offset: int) -> int | None:
    """Return the row that is written at an offset of the file; of a xacro file the first one that it writes there."""
    if not isinstance(first_document(model), ExpandedDocument):
        return row_at(model, offset)
    return rows_written_at(model, (offset,)).get(offset)


def place_in_file(model: Model, row: int) -> Span | None:
    """Return where a row is written in the file itself, or called or included from it; None where it is not."""
    document = model.document_of(row)
    spans = [document.span(model.elements[row])]
    if isinstance(document, ExpandedDocument):
        spans += [span for _, span in document.callers(model.elements[row])]
    elif (include := model.include_of(row)) is not None:
        spans.append(model.document.span(model.elements[include]))
    return next((span for span in spans if span.path == model.document.name), None)


def name_at(model: Model, offset: int) -> Name | None:
    """Return the name at an offset of the file, whether it is given there or refers to a frame."""
    row = row_at(model, offset)
    document = model.document
    if row is not None:
        given = _given_name(model, row)
        start, end = document.attribute_offsets(model.elements[row], "name") or _range_of(given)
        if given and start <= offset <= end:
            return _nearest_name(given, offset)
    for reference in find_references(model):
        start, end = document.offsets(reference.element, reference.part)
        if start <= offset <= end:
            return _nearest_name(segments(model, reference), offset)
    return None


def _nearest_name(names: Sequence[Name], offset: int) -> Name:
    """Return the name of a path at an offset; around the path the first or the last one."""
    return next((each for each in names if offset <= each.end), names[-1])


def _range_of(names: Sequence[Name]) -> tuple[int, int]:
    return (names[0].start, names[-1].end) if names else (0, -1)


def segments(model: Model, reference: Reference) -> list[Name]:
    """Return the names that a reference is written with: ``a::b::c`` are three, each with what it means."""
    start, _ = value_range(model.document, reference)
    components, steps = reference.name.split("::"), reference.steps(model)
    if len(components) == 1:
        return [Name(reference.name, start, start + len(reference.name), target_of(model, reference))]
    found = []
    for number, component in enumerate(components):
        found.append(Name(component, start, start + len(component), steps[number] if number < len(steps) else None))
        start += len(component) + len("::")
    return found


def _given_name(model: Model, row: int) -> list[Name]:
    """Return the name that a row gives itself in the file; of an include it is a child, and empty where it has none.

    What an older tool has flattened begins with the names of the models that it was in.
    """
    element, document = model.elements[row], model.document_of(row)
    if element.tag == "include":
        child = element.find("name")
        if child is None or not child.value:
            return []
        start = document.offsets(child, "text")[0]
        return [Name(child.value, start, start + len(child.value), row)]
    value, name = document.value_offsets(element, "name"), element.attributes.get("name", "")
    if value is None:
        return []
    if "::" in name and model.sources[row] is None:
        around = int(model.scopes[row]) if row not in model.written_prefixes else row
        return segments(model, Reference(row, around, element, "@name", name))
    return [Name(name, *value, row)]


def value_origins_at(model: Model, offset: int) -> tuple[ValueOrigin, ...]:
    """Return what the value at an offset of a xacro file is computed with, for all macro calls that write it.

    It may also be one that a macro call gives, that of a property, or the default of an argument or a parameter.
    On a name in an expression it is only what gives that name its value.
    """
    document, expanded = model.document, first_document(model)
    steps = document.path_to(offset, offset + 1)
    if not isinstance(expanded, XacroExpansion) or not steps:
        return ()
    element = steps[-1].element
    # An expansion that is known already has been made of another document with the same text.
    written = expanded.sources[0].element(document.address(element))
    if element.tag.startswith("xacro:"):
        found = [each for given in expanded.set_at(written, offset) for each in given.origins]
    elif (part := _part_at(document, element, offset)) is not None:
        found = [each for one in expanded.written_by(written) for each in expanded.value_origins(one, part)]
    else:
        return ()
    word = _word_at(document.text, offset)
    return tuple(dict.fromkeys([each for each in found if each.name.rpartition(".")[2] == word] or found))


def _part_at(document: Document, element: Element, offset: int) -> str | None:
    """Return which value of an element is at an offset: ``"@name"`` or ``"text"``."""
    first, last = document.content_offsets(element)
    if first <= offset < last:
        return "text"
    for name in element.attributes:
        start, end = document.value_offsets(element, name) or (0, -1)
        if start <= offset <= end:
            return f"@{name}"
    return None


def _word_at(text: str, offset: int) -> str:
    start = end = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return text[start:end]


def value_range(document: Document, reference: Reference) -> tuple[int, int]:
    """Return the range of a reference's name, without the quotes of an attribute."""
    if reference.part == "text":
        start = document.offsets(reference.element, "text")[0]
    else:
        start = (document.value_offsets(reference.element, reference.part[1:]) or (0, 0))[0]
    return start, start + len(reference.name)


def definition_of_row(model: Model, row: int) -> Location:
    """Return where a row gets its name: the name in its own element, or the start tag of an element without one.

    A frame of an included model is defined in the included file.
    """
    document, element = model.document_of(row), model.elements[row]
    own = next((each for each in _given_name(model, row) if each.row == row and each.text != "__model__"), None)
    return Location(document, *((own.start, own.end) if own is not None else document.offsets(element)))


def home_of(model: Model, row: int, loader: Loader) -> tuple[Model, int] | None:
    """Return the model of the file that a row is written in, and its row there; None where it has none of its own."""
    source = model.sources[row]
    if source is None:
        return model, row
    if isinstance(source, ExpandedDocument) or (home := loader.load(source)) is None:
        return None
    there = home.rows_by_element.get(id(model.elements[row]))
    return None if there is None else (home, there)


def references_to(model: Model, row: int) -> list[tuple[int, int]]:
    """Return the ranges of everything in the file that names a row, in their order."""
    ranges = {
        model.document.offsets(reference.element, reference.part)
        for reference in find_references(model)
        if row in reference.steps(model) or row == target_of(model, reference)
    }
    return sorted(ranges)


def names_of(model: Model, row: int) -> list[tuple[int, int]]:
    """Return the ranges of a row's name in the file: its definition, if it is here, and its part of each reference."""
    ranges = set()
    if model.sources[row] is None and _given_name(model, row):
        location = definition_of_row(model, row)
        ranges.add((location.start, location.end))
    for reference in find_references(model):
        ranges |= {(each.start, each.end) for each in _naming(model, reference) if each.row == row}
    return sorted(ranges)


def _naming(model: Model, reference: Reference) -> list[Name]:
    """Return the names of a reference that say what they mean; behind others ``__model__`` only repeats the last."""
    names = segments(model, reference)
    return names if len(names) == 1 else [each for each in names if each.text != "__model__"]


def reference_counts(model: Model) -> dict[int, int]:
    """Return how many references in the file name each row; rows that nothing names are left out."""
    counts: dict[int, int] = {}
    for reference in find_references(model):
        for row in {each.row for each in _naming(model, reference) if each.row is not None}:
            counts[row] = counts.get(row, 0) + 1
    return counts


def attached_rows(model: Model, row: int) -> Iterator[int]:
    """Yield the frames that name a row, written or by default, in `attached_to` or as the child of a joint."""
    for each, target in enumerate(model.attached_to.tolist()):
        if target == row and each != row and model.kinds[each].is_vertex:
            yield each


#: With so many children, those in view are looked up; fewer are compared one by one.
_MANY_CHILDREN = 8


class Placed(NamedTuple):
    """An element, the offset of its first character, and the element around it (None for the root)."""

    element: Element
    offset: int
    parent: Element | None

    @property
    def end(self) -> int:
        """The offset behind its last character."""
        return self.offset + self.element.length

    @property
    def content(self) -> tuple[int, int]:
        """The offsets of what is between its tags."""
        return self.offset + self.element.start_length, self.end - self.element.end_length


def elements_between(document: Document, start: int, end: int) -> Iterator[Placed]:
    """Yield the elements of which a part is between two offsets, in document order.

    Elements outside are skipped without being visited, so that the cost depends on the visible range.
    """
    root = document.root
    if root is None:
        return
    stack = [Placed(root, document.offset(root), None)]
    while stack:
        placed = stack.pop()
        if placed.offset > end or placed.end < start:
            continue
        yield placed
        element, offset, _ = placed
        children, offsets = element.children, element.offsets
        if len(children) > _MANY_CHILDREN:
            first = max(bisect_right(offsets, start - offset) - 1, 0)
            last = bisect_right(offsets, end - offset)
            children, offsets = children[first:last], offsets[first:last]
        stack += [
            Placed(child, offset + at, element) for child, at in zip(reversed(children), reversed(offsets), strict=True)
        ]
