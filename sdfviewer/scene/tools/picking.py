"""Picking: surfaces by their triangles, frames and joints by their projected origins."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.camera import Camera
from sdfviewer.scene.marks import tops_of
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.scene import Scene

_SAME_DEPTH = 1e-5
"""Metres within which frames count as equally far away."""

_CENTRE = 6.0
"""Pixels from a centre of mass at which its symbol is met."""

_CHUNK = 1 << 16
"""Triangles tested at once: enough to be fast, few enough to stay in the cache."""


class Target(str, Enum):
    """What a hit is on."""

    FRAME = "frame"
    JOINT = "joint"
    ICON = "icon"
    """The drawing of a sensor or light."""
    NAME = "name"
    """The name of a frame."""
    SURFACE = "surface"


@dataclass(frozen=True)
class Hit:
    """One thing under the mouse: its row, and how far from the camera it is in metres."""

    row: int
    target: Target
    distance: float
    point: tuple[float, float, float]


def intersect_triangles(
    origin: Floats, direction: Floats, triangles: Floats, start: float = 0.0, end: float = np.inf
) -> tuple[float, int]:
    """Return the distance along a ray to the nearest of some triangles (m, 3, 3), and which; infinite if none is hit.

    Only what is hit between the distances `start` and `end` counts, on both sides. The method is Möller and Trumbore's.
    """
    nearest, which = np.inf, -1
    for first in range(0, len(triangles), _CHUNK):
        a, b, c = np.moveaxis(triangles[first : first + _CHUNK], 1, 0)
        ab, ac = b - a, c - a
        across = np.cross(direction, ac)
        determinant = np.einsum("ij,ij->i", ab, across)
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = 1.0 / determinant
            from_a = origin - a
            u = np.einsum("ij,ij->i", from_a, across) * inverse
            q = np.cross(from_a, ab)
            v = q @ direction * inverse
            t = np.einsum("ij,ij->i", ac, q) * inverse
            hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (t > start) & (t <= end)
        if hit.any():
            candidates = np.where(hit, t, np.inf)
            best = int(np.argmin(candidates))
            if candidates[best] < nearest:
                nearest, which = float(candidates[best]), first + best
    return nearest, which


def _kept(scene: Scene, origin: Floats, direction: Floats) -> tuple[float, float]:
    """Return the distances between which a ray runs through what the section of a scene keeps."""
    return (0.0, np.inf) if scene.section is None else scene.section.enter(origin, direction)


def _ray_in_surfaces(scene: Scene, origin: Floats, direction: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the ray in the frame of each surface and where it enters its box, infinite if it misses."""
    arrays = scene.surface_arrays
    X = arrays.poses(scene.X_RootF)
    R = X[:, :3, :3]
    local_origin = np.einsum("kji,kj->ki", R, origin - X[:, :3, 3])
    local_direction = np.einsum("kji,j->ki", R, direction)
    # Flat things (planes, images) get a little thickness, else rounding would let the ray slip through their box.
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (arrays.boxes + np.array([-1e-6, 1e-6])[:, None] - local_origin[:, None]) / local_direction[:, None]
        enter = np.nanmax(t.min(axis=1), axis=1, initial=0.0)
        leave = np.nanmin(t.max(axis=1), axis=1, initial=np.inf)
    return local_origin, local_direction, np.where((enter <= leave) & np.isfinite(X[:, 0, 0]), enter, np.inf)


def _meet_surfaces(
    scene: Scene, origin: Floats, direction: Floats, *, everything: bool
) -> Iterator[tuple[float, int, int]]:
    """Yield the distance of each surface that a ray meets, its number, and which of its triangles is met.

    Unless ``everything`` is wanted, surfaces behind the nearest one may be left out.
    """
    if not scene.surfaces:
        return
    local_origin, local_direction, entry = _ray_in_surfaces(scene, origin, direction)
    scales = scene.surface_arrays.scales
    between = _kept(scene, origin, direction)
    nearest = np.inf
    for k in np.argsort(entry).tolist():
        # A box that the ray enters behind the nearest hit cannot hold a nearer one.
        if not np.isfinite(entry[k]) or (not everything and entry[k] > nearest):
            break
        mesh = scene.surfaces[k].mesh
        triangles = mesh.positions[mesh.indices].astype(np.float64) * scales[k]
        distance, triangle = intersect_triangles(local_origin[k], local_direction[k], triangles, *between)
        if np.isfinite(distance):
            nearest = min(nearest, distance)
            yield distance, k, triangle


def pick_surfaces(scene: Scene, origin: Floats, direction: Floats, *, everything: bool = False) -> list[Hit]:
    """Return the surfaces that a ray meets, nearest first; only the nearest unless `everything` is requested."""
    hits: list[Hit] = []
    for distance, k, _ in _meet_surfaces(scene, origin, direction, everything=everything):
        x, y, z = (float(value) for value in origin + distance * direction)
        hits.append(Hit(scene.surfaces[k].row, Target.SURFACE, distance, (x, y, z)))
    hits.sort(key=lambda hit: hit.distance)
    return hits if everything else hits[:1]


def hit_triangle(scene: Scene, origin: Floats, direction: Floats) -> tuple[int, int, Floats] | None:
    """Return the nearest surface that a ray meets, which of its triangles, and the point (3,); None where none is."""
    found = min(_meet_surfaces(scene, origin, direction, everything=False), default=None)
    if found is None:
        return None
    distance, k, triangle = found
    return k, triangle, np.asarray(origin + distance * direction)


def _icons(scene: Scene) -> NDArray[np.int32]:
    """Return the rows that are drawn as icons."""
    return scene.lines.owners[scene.lines.on_screen]


def pick_frames(
    scene: Scene,
    camera: Camera,
    x: float,
    y: float,
    width: float,
    height: float,
    radius: float = 9.0,
    preferred: Collection[int] = (),
) -> list[Hit]:
    """Return the frames, joints and icons with an origin within `radius` pixels of (x, y), the nearest first.

    Of frames in one place those `preferred` come first, and then those whose label is on top.
    """
    joints, icons = set(scene.joints.rows.tolist()), set(_icons(scene).tolist())
    has_origin = np.zeros(len(scene.X_RootF), np.bool_)
    for drawn in (scene.triads.rows, scene.joints.rows, _icons(scene)):
        has_origin[drawn] = True
    rows = np.flatnonzero(has_origin)
    if not len(rows):
        return []
    origins = scene.X_RootF[rows][:, :3, 3]
    near, away, depth = points_around(scene, camera, origins, (x, y), (width, height), radius)
    importance = np.zeros(len(scene.X_RootF))
    importance[scene.labels.rows] = scene.labels.priorities
    importance[[row for row in preferred if row < len(importance)]] = np.inf
    # Within a pixel the nearest frame wins; among frames in one place the most important one, else the first.
    in_front = np.round(depth[near] / _SAME_DEPTH)
    order = near[np.lexsort((near, -importance[rows[near]], in_front, np.round(away[near])))]
    hits = []
    for k in order:
        px, py, pz = (float(value) for value in origins[k])
        row = int(rows[k])
        target = Target.JOINT if row in joints else Target.ICON if row in icons else Target.FRAME
        hits.append(Hit(row, target, float(depth[k]), (px, py, pz)))
    return hits or _pick_parent_sides(scene, camera, (x, y), (width, height), radius)


def points_around(
    scene: Scene,
    camera: Camera,
    points: Floats,
    at: tuple[float, float],
    size: tuple[float, float],
    radius: float,
) -> tuple[NDArray[np.intp], Floats, Floats]:
    """Return which of some points (k, 3) are shown within some pixels of a point of the picture, the nearest first.

    With them how far away all are in the picture, in pixels (k,), and how far in front of the camera, in metres (k,).
    """
    pixels, depth = camera.project(points, *size)
    with np.errstate(invalid="ignore"):
        away = np.hypot(pixels[:, 0] - at[0], pixels[:, 1] - at[1])
        near = np.nonzero((away <= radius) & (depth > 0) & scene.keeps(points))[0]
    return near[np.argsort(away[near], kind="stable")], away, depth


def _pick_points(
    scene: Scene,
    camera: Camera,
    points: Floats,
    rows: NDArray[np.integer],
    target: Target,
    at: tuple[float, float],
    size: tuple[float, float],
    radius: float,
) -> list[Hit]:
    """Return the rows (k,) whose points (k, 3) are shown within some pixels of a point, the nearest first."""
    near, _, depth = points_around(scene, camera, points, at, size, radius)
    return [
        Hit(int(rows[k]), target, float(depth[k]), (float(px), float(py), float(pz)))
        for k in near
        for px, py, pz in [points[k]]
    ]


def _pick_parent_sides(
    scene: Scene, camera: Camera, at: tuple[float, float], size: tuple[float, float], radius: float
) -> list[Hit]:
    """Return the joints whose parent side Jp has its origin within some pixels of a point, the nearest first."""
    sides = scene.parent_sides
    origins = (scene.X_RootF[sides.parents] @ sides.X_PJp)[:, :3, 3]
    return _pick_points(scene, camera, origins, sides.joints, Target.JOINT, at, size, radius)


def _pick_centres(scene: Scene, camera: Camera, at: tuple[float, float], size: tuple[float, float]) -> list[Hit]:
    """Return the links whose centre of mass is shown at a point, the nearest first."""
    points = scene.centres.points(scene.X_RootF)
    return _pick_points(scene, camera, points, scene.centres.rows, Target.FRAME, at, size, _CENTRE)


def pick(
    scene: Scene,
    camera: Camera,
    x: float,
    y: float,
    width: float,
    height: float,
    preferred: Collection[int] = (),
) -> Hit | None:
    """Return the pick under the mouse: a frame if its origin is close, a centre of mass, else the nearest surface.

    Of frames in one place it is one of the rows `preferred`, else the one whose label is on top. In a world, frames of
    other models than the one under the mouse are met only in front of it.
    """
    frames = pick_frames(scene, camera, x, y, width, height, preferred=preferred)
    if frames and scene.kinds[:1] == ("world",):
        frames = _in_front(scene, camera, frames, hit_triangle(scene, *camera.ray(x, y, width, height)), preferred)
    frames = frames or _pick_centres(scene, camera, (x, y), (width, height))
    if frames:
        return frames[0]
    surfaces = pick_surfaces(scene, *camera.ray(x, y, width, height))
    return surfaces[0] if surfaces else None


def _in_front(
    scene: Scene,
    camera: Camera,
    frames: list[Hit],
    hit: tuple[int, int, Floats] | None,
    preferred: Collection[int],
) -> list[Hit]:
    """Return the frames of a world that no surface of another model hides, and those that are preferred.

    The ground hides none: the ray may meet it in front of what is on it.
    """
    if hit is None or scene.surface_arrays.ground[hit[0]]:
        return frames
    tops, depth = tops_of(scene.owners, is_world=True), float(camera.depth(hit[2]))
    own = tops[scene.surfaces[hit[0]].row]
    return [each for each in frames if each.distance <= depth or tops[each.row] in (own, -1) or each.row in preferred]


def everything_under(scene: Scene, camera: Camera, x: float, y: float, width: float, height: float) -> tuple[Hit, ...]:
    """Return all that lies under the mouse, each row once: frames and joints first, then surfaces from near to far."""
    hits = pick_frames(scene, camera, x, y, width, height, radius=12.0)
    hits += _pick_centres(scene, camera, (x, y), (width, height))
    hits += pick_surfaces(scene, *camera.ray(x, y, width, height), everything=True)
    seen: dict[int, Hit] = {}
    for hit in hits:
        seen.setdefault(hit.row, hit)
    return tuple(seen.values())


def box_select(
    scene: Scene,
    camera: Camera,
    corner: tuple[float, float],
    opposite: tuple[float, float],
    width: float,
    height: float,
) -> NDArray[np.intp]:
    """Return the rows whose frame's origin or surface's middle lies in a rectangle of the picture, ascending."""
    arrays = scene.surface_arrays
    rows = np.concatenate([scene.triads.rows, scene.joints.rows, arrays.rows]).astype(np.intp)
    X = arrays.poses(scene.X_RootF)
    middles = np.einsum("kij,kj->ki", X[:, :3, :3], arrays.centres) + X[:, :3, 3]
    frames = np.concatenate([scene.triads.rows, scene.joints.rows])
    points = np.concatenate([scene.X_RootF[frames][:, :3, 3], middles])
    pixels, depth = camera.project(points, width, height)
    low, high = np.minimum(corner, opposite), np.maximum(corner, opposite)
    with np.errstate(invalid="ignore"):
        inside = (pixels >= low).all(axis=1) & (pixels <= high).all(axis=1) & (depth > 0)
    return np.unique(rows[inside & scene.keeps(points)])
