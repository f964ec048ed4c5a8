"""The dialog that adds a link with its shape, its inertial and the joint that carries it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCompleter, QWidget

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.operations.add import AddDialog
from sdfviewer.gui.operations.joint_fields import NONE, JointFields, ShapeFields
from sdfviewer.model.kinds import Kind
from sdfviewer.model.shapes import PRIMITIVES
from sdfviewer.model.values import format_number
from sdfviewer.operations.parameters import COLOURS
from sdfviewer.refactoring.adding import free_name
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.inertia import mean_density
from sdfviewer.refactoring.new_parts import ENDLESS, top_of, usual_pose
from sdfviewer.refactoring.properties.catalogue import joint_types_of, shapes_of


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
        completer = QCompleter(list(COLOURS), self.lines["color"])
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
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
