"""Check that an inertia is physically possible."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from sdfviewer.document.element import Element
from sdfviewer.model.findings import ElementPart, Finding
from sdfviewer.model.scope import Origin
from sdfviewer.model.values import parse_bool, read_mass_properties
from sdfviewer.validation import kinematics_rules as rules

if TYPE_CHECKING:
    from sdfviewer.model.contents import Moments

_TOLERANCE = 10 * sys.float_info.epsilon
#: The cubes of moments up to this power of two, and of their inverses, are floats with all digits.
_LARGEST_EXPONENT = 300


def check_inertia(link: Element, origin: Origin) -> Iterable[Finding]:
    """Return what is impossible about the inertia of a link.

    Notes
    -----
    Source: libsdformat, ``Link::Load``, ``Link::ResolveAutoInertials`` and ``Collision::CalculateInertial``.
    """
    inertial = link.find("inertial")
    if inertial is None:
        return ()
    if inertial.attributes and parse_bool(inertial.attributes.get("auto", "")):
        return _check_computed(link, inertial, origin)
    why = impossibility(*read_mass_properties(inertial))
    if not why:
        return ()
    message = rules.inertia_invalid.format(link.attributes.get("name", ""), why)
    return (Finding(rules.inertia_invalid, ElementPart(origin.source, inertial), message),)


def _check_computed(link: Element, inertial: Element, origin: Origin) -> Iterator[Finding]:
    from sdfviewer.model.shapes import SHAPES  # noqa: PLC0415  # which few files need to be checked

    computed = [tag for tag, kind in SHAPES.items() if kind.is_weighed_by_libsdformat]
    name = link.attributes.get("name", "")
    collisions = link.findall("collision")
    if not collisions:
        rule = rules.nothing_to_compute_inertia_from
        yield Finding(rule, ElementPart(origin.source, inertial), rule.format(name))
    for collision in collisions:
        geometry = collision.find("geometry")
        if geometry is None or not geometry.findall(*computed):
            why = f"none can be computed from the shape of collision '{collision.attributes.get('name', '')}'"
            at = ElementPart(origin.source, geometry or collision)
            yield Finding(rules.inertia_invalid, at, rules.inertia_invalid.format(name, why))


@lru_cache(maxsize=4096)
def impossibility(mass: float, moments: Moments) -> str:
    """Return why no body has a mass and moments of inertia, empty where one has.

    Parameters
    ----------
    mass
        In kg.
    moments
        ixx, iyy, izz, ixy, ixz, iyz in kg m².

    Notes
    -----
    Source: gz-math, ``MassMatrix3::IsValid``.
    """
    if math.isnan(mass) or not all(map(math.isfinite, moments)):
        return "it is not finite"
    if mass < 0:
        return f"the mass {mass:g} is negative"
    moments, unit = _of_middle_size(moments)
    ixx, iyy, izz, ixy, ixz, iyz = moments
    epsilon = _TOLERANCE * 0.5 * abs(ixx + iyy + izz)
    determinant = ixx * (iyy * izz - iyz * iyz) - ixy * (ixy * izz - iyz * ixz) + ixz * (ixy * iyz - iyy * ixz)
    if ixx + epsilon < 0 or ixx * iyy - ixy * ixy + epsilon < 0 or determinant + epsilon < 0:
        return "the matrix is not positive: ixx, ixx·iyy − ixy², and the determinant must not be negative"
    principal = principal_moments(moments)
    a, b, c = principal
    epsilon = _TOLERANCE * 0.5 * abs(a + b + c)
    if min(principal) + epsilon < 0:
        return f"its principal moment {min(principal) * unit:.6g} is negative"
    if a + b + epsilon < c or b + c + epsilon < a or c + a + epsilon < b:
        smallest, middle, largest = (moment * unit for moment in sorted(principal))
        return (
            f"its principal moments are {smallest:.6g}, {middle:.6g} and {largest:.6g}, "
            "and none may be larger than the sum of the other two"
        )
    return ""


def principal_moments(moments: Moments) -> tuple[float, float, float]:
    """Return the principal moments of inertia; the diagonal where the rest is next to nothing.

    Notes
    -----
    Source: gz-math, ``MassMatrix3::PrincipalMoments``, after https://arxiv.org/abs/1306.6291v4.
    """
    moments, unit = _of_middle_size(moments)
    ixx, iyy, izz, ixy, ixz, iyz = moments
    tolerance = 1e-6 * max(ixx, iyy, izz)
    if max(abs(ixy), abs(ixz), abs(iyz)) <= tolerance:
        return ixx * unit, iyy * unit, izz * unit
    b = ixx + iyy + izz
    c = ixx * iyy - ixy**2 + ixx * izz - ixz**2 + iyy * izz - iyz**2
    d = ixx * iyz**2 + iyy * ixz**2 + izz * ixy**2 - ixx * iyy * izz - 2 * ixy * ixz * iyz
    p = b * b - 3 * c
    if p < tolerance**2:
        return (b / 3 * unit,) * 3
    q = 2 * b**3 - 9 * b * c - 27 * d
    delta = math.acos(max(-1.0, min(1.0, 0.5 * q / p**1.5)))
    root = 2 * math.sqrt(p)
    first, second, third = (b + root * math.cos((delta + turn) / 3) for turn in (0.0, 2 * math.pi, -2 * math.pi))
    return first / 3 * unit, second / 3 * unit, third / 3 * unit


def _of_middle_size(moments: Moments) -> tuple[Moments, float]:
    """Return moments in a unit in which their products are neither too large nor too small for a float, and the unit.

    The unit is a power of two, so that no digit changes, and 1 for all that robots have.
    """
    _, exponent = math.frexp(max(map(abs, moments)))
    if abs(exponent) <= _LARGEST_EXPONENT:
        return moments, 1.0
    unit = 2.0 ** max(-1022, min(exponent, 1022))
    ixx, iyy, izz, ixy, ixz, iyz = (moment / unit for moment in moments)
    return (ixx, iyy, izz, ixy, ixz, iyz), unit
