"""Opens, saves, closes, reloads and recovers files, and asks before anything could be lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from sdfviewer.collection import paused_collection
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import parse_document
from sdfviewer.document.fingerprint import Fingerprint
from sdfviewer.document.xml.encoding import decode
from sdfviewer.files.finder import Finder
from sdfviewer.files.recovery import Recovery, discard_recovery, recoveries
from sdfviewer.files.saving import ChangedOnDiskError, fingerprint, has_changed
from sdfviewer.gui.context.app import UNSAVED, Messages, Notices
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.dialogs.compare.file_states import disk_version
from sdfviewer.gui.shell.comparing import Comparisons
from sdfviewer.gui.shell.evaluating import ask_to_evaluate, make_expander
from sdfviewer.gui.shell.model_folders import ModelFoldersDialog
from sdfviewer.gui.shell.open_file import OpenFile
from sdfviewer.gui.shell.opening import Opening
from sdfviewer.gui.shell.thumbnails import save_thumbnail
from sdfviewer.gui.shell.watcher import FileWatcher
from sdfviewer.gui.shell.welcome import examples
from sdfviewer.refactoring.templates import TEMPLATES
from sdfviewer.session.open_documents import OpenDocuments
from sdfviewer.session.opening import model_file_of
from sdfviewer.session.session import Session

#: How long a file may be gone: programs replace files by removing them first.
GONE_MILLISECONDS = 1000
FILTER = "Robot models (*.sdf *.world *.urdf *.xacro *.xml *.model);;All files (*)"


class Files(QObject):
    """The open files of a window.

    Parameters
    ----------
    settings, notices, messages, comparisons
        The parts of the window that this one uses.
    parent
        The window, to which dialogs belong.

    Attributes
    ----------
    documents
        The sessions of all open files.
    opened
        The open files, in the order in which they were opened.
    current
        The file that is shown, None where none is open.
    model_paths
        Where included models are looked for first.
    """

    #: A file was opened.
    added = Signal(OpenFile)
    #: A file was closed.
    removed = Signal(OpenFile)
    #: Another file is shown, or none.
    current_changed = Signal()
    #: Another file is being opened, or none.
    opening_changed = Signal()

    def __init__(
        self, settings: Settings, notices: Notices, messages: Messages, comparisons: Comparisons, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._parent = parent
        self._settings, self._notices, self._messages = settings, notices, messages
        self._comparisons = comparisons
        self.documents = OpenDocuments()
        self.opened: list[OpenFile] = []
        self._openings: list[Opening] = []
        self.current: OpenFile | None = None
        self._kept: dict[Path, Fingerprint] = {}
        self._expander = make_expander(settings)
        self.model_paths: tuple[Path, ...] = ()
        self._watcher = FileWatcher(self)
        self._watcher.stirred.connect(self.look_at_disk)
        self._gone_soon = QTimer(self, singleShot=True, interval=GONE_MILLISECONDS)
        self._gone_soon.timeout.connect(self.note_missing)

    def show(self, file: OpenFile | None) -> None:
        """Bring a file to the front."""
        if file is self.current:
            return
        if file is not None:
            self.catch_up(file)
        self.current = file
        self.current_changed.emit()

    @property
    def _model_folders(self) -> list[Path]:
        return [*self.model_paths, *self._settings.model_folders]

    def choose_model_folders(self) -> None:
        """Ask in which folders models are looked for, and look again in all open files."""
        dialog = ModelFoldersDialog(self._settings, self._parent)
        dialog.accepted.connect(self._look_again)
        dialog.open()

    def _look_again(self) -> None:
        for file in self.opened:
            file.session.finder.look_in(self._model_folders)
            file.session.refresh()

    # --- open ------------------------------------------------------------------------------------------------------

    def open_dialog(self) -> None:
        """Ask for files and open them."""
        current = self.current
        folder = current.session.path.parent if current and current.session.path else Path.cwd()
        names, _ = QFileDialog.getOpenFileNames(self._parent, "Open", str(folder), FILTER)
        self.open_soon(Path(name) for name in names)

    def open(self, paths: Iterable[Path]) -> None:
        """Open files at once, each in a tab; a file that is open already is shown, of a folder its model."""
        for given in paths:
            started = time.perf_counter()
            try:
                path = self._to_open(given)
                session = None if path is None else self._read(path)
            except SdfViewerError as error:
                self._warn(f"{given.name} cannot be opened.", str(error))
                continue
            if session is not None:
                self._finish(self._built(session, time.perf_counter() - started))

    def open_soon(self, paths: Iterable[Path]) -> None:
        """Open files one after the other beside the window, which shows the progress."""
        for given in paths:
            try:
                path = self._to_open(given)
            except SdfViewerError as error:
                self._warn(f"{given.name} cannot be opened.", str(error))
                continue
            if path is not None and all(each.path != path for each in self._openings):
                opening = Opening(path, partial(self._read, path), self._make, self)
                opening.ended.connect(partial(self._end, opening))
                self._openings.append(opening)
        self._start_opening()

    @property
    def opening(self) -> Opening | None:
        """The file that is being opened, None where none is."""
        return self._openings[0] if self._openings else None

    def _start_opening(self) -> None:
        if self.opening is not None and not self.opening.is_started:
            # The window is painted first.
            QTimer.singleShot(0, self.opening.start)
        self.opening_changed.emit()

    def _end(self, opening: Opening) -> None:
        self._openings.remove(opening)
        opening.deleteLater()
        if opening.file is not None:
            self._finish(opening.file)
        elif opening.error is not None:
            self._warn(f"{opening.path.name} cannot be opened.", str(opening.error))
        else:
            self._expander.cancel()  # nobody waits for what it evaluates
            self._messages.say(f"{opening.path.name} was not opened.")
        self._start_opening()

    def _to_open(self, given: Path) -> Path | None:
        """Return the file that a path means, None where it is open already and now shown."""
        path = model_file_of(given) if given.is_dir() else given
        known = self.find(path)
        if known is not None:
            self.show(known)
            return None
        return path.absolute()

    def _read(self, path: Path) -> Session:
        finder = Finder(self._model_folders)
        return Session.open(path, finder, self.documents.unsaved, self._expander, pausing=paused_collection)

    def _make(self, session: Session, seconds: float) -> OpenFile:
        return OpenFile(session, session.finder, self._settings, seconds, self)

    def _built(self, session: Session, seconds: float = 0.0) -> OpenFile:
        """Return a file with all its views."""
        with paused_collection():  # they make as many objects as the file has elements
            file = self._make(session, seconds)
            for _ in file.build():
                pass
        return file

    def _finish(self, file: OpenFile) -> None:
        """Take a file whose views are made into the window."""
        self._add(file)
        ask_to_evaluate(file, self._settings, self._notices, _topic(file), self._parent)
        path = file.session.path
        if path is not None and all(path != example.path for example in examples()):
            self._settings.add_recent_file(path)

    def new(self, template: str) -> None:
        """Open a new file, which has no path yet, in a tab.

        Parameters
        ----------
        template
            One of :data:`TEMPLATES`.
        """
        document = parse_document(TEMPLATES[template].text())
        finder = Finder(self._model_folders)
        session = Session(document, finder, self.documents.unsaved, self._expander, pausing=paused_collection)
        self._finish(self._built(session))

    def open_behind(self, paths: Sequence[Path]) -> None:
        """Open files in tabs behind the present one."""
        shown = self.current
        self.open(paths)
        if shown is not None:
            self.show(shown)

    def _add(self, file: OpenFile) -> OpenFile:
        self.documents.add(file.session)
        self.opened.append(file)
        file.state_changed.connect(self._forget_unsaved)
        self.added.emit(file)
        self.show(file)
        self._watch()
        return file

    def find(self, path: Path) -> OpenFile | None:
        """Return the tab of a file, None where it is not open."""
        session = self.documents.find(path)
        return next((file for file in self.opened if file.session is session), None)

    def _forget_unsaved(self) -> None:
        if not self.documents.unsaved:
            self._notices.withdraw(UNSAVED)

    @staticmethod
    def catch_up(file: OpenFile) -> None:
        """Show a file with what has become of the files that it includes, on the disk or in other tabs."""
        if not file.session.includes_are_current:
            file.session.refresh()

    # --- save ------------------------------------------------------------------------------------------------------

    def save(self, file: OpenFile) -> bool:
        """Save a file; return whether it is saved now."""
        file.flush()
        if file.session.path is None:
            return self.save_as(file)
        try:
            file.session.save()
        except ChangedOnDiskError:
            return self._resolve_conflict(file)
        except SdfViewerError as error:
            self._refuse_to_save(file, error)
            return False
        self._withdraw_questions(file)
        file.bridge.said.emit(f"Saved {file.name}")
        return True

    def save_all(self) -> bool:
        """Save all files that have changed; return whether all are saved now."""
        unsaved = [each for each in self.opened if each.session.dirty]
        saved = [each for each in unsaved if self.save(each)]
        if len(saved) > 1:
            self._messages.say(f"Saved {len(saved)} files")
        return len(saved) == len(unsaved)

    def _resolve_conflict(self, file: OpenFile) -> bool:
        box = QMessageBox(self._parent)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setText(f"{file.name} was changed by another program after it was read.")
        box.setInformativeText("Overwriting discards the changes of the other program.")
        overwrite = box.addButton("Overwrite", QMessageBox.ButtonRole.DestructiveRole)
        elsewhere = box.addButton("Save As…", QMessageBox.ButtonRole.AcceptRole)
        compare = box.addButton("Compare…", QMessageBox.ButtonRole.ActionRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.exec()
        if box.clickedButton() is compare:
            self.compare_conflict(file)
        if box.clickedButton() is overwrite:
            try:
                file.session.save(overwrite=True)
            except SdfViewerError as error:
                self._refuse_to_save(file, error)
                return False
            self._withdraw_questions(file)
            return True
        return box.clickedButton() is elsewhere and self.save_as(file)

    def save_as(self, file: OpenFile) -> bool:
        """Ask for another file and save there; return whether it is saved now."""
        file.flush()
        start = str(file.session.path or Path.cwd() / "model.sdf")
        name, _ = QFileDialog.getSaveFileName(self._parent, "Save As", start, FILTER)
        return bool(name) and self.save_to(file, Path(name).absolute())

    def save_to(self, file: OpenFile, path: Path) -> bool:
        """Save to another file, which becomes that of the tab; what is there is replaced."""
        open_there = self.find(path)
        if open_there is not None and open_there is not file:
            open_there.flush()
            if open_there.session.dirty:
                detail = f"{path} is open in another tab with unsaved changes. Save or close it there first."
                self._warn(f"{file.name} was not saved.", detail)
                return False
        try:
            # The dialog has asked whether a file that is there may be replaced.
            file.session.save(path, overwrite=True)
        except SdfViewerError as error:
            self._refuse_to_save(file, error)
            return False
        if open_there is not None and open_there is not file:
            self.drop(open_there)
        self._withdraw_questions(file)
        self._settings.add_recent_file(path)
        file.bridge.said.emit(f"Saved {file.name}")
        self._watch()
        return True

    def _refuse_to_save(self, file: OpenFile, error: SdfViewerError) -> None:
        box = self._warn(f"{file.name} could not be saved. Your changes are still here.", str(error))
        elsewhere = box.addButton("Save As…", QMessageBox.ButtonRole.ActionRole)
        elsewhere.clicked.connect(lambda: self.save_as(file))

    # --- close -----------------------------------------------------------------------------------------------------

    def may_close(self, opened: Iterable[OpenFile]) -> bool:
        """Ask about unsaved work; return whether closing may go on."""
        for file in opened:
            file.flush()
            if not file.session.dirty:
                continue
            self.show(file)
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
        self.drop(file)
        return True

    def drop(self, file: OpenFile) -> None:
        """Close a file without asking."""
        if file is self.current and file.session.path in self._settings.recent_files:
            save_thumbnail(file.session.path, file.view, self._settings)
        place = self.opened.index(file)
        self.opened.remove(file)
        self.documents.remove(file.session)
        self._forget_unsaved()
        self._withdraw_questions(file)
        file.close()
        if self.current is file:
            self.show(self.opened[min(place, len(self.opened) - 1)] if self.opened else None)
        self.removed.emit(file)
        file.deleteLater()
        self._watch()

    # --- disk ------------------------------------------------------------------------------------------------------

    def _watch(self) -> None:
        sessions = [file.session for file in self.opened]
        files = [session.path for session in sessions if session.path is not None]
        self._watcher.watch([*files, *(file for session in sessions for file in session.included_files)])

    def look_at_disk(self) -> None:
        """Reload what has changed on disk; ask where there are unsaved changes."""
        for file in self.opened:
            session = file.session
            if not session.includes_are_current:
                session.refresh()
                file.bridge.said.emit(f"Read the files that {file.name} includes again")
            path, known = session.path, session.document.fingerprint
            if path is None or known is None:
                continue
            if not path.exists():
                self._gone_soon.start()
                continue
            if session.history.is_missing:
                session.note_missing(False)
                self._withdraw_questions(file)
            if not has_changed(path, known):
                continue
            file.flush()
            if not session.dirty:
                self.reload(file)
                continue
            kept = self._kept.get(path)
            if kept is not None and not has_changed(path, kept):
                continue  # the user has seen that content and kept what is here
            self._notices.ask(
                _topic(file),
                f"{file.name} was changed by another program, and has unsaved changes here.",
                {
                    "Compare…": partial(self.compare_conflict, file),
                    "Reload from Disk": partial(self.reload, file),
                    "Keep Mine": partial(self.keep_mine, file),
                },
            )
        self._watch()

    def note_missing(self) -> None:
        """Say which open files have gone from the disk; their text is unsaved work now."""
        for file in self.opened:
            session = file.session
            if session.path is None or session.path.exists() or session.history.is_missing:
                continue
            session.note_missing(True)
            self._notices.ask(
                _topic(file),
                f"{file.name} has been removed or moved by another program. Its text is still here.",
                {
                    "Save Again": partial(self.save, file),
                    "Save As…": partial(self.save_as, file),
                    "Close": partial(self.close, file),
                },
            )

    def _withdraw_questions(self, file: OpenFile) -> None:
        self._notices.withdraw(_topic(file))

    def keep_mine(self, file: OpenFile) -> None:
        """Keep unsaved work although another program has changed the file; ask again only when it changes once more.

        Saving asks all the same before it overwrites.
        """
        path = file.session.path
        if path is not None and path.exists():
            self._kept[path] = fingerprint(path)
        file.bridge.said.emit(f"Kept your changes; saving {file.name} asks before it overwrites the file")

    def reload(self, file: OpenFile) -> None:
        """Read a file again; camera, selection and joint positions stay, and undo leads back."""
        file.flush()
        try:
            file.session.reload()
        except SdfViewerError as error:
            self._warn(f"{file.name} can no longer be read.", str(error))
            return
        self._withdraw_questions(file)
        file.bridge.said.emit(f"Reloaded {file.name} from disk")

    # --- comparing -------------------------------------------------------------------------------------------------

    def compare_saved(self, file: OpenFile) -> None:
        """Compare with the file as it lies on disk now."""
        path = file.session.path
        if path is None:
            self._messages.refuse("The text has no file yet.")
        else:
            self._comparisons.open(file, disk_version(file.session, path))

    def compare_conflict(self, file: OpenFile) -> None:
        """Compare unsaved work with what another program wrote meanwhile, and choose one."""
        path = file.session.path
        assert path is not None
        answers: dict[str, Callable[[], None]] = {
            "Reload from Disk": partial(self.reload, file),
            "Keep Mine": partial(self.keep_mine, file),
        }
        self._comparisons.open(file, disk_version(file.session, path), answers)

    # --- recovery --------------------------------------------------------------------------------------------------

    def offer_recovery(self) -> None:
        """Offer unsaved work that a former run left behind."""
        for lost in recoveries():
            if not lost.is_abandoned:
                continue
            if lost.path is not None and _holds(lost.path, lost.data):
                discard_recovery(lost.source)  # it was saved after all
                continue
            name = lost.path.name if lost.path is not None else "a file without a name"
            when = datetime.fromtimestamp(lost.time).strftime("%d %b, %H:%M")
            since = ""
            if lost.path is not None and not lost.path.exists():
                since = " The file itself no longer exists."
            elif lost.path is not None and lost.base is not None and has_changed(lost.path, lost.base):
                since = " The file itself has changed since then."
            self._notices.ask(
                f"lost {lost.source.name}",
                f"sdfviewer ended unexpectedly. Unsaved changes to {name} from {when} were stored.{since}",
                {
                    "Restore": partial(self.restore, lost),
                    "Compare…": partial(self.restore_and_compare, lost),
                    "Discard": partial(discard_recovery, lost.source),
                },
            )

    def restore(self, lost: Recovery) -> OpenFile | None:
        """Open a file with the unsaved work of a former run as one edit that can be undone.

        The work is given up by the former run only when this one has written it down.
        """
        read = decode(lost.data)
        if lost.path is not None and lost.path.exists():
            self.open([lost.path])
            file = self.find(lost.path)
            if file is None:
                return None  # why has been said
            file.flush()
            file.session.recover(read.text)
        else:
            document = parse_document(read.text, lost.path, encoding=read.encoding, on_disk=lost.base)
            finder = Finder(self._model_folders)
            unsaved = self.documents.unsaved
            session = Session(document, finder, unsaved, self._expander, pausing=paused_collection)
            file = self._add(self._built(session))
            file.session.note_missing(True)
        if file.keep_unsaved_work():
            discard_recovery(lost.source)
        return file

    def restore_and_compare(self, lost: Recovery) -> None:
        """Restore unsaved work and show how it differs from the file on disk."""
        file = self.restore(lost)
        if file is not None:
            self.compare_saved(file)

    def _warn(self, text: str, detail: str) -> QMessageBox:
        box = QMessageBox(QMessageBox.Icon.Warning, "sdfviewer", text, QMessageBox.StandardButton.Ok, self._parent)
        box.setInformativeText(detail)
        # Not modal to the program: several files that fail must not block those that open.
        box.open()
        return box


def _topic(file: OpenFile) -> str:
    """Return what a question about the file on disk is called: there is one at a time for each tab."""
    return f"disk {id(file)}"


def _holds(path: Path, data: bytes) -> bool:
    """Return whether a file holds just this."""
    try:
        return path.read_bytes() == data
    except OSError:
        return False
