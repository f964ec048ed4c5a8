"""The dialog of the model folders."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.widgets import column_of, named, resize_on_screen, row_of

_HELP = (
    "model:// and package:// URIs are searched in these folders, from top to bottom, before "
    "SDF_PATH, GZ_SIM_RESOURCE_PATH and the other paths of Gazebo and ROS."
)


class ModelFoldersDialog(QDialog):
    """The folders as a list that is sorted by hand; they are kept in the settings when it is accepted.

    Parameters
    ----------
    path
        The file that is shown: the folders that are used for it and the files beside it are listed, too.
    """

    def __init__(self, settings: Settings, path: Path | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Model Folders")
        resize_on_screen(self, 560, 320)
        self._settings, self._path = settings, path
        used = [] if path is None else settings.folders_used_for(path)
        self.list = named(QListWidget(), "Model folders")
        self.list.setDragDropMode(QListWidget.DragDropMode.InternalMove)
        self.list.addItems([str(folder) for folder in settings.model_folders])
        self.list.currentRowChanged.connect(self._show_state)
        self.add_button = QPushButton("Add…")
        self.remove_button = QPushButton("Remove")
        self.up_button = QPushButton("Up")
        self.down_button = QPushButton("Down")
        self.add_button.clicked.connect(self._ask)
        self.remove_button.clicked.connect(lambda: self.list.takeItem(self.list.currentRow()))
        self.up_button.clicked.connect(lambda: self._move(-1))
        self.down_button.clicked.connect(lambda: self._move(1))
        side = QVBoxLayout()
        side.setSpacing(8)
        for button in (self.add_button, self.remove_button, self.up_button, self.down_button):
            side.addWidget(button)
        side.addStretch()
        row = row_of((self.list, 1), side, spacing=8)
        text = QLabel(_HELP, wordWrap=True)
        text.setProperty("role", "muted")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        #: Folders for this file and those beside it, each with a check mark that can be taken away; hidden without any.
        self.used = named(QListWidget(), "Folders for this file")
        for folder in used:
            item = QListWidgetItem(str(folder), self.used)
            item.setCheckState(Qt.CheckState.Checked)
        where = "" if path is None else str(path.parent)
        heading = QLabel(f"Only for files in {where}:", wordWrap=True)
        column_of(text, (row, 1), heading, self.used, buttons, parent=self, margins=16, spacing=12)
        for widget in (heading, self.used):
            widget.setVisible(bool(used))
        self._show_state()

    @property
    def folders(self) -> list[Path]:
        """The folders as listed."""
        return [Path(self.list.item(row).text()) for row in range(self.list.count())]

    def add(self, folder: Path) -> None:
        """Add a folder at the end; one that is listed already is only chosen."""
        known = self.list.findItems(str(folder), Qt.MatchFlag.MatchExactly)
        if not known:
            self.list.addItem(str(folder))
        self.list.setCurrentRow(self.list.row(known[0]) if known else self.list.count() - 1)

    def _ask(self) -> None:
        name = QFileDialog.getExistingDirectory(self, "Add a Model Folder")
        if name:
            self.add(Path(name))

    def _move(self, by: int) -> None:
        row = self.list.currentRow()
        self.list.insertItem(row + by, self.list.takeItem(row))
        self.list.setCurrentRow(row + by)

    def _show_state(self) -> None:
        row = self.list.currentRow()
        self.remove_button.setEnabled(row >= 0)
        self.up_button.setEnabled(row > 0)
        self.down_button.setEnabled(0 <= row < self.list.count() - 1)

    def accept(self) -> None:
        """Keep the folders."""
        self._settings.model_folders = self.folders
        items = [self.used.item(row) for row in range(self.used.count())]
        if self._path is not None and items:
            kept = [Path(item.text()) for item in items if item.checkState() is Qt.CheckState.Checked]
            self._settings.use_folders_for(self._path, kept)
        super().accept()
