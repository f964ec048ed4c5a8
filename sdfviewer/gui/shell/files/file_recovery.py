"""Offers the unsaved work that an earlier run left behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QMessageBox, QTreeWidget, QTreeWidgetItem, QWidget

from sdfviewer.document.document import parse_document
from sdfviewer.document.xml.encoding import decode
from sdfviewer.files.paths import read_regular
from sdfviewer.files.recovery import KeptFile, Recovery, discard_recovery, recoveries
from sdfviewer.files.saving import SaveError, has_changed
from sdfviewer.gui.kit.widgets import column_of, named
from sdfviewer.gui.shell.files.disk_changes import DiskChanges
from sdfviewer.gui.shell.files.files import Files
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.notice import MOST_SHOWN, NoticeBar
from sdfviewer.gui.shell.status import StatusBar

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


#: So many other files are named in a notice.
_MOST_NAMES = 2


class FileRecovery(QObject):
    """Restores unsaved work.

    Parameters
    ----------
    files, disk
        The open files, and what compares them with the disk.
    notices, messages
        Where the work is offered, and where it says why something was not done.
    parent
        The window.
    """

    def __init__(
        self, files: Files, disk: DiskChanges, notices: NoticeBar, messages: StatusBar, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._files, self._disk, self._notices, self._messages = files, disk, notices, messages
        self._parent = parent

    def offer(self) -> None:
        """Offer unsaved work that an earlier run left behind, in one notice where there is much of it."""
        found = [self._describe(lost) for lost in recoveries() if self._is_lost(lost)]
        if len(found) > MOST_SHOWN:
            self._offer_all(found)
            return
        for work in found:
            lost, note = work.recovery, f" {work.note}." * bool(work.note)
            self._notices.ask(
                f"lost {lost.source.name}",
                f"sdfviewer ended unexpectedly. Unsaved changes to {work.name} from {work.when} were stored.{note}",
                {label: partial(answer, lost) for label, answer in self._answers.items()},
            )

    @property
    def _answers(self) -> Mapping[str, Callable[[Recovery], object]]:
        return {
            "Restore": self.restore,
            "Compare…": self.restore_and_compare,
            "Discard": lambda lost: self._discard(lost.source),
        }

    def _is_lost(self, lost: Recovery) -> bool:
        """Return whether only a recovery file has this work; remove one whose work was saved after all."""
        if not lost.is_abandoned:
            return False
        kept = [(lost.path, lost.data), *((each.path, each.data) for each in lost.others)]
        if all(_holds(path, data) for path, data in kept):
            self._discard(lost.source)
            return False
        return True

    @staticmethod
    def _describe(lost: Recovery) -> LostWork:

        name = " and ".join(
            [lost.path.name if lost.path is not None else "a file without a name", *_names(lost.others)]
        )
        note = ""
        if lost.path is not None and not lost.path.exists():
            note = "The file itself no longer exists"
        elif lost.path is not None and lost.base is not None and has_changed(lost.path, lost.base):
            note = "The file itself has changed since then"
        elif changed := [each for each in lost.others if each.base is not None and has_changed(each.path, each.base)]:
            note = f"{' and '.join(_names(changed))} {'have' if len(changed) > 1 else 'has'} changed since then"
        return LostWork(lost, name, datetime.fromtimestamp(lost.time).strftime("%d %b, %H:%M"), note)

    def _offer_all(self, found: list[LostWork]) -> None:
        """Offer much unsaved work in one notice, which comes back as long as some of it is left."""
        self._notices.ask(
            "lost",
            f"sdfviewer ended unexpectedly. Unsaved changes to {len(found)} files were stored.",
            {"Restore…": partial(self._list, found), "Discard All…": partial(self._discard_all, found)},
        )

    def _list(self, found: list[LostWork]) -> None:
        """Let the user choose what to restore, and offer what is left after that."""
        dialog = LostWorkDialog(found, self._answers, self._parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(lambda _result: self.offer())
        dialog.show()

    def _discard_all(self, found: list[LostWork]) -> None:
        """Remove all recovery files if the user confirms it."""
        buttons = QMessageBox.StandardButton
        text = f"Discard the unsaved changes to {len(found)} files? This cannot be undone."
        answer = QMessageBox.question(
            self._parent, "Discard All", text, buttons.Discard | buttons.Cancel, buttons.Cancel
        )
        if answer == buttons.Discard:
            for work in found:
                self._discard(work.recovery.source)
        self.offer()

    def restore(self, lost: Recovery) -> OpenFile | None:
        """Open a file with the unsaved work of an earlier run as one edit that can be undone.

        The work is given up by the earlier run only when this one has stored it.
        """
        read = decode(lost.data)
        if lost.path is not None and lost.path.exists():
            self._files.open([lost.path])
            file = self._files.find(lost.path)
            if file is None:
                return None  # the reason was shown
            file.flush()
            file.session.recover(read.text, lost.others)
        else:
            document = parse_document(read.text, lost.path, encoding=read.encoding, on_disk=lost.base)
            file = self._files.open_document(document)
            if lost.others:
                file.session.recover(read.text, lost.others)
            file.session.note_missing(True)
        if file.keep_unsaved_work():
            self._discard(lost.source)
        return file

    def _discard(self, source: Path) -> None:
        """Remove a recovery file, or say why it stays."""
        try:
            discard_recovery(source)
        except SaveError as error:
            self._messages.refuse(str(error))

    def restore_and_compare(self, lost: Recovery) -> None:
        """Restore unsaved work and show how it differs from the file on disk."""
        file = self.restore(lost)
        if file is not None:
            self._disk.compare_saved(file)


def _names(others: Sequence[KeptFile]) -> list[str]:
    """Return the names of other files, or how many there are."""
    names = [each.path.name for each in others]
    return names if len(names) <= _MOST_NAMES else [f"{len(names)} other files"]


def _holds(path: Path | None, data: bytes) -> bool:
    """Return whether a file has exactly this content."""
    try:
        return path is not None and read_regular(path) == data
    except OSError:
        return False
