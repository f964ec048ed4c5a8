"""Snap targets of a measurement: frames, joint axes, vertices, edges and faces."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdfviewer.scene.camera import Camera
from sdfviewer.scene.glyphs import glyph_directions
from sdfviewer.scene.mesh import TriangleMesh
from sdfviewer.scene.nodes import Floats, ParentSides
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.tools.measuring import Anchor, AnchorKind
from sdfviewer.scene.tools.picking import hit_triangle, pick_frames
from sdfviewer.scene.tools.section import Section

_VERTEX, _EDGE, _AXIS, _FRAME = 10.0, 7.0, 7.0, 9.0
"""Pixels within which each is snapped to."""
_AXIS_REACH = (-22.0, 62.0)
"""Pixels along which the axis of a joint is drawn, seen from its origin."""
_SHARP = np.cos(np.radians(15.0))
"""Cosine of the angle from which on two triangles meet in an edge; below it they are one surface."""
_FLAT = np.cos(np.radians(0.5))
"""Cosine of the angle up to which two triangles are one face."""


@dataclass(frozen=True, eq=False)
class Snap:
    """A thing under the mouse that can be measured from.

    Attributes
    ----------
    anchor
        The thing.
    outline
        Its outline in root coordinates, lines (k, 2, 3).
    normal
        Of the surface under the mouse, towards the camera, in root coordinates (3,); None where there is no surface.
    """

    anchor: Anchor
    outline: Floats
    normal: Floats | None = None


def snap(
    scene: Scene,
    camera: Camera,
    x: float,
    y: float,
    size: tuple[float, float],
    *,
    preferred: Collection[int] = (),
    free: bool = False,
) -> Snap | None:
    """Return the anchor under a point of the picture, None if there is none.

    Parameters
    ----------
    scene, camera, size
        What is seen from where, and the width and height of the picture in logical pixels.
    x, y
        The point, logical pixels.
    preferred
        Rows that win over other frames in the same place.
    free
        Whether to take the point of the surface as it is.
    """
    if not free:
        found = (
            _frame(scene, camera, x, y, size, preferred)
            or _parent_side(scene, camera, x, y, size)
            or _axis(scene, camera, x, y, size)
        )
        if found is not None:
            return found
    return _surface(scene, camera, x, y, size, free=free)


def snap_to_surface(scene: Scene, camera: Camera, x: float, y: float, size: tuple[float, float]) -> Snap | None:
    """Return the face under a point of the picture, or the point where the surface is round; None if there is none.

    Frames, axes, vertices and edges near it do not count; see :func:`snap`.
    """
    return _surface(scene, camera, x, y, size, corners=False)


def section_along(found: Snap, scene: Scene) -> Section:
    """Return the section in the plane of a face, or at a point of a round surface; it leaves out what is before it."""
    assert found.normal is not None, "only what is on a surface has a plane"
    anchor = found.anchor
    normal = scene.X_RootF[scene.names.index(anchor.frame)][:3, :3].T @ found.normal
    x, y, z = normal.tolist()
    return Section(anchor.frame, (x, y, z), float(normal @ anchor.X_FA[:3, 3]))


def _frame(
    scene: Scene, camera: Camera, x: float, y: float, size: tuple[float, float], preferred: Collection[int]
) -> Snap | None:
    whole = replace(scene, parent_sides=ParentSides())
    hits = pick_frames(whole, camera, x, y, *size, radius=_FRAME, preferred=preferred)
    if not hits:
        return None
    name = scene.names[hits[0].row]
    return Snap(Anchor(AnchorKind.FRAME, name, np.eye(4), name), np.zeros((0, 2, 3)))


def _parent_side(scene: Scene, camera: Camera, x: float, y: float, size: tuple[float, float]) -> Snap | None:
    sides = scene.parent_sides
    if not len(sides.joints):
        return None
    X = scene.X_RootF[sides.parents] @ sides.X_PJp
    pixels, depth = camera.project(X[:, :3, 3], *size)
    is_shown = (depth > 0) & scene.keeps(X[:, :3, 3])
    away = np.where(is_shown, np.hypot(pixels[:, 0] - x, pixels[:, 1] - y), np.inf)
    best = int(np.argmin(away))
    if not away[best] <= _FRAME:
        return None
    label = f"{scene.names[sides.joints[best]]} (Jp)"
    anchor = Anchor(AnchorKind.FRAME, scene.names[sides.parents[best]], sides.X_PJp[best], label)
    return Snap(anchor, np.zeros((0, 2, 3)))


def _axis(scene: Scene, camera: Camera, x: float, y: float, size: tuple[float, float]) -> Snap | None:
    joints = scene.joints
    if not len(joints.rows):
        return None
    axes, _ = glyph_directions(joints)
    X = scene.X_RootF[joints.rows]
    origins = X[:, :3, 3]
    directions = np.einsum("kij,kj->ki", X[:, :3, :3], axes)
    ends = drawn_axes(origins, directions, camera, size[1])
    away = np.where(scene.keeps(origins), _pixels_to_segments(ends, camera, x, y, size), np.inf)
    best = int(np.argmin(away))
    if not away[best] <= _AXIS:
        return None
    name = scene.names[joints.rows[best]]
    anchor = Anchor.at(AnchorKind.AXIS, name, name, np.zeros(3), axes[best])
    return Snap(anchor, ends[best][None])


def drawn_axes(origins: Floats, directions: Floats, camera: Camera, height: float) -> Floats:
    """Return the lines (k, 2, 3) along which axes of joints are drawn, in root coordinates.

    Parameters
    ----------
    origins, directions
        Where the axes are, and unit vectors along them, (k, 3).
    height
        Of the picture in logical pixels.
    """
    metres = camera.metres_per_pixel(origins, height)[:, None]
    return np.stack([origins + reach * metres * directions for reach in _AXIS_REACH], axis=1)


def _surface(
    scene: Scene,
    camera: Camera,
    x: float,
    y: float,
    size: tuple[float, float],
    *,
    free: bool = False,
    corners: bool = True,
) -> Snap | None:
    origin, direction = camera.ray(x, y, *size)
    hit = hit_triangle(scene, origin, direction)
    if hit is None:
        return None
    which, triangle, point = hit
    surface = scene.surfaces[which]
    X_RootF = scene.X_RootF[surface.row]
    X_RootG = X_RootF if surface.X_RowG is None else X_RootF @ surface.X_RowG
    name = scene.names[surface.row]
    into_frame = np.linalg.inv(X_RootF)

    def anchor(kind: AnchorKind, at: Floats, direction: Floats | None = None) -> Anchor:
        local = None if direction is None else into_frame[:3, :3] @ direction
        return Anchor.at(kind, name, name, (into_frame @ np.append(at, 1.0))[:3], local)

    mesh = surface.mesh
    local_corners = mesh.positions[mesh.indices[triangle]].astype(np.float64) * surface.scale
    ends = local_corners @ X_RootG[:3, :3].T + X_RootG[:3, 3]
    normal = np.cross(ends[1] - ends[0], ends[2] - ends[0])
    normal /= max(float(np.linalg.norm(normal)), 1e-30)
    outwards = -normal if float(normal @ direction) > 0 else normal
    if free:
        return Snap(anchor(AnchorKind.POINT, point), np.zeros((0, 2, 3)), outwards)
    cosines = _bends(mesh, triangle, np.asarray(surface.scale))
    edges = np.stack([ends, np.roll(ends, -1, axis=0)], axis=1)
    sharp = cosines < _SHARP
    # A corner of a triangle is a corner of the body if edges meet there.
    is_corner = (sharp | np.roll(sharp, 1)) & corners
    pixels, depth = camera.project(ends, *size)
    away = np.where(is_corner & (depth > 0), np.hypot(pixels[:, 0] - x, pixels[:, 1] - y), np.inf)
    if away.min() <= _VERTEX:
        return Snap(anchor(AnchorKind.VERTEX, ends[int(np.argmin(away))]), np.zeros((0, 2, 3)), outwards)
    to_edges = np.where(sharp & corners, _pixels_to_segments(edges, camera, x, y, size), np.inf)
    if to_edges.min() <= _EDGE:
        start, end = edges[int(np.argmin(to_edges))]
        along = (end - start) / np.linalg.norm(end - start)
        on_edge = start + float((point - start) @ along) * along
        return Snap(anchor(AnchorKind.EDGE, on_edge, along), np.stack([start, end])[None], outwards)
    # Triangles only approximate a round surface; the normals give its curvature.
    smooth = _smooth_normal(mesh, triangle, np.linalg.inv(X_RootG) @ np.append(point, 1.0), surface.scale)
    if smooth is not None:
        curved = X_RootG[:3, :3] @ smooth
        outwards = curved if float(curved @ outwards) > 0 else -curved
    elif sharp.all() or (cosines > _FLAT).any():
        return Snap(anchor(AnchorKind.FACE, point, normal), edges[sharp] if sharp.any() else edges, outwards)
    return Snap(anchor(AnchorKind.POINT, point), np.zeros((0, 2, 3)), outwards)


def _smooth_normal(mesh: TriangleMesh, triangle: int, point: Floats, scale: ArrayLike) -> Floats | None:
    """Return the normal (3,) of a round surface at a point of a triangle, in the mesh's frame; None where it is flat.

    Parameters
    ----------
    point
        Homogeneous coordinates (4,) in that frame.
    """
    if mesh.normals is None:
        return None
    which, factors = mesh.indices[triangle], np.asarray(scale, np.float64)
    a, b, c = mesh.positions[which].astype(np.float64) * factors
    normals = mesh.normals[which].astype(np.float64) / factors
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    cosines = normals @ normals[[1, 2, 0]].T
    if cosines.min() > _FLAT or cosines.min() < _SHARP:
        return None
    weights = np.linalg.lstsq(np.stack([b - a, c - a], axis=1), point[:3] - a, rcond=None)[0]
    normal = np.array([1.0 - weights.sum(), *weights]) @ normals
    return np.asarray(normal / max(float(np.linalg.norm(normal)), 1e-30))


def _bends(mesh: TriangleMesh, triangle: int, scale: Floats) -> Floats:
    """Return the cosine (3,) of the angle to the neighbour across each edge of a triangle, -1 if there is none.

    Edge k goes from corner k to the next one. Vertices in one place are one: seams repeat them.
    """
    positions = mesh.positions
    corners = positions[mesh.indices[triangle]]
    tolerance = 1e-5 * max(float(np.ptp(mesh.bounds, axis=0).max()), 1e-12)
    at: list[NDArray[np.bool_]] = [
        (np.abs(positions - corner) <= tolerance).all(axis=1)[mesh.indices].any(axis=1) for corner in corners
    ]
    own = _normals(corners[None], scale)[0]
    cosines = np.full(3, -1.0)
    for edge in range(3):
        beside = at[edge] & at[(edge + 1) % 3]
        beside[triangle] = False
        neighbours = np.nonzero(beside)[0]
        if len(neighbours):
            normals = _normals(positions[mesh.indices[neighbours]], scale)
            cosines[edge] = float(np.abs(normals @ own).min())
    return cosines


def _normals(triangles: NDArray[np.float32], scale: Floats) -> Floats:
    p = triangles.astype(np.float64) * scale
    n = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    return np.asarray(n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-30))


def _pixels_to_segments(ends: Floats, camera: Camera, x: float, y: float, size: tuple[float, float]) -> Floats:
    """Return how many pixels a point is away from each of some lines (k, 2, 3); infinite behind the camera."""
    pixels, depth = camera.project(ends, *size)
    a, b = pixels[:, 0], pixels[:, 1]
    along, to_point = b - a, np.array([x, y]) - a
    length = np.maximum((along * along).sum(axis=1), 1e-12)
    t = np.clip((to_point * along).sum(axis=1) / length, 0.0, 1.0)
    away = np.linalg.norm(to_point - t[:, None] * along, axis=1)
    return np.where((depth > 0).all(axis=1) & np.isfinite(away), away, np.inf)
