"""Saves and closes files, and asks before anything could be lost."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.files.paths import as_name, is_same_file
from sdfviewer.files.saving import ChangedOnDiskError, LeadsElsewhereError, ReadOnlyFileError
from sdfviewer.files.uris import Keep, UriForm
from sdfviewer.formats.registry import format_of
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.file_dialog import model_filter, show_warning
from sdfviewer.gui.shell.files.files import Files
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.notice import UNSAVED, NoticeBar
from sdfviewer.gui.shell.status import StatusBar
from sdfviewer.number_text import counted
from sdfviewer.session.session import Session

if TYPE_CHECKING:
    from sdfviewer.files.uris import Keep


def suggested_path(session: Session) -> Path:
    """Return where a file is saved unless the user chooses: where it is, a new one under the name of its model."""
    name, known = "" if session.model is None else session.model.local_names[0], format_of(session.document)
    suffix = ".sdf" if known is None else known.suffixes[0]
    return session.path or session.folder / f"{as_name(name, 'model')}{suffix}"


class FileSaving(QObject):
    """Saves and closes the open files of a window.

    Parameters
    ----------
    files
        The open files.
    settings, notices, messages
        The parts of the window that this one uses.
    parent
        The window, to which dialogs belong.
    """

    #: A file was saved.
    saved = Signal(OpenFile)
    #: A file has changed on disk, and the user wants to see how.
    comparison_wanted = Signal(OpenFile)
    #: A file has changed on disk, and the user wants to merge both versions.
    merge_wanted = Signal(OpenFile)

    def __init__(
        self, files: Files, settings: Settings, notices: NoticeBar, messages: StatusBar, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._parent = parent
        self._files, self._settings, self._notices, self._messages = files, settings, notices, messages

    def report_unsaved(self, what: str) -> None:
        """Say, after what was done, that several files hold changes that are not saved, and offer to save them."""
        unsaved = sum(each.dirty for each in self._files.documents.sessions)
        text = f"{what}. {counted(unsaved, 'file')} have unsaved changes; undo each one in its own tab."
        self._notices.ask(UNSAVED, text, {"Save All": self.save_all})

    # --- save ------------------------------------------------------------------------------------------------------

    def save(self, file: OpenFile) -> bool:
        """Save a file; return whether it is saved now."""
        file.flush()
        if file.session.path is None:
            return self.save_as(file)
        try:
            file.session.save(tell=partial(self._tell, file))
        except ChangedOnDiskError as error:
            return self._resolve_conflict(file, error)
        except SdfViewerError as error:
            self._refuse_to_save(file, error)
            return False
        self.saved.emit(file)
        file.context.messages.show(f"Saved {file.name}")
        return True

    def save_all(self) -> bool:
        """Save all files that have changed; return whether all are saved now."""
        unsaved = [each for each in self._files.opened if each.session.dirty]
        saved = [each for each in unsaved if self.save(each)]
        if len(saved) > 1:
            self._messages.show_message(f"Saved {len(saved)} files")
        return len(saved) == len(unsaved)

    def _resolve_conflict(self, file: OpenFile, conflict: ChangedOnDiskError) -> bool:
        box = QMessageBox(self._parent)
        box.setIcon(QMessageBox.Icon.Warning)
        if isinstance(conflict, LeadsElsewhereError):
            box.setText(f"{file.name} leads to another file than when it was read.")
            box.setInformativeText(
                f"It leads to {conflict.now} now, and led to {conflict.before}. Overwriting writes to {conflict.now}."
            )
        else:
            box.setText(f"{file.name} was changed by another program after it was read.")
            box.setInformativeText("Overwriting discards the changes of the other program.")
        overwrite = box.addButton("Overwrite", QMessageBox.ButtonRole.DestructiveRole)
        save_as = box.addButton("Save As…", QMessageBox.ButtonRole.AcceptRole)
        compare = box.addButton("Compare…", QMessageBox.ButtonRole.ActionRole)
        merge = None
        if not isinstance(conflict, LeadsElsewhereError):
            merge = box.addButton("Merge…", QMessageBox.ButtonRole.ActionRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.exec()
        box.deleteLater()
        if box.clickedButton() is compare:
            self.comparison_wanted.emit(file)
        elif box.clickedButton() is merge:
            self.merge_wanted.emit(file)
        if box.clickedButton() is overwrite:
            # Where a path leads is written only if it is given.
            path = file.session.path if isinstance(conflict, LeadsElsewhereError) else None
            try:
                file.session.save(path, overwrite=True, tell=partial(self._tell, file))
            except SdfViewerError as error:
                self._refuse_to_save(file, error)
                return False
            self.saved.emit(file)
            return True
        return box.clickedButton() is save_as and self.save_as(file)

    def save_as(self, file: OpenFile) -> bool:
        """Ask for another file and save there; return whether it is saved now."""
        file.flush()
        start = str(suggested_path(file.session))
        name, _ = QFileDialog.getSaveFileName(self._parent, "Save As", start, model_filter())
        if not name:
            return False
        path = Path(name).absolute()
        goes_on, uris = self.ask_for_uris(file, path)
        return goes_on and self.save_to(file, path, uris)

    def ask_for_uris(self, file: OpenFile, path: Path) -> tuple[bool, UriForm | Keep | None]:
        """Ask how the files of a text are named in another folder, where any is named otherwise from there."""
        session = file.session
        if session.path is not None and is_same_file(session.path, path):
            return True, None
        from sdfviewer.refactoring.composition.moved_text import moved_text  # noqa: PLC0415  # needed with another folder

        if not moved_text(session.document, path, session.finder).changes:
            return True, None
        from sdfviewer.gui.operations.uri_choice import OF_MOVED_TEXT, UriDialog  # noqa: PLC0415  # few files need it

        what = f"{file.name} names files that are not found from {path.parent} as they are written. Name them by:"
        return UriDialog.ask("Save As", "Save", what, OF_MOVED_TEXT, self._parent)

    def save_to(self, file: OpenFile, path: Path, uris: UriForm | Keep | None = None) -> bool:
        """Save to another file, which becomes that of the tab; what is there is replaced."""
        open_there = self._files.find(path)
        if open_there is not None and open_there is not file:
            open_there.flush()
            if open_there.session.dirty:
                detail = f"{path} is open in another tab with unsaved changes. Save or close it there first."
                show_warning(self._parent, f"{file.name} was not saved.", detail)
                return False
        try:
            # The dialog has already asked whether to replace an existing file.
            file.session.save(path, overwrite=True, uris=uris, tell=partial(self._tell, file))
        except SdfViewerError as error:
            self._refuse_to_save(file, error)
            return False
        if open_there is not None and open_there is not file:
            self._files.drop(open_there)
        self.saved.emit(file)
        self._settings.add_recent_file(path)
        file.context.messages.show(f"Saved {file.name}")
        return True

    def _tell(self, file: OpenFile, note: str) -> None:
        """Show what saving has changed besides the content."""
        self._notices.ask(f"saved {file.name}", note, {}, about=file)

    def _refuse_to_save(self, file: OpenFile, error: SdfViewerError) -> None:
        if isinstance(error, ReadOnlyFileError):
            text = f"{file.name} is read-only, so it was not saved."
            detail = "Your changes are still here. Save them in another file, or make this one writable and save again."
        else:
            text, detail = f"{file.name} could not be saved. Your changes are still here.", str(error)
        box = show_warning(self._parent, text, detail)
        save_as = box.addButton("Save As…", QMessageBox.ButtonRole.ActionRole)
        box.setDefaultButton(save_as)
        save_as.clicked.connect(lambda: self.save_as(file))

    # --- close -----------------------------------------------------------------------------------------------------

    def may_close(self, opened: Iterable[OpenFile]) -> bool:
        """Ask about unsaved work; return whether to close."""
        for file in opened:
            file.flush()
            if not file.session.dirty:
                continue
            self._files.show(file)
            buttons = QMessageBox.StandardButton
            answer = QMessageBox.question(
                self._parent,
                "Unsaved changes",
                f"{file.name} has unsaved changes. Save them?",
                buttons.Save | buttons.Discard | buttons.Cancel,
                buttons.Save,
            )
            if answer == buttons.Cancel or (answer == buttons.Save and not self.save(file)):
                return False
        return True

    def close(self, file: OpenFile) -> bool:
        """Close a file, asking about unsaved work; return whether it is closed now."""
        if not self.may_close([file]):
            return False
        self._files.drop(file)
        return True
