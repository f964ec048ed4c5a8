"""Asks where an edit of what an included file writes goes: there, in the include, or in a frame of this file."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QLabel, QRadioButton, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_sentence, with_capital
from sdfviewer.document.line_difference import edit_difference, text_difference
from sdfviewer.formats.written_rows import IncludedDocument
from sdfviewer.gui.compare.text_view import DifferenceView
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.written_back import ContextRequest
from sdfviewer.gui.kit.jobs import Background, delayed, report
from sdfviewer.gui.kit.labels import ElidedLabel
from sdfviewer.gui.kit.widgets import column_of, named
from sdfviewer.gui.operations.form_dialog import PREVIEW_MILLISECONDS
from sdfviewer.gui.operations.other_files import ProjectFiles
from sdfviewer.gui.operations.xacro_value import CardDialog
from sdfviewer.number_text import counted
from sdfviewer.refactoring.composition.in_context import FileEffect, Way, WrittenIn

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
        title = QLabel(request.edit.label, wordWrap=True)
        title.setProperty("role", "heading")
        self.form.addRow(title)
        note = QLabel(
            f"This is written in {self._file}, which the file includes. Where does the change go?", wordWrap=True
        )
        note.setProperty("role", "muted")
        self.form.addRow(note)
        self.choices: dict[WrittenIn, QRadioButton] = {}
        self.users = QLabel(wordWrap=True)
        self._group = QButtonGroup(self)
        for way, effect in request.ways:
            self._add(way, effect)
        self.place = ElidedLabel()
        self.place.setProperty("role", "muted")
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
        said = QLabel(as_sentence(way.why) if effect is None else _said(way, effect), wordWrap=True)
        said.setTextFormat(Qt.TextFormat.PlainText)
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
