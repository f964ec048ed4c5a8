"""Mass, centre of mass and inertia of the selection, and inertials computed from its shapes."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_sentence
from sdfviewer.document.edits import Edit
from sdfviewer.formats.mass import LinkBodies, link_bodies, links_of
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.performing import edit_context
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import LENGTH, LineEdit
from sdfviewer.gui.kit.jobs import Background
from sdfviewer.gui.kit.labels import LinkLabel, WholeLines
from sdfviewer.gui.kit.safe_text import Markup, joined, markup, set_rich_text
from sdfviewer.gui.kit.widgets import FoldButton, line_of, named, set_style_property
from sdfviewer.gui.properties.section import PropertySection
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.number_expression import parse_number
from sdfviewer.number_text import counted, format_shown
from sdfviewer.refactoring.inertia import WATER, InertiaProblem, explain_inertia, suggested_density

_KINDS = (Kind.LINK, Kind.JOINT, Kind.MODEL, Kind.WORLD)
_DIGITS = 5
MANY_LINKS = 300
"""The mass of more links is computed only on demand."""
_FLAG = "fold.mass"
#: What is written in a link is its inertial; these are computed, also of what has no inertial of its own.
_TITLE = "Mass properties"


class MassSection(PropertySection):
    """Mass, centre of mass and inertia of a link, of what a joint moves, of a model, a world or several of them.

    Attributes
    ----------
    mass, centre, inertia
        The numbers, in the root frame.
    density, total
        What inertials are computed with; an empty total leaves it to the density.
    compute
        Writes the inertials.
    """

    for_several = True

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__(context, settings)
        self._rows: list[int] = []
        self._known: tuple[Model, tuple[int, ...], LinkBodies] | None = None
        self._problem: InertiaProblem | None = None
        self._is_asked = False
        self._background = Background(self)
        tip = "Show or hide mass, centre of mass and inertia"
        self.heading = FoldButton(_TITLE, tip, is_open=settings.flag(_FLAG, False))
        self.heading.toggled.connect(self._fold)
        self.form.addRow(self.heading)
        self.mass, self.centre, self.inertia = QLabel(), QLabel(), QLabel()
        for label in (self.mass, self.centre, self.inertia):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.add_row("mass", self.mass, "All links of the selection, or everything that a joint moves")
        self.add_row("centre", self.centre, "Centre of mass in the root frame, at the current joint positions")
        self.add_row("inertia", self.inertia, "About the centre of mass, in the axes of the root frame")
        self.note = LinkLabel()
        self.note.linkActivated.connect(self._follow_link)
        self._note_row = WholeLines(self.note)
        self.form.addRow(self._note_row)
        self.density = named(LineEdit(), "Density", "In kg/m³, for shapes that have none; water has 1000")
        self._suggested = format_shown(WATER)
        self.density.setText(self._suggested)
        self.total = named(LineEdit(), "Total mass", "In kg; replaces the density")
        self.total.setPlaceholderText("by density")
        self.compute = QPushButton("Compute")
        self.compute.setToolTip("Compute the inertia of these links from their collisions or closed meshes")
        self.compute.clicked.connect(self._compute)
        self.add_row("density", _line(self.density, "kg/m³"))
        self.add_row("total mass", _line(self.total, "kg", self.compute))

    @property
    def is_open(self) -> bool:
        """Whether the numbers are shown."""
        return self.heading.isChecked()

    def applies(self, model: Model, row: int) -> bool:
        return model.kinds[row] in _KINDS

    def show_rows(self, model: Model, rows: list[int]) -> None:
        if rows != self._rows:  # what was typed is about what was selected then
            self._is_asked = False
            self.total.clear()
            self.density.setText(self._suggested)
        self.row, self._rows = rows[-1], rows
        for number in range(1, self.form.rowCount()):
            self.form.setRowVisible(number, self.is_open)
        if not self.is_open:
            return
        links = links_of(model, rows)
        if len(links) > MANY_LINKS and not self._is_asked:
            self._known = None
            self._show_numbers("", "", "")
            self._show_message(markup('{links}. <a href="weigh">Calculate</a>', links=counted(len(links), "link")))
            return
        self._known = (model, tuple(links), link_bodies(model, links))
        self._problem = explain_inertia(model, rows[0]) if rows == links and len(rows) == 1 else None
        if self.density.text() == self._suggested:
            self._suggested = format_shown(suggested_density(model, links))
            self.density.setText(self._suggested)
        self.show_masses()

    def show_masses(self) -> None:
        """Show the numbers at the current joint positions."""
        if self._known is None or not self.is_open or self.row < 0:
            return
        model, links, bodies = self._known
        if model is not self.context.session.model:
            return
        total, displaced = bodies.total(self.context.session.X_RootF)
        numbers = total.I_B[np.triu_indices(3)]
        xx, xy, xz, yy, yz, zz = (self._word(float(each)) for each in numbers)
        if total.mass > 0:
            centre = "   ".join(self._word(float(each)) for each in total.p_FB)
            moments = f"ixx {xx}   iyy {yy}   izz {zz}\nixy {xy}   ixz {xz}   iyz {yz}  kg m²"
            self._show_numbers(f"{self._word(total.mass)} kg", f"{centre} {LENGTH}", moments)
        else:
            self._show_numbers("0 kg", "–", "–")
        notes: list[str] = []
        if self._problem is not None:
            template = (
                '{why} <a href="fix">Compute it from the shapes</a>' if self._problem.fix is not None else "{why}"
            )
            notes.append(markup(template, why=self._problem.message))
        left_out = len(bodies.unknown) + len(displaced)
        if left_out:
            why = "{links} left out: the inertia cannot be computed, or the pose is undefined."
            notes.append(markup(why, links=counted(left_out, "link")))
        self._show_message(joined("<br>", notes), "error" if self._problem is not None else "muted")
        editable = bool(links) and all(self.is_editable(row) for row in links)
        for widget in (self.density, self.total, self.compute):
            widget.setEnabled(editable)

    @staticmethod
    def _word(value: float) -> str:
        return format_shown(value, _DIGITS)

    def _show_numbers(self, mass: str, centre: str, inertia: str) -> None:
        self.mass.setText(mass)
        self.centre.setText(centre)
        self.inertia.setText(inertia)

    def _show_message(self, text: Markup, role: str = "muted") -> None:
        set_rich_text(self.note, text)
        self.form.setRowVisible(self._note_row, bool(text) and self.is_open)
        set_style_property(self.note, "role", role)

    def _fold(self, on: bool) -> None:
        self.settings.set_flag(_FLAG, on)
        if self.row >= 0:
            self.show_rows(self.model, self._rows)

    def _follow_link(self, link: str) -> None:
        if link == "weigh":
            self._is_asked = True
            self.show_rows(self.model, self._rows)
        elif self._problem is not None and self._problem.fix is not None:
            self.context.edits.apply(self._problem.fix, self)

    def _compute(self) -> None:
        """Compute the inertials in the background, for meshes are read, and write them."""
        model, links = self.model, links_of(self.model, self._rows)
        try:
            density = parse_number(self.density.text().strip() or self._suggested)
            total = parse_number(self.total.text(), "kg") if self.total.text().strip() else None
        except ValueError as error:
            self._show_message(markup("{why}", why=error), "error")
            return
        from sdfviewer.operations.properties import compute_inertials  # noqa: PLC0415  # when a mass is computed

        on = edit_context(self.context.session, links)
        arguments = {"links": [model.names[link] for link in links], "density": density, "total_mass": total}

        self._show_message(markup("Computing…"))
        self.compute.setEnabled(False)
        self._background.run(
            lambda: compute_inertials.perform(on, arguments).only_edit, partial(self._write, model), self._refuse
        )

    def _refuse(self, error: SdfViewerError) -> None:
        self.compute.setEnabled(True)
        self._show_message(markup("{why}", why=as_sentence(str(error))), "error")

    def _write(self, model: Model, edit: Edit) -> None:
        self.compute.setEnabled(True)
        if self.context.session.model is model:
            self.context.edits.apply(edit, self)
        else:
            self._show_message(markup("The file has changed in the meantime; compute again."), "error")


def _line(field: QWidget, unit: str, *more: QWidget) -> QWidget:
    label = QLabel(unit)
    label.setProperty("role", "muted")
    return line_of((field, 1), label, *more)
