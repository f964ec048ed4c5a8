"""Protocols that the parts of the window use instead of the window itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QWidget

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.session.session import Session
from sdfviewer.session.unsaved_work import OpenDocuments

#: The topic of the notice that several files are not saved.
UNSAVED = "unsaved"


class Notices(Protocol):
    """Questions above the view that do not stop the work."""

    def ask(
        self,
        topic: str,
        text: str,
        answers: Mapping[str, Callable[[], object]],
        sign_icon: str = "",
        about: object = None,
        *,
        keep: Collection[str] = (),
        is_question: bool = False,
    ) -> None:
        """Show a notice; an answer closes it, unless it is to `keep` it, and runs. One of the same topic is replaced.

        A notice `about` something is in sight only while that is shown. A question is before all others.
        """

    def withdraw(self, topic: str) -> None:
        """Take a notice away."""


class Messages(Protocol):
    """Short sentences in the status bar."""

    def show_message(self, text: str) -> None:
        """Show a message for a few seconds."""

    def refuse(self, text: str) -> None:
        """Show why something was not done."""


class FileContext(Protocol):
    """One open file."""

    @property
    def name(self) -> str:
        """The name of the file in tabs and titles."""

    @property
    def session(self) -> Session:
        """The session of the file."""

    @property
    def context(self) -> DocumentContext:
        """The context that the views of the file share."""


class OpenFiles(Protocol):
    """The open files of the window."""

    @property
    def documents(self) -> OpenDocuments:
        """The sessions of all open files."""

    def open_behind(self, paths: Sequence[Path]) -> None:
        """Open files in tabs behind the present one."""


class Saving(Protocol):
    """The actions that save open files."""

    def save_all(self) -> bool:
        """Save all files that have changed; return whether all are saved now."""


class AppContext(Protocol):
    """The parts of the program that dialogs and panels may use."""

    @property
    def settings(self) -> Settings:
        """The settings."""

    @property
    def notices(self) -> Notices:
        """Questions above the view."""

    @property
    def messages(self) -> Messages:
        """The status bar."""

    @property
    def actions(self) -> Mapping[str, QAction]:
        """All actions by their id."""

    @property
    def files(self) -> OpenFiles:
        """The open files."""

    @property
    def saving(self) -> Saving:
        """Saves the open files."""

    @property
    def dialog_parent(self) -> QWidget:
        """The widget that dialogs belong to."""

    def open_dialog(self, dialog: QDialog) -> None:
        """Open a dialog beside the work."""
