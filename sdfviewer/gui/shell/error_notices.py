"""The notice that a file has errors or lacks others, with what helps: folders, downloads, the Debug workspace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtGui import QAction

from sdfviewer.diagnostics import Severity
from sdfviewer.display_text import cut, visible
from sdfviewer.document.document import Document
from sdfviewer.gui.context.missing import Missing, why_not_evaluated
from sdfviewer.gui.kit.icons import SEVERITIES
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.layouts import DEBUG
from sdfviewer.gui.shell.notice import NoticeBar
from sdfviewer.gui.shell.workspaces import Workspaces
from sdfviewer.number_text import counted
from sdfviewer.refactoring.templates import EMPTY, TEMPLATES, Template
from sdfviewer.session.session_change import SessionChange


@dataclass
class _Notice:
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
        self._shown: dict[OpenFile, _Notice] = {}

    def announce(self, file: OpenFile) -> None:
        """Offer help with the errors of a file, as long as nothing else is done about them."""
        self._shown[file] = _Notice(file.session.document)
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
