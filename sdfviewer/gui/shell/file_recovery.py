"""Offers the unsaved work that an earlier run left behind."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from sdfviewer.document.document import parse_document
from sdfviewer.document.xml.encoding import decode
from sdfviewer.files.recovery import Recovery, discard_recovery, recoveries
from sdfviewer.files.saving import SaveError, has_changed
from sdfviewer.gui.context.app import Messages, Notices
from sdfviewer.gui.shell.disk_changes import DiskChanges
from sdfviewer.gui.shell.files import Files
from sdfviewer.gui.shell.open_file import OpenFile


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

    def __init__(self, files: Files, disk: DiskChanges, notices: Notices, messages: Messages, parent: QObject) -> None:
        super().__init__(parent)
        self._files, self._disk, self._notices, self._messages = files, disk, notices, messages

    def offer(self) -> None:
        """Offer unsaved work that an earlier run left behind."""
        for lost in recoveries():
            if not lost.is_abandoned:
                continue
            if lost.path is not None and _holds(lost.path, lost.data):
                self._discard(lost.source)  # it was saved after all
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
                    "Discard": partial(self._discard, lost.source),
                },
            )

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
            file.session.recover(read.text)
        else:
            document = parse_document(read.text, lost.path, encoding=read.encoding, on_disk=lost.base)
            file = self._files.open_document(document)
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


def _holds(path: Path, data: bytes) -> bool:
    """Return whether a file has exactly this content."""
    try:
        return path.read_bytes() == data
    except OSError:
        return False
