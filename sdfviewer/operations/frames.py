"""Operations on one frame or on some: what its pose is measured from, what it moves with, what it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sdfviewer import transforms
from sdfviewer.diagnostics import InvalidValueError, PlacedSentence
from sdfviewer.document.edits import Edit
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import did_you_mean
from sdfviewer.model.references import Reference
from sdfviewer.number_expression import parse_number
from sdfviewer.operations.declaration import (
    EditContext,
    EditOption,
    FileChange,
    MenuEntry,
    Outcome,
    Parameter,
    ParameterType,
    operation,
)
from sdfviewer.operations.parameters import (
    POSE_UNITS,
    TOGETHER,
    ChoiceType,
    FramesType,
    FrameType,
    NumbersType,
    PlacesType,
    PoseType,
    SwitchType,
    TargetType,
    TextType,
    finite,
    kept_together,
    pose_numbers,
    to_matrix,
)
from sdfviewer.refactoring import pose_writing
from sdfviewer.refactoring.editable import EditError, why_read_only
from sdfviewer.refactoring.pose_notation import Notation, convert, written_numbers
from sdfviewer.refactoring.pose_writing import Keep, set_pose_numbers
from sdfviewer.transforms import POSE_PARTS, Array

SELECT_FIRST = "select a frame first"
_EDIT = "Edit"
KEEP = Parameter(
    "keep",
    ChoiceType(("pose", "numbers")),
    "what to keep when relative_to changes: the pose in the world (default), or the numbers",
    default="pose",
    is_shared=True,
)


def why_not_edited(model: Model, rows: Sequence[int]) -> str | None:
    """Return why a selected frame cannot be edited."""
    if not rows:
        return SELECT_FIRST
    reason = why_read_only(model, rows[-1])
    return None if reason is None else str(reason)


def why_not_removed(model: Model, rows: Sequence[int]) -> str | None:
    """Return why a selection cannot be removed."""
    from sdfviewer.refactoring import removal

    return removal.why_not_removed(model, rows) if rows else SELECT_FIRST


def why_not_renamed(model: Model, rows: Sequence[int]) -> str | None:
    """Return why a selected frame cannot be renamed."""
    if not rows:
        return SELECT_FIRST
    reason = why_read_only(model, rows[-1])
    return None if reason is None or reason.renames else str(reason)


def why_not_attached(model: Model, rows: Sequence[int]) -> str | None:
    """Return why a selected frame cannot be attached to another one."""
    reason = why_not_edited(model, rows)
    if reason is None and model.kinds[rows[-1]] is not Kind.FRAME:
        return f"a {model.kinds[rows[-1]]} has no attached_to: select another frame"
    return reason


@operation(
    "Change relative_to",
    Parameter("frame", FrameType(), "the frame"),
    Parameter("target", TargetType("relative_to", of="frame"), "the new relative_to, None for the default"),
    KEEP,
    refusal=why_not_edited,
    menu=MenuEntry(
        "edit.relative_to",
        _EDIT,
        "Change relative_to…",
        "Ctrl+Shift+R",
        "mdi6.link-variant",
        "Choose the frame in which the pose is given",
        words="parent reference frame",
    ),
    command=EditOption(
        "set-relative-to", "FRAME=TARGET", ("frame", "target"), "set relative_to to TARGET, empty for the default"
    ),
)
def set_relative_to(on: EditContext, frame: int, target: str | None, keep: Keep) -> Edit:
    """Measure the pose of a frame from another frame.

    The frame stays where it is, and its numbers are recalculated; or its numbers stay, and it moves.
    """
    return pose_writing.set_relative_to(on.model, frame, target, keep)


@operation(
    "Change attached_to",
    Parameter("frame", FrameType(), "the frame"),
    Parameter("target", TargetType("attached_to", of="frame"), "the new attached_to, None for the default"),
    KEEP,
    refusal=why_not_attached,
    menu=MenuEntry(
        "edit.attached_to",
        _EDIT,
        "Change attached_to…",
        "Ctrl+Shift+A",
        "mdi6.paperclip",
        "Choose the frame with which the selected frame moves",
    ),
    command=EditOption(
        "set-attached-to", "FRAME=TARGET", ("frame", "target"), "set attached_to to TARGET, empty for the default"
    ),
)
def set_attached_to(on: EditContext, frame: int, target: str | None, keep: Keep) -> Edit:
    """Attach a frame to another one, with which it moves from then on.

    A frame without `relative_to` is measured from what it is attached to. It stays where it is, and its numbers are
    recalculated; or its numbers stay, and it moves.
    """
    return pose_writing.set_attached_to(on.model, frame, target, keep)


# --- poses ---------------------------------------------------------------------------------------------------------


@operation(
    "Set pose",
    Parameter("frame", FrameType(), "the frame, link, joint, visual ... to move"),
    Parameter("pose", PoseType(), "x y z roll pitch yaw in relative_to; the present pose by default", default=None),
    Parameter("xyz", NumbersType(("m", "m", "m")), "the position, in place of that of the pose", default=None),
    Parameter("rpy", NumbersType(("rad", "rad", "rad")), "roll pitch yaw, in place of those of the pose", default=None),
    Parameter("quaternion", NumbersType(("", "", "", "")), "w x y z, in place of roll pitch yaw", default=None),
    Parameter(
        "relative_to",
        TargetType("relative_to", of="frame"),
        "another frame to measure the pose from, which is written too",
        default=None,
    ),
    Parameter("degrees", SwitchType(), "whether roll, pitch and yaw are in degrees", default=False),
    TOGETHER,
    refusal=why_not_edited,
    command=EditOption("set-pose", 'FRAME="X Y Z R P Y"', ("frame", "pose"), "set a raw pose"),
)
def set_pose(
    on: EditContext,
    frame: int,
    pose: Array | None,
    xyz: Sequence[float] | None,
    rpy: Sequence[float] | None,
    quaternion: Sequence[float] | None,
    relative_to: str | None,
    degrees: bool,
    together: bool,
) -> Edit:
    """Set the raw pose of a frame: its pose in the frame that its `relative_to` names.

    What is measured from it moves with it. The notation of the file stays.
    """
    from sdfviewer.refactoring.draft import ModelDraft

    if pose is None and xyz is None and rpy is None and quaternion is None:
        raise InvalidValueError("give a target: a pose, xyz, rpy or quaternion")
    if (why := transforms.why_no_rotation(rpy, quaternion)) is not None:
        raise InvalidValueError(why)
    notation = Notation.QUATERNION if quaternion is not None else Notation.DEGREES if degrees else Notation.RADIANS
    rotation = rpy if quaternion is None else [*quaternion[1:], quaternion[0]]
    given = None
    if pose is not None:
        own = Notation.DEGREES if degrees and pose.shape == (6,) else Notation.RADIANS
        given = convert(pose_numbers(pose), own, notation)

    def written(model: Model) -> Edit:
        kept = written_numbers(model, frame, notation) if given is None else given
        numbers = [*(xyz or kept[:3]), *(rotation or kept[3:])]
        return set_pose_numbers(model, frame, [float(value) for value in numbers], notation)

    if relative_to is None:
        return kept_together(on, written(on.model), [frame], together)
    draft = ModelDraft(on.model, on.loader)
    draft.make(pose_writing.set_relative_to(on.model, frame, relative_to, "pose"))
    draft.make(written(draft.model))
    return kept_together(on, draft.edit(), [frame], together)


@operation(
    "Move",
    Parameter("frame", FrameType(), "the frame F"),
    Parameter("to", PoseType(), "its pose X_GF, x y z roll pitch yaw, in another frame G"),
    Parameter("relative_to", FrameType(), "the frame G, that of the top model or world by default", default=None),
    Parameter("alone", SwitchType(), "what is measured from F stays where it is", default=False),
    TOGETHER,
    refusal=why_not_edited,
    command=EditOption("move", 'FRAME="X Y Z R P Y"', ("frame", "to")),
)
def move(on: EditContext, frame: int, to: Array, relative_to: int | None, alone: bool, together: bool) -> Edit:
    """Move a frame to a pose in another frame, whichever frame its own pose is measured from."""
    from sdfviewer.model.kinematics.forward import Kinematics
    from sdfviewer.refactoring.pose_moving import Move, MoveSet, require_movable

    model = on.model
    require_movable(model, frame)
    X_RootG = np.eye(4) if relative_to is None else model.X_RootF[relative_to]
    if not np.isfinite(X_RootG).all():
        raise EditError("the pose of the new relative_to frame is undefined")
    motion = X_RootG @ to_matrix(to) @ transforms.invert(model.X_RootF[frame])
    kinematics = Kinematics(model)
    moving = Move(kinematics, kinematics.q0, MoveSet(model, [frame], alone=alone))
    moving.by(motion)
    return kept_together(on, moving.edit(), [frame], together)


_NOTATIONS = {"radians": Notation.RADIANS, "degrees": Notation.DEGREES, "quaternion": Notation.QUATERNION}


@operation(
    "Write poses in another notation",
    Parameter("frames", FramesType(), "the frames"),
    Parameter("notation", ChoiceType(("radians", "degrees", "quaternion")), "radians, degrees or quaternion"),
    refusal=why_not_edited,
    moves_nothing=True,
    command=EditOption("set-notation", "F,G,...=NOTATION", ("frames", "notation")),
)
def set_notation(on: EditContext, frames: Sequence[int], notation: str) -> Edit:
    """Write poses in another notation; nothing moves."""
    return pose_writing.set_notation(on.model, frames, _NOTATIONS[notation])


@dataclass(frozen=True)
class CoordinateType(ParameterType):
    """One number of a pose: as text in the unit of that number, or with a unit of its own; else metres or radians."""

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": ["number", "string"]}

    @property
    def expects(self) -> str:
        return "a number, in metres or radians"

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> float:
        if isinstance(value, str):
            try:
                return parse_number(value, POSE_UNITS[POSE_PARTS.index(before["coordinate"])])
            except ValueError as error:
                raise EditError(f"{name}: {error}") from None
        return float(finite([value], 1, name)[0])  # type: ignore[arg-type]  # it is checked


@operation(
    "Set a coordinate",
    Parameter("frames", FramesType(), "the frames, links, joints, visuals ..."),
    Parameter("coordinate", ChoiceType(POSE_PARTS), "x, y, z, roll, pitch or yaw of the raw poses"),
    Parameter("value", CoordinateType(), "its value: 12mm, 45deg; without a unit in metres or radians"),
    TOGETHER,
    refusal=why_not_edited,
    verb="Set",
    menu=MenuEntry(
        "edit.set_coordinate",
        "Edit/Arrange",
        "Set a Coordinate…",
        "Ctrl+K, Ctrl+4",
        "mdi6.axis-z-arrow",
        words="position rotation height same",
    ),
    command=EditOption("set-coordinate", "F,G,.../COORDINATE=VALUE", ("frames", "coordinate", "value")),
)
def set_coordinate(on: EditContext, frames: Sequence[int], coordinate: str, value: float, together: bool) -> Edit:
    """Give the raw poses of one or several frames the same x, y, z, roll, pitch or yaw.

    The other five numbers of each pose stay as they are written, and so does its notation.
    """
    edit = pose_writing.set_pose_component(on.model, frames, POSE_PARTS.index(coordinate), value)
    return kept_together(on, edit, frames, together)


# --- structure -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class InsteadType(ParameterType):
    """What references name instead of what is removed: a mapping of old names, or of references, to new names."""

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": "object", "additionalProperties": {"type": "string"}}

    @property
    def expects(self) -> str:
        return "OLD=NEW, several with commas between them"

    def read(self, text: str) -> dict[str, str]:
        pairs = [each.partition("=") for each in text.split(",")]
        if not all(old and new for old, _, new in pairs):
            raise ValueError(f"write {self.expects}")
        return {old.strip(): new.strip() for old, _, new in pairs}

    def take(
        self, on: EditContext, name: str, value: object, before: Mapping[str, Any]
    ) -> Mapping[str | Reference, str]:
        if not isinstance(value, Mapping):
            raise InvalidValueError(f"{name} must be a mapping of old names to new ones, not {value!r}")
        return value


@operation(
    "Remove",
    Parameter("things", FramesType(), "what is removed"),
    Parameter("with_dependents", SwitchType(), "also remove its dependents", default=False),
    Parameter("limb", SwitchType(), "also remove all that it carries, with the dependents", default=False),
    Parameter(
        "instead",
        InsteadType(),
        "OLD=NEW,...: references to what is removed name NEW instead of OLD; else they name what is gone",
        default=None,
    ),
    refusal=why_not_removed,
    menu=MenuEntry(
        "edit.remove",
        _EDIT,
        "Remove",
        "Del",
        "mdi6.trash-can-outline",
        "Remove the selection; asks where something still refers to it",
        words="delete erase",
    ),
    command=EditOption("remove", "FRAME", ("things",), "remove an element"),
)
def remove(
    on: EditContext,
    things: Sequence[int],
    with_dependents: bool,
    limb: bool,
    instead: Mapping[str | Reference, str] | None,
) -> Edit:
    """Remove elements, and where that is asked for everything that refers to them, or that joints carry below them."""
    from sdfviewer.refactoring import removal
    from sdfviewer.refactoring.limb import with_limbs

    model = on.model
    if limb:
        things = with_limbs(model, things)
    if with_dependents or limb:
        return removal.remove_with_dependents(model, things)
    names: dict[Reference, str] = {}
    if instead:
        found = removal.references_to(model, things)
        known = {each.name for each in found}
        unknown = next((each for each in instead if isinstance(each, str) and each not in known), None)
        if unknown is not None:
            raise EditError(f"no reference to what is removed names '{unknown}'{did_you_mean(unknown, known)}")
        names = {each: instead.get(each, instead.get(each.name, "")) for each in found}
    return removal.remove(model, things, {each: name for each, name in names.items() if name})


def why_not_transferred(model: Model, rows: Sequence[int]) -> str | None:
    """Return why a selection cannot move to another model."""
    from sdfviewer.refactoring.composition.grouping import TRANSFERRED

    reason = why_not_edited(model, rows)
    if reason is None and (rows[-1] == 0 or model.kinds[rows[-1]] not in TRANSFERRED):
        return "only a link, a <frame> or a nested model can move to another model"
    return reason


@operation(
    "Move to another model",
    Parameter("frame", FrameType((Kind.FRAME, Kind.LINK, Kind.MODEL)), "the link, <frame> or nested model"),
    Parameter("model", FrameType((Kind.MODEL, Kind.WORLD)), "the model or world that it is written in then"),
    Parameter("alone", SwitchType(), "only this link, without what joints carry below it", default=False),
    refusal=why_not_transferred,
    menu=MenuEntry(
        "edit.move_to",
        _EDIT,
        "Move to Another Model…",
        "Ctrl+K, T",
        "mdi6.file-move-outline",
        "Move the selection with all that belongs to it to another model; poses stay",
    ),
    command=EditOption("move-to-model", "FRAME=MODEL", ("frame", "model")),
)
def move_to_model(on: EditContext, frame: int, model: int, alone: bool) -> Edit:
    """Move a link with all that it carries, or a `<frame>`, into another model or world; it keeps its place.

    Joints, frames, grippers and plugins that name only what moves go along, and what could not name it any more.
    """
    from sdfviewer.refactoring.composition.grouping import transfer
    from sdfviewer.refactoring.limb import carried_with

    return transfer(on.model, carried_with(on.model, [frame], alone=alone), model)


# --- names ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MaterialName:
    """A material of a URDF."""

    name: str


@dataclass(frozen=True)
class NamedType(ParameterType):
    """Anything that has a name. The function gets a row, or a :class:`MaterialName`.

    As text ``material:blue`` is a material. A material that shares its name with no frame needs no such prefix.
    """

    @property
    def expects(self) -> str:
        return "the name of a frame or material"

    def read(self, text: str) -> object:
        kind, _, material = text.partition(":")
        # material::x would be a frame in a model.
        return MaterialName(material) if kind == "material" and material and not material.startswith(":") else text

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> int | MaterialName:
        from sdfviewer.refactoring.renaming import material_names

        if isinstance(value, MaterialName):
            return value
        if isinstance(value, str) and value not in on.model.local_names and value in material_names(on.model):
            return MaterialName(value)
        return on.find(on.model, value, ())


@operation(
    "Rename",
    Parameter("old", NamedType(), "what it is called"),
    Parameter("new", TextType("a name"), "what it will be called"),
    Parameter(
        "also",
        PlacesType(),
        "also update this dependent file, or all dependent files in this folder (repeatable)",
        default=(),
        is_shared=True,
    ),
    Parameter("in_plugins", SwitchType(), "also change it where a plugin mentions it", default=False),
    refusal=why_not_renamed,
    moves_nothing=True,
    menu=MenuEntry(
        "edit.rename_preview",
        _EDIT,
        "Rename With Preview…",
        "Shift+F2",
        "mdi6.rename-box",
        "Rename the selected frame and preview what else changes",
        section=True,
    ),
    command=EditOption(
        "rename",
        "OLD=NEW",
        ("old", "new"),
        "rename a frame, or with material:OLD=NEW a material of a URDF, and update every reference; see --also",
    ),
)
def rename(
    on: EditContext, old: int | MaterialName, new: str, also: Sequence[Path], in_plugins: bool
) -> Edit | Outcome:
    """Rename anything, and every reference to it.

    References in other files follow where these are named, and parameters of plugins that are known to name something.
    In others a name may mean anything, so it stays unless `in_plugins` is given.
    """
    from sdfviewer.refactoring import renaming

    model = on.model
    if isinstance(old, MaterialName):
        return renaming.rename_material(model, old.name, new)
    edit = renaming.rename(model, old, new, in_plugins=in_plugins)
    where, was = model.document.name, model.local_names[old]
    lines = () if in_plugins else renaming.plugin_lines(model, old)
    remarks = tuple(
        PlacedSentence(where, line, f"a plugin mentions '{was}'; it was not changed, --in-plugins does that")
        for line in lines
    )
    files, left = _dependent_changes(on, old, new, also)
    return Outcome(edit, files, (*remarks, *left))


def _dependent_changes(
    on: EditContext, row: int, name: str, places: Sequence[Path]
) -> tuple[tuple[FileChange, ...], tuple[str, ...]]:
    """Return what becomes of the dependent files in some places, and in words what is left as it is."""
    from sdfviewer.files.search import find_including
    from sdfviewer.refactoring.renaming import DependentFiles

    if not places:
        return (), ()
    if on.document.path is None:
        raise EditError("save the document first: other files are found from the folder of its file")
    if missing := next((place for place in places if not place.exists()), None):
        raise EditError(f"{missing} does not exist")
    finder = on.loader.finder
    search = find_including(on.document.path, places, finder, on.opened)
    if not search.is_complete:
        raise EditError("too many files to search for dependent files; name a smaller folder")
    dependents = DependentFiles(on.model, search.documents, finder, expander=on.loader.expander.fork())
    changes = []
    for each in dependents.edits_for(row, name):
        if each.faults:
            raise EditError(f"{each.document.name} cannot be updated: {each.faults[0]}")
        changes.append(FileChange(each.document, each.document.edited(each.edit.replacements)))
    left = (
        f"{path} includes it, but only a link leads there: it was not changed; name it" for path in search.elsewhere
    )
    return tuple(changes), tuple(left)
