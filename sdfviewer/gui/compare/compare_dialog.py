"""The dialog that compares the open file with a version on disk, in git or at an earlier step, or with another file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QPushButton,
    QStackedWidget,
    QTabWidget,
    QWidget,
)

from sdfviewer.diagnostics import Diagnostic, Replacement, SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.document.line_difference import TextDifference, text_difference
from sdfviewer.files.git import open_git_head
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.formats.xacro.decisions import Answer, Decisions, Permission
from sdfviewer.formats.xacro.expansion import EvaluationPendingError
from sdfviewer.gui.compare.frame_tables import ChangedFrameTable, summarise
from sdfviewer.gui.compare.text_comparison import NEXT, PREVIOUS, TextComparison
from sdfviewer.gui.context.document_context import DocumentContext, is_short
from sdfviewer.gui.context.previews import OtherVersion
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.file_dialog import model_filter
from sdfviewer.gui.kit.jobs import Background, Latest, delayed
from sdfviewer.gui.kit.safe_text import markup, set_rich_text
from sdfviewer.gui.kit.widgets import column_of, named, resize_on_screen, row_of, styled
from sdfviewer.model.comparison.frames import FrameComparison, FrameDifference
from sdfviewer.model.model import Model
from sdfviewer.session.included_files import included_files, load_as_committed
from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange
from sdfviewer.session.session_reader import OtherModel

_EDGE = 12
"""Pixels between the dialog and the lower edge of the window, or of the screen."""
_LEAST_HEIGHT = 280
"""Pixels of height that a few changed lines need."""
_OTHER_FILE = "Another file…"
_EDITED_MILLISECONDS, _MOVED_MILLISECONDS = 200, 30


def _model_of(document: Document, loader: Loader, version: FileState) -> Model | None:
    """Return what a version means; what that of a commit includes is as the commit has it."""
    if not version.revision:
        return loader.load(document)

    def load(instead: Mapping[Path, Document]) -> tuple[Model | None, tuple[Diagnostic, ...]]:
        then = Loader(loader.finder, {**loader.instead, **instead}, loader.expander, loader.parsers)
        return then.load_with_diagnostics(document)

    return load_as_committed(document, load, version.revision)[0]


@dataclass(frozen=True)
class _Version:
    """A version that was read: its document, its model, whether that is still being read, and why it cannot be read.

    ``refused`` are the xacro files in it that may not be evaluated.
    """

    document: Document | None
    model: Model | None = None
    is_pending: bool = False
    fault: str = ""
    refused: tuple[Document, ...] = ()


class CompareDialog(QDialog):
    """The changes from another version to the current state of the open file.

    It is beside the window, which stays usable: the 3D view shows where frames were, joints move both versions,
    and edits are compared as they are made.

    Parameters
    ----------
    version
        The initial choice of the earlier version.
    other
        Its document, where it has been read already.
    answers
        Further buttons and what they do; each closes the dialog.

    Attributes
    ----------
    differences
        The frames that differ.
    fault
        Why the version cannot be compared with, if it cannot.
    """

    def __init__(
        self,
        context: DocumentContext,
        settings: Settings,
        version: FileState,
        other: Document | None = None,
        answers: Mapping[str, Callable[[], None]] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        session = context.session
        here = session.path.name if session.path is not None else "this file"
        self.setWindowTitle(f"Differences – {here}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_on_screen(self, 1040, 440)
        self._context = context
        self._version = version
        self._other: Document | None = None
        self._other_model: Model | None = None
        self._comparison: FrameComparison | None = None
        self._background = Background()
        self._reading = Latest(self._background)
        self._comparing = Latest(self._background)
        self._shown: OtherVersion | None = None
        self.differences: Sequence[FrameDifference] = ()
        self.frames = ChangedFrameTable(settings)
        self.text = TextComparison(settings)
        self.versions = named(
            QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents),
            "Version to compare with",
            "The earlier version",
        )
        self.versions.setMaximumWidth(420)
        self.fault = styled(QLabel(wordWrap=True), "error")
        self.summary = QLabel(wordWrap=True)
        self.ghosts = QCheckBox("Show in 3D")
        self.ghosts.setToolTip("Show the earlier positions of frames as ghosts, with arrows to the current ones")
        self.ghosts.setChecked(True)
        self.pages = QTabWidget(documentMode=True)
        self._frames_page = QStackedWidget()
        self.no_frames = styled(QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True), "muted")
        self.evaluate = QPushButton("Evaluate")
        self.evaluate.setToolTip("Compute the robot of the earlier version; that may read the files of its packages")
        self.evaluate.hide()
        self._refused: tuple[Document, ...] = ()
        self.buttons = QDialogButtonBox()
        self._lay_out(here, answers or {})
        self._soon = delayed(self, self._catch_up)
        self._most = self._fitted = -1  # no height is given yet
        self._edited = False
        self._connect()
        self.compare_with(version, other)

    def _lay_out(self, here: str, answers: Mapping[str, Callable[[], None]]) -> None:
        for widget in (self.frames, self.no_frames):
            self._frames_page.addWidget(widget)
        self.pages.addTab(self._frames_page, "Frames")
        self.pages.addTab(self.text, "Text")
        for label, answer in answers.items():
            button = self.buttons.addButton(label, QDialogButtonBox.ButtonRole.ActionRole)
            button.clicked.connect(partial(self._answer, answer))
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        top = row_of(QLabel("From"), self.versions, spacing=8)
        now = QLabel()
        set_rich_text(now, markup("to <b>{here}</b> in the editor", here=here))
        top.addWidget(now)
        top.addStretch(1)
        bottom = row_of(self.ghosts, spacing=12)
        legend = styled(QLabel("ghosts: before  ·  → moved  ·  ⊕ added  ·  ⊗ removed"), "muted")
        bottom.addWidget(legend)
        bottom.addStretch(1)
        bottom.addWidget(self.evaluate)
        bottom.addWidget(self.buttons)
        column_of(top, self.summary, self.fault, (self.pages, 1), bottom, parent=self, margins=12, spacing=8)
        # The keys of the changes work in the text; from the frames they go there.
        for key in (NEXT, PREVIOUS):
            QShortcut(key, self._frames_page).activated.connect(lambda: self.pages.setCurrentWidget(self.text))

    def _connect(self) -> None:
        self.buttons.rejected.connect(self.reject)
        self.evaluate.clicked.connect(self._evaluate)
        self.frames.picked.connect(self._show_picked)
        self.ghosts.toggled.connect(lambda _on: self._show_in_3d())
        self.versions.activated.connect(self._choose)
        self._context.changed.connect(self._follow)
        self.pages.currentChanged.connect(lambda _page: self._fit())
        self.finished.connect(lambda _result: self._forget())

    def stand_below(self, window: QWidget) -> None:
        """Move below the window, over its lower part where the screen ends, so that its 3D view is visible."""
        around, screen = window.frameGeometry(), window.screen().availableGeometry()
        width = min(max(around.width() * 3 // 4, 920), 1400, screen.width())
        height = min(max(around.height() * 9 // 20, _LEAST_HEIGHT), screen.height())
        left, top = around.center().x() - width // 2, around.bottom() + _EDGE
        left = max(min(left, screen.right() + 1 - width), screen.left())
        top = max(min(top, screen.bottom() + 1 - height - _EDGE), screen.top())
        self.setGeometry(left, top, width, height)
        self._most = self._fitted = height

    def _fit(self) -> None:
        """Become as high as the page in sight needs, up to the height given, unless the user chose another height."""
        layout = self.layout()
        if not self.isVisible() or self.height() != self._fitted or layout is None:
            return
        layout.activate()
        page = self.text if self.pages.currentWidget() is self.text else self.frames
        around = self.height() - self.pages.height() + self.pages.tabBar().sizeHint().height()
        height = around + page.content_height
        self._fitted = min(max(height, self.minimumSizeHint().height()), self._most)
        place = self.geometry()
        place.setTop(place.bottom() + 1 - self._fitted)  # what it frees is above it, where the 3D view is
        self.setGeometry(place)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    # --- the version ----------------------------------------------------------------------------------------------

    def compare_with(self, version: FileState, other: Document | None = None) -> None:
        """Compare with another version, read here where its document is not given."""
        self._version = version
        self._other = self._other_model = None
        self._list_versions()
        loader = self._context.session.make_loader(waits=False, is_found=version.is_found)

        def read() -> _Version:
            try:
                document = other or version.read()
            except SdfViewerError as error:
                return _Version(None, fault=str(error))
            try:
                return _Version(document, _model_of(document, loader, version), refused=tuple(loader.expander.refused))
            except EvaluationPendingError:
                return _Version(document, is_pending=True)
            except SdfViewerError as error:  # git does not respond any more
                return _Version(None, fault=str(error))

        session = self._context.session
        # git is asked for what it includes, too.
        asks = version.is_slow and (other is None or included_files(session.model, session.document) != ())
        at_once = is_short(self._context) and not asks
        self._reading.run(read, self._take_version, at_once=at_once)

    def _take_version(self, read: _Version) -> None:
        """Compare with a version that was read."""
        self._other, self._other_model = read.document, read.model
        self.fault.setText(read.fault)
        self.fault.setVisible(bool(read.fault))
        self.pages.setEnabled(not read.fault)
        if read.document is not None and read.is_pending:
            then = partial(self._take_model, read.document)
            self._context.session.load_other(read.document, then, is_found=self._version.is_found)
        self._note_refused(read.refused)
        self._compare()

    def _take_model(self, other: Document, found: OtherModel) -> None:
        """Compare with a model that has been read, unless another version was chosen meanwhile."""
        if self._other is other:
            self._other_model = found.model
            self._note_refused(found.refused)
            self._compare()

    def _note_refused(self, refused: Sequence[Document]) -> None:
        """Offer to evaluate the xacro files of the version that may not be."""
        self._refused = tuple(refused)
        self.evaluate.setVisible(bool(refused) and isinstance(self._permission, Decisions))

    @property
    def _permission(self) -> Permission:
        return self._context.session.expander.permission

    def _evaluate(self) -> None:
        """Evaluate the version, now and whenever this content is met."""
        if isinstance(self._permission, Decisions):
            self._permission.decide(self._refused, Answer.FILE)
            self._context.session.expander.retry()
            self.compare_with(self._version, self._other)

    def _forget(self) -> None:
        self._background.stop()
        self._other = None
        self._context.previews.compare_with(None)

    def _list_versions(self) -> None:
        with QSignalBlocker(self.versions):
            self.versions.clear()
            offered = list(versions_of(self._context.session))
            if all(version.id != self._version.id for version in offered):
                offered.insert(0, self._version)
            for version in offered:
                self.versions.addItem(version.name, version)
            self.versions.insertSeparator(self.versions.count())
            self.versions.addItem(_OTHER_FILE)
            chosen = next(number for number, version in enumerate(offered) if version.id == self._version.id)
            self.versions.setCurrentIndex(chosen)
            # More may have been renamed since it was chosen.
            self._version = offered[chosen]

    def _choose(self, index: int) -> None:
        version = self.versions.itemData(index)
        if version is None:
            path = self._context.session.path
            name, _ = QFileDialog.getOpenFileName(
                self, "Compare With", str(path.parent) if path else "", model_filter()
            )
            if not name:
                self._list_versions()
                return
            version = file_version(Path(name))
        self.compare_with(version)

    def _answer(self, answer: Callable[[], None]) -> None:
        self.accept()
        answer()

    # --- what differs ----------------------------------------------------------------------------------------------

    def _follow(self, change: SessionChange) -> None:
        if change.selection and change.origin is not self:
            self.frames.mark(self._context.session.selection)
        if change.document:
            self._edited = True
        if change.document or change.joints:
            self._soon.start(_EDITED_MILLISECONDS if self._edited else _MOVED_MILLISECONDS)

    def _catch_up(self) -> None:
        """Update the comparison: all of it after an edit, the frames after a joint has moved."""
        if self._edited:
            self._edited = False
            self._list_versions()
            self._compare()
        else:
            self._compare_frames()

    def _compare(self) -> None:
        """Compare text and frames."""
        session = self._context.session
        other, text, model = self._other, session.document.text, session.model if session.is_current else None
        before, renamed = self._other_model, self._version.renamed

        def compare() -> tuple[TextDifference, FrameComparison | None]:
            lines = text_difference(other.text, text) if other is not None else text_difference("", "")
            _ = lines.changed_pairs  # found here, so that the window need not
            if model is None or before is None:
                return lines, None
            return lines, FrameComparison(before, model, renamed)

        self._comparing.run(compare, lambda found: self._show_comparison(*found), at_once=is_short(self._context))

    def _show_comparison(self, difference: TextDifference, comparison: FrameComparison | None) -> None:
        self.text.show_difference(difference)
        self.text.set_model(self._context.session.model)
        changes = len(difference.blocks)
        self.pages.setTabText(1, f"Text ({changes})" if changes else "Text")
        self._comparison = comparison
        self._compare_frames()
        self._fit()

    def _compare_frames(self) -> None:
        """Compare the frames as the joints stand."""
        comparison, version = self._comparison, None
        if comparison is not None:
            version = OtherVersion(self._context.session, comparison)
        self.differences = version.differences if version is not None else ()
        self._shown = version
        self.pages.setTabText(0, f"Frames ({len(self.differences)})" if self.differences else "Frames")
        if comparison is None and self._refused:
            name = Path(self._refused[0].name).name
            self.no_frames.setText(
                f"{name} is a xacro program, and this version of it has not been evaluated; compare the text, or "
                "evaluate it."
            )
        elif comparison is None:
            self.no_frames.setText("One of the two versions contains no readable model; compare the text.")
        else:
            self.no_frames.setText("No frame has changed.")
            root = "" if comparison.b.is_world else comparison.b.names[0]
            self.frames.show_differences(self.differences, root)
        self._frames_page.setCurrentWidget(self.frames if self.differences else self.no_frames)
        if comparison is not None:
            self.summary.setText(summarise(self.differences))
        self.summary.setVisible(comparison is not None)
        self._show_in_3d()

    def _show_in_3d(self) -> None:
        self._context.previews.compare_with(self._shown if self.ghosts.isChecked() else None)

    def _show_picked(self, picked: Sequence[FrameDifference]) -> None:
        """Select the frames that still exist, and show them with their ghosts."""
        self._context.session.select([each.after for each in picked if each.after is not None], self)
        if picked:
            self._context.requests.focus.emit(tuple(each.name for each in picked))


@dataclass(frozen=True)
class FileState:
    """A state to compare with.

    Attributes
    ----------
    id
        Tells it from the others of a file.
    name
        A description, such as ``the version on disk``.
    read
        Returns its document; raises an `SdfViewerError` where there is none.
    renamed
        Old and new scoped names of frames that the user renamed from there to the present state.
    is_slow
        Whether it is read by another program, which may not answer.
    is_found
        Whether its text comes from elsewhere than the present history.
    revision
        The commit that included files are read from, too; empty where they are as they are now.
    """

    id: str
    name: str
    read: Callable[[], Document]
    renamed: tuple[tuple[str, str], ...] = ()
    is_slow: bool = False
    is_found: bool = True
    revision: str = ""


def head_version(session: Session, path: Path) -> FileState:
    """Return the last committed version of an open file."""
    renamed, read = _renamed_since(session, 0), partial(open_git_head, path)
    return FileState("head", "the version in git HEAD", read, renamed, True, revision="HEAD")


def disk_version(session: Session, path: Path) -> FileState:
    """Return the version of an open file on disk."""
    history = session.history
    saved = next((index for index in range(history.index, -1, -1) if history.is_saved(index)), 0)
    return FileState("disk", "the version on disk", partial(open_document, path), _renamed_since(session, saved))


def file_version(path: Path) -> FileState:
    """Return another file."""
    return FileState(f"file {path}", path.name, partial(open_document, path))


def step_version(session: Session, index: int) -> FileState:
    """Return a state of a session's history by its place there."""
    history = session.history
    step = history.steps[index]
    name = f"the file after “{step.label}”" if index else "the file as it was opened"
    if index > history.index:
        name += ", undone"

    def read() -> Document:
        document = session.document
        return document.edited((Replacement(0, len(document.text), step.text),))

    return FileState(f"step {index}", name, read, _renamed_since(session, index), is_found=False)


def _renamed_since(session: Session, index: int) -> tuple[tuple[str, str], ...]:
    """Return the names at a state of the history and those at the present one, where they differ."""
    history = session.history
    if index > history.index:
        renamed = [(new, old) for later in history.steps[index : history.index : -1] for old, new in later.renamed]
    else:
        renamed = [pair for later in history.steps[index + 1 : history.index + 1] for pair in later.renamed]
    names: dict[str, str] = {}
    for old, new in renamed:
        first = next((name for name, last in names.items() if last == old), old)
        names[first] = new
    return tuple(names.items())


def versions_of(session: Session) -> Iterator[FileState]:
    """Yield what an open file can be compared with, the states of its history from the latest on."""
    if session.path is not None:
        yield head_version(session, session.path)
        yield disk_version(session, session.path)
    for index in range(len(session.history.steps) - 1, -1, -1):
        if index != session.history.index:
            yield step_version(session, index)
