"""The File menu: open, save, compare with other versions, pictures, close."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.files.installed import FuelModel
from sdfviewer.files.paths import real_path
from sdfviewer.formats.load import Loader
from sdfviewer.formats.xacro.expansion import holds_xacro, is_xacro
from sdfviewer.gui.context.document_context import compute_first
from sdfviewer.gui.context.settings import DOWNLOADS
from sdfviewer.gui.kit.commands import NEW_MODEL, OPEN
from sdfviewer.gui.kit.file_dialog import model_filter
from sdfviewer.gui.kit.safe_text import made_plain
from sdfviewer.gui.shell.actions.converting import refuse_operation, where_editable
from sdfviewer.gui.shell.actions.declaration import Declarations, on_file, on_model
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.files.evaluating import choose_arguments, show_expansion
from sdfviewer.gui.shell.files.file_saving import suggested_path
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.model.kinds import Kind
from sdfviewer.model.names import free_name_among
from sdfviewer.operations.structure import join_robot
from sdfviewer.refactoring.adding import is_robot
from sdfviewer.refactoring.templates import TEMPLATES

FILE = Declarations("File")
_COMPARE = "File/Compare With"
_IMAGE = "File/Image"
_EXPORT = "File/Export"
_NEW = "File/New"
_XACRO = "File/xacro"
NO_XACRO = "This is not a xacro file, or its expansion is empty."
NO_FILE_YET = "Save the text to a file first."


def _in_a_sentence(title: str) -> str:
    """Return a title as words within a sentence: ``URDF mobile base``."""
    return " ".join(word if word.isupper() else word.lower() for word in title.split())


def _new(template: str) -> Callable[[App], None]:
    return lambda app: app.files.new(template)


for _name, _keys in {
    "model": NEW_MODEL.keys,
    "arm": "Ctrl+K, 5",
    "rover": "Ctrl+K, 6",
    "world": "Ctrl+K, 4",
    "arm_gripper": "Ctrl+K, Ctrl+5",
    "quadrotor": "Ctrl+K, Ctrl+6",
    "urdf": "Ctrl+K, Ctrl+7",
    "urdf_base": "Ctrl+K, Ctrl+8",
}.items():
    FILE.action(
        f"file.new_{_name}",
        TEMPLATES[_name].title,
        _keys,
        NEW_MODEL.icon,
        menu=_NEW,
        needs_file=False,
        tip=f"Open a new file that starts with a {_in_a_sentence(TEMPLATES[_name].title)}",
    )(_new(_name))


@FILE.action("file.open", OPEN.text, OPEN.keys, OPEN.icon, needs_file=False, toolbar=True)
def open_files(app: App) -> None:
    """Open SDFormat and URDF files."""
    app.files.open_dialog()


@FILE.action("file.reload", "Reload", "Ctrl+R", "mdi6.refresh", section=True)
@on_file
def reload(app: App, file: OpenFile) -> None:
    """Read the file again from disk."""
    if file.session.path is None:
        app.messages.show_message(NO_FILE_YET)
        return
    if file.session.dirty:
        buttons = QMessageBox.StandardButton
        text = f"Reload {file.name} and replace your unsaved changes? Undo brings them back."
        answer = QMessageBox.question(app.dialog_parent, "Reload", text, buttons.Ok | buttons.Cancel)
        if answer != buttons.Ok:
            return
    app.disk.reload(file)


@FILE.action("file.save", "Save", "Ctrl+S", "mdi6.content-save-outline", toolbar=True)
@on_file
def save(app: App, file: OpenFile) -> None:
    """Save the file; only what you changed is written differently."""
    app.saving.save(file)


@FILE.action("file.save_as", "Save As…", "Ctrl+Shift+S", "mdi6.content-save-edit-outline")
@on_file
def save_as(app: App, file: OpenFile) -> None:
    """Save under another name."""
    app.saving.save_as(file)


@FILE.action("file.save_all", "Save All", "Ctrl+K, Ctrl+S", "mdi6.content-save-all-outline")
def save_all(app: App) -> None:
    """Save every open file that has changed."""
    app.saving.save_all()


@FILE.action("file.save_copy", "Save a Copy…", "Ctrl+K, Ctrl+C", "mdi6.content-save-plus-outline")
@on_file
def save_copy(app: App, file: OpenFile) -> None:
    """Write a copy; this file stays open."""
    session = file.session
    start = suggested_path(session)
    copy = start.with_stem(f"{start.stem}_copy")
    name, _ = QFileDialog.getSaveFileName(app.dialog_parent, "Save a Copy", str(copy), model_filter())
    if not name:
        return
    if session.path is not None and real_path(Path(name)) == real_path(session.path):
        app.saving.save(file)
        return
    file.flush()
    path = Path(name).absolute()
    goes_on, uris = app.saving.ask_for_uris(file, path)
    if not goes_on:
        return
    from sdfviewer.session.other_files import write_elsewhere

    notes: list[str] = []
    try:
        from sdfviewer.session.other_files import write_elsewhere

        write_elsewhere(session.document, path, session.make_loader(), uris, notes.append)
    except SdfViewerError as error:
        app.messages.refuse(str(error))
        return
    if notes:
        app.notices.ask("saved", "\n".join(notes), {})
    app.messages.show_message(f"Saved a copy as {Path(name).name}; {file.name} stays open")


@FILE.action("file.revert", "Revert to Saved", "Ctrl+K, Ctrl+Z", "mdi6.file-restore-outline")
@on_file
def revert(app: App, file: OpenFile) -> None:
    """Discard all changes since the file was last saved."""
    if not file.session.dirty:
        app.messages.show_message("There is nothing to revert.")
        return
    buttons = QMessageBox.StandardButton
    text = f"Revert {file.name} to the last saved version? Undo brings your changes back."
    if QMessageBox.question(app.dialog_parent, "Revert", text, buttons.Ok | buttons.Cancel) == buttons.Ok:
        app.disk.reload(file)


@FILE.action("file.export", "Export…", "Ctrl+Alt+E", "mdi6.export-variant", menu=_EXPORT)
@on_file
def export(app: App, file: OpenFile) -> None:
    """Write the model and its meshes into a folder for other programs: URDF, MuJoCo or SDFormat."""
    model = file.session.model
    if model is None:
        app.messages.show_message("There is no model to export.")
        return
    from sdfviewer.gui.shell.files.export_bundle import ExportDialog

    loader = Loader(file.session.finder, expander=file.session.expander)
    done = file.context.messages.show_written
    app.open_dialog(ExportDialog(model, loader, file.name, done, app.dialog_parent, context=file.context))


@FILE.action("file.page", "Export Web Page…", "Ctrl+K, Ctrl+1", "mdi6.web", menu=_EXPORT)
@on_file
def export_page(app: App, file: OpenFile) -> None:
    """Write the model as one web page that anybody can open: the 3D view, joints, graphs and problems."""
    session = file.session
    model = session.model
    if model is None:
        app.messages.show_message("There is no model to export.")
        return
    start = suggested_path(session).with_suffix(".html")
    name, _ = QFileDialog.getSaveFileName(app.dialog_parent, "Export Web Page", str(start), "Web page (*.html)")
    if not name:
        return
    from sdfviewer.export.page import PageModel
    from sdfviewer.gui.shell.files.export_bundle import PageExport

    PageExport(file, PageModel(model, session.diagnostics), Path(name), app.notices)


@FILE.action(
    "file.duplicate_package", "Duplicate Package…", "Ctrl+K, Shift+S", "mdi6.folder-arrow-right-outline", menu=_EXPORT
)
@on_file
def duplicate_package(app: App, file: OpenFile) -> None:
    """Copy the folder of the model, or its ROS package, under another name, and open the copy."""
    from sdfviewer.export import package

    session = file.session
    if session.path is None:
        app.messages.refuse(NO_FILE_YET)
        return
    file.flush()
    try:
        root = package.package_around(session.path)
    except SdfViewerError as error:
        app.messages.refuse(str(error))
        return
    beside = {each.name for each in root.parent.iterdir()}
    start = str(root.with_name(free_name_among(f"{root.name}_copy", beside)))
    options = QFileDialog.Option.DontConfirmOverwrite
    name, _ = QFileDialog.getSaveFileName(app.dialog_parent, "Duplicate Package", start, "", options=options)
    if not name:
        return
    document, loader = session.document, session.make_loader()

    def write() -> package.PackageCopy:
        return package.duplicate_package(document, loader, Path(name))

    def done(copied: package.PackageCopy) -> None:
        app.files.open([copied.file])
        said = (*copied.faults, *copied.notes)
        if said:
            app.notices.ask("saved", "\n".join(said), {})
        app.messages.show_message(f"Duplicated {root.name}: {copied.summary}")

    compute_first(file.context, "Duplicate Package", write, done, app.dialog_parent, is_slow=True)


@FILE.action("file.resources", "Resources…", "Ctrl+K, Ctrl+N", "mdi6.folder-multiple-image")
@on_file
def show_resources(app: App, file: OpenFile) -> None:
    """List the meshes, textures and other files that the model names, found or missing."""
    from sdfviewer.gui.problems.reports import ResourcesDialog

    _open_about_model(app, file, lambda: ResourcesDialog(file.context, app.dialog_parent))


@FILE.operation(join_robot)
@on_model
@where_editable
def join_chosen(app: App, file: OpenFile) -> None:
    """Ask for another robot and the link that carries it."""
    from sdfviewer.gui.operations.operation_form import OperationForm

    model, rows = file.session.model, [row for row in file.session.selected_rows if row >= 0]
    assert model is not None
    link = [row for row in rows if model.kinds[row] is Kind.LINK][-1:]
    why = join_robot.refusal(model, link or [0]) if link or not is_robot(model, 0) else None
    if why is not None:
        refuse_operation(app, file, why)
    else:
        app.show_dialog(made_plain(lambda: OperationForm(join_robot, file.context, link, app.dialog_parent)))


@FILE.action("file.moveit", "MoveIt…", "Ctrl+K, H", "mdi6.robot-industrial-outline")
@on_file
def show_semantics(app: App, file: OpenFile) -> None:
    """List the groups, states and disabled pairs of the SRDF beside a robot, and find pairs that never collide."""
    from sdfviewer.gui.operations.semantics_dialog import SemanticsDialog

    _open_about_model(app, file, lambda: SemanticsDialog(file.context, app.project_files, app.dialog_parent))


def _open_about_model(app: App, file: OpenFile, make: Callable[[], QDialog]) -> None:
    """Open a dialog about the model of a file, or say that there is none."""
    if file.session.model is None:
        app.messages.show_message("There is no model here.")
    else:
        app.open_dialog(make())


@FILE.action("file.copy_path", "Copy Path", "Alt+Shift+C", "mdi6.content-copy")
@on_file
def copy_path(app: App, file: OpenFile) -> None:
    """Copy the path of the file to the clipboard."""
    if file.session.path is None:
        app.messages.show_message(NO_FILE_YET)
        return
    path = str(file.session.path.absolute())
    QGuiApplication.clipboard().setText(path)
    app.messages.show_message("Copied the path")


@FILE.action("file.fetch", "Download Missing Models…", "Ctrl+K, Ctrl+L", "mdi6.cloud-download-outline")
@on_file
def fetch(app: App, file: OpenFile) -> None:
    """List the models on Fuel that the file names and that are not there, and download them."""
    from sdfviewer.files.fuel import FuelClient
    from sdfviewer.gui.shell.files.missing_models import DownloadDialog
    from sdfviewer.scene.assets import missing_on_fuel

    if not app.settings.flag(DOWNLOADS, True):
        app.messages.refuse("The preferences do not allow downloads")
        return
    session = file.session
    model, finder = session.model, session.finder

    def show(missing: Sequence[FuelModel]) -> None:
        if not missing:
            app.messages.show_message("No model on Fuel is missing.")
            return
        try:
            client = FuelClient()
        except SdfViewerError as error:
            app.messages.refuse(str(error))
            return
        app.open_dialog(DownloadDialog(missing, client, session.refresh, app.dialog_parent))

    def find() -> Sequence[FuelModel]:
        return [] if model is None else missing_on_fuel(model, finder)

    compute_first(file.context, "Look for missing models", find, show, app.dialog_parent)


# --- xacro ---------------------------------------------------------------------------------------------------------


@FILE.action("file.xacro_arguments", "xacro Arguments…", "Ctrl+K, Ctrl+A", menu=_XACRO, section=True)
@on_file
def choose_xacro_arguments(app: App, file: OpenFile) -> None:
    """Evaluate the xacro file with other arguments."""
    if is_xacro(file.session.document) or holds_xacro(file.session.document):
        choose_arguments(file, app.settings, app.dialog_parent)
    else:
        app.messages.show_message(NO_XACRO)


@FILE.action("file.xacro_expansion", "Show Expansion", "Ctrl+K, Ctrl+P", menu=_XACRO)
@on_file
def show_xacro_expansion(app: App, file: OpenFile) -> None:
    """Show the robot that the xacro file writes, as text."""
    if show_expansion(file, app.dialog_parent) is None:
        app.messages.show_message(NO_XACRO)


# --- compare -------------------------------------------------------------------------------------------------------


@FILE.action("versions.file", "Another File…", "Ctrl+K, Ctrl+F", "mdi6.file-compare", menu=_COMPARE, section=True)
@on_file
def compare_with_file(app: App, file: OpenFile) -> None:
    """List the frames that differ from another file."""
    from sdfviewer.gui.compare.compare_dialog import file_version

    folder = str(file.session.path.parent) if file.session.path else ""
    name, _ = QFileDialog.getOpenFileName(app.dialog_parent, "Compare With", folder, model_filter())
    if name:
        app.comparisons.open(file, file_version(Path(name)))


@FILE.action("versions.head", "Last Git Commit", "Ctrl+K, Ctrl+G", "mdi6.git", menu=_COMPARE)
@on_file
def compare_with_head(app: App, file: OpenFile) -> None:
    """List the frames that differ from git's HEAD."""
    from sdfviewer.gui.compare.compare_dialog import head_version

    if file.session.path is None:
        app.messages.refuse(NO_FILE_YET)
    else:
        app.comparisons.open(file, head_version(file.session, file.session.path))


@FILE.action("versions.saved", "Version on Disk", "Ctrl+K, Ctrl+D", "mdi6.harddisk", menu=_COMPARE)
@on_file
def compare_with_saved(app: App, file: OpenFile) -> None:
    """List the frames that differ from the file on disk."""
    app.disk.compare_saved(file)


@FILE.action("versions.step", "Earlier Step in History", "Ctrl+K, Ctrl+H", "mdi6.history", menu=_COMPARE)
@on_file
def compare_with_step(app: App, file: OpenFile) -> None:
    """List the frames that differ from the file before the last edit, or at another step."""
    history = file.session.history
    if len(history.steps) < 2:
        app.messages.refuse("The history of this file has no other steps yet.")
    else:  # where all edits are undone, the next one is the other step
        app.comparisons.open_step(file, history.index - 1 if history.index else 1)


@FILE.action(
    "file.merge", "Merge Version on Disk…", "Ctrl+K, Shift+M", "mdi6.source-merge", menu=_COMPARE, section=True
)
@on_file
def merge_with_disk(app: App, file: OpenFile) -> None:
    """Merge your changes with those that another program has saved in the file."""
    app.disk.merge(file)


# --- images --------------------------------------------------------------------------------------------------------


@FILE.action("file.picture", "Save Image…", "Ctrl+Shift+E", "mdi6.camera-outline", menu=_IMAGE)
@on_file
def save_picture(app: App, file: OpenFile) -> None:
    """Save the 3D view as a PNG image of any size, also with a transparent background."""
    from sdfviewer.gui.view3d.picture_dialog import PictureDialog

    if file.view.canvas is None:
        app.messages.refuse("There is no 3D view to save.")
        return
    start = file.session.path.with_suffix(".png") if file.session.path else Path("image.png")
    app.open_dialog(PictureDialog(file.view.canvas, start, file.context.messages, app.dialog_parent))


@FILE.action("file.copy_picture", "Copy Image", "Ctrl+G, I", "mdi6.image-multiple-outline", menu=_IMAGE)
@on_file
def copy_picture(app: App, file: OpenFile) -> None:
    """Copy the 3D view to the clipboard as an image."""
    if file.view.copy_picture():
        app.messages.show_message("Copied the image")


# --- the rest ------------------------------------------------------------------------------------------------------


@FILE.action("file.model_folders", "Model Folders…", "Ctrl+K, Ctrl+M", "mdi6.folder-search-outline", needs_file=False)
def choose_model_folders(app: App) -> None:
    """Choose where included models and meshes are searched for."""
    app.files.choose_model_folders()


@FILE.action("file.close", "Close", "Ctrl+W", "mdi6.close", section=True)
@on_file
def close(app: App, file: OpenFile) -> None:
    """Close this file."""
    app.saving.close(file)


@FILE.action("file.next", "Next File", "Ctrl+Tab")
@on_file
def next_file(app: App, file: OpenFile) -> None:
    """Go to the next open file."""
    opened = app.files.opened
    app.files.show(opened[(opened.index(file) + 1) % len(opened)])


@FILE.action("file.quit", "Quit", "Ctrl+Q", section=True, needs_file=False)
def quit_program(app: App) -> None:
    """Close all files and quit."""
    app.dialog_parent.close()
