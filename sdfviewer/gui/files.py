"""Files of the window: opened, saved, closed, reloaded, recovered; asking wherever something could be lost."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QMessageBox

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document, parse_document, paused_collection
from sdfviewer.document.encoding import decode
from sdfviewer.document.finder import Finder
from sdfviewer.document.recovery import Recovery, discard_recovery, recoveries
from sdfviewer.document.saving import ChangedOnDiskError, Fingerprint, fingerprint, has_changed
from sdfviewer.gui.model_folders import ModelFoldersDialog
from sdfviewer.gui.opening import model_file_of, open_session
from sdfviewer.gui.watcher import FileWatcher
from sdfviewer.gui.welcome import examples
from sdfviewer.gui.workspace import Workspace
from sdfviewer.session import Session

if TYPE_CHECKING:
    from sdfviewer.gui.window import MainWindow

#: How long a file may be gone: programs replace files by removing them first.
GONE_MILLISECONDS = 1000
#: The topic of the notice that several files are not saved.
UNSAVED = "unsaved"
FILTER = "Robot models (*.sdf *.world *.urdf *.xml *.model);;All files (*)"


class Files:
    """The open files of a window; models they include are looked for in ``model_paths`` first."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.workspaces: list[Workspace] = []
        self._kept: dict[Path, Fingerprint] = {}
        self._unsaved: dict[Path, Document] = {}
        self.model_paths: tuple[Path, ...] = ()
        self._watcher = FileWatcher(window)
        self._watcher.stirred.connect(self.look_at_disk)
        self._gone_soon = QTimer(window, singleShot=True, interval=GONE_MILLISECONDS)
        self._gone_soon.timeout.connect(self.note_missing)

    @property
    def _model_folders(self) -> list[Path]:
        return [*self.model_paths, *self._window.settings.model_folders]

    def choose_model_folders(self) -> None:
        """Ask in which folders models are looked for, and look again in all open files."""
        dialog = ModelFoldersDialog(self._window.settings, self._window)
        dialog.accepted.connect(self._look_again)
        dialog.open()

    def _look_again(self) -> None:
        for workspace in self.workspaces:
            workspace.session.finder.look_in(self._model_folders)
            workspace.session.refresh()

    # --- open ------------------------------------------------------------------------------------------------------

    def open_dialog(self) -> None:
        """Ask for files and open them."""
        current = self._window.current
        folder = current.session.path.parent if current and current.session.path else Path.cwd()
        names, _ = QFileDialog.getOpenFileNames(self._window, "Open", str(folder), FILTER)
        self.open(Path(name) for name in names)

    def open(self, paths: Iterable[Path]) -> None:
        """Open files, each in a tab; a file that is open already is shown, of a folder its model."""
        for given in paths:
            path, started = given, time.perf_counter()
            try:
                if given.is_dir():
                    path = model_file_of(given)
                known = self.find(path)
                if known is not None:
                    self._window.show_workspace(known)
                    continue
                finder = Finder(self._model_folders)
                session = open_session(path.absolute(), finder, self._unsaved, self._window)
            except SdfViewerError as error:
                self._warn(f"{path.name} cannot be opened.", str(error))
                continue
            if session is None:
                self._window.status.say(f"{path.name} was not opened.")
                continue
            with paused_collection():  # views make as many objects as the file has elements
                self._add(session, time.perf_counter() - started)
            if all(path.absolute() != example.path for example in examples()):
                self._window.settings.add_recent_file(path.absolute())

    def _add(self, session: Session, seconds: float = 0.0) -> Workspace:
        workspace = Workspace(session, session.finder, self._window.settings, seconds, self._window)
        self.workspaces.append(workspace)
        workspace.state_changed.connect(self._note_unsaved)
        self._window.add_workspace(workspace)
        self._watch()
        return workspace

    def find(self, path: Path) -> Workspace | None:
        """Return the tab of a file, None where it is not open."""
        for workspace in self.workspaces:
            known = workspace.session.path
            if known is None:
                continue
            if known == path.absolute() or (path.exists() and known.exists() and known.samefile(path)):
                return workspace
        return None

    def _note_unsaved(self) -> None:
        """Let files that are included be read as they are in their tabs; see `catch_up`."""
        sessions = [each.session for each in self.workspaces if each.session.dirty]
        self._unsaved.clear()
        self._unsaved |= {each.path.resolve(): each.document for each in sessions if each.path is not None}
        if not sessions:
            self._window.notices.withdraw(UNSAVED)

    @staticmethod
    def catch_up(workspace: Workspace) -> None:
        """Show a file with what has become of the files that it includes, on the disk or in other tabs."""
        if not workspace.session.includes_are_current:
            workspace.session.refresh()

    # --- save ------------------------------------------------------------------------------------------------------

    def save(self, workspace: Workspace) -> bool:
        """Save a file; return whether it is saved now."""
        workspace.flush()
        if workspace.session.path is None:
            return self.save_as(workspace)
        try:
            workspace.session.save()
        except ChangedOnDiskError:
            return self._resolve_conflict(workspace)
        except SdfViewerError as error:
            self._refuse_to_save(workspace, error)
            return False
        self._withdraw_questions(workspace)
        workspace.bridge.said.emit(f"Saved {workspace.name}")
        return True

    def save_all(self) -> bool:
        """Save all files that have changed; return whether all are saved now."""
        unsaved = [each for each in self.workspaces if each.session.dirty]
        saved = [each for each in unsaved if self.save(each)]
        if len(saved) > 1:
            self._window.status.say(f"Saved {len(saved)} files")
        return len(saved) == len(unsaved)

    def _resolve_conflict(self, workspace: Workspace) -> bool:
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setText(f"{workspace.name} was changed by another program since it was read.")
        box.setInformativeText("Overwriting loses what the other program wrote.")
        overwrite = box.addButton("Overwrite", QMessageBox.ButtonRole.DestructiveRole)
        elsewhere = box.addButton("Save As…", QMessageBox.ButtonRole.AcceptRole)
        compare = box.addButton("Compare…", QMessageBox.ButtonRole.ActionRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.exec()
        if box.clickedButton() is compare:
            self._window.editing.compare_conflict(workspace)
        if box.clickedButton() is overwrite:
            try:
                workspace.session.save(overwrite=True)
            except SdfViewerError as error:
                self._refuse_to_save(workspace, error)
                return False
            self._withdraw_questions(workspace)
            return True
        return box.clickedButton() is elsewhere and self.save_as(workspace)

    def save_as(self, workspace: Workspace) -> bool:
        """Ask for another file and save there; return whether it is saved now."""
        workspace.flush()
        start = str(workspace.session.path or Path.cwd() / "model.sdf")
        name, _ = QFileDialog.getSaveFileName(self._window, "Save As", start, FILTER)
        return bool(name) and self.save_to(workspace, Path(name).absolute())

    def save_to(self, workspace: Workspace, path: Path) -> bool:
        """Save to another file, which becomes that of the tab; what is there is replaced."""
        open_there = self.find(path)
        if open_there is not None and open_there is not workspace:
            open_there.flush()
            if open_there.session.dirty:
                detail = (
                    f"{path} is open in another tab, with changes that are not saved. Save or close it there first."
                )
                self._warn(f"{workspace.name} was not saved.", detail)
                return False
        try:
            # The dialog has asked whether a file that is there may be replaced.
            workspace.session.save(path, overwrite=True)
        except SdfViewerError as error:
            self._refuse_to_save(workspace, error)
            return False
        if open_there is not None and open_there is not workspace:
            self.drop(open_there)
        self._withdraw_questions(workspace)
        self._window.settings.add_recent_file(path)
        workspace.bridge.said.emit(f"Saved {workspace.name}")
        self._watch()
        return True

    def _refuse_to_save(self, workspace: Workspace, error: SdfViewerError) -> None:
        box = self._warn(f"{workspace.name} could not be saved. Your changes are still here.", str(error))
        elsewhere = box.addButton("Save As…", QMessageBox.ButtonRole.ActionRole)
        elsewhere.clicked.connect(lambda: self.save_as(workspace))

    # --- close -----------------------------------------------------------------------------------------------------

    def may_close(self, workspaces: Iterable[Workspace]) -> bool:
        """Ask about unsaved work; return whether closing may go on."""
        for workspace in workspaces:
            workspace.flush()
            if not workspace.session.dirty:
                continue
            self._window.show_workspace(workspace)
            buttons = QMessageBox.StandardButton
            answer = QMessageBox.question(
                self._window,
                "Unsaved changes",
                f"{workspace.name} has changes that are not saved. Save them?",
                buttons.Save | buttons.Discard | buttons.Cancel,
                buttons.Save,
            )
            if answer == buttons.Cancel or (answer == buttons.Save and not self.save(workspace)):
                return False
        return True

    def close(self, workspace: Workspace) -> bool:
        """Close a file, asking about unsaved work; return whether it is closed now."""
        if not self.may_close([workspace]):
            return False
        self.drop(workspace)
        return True

    def drop(self, workspace: Workspace) -> None:
        """Close a file without asking."""
        self.workspaces.remove(workspace)
        self._note_unsaved()
        self._withdraw_questions(workspace)
        workspace.close()
        self._window.remove_workspace(workspace)
        self._watch()

    # --- disk ------------------------------------------------------------------------------------------------------

    def _watch(self) -> None:
        sessions = [workspace.session for workspace in self.workspaces]
        files = [session.path for session in sessions if session.path is not None]
        self._watcher.watch([*files, *(file for session in sessions for file in session.included_files)])

    def look_at_disk(self) -> None:
        """Reload what has changed on disk; ask where there are unsaved changes."""
        for workspace in self.workspaces:
            session = workspace.session
            if not session.includes_are_current:
                session.refresh()
                workspace.bridge.said.emit(f"Read the files that {workspace.name} includes again")
            path, known = session.path, session.document.fingerprint
            if path is None or known is None:
                continue
            if not path.exists():
                self._gone_soon.start()
                continue
            if session.history.is_missing:
                session.note_missing(False)
                self._withdraw_questions(workspace)
            if not has_changed(path, known):
                continue
            workspace.flush()
            if not session.dirty:
                self.reload(workspace)
                continue
            kept = self._kept.get(path)
            if kept is not None and not has_changed(path, kept):
                continue  # the user has seen that content and kept what is here
            self._window.notices.ask(
                _topic(workspace),
                f"{workspace.name} was changed by another program, and has changes here that are not saved.",
                {
                    "Compare…": partial(self._window.editing.compare_conflict, workspace),
                    "Take Theirs": partial(self.reload, workspace),
                    "Keep Mine": partial(self.keep_mine, workspace),
                },
            )
        self._watch()

    def note_missing(self) -> None:
        """Say which open files have gone from the disk; their text is unsaved work now."""
        for workspace in self.workspaces:
            session = workspace.session
            if session.path is None or session.path.exists() or session.history.is_missing:
                continue
            session.note_missing(True)
            self._window.notices.ask(
                _topic(workspace),
                f"{workspace.name} has been removed or moved by another program. Its text is still here.",
                {
                    "Save It Again": partial(self.save, workspace),
                    "Save As…": partial(self.save_as, workspace),
                    "Close": partial(self.close, workspace),
                },
            )

    def _withdraw_questions(self, workspace: Workspace) -> None:
        self._window.notices.withdraw(_topic(workspace))

    def keep_mine(self, workspace: Workspace) -> None:
        """Keep unsaved work although another program has changed the file; ask again only when it changes once more.

        Saving asks all the same before it overwrites.
        """
        path = workspace.session.path
        if path is not None and path.exists():
            self._kept[path] = fingerprint(path)
        workspace.bridge.said.emit(f"Kept the changes here; saving {workspace.name} will ask before it overwrites")

    def reload(self, workspace: Workspace) -> None:
        """Read a file again; camera, selection and joint positions stay, and undo leads back."""
        workspace.flush()
        try:
            workspace.session.reload()
        except SdfViewerError as error:
            self._warn(f"{workspace.name} cannot be read any more.", str(error))
            return
        self._withdraw_questions(workspace)
        workspace.bridge.said.emit(f"Reloaded {workspace.name} from disk")

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
                since = " The file itself is not there any more."
            elif lost.path is not None and lost.base is not None and has_changed(lost.path, lost.base):
                since = " The file itself was changed since."
            self._window.notices.ask(
                f"lost {lost.source.name}",
                f"sdfviewer ended unexpectedly. Unsaved changes to {name} from {when} were kept.{since}",
                {
                    "Restore": partial(self.restore, lost),
                    "Compare…": partial(self.restore_and_compare, lost),
                    "Discard": partial(discard_recovery, lost.source),
                },
            )

    def restore(self, lost: Recovery) -> Workspace | None:
        """Open a file with the unsaved work of a former run as one edit that can be undone.

        The work is given up by the former run only when this one has written it down.
        """
        read = decode(lost.data)
        if lost.path is not None and lost.path.exists():
            self.open([lost.path])
            workspace = self.find(lost.path)
            if workspace is None:
                return None  # why has been said
            workspace.flush()
            workspace.session.recover(read.text)
        else:
            document = parse_document(read.text, lost.path, encoding=read.encoding, on_disk=lost.base)
            workspace = self._add(Session(document, Finder(self._model_folders), self._unsaved))
            workspace.session.note_missing(True)
        if workspace.keep_unsaved_work():
            discard_recovery(lost.source)
        return workspace

    def restore_and_compare(self, lost: Recovery) -> None:
        """Restore unsaved work and show how it differs from the file on disk."""
        workspace = self.restore(lost)
        if workspace is not None:
            self._window.editing.compare_saved(workspace)

    def _warn(self, text: str, detail: str) -> QMessageBox:
        box = QMessageBox(QMessageBox.Icon.Warning, "sdfviewer", text, QMessageBox.StandardButton.Ok, self._window)
        box.setInformativeText(detail)
        # Not modal to the program: several files that fail must not block those that open.
        box.open()
        return box


def _topic(workspace: Workspace) -> str:
    """Return what a question about the file on disk is called: there is one at a time for each tab."""
    return f"disk {id(workspace)}"


def _holds(path: Path, data: bytes) -> bool:
    """Return whether a file holds just this."""
    try:
        return path.read_bytes() == data
    except OSError:
        return False
