"""Files of the window: opened, saved, closed, reloaded, recovered; asking wherever something could be lost."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QMessageBox

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.encoding import decode
from sdfviewer.document.finder import Finder
from sdfviewer.document.saving import (
    ChangedOnDiskError,
    Fingerprint,
    Recovery,
    fingerprint,
    has_changed,
    recoveries,
)
from sdfviewer.gui.model_folders import ModelFoldersDialog
from sdfviewer.gui.watcher import FileWatcher
from sdfviewer.gui.welcome import examples
from sdfviewer.gui.workspace import Workspace
from sdfviewer.session import Session

if TYPE_CHECKING:
    from sdfviewer.gui.window import MainWindow

FILTER = "Robot models (*.sdf *.world *.urdf *.xml *.model);;All files (*)"


class Files:
    """The open files of a window; models they include are looked for in ``model_paths`` first."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.workspaces: list[Workspace] = []
        self._kept: dict[Path, Fingerprint] = {}
        self.model_paths: tuple[Path, ...] = ()
        self._watcher = FileWatcher(window)
        self._watcher.stirred.connect(self.look_at_disk)

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
        """Open files, each in a tab; a file that is open already is shown."""
        for path in paths:
            known = self._find(path)
            if known is not None:
                self._window.show_workspace(known)
                continue
            started = time.perf_counter()
            try:
                finder = Finder(self._model_folders)
                session = Session.open(path.absolute(), finder)
            except SdfViewerError as error:
                self._warn(f"{path.name} cannot be opened.", str(error))
                continue
            workspace = Workspace(session, finder, self._window.settings, time.perf_counter() - started, self._window)
            self._add(workspace)
            if all(path.absolute() != example.path for example in examples()):
                self._window.settings.add_recent_file(path.absolute())

    def _add(self, workspace: Workspace) -> None:
        self.workspaces.append(workspace)
        self._window.add_workspace(workspace)
        self._watch()

    def _find(self, path: Path) -> Workspace | None:
        for workspace in self.workspaces:
            known = workspace.session.path
            if known is not None and path.exists() and known.exists() and known.samefile(path):
                return workspace
        return None

    # --- save ------------------------------------------------------------------------------------------------------

    def save(self, workspace: Workspace) -> bool:
        """Save a file; return whether it is saved now."""
        if workspace.session.path is None:
            return self.save_as(workspace)
        try:
            workspace.session.save()
        except ChangedOnDiskError:
            return self._resolve_conflict(workspace)
        except SdfViewerError as error:
            self._warn(f"{workspace.name} could not be saved.", str(error))
            return False
        workspace.bridge.said.emit(f"Saved {workspace.name}")
        return True

    def _resolve_conflict(self, workspace: Workspace) -> bool:
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setText(f"{workspace.name} was changed by another program since it was read.")
        box.setInformativeText("Overwriting loses what the other program wrote.")
        overwrite = box.addButton("Overwrite", QMessageBox.ButtonRole.DestructiveRole)
        elsewhere = box.addButton("Save As…", QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.exec()
        if box.clickedButton() is overwrite:
            try:
                workspace.session.save(overwrite=True)
            except SdfViewerError as error:
                self._warn(f"{workspace.name} could not be saved.", str(error))
                return False
            return True
        return box.clickedButton() is elsewhere and self.save_as(workspace)

    def save_as(self, workspace: Workspace) -> bool:
        """Ask for another file and save there; return whether it is saved now."""
        start = str(workspace.session.path or Path.cwd() / "model.sdf")
        name, _ = QFileDialog.getSaveFileName(self._window, "Save As", start, FILTER)
        if not name:
            return False
        try:
            # The dialog has asked whether a file that is there may be replaced.
            workspace.session.save(Path(name), overwrite=True)
        except SdfViewerError as error:
            self._warn(f"{Path(name).name} could not be saved.", str(error))
            return False
        self._window.settings.add_recent_file(Path(name))
        self._watch()
        return True

    # --- close -----------------------------------------------------------------------------------------------------

    def may_close(self, workspaces: Iterable[Workspace]) -> bool:
        """Ask about unsaved work; return whether closing may go on."""
        for workspace in workspaces:
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
            if not workspace.session.includes_are_current:
                workspace.session.refresh()
                workspace.bridge.said.emit(f"Read the files that {workspace.name} includes again")
            path, known = workspace.session.path, workspace.session.document.fingerprint
            topic = f"changed {path}"
            # A file that has gone may be on its way back: programs replace files by removing them first.
            if path is None or known is None or not path.exists() or not has_changed(path, known):
                continue
            if not workspace.session.dirty:
                self.reload(workspace)
                continue
            kept = self._kept.get(path)
            if kept is not None and not has_changed(path, kept):
                continue  # the user has seen that content and kept what is here
            self._window.notices.ask(
                topic,
                f"{workspace.name} was changed by another program, and has changes here that are not saved.",
                {
                    "Compare…": partial(self._window.editing.compare_conflict, workspace),
                    "Take Theirs": partial(self.reload, workspace),
                    "Keep Mine": partial(self.keep_mine, workspace),
                },
            )
        self._watch()

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
        try:
            workspace.session.reload()
        except SdfViewerError as error:
            self._warn(f"{workspace.name} cannot be read any more.", str(error))
            return
        workspace.bridge.said.emit(f"Reloaded {workspace.name} from disk")

    # --- recovery --------------------------------------------------------------------------------------------------

    def offer_recovery(self) -> None:
        """Offer unsaved work that a former run left behind."""
        for lost in recoveries():
            if not lost.is_abandoned or lost.path is None:
                continue
            when = datetime.fromtimestamp(lost.time).strftime("%d %b, %H:%M")
            both = lost.base is not None and lost.path.exists() and has_changed(lost.path, lost.base)
            since = " The file itself was changed since." if both else ""
            self._window.notices.ask(
                f"lost {lost.path}",
                f"sdfviewer ended unexpectedly. Unsaved changes to {lost.path.name} from {when} were kept.{since}",
                {
                    "Restore": partial(self.restore, lost),
                    "Compare…": partial(self.restore_and_compare, lost),
                    "Discard": partial(lost.source.unlink, missing_ok=True),
                },
            )

    def restore(self, lost: Recovery) -> None:
        """Open a file with the unsaved work of a former run as one edit that can be undone."""
        assert lost.path is not None
        if not lost.path.exists():
            self._warn(f"{lost.path.name} is not there any more.", f"Its unsaved content is kept in {lost.source}.")
            return
        self.open([lost.path])
        workspace = self._find(lost.path)
        if workspace is not None:
            workspace.session.recover(decode(lost.data).text)

    def restore_and_compare(self, lost: Recovery) -> None:
        """Restore unsaved work and show how it differs from the file on disk."""
        self.restore(lost)
        workspace = self._find(lost.path) if lost.path is not None else None
        if workspace is not None:
            self._window.editing.compare_saved(workspace)

    def _warn(self, text: str, detail: str) -> None:
        box = QMessageBox(QMessageBox.Icon.Warning, "sdfviewer", text, QMessageBox.StandardButton.Ok, self._window)
        box.setInformativeText(detail)
        # Not modal to the program: several files that fail must not block those that open.
        box.open()
