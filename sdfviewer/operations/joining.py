"""The operation that joins two robots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sdfviewer.document.edits import Edit
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.values import format_numbers
from sdfviewer.operations.declaration import EditContext, EditOption, MenuEntry, Parameter, operation
from sdfviewer.operations.frames import why_not_edited
from sdfviewer.operations.parameters import FileType, FrameType, PoseType, TextType, pose_numbers
from sdfviewer.transforms import Array


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
    from sdfviewer.refactoring.editable import EditError

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
