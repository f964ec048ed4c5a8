"""The Edit menu: undo, what the properties change, the clipboard, elements added and removed, tools of the 3D view."""

from __future__ import annotations

import json
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_sentence
from sdfviewer.gui.context.topics import MeshDrop
from sdfviewer.gui.kit.commands import COPY_POSE, MEASURE_FROM, SELECT_NONE
from sdfviewer.gui.kit.safe_text import made_plain
from sdfviewer.gui.operations.form_dialog import EditDialog
from sdfviewer.gui.properties.pose_sections import write_poses_in
from sdfviewer.gui.properties.reference_field import ReferenceSection
from sdfviewer.gui.properties.section import PropertySection
from sdfviewer.gui.shell.actions.converting import where_editable
from sdfviewer.gui.shell.actions.declaration import Declarations, Run, Switch, on_file, on_frame, on_model
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.notice import start_empty
from sdfviewer.gui.shell.refusals import SELECT_FIRST
from sdfviewer.operations import arranging, copying, frames
from sdfviewer.operations.structure import join_robot
from sdfviewer.operations.table import find_operation
from sdfviewer.refactoring.adding import explain_no_owner, nearest_owner
from sdfviewer.refactoring.pose_notation import Notation
from sdfviewer.session.read_only import why_read_only

if TYPE_CHECKING:
    from sdfviewer.refactoring.composition.copying import CopiedElements


#: Topics of the switches that belong to the 3D views.
VIEW_TOPICS = ("show", "compare", "camera", "tool", "axes", "edges", "depth")
TOOLS = Declarations("Edit/Tool")


def show_switches(app: App, file: OpenFile) -> None:
    """Show the switches of the 3D views in one of them."""
    switches = {id: each.isChecked() for id, each in app.actions.items() if each.isCheckable()}
    file.view.set_switches({id: on for id, on in switches.items() if id.partition(".")[0] in VIEW_TOPICS})


def view_switch(id: str) -> Switch:
    """Return a switch that is remembered and shown in all 3D views."""

    def show(app: App, on: bool) -> None:
        app.settings.set_flag(id, on)
        for file in app.files.opened:
            show_switches(app, file)

    return show


for _id, _text, _keys, _icon, _tip in (
    ("select", "Select", "Q", "mdi6.cursor-default-outline", "Click to select; drag to move the camera"),
    (
        "move",
        "Move",
        "T",
        "mdi6.cursor-move",
        "Move the selected frame with handles; X, Y, Z lock an axis, Ctrl snaps, type a number for an exact value",
    ),
    (
        "rotate",
        "Rotate",
        "R",
        "mdi6.rotate-orbit",
        "Rotate the selected frame with handles; X, Y, Z lock an axis, Ctrl snaps, type a number for an exact value",
    ),
    (
        "resize",
        "Resize",
        "S",
        "mdi6.resize",
        "Pull faces, edges and ends of the selected shape; type a size, Ctrl snaps, Shift pulls both sides",
    ),
    (
        "pose",
        "Pose",
        "P",
        "mdi6.hand-back-right-outline",
        "Drag a link to move its joint; Shift moves all joints below it; hold Alt to do this in any tool",
    ),
    (
        "measure",
        "Measure",
        "M",
        "mdi6.ruler",
        "Measure between frames, axes, vertices, edges and faces: click A, then B",
    ),
):
    TOOLS.switch(f"tool.{_id}", _text, _keys, _icon, group="tool", on=_id == "select", tip=_tip)(
        view_switch(f"tool.{_id}")
    )


@TOOLS.action("tool.measure_from", MEASURE_FROM.text, "Shift+M", MEASURE_FROM.icon)
@on_file
def measure_from(app: App, file: OpenFile) -> None:
    """Measure from the selected frame: click what to measure to in the 3D view."""
    if file.session.selection:
        file.context.requests.measure.emit(file.session.selection[-1])
    else:
        app.messages.refuse(SELECT_FIRST)


TOOLS.switch(
    "tool.snap", "Snap", "Shift+S", "mdi6.magnet", section=True, tip="Move and rotate in steps; hold Ctrl to toggle"
)(view_switch("tool.snap"))
TOOLS.switch(
    "tool.alone",
    "Only the Frame Itself",
    "Shift+O",
    "mdi6.link-variant-off",
    tip="Keep other frames in place by recalculating their raw poses; O while dragging",
)(view_switch("tool.alone"))
TOOLS.switch(
    "tool.keep_orientation",
    "Keep Orientation",
    "Shift+P",
    "mdi6.compass-outline",
    tip="Keep the orientation of a link that Pose drags with all joints below it (Shift)",
)(view_switch("tool.keep_orientation"))
for _id, _text, _keys, _icon, _tip in (
    ("local", "Axes of the Frame", "Ctrl+Shift+1", "mdi6.axis-arrow", "Handles along the axes of the frame itself"),
    ("world", "Axes of the World", "Ctrl+Shift+2", "mdi6.earth", "Handles along the axes of the root frame"),
    (
        "relative_to",
        "Axes of relative_to",
        "Ctrl+Shift+3",
        "mdi6.link-variant",
        "Handles along the axes of the frame in which the pose is given",
    ),
):
    TOOLS.switch(f"axes.{_id}", _text, _keys, _icon, group="axes", on=_id == "local", section=_id == "local", tip=_tip)(
        view_switch(f"axes.{_id}")
    )


EDIT = Declarations("Edit")
_WRITE, _ADD, _ARRANGE = "Edit/Write Pose In", "Edit/Add", "Edit/Arrange"
_COPY = "Edit/Copy and Paste"


# --- history -------------------------------------------------------------------------------------------------------


@EDIT.action("edit.undo", "Undo", "Ctrl+Z", "mdi6.undo", toolbar=True)
@on_file
def undo(_app: App, file: OpenFile) -> None:
    """Undo the last edit."""
    file.flush()  # what is being typed is an edit too
    file.context.edits.undo()


@EDIT.action("edit.redo", "Redo", "Ctrl+Shift+Z", "mdi6.redo", toolbar=True, more_shortcuts=("Ctrl+Y",))
@on_file
def redo(_app: App, file: OpenFile) -> None:
    """Redo the edit that was undone."""
    file.flush()
    file.context.edits.redo()


# --- the selected frame --------------------------------------------------------------------------------------------


def _in_properties(app: App, file: OpenFile) -> bool:
    """Show the properties of the selected frame; return whether there is one."""
    if file.session.selected_row is None:
        app.messages.refuse(SELECT_FIRST)
        return False
    app.docks.show("properties")
    return True


def _enter(app: App, file: OpenFile, section: PropertySection, field: QLineEdit) -> None:
    if section.isHidden():
        app.messages.refuse("Select a single frame to change this.")
        return
    field.setFocus(Qt.FocusReason.ShortcutFocusReason)
    if field.isReadOnly():  # what is shown can still be copied
        app.messages.refuse(file.properties.read_only_reason)


def _choose(app: App, file: OpenFile, section: ReferenceSection) -> None:
    if section.isHidden():
        row, model = file.session.selected_row, file.session.model
        if row is None or model is None or len(file.session.selection) != 1:
            app.messages.refuse(f"Select one frame that has {section.attribute}.")
        else:
            reason = why_read_only(file.session, row)
            other = f"A {model.kinds[row].value} has no {section.attribute}: select another frame."
            app.messages.refuse(other if reason is None else reason.sentence)
    elif not section.picker.isEnabled():
        otherwise = f"{section.attribute} of the selection cannot be changed in this file."
        app.messages.refuse(file.properties.read_only_reason or otherwise)
    else:
        section.picker.open()


@EDIT.action("edit.rename", "Rename", "F2", "mdi6.rename-box", section=True, operation=frames.rename)
@on_file
def rename(app: App, file: OpenFile) -> None:
    """Rename the selected frame and every reference to it."""
    if _in_properties(app, file):
        _enter(app, file, file.properties.name, file.properties.name.field)


@EDIT.action("edit.pose", "Edit Pose", "Ctrl+E", "mdi6.axis-arrow", operation=frames.set_pose)
@on_file
def edit_pose(app: App, file: OpenFile) -> None:
    """Type the pose of the selected frame."""
    if _in_properties(app, file):
        _enter(app, file, file.properties.pose, file.properties.pose.fields[0])


@EDIT.operation(frames.set_relative_to)
@on_file
def change_relative_to(app: App, file: OpenFile) -> None:
    """Choose the frame in which the pose is given."""
    if _in_properties(app, file):
        _choose(app, file, file.properties.relative_to)


@EDIT.operation(frames.set_attached_to)
@on_file
def change_attached_to(app: App, file: OpenFile) -> None:
    """Choose the frame with which the selected frame moves."""
    if _in_properties(app, file):
        _choose(app, file, file.properties.attached_to)


@EDIT.action("edit.copy_pose", COPY_POSE.text, COPY_POSE.keys, COPY_POSE.icon, section=True)
@on_file
def copy_pose(app: App, file: OpenFile) -> None:
    """Copy the resolved pose of the selected frame."""
    if _in_properties(app, file):
        file.properties.resolved.copy_pose("x y z roll pitch yaw")


@EDIT.action("edit.paste_pose", "Paste Pose", "Ctrl+Shift+V", "mdi6.content-paste", operation=frames.set_pose)
@on_file
def paste_pose(app: App, file: OpenFile) -> None:
    """Paste the raw pose of the selected frame: numbers, a matrix or a <pose>."""
    if _in_properties(app, file):
        file.properties.pose.paste()


def _write_poses_in(notation: Notation) -> Run:
    return on_file(lambda _app, file: write_poses_in(file.context, notation))


for _notation, _text, _keys, _form in (
    (Notation.RADIANS, "Radians", "Ctrl+K, Ctrl+R", "roll, pitch, yaw in radians"),
    (Notation.DEGREES, "Degrees", "Ctrl+K, Ctrl+E", "roll, pitch, yaw in degrees"),
    (Notation.QUATERNION, "Quaternion", "Ctrl+K, Ctrl+Q", "a quaternion x, y, z, w"),
):
    EDIT.action(
        f"edit.write_{_notation.value}",
        _text,
        _keys,
        menu=_WRITE,
        tip=f"Write the poses of the selection with {_form}; nothing moves",
        operation=frames.set_notation,
    )(_write_poses_in(_notation))


# --- elements ------------------------------------------------------------------------------------------------------


def _make_form(app: App, file: OpenFile, tag: str, owner: int) -> EditDialog:
    from sdfviewer.gui.operations.add import AddDialog
    from sdfviewer.gui.operations.add_link import AddLinkDialog

    if tag == "link":
        return AddLinkDialog(file.context, owner, app.dialog_parent)
    pictures = app.settings.thumbnails / "models"
    return AddDialog(file.context, tag, owner, app.dialog_parent, pictures=pictures)


#: What may be added to an empty file.
_FIRST = ("link", "model", "include", "frame")


def add_element(tag: str) -> Run:
    """Return an action that adds an element at the selection."""

    @on_model
    @where_editable
    def add(app: App, file: OpenFile) -> None:
        session = file.session
        model = session.edited_model
        assert model is not None
        owner = nearest_owner(model, session.selected_row, tag, session.selected_rows)
        if owner is None:
            app.messages.refuse(explain_no_owner(model, session.selected_row, tag))
        else:
            app.show_dialog(made_plain(lambda: _make_form(app, file, tag, owner)))

    @on_file
    @wraps(add)
    def start_and_add(app: App, file: OpenFile) -> None:
        start_empty(file)
        add(app)

    return start_and_add if tag in _FIRST else add


@where_editable
def add_mesh(app: App, file: OpenFile, drop: MeshDrop) -> None:
    """Ask what a mesh file that was dropped into the 3D view becomes."""
    from sdfviewer.gui.operations.add_link import AddMeshDialog

    app.show_dialog(AddMeshDialog(file.context, drop, app.dialog_parent))


@where_editable
def join_dropped(app: App, file: OpenFile, drop: MeshDrop) -> None:
    """Ask how a robot that was dropped on a link in the 3D view is joined to it."""
    from sdfviewer.gui.operations.operation_form import OperationForm

    given, rows = {"file": str(drop.path)}, (drop.target.link,)
    app.show_dialog(made_plain(lambda: OperationForm(join_robot, file.context, rows, app.dialog_parent, given)))


#: What can be added, in the order of the menu.
TAGS = ("link", "joint", "frame", "visual", "collision", "inertial", "sensor", "light", "plugin", "model", "include")
for _tag in TAGS:
    EDIT.operation(find_operation(f"add_{_tag}"))(add_element(_tag))


EDIT.switch(
    "show.shapes",
    "Shape Palette",
    "Ctrl+K, P",
    "mdi6.shape-plus",
    menu=_ADD,
    section=True,
    tip="Show shapes to drag into the 3D view: onto a link, or beside it for a new one",
)(view_switch("show.shapes"))


@EDIT.operation(frames.rename)
@on_frame
def rename_with_preview(app: App, file: OpenFile, row: int) -> None:
    """Rename the selected frame and preview what else changes."""
    from sdfviewer.gui.operations.rename_dialog import RenameDialog

    app.open_dialog(made_plain(lambda: RenameDialog(file.context, row, app.project_files, app.dialog_parent)))


@EDIT.action("edit.copy", "Copy", "Ctrl+C", "mdi6.content-copy", menu=_COPY)
@on_frame
def copy_selection(app: App, file: OpenFile, _row: int) -> None:
    """Copy the selection with the joint that carries it, frames on it and plugins about it."""
    _copy(app, file, below=False)


@EDIT.action("edit.copy_limb", "Copy With Everything Below", "Ctrl+K, Shift+X", "mdi6.content-copy", menu=_COPY)
@on_frame
def copy_limb(app: App, file: OpenFile, _row: int) -> None:
    """Copy the selection with all that joints carry below it."""
    _copy(app, file, below=True)


def _copy(app: App, file: OpenFile, *, below: bool) -> None:
    from sdfviewer.refactoring.composition.copying import copy_elements

    model = file.session.edited_model
    assert model is not None
    try:
        copied = copy_elements(model, file.session.selected_rows, below=below)
    except SdfViewerError as error:
        app.messages.refuse(str(error))
        return
    put_elements(copied, file.session.path)
    with_below = " with everything below" if below else ""
    left_out = f"; it leaves out {', '.join(copied.left_out)}" if copied.left_out else ""
    app.messages.show_message(f"Copied {copied.label}{with_below}{left_out}")


@EDIT.operation(copying.paste)
@on_model
@where_editable
def paste_elements(app: App, file: OpenFile) -> None:
    """Paste copied elements onto the selected link, or into the selected model."""
    arguments = pasted_elements()
    if arguments is None:
        app.messages.refuse("There is no text to paste.")
        return
    model, row = file.session.edited_model, file.session.selected_row
    assert model is not None
    file.context.edits.perform(model, copying.paste, {**arguments, "into": row})


@EDIT.operation(copying.duplicate)
@on_frame
@where_editable
def duplicate_selection(_app: App, file: OpenFile, _row: int) -> None:
    """Add a copy of the selection after it."""
    model = file.session.edited_model
    assert model is not None
    file.context.edits.perform(model, copying.duplicate, {"things": file.session.selected_rows})


@EDIT.action(
    "edit.duplicate_limb",
    "Duplicate With Everything Below…",
    "Ctrl+K, Shift+L",
    "mdi6.content-duplicate",
    menu=_COPY,
    operation=copying.duplicate,
)
@on_frame
@where_editable
def duplicate_limb(app: App, file: OpenFile, _row: int) -> None:
    """Add a copy of a limb: its links, joints, frames, sensors and plugins."""
    from sdfviewer.gui.operations.operation_form import OperationForm

    rows, given = file.session.selected_rows, {"below": True}
    app.show_dialog(made_plain(lambda: OperationForm(copying.duplicate, file.context, rows, app.dialog_parent, given)))


@EDIT.operation(frames.move_to_model)
@on_frame
@where_editable
def move_to_model(app: App, file: OpenFile, row: int) -> None:
    """Move the selected frame to another model; its pose stays."""
    from sdfviewer.gui.operations.rename_dialog import MoveDialog

    model = file.session.edited_model
    assert model is not None
    why = frames.move_to_model.refusal(model, [row])
    if why is not None:
        app.messages.refuse(as_sentence(why))
    else:
        app.open_dialog(MoveDialog(file.context, row, app.dialog_parent))


@EDIT.operation(arranging.mate)
@on_model
@where_editable
def mate_frames(app: App, file: OpenFile) -> None:
    """Move one of two selected frames, with what carries it, so that they meet."""
    from sdfviewer.gui.operations.mate import MateDialog

    model = file.session.edited_model
    assert model is not None
    rows = [row for row in file.session.selected_rows if model.kinds[row].is_vertex]
    app.show_dialog(MateDialog(file.context, app.settings, rows, app.dialog_parent))


@EDIT.operation(frames.remove)
@on_frame
@where_editable
def remove(app: App, file: OpenFile, _row: int) -> None:
    """Remove the selection; asks where something still refers to it."""
    from sdfviewer.gui.operations.remove import remove_rows

    dialog = remove_rows(file.context, file.session.selected_rows, app.dialog_parent)
    if dialog is not None:
        app.note_dialog(dialog)


@EDIT.action("edit.select_none", SELECT_NONE.text, "Ctrl+Shift+D", SELECT_NONE.icon)
@on_file
def select_none(_app: App, file: OpenFile) -> None:
    """Clear the selection."""
    file.session.select(())


_FORMAT = "application/x-sdfviewer-elements"


def put_elements(copied: CopiedElements, source: Path | None) -> None:
    """Put elements into the clipboard.

    Parameters
    ----------
    copied
        The elements.
    source
        The file that they are from, None for a text without one.
    """
    data = QMimeData()
    data.setText(copied.xml)
    held = {"xml": copied.document, "source": None if source is None else str(source)}
    data.setData(_FORMAT, json.dumps(held).encode())
    QGuiApplication.clipboard().setMimeData(data)


def pasted_elements() -> dict[str, object] | None:
    """Return what is in the clipboard as arguments of the operation that pastes it; None where there is no text."""
    data = QGuiApplication.clipboard().mimeData()
    if data.hasFormat(_FORMAT):
        held = json.loads(bytes(data.data(_FORMAT).data()).decode())
        return {"xml": str(held["xml"]), "source": held["source"]}
    return {"xml": data.text()} if data.hasText() and data.text().strip() else None
