"""The notice that a file has errors or lacks others, with what helps: folders, downloads, the Debug workspace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QAction

from sdfviewer.diagnostics import Severity
from sdfviewer.files.finder import NOT_DOWNLOADED
from sdfviewer.files.offered_folders import shown_from
from sdfviewer.gui.kit.icons import SEVERITIES
from sdfviewer.gui.shell.files.files import Files
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.layouts import DEBUG
from sdfviewer.gui.shell.notice import NoticeBar
from sdfviewer.gui.shell.workspaces import Workspaces
from sdfviewer.number_text import counted
from sdfviewer.session.session_change import SessionChange
from sdfviewer.validation.file_rules import uri_not_found


@dataclass(frozen=True)
class _Trouble:
    """What is wrong with a file.

    Attributes
    ----------
    errors
        The number of errors.
    models, downloads
        The number of models that are not found, and that are on a server; one that is missing twice counts once.
    others
        The number of other files, such as meshes, that are not found and lie in one of the folders.
    folders
        Where what is not found lies.
    """

    errors: int
    models: int
    downloads: int
    others: int
    folders: tuple[str, ...]


def _trouble(file: OpenFile) -> _Trouble:
    problems = file.session.diagnostics
    missing = {each.message for each in problems if each.rule is uri_not_found}
    downloads = sum(NOT_DOWNLOADED in message for message in missing)
    others = sum(bool(each.found_in) and each.rule is not uri_not_found for each in problems)
    folders = tuple(dict.fromkeys(each.found_in for each in problems if each.found_in))
    return _Trouble(sum(each.is_error for each in problems), len(missing) - downloads, downloads, others, folders)


class ErrorNotices:
    """Announces the errors of each file, keeps the notice up to date, and withdraws it when no error is left.

    One that was answered or dismissed returns only where a folder is found that was not offered yet.
    """

    def __init__(
        self, files: Files, notices: NoticeBar, workspaces: Workspaces, actions: Mapping[str, QAction]
    ) -> None:
        self._files, self._notices, self._workspaces, self._actions = files, notices, workspaces, actions

    def announce(self, file: OpenFile) -> None:
        """Offer help with the errors of a file, as long as nothing else is done about them."""
        offered = set[str]()
        shown = self._ask(file, offered, None) if self._is_worth_a_notice(file) else None

        def follow(change: SessionChange) -> None:
            nonlocal shown
            if change.document or change.problems:
                shown = self._follow(file, offered, shown)

        file.context.changed.connect(follow)

    def _is_worth_a_notice(self, file: OpenFile) -> bool:
        trouble = _trouble(file)
        return bool(trouble.folders) or (bool(trouble.errors) and self._workspaces.current is not DEBUG)

    def _follow(self, file: OpenFile, offered: set[str], shown: _Trouble | None) -> _Trouble | None:
        trouble = _trouble(file)
        if not trouble.errors and not trouble.folders:
            self._notices.withdraw(_topic(file))
        elif trouble != shown and (_topic(file) in self._notices.topics or not offered.issuperset(trouble.folders)):
            return self._ask(file, offered, trouble)
        return shown

    def _ask(self, file: OpenFile, offered: set[str], trouble: _Trouble | None) -> _Trouble:
        trouble = trouble or _trouble(file)
        offered.update(trouble.folders)
        answers: dict[str, Callable[[], object]] = {}
        folders = [Path(folder) for folder in trouble.folders]
        start = file.session.path.parent if file.session.path is not None else Path.cwd()
        names = [shown_from(folder, start) for folder in folders]
        if folders:
            label = f"Use {names[0]}" if len(names) == 1 else f"Use {len(names)} Folders"
            answers[label] = lambda: self._files.use_folders(file, folders)
        if folders or trouble.models:
            answers["Locate…"] = lambda: self._files.locate_folder(file)
        if trouble.downloads:
            answers["Download…"] = self._actions["file.fetch"].trigger
        if trouble.errors and self._workspaces.current is not DEBUG:
            answers["Debug"] = self._actions["workspace.debug"].trigger
        icon = SEVERITIES[Severity.ERROR if trouble.errors else Severity.WARNING]
        self._notices.ask(_topic(file), _text(file, trouble, names), answers, icon, about=file)
        return trouble

    def withdraw(self, file: OpenFile) -> None:
        """Withdraw the notice of a file whose panels say the same, but not while there is a folder to use."""
        if not _trouble(file).folders:
            self._notices.withdraw(_topic(file))


def _text(file: OpenFile, trouble: _Trouble, names: list[str]) -> str:
    sentences = [f"{file.name} has {counted(trouble.errors, 'error')}."] if trouble.errors else [f"{file.name}:"]
    lacking = [counted(trouble.models, "model")] if trouble.models else []
    if trouble.others:
        lacking.append(counted(trouble.others, "other file" if lacking else "file"))
    if lacking:
        verb = "is" if trouble.models + trouble.others == 1 else "are"
        where = f" Found in {' and '.join(names[:2])}{' and elsewhere' if len(names) > 2 else ''}." if names else ""
        sentences.append(f"{' and '.join(lacking)} {verb} not found.{where}")
    if trouble.downloads:
        verb = "is" if trouble.downloads == 1 else "are"
        sentences.append(f"{counted(trouble.downloads, 'model')} {verb} not downloaded.")
    if not lacking and trouble.errors:
        sentences.append("The Debug workspace shows the graphs, the problems and the source.")
    return " ".join(sentences)


def _topic(file: OpenFile) -> str:
    return f"errors {id(file)}"
