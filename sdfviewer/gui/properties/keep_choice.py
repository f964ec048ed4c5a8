"""The choice between pose and numbers when `relative_to` changes."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from PySide6.QtWidgets import QButtonGroup, QLabel, QRadioButton, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_sentence
from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.previews import EditPreview
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields.frame_picker import FrameChoice, FramePicker
from sdfviewer.gui.kit.fields.units import LENGTH, AngleUnit, from_radians
from sdfviewer.gui.kit.layouts import column_of, row_of
from sdfviewer.gui.kit.widget_properties import set_style_property
from sdfviewer.number_text import format_shown
from sdfviewer.refactoring.poses.notation import written_numbers
from sdfviewer.refactoring.retargeting import Keep
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
