"""Joint glyphs: an arrow along each axis, and an arc, rail or helix over its limits with the current value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdfviewer.model.graph import UNRESOLVED
from sdfviewer.scene.nodes import Floats, JointGlyphs, JointShape
from sdfviewer.transforms import axis_angle_to_matrix, perpendicular

if TYPE_CHECKING:
    from sdfviewer.model.model import Model

_SHAPES = {
    "revolute": JointShape.ARC,
    "continuous": JointShape.ARC,
    "revolute2": JointShape.ARC,
    "universal": JointShape.ARC,
    "gearbox": JointShape.ARC,
    "prismatic": JointShape.RAIL,
    "screw": JointShape.HELIX,
    "ball": JointShape.SPHERE,
    "fixed": JointShape.FIXED,
}


def build_joint_glyphs(model: Model, rows: NDArray[np.bool_]) -> JointGlyphs:
    """Return the glyphs of all joints whose row is set in the mask `rows` (n,).

    A ball joint has one glyph, a sphere; a fixed joint one without a freedom; an unknown type is drawn as its axes.
    """
    joint_rows: list[int] = []
    shapes: list[int] = []
    axes: list[NDArray[np.float64]] = []
    limits: list[tuple[float, float]] = []
    pitches: list[float] = []
    carriers: list[int] = []
    dofs: list[str] = []
    for joint in model.joints:
        if not rows[joint.row] or joint.type == "fixed":
            continue
        shape = _SHAPES.get(joint.type, JointShape.ARC)
        # An axis expressed in a frame that does not resolve points nowhere.
        known = all(np.isfinite(axis.xyz).all() for axis in joint.axes)
        if shape is JointShape.SPHERE or not joint.axes or not known:
            joint_rows.append(joint.row)
            shapes.append(JointShape.SPHERE.value if shape is JointShape.SPHERE else JointShape.FIXED.value)
            axes.append(np.array([0.0, 0.0, 1.0]))
            limits.append((0.0, 0.0))
            pitches.append(0.0)
            carriers.append(-1)
            dofs.append("")
            continue
        count = 1 if joint.type in ("revolute", "continuous", "prismatic", "screw") else len(joint.axes)
        for index, axis in enumerate(joint.axes[:count]):
            joint_rows.append(joint.row)
            shapes.append(shape.value)
            axes.append(np.asarray(axis.xyz, np.float64))
            limits.append((-np.inf, np.inf) if joint.type == "continuous" else (float(axis.lower), float(axis.upper)))
            pitches.append(2 * np.pi * joint.screw_pitch if shape is JointShape.HELIX else 0.0)
            carriers.append(len(carriers) + 1 if index + 1 < count else -1)
            dofs.append(joint.name if index == 0 else f"{joint.name}[{index}]")
    k = len(joint_rows)
    return JointGlyphs(
        np.array(joint_rows, np.int32),
        np.array(shapes, np.int32),
        np.array(axes).reshape(k, 3),
        np.array(limits).reshape(k, 2),
        np.array(pitches),
        np.array(carriers, np.int32),
        tuple(dofs),
        np.zeros(k),
    )


def axes_at(glyphs: JointGlyphs, model: Model, X_RootF: Floats) -> Floats:
    """Return the axes (k, 3) of the glyphs in the joint frame for other initial poses (n, 4, 4) of the same model.

    An axis that is expressed in another frame turns with that frame.
    """
    numbers = {joint.row: number for number, joint in enumerate(model.joints)}
    axes: Floats = np.array(glyphs.axes)
    for glyph, row in enumerate(glyphs.rows.tolist()):
        which = int((glyphs.rows[:glyph] == row).sum())
        written = model.scope.joints[numbers[row]].axes
        if which < len(written) and written[which].expressed_in not in (row, UNRESOLVED):
            xyz = np.array(written[which].xyz)
            u = X_RootF[row, :3, :3].T @ X_RootF[written[which].expressed_in, :3, :3] @ xyz
            axes[glyph] = u / max(float(np.linalg.norm(u)), 1e-12)
    return axes


def values_of(glyphs: JointGlyphs, positions: Mapping[str, float]) -> Floats:
    """Return the value of each glyph (k,) from joint positions by degree of freedom."""
    return np.array([float(positions.get(dof, 0.0)) for dof in glyphs.dofs])


def with_values(glyphs: JointGlyphs, values: Floats) -> JointGlyphs:
    """Return the glyphs at other joint positions (k,)."""
    return replace(glyphs, values=np.asarray(values, np.float64))


def glyph_directions(glyphs: JointGlyphs) -> tuple[Floats, Floats]:
    """Return the axis and the zero direction of each glyph, (k, 3) each, in the joint frame at its current values.

    The joint's row rides with the child, while limits belong to the parent side: seen from the child, the arc of a
    joint at q turns by -q, and the first axis of a universal joint turns back with the second.
    """
    axes, zeros = glyphs.axes, perpendicular(glyphs.axes)
    turning = (glyphs.shapes == JointShape.ARC.value) | (glyphs.shapes == JointShape.HELIX.value)
    back = axis_angle_to_matrix(axes, np.where(turning, -glyphs.values, 0.0))
    zeros = np.einsum("kij,kj->ki", back, zeros)
    for glyph in np.nonzero(glyphs.carriers >= 0)[0][::-1]:
        carrier = glyphs.carriers[glyph]
        axes = axes if axes is not glyphs.axes else axes.copy()
        axes[glyph] = back[carrier] @ axes[glyph]
        zeros[glyph] = back[carrier] @ zeros[glyph]
    return axes, zeros
