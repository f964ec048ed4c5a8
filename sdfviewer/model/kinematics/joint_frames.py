"""The two frames of a joint: Jp, fixed to its parent P, and Jc, fixed to its child C.

X_PC(q) = X_PJp · X_JpJc(q) · X_JcC, and X_JpJc(0) = I: at the zero configuration Jp and Jc coincide.

Source: "Specifying model kinematics in SDFormat", "<joint><pose>"; pose frame semantics proposal, 'Addendum: Model
Building, Contrast "Model-Absolute" vs "Element-Relative" Coordinates'.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdfviewer.model.graph import ROOT
from sdfviewer.model.model import Joint, Model
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
        Pose (4, 4) of Jc in Jp at the configuration asked for: the motion of the joint.
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
    if joint.child < 0 or (joint.parent < 0 and joint.parent != ROOT):
        return None

    def in_root(poses: Array, row: int) -> Array:
        X: Array = np.eye(4) if row == ROOT else poses[row]
        return X

    initial = model.X_RootF
    X_PJp = invert(in_root(initial, joint.parent)) @ initial[joint.row]
    X_CJc = invert(initial[joint.child]) @ initial[joint.row]
    X_JpRoot = invert(in_root(X_RootF, joint.parent) @ X_PJp)
    X_JpJc = X_JpRoot @ X_RootF[joint.child] @ X_CJc
    if not (np.isfinite(X_PJp).all() and np.isfinite(X_CJc).all() and np.isfinite(X_JpJc).all()):
        return None
    return JointFrames(joint.parent, joint.child, X_PJp, X_CJc, X_JpJc)
