"""Properties of a whole model: its placement, and whether it is static."""

from __future__ import annotations

import numpy as np

from sdfviewer.model import graph
from sdfviewer.model.graph import ROOT, Rows
from sdfviewer.model.names import reference_hint
from sdfviewer.model.scope import Finding, Place, Scope
from sdfviewer.transforms import Array, invert, pose_to_matrix
from sdfviewer.validation import relative_to_rules as rules


def raw_pose_matrices(scope: Scope) -> Array:
    """Return the raw poses of all rows as matrices (n, 4, 4)."""
    X = pose_to_matrix(np.array(scope.raw_poses, dtype=np.float64).reshape(-1, 6))
    for row, exact in scope.exact_poses.items():
        X[row] = exact
    return X


def place_by_frame(scope: Scope, place: Place) -> None:
    """Turn the pose of a model's placement frame P into that of the model M: X_RM = X_RP · X_PM."""
    name = scope.placement_frame
    if name is None:
        return
    frame = scope.lookup(name)
    if frame is None:
        if not scope.leans_on_missing(name):
            rule = rules.placement_frame_invalid
            message = rule.format(name, reference_hint(scope, name))
            scope.findings.append(Finding(rule, place, message, (0,), reference=name, attribute="placement_frame"))
        return
    parents: Rows = np.array(scope.relative_to, dtype=np.int64)
    parents[0] = ROOT
    X_RP = raw_pose_matrices(scope)
    X_MP = graph.resolve(parents, X_RP)[frame]
    if np.isfinite(X_MP).all():
        scope.exact_poses[0] = X_RP[0] @ invert(X_MP)
        scope.placement_frames[0] = frame


def set_static(scope: Scope) -> None:
    """Fix a model, and all in it, in the world: a model inside a static one is static too."""
    scope.static = [True] * len(scope)
    scope.attached_to[0] = ROOT
