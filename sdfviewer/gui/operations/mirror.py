"""The dialog that mirrors a limb."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QWidget

from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.kit.widget_properties import named
from sdfviewer.gui.operations.axes_dialog import AxesDialog
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted
from sdfviewer.refactoring.limb import Mirror, guess_sides, limb
from sdfviewer.refactoring.mirroring import mirror_limb

_PLANES = ("x, front to back", "y, left to right", "z, top to bottom")
_MOST_NAMES = 4


class MirrorDialog(AxesDialog):
    """The other side of a limb: plane and names; the views show the copy while the dialog is open.

    Attributes
    ----------
    axis, frame_picker
        The axis that is reversed, and the frame whose axis it is.
    text_before, text_after
        What is exchanged in the names.
    summary
        What would be added.
    """

    def __init__(self, context: DocumentContext, link: int, parent: QWidget | None = None) -> None:
        model = context.session.model
        assert model is not None
        super().__init__("Mirror Limb", "Mirror", context, int(model.owners[link]), "Mirror frame", parent)
        self.setMinimumWidth(460)
        self._link = link
        find, replace = guess_sides(self.model.local_names[link])
        names = QWidget()
        line = QHBoxLayout(names)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        self.text_before = named(QLineEdit(find, placeholderText="left"), "Text in names")
        self.text_after = named(QLineEdit(replace), "Text in the names of the copies")
        line.addWidget(self.text_before, 1)
        line.addWidget(QLabel("→"))
        line.addWidget(self.text_after, 1)
        for field in (self.text_before, self.text_after):
            field.textChanged.connect(lambda _text: self.validate())
        self.add_row("names", names, "A name without this text gets the new text at its end")
        self.axis = named(QComboBox(), "Mirrored axis")
        self.axis.addItems(_PLANES)
        self.axis.setCurrentIndex(1)
        self.axis.currentIndexChanged.connect(lambda _index: self.validate())
        self.add_row("mirrored axis", self.axis, "The copy is on the other side of the plane normal to this axis")
        self.add_row("of frame", self.frame_picker, "The plane goes through the origin of this frame")
        self.summary = QLabel(wordWrap=True)
        self.summary.setTextFormat(Qt.TextFormat.PlainText)
        self.summary.setProperty("role", "muted")
        self.form.addRow("", self.summary)
        self.check = self.compute
        self.validate()

    def take_model(self, model: Model) -> bool:
        """Find the link and the frame again."""
        link, frame = self.row_in(model, self._link), self.row_in(model, self.frame)
        if link is None or frame is None:
            return False
        self._link, self.frame = link, frame
        return True

    def compute(self) -> Edit:
        """Return the edit.

        Raises
        ------
        RefactoringError
            While the form cannot be accepted.
        """
        self._summarise("")
        find, replace = self.text_before.text().strip(), self.text_after.text().strip()
        edit = mirror_limb(self.model, Mirror(self._link, self.frame, self.axis.currentIndex(), find, replace))
        self._summarise(self._describe(edit))
        return edit

    def _summarise(self, text: str) -> None:
        self.summary.setText(text)
        if text and self.isVisible():
            self.fit()

    def _describe(self, edit: Edit) -> str:
        names = [name.rpartition("::")[2] for name in edit.added]
        shown = ", ".join(names[:_MOST_NAMES])
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        members = counted(len(limb(self.model, self._link)), "new element")
        text = f"{members}: {shown}{more}."
        if edit.notes:
            text += f" {counted(len(edit.notes), 'plugin')} copied unchanged; check the names in them."
        return text
