"""What the dialogs of this folder have in common: a form, the reason why it cannot be accepted yet, the buttons."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QVBoxLayout, QWidget

from sdfviewer.diagnostics import SdfViewerError


class FormDialog(QDialog):
    """A form that is checked at every change: its button is enabled when the check finds nothing.

    A dialog sets `check`, which raises an `SdfViewerError` while the form cannot be accepted.
    """

    def __init__(self, title: str, verb: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.check: Callable[[], object] = lambda: None
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(16, 16, 16, 16)
        self.column.setSpacing(8)
        self.form = QFormLayout()
        self.form.setHorizontalSpacing(12)
        self.form.setVerticalSpacing(8)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.column.addLayout(self.form)
        self.fault = QLabel(wordWrap=True)
        self.fault.setTextFormat(Qt.TextFormat.PlainText)  # it may name a <tag>
        self.fault.setProperty("role", "error")
        self.fault.setMinimumHeight(20)
        self.column.addWidget(self.fault)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.accept_button = self.buttons.addButton(verb, QDialogButtonBox.ButtonRole.AcceptRole)
        self.accept_button.setProperty("role", "primary")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.column.addWidget(self.buttons)
        # Only a button that stands in its dialog already stays the default one.
        self.accept_button.setDefault(True)

    def add_row(self, label: str, field: QWidget, tip: str = "") -> None:
        """Add a labelled field."""
        caption = QLabel(label)
        caption.setProperty("role", "muted")
        caption.setToolTip(tip)
        caption.setBuddy(field)
        field.setToolTip(field.toolTip() or tip)
        self.form.addRow(caption, field)

    def look(self) -> bool:
        """Show what the check finds; return whether the form can be accepted."""
        try:
            self.check()
        except SdfViewerError as error:
            text = str(error)
            self.fault.setText(text[:1].upper() + text[1:])
            self.accept_button.setEnabled(False)
            return False
        self.fault.setText("")
        self.accept_button.setEnabled(True)
        return True
