"""Asks before a xacro file is evaluated and with which arguments, lets one cancel that, and shows the expansion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import cut
from sdfviewer.document.document import Document
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.formats.xacro.decisions import Answer, Decisions, folder_of
from sdfviewer.formats.xacro.expansion import Expander, XacroArgument, declared_arguments, holds_xacro
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.kit.widgets import named
from sdfviewer.gui.operations.form_dialog import FormDialog
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.notice import NoticeBar
from sdfviewer.number_text import counted
from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange

#: The name of a folder is cut to so many letters on a button.
_MOST_LETTERS = 24
#: An evaluation that ends sooner is not announced.
PATIENCE_MILLISECONDS = 500


def make_expander(settings: Settings) -> Expander:
    """Return the expander of the files that the user has allowed, each with its arguments."""

    def arguments(document: Document) -> dict[str, str]:
        return (None if document.path is None else settings.xacro_arguments(document.path)) or {}

    advice = "answer the notice above the view, or choose File › xacro › xacro Arguments…"
    return Expander(arguments_of=arguments, permission=Decisions(advice))


def decisions_of(session: Session) -> Decisions:
    """Return what the user has decided about xacro files."""
    permission = session.expander.permission
    assert isinstance(permission, Decisions)
    return permission


def evaluate(file: OpenFile, settings: Settings, arguments: dict[str, str]) -> None:
    """Evaluate a file with these arguments, now and whenever it is opened with this content, in another process."""
    session = file.session
    if session.path is not None:
        settings.save_xacro_arguments(session.path, arguments)
        decide(session, [session.document], Answer.FILE)


def decide(session: Session, documents: Sequence[Document], answer: Answer) -> None:
    """Take the user's answer about some xacro files that a file is made of, and read it again."""
    decisions_of(session).decide(documents, answer)
    session.expander.retry()
    session.refresh()


class Evaluations(QObject):
    """Follows the evaluations of one file; one that takes longer than a moment can be cancelled in a notice."""

    #: An evaluation has ended.
    ended = Signal()
    #: What may not be evaluated before may be now.
    allowed = Signal()

    def __init__(self, file: OpenFile, settings: Settings, notices: NoticeBar, parent: QWidget) -> None:
        super().__init__(file)
        self._file, self._settings, self._notices, self._parent = file, settings, notices, parent
        self._asked: tuple[Document, ...] = ()
        self._topic = f"evaluating {id(file)}"
        self._is_waiting = False
        self._patience = delayed(self, self._announce, PATIENCE_MILLISECONDS)
        file.context.changed.connect(self._follow)
        file.context.requests.evaluate.connect(lambda: decide(file.session, file.session.refused, Answer.FILE))
        file.context.requests.arguments.connect(partial(choose_arguments, file, settings, parent))
        self._look()

    def _follow(self, change: SessionChange) -> None:
        if change.document:
            self._look()

    def _look(self) -> None:
        is_reading = self._file.session.is_reading
        if is_reading and not self._is_waiting:
            self._patience.start()
        elif self._is_waiting and not is_reading:
            self.stop()
            self.ended.emit()
        self._is_waiting = is_reading
        if not is_reading:
            self._ask()

    def _ask(self) -> None:
        """Ask whether the xacro files of this one may be evaluated, unless that has been answered."""
        session = self._file.session
        known = decisions_of(session)
        refused = tuple({each.name: each for each in session.refused if not known.is_never(each)}.values())
        if [(each.name, each.text) for each in refused] == [(each.name, each.text) for each in self._asked]:
            return
        was_asked, self._asked = bool(self._asked), refused
        topic = _question_topic(self._file)
        if not refused:
            self._notices.withdraw(topic)
            if was_asked:
                self.allowed.emit()
            return
        evaluate = "Evaluate as xacro" if _is_shown_as_written(self._file, refused) else "Evaluate"
        answers: dict[str, Callable[[], object]] = {evaluate: partial(decide, session, refused, Answer.FILE)}
        folders = {folder for each in refused if each.path and (folder := folder_of(each.path)) is not None}
        if len(folders) == 1:
            answers[f"Evaluate All in {_short(folders.pop().name)}"] = partial(decide, session, refused, Answer.FOLDER)
        answers["Never"] = partial(decide, session, refused, Answer.NEVER)
        arguments = "Set Arguments…"  # keeps the question: who sets them has not allowed it yet
        if any(each.name == session.document.name for each in refused):
            answers[arguments] = partial(choose_arguments, self._file, self._settings, self._parent)
        self._notices.ask(
            topic, _question(self._file, refused), answers, about=self._file, keep=(arguments,), is_question=True
        )

    def _announce(self) -> None:
        session = self._file.session
        answers = {"Cancel": session.cancel_reading}
        self._notices.ask(self._topic, f"Reading {self._file.name}…", answers, about=self._file)

    def stop(self) -> None:
        """Announce and ask nothing any more."""
        self._patience.stop()
        self._notices.withdraw(_question_topic(self._file))
        self._notices.withdraw(self._topic)


def _question_topic(file: OpenFile) -> str:
    return f"xacro {id(file)}"


def _is_shown_as_written(file: OpenFile, refused: Sequence[Document]) -> bool:
    """Return whether a file is a URDF that holds xacro."""
    return any(each.name == file.session.document.name and holds_xacro(each) for each in refused)


def _question(file: OpenFile, refused: Sequence[Document]) -> str:
    """Return what is asked about the xacro files that a file is made of."""
    if _is_shown_as_written(file, refused):
        return (
            f"{file.name} holds xacro, and is shown as it is written. Evaluate it as xacro? "
            "It computes a robot, and may read the files of its packages."
        )
    if any(each.name == file.session.document.name for each in refused):
        what = "is a xacro program" if file.session.model is None else "has changed on disk, or what it reads has"
        return f"{file.name} {what}. Evaluate it? It computes a robot, and may read the files of its packages."
    first = Path(refused[0].name).name
    more = f" and {counted(len(refused) - 1, 'more xacro program')}" if len(refused) > 1 else ", a xacro program"
    return (
        f"{file.name} includes {first}{more}. Evaluate {'them' if len(refused) > 1 else 'it'}? "
        "It computes a robot, and may read the files of its packages."
    )


def _short(name: str) -> str:
    """Return the name of a folder as it fits on a button."""
    return cut(name, _MOST_LETTERS).replace("&", "&&")  # one would underline the letter behind it


def choose_arguments(file: OpenFile, settings: Settings, parent: QWidget) -> ArgumentsDialog:
    """Ask for the arguments of a file and evaluate it with them."""
    session = file.session
    given = {} if session.path is None else settings.xacro_arguments(session.path) or {}
    dialog = ArgumentsDialog(
        file.name, declared_arguments(session.document), given, partial(evaluate, file, settings), parent
    )
    dialog.open()
    return dialog


def show_expansion(file: OpenFile, parent: QWidget) -> ExpansionDialog | None:
    """Show the text that a file writes, None where it writes nothing."""
    model = file.session.model
    expanded = None if model is None or not len(model) else model.document_of(0)
    if not isinstance(expanded, ExpandedDocument):
        return None
    dialog = ExpansionDialog(file.name, expanded.text, parent)
    dialog.open()
    return dialog


_SIZE = (820, 640)
_FIELD_WIDTH = 320
"""Pixels of a field: most values are paths."""


class ArgumentsDialog(FormDialog):
    """Asks for the arguments of a xacro file; an empty field means the default.

    Parameters
    ----------
    file
        Its name.
    arguments
        What it declares.
    given
        Values that were given before.
    accept
        Takes the values that are given now.
    """

    def __init__(
        self,
        file: str,
        arguments: Sequence[XacroArgument],
        given: Mapping[str, str],
        accept: Callable[[dict[str, str]], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("xacro Arguments", "Evaluate", parent)
        self.fields: dict[str, QLineEdit] = {}
        declared = {each.name: each for each in arguments}
        self._required = [each.name for each in arguments if each.default is None or each.is_read_before]
        for name in (*declared, *(each for each in given if each not in declared)):
            argument = declared.get(name)
            default = None if argument is None else argument.default
            # Where it is read above its declaration, its default does not hold: it is offered as a value.
            offered = default if argument is not None and argument.is_read_before else None
            row, field = _field(() if argument is None else argument.choices)
            field.setText(given.get(name, offered or ""))
            named(row, name, f"Value of the argument {name}")
            field.setPlaceholderText("required" if name in self._required else f"default: {default or 'empty'}")
            row.setMinimumWidth(_FIELD_WIDTH)
            field.textChanged.connect(lambda _text: self.validate())
            self.fields[name] = field
            self.add_row(name, row)
        if self.fields:
            next(iter(self.fields.values())).setFocus()
        else:
            self.column.insertWidget(0, QLabel(f"{file} declares no arguments."))
        self.accepted.connect(lambda: accept(self.values))
        self.check = self._check
        self.validate()

    def _check(self) -> None:
        lacking = next((name for name in self._required if not self.fields[name].text()), "")
        if lacking:
            raise SdfViewerError(f"type a value for {lacking}: the file reads it, and it has no default there")

    @property
    def values(self) -> dict[str, str]:
        """The values that are given; arguments left to their defaults are not among them."""
        return {name: field.text() for name, field in self.fields.items() if field.text()}


def _field(choices: Sequence[str]) -> tuple[QWidget, QLineEdit]:
    """Return a line, in which one of some values can be chosen and another one typed, and what is to be shown.

    A click anywhere into it opens the list, in which one can go on typing; Escape closes the list alone.
    """
    if not choices:
        field = QLineEdit()
        return field, field
    box = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
    box.addItems(choices)
    line, completer = box.lineEdit(), QCompleter(list(choices))
    assert line is not None
    completer.setParent(line)
    line.setCompleter(completer)
    completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    completer.setMaxVisibleItems(len(choices))
    listed = completer.popup()
    assert listed is not None
    listed.setProperty("role", "floating")
    line.installEventFilter(_ListOpener(line, completer))
    return box, line


class _ListOpener(QObject):
    """Shows all choices of a line where one clicks into it."""

    def __init__(self, line: QLineEdit, completer: QCompleter) -> None:
        super().__init__(line)
        self._completer = completer

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonRelease and isinstance(watched, QLineEdit):
            self._completer.setCompletionPrefix("")
            self._completer.complete()
        return False


class ExpansionDialog(QDialog):
    """Shows what a xacro file writes; it cannot be edited, as it is stored nowhere."""

    def __init__(self, file: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"What {file} Writes")
        self.resize(*_SIZE)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        self.text = named(
            QPlainTextEdit(text, readOnly=True, lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap),
            "Expansion",
            "The expanded xacro file",
        )
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        column.addWidget(self.text)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
