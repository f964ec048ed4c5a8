"""Restore Unsaved Changes: a list of the work that earlier runs left behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTreeWidget, QTreeWidgetItem, QWidget

from sdfviewer.files.recovery import Recovery
from sdfviewer.gui.kit.layouts import column_of
from sdfviewer.gui.kit.widget_properties import named

_SIZE = (720, 420)
_NAME_WIDTH = 280


@dataclass(frozen=True, slots=True)
class LostWork:
    """Unsaved work with what a user should know of it: the name of the file, when it was stored, and what to mind."""

    recovery: Recovery
    name: str
    when: str
    note: str

    @property
    def is_stored(self) -> bool:
        """Whether it was neither restored nor discarded yet."""
        return self.recovery.source.exists()


class LostWorkDialog(QDialog):
    """Lists unsaved work; each answer is for the work that is selected in the list, which then leaves it.

    Parameters
    ----------
    found
        The unsaved work.
    answers
        The labels of the buttons, and what each does; a double click does the first.

    Attributes
    ----------
    list
        The unsaved work.
    answer_buttons
        The buttons by their label.
    """

    def __init__(
        self,
        found: Sequence[LostWork],
        answers: Mapping[str, Callable[[Recovery], object]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Restore Unsaved Changes")
        self.resize(*_SIZE)
        self._found = list(found)
        self.list = named(QTreeWidget(), "Unsaved changes")
        self.list.setHeaderLabels(["File", "Stored", "Note"])
        self.list.setRootIsDecorated(False)
        for work in self._found:
            item = QTreeWidgetItem(self.list, [work.name, work.when, work.note])
            item.setToolTip(0, str(work.recovery.path or ""))
        self.list.setColumnWidth(0, _NAME_WIDTH)
        self.list.resizeColumnToContents(1)
        self.list.setCurrentIndex(self.list.model().index(0, 0))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        self.answer_buttons = {
            label: buttons.addButton(label, QDialogButtonBox.ButtonRole.ActionRole) for label in answers
        }
        for label, answer in answers.items():
            self.answer_buttons[label].clicked.connect(lambda _=False, answer=answer: self._answer(answer))
        first = next(iter(answers.values()))
        self.list.itemDoubleClicked.connect(lambda _item, _column: self._answer(first))
        column_of(self.list, buttons, parent=self, margins=16, spacing=12)

    def _answer(self, answer: Callable[[Recovery], object]) -> None:
        """Do what was chosen with the selected work, which leaves the list unless that failed."""
        row = self.list.currentIndex().row()
        if row < 0:
            return
        work = self._found[row]
        answer(work.recovery)
        if work.is_stored:
            return
        del self._found[row]
        self.list.takeTopLevelItem(row)
        if not self._found:
            self.accept()
