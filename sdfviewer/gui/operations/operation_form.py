"""The form of an operation, made from its declaration: one field for each parameter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QWidget,
)

from sdfviewer.diagnostics import InvalidValueError, SdfViewerError
from sdfviewer.display_text import as_sentence
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.document.line_difference import unified_diff
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.edits import edit_context
from sdfviewer.gui.kit.file_dialog import model_filter
from sdfviewer.gui.kit.frame_picker import FrameChoice, FramePicker, choice_of
from sdfviewer.gui.kit.jobs import Background, Latest
from sdfviewer.gui.kit.widgets import line_of, named, set_style_property
from sdfviewer.gui.operations.form_dialog import EditDialog, in_line, with_unit
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.operations.declaration import EditContext, FileChange, Operation, Outcome, Parameter
from sdfviewer.operations.parameters import (
    AxesType,
    ChoiceType,
    FileType,
    FramesType,
    FrameType,
    NumberType,
    PairType,
    PlacesType,
    SwitchType,
    TargetType,
    WholeType,
)
from sdfviewer.refactoring.editable import EditError
from sdfviewer.session.other_files import OtherEdits

_MOST_NAMES = 4


class OperationForm(EditDialog):
    """Asks for the arguments of an operation; the views show what it would do while the form is open.

    The first parameter that is a frame, or several, gets what is selected; others start with what is suggested.

    Attributes
    ----------
    fields
        The fields by the names of their parameters.
    summary
        What else should be known of the edit, such as how far it moves something.
    progress
        Is shown while a slow operation is performed in the background.
    """

    def __init__(
        self,
        operation: Operation,
        context: DocumentContext,
        rows: Sequence[int],
        parent: QWidget | None = None,
        given: Mapping[str, object] | None = None,
    ) -> None:
        title = operation.menu.text.rstrip("…") if operation.menu is not None else operation.label
        super().__init__(title, operation.verb, context, parent)
        self.setMinimumWidth(420)
        self._operation = operation
        self._given = given or {}
        self._rows, self._names = tuple(rows), [self.model.names[row] for row in rows]
        self._faults: Callable[[], tuple[str, ...]] = tuple
        self.fields: dict[str, QWidget] = {}
        self._read: dict[str, Read] = {}
        for parameter in operation.parameters:
            if not isinstance(parameter.type, PlacesType):
                self._add(parameter)
        note = operation.note or operation.help.partition("\n\n")[2] or operation.help
        self.add_note(" ".join(note.replace("``", "").split()))
        self.summary = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.form.addRow("", self.summary)
        self.progress = named(QProgressBar(), "Computing")
        self.progress.setRange(0, 0)
        self.progress.setTextVisible(False)
        self.form.addRow("", self.progress)
        self.form.setRowVisible(self.progress, False)
        self._latest = Latest()
        self._performed: _Performed | None = None
        self.finished.connect(self._latest.stop)
        self.check = self.compute
        self.validate()

    def take_model(self, model: Model) -> bool:
        """Return whether the frames of the form are still there."""
        return all(name in model.rows_by_name for name in self._names)

    def validate(self) -> bool:
        """Say where the form would change nothing; return whether it can be accepted."""
        is_valid = super().validate()
        self.set_row_visible(self.progress, self._latest.is_running)
        if self._latest.is_running:
            set_style_property(self.fault, "role", "muted")
        touches_others = self.others is not None and bool(self.others.touched)
        if not is_valid or self._edit is None or self._edit.replacements or touches_others:
            return is_valid
        self._summarise("Nothing changes.")
        self.accept_button.setEnabled(False)
        return False

    def compute(self) -> Edit:
        """Return the edit.

        Raises
        ------
        SdfViewerError
            While the form cannot be accepted.
        """
        self._summarise("")
        self.others = None
        arguments = self.arguments()
        latest = self._latest
        on = replace(edit_context(self._context.session), is_cancelled=lambda: latest.is_cancelled)
        done = self._in_background(on, arguments) if self._operation.is_slow else self._operation.perform(on, arguments)
        self._faults = partial(self._operation.faults, on, arguments, done)
        self.others = OtherEdits.of(done)
        sentences = map(as_sentence, (*done.remarks, *done.edit.losses, *done.edit.notes))
        self._summarise("\n".join((*sentences, *map(_shown_change, done.files))))
        return done.edit

    def _in_background(self, on: EditContext, arguments: dict[str, object]) -> Outcome:
        """Return what the operation does, once that is known: the form is checked again then.

        Raises
        ------
        SdfViewerError
            If it cannot be done, or is still being computed.
        """
        known = self._performed
        if known is None or known.document is not on.document or known.arguments != arguments:
            known = self._performed = _Performed(on.document, arguments)

            def take(answer: Outcome | SdfViewerError) -> None:
                known.answer = answer
                self.validate()

            self._latest.run(partial(self._operation.perform, on, arguments), take, take)
        if known.answer is None:
            raise EditError("Computing…")
        if isinstance(known.answer, SdfViewerError):
            raise known.answer
        return known.answer

    def apply(self, edit: Edit) -> bool:
        """Make the edit; what it has changed without a word is looked for in the background, and said."""
        is_applied = super().apply(edit)
        if is_applied and self._operation.reads_back is not None:
            messages, label = self._context.messages, self._operation.label

            def say(faults: tuple[str, ...]) -> None:
                if faults:
                    messages.refuse(f"{label}: {faults[0]} Undo takes it back; please report it with the file.")

            Background(self._context).run(self._faults, say)
        return is_applied

    def arguments(self) -> dict[str, object]:
        """Return the values of the fields by the names of their parameters.

        Raises
        ------
        InvalidValueError
            If something that is typed is no value.
        """
        values: dict[str, object] = {}
        for name, read in self._read.items():
            try:
                values[name] = read()
            except ValueError as error:
                raise InvalidValueError(f"{self._operation.by_name[name].caption}: {error}") from None
        return values

    def _summarise(self, text: str) -> None:
        self.summary.setText(text)
        if text and self.isVisible():
            self.fit()

    # --- fields ------------------------------------------------------------------------------------------------

    def _add(self, parameter: Parameter) -> None:
        """Add the field of a parameter."""
        make = next((make for kind, make in _FIELDS.items() if isinstance(parameter.type, kind)), None)
        field, read = self._typed(parameter) if make is None else make(self, parameter)
        self.fields[parameter.name], self._read[parameter.name] = field, read
        self.add_row(parameter.caption, field, parameter.help[0].upper() + parameter.help[1:])

    def _checked(self, _value: object = None) -> None:
        self.validate()

    def _typed(self, parameter: Parameter) -> tuple[QWidget, Read]:
        return field_of(parameter, self._start(parameter), self._checked)

    def _start(self, parameter: Parameter) -> Any:
        """Return what a field starts with; None where there is nothing."""
        if parameter.name in self._given:
            return self._given[parameter.name]
        start = None if parameter.suggest is None else parameter.suggest(self.model, self._rows)
        return start if start is not None or parameter.is_required else parameter.default

    def _file(self, parameter: Parameter) -> tuple[QWidget, Read]:
        line, read = self._typed(parameter)
        assert isinstance(line, QLineEdit)
        browse = QPushButton("Browse…")
        browse.setToolTip("Choose the file")

        def choose() -> None:
            document = self.model.document
            folder = "" if document.path is None else str(document.path.parent)
            path, _ = QFileDialog.getOpenFileName(self, self.windowTitle(), folder, model_filter())
            if path:
                line.setText(path)

        browse.clicked.connect(choose)
        field = line_of((line, 1), browse, spacing=8)
        field.setFocusProxy(line)
        return field, read

    def _several(self, parameter: Parameter) -> tuple[QWidget, Read]:
        shown = ", ".join(self._names[:_MOST_NAMES])
        more = f" and {len(self._names) - _MOST_NAMES} more" if len(self._names) > _MOST_NAMES else ""
        label = QLabel(shown + more or "all", wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        return label, lambda: tuple(self._names)

    def _frame(self, parameter: Parameter) -> tuple[QWidget, Read]:
        start: str | None = self._start(parameter)
        if start is None and parameter.is_required and self._names and not self._read:
            start = self._names[-1]
        chosen = {"name": start}
        picker = FramePicker(parameter.caption)
        self._show(picker, chosen["name"], parameter)
        picker.opening.connect(lambda: self._offer(picker, parameter))

        def pick(choice: FrameChoice) -> None:
            chosen["name"] = choice.name
            self._show(picker, choice.name, parameter)
            self.validate()

        def read() -> object:
            if chosen["name"] is None and parameter.is_required:
                raise ValueError(f"choose {parameter.type.expects}")
            return chosen["name"]

        picker.picked.connect(pick)
        return picker, read

    def _show(self, picker: FramePicker, name: str | None, parameter: Parameter) -> None:
        row = None if name is None else self.model.rows_by_name.get(name)
        text = name or ("choose…" if parameter.is_required else "default")
        picker.show_choice(text, None if row is None else self.model.kinds[row].value)

    def _offer(self, picker: FramePicker, parameter: Parameter) -> None:
        """Let a picker offer what a parameter may name, with the reason against each of the others."""
        model, kinds = self.model, self.model.kinds
        choices = [] if parameter.is_required else [FrameChoice(None, "default", Kind.FRAME.value)]
        if isinstance(parameter.type, TargetType):
            before: Mapping[str, Any] = self._operation.checked(self._on, {**self.arguments(), parameter.name: None})
            choices += [choice_of(model, target) for target in parameter.type.targets(model, before)]
        else:
            wanted = parameter.type.kinds if isinstance(parameter.type, FrameType) else ()
            choices += [
                FrameChoice(name, name, kinds[row].value)
                for row, name in enumerate(model.names)
                if (kinds[row] in wanted if wanted else kinds[row].is_vertex)
            ]
        picker.set_choices(choices)

    @property
    def _on(self) -> EditContext:
        return edit_context(self._context.session)


@dataclass
class _Performed:
    """What a slow operation does to a text with some arguments, or why it cannot be done; None while it runs."""

    document: Document
    arguments: Mapping[str, object]
    answer: Outcome | SdfViewerError | None = None


def _shown_change(change: FileChange) -> str:
    """Return the lines that another file gets, below its name."""
    text = "" if change.before is None else change.before.text
    difference = unified_diff(change.after.name, text, change.after.text).splitlines()[2:]
    lines = [line[1:] for line in difference if line.startswith("+") and line != "+"]
    path = change.after.path
    name = change.after.name if path is None else path.name
    return "\n".join((f"{name}, saved with this file:", *(f"    {line}" for line in lines)))


#: What makes the field of a type whose values are in the model or on the disk.
_FIELDS: Mapping[type, Callable[[OperationForm, Parameter], tuple[QWidget, Read]]] = {
    FramesType: OperationForm._several,
    FrameType: OperationForm._frame,
    TargetType: OperationForm._frame,
    FileType: OperationForm._file,
}


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
    make = next(make for kind, make in _FIELDS_ALONE.items() if isinstance(parameter.type, kind))
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
_FIELDS_ALONE: Mapping[type, Callable[[Parameter, Any, _Changed], tuple[QWidget, Read]]] = {
    WholeType: _whole,
    ChoiceType: _choice,
    AxesType: _axes,
    PairType: _pair,
    SwitchType: _switch,
    NumberType: _number,
    object: _text,
}
