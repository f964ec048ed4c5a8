"""Marks of masses, of motions, and of what differs between two conventions or versions.

Masses have their centre, and a box or its edges for the inertia of a link; a motion has the path of a frame and the
links that collide.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdfviewer.display_text import visible
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.model.contents import Inertial
from sdfviewer.model.kinds import SHAPED
from sdfviewer.model.kinematics.conventions import Differences
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.box import Box
from sdfviewer.palette import CONTACT, STYLES, TOKENS, Theme, colour_table, difference_ramp, parse_hex, theme
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.geometry import own_mesh
from sdfviewer.scene.mesh import MeshMaterial, TriangleMesh
from sdfviewer.scene.nodes import Detail, Floats, Ints, Labels, Layer, Lines, MeshInstance
from sdfviewer.scene.shapes2d import UNIT_CIRCLE, Colour, Shapes, colour_of, strokes

_PRIORITY = 30.0
"""Of the label of a total: above the names of all that is not selected or hovered."""
_LEAD = 11_340.0
"""Density of lead, kg/m³: symbols are as large as the link's mass of lead, as in Gazebo, within bounds on screen."""


@dataclass(frozen=True, eq=False)
class Centres:
    """The centres of mass of links.

    Attributes
    ----------
    rows
        The links L (k,).
    p_LC
        The centres in the frames of the links, metres (k, 3).
    masses
        Kilograms (k,).
    wholes
        The row of the model whose total each link adds to (k,), -1 for none.
    """

    rows: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    p_LC: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    masses: Floats = field(default_factory=lambda: np.zeros(0))
    wholes: Ints = field(default_factory=lambda: np.zeros(0, np.int32))

    @property
    def radii(self) -> Floats:
        """The radii (k,) in metres of balls of lead that weigh as much."""
        return np.asarray((3 * self.masses / (4 * np.pi * _LEAD)) ** (1 / 3))

    def points(self, X_RootF: Floats) -> Floats:
        """Return the centres in root coordinates (k, 3) for poses (n, 4, 4) of all rows."""
        X = X_RootF[self.rows]
        return np.asarray(np.einsum("kij,kj->ki", X[:, :3, :3], self.p_LC) + X[:, :3, 3])

    def chosen(self, mask: NDArray[np.bool_]) -> Centres:
        """Return the centres that a mask (k,) chooses; a model whose links are not all among them has no total."""
        broken = np.isin(self.wholes, self.wholes[~mask])
        wholes = np.where(broken, -1, self.wholes).astype(np.int32)
        return Centres(self.rows[mask], self.p_LC[mask], self.masses[mask], wholes[mask])

    def totals(self, X_RootF: Floats) -> Centres:
        """Return the centre of each model of several links, in the frame of the model; see `Centres`.

        Models with a link whose pose is undefined are left out.
        """
        wholes, which, counts = np.unique(self.wholes, return_inverse=True, return_counts=True)
        masses: Floats = np.bincount(which, self.masses, len(wholes)).astype(np.float64)
        points = self.points(X_RootF)
        sums = np.stack([np.bincount(which, self.masses * axis, len(wholes)) for axis in points.T], axis=1)
        shown = (wholes >= 0) & (counts > 1) & np.isfinite(sums).all(axis=1)
        rows = wholes[shown].astype(np.int32)
        X = X_RootF[rows]
        away = sums[shown] / masses[shown, None] - X[:, :3, 3]
        # The transpose of a rotation is its inverse.
        return Centres(rows, np.einsum("kji,kj->ki", X[:, :3, :3], away), masses[shown], rows)


def label_totals(totals: Centres, names: tuple[str, ...]) -> Labels:
    """Return the name and the mass of each model, beside its centre of mass, for the scoped names of all rows."""
    masses = zip(totals.rows.tolist(), totals.masses.tolist(), strict=True)
    k = len(totals.rows)
    return Labels(
        totals.rows,
        tuple(f"{visible(names[row].rpartition('::')[2])}  {mass:.5g} kg" for row, mass in masses),
        np.full(k, TOKENS.index("model"), np.int32),
        np.full(k, _PRIORITY),
        totals.p_LC,
    )


def tops_of(owners: Ints, *, is_world: bool) -> Ints:
    """Return for each row (n,) the row of the outermost model that it is in; -1 for the world."""
    if not is_world:
        return np.zeros(len(owners), np.int32)
    tops = np.arange(len(owners), dtype=np.int32)
    while True:
        above = owners[tops]
        inner = above > 0
        if not inner.any():
            break
        tops[inner] = above[inner]
    tops[owners < 0] = -1
    return tops


_BOX = MeshMaterial(diffuse=(0.80, 0.47, 0.65, 0.38), roughness=0.9)
_IMPOSSIBLE = MeshMaterial(diffuse=(0.84, 0.37, 0.0, 0.55), emissive=(0.25, 0.08, 0.0, 1.0), roughness=0.9)
_CORNERS: Floats = np.array(list(product((-0.5, 0.5), repeat=3)))
_EDGES: Floats = np.array([(a, b) for a, b in combinations(_CORNERS, 2) if np.abs(a - b).sum() == 1.0])
"""The edges (12, 2, 3) of a box of one metre."""
_ICON = 14.0
"""Pixels of the edges of an icon."""


@dataclass(frozen=True, eq=False)
class Inertia:
    """The inertia of a link L: mass in kg, X_LI with the axes of I along the principal axes, moments (3,) in kg·m².

    `possible` says whether a real body can have these moments: none negative, none larger than the other two together.
    """

    mass: float
    X_LI: Floats
    moments: Floats
    possible: bool

    @property
    def box(self) -> Floats:
        """Edges (3,) in metres of the solid box with this mass and these moments."""
        a, b, c = self.moments
        squares = 6.0 / self.mass * np.array([b + c - a, a + c - b, a + b - c])
        return np.sqrt(np.maximum(squares, 0.0))


def inertia_of(model: Model, row: int) -> Inertia | None:
    """Return the inertia of the link of a row, None where none is written or its mass is not positive."""
    inertial = resolve_inertial(model, row)
    return None if inertial is None or not inertial.is_written else principal_inertia(inertial)


def mass_of(model: Model, row: int) -> float | None:
    """Return the mass in kg of the link of a row, None where none is written or it is not positive."""
    inertia = inertia_of(model, row)
    return None if inertia is None else inertia.mass


def principal_inertia(inertial: Inertial) -> Inertia | None:
    """Return an inertial along its principal axes, None where its mass is not positive."""
    return principal_inertias([inertial])[0]


def principal_inertias(inertials: Sequence[Inertial]) -> list[Inertia | None]:
    """Return many inertials along their principal axes at once, None where a mass is not positive."""
    found: list[Inertia | None] = [None] * len(inertials)
    matrices = np.array([inertial.inertia for inertial in inertials]).reshape(-1, 3, 3)
    masses = np.array([inertial.mass for inertial in inertials])
    is_real = (masses > 0) & np.isfinite(masses) & np.isfinite(matrices).all(axis=(1, 2))
    real = [k for k, known in enumerate(is_real) if known]
    moments, axes = np.linalg.eigh(matrices[real])
    axes[np.linalg.det(axes) < 0, :, 0] *= -1
    X_LI = np.array([inertials[k].X_LI for k in real]).reshape(-1, 4, 4)
    X_LI[:, :3, :3] = X_LI[:, :3, :3] @ axes
    scale = np.maximum(np.abs(moments).max(axis=1), 1e-30)
    possible = (moments[:, 0] > -1e-9 * scale) & (moments[:, 0] + moments[:, 1] >= moments[:, 2] - 1e-6 * scale)
    for place, k in enumerate(real):
        found[k] = Inertia(inertials[k].mass, X_LI[place], moments[place], bool(possible[place]))
    return found


def inertia_box(row: int, inertia: Inertia) -> MeshInstance:
    """Return the box of one link's inertia."""
    x, y, z = (max(float(edge), 1e-4) for edge in inertia.box)
    material = _BOX if inertia.possible else _IMPOSSIBLE
    return MeshInstance(row, _unit_box(), (x, y, z), material, Layer.INERTIA, inertia.X_LI)


def box_edges(box: MeshInstance) -> Lines:
    """Return the edges of the box of an inertia, in orange where no real body can have it.

    Where there are many such boxes, only an icon is drawn of those that do not matter now.
    """
    edges: Floats = _EDGES * box.scale
    if box.X_RowG is not None:
        edges = edges @ box.X_RowG[:3, :3].T + box.X_RowG[:3, 3]
    token = "error" if box.material is _IMPOSSIBLE else "joint"
    icon = Lines.in_frame(box.row, _ICON * _EDGES, token, on_screen=True, detail=Detail.SMALL_BOX)
    return Lines.concatenate([Lines.in_frame(box.row, edges, token, detail=Detail.LARGE_BOX), icon])


@cache
def _unit_box() -> TriangleMesh:
    return own_mesh(Box())


_ROOT = -1
_STRENGTH_OF_CONTACT = 0.85
"""How much of its own colour a link that collides loses."""


def path_lines(points: Floats) -> Lines:
    """Return the curve through points (k, 3) in the root."""
    points = points[np.isfinite(points).all(axis=1)]
    return Lines.in_frame(_ROOT, np.stack([points[:-1], points[1:]], axis=1), "measure")


def collision_tints(model: Model, links: Collection[int]) -> Floats | None:
    """Return red, green, blue and strength (n, 4) of all rows that light up some links, None where there are none."""
    rows = [row for row, kind in enumerate(model.kinds) if kind in SHAPED and int(model.bodies[row]) in links]
    if not rows:
        return None
    tints = np.zeros((len(model), 4))
    tints[rows] = (*(channel / 255.0 for channel in parse_hex(CONTACT)), _STRENGTH_OF_CONTACT)
    return tints


# --- two versions -------------------------------------------------------------------------------------------------


#: Mark at most so many frames of one sort, sampled over all distances: more would hide the model.
MOST_MARKS = 200
#: With so many marks or more, rings are small and lines fine.
_MANY_MARKS = 24
_RADIUS, _SMALL_RADIUS, _WIDTH, _HEAD = 7.0, 3.0, 2.0, 9.0
_PLUS = np.array([[[-0.6, 0.0], [0.6, 0.0]], [[0.0, -0.6], [0.0, 0.6]]])
_CROSS = np.array([[[-0.7, -0.7], [0.7, 0.7]], [[-0.7, 0.7], [0.7, -0.7]]])


@dataclass(frozen=True, eq=False)
class ChangedPlaces:
    """Points in root coordinates: the ends (k, 2, 3) of what moved, and (k, 3) of what appeared and vanished."""

    moved: Floats
    appeared: Floats
    vanished: Floats


def paint_changes(places: ChangedPlaces, camera: Camera, size: tuple[float, float], *, dark: bool) -> Shapes:
    """Return an arrow from where each frame was to where it is, a plus where one came, a cross where one went.

    Parameters
    ----------
    places
        What to mark.
    camera, size
        What takes the picture, and its width and height in logical pixels.
    dark
        Whether the ground is dark.
    """
    colours = theme(dark)
    moved = places.moved[np.argsort(-np.linalg.norm(places.moved[:, 1] - places.moved[:, 0], axis=1), kind="stable")]
    parts = [_arrows(_some(moved), camera, size, colours)]
    for points, sign, tone in (
        (places.appeared, _PLUS, STYLES["frame"].colour(dark)),
        (places.vanished, _CROSS, STYLES["error"].colour(dark)),
    ):
        middles = _pixels(points, camera, size)
        middles = _some(_apart(middles[np.isfinite(middles).all(axis=1)]))
        drawing = np.concatenate([UNIT_CIRCLE, sign]) * _radius(len(middles))
        parts.append(_lined((middles[:, None, None] + drawing).reshape(-1, 2, 2), _mark_colour(tone), colours))
    return Shapes.concatenate(parts)


def paint_lines(lines: Lines, X_RootF: Floats, camera: Camera, size: tuple[float, float], *, dark: bool) -> Shapes:
    """Return lines, such as the symbol of a sensor, as they look in a scene; none where a pose is NaN.

    Parameters
    ----------
    lines, X_RootF
        Lines of rows, and where the rows are (n, 4, 4).
    camera, size
        What takes the picture, and its width and height in logical pixels.
    dark
        Whether the ground is dark.
    """
    ends, origins = lines.endpoints(X_RootF), X_RootF[lines.rows[:, 0], None, :3, 3]
    scale = np.where(lines.on_screen[:, None], camera.metres_per_pixel(origins, size[1]), 1.0)
    ends = origins + (ends - origins) * scale[..., None]
    segments = _pixels(ends.reshape(-1, 3), camera, size).reshape(-1, 2, 2)
    return _lined(segments, np.insert(colour_table(dark)[lines.tokens], 3, 0.95, axis=1), theme(dark))


def _some(marks: Floats) -> Floats:
    """Return marks, of too many ones some that are spread evenly over all."""
    if len(marks) <= MOST_MARKS:
        return marks
    return np.asarray(marks[np.linspace(0, len(marks) - 1, MOST_MARKS).astype(np.intp)])


def _radius(count: int) -> float:
    return _RADIUS if count <= _MANY_MARKS else _SMALL_RADIUS


def _pixels(points: Floats, camera: Camera, size: tuple[float, float]) -> Floats:
    """Return where points (k, 3) are in the picture, NaN for those behind the camera."""
    pixels, depth = camera.project(points, *size)
    return np.where((depth > 0)[:, None], pixels, np.nan)


def _apart(pixels: Floats) -> Floats:
    """Return pixels without those that lie where another one lies already."""
    _, first = np.unique(np.round(pixels), axis=0, return_index=True)
    return np.asarray(pixels[np.sort(first)])


def _arrows(ends: Floats, camera: Camera, size: tuple[float, float], colours: Theme) -> Shapes:
    both = _pixels(ends.reshape(-1, 3), camera, size).reshape(-1, 4)
    pixels = _apart(both[np.isfinite(both).all(axis=1)]).reshape(-1, 2, 2)
    along = pixels[:, 1] - pixels[:, 0]
    length = np.linalg.norm(along, axis=1)
    # A frame that only rotates, or moves along the line of sight, has no visible line: a ring marks it.
    long = length > _HEAD
    rings = pixels[~long, 1][:, None, None] + UNIT_CIRCLE * _radius(int((~long).sum()))
    pixels, along = pixels[long], along[long] / length[long, None]
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    tip = pixels[:, 1]
    barbs = [np.stack([tip, tip - _HEAD * along + side * 0.5 * _HEAD * across], axis=1) for side in (-1, 1)]
    feet = pixels[:, 0][:, None, None] + UNIT_CIRCLE * 2.5
    segments = np.concatenate([pixels, *barbs, rings.reshape(-1, 2, 2), feet.reshape(-1, 2, 2)])
    return _lined(segments, _mark_colour(colours.selection), colours)


def _mark_colour(tone: str) -> Colour:
    return colour_of(tone, 0.95)


def _lined(segments: NDArray[np.float64], tones: Colour | ArrayLike, colours: Theme) -> Shapes:
    """Return lines in one colour or one each (k, 4), with a rim that tells them from what lies under them."""
    red, green, blue, _ = _mark_colour(colours.plate)
    rim = (red, green, blue, 0.6)
    return Shapes.concatenate([strokes(segments, _WIDTH + 2.5, rim), strokes(segments, _WIDTH, tones)])


_STRENGTH = 0.72
_MOST_MARKS = 300
_FINEST = 0.4
_MOST_NAMED, _MOST_COMPARED = 4, 500
"""How many frames that differ are named, and of how many it is asked whether they are near each other."""
_APART = 0.2
"""Of frames that differ much one is named in each part of the picture, at this share of all that differs."""


def colours(shares: Floats, *, dark: bool) -> Floats:
    """Return a colour (n, 3) in 0..1 for each share (n,) of the largest difference, on dark or light ground.

    Rows that only one convention can place have that of the largest.
    """
    ramp = np.array([parse_hex(colour) for colour in difference_ramp(dark)]) / 255
    place = np.clip(np.nan_to_num(shares, nan=1.0), 0.0, 1.0) * (len(ramp) - 1)
    return np.stack([np.interp(place, np.arange(len(ramp)), ramp[:, channel]) for channel in range(3)], axis=-1)


def tints(differences: Differences, *, dark: bool) -> Floats:
    """Return red, green, blue and strength (n, 4) in 0..1 for the surfaces of each row; equal ones keep their own."""
    shown = np.empty((len(differences.metres), 4))
    shown[:, :3] = colours(differences.shares, dark=dark)
    shown[:, 3] = np.where(differences.different, _STRENGTH, 0.0)
    return shown


def most_different(differences: Differences, here: Floats, there: Floats, rows: NDArray[np.integer]) -> frozenset[int]:
    """Return the few of some rows that differ most; of those that are near each other in both conventions the first.

    Parameters
    ----------
    here, there
        X_RootF (n, 4, 4) in either convention.
    """
    is_candidate = np.zeros(len(here), bool)
    is_candidate[rows] = True
    rows = np.flatnonzero(is_candidate & differences.different & np.isfinite(here[:, 0, 3]))
    shares = np.nan_to_num(differences.shares[rows], nan=np.inf)
    if len(rows) > _MOST_COMPARED:
        most = np.sort(np.argpartition(-shares, _MOST_COMPARED)[:_MOST_COMPARED])
        rows, shares = rows[most], shares[most]
    rows = rows[np.argsort(-shares, kind="stable")]
    p_here, p_there = here[rows, :3, 3], there[rows, :3, 3]
    places = np.stack([p_here, np.where(np.isfinite(p_there), p_there, p_here)])
    apart = _APART * np.linalg.norm(np.ptp(places.reshape(-1, 3), axis=0)) if len(rows) else 0.0
    chosen: list[int] = []
    left = np.arange(len(rows))
    while len(left) and len(chosen) < _MOST_NAMED:
        first = left[0]
        chosen.append(int(rows[first]))
        left = left[np.linalg.norm(places[:, left] - places[:, [first]], axis=2).max(axis=0) > apart]
    return frozenset(chosen)


def paint_differences(
    model: Model,
    differences: Differences,
    poses: tuple[Floats, Floats | None],
    camera: Camera,
    size: tuple[float, float],
    *,
    dark: bool,
) -> Shapes:
    """Return a ring around each frame that differs, and a line to where the other convention puts it, where that is
    shown.

    Parameters
    ----------
    model, differences
        The frames, and how far each is apart.
    poses
        X_RootF (n, 4, 4) of the picture, and of the other convention if it is in the same picture.
    camera, size
        What takes the picture, and its width and height in logical pixels.
    dark
        Whether the ground is dark.
    """
    shares = differences.shares
    here, there = poses
    different = np.flatnonzero(differences.different & np.isfinite(here).all(axis=(1, 2)))
    rows = different[np.array([model.kinds[row].is_vertex for row in different], bool)]
    rows = rows[np.argsort(-np.nan_to_num(shares[rows], nan=np.inf), kind="stable")][:_MOST_MARKS]
    if not len(rows):
        return Shapes()
    pixels, depth = camera.project(here[rows, :3, 3], *size)
    tones = colours(shares[rows], dark=dark)
    rim = (*(np.array(parse_hex(theme(dark).plate)) / 255).tolist(), 0.7)
    parts: list[Shapes] = []
    # The more marks, the finer they are, so that they do not hide the model.
    fine = float(np.clip(_MANY_MARKS / len(rows), _FINEST, 1.0))
    if there is not None:
        ends, end_depth = camera.project(there[rows, :3, 3], *size)
        seen = (depth > 0) & (end_depth > 0)
        segments = np.stack([pixels[seen], ends[seen]], axis=1)
        opaque = np.concatenate([tones[seen], np.full((int(seen.sum()), 1), 0.95)], axis=1)
        parts += [strokes(segments, 4.5 * fine, rim), strokes(segments, 2.0 * fine, opaque)]
    # Among frames in one place, only the first, which differs most, gets a ring.
    _, first = np.unique(np.round(pixels), axis=0, return_index=True)
    ringed = np.sort(first)[depth[np.sort(first)] > 0]
    segments = pixels[ringed][:, None, None] + 8 * fine * UNIT_CIRCLE
    opaque = np.concatenate([tones[ringed], np.ones((len(ringed), 1))], axis=1)
    outlines = np.broadcast_to(np.array(rim), opaque.shape)
    for width, shades in ((5 * fine, outlines), (2.5 * fine, opaque)):
        parts.append(strokes(segments.reshape(-1, 2, 2), width, np.repeat(shades, len(UNIT_CIRCLE), axis=0)))
    return Shapes.concatenate(parts)
