"""The dialog of resources: every file that a model references, found or missing."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QTreeWidget, QTreeWidgetItem, QWidget

from sdfviewer.files.finder import Finder
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.jobs import Background
from sdfviewer.gui.kit.layouts import column_of
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widget_properties import named
from sdfviewer.model.model import Model
from sdfviewer.scene.assets import Asset, find_assets

_SIZE = (960, 480)
_COLUMNS = ("Kind", "Name", "Line", "Size", "Triangles", "Found")


class ResourcesDialog(QDialog):
    """Lists the files that a model names; those with a problem come first, and unfold to the paths that were tried."""

    def __init__(self, model: Model, finder: Finder, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Resources")
        self.resize(*_SIZE)
        column = column_of(parent=self, margins=16, spacing=12)
        self.state = QLabel("Reading meshes…", wordWrap=True)
        column.addWidget(self.state)
        self.list = named(QTreeWidget(), "Resources")
        self.list.setHeaderLabels(_COLUMNS)
        column.addWidget(self.list)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self._background = Background()
        self.finished.connect(self._background.stop)
        self._background.run(
            partial(find_assets, model, finder.fresh()), self._show, lambda error: self.state.setText(str(error))
        )

    def _show(self, found: list[Asset]) -> None:
        bad = sum(bool(asset.problem) for asset in found)
        only_here = sum(bool(asset.only_here) for asset in found)
        triangles = sum(asset.triangles or 0 for asset in found)
        problems = "no problem" if not bad else f"{bad} with a problem"
        if only_here:
            problems += f", {only_here} not found by other programs"
        self.state.setText(f"{len(found)} files named, {problems}; {triangles:,} triangles in meshes.")
        for asset in sorted(found, key=lambda asset: (not asset.problem, not asset.only_here)):
            self.list.addTopLevelItem(_item(asset))
        for number in range(len(_COLUMNS)):
            self.list.resizeColumnToContents(number)


def _item(asset: Asset) -> QTreeWidgetItem:
    span = asset.document.span(asset.element, asset.part)
    size = "" if asset.size is None else f"{asset.size:,}"
    triangles = "" if asset.triangles is None else f"{asset.triangles:,}"
    where = asset.problem or ("not checked" if asset.path is None else str(asset.path))
    if asset.only_here:
        where += f"; other programs do not find it: {asset.only_here}"
    if asset.near:
        where += f"; did you mean {asset.near}?"
    item = QTreeWidgetItem([asset.kind.value, asset.uri, f"{span.line}", size, triangles, where])
    item.setToolTip(2, f"{span.path}:{span.line}")
    for number in (3, 4):
        item.setTextAlignment(number, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    if asset.problem or asset.only_here:
        item.setIcon(0, icon("mdi6.alert-outline", tokens().warning))
    for place in asset.tried if asset.path is None else ():
        item.addChild(QTreeWidgetItem(["", f"searched at {place}"]))
    return item
