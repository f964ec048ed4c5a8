"""The scene of a model: frozen nodes and arrays bound to rows of the frame table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, product
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdfviewer.computed import computed_from, with_attributes
from sdfviewer.model.graph import with_contents
from sdfviewer.scene.glyphs import with_values
from sdfviewer.scene.marks import Centres
from sdfviewer.scene.mesh import MeshMaterial, TriangleMesh
from sdfviewer.scene.nodes import Floats, Ints, JointGlyphs, Labels, Layer, Lines, MeshInstance, ParentSides, Triads
from sdfviewer.scene.tools.section import CuttingPlane

_GROUND = 4.0
"""Metres from which on a flat surface counts as ground, not as a part of what is on it."""

_MANY_SURFACES = 2000
"""The outline of more surfaces is that of their boxes."""

_FAR_ABSENT, _LEAST_OF_ABSENT = 5.0, 1.0
"""The same for models that are not found, of which only the poses are known, and the least reach of the others."""

_LEAST, _LEAST_OF_SHAPES = 0.05, 0.001
"""Half size in metres of what a camera is fitted to at least: without shapes, and with some."""

_FAR, _LEAST_REACH = 300.0, 0.05
"""How many times as far as all others something is that the camera leaves out: they would be points. Metres up to which
the others count as being in one place.
"""

_ON_PLANE = 1e-5
"""Metres beyond a section plane within which frames count as being on it, as those in the middle of a robot do."""

_SHAPES = ("visual", "collision")
"""The kinds of rows that surfaces are drawn for."""

_FARTHEST = 1e12
"""Metres beyond which nothing is drawn as written: OpenGL calculates with numbers of seven digits below 1e38."""

# Read thousands of surfaces several times sooner than loops do.
_MESH, _MATERIAL, _ROW, _SCALE, _LAYER = map(attrgetter, ("mesh", "material", "row", "scale", "layer"))


def _cube(middle: Floats, half: float) -> Floats:
    return middle + half * np.array(list(product((-1.0, 1.0), repeat=3)))


def _corners(X: Floats, boxes: Floats) -> list[Floats]:
    """Return the corners of boxes (k, 2, 3) at poses (k, 4, 4): all first ones (k, 3), all second ones and so on."""
    middle, half = boxes.mean(axis=1), (boxes[:, 1] - boxes[:, 0]) / 2
    corners = [np.einsum("kij,kj->ki", X[:, :3, :3], middle) + X[:, :3, 3]]
    for axis in range(3):
        edge = X[:, :3, axis] * half[:, axis, None]
        corners = [corner + way * edge for corner in corners for way in (-1, 1)]
    return corners


@dataclass(frozen=True, eq=False)
class SurfaceArrays:
    """The surfaces of a scene as columns, for the renderer and for picking.

    `rows` (k,), `scales` (k, 3), `boxes` (k, 2, 3): the bounds of the scaled mesh in its own frame G, `X_RowG`
    (m, 4, 4) for the surfaces `offset` (m,) that do not sit at the origin of their row. `styles` are the different
    meshes and materials that replace theirs, `style_numbers` (k,) which of them each surface has. `inertias` (k,) are
    the boxes of inertias: a wrong one may be tens of metres wide.
    """

    rows: Ints
    scales: Floats
    boxes: Floats
    offset: Ints
    X_RowG: Floats
    styles: tuple[tuple[TriangleMesh, MeshMaterial | None], ...]
    style_numbers: NDArray[np.intp]
    inertias: NDArray[np.bool_]

    @cached_property
    def centres(self) -> Floats:
        """The centres (k, 3) of the boxes."""
        return np.asarray(self.boxes.mean(axis=1))

    @cached_property
    def ground(self) -> NDArray[np.bool_]:
        """Which surfaces (k,) are large and flat: the ground, not a part of what is on it."""
        large, flat = _large_and_flat(self.boxes[:, 1] - self.boxes[:, 0])
        return np.asarray(large & flat)

    def poses(self, X_RootF: Floats) -> Floats:
        """Return X_RootG (k, 4, 4) of every surface for poses (n, 4, 4) of all rows."""
        X = X_RootF[self.rows]
        if len(self.offset):
            X[self.offset] = X[self.offset] @ self.X_RowG
        return X


@dataclass(frozen=True, eq=False)
class Scene:
    """What to draw; immutable, so a view may keep the last one and compare.

    `X_RootF` (n, 4, 4) holds the pose of each row, NaN where a frame cannot be resolved: what is bound to it is left
    out. `owners` (n,) is the row that each row is written in, -1 for the root. What is in front of the `section` is cut
    away from surfaces. `partly` (m,) are rows in which something is hidden, `absent` (m,) those of models that are not
    found. `stand_ins` says of rows whose meshes are missing what is drawn instead.
    """

    X_RootF: Floats
    owners: Ints
    names: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    surfaces: tuple[MeshInstance, ...] = ()
    triads: Triads = field(default_factory=Triads)
    joints: JointGlyphs = field(default_factory=JointGlyphs)
    lines: Lines = field(default_factory=Lines)
    labels: Labels = field(default_factory=Labels)
    parent_sides: ParentSides = field(default_factory=ParentSides)
    section: CuttingPlane | None = None
    centres: Centres = field(default_factory=Centres)
    partly: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    absent: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    stand_ins: Mapping[int, str] = field(default_factory=dict)

    @computed_from("surfaces")
    def surface_arrays(self) -> SurfaceArrays:
        """The surfaces as columns."""
        return _columns(self.surfaces)

    def take_surface_arrays(self, other: Scene) -> None:
        """Take over the columns of another scene with the same surfaces, where they have been made."""
        known = Scene.surface_arrays.known(other)
        if known is not None:
            Scene.surface_arrays.keep(self, known)

    def take_looks(self, other: Scene, start: int, end: int) -> None:
        """Take over the columns of another scene, where they have been made, of surfaces that may be at other rows.

        Parameters
        ----------
        other
            The scene.
        start, end
            How many surfaces at the start and at the end have the same mesh, scale and material in both.
        """
        known, k = Scene.surface_arrays.known(other), len(self.surfaces)
        if known is None or len(known.offset):
            return
        between = _columns(self.surfaces[start : k - end])
        numbers = {(id(mesh), id(material)): number for number, (mesh, material) in enumerate(known.styles)}
        own = [numbers.setdefault((id(mesh), id(material)), len(numbers)) for mesh, material in between.styles]
        styles = (
            *known.styles,
            *(style for style, at in zip(between.styles, own, strict=True) if at >= len(known.styles)),
        )

        def joined(before: NDArray[Any], now: NDArray[Any]) -> NDArray[Any]:
            return np.concatenate([before[:start], now, before[len(before) - end :]])

        style_numbers = joined(known.style_numbers, np.array(own, np.intp)[between.style_numbers])
        if len(between.offset) or not np.bincount(style_numbers, minlength=len(styles)).all():
            return  # a look that nothing has is no style
        columns = SurfaceArrays(
            np.fromiter(map(_ROW, self.surfaces), np.int32, k),
            joined(known.scales, between.scales),
            joined(known.boxes, between.boxes),
            between.offset,
            between.X_RowG,
            styles,
            style_numbers,
            joined(known.inertias, between.inertias),
        )
        Scene.surface_arrays.keep(self, columns)

    def bounds(self, rows: Iterable[int] | None = None) -> Floats:
        """Return the box (2, 3) in root coordinates around all surfaces and frames, or around those of some rows."""
        points = self.outline(range(len(self.owners)) if rows is None else rows)
        return np.stack([points.min(axis=0), points.max(axis=0)])

    @computed_from("owners")
    def parts(self) -> Ints:
        """For each row (n,) the child of the root that it is in: the model of a world, the link of a model."""
        parts: Ints = np.arange(len(self.owners), dtype=np.int32)
        while len(deeper := np.flatnonzero(self.owners[parts] > 0)):
            parts[deeper] = self.owners[parts[deeper]]
        return parts

    @computed_from("surfaces", "X_RootF", "parts", "surface_arrays", "absent")
    def far_away(self) -> Ints:
        """The rows that a camera leaves out, as they are hundreds of times as far from the middle as all others.

        Of what has surfaces at least half are the others. A wrong number in a pose may put a model anywhere, and a
        runway reaches as far from the aircraft on it. A model that is not found is a point, and left out sooner.
        """
        parts, low, high = self._extents_of_parts()
        if not len(parts):
            return np.zeros(0, np.int32)
        middle = np.median((low + high) / 2, axis=0)
        reach = np.maximum(np.abs(low - middle), np.abs(high - middle)).max(axis=1)
        order = np.argsort(reach, kind="stable")
        nearer = np.maximum(reach[order], _LEAST_REACH)
        half = (len(parts) + 1) // 2
        steps = np.flatnonzero(nearer[half:] > _FAR * nearer[half - 1 : -1] if len(parts) > 2 else [])
        count = half + steps[0] if len(steps) else len(parts)
        far = parts[np.sort(order[count:])]
        away = np.abs(self.X_RootF[self.absent, :3, 3] - middle).max(axis=1)
        absent = self.absent[away > _FAR_ABSENT * max(nearer[count - 1], _LEAST_OF_ABSENT)]
        return np.concatenate([far[far > 0], absent])

    def _extents_of_parts(self) -> tuple[Ints, Floats, Floats]:
        """Return the root's children (m,) with surfaces, 0 for its own, and corners (m, 3), (m, 3) of boxes around."""
        arrays = self.surface_arrays
        is_shape = ~arrays.inertias
        counted = np.flatnonzero(is_shape & ~arrays.ground if (is_shape & ~arrays.ground).any() else is_shape)
        X = arrays.poses(self.X_RootF)[counted]
        centres = np.einsum("kij,kj->ki", X[:, :3, :3], arrays.centres[counted]) + X[:, :3, 3]
        finite = np.isfinite(centres).all(axis=1)
        parts, of_surface = np.unique(self.parts[arrays.rows[counted]][finite], return_inverse=True)
        boxes = arrays.boxes[counted][finite]
        radii = np.linalg.norm(boxes[:, 1] - boxes[:, 0], axis=1)[:, None] / 2
        low, high = np.full((len(parts), 3), np.inf), np.full((len(parts), 3), -np.inf)
        np.minimum.at(low, of_surface, centres[finite] - radii)
        np.maximum.at(high, of_surface, centres[finite] + radii)
        return parts, low, high

    @computed_from("far_away", "owners")
    def is_far_away(self) -> NDArray[np.bool_]:
        """The mask (n,) of :attr:`far_away` and of everything written inside them."""
        return self.owned_by(self.far_away.tolist())

    @computed_from("surfaces", "owners", "parts", "surface_arrays")
    def _is_ground(self) -> NDArray[np.bool_]:
        """The mask (n,) of the children of the root, with what is in them, that are nothing but ground among others."""
        arrays = self.surface_arrays
        counted, ground = ~arrays.inertias, arrays.ground
        parts = self.parts[arrays.rows]
        others = np.unique(parts[counted & ~ground])
        alone = np.setdiff1d(parts[ground], others)
        mask = np.zeros(len(self.owners), bool)
        return np.isin(self.parts, alone[alone > 0]) if len(others) and len(alone) else mask

    @computed_from("is_far_away", "_is_ground", "surface_arrays", "owners", "absent", "kinds")
    def is_aside(self) -> NDArray[np.bool_]:
        """The mask (n,) of what must not push the camera away from the rest.

        That is the ground, what is far away, and where something is drawn also the origin of a world and the models
        that are not found.
        """
        mask: NDArray[np.bool_] = np.asarray(self.is_far_away | self._is_ground)
        arrays = self.surface_arrays
        if (~arrays.ground & ~arrays.inertias & ~mask[arrays.rows]).any():
            mask |= self.owned_by(self.absent.tolist())
            mask[0] |= bool(self.kinds) and self.kinds[0] == "world"
        return mask

    def outline(self, rows: Iterable[int] | None = None) -> Floats:
        """Return points (k, 3) in root coordinates around the surfaces and frames of some rows and what they own.

        Without `rows`, around what a camera should show: all but the ground with its frames and the boxes of inertias,
        which must not push it away from the robot, what is far away from all else, and the frames of what is shown in
        part, which may be far from that part. An empty scene gives a cube of one metre, so that a camera can always be
        fitted.
        """
        inside = ~self.is_far_away if rows is None else self.owned_by(rows)
        arrays = self.surface_arrays
        corners = []
        chosen = inside[arrays.rows]
        for aside in (arrays.inertias, arrays.ground) if rows is None else ():
            if (chosen & ~aside).any():
                chosen &= ~aside
        if chosen.any():
            X = arrays.poses(self.X_RootF)[chosen]
            if len(X) <= _MANY_SURFACES:
                of_surfaces = [self.surfaces[k] for k in np.nonzero(chosen)[0].tolist()]
                local = np.stack([each.mesh.outermost for each in of_surfaces]) * arrays.scales[chosen][:, None]
                corners.append((local @ np.swapaxes(X[:, :3, :3], 1, 2) + X[:, None, :3, 3]).reshape(-1, 3))
            else:
                corners += _corners(X, arrays.boxes[chosen])
        counted = np.zeros(len(inside), bool)
        counted[self.counting_frames] = True
        frames = np.nonzero(counted & ~self.is_aside if rows is None else inside)[0]
        if rows is not None and chosen.any() and self.kinds:
            # The origin of a mesh may be far from what is drawn of it, and that of a shape that is not drawn, too.
            frames = frames[[self.kinds[row] not in _SHAPES for row in frames.tolist()]]
        corners.append(self.X_RootF[frames][:, :3, 3])
        points = np.concatenate(corners)
        if not np.isfinite(points).all():
            points = points[np.isfinite(points).all(axis=1)]
        if len(points) == 0:
            return _cube(np.zeros(3), 0.5)
        points = points.clip(-_FARTHEST, _FARTHEST)
        # For very many points, one column at a time is twenty times faster.
        low, high = (np.array([extreme(column) for column in points.T]) for extreme in (np.min, np.max))
        # A lone frame is a point, but a screw is to be seen as large as the view is.
        least = _LEAST_OF_SHAPES if chosen.any() else _LEAST
        return _cube((low + high) / 2, least) if float((high - low).max()) < 2 * least else points

    def keeps(self, points: Floats) -> NDArray[np.bool_]:
        """Return which points (k, 3) in root coordinates the section does not cut away; those on its plane stay."""
        if self.section is None:
            return np.ones(len(points), bool)
        return np.asarray(self.section.keeps(points) >= -_ON_PLANE)

    @property
    def counting_frames(self) -> Ints:
        """The frames (m,) that a camera should show: those of what is shown whole, or all where none is."""
        rows = self.triads.rows
        if not len(self.partly):
            return rows
        whole = rows[~np.isin(rows, self.partly)]
        return whole if len(whole) or self.surfaces else rows

    def owned_by(self, rows: Iterable[int]) -> NDArray[np.bool_]:
        """Return the mask (n,) of some rows and of everything written inside them."""
        mask = np.zeros(len(self.owners), bool)
        chosen = [row for row in rows if 0 <= row < len(mask)]
        if not chosen:
            return mask
        mask[chosen] = True
        return with_contents(self.owners, mask)


def _columns(surfaces: Sequence[MeshInstance]) -> SurfaceArrays:
    k = len(surfaces)
    styles: dict[tuple[int, int], int] = {}
    looks_of = zip(map(id, map(_MESH, surfaces)), map(id, map(_MATERIAL, surfaces)), strict=True)
    numbers = list(map(styles.setdefault, looks_of, range(k)))
    firsts, style_numbers = np.unique(np.array(numbers, np.intp), return_inverse=True)
    looks = tuple((surfaces[first].mesh, surfaces[first].material) for first in firsts.tolist())
    rows = np.fromiter(map(_ROW, surfaces), np.int32, k)
    scales = (
        np.fromiter(chain.from_iterable(map(_SCALE, surfaces)), np.float64, 3 * k)
        .reshape(k, 3)
        .clip(-_FARTHEST, _FARTHEST)
    )
    bounds = np.array([mesh.bounds for mesh, _ in looks], np.float64).reshape(-1, 2, 3)
    boxes = bounds[style_numbers] * scales[:, None]
    offset = [i for i, s in enumerate(surfaces) if s.X_RowG is not None]
    X_RowG = np.array([surfaces[i].X_RowG for i in offset], np.float64).reshape(-1, 4, 4)
    # A negative scale (a mirrored mesh) swaps the corners of its box.
    corners = np.sort(boxes, axis=1)
    inertias = np.fromiter(map(Layer.INERTIA.__eq__, map(_LAYER, surfaces)), bool, k)
    return SurfaceArrays(rows, scales, corners, np.array(offset, np.int32), X_RowG, looks, style_numbers, inertias)


def names_rows(ghost: Scene | None) -> bool:
    """Return whether a ghost names its rows: it shows what the text cannot place now, in the rows of the same model."""
    return ghost is not None and len(ghost.labels.rows) > 0


def size_up(mesh: TriangleMesh, scale: Sequence[float]) -> tuple[bool, bool]:
    """Return whether a mesh at a scale (3,) is as large as the ground, and whether it is flat."""
    low, high = mesh.bounds
    large, flat = _large_and_flat(np.abs((high - low) * np.asarray(scale))[None])
    return bool(large[0]), bool(flat[0])


def _large_and_flat(extents: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which extents (k, 3) are those of something as large as the ground, and which of something flat."""
    longest = extents.max(axis=1, initial=0.0)
    return np.asarray(longest > _GROUND), np.asarray(extents.min(axis=1, initial=np.inf) < 0.02 * longest)


def with_section(scene: Scene, section: CuttingPlane | None) -> Scene:
    """Return the scene cut open by a plane; None leaves it whole."""
    if section == scene.section:
        return scene
    return _changed(scene, section=section)


def update_poses(scene: Scene, X_RootF: ArrayLike, values: ArrayLike | None = None) -> Scene:
    """Return the scene at other poses (n, 4, 4), and with its joint glyphs at other values (k,) where given."""
    X = drawn_poses(np.asarray(X_RootF, np.float64))
    if X.shape != scene.X_RootF.shape:
        raise ValueError(f"poses of shape {X.shape} for a scene of {scene.X_RootF.shape}")
    joints = scene.joints if values is None else with_values(scene.joints, np.asarray(values, np.float64))
    return _changed(scene, X_RootF=X, joints=joints)


def drawn_poses(X_RootF: Floats) -> Floats:
    """Return poses (n, 4, 4), NaN where a frame is too far away to be drawn; the same array where none is."""
    if not X_RootF.size or (X_RootF.min() >= -_FARTHEST and X_RootF.max() <= _FARTHEST):  # as nearly always
        return X_RootF
    is_far: NDArray[np.bool_] = np.asarray(np.abs(X_RootF[..., :3, 3]) > _FARTHEST)
    if not is_far.any():
        return X_RootF
    return np.where(np.asarray(is_far.any(axis=-1))[..., None, None], np.nan, X_RootF)


def is_drawable(mesh: TriangleMesh, scale: Sequence[float]) -> bool:
    """Return whether a mesh at a scale (3,) is not too large to be drawn."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool((np.abs(mesh.bounds.astype(np.float64) * np.asarray(scale)) <= _FARTHEST).all())


def _changed(scene: Scene, **fields: object) -> Scene:
    """Return the same surfaces in a scene with other fields.

    Their columns depend on no pose and no section: a slider that is dragged must not rebuild them, so everything is
    taken over, a third of the work of `dataclasses.replace`.
    """
    return with_attributes(scene, **fields)
