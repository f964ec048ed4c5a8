"""The field of a reference, wherever the panel shows one: a picker of its targets, and below its list what stays."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
from PySide6.QtWidgets import QButtonGroup, QLabel, QRadioButton, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_sentence
from sdfviewer.document.edits import Edit, as_one
from sdfviewer.formats.registry import writing_of
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.edits import edit_by
from sdfviewer.gui.context.previews import EditPreview
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import LENGTH, AngleUnit, from_radians
from sdfviewer.gui.kit.frame_picker import FrameChoice, FramePicker, choice_of
from sdfviewer.gui.kit.widgets import column_of, row_of, set_style_property
from sdfviewer.gui.properties.fields import MIXED, FieldEntry, ValueField
from sdfviewer.gui.properties.section import PropertySection
from sdfviewer.model.graph import UNRESOLVED
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.targets import Attribute, ReferenceTargets, common_targets
from sdfviewer.number_text import format_shown
from sdfviewer.operations import frames, structure
from sdfviewer.operations.declaration import Operation
from sdfviewer.refactoring.pose_notation import written_numbers
from sdfviewer.refactoring.pose_writing import Keep
from sdfviewer.transforms import pose_error

#: A frame that turns by less stays straight, in radians.
_STRAIGHT = 1e-9
#: Numbers that differ by less are the same.
_SAME = 1e-9
#: Returns the edit for an entry that the user comes to, or raises why there is none: the name as it would be written,
#: None for the default, and what stays.
Compute = Callable[[str | None, Keep], Edit]


class WhatStays:
    """What a picker asks below its list: whether the pose or the numbers stay. It shows in 3D what each entry would do.

    Each time the list opens, the pose stays: a choice that were remembered would move the next frame unasked.

    Attributes
    ----------
    keep
        What the user has chosen for the edit that comes next.
    """

    def __init__(self, picker: FramePicker, context: DocumentContext, settings: Settings, compute: Compute) -> None:
        self.keep: Keep = "pose"
        self._picker, self._context, self._settings, self._compute = picker, context, settings, compute
        picker.make_footer = self._make

    def _make(self) -> QWidget:
        self.keep = "pose"
        choice = KeepChoice(self._context, self._settings, self._compute, self)
        self._picker.considered.connect(choice.consider)
        return choice


class KeepChoice(QWidget):
    """Pose or numbers, and in a sentence what the current entry would do."""

    def __init__(self, context: DocumentContext, settings: Settings, compute: Compute, stays: WhatStays) -> None:
        super().__init__()
        self._stays = stays
        self._context = context
        self._settings = settings
        self._compute = compute
        self._choice: FrameChoice | None = None
        self._edit: Edit | None = None
        context.previews.edit_changed.connect(self._show_preview)
        self.keep_pose = QRadioButton("pose")
        self.keep_pose.setToolTip("The frame keeps its pose; its numbers are recalculated")
        self.keep_numbers = QRadioButton("numbers")
        self.keep_numbers.setToolTip("The numbers do not change; the frame moves")
        self.outcome = QLabel(wordWrap=True)
        self.outcome.setMinimumHeight(2 * self.outcome.fontMetrics().lineSpacing())
        group = QButtonGroup(self)
        line = row_of(QLabel("Keep the"), spacing=12)
        for button, keep in ((self.keep_pose, "pose"), (self.keep_numbers, "numbers")):
            group.addButton(button)
            button.setChecked(stays.keep == keep)
            button.clicked.connect(self._remember)
            line.addWidget(button)
        line.addStretch(1)
        column_of(line, self.outcome, parent=self, margins=(4, 4, 4, 0), spacing=4)

    def _remember(self) -> None:
        self._stays.keep = "pose" if self.keep_pose.isChecked() else "numbers"
        self.consider(self._choice)

    def consider(self, choice: FrameChoice | None) -> None:
        """Show what an entry would do, in 3D and in words; None ends that."""
        self._choice = choice
        edit, text, is_refused = None, "", False
        if choice is not None:
            try:
                edit = self._compute(choice.name, self._stays.keep)
            except SdfViewerError as error:
                text, is_refused = str(error), True
        edit = edit if edit is not None and edit.replacements else None
        if edit is None and choice is not None and not is_refused:
            text = "No change."
        self._edit = edit
        self._context.previews.show(edit)
        if edit is None:
            self._show_message(text, is_refused)
        else:
            self._show_preview(self._context.previews.edit)

    def _show_preview(self, preview: EditPreview | None) -> None:
        if preview is not None and preview.edit == self._edit:
            self._show_message(self._describe(preview))

    def _show_message(self, text: str, is_refused: bool = False) -> None:
        self.outcome.setText(as_sentence(text))
        set_style_property(self.outcome, "role", "error" if is_refused else "muted")

    def _describe(self, preview: EditPreview) -> str:
        session = self._context.session
        row = session.selected_row
        if preview.model is None or row is None:
            return ""
        X_ghost = np.full_like(preview.model.X_RootF, np.nan) if preview.X_ghost is None else preview.X_ghost
        moving = np.asarray(np.isfinite(X_ghost).all(axis=(1, 2)))
        if not moving[row]:
            numbers = written_numbers(preview.model, row, self._settings.notation)
            if session.model is not None and np.allclose(
                numbers, written_numbers(session.model, row, self._settings.notation), atol=_SAME
            ):
                return "Its pose and its numbers stay the same."
            return f"It keeps its pose; its numbers become {'  '.join(map(format_shown, numbers))}."
        distance, angle = (float(each) for each in pose_error(session.X_RootF[row], X_ghost[row]))
        if not math.isfinite(distance):
            return "Its pose becomes defined."
        unit = self._settings.angle_unit
        space = "" if unit is AngleUnit.DEGREES else " "
        shown = f"{format_shown(from_radians(angle, unit), 4)}{space}{unit.value}"
        turning = f" and rotates by {shown}" if angle > _STRAIGHT else ""
        others = sum(bool(moving[each]) and kind.is_vertex for each, kind in enumerate(preview.model.kinds)) - 1
        others_too = f", and {others} other frame{'s' if others > 1 else ''} with it" if others > 0 else ""
        return f"It moves by {format_shown(distance, 4)} {LENGTH}{turning}{others_too}."


#: What writes a reference that places something, and how it calls the element and the target.
_OPERATIONS: Mapping[Attribute, tuple[Operation, str, str]] = {
    "relative_to": (frames.set_relative_to, "frame", "target"),
    "attached_to": (frames.set_attached_to, "frame", "target"),
    "parent": (structure.set_parent, "joint", "parent"),
    "child": (structure.set_child, "joint", "child"),
}
#: References that must be given.
_ENDS = ("parent", "child")
#: What counts where nothing is written, if no frame can be named for it.
_DEFAULTS: Mapping[Attribute, str] = {
    "relative_to": "default: not found",
    "attached_to": "default: not found",
    "canonical_link": "default: the first link",
    "expressed_in": "default: the joint itself",
    "placement_frame": "default: the model frame",
}


def build_choices(model: Model, row: int, attribute: Attribute) -> list[FrameChoice]:
    """Return the choices of a reference: the default, then the names of its scope, each with the reason against it."""
    targets = ReferenceTargets(model, row, attribute)
    choices = [choice_of(model, each) for each in targets]
    own = targets.named(None)
    if own.row >= 0 and attribute in ("relative_to", "attached_to"):
        choices.insert(0, choice_of(model, own))
    elif attribute not in (*_ENDS, "relative_to", "attached_to"):
        choices.insert(0, FrameChoice(None, _default_label(model, row, attribute), model.kinds[row].value))
    return choices


def _default_row(model: Model, row: int, attribute: Attribute) -> int:
    """Return the row that counts where nothing is written, negative where the label says it in words."""
    if attribute == "relative_to":
        return int(model.relative_to[row])
    if attribute == "attached_to":
        return int(model.attached_to[row])
    return model.canonical_links.get(row, UNRESOLVED) if attribute == "canonical_link" else UNRESOLVED


def _default_label(model: Model, row: int, attribute: Attribute) -> str:
    target = _default_row(model, row, attribute)
    return f"default: {model.local_names[target]}" if target >= 0 else _DEFAULTS.get(attribute, "not set")


class ReferenceField(ValueField):
    """A frame of the scope, picked from a searchable list.

    Attributes
    ----------
    attribute
        What holds the name.
    """

    def __init__(self, section: PropertySection, attribute: Attribute, label: str) -> None:
        super().__init__(label)
        self._section = section
        self.attribute = attribute
        self.picker = FramePicker(label)
        self.put(self.picker)
        self.picker.opening.connect(lambda: self.picker.set_choices(self._choices()))
        self.picker.picked.connect(lambda choice: self.committed.emit(FieldEntry(choice.name)))
        self._stays: WhatStays | None = None
        # The pose of a joint is measured from its child by default, in URDF from its parent.
        measured = "parent" if attribute in _ENDS and section.model.scope.joins_links_only else "child"
        if attribute in ("relative_to", "attached_to", measured):
            self._stays = WhatStays(self.picker, section.context, section.settings, self.compute)

    @property
    def has_operation(self) -> bool:
        """Whether :meth:`compute` writes it, and keeps what is placed by it in its place."""
        return self.attribute in _OPERATIONS

    def edit(self, name: str | None) -> Edit:
        """Return the edit that writes another target, with what the user has chosen to keep."""
        return self.compute(name, "pose" if self._stays is None else self._stays.keep)

    def compute(self, name: str | None, keep: Keep) -> Edit:
        """Return the edit that writes another target, as the file would spell it, for all rows that are shown."""
        section = self._section
        operation, holder, target = _OPERATIONS[self.attribute]
        written = {target: name or "" if self.attribute in _ENDS else name, "keep": keep}
        session, model = section.context.session, section.edited_model
        edits = [edit_by(session, model, operation, **{holder: row}, **written) for row in section.shown_rows]
        return as_one(f"Make {len(edits)} elements relative to {name or 'their defaults'}", edits)

    def show_value(self, value: str | None, default: str, editable: bool) -> None:
        self.show_fault("")
        self.picker.setEnabled(editable)
        model, rows = self._section.model, self._section.shown_rows
        if value == MIXED:
            self.picker.show_choice(MIXED, None, "The selected elements have different values")
        elif not value:
            self._show_default(model, rows)
        elif len({(targets := ReferenceTargets(model, row, self.attribute)).scope for row in rows}) > 1:
            self.picker.show_choice(value, None, value)  # which is another frame for each
        else:
            target = targets.named(value)
            if target.row == UNRESOLVED:
                self.picker.show_choice(value, None, as_sentence(target.reason or value), faulty=True)
            else:
                shown = choice_of(model, target)
                full = model.shown_name(target.row) if target.row >= 0 else shown.label
                self.picker.show_choice(shown.label, shown.kind, f"{value}: {full}")

    def _show_default(self, model: Model, rows: list[int]) -> None:
        tip = f"{self.accessibleName()} is not set"
        if len(rows) > 1:
            self.picker.show_choice("default", None, tip)
            return
        target, label = _default_row(model, rows[0], self.attribute), _default_label(model, rows[0], self.attribute)
        if target >= 0:
            self.picker.show_choice(label, model.kinds[target].value, f"{tip}: {model.shown_name(target)}")
        else:
            # Of a pose none may be found: the child of a joint is missing.
            missing = ", and its default is not found." if label == "default: not found" else ""
            self.picker.show_choice(label, None, tip + missing)

    def _choices(self) -> list[FrameChoice]:
        model, rows = self._section.model, self._section.shown_rows
        if len(rows) > 1 and self.attribute == "relative_to":
            common = [choice_of(model, target) for target in common_targets(model, rows)]
            return [FrameChoice(None, "their defaults", "model"), *common]
        return build_choices(model, rows[-1], self.attribute)


_TIPS = {"relative_to": "The frame that the pose is measured from", "attached_to": "The frame that this one moves with"}


class ReferenceSection(PropertySection):
    """One reference with its field."""

    def __init__(
        self, context: DocumentContext, settings: Settings, attribute: Literal["relative_to", "attached_to"]
    ) -> None:
        super().__init__(context, settings)
        self.attribute = attribute
        self.field = ReferenceField(self, attribute, attribute)
        self.picker = self.field.picker
        self.add_row(attribute, self.field, _TIPS[attribute])
        self.field.committed.connect(lambda entry: self.make(lambda: self.field.edit(entry.text)))

    def applies(self, model: Model, row: int) -> bool:
        return row > 0 if self.attribute == "relative_to" else model.kinds[row] is Kind.FRAME

    def show_row(self, model: Model, row: int) -> None:
        if self.attribute == "relative_to":
            row = writing_of(model, row).rows_at(model, row)[0]  # as its numbers are
        self.row = row
        written = model.relative_to_written if self.attribute == "relative_to" else model.attached_to_written
        self.field.show_value(written[row], "", self.is_editable(row))
