"""The fields of a new shape, and of a new joint, in a form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QWidget

from sdfviewer.gui.kit.widgets import named
from sdfviewer.gui.operations.form_dialog import FormDialog, in_line, with_unit
from sdfviewer.model.joints import LIMITS
from sdfviewer.model.shapes import PRIMITIVES
from sdfviewer.number_expression import parse_number
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.new_elements import NEW_AXES
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


_USUAL = ("revolute", "continuous", "prismatic", "fixed")
_WITHOUT_AXIS = (*NEW_AXES, "floating")
_LIMITED = ("revolute", "prismatic", "screw")
_AXES = ("0 0 1", "0 1 0", "1 0 0", "0 0 -1", "0 -1 0", "-1 0 0")


class JointFields:
    """The type of a joint, and below it what that type has.

    Attributes
    ----------
    type
        The types, and "none" where there need not be a joint.
    axis
        The direction of the axis.
    limits
        The lines of ``lower``, ``upper``, ``effort`` and ``velocity``.
    """

    def __init__(
        self, dialog: FormDialog, changed: Callable[[], object], types: Iterable[str], *, optional: bool = False
    ) -> None:
        self._dialog, self._changed = dialog, changed
        self.type = named(QComboBox(), "Joint type" if optional else "Type")
        none = [NONE] if optional else []
        self.type.addItems([*none, *_USUAL, *(each for each in types if each not in _USUAL)])
        label = "joint" if optional else "type"
        dialog.add_row(label, self.type, "How the child moves relative to the parent")
        self.axis = named(QComboBox(editable=True), "axis")
        self.axis.addItems(_AXES)
        self.limits = {tag: named(QLineEdit(placeholderText=tag), tag) for tag in LIMITS}
        self.axis.currentTextChanged.connect(lambda _text: changed())
        for line in self.limits.values():
            line.textChanged.connect(lambda _text: changed())

    def add_rows(self) -> None:
        """Add the rows of the axis and the limits here."""
        self._range_unit, self._power_unit = QLabel(), QLabel()
        limits = in_line(self.limits["lower"], self.limits["upper"], even=True)
        maximum = in_line(self.limits["effort"], self.limits["velocity"], even=True)
        self._range = with_unit(limits, self._range_unit)
        self._power = with_unit(maximum, self._power_unit)
        self._dialog.add_row("axis", self.axis, "The direction of the axis in the frame of the joint: x y z")
        self._dialog.add_row("limits", self._range, "In radians or metres, or with units, as in -90deg or 40mm")
        self._dialog.add_row("maximum", self._power, "Effort in N or N m, and velocity in m/s or rad/s")
        self.type.currentTextChanged.connect(lambda _text: self.show())
        self.show()

    @property
    def kind(self) -> str:
        """The chosen type, empty where no joint is wanted."""
        text = self.type.currentText()
        return "" if text == NONE else text

    def show(self) -> None:
        """Show the fields that the chosen type has."""
        kind, dialog = self.kind, self._dialog
        dialog.set_row_visible(self.axis, bool(kind) and kind not in _WITHOUT_AXIS)
        slides = kind == "prismatic"
        self._range_unit.setText("m" if slides else "rad")
        self._power_unit.setText("N, m/s" if slides else "N m, rad/s")
        dialog.set_row_visible(self._range, kind in _LIMITED)
        dialog.set_row_visible(self._power, kind in _LIMITED or kind == "continuous")
        self._changed()

    def fields(self) -> dict[str, object]:
        """Return the numbers to write by the parameters of the operation, with expressions and units evaluated.

        Raises
        ------
        RefactoringError
            If a number cannot be read.
        """
        kind = self.kind
        if not kind or kind in _WITHOUT_AXIS:
            return {}
        unit = "m" if kind == "prismatic" else "rad"
        tags = tuple(self.limits) if kind in _LIMITED else ("effort", "velocity")
        values = {}
        for tag in tags:
            text = self.limits[tag].text().strip()
            if text:
                values[tag] = _number(tag, text, unit if tag in ("lower", "upper") else "")
        if values.get("lower", -1.0) > values.get("upper", values.get("lower", -1.0)):
            raise RefactoringError("the lower limit is above the upper one")
        return {"axis": self.direction, **values}

    @property
    def direction(self) -> list[float]:
        """The direction of the axis.

        Raises
        ------
        RefactoringError
            If it is none.
        """
        return _numbers("axis", self.axis.currentText())


def _number(tag: str, text: str, unit: str) -> float:
    try:
        return parse_number(text, unit)
    except ValueError as error:
        raise RefactoringError(f"{tag}: {str(error).removesuffix('.')}") from None


def _numbers(tag: str, text: str) -> list[float]:
    numbers = [_number(tag, word, "") for word in text.replace(",", " ").split()]
    if len(numbers) != 3 or not any(numbers):
        raise RefactoringError(f"{tag} needs 3 numbers, not all zero")
    return numbers
