"""Joints and canonical links, and likely mistakes in joints that libsdformat accepts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from sdfviewer.diagnostics import Message, rule
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, remove_element, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.model.findings import ElementPart, Finding, Source
from sdfviewer.model.kinds import JOINT_AXES, JOINT_TYPES, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.scope import Scope, WrittenAxis, WrittenJoint
from sdfviewer.model.values import format_numbers, parse_bool
from sdfviewer.number_text import counted
from sdfviewer.transforms import Array
from sdfviewer.validation import kinematics_rules as rules


@rule("joint-parent-invalid", 301, libsdformat="JOINT_PARENT_LINK_INVALID")
def joint_parent_invalid(name: str, hint: str) -> str:
    """A joint whose parent is not a frame of its model.

    The parent is a link, or since 1.8 any frame in the same scope (``nested::link`` reaches into nested models), or
    ``world``. A model refers only to what is in it: to join two models, write the joint in the model that has both.

    libsdformat does not look at the joints of nested models, so it accepts there what it refuses at the top of a file.
    Here it is an error wherever the model is.

    libsdformat adds FRAME_ATTACHED_TO_INVALID for the same name, and ELEMENT_INVALID for a world that did not load;
    here it is one problem.

    Bad: ``<parent>bass</parent>`` where the link is called ``base``.

    Use instead: ``<parent>base</parent>``

    Source: pose frame semantics proposal, "Phases of parsing kinematics of an sdf 1.7 model", phase 3; model
    composition proposal, "1.2.2 //joint/parent and //joint/child refer to frames, not just links"
    """
    return f"parent '{name}' is not a frame in this scope" + hint


@rule("joint-child-invalid", 302, libsdformat="JOINT_CHILD_LINK_INVALID")
def joint_child_invalid(name: str, hint: str) -> str:
    """A joint whose child is not a frame of its model, or is the world.

    A joint moves its child, and nothing moves the world. The document on the legacy behavior allows ``world`` as the
    child. libsdformat 12 and later refuse it, whatever the version of the file. The quick fix makes the world the
    parent, and keeps the place of the joint and the direction in which it moves.

    The frame of the joint is attached to its child and measured from it. libsdformat therefore adds
    FRAME_ATTACHED_TO_INVALID, POSE_RELATIVE_TO_INVALID and errors of both graphs for the same name, and ELEMENT_INVALID
    for a world that did not load; here it is one problem.

    Bad: ``<parent>base</parent> <child>world</child>``

    Use instead: ``<parent>world</parent> <child>base</child>``, with the opposite axis.

    Source: pose frame semantics proposal, "Phases of parsing kinematics of an sdf 1.7 model", phase 3; libsdformat,
    ``Joint::Load``
    """
    if name == "world":
        return Message("the world cannot be the child of a joint", "make it the parent")
    return f"child '{name}' is not a frame in this scope" + hint


@rule("joint-parent-is-child", 303, libsdformat="JOINT_PARENT_SAME_AS_CHILD")
def joint_parent_is_child(parent: str, child: str, body: str) -> str:
    """A joint whose parent and child are one body: the same name, or two frames of one link.

    A joint constrains the motion between two bodies. Frames attached to the same link cannot move apart.

    Bad: ``<parent>base</parent> <child>base</child>``

    Use instead: two different links, or frames that are attached to different links.

    Source: pose frame semantics proposal, "Phases of parsing kinematics of an sdf 1.7 model", phase 3
    """
    if parent == child:
        return Message(f"parent and child of this joint are both '{parent}'", "name two links")
    return Message(
        f"parent '{parent}' and child '{child}' of this joint are both fixed to '{body}'", "name frames of two links"
    )


@rule("joint-child-is-world", 305, libsdformat="JOINT_CHILD_LINK_INVALID")
def joint_child_is_world(name: str) -> str:
    """A joint whose child is attached to the world.

    A joint moves its child, and what is attached to the world does not move.

    libsdformat adds ELEMENT_INVALID for a world that did not load.

    Bad: ``<world><frame name="here"/> <joint ...><parent>cart</parent><child>here</child></joint></world>``

    Use instead: ``<parent>here</parent><child>cart</child>``

    Source: libsdformat, ``checkScopedJointParentChildNames``
    """
    return Message(f"child '{name}' is attached to the world, which a joint cannot move", "make it the parent")


@rule("joint-type-invalid", 304, libsdformat="ATTRIBUTE_INVALID")
def joint_type_invalid(name: str, hint: str) -> str:
    """A joint of a type that SDFormat does not know.

    Known are ``ball``, ``continuous``, ``fixed``, ``gearbox``, ``prismatic``, ``revolute``, ``revolute2``, ``screw``
    and ``universal``.

    Bad: ``<joint type="hinge">``

    Use instead: ``<joint type="revolute">``

    Source: libsdformat, ``Joint::Load``
    """
    return f"'{name}' is not a joint type" + (hint or Message("", f"use one of {', '.join(sorted(JOINT_TYPES))}"))


@rule("canonical-link-invalid", 310, libsdformat="MODEL_CANONICAL_LINK_INVALID")
def canonical_link_invalid(name: str, hint: str) -> str:
    """A ``canonical_link`` that is not a link of the model.

    The model frame is attached to the canonical link, which may be in a nested model: ``nested::link``. The document
    on composition asks for it in models that are not static only; ``gz sdf --check`` refuses it in static ones too.

    Bad: ``<model name="m" canonical_link="bass">`` where the link is called ``base``.

    Use instead: ``canonical_link="base"``, or leave it out: the first link is taken.

    Source: pose frame semantics proposal, "Implicit frame defined by //model/pose attached to canonical link"
    """
    return f"canonical_link '{name}' is not a link of this model" + hint


@rule("model-without-link", 311, libsdformat="MODEL_WITHOUT_LINK")
def model_without_link(name: str) -> str:
    """A model without a link of its own or in a nested model.

    The model frame, and every frame attached to it, would have no body. A static model needs no link.

    The document on kinematics shows an empty model as an example. libsdformat refuses it, and so does this program.

    Bad: ``<model name="empty"/>``

    Use instead: ``<model name="m"><link name="base"/></model>``

    Source: libsdformat, ``Model::Load``
    """
    return Message(f"model '{name}' has no link", "add a <link>, or <static>true</static>")


#: How much the length of an axis may differ from 1: axes are often written with three digits.
_ROUNDING = 1e-2
#: Types whose axes are needed; a gearbox moves as the joints around it.
_WITH_AXES = frozenset(JOINT_AXES) - {"gearbox"}
_WITH_LIMITS = _WITH_AXES - {"continuous"}
#: Radians or metres beyond a limit that are rounding.
_AT_LIMIT = 1e-9
#: Radians within which two directions are the same.
_SAME_DIRECTION = 1e-6


def check_axes(scope: Scope, source: Source, joint: WrittenJoint) -> Iterator[Finding]:
    """Yield what keeps a joint of an SDFormat file from moving as its type says: missing axes, ignored limits."""
    element, rows = scope.elements[joint.row], (joint.row,)
    if joint.type in _WITH_AXES:
        for tag in ("axis", "axis2")[: JOINT_TYPES[joint.type]]:
            if element.find(tag) is None:
                rule = rules.axis_missing
                yield Finding(rule, ElementPart(source, element, "@type"), rule.format(joint.type, tag), rows)
    for axis in joint.axes if joint.type == "continuous" else ():
        limit = axis.element.find("limit")
        if limit is not None and not _is_free(axis):
            message = rules.limits_ignored.format(axis.lower, axis.upper)
            fixes = (("remove the limits, which are ignored", partial(_without_limits, limit)),)
            yield Finding(rules.limits_ignored, ElementPart(source, limit), message, rows, fixes=fixes)
    for axis in joint.axes if joint.type in _WITH_LIMITS else ():
        if not axis.lower <= 0 <= axis.upper:  # rarely
            yield from check_start(joint, axis, ElementPart(source, axis.element.find("limit") or axis.element))


def check_start(joint: WrittenJoint, axis: WrittenAxis, location: ElementPart) -> Iterator[Finding]:
    """Yield that the limits of an axis leave out zero, where they hold; a joint that follows another is not at zero."""
    starts = axis.mimic is None and joint.type in _WITH_LIMITS
    if starts and axis.lower <= axis.upper and not (axis.lower <= _AT_LIMIT and axis.upper >= -_AT_LIMIT):
        rule = rules.zero_outside_limits
        yield Finding(rule, location, rule.format(axis.lower, axis.upper), (joint.row,))


def _is_free(axis: WrittenAxis) -> bool:
    return axis.lower == -math.inf and axis.upper == math.inf


def _without_limits(limit: Element, document: Document) -> Replacements:
    return tuple(edit for child in limit.findall("lower", "upper") for edit in remove_element(document, child))


def lint_kinematics(model: Model) -> Iterator[Finding]:
    """Yield notes about joints that mean something, though perhaps not what was meant; ``check --kinematics``."""
    for joint in model.scope.joints:
        source, rows = model.sources[joint.row], (joint.row,)
        for number, axis in enumerate(joint.axes):
            xyz, length = axis.element.find("xyz"), math.hypot(*axis.xyz)
            if xyz is not None and length > 0 and abs(length - 1) > _ROUNDING:
                yield Finding(
                    rules.axis_not_unit, ElementPart(source, xyz, "text"), rules.axis_not_unit.format(length), rows
                )
            yield from _explain_model_frame(model, joint, axis, model.joints_by_row[joint.row].axes[number].xyz)
        if joint.type == "revolute" and joint.axes and _is_free(joint.axes[0]) and joint.axes[0].mimic is None:
            element, rule = model.elements[joint.row], rules.limits_missing
            fix = ("write type='continuous'", partial(_as_continuous, element))
            yield Finding(rule, ElementPart(source, element, "@type"), rule.format(), rows, fixes=(fix,))

    for part in loose_parts(model):
        row, rule = part[0], rules.not_joined
        more = f", with {counted(len(part) - 1, 'link')} that it is joined to" if len(part) > 1 else ""
        location = ElementPart(model.sources[row], model.elements[row])
        yield Finding(rule, location, rule.format(model.local_names[row], more), part)


def loose_parts(model: Model) -> list[tuple[int, ...]]:
    """Return the links of models with joints that no joint connects with the canonical link, part by part.

    Each is free to fall on its own. In a static model nothing is, and a model without joints is one of loose parts.
    """
    part = {row: [row] for row in np.flatnonzero(model.kinds_are(Kind.LINK) & ~model.static).tolist()}
    jointed = set[int]()
    for joint in model.joints:
        ends = [int(model.bodies[row]) if row >= 0 else row for row in (joint.parent, joint.child)]
        jointed.update(_outermost(model, row) for row in ends if row in part)
        if all(row in part for row in ends) and part[ends[0]] is not part[ends[1]]:
            joined = part[ends[0]] + part[ends[1]]
            part.update(dict.fromkeys(joined, joined))
        elif any(row in part for row in ends):  # joined with the world
            held = part[next(row for row in ends if row in part)]
            part.update(dict.fromkeys(held, held))
    main = {_outermost(model, row): id(links) for row, links in reversed(part.items())}
    found = {id(links): tuple(sorted(links)) for row, links in part.items() if _outermost(model, row) in jointed}
    return [links for key, links in found.items() if key != main[_outermost(model, links[0])]]


def _outermost(model: Model, row: int) -> int:
    """Return the model around a row that no other is around."""
    around = [each for each in model.around(row) if model.kinds[each] is Kind.MODEL]
    return around[-1] if around else 0


def _as_continuous(joint: Element, document: Document) -> Replacements:
    return set_attribute(document, joint, "type", "continuous")


def _explain_model_frame(model: Model, joint: WrittenJoint, axis: WrittenAxis, in_joint: Array) -> Iterator[Finding]:
    """Yield what an axis that is written in the model frame is in the joint frame, where that is another direction."""
    flag = axis.element.find("use_parent_model_frame")
    if flag is None or not parse_bool(flag.text) or axis.expressed_in == joint.row or axis.expressed_in < 0:
        return
    direction = np.array(axis.xyz) / max(math.hypot(*axis.xyz), 1e-300)
    if np.isfinite(in_joint).all() and np.linalg.norm(in_joint - direction) > _SAME_DIRECTION:
        rule = rules.axis_in_model_frame
        message = rule.format(format_numbers(axis.xyz), format_numbers(np.round(in_joint, 6).tolist()))
        yield Finding(rule, ElementPart(model.sources[joint.row], flag), message, (joint.row,))
