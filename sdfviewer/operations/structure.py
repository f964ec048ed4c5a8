"""Operations on the structure of a model: ends of joints, links in models of their own, another robot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from sdfviewer import transforms
from sdfviewer.document.edits import Edit, insert_child, set_text
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.targets import Attribute, ReferenceTargets, is_in_tree
from sdfviewer.model.values import format_numbers, parse_numbers
from sdfviewer.number_text import counted
from sdfviewer.operations.declaration import EditContext, EditOption, MenuEntry, Outcome, Parameter, operation
from sdfviewer.operations.frames import KEEP, why_not_edited
from sdfviewer.operations.parameters import (
    FileType,
    FramesType,
    FrameType,
    PoseType,
    SwitchType,
    TargetType,
    TextType,
    pose_numbers,
)
from sdfviewer.operations.whole import model_to_split_off, no_nested_model
from sdfviewer.refactoring import pose_writing
from sdfviewer.refactoring.draft import ModelDraft
from sdfviewer.refactoring.editable import EditError, why_not_sdformat
from sdfviewer.refactoring.pose_writing import Keep, write_pose
from sdfviewer.refactoring.properties.property_values import set_joint_end
from sdfviewer.transforms import Array
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
            draft.make(pose_writing.set_attached_to(now, holder, target))
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
            edits += pose_writing.set_relative_to(model, row, child.text.strip(), "numbers").replacements
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
    for row in model.rows_in(joint.row, Kind.SENSOR):
        yield f"sensor '{names[row]}' measures between the former child and the former parent; check its direction"


_REFACTOR = "Refactor"
_GROUPED = (Kind.LINK, Kind.MODEL, Kind.FRAME)
_SHORTEST_PREFIX = 3
"""Length of what names must share to be a name for all of them."""


def no_group(model: Model, rows: Sequence[int]) -> str | None:
    """Return why a selection cannot be grouped in a model."""
    if (why := why_not_edited(model, rows)) is not None or (why := why_not_sdformat(model)) is not None:
        return why
    if any(model.kinds[row] not in _GROUPED or model.kinds[int(model.owners[row])] is not Kind.MODEL for row in rows):
        return "select links of a model"
    return None if len({int(model.owners[row]) for row in rows}) == 1 else "select links of one model"


def _are_same(letters: Sequence[str]) -> bool:
    return len(set(letters)) == 1


def _group_name(model: Model, rows: Sequence[int]) -> str | None:
    from sdfviewer.refactoring.adding import free_name
    from sdfviewer.refactoring.limb import carried_with

    if no_group(model, rows) is not None:
        return None
    names = [model.local_names[row] for row in carried_with(model, rows)]
    shared = "".join(letters[0] for letters in takewhile(_are_same, zip(*names, strict=False))).rstrip("_-")
    return free_name(model, int(model.owners[rows[0]]), shared if len(shared) >= _SHORTEST_PREFIX else "group")


def _keeps_meaning(on: EditContext, _values: Mapping[str, Any], done: Outcome) -> tuple[str, ...]:
    """Return what differs and is not announced, without the random configurations of a model with loops.

    In another order of joints another one may close a loop, and the same positions mean something else.
    """
    from sdfviewer.refactoring.limb import comparable_configurations
    from sdfviewer.refactoring.unmoved import unannounced

    return unannounced(on.model, done.edit, on.loader, configurations=comparable_configurations(on.model))


@operation(
    "Group in a nested model",
    Parameter("things", FramesType(_GROUPED), "links of one model; frames and nested models may be among them"),
    Parameter("name", TextType("a name"), "the name of the nested model", default=None, suggest=_group_name),
    Parameter(
        "alone", SwitchType(), "only these links, without what joints carry below them", default=False, label="alone"
    ),
    refusal=no_group,
    moves_nothing=True,
    reads_back=_keeps_meaning,
    verb="Group",
    menu=MenuEntry(
        "refactor.group",
        _REFACTOR,
        "Group in Nested Model…",
        "Ctrl+K, Shift+G",
        "mdi6.group",
        section=True,
        words="nest submodel limb arm encapsulate structure",
    ),
    command=EditOption("group", "LINK,...=NAME", ("things", "name")),
)
def group(on: EditContext, things: Sequence[int], name: str | None, alone: bool) -> Outcome:
    """Move links into a nested model, with what joints carry below them; nothing moves.

    Joints, frames, grippers and plugins that name only these links go along. A joint that connects them with a link
    outside stays there, since names lead downwards only. Every reference follows, and Ungroup Nested Model puts
    everything back where it was.
    """
    from sdfviewer.refactoring.composition.grouping import group as write
    from sdfviewer.refactoring.limb import carried_with

    rows = carried_with(on.model, things, alone=alone)
    edit = write(on.model, rows, name or _group_name(on.model, things) or "group")
    top = {int(on.model.owners[row]) for row in rows}
    moved = sum(int(on.model.owners[on.model.rows_by_name[old]]) in top for old, _ in edit.renamed)
    return Outcome(edit, remarks=(f"{counted(moved, 'element')} go to '{edit.added[0]}'.",))


def no_ungrouping(model: Model, rows: Sequence[int]) -> str | None:
    """Return why a selection is in no nested model that can be dissolved."""
    if (why := no_nested_model(model, rows)) is not None:
        return why
    is_nested = model.kinds[int(model.owners[model_to_split_off(model, rows) or 0])] is Kind.MODEL
    return None if is_nested else "only a model in a model can be ungrouped: its links would be in no model"


def _nested_model(model: Model, rows: Sequence[int]) -> str | None:
    row = model_to_split_off(model, rows)
    return None if row is None else model.names[row]


@operation(
    "Ungroup a nested model",
    Parameter("model", FrameType((Kind.MODEL,)), "the nested model", suggest=_nested_model),
    refusal=no_ungrouping,
    moves_nothing=True,
    reads_back=_keeps_meaning,
    verb="Ungroup",
    menu=MenuEntry(
        "refactor.ungroup",
        _REFACTOR,
        "Ungroup Nested Model…",
        "Ctrl+K, Shift+U",
        "mdi6.ungroup",
        words="dissolve nested unnest explode flatten",
    ),
    command=EditOption("ungroup", "MODEL", ("model",)),
)
def ungroup(on: EditContext, model: int) -> Edit:
    """Move what is in a nested model to the model around it, and take the nested model out; nothing moves.

    Names stay where they are free, else they begin with that of the nested model. Where something needs the frame of
    the model, a `<frame>` takes its place. What Group in Nested Model has moved goes back where it was.
    """
    from sdfviewer.refactoring.composition.flatten import dissolve

    return dissolve(on.model, model, on.loader)


def why_not_joined(model: Model, rows: Sequence[int]) -> str | None:
    """Return why no other robot can be joined to a selection."""
    from sdfviewer.refactoring.adding import is_robot

    reason = why_not_edited(model, rows)
    if reason is None and not is_robot(model, 0):
        return "SDFormat includes other models: use Add Include"
    return reason if reason is not None or model.kinds[rows[-1]] is Kind.LINK else "select the link that carries it"


@operation(
    "Join another robot",
    Parameter("file", FileType(), "the URDF of the other robot, from the folder of this file"),
    Parameter(
        "link",
        FrameType((Kind.LINK,)),
        "the link that carries it",
        option="to",
        suggest=lambda model, rows: model.names[rows[-1]] if rows else None,
    ),
    Parameter(
        "prefix",
        TextType("a prefix"),
        "what its names begin with here; by default nothing, or its name where names clash",
        default=None,
    ),
    Parameter("pose", PoseType(may_be_short=True), "x y z roll pitch yaw of its root link in the link", default=None),
    refusal=why_not_joined,
    verb="Join",
    menu=MenuEntry(
        "edit.join_robot",
        "File",
        "Join Robot…",
        "Ctrl+K, Ctrl+9",
        "mdi6.robot-industrial",
        words="attach gripper flange combine merge robots mount",
    ),
    command=EditOption(
        "join",
        "FILE",
        ("file",),
        "fix another robot on a link of this URDF; its path is relative to the folder of this file",
    ),
)
def join_robot(on: EditContext, file: Path, link: int, prefix: str | None, pose: Array | None) -> Edit:
    """Write another robot into this URDF and fix its root on a link.

    Its links, joints, materials and `<gazebo>` elements are copied, with a prefix where names clash. Equal materials
    are merged. Paths of meshes are changed so that they lead to the same files. In a xacro file a robot that is a macro
    is included, and the macro is called. In the 3D view a file can be dropped on the link.
    """
    from sdfviewer.document.document import parse_document
    from sdfviewer.files.opening import open_document
    from sdfviewer.formats.load import why_not_loaded
    from sdfviewer.formats.xacro.expansion import XacroExpansion
    from sdfviewer.refactoring.composition.joining import join_macro, macro_of
    from sdfviewer.refactoring.composition.joining import join_robot as join

    path = file if on.document.path is None else on.document.path.parent / file
    if not path.is_file():
        where = "" if on.document.path is None else f"; the path is relative to the folder of {on.document.path.name}"
        raise EditError(f"there is no file {path}{where}")
    written = open_document(path)
    numbers = "" if pose is None else format_numbers(pose_numbers(pose))
    if isinstance(on.document, XacroExpansion) and macro_of(written) is not None:
        return join_macro(on.model, link, on.document.sources[0], written, on.loader, prefix, numbers)
    other, diagnostics = on.loader.load_with_diagnostics(written)
    if other is None:
        raise EditError(f"{path} cannot be joined: {why_not_loaded(diagnostics)}")
    if isinstance(other.document_of(0), XacroExpansion):  # what it writes is copied
        plain = parse_document(other.document_of(0).text, path)
        other = on.loader.load(plain) or other
    return join(on.model, link, other, prefix, numbers)
