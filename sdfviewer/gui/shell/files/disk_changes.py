"""Follows what other programs do to the open files: reloads them, or asks what to do."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document, Fingerprint, parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.files.configuration import settings_files
from sdfviewer.files.opening import open_document
from sdfviewer.files.paths import why_unreadable
from sdfviewer.files.saving import fingerprint, has_changed
from sdfviewer.gui.context.document_context import compute_first
from sdfviewer.gui.kit.file_dialog import show_warning
from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.shell.comparing import Comparisons
from sdfviewer.gui.shell.files.file_saving import FileSaving
from sdfviewer.gui.shell.files.files import Files, disk_topic
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.notice import NoticeBar
from sdfviewer.gui.shell.status import StatusBar
from sdfviewer.session.included_files import RereadDocument, existing, reread
from sdfviewer.session.session_change import SessionChange

if TYPE_CHECKING:
    from sdfviewer.document.merging import Merge

SETTLE_MILLISECONDS = 120
"""How long a file must be quiet: programs write in several steps."""


class FileWatcher(QObject):
    """Watches files and their folders: programs that save by renaming replace the file that was watched."""

    #: Some of the files may have changed.
    stirred = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MILLISECONDS)
        self._watcher.fileChanged.connect(lambda _path: self.look_soon())
        self._watcher.directoryChanged.connect(lambda _path: self.look_soon())
        self._settle.timeout.connect(self.stirred)

    def look_soon(self) -> None:
        """Take the files for changed once they are quiet."""
        if self._watcher.files() or self._watcher.directories():  # Qt may tell of one later than nobody asks any more
            self._settle.start()

    def watch(self, files: Iterable[Path], missing: Iterable[Path] = ()) -> None:
        """Watch these files and no others, and where missing ones may appear."""
        wanted = {str(path) for path in files if path.exists()}
        wanted |= {str(Path(path).parent) for path in wanted}
        wanted |= {folder for path in missing if (folder := _nearest_folder(path))}
        known = {*self._watcher.files(), *self._watcher.directories()}
        if gone := known - wanted:
            self._watcher.removePaths(sorted(gone))
        if not wanted:
            self._settle.stop()
        if new := wanted - known:
            refused = self._watcher.addPaths(sorted(new))
            if missing and len(refused) < len(new):
                self._settle.start()  # one may have appeared before its folder was watched


def _nearest_folder(path: Path) -> str:
    """Return the lowest folder above a path that is there, empty where none is."""
    return next((str(folder) for folder in path.absolute().parents if os.path.isdir(folder)), "")


#: How long the problems of a file must be quiet before the places of its missing files are watched.
MISSING_MILLISECONDS = 300
#: How long a file may be gone: programs replace files by removing them first.
GONE_MILLISECONDS = 1000
#: Characters of a file that is read again in the window's thread; a larger one is read beside it.
MOST_READ_AT_ONCE = 200_000


class DiskChanges(QObject):
    """Keeps the open files of a window up to date with the disk.

    Parameters
    ----------
    files, saving
        The open files, and what saves them.
    notices, messages, comparisons
        The parts of the window that this one uses.
    parent
        The window, to which dialogs belong.
    """

    def __init__(
        self,
        files: Files,
        saving: FileSaving,
        notices: NoticeBar,
        messages: StatusBar,
        comparisons: Comparisons,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._parent = parent
        self._files, self._saving = files, saving
        self._notices, self._messages, self._comparisons = notices, messages, comparisons
        self._ignored: dict[Path, Fingerprint] = {}
        self._watcher = FileWatcher(self)
        self._watcher.stirred.connect(self.look_at_disk)
        self._gone_soon = delayed(self, self.note_missing, GONE_MILLISECONDS)
        self.missing: tuple[Path, ...] = ()
        #: What was missing and is there now, perhaps still being written.
        self._arriving: frozenset[Path] = frozenset()
        self._missing_soon = delayed(self, self._follow_missing, MISSING_MILLISECONDS)
        files.added.connect(self._watch_new)
        files.evaluated.connect(self._watch)
        files.removed.connect(self._forget)
        saving.saved.connect(self._forget)
        saving.comparison_wanted.connect(self.compare_conflict)
        saving.merge_wanted.connect(self.merge)

    def _forget(self, file: OpenFile) -> None:
        """Take away the question about a file that was saved or closed, and forget what it has missed."""
        self._withdraw_question(file)
        self._arriving &= frozenset(self._missing_files())
        if (path := file.session.path) is not None:
            self._ignored.pop(path, None)
        self._watch()

    def _watch_new(self, file: OpenFile) -> None:
        """Watch a file that was opened, and what its problems say is missing."""
        file.context.changed.connect(self._look_for_missing)
        self._watch()

    def _look_for_missing(self, change: SessionChange) -> None:
        if change.document or change.problems:
            self._missing_soon.start()

    def _follow_missing(self) -> None:
        if self._missing_files() != self.missing:
            self._watch()

    def _missing_files(self) -> tuple[Path, ...]:
        return tuple(dict.fromkeys(path for file in self._files.opened for path in file.session.missing_files))

    def _watch(self) -> None:
        self._missing_soon.stop()  # what it would look for is found here
        sessions = [file.session for file in self._files.opened]
        self.missing = self._missing_files()
        files = [session.path for session in sessions if session.path is not None]
        included = [file for session in sessions for file in session.included_files]
        included += [file for path in files for file in settings_files(path)]
        self._watcher.watch([*files, *included, *self._arriving], self.missing)

    def _something_arrives(self) -> bool:
        """Return whether a missing file has just appeared: it is watched, and looked at once it is quiet."""
        before, self._arriving = self._arriving, existing(self._missing_files())
        return not self._arriving <= before

    def look_at_disk(self) -> None:
        """Reload what has changed on disk; ask where there are unsaved changes."""
        if self._something_arrives():
            self._watch()
            self._watcher.look_soon()
            return
        for file in self._files.opened:
            session = file.session
            if not session.includes_are_current:
                appeared = session.missing_files_appeared
                what = "a missing file is there now" if appeared else "what it includes or its settings have changed"
                session.refresh()
                if file is self._files.current:  # else it would hide messages about the file in front
                    text = f"{file.name} was read again: {what}."
                    file.context.messages.show(text)
            path, known = session.path, session.document.fingerprint
            if path is None or known is None:
                continue
            if not path.exists():
                self._gone_soon.start()
                continue
            if session.history.is_missing:
                session.note_missing(False)
                self._withdraw_question(file)
            if not has_changed(path, known):
                continue
            file.flush()
            if not session.dirty:
                self.reload(file)
                continue
            ignored = self._ignored.get(path)
            if ignored is not None and not has_changed(path, ignored):
                continue  # the user has seen that content and kept what is here
            self._notices.ask(
                disk_topic(file),
                f"{file.name} was changed by another program, and has unsaved changes here.",
                {"Compare…": partial(self.compare_conflict, file), **self._answers(file)},
                about=file,
                is_question=True,
            )
        self._watch()

    def note_missing(self) -> None:
        """Report which open files have gone from the disk; their text is unsaved work now."""
        for file in self._files.opened:
            session = file.session
            if session.path is None or session.path.exists() or session.history.is_missing:
                continue
            session.note_missing(True)
            self._notices.ask(
                disk_topic(file),
                f"{file.name} has been removed or moved by another program. Its text is still here.",
                {
                    "Save Again": partial(self._saving.save, file),
                    "Save As…": partial(self._saving.save_as, file),
                    "Close": partial(self._saving.close, file),
                },
                about=file,
                is_question=True,
            )

    def _withdraw_question(self, file: OpenFile) -> None:
        self._notices.withdraw(disk_topic(file))

    def keep_mine(self, file: OpenFile) -> None:
        """Keep unsaved work although another program has changed the file; ask again only when it changes once more.

        Saving still asks before it overwrites.
        """
        path = file.session.path
        if path is not None and path.exists():
            try:
                self._ignored[path] = fingerprint(path)
            except OSError as error:  # it is asked about again when it can be read
                self._messages.refuse(f"Your changes are kept; {why_unreadable(path, error)}")
                return
        file.context.messages.show(f"Kept your changes; saving {file.name} asks before it overwrites the file")

    def reload(self, file: OpenFile) -> None:
        """Read a file again; camera, selection and joint positions stay, and undo leads back."""
        file.flush()
        before = file.session.document
        if len(before.text) < MOST_READ_AT_ONCE:
            self._take(file, before, _reread(before))
        else:
            file.context.run_in_background(lambda: _reread(before), partial(self._take, file, before))

    def _take(self, file: OpenFile, before: Document, answer: RereadDocument | SdfViewerError) -> None:
        """Show what was read, unless the text was edited meanwhile."""
        if isinstance(answer, SdfViewerError):
            show_warning(self._parent, f"{file.name} can no longer be read.", str(answer))
        elif file.session.document is not before:
            self.look_at_disk()
        else:
            file.session.take_reloaded(answer)
            self._withdraw_question(file)
            file.context.messages.show(f"Reloaded {file.name} from disk")

    # --- merging ---------------------------------------------------------------------------------------------------

    def merge(self, file: OpenFile) -> None:
        """Merge unsaved work with what another program has written to the file since it was read or saved last."""
        path = file.session.path
        if path is None:
            self._messages.refuse("The text has no file yet.")
            return
        file.flush()
        known = file.session.document.fingerprint
        if known is not None and not has_changed(path, known):
            file.context.messages.show(f"No other program has changed {file.name}: there is nothing to merge.")
            return
        mine, base_text = file.session.document, file.session.history.saved_text

        from sdfviewer.document.merging import merge  # noqa: PLC0415  # not needed for the first picture

        def read() -> tuple[Merge, Document] | SdfViewerError:
            try:
                theirs = open_document(path)
            except SdfViewerError as error:
                return error
            base = parse_document(base_text, path, encoding=mine.encoding)
            return merge(base, mine, theirs), theirs

        compute_first(file.context, f"Merge {file.name}", read, partial(self._show_merge, file), self._parent)

    def _show_merge(self, file: OpenFile, answer: tuple[Merge, Document] | SdfViewerError) -> None:
        if isinstance(answer, SdfViewerError):
            show_warning(self._parent, f"{file.name} can no longer be read.", str(answer))
            return
        from sdfviewer.gui.compare.merge_dialog import MergeDialog  # noqa: PLC0415  # needed with the first merge

        found, theirs = answer
        take = partial(self._take_merged, file, theirs)
        MergeDialog(file.context, self._comparisons.settings, found, theirs, take, file.view).show()

    def _take_merged(self, file: OpenFile, theirs: Document, edit: Edit) -> None:
        try:
            file.session.take_merged(edit, theirs)
        except SdfViewerError as error:
            file.context.messages.refuse(str(error))
            return
        self._withdraw_question(file)
        file.context.messages.show(f"Merged {file.name} with the version on disk; undo leads back to yours")
        self.look_at_disk()  # it may have changed once more

    # --- comparing -------------------------------------------------------------------------------------------------

    def compare_saved(self, file: OpenFile) -> None:
        """Compare with the file as it is on disk now."""
        path = file.session.path
        if path is None:
            self._messages.refuse("The text has no file yet.")
        else:
            self._compare(file, path)

    def compare_conflict(self, file: OpenFile) -> None:
        """Compare unsaved work with what another program wrote meanwhile, and choose one."""
        path = file.session.path
        assert path is not None
        self._compare(file, path, self._answers(file))

    def _answers(self, file: OpenFile) -> dict[str, Callable[[], None]]:
        """Return what can be done about unsaved work in a file that another program has changed."""
        return {
            "Merge…": partial(self.merge, file),
            "Reload from Disk": partial(self.reload, file),
            "Keep Mine": partial(self.keep_mine, file),
        }

    def _compare(self, file: OpenFile, path: Path, answers: dict[str, Callable[[], None]] | None = None) -> None:
        from sdfviewer.gui.compare.compare_dialog import disk_version  # noqa: PLC0415  # needed with the first comparison

        self._comparisons.open(file, disk_version(file.session, path), answers)


def _reread(document: Document) -> RereadDocument | SdfViewerError:
    try:
        return reread(document)
    except SdfViewerError as error:
        return error
