"""Asks before a xacro file is evaluated, and lets a long evaluation be cancelled."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from sdfviewer.document.document import Document
from sdfviewer.formats.xacro.expansion import ExpandedDocument, Expander, declared_arguments, is_xacro
from sdfviewer.gui.context.app import Notices
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.dialogs.xacro import ArgumentsDialog, ExpansionDialog
from sdfviewer.gui.shell.open_file import OpenFile
from sdfviewer.session.session_change import SessionChange

#: An evaluation that ends sooner is not announced.
PATIENCE_MILLISECONDS = 500


def make_expander(settings: Settings) -> Expander:
    """Return the expander of allowed files, each with its arguments."""

    def arguments(document: Document) -> dict[str, str] | None:
        return None if document.path is None else settings.xacro_arguments(document.path)

    return Expander(
        arguments_of=lambda document: arguments(document) or {},
        may_evaluate=lambda document: arguments(document) is not None,
    )


def ask_to_evaluate(file: OpenFile, settings: Settings, notices: Notices, parent: QWidget) -> None:
    """Ask whether a xacro file may be evaluated, unless that has been answered."""
    path = file.session.path
    if path is None or not is_xacro(file.session.document) or settings.xacro_arguments(path) is not None:
        return
    notices.ask(
        _question_topic(file),
        f"{file.name} is a xacro program. Evaluate it? It can only "
        "compute, and read YAML files and environment variables.",
        {
            "Evaluate": partial(evaluate, file, settings, {}),
            "Set Arguments…": partial(choose_arguments, file, settings, parent),
        },
    )


def _question_topic(file: OpenFile) -> str:
    return f"xacro {id(file)}"


def evaluate(file: OpenFile, settings: Settings, arguments: dict[str, str]) -> None:
    """Evaluate a file with these arguments, now and whenever it is opened, in another process."""
    if file.session.path is not None:
        settings.save_xacro_arguments(file.session.path, arguments)
        file.session.expander.retry()
        file.session.refresh()


class Evaluations(QObject):
    """Follows the evaluations of one file; one that takes longer than a moment can be cancelled in a notice."""

    #: An evaluation has ended.
    ended = Signal()

    def __init__(self, file: OpenFile, notices: Notices) -> None:
        super().__init__(file)
        self._file, self._notices = file, notices
        self._topic = f"evaluating {id(file)}"
        self._is_waiting = False
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MILLISECONDS)
        self._patience.timeout.connect(self._announce)
        file.context.changed.connect(self._follow)
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
        if self._file.session.model is not None:  # somebody has answered, perhaps by giving arguments
            self._notices.withdraw(_question_topic(self._file))

    def _announce(self) -> None:
        session = self._file.session
        self._notices.ask(self._topic, f"Evaluating {self._file.name}…", {"Cancel": session.cancel_reading})

    def stop(self) -> None:
        """Announce and ask nothing any more."""
        self._patience.stop()
        self._notices.withdraw(_question_topic(self._file))
        self._notices.withdraw(self._topic)


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
