"""Joint axes, mimic, inertia, and whether an inertia is physically possible."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from sdfviewer.diagnostics import Message, Severity, rule
from sdfviewer.document.element import Element
from sdfviewer.model.findings import ElementPart, Finding
from sdfviewer.model.scope import Origin
from sdfviewer.model.values import parse_bool, read_mass_properties

if TYPE_CHECKING:
    from sdfviewer.model.contents import Moments


@rule("expressed-in-invalid", 601, libsdformat="JOINT_AXIS_EXPRESSED_IN_INVALID")
def expressed_in_invalid(name: str, hint: str) -> str:
    """An axis expressed in a name that is not a frame in the joint's scope.

    libsdformat adds POSE_RELATIVE_TO_INVALID for the same name; here it is one problem. It does not look at the axes of
    nested models, where this is a warning.

    Bad: ``<xyz expressed_in="base_frame">`` where no such frame exists.

    Use instead: a frame of the scope, ``__model__``, or no ``expressed_in``: the joint frame.

    Source: libsdformat, ``JointAxis::ResolveXyz``
    """
    return f"expressed_in '{name}' is not a frame in this scope" + hint


@rule("axis-zero", 602, libsdformat="ELEMENT_INVALID")
def axis_zero() -> str:
    """A joint axis without a direction.

    Bad: ``<xyz>0 0 0</xyz>``

    Use instead: ``<xyz>0 0 1</xyz>``

    Source: libsdformat, ``JointAxis::SetXyz``
    """
    return Message("axis '0 0 0' has no direction", "write a vector such as 0 0 1")


@rule("mimic-invalid", 603, libsdformat="JOINT_AXIS_MIMIC_INVALID")
def mimic_invalid(what: str) -> str:
    """A ``<mimic>`` whose leader does not exist, has no such axis, or is the joint itself.

    Bad: ``<mimic joint="finger_left">`` where no such joint exists.

    Use instead: the name of another joint of the scope, and an ``axis`` that it has.

    Source: libsdformat, ``JointAxis::Load`` and ``checkJointAxisMimicValues``
    """
    return what


@rule("inertia-invalid", 604, libsdformat="LINK_INERTIA_INVALID")
def inertia_invalid(name: str, why: str) -> str:
    """An inertia that is physically impossible.

    The mass must be positive. The principal moments must be positive, and none may be larger than the sum of the other
    two.

    Bad: ``<ixx>1</ixx> <iyy>1</iyy> <izz>3</izz>``

    Use instead: the inertia of the real body; a solid box of mass m has ``ixx = m (y² + z²) / 12``.

    Source: libsdformat, ``Link::Load``; gz-math, ``MassMatrix3::IsValid``
    """
    return f"inertia of link '{name}' is impossible: " + why


@rule("limits-reversed", 605, severity=Severity.WARNING)
def limits_reversed(lower: float, upper: float) -> str:
    """A lower joint limit above the upper one.

    Bad: ``<lower>1</lower> <upper>-1</upper>``

    Use instead: ``<lower>-1</lower> <upper>1</upper>``

    Source: element ``limit`` of the specification
    """
    return Message(f"lower limit {lower:g} is above the upper limit {upper:g}", "swap them")


@rule("mimic-cycle", 606, severity=Severity.WARNING)
def mimic_cycle(names: list[str]) -> str:
    """Joints whose ``<mimic>`` elements form a cycle, so that none of them leads.

    Here all of them move freely.

    Bad: ``left`` with ``<mimic joint="right">`` and ``right`` with ``<mimic joint="left">``.

    Use instead: one joint without a mimic constraint that the others follow.

    Source: libsdformat checks each constraint by itself (``checkJointAxisMimicValues``) and does not report cycles.
    """
    return f"mimic cycle: {' → '.join([*names, names[0]])}"


@rule("nothing-to-compute-inertia-from", 640, libsdformat="ELEMENT_MISSING")
def nothing_to_compute_inertia_from(name: str) -> str:
    """Automatic inertia needs at least one collision.

    Bad: ``<link name="a"><inertial auto="true"/></link>``

    Use instead: a ``<collision>`` with a ``<density>``, or the inertia written out.

    Source: libsdformat, ``Link::ResolveAutoInertials``
    """
    return Message(f"link '{name}' has <inertial auto='true'> and no <collision> to compute it from", "add one")


@rule("axis-missing", 607, severity=Severity.WARNING)
def axis_missing(joint_type: str, tag: str) -> str:
    """A joint without the axis that its type needs. It cannot move.

    ``revolute``, ``continuous``, ``prismatic`` and ``screw`` joints have one ``<axis>``; ``universal`` and
    ``revolute2`` joints have an ``<axis2>`` too. libsdformat accepts a joint without them.

    Bad: ``<joint name="j" type="revolute"> <parent>a</parent> <child>b</child> </joint>``

    Use instead: ``<axis><xyz>0 0 1</xyz></axis>`` in it, or ``type="fixed"``.

    Source: "Specifying model kinematics in SDFormat", ``<joint><axis>``
    """
    return Message(f"a {joint_type} joint needs <{tag}>", "without it nothing can move")


@rule("limits-ignored", 608, severity=Severity.WARNING)
def limits_ignored(lower: float, upper: float) -> str:
    """Limits of a continuous joint, which are ignored.

    In URDF it is only an information: effort and velocity are in the same ``<limit>``, and count.

    Bad: ``<joint type="continuous"> ... <limit><lower>-1</lower><upper>1</upper></limit>``

    Use instead: ``type="revolute"`` with these limits, or no ``<lower>`` and ``<upper>``.

    Source: "Specifying model kinematics in SDFormat", ``<joint>``
    """
    return Message(
        f"limits {lower:g} to {upper:g} of a continuous joint are ignored", "write type='revolute', or remove them"
    )


@rule("axis-not-unit", 609, severity=Severity.INFO)
def axis_not_unit(length: float) -> str:
    """An axis whose vector is not of unit length; only its direction counts.

    Reported by ``check --kinematics``. libsdformat normalises the vector.

    Bad: ``<xyz>0 0 2</xyz>``

    Use instead: ``<xyz>0 0 1</xyz>``

    Source: "Specifying model kinematics in SDFormat", ``<joint><axis>``; libsdformat, ``JointAxis::SetXyz``
    """
    return Message(f"axis has length {length:.3g}", "only its direction counts: write a unit vector")


@rule("limits-missing", 610, severity=Severity.INFO)
def limits_missing() -> str:
    """A revolute joint without limits, which can rotate without end.

    Reported by ``check --kinematics``.

    Bad: ``<joint type="revolute"> <axis><xyz>0 0 1</xyz></axis>``

    Use instead: ``type="continuous"``, or a ``<limit>`` with ``<lower>`` and ``<upper>``.

    Source: "Specifying model kinematics in SDFormat", ``<joint>``
    """
    return Message("this revolute joint has no limits and turns without end", "write type='continuous', or its limits")


@rule("not-joined", 613, severity=Severity.INFO)
def not_joined(name: str, more: str) -> str:
    """A link that no joint connects with the canonical link of its model, which has joints: it falls on its own.

    Reported by ``check --kinematics``.

    Bad: ``<link name="mast"/>`` in a model whose joints do not name it.

    Use instead: ``<joint name="mount" type="fixed"> <parent>base</parent> <child>mast</child>``

    Source: "Specifying model kinematics in SDFormat", ``<joint>``
    """
    return Message(f"no joint connects link '{name}'{more} with the canonical link: it moves on its own", "add a joint")


@rule("inertial-by-default", 614, severity=Severity.INFO)
def inertial_by_default(name: str) -> str:
    """A link that can move and has no ``<inertial>``: SDFormat gives it 1 kg and 1 kg m² about each axis.

    Reported by ``check --kinematics``.

    Bad: ``<link name="finger"/>``

    Use instead: ``<inertial> <mass>0.02</mass> ...``, or ``<inertial auto="true"/>`` from its collisions.

    Source: SDFormat, ``<inertial>``
    """
    return Message(
        f"link '{name}' has no <inertial>, so that it has 1 kg and 1 kg m² about each axis", "give it its own"
    )


@rule("axis-in-model-frame", 611, severity=Severity.INFO)
def axis_in_model_frame(written: str, in_joint: str) -> str:
    """An axis that is written in the model frame because of ``use_parent_model_frame``, and differs in the joint frame.

    Reported by ``check --kinematics``. Files of 1.5 and 1.6 write the axis in the joint frame unless
    ``use_parent_model_frame`` is true. Then it is in the frame of the model, as in 1.4 and before. SDFormat 1.7 writes
    ``<xyz expressed_in="__model__">``.

    Bad: nothing. The message says what the numbers mean.

    Use instead: the axis in the joint frame, without ``use_parent_model_frame``, if that is what is meant.

    Source: "Specifying model kinematics in SDFormat", ``<joint><axis>``
    """
    return Message(
        f"axis {written} is in the model frame (use_parent_model_frame)", f"in the joint frame it is {in_joint}"
    )


@rule("zero-outside-limits", 612, severity=Severity.INFO)
def zero_outside_limits(lower: float, upper: float) -> str:
    """A joint whose limits leave out zero, the position that the poses in the file belong to.

    The pictures of such a model show it where it can never be, and simulators start with a jump. *Move Inside* in the
    joints panel shows it within its limits; that does not change the file.

    Bad: a knee whose link is written with the leg straight, with ``<lower>-2.8</lower> <upper>-0.9</upper>``.

    Use instead: poses of the links behind the joint at a position that it can have, and limits that count from there.

    Source: element ``limit`` of the specification; "Specifying model kinematics in SDFormat", ``<joint><axis>``
    """
    return f"position 0, to which the poses in the file belong, is outside of the limits {lower:g} to {upper:g}"


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
    message = inertia_invalid.format(link.attributes.get("name", ""), why)
    return (Finding(inertia_invalid, ElementPart(origin.source, inertial), message),)


def _check_computed(link: Element, inertial: Element, origin: Origin) -> Iterator[Finding]:
    from sdfviewer.model.shapes import SHAPES  # noqa: PLC0415  # which few files need to be checked

    computed = [tag for tag, kind in SHAPES.items() if kind.is_weighed_by_libsdformat]
    name = link.attributes.get("name", "")
    collisions = link.findall("collision")
    if not collisions:
        rule = nothing_to_compute_inertia_from
        yield Finding(rule, ElementPart(origin.source, inertial), rule.format(name))
    for collision in collisions:
        geometry = collision.find("geometry")
        if geometry is None or not geometry.findall(*computed):
            why = f"none can be computed from the shape of collision '{collision.attributes.get('name', '')}'"
            at = ElementPart(origin.source, geometry or collision)
            yield Finding(inertia_invalid, at, inertia_invalid.format(name, why))


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
