"""Notices that float over the view, and that of a file with errors or without others, with what helps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from sdfviewer.diagnostics import Severity
from sdfviewer.display_text import cut, visible
from sdfviewer.document.document import Document
from sdfviewer.gui.context.missing import Missing, why_not_evaluated
from sdfviewer.gui.kit.icons import SEVERITIES, icon
from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.kit.labels import ElidedLines
from sdfviewer.gui.kit.theme import on_theme_change
from sdfviewer.gui.kit.widgets import column_of, named
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.workspaces import DEBUG, Workspaces
from sdfviewer.number_text import counted
from sdfviewer.refactoring.templates import EMPTY, TEMPLATES, Template
from sdfviewer.session.session_change import SessionChange

#: The topic of the notice that several files are not saved.
UNSAVED = "unsaved"
MOST_SHOWN = 2
"""More notices than these, the most important ones, would cover the view: the others wait behind a button."""
LOW, NARROW = 640, 560
"""A view that is lower than this, in pixels, shows one notice; one that is narrow, if it is not twice as high."""
MOST_LINES = 3
"""A longer text is shortened: in a narrow window it would cover the view."""
_LINES_BESIDE = 2
"""Lines of a text that is beside its answers."""


class _Notice(QFrame):
    """A text with its answers beside it, or below it where they leave the text too little room.

    Attributes
    ----------
    sign, dismiss
        The icon before the text, and the button that closes the notice.
    """

    def __init__(self, text: str, sign_icon: str) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setProperty("role", "floating")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(8, 4, 8, 4)
        self._grid.setSpacing(8)
        self._grid.setColumnStretch(1, 1)
        self.sign = QLabel()
        self._sign_icon = sign_icon
        self._text = ElidedLines(text, MOST_LINES)
        self._buttons: list[QPushButton] = []
        self._arrangement: tuple[bool, int] | None = None
        self._answers = QWidget()
        self._rows = QGridLayout(self._answers)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(8)
        self.dismiss = named(QToolButton(), "Dismiss", "Dismiss")
        self.dismiss.setIcon(icon("mdi6.close", "muted"))
        self._grid.addWidget(self.sign, 0, 0)
        self._grid.addWidget(self._text, 0, 1)
        self._grid.addWidget(self._answers, 0, 2)
        self._grid.addWidget(self.dismiss, 0, 3)
        self.paint_sign()

    def add_answer(self, label: str) -> QPushButton:
        """Add a button and return it."""
        button = QPushButton(label)
        self._buttons.append(button)
        self._rows.addWidget(button, 0, len(self._buttons) - 1)
        return button

    def paint_sign(self) -> None:
        """Show the sign in the colours of the theme."""
        tone = "error" if self._sign_icon == SEVERITIES[Severity.ERROR] else "warning"
        self.sign.setPixmap(icon(self._sign_icon, tone).pixmap(16, 16))

    def event(self, event: QEvent) -> bool:
        # A style makes the answers wider after the notice has got its width.
        if event.type() == QEvent.Type.LayoutRequest:
            self._place_answers(self.width())
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._place_answers(event.size().width())

    def _place_answers(self, width: int) -> None:
        """Put the answers beside the text, or below it where they leave it no room for two lines."""
        widths = [each.sizeHint().width() for each in (self.sign, self.dismiss, *self._buttons)]
        room = width - sum(widths) - 16 - (2 + max(len(self._buttons), 1)) * self._grid.spacing()
        is_below = bool(self._buttons) and not self._text.fits(room, _LINES_BESIDE)
        columns = self._columns_in(width - 16) if is_below else max(len(self._buttons), 1)
        if (is_below, columns) != self._arrangement:
            self._arrangement = is_below, columns
            self._grid.addWidget(self._answers, *((1, 0, 1, 4) if is_below else (0, 2, 1, 1)))
            self._set_columns(columns)

    def _columns_in(self, room: int) -> int:
        """Return in how many columns the answers have room."""
        widths = [each.sizeHint().width() for each in self._buttons]
        for columns in range(len(widths), 1, -1):
            if sum(max(widths[first::columns]) for first in range(columns)) + 8 * (columns - 1) <= room:
                return columns
        return 1

    def _set_columns(self, columns: int) -> None:
        """Put the answers in so many columns: four long ones are cut in one row of a narrow view."""
        for number, button in enumerate(self._buttons):
            self._rows.addWidget(button, number // columns, number % columns)


class NoticeBar(QWidget):
    """A stack of notices, each with its answers; one notice for each topic."""

    WIDEST = 760
    """Pixels of the widest notice: its answers stay near its text."""
    GAP = 8
    """Pixels between the stack and the edges of what it floats over."""
    LEAST_BESIDE = 360
    """The least width of the notices beside the button that shows the others, in pixels."""
    LEAST_BESIDE_KEY = 560
    """The least width of the stack beside a colour key, in pixels; in a narrower view it is above the key."""
    LEAST = 216
    """The least width of the stack beside the tools of a view, in pixels."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._notices: dict[str, _Notice] = {}
        self._about: dict[str, object] = {}
        self._importance: dict[str, int] = {}
        self._shown: object = None
        self._shows_all = self._is_low = False
        self._column = column_of(margins=0, spacing=4)
        self.more = QPushButton()
        self.more.clicked.connect(self._show_all)
        self.more.hide()
        # Beside the notices where the view is wide enough: below them it would lift them to what the view shows.
        self._row = column_of((self._column, 1), parent=self, margins=0, spacing=8)
        self._row.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
        self._hosts: tuple[QWidget, ...] = ()
        self._place_soon = delayed(self, self._place)
        on_theme_change(self._paint)

    def float_over(self, *hosts: QWidget) -> None:
        """Lie over the lower edge of whichever of some widgets is in sight; their parents hold the stack, too."""
        self._hosts = hosts
        for host in hosts:
            host.installEventFilter(self)
        self.raise_()
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the lower edge of what the stack floats over."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide):
            self._place_soon.start()
        return False

    def event(self, event: QEvent) -> bool:
        # What is hidden is placed when it is shown.
        if event.type() == QEvent.Type.Show or (event.type() == QEvent.Type.LayoutRequest and self.isVisible()):
            self._place_soon.start()
        return super().event(event)

    def _place(self) -> None:
        if not self._hosts:
            return  # it floats over nothing
        host = next((each for each in self._hosts if each.isVisible()), None)
        parent = self.parentWidget()
        if host is None or parent is None:
            self.hide()  # there is nothing to lie over, such as while a file is being opened
            return
        room = QRect(host.mapTo(parent, QPoint()), host.size())
        if (is_low := room.height() < LOW * (2 if room.width() < NARROW else 1)) is not self._is_low:
            self._is_low = is_low
            self._fold()
        tools = max((place.right() + 1 for place in self._places(host, "tool_strip")), default=0)
        has_room = room.width() >= self.LEAST + tools + 2 * self.GAP
        room.adjust(self.GAP + (tools if has_room else 0), 0, -self.GAP, 0)
        bottom = host.height()
        for key in self._places(host, "colour_key"):
            if room.left() + self.LEAST_BESIDE_KEY + self.GAP <= (end := host.mapTo(parent, key.topLeft()).x()):
                room.setRight(min(room.right(), end - self.GAP - 1))
            else:
                bottom = min(bottom, key.top())
        self.setFixedWidth(min(room.width(), self.WIDEST))
        is_beside = self.width() - self.more.sizeHint().width() - self._row.spacing() >= self.LEAST_BESIDE
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if is_beside else QBoxLayout.Direction.TopToBottom)
        self._row.activate()
        self.resize(self.width(), self._row.totalSizeHint().height())
        self.move(room.center().x() - self.width() // 2, room.top() + bottom - self.GAP - self.height())
        # Not before it is at its place: elsewhere it would be a blank box over the view while a file opens.
        self.setVisible(any(not bar.isHidden() for bar in self._notices.values()))
        self.raise_()

    @staticmethod
    def _places(host: QWidget, name: str) -> list[QRect]:
        """Return where some parts of a view are that the stack keeps clear of."""
        parts = (each for each in host.findChildren(QWidget, name) if each.isVisible())
        return [QRect(each.mapTo(host, QPoint()), each.size()) for each in parts]

    def ask(
        self,
        topic: str,
        text: str,
        answers: Mapping[str, Callable[[], object]],
        sign_icon: str = "",
        about: object = None,
        dismissed: Callable[[], object] = lambda: None,
        keep: Collection[str] = (),
        *,
        is_offer: bool = False,
        is_question: bool = False,
    ) -> None:
        """Show a notice; an answer closes it, unless it is to `keep` it, and runs. One of the same topic is replaced.

        A notice `about` something is in sight only while that is shown. `dismissed` runs when the user closes it. Where
        there is no room for all, an offer waits; before it wait those without answers, then those about no file. A
        question, whose answer decides what is shown or kept, is before all others.
        """
        importance = 0 if is_offer else 1 + bool(answers) + (about is not None) + is_question
        before = self._notices.get(topic) if self._importance.get(topic) == importance else None
        if before is None:
            self.withdraw(topic)
        self._about[topic], self._importance[topic] = about, importance
        bar = _Notice(text, sign_icon or "mdi6.information-outline")
        bar.setObjectName(f"notice_{topic}")
        for label, answer in answers.items():
            run = answer if label in keep else partial(self._answer, topic, answer)
            bar.add_answer(label).clicked.connect(lambda _=False, run=run: run())
        bar.dismiss.clicked.connect(lambda: self._answer(topic, dismissed))
        # The most important one is above the others. One that says more of the same is no newer than it was.
        place = sum(each >= importance for other, each in self._importance.items() if other != topic)
        self._notices[topic] = bar
        self._column.insertWidget(place if before is None else self._column.indexOf(before), bar)
        if before is not None:
            self._remove(before)
        self._fold()

    def _paint(self) -> None:
        """Give all notices their signs in the colours of the theme."""
        for bar in self._notices.values():
            bar.paint_sign()

    def follow(self, shown: object) -> None:
        """Show only the notices about this, and those about nothing in particular."""
        self._shown = shown
        self._fold()

    def forget(self, about: object) -> None:
        """Take all notices about something away that is gone: their answers refer to it."""
        for topic in [topic for topic, each in self._about.items() if each is about]:
            self.withdraw(topic)

    def _show_all(self) -> None:
        self._shows_all = True
        self._fold()

    def _fold(self) -> None:
        """Show the most important notices, of equal ones the newest, and how many others there are."""
        topics = [topic for topic in self._notices if self._about[topic] in (None, self._shown)]
        most = 1 if self._is_low else MOST_SHOWN
        self._shows_all = self._shows_all and len(topics) > most
        hidden = 0 if self._shows_all else max(len(topics) - most, 0)
        shown = sorted(topics, key=self._importance.__getitem__)[hidden:]
        for topic, bar in self._notices.items():
            bar.setVisible(topic in shown)
        self.more.setText(f"Show {counted(hidden, 'more notice')}")
        self.more.setVisible(hidden > 0)
        if topics and self._hosts and self.isHidden():
            self._place()
        else:
            self.setVisible(bool(topics))  # an empty stack takes no room

    def _answer(self, topic: str, answer: Callable[[], object]) -> None:
        self.withdraw(topic)
        answer()

    def withdraw(self, topic: str) -> None:
        """Take a notice away."""
        self._about.pop(topic, None)
        self._importance.pop(topic, None)
        bar = self._notices.pop(topic, None)
        if bar is not None:
            self._remove(bar)
            self._fold()

    def _remove(self, bar: _Notice) -> None:
        self._column.removeWidget(bar)
        bar.hide()
        bar.deleteLater()

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics of the notices shown."""
        return tuple(self._notices)


def tell_written(notices: NoticeBar, text: str, path: Path, about: object) -> None:
    """Say that a file or a folder was written, and offer to open it, until the user has seen that."""
    folder = path if path.is_dir() else path.parent

    def opening(what: Path) -> Callable[[], object]:
        return lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(what)))

    answers = {"Open Folder": opening(folder)}
    if folder != path:
        answers = {"Open": opening(path), **answers}
    notices.ask(f"written {path}", text, answers, "mdi6.check-circle-outline", about=about)


@dataclass
class _Said:
    """What the notice of a file says, and what it does not say again.

    Attributes
    ----------
    errors, missing
        The number of errors, and what is not found, as the notice says them; None where there is no notice.
    settled
        What the user has dismissed: ``errors``, and URIs and folders.
    announced
        The URIs that the notice has named.
    document
        The text that was opened.
    is_empty
        Whether it says that the file is empty.
    """

    document: Document
    errors: int = 0
    missing: Missing | None = None
    settled: set[str] = field(default_factory=set)
    announced: set[str] = field(default_factory=set)
    is_empty: bool = False


_ERRORS = "errors"
_MOST_LETTERS = 120
"""Letters of the message of a single error."""


class ErrorNotices:
    """Announces the errors of each file and what it lacks, and keeps that up to date until nothing is left to be done.

    What the user has dismissed is not said again; a mesh or a folder that was not in that notice is.
    """

    def __init__(self, notices: NoticeBar, workspaces: Workspaces, actions: Mapping[str, QAction]) -> None:
        self._notices, self._workspaces, self._actions = notices, workspaces, actions
        self._shown: dict[OpenFile, _Said] = {}

    def announce(self, file: OpenFile) -> None:
        """Offer help with the errors of a file, as long as nothing else is done about them."""
        self._shown[file] = _Said(file.session.document)
        self._update(file)

        def follow(change: SessionChange) -> None:
            if change.document or change.problems:
                self._update(file)

        file.context.changed.connect(follow)

    def forget(self, file: OpenFile) -> None:
        """Forget a file that is closed."""
        self._shown.pop(file, None)

    def _update(self, file: OpenFile) -> None:
        notice, problems = self._shown[file], file.session.diagnostics
        errors = sum(each.is_error for each in problems)
        missing = Missing.of_problems(problems)
        is_in_debug = self._workspaces.current is DEBUG
        # Who types a URI does not want to read that its first letters are no file; where it is, is news.
        # The meshes of a scene that is built again are missing nowhere until it is: what was said is said again.
        is_as_opened = file.session.document is notice.document
        sought = {*missing.folders, *(missing.uris if is_as_opened else missing.uris & notice.announced)}
        new = (sought | ({_ERRORS} if errors and not is_in_debug else set())) - notice.settled
        is_shown = _topic(file) in self._notices.topics
        is_started = notice.is_empty and _template_for(file) is None
        if (not errors and not missing) or is_started:
            notice.is_empty = False
            self._notices.withdraw(_topic(file))
        elif (new or is_shown) and (not is_shown or (errors, missing) != (notice.errors, notice.missing)):
            self._ask(file, errors, missing)
        if not (file.session.refused or file.session.is_reading):
            notice.settled.add(_ERRORS)  # those of typing need no notice

    def _ask(self, file: OpenFile, errors: int, missing: Missing) -> None:
        session, notice = file.session, self._shown[file]
        notice.errors, notice.missing = errors, missing
        notice.announced |= missing.uris
        answers = missing.answers(file.context.requests, session.path)
        failure = why_not_evaluated(session.diagnostics, session)
        if failure:
            answers["Set Arguments…"] = file.context.requests.arguments.emit
        keep = frozenset(answers)  # until they have found something
        template = _template_for(file)
        if template is not None:
            answers[f"Start a {template.name.title()}"] = partial(_start, file, template)
        elif errors and self._workspaces.current is not DEBUG:
            answers["Debug"] = self._actions["workspace.debug"].trigger
        text = _text_of(file, errors, missing)
        notice.is_empty = template is not None
        if template is not None:
            text = f"{file.name} is empty."
        elif failure:
            text = f"{file.name} cannot be evaluated: {failure}."
        icon = SEVERITIES[Severity.ERROR if errors else Severity.WARNING]

        def dismissed() -> None:
            notice.settled |= {*missing.uris, *missing.folders}

        self._notices.ask(_topic(file), text, answers, icon, about=file, dismissed=dismissed, keep=keep)

    def withdraw(self, file: OpenFile) -> None:
        """Withdraw the notice of a file whose panels say the same, but not while it says what is missing."""
        missing = Missing.of_problems(file.session.diagnostics)
        if not missing:
            self._notices.withdraw(_topic(file))
        elif _topic(file) in self._notices.topics:
            self._ask(file, sum(each.is_error for each in file.session.diagnostics), missing)


def _text_of(file: OpenFile, errors: int, missing: Missing) -> str:
    """Return which errors a file has, or which it is, and what it lacks, so that the numbers add up."""
    head, others = f"{file.name} has {counted(errors, 'error')}", errors - missing.errors
    lacking = missing.sentences(file.session.path)
    if not others and lacking:
        head = f"{head}:" if errors else f"{file.name}:"
        return " ".join([head, lacking[0][:1].lower() + lacking[0][1:], *lacking[1:]])
    elsewhere = ["The Debug workspace shows the graphs, the problems and the source."]
    if errors == 1:
        elsewhere = []
        message = next(each.message for each in file.session.diagnostics if each.is_error)
        head = f"{head}: {cut(visible(message), _MOST_LETTERS)}"
    if lacking:
        lacking[0] = f"{'Among them' if missing.errors else 'Also'}, {lacking[0][:1].lower()}{lacking[0][1:]}"
    return " ".join([f"{head}.", *(lacking or elsewhere)])


def _template_for(file: OpenFile) -> Template | None:
    """Return what an empty file may start with, by its name; None where it is not empty."""
    path = file.session.path
    if file.session.document.text.strip() or path is None:
        return None
    return next(each for each in TEMPLATES.values() if each.fits(path))


def start_empty(file: OpenFile) -> None:
    """Write the model of a file that is empty, so that something can be added to it; else nothing happens."""
    if (template := _template_for(file)) is not None:
        _start(file, EMPTY[".urdf" if template.is_urdf else ".sdf"])


def _start(file: OpenFile, template: Template) -> None:
    """Write what an empty file starts with, which can be undone."""
    file.context.edits.apply(template.start(file.session.document))


def _topic(file: OpenFile) -> str:
    return f"errors {id(file)}"
