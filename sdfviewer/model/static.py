"""Explain what a model and its include say together: ``<static>``, and the namespace.

Source: model composition proposal, "1.4.6 //include/static"; libsdformat 17, ``Model::ResolveNamespace``
"""

from __future__ import annotations

from typing import TypeAlias

from sdfviewer.diagnostics import Span
from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.values import parse_optional_bool


def explain_settings(model: Model, row: int) -> list[str]:
    """Return what :func:`explain_static` and :func:`explain_namespace` say, one sentence a line."""
    return [*explain_static(model, row), *explain_namespace(model, row)]


#: What in a namespace stands for the name of the model.
_NAME = "{name}"


def namespace_of(model: Model, row: int) -> str | None:
    """Return the namespace of a model as libsdformat resolves it, None where it has none."""
    written = next(iter(_namespaces(model, row)), None)
    return None if written is None else written[0].replace(_NAME, model.local_names[row])


def explain_namespace(model: Model, row: int) -> list[str]:
    """Return the namespace of a model, where it is written and what it overrides, in a line; none where it has none."""
    written = _namespaces(model, row)
    if not written:
        return []
    (text, place), *overridden = written
    line = f"namespace: {namespace_of(model, row)} ({place.path}:{place.line}"
    line += f": in '{text}', {_NAME} is the name of the model)" if _NAME in text else ")"
    if overridden:
        other, there = overridden[0]
        line += f", overrides '{other}' ({there.path}:{there.line})"
    return [line]


def _namespaces(model: Model, row: int) -> list[tuple[str, Span]]:
    """Return what is written as namespace of a model and where: what counts first, then what that overrides."""
    if model.kinds[row] is not Kind.MODEL:
        return []
    element, document, found = model.elements[row], model.document_of(row), []
    own: tuple[Document, Element] | None = (document, element)
    if element.tag == "include":
        own = _own_element(model, row)
        if (written := element.find("namespace")) is not None and written.value:
            found.append((written.value, document.span(written, "text")))
    if own is not None and (text := own[1].attributes.get("namespace")):
        found.append((text, own[0].span(own[1], "@namespace")))
    return found


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
    """Return what an included model says itself."""
    own = _own_element(model, row)
    return None if own is None else _value(*own)


def _own_element(model: Model, row: int) -> tuple[Document, Element] | None:
    """Return the element of an included model, with its file: the one around its members."""
    members = model.rows_in(row)
    if not members:
        return None
    document = model.document_of(members[0])
    around = document.parent(model.elements[members[0]])
    return None if around is None or around.tag != "model" else (document, around)


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
