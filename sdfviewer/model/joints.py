"""Joints with their axes in the joint frame, as the model resolves them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sdfviewer.document.element import Element
from sdfviewer.model.graph import ROOT
from sdfviewer.model.scope import Mimic, Scope
from sdfviewer.transforms import Array

#: What limits an axis in every version, in the order in which it is written.
LIMITS = ("lower", "upper", "effort", "velocity")


@dataclass(frozen=True, slots=True, eq=False)  # vectors cannot be compared as a whole
class Axis:
    """One axis of a joint, equal only to itself.

    Attributes
    ----------
    element
        The ``<axis>`` or ``<axis2>`` element.
    xyz
        Unit vector (3,) in the joint frame; NaN where ``expressed_in`` cannot be resolved.
    lower, upper
        Limits in radians, or metres for a prismatic joint; infinite if there is none.
    effort, velocity
        Limits in SI units; infinite if there is none.
    mimic
        The constraint that makes this axis follow another, as written.
    expressed_in
        Row of the frame whose axes ``xyz`` is written in; negative where it is missing.
    """

    element: Element
    xyz: Array
    lower: float
    upper: float
    effort: float
    velocity: float
    mimic: Mimic | None
    expressed_in: int


class Joint(NamedTuple):
    """A joint: rows of its own frame and of the frames it connects.

    ``parent`` is row 0 for the world of a world file, :data:`~sdfviewer.model.graph.ROOT` for the world outside
    of a model file; either end is :data:`~sdfviewer.model.graph.UNRESOLVED` where its name finds nothing.
    ``screw_pitch`` is metres of travel for one radian, positive for a right-handed thread.
    """

    row: int
    name: str
    type: str
    parent: int
    child: int
    axes: tuple[Axis, ...]
    screw_pitch: float


def resolve_joints(scope: Scope, names: Sequence[str], X_RootF: Array) -> list[Joint]:
    """Return the joints of the scope of a file, for the scoped names and the poses (n, 4, 4) of its rows."""
    joints = []
    directions = iter(_unit_vectors([axis.xyz for written in scope.joints for axis in written.axes]))
    for written in scope.joints:
        axes = []
        for axis in written.axes:
            xyz = next(directions)
            if axis.expressed_in != written.row:
                if axis.expressed_in < 0:
                    xyz = np.full(3, np.nan)
                else:  # R_JE = R_RootJᵀ R_RootE
                    R_RootJ = X_RootF[written.row, :3, :3]
                    xyz = R_RootJ.T @ X_RootF[axis.expressed_in, :3, :3] @ xyz
            limits = (axis.lower, axis.upper, axis.effort, axis.velocity)
            axes.append(Axis(axis.element, xyz, *limits, axis.mimic, axis.expressed_in))
        parent = 0 if written.parent == ROOT and scope.is_world else written.parent
        name = names[written.row]
        joints.append(Joint(written.row, name, written.type, parent, written.child, tuple(axes), written.screw_pitch))
    return joints


def _unit_vectors(vectors: Sequence[tuple[float, float, float]]) -> Array:
    """Return directions (n, 3), each divided by its length unless that is 0 or NaN."""
    lengths = np.array([math.hypot(*vector) for vector in vectors])
    lengths[~(lengths > 0)] = 1.0
    with np.errstate(invalid="ignore"):  # an infinite one has no direction: NaN
        unit: Array = np.array(vectors, np.float64).reshape(-1, 3) / lengths[:, None]
    return unit
