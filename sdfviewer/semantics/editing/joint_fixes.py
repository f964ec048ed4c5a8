"""Ways to mend a joint: its leader, its limits, its two ends. Each is the joint's row, what it does, and the edit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, remove_element, set_attribute, set_text
from sdfviewer.semantics.kinematics.followers import mimic_lines
from sdfviewer.semantics.model import Model
from sdfviewer.semantics.names import nearest
from sdfviewer.semantics.scope import Finding

Mended: TypeAlias = tuple[int, str, Replacements]


def choose_leader(model: Model, file: Document, finding: Finding, legal: Sequence[tuple[str, int]]) -> Iterator[Mended]:
    """Yield the ways to mend a ``<mimic>`` whose leader cannot lead: the likeliest other one, or none.

    Parameters
    ----------
    legal
        The names that may be written in the joint's scope, with their rows.
    """
    row, mimic = finding.rows[0], finding.place.element
    own, leader = f"'{model.local_names[row]}'", mimic.attributes.get("joint", "")
    following = _followers_of(model, row)
    able = {
        name: joint
        for name, each in legal
        if each not in following and (joint := model.joints_by_row.get(each)) is not None and joint.axes
    }
    if leader in able:  # only its axis is not there
        yield row, f"let {own} mimic the first axis of '{leader}'", set_attribute(file, mimic, "axis", None)
    else:
        same = (name for name, joint in able.items() if joint.type == model.joints_by_row[row].type)
        for name in islice(dict.fromkeys([*nearest(leader, able), *same]), 2):
            other_axis = set_attribute(file, mimic, "axis", None) if "axis" in mimic.attributes else ()
            yield row, f"let {own} mimic '{name}'", (*set_attribute(file, mimic, "joint", name), *other_axis)
    yield row, f"let {own} move by itself", remove_element(file, mimic)


def _followers_of(model: Model, row: int) -> set[int]:
    """Return the joints that move along with one, itself included: none of them can lead it."""
    leads: dict[int, list[int]] = {}
    for (follower, _), line in mimic_lines(model):
        leads.setdefault(line.leader[0], []).append(follower)
    found, front = {row}, [row]
    while front:
        front = [each for leader in front for each in leads.get(leader, ()) if each not in found]
        found.update(front)
    return found


def stop_following(model: Model, file: Document, finding: Finding) -> Iterator[Mended]:
    """Yield for each joint of a circle of mimics the way to let it lead."""
    for row in finding.rows:
        if model.sources[row] is not finding.place.source:
            continue
        for axis in model.joints_by_row[row].axes:
            if (mimic := axis.element.find("mimic")) is not None:
                yield row, f"let '{model.local_names[row]}' move by itself", remove_element(file, mimic)


def swap_limits(model: Model, file: Document, finding: Finding) -> Iterator[Mended]:
    """Yield the way to mend limits that are the wrong way round."""
    row, limit = finding.rows[0], finding.place.element
    lower, upper = limit.find("lower"), limit.find("upper")
    if lower is not None and upper is not None:
        edits = (*set_text(file, lower, upper.text.strip()), *set_text(file, upper, lower.text.strip()))
        yield row, f"swap the limits of '{model.local_names[row]}'", edits


def swap_ends(model: Model, file: Document, finding: Finding) -> Iterator[Mended]:
    """Yield the way to mend a joint whose child is the world: the world is its parent."""
    row = finding.rows[0]
    parent, child = model.elements[row].find("parent"), model.elements[row].find("child")
    if parent is not None and child is not None and (name := parent.text.strip()) not in ("", "world"):
        edits = (*set_text(file, parent, "world"), *set_text(file, child, name))
        yield row, f"make the world the parent and '{name}' the child of '{model.local_names[row]}'", edits
