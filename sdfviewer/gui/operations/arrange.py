"""The dialog that aligns or distributes frames."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.kit.widget_properties import named
from sdfviewer.gui.operations.axes_dialog import AxesDialog
from sdfviewer.model.model import Model
from sdfviewer.refactoring.arranging import Arrangement, arrange

_TITLES = {
    Arrangement.ALIGN: ("Align Frames", "Align"),
    Arrangement.DISTRIBUTE: ("Distribute Frames", "Distribute"),
}


class ArrangeDialog(AxesDialog):
    """The selected frames move along some axes; the views show it while the dialog is open.

    Attributes
    ----------
    axes
        Check boxes of x, y and z.
    frame_picker
        The frame whose axes they are.
    """

    def __init__(
        self, how: Arrangement, context: DocumentContext, rows: Sequence[int], parent: QWidget | None = None
    ) -> None:
        super().__init__(*_TITLES[how], context, 0, "Axes of frame", parent)
        self.setMinimumWidth(420)
        self._how, self._rows = how, list(rows)
        boxes = QWidget()
        line = QHBoxLayout(boxes)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(16)
        self.axes = [named(QCheckBox(axis), f"Along {axis}") for axis in "xyz"]
        for box in self.axes:
            line.addWidget(box)
            box.toggled.connect(lambda _on: self.validate())
        line.addStretch(1)
        self.add_row("along", boxes, "The coordinates that change")
        self.add_row("axes of", self.frame_picker, "The frame whose axes x, y and z are")
        if how is Arrangement.ALIGN:
            last = self.model.names[self._rows[-1]]
            self.add_note(f"{last}, selected last, stays. The others get its coordinates at the initial pose.")
        else:
            self.add_note("The outermost two stay. The others get equal distances at the initial pose.")
        self.axes[2 if how is Arrangement.ALIGN else 0].setChecked(True)
        self.check = self.compute
        self.validate()

    def take_model(self, model: Model) -> bool:
        """Find the frames again."""
        found = [self.row_in(model, row) for row in [*self._rows, self.frame]]
        rows = [row for row in found if row is not None]
        if len(rows) < len(found):
            return False
        *self._rows, self.frame = rows
        return True

    def compute(self) -> Edit:
        """Return the edit.

        Raises
        ------
        RefactoringError
            While the form cannot be accepted.
        """
        axes = [axis for axis, box in enumerate(self.axes) if box.isChecked()]
        return arrange(self.model, self._rows, self._how, axes, frame=self.frame)
