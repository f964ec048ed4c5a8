"""The tabs of the open files."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QTabBar

from sdfviewer.display_text import visible
from sdfviewer.gui.shell.files.file_saving import FileSaving
from sdfviewer.gui.shell.files.files import Files
from sdfviewer.gui.shell.files.open_file import OpenFile

WIDEST_TAB = 320
"""Pixels of the widest tab: a longer name is shortened in its middle, and the tooltip has the whole path."""


class FileTabs(QTabBar):
    """A tab for each open file, which can be moved and closed."""

    def __init__(self, files: Files, saving: FileSaving) -> None:
        super().__init__(expanding=False, tabsClosable=True, movable=True, documentMode=True, drawBase=False)
        self._files, self._saving = files, saving
        self.setAccessibleName("Open files")
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        # The strip gives a bar that is hidden with its only tab the room it had then.
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.currentChanged.connect(lambda index: self._files.show(self.file_at(index)))
        self.tabCloseRequested.connect(self._close)
        files.added.connect(self._add)
        files.removed.connect(self._remove)
        files.current_changed.connect(self._follow)

    def tabSizeHint(self, index: int) -> QSize:
        """Return the size of a tab, so wide that several files of very long names are in sight."""
        size = super().tabSizeHint(index)
        return QSize(min(size.width(), WIDEST_TAB), size.height())

    def file_at(self, index: int) -> OpenFile | None:
        """Return the file of a tab, None where there is no such tab."""
        file = self.tabData(index)
        return file if isinstance(file, OpenFile) else None

    def _index_of(self, file: OpenFile) -> int:
        return next(index for index in range(self.count()) if self.file_at(index) is file)

    def _add(self, file: OpenFile) -> None:
        # The first tab becomes current before its data is set.
        with QSignalBlocker(self):
            self.setTabData(self.addTab(visible(file.name)), file)
        self._show_states()
        file.state_changed.connect(lambda: self._show_state(file))

    def _remove(self, file: OpenFile) -> None:
        with QSignalBlocker(self):
            self.removeTab(self._index_of(file))
        self._show_states()
        self._follow()

    def _follow(self) -> None:
        if self._files.current is not None:
            with QSignalBlocker(self):
                self.setCurrentIndex(self._index_of(self._files.current))

    def _close(self, index: int) -> None:
        file = self.file_at(index)
        if file is not None:
            self._saving.close(file)

    def _show_states(self) -> None:
        """Show all names: one is longer while another file has the same."""
        for file in map(self.file_at, range(self.count())):
            if file is not None:
                self._show_state(file)

    def _name_of(self, file: OpenFile) -> str:
        """Return the name of a file with as many folders as tell it from other open files of the same name."""
        path = file.session.path
        others = [
            other.session.path.parts
            for other in map(self.file_at, range(self.count()))
            if other is not None and other is not file and other.name == file.name and other.session.path is not None
        ]
        if path is None or not others:
            return file.name
        least = file.name.count("/") + 2
        lengths = range(least, len(path.parts) + 1)
        ends = (path.parts[-length:] for length in lengths if all(o[-length:] != path.parts[-length:] for o in others))
        return "/".join(next(ends, (file.name,)))

    def _show_state(self, file: OpenFile) -> None:
        index = self._index_of(file)
        self.setTabText(index, visible(self._name_of(file)) + (" •" if file.session.dirty else ""))
        self.setTabToolTip(index, str(file.session.path or ""))
