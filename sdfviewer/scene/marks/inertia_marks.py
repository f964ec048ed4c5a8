"""Marks of masses: centres of mass, and for the inertia of a link a box of the same mass and moments, or its edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from sdfviewer.display_text import visible
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.model.contents import Inertial
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.box import Box
from sdfviewer.palette import TOKENS
from sdfviewer.scene.geometry import own_mesh
from sdfviewer.scene.mesh import MeshMaterial, TriangleMesh
from sdfviewer.scene.nodes import Detail, Floats, Ints, Labels, Layer, Lines, MeshInstance

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
