"""Operations on joints: their ends, and which of the two moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sdfviewer import transforms
from sdfviewer.document.edits import Edit, insert_child, set_text
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.targets import Attribute, ReferenceTargets, is_in_tree
from sdfviewer.model.values import format_numbers, parse_numbers
from sdfviewer.operations.declaration import EditContext, EditOption, MenuEntry, Parameter, operation
from sdfviewer.operations.frames import KEEP, why_not_edited
from sdfviewer.operations.parameters import FrameType, TargetType
from sdfviewer.refactoring.draft import ModelDraft
from sdfviewer.refactoring.editable import EditError
from sdfviewer.refactoring.poses import writing
from sdfviewer.refactoring.poses.writing import Keep, write_pose
from sdfviewer.refactoring.properties.property_values import set_joint_end
from sdfviewer.versions import FRAME_SEMANTICS


@operation(
    "Set parent of a joint",
    Parameter("joint", FrameType((Kind.JOINT,)), "the joint"),
    Parameter("parent", TargetType("parent", of="joint"), "its new parent frame"),
    KEEP,
    command=EditOption("set-parent", "JOINT=FRAME", ("joint", "parent")),
)
def set_parent(on: EditContext, joint: int, parent: str, keep: Keep) -> Edit:
    """Give a joint another parent frame.

    In URDF a joint is measured from its parent. It stays where it is, with all that it carries, and its numbers are
    recalculated; or its numbers stay, and it moves.
    """
    return set_joint_end(on.model, joint, "parent", parent, keep)


@operation(
    "Set child of a joint",
    Parameter("joint", FrameType((Kind.JOINT,)), "the joint"),
    Parameter("child", TargetType("child", of="joint"), "its new child frame"),
    KEEP,
    command=EditOption("set-child", "JOINT=FRAME", ("joint", "child")),
)
def set_child(on: EditContext, joint: int, child: str, keep: Keep) -> Edit:
    """Give a joint another child frame.

    A joint without `relative_to` is measured from its child. It stays where it is, and its numbers are recalculated; or
    its numbers stay, and it moves.
    """
    return set_joint_end(on.model, joint, "child", child, keep)


# --- reversing -----------------------------------------------------------------------------------------------------

_ONE_AXIS = ("continuous", "fixed", "prismatic", "revolute", "screw")
"""The types of joints whose motion from the child to the parent is one of the same type."""


def why_not_reversed(model: Model, rows: Sequence[int]) -> str | None:
    """Return why a selected joint cannot be reversed."""
    reason = why_not_edited(model, rows)
    if reason is not None:
        return reason
    joint = model.joints_by_row.get(rows[-1])
    if joint is None:
        return "select a joint"
    if is_in_tree(model, joint.row):
        return "a link of a URDF has one parent, so a joint between two others cannot be reversed; convert to SDFormat"
    if joint.type not in _ONE_AXIS:
        return f"a {joint.type} joint cannot be reversed: select one of the types {', '.join(_ONE_AXIS)}"
    if joint.parent <= 0:
        return f"'{model.names[joint.row]}' has no link as its parent: select a joint of two links"
    return None if joint.child > 0 else f"the child of '{model.names[joint.row]}' is missing; set it first"


@operation(
    "Reverse joint",
    Parameter("joint", FrameType((Kind.JOINT,)), "the joint"),
    refusal=why_not_reversed,
    verb="Reverse",
    menu=MenuEntry("edit.reverse_joint", "Edit/Arrange", "Reverse Joint…", "Ctrl+K, 2", "mdi6.swap-horizontal"),
    command=EditOption("reverse-joint", "JOINT", ("joint",)),
)
def reverse_joint(on: EditContext, joint: int) -> Edit:
    """Exchange the parent and the child of a joint.

    Nothing moves, and each joint position keeps its meaning: the axis is reversed, and the limits stay. What was
    attached to the joint is attached to its former child.
    """
    name, why = on.model.names[joint], why_not_reversed(on.model, [joint])
    if why is not None:
        raise EditError(why)
    draft = ModelDraft(on.model, on.loader)
    known = on.model.joints_by_row[joint]
    for row, attribute in _held_by(on.model, known):
        now = draft.model
        holder = now.row(on.model.names[row])
        target = ReferenceTargets(now, holder, attribute).name_of(now.row(on.model.names[known.child])) or ""
        if attribute == "attached_to":
            draft.make(writing.set_attached_to(now, holder, target))
        else:
            draft.make(set_joint_end(now, holder, attribute, target))
    draft.make(_exchanged(draft.model, draft.model.joints_by_row[draft.model.row(name)]))
    return draft.edit()


def _held_by(model: Model, joint: Joint) -> list[tuple[int, Attribute]]:
    """Return the frames and joints of the file that name the frame of a joint as what they move with, and where."""
    held: list[tuple[int, Attribute]] = [
        (row, "attached_to")
        for row, target in enumerate(model.attached_to)
        if target == joint.row and model.kinds[row] is Kind.FRAME and model.sources[row] is None
    ]
    for other in model.joints:
        if model.sources[other.row] is None:
            held += [(other.row, "parent")] if other.parent == joint.row else []
            held += [(other.row, "child")] if other.child == joint.row else []
    return held


def _exchanged(model: Model, joint: Joint) -> Edit:
    """Return the edit that exchanges the ends of a joint and reverses its axis."""
    row, element, document = joint.row, model.elements[joint.row], model.document
    parent, child = element.find("parent"), element.find("child")
    assert parent is not None
    assert child is not None
    edits = set_text(document, parent, child.text.strip()) + set_text(document, child, parent.text.strip())
    for axis in element.findall("axis"):
        xyz = axis.find("xyz")
        numbers = (0.0, 0.0, 1.0) if xyz is None else parse_numbers(xyz.text)
        if numbers is None or len(numbers) != len("xyz"):
            raise EditError(f"the axis of '{model.names[row]}' cannot be read; fix it first")
        reversed_axis = format_numbers([-each if each else 0.0 for each in numbers])
        if xyz is None:
            edits += insert_child(document, axis, f"<xyz>{reversed_axis}</xyz>")
        else:
            edits += set_text(document, xyz, reversed_axis)
    if model.relative_to_written[row] is None:  # else the new child would be what it is measured from
        if model.version >= FRAME_SEMANTICS:
            edits += writing.set_relative_to(model, row, child.text.strip(), "numbers").replacements
        else:
            edits += write_pose(model, row, transforms.invert(model.X_RootF[joint.parent]) @ model.X_RootF[row])
    return Edit(f"Reverse {model.distinct_name(row)}", document, edits, notes=tuple(_notes(model, joint)))


def _notes(model: Model, joint: Joint) -> Iterator[str]:
    """Yield what else should be known once the ends of a joint are exchanged, in sentences."""
    names, bodies = model.names, model.bodies
    base, body = int(bodies[joint.child]), int(bodies[joint.parent])
    for other in model.joints:
        if other.row != joint.row and other.child > 0 and int(bodies[other.child]) == body:
            yield (
                f"'{names[body]}' is the child of '{names[other.row]}', too; reverse that joint as well to make "
                f"'{names[base]}' the base"
            )
    for row in model.rows_in(joint.row):
        if model.kinds[row] is Kind.SENSOR:
            yield f"sensor '{names[row]}' measures between the former child and the former parent; check its direction"
