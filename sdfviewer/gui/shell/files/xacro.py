"""Dialogs for xacro files: arguments and expansion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.formats.xacro.expansion import XacroArgument
from sdfviewer.gui.kit.widgets import named
from sdfviewer.gui.operations.form_dialog import FormDialog

_SIZE = (820, 640)
_FIELD_WIDTH = 320
"""Pixels of a field: most values are paths."""


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
        declared = {each.name: each for each in arguments}
        self._required = [each.name for each in arguments if each.default is None or each.is_read_before]
        for name in (*declared, *(each for each in given if each not in declared)):
            argument = declared.get(name)
            default = None if argument is None else argument.default
            # Where it is read above its declaration, its default does not hold: it is offered as a value.
            offered = default if argument is not None and argument.is_read_before else None
            row, field = _field(() if argument is None else argument.choices)
            field.setText(given.get(name, offered or ""))
            named(row, name, f"Value of the argument {name}")
            field.setPlaceholderText("required" if name in self._required else f"default: {default or 'empty'}")
            row.setMinimumWidth(_FIELD_WIDTH)
            field.textChanged.connect(lambda _text: self.validate())
            self.fields[name] = field
            self.add_row(name, row)
        if self.fields:
            next(iter(self.fields.values())).setFocus()
        else:
            self.column.insertWidget(0, QLabel(f"{file} declares no arguments."))
        self.accepted.connect(lambda: accept(self.values))
        self.check = self._check
        self.validate()

    def _check(self) -> None:
        lacking = next((name for name in self._required if not self.fields[name].text()), "")
        if lacking:
            raise SdfViewerError(f"type a value for {lacking}: the file reads it, and it has no default there")

    @property
    def values(self) -> dict[str, str]:
        """The values that are given; arguments left to their defaults are not among them."""
        return {name: field.text() for name, field in self.fields.items() if field.text()}


def _field(choices: Sequence[str]) -> tuple[QWidget, QLineEdit]:
    """Return a line, in which one of some values can be chosen and another one typed, and what is to be shown.

    A click anywhere into it opens the list, in which one can go on typing; Escape closes the list alone.
    """
    if not choices:
        field = QLineEdit()
        return field, field
    box = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
    box.addItems(choices)
    line, completer = box.lineEdit(), QCompleter(list(choices))
    assert line is not None
    completer.setParent(line)
    line.setCompleter(completer)
    completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    completer.setMaxVisibleItems(len(choices))
    listed = completer.popup()
    assert listed is not None
    listed.setProperty("role", "floating")
    line.installEventFilter(_ListOpener(line, completer))
    return box, line


class _ListOpener(QObject):
    """Shows all choices of a line where one clicks into it."""

    def __init__(self, line: QLineEdit, completer: QCompleter) -> None:
        super().__init__(line)
        self._completer = completer

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonRelease and isinstance(watched, QLineEdit):
            self._completer.setCompletionPrefix("")
            self._completer.complete()
        return False


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
