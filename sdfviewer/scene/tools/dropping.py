"""What is dropped into the picture: shapes and mesh files, on a link or beside all links."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sdfviewer.document.edits import Edit
from sdfviewer.formats.load import Loader
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.values import format_numbers, parse_numbers
from sdfviewer.operations import adding
from sdfviewer.operations.declaration import EditContext
from sdfviewer.refactoring.adding import free_name
from sdfviewer.refactoring.new_parts import NewMesh, NewShape
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.tools.placing import PickedPlace, PoseBase, rounded_pose

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
    return _put(target, shape, loader, pose, (Kind.VISUAL, Kind.COLLISION))


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
