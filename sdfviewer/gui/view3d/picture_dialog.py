"""The dialog that saves the 3D view as a picture of any size."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QFileDialog, QLabel, QSpinBox, QWidget

from sdfviewer.gui.context.topics import FileMessages
from sdfviewer.gui.kit.widgets import column_of, named, row_of
from sdfviewer.gui.view3d.canvas import Canvas

LEAST, MOST = 16, 8192
"""Pixels of the smallest and the largest picture to each side: what every graphics card can draw."""


class PictureDialog(QDialog):
    """Draws what is on screen again, as large as wanted, without the view cube and what else lies over the view.

    Parameters
    ----------
    canvas
        The view.
    start
        The file that is proposed.
    messages
        Says what was written.
    """

    def __init__(self, canvas: Canvas, start: Path, messages: FileMessages, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Save Image")
        self._canvas, self._start, self._messages = canvas, start, messages
        self.sides = tuple(named(QSpinBox(), name) for name in ("Width", "Height"))
        for side, pixels in zip(self.sides, canvas.pixels, strict=True):
            side.setRange(LEAST, MOST)
            side.setSuffix(" px")
            side.setValue(pixels)
        self.keeps_shape = QCheckBox("Keep the shape of the view")
        self.keeps_shape.setChecked(True)
        self._shape = canvas.pixels[0] / max(canvas.pixels[1], 1)
        self.sides[0].valueChanged.connect(lambda width: self._follow(1, round(width / self._shape)))
        self.sides[1].valueChanged.connect(lambda height: self._follow(0, round(height * self._shape)))
        self.is_transparent = QCheckBox("Transparent background")
        self.has_cube = QCheckBox("View cube")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        size = row_of(self.sides[0], QLabel("×"), self.sides[1], spacing=8)
        column_of(
            size, self.keeps_shape, self.is_transparent, self.has_cube, buttons, parent=self, margins=16, spacing=12
        )

    def _follow(self, other: int, pixels: int) -> None:
        if self.keeps_shape.isChecked():
            self.sides[other].blockSignals(True)
            self.sides[other].setValue(pixels)
            self.sides[other].blockSignals(False)

    def picture(self) -> QImage:
        """Return the picture as it is chosen."""
        width, height = self.sides[0].value(), self.sides[1].value()
        pixels = self._canvas.picture(
            (width, height), transparent=self.is_transparent.isChecked(), view_cube=self.has_cube.isChecked()
        )
        return QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()

    def accept(self) -> None:
        """Ask for the file and write the picture."""
        name, _ = QFileDialog.getSaveFileName(self, "Save Image", str(self._start), "PNG images (*.png)")
        if not name:
            return
        path = Path(name)
        is_saved = self.picture().save(str(path))
        super().accept()
        if is_saved:
            self._messages.show_written(f"Saved {path.name}", path)
        else:
            self._messages.refuse(f"{path.name} could not be written.")
