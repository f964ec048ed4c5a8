"""The frozen pieces of a scene: arrays that refer to rows of the frame table, so that a pose update touches none.

Row -1 stands for the root itself: what is bound to it is given in root coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.mesh import Material, TriangleMesh
from sdfviewer.scene.palette import TOKENS

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


class Layer(str, Enum):
    """What a surface stands for; the window switches layers on and off."""

    VISUAL = "visual"
    COLLISION = "collision"
    INERTIA = "inertia"
    CENTRE_OF_MASS = "centre of mass"
    PLACEHOLDER = "placeholder"
    """Marks where a mesh is missing or still loading."""


@dataclass(frozen=True, eq=False)
class MeshInstance:
    """One surface: a mesh, scaled (3,), at the pose of a row, or at X_RowG in it."""

    row: int
    mesh: TriangleMesh
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)
    material: Material | None = None
    """Replaces the materials of all parts; None keeps them."""
    layer: Layer = Layer.VISUAL
    X_RowG: Floats | None = None


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

    `priorities` (k,): higher wins where two labels would overlap. `plates` says which sit on a plate (names) and which
    are bare (metre marks). `offsets` (k, 3) are metres in the row's frame.
    """

    rows: Ints = field(default_factory=lambda: _no_ints(0))
    texts: tuple[str, ...] = ()
    tokens: Ints = field(default_factory=lambda: _no_ints(0))
    priorities: Floats = field(default_factory=lambda: _no_floats(0))
    offsets: Floats = field(default_factory=lambda: _no_floats(0, 3))


class Stroke(Enum):
    """How a line is drawn; the numbers are those of the line shader."""

    SOLID = 0
    DASHED = 1
    ARROW = 2
    DASHED_ARROW = 3


@dataclass(frozen=True, eq=False)
class Lines:
    """Straight lines of constant width on screen.

    `points` (k, 2, 3) are metres in the frames of `rows` (k, 2), so one line may join two frames. `owners` (k,) is the
    row that a line belongs to: it is marked and picked along with it. Where `on_screen` (k,) is set, both points are
    in pixels instead of metres: icons that keep their size on screen.
    """

    rows: Ints = field(default_factory=lambda: _no_ints(0, 2))
    points: Floats = field(default_factory=lambda: _no_floats(0, 2, 3))
    tokens: Ints = field(default_factory=lambda: _no_ints(0))
    strokes: Ints = field(default_factory=lambda: _no_ints(0))
    owners: Ints = field(default_factory=lambda: _no_ints(0))
    on_screen: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))

    def __post_init__(self) -> None:
        if len(self.on_screen) != len(self.rows):
            object.__setattr__(self, "on_screen", np.zeros(len(self.rows), bool))

    @staticmethod
    def in_frame(
        row: int, segments: Floats, token: str, stroke: Stroke = Stroke.SOLID, *, on_screen: bool = False
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
        )

    @staticmethod
    def concatenate(parts: list[Lines]) -> Lines:
        """Return all lines of several as one."""
        if not parts:
            return Lines()
        columns = zip(*((p.rows, p.points, p.tokens, p.strokes, p.owners, p.on_screen) for p in parts), strict=True)
        return Lines(*(np.concatenate(column) for column in columns))

    def endpoints(self, X_RootF: Floats) -> Floats:
        """Return both ends of each line in root coordinates, (k, 2, 3)."""
        X = X_RootF[self.rows]
        ends = np.einsum("keij,kej->kei", X[..., :3, :3], self.points) + X[..., :3, 3]
        return np.asarray(np.where((self.rows < 0)[..., None], self.points, ends))


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
    limits : (k, 2) lower and upper, radians or metres; infinite where there is none
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
