"""Asks before a xacro file is evaluated."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QProgressDialog, QWidget

from sdfviewer.document.document import Document
from sdfviewer.formats.xacro.expansion import ExpandedDocument, Expander, declared_arguments, is_xacro
from sdfviewer.gui.context.app import Notices
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.dialogs.xacro import ArgumentsDialog, ExpansionDialog
from sdfviewer.gui.shell.open_file import OpenFile

_LOOK_MILLISECONDS = 20
#: What is evaluated sooner shows no progress.
PATIENCE_MILLISECONDS = 500


def make_expander(settings: Settings) -> Expander:
    """Return what evaluates the files that have been allowed, each with the arguments that were given for it."""

    def arguments(document: Document) -> dict[str, str] | None:
        return None if document.path is None else settings.xacro_arguments(document.path)

    return Expander(
        arguments_of=lambda document: arguments(document) or {},
        may_evaluate=lambda document: arguments(document) is not None,
    )


def ask_to_evaluate(file: OpenFile, settings: Settings, notices: Notices, topic: str, parent: QWidget) -> None:
    """Ask whether a xacro file may be evaluated, unless that has been answered."""
    path = file.session.path
    if path is None or not is_xacro(file.session.document) or settings.xacro_arguments(path) is not None:
        return
    notices.ask(
        topic,
        f"{file.name} is a xacro program. Evaluate it? It can only "
        "compute, and read YAML files and environment variables.",
        {
            "Evaluate": partial(evaluate, file, settings, parent, {}),
            "Set Arguments…": partial(choose_arguments, file, settings, parent),
        },
    )


def evaluate(file: OpenFile, settings: Settings, parent: QWidget, arguments: dict[str, str]) -> None:
    """Evaluate a file now and whenever it is opened, with these arguments; the window goes on meanwhile."""
    if file.session.path is not None:
        settings.set_xacro_arguments(file.session.path, arguments)
        file.session.expander.retry()
        Evaluating(file, parent).start()


class Evaluating(QObject):
    """Evaluates a xacro file in another thread, with a dialog to cancel where it takes longer than a moment."""

    def __init__(self, file: OpenFile, parent: QWidget) -> None:
        super().__init__(file)
        self._session = file.session
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="xacro")
        self._answer: Future[object] | None = None
        self._progress = QProgressDialog(f"Evaluating {file.name}…", "Cancel", 0, 0, parent)
        self._progress.setAutoReset(False)
        self._progress.setMinimumDuration(PATIENCE_MILLISECONDS)
        self._progress.canceled.connect(self._session.expander.cancel)
        self._look = QTimer(self, interval=_LOOK_MILLISECONDS)
        self._look.timeout.connect(self._check)

    def start(self) -> None:
        """Start to evaluate; the session reads what comes out when it is there."""
        self._answer = self._executor.submit(self._session.load_beside, self._session.document)
        self._executor.shutdown(wait=False)
        self._look.start()

    def _check(self) -> None:
        assert self._answer is not None
        if self._answer.done():
            self._look.stop()
            self._progress.reset()
            self._progress.deleteLater()
            self._session.refresh()  # the expander remembers what it has evaluated
            self.deleteLater()


def choose_arguments(file: OpenFile, settings: Settings, parent: QWidget) -> ArgumentsDialog:
    """Ask for the arguments of a file and evaluate it with them."""
    session = file.session
    given = {} if session.path is None else settings.xacro_arguments(session.path) or {}
    dialog = ArgumentsDialog(
        file.name, declared_arguments(session.document), given, partial(evaluate, file, settings, parent), parent
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
