"""File → Export: a model as a folder for other programs, with what it loses listed before anything is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLabel,
    QWidget,
)

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import with_capital
from sdfviewer.export.bundle import URI_FORMS, Bundle, UriForm, make_bundle
from sdfviewer.export.mesh_files import MESH_FORMS, MeshForm
from sdfviewer.files.paths import as_name
from sdfviewer.formats.load import Loader
from sdfviewer.formats.urdf.origins import OLDEST, URDF_VERSIONS, UrdfVersion
from sdfviewer.gui.kit.jobs import Background
from sdfviewer.gui.kit.layouts import column_of
from sdfviewer.gui.kit.widget_properties import named
from sdfviewer.gui.operations.losses import LossList
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted
from sdfviewer.versions import TARGETS as SDFORMAT_VERSIONS
from sdfviewer.versions import format_version

_WIDTH, _WIDTH_WITH_LIST = 480, 640
_LIST_HEIGHT = 200
#: What is written, by what the list says.
TARGETS: dict[str, tuple[str, UrdfVersion]] = {
    "URDF": ("urdf", OLDEST),
    **{f"URDF {major}.{minor}": ("urdf", (major, minor)) for major, minor in URDF_VERSIONS[1:]},
    "MuJoCo (MJCF)": ("mjcf", OLDEST),
    **{f"SDFormat {format_version(each)}": (format_version(each), OLDEST) for each in reversed(SDFORMAT_VERSIONS)},
}
_URI_LABELS = {"relative": "relative paths", "absolute": "absolute paths", "package": "package:// or model:// URIs"}
_MESH_LABELS = {"keep": "as they are", "obj": "as OBJ, for MuJoCo and Drake", "stl": "as STL", "glb": "as binary glTF"}


class ExportDialog(QDialog):
    """Asks for format, names and meshes; then shows what is lost, and writes a new folder.

    Parameters
    ----------
    model, loader
        The model, and what loads it.
    file
        The name of the file.
    done
        Called with the folder of the bundle.
    choose
        Asks for a folder; returns an empty text if the user cancels.
    """

    def __init__(
        self,
        model: Model,
        loader: Loader,
        file: str,
        done: Callable[[str], object],
        parent: QWidget | None = None,
        choose: Callable[[], str] | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export")
        self.setMinimumWidth(_WIDTH)
        self._model, self._loader, self._file, self._done = model, loader, file, done
        self._choose = choose or self._ask
        self._background = Background()
        self._bundle: Bundle | None = None
        self._folder = Path()
        column = column_of(parent=self, margins=16, spacing=12)
        form = QFormLayout()
        column.addLayout(form)
        self.target, self.uris, self.meshes = QComboBox(), QComboBox(), QComboBox()
        choices: tuple[tuple[str, QComboBox, Mapping[str, object]], ...] = (
            ("Format", self.target, TARGETS),
            ("URIs of meshes", self.uris, {_URI_LABELS[each]: each for each in URI_FORMS}),
            ("Meshes", self.meshes, {_MESH_LABELS[each]: each for each in MESH_FORMS}),
        )
        for label, field, words in choices:
            for text, word in words.items():
                field.addItem(text, word)
            form.addRow(label, named(field, label))
        if model.is_world:
            self._offer_for_world()
        self.state = QLabel(
            "Choose a new folder. Before anything is written, you see what cannot be converted.", wordWrap=True
        )
        column.addWidget(self.state)
        self.losses: LossList | None = None
        self._column = column
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.write = self.buttons.addButton("Choose Folder…", QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self._next)
        self.buttons.rejected.connect(self.reject)
        column.addWidget(self.buttons)
        self.finished.connect(self._background.stop)
        self.write.setDefault(True)

    def _offer_for_world(self) -> None:
        """Disable URDF, which has no worlds, and choose the first format that has."""
        choices = self.target.model()
        assert isinstance(choices, QStandardItemModel)
        possible = [text for text, (target, _) in TARGETS.items() if target != "urdf"]
        for text in TARGETS.keys() - set(possible):
            item = choices.item(self.target.findText(text))
            item.setEnabled(False)
            item.setToolTip("A world is not a robot: export the file of one of its models.")
        self.target.setCurrentText(possible[0])

    def _ask(self) -> str:
        folder = Path.cwd() / as_name(self._model.name, "model")
        return QFileDialog.getSaveFileName(self, "Export to a New Folder", str(folder))[0]

    def _next(self) -> None:
        if self._bundle is not None:
            self._write(self._bundle)
            return
        folder = self._choose()
        if not folder:
            return
        self._folder = Path(folder)
        uris: UriForm = self.uris.currentData()
        meshes: MeshForm = self.meshes.currentData()
        self._set_busy("Reading meshes…")
        job = partial(self._made, *TARGETS[self.target.currentText()], uris, meshes)
        self._background.run(job, self._show, lambda error: self._refuse(str(error)))

    def _made(self, target: str, version: UrdfVersion, uris: UriForm, meshes: MeshForm) -> Bundle:
        """Return the bundle; runs in the background."""
        loader = Loader(self._loader.finder.fresh(), expander=self._loader.expander)
        return make_bundle(self._model, loader, target, self._folder, uris, meshes, version)

    def _set_busy(self, text: str) -> None:
        self.state.setText(text)
        for field in (self.target, self.uris, self.meshes, self.write):
            field.setEnabled(False)

    def _show(self, bundle: Bundle) -> None:
        if not bundle.notes:
            self._write(bundle)
            return
        self._bundle = bundle
        lost_first = sorted(bundle.notes, key=lambda note: ": lost: " not in note)
        self.losses = LossList(lost_first, str(self._model.document.path or self._file))
        self.losses.setMinimumHeight(_LIST_HEIGHT)
        self._column.insertWidget(2, self.losses)
        self.setMinimumWidth(_WIDTH_WITH_LIST)
        count = "1 thing is" if bundle.losses == 1 else f"{bundle.losses} things are"
        lost = f"{count} not converted." if bundle.losses else "Everything can be converted."
        self.state.setText(f"{lost} {self._folder} is written when you click Write.")
        self.write.setText("Write")
        self.write.setEnabled(True)
        self._offer()

    def _write(self, bundle: Bundle) -> None:
        try:
            bundle.write(self._folder)
        except SdfViewerError as error:
            self._refuse(str(error))
            return
        self._done(f"Exported {counted(len(bundle.files) + 1, 'file')} into {self._folder}")
        self.accept()

    def _refuse(self, why: str) -> None:
        self.state.setText(with_capital(why))
        self._bundle = None
        self.write.setText("Choose Folder…")
        for field in (self.target, self.uris, self.meshes, self.write):
            field.setEnabled(True)
        self._offer()

    def _offer(self) -> None:
        """Let Enter press the button again: the focus moved to Cancel while it was disabled."""
        self.write.setDefault(True)  # it destroys nothing: only a new or empty folder is written
        self.write.setFocus()
