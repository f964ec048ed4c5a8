"""The fields of a new shape in a form: which one, and its sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from sdfviewer.gui.kit.widget_properties import named
from sdfviewer.gui.operations.form_dialog import FormDialog, with_unit
from sdfviewer.model.shapes import PRIMITIVES
from sdfviewer.refactoring.new_parts import NewShape

NONE = "none"
_SIZES = {size.path: size for kind in PRIMITIVES.values() for size in kind.sizes}
"""The sizes of all shapes by their tags; shapes with a size of one name share its line."""


class ShapeFields:
    """A list of shapes and a line for each size of the chosen one, filled in with a usual size.

    Attributes
    ----------
    box
        The shapes.
    lines
        The lines by the tag of the size; those in sight belong to the chosen shape.
    """

    def __init__(self, dialog: FormDialog, shapes: Sequence[str], changed: Callable[[], object]) -> None:
        self._dialog, self._changed = dialog, changed
        self.box = named(QComboBox(), "Shape")
        self.box.addItems(list(shapes))
        dialog.add_row("shape", self.box, "The shape; lengths in metres, or with units, as in 12mm")
        self.lines: dict[str, QLineEdit] = {}
        self._rows: dict[str, QWidget] = {}
        for tag, size in _SIZES.items():
            line = self.lines[tag] = named(QLineEdit(), tag)
            line.textChanged.connect(lambda _text: changed())
            row = self._rows[tag] = with_unit(line, size.unit) if size.unit else line
            dialog.add_row(tag, row)
        self.box.currentTextChanged.connect(lambda _text: self._show())
        self._show()

    @property
    def tag(self) -> str:
        """The tag of the chosen shape, empty where none is wanted."""
        text = self.box.currentText()
        return "" if text == NONE else text

    def new_shape(self) -> NewShape | None:
        """Return the chosen shape with the sizes that were typed, None where it is none or not a primitive.

        Raises
        ------
        RefactoringError
            If a size cannot be read.
        """
        if self.tag not in PRIMITIVES:
            return None
        return NewShape.usual(self.tag).with_typed({tag: line.text() for tag, line in self.lines.items()})

    def _show(self) -> None:
        """Show the sizes of the chosen shape; what was typed for another one that has as many numbers stays."""
        kind = PRIMITIVES.get(self.tag)
        sizes = {} if kind is None else NewShape.usual(self.tag).sizes
        for size in () if kind is None else kind.sizes:
            self.lines[size.path].setToolTip(size.help)
        for tag, line in self.lines.items():
            self._dialog.set_row_visible(self._rows[tag], tag in sizes)
            if tag in sizes and not (line.isModified() and len(line.text().split()) == len(sizes[tag].split())):
                line.setText(sizes[tag])
        self._changed()
