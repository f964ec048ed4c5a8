"""The dialog that mates two frames."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QWidget

from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.edits import edit_by
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import LENGTH, NumberField, to_radians
from sdfviewer.gui.kit.frame_picker import FrameChoice, FramePicker
from sdfviewer.gui.kit.widgets import line_of, named, styled
from sdfviewer.gui.operations.form_dialog import EditDialog
from sdfviewer.model.model import Model
from sdfviewer.operations import arranging
from sdfviewer.refactoring.arranging import Align, Mate, MateForm, joints_that_hold, mate_refusals, moving_part
from sdfviewer.refactoring.editable import RefactoringError

_ALIGN = {Align.ALL: "origin and all axes", Align.ORIGIN: "origin", Align.AXIS: "origin and z axis"}
_FORMS = {
    MateForm.RELATIVE_TO: "relative_to",
    MateForm.PLACEMENT_FRAME: "placement_frame",
    MateForm.JOINT: "relative_to and a fixed joint",
}


class MateDialog(EditDialog):
    """Frame B, with what carries it, moves so that it meets frame A; the views show it while the dialog is open.

    Attributes
    ----------
    pickers
        Of the frames ``"A"`` and ``"B"``.
    align, form_box
        What coincides, and how it is written; forms that cannot be are disabled with the reason.
    offset, angle
        Where B is in A then.
    """

    def __init__(
        self, context: DocumentContext, settings: Settings, rows: Sequence[int], parent: QWidget | None = None
    ) -> None:
        super().__init__("Mate Frames", "Mate", context, parent)
        self.setMinimumWidth(460)
        self.moves, self.warning = QLabel(wordWrap=True), QLabel(wordWrap=True)
        for label in (self.moves, self.warning):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.moves.setProperty("role", "title")
        self.warning.setProperty("role", "warning")
        self.swap_button = named(QPushButton("Swap"), "Swap A and B", "Let the other frame move")
        self.swap_button.clicked.connect(self.swap)
        first = QHBoxLayout()
        first.addWidget(self.moves, 1)
        first.addWidget(self.swap_button, 0, Qt.AlignmentFlag.AlignTop)
        self.column.insertLayout(0, first)
        self.column.insertWidget(1, self.warning)
        self._settings = settings
        self._rows: dict[str, int | None] = dict(zip("AB", [*rows[:2], None, None], strict=False))
        self.pickers: dict[str, FramePicker] = {}
        for end, tip in (("A", "The frame that stays"), ("B", "The frame that moves, together with its body")):
            picker = self.pickers[end] = FramePicker(f"Frame {end}")
            picker.opening.connect(lambda picker=picker: self.offer_frames(picker))
            picker.picked.connect(lambda choice, end=end: self._pick(end, choice))
            self.add_row(f"frame {end}", picker, tip)
            self.show_frame(self.pickers[end], self._rows[end])
        self.align = named(QComboBox(), "Align")
        for align, text in _ALIGN.items():
            self.align.addItem(text, align.value)
        self.align.currentIndexChanged.connect(lambda _index: self.validate())
        self.add_row("coincide", self.align, "What to align")
        unit = settings.angle_unit
        self.offset = [NumberField(f"offset {axis}", unit=LENGTH) for axis in "xyz"]
        self.angle = NumberField("angle", step=1.0 if unit.value != "rad" else 0.01, unit=unit.value)
        for field in (*self.offset, self.angle):
            field.committed.connect(lambda _value: self.validate())
            field.scrubbed.connect(lambda _value: self.validate())
        self.add_row("offset", _line(self.offset, LENGTH), "Position of B in A")
        self.add_row("angle", _line([self.angle], unit.value), "Rotation of B about the z axis of A")
        self.form_box = named(QComboBox(), "Written as")
        for form, text in _FORMS.items():
            self.form_box.addItem(text, form.value)
        self.form_box.currentIndexChanged.connect(lambda _index: self.validate())
        self.add_row("written as", self.form_box, "How the mate is written to the file")
        self.check = self.compute
        self._show_forms(choose=True)
        self.validate()
        self.pickers["A"].setFocus()

    # --- frames ------------------------------------------------------------------------------------------------------

    def _pick(self, end: str, choice: FrameChoice) -> None:
        self._rows[end] = self.model.row(choice.name) if choice.name is not None else None
        self.show_frame(self.pickers[end], self._rows[end])
        self._show_forms(choose=True)
        self.validate()

    def take_model(self, model: Model) -> bool:
        """Find the frames again."""
        for end, row in self._rows.items():
            if row is not None:
                self._rows[end] = self.row_in(model, row)
        return None not in self._rows.values()

    # --- the mate ----------------------------------------------------------------------------------------------------

    @property
    def mate(self) -> Mate:
        """The choices in the form.

        Raises
        ------
        RefactoringError
            Where a frame is not chosen yet.
        """
        a, b = self._rows["A"], self._rows["B"]
        if a is None or b is None:
            raise RefactoringError("choose two frames")
        x, y, z = (field.value for field in self.offset)
        angle = to_radians(self.angle.value, self._settings.angle_unit)
        return Mate(a, b, Align(self.align.currentData()), (x, y, z), angle)

    def _show_forms(self, *, choose: bool) -> None:
        """Enable the forms that can be written, with the reason against the others."""
        try:
            mate = self.mate
            refusals = mate_refusals(self.model, mate)
            part = moving_part(self.model, mate)
        except RefactoringError:
            self.moves.setText("Nothing can move yet.")
            self.warning.hide()
            return
        self._show_what_moves(mate, part)
        model = self.form_box.model()
        for number, form in enumerate(_FORMS):
            why = refusals[form]
            index = model.index(number, 0)
            self.form_box.setItemData(number, why or "", Qt.ItemDataRole.ToolTipRole)
            item = model.item(number)  # type: ignore[attr-defined]  # a combo box has a standard model
            item.setEnabled(why is None)
            self.form_box.setItemText(index.row(), _FORMS[form] if why is None else f"{_FORMS[form]}: {why}")
        order = (MateForm.PLACEMENT_FRAME, MateForm.RELATIVE_TO, MateForm.JOINT)
        possible = [form for form in order if refusals[form] is None]
        if choose and possible:
            self.form_box.setCurrentIndex(list(_FORMS).index(possible[0]))

    def _show_what_moves(self, mate: Mate, part: int) -> None:
        model = self.model
        name = model.names[part]
        carried = f", which carries {model.names[mate.b]}," if part != mate.b else ""
        self.moves.setText(f"{name}{carried} moves to {model.names[mate.a]}.")
        joints = ", ".join(joint.name for joint in joints_that_hold(model, part))
        noun = "joints" if "," in joints else "joint"
        self.warning.setText(f"{name} is held by the fixed {noun} {joints}. It leaves what it is fixed to.")
        self.warning.setVisible(bool(joints))

    def swap(self) -> None:
        """Let the frame move that would have stayed."""
        self._rows = {"A": self._rows["B"], "B": self._rows["A"]}
        for end in self._rows:
            self.show_frame(self.pickers[end], self._rows[end])
        self._show_forms(choose=True)
        self.validate()

    def compute(self) -> Edit:
        """Return the edit.

        Raises
        ------
        RefactoringError
            While the form cannot be accepted.
        """
        mate, form = self.mate, str(self.form_box.currentData())
        where = {"align": mate.align.value, "offset": mate.offset, "angle": mate.angle, "written_as": form}
        return edit_by(self._context.session, self.model, arranging.mate, a=mate.a, b=mate.b, **where)


def _line(fields: Sequence[QWidget], unit: str) -> QWidget:
    label = styled(QLabel(unit), "muted")
    return line_of(*((field, 1) for field in fields), label)
