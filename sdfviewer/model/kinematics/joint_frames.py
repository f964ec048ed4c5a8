"""The two frames of a joint: Jp, fixed to its parent P, and Jc, fixed to its child C.

X_PC(q) = X_PJp · X_JpJc(q) · X_JcC, and X_JpJc(0) = I: at the zero configuration Jp and Jc coincide.

Source: "Specifying model kinematics in SDFormat", "<joint><pose>"; pose frame semantics proposal, 'Addendum: Model
Building, Contrast "Model-Absolute" vs "Element-Relative" Coordinates'.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdfviewer.model.graph import ROOT
from sdfviewer.model.joints import Joint
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array, invert


@dataclass(frozen=True, slots=True, eq=False)
class JointFrames:
    """Where Jp and Jc of a joint are.

    Attributes
    ----------
    parent, child
        Rows of P and C, the frames that the joint names; :data:`~sdfviewer.model.graph.ROOT` for the world outside of
        a model file, which the root frame represents.
    X_PJp, X_CJc
        Poses (4, 4) of Jp in P and of Jc in C, which no motion changes.
    X_JpJc
        Pose (4, 4) of Jc in Jp at the requested configuration: the motion of the joint.
    """

    parent: int
    child: int
    X_PJp: Array
    X_CJc: Array
    X_JpJc: Array


def resolve_joint_frames(model: Model, joint: Joint, X_RootF: Array) -> JointFrames | None:
    """Return the frames of a joint, None where an end of it, or a pose that it needs, is undefined.

    Parameters
    ----------
    X_RootF
        Poses (n, 4, 4) of all rows at a configuration q.
    """
    X_PJp, X_CJc, X_JpJc = joint_frame_poses(model, (joint,), X_RootF)[0]
    if not (np.isfinite(X_PJp).all() and np.isfinite(X_CJc).all() and np.isfinite(X_JpJc).all()):
        return None
    return JointFrames(joint.parent, joint.child, X_PJp, X_CJc, X_JpJc)


def joint_frame_poses(model: Model, joints: Sequence[Joint], X_RootF: Array) -> Array:
    """Return X_PJp, X_CJc and X_JpJc of joints (k, 3, 4, 4), NaN where undefined; see `resolve_joint_frames`."""
    rows = np.array([(each.row, each.parent, each.child) for each in joints], np.int64).reshape(-1, 3).T
    joint, parent, child = rows
    X_RootJ = model.X_RootF[joint]
    X_PJp = invert(_in_root(model.X_RootF, parent)) @ X_RootJ
    X_CJc = invert(_in_root(model.X_RootF, child)) @ X_RootJ
    X_JpRoot = invert(_in_root(X_RootF, parent) @ X_PJp)
    poses = np.stack([X_PJp, X_CJc, X_JpRoot @ _in_root(X_RootF, child) @ X_CJc], axis=1)
    poses[(child < 0) | ((parent < 0) & (parent != ROOT))] = np.nan
    return poses


def _in_root(X_RootF: Array, rows: NDArray[np.int64]) -> Array:
    """Return the poses of rows (k, 4, 4); that of the root where there is no such row."""
    X: Array = X_RootF[np.maximum(rows, 0)]
    X[rows < 0] = np.eye(4)
    return X
