"""The sections of the pose: as it is written, or picked in the 3D view; and in any frame at the joint positions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.edits import Edit
from sdfviewer.formats.load import Loader
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.edits import edit_by
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.context.topics import PosePick
from sdfviewer.gui.kit.commands import COPY_POSE, tooltip
from sdfviewer.gui.kit.fields import LENGTH, WIDE_NUMBER, NumberLabel
from sdfviewer.gui.kit.frame_picker import FrameChoice, FramePicker
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.widgets import column_of, line_of, named, set_menu, styled
from sdfviewer.gui.properties.pose_editor import PoseEditor, PoseEntry, PoseField
from sdfviewer.gui.properties.section import PropertySection
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.number_text import format_exact
from sdfviewer.operations import frames
from sdfviewer.refactoring.draft import ModelDraft
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.pose_moving import Move, MoveSet
from sdfviewer.refactoring.pose_notation import FORMS, Notation, notation_of, numbers_of, written_numbers, written_pose
from sdfviewer.refactoring.pose_writing import notation_refusal
from sdfviewer.scene.tools.placing import PickedPlace, rounded_pose
from sdfviewer.session.read_only import why_not_current, why_read_only
from sdfviewer.transforms import POSE_PARTS, QUATERNION_PARTS, Array, invert


def write_poses_in(context: DocumentContext, notation: Notation) -> None:
    """Write the poses of all that is selected in another notation, as one edit that moves nothing."""
    session = context.session
    model = session.model
    reason = why_not_current(session)
    if reason is not None:
        context.messages.refuse(reason.sentence)
        return
    assert model is not None
    rows = session.selected_rows
    if rows:
        word, edited = notation.name.lower(), session.edited_at(rows) or model
        context.edits.make(lambda: edit_by(session, edited, frames.set_notation, frames=rows, notation=word))
    else:
        context.messages.refuse("Select a frame first.")


class PoseSection(PropertySection):
    """The numbers of a pose; only those that change are written."""

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__(context, settings)
        self.editor = PoseEditor(settings)
        self.editor.committed.connect(self._commit)
        self.editor.scrubbed.connect(self._preview)
        self.editor.rewritten.connect(lambda notation: write_poses_in(context, notation))
        self.pick_button = self.editor.pick_button
        self.pick_button.clicked.connect(self._pick)
        self._placed = styled(QLabel(wordWrap=True), "muted")
        self.form.addRow(self.editor)
        self.form.addRow(self._placed)

    @property
    def fields(self) -> Sequence[PoseField]:
        """The visible fields, in the order of a ``<pose>``."""
        return self.editor.fields

    def applies(self, model: Model, row: int) -> bool:
        return row > 0 or not model.is_world

    def show_row(self, model: Model, row: int) -> None:
        if self.pick_button.isChecked():  # for what was selected before, or in the text before
            self.context.requests.cancel_pick()
        self.row = row
        own = notation_of(written_pose(model, row))
        editable = self.is_editable(row)
        refusals = {
            notation: why for notation in Notation if (why := notation_refusal(model, row, notation)) is not None
        }
        self.editor.show_numbers(written_numbers(model, row, own), own, editable=editable, refusals=refusals)
        frame = model.scope.placement_frames.get(row)
        if frame is not None:
            self._placed.setText(f"These are the numbers of its placement frame “{model.local_names[frame]}”.")
        self.form.setRowVisible(self._placed, frame is not None)

    def show_move(self, move: Move | None) -> None:
        self.editor.show_unwritten(None if move is None else move.written_pose(self.row))

    def paste(self) -> None:
        """Write the pose in the clipboard; if it is not a pose, say why below the numbers."""
        if self.row < 0 or not self.is_editable(self.row):
            reason = None if self.row < 0 else why_read_only(self.context.session, self.row)
            self.context.messages.refuse(
                "Select a single frame to paste a pose." if reason is None else reason.sentence
            )
        else:
            self.editor.paste()

    def _pick(self, on: bool) -> None:
        """Let the next click in the 3D view move what is selected, or give that up."""
        if not on:
            self.context.requests.cancel_pick()
            return
        button = self.pick_button
        try:
            pick_pose_of(self.context, self.row, button.turns.isChecked, lambda: button.setChecked(False), None)
        except SdfViewerError as error:
            button.setChecked(False)
            self.context.messages.refuse(str(error))

    def _preview(self, entry: PoseEntry) -> None:
        """Show in 3D where numbers that are being dragged would put the selection."""
        try:
            edit = _edit(self.context, self.row, entry)
        except SdfViewerError as error:
            self.context.messages.refuse(str(error))
            return
        self.context.previews.show(edit if edit.replacements else None)

    def _commit(self, entry: PoseEntry) -> None:
        row = self.row
        if row < 0:
            return
        is_made = self.make(lambda: _edit(self.context, row, entry))
        if is_made and entry.form:
            self.context.messages.show(f"Pasted as {entry.form}")


def _edit(context: DocumentContext, row: int, entry: PoseEntry) -> Edit:
    session, model = context.session, context.session.edited_at([row])
    assert model is not None
    label = f"Paste the pose of {model.local_names[row]}"
    if not entry.relative_to:
        edit = _pose_set(context, model, row, entry.numbers, entry.notation)
        return replace(edit, label=label) if entry.form else edit
    draft = ModelDraft(model, Loader(session.finder.fresh(), expander=session.expander.fork()))
    target = {"frame": row, "target": entry.relative_to, "keep": "numbers"}
    draft.make(edit_by(session, model, frames.set_relative_to, **target))
    draft.make(_pose_set(context, draft.model, row, entry.numbers, entry.notation))
    return draft.edit(label)


def _pose_set(context: DocumentContext, model: Model, row: int, numbers: Sequence[float], notation: Notation) -> Edit:
    """Return the edit that writes the numbers of a pose in their notation."""
    given: dict[str, object] = {"pose": numbers, "degrees": notation is Notation.DEGREES}
    if notation is Notation.QUATERNION:
        given = {"xyz": numbers[:3], "quaternion": [numbers[-1], *numbers[3:-1]]}
    given["together"] = context.parts.together
    return edit_by(context.session, model, frames.set_pose, frame=row, **given)


def pick_pose_of(
    context: DocumentContext, row: int, turned: Callable[[], bool], ended: Callable[[], None], origin: object
) -> None:
    """Let the next click in the 3D view move a row there, as one undo step; the views show it before.

    Parameters
    ----------
    turned
        Whether the row takes the orientation of the place.
    ended
        Called when picking ends.
    origin
        Who makes the edit.

    Raises
    ------
    RefactoringError
        If the row cannot be moved.
    """
    session = context.session
    model, kinematics = session.edited_at([row]), session.kinematics
    assert model is not None
    if kinematics is None:
        raise RefactoringError("the joints of this model cannot be placed; see its problems")
    move = Move(kinematics, kinematics.positions(session.positions), MoveSet(model, [row]))

    def pose(place: PickedPlace) -> Array:
        return place.pose(move.start[row, :3, :3], turned=turned())

    def edit(place: PickedPlace) -> Edit:
        X_RootP = pose(place)
        move.by(X_RootP @ invert(move.start[row]))
        numbers = rounded_pose(move.written_pose(row), place, X_RootP)
        return _pose_set(context, model, row, numbers, Notation.RADIANS)

    def consider(place: PickedPlace | None) -> None:
        context.previews.show(None if place is None else edit(place))

    def take(place: PickedPlace) -> None:
        context.edits.make(lambda: edit(place), origin)

    context.requests.pick_pose(PosePick(model.names[row], pose, consider, take, ended))


_UNIT_WIDTH = 24
_GAP = 10


class ResolvedSection(PropertySection):
    """X_GF of the selected frame F in a frame G that the user picks; the root by default."""

    #: The user has picked another frame G.
    reference_changed = Signal()

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__(context, settings)
        self.reference: str | None = None
        self.picker = FramePicker("Pose is shown in")
        self.picker.opening.connect(self._offer)
        self.picker.picked.connect(lambda choice: self.set_reference(choice.name))
        self.copy = named(
            QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup),
            "Copy pose",
            tooltip("Copy the pose as x y z roll pitch yaw", COPY_POSE.keys),
        )
        self.copy.setIcon(icon("mdi6.content-copy"))
        menu = QMenu(self.copy)
        for name in FORMS:
            menu.addAction(f"Copy as {name}").triggered.connect(lambda _=False, name=name: self.copy_pose(name))
        set_menu(self.copy, menu)
        line = line_of((self.picker, 1), self.copy)
        self.add_row("resolved in", line, "The pose at the current joint positions, relative to this frame")
        self.numbers = QWidget()
        column = column_of(parent=self.numbers, margins=0, spacing=2)
        self._values = []
        for _ in QUATERNION_PARTS:
            self._values.append(NumberLabel())
        self._units = (QLabel(LENGTH), QLabel())
        for unit in self._units:
            unit.setProperty("role", "muted")
            unit.setFixedWidth(_UNIT_WIDTH)
        for line_number, labels in enumerate((self._values[:3], self._values[3:])):
            numbers = QHBoxLayout()
            numbers.setSpacing(_GAP)
            for label in labels:
                numbers.addWidget(label, 1)
            numbers.addWidget(self._units[line_number])
            column.addLayout(numbers)
        self.add_row("", self.numbers).setFixedHeight(0)
        settings.changed.connect(self.show_pose)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the numbers the whole width, as in *Why here?*, where all digits have no room beside the caption."""
        super().resizeEvent(event)
        wanted = 3 * (self.fontMetrics().horizontalAdvance(WIDE_NUMBER) + _GAP) + _UNIT_WIDTH
        self.numbers.setMinimumWidth(min(wanted, self.form.contentsRect().width()))

    def applies(self, model: Model, row: int) -> bool:
        return model.kinds[row] is not Kind.WORLD  # that all others are measured from

    def show_row(self, model: Model, row: int) -> None:
        self.row = row
        if self.reference is not None and self.reference not in model.rows_by_name:
            self.reference = None
        reference = 0 if self.reference is None else model.rows_by_name[self.reference]
        self.picker.show_choice(model.shown_name(reference), model.kinds[reference].value)
        self.show_pose()

    @property
    def X_GF(self) -> Array | None:
        """The pose (4, 4) that is shown, None where it is undefined."""
        if self.row < 0 or self.context.session.model is None:
            return None
        X = self.context.motion.X_RootF
        reference = 0 if self.reference is None else self.model.rows_by_name[self.reference]
        X_GF = invert(X[reference]) @ X[self.row]
        return X_GF if np.isfinite(X_GF).all() else None

    def show_pose(self) -> None:
        """Update the numbers: joints or units have changed."""
        X_GF = self.X_GF
        notation = self.settings.notation
        is_quaternion = notation is Notation.QUATERNION
        names = QUATERNION_PARTS if is_quaternion else POSE_PARTS
        self._units[1].setText(self.settings.angle_unit.value)
        self._units[1].setVisible(not is_quaternion)
        self._values[-1].setVisible(is_quaternion)
        self.copy.setEnabled(X_GF is not None)
        numbers = [math.nan] * len(names) if X_GF is None else numbers_of(X_GF, notation)
        for label, name, value in zip(self._values, names, numbers, strict=False):
            if label.accessibleName() != (title := f"Resolved {name}"):
                label.setAccessibleName(title)
            label.show_number(value)
            tip = (
                "The pose cannot be resolved; see the problems." if X_GF is None else f"{name} = {format_exact(value)}"
            )
            if tip != label.toolTip():  # each change is an event
                label.setToolTip(tip)

    def show_move(self, move: Move | None) -> None:
        self.show_pose()

    def set_reference(self, name: str | None) -> None:
        """Measure from another frame, by its scoped name; None for the root."""
        self.reference = name
        self.show_row(self.model, self.row)
        self.reference_changed.emit()

    def copy_pose(self, form: str) -> None:
        """Copy the pose to the clipboard in one of the `FORMS`."""
        X_GF = self.X_GF
        if X_GF is None:
            self.context.messages.refuse("The pose of this frame cannot be resolved, so there is nothing to copy.")
            return
        QGuiApplication.clipboard().setText(FORMS[form](X_GF))
        self.context.messages.show(f"Copied as {form}")

    def _offer(self) -> None:
        model = self.model
        choices = []
        for row, (name, kind) in enumerate(zip(model.names, model.kinds, strict=True)):
            if kind.is_vertex and model.rows_by_name[name] == row:
                known = np.isfinite(model.X_RootF[row]).all()
                choices.append(
                    FrameChoice(
                        name, model.shown_name(row), kind.value, None if known else "its own pose cannot be resolved"
                    )
                )
        self.picker.set_choices(choices)
