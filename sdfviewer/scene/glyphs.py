"""Glyphs of what has no surface: frames as triads, labels and edges; axes of joints; cameras, lidars, lights, actors.

A joint has an arrow along each axis, and an arc, rail or helix over its limits with the current value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdfviewer import transforms
from sdfviewer.display_text import visible
from sdfviewer.model.contents import Camera, Lidar, LightContents, SensorContents
from sdfviewer.model.graph import UNRESOLVED
from sdfviewer.model.kinds import Kind
from sdfviewer.palette import TOKENS
from sdfviewer.scene.nodes import Detail, Floats, JointGlyphs, JointShape, Labels, Lines, ParentSides, Stroke, Triads
from sdfviewer.transforms import axis_angle_to_matrix, perpendicular

if TYPE_CHECKING:
    from sdfviewer.model.model import Model


_PRIORITIES = {Kind.MODEL: 4.0, Kind.WORLD: 4.0, Kind.FRAME: 3.0, Kind.LINK: 2.5, Kind.JOINT: 2.0}
_CANONICAL = 3.5
"""Priority of the label of a canonical link."""
_PARENT_SIDE_PRIORITY = 1.5
_PARENT_SIDE = 0.06
"""Length in metres of the axes of a Jp that differs from its Jc."""


_CROWD_CELL = 56.0
_SMALLEST = 0.22
"""Of its full size, what a triad keeps in the densest crowd."""


class Edges(str, Enum):
    """Which graph's edges are drawn in space, from a frame to what it names."""

    RELATIVE_TO = "relative_to"
    ATTACHED_TO = "attached_to"


def choose_rows(
    model: Model, kinds: frozenset[str], name: str = "", within: frozenset[str] = frozenset()
) -> NDArray[np.bool_]:
    """Return the mask (n,) of rows of some kinds whose scoped name holds `name`, inside some models.

    `within` are scoped names of models; empty means all. Upper and lower case are alike.
    """
    mask = model.kinds_are(*(kind for kind in Kind if kind.value in kinds))
    if name:
        wanted = name.lower()
        mask &= np.array([wanted in scoped.lower() for scoped in model.names], bool)
    if within:
        prefixes = tuple(f"{top}::" for top in within)
        mask &= np.array([scoped in within or scoped.startswith(prefixes) for scoped in model.names], bool)
    return mask


def row_tokens(model: Model) -> NDArray[np.int32]:
    """Return the colour of each row (n,) as its place in `palette.TOKENS`."""
    tokens = np.array([TOKENS.index(kind.value) if kind.value in TOKENS else -1 for kind in Kind], np.int32)
    return tokens[model.kind_numbers]


def build_triads(model: Model, rows: NDArray[np.bool_]) -> Triads:
    """Return the triads of the rows in a mask; frames whose pose is unknown have none."""
    chosen = np.nonzero(rows & model.is_resolved)[0]
    return Triads(chosen.astype(np.int32), row_tokens(model)[chosen])


def build_labels(model: Model, triads: Triads, sides: ParentSides) -> Labels:
    """Return a label with the name of each triad, with its model where others are called the same.

    A joint whose Jp is shown too is marked as its Jc.
    """
    rows = triads.rows
    texts = [*map(model.distinct_names.__getitem__, rows.tolist())]
    if not all(texts):
        texts = [text or model.label(row) for text, row in zip(texts, rows.tolist(), strict=True)]
    if not "".join(texts).isprintable():  # asked once: there may be tens of thousands
        texts = [visible(text) for text in texts]
    for glyph in np.flatnonzero(np.isin(rows, sides.joints)).tolist():
        texts[glyph] += " (Jc)"
    priorities = np.array([_PRIORITIES.get(kind, 1.0) for kind in Kind])[model.kind_numbers]
    priorities[list(model.canonical_links.values())] = _CANONICAL
    return Labels(rows, tuple(texts), triads.tokens, priorities[rows], np.zeros((len(rows), 3)))


def build_labels_at(model: Model, triads: Triads, X_RootF: Floats) -> Labels:
    """Return a label for each triad, at other poses (n, 4, 4) than the rows have in the model."""
    labels = build_labels(model, triads, ParentSides())
    root = np.zeros(len(labels.rows), np.int32)
    return replace(labels, rows=root, offsets=X_RootF[labels.rows, :3, 3], owners=labels.rows)


def build_edges(model: Model, triads: Triads, edges: Edges) -> Lines:
    """Return a line with an arrow from each shown frame to what it names; dashed where that is not written."""
    targets, written = (
        (model.relative_to, model.relative_to_written)
        if edges is Edges.RELATIVE_TO
        else (model.attached_to, model.attached_to_written)
    )
    rows = triads.rows[targets[triads.rows] >= 0]
    implied = np.array([written[row] is None for row in rows.tolist()], bool)
    return Lines(
        np.stack([rows, targets[rows]], axis=1).astype(np.int32),
        np.zeros((len(rows), 2, 3)),
        row_tokens(model)[rows],
        np.where(implied, Stroke.DASHED_ARROW.value, Stroke.ARROW.value).astype(np.int32),
        rows.astype(np.int32),
        np.zeros(len(rows), bool),
    )


def build_canonical_links(model: Model, triads: Triads) -> Lines:
    """Return a dashed line from each shown model's frame to its canonical link, where they stand apart."""
    links = model.canonical_links
    pairs = np.array([(row, links[row]) for row in triads.rows.tolist() if row in links], np.int32).reshape(-1, 2)
    X_RootM, X_RootL = model.X_RootF[pairs[:, 0]], model.X_RootF[pairs[:, 1]]
    pairs = pairs[~np.isclose(X_RootM, X_RootL, atol=1e-9).all(axis=(1, 2))]
    k = len(pairs)
    return Lines(
        pairs,
        np.zeros((k, 2, 3)),
        np.full(k, TOKENS.index("model"), np.int32),
        np.full(k, Stroke.DASHED.value, np.int32),
        pairs[:, 0],
        np.zeros(k, bool),
    )


def find_parent_sides(model: Model, rows: NDArray[np.bool_]) -> ParentSides:
    """Return the parent sides Jp of the joints in a mask (n,), as far as their poses are known."""
    joints, parents, poses = [], [], []
    for joint in model.joints:
        if not rows[joint.row] or joint.child < 0 or joint.parent < 0:
            continue
        X_PJp = transforms.invert(model.X_RootF[joint.parent]) @ model.X_RootF[joint.row]
        if np.isfinite(X_PJp).all():
            joints.append(joint.row)
            parents.append(joint.parent)
            poses.append(X_PJp)
    return ParentSides(np.array(joints, np.int32), np.array(parents, np.int32), np.array(poses).reshape(-1, 4, 4))


def label_parent_sides(model: Model, sides: ParentSides) -> Labels:
    """Return a label for each Jp, which is marked with its joint."""
    k = len(sides.joints)
    return Labels(
        sides.parents,
        tuple(f"{visible(model.distinct_names[row])} (Jp)" for row in sides.joints.tolist()),
        np.full(k, TOKENS.index("joint"), np.int32),
        np.full(k, _PARENT_SIDE_PRIORITY),
        sides.X_PJp[:, :3, 3],
        sides.joints,
    )


def build_parent_sides(sides: ParentSides) -> Lines:
    """Return, for each joint, the triad of Jp riding with the parent and a dashed line from it to Jc.

    At the initial positions, where Jp and Jc are the same, the line has no length; when the joint moves, or closes a
    loop that does not close, it shows how far they are apart.
    """
    parts = []
    colours = [TOKENS.index(axis) for axis in ("axis_x", "axis_y", "axis_z")]
    joint_token = TOKENS.index("joint")
    for joint, parent, X_PJp in zip(sides.joints.tolist(), sides.parents.tolist(), sides.X_PJp, strict=True):
        origin = X_PJp[:3, 3]
        points: Floats = np.zeros((4, 2, 3))
        points[:, 0] = origin
        points[:3, 1] = origin + _PARENT_SIDE * X_PJp[:3, :3].T
        ends = np.full((4, 2), parent, np.int32)
        ends[3, 1] = joint
        strokes = np.array([Stroke.SOLID.value] * 3 + [Stroke.DASHED.value], np.int32)
        tokens = np.array([*colours, joint_token], np.int32)
        parts.append(Lines(ends, points, tokens, strokes, np.full(4, joint, np.int32), np.zeros(4, bool)))
    return Lines.concatenate(parts)


def crowding(pixels: Floats, width: float, height: float, ratio: float = 1.0) -> float:
    """Return by how much triads at some pixels (k, 2) should shrink so that they do not become a heap: 0.22 to 1.

    It is one factor for the whole picture, so that sizes stay comparable. Frames in one place count once.
    """
    # A few thousand are enough to estimate the density.
    stride = 1 + len(pixels) // 4096
    x, y = pixels[::stride, 0], pixels[::stride, 1]
    with np.errstate(invalid="ignore"):
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    if not inside.any():
        return 1.0
    taken = np.zeros((int(height / (3 * ratio)) + 1, int(width / (3 * ratio)) + 1), bool)
    taken[(y[inside] / (3 * ratio)).astype(np.intp), (x[inside] / (3 * ratio)).astype(np.intp)] = True
    rows, columns = np.nonzero(taken)
    per_cell = _CROWD_CELL / 3
    counts = np.bincount((rows // per_cell).astype(np.intp) * taken.shape[1] + (columns // per_cell).astype(np.intp))
    # How many share the cell of a typical frame.
    typical = stride * float(counts @ counts) / len(rows)
    return min(max(1.25 / math.sqrt(typical), _SMALLEST), 1.0)


_SHAPES = {
    "revolute": JointShape.ARC,
    "continuous": JointShape.ARC,
    "revolute2": JointShape.ARC,
    "universal": JointShape.ARC,
    "gearbox": JointShape.ARC,
    "prismatic": JointShape.RAIL,
    "screw": JointShape.HELIX,
    "ball": JointShape.SPHERE,
    "fixed": JointShape.FIXED,
}


def build_joint_glyphs(model: Model, rows: NDArray[np.bool_]) -> JointGlyphs:
    """Return the glyphs of all joints whose row is set in the mask `rows` (n,).

    A ball joint has one glyph, a sphere; a fixed joint one without a freedom; an unknown type is drawn as its axes.
    """
    joint_rows: list[int] = []
    shapes: list[int] = []
    axes: list[NDArray[np.float64]] = []
    limits: list[tuple[float, float]] = []
    pitches: list[float] = []
    carriers: list[int] = []
    dofs: list[str] = []
    for joint in model.joints:
        if not rows[joint.row] or joint.type == "fixed":
            continue
        shape = _SHAPES.get(joint.type, JointShape.ARC)
        # An axis expressed in a frame that does not resolve points nowhere.
        known = all(np.isfinite(axis.xyz).all() for axis in joint.axes)
        if shape is JointShape.SPHERE or not joint.axes or not known:
            joint_rows.append(joint.row)
            shapes.append(JointShape.SPHERE.value if shape is JointShape.SPHERE else JointShape.FIXED.value)
            axes.append(np.array([0.0, 0.0, 1.0]))
            limits.append((0.0, 0.0))
            pitches.append(0.0)
            carriers.append(-1)
            dofs.append("")
            continue
        count = 1 if joint.type in ("revolute", "continuous", "prismatic", "screw") else len(joint.axes)
        for index, axis in enumerate(joint.axes[:count]):
            joint_rows.append(joint.row)
            shapes.append(shape.value)
            axes.append(np.asarray(axis.xyz, np.float64))
            limits.append((-np.inf, np.inf) if joint.type == "continuous" else (float(axis.lower), float(axis.upper)))
            pitches.append(2 * np.pi * joint.screw_pitch if shape is JointShape.HELIX else 0.0)
            carriers.append(len(carriers) + 1 if index + 1 < count else -1)
            dofs.append(joint.name if index == 0 else f"{joint.name}[{index}]")
    k = len(joint_rows)
    return JointGlyphs(
        np.array(joint_rows, np.int32),
        np.array(shapes, np.int32),
        np.array(axes).reshape(k, 3),
        np.array(limits).reshape(k, 2),
        np.array(pitches),
        np.array(carriers, np.int32),
        tuple(dofs),
        np.zeros(k),
    )


def axes_at(glyphs: JointGlyphs, model: Model, X_RootF: Floats) -> Floats:
    """Return the axes (k, 3) of the glyphs in the joint frame for other initial poses (n, 4, 4) of the same model.

    An axis that is expressed in another frame turns with that frame.
    """
    numbers = {joint.row: number for number, joint in enumerate(model.joints)}
    axes: Floats = np.array(glyphs.axes)
    for glyph, row in enumerate(glyphs.rows.tolist()):
        which = int((glyphs.rows[:glyph] == row).sum())
        written = model.scope.joints[numbers[row]].axes
        if which < len(written) and written[which].expressed_in not in (row, UNRESOLVED):
            xyz = np.array(written[which].xyz)
            u = X_RootF[row, :3, :3].T @ X_RootF[written[which].expressed_in, :3, :3] @ xyz
            axes[glyph] = u / max(float(np.linalg.norm(u)), 1e-12)
    return axes


def values_of(glyphs: JointGlyphs, positions: Mapping[str, float]) -> Floats:
    """Return the value of each glyph (k,) from joint positions by degree of freedom."""
    return np.array([float(positions.get(dof, 0.0)) for dof in glyphs.dofs])


def with_values(glyphs: JointGlyphs, values: Floats) -> JointGlyphs:
    """Return the glyphs at other joint positions (k,); the same object where they are there already."""
    return glyphs if np.array_equal(glyphs.values, values) else replace(glyphs, values=np.asarray(values, np.float64))


def glyph_directions(glyphs: JointGlyphs) -> tuple[Floats, Floats]:
    """Return the axis and the zero direction of each glyph, (k, 3) each, in the joint frame at its current values.

    The joint's row rides with the child, while limits belong to the parent side: seen from the child, the arc of a
    joint at q turns by -q, and the first axis of a universal joint turns back with the second.
    """
    axes, zeros = glyphs.axes, perpendicular(glyphs.axes)
    turning = (glyphs.shapes == JointShape.ARC.value) | (glyphs.shapes == JointShape.HELIX.value)
    back = axis_angle_to_matrix(axes, np.where(turning, -glyphs.values, 0.0))
    zeros = np.einsum("kij,kj->ki", back, zeros)
    for glyph in np.nonzero(glyphs.carriers >= 0)[0][::-1]:
        carrier = glyphs.carriers[glyph]
        axes = axes if axes is not glyphs.axes else axes.copy()
        axes[glyph] = back[carrier] @ axes[glyph]
        zeros[glyph] = back[carrier] @ zeros[glyph]
    return axes, zeros


_FRUSTUM = 52.0
"""Reach of a frustum or fan in pixels: it shows the angle, not the range."""
_ICON = 11.0
"""Size of the other icons in pixels."""
_SMALL_VIEW, _SMALL_ICON = 0.22, 0.5
"""Size of a frustum or fan that gives way, and of an icon that does, as a part of its full size."""
MOST_VIEWS, MOST_ICONS = 3, 12
"""So many frusta and fans, and icons, are drawn in full at once; of more only those of sensors that are attended."""
MOST_BOXES = 6
"""More boxes of inertias that would hide the robot are icons."""
_FORMS = (
    (Detail.LARGE_VIEW, Detail.SMALL_VIEW, MOST_VIEWS),
    (Detail.LARGE_ICON, Detail.SMALL_ICON, MOST_ICONS),
    (Detail.LARGE_BOX, Detail.SMALL_BOX, MOST_BOXES),
)

_CAMERAS = frozenset(
    {"camera", "depth", "depth_camera", "rgbd", "rgbd_camera", "multicamera", "wideanglecamera", "thermal"}
    | {"thermal_camera", "segmentation", "segmentation_camera", "boundingbox", "boundingbox_camera"}
)
_LIDARS = frozenset({"ray", "lidar", "gpu_ray", "gpu_lidar"})


def sensor_lines(row: int, sensor: SensorContents) -> Lines:
    """Return the drawing of a sensor: a camera's frustum, a lidar's fan, else a small octahedron.

    Each has a small form too, for where there are many: see `shown_lines`.
    """
    if sensor.type in _CAMERAS and sensor.camera is not None:
        return _two_forms(row, _frustum(sensor.camera), _SMALL_VIEW, Detail.LARGE_VIEW, Detail.SMALL_VIEW)
    if sensor.type in _LIDARS and sensor.lidar is not None:
        return _two_forms(row, _fan(sensor.lidar), _SMALL_VIEW, Detail.LARGE_VIEW, Detail.SMALL_VIEW)
    return _two_forms(row, _octahedron(), _SMALL_ICON, Detail.LARGE_ICON, Detail.SMALL_ICON)


def _two_forms(row: int, segments: Floats, part: float, large: Detail, small: Detail) -> Lines:
    return Lines.concatenate(
        [
            Lines.in_frame(row, segments, "sensor", on_screen=True, detail=large),
            Lines.in_frame(row, segments * part, "sensor", on_screen=True, detail=small),
        ]
    )


def shown_lines(lines: Lines, attended: NDArray[np.bool_], *, declutter: bool) -> Lines:
    """Return the lines of a scene to draw: large forms of all things, or only of attended ones where there are many.

    Parameters
    ----------
    lines
        All lines of the scene.
    attended
        The rows (n,) that matter to the user now.
    declutter
        Whether large drawings give way where there are many.
    """
    if not len(lines.rows):
        return lines
    shown: NDArray[np.bool_] = np.ones(len(lines.rows), bool)
    attends = (lines.owners >= 0) & attended[lines.owners]
    for large, small, most in _FORMS:
        is_large, is_small = lines.details == large.value, lines.details == small.value
        many = declutter and len(np.unique(lines.owners[is_large])) > most
        shown &= ~(is_large & ~attends) & ~(is_small & attends) if many else ~is_small
    return lines.chosen(shown)


def light_lines(row: int, light: LightContents) -> Lines:
    """Return the drawing of a light: rays of a point light, cone of a spot, parallel arrows of the sun."""
    if light.type == "point":
        return Lines.in_frame(row, np.concatenate([_rays(), _circle(_ICON * 0.5, np.eye(3))]), "light", on_screen=True)
    direction = np.array(light.direction)
    axes = _axes_along(direction)
    if light.type == "spot":
        angle = min(light.outer_angle, 3.0) / 2
        reach = _ICON * 4
        radius = reach * math.tan(min(angle, 1.4))
        rim = _circle(radius, axes) + reach * axes[2]
        spokes = np.stack([np.zeros((4, 3)), rim[:: len(rim) // 4, 0]], axis=1)
        return Lines.in_frame(row, np.concatenate([rim, spokes]), "light", on_screen=True)
    starts = np.array([x * axes[0] + y * axes[1] for x, y in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))]) * _ICON
    arrows = np.stack([starts, starts + axes[2] * _ICON * 4], axis=1)
    rim = Lines.in_frame(row, _circle(_ICON, axes), "light", on_screen=True)
    return Lines.concatenate([Lines.in_frame(row, arrows, "light", Stroke.ARROW, on_screen=True), rim])


def actor_lines(row: int) -> Lines:
    """Return the drawing of an actor: a figure of a person's height."""
    joints = {"hip": (0, 0, 0.9), "neck": (0, 0, 1.45), "l": (0, 0.15, 0), "r": (0, -0.15, 0)}
    joints |= {"lh": (0, 0.35, 0.95), "rh": (0, -0.35, 0.95)}
    bones = (("hip", "neck"), ("hip", "l"), ("hip", "r"), ("neck", "lh"), ("neck", "rh"))
    segments = np.array([(joints[a], joints[b]) for a, b in bones], np.float64)
    head = _circle(0.12, np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])) + np.array([0, 0, 1.6])
    return Lines.in_frame(row, np.concatenate([segments, head]), "actor")


def _frustum(camera: Camera) -> Floats:
    """Return the edges (k, 2, 3) of what a camera sees; it looks along x, with y to the left and z up."""
    width, height = camera.width, camera.height
    half = math.tan(min(camera.horizontal_fov, 2.9) / 2)
    aspect = height / width if width > 0 and height > 0 else 0.75
    signs = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)], np.float64)

    # Wide lenses get a shorter frustum, so that none fills the picture.
    far = _FRUSTUM / max(1.0, half)
    distant = np.column_stack([np.full(4, far), signs * far * half * (1.0, aspect)])
    rim = np.stack([distant, np.roll(distant, -1, axis=0)], axis=1)
    # A triangle above the far side shows which way is up.
    top = np.array([far, 0.0, far * half * aspect * 1.25])
    roof = np.stack([[distant[0], top], [distant[1], top]])
    return np.concatenate([rim, np.stack([np.zeros((4, 3)), distant], axis=1), roof])


def _fan(lidar: Lidar) -> Floats:
    """Return the edges (k, 2, 3) of a lidar's fan: arcs of its lowest and highest ray, and spokes."""
    low, high = lidar.horizontal.min_angle, lidar.horizontal.max_angle
    heights = {lidar.vertical.min_angle, lidar.vertical.max_angle}
    segments = []
    for height in sorted(heights):
        turn = np.linspace(low, high, 37)
        flat = math.cos(height)
        arc = np.column_stack([np.cos(turn) * flat, np.sin(turn) * flat, np.full(37, math.sin(height))]) * _FRUSTUM
        segments.append(np.stack([arc[:-1], arc[1:]], axis=1))
        spokes = arc[:: 36 if high - low < 6.2 else 9]
        segments.append(np.stack([np.zeros_like(spokes), spokes], axis=1))
    return np.concatenate(segments)


@cache
def _octahedron() -> Floats:
    tips = np.concatenate([np.eye(3), -np.eye(3)]) * _ICON * 0.6
    edges = [(a, b) for a in range(6) for b in range(a + 1, 6) if b != a + 3]
    return np.array([(tips[a], tips[b]) for a, b in edges])


@cache
def _rays() -> Floats:
    directions = np.array([d for d in product((-1, 0, 1), repeat=3) if any(d)])
    unit = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    return np.stack([unit * _ICON * 0.7, unit * _ICON * 1.3], axis=1)


def _circle(radius: float, axes: Floats) -> Floats:
    turn = np.linspace(0.0, 2 * math.pi, 25)
    points = radius * (np.cos(turn)[:, None] * axes[0] + np.sin(turn)[:, None] * axes[1])
    return np.stack([points[:-1], points[1:]], axis=1)


def _axes_along(direction: Floats) -> Floats:
    """Return three unit vectors as rows, the last along `direction` (3,)."""
    length = float(np.linalg.norm(direction))
    z = direction / length if length > 0 else np.array([0.0, 0.0, -1.0])
    x = perpendicular(z)
    return np.stack([x, np.cross(z, x), z])
