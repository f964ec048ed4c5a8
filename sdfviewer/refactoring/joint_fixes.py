"""Quick fixes of joints and links that look around in the model: leader, limits, ends, inertia."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TypeAlias

import numpy as np

from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    Replacements,
    element_source,
    insert_child,
    remove_element,
    set_attribute,
    set_text,
)
from sdfviewer.document.element import Element
from sdfviewer.model.findings import Finding
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import free_name_among, nearest
from sdfviewer.model.outside import find_outside
from sdfviewer.model.references import find_references
from sdfviewer.model.targets import ReferenceTargets
from sdfviewer.model.values import read_vector
from sdfviewer.refactoring.inertia import explain_inertia
from sdfviewer.refactoring.pose_moving import write_direction
from sdfviewer.refactoring.pose_writing import write_pose
from sdfviewer.transforms import invert
from sdfviewer.versions import WORLD_JOINTS_AND_INFINITE_LIMITS

#: A fix that is proposed: the row whose reference or element is edited, its label, and the edit.
Candidate: TypeAlias = tuple[int, str, Replacements]
#: What proposes fixes for a problem.
Propose: TypeAlias = Callable[[Model, Document, Finding], Iterator[Candidate]]


def choose_leader(model: Model, file: Document, finding: Finding) -> Iterator[Candidate]:
    """Yield the fixes of a ``<mimic>`` whose leader cannot lead: the likeliest other one, or none."""
    row, mimic = finding.rows[0], finding.location.element
    own, leader = f"'{model.local_names[row]}'", mimic.attributes.get("joint", "")
    targets = (target for target in ReferenceTargets(model, row, "mimic") if target.reason is None)
    able = {target.name or "": model.joints_by_row[target.row] for target in targets}
    if leader in able:  # only its axis is not there
        yield row, f"make {own} mimic the first axis of '{leader}'", set_attribute(file, mimic, "axis", None)
    else:
        same = (name for name, joint in able.items() if joint.type == model.joints_by_row[row].type)
        for name in islice(dict.fromkeys([*nearest(leader, able), *same]), 2):
            other_axis = set_attribute(file, mimic, "axis", None) if "axis" in mimic.attributes else ()
            yield row, f"make {own} mimic '{name}'", (*set_attribute(file, mimic, "joint", name), *other_axis)
    yield row, f"remove the <mimic> of {own}", remove_element(file, mimic)


def stop_following(model: Model, file: Document, finding: Finding) -> Iterator[Candidate]:
    """Yield for each joint of a mimic cycle the fix that lets it lead."""
    for row in finding.rows:
        if model.sources[row] is not finding.location.source:
            continue
        for axis in model.joints_by_row[row].axes:
            if (mimic := axis.element.find("mimic")) is not None:
                yield row, f"remove the <mimic> of '{model.local_names[row]}'", remove_element(file, mimic)


def swap_limits(model: Model, file: Document, finding: Finding) -> Iterator[Candidate]:
    """Yield the fix of limits of which the lower is above the upper."""
    row, limit = finding.rows[0], finding.location.element
    lower, upper = limit.find("lower"), limit.find("upper")
    if lower is not None and upper is not None:
        edits = (*set_text(file, lower, upper.text.strip()), *set_text(file, upper, lower.text.strip()))
        yield row, f"swap the limits of '{model.local_names[row]}'", edits
    elif {"lower", "upper"} <= limit.attributes.keys():  # as URDF writes them
        written = limit.attributes
        edits = (
            *set_attribute(file, limit, "lower", written["upper"]),
            *set_attribute(file, limit, "upper", written["lower"]),
        )
        yield row, f"swap the limits of '{model.local_names[row]}'", edits


def compute_inertia(model: Model, file: Document, finding: Finding) -> Iterator[Candidate]:
    """Yield the fix of a link with mass and without inertia: that of its shapes, where they have a volume."""
    row = finding.rows[0]
    if finding.location.source is None and (problem := explain_inertia(model, row)) is not None and problem.fix:
        yield row, f"compute the inertia of '{model.local_names[row]}' from its shapes", problem.fix.replacements


def swap_ends(model: Model, file: Document, finding: Finding) -> Iterator[Candidate]:
    """Yield the fix of a joint whose child is the world: the world becomes its parent, and nothing else changes.

    The joint frame J stays where its pose in the world W puts it, so its pose in the link L is X_LJ = X_LW X_WJ. The
    link was the parent that stays, and is now the child that moves: at the same q it makes the inverse motion, which
    is the motion about the opposite axis.
    """
    row = finding.rows[0]
    parent, child = model.elements[row].find("parent"), model.elements[row].find("child")
    axes = model.joints_by_row[row].axes
    if parent is None or child is None or finding.location.source is not None or len(axes) > 1:
        return  # of two axes the inverse motion has the other order
    name = parent.text.strip()
    link = model.find(int(model.scopes[row]), name)
    if link is None or model.bodies[link] < 0 or not np.isfinite(model.X_RootF[link]).all():
        return
    edits = (*set_text(file, parent, "world"), *set_text(file, child, name))
    if model.relative_to_written[row] is None:
        X_WRoot = model.raw_poses[0] if not model.is_world else np.eye(4)
        edits += write_pose(model, row, invert(X_WRoot @ model.X_RootF[link]) @ model.raw_poses[row])
    for axis in axes:
        xyz = read_vector(axis.element, "xyz", (0.0, 0.0, 1.0))
        edits += write_direction(model, axis.element, [-value for value in xyz])
    turned = " and reverse its axis" if axes else ""
    yield row, f"make the world the parent and '{name}' the child of '{model.local_names[row]}'{turned}", edits


def move_out(model: Model, file: Document, finding: Finding) -> Iterator[Candidate]:
    """Yield the fix of a joint of which one end is outside its model: it moves into the model that has both ends.

    Its pose, axis and ends are named from there. Nothing moves: they are the same frames.
    """
    row, element = finding.rows[0], model.elements[finding.rows[0]]
    found = find_outside(model, row, finding.reference)
    scope = int(model.scopes[row])
    if found is None or finding.location.source is not None:
        return
    target, outer = found
    holder = model.elements[outer]
    in_world = model.kinds[outer] is Kind.WORLD
    if not _is_around_parent(file, element, holder) or (in_world and model.version < WORLD_JOINTS_AND_INFINITE_LIMITS):
        return
    changes: Replacements = ()
    for reference in find_references(model):
        if reference.row != row or reference.name == "world":
            continue
        own = scope if reference.name == "__model__" else model.find(scope, reference.name)
        end = target if reference.element is finding.location.element else own
        called = None if end is None else model.name_in(outer, end)
        if called is None:
            return
        changes += reference.write(file, called)
    taken = {model.local_names[each] for each in range(len(model)) if int(model.owners[each]) == outer}
    changes += set_attribute(file, element, "name", free_name_among(model.local_names[row], taken))
    edits = (*remove_element(file, element), *insert_child(file, holder, element_source(file, element, changes)))
    yield row, f"move joint '{model.local_names[row]}' into '{model.names[outer]}', which has both of its ends", edits


def _is_around_parent(file: Document, element: Element, holder: Element) -> bool:
    """Return whether a holder contains the element that an element is written in.

    The model that a row is in need not be the element that it is written in: that of ``a::b`` in an old file is ``a``,
    which has no element of its own.
    """
    return any(each is holder for each in islice(file.outwards(element), 2, None))


#: What proposes fixes for the problems of a rule, by its name.
PROPOSALS: Mapping[str, Propose] = {
    "mimic-cycle": stop_following,
    "mimic-invalid": choose_leader,
    "limits-reversed": swap_limits,
    "urdf-no-inertia": compute_inertia,
}
