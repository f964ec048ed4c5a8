"""The frozen pieces of a scene: arrays that refer to rows of the frame table, so that a pose update touches none.

Row -1 is the root itself: what is bound to it is given in root coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdfviewer.palette import TOKENS
from sdfviewer.scene.mesh import MeshMaterial, TriangleMesh

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


class Layer(str, Enum):
    """The kind of a surface; the window shows and hides layers."""

    VISUAL = "visual"
    COLLISION = "collision"
    INERTIA = "inertia"
    PLACEHOLDER = "placeholder"
    """Marks where a mesh is missing or still loading."""


@dataclass(frozen=True, eq=False, slots=True)
class MeshInstance:
    """One surface: a mesh, scaled (3,), at the pose of a row, or at X_RowG in it."""

    row: int
    mesh: TriangleMesh
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)
    material: MeshMaterial | None = None
    """Replaces the materials of all parts; None keeps them."""
    layer: Layer = Layer.VISUAL
    X_RowG: Floats | None = None

    def at(self, row: int) -> MeshInstance:
        """Return the same surface at another row, as thousands are after an element has come or gone."""
        # A third of the work of `dataclasses.replace` and of a copied dictionary.
        moved = object.__new__(MeshInstance)
        _set_row(moved, row)
        _set_mesh(moved, self.mesh)
        _set_scale(moved, self.scale)
        _set_material(moved, self.material)
        _set_layer(moved, self.layer)
        _set_pose(moved, self.X_RowG)
        return moved


_set_row, _set_mesh, _set_scale, _set_material, _set_layer, _set_pose = (
    MeshInstance.__dict__[each.name].__set__ for each in fields(MeshInstance)
)


def _no_ints(*shape: int) -> Ints:
    return np.zeros(shape, np.int32)


def _no_floats(*shape: int) -> Floats:
    return np.zeros(shape)


@dataclass(frozen=True, eq=False)
class Triads:
    """Frames to draw as three axes: the rows (k,), and the kind of each as its place in `palette.TOKENS` (k,)."""

    rows: Ints = field(default_factory=lambda: _no_ints(0))
    tokens: Ints = field(default_factory=lambda: _no_ints(0))


@dataclass(frozen=True, eq=False)
class Labels:
    """Texts beside frames.

    `priorities` (k,): higher wins where two labels would overlap. `offsets` (k, 3) are metres in the row's frame.
    `owners` (k,) are the rows with which a label is marked: its own row, but of a Jp the joint's.
    """

    rows: Ints = field(default_factory=lambda: _no_ints(0))
    texts: tuple[str, ...] = ()
    tokens: Ints = field(default_factory=lambda: _no_ints(0))
    priorities: Floats = field(default_factory=lambda: _no_floats(0))
    offsets: Floats = field(default_factory=lambda: _no_floats(0, 3))
    owners: Ints = field(default_factory=lambda: _no_ints(0))

    def __post_init__(self) -> None:
        if len(self.owners) != len(self.rows):
            object.__setattr__(self, "owners", self.rows)

    def chosen(self, mask: NDArray[np.bool_]) -> Labels:
        """Return the labels of a mask (k,)."""
        return Labels(
            self.rows[mask],
            tuple(text for text, keep in zip(self.texts, mask.tolist(), strict=True) if keep),
            self.tokens[mask],
            self.priorities[mask],
            self.offsets[mask],
            self.owners[mask],
        )

    def joined(self, more: Labels) -> Labels:
        """Return these and some more labels."""
        return Labels(
            np.concatenate([self.rows, more.rows]),
            self.texts + more.texts,
            np.concatenate([self.tokens, more.tokens]),
            np.concatenate([self.priorities, more.priorities]),
            np.concatenate([self.offsets, more.offsets]),
            np.concatenate([self.owners, more.owners]),
        )


class Stroke(Enum):
    """How a line is drawn; the numbers are those of the line shader."""

    SOLID = 0
    DASHED = 1
    ARROW = 2
    DASHED_ARROW = 3


class Detail(Enum):
    """When a line is drawn, where a drawing has a large and a small form: a view of a sensor, an icon, or a box."""

    ALWAYS = 0
    LARGE_VIEW = 1
    SMALL_VIEW = 2
    LARGE_ICON = 3
    SMALL_ICON = 4
    LARGE_BOX = 5
    SMALL_BOX = 6


@dataclass(frozen=True, eq=False)
class Lines:
    """Straight lines of constant width on screen.

    `points` (k, 2, 3) are metres in the frames of `rows` (k, 2), so one line may join two frames. `owners` (k,) is the
    row that a line belongs to: it is marked and picked along with it. Where `on_screen` (k,) is set, both points are
    in pixels instead of metres: icons that keep their size on screen. `details` (k,) are numbers of `Detail`.
    """

    rows: Ints = field(default_factory=lambda: _no_ints(0, 2))
    points: Floats = field(default_factory=lambda: _no_floats(0, 2, 3))
    tokens: Ints = field(default_factory=lambda: _no_ints(0))
    strokes: Ints = field(default_factory=lambda: _no_ints(0))
    owners: Ints = field(default_factory=lambda: _no_ints(0))
    on_screen: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    details: Ints = field(default_factory=lambda: _no_ints(0))

    def __post_init__(self) -> None:
        if len(self.on_screen) != len(self.rows):
            object.__setattr__(self, "on_screen", np.zeros(len(self.rows), bool))
        if len(self.details) != len(self.rows):
            object.__setattr__(self, "details", np.zeros(len(self.rows), np.int32))

    @staticmethod
    def in_frame(
        row: int,
        segments: Floats,
        token: str,
        stroke: Stroke = Stroke.SOLID,
        *,
        on_screen: bool = False,
        detail: Detail = Detail.ALWAYS,
    ) -> Lines:
        """Return lines with both ends (k, 2, 3) in the frame of one row."""
        k = len(segments)
        return Lines(
            np.full((k, 2), row, np.int32),
            np.asarray(segments, np.float64).reshape(k, 2, 3),
            np.full(k, TOKENS.index(token), np.int32),
            np.full(k, stroke.value, np.int32),
            np.full(k, row, np.int32),
            np.full(k, on_screen),
            np.full(k, detail.value, np.int32),
        )

    @staticmethod
    def concatenate(parts: list[Lines]) -> Lines:
        """Return all lines of several as one."""
        if not parts:
            return Lines()
        columns = zip(*(p._columns for p in parts), strict=True)
        return Lines(*(np.concatenate(column) for column in columns))

    @property
    def _columns(self) -> tuple[NDArray[Any], ...]:
        return self.rows, self.points, self.tokens, self.strokes, self.owners, self.on_screen, self.details

    def chosen(self, mask: NDArray[np.bool_]) -> Lines:
        """Return the lines of a mask (k,)."""
        return self if mask.all() else Lines(*(column[mask] for column in self._columns))

    def endpoints(self, X_RootF: Floats) -> Floats:
        """Return both ends of each line in root coordinates, (k, 2, 3)."""
        X = X_RootF[self.rows]
        ends = np.einsum("keij,kej->kei", X[..., :3, :3], self.points) + X[..., :3, 3]
        return np.asarray(np.where((self.rows < 0)[..., None], self.points, ends))


@dataclass(frozen=True, eq=False)
class ParentSides:
    """The joint frames Jp that ride with the parents: rows of joints and parents (k,), and X_PJp (k, 4, 4)."""

    joints: Ints = field(default_factory=lambda: _no_ints(0))
    parents: Ints = field(default_factory=lambda: _no_ints(0))
    X_PJp: Floats = field(default_factory=lambda: _no_floats(0, 4, 4))


class JointShape(Enum):
    """How the freedom of an axis is drawn; the numbers are those of the joint shader."""

    ARC = 0
    RAIL = 1
    HELIX = 2
    SPHERE = 3
    FIXED = 4


@dataclass(frozen=True, eq=False)
class JointGlyphs:
    """Joint axes: one glyph for each axis of each joint, in the frame of the joint's row (which rides with the child).

    Parameters
    ----------
    rows : (k,) rows of the joints
    shapes : (k,) numbers of `JointShape`
    axes : (k, 3) unit vectors in the joint frame at position zero
    limits : (k, 2) lower and upper, radians or metres; infinite if there is none
    pitches : (k,) metres per revolution, of screws
    carriers : (k,) the glyph of the axis between this one and the child (the second axis of a universal joint), or -1
    dofs : names as `Kinematics.dofs` spells them; empty for what has no position
    values : (k,) current positions
    """

    rows: Ints = field(default_factory=lambda: _no_ints(0))
    shapes: Ints = field(default_factory=lambda: _no_ints(0))
    axes: Floats = field(default_factory=lambda: _no_floats(0, 3))
    limits: Floats = field(default_factory=lambda: _no_floats(0, 2))
    pitches: Floats = field(default_factory=lambda: _no_floats(0))
    carriers: Ints = field(default_factory=lambda: _no_ints(0))
    dofs: tuple[str, ...] = ()
    values: Floats = field(default_factory=lambda: _no_floats(0))
