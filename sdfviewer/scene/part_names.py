"""Names of visuals, collisions, sensors and lights: these have no triads, and are named while they are selected."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np

from sdfviewer.display_text import visible
from sdfviewer.model.kinds import Kind
from sdfviewer.palette import TOKENS
from sdfviewer.scene.nodes import Labels
from sdfviewer.scene.scene import Scene

_PRIORITY = 1.0
"""Below those of frames, which come first in a place."""
_MOST = 100
"""So many parts are named: of more there is no room for all."""


def name_parts(scene: Scene, rows: Iterable[int]) -> Labels:
    """Return labels of those of some rows that are parts of links and are drawn.

    The label of a surface is at its middle, because the origin of a mesh may be far from what is drawn of it.
    """
    inside = (row for row in rows if 0 <= row < len(scene.kinds))
    parts = [*islice((row for row in inside if not Kind(scene.kinds[row]).is_vertex), _MOST)]
    if not parts:
        return Labels()
    arrays = scene.surface_arrays
    surface_of = {scene.surfaces[k].row: k for k in np.flatnonzero(np.isin(arrays.rows, parts)).tolist()}
    lined = set(scene.lines.owners[np.isin(scene.lines.owners, parts)].tolist())
    drawn = sorted(row for row in parts if row in surface_of or row in lined)
    offsets = np.zeros((len(drawn), 3))
    for label, row in enumerate(drawn):
        if row in surface_of:
            middle, X_RowG = arrays.centres[surface_of[row]], scene.surfaces[surface_of[row]].X_RowG
            offsets[label] = middle if X_RowG is None else X_RowG[:3, :3] @ middle + X_RowG[:3, 3]
    kinds = [Kind(scene.kinds[row]).value for row in drawn]
    return Labels(
        np.array(drawn, np.int32),
        tuple(visible(scene.names[row].rpartition("::")[2]) for row in drawn),
        np.array([TOKENS.index(kind if kind in TOKENS else "frame") for kind in kinds], np.int32),
        np.full(len(drawn), _PRIORITY),
        offsets,
    )
