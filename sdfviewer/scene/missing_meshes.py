"""The size of the mark of a missing mesh: an estimate of the mesh, never larger than the rest of the model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sdfviewer.scene.inertia_marks import Inertia
from sdfviewer.scene.meshes.placeholder import EDGE
from sdfviewer.scene.nodes import Floats, Layer, MeshInstance
from sdfviewer.scene.scene import Scene

_SMALLEST = 1e-3
"""Metres."""
_NEIGHBOURS = 4
"""So many of the nearest surfaces tell how large a thing is among them."""
_PART = 0.15
"""Largest mark as a part of the extent of all that is there."""


def sized_marks(
    surfaces: list[MeshInstance], scene: Scene, links: list[int], inertia_of: Callable[[int], Inertia | None]
) -> list[MeshInstance]:
    """Return surfaces with the marks of missing meshes at a size that suits their link.

    Parameters
    ----------
    surfaces
        All surfaces; those of `Layer.PLACEHOLDER` are the marks.
    scene
        The poses and owners of all rows.
    links
        The rows of all links.
    inertia_of
        Gives the inertia of a link's row, where one is written.
    """
    if not any(each.layer is Layer.PLACEHOLDER for each in surfaces):
        return surfaces
    there = [each for each in surfaces if each.layer in (Layer.VISUAL, Layer.COLLISION)]
    arrays = replace(scene, surfaces=tuple(there)).surface_arrays
    standing = ~arrays.ground
    extents = (arrays.boxes[:, 1] - arrays.boxes[:, 0]).max(axis=1, initial=0.0)[standing]
    middles = arrays.poses(scene.X_RootF)[standing][:, :3, 3]
    origins = scene.X_RootF[links][:, :3, 3]
    limit = _PART * max(_spread(middles) + float(extents.max(initial=0.0)), _spread(origins))

    def edge_of(surface: MeshInstance) -> float:
        link = int(scene.owners[surface.row])
        p = scene.X_RootF[surface.row, :3, 3]
        inertia = inertia_of(link) if link >= 0 else None
        away = _distances(origins, scene.X_RootF[max(link, 0), :3, 3])
        away = away[(away > _SMALLEST) & np.isfinite(away)]
        apart = float(away.min()) if len(away) else np.inf
        if inertia is not None:
            # As large as the body, but not overlapping where links are close together.
            edge = min(float(inertia.box.prod() ** (1 / 3)), apart)
        elif len(extents):
            nearest = np.argsort(_distances(middles, p), kind="stable")[:_NEIGHBOURS]
            edge = float(np.median(extents[nearest]))
        else:
            edge = apart / 2 if np.isfinite(apart) else EDGE
        return float(np.clip(edge, _SMALLEST, limit if limit > _SMALLEST else EDGE))

    return [
        replace(each, scale=(edge_of(each) / EDGE,) * 3) if each.layer is Layer.PLACEHOLDER else each
        for each in surfaces
    ]


def _distances(points: Floats, p: Floats) -> Floats:
    return np.asarray(np.linalg.norm(points - p, axis=1))


def _spread(points: Floats) -> float:
    """Return the largest edge of the box around points (k, 3)."""
    known = points[np.isfinite(points).all(axis=1)]
    return float((known.max(axis=0) - known.min(axis=0)).max()) if len(known) else 0.0
