"""Files of formats that are edited as text: convert them to SDFormat, where everything can be edited."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_sentence
from sdfviewer.document.document import parse_document
from sdfviewer.formats.registry import can_edit_structure, format_of
from sdfviewer.gui.context.document_context import attempt, compute_first
from sdfviewer.gui.shell.actions.declaration import EDITS
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.refusals import version_action
from sdfviewer.number_text import counted
from sdfviewer.refactoring.editable import why_edited_as_text, why_not_sdformat
from sdfviewer.session.read_only import why_not_current
from sdfviewer.versions import NEWEST, Version, format_version

if TYPE_CHECKING:
    from sdfviewer.export.conversion import Conversion

P = ParamSpec("P")
#: The action that makes SDFormat of the newest version of the current file.
CONVERT = version_action(NEWEST)
#: What runs on a file: an action, perhaps on one of its frames.
_OnFile = Callable[Concatenate[App, OpenFile, P], object]


def where_editable(run: _OnFile[P]) -> _OnFile[P]:
    """Return an action that edits more than names: of a file that is edited as text it offers to convert that."""

    @wraps(run)
    def act(app: App, file: OpenFile, /, *more: P.args, **named: P.kwargs) -> object:
        if can_edit_structure(file.session.document):
            return run(app, file, *more, **named)
        offer_conversion(app, file)
        return None

    setattr(act, EDITS, True)
    return act


def offer_conversion(app: App, file: OpenFile) -> None:
    """Say why a file is edited as text, and offer to convert it until the user has closed that offer."""
    reason = why_edited_as_text(file.session.document)
    if reason is not None:
        _offer(app, file, reason.sentence, converts=reason.converts)


def refuse_operation(app: App, file: OpenFile, why: str) -> None:
    """Say why an operation is refused, and offer to convert the file where that is what helps."""
    model = file.session.model
    is_form = model is not None and why_not_sdformat(model) == why
    _offer(app, file, as_sentence(why), converts=is_form and can_edit_structure(file.session.document))


def _offer(app: App, file: OpenFile, sentence: str, *, converts: bool) -> None:
    if not converts or not file.offers_conversion:
        app.messages.refuse(sentence)
        return
    app.notices.ask(
        f"edited as text {id(file)}",
        sentence,
        {"Convert to SDFormat": app.actions[CONVERT].trigger, "Edit Text": app.actions["go.source"].trigger},
        "mdi6.pencil-lock-outline",
        about=file,
        dismissed=file.decline_conversion,
    )


def convert_to_sdformat(app: App, file: OpenFile, version: Version) -> None:
    """Open the SDFormat version of a file in a tab of its own, as a file that is not saved yet."""
    from sdfviewer.export.conversion import convert
    from sdfviewer.gui.operations.certificate_page import RefusalDialog

    session = file.session
    reason = why_not_current(session)
    if reason is not None:
        app.messages.refuse(reason.sentence)
        return
    known = format_of(session.document)
    assert session.model is not None
    assert known is not None  # it has built the model
    title = f"Convert to SDFormat {format_version(version)}"
    job = partial(attempt, partial(convert, session.model, session.make_loader(), format_version(version)))

    def show(answer: Conversion | SdfViewerError) -> None:
        if isinstance(answer, SdfViewerError):
            app.open_dialog(RefusalDialog(title, answer, session.document.name, app.dialog_parent))
            return
        path = None if session.path is None else _free_path(app, session.path)
        opened = app.files.open_document(parse_document(answer.document.text, path))
        opened.session.note_missing(True)
        opened.session.select(session.selection)  # the names are the same
        _announce(app, file, known.title, opened, answer)

    compute_first(file.context, title, job, show, app.dialog_parent)


def _announce(app: App, source: OpenFile, title: str, opened: OpenFile, conversion: Conversion) -> None:
    """Say what the new file is, and what it does not hold."""
    from sdfviewer.gui.operations.certificate_page import CertificateDialog

    def show() -> None:
        is_open = source in app.files.opened
        if is_open:
            app.files.show(source)
        context = source.context if is_open else None
        app.open_dialog(CertificateDialog(opened.name, conversion, context, app.dialog_parent))

    answers: dict[str, Callable[[], object]] = {"Save": partial(app.saving.save, opened)}
    text = f"{opened.name} is {source.name} in SDFormat, not saved yet."
    said = conversion.sentences
    if said:
        text += f" {counted(len(said), 'thing')} in it {'differs' if len(said) == 1 else 'differ'} from the {title}."
        if conversion.faults:
            are = "is an error" if len(conversion.faults) == 1 else "are errors"
            text += f" {counted(len(conversion.faults), 'difference')} {are} of sdfviewer."
        answers["List…"] = show
    app.notices.ask(f"converted {id(opened)}", text, answers, "mdi6.check-circle-outline", about=opened)


def _free_path(app: App, path: Path) -> Path:
    """Return where the SDFormat version of a file goes: beside it, where relative URIs mean the same."""
    stem = path.name.split(".")[0]
    number = 0
    while True:
        free = path.with_name(f"{stem}{f'_{number}' if number else ''}.sdf")
        if not os.path.lexists(free) and app.files.find(free) is None:
            return free
        number += 1
