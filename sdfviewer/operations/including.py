"""Operations on what is in included models."""

from __future__ import annotations

from collections.abc import Sequence

from sdfviewer.document.edits import Edit
from sdfviewer.model.model import Model
from sdfviewer.model.values import format_numbers
from sdfviewer.operations.declaration import EditContext, EditOption, MenuEntry, Parameter, operation
from sdfviewer.operations.frames import SELECT_FIRST
from sdfviewer.operations.parameters import FrameType, PoseType, TextType, pose_numbers
from sdfviewer.operations.properties import TypedValue, ValueType
from sdfviewer.transforms import Array


def why_not_overridden(model: Model, rows: Sequence[int]) -> str | None:
    """Return why the pose of what is selected cannot be overridden."""
    from sdfviewer.refactoring.composition.overriding import why_not_overridden as why

    return SELECT_FIRST if not rows else why(model, rows[-1])


def _present(model: Model, rows: Sequence[int]) -> object:
    """Return the pose that holds now, in metres and radians."""
    return pose_numbers(model.raw_poses[rows[-1]]) if rows else None


@operation(
    "Override pose",
    Parameter("frame", FrameType(), "what is in an included model"),
    Parameter("pose", PoseType(), "x y z roll pitch yaw, measured as in the included file", suggest=_present),
    refusal=why_not_overridden,
    menu=MenuEntry(
        "edit.override_pose",
        "Edit",
        "Override in the Include…",
        "Ctrl+K, Shift+O",
        "mdi6.file-replace-outline",
        "Give something in an included model another pose here, without a change to its file",
        words="experimental params include modify parameter passing",
    ),
    command=EditOption("override-pose", 'FRAME="X Y Z R P Y"', ("frame", "pose")),
)
def override_pose(on: EditContext, frame: int, pose: Array) -> Edit:
    """Give something in an included model another pose, by `<experimental:params>` of the include.

    The included file stays as it is, and so do its other users.
    """
    from sdfviewer.refactoring.composition import overriding

    return overriding.override_pose(on.model, frame, format_numbers(pose_numbers(pose)))


@operation(
    "Change an override",
    Parameter("include", FrameType(), "the include"),
    Parameter("path", TextType("a path"), "what it changes: names and tags, left::tool/pose; @name for an attribute"),
    Parameter("value", ValueType(), "its value here; None takes the change out, so that the included file counts"),
    command=EditOption(
        "set-override", "INCLUDE/PATH=VALUE", ("include", "path", "value"), "change what an include overrides"
    ),
)
def set_override(on: EditContext, include: int, path: str, value: str | TypedValue | None) -> Edit:
    """Give what an include changes by `<experimental:params>` another value, or take the change out."""
    from sdfviewer.refactoring.composition import overrides

    return overrides.set_override(on.model, include, path, value.text if isinstance(value, TypedValue) else value)
