"""Likely mistakes in joints that libsdformat accepts: missing axes, limits without effect."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, remove_element, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.model.findings import ElementPart, Finding, Source
from sdfviewer.model.kinds import JOINT_TYPES, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.scope import Scope, WrittenAxis, WrittenJoint
from sdfviewer.model.values import format_numbers, parse_bool
from sdfviewer.number_text import counted
from sdfviewer.transforms import Array
from sdfviewer.validation import kinematics_rules as rules

#: How much the length of an axis may differ from 1: axes are often written with three digits.
_ROUNDING = 1e-2
#: Types whose degrees of freedom are about or along axes.
_WITH_AXES = frozenset({"revolute", "continuous", "prismatic", "screw", "universal", "revolute2"})
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
    for axis in joint.axes:
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
