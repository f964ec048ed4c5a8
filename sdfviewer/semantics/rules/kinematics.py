"""Joint axes, mimic, inertia."""

from __future__ import annotations

from sdfviewer.diagnostics import Severity, rule


@rule("expressed-in-invalid", 601, libsdformat="JOINT_AXIS_EXPRESSED_IN_INVALID")
def expressed_in_invalid(name: str, hint: str) -> str:
    """An axis expressed in a name that is no frame in the joint's scope.

    Bad: ``<xyz expressed_in="base_frame">`` where no such frame exists.

    Use instead: a frame of the scope, ``__model__``, or no ``expressed_in``: the joint frame.

    Source: pose frame semantics proposal, "//joint/axis/xyz[@expressed_in]"
    """
    return f"expressed_in '{name}' is no frame in this scope{hint}"


@rule("axis-zero", 602, libsdformat="ELEMENT_INVALID")
def axis_zero() -> str:
    """A joint axis without a direction.

    Bad: ``<xyz>0 0 0</xyz>``

    Use instead: ``<xyz>0 0 1</xyz>``

    Source: libsdformat, ``JointAxis::SetXyz``
    """
    return "the axis '0 0 0' has no direction"


@rule("mimic-invalid", 603, libsdformat="JOINT_AXIS_MIMIC_INVALID")
def mimic_invalid(what: str) -> str:
    """A mimic constraint whose leader does not exist, has no such axis, or is the joint itself.

    Bad: ``<mimic joint="finger_left">`` where no such joint exists.

    Use instead: the name of another joint of the scope, and an ``axis`` that it has.

    Source: libsdformat, ``JointAxis::Load`` and ``checkJointAxisMimicValues``
    """
    return what


@rule("inertia-invalid", 604, libsdformat="LINK_INERTIA_INVALID")
def inertia_invalid(name: str, why: str) -> str:
    """An inertia that no body can have.

    The mass must be positive, and the principal moments must be positive and satisfy the triangle inequality: none
    of them is larger than the sum of the other two.

    Bad: ``<ixx>1</ixx> <iyy>1</iyy> <izz>3</izz>``

    Use instead: the inertia of the real body; a solid box of mass m has ``ixx = m (y² + z²) / 12``.

    Source: libsdformat, ``Link::Load``; gz-math, ``MassMatrix3::IsValid``
    """
    return f"the inertia of link '{name}' is impossible: {why}"


@rule("limits-reversed", 605, severity=Severity.WARNING)
def limits_reversed(lower: float, upper: float) -> str:
    """A lower joint limit above the upper one.

    Bad: ``<lower>1</lower> <upper>-1</upper>``

    Use instead: ``<lower>-1</lower> <upper>1</upper>``

    Source: element ``limit`` of the specification
    """
    return f"the lower limit {lower:g} is above the upper limit {upper:g}"


@rule("mimic-cycle", 606, severity=Severity.WARNING)
def mimic_cycle(names: list[str]) -> str:
    """Joints that mimic each other in a circle, so that none of them leads.

    Which of them is moved cannot be said; here all of them move freely.

    Bad: ``left`` with ``<mimic joint="right">`` and ``right`` with ``<mimic joint="left">``.

    Use instead: one joint without a mimic constraint that the others follow.

    Source: libsdformat checks each constraint by itself (``checkJointAxisMimicValues``) and is silent about circles.
    """
    return f"these joints mimic each other in a circle: {' → '.join([*names, names[0]])}"


@rule("nothing-to-compute-inertia-from", 640, libsdformat="ELEMENT_MISSING")
def nothing_to_compute_inertia_from(name: str) -> str:
    """A link that wants its inertia computed but has no collision to compute it from.

    Bad: ``<link name="a"><inertial auto="true"/></link>``

    Use instead: a ``<collision>`` with a ``<density>``, or the inertia written out.

    Source: libsdformat, ``Link::ResolveAutoInertials``
    """
    return f"the inertia of link '{name}' is to be computed from its collisions, but it has none"
