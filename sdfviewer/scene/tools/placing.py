"""Places that the user points at in the picture, and what is put or dropped there.

Poses are as seen and as written; dropped are shapes and mesh files, on a link or beside all links.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from sdfviewer.document.edits import Edit
from sdfviewer.formats.load import Loader
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.values import format_numbers, parse_numbers
from sdfviewer.operations import adding
from sdfviewer.operations.declaration import EditContext
from sdfviewer.refactoring.adding import free_name
from sdfviewer.refactoring.new_parts import NewMesh, NewShape
from sdfviewer.scene.camera import Camera
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


_SHARE = 1 / 7
"""How much of the height of the view a new shape takes, about."""


@dataclass(frozen=True, eq=False)
class DropTarget:
    """Where something is dropped.

    Attributes
    ----------
    model, X_RootF
        The model, and poses (n, 4, 4) of its rows as they are shown.
    place
        The place under the mouse.
    link
        The link that it is on; -1 on the ground and where there is none.
    """

    model: Model
    X_RootF: Floats
    place: PickedPlace
    link: int

    @property
    def base(self) -> PoseBase:
        """What the pose of what is dropped is measured from."""
        return PoseBase(self.model, self.X_RootF, max(self.link, 0), self.link)

    def pose(self, height: float = 0.0, *, turned: bool = True) -> Floats:
        """Return where (4, 4) something is shown.

        Parameters
        ----------
        height
            Metres of its origin above what it rests on.
        turned
            Whether its z axis goes along the normal.
        """
        X = self._at_place(turned)
        X[:3, 3] += height * self._up(X)
        return X

    def written(self, height: float = 0.0, *, turned: bool = True) -> str:
        """Return the six numbers of that pose as they are written, empty for the origin."""
        X_RootP = self._at_place(turned)
        X_RP = self.base.written(X_RootP)
        numbers = rounded_pose(X_RP, self.place, X_RootP)
        R_RRoot = X_RP[:3, :3] @ X_RootP[:3, :3].T
        raised = np.array(numbers[:3]) + height * R_RRoot @ self._up(X_RootP)
        numbers[:3] = [round(value, 6) + 0.0 for value in raised.tolist()]
        return format_numbers(numbers) if any(numbers) else ""

    def _at_place(self, turned: bool) -> Floats:
        own = self.base.shown(np.eye(4))
        return self.place.pose(own[:3, :3], turned=turned)

    def _up(self, X_RootP: Floats) -> Floats:
        return X_RootP[:3, 2] if self.place.normal is None else self.place.normal


def target_at(scene: Scene, model: Model, place: PickedPlace) -> DropTarget:
    """Return where something is dropped at a place of a scene."""
    row = place.row
    while row >= 0 and model.kinds[row] is not Kind.LINK:
        # A frame or joint belongs to the link that it moves with.
        row = int(model.bodies[row]) if model.kinds[row] in (Kind.FRAME, Kind.JOINT) else int(model.owners[row])
    arrays = scene.surface_arrays
    on_ground = place.row >= 0 and bool(arrays.ground[arrays.rows == place.row].any())
    return DropTarget(model, scene.X_RootF, place, -1 if on_ground else row)


def drop_shape(target: DropTarget, shape: NewShape, loader: Loader) -> Edit:
    """Return the edit that puts a shape on a link as visual and collision, or beside all links as one of its own.

    Raises
    ------
    RefactoringError
        If the link is written in another file.
    """
    # All orientations of a sphere are the same.
    pose = target.written(shape.height_above_bottom, turned=shape.shape != "sphere")
    return _put(target, shape, loader, pose, SHAPED)


def _put(target: DropTarget, shape: NewShape | NewMesh, loader: Loader, pose: str, kinds: Sequence[Kind]) -> Edit:
    """Return the edit that adds a shape to the link that it is dropped on, or as a link of its own."""
    model, on = target.model, EditContext(target.model, loader)
    owner = max(target.link, 0)
    arguments: dict[str, object] = {"name": free_name(model, owner, shape.name), "geometry": shape}
    if pose:
        arguments["pose"] = parse_numbers(pose)
    if target.link >= 0:
        both = {"with_collision": True} if len(kinds) > 1 else {}
        add = adding.add_visual if Kind.VISUAL in kinds else adding.add_collision
        return add.perform(on, {**arguments, **both, "link": owner}).edit
    if model.kinds[0] is Kind.WORLD:  # where a link needs a model
        return adding.add_model.perform(on, arguments).edit
    return adding.add_link.perform(on, {**arguments, "shape_pose": (0.0,) * 6}).edit


def fitting_size(pixel: float, view_height: float) -> float:
    """Return 1, 2 or 5 times a power of ten of metres: the size of a shape that is seen well.

    Parameters
    ----------
    pixel
        Metres of a pixel where it is dropped.
    view_height
        Pixels of the view.
    """
    wanted = pixel * view_height * _SHARE
    power = 10.0 ** math.floor(math.log10(max(wanted, 1e-6)))
    return round(next(step for step in (5, 2, 1) if step * power <= wanted or step == 1) * power, 9)


# --- mesh files ----------------------------------------------------------------------------------------------------

#: Metres of the units that mesh files are made in.
UNITS = {"metres": 1.0, "centimetres": 0.01, "millimetres": 0.001, "inches": 0.0254}
_PART = 5.0
"""Metres: what robots are made of is smaller."""


def guess_unit(path: Path, extent: float) -> str:
    """Return the unit that a mesh file is probably made in, one of :data:`UNITS`.

    Parameters
    ----------
    extent
        Its largest edge as the file has it. Formats that say their unit are in metres already.
    """
    if path.suffix.lower() in (".glb", ".gltf") or extent <= _PART:
        return "metres"
    return "millimetres"


def drop_mesh(target: DropTarget, mesh: NewMesh, kinds: Sequence[Kind], loader: Loader, *, at_origin: bool) -> Edit:
    """Return the edit that adds a mesh to the link that it is dropped on, or as a link of its own.

    Parameters
    ----------
    kinds
        Visual, collision or both.
    at_origin
        Whether its origin is that of the link; where it was dropped otherwise.

    Raises
    ------
    RefactoringError
        If the link is written in another file.
    """
    return _put(target, mesh, loader, "" if at_origin and target.link >= 0 else target.written(), kinds)
