"""The name and kind of the selection."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_sentence
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.panels.properties.fields import RevertingLine
from sdfviewer.gui.panels.properties.section import PropertySection
from sdfviewer.gui.widgets.named import named
from sdfviewer.gui.widgets.style_property import set_style_property
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import is_renamable


class NameSection(PropertySection):
    """The name; a new one is written wherever the old one was referred to."""

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__(context, settings)
        self.field = named(RevertingLine(self._revert), "Name", "The name; every reference to it is updated (F2)")
        self.fault = QLabel(wordWrap=True)
        self.fault.setProperty("role", "error")
        self.fault.hide()
        self.add_row("name", self.field)
        self.form.addRow(self.fault)
        self.field.textEdited.connect(lambda _text: self._show_fault(""))
        self.field.editingFinished.connect(self._commit)

    def show_row(self, model: Model, row: int) -> None:
        self.row = row
        self.field.setReadOnly(not (self.context.session.is_current and is_renamable(model, row)))
        self._revert()

    def _revert(self) -> None:
        """Show the name that is written in place of what was typed."""
        self.field.setText(self.model.local_names[self.row] if self.row >= 0 else "")
        self.field.setModified(False)
        self.field.setCursorPosition(0)
        self._show_fault("")

    def _commit(self) -> None:
        if not self.field.isModified() or self.row < 0:
            return
        self.field.setModified(False)
        name = self.field.text().strip()
        if name == self.model.local_names[self.row]:
            return
        try:
            self.context.rename(self.row, name, self)
        except SdfViewerError as error:
            self._show_fault(str(error))

    def _show_fault(self, reason: str) -> None:
        self.fault.setText(as_sentence(reason))
        self.fault.setVisible(bool(reason))
        set_style_property(self.field, "invalid", bool(reason))
