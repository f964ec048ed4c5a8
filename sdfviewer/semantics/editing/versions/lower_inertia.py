"""Inertia that SDFormat 1.11 and later compute from the collisions of a link, written out in numbers.

Source: libsdformat, ``Link::ResolveAutoInertials`` and ``Collision::CalculateInertial``; gz-math, the mass
matrix of each shape. All shapes are centred in their frame; the centre of mass of a cone lies a quarter of its length
below.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from sdfviewer import transforms
from sdfviewer.document.edits import Replacements, indentation_step, remove_element, replace_element
from sdfviewer.document.element import Element
from sdfviewer.semantics.editing.versions.lowering import Lowering
from sdfviewer.semantics.kinds import Kind
from sdfviewer.semantics.values import IDENTITY, format_number, format_pose, parse_bool, read_number, read_vector
from sdfviewer.transforms import Array

#: kg/m³ where nothing else is said: that of water.
_DENSITY = 1000.0


def lower_inertia(lowering: Lowering) -> Replacements:
    """Return the edit that writes inertia as numbers where it is to be computed."""
    model = lowering.model
    edits: Replacements = ()
    for row, element in enumerate(model.elements):
        inertial = element.find("inertial") if model.kinds[row] is Kind.LINK and model.sources[row] is None else None
        if inertial is None or element.tag != "link" or not parse_bool(inertial.attributes.get("auto", "")):
            continue
        total = _total(lowering, row, inertial)
        if total is None:
            lowering.note(inertial, f"the inertia of '{model.names[row]}' is computed from a mesh; write it in numbers")
            continue
        for collision in element.findall("collision"):
            for child in collision.findall("density", "auto_inertia_params"):
                edits += remove_element(lowering.document, child)
        edits += replace_element(lowering.document, inertial, _inertial(indentation_step(lowering.document), *total))
    return edits


def _total(lowering: Lowering, link: int, inertial: Element) -> tuple[float, Array, Array] | None:
    """Return mass, centre of mass (3,) in the link and moments about it (3, 3) of a link, None where it has a mesh."""
    model = lowering.model
    density = read_number(inertial, "density", _DENSITY)
    bodies: list[tuple[float, Array, Array]] = []
    for row, element in enumerate(model.elements):
        if model.kinds[row] is not Kind.COLLISION or int(model.owners[row]) != link:
            continue
        shape = _shape(element, read_number(element, "density", density))
        if shape is None:
            return None
        mass, p_SC, I_S = shape
        X_LS = transforms.invert(model.X_RootF[link]) @ model.X_RootF[row]
        R_LS = X_LS[:3, :3]
        bodies.append((mass, R_LS @ p_SC + X_LS[:3, 3], R_LS @ I_S @ R_LS.T))
    mass = sum(each for each, _, _ in bodies)
    if mass <= 0:
        return None
    centre: Array = np.sum([each * p for each, p, _ in bodies], axis=0) / mass
    moments: Array = np.zeros((3, 3))
    for each, p, I_B in bodies:
        d = p - centre
        moments += I_B + each * (float(d @ d) * np.eye(3) - np.outer(d, d))
    wanted = read_number(inertial, "mass", mass)  # a mass that is written scales what is computed
    return wanted, centre, moments * (wanted / mass)


def _shape(collision: Element, density: float) -> tuple[float, Array, Array] | None:
    """Return mass, centre of mass (3,) and moments about it (3, 3) of a collision in its own frame."""
    geometry = collision.find("geometry")
    for shape in geometry.children if geometry is not None else ():
        compute = _SHAPES.get(shape.tag)
        if compute is not None:
            volume, height, unit = compute(shape)
            mass = density * volume
            return mass, np.array([0.0, 0.0, height]), mass * np.diag(unit)
    return None


#: Volume, height of the centre of mass, and moments of one kilogram.
_Solid = tuple[float, float, tuple[float, float, float]]


def _box(shape: Element) -> _Solid:
    x, y, z = read_vector(shape, "size", (1.0, 1.0, 1.0))
    return x * y * z, 0.0, ((y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12)


def _sphere(shape: Element) -> _Solid:
    r = read_number(shape, "radius", 1.0)
    return 4 / 3 * math.pi * r**3, 0.0, (0.4 * r * r,) * 3


def _ellipsoid(shape: Element) -> _Solid:
    a, b, c = read_vector(shape, "radii", (1.0, 1.0, 1.0))
    return 4 / 3 * math.pi * a * b * c, 0.0, ((b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5)


def _cylinder(shape: Element) -> _Solid:
    r, length = _radius_and_length(shape)
    across = (3 * r * r + length * length) / 12
    return math.pi * r * r * length, 0.0, (across, across, r * r / 2)


def _cone(shape: Element) -> _Solid:
    r, length = _radius_and_length(shape)
    across = 3 / 80 * (4 * r * r + length * length)
    return math.pi * r * r * length / 3, -length / 4, (across, across, 0.3 * r * r)


def _capsule(shape: Element) -> _Solid:
    r, length = _radius_and_length(shape)
    middle, ends = math.pi * r * r * length, 4 / 3 * math.pi * r**3
    across = middle * (length * length / 12 + r * r / 4)
    across += ends * (0.4 * r * r + length * length / 4 + 3 / 8 * length * r)
    along = middle * r * r / 2 + ends * 0.4 * r * r
    volume = middle + ends
    return volume, 0.0, (across / volume, across / volume, along / volume) if volume else (0.0, 0.0, 0.0)


def _radius_and_length(shape: Element) -> tuple[float, float]:
    default = 0.5 if shape.tag in ("capsule", "cone") else 1.0
    return read_number(shape, "radius", default), read_number(shape, "length", 1.0)


_SHAPES: dict[str, Callable[[Element], _Solid]] = {
    "box": _box,
    "capsule": _capsule,
    "cone": _cone,
    "cylinder": _cylinder,
    "ellipsoid": _ellipsoid,
    "sphere": _sphere,
}


def _inertial(step: str, mass: float, centre: Array, moments: Array) -> str:
    """Return an ``<inertial>`` in numbers, each level indented by ``step``."""
    pose = format_pose([*centre.tolist(), 0.0, 0.0, 0.0])
    lines = [] if pose == format_pose(IDENTITY) else [f"{step}{pose}"]
    lines += [f"{step}<mass>{format_number(mass)}</mass>", f"{step}<inertia>"]
    for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)):
        tag = "i" + "xyz"[i] + "xyz"[j]
        lines.append(f"{step}{step}<{tag}>{format_number(float(moments[i, j]))}</{tag}>")
    lines.append(f"{step}</inertia>")
    return "\n".join(["<inertial>", *lines, "</inertial>"])
