"""File → Export: a model as a folder for other programs, with what it keeps, changes and loses before it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

from PySide6.QtCore import QObject, QRect, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLabel,
    QPushButton,
    QWidget,
)

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_sentence, with_capital
from sdfviewer.export.bundle import Bundle, make_bundle
from sdfviewer.export.certificate import certificate_lines, kept
from sdfviewer.export.conversion import OPTIONS, ConversionOptions
from sdfviewer.export.page import PageModel, WebPage, write_page
from sdfviewer.export.verification import PROGRAMS, Verification, is_installed, verify_steps
from sdfviewer.export.writing import MESH_FORMS, MeshForm
from sdfviewer.files import saving
from sdfviewer.files.finder import Finder
from sdfviewer.files.installed import enclosing_package
from sdfviewer.files.opening import current_folder
from sdfviewer.files.paths import as_name, is_file
from sdfviewer.files.uris import URI_FORMS, AssetKind, UriForm, named_files
from sdfviewer.formats.comparison import Verdict
from sdfviewer.formats.load import Loader
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.kit.jobs import Background
from sdfviewer.gui.kit.widgets import STRETCH, column_of, line_of, named, set_style_property, styled
from sdfviewer.gui.operations.certificate_page import PAGE_SIZE, CertificatePage
from sdfviewer.gui.operations.operation_form import Read, field_of
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.notice import NoticeBar
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted
from sdfviewer.versions import TARGETS as SDFORMAT_VERSIONS
from sdfviewer.versions import format_version

_BEFORE = "Choose a new folder. Before anything is written, you see what is kept, changed and lost."
_WIDTH = 480
#: What is written, by what the list says.
TARGETS = {
    "URDF": "urdf",
    "MuJoCo (MJCF)": "mjcf",
    **{f"SDFormat {format_version(each)}": format_version(each) for each in reversed(SDFORMAT_VERSIONS)},
}
_PROGRAM_LABELS = {"mujoco": "MuJoCo", "drake": "Drake", "pinocchio": "Pinocchio", "yourdfpy": "yourdfpy"}
_MESH_LABELS = {"keep": "as they are", "obj": "as OBJ, for MuJoCo and Drake", "stl": "as STL", "glb": "as binary glTF"}


def _uri_forms(path: Path | None) -> dict[str, UriForm]:
    """Return how meshes can be named, by label; first, for a file in a package of ROS, what its programs find."""
    forms: dict[str, UriForm] = {form.label: word for word, form in URI_FORMS.items() if word != "copied"}
    package = None if path is None else enclosing_package(path.parent)
    first = "package" if package is not None and is_file(package / "package.xml") else "relative"
    return dict(sorted(forms.items(), key=lambda form: form[1] != first))


class ExportDialog(QDialog):
    """Asks for format, names and meshes; then shows what is kept, changed and lost, and writes a new folder.

    Parameters
    ----------
    model, loader
        The model, and what loads it.
    file
        The name of the file.
    done
        Called with what was done and the folder of the bundle.
    choose
        Asks for a folder; returns an empty text if the user cancels.
    context
        The open file, in which a click on a line of the page leads to what it is about.
    """

    def __init__(
        self,
        model: Model,
        loader: Loader,
        file: str,
        done: Callable[[str, Path], object],
        parent: QWidget | None = None,
        choose: Callable[[], str] | None = None,
        context: DocumentContext | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export")
        self.setMinimumWidth(_WIDTH)
        self._model, self._loader, self._file, self._done = model, loader, file, done
        self.choose, self._context = choose or self._ask, context
        self._background = Background()
        self._bundle: Bundle | None = None
        self._folder = Path()
        column = column_of(parent=self, margins=16, spacing=12)
        self._fields = QWidget()
        form = QFormLayout(self._fields)
        form.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._fields)
        self.target, self.uris, self.meshes = QComboBox(), QComboBox(), QComboBox()
        choices: tuple[tuple[str, QComboBox, Mapping[str, object]], ...] = (
            ("Format", self.target, TARGETS),
            ("URIs of meshes", self.uris, _uri_forms(model.document.path)),
            ("Meshes", self.meshes, {_MESH_LABELS[each]: each for each in MESH_FORMS}),
        )
        for label, field, words in choices:
            for text, word in words.items():
                field.addItem(text, word)
            form.addRow(label, named(field, label))
        self._form, self._read = form, self._add_options(form)
        self.found_by = styled(QLabel(wordWrap=True), "muted")
        form.insertRow(2, "", self.found_by)
        documents = (model.document, *model.included_documents)
        kinds = {each.kind for text in documents for each in named_files(text)}
        self._has_files = bool(kinds - {AssetKind.INCLUDE})
        form.setRowVisible(self.meshes, AssetKind.MESH in kinds)
        for field in (self.uris, self.target):
            field.currentIndexChanged.connect(self._show_options)
        self._show_options()
        if model.is_world:
            self._offer_for_world()
        self.state = QLabel(_BEFORE, wordWrap=True)
        column.addWidget(self.state)
        self.page: CertificatePage | None = None
        self.programs = {
            each: QPushButton(f"Verify with {_PROGRAM_LABELS[each]}") for each in PROGRAMS if is_installed(each)
        }
        self.verification = line_of(*self.programs.values(), STRETCH)
        self.verified = QLabel(wordWrap=True)
        for each in (self.verification, self.verified):
            each.hide()
            column.addWidget(each)
        for program, button in self.programs.items():
            button.setAutoDefault(False)
            button.clicked.connect(partial(self._verify, program))
        self._column = column
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.write = self.buttons.addButton("Choose Folder…", QDialogButtonBox.ButtonRole.AcceptRole)
        self.back = self.buttons.addButton("Back", QDialogButtonBox.ButtonRole.ResetRole)
        self.back.hide()
        self.back.clicked.connect(lambda: self._refuse(_BEFORE))
        self.buttons.accepted.connect(self._next)
        self.buttons.rejected.connect(self.reject)
        column.addWidget(self.buttons)
        self.finished.connect(self._background.stop)
        self.write.setDefault(True)

    def _add_options(self, form: QFormLayout) -> dict[str, Read]:
        """Add a field for each option of conversions; return what reads them."""
        self.options: dict[str, QWidget] = {}
        reading: dict[str, Read] = {}
        for name, option in OPTIONS.items():
            parameter, caption = option.parameter, with_capital(option.parameter.caption)
            field, reading[name] = field_of(parameter, parameter.default, lambda *_: None)
            field.setToolTip(as_sentence(parameter.help))
            if isinstance(field, QCheckBox):
                field.setText(caption)  # the help is too long for a line
            form.addRow("" if isinstance(field, QCheckBox) else caption, field)
            self.options[name] = field
        return reading

    def _show_options(self, _index: int = 0) -> None:
        """Show the options of the target, and which programs find what is named so; MuJoCo knows only paths."""
        for field in (self.uris, self.found_by):
            self._form.setRowVisible(field, self._has_files and not self._is_for_mujoco)
        for name, option in OPTIONS.items():
            self._form.setRowVisible(self.options[name], option.is_for(self._target, self._model.document))
        self.found_by.setText(URI_FORMS[self.uris.currentData()].of_file)

    @property
    def _target(self) -> str:
        return TARGETS[self.target.currentText()]

    @property
    def _is_for_mujoco(self) -> bool:
        return self._target == "mjcf"

    def _offer_for_world(self) -> None:
        """Disable URDF, which has no worlds, and choose the first format that has."""
        choices = self.target.model()
        assert isinstance(choices, QStandardItemModel)
        possible = [text for text, target in TARGETS.items() if target != "urdf"]
        for text in TARGETS.keys() - set(possible):
            item = choices.item(self.target.findText(text))
            item.setEnabled(False)
            item.setToolTip("A world is not a robot: export the file of one of its models.")
        self.target.setCurrentText(possible[0])

    def _ask(self) -> str:
        start = current_folder() if self._context is None else self._context.session.folder
        name = str(start / as_name(self._model.name, "model"))
        return QFileDialog.getSaveFileName(self, "Export to a New Folder", name)[0]

    def _next(self) -> None:
        if self._bundle is not None:
            self._write(self._bundle)
            return
        folder = self.choose()
        if not folder:
            return
        self._folder = Path(folder)
        self._set_busy("Reading meshes…")
        try:
            job = partial(self._made, *self._choices())
        except ValueError as error:
            self._refuse(str(error))
            return
        self._background.run(job, self._show, lambda error: self._refuse(str(error)))

    def _choices(self) -> tuple[str, ConversionOptions, UriForm, MeshForm]:
        """Return what is chosen.

        Raises
        ------
        ValueError
            If something that is typed is no value.
        """
        uris: UriForm = "relative" if self._is_for_mujoco else self.uris.currentData()
        values: dict[str, Any] = {name: read() for name, read in self._read.items()}
        return self._target, ConversionOptions(**values), uris, self.meshes.currentData()

    def _made(self, target: str, options: ConversionOptions, uris: UriForm, meshes: MeshForm) -> Bundle:
        """Return the bundle; runs in the background."""
        loader = Loader(self._loader.finder.fresh(), expander=self._loader.expander)
        return make_bundle(self._model, loader, target, self._folder, uris, meshes, options)

    def _set_busy(self, text: str) -> None:
        self.state.setText(text)
        for field in (self._fields, self.write):
            field.setEnabled(False)

    def _show(self, bundle: Bundle) -> None:
        self._bundle = bundle
        said = {each for step in bundle.steps for each in (*step.sentences, *step.faults)}
        lines = certificate_lines(bundle.steps, [note for note in bundle.notes if note not in said])
        file = str(self._model.document.path or self._file)
        self.page = CertificatePage(lines, kept(self._model, bundle.steps), file)
        if self._context is not None:
            self.page.lead(self._context, self._model)
        self._column.insertWidget(2, self.page, 1)
        place = QRect(0, 0, *PAGE_SIZE)
        place.moveCenter(self.geometry().center())
        around = self.screen().availableGeometry()
        place.moveBottom(min(place.bottom(), around.bottom()))
        self.setGeometry(place)
        self._fields.hide()
        self.back.show()
        self.verification.setVisible(bool(self.programs))
        count = "1 thing is" if bundle.losses == 1 else f"{bundle.losses} things are"
        lost = f"{count} not converted."
        if not bundle.losses:
            others = sum(each.verdict is Verdict.CHANGED for each in lines)
            verb = "is" if others == 1 else "are"
            otherwise = f"{counted(others, 'thing')} {verb} left out or written otherwise: see below."
            lost = otherwise if others else "Everything can be converted."
        self.state.setText(f"{self.target.currentText()}: {lost} {self._folder} is written when you click Write.")
        self.write.setText("Write")
        self.write.setEnabled(True)
        self._offer()

    def _verify(self, program: str) -> None:
        """Let a program load what would be written, in the background."""
        assert self._bundle is not None
        self._show_verified(f"{_PROGRAM_LABELS[program]} loads it…", are_enabled=False)
        job = partial(self._loaded, program, self._bundle, *self._choices())
        self._background.run(job, self._show_verification, lambda error: self._show_verified(with_capital(str(error))))

    def _loaded(
        self, program: str, bundle: Bundle, target: str, options: ConversionOptions, uris: UriForm, meshes: MeshForm
    ) -> Verification:
        """Return what a program makes of the bundle; runs in the background."""
        with TemporaryDirectory(prefix="sdfviewer-") as temporary:
            folder = Path(temporary) / "model"
            if uris != "relative":  # which lead to where it will be
                bundle = self._made(target, options, "relative", meshes)
            bundle.write(folder)
            return verify_steps(program, folder / bundle.name, self._model, bundle.steps)

    def _show_verification(self, verification: Verification) -> None:
        self._show_verified(with_capital(str(verification)), is_error=not verification.agrees)

    def _show_verified(self, text: str, *, are_enabled: bool = True, is_error: bool = False) -> None:
        set_style_property(self.verified, "role", "error" if is_error else "")
        self.verified.setText(text)
        self.verified.show()
        for button in self.programs.values():
            button.setEnabled(are_enabled)

    def _write(self, bundle: Bundle) -> None:
        try:
            bundle.write(self._folder)
        except SdfViewerError as error:
            self._refuse(str(error))
            return
        self._done(f"Exported {counted(len(bundle.files) + 1, 'file')} into {self._folder}", self._folder)
        self.accept()

    def _refuse(self, why: str) -> None:
        self.state.setText(with_capital(why))
        self._bundle = None
        if self.page is not None:
            self.page.deleteLater()
            self.page = None
        self._fields.show()
        for widget in (self.verification, self.verified, self.back):
            widget.hide()
        self.write.setText("Choose Folder…")
        for field in (self._fields, self.write):
            field.setEnabled(True)
        self._offer()

    def _offer(self) -> None:
        """Let Enter press the button again: the focus moved to Cancel while it was disabled."""
        self.write.setDefault(True)  # it destroys nothing: only a new or empty folder is written
        self.write.setFocus()


# --- web pages ----------------------------------------------------------------------------------------------------


class PageExport(QObject):
    """The export of what a file shows now: a notice says how far it is, and cancels it.

    Later edits of the file are not in the page. Closing the file ends the export.
    """

    #: How many of how many steps are done, in the thread that writes.
    _went_on = Signal(int, int)

    def __init__(self, file: OpenFile, subject: PageModel, path: Path, notices: NoticeBar) -> None:
        super().__init__(file)
        self._file, self._path, self._notices = file, path, notices
        self._topic = f"page {id(self)}"
        self._is_cancelled = Event()
        self._went_on.connect(self._show)
        self.destroyed.connect(self._is_cancelled.set)
        self._background = Background(self)
        self._background.run(partial(self._write, subject, file.session.finder.fresh()), self._finish, self._fail)
        self._say(f"Writing {path.name}…")

    def _say(self, text: str) -> None:
        self._notices.ask(self._topic, text, {"Cancel": self._cancel}, about=self._file)

    def _show(self, done: int, total: int) -> None:
        if not self._is_cancelled.is_set():
            self._say(f"Writing {self._path.name}: {100 * done // max(total, 1)} %")

    def _cancel(self) -> None:
        self._is_cancelled.set()
        self._file.context.messages.show("Nothing was written.")
        self._end()

    def _write(self, subject: PageModel, finder: Finder) -> WebPage:
        """Write the page in the thread."""

        def tell(done: int, total: int) -> None:
            if self._is_cancelled.is_set():
                raise SdfViewerError("it was cancelled")
            self._went_on.emit(done, total)

        page = write_page(subject, finder, tell=tell)
        tell(1, 1)  # nothing is written once it is cancelled
        saving.save(self._path, page.text.encode("utf-8"), tell=lambda _: None)
        return page

    def _finish(self, page: WebPage) -> None:
        self._end()
        coarser = ", with fewer triangles than in the files of the meshes" if page.coarser else ""
        said = f"Wrote {self._path.name}, {len(page.text) / 1e6:.1f} MB{coarser}"
        self._file.context.messages.show_written(said, self._path)

    def _fail(self, error: SdfViewerError) -> None:
        self._end()
        self._file.context.messages.refuse(str(error))

    def _end(self) -> None:
        self._notices.withdraw(self._topic)
        self._background.stop()
        self.deleteLater()
