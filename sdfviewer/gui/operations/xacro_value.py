"""Asks where a new value of what a xacro file writes goes, and shows what each place changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor, QShowEvent
from PySide6.QtWidgets import QButtonGroup, QLabel, QLineEdit, QRadioButton, QWidget

from sdfviewer.document.edits import Edit
from sdfviewer.document.element import Element
from sdfviewer.formats.xacro.write_back import along_in_words, changed_words
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.performing import edit_by
from sdfviewer.gui.context.requests import WrittenValueRequest, written_text
from sdfviewer.gui.context.written_back import PlaceRequest
from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.kit.widgets import column_of, named
from sdfviewer.gui.operations.form_dialog import PREVIEW_MILLISECONDS, FormDialog
from sdfviewer.operations.properties import set_property
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.session.session_change import SessionChange

if TYPE_CHECKING:
    from sdfviewer.formats.xacro.write_back import WriteBack, WriteChoice

#: So many values that change along are named, and so many values with several places have a group of their own.
_MOST_NAMED, _MOST_GROUPS = 6, 8
#: Pixels of the field of a value, and of what is around its text.
_LEAST_VALUE, _MOST_VALUE, _AROUND_VALUE = 260, 560, 32
#: Pixels between the pointer and the card.
_BESIDE = 12


class CardDialog(FormDialog):
    """A question beside the pointer about an edit, which goes when the text changes."""

    def __init__(self, label: str, context: DocumentContext, parent: QWidget) -> None:
        super().__init__(label, "Change", parent)
        self.setWindowFlag(Qt.WindowType.FramelessWindowHint)
        self.setObjectName("card")
        context.changed.connect(self._follow)

    def _follow(self, change: SessionChange) -> None:
        if change.document and self.isVisible():
            self.reject()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.fit()
            self.move(_beside_pointer(self))


def _beside_pointer(widget: QWidget) -> QPoint:
    """Return where a window of its own is beside the pointer, all of it on the screen."""
    at = QCursor.pos() + QPoint(_BESIDE, _BESIDE)
    screen = widget.screen().availableGeometry()
    x = max(min(at.x(), screen.right() - widget.width()), screen.left())
    return QPoint(x, max(min(at.y(), screen.bottom() - widget.height()), screen.top()))


class PlaceCard(CardDialog):
    """Asks at the pointer where an edit of what a xacro file writes goes; the views show what the choice does.

    Each value that can be written in several places has a group of buttons; the way that changes least is chosen at
    first. The arrow keys go through a group, Enter makes the choice, Escape none.

    Attributes
    ----------
    choices
        The buttons of each group, with what is written there.
    along
        What changes along with the choice.
    """

    def __init__(self, context: DocumentContext, request: PlaceRequest, parent: QWidget) -> None:
        super().__init__(request.ways.edit.label, context, parent)
        self._context, self._request, self._ways = context, request, request.ways
        title = QLabel(request.ways.edit.label, wordWrap=True)
        title.setProperty("role", "heading")
        self.form.addRow(title)
        self.choices: list[list[QRadioButton]] = []
        self._groups: list[tuple[WriteBack, QButtonGroup]] = []
        self._first = dict(zip(map(id, self._ways.values), self._ways.smallest, strict=True))
        asked = [each for each in self._ways.values if len(each.possible) > 1]
        for value in asked[:_MOST_GROUPS]:
            self._add_group(value)
        if not asked or len(asked) > _MOST_GROUPS:
            rest = asked[_MOST_GROUPS:] or self._ways.values[:_MOST_GROUPS]
            self.add_note("\n".join(self._first[id(each)].describe(each.expanded) for each in rest[:_MOST_GROUPS]))
        self.along = QLabel(wordWrap=True)
        self.along.setProperty("role", "muted")
        self.form.addRow(self.along)
        self._soon = delayed(self, self._preview, PREVIEW_MILLISECONDS)
        self.accepted.connect(self._take)
        self.rejected.connect(request.give_up)
        self.finished.connect(lambda _result: self._soon.stop())
        self.validate()

    def _add_group(self, value: WriteBack) -> None:
        caption = QLabel(f"{value.what} is written in")
        caption.setProperty("role", "muted")
        place, group = QWidget(), QButtonGroup(self)
        column, buttons = column_of(parent=place, margins=0, spacing=4), list[QRadioButton]()
        for number, choice in enumerate(value.possible):
            button = QRadioButton("; ".join(change.describe() for change in choice.changes).replace("&", "&&"))
            group.addButton(button, number)
            column.addWidget(button)
            buttons.append(button)
        buttons[value.possible.index(self._first[id(value)])].setChecked(True)
        group.idToggled.connect(lambda _id, on: self.validate() if on else None)
        self.form.addRow(caption)
        self.form.addRow(place)
        if not self._groups:
            buttons[group.checkedId()].setFocus()
        self._groups.append((value, group))
        self.choices.append(buttons)

    @property
    def chosen(self) -> WriteChoice | None:
        """The choice, None where its parts would need different texts at one place."""
        picked = {**self._first, **{id(value): value.possible[group.checkedId()] for value, group in self._groups}}
        return self._ways.merged([picked[id(value)] for value in self._ways.values])

    def validate(self) -> bool:
        """Say what changes along with the choice, and show soon what it does; return whether it can be made."""
        choice = self.chosen
        along, moved = ((), ()) if choice is None else (self._ways.along(choice), self._ways.moved_along(choice))
        self.along.setText("\n".join(self._said_along(along, moved, _MOST_NAMED)) or "Nothing else changes.")
        self.along.setToolTip("\n".join(self._said_along(along, moved, max(len(along), len(moved)))))
        self.fault.setText("" if choice else "These need different texts at one place; choose others.")
        self.accept_button.setEnabled(choice is not None)
        self._soon.start()
        return choice is not None

    def _said_along(self, along: Sequence[tuple[Element, str]], moved: Sequence[int], most: int) -> Iterator[str]:
        """Yield what changes and what moves along, so many of each by name."""
        yield from along_in_words(self._ways.expanded, along, most)
        if moved:
            names = self._ways.model.local_names
            more = f" and {len(moved) - most} more" if len(moved) > most else ""
            yield f"Moves along with it: {', '.join(names[row] for row in moved[:most])}{more}"

    def _preview(self) -> None:
        self._request.preview(self.chosen)

    def _take(self) -> None:
        choice = self.chosen
        assert choice is not None
        self._request.take(choice)


class ValueDialog(FormDialog):
    """Asks for another value of something that a xacro file writes.

    Attributes
    ----------
    value
        The field of the new value.
    """

    def __init__(self, context: DocumentContext, wanted: WrittenValueRequest, parent: QWidget) -> None:
        super().__init__(f"Change {wanted.path}", "Change", parent)
        self._context, self._wanted = context, wanted
        model = context.session.model
        assert model is not None
        self._name, self._before = model.names[wanted.row], written_text(wanted.element, wanted.part)
        self.value = named(QLineEdit(self._before), f"New value of {wanted.path}")
        room = self.value.fontMetrics().horizontalAdvance(self._before) + _AROUND_VALUE
        self.value.setMinimumWidth(max(_LEAST_VALUE, min(room, _MOST_VALUE)))
        self.add_row("Value", self.value, "What the robot has there")
        self.value.textChanged.connect(lambda _text: self.validate())
        self.accepted.connect(self._apply)
        self.check = self._compute
        self.validate()

    def validate(self) -> bool:
        """Say why a value is refused; return whether there is another one that is not."""
        is_other = changed_words(self.value.text(), self._before)
        is_valid = is_other and super().validate()
        self.accept_button.setEnabled(is_valid)
        return is_valid

    def _compute(self) -> Edit:
        session = self._context.session
        model = session.model
        if model is None or self._name not in model.rows_by_name:
            raise RefactoringError(f"'{self._name}' no longer exists")
        arguments = {"thing": [model.row(self._name)], "path": self._wanted.path, "value": self.value.text().strip()}
        return edit_by(session, model, set_property, **arguments)

    def _apply(self) -> None:
        self._context.edits.make(self._compute)
