"""Operations on one frame or on some: what its pose is measured from, what it moves with, what it is called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sdfviewer.document.edits import Edit
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.operations.declaration import (
    EditContext,
    EditOption,
    FileChange,
    Outcome,
    Parameter,
    ParameterType,
    operation,
)
from sdfviewer.operations.parameters import ChoiceType, FrameType, PlacesType, TargetType, TextType
from sdfviewer.refactoring import retargeting
from sdfviewer.refactoring.editable import EditError, why_read_only
from sdfviewer.refactoring.retargeting import Keep

SELECT_FIRST = "select a frame first"
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
    command=EditOption(
        "set-relative-to", "FRAME=TARGET", ("frame", "target"), "set relative_to to TARGET, empty for the default"
    ),
)
def set_relative_to(on: EditContext, frame: int, target: str | None, keep: Keep) -> Edit:
    """Measure the pose of a frame from another frame.

    The frame stays where it is, and its numbers are recalculated; or its numbers stay, and it moves.
    """
    return retargeting.set_relative_to(on.model, frame, target, keep)


@operation(
    "Change attached_to",
    Parameter("frame", FrameType(), "the frame"),
    Parameter("target", TargetType("attached_to", of="frame"), "the new attached_to, None for the default"),
    KEEP,
    refusal=why_not_attached,
    command=EditOption(
        "set-attached-to", "FRAME=TARGET", ("frame", "target"), "set attached_to to TARGET, empty for the default"
    ),
)
def set_attached_to(on: EditContext, frame: int, target: str | None, keep: Keep) -> Edit:
    """Attach a frame to another one, with which it moves from then on.

    A frame without `relative_to` is measured from what it is attached to. It stays where it is, and its numbers are
    recalculated; or its numbers stay, and it moves.
    """
    return retargeting.set_attached_to(on.model, frame, target, keep)


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
        from sdfviewer.refactoring.renaming.rename import material_names

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
    moves_nothing=True,
    command=EditOption(
        "rename",
        "OLD=NEW",
        ("old", "new"),
        "rename a frame, or with material:OLD=NEW a material of a URDF, and update every reference; see --also",
    ),
)
def rename(on: EditContext, old: int | MaterialName, new: str, also: Sequence[Path]) -> Edit | Outcome:
    """Rename anything, and every reference to it.

    References in other files follow where these are named. A name in a plugin may mean anything, so it stays.
    """
    from sdfviewer.refactoring.renaming import rename as renaming

    model = on.model
    if isinstance(old, MaterialName):
        return renaming.rename_material(model, old.name, new)
    edit = renaming.rename(model, old, new)
    where, was = model.document.name, model.local_names[old]
    remarks = tuple(
        f"{where}:{line}: a plugin mentions '{was}'; it was not changed" for line in renaming.plugin_lines(model, old)
    )
    return Outcome(edit, tuple(_dependent_changes(on, old, new, also)), remarks)


def _dependent_changes(on: EditContext, row: int, name: str, places: Sequence[Path]) -> Iterable[FileChange]:
    """Yield what becomes of the dependent files in some places."""
    from sdfviewer.files.dependents import find_including
    from sdfviewer.refactoring.renaming.dependent_files import DependentFiles

    if not places:
        return
    if on.document.path is None:
        raise EditError("save the document first: other files are found from the folder of its file")
    if missing := next((place for place in places if not place.exists()), None):
        raise EditError(f"{missing} does not exist")
    finder = on.loader.finder
    search = find_including(on.document.path, places, finder, on.opened)
    if not search.is_complete:
        raise EditError("too many files to search for dependent files; name a smaller folder")
    dependents = DependentFiles(on.model, search.documents, finder, expander=on.loader.expander.fork())
    for each in dependents.edits_for(row, name):
        if each.faults:
            raise EditError(f"{each.document.name} cannot be updated: {each.faults[0]}")
        yield FileChange(each.document, each.document.edited(each.edit.replacements))
