"""What the selection is: its kind, its name, and for joints what they connect."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QLineEdit

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.named import named
from sdfviewer.gui.properties.section import FrameLink, Section
from sdfviewer.gui.settings import Settings
from sdfviewer.semantics import Kind, Model


class NameSection(Section):
    """The name; a new one is written wherever the old one was referred to."""

    def __init__(self, bridge: Bridge, settings: Settings) -> None:
        super().__init__(bridge, settings)
        self.field = named(QLineEdit(), "Name", "The name; every reference to it is renamed along (F2)")
        self.fault = QLabel(wordWrap=True)
        self.fault.setProperty("role", "error")
        self.fault.hide()
        self.add_row("Name", self.field)
        self.form.addRow(self.fault)
        self.field.textEdited.connect(lambda _text: self._show_fault(""))
        self.field.editingFinished.connect(self._commit)

    def show_row(self, model: Model, row: int) -> None:
        self.row = row
        self.field.setText(model.local_names[row])
        self.field.setModified(False)
        self.field.setReadOnly(not self.is_editable(row))
        self._show_fault("")

    def _commit(self) -> None:
        if not self.field.isModified() or self.row < 0:
            return
        self.field.setModified(False)
        name = self.field.text().strip()
        if name == self.model.local_names[self.row]:
            return
        try:
            self.bridge.rename(self.row, name, self)
        except SdfViewerError as error:
            self._show_fault(str(error))

    def _show_fault(self, reason: str) -> None:
        self.fault.setText(reason)
        self.fault.setVisible(bool(reason))
        self.field.setProperty("invalid", bool(reason))
        self.field.style().unpolish(self.field)
        self.field.style().polish(self.field)


class JointSection(Section):
    """What a joint connects, and how."""

    def __init__(self, bridge: Bridge, settings: Settings) -> None:
        super().__init__(bridge, settings)
        self.type = QLabel()
        self.parent_link = FrameLink(bridge, "Parent")
        self.child_link = FrameLink(bridge, "Child")
        self.add_row("type", self.type)
        self.add_row("parent", self.parent_link, "The frame that the joint starts from")
        self.add_row("child", self.child_link, "The frame that the joint moves")

    def applies(self, model: Model, row: int) -> bool:
        return model.kinds[row] is Kind.JOINT and row in model.joints_by_row

    def show_row(self, model: Model, row: int) -> None:
        joint = model.joints_by_row[row]
        self.type.setText(joint.type or "not written")
        element = model.elements[row]
        parent = element.text_of("parent") or "not written"
        self.parent_link.show_frame(model, joint.parent, parent)
        self.child_link.show_frame(model, joint.child, element.text_of("child") or "not written")
