"""Cards beside the pointer that ask where an edit goes: of what a xacro file writes, or an included one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor, QShowEvent
from PySide6.QtWidgets import QButtonGroup, QLabel, QLineEdit, QRadioButton, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_sentence, with_capital
from sdfviewer.document.edits import Edit
from sdfviewer.document.element import Element
from sdfviewer.document.line_difference import edit_difference, text_difference
from sdfviewer.formats.written_rows import IncludedDocument
from sdfviewer.formats.xacro.write_back import along_in_words, changed_words
from sdfviewer.gui.compare.text_comparison import DifferenceView
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.edits import edit_by
from sdfviewer.gui.context.topics import WrittenValueRequest, written_text
from sdfviewer.gui.context.written_back import ContextRequest, PlaceRequest
from sdfviewer.gui.kit.jobs import Background, delayed, report
from sdfviewer.gui.kit.labels import ElidedLabel
from sdfviewer.gui.kit.widgets import column_of, named, styled
from sdfviewer.gui.operations.form_dialog import PREVIEW_MILLISECONDS, FormDialog
from sdfviewer.gui.operations.other_files import ProjectFiles
from sdfviewer.number_text import counted
from sdfviewer.operations.properties import set_property
from sdfviewer.refactoring.composition.in_context import FileEffect, Way, WrittenIn
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
        title = styled(QLabel(request.ways.edit.label, wordWrap=True), "heading")
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
        self.along = styled(QLabel(wordWrap=True), "muted")
        self.form.addRow(self.along)
        self._soon = delayed(self, self._preview, PREVIEW_MILLISECONDS)
        self.accepted.connect(self._take)
        self.rejected.connect(request.give_up)
        self.finished.connect(lambda _result: self._soon.stop())
        self.validate()

    def _add_group(self, value: WriteBack) -> None:
        caption = styled(QLabel(f"{value.what} is written in"), "muted")
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


#: So many files are listed; the tooltip has all. So many lines of the text are shown, and so wide is the card.
_MOST_LISTED, _LINES, _WIDTH = 4, 9, 600


class ContextCard(CardDialog):
    """Asks at the pointer where an edit of what is included goes, and shows what each answer writes and moves.

    The arrow keys go through the answers, Enter makes the edit, Escape gives it up.

    Attributes
    ----------
    choices
        The button of each answer.
    users
        The other files that a change of the included file reaches, and what moves in each.
    difference
        The lines that the chosen answer changes.
    """

    def __init__(
        self, context: DocumentContext, request: ContextRequest, others: ProjectFiles, parent: QWidget
    ) -> None:
        super().__init__(request.edit.label, context, parent)
        self.setFixedWidth(_WIDTH)
        self._context, self._request = context, request
        seen = request.edit.document
        assert isinstance(seen, IncludedDocument)
        self._file = "the included file" if seen.path is None else seen.path.name
        title = styled(QLabel(request.edit.label, wordWrap=True), "heading")
        self.form.addRow(title)
        note = styled(
            QLabel(
                f"This is written in {self._file}, which the file includes. Where does the change go?", wordWrap=True
            ),
            "muted",
        )
        self.form.addRow(note)
        self.choices: dict[WrittenIn, QRadioButton] = {}
        self.users = QLabel(wordWrap=True)
        self._group = QButtonGroup(self)
        for way, effect in request.ways:
            self._add(way, effect)
        self.place = styled(ElidedLabel(), "muted")
        self.difference = DifferenceView()
        self.difference.setFixedHeight((_LINES + 1) * self.difference.fontMetrics().lineSpacing())
        self.form.addRow(self.place)
        self.form.addRow(self.difference)
        self._soon = delayed(self, self._preview, PREVIEW_MILLISECONDS)
        self._background = Background()
        self.accepted.connect(lambda: self._request.take(self._chosen))
        self.rejected.connect(request.give_up)
        self.finished.connect(self._stop)
        possible = [way.place for way, _ in request.ways if not way.why]
        if possible:
            self.choices[possible[0]].setChecked(True)
            self.choices[possible[0]].setFocus()
        self._search(others)
        self.validate()

    def _add(self, way: Way, effect: FileEffect | None) -> None:
        texts = {
            WrittenIn.FILE: f"Change {self._file}",
            WrittenIn.INCLUDE: "Override it in this include",
            WrittenIn.FRAME: "Leave it, and add a frame to this file",
        }
        button = named(QRadioButton(texts[way.place].replace("&", "&&")), texts[way.place])
        button.setEnabled(not way.why)
        said = QLabel(
            as_sentence(way.why) if effect is None else _said(way, effect),
            wordWrap=True,
            textFormat=Qt.TextFormat.PlainText,
        )
        place = QWidget()
        column = column_of(button, parent=place, margins=0, spacing=0)
        below = [said, self.users] if way.place is WrittenIn.FILE and effect is not None else [said]
        for label in below:
            label.setProperty("role", "muted")
            label.setContentsMargins(24, 0, 0, 0)
            column.addWidget(label)
        self._group.addButton(button)
        button.toggled.connect(lambda on: self.validate() if on else None)
        self.choices[way.place] = button
        self.form.addRow(place)

    @property
    def _chosen(self) -> Way:
        return next(way for way, _ in self._request.ways if self.choices[way.place].isChecked())

    def validate(self) -> bool:
        """Show the lines that the answer changes, and soon what moves; return whether there is an answer."""
        is_chosen = any(button.isChecked() for button in self.choices.values())
        self.accept_button.setEnabled(is_chosen)
        if is_chosen:
            way = self._chosen
            edit, files = way.edit, way.files
            if files:
                before, after = files[0]
                self.place.set_full_text(before.name)
                self.difference.show_difference(text_difference(before.text, after.text), 1)
            else:
                self.place.set_full_text(edit.document.name)
                self.difference.show_difference(edit_difference(edit.document, edit.replacements), 1)
            self._soon.start()
        return is_chosen

    def _preview(self) -> None:
        self._request.preview(self._chosen)

    # --- other users -------------------------------------------------------------------------------------------------

    def _search(self, others: ProjectFiles) -> None:
        change = next((each for way, _ in self._request.ways for each in way.files), None)
        if change is None:
            return
        self.users.setText("Searching for other files that include it…")
        job = others.users_of(self._context.session, change, lambda: self._background.is_stopped)
        self._background.run(job, self._show_users, self._fail)

    def _fail(self, error: SdfViewerError) -> None:
        self.users.setText(as_sentence(str(error)))
        report(error)

    def _show_users(self, users: Sequence[FileEffect]) -> None:
        lines = [
            f"{each.document.name if each.document.path is None else each.document.path.name}: {each}" for each in users
        ]
        more = len(lines) - _MOST_LISTED
        shown = [*lines[:_MOST_LISTED], *([f"and {counted(more, 'more file')}"] if more > 0 else [])]
        heading = f"{counted(len(users), 'other file')} {'includes' if len(users) == 1 else 'include'} it:"
        self.users.setText("\n".join((heading, *shown)) if lines else "No other file that was found includes it.")
        self.users.setToolTip("\n".join(f"{each.document.name}: {each}" for each in users))
        if self.isVisible():
            self.fit()

    def _stop(self) -> None:
        self._soon.stop()
        self._background.stop()


def _said(way: Way, effect: FileEffect) -> str:
    """Return in a sentence what a way does to the file itself."""
    if way.place is WrittenIn.FRAME:
        names = " and ".join(name.rpartition("::")[2] for name in way.edit.added)
        return f"Nothing that is included moves; the new frame is called {names}."
    if way.place is WrittenIn.FILE and not effect.moved and not effect.faults:
        return "In this file nothing moves, or the include overrides it."
    return as_sentence(with_capital(str(effect)))
