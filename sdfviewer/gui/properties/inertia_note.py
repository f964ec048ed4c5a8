"""What the inertia of a link comes to: principal moments, the box that has them, and whether any body can."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from sdfviewer.gui.number_field import format_shown
from sdfviewer.gui.units import LENGTH
from sdfviewer.scene.inertia import read_inertia
from sdfviewer.semantics import Model
from sdfviewer.semantics.inertia import inertia_fault
from sdfviewer.semantics.values import parse_bool

_DIGITS = 4


class InertiaNote(QWidget):
    """A line of numbers, and below it what they mean, or why they cannot be."""

    def __init__(self) -> None:
        super().__init__()
        self.moments = QLabel()
        self.moments.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.meaning = QLabel(wordWrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.moments)
        column.addWidget(self.meaning)

    def show_link(self, model: Model, row: int) -> None:
        """Show what is written in a link."""
        link = model.elements[row]
        inertial = link.find("inertial")
        inertia = read_inertia(link, model.version)
        fault = ""
        if inertial is None:
            moments, meaning = "", "No inertia is written: 1 kg, 1 kg m² about each axis."
        elif parse_bool(inertial.attributes.get("auto", "")):
            moments, meaning = "", "Worked out from the collision shapes and their density."
        else:
            fault = inertia_fault(inertial)
            moments = meaning = ""
            if inertia is not None:
                moments = "   ".join(format_shown(each, _DIGITS) for each in inertia.moments.tolist()) + "  kg m²"
                edges = " × ".join(format_shown(each, 2) for each in inertia.box.tolist())
                meaning = f"like a box of {edges} {LENGTH}"
        self.moments.setText(moments)
        self.moments.setVisible(bool(moments))
        self.meaning.setText(f"No body has it: {fault}." if fault else meaning)
        self.meaning.setProperty("role", "error" if fault else "muted")
        self.meaning.style().unpolish(self.meaning)
        self.meaning.style().polish(self.meaning)
