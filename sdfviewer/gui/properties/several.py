"""Properties of several selected elements, and the note about a redundant `relative_to`."""

from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from sdfviewer.document.edits import Edit, as_one
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.edits import edit_by
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import LENGTH, from_radians, to_radians
from sdfviewer.gui.kit.labels import LinkLabel
from sdfviewer.gui.kit.widgets import styled
from sdfviewer.gui.properties.fields import MIXED, TextField
from sdfviewer.gui.properties.reference_field import ReferenceField
from sdfviewer.gui.properties.section import PropertySection
from sdfviewer.model.model import Model
from sdfviewer.model.values import NOISE, format_number
from sdfviewer.number_expression import is_change, parse_number
from sdfviewer.operations import frames
from sdfviewer.refactoring.pose_moving import Move
from sdfviewer.refactoring.pose_notation import written_numbers
from sdfviewer.refactoring.properties.property_values import is_redundant_relative_to
from sdfviewer.transforms import POSE_PARTS, Array


def describe_several(model: Model, rows: list[int]) -> str:
    """Return how many of what are selected: ``2 links, 1 joint``."""
    kinds = Counter(model.kinds[row].value.replace("_", " ") for row in rows)
    return ", ".join(f"{number} {kind}{'s' if number > 1 else ''}" for kind, number in kinds.items())


class SeveralSection(PropertySection):
    """`relative_to` and raw pose of several things: a typed number is set on all of them."""

    for_several = True

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__(context, settings)
        self.rows: list[int] = []
        self.reference = ReferenceField(self, "relative_to", "relative_to")
        self.picker = self.reference.picker
        self.reference.committed.connect(lambda entry: self.make(lambda: self.reference.edit(entry.text)))
        self.add_row("relative_to", self.reference, "The frame that all of these poses are measured from")
        self.fields = [TextField(name, "", partial(self._check, number)) for number, name in enumerate(POSE_PARTS)]
        self._units = (QLabel(LENGTH), QLabel())
        for caption, first in (("position", 0), ("rotation", 3)):
            line = QWidget()
            grid = QGridLayout(line)
            grid.setContentsMargins(0, 0, 0, 0)
            grid.setHorizontalSpacing(4)
            for place in range(3):
                field = self.fields[first + place]
                field.edit.setAlignment(Qt.AlignmentFlag.AlignRight)
                field.committed.connect(lambda entry, number=first + place: self._commit(number, entry.text))
                grid.addWidget(field, 0, place)
                grid.setColumnStretch(place, 1)
            unit = self._units[first // 3]
            unit.setProperty("role", "muted")
            unit.setFixedWidth(24)
            grid.addWidget(unit, 0, 3)
            self.add_row(caption, line, f"A number applies to all selected elements; {MIXED} if they differ")
        settings.changed.connect(self._refresh)

    @property
    def shown_rows(self) -> list[int]:
        return self.rows

    def applies(self, model: Model, row: int) -> bool:
        return True

    def show_rows(self, model: Model, rows: list[int]) -> None:
        """Show what is common to some rows."""
        self.row, self.rows = rows[-1], rows
        editable = all(self.is_editable(row) and row > 0 for row in rows)
        written = {model.relative_to_written[row] for row in rows}
        self.reference.show_value(MIXED if len(written) > 1 else written.pop(), "", editable)
        self._show_numbers(np.array([written_numbers(model, row) for row in rows]), editable)

    def show_again(self) -> None:
        if self.row >= 0:
            self.show_rows(self.model, self.rows)

    def show_move(self, move: Move | None) -> None:
        if move is None:
            self.show_again()
        else:
            self._show_numbers(np.array([move.numbers(row) for row in self.rows]), editable=True)

    def _show_numbers(self, poses: Array, editable: bool) -> None:
        """Show what is common to poses (k, 6)."""
        unit = self.settings.angle_unit
        self._units[1].setText(unit.value)
        same = np.ptp(poses, axis=0) <= NOISE
        for number, field in enumerate(self.fields):
            value = float(poses[0, number])
            if number >= 3:
                value = from_radians(value, unit)
            field.show_value(format_number(value) if same[number] else MIXED, "", editable)

    def _refresh(self) -> None:
        if self.row >= 0 and self.isVisible():
            self.show_rows(self.model, self.rows)

    def _check(self, number: int, text: str) -> str | None:
        try:
            parse_number(text, self._unit_of(number), 0.0)
        except ValueError as error:
            return str(error)
        return None

    def _unit_of(self, number: int) -> str:
        return self.settings.angle_unit.value if number >= 3 else LENGTH

    def _commit(self, number: int, text: str | None) -> None:
        self.make(lambda: self._set(number, text or "0"))

    def _set(self, number: int, text: str) -> Edit:
        """Return the edit that gives all rows one number, or changes that of each: ``+=0.1``."""
        model, rows, unit = self.model, self.rows, self.settings.angle_unit

        def value_of(row: int) -> float:
            current = float(written_numbers(model, row)[number])
            current = from_radians(current, unit) if number >= 3 else current
            value = parse_number(text, self._unit_of(number), round(current, 12))
            return to_radians(value, unit) if number >= 3 else value

        def set_on(rows: list[int]) -> Edit:
            where = {"coordinate": POSE_PARTS[number], "value": value_of(rows[0])}
            where["together"] = self.context.parts.together
            return edit_by(self.context.session, self.edited_model, frames.set_coordinate, frames=rows, **where)

        if not is_change(text):
            return set_on(rows)
        return as_one(f"Change {len(rows)} poses", [set_on([row]) for row in rows])


class RedundantSection(PropertySection):
    """Says that `relative_to` is written but says only the default, and takes it out on request."""

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__(context, settings)
        self.note = styled(LinkLabel('This relative_to repeats the default. <a href="remove">Remove it</a>'), "muted")
        self.note.setAccessibleName("relative_to repeats the default")
        self.note.linkActivated.connect(lambda _link: self._remove())
        self.form.addRow(self.note)

    def applies(self, model: Model, row: int) -> bool:
        return row > 0 and self.is_editable(row) and is_redundant_relative_to(model, row)

    def show_row(self, model: Model, row: int) -> None:
        self.row = row

    def _remove(self) -> None:
        arguments = {"target": None, "keep": "numbers"}
        session = self.context.session
        self.make(lambda: edit_by(session, self.edited_model, frames.set_relative_to, frame=self.row, **arguments))
