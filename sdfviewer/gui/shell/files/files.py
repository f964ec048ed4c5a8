"""The open files of a window: opens them, shows one of them, closes them."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget
from shiboken6 import isValid

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document, parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import current_folder
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.gui.context.missing import Missing
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.file_dialog import model_filter, show_warning
from sdfviewer.gui.kit.jobs import Later
from sdfviewer.gui.shell.files.evaluating import Evaluations, decisions_of, make_expander
from sdfviewer.gui.shell.files.open_file import PANELS, OpenFile, PreparedViews
from sdfviewer.gui.shell.files.opening import ClosedFiles, Opening
from sdfviewer.gui.shell.notice import UNSAVED, NoticeBar
from sdfviewer.gui.shell.status import StatusBar
from sdfviewer.gui.shell.welcome import examples, save_thumbnail
from sdfviewer.number_text import counted
from sdfviewer.refactoring.templates import SIMULATORS, TEMPLATES
from sdfviewer.session.session import Session
from sdfviewer.session.unsaved_work import OpenDocuments, model_file_of

#: Maximum number of files of which a warning says why they cannot be opened.
_MOST_REASONS = 5


class Files(QObject):
    """The open files of a window.

    Parameters
    ----------
    settings, notices, messages
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
    closed
        Gives the memory of closed files back.
    model_paths
        Where included models are looked for first.
    panels_in_sight
        Returns the ids of the panels that a file needs when it is shown; the others are made afterwards.
    """

    #: A file was opened.
    added = Signal(OpenFile)
    #: The views of a file are about to be made.
    making = Signal(OpenFile)
    #: A file has been evaluated: other files may be included now.
    evaluated = Signal(OpenFile)
    #: A file was closed.
    removed = Signal(OpenFile)
    #: Another file is shown, or none.
    current_changed = Signal()
    #: Another file is being opened, or none.
    opening_changed = Signal()

    def __init__(self, settings: Settings, notices: NoticeBar, messages: StatusBar, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self._later = Later(self)
        self._settings, self._notices, self._messages = settings, notices, messages
        self.documents = OpenDocuments()
        self.opened: list[OpenFile] = []
        self._openings: list[Opening] = []
        self._refused: list[str] = []
        self._warning: QMessageBox | None = None
        self.current: OpenFile | None = None
        self._expander = make_expander(settings)
        self._evaluations: dict[OpenFile, Evaluations] = {}
        self.model_paths: tuple[Path, ...] = ()
        self.closed = ClosedFiles(self._count_rows, self)
        self.panels_in_sight: Callable[[], Collection[str]] = lambda: PANELS

    def show(self, file: OpenFile | None) -> None:
        """Show the tab of a file."""
        if file is self.current:
            return
        if file is not None:
            self.catch_up(file)
        self.current = file
        self.current_changed.emit()
        if file is not None:
            file.build_others()

    def _folders_for(self, path: Path | None) -> list[Path]:
        """Return the folders of models for a file: those of the command line, of all files, and of those beside it."""
        used = [] if path is None else self._settings.folders_used_for(path)
        return [*self.model_paths, *self._settings.model_folders, *used]

    def choose_model_folders(self) -> None:
        """Ask in which folders models are looked for, and look again in all open files."""
        path = None if self.current is None else self.current.session.path
        from sdfviewer.gui.shell.files.missing_models import ModelFoldersDialog  # noqa: PLC0415  # few open it

        dialog = ModelFoldersDialog(self._settings, path, self._parent)
        dialog.accepted.connect(self._look_again)
        dialog.open()

    def use_folders(self, file: OpenFile, folders: Sequence[Path]) -> None:
        """Look for the models of a file, and of the files beside it, in further folders from now on."""
        path = file.session.path
        if path is None:
            self._settings.model_folders = [*self._settings.model_folders, *folders]
        else:
            self._settings.use_folders_for(path, [*self._settings.folders_used_for(path), *folders])
        self._look_again()
        self._messages.show_message("File › Model Folders lists the folders in use.")

    def locate_folder(self, file: OpenFile) -> None:
        """Ask for the folder that holds what a file does not find, and use it."""
        title = f"Folder That Holds {Missing.of_problems(file.session.diagnostics).named}"
        name = QFileDialog.getExistingDirectory(self._parent, title, str(file.session.folder))
        if name:
            self.use_folders(file, [Path(name)])

    def _look_again(self) -> None:
        for file in self.opened:
            file.session.finder.look_in(self._folders_for(file.session.path))
            file.session.refresh()
            file.view.fit_again()

    # --- open ------------------------------------------------------------------------------------------------------

    def open_dialog(self) -> None:
        """Ask for files and open them."""
        current = self.current
        folder = current_folder() if current is None else current.session.folder
        names, _ = QFileDialog.getOpenFileNames(self._parent, "Open", str(folder), model_filter())
        self.open_soon(Path(name) for name in names)

    def open(self, paths: Iterable[Path]) -> None:
        """Open files at once, each in a tab; a file that is open already is shown, of a folder its model."""
        for given in paths:
            started = time.perf_counter()
            try:
                path = self._to_open(given)
                session = None if path is None else self._read(path, self._expander, waits=False)
            except SdfViewerError as error:
                self._refuse(given.name, str(error))
                continue
            if session is not None:
                self._finish(self._built(session, time.perf_counter() - started))

    def open_soon(self, paths: Iterable[Path]) -> None:
        """Open files one after the other in the background; the window shows the progress."""
        opening = {each.path for each in self._openings}
        for given in paths:
            try:
                path = self._to_open(given)
            except SdfViewerError as error:
                self._refuse(given.name, str(error))
                continue
            if path is not None and path not in opening:
                opening.add(path)
                expander = self._expander.fork()
                read = partial(self._prepare, path, expander)
                self._add_opening(path.name, path, read, expander)
        self._start_opening()

    def open_then(self, path: Path, do: Callable[[OpenFile], object]) -> None:
        """Open a file as :meth:`open_soon` does, where it is not open yet, and do something with it then."""

        def do_when_open() -> None:
            file = self.find(path)
            if file is not None or self.opening is None:
                self.opening_changed.disconnect(do_when_open)
            if file is not None:
                do(file)

        self.opening_changed.connect(do_when_open)
        self.open_soon([path])

    def _refuse(self, name: str, why: str) -> None:
        """Report that a file cannot be opened: hundreds of files that are dropped are one warning."""
        box = self._warning
        if box is None or not isValid(box) or not box.isVisible():
            self._refused = [why]
            self._warning = show_warning(self._parent, f"{name} cannot be opened.", why)
            return
        self._refused.append(why)
        more = len(self._refused) - _MOST_REASONS
        rest = [f"and {more:,} more"] if more > 0 else []
        box.setText(f"{counted(len(self._refused), 'file')} cannot be opened.")
        box.setInformativeText("\n".join([*self._refused[:_MOST_REASONS], *rest]))

    def _add_opening(self, name: str, path: Path | None, read: Callable[[], PreparedViews], expander: Expander) -> None:
        opening = Opening(name, path, read, self._make_prepared, self.panels_in_sight, self)
        opening.ended.connect(partial(self._end, opening, expander))
        self._openings.append(opening)

    @property
    def opening(self) -> Opening | None:
        """The file that is being opened, None where none is."""
        return self._openings[0] if self._openings else None

    def cancel_openings(self) -> None:
        """Open no further file; one that is open already, and not shown yet, stays open."""
        for opening in reversed(tuple(self._openings)):  # the first one last, so that no other is started instead
            opening.cancel()

    def _start_opening(self) -> None:
        if self.opening is not None and not self.opening.is_started:
            # The window is painted first.
            QTimer.singleShot(0, self.opening.start)
        self.opening_changed.emit()

    def _end(self, opening: Opening, expander: Expander) -> None:
        known = None if opening.file is None or opening.path is None else self.find(opening.path)
        if opening.file is not None and known is None:
            self._take(opening.file)
            # To show its panels lays them all out, which is a step of its own.
            self._later.do(partial(self._show_opened, opening))
            return
        self._openings.remove(opening)
        opening.deleteLater()
        if opening.file is not None and known is not None:  # it was opened in another way meanwhile
            opening.file.discard()
            self.show(known)
            self._start_opening()
            return
        if opening.error is not None:
            self._refuse(opening.name, str(opening.error))
        else:
            expander.abandon()  # what it evaluates is no longer needed
            self._messages.show_message(f"{opening.name} was not opened.")
        self._start_opening()

    def _show_opened(self, opening: Opening) -> None:
        self._openings.remove(opening)
        opening.deleteLater()
        if opening.file is not None and opening.file in self.opened:  # else it was closed at once
            self._present(opening.file)
        # New widgets are painted at once, which is a step of its own.
        self._later.do(self._start_opening)

    def _to_open(self, given: Path) -> Path | None:
        """Return the file that a path means, None where it is open already and now shown."""
        path = model_file_of(given) if given.is_dir() else given
        known = self.find(path)
        if known is not None:
            self.show(known)
            return None
        return path.absolute()

    def _read(self, path: Path, expander: Expander, *, waits: bool = True) -> Session:
        finder = Finder(self._folders_for(path), replaces_fuel=True)
        unsaved = self.documents.unsaved
        return Session.open(path, finder, unsaved, expander, waits=waits)

    def _prepare(self, path: Path, expander: Expander) -> PreparedViews:
        return PreparedViews(self._read(path, expander))

    def _make_prepared(self, prepared: PreparedViews, seconds: float) -> OpenFile:
        file = OpenFile(prepared.session, self._settings, seconds, self, prepared)
        self.making.emit(file)
        return file

    def _built(self, session: Session, seconds: float = 0.0) -> OpenFile:
        """Return a file with the views in sight."""
        file = OpenFile(session, self._settings, seconds, self)
        self.making.emit(file)
        for _ in file.build(self.panels_in_sight()):
            pass
        return file

    def _finish(self, file: OpenFile) -> None:
        """Take a file whose views are made into the window, and show it."""
        self._take(file)
        self._present(file)

    def _present(self, file: OpenFile) -> None:
        """Show a file that was opened, with what there is to say about it."""
        self.show(file)
        self._report_hidden(file)
        path = file.session.path
        if path is not None and all(path != example.path for example in examples()):
            self._settings.add_recent_file(path)

    def _report_hidden(self, file: OpenFile) -> None:
        """Report that a file opens with hidden parts, which the user may have forgotten."""
        session, topic = file.session, _hidden_topic(file)
        count = len(session.visibility.hidden)
        if not count:
            return
        left = "is hidden, as you left it." if count == 1 else "are hidden, as you left them."
        self._notices.ask(
            topic,
            f"{counted(count, 'element')} of {file.name} {left}",
            {"Show All": lambda: session.set_visibility(session.visibility.show_all())},
            "mdi6.eye-off-outline",
        )
        file.context.changed.connect(lambda change: self._notices.withdraw(topic) if change.visibility else None)

    def new(self, template: str) -> None:
        """Open a new file, which has no path yet, in a tab: in the background, as its views take a while.

        Parameters
        ----------
        template
            One of :data:`TEMPLATES`.
        """
        version, expander = SIMULATORS[self._settings.simulator], self._expander.fork()
        document = parse_document(TEMPLATES[template].text(version=version))
        read = partial(self._prepare_new, document, expander)
        self._add_opening("untitled", None, read, expander)
        self._start_opening()

    def _prepare_new(self, document: Document, expander: Expander) -> PreparedViews:
        return PreparedViews(self._session(document, expander))

    def open_document(self, document: Document) -> OpenFile:
        """Open a document that is not what is on disk, in a tab."""
        file = self._built(self._session(document, self._expander))
        self._take(file)
        self.show(file)
        return file

    def _session(self, document: Document, expander: Expander) -> Session:
        finder, unsaved = Finder(self._folders_for(document.path), replaces_fuel=True), self.documents.unsaved
        return Session(document, finder, unsaved, expander, waits=False)

    def open_behind(self, paths: Sequence[Path]) -> None:
        """Open files in tabs behind the present one."""
        shown = self.current
        self.open(paths)
        if shown is not None:
            self.show(shown)

    def _take(self, file: OpenFile) -> None:
        """Take a file whose views are made into the window."""
        taken = {other.number for other in self.opened if other.session.path is None}
        file.number = next(number for number in itertools.count(1) if number not in taken)
        self.documents.add(file.session)
        self.opened.append(file)
        file.state_changed.connect(self._forget_unsaved)
        self._evaluations[file] = Evaluations(file, self._settings, self._notices, self._parent)
        self._evaluations[file].allowed.connect(self._read_refused_again)
        self._evaluations[file].ended.connect(partial(self.evaluated.emit, file))
        self.added.emit(file)

    def _read_refused_again(self) -> None:
        """Read the files again whose xacro files may not be evaluated: the user has decided about one."""
        for file in self.opened:
            if file.session.refused and not file.session.is_reading:
                file.session.refresh()

    @staticmethod
    def note_saved(file: OpenFile) -> None:
        """Note that what a file holds on disk is what was made of it here."""
        decisions_of(file.session).note_saved(file.session.document)

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

    def drop(self, file: OpenFile) -> None:
        """Close a file without asking."""
        if file is self.current and file.session.path in self._settings.recent_files:
            save_thumbnail(file.session.path, file.view, self._settings)
        place = self.opened.index(file)
        self.opened.remove(file)
        self.documents.remove(file.session)
        self._forget_unsaved()
        self._evaluations.pop(file).stop()
        self._notices.withdraw(_hidden_topic(file))
        file.close()
        if self.current is file:
            self.show(self.opened[min(place, len(self.opened) - 1)] if self.opened else None)
        self.removed.emit(file)
        file.deleteLater()
        self.closed.add(file)

    def _count_rows(self) -> int:
        """Return the number of frames of all open files."""
        models = [file.session.model for file in self.opened]
        return sum(len(model) for model in models if model is not None)


def disk_topic(file: OpenFile) -> str:
    """Return the topic of a notice about a file on disk: each tab shows one at a time."""
    return f"disk {id(file)}"


def _hidden_topic(file: OpenFile) -> str:
    return f"hidden {id(file)}"
