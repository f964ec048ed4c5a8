"""What the properties panel shows of the robot, or the world, as a whole, and of masses."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from sdfviewer.diagnostics import SdfViewerError, Severity
from sdfviewer.display_text import as_sentence
from sdfviewer.document.edits import Edit
from sdfviewer.files.paths import short_name
from sdfviewer.formats.mass import LinkBodies, link_bodies, links_by_default, links_of
from sdfviewer.formats.registry import describe_format
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.edits import edit_context
from sdfviewer.gui.context.missing import Missing
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import LENGTH, LineEdit
from sdfviewer.gui.kit.icons import kind_icon
from sdfviewer.gui.kit.jobs import Background
from sdfviewer.gui.kit.labels import ElidedLabel, LinkLabel, WholeLines
from sdfviewer.gui.kit.safe_text import Markup, joined, markup, set_rich_text
from sdfviewer.gui.kit.widgets import STRETCH, FoldButton, column_of, line_of, named, row_of, set_style_property, styled
from sdfviewer.gui.properties.section import PropertySection, make_caption, make_form
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.number_expression import parse_number
from sdfviewer.number_text import counted, format_shown
from sdfviewer.refactoring.inertia import WATER, InertiaProblem, explain_inertia, suggested_density
from sdfviewer.session.read_only import describe_absence
from sdfviewer.session.session import Session
from sdfviewer.validation.joint_rules import loose_parts

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
    label = styled(QLabel(unit), "muted")
    return line_of((field, 1), label, *more)


_MOST_NAMES = 3
_LINK = '<a href="{target}">{text}</a>'
#: Kinds that are counted, in this order; the first two also where there are none.
_COUNTED = (Kind.LINK, Kind.JOINT, Kind.FRAME, Kind.MODEL)


_HINT = "Select a frame in the tree, in the 3D view or in a graph to see where it is and why."


class RobotPage(QWidget):
    """The name, file, counts, mass and problems of what is open, with links to what lists them."""

    #: What the user wants to see: the name of a kind, ``problems`` or ``resources``.
    wanted = Signal(str)

    def __init__(self, context: DocumentContext) -> None:
        super().__init__()
        self._context = context
        self._weighed: Model | None = None
        self._sign, self._kind = QLabel(), QLabel()
        self._kind.setProperty("role", "muted")
        self.title = styled(ElidedLabel(), "title")
        self._form_widget = QWidget()
        self._form = make_form(self._form_widget)
        self._form.setContentsMargins(8, 0, 8, 0)
        self.values: dict[str, LinkLabel] = {}
        self.hint = styled(QLabel(wordWrap=True), "muted")
        self.hint.setContentsMargins(8, 8, 8, 0)
        header = row_of(self._sign, (self.title, 1), self._kind, margins=(8, 0, 8, 4), spacing=8)
        column_of(header, self._form_widget, self.hint, STRETCH, parent=self, margins=(0, 8, 0, 8), spacing=4)

    def show_robot(self) -> None:
        """Show the session as it is now."""
        session = self._context.session
        model = session.model
        self._form_widget.setVisible(model is not None)
        self.hint.setText(_HINT if model is not None else describe_absence(session))
        if model is None:
            self.title.set_full_text("")
            self._kind.clear()
            self._sign.clear()
            return
        kind = model.kinds[0].value
        self._sign.setPixmap(kind_icon(kind).pixmap(QSize(18, 18), self.devicePixelRatio()))
        self.title.set_full_text(model.local_names[0])
        self._kind.setText(kind)
        shown = dict(self._facts(session, model))
        for name, text in shown.items():
            if name not in self.values:
                self.values[name] = label = LinkLabel()
                label.setAccessibleName(name)
                label.linkActivated.connect(self._follow_link)
                self._form.addRow(make_caption(name), label)
            set_rich_text(self.values[name], text)
        for name, label in self.values.items():
            self._form.setRowVisible(label, name in shown)

    def _facts(self, session: Session, model: Model) -> Iterator[tuple[str, Markup]]:
        """Yield the name and the text of each row."""
        path = session.path
        file = "not saved" if path is None else short_name(path)
        yield "file", markup("{file} · {format}", file=file, format=describe_format(model))
        for kind in _COUNTED:
            # The model or world itself is not one of those in it.
            count = int(model.kinds_are(kind).sum()) - (model.kinds[0] is kind)
            if not count and kind not in _COUNTED[:2]:
                continue
            text = markup(_LINK, target=kind.value, text=count) if count else markup("none")
            if kind is Kind.JOINT and 0 < count <= MANY_LINKS and (kinematics := session.kinematics) is not None:
                text = joined(" · ", (text, f"{kinematics.degrees_of_freedom} DoF"))
            yield f"{kind.value}s", text
        yield "mass", self._mass(session, model)
        if model.joints and int(model.kinds_are(Kind.LINK).sum()) <= MANY_LINKS and (parts := loose_parts(model)):
            names = ", ".join(model.local_names[part[0]] for part in parts[:_MOST_NAMES])
            more = f" and {len(parts) - _MOST_NAMES} more" if len(parts) > _MOST_NAMES else ""
            yield "not joined", markup("{names}{more}", names=names, more=more)
        yield "problems", self._problems(session)
        missing = Missing.of_problems(session.diagnostics)
        if missing:
            words = [f"{missing.words} not found"] if missing.words else []
            words += [f"{len(missing.downloads)} not downloaded"] if missing.downloads else []
            yield "missing", markup(_LINK, target="resources", text=", ".join(words))

    def _problems(self, session: Session) -> Markup:
        found = session.diagnostics
        of_severity = [sum(each.severity is severity for each in found) for severity in Severity]
        nouns = [severity.value for severity in Severity]
        parts = [counted(number, noun) for number, noun in zip(of_severity, nouns, strict=True) if number]
        return markup(_LINK, target="problems", text=", ".join(parts)) if parts else markup("none")

    def _mass(self, session: Session, model: Model) -> Markup:
        if int(model.kinds_are(Kind.LINK).sum()) > MANY_LINKS and self._weighed is not model:
            return markup(_LINK, target="weigh", text="Calculate")
        bodies = link_bodies(model, links_of(model, [0]))
        mass = bodies.total(session.X_RootF)[0].mass
        unknown = f", without {counted(len(bodies.unknown), 'link')} of unknown mass" if bodies.unknown else ""
        given = len(links_by_default(model))
        by_default = f", {counted(given, 'link')} with 1 kg by default" if given else ""
        return markup("{mass} kg{more}", mass=format_shown(mass, _DIGITS), more=unknown + by_default)

    def _follow_link(self, target: str) -> None:
        if target == "weigh":
            self._weighed = self._context.session.model
            self.show_robot()
        else:
            self.wanted.emit(target)
