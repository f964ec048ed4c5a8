"""Mass, centre of mass and inertia of any set of links at any configuration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sdfviewer import transforms
from sdfviewer.formats.contents import read_collision, read_inertial
from sdfviewer.model.contents import Inertial
from sdfviewer.model.findings import ElementPart, Finding
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.model.solids import Body, combine, solid_body
from sdfviewer.model.values import parse_number
from sdfviewer.transforms import Array, invert
from sdfviewer.validation.kinematics_rules import inertial_by_default

#: The default density in kg/m³, that of water.
_DENSITY = 1000.0


def resolve_inertial(model: Model, row: int) -> Inertial | None:
    """Return the inertial of the link of a row, with automatic inertia computed.

    None where it is to be computed and cannot be: from a mesh, from nothing, or from collisions whose poses are
    undefined.
    """
    written = read_inertial(model, row)
    return _computed(model, row, written) if written.auto else written


def _computed(model: Model, link: int, written: Inertial) -> Inertial | None:
    bodies = []
    X_LR = transforms.invert(model.X_RootF[link])
    for row in model.rows_in(link, Kind.COLLISION):
        collision = read_collision(model, row)
        density = collision.density if collision.density is not None else written.density
        body = solid_body(collision.geometry, _DENSITY if density is None else density)
        X_LS = X_LR @ model.X_RootF[row]
        if body is None or not np.isfinite(X_LS).all():
            return None
        bodies.append(body.moved(X_LS))
    total = combine(bodies)
    if total.mass <= 0:
        return None
    # A written mass scales the computed moments.
    mass_element = None if written.element is None else written.element.find("mass")
    wanted = None if mass_element is None else parse_number(mass_element.text)
    mass = total.mass if wanted is None else wanted
    matrix = total.I_B * (mass / total.mass)
    moments = (
        float(matrix[0, 0]),
        float(matrix[1, 1]),
        float(matrix[2, 2]),
        float(matrix[0, 1]),
        float(matrix[0, 2]),
        float(matrix[1, 2]),
    )
    X_LI = transforms.pose(np.eye(3), total.p_FB)
    return replace(written, mass=mass, X_LI=X_LI, moments=moments, raw=(*total.p_FB.tolist(), 0.0, 0.0, 0.0))


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


def links_by_default(model: Model) -> list[int]:
    """Return the links that can move and have no ``<inertial>``, to which SDFormat gives 1 kg; URDF gives none."""
    links = np.flatnonzero(model.kinds_are(Kind.LINK) & ~model.static).tolist()
    unwritten = [row for row in links if model.elements[row].find("inertial") is None]
    return [row for row in unwritten if read_inertial(model, row).mass]


def lint_inertials(model: Model) -> Iterator[Finding]:
    """Yield that links have the inertial that they get where none is written; ``check --kinematics``."""
    rule = inertial_by_default
    for row in links_by_default(model):
        location = ElementPart(model.sources[row], model.elements[row])
        yield Finding(rule, location, rule.format(model.local_names[row]), (row,))


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
