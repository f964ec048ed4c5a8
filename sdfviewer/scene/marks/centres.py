"""Centres of mass: where the symbols of links are, and those of whole models."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sdfviewer.display_text import visible
from sdfviewer.palette import TOKENS
from sdfviewer.scene.nodes import Floats, Ints, Labels

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
