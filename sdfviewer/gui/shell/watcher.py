"""Says when an open file has changed on disk."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

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
        self._watcher.fileChanged.connect(lambda _path: self._settle.start())
        self._watcher.directoryChanged.connect(lambda _path: self._settle.start())
        self._settle.timeout.connect(self.stirred)

    def watch(self, files: Iterable[Path]) -> None:
        """Watch these files and no others."""
        wanted = {str(path) for path in files if path.exists()}
        wanted |= {str(Path(path).parent) for path in wanted}
        known = {*self._watcher.files(), *self._watcher.directories()}
        if gone := known - wanted:
            self._watcher.removePaths(sorted(gone))
        if new := wanted - known:
            self._watcher.addPaths(sorted(new))
