"""A form for another value of what a xacro file writes, and for the place where that goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QButtonGroup, QLabel, QLineEdit, QRadioButton, QWidget

from sdfviewer.display_text import as_sentence
from sdfviewer.document.edits import Edit
from sdfviewer.formats.written_rows import expansion_of
from sdfviewer.gui.context.computing import compute_first
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.requests import WrittenValueRequest, written_text
from sdfviewer.gui.kit.layouts import column_of
from sdfviewer.gui.kit.widget_properties import named
from sdfviewer.gui.operations.form_dialog import FormDialog
from sdfviewer.operations.declaration import EditContext
from sdfviewer.operations.properties import set_property

if TYPE_CHECKING:
    from sdfviewer.formats.xacro.write_back import WriteBack, WriteChoice

#: So many values that change along are named.
_MOST_NAMED = 6


class ValueDialog(FormDialog):
    """Asks for another value of something that a xacro file writes, and for the place where that goes.

    Attributes
    ----------
    value
        The field of the new value.
    choices
        A button for each place, with what is written there; those that keep expressions first.
    """

    def __init__(self, context: DocumentContext, wanted: WrittenValueRequest, parent: QWidget) -> None:
        super().__init__(f"Change {wanted.path}", "Change", parent)
        self._context, self._wanted, self._parent = context, wanted, parent
        self._element, self._part = wanted.element, wanted.part
        model = context.session.model
        assert model is not None
        self._model = model
        self.value = named(QLineEdit(written_text(wanted.element, wanted.part)), f"New value of {wanted.path}")
        self.add_row("Value", self.value, "What the robot has there")
        self._places = QWidget()
        self._column = column_of(parent=self._places, margins=0, spacing=4)
        self.add_row("Written in", self._places, "Where the value comes from")
        self.along = QLabel(wordWrap=True)
        self.along.setProperty("role", "muted")
        self.add_row("", self.along)
        self._group = QButtonGroup(self)
        self._group.idToggled.connect(self._show_along)
        self._found: tuple[WriteChoice, ...] = ()
        self.choices: list[QRadioButton] = []
        self.value.textChanged.connect(lambda _text: self.validate())
        self.accepted.connect(self._apply)
        self.validate()

    def validate(self) -> bool:
        """Offer the places for what is typed, and say why where there is none."""
        from sdfviewer.formats.xacro.write_back import WriteBackError, write_back  # noqa: PLC0415  # few files are xacro

        expanded = expansion_of(self._model)
        assert expanded is not None
        text, fault = self.value.text().strip(), ""
        found: WriteBack | None = None
        if text and text != written_text(self._element, self._part):
            try:
                found = write_back(expanded, self._element, self._part, text)
            except WriteBackError as error:
                fault = str(error)
        self._offer(() if found is None else found.choices)
        if found is not None and not self._found:
            fault = "; ".join(found.refusals)
        self.fault.setText(as_sentence(fault) if fault else "")
        self.accept_button.setEnabled(self.chosen is not None)
        return self.chosen is not None

    def _offer(self, choices: tuple[WriteChoice, ...]) -> None:
        for button in self.choices:
            self._group.removeButton(button)
            button.deleteLater()
        self._found, self.choices = choices, []
        own = [each for each in choices if not each.rewrites]
        for number, choice in enumerate(choices):
            button = QRadioButton("; ".join(change.describe() for change in choice.changes))
            self._group.addButton(button, number)
            self._column.addWidget(button)
            self.choices.append(button)
        if len(own) == 1 or (choices and not own):  # else the user has to choose
            self.choices[choices.index(own[0] if own else choices[0])].setChecked(True)
        self._show_along()

    @property
    def chosen(self) -> WriteChoice | None:
        """What the user has chosen, None while that is open."""
        number = self._group.checkedId()
        return self._found[number] if 0 <= number < len(self._found) else None

    def _show_along(self, *_change: object) -> None:
        from sdfviewer.formats.xacro.write_back import listed_values  # noqa: PLC0415  # few files are xacro

        expanded, choice = expansion_of(self._model), self.chosen
        assert expanded is not None
        others = () if choice is None else tuple(each for each in choice.values if each != (self._element, self._part))
        names = listed_values(expanded, others, _MOST_NAMED)
        self.along.setText(f"Changes along with it: {names}" if others else "")
        self.accept_button.setEnabled(choice is not None)

    def _apply(self) -> None:
        choice, model, wanted = self.chosen, self._model, self._wanted
        assert choice is not None
        session, text = self._context.session, self.value.text().strip()
        if choice.other_files(model.document):
            change = next(each for each in choice.changes if each.document.name != model.document.name)
            self._context.requests.other_file.emit(change.span)
            self._context.messages.refuse(f"This is written in {change.place}: change it there and save that file.")
            return
        where = [f"{change.label} {change.place}" for change in choice.changes]

        on = EditContext(model, session.make_loader(), where=where)
        arguments: dict[str, object] = {"thing": [wanted.row], "path": wanted.path, "value": text}

        def job() -> Edit:
            return set_property.perform(on, arguments).only_edit

        title = f"Change {wanted.path}"
        compute_first(self._context, title, job, self._context.edits.apply, self._parent, is_slow=True)
