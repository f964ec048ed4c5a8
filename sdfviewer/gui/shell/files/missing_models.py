"""Dialogs about models that are missing: the folders they are searched in, and what can be downloaded."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Event

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHeaderView,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from sdfviewer.diagnostics import SdfViewerError, message_of
from sdfviewer.files.fuel import FuelClient, FuelOffer
from sdfviewer.files.installed import FuelModel
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.jobs import Background
from sdfviewer.gui.kit.widgets import column_of, named, resize_on_screen, row_of, styled
from sdfviewer.number_text import counted

_SIZE = (640, 360)
#: What the bar counts to: sizes are what a server says, which may be any number.
_STEPS = 1000
_ERROR_NUMBER = re.compile(r"^\[Errno -?\d+\] ")
#: So many failures are listed.
_MOST = 5


class DownloadDialog(QDialog):
    """Lists models on Fuel, and downloads those that stay checked.

    Parameters
    ----------
    models
        What is missing.
    client
        Asks the servers; closed with the dialog.
    arrived
        Called after models have come.
    """

    # Bytes of one model so far; emitted in the thread of the download.
    _progressed = Signal(int)

    def __init__(
        self,
        models: Sequence[FuelModel],
        client: FuelClient,
        arrived: Callable[[], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Download Missing Models")
        self.resize(*_SIZE)
        self._client, self._arrived = client, arrived
        self._background, self._cancelled = Background(), Event()
        #: The models that the servers have, then those still to be downloaded.
        self.offers: list[FuelOffer] = []
        self._before = self._total = 0
        self._problems: list[str] = []
        # Why models are not available: one server that cannot be reached is said once.
        self._refusals: dict[str, int] = {}
        self._is_started = False
        column = column_of(parent=self, margins=16, spacing=12)
        self.list = named(QTreeWidget(), "Missing models")
        self.list.setHeaderLabels(["Model", "Server", "Size", "Licence"])
        self.list.setRootIsDecorated(False)
        header = self.list.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setStretchLastSection(False)
        self._items = {model: QTreeWidgetItem([str(model), model.server, "…", ""]) for model in models}
        self._waiting = set(models)
        self.list.addTopLevelItems(list(self._items.values()))
        self.list.itemChanged.connect(self._count)
        column.addWidget(self.list)
        self.state = QLabel("Contacting the servers…", wordWrap=True)
        column.addWidget(self.state)
        self.bar = QProgressBar()
        self.bar.hide()
        column.addWidget(self.bar)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.download = self.buttons.addButton("Download", QDialogButtonBox.ButtonRole.ActionRole)
        self.download.setEnabled(False)
        self.download.clicked.connect(self._start)
        self.buttons.rejected.connect(self.reject)
        column.addWidget(self.buttons)
        self._progressed.connect(self._advance)
        self.finished.connect(self._end)
        for model in models:
            show = partial(self._show, model)
            self._background.run(partial(self._client.describe, model), show, show)

    def _end(self) -> None:
        self._cancelled.set()
        self._background.stop()
        self._client.close()

    def _show(self, model: FuelModel, answer: FuelOffer | SdfViewerError) -> None:
        self._waiting.discard(model)
        item = self._items[model]
        if isinstance(answer, SdfViewerError):
            item.setText(2, "not available")
            item.setToolTip(2, str(answer))
            reason = f"{model.server}: {_ERROR_NUMBER.sub('', message_of(answer).reason)}"
            self._refusals[reason] = self._refusals.get(reason, 0) + 1
        else:
            self.offers.append(answer)
            item.setText(2, "not given" if answer.size is None else _format_size(answer.size))
            item.setText(3, answer.licence)
            item.setToolTip(3, answer.licence)
            item.setCheckState(0, Qt.CheckState.Checked)
        if not self._waiting:
            self._count()

    def _chosen(self) -> list[FuelOffer]:
        return [offer for offer in self.offers if self._items[offer.model].checkState(0) is Qt.CheckState.Checked]

    def _count(self) -> None:
        """Say how much is checked."""
        if self._waiting or self._is_started:
            return
        chosen = self._chosen()
        size = _format_size(sum(offer.size or 0 for offer in chosen))
        lines = [f"{counted(len(chosen), 'model')}, {size}, will be saved in {self._client.cache}."]
        if not self.offers:
            lines = ["None of these models can be downloaded now. If you have them in a folder, locate it."]
            self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setText("Close")
        for reason, count in list(self._refusals.items())[:_MOST]:
            lines.append(f"{counted(count, 'model')} not available: {reason}.")
        self.state.setText("\n".join(lines))
        self.download.setEnabled(bool(chosen))

    def _start(self) -> None:
        self._is_started = True
        self.download.setEnabled(False)
        self.offers = self._chosen()
        for item in self._items.values():
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsUserCheckable)
        self._total = sum(offer.size or 0 for offer in self.offers)
        self.bar.setRange(0, _STEPS)
        self.bar.show()
        for offer in tuple(self.offers):
            take = partial(self._take, offer)
            self._background.run(partial(self._download, offer), take, take)

    def _advance(self, count: int) -> None:
        if self._total:
            self.bar.setValue(min(_STEPS, (self._before + count) * _STEPS // self._total))

    def _download(self, offer: FuelOffer) -> None:
        def progress(count: int) -> bool:
            self._progressed.emit(count)
            return not self._cancelled.is_set()

        self._client.download(offer, progress)

    def _take(self, offer: FuelOffer, answer: SdfViewerError | None) -> None:
        problem = "" if answer is None else str(answer)
        self.offers.remove(offer)
        self._before += offer.size or 0
        item = self._items[offer.model]
        item.setText(2, "failed" if problem else "downloaded")
        item.setToolTip(2, problem)
        if answer is not None:
            self._problems.append(f"{offer.model}: {message_of(answer).reason}")
        self.state.setText(problem or f"Downloaded {offer.model}.")
        if self.offers:
            return
        self._arrived()
        if not self._problems:
            self.accept()
            return
        more = len(self._problems) - _MOST
        self.state.setText("\n".join([*self._problems[:_MOST], *([f"and {more} more"] if more > 0 else [])]))
        self.bar.hide()
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setText("Close")


def _format_size(count: int) -> str:
    if count >= 1e9:
        return f"{count / 1e9:.1f} GB"
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count / 1e3:.1f} kB"


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
        text = styled(QLabel(_HELP, wordWrap=True), "muted")
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
