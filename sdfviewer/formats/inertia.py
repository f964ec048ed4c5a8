"""The inertia of a link: as written, or computed from its collisions.

Source: libsdformat, ``Link::ResolveAutoInertials`` and ``Collision::CalculateInertial``.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sdfviewer import transforms
from sdfviewer.formats.contents import read_collision, read_inertial
from sdfviewer.model.contents import Inertial
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.solids import combine, solid_body
from sdfviewer.model.values import parse_number

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
    for row in model.rows_in(link):
        if model.kinds[row] is not Kind.COLLISION:
            continue
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
