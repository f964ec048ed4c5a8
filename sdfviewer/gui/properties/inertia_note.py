"""A note about the inertia of a link: principal moments, equivalent box, plausibility."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from sdfviewer.formats.contents import read_inertial
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.gui.kit.fields.units import LENGTH
from sdfviewer.gui.kit.text.labels import WholeLines
from sdfviewer.gui.kit.widget_properties import set_style_property
from sdfviewer.model.contents import MOMENTS
from sdfviewer.model.model import Model
from sdfviewer.number_text import format_shown
from sdfviewer.scene.marks.inertia_marks import principal_inertia
from sdfviewer.transforms import written_numbers_of
from sdfviewer.validation.inertia_check import impossibility

_DIGITS = 4


def automatic_values(model: Model, row: int) -> dict[str, str]:
    """Return the automatic inertia of a link as values by their paths; empty if there is none or it is unknown."""
    computed = resolve_inertial(model, row) if read_inertial(model, row).auto else None
    if computed is None:
        return {}
    centre = written_numbers_of(computed.X_LI)
    moments = dict(zip(MOMENTS, computed.moments, strict=True))
    return {
        "inertial/mass": format_shown(computed.mass),
        "inertial/pose": " ".join(format_shown(each) for each in centre),
        **{f"inertial/inertia/{name}": format_shown(value) for name, value in moments.items()},
    }


class InertiaNote(WholeLines):
    """A line of numbers, and below it what they mean, or why they cannot be."""

    def __init__(self) -> None:
        self.moments, self.meaning = QLabel(wordWrap=True), QLabel(wordWrap=True)
        super().__init__(self.moments, self.meaning)
        self.moments.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def show_link(self, model: Model, row: int) -> None:
        """Show what is written in a link."""
        inertial = read_inertial(model, row)
        fault = moments = meaning = ""
        if not inertial.is_written:
            meaning = "No inertia in the file: "
            meaning += "1 kg, 1 kg m² about each axis." if inertial.mass else "the link has no mass."
        elif inertial.auto:
            meaning = "Computed from the collision shapes and their density."
            if (computed := resolve_inertial(model, row)) is not None:
                meaning = f"{format_shown(computed.mass, _DIGITS)} kg, computed from the collision shapes."
        else:
            fault = impossibility(inertial.mass, inertial.moments)
            inertia = principal_inertia(inertial)
            if inertia is not None:
                moments = (
                    "   ".join(format_shown(each, _DIGITS) for each in inertia.moments.tolist())
                    + "  kg\N{NO-BREAK SPACE}m²"
                )
                edges = " × ".join(format_shown(each, 2) for each in inertia.box.tolist())
                meaning = f"like a box of {edges}\N{NO-BREAK SPACE}{LENGTH}"
        self.moments.setText(moments)
        self.moments.setVisible(bool(moments))
        self.meaning.setText(f"This inertia is impossible: {fault}." if fault else meaning)
        set_style_property(self.meaning, "role", "error" if fault else "muted")
