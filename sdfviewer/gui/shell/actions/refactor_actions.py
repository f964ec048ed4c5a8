"""The Refactor menu: edits of the whole file that move no frame, each with a preview."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_sentence
from sdfviewer.document.edits import Edit
from sdfviewer.files.paths import as_name
from sdfviewer.files.uris import Keep, UriForm
from sdfviewer.formats.load import Loader
from sdfviewer.formats.registry import has_versions
from sdfviewer.gui.context.document_context import attempt, compute_first
from sdfviewer.gui.kit.file_dialog import model_filter
from sdfviewer.gui.kit.safe_text import made_plain
from sdfviewer.gui.shell.actions.converting import convert_to_sdformat, refuse_operation, where_editable
from sdfviewer.gui.shell.actions.declaration import Declarations, Run, on_file, on_frame, on_model
from sdfviewer.gui.shell.actions.edit_actions import EDIT
from sdfviewer.gui.shell.actions.file_actions import FILE
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.refusals import version_action
from sdfviewer.operations import whole
from sdfviewer.operations.declaration import EditContext, Operation
from sdfviewer.operations.table import OPERATIONS
from sdfviewer.session.session import Session
from sdfviewer.versions import FRAME_SEMANTICS, TARGETS, Version, format_version

if TYPE_CHECKING:
    from sdfviewer.files.uris import Keep
    from sdfviewer.gui.operations.preview_dialog import EditEffect

REFACTOR = Declarations("Refactor")


def _edit_context(session: Session) -> EditContext:
    """Return what an operation of the present text is applied to, in any thread."""
    model = session.edited_model
    assert model is not None
    return EditContext(model, Loader(session.finder, expander=session.expander.fork()))


def _preview(operation: Operation, text: str, note: str, arguments: Mapping[str, object]) -> Run:
    """Return an action that previews an operation on the whole file, or shows why it is refused."""

    @on_model
    @where_editable
    def act(app: App, file: OpenFile) -> None:
        from sdfviewer.gui.operations.certificate_page import RefusalDialog
        from sdfviewer.gui.operations.preview_dialog import PreviewDialog, prepare_effect

        session = file.session
        model = session.edited_model
        why = None if model is None else operation.refusal(model, session.selected_rows)
        if why is not None:
            refuse_operation(app, file, why)
            return
        on, effect_of = _edit_context(session), prepare_effect(session)

        def job() -> EditEffect | Edit | SdfViewerError:
            done = attempt(partial(operation.perform, on, arguments))
            if isinstance(done, SdfViewerError):
                return done
            if not done.edit.replacements:
                return done.edit
            return replace(effect_of(done), faults=operation.faults(on, arguments, done))

        def show(answer: EditEffect | Edit | SdfViewerError) -> None:
            if isinstance(answer, SdfViewerError):
                app.open_dialog(RefusalDialog(text, answer, session.document.name, app.dialog_parent))
            elif isinstance(answer, Edit):
                included = session.model is not None and session.model.included_documents
                where = " in this file; what it includes stays as it is" if included else ""
                app.messages.show_message(f"{answer.label}: nothing to change{where}")
            else:
                parent = app.dialog_parent
                app.open_dialog(
                    PreviewDialog(
                        file.context, app.settings, answer, note, moves_nothing=operation.moves_nothing, parent=parent
                    )
                )

        compute_first(file.context, text.rstrip("…"), job, show, app.dialog_parent)

    return act


def _form(operation: Operation) -> Run:
    """Return an action that asks for the arguments of an operation."""

    @on_model
    @where_editable
    def act(app: App, file: OpenFile) -> None:
        from sdfviewer.gui.operations.operation_form import OperationForm

        model, rows = file.session.edited_model, file.session.selected_rows
        why = None if model is None else operation.refusal(model, rows)
        if why is not None:
            refuse_operation(app, file, why)
        else:
            app.show_dialog(made_plain(lambda: OperationForm(operation, file.context, rows, app.dialog_parent)))

    return act


def _declare(operation: Operation) -> None:
    """Declare the action of an operation: its form, or its preview where it moves nothing and needs no argument."""
    menu = operation.menu
    assert menu is not None
    if operation.name in _BY_HAND:
        run = _BY_HAND[operation.name]
    elif operation.moves_nothing and not any(each.is_required for each in operation.parameters):
        run = _preview(operation, menu.text, operation.note or operation.help, {})
    else:
        run = _form(operation)
    REFACTOR.operation(operation)(run)


# --- composition ---------------------------------------------------------------------------------------------------


@on_frame
@where_editable
def split_off_model(app: App, file: OpenFile, row: int) -> None:
    """Move the selected nested model to a file of its own and include that."""
    model = file.session.model
    assert model is not None
    why = whole.split_off.refusal(model, [row])
    if why is not None:
        app.messages.refuse(as_sentence(why))
        return
    row = whole.model_to_split_off(model, [row]) or 0
    start = str(file.session.folder / f"{as_name(model.local_names[row], 'model')}.sdf")
    name, _ = QFileDialog.getSaveFileName(
        app.dialog_parent, "Split Off To", start, model_filter(), options=QFileDialog.Option.DontConfirmOverwrite
    )
    if not name:
        return
    from sdfviewer.gui.operations.uri_choice import OF_INCLUDES, UriDialog

    what = f"{file.name} includes {Path(name).name} by:"
    goes_on, uris = UriDialog.ask("Split Off", "Preview", what, OF_INCLUDES, app.dialog_parent)
    if goes_on:
        split_off_to(app, file, row, Path(name), uris)


def split_off_to(app: App, file: OpenFile, row: int, path: Path, uris: UriForm | Keep | None = None) -> None:
    """Preview a nested model being replaced by an include of a new file, which applying writes."""
    from sdfviewer.gui.operations.preview_dialog import PreviewDialog, prepare_effect

    session, model = file.session, file.session.model
    assert model is not None
    try:
        on, arguments = EditContext(model, session.make_loader()), {"model": row, "file": path.absolute(), "uris": uris}
        done = whole.split_off.perform(on, arguments)
    except SdfViewerError as error:
        app.messages.refuse(str(error))
        return
    note = f"The model moves to {path.name}, which is written when you save, and is replaced by an include."
    effect_of = prepare_effect(file.session)

    def job() -> EditEffect:
        return replace(effect_of(done), faults=whole.split_off.faults(on, arguments, done))

    def show(effect: EditEffect) -> None:
        app.open_dialog(
            PreviewDialog(file.context, app.settings, effect, note, moves_nothing=True, parent=app.dialog_parent)
        )

    compute_first(file.context, done.edit.label, job, show, app.dialog_parent)


#: The operations whose layout or course is written by hand.
_BY_HAND: Mapping[str, Run] = {whole.split_off.name: split_off_model}
_WRITTEN = {spec.id for spec in (*EDIT.specs, *FILE.specs)}
for _operation in OPERATIONS.values():
    if _operation.menu is not None and _operation.menu.id not in _WRITTEN:
        _declare(_operation)


# --- versions ------------------------------------------------------------------------------------------------------


def _declare_version(version: Version, keys: str, icon: str) -> None:
    written = format_version(version)
    text = f"Convert to SDFormat {written}…"
    note = (
        f"Converts the file to SDFormat {written}; included files keep their version. Lists what {written} cannot "
        f"express. If frames or joints "
        "depend on it, the file is not converted."
    )

    preview = _preview(whole.change_version, text, note, {"version": written})

    @on_model
    def run(app: App, file: OpenFile) -> None:
        if has_versions(file.session.document):
            preview(app)
        else:
            convert_to_sdformat(app, file, version)

    tip = f"Convert the file to SDFormat {written}; lists what cannot be converted"
    REFACTOR.action(version_action(version), text, keys, icon, menu="Refactor/Convert to Version", tip=tip)(run)


for _version in reversed(TARGETS):
    _newest = _version == TARGETS[-1]
    _declare_version(
        _version,
        "Ctrl+K, U" if _newest else f"Ctrl+K, {'Alt+' if _version < FRAME_SEMANTICS else ''}{_version[1] % 10}",
        "mdi6.arrow-up-bold-box-outline" if _newest else "",
    )


@REFACTOR.action("refactor.naming", "Naming Report…", "Ctrl+K, N", "mdi6.format-list-checks")
@on_file
def report_names(app: App, file: OpenFile) -> None:
    """List the names that newer versions of SDFormat do not allow."""
    from sdfviewer.gui.problems.reports import NamingReport

    app.open_dialog(NamingReport(file.session, file.context.requests, app.dialog_parent))
