"""The dialog for a mesh file that was dropped on a link."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.edits import Edit
from sdfviewer.files.uris import uri_of
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.requests import MeshDrop
from sdfviewer.gui.kit.jobs import Background
from sdfviewer.gui.kit.widgets import named
from sdfviewer.gui.operations.form_dialog import EditDialog
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.number_text import format_shown
from sdfviewer.refactoring.adding import free_name
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.new_parts import NewMesh
from sdfviewer.scene.geometry import Shape
from sdfviewer.scene.loader import MeshLoader
from sdfviewer.scene.tools.placing import UNITS, DropTarget, drop_mesh, guess_unit

_KINDS = {
    "visual and collision": (Kind.VISUAL, Kind.COLLISION),
    "visual": (Kind.VISUAL,),
    "collision": (Kind.COLLISION,),
}


class AddMeshDialog(EditDialog):
    """Asks what a mesh file becomes, and in which unit it is; the views show it while the dialog is open.

    Attributes
    ----------
    kind, unit, where
        What it becomes, the unit of the file, and where its origin is.
    name
        Of the visual or collision.
    """

    def __init__(self, context: DocumentContext, drop: MeshDrop, parent: QWidget | None = None) -> None:
        super().__init__("Add Mesh", "Add", context, parent)
        self.setMinimumWidth(440)
        self._target = drop.target
        self._path = drop.path
        self._measured: tuple[float, ...] | None = None
        self._fault = ""
        link = drop.target.link
        owner = self.model.names[link] if link >= 0 else "a new link"
        self.add_row("file", QLabel(drop.path.name), str(drop.path))
        self.add_row("in", QLabel(owner), "The link that it was dropped on")
        self.name = named(QLineEdit(_name_of(drop.path)), "Name")
        self.name.textChanged.connect(lambda _text: self.validate())
        self.add_row("name", self.name)
        self.kind = named(QComboBox(), "Becomes")
        self.kind.addItems(list(_KINDS))
        self.kind.setEnabled(link >= 0)
        self.add_row("becomes", self.kind, "What the mesh is to the link")
        self.unit = named(QComboBox(), "Unit of the file")
        self.unit.addItems(list(UNITS))
        self.add_row("unit", self.unit, "The unit in which the mesh was made")
        self.extents = QLabel("Reading the file…")
        self.extents.setProperty("role", "muted")
        self.form.addRow("", self.extents)
        self.where = named(QComboBox(), "Origin")
        self.where.addItems(["at the link", "where it was dropped"])
        self.where.setEnabled(link >= 0)
        self.add_row("origin", self.where, "Where the origin of the mesh is")
        self.uri = QLabel(wordWrap=True)
        self.uri.setProperty("role", "muted")
        self.add_row("uri", self.uri, "How the file is named")
        self.uri.setText(uri_of(drop.path, self.model.document.path, context.session.finder))
        for box in (self.kind, self.unit, self.where):
            box.currentIndexChanged.connect(lambda _index: self.validate())
        self.check = self.compute
        self._background = Background()
        self.finished.connect(lambda _result: self._background.stop())
        finder = context.session.finder.fresh()
        self._background.run(lambda: _measure(drop.path, MeshLoader(finder)), self._show_size, self._refuse)
        self.unit.setFocus()
        self.validate()

    def _refuse(self, error: SdfViewerError) -> None:
        self._fault = f"this mesh cannot be added: {error}"
        self.extents.setText("")
        self.validate()

    def _show_size(self, measured: tuple[float, ...]) -> None:
        """Guess the unit from how large the mesh is."""
        self._measured = measured
        self.unit.setCurrentText(guess_unit(self._path, max(measured)))
        self.validate()

    def validate(self) -> bool:
        """Show how large the mesh is in the unit chosen."""
        if self._measured is not None:
            metres = (extent * UNITS[self.unit.currentText()] for extent in self._measured)
            self.extents.setText(" × ".join(format_shown(each, 4) for each in metres) + " m")
        return super().validate()

    def take_model(self, model: Model) -> bool:
        """Find the link again."""
        link = self._target.link
        found = self.row_in(model, link) if link >= 0 else -1
        if found is None:
            return False
        self._target = DropTarget(model, self._context.session.X_RootF, self._target.place, found)
        return True

    def compute(self) -> Edit:
        """Return the edit.

        Raises
        ------
        RefactoringError
            While the form cannot be accepted.
        """
        name = self.name.text().strip()
        if self._fault:
            raise RefactoringError(self._fault)
        if self._measured is None:
            raise RefactoringError("reading the file…")
        if not name or (self._target.link >= 0 and free_name(self.model, self._target.link, name) != name):
            raise RefactoringError(f"the name '{name}' is taken or empty")
        mesh = NewMesh(name, self.uri.text(), UNITS[self.unit.currentText()])
        kinds = _KINDS[self.kind.currentText()]
        return drop_mesh(
            self._target, mesh, kinds, self._context.session.make_loader(), at_origin=self.where.currentIndex() == 0
        )


def _name_of(path: Path) -> str:
    """Return a name for what a file becomes."""
    return "".join(each if each.isalnum() or each in "_-." else "_" for each in path.stem) or "mesh"


def _measure(path: Path, loader: MeshLoader) -> tuple[float, ...]:
    """Return the edges of the box around a mesh file as it has them.

    Raises
    ------
    SdfViewerError
        If it cannot be read; the message says why.
    """
    loaded = loader.load(Shape(Mesh(uri=path.as_posix())))
    if loaded.is_placeholder:
        raise SdfViewerError("; ".join(problem.message for problem in loaded.problems))
    return tuple(float(each) for each in np.ptp(loaded.mesh.bounds, axis=0))
