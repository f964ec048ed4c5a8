"""Dialogs for xacro files: arguments and expansion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from sdfviewer.formats.xacro.expansion import XacroArgument
from sdfviewer.gui.kit.widget_properties import named
from sdfviewer.gui.operations.form_dialog import FormDialog

_SIZE = (820, 640)


class ArgumentsDialog(FormDialog):
    """Asks for the arguments of a xacro file; an empty field means the default.

    Parameters
    ----------
    file
        Its name.
    arguments
        What it declares.
    given
        Values that were given before.
    accept
        Takes the values that are given now.
    """

    def __init__(
        self,
        file: str,
        arguments: Sequence[XacroArgument],
        given: Mapping[str, str],
        accept: Callable[[dict[str, str]], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("xacro Arguments", "Evaluate", parent)
        self.fields: dict[str, QLineEdit] = {}
        declared = {each.name: each.default for each in arguments}
        for name in (*declared, *(each for each in given if each not in declared)):
            field = named(QLineEdit(given.get(name, "")), name, f"Value of the argument {name}")
            field.setPlaceholderText(declared.get(name) or "")
            self.fields[name] = field
            self.add_row(name, field)
        if self.fields:
            next(iter(self.fields.values())).setFocus()
        else:
            self.column.insertWidget(0, QLabel(f"{file} declares no arguments."))
        self.accepted.connect(lambda: accept(self.values))
        self.validate()

    @property
    def values(self) -> dict[str, str]:
        """The values that are given; arguments left to their defaults are not among them."""
        return {name: field.text() for name, field in self.fields.items() if field.text()}


class ExpansionDialog(QDialog):
    """Shows what a xacro file writes; it cannot be edited, as it is stored nowhere."""

    def __init__(self, file: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"What {file} Writes")
        self.resize(*_SIZE)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        self.text = named(QPlainTextEdit(text), "Expansion", "The expanded xacro file")
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        column.addWidget(self.text)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
