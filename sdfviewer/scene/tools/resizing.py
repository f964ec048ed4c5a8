"""Handles that pull a shape to another size: where they are, and what a pull makes of the shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sdfviewer.model.shapes import kind_of
from sdfviewer.model.shapes.kind import Geometry, Grip
from sdfviewer.palette import AXES, theme
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.geometry import primitive_mesh, shape_of
from sdfviewer.scene.nodes import Floats, MeshInstance
from sdfviewer.scene.scene import Scene, update_poses
from sdfviewer.scene.shapes2d import Shapes, colour_of, disc, ring
from sdfviewer.scene.tools.gizmo import Drag, Gizmo, Handle, Mode, Rectangle

Handles = tuple[Grip, ...]
"""One grip, or two that are pulled at once."""
LEAST = 1e-4
"""The smallest size in metres that a shape is pulled to."""
_RADIUS, _EDGE_RADIUS, _REACH = 6.0, 4.5, 9.0
_FACING = -0.15
"""A handle that points away from the viewer by more than this is behind the shape."""
_END_ON = 0.985
_DECIMALS = 6


@dataclass(frozen=True)
class Resizing:
    """The handles of a shape S at a pose X_WS (4, 4), as a camera sees them in a picture of some size."""

    geometry: Geometry
    X_WS: Floats
    camera: Camera
    width: float
    height: float

    def handles(self) -> list[Handles]:
        """Return the handles that can be pulled from here."""
        kind = kind_of(self.geometry)
        return [each for each in (() if kind is None else kind.grips(self.geometry)) if self._is_reachable(each)]

    def _is_reachable(self, handle: Handles) -> bool:
        gizmo = self._gizmo(handle)
        if not gizmo.visible:
            return False
        facing = [float(self.X_WS[:3, :3] @ each.along @ gizmo.to_viewer) for each in handle]
        if len(handle) == 1:
            return _FACING < facing[0] < _END_ON
        return max(facing) > 0 and min(facing) > _FACING

    def _gizmo(self, handle: Handles) -> Gizmo:
        """Return a gizmo at a handle, whose first axes are those that it is pulled along."""
        x = np.array(handle[0].along)
        y = np.array(handle[1].along) if len(handle) > 1 else np.roll(x, 1)
        y = y - (y @ x) * x
        y = y / np.linalg.norm(y)
        X_SG = np.eye(4)
        X_SG[:3, :3], X_SG[:3, 3] = np.stack([x, y, np.cross(x, y)], axis=1), point_of(handle)
        return Gizmo(self.X_WS @ X_SG, Mode.MOVE, self.camera, self.width, self.height)

    def pixel(self, handle: Handles) -> Floats:
        """Return where a handle is in the picture, (2,)."""
        return np.asarray(self._gizmo(handle).project(np.zeros((1, 3)))[0])

    def pick(self, x: float, y: float) -> Handles | None:
        """Return the handle under a pixel."""
        away = [(float(np.hypot(*(self.pixel(each) - (x, y)))), each) for each in self.handles()]
        near = min(away, key=lambda each: each[0], default=None)
        return near[1] if near is not None and near[0] <= _REACH else None

    def drag(self, handle: Handles, x: float, y: float) -> Drag:
        """Return the drag of a handle from a pixel; its amounts are metres along each grip."""
        return Drag(self._gizmo(handle), Handle(Mode.MOVE, tuple(range(len(handle)))), x, y)

    def rectangles(self) -> tuple[Rectangle, ...]:
        """Return where the handles are in pixels: left, top, width and height."""
        places = (self.pixel(each).tolist() for each in self.handles())
        return tuple((x - _REACH, y - _REACH, 2 * _REACH, 2 * _REACH) for x, y in places)

    def paint(self, hovered: Handles | None, *, dark: bool) -> Shapes:
        """Return the handles, the one under the mouse lit up."""
        parts = []
        for handle in self.handles():
            middle = self.pixel(handle)
            radius = (_RADIUS if len(handle) == 1 else _EDGE_RADIUS) + 1.5 * (handle == hovered)
            axis = int(np.argmax(np.abs(handle[0].along)))
            tone = AXES[axis] if len(handle) == 1 else theme(dark).text
            colour = colour_of(theme(dark).selection if handle == hovered else tone, 1.0)
            parts += [disc(middle, radius + 1.5, colour_of(theme(dark).plate, 0.9)), disc(middle, radius - 1.0, colour)]
            parts.append(ring(middle, radius + 0.5, 1.0, colour_of(theme(dark).text, 0.6)))
        return Shapes.concatenate(parts)


def point_of(handle: Handles) -> Floats:
    """Return where a handle is in the frame of its shape, (3,): the middle of an edge for two grips."""
    if len(handle) == 1:
        return np.array(handle[0].at)
    along = [np.array(each.along) for each in handle]
    return np.asarray(sum((np.array(each.at) @ n) * n for each, n in zip(handle, along, strict=True)))


def size_of(geometry: Geometry, grip: Grip) -> float:
    """Return the number that a grip changes."""
    return float(np.ravel(getattr(geometry, grip.size))[grip.index])


def pulled(
    geometry: Geometry, handle: Handles, amounts: Sequence[float], *, both: bool = False
) -> tuple[Geometry, Floats]:
    """Return a shape that is pulled by its handle, and how far its origin goes in its frame before (3,).

    Parameters
    ----------
    amounts
        Metres along each grip.
    both
        Whether the opposite side goes as far the other way, so that the middle stays.
    """
    offset = np.zeros(3)
    for each, amount in zip(handle, amounts, strict=True):
        doubles = both and each.shift > 0
        before = size_of(geometry, each)
        after = max(round(before + amount * (2 if doubles else 1), _DECIMALS), LEAST)
        values = np.ravel(getattr(geometry, each.size)).tolist()
        values[each.index] = after
        changed: dict[str, Any] = {each.size: values[0] if len(values) == 1 else tuple(values)}
        geometry = replace(geometry, **changed)
        offset += 0.0 if doubles else each.shift * (after - before) * np.array(each.along)
    return geometry, offset


def amounts_for(
    geometry: Geometry, handle: Handles, sizes: Sequence[float], *, both: bool = False
) -> tuple[float, ...]:
    """Return the amounts by which a handle gives a shape some sizes; those that are not given stay."""
    wanted = [*sizes, *(size_of(geometry, each) for each in handle[len(sizes) :])]
    return tuple(
        (size - size_of(geometry, each)) / (2 if both and each.shift > 0 else 1)
        for each, size in zip(handle, wanted, strict=False)
    )


def with_shapes(scene: Scene, shapes: Mapping[int, Geometry], X_RootF: Floats) -> Scene:
    """Return a scene in which some rows have other shapes, at poses X_RootF (n, 4, 4)."""
    changed = _resized(shapes)
    moved = update_poses(scene, X_RootF)
    return replace(moved, surfaces=tuple(changed(each) if each.row in shapes else each for each in scene.surfaces))


def _resized(shapes: Mapping[int, Geometry]) -> Callable[[MeshInstance], MeshInstance]:
    def changed(surface: MeshInstance) -> MeshInstance:
        shape = shape_of(shapes[surface.row])
        if shape is None or shape.is_loaded:
            return surface
        # All boxes are one mesh at a scale, with the look of this one; a capsule is a mesh of its own.
        own = replace(shapes[surface.row], element=None) == shape.geometry
        return replace(surface, mesh=primitive_mesh(shape) if own else surface.mesh, scale=shape.scale)

    return changed
