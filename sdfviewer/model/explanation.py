"""Explain a pose: the chain of frames from the root to a frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdfviewer.diagnostics import Span
from sdfviewer.model import graph
from sdfviewer.model.model import Model
from sdfviewer.model.references import edge_location, own_pose
from sdfviewer.model.targets import explain_missing_default
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
