"""Measuring: anchors, distances, angles and radii.

An anchor rides on a frame of the model, so that a measurement follows the joints and outlives edits of other things.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from sdfviewer.display_text import table_cell, visible
from sdfviewer.scene.nodes import Floats
from sdfviewer.transforms import invert, matrix_to_rpy, perpendicular

_PARALLEL = 1e-6
"""Sine of the largest angle at which two directions count as parallel."""
_TOUCHING = 5e-6
"""Metres below which a distance is shown as zero."""


class AnchorKind(str, Enum):
    """What is measured from."""

    FRAME = "frame"
    VERTEX = "vertex"
    EDGE = "edge"
    FACE = "face"
    AXIS = "axis"
    POINT = "point"


class Relation(str, Enum):
    """How two measured things lie to each other: a face is measured as the plane that it is in."""

    TO_PLANE = "to plane"
    PARALLEL = "parallel"
    SAME_PLANE = "same plane"
    IN_PLANE = "in plane"
    SAME_LINE = "same line"


_LINES = (AnchorKind.EDGE, AnchorKind.AXIS)


@dataclass(frozen=True, eq=False)
class Anchor:
    """A thing on a frame F that can be measured from.

    Attributes
    ----------
    kind
        What it is.
    frame
        Scoped name of F.
    X_FA
        Pose (4, 4) of the anchor in F: its origin is the point; z is the direction of an edge or axis, and the normal
        of a face.
    label
        What it is called.
    """

    kind: AnchorKind
    frame: str
    X_FA: Floats
    label: str

    @staticmethod
    def at(kind: AnchorKind, frame: str, label: str, point: Floats, direction: Floats | None = None) -> Anchor:
        """Return an anchor at a point (3,) of its frame, along a direction (3,) if it has one."""
        X_FA = np.eye(4)
        X_FA[:3, 3] = point
        if direction is not None:
            z = direction / np.linalg.norm(direction)
            x = perpendicular(z)
            X_FA[:3, :3] = np.stack([x, np.cross(z, x), z], axis=1)
        return Anchor(kind, frame, X_FA, label)


@dataclass(frozen=True, eq=False)
class Measurement:
    """Anchors that are measured together, under a name: one alone, two, or three points of a circle."""

    name: str
    anchors: tuple[Anchor, ...]

    def renamed_frames(self, names: Mapping[str, str]) -> Measurement:
        """Return the measurement after frames, by their former names, have got others."""
        return replace(self, anchors=tuple(replace(a, frame=names.get(a.frame, a.frame)) for a in self.anchors))


@dataclass(frozen=True, eq=False)
class Reading:
    """What a measurement says, in root coordinates.

    Attributes
    ----------
    ends
        The points (2, 3) between which the distance is measured; of a circle its centre and a point of it.
    angle
        Between two directions, from 0 to π/2 for lines and planes, radians; None where there are not two.
    X_AB
        The pose of anchor B in anchor A, where A is a frame.
    radius
        Of the circle through three points.
    normal
        Unit vector (3,) across that circle.
    relation
        How the two things lie to each other, where that says more than the numbers.
    """

    ends: Floats
    angle: float | None = None
    X_AB: Floats | None = None
    radius: float | None = None
    normal: Floats | None = None
    relation: Relation | None = None

    def rim(self) -> Floats:
        """Return the circle as lines (k, 2, 3); none where nothing is a circle."""
        if self.radius is None or self.normal is None:
            return np.zeros((0, 2, 3))
        centre = self.ends[0]
        u = self.ends[1] - centre
        v = np.cross(self.normal, u)
        turn = np.linspace(0.0, 2 * math.pi, 49)
        points = centre + np.cos(turn)[:, None] * u + np.sin(turn)[:, None] * v
        return np.stack([points[:-1], points[1:]], axis=1)

    @property
    def distance(self) -> float:
        """Metres between the ends."""
        return float(np.linalg.norm(self.ends[1] - self.ends[0]))

    def components(self, X_RootF: Floats) -> Floats:
        """Return the way (3,) from the first end to the second along the axes of a frame; of a circle its centre."""
        way = self.ends[1] - self.ends[0] if self.radius is None else self.ends[0] - X_RootF[:3, 3]
        return np.asarray(X_RootF[:3, :3].T @ way)


def read(measurement: Measurement, pose_of: Callable[[str], Floats | None]) -> Reading | None:
    """Return the result of a measurement, None before it is complete or where a frame has no pose.

    `pose_of` gives X_RootF (4, 4) by scoped name.
    """
    placed: list[Floats] = []
    for anchor in measurement.anchors:
        X = pose_of(anchor.frame)
        if X is None or not np.isfinite(X).all():
            return None
        placed.append(X @ anchor.X_FA)
    if len(placed) == 3:
        return _circle(*(X[:3, 3] for X in placed))
    if len(placed) != 2:
        return None
    a, b = measurement.anchors
    things = (_Thing(a.kind, placed[0]), _Thing(b.kind, placed[1]))
    ends, angle = _between(*things)
    X_AB = invert(placed[0]) @ placed[1] if a.kind is AnchorKind.FRAME else None
    return Reading(ends, angle, X_AB, relation=_relation(*things, ends, angle))


def _relation(a: _Thing, b: _Thing, ends: Floats, angle: float | None) -> Relation | None:
    """Return how two things lie to each other: what is measured to a plane, and how parallel lines and planes lie."""
    if a.is_point or b.is_point:
        return Relation.TO_PLANE if a.is_plane or b.is_plane else None
    if angle is None or angle >= _PARALLEL:
        return None
    if float(np.linalg.norm(ends[1] - ends[0])) > _TOUCHING:
        return Relation.PARALLEL
    if a.is_plane and b.is_plane:
        return Relation.SAME_PLANE
    return Relation.IN_PLANE if a.is_plane or b.is_plane else Relation.SAME_LINE


@dataclass(frozen=True, eq=False)
class _Thing:
    """A placed anchor: a point p (3,), and the direction u (3,) of a line or the normal of a plane."""

    kind: AnchorKind
    X_RootA: Floats

    @property
    def p(self) -> Floats:
        return np.asarray(self.X_RootA[:3, 3])

    @property
    def u(self) -> Floats:
        return np.asarray(self.X_RootA[:3, 2])

    @property
    def is_plane(self) -> bool:
        return self.kind is AnchorKind.FACE

    @property
    def is_point(self) -> bool:
        return self.kind not in (*_LINES, AnchorKind.FACE)

    def foot(self, point: Floats) -> Floats:
        """Return the point of the line or plane that is nearest to another point, or the point that this is."""
        if self.is_point:
            return self.p
        along = float((point - self.p) @ self.u) * self.u
        return np.asarray(point - along if self.is_plane else self.p + along)


def _between(a: _Thing, b: _Thing) -> tuple[Floats, float | None]:
    """Return the ends (2, 3) of the shortest way between two things, and the angle of their directions."""
    if a.is_point or b.is_point:
        angle = _rotation_angle(a.X_RootA, b.X_RootA) if a.kind is b.kind is AnchorKind.FRAME else None
        return np.stack([a.foot(b.p), b.foot(a.p)]), angle
    cosine = min(abs(float(a.u @ b.u)), 1.0)
    across = np.cross(a.u, b.u)
    sine = float(np.linalg.norm(across))
    angle = math.atan2(sine, cosine)
    if a.is_plane or b.is_plane:
        if a.is_plane != b.is_plane:
            angle, sine = math.pi / 2 - angle, cosine
        # Lines and planes that are not parallel intersect: measure between the picked points.
        ends = _ends_of_parallels(a, b) if sine < _PARALLEL else np.stack([a.p, b.p])
    elif sine < _PARALLEL:
        ends = _ends_of_parallels(a, b)
    else:  # the feet of the common perpendicular of two lines
        w, square = b.p - a.p, sine * sine
        s, t = float(np.cross(w, b.u) @ across) / square, float(np.cross(w, a.u) @ across) / square
        ends = np.stack([a.p + s * a.u, b.p + t * b.u])
    return ends, angle


def _ends_of_parallels(a: _Thing, b: _Thing) -> Floats:
    return np.stack([a.foot(b.p), b.p]) if a.is_plane or not b.is_plane else np.stack([a.p, b.foot(a.p)])


def _rotation_angle(X_A: Floats, X_B: Floats) -> float:
    trace = float(np.trace(X_A[:3, :3].T @ X_B[:3, :3]))
    return math.acos(min(max((trace - 1) / 2, -1.0), 1.0))


def _circle(a: Floats, b: Floats, c: Floats) -> Reading | None:
    """Return the circle through three points, None where they are on a line."""
    u, v = b - a, c - a
    n = np.cross(u, v)
    square = float(n @ n)
    if square <= 1e-24 * max(float(u @ u), float(v @ v), 1e-30) ** 2:
        return None
    centre = a + (float(u @ u) * np.cross(v, n) + float(v @ v) * np.cross(n, u)) / (2 * square)
    return Reading(np.stack([centre, a]), radius=float(np.linalg.norm(a - centre)), normal=n / math.sqrt(square))


# --- as text -------------------------------------------------------------------------------------------------------

Row = tuple[Measurement, Reading | None]

CSV_COLUMNS = (
    *("name", "kind_a", "a", "kind_b", "b", "kind_c", "c"),
    *("distance_m", "x_m", "y_m", "z_m", "components_in", "angle_rad", "radius_m"),
)


def format_csv(rows: Iterable[Row], X_RootF: Floats, frame: str) -> str:
    """Return measurements as CSV with a heading; the components are along the axes of a frame at X_RootF (4, 4).

    Of a circle they are where its centre is in that frame.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for measurement, reading in rows:
        anchors = [cell for anchor in measurement.anchors for cell in (anchor.kind.value, anchor.label)]
        cells: list[object] = [measurement.name, *anchors, *[""] * (6 - len(anchors))]
        if reading is None:
            cells += [""] * 7
        else:
            x, y, z = reading.components(X_RootF).tolist()
            distance = reading.distance if reading.radius is None else None
            numbers = (distance, x, y, z, frame, reading.angle, reading.radius)
            cells += ["" if each is None else each for each in numbers]
        writer.writerow([table_cell(visible(cell)) if isinstance(cell, str) else cell for cell in cells])
    return text.getvalue()


def format_text(rows: Iterable[Row], X_RootF: Floats, frame: str) -> str:
    """Return measurements as lines of text; the components are along the axes of a frame at X_RootF (4, 4)."""
    return "".join(f"{_line(measurement, reading, X_RootF, frame)}\n" for measurement, reading in rows)


def _line(measurement: Measurement, reading: Reading | None, X_RootF: Floats, frame: str) -> str:
    things = " to ".join(f"{anchor.kind.value} {anchor.label}" for anchor in measurement.anchors)
    if reading is None:
        return f"{measurement.name}: {things}: cannot be measured"
    x, y, z = reading.components(X_RootF).tolist()
    if reading.radius is not None:
        centre = f"centre in {frame} {x:.9g} {y:.9g} {z:.9g} m"
        return f"{measurement.name}: {things}: radius {reading.radius:.9g} m, {centre}"
    line = f"{measurement.name}: {things}: {reading.distance:.9g} m, x y z in {frame} {x:.9g} {y:.9g} {z:.9g} m"
    if reading.angle is not None:
        line += f", angle {math.degrees(reading.angle):.9g} deg"
    if reading.relation:
        line += f", {reading.relation.value}"
    if reading.X_AB is not None:
        rpy = " ".join(f"{value:.9g}" for value in matrix_to_rpy(reading.X_AB[:3, :3]).tolist())
        line += f", roll pitch yaw {rpy} rad"
    return line


def unused_name(measurements: Sequence[Measurement], anchors: Sequence[Anchor], others: Sequence[str] = ()) -> str:
    """Return a name for one more measurement, between its anchors: ``"palm → base"``, ``"vertex of palm → base"``.

    Three are points of a circle: ``"circle on rim"``. Where `others`, scoped names of further frames, are called the
    same, the names begin with those of their models.
    """
    taken = {each.name for each in measurements}
    is_circle = len(anchors) == 3
    names = _names(anchors, others, with_kinds=not is_circle)
    between = f"circle on {', '.join(dict.fromkeys(names))}" if is_circle else " → ".join(names)
    numbered = (f"{between} ({number})" for number in range(2, len(taken) + 2))
    return between if between not in taken else next(name for name in numbered if name not in taken)


def _names(anchors: Sequence[Anchor], others: Sequence[str], *, with_kinds: bool) -> list[str]:
    """Return the names of frames without their scopes, or with as much of them as it takes to tell them apart.

    That is from each other, and from `others`.

    Of a thing on a visual it is that of the link, which people know. With kinds, what is no frame is called what it is:
    the distance to a vertex of a link, or to the axis of a joint, is another than that to its origin.
    """
    is_on_shape = [anchor.kind not in (AnchorKind.FRAME, AnchorKind.AXIS) for anchor in anchors]
    parts = [anchor.frame.split("::") for anchor in anchors]
    paths = [path[:-1] or path if cut else path for path, cut in zip(parts, is_on_shape, strict=True)]
    depth = 1
    known = {tuple(path) for path in paths}
    ends = {path[-1] for path in known}
    alike = known | {other for other in (tuple(each.split("::")) for each in others) if other[-1] in ends}
    while len({path[-depth:] for path in alike}) < len(alike):
        depth += 1
    names = ["::".join(path[-depth:]) for path in paths]
    if not with_kinds:
        return names
    return [
        name if anchor.kind is AnchorKind.FRAME else f"{anchor.kind.value} of {name}"
        for anchor, name in zip(anchors, names, strict=True)
    ]
