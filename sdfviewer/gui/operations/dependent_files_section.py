"""The part of a dialog that shows what a rename means for the files that include the one it is made in."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QLabel, QProgressBar, QPushButton, QScrollArea, QSizePolicy, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import with_capital
from sdfviewer.document.document import Document
from sdfviewer.document.line_difference import edit_difference
from sdfviewer.files.paths import real_path
from sdfviewer.files.search import project_folder
from sdfviewer.gui.compare.text_comparison import DifferenceView
from sdfviewer.gui.kit.jobs import Background, Latest, delayed, report
from sdfviewer.gui.kit.widgets import column_of, named, row_of, styled
from sdfviewer.gui.operations.other_files import DependentSearch, ProjectFiles
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.renaming import DependentEdit
from sdfviewer.session.session import Session

PATH_WIDTH = 520
"""Longer paths are shortened to so many pixels."""

MOST_LINES = 24
"""A difference is as high as it is long, up to so many lines; then it scrolls."""


class DependentFileGroup(QWidget):
    """One file: a check box, how many references change in it, what would be wrong there, its difference.

    Attributes
    ----------
    dependent
        The file and its edit.
    """

    #: It was left in or out.
    toggled = Signal()

    def __init__(self, dependent: DependentEdit, name: str, is_open: bool) -> None:
        super().__init__()
        self.dependent = dependent
        edits = dependent.edit.replacements
        column = column_of(parent=self, margins=(0, 0, 0, 8), spacing=4)
        row = row_of(margins=(4, 4, 8, 0), spacing=8)
        self.check = named(QCheckBox(), f"Rename in {name}", dependent.document.name)
        self.check.setText(self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, PATH_WIDTH))
        self.check.setChecked(True)
        self.check.toggled.connect(lambda _on: self.toggled.emit())
        facts = [counted(len(edits), "reference") if edits else "no references"]
        facts += ["open in a tab"] * is_open
        number = styled(QLabel(" · ".join(facts)), "muted")
        row.addWidget(self.check, 1)
        row.addWidget(number)
        column.addLayout(row)
        for fault in dependent.faults:
            sentence = styled(QLabel(with_capital(fault), wordWrap=True, textFormat=Qt.TextFormat.PlainText), "error")
            sentence.setContentsMargins(28, 0, 8, 0)
            column.addWidget(sentence)
        self.difference = DifferenceView()
        if edits:
            self.difference.show_difference(edit_difference(dependent.document, edits), 1)
            self.difference.setFixedHeight(_height(self.difference, len(self.difference.rows)))
            column.addWidget(self.difference)


def _height(view: DifferenceView, lines: int) -> int:
    margins = 2 * int(view.document().documentMargin()) + view.horizontalScrollBar().sizeHint().height()
    return min(lines, MOST_LINES) * view.fontMetrics().lineSpacing() + margins + 12


class DependentFileList(QScrollArea):
    """All files that follow.

    Attributes
    ----------
    groups
        One for each file.
    """

    #: A file was left in or out.
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, "Other files")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.groups: list[DependentFileGroup] = []
        self._left_out: set[Path | None] = set()

    def show_edits(self, dependents: Sequence[DependentEdit], near: Path, opened: Sequence[Document]) -> None:
        """Show other files; those that were left out before stay so.

        Parameters
        ----------
        near
            The folder that their paths are relative to.
        opened
            Those that are open in tabs.
        """
        self._left_out |= {each.dependent.document.path for each in self.groups if not each.check.isChecked()}
        self._left_out -= {each.dependent.document.path for each in self.groups if each.check.isChecked()}
        content = QWidget()
        column = column_of(parent=content, margins=0, spacing=0)
        self.groups = []
        for dependent in sorted(dependents, key=lambda each: not each.faults):
            path = dependent.document.path
            name = "untitled" if path is None else _short(path, near)
            group = DependentFileGroup(dependent, name, any(each is dependent.document for each in opened))
            group.check.setChecked(path not in self._left_out)
            group.toggled.connect(self.changed)
            column.addWidget(group)
            self.groups.append(group)
        column.addStretch(1)
        self.setWidget(content)

    @property
    def chosen(self) -> list[DependentEdit]:
        """The chosen files that change or would have a problem."""
        return [group.dependent for group in self.groups if group.check.isChecked()]


def _short(path: Path, near: Path) -> str:
    try:
        return os.path.relpath(real_path(path), near)
    except ValueError:  # another drive
        return str(path)


REST_MILLISECONDS = 150
"""Delay after typing a name before its consequences are computed."""

_NOTE = (
    "Nothing is saved yet: each file gets one undo step and stays unsaved until you save it. "
    "Files that are not open are opened in tabs."
)


class DependentFilesSection(QWidget):
    """Finds the files that include one, and shows what changes in them; works in its own thread.

    Parameters
    ----------
    session
        The file.
    model
        What it means before the rename.
    others
        The files beside it.
    """

    #: The results, or the chosen files, have changed.
    changed = Signal()

    def __init__(self, session: Session, model: Model, others: ProjectFiles) -> None:
        super().__init__()
        self._session, self._model, self._others = session, model, others
        self._background = Background()
        self._edits = Latest(self._background)
        self._including: DependentSearch | None = None
        self._wanted: tuple[int, str] | None = None
        self._shown: tuple[int, str] | None = None
        self._rest = delayed(self, self._start, REST_MILLISECONDS)
        self.heading = styled(QLabel(wordWrap=True), "muted")
        self.busy = named(QProgressBar(), "Searching for files")
        self.busy.setRange(0, 0)
        self.busy.setTextVisible(False)
        self.busy.setFixedSize(96, 6)
        self.stop_button = QPushButton("Stop Searching")
        self.stop_button.setToolTip("Rename in this file only")
        self.stop_button.setAutoDefault(False)
        self.stop_button.clicked.connect(self._give_up)
        self.list = DependentFileList()
        self.list.changed.connect(self.changed)
        self.note = styled(QLabel(_NOTE, wordWrap=True), "muted")
        row = row_of((self.heading, 1), self.busy, self.stop_button)
        column_of(row, (self.list, 1), self.note, parent=self, margins=0, spacing=8)
        self._show(())

    # --- searching -------------------------------------------------------------------------------------------------

    def search(self) -> None:
        """Search for the files that include the one of the session."""
        if self._session.path is None:
            self.hide()
            return
        self._including, self._shown = None, None
        self._edits.cancel()
        self._background.run(
            self._others.search(self._session, self._model, lambda: self._background.is_stopped), self._take, self._fail
        )
        self._show(())

    def take_model(self, model: Model) -> None:
        """Look again for another model of the same file."""
        self._model = model
        self._wanted = None
        if not self._background.is_stopped:
            self.search()

    def stop(self) -> None:
        """Look no further."""
        self._rest.stop()
        self._background.stop()

    def _fail(self, error: SdfViewerError) -> None:
        self._give_up()
        report(error)

    def _give_up(self) -> None:
        self.stop()
        self._show(())
        self.changed.emit()

    @property
    def is_busy(self) -> bool:
        """Whether it is not known yet what follows from the rename that was requested."""
        searching = self._including is None and self._session.path is not None
        return not self._background.is_stopped and (searching or self._wanted != self._shown)

    def show_rename(self, renaming: tuple[int, str] | None) -> None:
        """Show what the rename of a row changes in other files; None shows nothing."""
        if renaming == self._wanted or self._session.path is None:
            return
        self._wanted = renaming
        self._edits.cancel()
        if renaming is None or (self._including is not None and not self._including.dependents.documents):
            self._shown = renaming
            self._show(())
        else:
            self._rest.start()
            self._show_message()

    def _take(self, including: DependentSearch) -> None:
        self._including = including
        self._start()
        self._show_message()
        self.changed.emit()

    def _start(self) -> None:
        wanted, including = self._wanted, self._including
        if wanted is not None and including is not None:
            self._edits.run(partial(_find_edits, including, *wanted), partial(self._take_edits, wanted))

    def _take_edits(self, renaming: tuple[int, str], dependents: list[DependentEdit]) -> None:
        self._shown = renaming
        self._show(dependents)
        self.changed.emit()

    # --- showing ---------------------------------------------------------------------------------------------------

    def _show(self, dependents: Sequence[DependentEdit]) -> None:
        path = self._session.path
        if path is not None:
            opened = [each.document for each in dependents if self._others.session_of(each.document) is not None]
            self.list.show_edits(dependents, project_folder(path), opened)
        self.list.setVisible(bool(dependents))
        # Without dependent files, the difference of the file itself gets all the room.
        vertical = QSizePolicy.Policy.Expanding if dependents else QSizePolicy.Policy.Maximum
        self.setSizePolicy(QSizePolicy.Policy.Preferred, vertical)
        self.note.setVisible(bool(dependents))
        self._show_message()

    def _show_message(self) -> None:
        self.busy.setVisible(self.is_busy)
        self.stop_button.setVisible(self.is_busy)
        including = self._including
        if self._background.is_stopped:
            self.heading.setText("Dependent files are not changed.")
            return
        if including is None:
            self.heading.setText("Searching for dependent files…")
            return
        number = len(including.dependents.documents)
        files = f"{counted(number, 'other file')} include{'s' if number == 1 else ''} this one"
        if number == 0:
            text = "No file includes this one."
        elif self._wanted is None:
            text = f"{files}."
        elif self.is_busy:
            text = f"{files}; searching for references…"
        elif not self.list.groups:
            text = f"{files}; {'it does not refer' if number == 1 else 'none of them refers'} to it."
        else:
            text = f"{files}; references are updated in:"
        if not including.search.is_complete:
            text += " Not all files were searched."
        if elsewhere := len(including.search.elsewhere):
            text += (
                f" {counted(elsewhere, 'file')} to which only links lead {'is' if elsewhere == 1 else 'are'} left out."
            )
        self.heading.setText(text)
        looked = counted(including.search.looked_at, "file")
        self.heading.setToolTip(f"Searched {looked} in\n" + "\n".join(map(str, including.places)))

    def require_no_fault(self) -> None:
        """Refuse a name that would put another file in disorder.

        Raises
        ------
        RefactoringError
            With the first fault of a file that is not left out.
        """
        if self._shown != self._wanted:
            return
        for group in self.list.groups:
            if group.dependent.faults and group.check.isChecked():
                file = group.check.text()
                raise RefactoringError(f"the name cannot be used in {file}; choose another, or exclude that file.")

    # --- making ----------------------------------------------------------------------------------------------------

    @property
    def chosen(self) -> list[DependentEdit]:
        """The files that are updated too."""
        return [each for each in self.list.chosen if each.edit.replacements]

    def make(self, here: Callable[[], object]) -> None:
        """Make the edit of the file itself, and those of the others that were not left out.

        Raises
        ------
        SdfViewerError
            If one of the files has changed meanwhile; then none is edited.
        """
        chosen = self.chosen
        try:
            sessions = self._others.open([each.document for each in chosen])
        except SdfViewerError:
            self.search()
            raise
        here()
        for session, dependent in zip(sessions, chosen, strict=True):
            session.apply(dependent.edit, None)
        if chosen:
            self._others.report_unsaved(f"Renamed in {counted(len(chosen), 'other file')}")


def _find_edits(including: DependentSearch, row: int, name: str) -> list[DependentEdit]:
    try:
        return including.dependents.edits_for(row, name)
    except SdfViewerError:
        return []  # the name cannot be given, as the form says
