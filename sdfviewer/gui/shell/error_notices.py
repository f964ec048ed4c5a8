"""The notice that a file has errors, with what helps: missing models to download, the workspace for debugging."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QAction

from sdfviewer.diagnostics import Severity
from sdfviewer.files.finder import NOT_DOWNLOADED
from sdfviewer.gui.kit.icons import SEVERITIES
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.layouts import DEBUG
from sdfviewer.gui.shell.notice import NoticeBar
from sdfviewer.gui.shell.workspaces import Workspaces
from sdfviewer.number_text import counted


class ErrorNotices:
    """Announces the errors of each file once, and withdraws the notice when no error is left."""

    def __init__(self, notices: NoticeBar, workspaces: Workspaces, actions: Mapping[str, QAction]) -> None:
        self._notices, self._workspaces, self._actions = notices, workspaces, actions

    def announce(self, file: OpenFile) -> None:
        """Offer help with the errors of a file, as long as nothing else is done about them."""
        errors = [problem for problem in file.session.diagnostics if problem.is_error]
        if not errors or self._workspaces.current is DEBUG:
            return
        text = f"{file.name} has {counted(len(errors), 'error')}."
        answers = {"Debug": self._actions["workspace.debug"].trigger}
        # Count a model that is missing in several places once.
        if missing := len({problem.message for problem in errors if NOT_DOWNLOADED in problem.message}):
            text += f" {counted(missing, 'model')} {'is' if missing == 1 else 'are'} not downloaded."
            answers = {"Download…": self._actions["file.fetch"].trigger, **answers}
        text += " The Debug workspace shows the graphs, the problems and the source."
        self._notices.ask(_topic(file), text, answers, SEVERITIES[Severity.ERROR], about=file)
        file.context.changed.connect(lambda _change: self._count_again(file))

    def _count_again(self, file: OpenFile) -> None:
        """Withdraw the notice once the file has no error left."""
        if not any(problem.is_error for problem in file.session.diagnostics):
            self.withdraw(file)

    def withdraw(self, file: OpenFile) -> None:
        """Withdraw the notice."""
        self._notices.withdraw(_topic(file))


def _topic(file: OpenFile) -> str:
    return f"errors {id(file)}"
