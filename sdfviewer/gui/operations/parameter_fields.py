"""The field of a parameter, made from its declaration, for all types whose values are in no model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QSpinBox, QWidget

from sdfviewer.gui.kit.widgets import line_of, named
from sdfviewer.gui.operations.form_dialog import in_line, with_unit
from sdfviewer.operations.declaration import Parameter
from sdfviewer.operations.parameters import AxesType, ChoiceType, NumberType, PairType, SwitchType, WholeType

#: What returns the value of a parameter from its field; it raises `ValueError` while there is none.
Read: TypeAlias = Callable[[], object]
_Changed: TypeAlias = Callable[..., object]


def field_of(parameter: Parameter, start: Any, changed: _Changed) -> tuple[QWidget, Read]:
    """Return the field of a parameter, and what reads its value.

    Parameters
    ----------
    parameter
        What has no entry of its own here is typed.
    start
        What the field starts with; None where there is nothing.
    changed
        Called after each change by the user, with what the signal of the field says.
    """
    make = next(make for kind, make in _FIELDS.items() if isinstance(parameter.type, kind))
    return make(parameter, start, changed)


def _whole(parameter: Parameter, start: Any, changed: _Changed) -> tuple[QWidget, Read]:
    box = named(QSpinBox(), parameter.caption)
    kind: WholeType = parameter.type  # type: ignore[assignment]  # it is looked up by it
    box.setRange(kind.least, kind.most)
    box.setValue(start or kind.least)
    box.valueChanged.connect(changed)
    return box, box.value


def _choice(parameter: Parameter, start: Any, changed: _Changed) -> tuple[QWidget, Read]:
    words: tuple[str, ...] = parameter.type.words  # type: ignore[attr-defined]  # it is looked up by it
    box = named(QComboBox(), parameter.caption)
    if not parameter.is_required and parameter.default is None:
        box.addItem("automatic", None)
    for word in words:
        box.addItem(word, word)
    return _list(box, start, changed)


def _list(box: QComboBox, start: object, changed: _Changed) -> tuple[QWidget, Read]:
    box.setCurrentIndex(max(box.findData(start), 0))
    box.currentIndexChanged.connect(changed)
    return box, box.currentData


def _axes(parameter: Parameter, start: Any, changed: _Changed) -> tuple[QWidget, Read]:
    kind: AxesType = parameter.type  # type: ignore[assignment]  # it is looked up by it
    if kind.is_one:
        box = named(QComboBox(), parameter.caption)
        for letter, meaning in zip("xyz", kind.meanings, strict=True):
            box.addItem(f"{letter}, {meaning}" if meaning else letter, letter)
        return _list(box, start or "", changed)
    boxes = {letter: named(QCheckBox(letter), f"Along {letter}") for letter in "xyz"}
    for letter, each in boxes.items():
        each.setChecked(letter in (start or ""))
        each.toggled.connect(changed)

    def read() -> str:
        chosen = "".join(axis for axis, each in boxes.items() if each.isChecked())
        if not chosen:
            raise ValueError("choose an axis")
        return chosen

    return in_line(*boxes.values(), even=True), read


def _pair(parameter: Parameter, start: Any, changed: _Changed) -> tuple[QWidget, Read]:
    before, after = (
        named(QLineEdit(text), f"{parameter.caption}, {what}")
        for text, what in zip(start or ("", ""), ("before", "after"), strict=True)
    )
    for each in (before, after):
        each.textChanged.connect(changed)
    field = line_of((before, 1), QLabel("→"), (after, 1), spacing=8)
    field.setFocusProxy(before)
    return field, lambda: (before.text().strip(), after.text().strip())


def _switch(parameter: Parameter, start: Any, changed: _Changed) -> tuple[QWidget, Read]:
    box = named(QCheckBox(parameter.help), parameter.caption)
    box.setChecked(bool(start))
    box.toggled.connect(changed)
    return box, box.isChecked


def _text(parameter: Parameter, start: Any, changed: _Changed) -> tuple[QWidget, Read]:
    text = "" if start is None else " ".join(map(str, start)) if isinstance(start, tuple) else str(start)
    line = named(QLineEdit(text), parameter.caption)
    line.textChanged.connect(changed)

    def read() -> object:
        if not line.text().strip() and not parameter.is_required:
            return parameter.default
        return parameter.type.read(line.text().strip())

    return line, read


def _number(parameter: Parameter, start: Any, changed: _Changed) -> tuple[QWidget, Read]:
    line, read = _text(parameter, start, changed)
    assert isinstance(parameter.type, NumberType)
    return (with_unit(line, parameter.type.unit) if parameter.type.unit else line), read


#: What makes the field of a type; everything that is not named here is typed.
_FIELDS: Mapping[type, Callable[[Parameter, Any, _Changed], tuple[QWidget, Read]]] = {
    WholeType: _whole,
    ChoiceType: _choice,
    AxesType: _axes,
    PairType: _pair,
    SwitchType: _switch,
    NumberType: _number,
    object: _text,
}
