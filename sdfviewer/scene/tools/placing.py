"""Places that the user points at in the picture, and the poses of what is put there: as seen, and as written."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from sdfviewer.model.model import Model
from sdfviewer.scene.camera.camera import Camera
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.tools.measuring import AnchorKind
from sdfviewer.scene.tools.snapping import Snap
from sdfviewer.transforms import Array, invert, written_numbers_of

_DIGITS = 6
"""Decimals of a position and an angle that were picked: a micrometre is finer than any mouse."""
_ALMOST = 1e-5
"""Radians by which an angle may differ from a multiple of 15 degrees and still be one."""
_LEVEL = 1e-6
"""Slope below which a ray counts as parallel to the ground."""


@dataclass(frozen=True, eq=False)
class PickedPlace:
    """A place of the scene, in root coordinates.

    Attributes
    ----------
    point
        Where it is, (3,).
    normal
        Unit vector (3,) away from the surface, or along the axis of a joint; None if there is none.
    R_RootF
        Orientation (3, 3) of the frame that it is the origin of, None where it is none.
    row
        What it belongs to, -1 for the ground.
    label
        What is there, in a word or two.
    free
        Projection (3, 3) onto the directions in which the place is only as exact as the mouse: along a face or an edge.
    step
        How exact that is, in metres.
    """

    point: Floats
    normal: Floats | None
    R_RootF: Floats | None
    row: int
    label: str
    free: Floats = field(default_factory=lambda: np.zeros((3, 3)))
    step: float = 0.0

    def pose(self, R_RootR: Floats, *, turned: bool) -> Floats:
        """Return the pose (4, 4) of what is put here.

        Parameters
        ----------
        R_RootR
            How it is turned by itself, (3, 3): its x axis changes as little as possible.
        turned
            Whether it takes the orientation of the place: z along the normal, or all axes of a frame.
        """
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = R_RootR, self.point
        if turned and self.R_RootF is not None:
            X[:3, :3] = self.R_RootF
        elif turned and self.normal is not None:
            X[:3, :3] = rotation_onto(R_RootR, self.normal)
        return X


def place_of(found: Snap, scene: Scene, pixel: float) -> PickedPlace:
    """Return the place that the mouse snaps to, where a pixel has some metres."""
    kind = found.anchor.kind
    row = scene.names.index(found.anchor.frame)
    X = scene.X_RootF[row] @ found.anchor.X_FA
    along = np.outer(X[:3, 2], X[:3, 2])
    free = {AnchorKind.FACE: np.eye(3) - along, AnchorKind.EDGE: along}.get(kind, np.zeros((3, 3)))
    return PickedPlace(
        X[:3, 3],
        X[:3, 2] if kind is AnchorKind.AXIS else found.normal,
        X[:3, :3] if kind is AnchorKind.FRAME else None,
        row,
        f"{kind.value} of {found.anchor.label}" if kind is not AnchorKind.FRAME else found.anchor.label,
        free,
        _step(pixel),
    )


def ground_place(camera: Camera, x: float, y: float, size: tuple[float, float]) -> PickedPlace | None:
    """Return the place on the ground, z = 0 of the root, under a point of the picture; None above the horizon."""
    origin, direction = camera.ray(x, y, *size)
    if abs(direction[2]) < _LEVEL or -origin[2] / direction[2] <= 0:
        return None
    point = origin - origin[2] / direction[2] * direction
    point[2] = 0.0
    pixel = float(camera.metres_per_pixel(point, size[1]))
    return PickedPlace(point, np.array([0.0, 0.0, 1.0]), None, -1, "ground", np.diag([1.0, 1.0, 0.0]), _step(pixel))


def _step(pixel: float) -> float:
    """Return the power of ten of metres that is no more exact than the mouse."""
    return float(10.0 ** math.ceil(math.log10(max(pixel, 1e-9)) - 0.5))


def rotation_onto(R_RootR: Floats, normal: Floats) -> Floats:
    """Return the rotation (3, 3) with z along a unit vector that is nearest to another one."""
    x, y, z = R_RootR.T
    cosine = float(z @ normal)
    if cosine < -1 + 1e-9:  # upside down: over the x axis
        return np.stack([x, -y, -z], axis=1)
    across = np.cross(z, normal)
    K = np.array([[0, -across[2], across[1]], [across[2], 0, -across[0]], [-across[1], across[0], 0]])
    turn = np.eye(3) + K + K @ K / (1 + cosine)
    return np.asarray(turn @ R_RootR)


def rounded_pose(X_RP: Floats, place: PickedPlace, X_RootP: Floats) -> list[float]:
    """Return x, y, z, roll, pitch, yaw of a pose that was picked, without meaningless digits.

    Parameters
    ----------
    X_RP
        The pose (4, 4) as it is to be written.
    place, X_RootP
        The place that was picked, and the same pose (4, 4) as it is shown there.
    """
    R_RootR = X_RootP[:3, :3] @ X_RP[:3, :3].T
    position = X_RP[:3, 3].tolist()
    for axis in range(3):
        # If an axis leads out of the face, its coordinate keeps the point on the face.
        is_free = place.step > 0 and float(R_RootR[:, axis] @ place.free @ R_RootR[:, axis]) > 1 - 1e-9
        digits = max(-math.floor(math.log10(place.step)), 0) if is_free else _DIGITS
        position[axis] = round(position[axis], digits) + 0.0
    return [*position, *(_rounded_angle(value) for value in written_numbers_of(X_RP)[3:])]


def _rounded_angle(value: float) -> float:
    step = math.pi / 12
    nearest = round(value / step)
    return nearest * step + 0.0 if abs(value - nearest * step) < _ALMOST else round(value, _DIGITS)


@dataclass(frozen=True, eq=False)
class PoseBase:
    """What the pose of a new element is measured from.

    Attributes
    ----------
    model
        The model that it is added to.
    X_RootF
        Poses (n, 4, 4) of all rows as they are shown, at some joint positions.
    row
        The frame R that the pose is relative to, -1 for the root.
    carrier
        What the new element moves with, -1 where no joint moves it.
    """

    model: Model
    X_RootF: Array
    row: int
    carrier: int

    @property
    def _displacement(self) -> Array:
        """By how much (4, 4) the joints have moved the carrier."""
        if self.carrier < 0:
            return np.eye(4)
        D: Array = self.X_RootF[self.carrier] @ invert(self.model.X_RootF[self.carrier])
        return D if np.isfinite(D).all() else np.eye(4)

    @property
    def _X_RootR(self) -> Array:
        X: Array = np.eye(4) if self.row < 0 else self.model.X_RootF[self.row]
        return X if np.isfinite(X).all() else np.eye(4)

    def shown(self, X_RP: Array) -> Array:
        """Return where an element with a written pose (4, 4) is shown."""
        X: Array = self._displacement @ self._X_RootR @ X_RP
        return X

    def written(self, X_RootP: Array) -> Array:
        """Return the pose (4, 4) to write for an element that is to be shown at a pose (4, 4)."""
        X: Array = invert(self._X_RootR) @ invert(self._displacement) @ X_RootP
        return X
