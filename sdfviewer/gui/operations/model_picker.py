"""A list of the models that can be included, with a search and a picture of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, QProcess, QProcessEnvironment, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QIcon, QImage, QPixmap
from PySide6.QtWidgets import QLabel, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.files.search import KnownModel
from sdfviewer.gui.context.settings import key_of
from sdfviewer.gui.kit.icons import kind_icon
from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.kit.search import Candidate, Row, SearchPopup
from sdfviewer.gui.kit.widgets import styled
from sdfviewer.programs import own_process
from sdfviewer.scene.textures import open_picture

WIDTH, HEIGHT = 320, 200
"""Size of a picture in pixels."""
_REST_MILLISECONDS = 250
"""How long the selection rests on a model before its picture is drawn."""
_PATIENCE_MILLISECONDS = 30_000
_MOST_PIXELS = 4 << 20
"""The most pixels of a picture, which is decoded in the window's thread."""
_LAYERS = "visuals,grid,shadows"
_LIST = QSize(420, 560)


def _read_picture(path: Path) -> QPixmap:
    """Return a picture of whoever made the model, none where it cannot be shown.

    Qt would read whatever has the name of a picture: a drawing that names other files, or a document.
    """
    try:
        picture = open_picture(path, WIDTH, most_pixels=_MOST_PIXELS).convert("RGBA")
    except SdfViewerError:
        return QPixmap()
    width, height = picture.size
    return QPixmap.fromImage(QImage(picture.tobytes(), width, height, 4 * width, QImage.Format.Format_RGBA8888).copy())


class ModelPicker(SearchPopup):
    """The models and their pictures; a picture that a model folder does not have is made in the background.

    Attributes
    ----------
    picture
        Shows the current model.
    """

    #: The model that was chosen.
    chosen = Signal(KnownModel)

    def __init__(self, models: Sequence[KnownModel], pictures: Path, parent: QWidget) -> None:
        candidates = [Candidate(each, each.name, each.uri) for each in models]
        nothing = "No model matches." if models else "No models here. File › Model Folders… adds folders."
        self._pictures = pictures
        self._pixmaps: dict[Path, QPixmap] = {}
        super().__init__("Find a model", "Models", nothing, candidates, parent)
        self.picture = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.picture.setFixedHeight(HEIGHT)
        self.picture.setProperty("role", "muted")
        self.column.addWidget(self.picture)
        self._where = styled(QLabel(), "muted")
        self.column.addWidget(self._where)
        self._model: KnownModel | None = None
        self._painter: QProcess | None = None
        self._rest = delayed(self, self._make_picture, _REST_MILLISECONDS)
        self.results.current_changed.connect(lambda hit: self._show(None if hit is None else hit.entry))
        self._show(self.results.current)

    def open_at(self, corner: QPoint) -> None:
        """Show the list with its upper left corner at a point of the screen, or as near as there is room."""
        screen = self.screen().availableGeometry()
        x = max(screen.left(), min(corner.x(), screen.right() - _LIST.width()))
        y = max(screen.top(), min(corner.y(), screen.bottom() - _LIST.height()))
        self.setGeometry(x, y, _LIST.width(), _LIST.height())
        self.show()
        self.search.setFocus()

    def describe(self, entry: KnownModel) -> Row:
        """Return how a model is shown."""
        pixmap = self._pixmap_of(entry)
        sign = kind_icon("model") if pixmap.isNull() else QIcon(pixmap)
        return Row(entry.name, sign, note=entry.uri, tip=str(entry.file))

    def take(self, entry: KnownModel) -> None:
        """Close and choose a model."""
        self.close()
        self.chosen.emit(entry)

    def _made_picture(self, model: KnownModel) -> Path:
        return self._pictures / f"{key_of(model.file)}.png"

    def _pixmap_of(self, model: KnownModel) -> QPixmap:
        """Return the picture of a model, from its folder or made before; none if there is none yet."""
        made = self._made_picture(model)
        is_current = made.is_file() and made.stat().st_mtime >= model.file.stat().st_mtime
        for path in (model.picture, made if is_current else None):
            if path is not None:
                if path not in self._pixmaps:
                    self._pixmaps[path] = _read_picture(path)
                if not self._pixmaps[path].isNull():
                    return self._pixmaps[path]
        return QPixmap()

    def _show(self, model: KnownModel | None) -> None:
        self._model = model
        self._stop()
        self._where.setText("" if model is None else model.uri)
        pixmap = QPixmap() if model is None else self._pixmap_of(model)
        if not pixmap.isNull():
            keeps = Qt.AspectRatioMode.KeepAspectRatio
            self.picture.setPixmap(pixmap.scaled(WIDTH, HEIGHT, keeps, Qt.TransformationMode.SmoothTransformation))
        else:
            self.picture.setText("" if model is None else "Drawing the preview…")
            if model is not None:
                self._rest.start()

    def _make_picture(self) -> None:
        """Let another process draw the current model: this one stays free, whatever the file holds."""
        model = self._model
        if model is None:
            return
        self._pictures.mkdir(parents=True, exist_ok=True)
        made = self._made_picture(model)
        painter = self._painter = QProcess(self)
        options = ["--show", _LAYERS, "--size", f"{WIDTH}x{HEIGHT}", "-o", str(made.absolute())]
        start = own_process("screenshot", "--xacro-as-decided", *options, str(model.file.absolute()))
        variables = QProcessEnvironment()
        for name, value in start.environment.items():
            variables.insert(name, value)
        painter.setProcessEnvironment(variables)
        painter.setWorkingDirectory(start.folder)
        painter.finished.connect(lambda _code, _status: self._show_made(model, made))
        painter.errorOccurred.connect(lambda _error: self.picture.setText("No picture"))
        painter.start(start.command[0], start.command[1:])
        QTimer.singleShot(_PATIENCE_MILLISECONDS, painter, painter.kill)

    def _show_made(self, model: KnownModel, made: Path) -> None:
        self._painter = None
        if model is not self._model:
            return
        if made.is_file():
            self._show(model)
        else:
            self.picture.setText("No picture")

    def _stop(self) -> None:
        self._rest.stop()
        painter, self._painter = self._painter, None
        if painter is not None:
            painter.finished.disconnect()
            painter.errorOccurred.disconnect()
            painter.kill()
            painter.finished.connect(lambda _code, _status: painter.deleteLater())

    def closeEvent(self, event: QCloseEvent) -> None:
        self._stop()
        if (painter := self.findChild(QProcess)) is not None:
            painter.waitForFinished(1000)
        super().closeEvent(event)
