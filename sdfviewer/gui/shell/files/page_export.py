"""Writes a model as a web page in the background, beside the work in the window."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, Signal

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.export.page.page import PageModel, WebPage, write_page
from sdfviewer.files import saving
from sdfviewer.files.finder import Finder
from sdfviewer.gui.context.app import Notices
from sdfviewer.gui.kit.jobs import Background
from sdfviewer.gui.shell.files.open_file import OpenFile


class PageExport(QObject):
    """The export of what a file shows now: a notice says how far it is, and cancels it.

    Later edits of the file are not in the page. Closing the file ends the export.
    """

    #: How many of how many steps are done, in the thread that writes.
    _went_on = Signal(int, int)

    def __init__(self, file: OpenFile, subject: PageModel, path: Path, notices: Notices) -> None:
        super().__init__(file)
        self._file, self._path, self._notices = file, path, notices
        self._topic = f"page {id(self)}"
        self._is_cancelled = Event()
        self._went_on.connect(self._show)
        self.destroyed.connect(self._is_cancelled.set)
        self._background = Background(self)
        self._background.run(partial(self._write, subject, file.session.finder.fresh()), self._finish, self._fail)
        self._say(f"Writing {path.name}…")

    def _say(self, text: str) -> None:
        self._notices.ask(self._topic, text, {"Cancel": self._cancel}, about=self._file)

    def _show(self, done: int, total: int) -> None:
        if not self._is_cancelled.is_set():
            self._say(f"Writing {self._path.name}: {100 * done // max(total, 1)} %")

    def _cancel(self) -> None:
        self._is_cancelled.set()
        self._file.context.messages.show("Nothing was written.")
        self._end()

    def _write(self, subject: PageModel, finder: Finder) -> WebPage:
        """Write the page in the thread."""

        def tell(done: int, total: int) -> None:
            if self._is_cancelled.is_set():
                raise SdfViewerError("it was cancelled")
            self._went_on.emit(done, total)

        page = write_page(subject, finder, tell=tell)
        tell(1, 1)  # nothing is written once it is cancelled
        saving.save(self._path, page.text.encode("utf-8"), tell=lambda _: None)
        return page

    def _finish(self, page: WebPage) -> None:
        self._end()
        coarser = ", with fewer triangles than in the files of the meshes" if page.coarser else ""
        said = f"Wrote {self._path.name}, {len(page.text) / 1e6:.1f} MB{coarser}"
        self._file.context.messages.show_written(said, self._path)

    def _fail(self, error: SdfViewerError) -> None:
        self._end()
        self._file.context.messages.refuse(str(error))

    def _end(self) -> None:
        self._notices.withdraw(self._topic)
        self._background.stop()
        self.deleteLater()
