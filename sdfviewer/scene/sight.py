"""Where the camera must be so that a part among others can be seen, and the part of a scene that is visible."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.camera import Camera
from sdfviewer.scene.materials import faded
from sdfviewer.scene.nodes import Floats, Ints, JointGlyphs, MeshInstance, ParentSides, Triads
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.tools.picking import hit_triangle

_SAMPLES = 8
"""Points of a part that are looked at."""
_ENOUGH, _FAIR = 0.2, 0.5
"""Shares of them: from where so many are seen one stays, and the first side from which so many are seen is taken."""
_YAWS = tuple(math.radians(angle) for angle in (45, -45, 90, -90, 135, -135, 180))
"""Turns to other sides, the smallest first."""
_ABOVE = math.radians(60.0)
_TOUCHES = 1e-3
"""What is nearer than a point by less than this part of the camera's distance does not hide it."""


def in_clear_sight(scene: Scene, camera: Camera, rows: Collection[int], fit: Callable[[Camera], Camera]) -> Camera:
    """Return the camera on the nearest side from which the surfaces of some rows are not hidden behind others.

    Where enough of them is seen from where the camera is, or nothing can be seen of them from anywhere, it stays there.

    Parameters
    ----------
    scene
        What is drawn.
    camera
        Shows the rows from where one looks.
    rows
        What should be seen, with everything written inside them.
    fit
        Returns the camera that shows them from where another one looks.
    """
    own = scene.owned_by(rows)
    points = _samples(scene, own)
    if not len(points):
        return camera
    scene = _around(scene, points, camera)
    best, most = camera, _share_seen(scene, own, points, camera)
    if most >= _ENOUGH:
        return camera
    for side in map(fit, _sides(camera)):
        seen = _share_seen(scene, own, points, side)
        if seen > most:
            best, most = side, seen
        if most >= _FAIR:
            break
    return best


def _sides(camera: Camera) -> Iterator[Camera]:
    for pitch in (camera.pitch, _ABOVE, -camera.pitch):
        for yaw in _YAWS:
            yield replace(camera, yaw=math.remainder(camera.yaw + yaw, 2 * math.pi), pitch=pitch)


def _samples(scene: Scene, own: NDArray[np.bool_]) -> Floats:
    """Return points (k, 3) on the surfaces of some rows (n,): middles of triangles, spread over all of them."""
    arrays = scene.surface_arrays
    chosen = np.flatnonzero(own[arrays.rows])
    chosen = chosen[:: 1 + len(chosen) // _SAMPLES]
    X = arrays.poses(scene.X_RootF)
    parts = [np.empty((0, 3))]
    for k in chosen.tolist():
        mesh = scene.surfaces[k].mesh
        wanted = max(_SAMPLES // len(chosen), 1)
        triangles = mesh.indices[:: max(len(mesh.indices) // wanted, 1)][:wanted]
        middles = mesh.positions[triangles].mean(axis=1) * arrays.scales[k]
        parts.append(middles @ X[k, :3, :3].T + X[k, :3, 3])
    points = np.concatenate(parts)
    return np.asarray(points[np.isfinite(points).all(axis=1)])


def _around(scene: Scene, points: Floats, camera: Camera) -> Scene:
    """Return a scene with those surfaces alone that can be between points and a camera on any side of them."""
    arrays = scene.surface_arrays
    X, middle = arrays.poses(scene.X_RootF), points.mean(axis=0)
    reach = float(np.linalg.norm(points - middle, axis=1).max()) + 2 * camera.distance
    centres = np.einsum("kij,kj->ki", X[:, :3, :3], arrays.centres) + X[:, :3, 3]
    radii = np.linalg.norm(arrays.boxes[:, 1] - arrays.boxes[:, 0], axis=1) / 2
    with np.errstate(invalid="ignore"):
        near = np.linalg.norm(centres - middle, axis=1) - radii < reach
    return replace(scene, surfaces=tuple(scene.surfaces[k] for k in np.flatnonzero(near).tolist()))


def _share_seen(scene: Scene, own: NDArray[np.bool_], points: Floats, camera: Camera) -> float:
    """Return what share of points (k, 3) a camera sees, or sees something of the same rows in front of.

    In a body, it sees nothing.
    """
    if not camera.orthographic and _is_inside(scene, camera):
        return 0.0
    seen = 0
    for point in points:
        back = camera.axes[2]
        origin = point + back * 1e3 * camera.distance if camera.orthographic else camera.eye
        way = point - origin
        distance = float(np.linalg.norm(way))
        hit = hit_triangle(scene, origin, way / distance)
        is_hidden = (
            hit is not None
            and not own[scene.surfaces[hit[0]].row]
            and float(np.linalg.norm(hit[2] - origin)) < distance - _TOUCHES * camera.distance
        )
        seen += not is_hidden
    return seen / len(points)


def _is_inside(scene: Scene, camera: Camera) -> bool:
    """Return whether what is behind the camera shows it its inner side."""
    back = camera.axes[2]
    hit = hit_triangle(scene, camera.eye, back)
    if hit is None:
        return False
    number, triangle, _ = hit
    arrays, mesh = scene.surface_arrays, scene.surfaces[number].mesh
    a, b, c = mesh.positions[mesh.indices[triangle]] * arrays.scales[number]
    normal = arrays.poses(scene.X_RootF)[number, :3, :3] @ np.cross(b - a, c - a)
    return bool(normal @ back > 0)


_NEAR = 0.1
"""A focus that is off by this part of its distance turns what is seen about itself well enough."""
_SAME_PLACE = 8.0
"""Pixels: of things in about the same place in the picture the nearest to the camera counts."""


def turning_about_seen(camera: Camera, scene: Scene, width: float, height: float) -> Camera:
    """Return a camera that shows the same and turns about the depth of what its picture shows next to its focus.

    The ground and the boxes of inertias do not count. Where nothing is in the picture, or its depth is about that of
    the focus, the camera is as before.
    """
    arrays = scene.surface_arrays
    counts = ~(arrays.ground | arrays.inertias)
    X = arrays.poses(scene.X_RootF)[counts]
    middles = np.einsum("kij,kj->ki", X[:, :3, :3], arrays.centres[counts]) + X[:, :3, 3]
    points = np.concatenate([middles, scene.X_RootF[scene.counting_frames][:, :3, 3]])
    points = points[np.isfinite(points).all(axis=1)]
    points = points[scene.keeps(points)]
    pixels, depth = camera.project(points, width, height)
    is_seen = (depth > 0) & (pixels >= 0).all(axis=1) & (pixels <= (width, height)).all(axis=1)
    if not is_seen.any():
        return camera
    away = np.hypot(*(pixels[is_seen] - camera.centre(width, height)).T)
    nearest = float(depth[is_seen][away <= away.min() + _SAME_PLACE].min())
    return camera if abs(nearest - camera.distance) <= _NEAR * camera.distance else camera.turning_about(nearest)


def visible_part(
    scene: Scene, hidden: NDArray[np.bool_], opacities: Floats, frameless: NDArray[np.bool_] | None = None
) -> Scene:
    """Return a scene without the rows of a mask (n,), the surfaces of the others at opacities (n,).

    Of `frameless` rows (n,) the triads and names are left out. The frame table keeps all rows, so that poses and names
    fit as before.
    """
    if not hidden.any() and (opacities >= 1).all():
        return scene
    shown = ~hidden
    holders = scene.owners[hidden]
    framed = shown if frameless is None else shown & ~frameless
    triads = framed[scene.triads.rows]
    return replace(
        scene,
        surfaces=tuple(_at(each, float(opacities[each.row])) for each in scene.surfaces if shown[each.row]),
        triads=Triads(scene.triads.rows[triads], scene.triads.tokens[triads]),
        joints=_joints(scene.joints, shown[scene.joints.rows]),
        lines=scene.lines.chosen((scene.lines.owners < 0) | shown[scene.lines.owners]),
        labels=scene.labels.chosen(framed[scene.labels.owners]),
        parent_sides=_kept_sides(scene.parent_sides, shown[scene.parent_sides.joints]),
        centres=scene.centres.chosen(shown[scene.centres.rows]),
        partly=np.unique(holders[(holders >= 0) & shown[holders]]),
    )


def _at(surface: MeshInstance, opacity: float) -> MeshInstance:
    if opacity >= 1:
        return surface
    mesh, material = faded(surface.mesh, surface.material, 1.0 - opacity)
    return replace(surface, mesh=mesh, material=material)


def _joints(joints: JointGlyphs, kept: NDArray[np.bool_]) -> JointGlyphs:
    # All axes of a joint belong to one row, so a glyph is kept together with its carrier.
    places = np.append(np.cumsum(kept) - 1, -1)
    carriers: Ints = places[joints.carriers[kept]].astype(np.int32)
    return JointGlyphs(
        joints.rows[kept],
        joints.shapes[kept],
        joints.axes[kept],
        joints.limits[kept],
        joints.pitches[kept],
        carriers,
        tuple(dof for dof, keep in zip(joints.dofs, kept.tolist(), strict=True) if keep),
        joints.values[kept],
    )


def _kept_sides(sides: ParentSides, kept: NDArray[np.bool_]) -> ParentSides:
    return ParentSides(sides.joints[kept], sides.parents[kept], sides.X_PJp[kept])
