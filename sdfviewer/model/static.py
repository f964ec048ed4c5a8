"""Explain ``<static>``: which model fixes a frame in the world, and which other values have no effect.

Source: model composition proposal, "1.4.6 //include/static"
"""

from __future__ import annotations

from typing import TypeAlias

from sdfviewer.diagnostics import Span
from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.values import parse_optional_bool


def explain_static(model: Model, row: int) -> list[str]:
    """Return why a frame is fixed in the world or why not, one sentence a line; empty where no ``<static>`` matters.

    ``true`` reaches every model nested in the one that says it. ``false`` in an ``<include>`` undoes what the included
    model says itself, and nothing that is said around it or in models nested in it.
    """
    models = _models_around(model, row)
    lines = []
    fixed = next((each for each in reversed(models) if model.static[each]), None)
    if fixed is not None:
        lines.append(f"static: '{model.names[fixed]}' is static{_where(_deciding(model, fixed))}")
    for each in models:
        include, own = _written(model, each)
        if each != fixed and model.static[each]:
            no_effect = (value for value in (include, own) if value is not None and value[0] is False)
            lines += [
                f"<static>false</static> of '{model.names[each]}' has no effect{_where(value)}: "
                f"'{model.names[fixed or 0]}' around it is static"
                for value in no_effect
            ]
        elif include is not None and own is not None and include[0] != own[0]:
            said = "true" if own[0] else "false"
            lines.append(f"the <include>{_where(include)} overrides <static>{said}</static>{_where(own)}")
            if include[0] is False and (still := _static_inside(model, each)):
                lines.append(f"'{model.names[still]}' in it is static by itself, which an <include> does not undo")
    return lines


#: A value of ``<static>`` and where it is written.
_Value: TypeAlias = tuple[bool, Span]


def _models_around(model: Model, row: int) -> list[int]:
    """Return the models that a row is in, the nearest first, beginning with itself if it is one."""
    return [each for each in model.around(row) if model.kinds[each] is Kind.MODEL]


def _written(model: Model, row: int) -> tuple[_Value | None, _Value | None]:
    """Return what the ``<include>`` of a model says, and what the model says itself; None where one says nothing."""
    element = model.elements[row]
    written = _value(model.document_of(row), element)
    return (written, _own_value(model, row)) if element.tag == "include" else (None, written)


def _own_value(model: Model, row: int) -> _Value | None:
    """Return what an included model says itself: its element is the one around its members."""
    members = model.rows_in(row)
    if not members:
        return None
    document = model.document_of(members[0])
    around = document.parent(model.elements[members[0]])
    return None if around is None or around.tag != "model" else _value(document, around)


def _value(document: Document, element: Element) -> _Value | None:
    static = element.find("static")
    value = None if static is None else parse_optional_bool(static.text)
    return None if static is None or value is None else (value, document.span(static))


def _deciding(model: Model, row: int) -> _Value | None:
    include, own = _written(model, row)
    return include or own


def _where(value: _Value | None) -> str:
    return "" if value is None else f" ({value[1].path}:{value[1].line})"


def _static_inside(model: Model, row: int) -> int | None:
    """Return the first static model nested in one."""
    inside = model.inside(row)[1:]
    return next((each for each in inside if model.static[each] and model.kinds[each] is Kind.MODEL), None)
