"""Mass, centre of mass and inertia of any set of links at any configuration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from sdfviewer.formats.inertia import resolve_inertial
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.model.solids import Body, combine
from sdfviewer.transforms import Array, invert


@dataclass(frozen=True, eq=False)
class LinkBodies:
    """The bodies of some links, each in the frame of its link: they stay while the joints move.

    Attributes
    ----------
    links
        Rows of the links with a mass.
    bodies
        Their bodies.
    unknown
        Rows of links whose inertia is to be computed and cannot be.
    """

    links: tuple[int, ...]
    bodies: tuple[Body, ...]
    unknown: tuple[int, ...]

    def total(self, X_RootF: Array, X_RootG: Array | None = None) -> tuple[Body, tuple[int, ...]]:
        """Return all bodies as one in a frame G, and the links left out because their pose is undefined.

        Parameters
        ----------
        X_RootF
            Poses (n, 4, 4) of all rows.
        X_RootG
            Pose (4, 4) of the frame in which the body is given; the root by default.
        """
        placed: list[bool] = np.asarray(np.isfinite(X_RootF[list(self.links)]).all(axis=(1, 2))).tolist()
        moved = [
            body.moved(X_RootF[row])
            for row, body, is_placed in zip(self.links, self.bodies, placed, strict=True)
            if is_placed
        ]
        total = combine(moved)
        if X_RootG is not None:
            total = total.moved(invert(X_RootG))
        return total, tuple(row for row, is_placed in zip(self.links, placed, strict=True) if not is_placed)


def links_of(model: Model, rows: Iterable[int], kinematics: Kinematics | None = None) -> list[int]:
    """Return the links of rows: a link itself, all of a model or world, what a joint moves, the body of a frame.

    Parameters
    ----------
    kinematics
        Of the model, for joints; made where it is needed.
    """
    found: dict[int, None] = {}
    for row in rows:
        kind = model.kinds[row]
        if kind is Kind.LINK:
            found[row] = None
        elif kind in (Kind.MODEL, Kind.WORLD):
            found.update((each, None) for each in model.inside(row) if model.kinds[each] is Kind.LINK)
        elif kind is Kind.JOINT:
            kinematics = kinematics or Kinematics(model)
            found.update(
                (link, None)
                for link, each in enumerate(model.kinds)
                if each is Kind.LINK and any(joint.row == row for joint in kinematics.joints_above(link))
            )
        elif (body := int(model.bodies[row])) >= 0 and model.kinds[body] is Kind.LINK:
            found[body] = None
    return sorted(found)


def link_bodies(model: Model, links: Sequence[int]) -> LinkBodies:
    """Return the bodies of links as written, or as computed where the file asks for that."""
    rows, bodies, unknown = [], [], []
    for row in links:
        inertial = resolve_inertial(model, row)
        if inertial is None:
            unknown.append(row)
        elif inertial.mass:
            rows.append(row)
            bodies.append(Body(inertial.mass, inertial.center_of_mass, inertial.inertia_in_link))
    return LinkBodies(tuple(rows), tuple(bodies), tuple(unknown))
