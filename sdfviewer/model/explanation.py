"""Explain a pose, by the chain of frames from the root, and what a model and its include say together.

Source: model composition proposal, "1.4.6 //include/static"; libsdformat 17, ``Model::ResolveNamespace``
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from sdfviewer.diagnostics import Span
from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.model import graph
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.references import edge_location, own_pose
from sdfviewer.model.targets import explain_missing_default
from sdfviewer.model.values import parse_optional_bool
from sdfviewer.number_text import format_shown
from sdfviewer.transforms import Array, invert, matrix_to_pose


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """The placement frame P of a model M: the file gives X_RP, and X_RM follows as X_RP · X_PM.

    Attributes
    ----------
    row
        Row of P.
    X_RP, X_PM
        The pose as written (4, 4), and that of the model in its placement frame.
    """

    row: int
    X_RP: Array
    X_PM: Array


def placement_of(model: Model, row: int) -> Placement | None:
    """Return how a model is placed by one of its frames, None if it is placed by its own."""
    frame = model.scope.placement_frames.get(row)
    if frame is None:
        return None
    X_PM = invert(model.X_RootF[frame]) @ model.X_RootF[row]
    X_RP: Array = model.raw_poses[row] @ invert(X_PM)
    return Placement(frame, X_RP, X_PM)


@dataclass(frozen=True, slots=True, eq=False)
class ExplanationStep:
    """One frame F of the chain behind a pose.

    Attributes
    ----------
    row
        Row of F.
    relative_to
        Row of the frame R that its pose is measured from; negative at the root and where a name finds nothing.
    is_written
        Whether R is written in the file, rather than the default.
    raw
        ``x y z roll pitch yaw`` in metres and radians, as written: a pitch of 105° stays one.
    X_RF, X_RootF
        Raw pose (4, 4), and the running pose in the root, NaN where it is undefined.
    span
        Where the edge from F to R is written, or the element whose default it is.
    fault
        Why the chain ends here, empty where it does not.
    placement
        The frame by which a model is placed, None if there is none.
    overrides
        The pose that an included model has in its own file and that the include overrides, None where it does not.
    """

    row: int
    relative_to: int
    is_written: bool
    raw: tuple[float, ...]
    X_RF: Array
    X_RootF: Array
    span: Span
    fault: str = ""
    placement: Placement | None = None
    overrides: Span | None = None


def explain_pose(model: Model, row: int) -> list[ExplanationStep]:
    """Return the chain from the root to a row; where there is no root, from where the chain breaks."""
    rows = graph.chain(model.relative_to, row)
    is_cycle = rows[-1] in rows[:-1]
    if is_cycle:
        rows = rows[:-1]
    steps = []
    for each in reversed(rows):
        target, written = int(model.relative_to[each]), model.relative_to_written[each]
        fault = ""
        if target == graph.UNRESOLVED:
            fault = f"'{written}' does not exist in this scope" if written else explain_missing_default(model, each)
        elif is_cycle and each == rows[-1]:
            fault = f"the chain leads back to '{model.names[target]}'"
        span = edge_span(model, each)
        X_RF, X_RootF = model.raw_poses[each], model.X_RootF[each]
        raw = raw_numbers(model, each)
        placement = placement_of(model, each)
        overrides = _overridden(model, each)
        is_written = written is not None
        steps.append(ExplanationStep(each, target, is_written, raw, X_RF, X_RootF, span, fault, placement, overrides))
    return steps


def _overridden(model: Model, row: int) -> Span | None:
    """Return where the pose of an included model is that its include overrides."""
    own = own_pose(model, row)
    if own is None or model.elements[row].find("pose") is None:
        return None
    return (own.source or model.document).span(own.element)


def explain_axes(model: Model, row: int) -> list[str]:
    """Return a sentence for each axis of a joint: its direction in the joint frame, and in the one it is written in."""
    joint = model.joints_by_row.get(row)
    sentences = []
    for number, axis in enumerate(() if joint is None else joint.axes):
        name = "axis2" if number else "axis"
        if not np.isfinite(axis.xyz).all():
            sentences.append(f"{name} not known")
            continue
        sentence = f"{name} {_direction(axis.xyz)} in the joint frame"
        if axis.expressed_in not in (row, graph.UNRESOLVED):
            R_EJ = model.X_RootF[axis.expressed_in, :3, :3].T @ model.X_RootF[row, :3, :3]
            sentence += f", {_direction(R_EJ @ axis.xyz)} in {model.names[axis.expressed_in]}"
        sentences.append(sentence)
    return sentences


def _direction(xyz: Array) -> str:
    return " ".join(format_shown(value) for value in xyz.tolist())


def edge_span(model: Model, row: int) -> Span:
    """Return where it is written what the pose of a row is measured from, or the element whose default that is."""
    location = edge_location(model, row, "relative_to")
    return (location.source or model.document).span(location.element, location.part)


def raw_numbers(model: Model, row: int) -> tuple[float, ...]:
    """Return a raw pose as six numbers: those of the file, or of the matrix where the file has a quaternion."""
    if row in model.scope.exact_poses:
        return tuple(matrix_to_pose(model.raw_poses[row]).tolist())
    return model.scope.raw_poses[row]


def explain_settings(model: Model, row: int) -> list[str]:
    """Return what :func:`explain_static` and :func:`explain_namespace` say, one sentence a line."""
    return [*explain_static(model, row), *explain_namespace(model, row)]


#: What a namespace has in place of the name of the model.
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
