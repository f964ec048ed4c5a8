"""Properties of a whole model: its placement, and whether it is static."""

from __future__ import annotations

import numpy as np

from sdfviewer.computed import common_ends
from sdfviewer.model import graph
from sdfviewer.model.findings import ElementPart, FaultyEdge, Finding
from sdfviewer.model.graph import ROOT, Rows
from sdfviewer.model.names import reference_hint
from sdfviewer.model.scope import Scope
from sdfviewer.transforms import Array, invert, pose_to_matrix
from sdfviewer.validation import frame_rules


def raw_pose_matrices(scope: Scope) -> Array:
    """Return the raw poses of all rows as matrices (n, 4, 4)."""
    X = pose_to_matrix(np.array(scope.raw_poses, dtype=np.float64).reshape(-1, 6))
    for row, exact in scope.exact_poses.items():
        X[row] = exact
    return X


class RawPoses:
    """The raw poses of one load as matrices, computed from those of the load before at the cost of what has changed."""

    def __init__(self) -> None:
        self._written: list[tuple[float, ...]] = []
        self._matrices: Array = np.zeros((0, 4, 4))

    def matrices(self, scope: Scope) -> Array:
        """Return the raw poses of all rows as matrices (n, 4, 4): the same array where nothing has changed."""
        before, now = self._written, scope.raw_poses
        start, end = common_ends(before, now)  # what is written in the same element is the same tuple
        if not start + end == len(before) == len(now):
            middle = pose_to_matrix(np.array(now[start : len(now) - end], dtype=np.float64).reshape(-1, 6))
            parts = [self._matrices[:start], middle, self._matrices[len(before) - end :]]
            self._written, self._matrices = now, np.concatenate(parts)
        if not scope.exact_poses:
            return self._matrices
        X = self._matrices.copy()
        for row, exact in scope.exact_poses.items():
            X[row] = exact
        return X

    def copy(self) -> RawPoses:
        """Return the same, for another load that starts from the same one."""
        other = RawPoses()
        other._written, other._matrices = self._written, self._matrices
        return other


def place_by_frame(scope: Scope, location: ElementPart) -> None:
    """Turn the pose of a model's placement frame P into that of the model M: X_RM = X_RP · X_PM."""
    name = scope.placement_frame
    if name is None:
        return
    frame = scope.lookup(name)
    if frame is None:
        if not scope.leans_on_missing(name):
            rule = frame_rules.placement_frame_invalid
            message = rule.format(name, reference_hint(scope, rule, name))
            what = "placement_frame"
            edges = (FaultyEdge(0, what),)
            scope.findings.append(Finding(rule, location, message, (0,), reference=name, attribute=what, edges=edges))
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
