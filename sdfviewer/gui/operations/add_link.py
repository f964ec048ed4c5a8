"""The dialogs that add a link with its shape, inertial and joint, and a mesh that was dropped on a link."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QCompleter, QLabel, QLineEdit, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.edits import Edit
from sdfviewer.files.uris import uri_of
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.topics import MeshDrop
from sdfviewer.gui.kit.jobs import Background
from sdfviewer.gui.kit.widgets import named, styled
from sdfviewer.gui.operations.add import AddDialog
from sdfviewer.gui.operations.form_dialog import EditDialog
from sdfviewer.gui.operations.joint_fields import NONE, JointFields, ShapeFields
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import PRIMITIVES
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.model.values import format_number
from sdfviewer.number_text import format_shown
from sdfviewer.operations.parameters import COLOURS
from sdfviewer.refactoring.adding import free_name
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.inertia import mean_density
from sdfviewer.refactoring.new_parts import ENDLESS, NewMesh, top_of, usual_pose
from sdfviewer.refactoring.properties.catalogue import joint_types_of, shapes_of
from sdfviewer.scene.geometry import Shape
from sdfviewer.scene.loader import MeshLoader
from sdfviewer.scene.tools.placing import UNITS, DropTarget, drop_mesh, guess_unit


class AddLinkDialog(AddDialog):
    """The form for a new link. While a link is selected, a joint connects the new one to it; the pose is the joint's.

    Attributes
    ----------
    joint, shape
        What carries the link, and what it looks like; each may be none.
    """

    joint: JointFields
    shape: ShapeFields

    def __init__(self, context: DocumentContext, owner: int, parent: QWidget | None = None) -> None:
        super().__init__(context, "link", owner, parent)

    def add_own_rows(self) -> None:
        """Add the rows of the joint."""
        self.joint = JointFields(self, self._follow_joint, joint_types_of(self.model, self.owner), optional=True)
        self.joint.type.setCurrentText("revolute" if "parent" in self.chosen else NONE)
        self.add_picker("parent", "The frame that the joint starts from")
        self.add_line("joint_name", "", "The name of the joint", "joint name")
        self.joint.add_rows()
        self.name.textChanged.connect(lambda _text: self._suggest_joint_name())
        self._follow_joint()
        self._suggest_joint_name()

    def add_last_rows(self) -> None:
        """Add the rows of the shape."""
        known = shapes_of(self.model, self.owner)
        self.shape = ShapeFields(self, [*(each for each in PRIMITIVES if each in known), NONE], self._follow_shape)
        where = "Where visual, collision and inertial are in the link"
        self.add_line("shape_pose", "x y z  roll pitch yaw", where, "shape at", "m, rad")
        materials = "For the inertial: water 1000, aluminium 2700, steel 7850"
        self.add_line("density", "1000", materials, unit="kg/m³")
        self.add_line("color", "grey, #336699 or 0.2 0.4 0.6", "The colour of the visual")
        completer = QCompleter(list(COLOURS), self.lines["color"], caseSensitivity=Qt.CaseSensitivity.CaseInsensitive)
        completer.setCompletionMode(QCompleter.CompletionMode.InlineCompletion)  # Enter accepts the form
        self.lines["color"].setCompleter(completer)
        self.joint.axis.currentTextChanged.connect(lambda _text: self._follow_shape())
        self._continue_parent()
        self._follow_shape()

    def _continue_parent(self) -> None:
        """Begin where the selected link ends, and with its density."""
        model, name = self.model, self.chosen.get("parent", "")
        parent = model.find(self.owner, name)
        if not name or parent is None or model.kinds[parent] is not Kind.LINK:
            return
        top, density = top_of(model, parent), mean_density(model, parent)
        if top > 0:
            self.lines["pose"].setText(f"0 0 {format_number(top)}")
        if density is not None:
            self.lines["density"].setText(format_number(density))

    def _follow_joint(self) -> None:
        """Show what belongs to the chosen joint."""
        if "joint_name" not in self.lines:
            return
        for field in (self.pickers["parent"], self.rows["joint_name"]):
            self.set_row_visible(field, bool(self.joint.kind))
        if "relative_to" in self.pickers:
            self.show_picked("relative_to")
        self._follow_shape()

    def _suggest_joint_name(self) -> None:
        """Name the joint after the link, unless it is given a name."""
        name = free_name(self.model, self.owner, f"{self.name.text().strip() or 'link'}_joint")
        self.lines["joint_name"].setPlaceholderText(name)

    def _follow_shape(self) -> None:
        """Show what belongs to the chosen shape, which rests on the origin of the link unless it is put elsewhere."""
        if "color" not in self.lines:
            return
        for field in ("shape_pose", "density", "color"):
            self.set_row_visible(self.rows[field], bool(self.shape.tag))
        line = self.lines["shape_pose"]
        if not line.isModified():
            try:
                shape = self.shape.new_shape()
            except RefactoringError:
                shape = None  # the form says what is wrong with its size
            line.setText(_pose_text(usual_pose(shape, self._axis_of_turning)))
        self.validate()

    @property
    def _axis_of_turning(self) -> Sequence[float] | None:
        """The axis that the link turns about without end, None where it does not or that is no axis yet."""
        try:
            return self.joint.direction if self.joint.kind in ENDLESS else None
        except RefactoringError:
            return None

    @property
    def carrier_field(self) -> str:
        """What the link moves with: the parent of its joint."""
        return "parent" if self.joint.kind else ""

    def default_of(self, field: str) -> str:
        """Return the text shown where no frame is chosen."""
        if field == "relative_to" and self.joint.kind:
            return "default: its parent"
        return super().default_of(field)

    def validate(self) -> bool:
        """Show what the check finds, once all rows are there."""
        return "color" in self.lines and super().validate()

    def arguments(self) -> dict[str, object]:
        """Return what was chosen and typed, by the parameters of the operation.

        Raises
        ------
        SdfViewerError
            While the form cannot be accepted.
        """
        fields = self.typed_fields()
        parent, shape = fields.pop("parent", None), self.shape.new_shape()
        given: dict[str, object] = {"shape_pose": (0.0,) * 6, **fields, "name": self.typed_name(), "parent": self.owner}
        if shape is not None:
            given["geometry"] = shape
        if self.joint.kind:
            if parent is None:
                raise RefactoringError("choose the parent of the joint")
            name = fields.get("joint_name") or self.lines["joint_name"].placeholderText()
            given |= {"joined_to": parent, "joint_type": self.joint.kind, "joint_name": name, **self.joint.fields()}
        return given


def _pose_text(numbers: Sequence[float]) -> str:
    """Return a pose as somebody would type it, with angles in degrees: empty at the origin, else three or six words."""
    words = [format_number(each) for each in numbers[:3]]
    if any(numbers[3:]):
        words += [f"{format_number(round(math.degrees(each), 9))}deg" if each else "0" for each in numbers[3:]]
    return " ".join(words) if any(numbers) else ""


_KINDS = {
    "visual and collision": SHAPED,
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
        self.extents = styled(QLabel("Reading the file…"), "muted")
        self.form.addRow("", self.extents)
        self.where = named(QComboBox(), "Origin")
        self.where.addItems(["at the link", "where it was dropped"])
        self.where.setEnabled(link >= 0)
        self.add_row("origin", self.where, "Where the origin of the mesh is")
        self.uri = styled(QLabel(wordWrap=True), "muted")
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
