"""What the text means at a place: which frame is named there, what it is, and what the specification says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdfviewer.document.tables import AttributeDefinition, ElementDefinition
from sdfviewer.gui.pose_text import as_xyz_rpy
from sdfviewer.gui.source.completion import Open, definition_of
from sdfviewer.gui.source.markup import tag_at
from sdfviewer.semantics.kinds import Kind
from sdfviewer.semantics.model import Model
from sdfviewer.semantics.references import Reference, find_references
from sdfviewer.transforms import Array


@dataclass(frozen=True, slots=True)
class Name:
    """A name in the file: what it reads, where it stands, and the row it means, None where it means nothing."""

    text: str
    start: int
    end: int
    row: int | None


def target_of(model: Model, reference: Reference) -> int | None:
    """Return the row that a reference means, None where it finds nothing."""
    if reference.name == "__model__" or (reference.name == "world" and model.kinds[reference.scope] is Kind.WORLD):
        return reference.scope
    steps = reference.steps(model)
    return steps[-1] if len(steps) == len(reference.name.split("::")) else None


def row_at(model: Model, offset: int) -> int | None:
    """Return the row of the innermost element with a pose around an offset of the file."""
    element = model.document.element_at(offset)
    while element is not None:
        row = model.rows_by_element.get(id(element))
        if row is not None:
            return row
        element = model.document.parent(element)
    return None


def name_at(model: Model, offset: int) -> Name | None:
    """Return the name that stands at an offset of the file, be it given there or referred to."""
    row = row_at(model, offset)
    document = model.document
    if row is not None:
        start, end = document.attribute_offsets(model.elements[row], "name") or (0, -1)
        if start <= offset <= end:
            first = document.text.index(document.text[end - 1], start) + 1
            return Name(model.local_names[row], first, end - 1, row)
    for reference in find_references(model):
        start, end = document.offsets(reference.element, reference.part)
        if start <= offset <= end:
            first = start if reference.part == "text" else document.text.index(document.text[end - 1], start) + 1
            return Name(reference.name, first, first + len(reference.name), target_of(model, reference))
    return None


def references_to(model: Model, row: int) -> list[tuple[int, int]]:
    """Return start and end of every place in the file that names a row, in their order."""
    places = {
        model.document.offsets(reference.element, reference.part)
        for reference in find_references(model)
        if row in reference.steps(model) or row == target_of(model, reference)
    }
    return sorted(places)


def describe_row(model: Model, row: int, X_RootF: Array) -> str:
    """Return kind, name, pose and place of a row."""
    lines = [f"{model.kinds[row].value} {model.names[row]}"]
    if model.kinds[row].is_vertex and row:
        known = np.isfinite(X_RootF[row]).all()
        pose = as_xyz_rpy(X_RootF[row]) if known else "not known"
        lines.append(f"pose in {model.local_names[0]}: {pose}")
        if model.relative_to[row] >= 0:
            lines.append(f"relative_to {model.names[int(model.relative_to[row])]}")
    span = model.document_of(row).span(model.elements[row])
    lines.append(f"{span.path}:{span.line}")
    return "\n".join(lines)


def describe_markup(text: str, at: int, around: list[Open], model: Model | None) -> str:
    """Return what the specification says of the element or attribute whose name is at an offset of a text."""
    tag = tag_at(text, at)
    if tag is None or at < tag.name_start:
        return ""
    definition = definition_of([*around, Open(tag.name, None)], model)
    if definition is None:
        return ""
    if at <= tag.name_start + len(tag.name):
        return _describe_element(definition)
    for attribute in definition.attributes.values():
        start = text.find(attribute.name, tag.name_start + len(tag.name), tag.end)
        if start <= at <= start + len(attribute.name) and start > 0:
            return _describe_attribute(attribute)
    return ""


_TIMES = {"0": "optional", "1": "required", "*": "any number", "+": "at least one", "-1": "deprecated"}


def _describe_element(definition: ElementDefinition) -> str:
    words = [f"<{definition.tag}>: {_TIMES[definition.cardinality]}"]
    if definition.type is not None and not definition.children:
        words.append(definition.type + (f", {definition.default!r} by default" if definition.default else ""))
    bounds = [
        f"at {word} {bound:g}"
        for word, bound in (("least", definition.minimum), ("most", definition.maximum))
        if bound is not None
    ]
    return "; ".join([*words, *bounds])


def _describe_attribute(attribute: AttributeDefinition) -> str:
    default = "" if attribute.is_required or not attribute.default else f", {attribute.default!r} by default"
    return f"{attribute.name}: {'required' if attribute.is_required else 'optional'}; {attribute.type}{default}"
