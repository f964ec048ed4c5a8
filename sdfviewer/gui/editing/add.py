"""Adds an element: where, of which name, and for a joint what it connects."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

from sdfviewer.document.edits import Edit
from sdfviewer.document.finder import relative_uri
from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.editing.dialog import FormDialog
from sdfviewer.gui.frame_picker import Choice, FramePicker
from sdfviewer.gui.named import named
from sdfviewer.semantics import Kind, Model
from sdfviewer.semantics.editing.editable import RefactoringError
from sdfviewer.semantics.editing.structure import CHILDREN_OF, free_name, insert_member
from sdfviewer.semantics.members import JOINT_TYPES

_USUAL_TYPES = ("revolute", "continuous", "prismatic", "fixed")


def owners_for(model: Model, tag: str) -> list[int]:
    """Return the rows that an element may be added to: what is written in the file itself and can hold it."""
    return [
        row
        for row, kind in enumerate(model.kinds)
        if tag in CHILDREN_OF.get(kind, ()) and model.sources[row] is None and model.elements[row].tag != "include"
    ]


def nearest_owner(model: Model, row: int | None, tag: str) -> int | None:
    """Return what an element is added to while ``row`` is selected: it, or the nearest one around that may."""
    owners = set(owners_for(model, tag))
    while row is not None and row >= 0 and row not in owners:
        row = int(model.owners[row])
    if row is None or row < 0:
        return min(owners, default=None)
    return row


class AddDialog(FormDialog):
    """The form for a new element of one tag; it selects what it has added."""

    def __init__(self, bridge: Bridge, tag: str, owner: int, parent: QWidget | None = None) -> None:
        super().__init__(f"Add {tag.capitalize()}", "Add", parent)
        self.setMinimumWidth(440)
        self._bridge = bridge
        self._tag = tag
        model = bridge.session.model
        assert model is not None
        self.model = model
        self.owner = owner
        self._values: dict[str, str] = {}
        self.name = named(QLineEdit(free_name(model, owner, tag)), "Name")
        self.name.textChanged.connect(lambda _text: self.look())
        self.owner_picker = FramePicker("In")
        self.owner_picker.opening.connect(self._offer_owners)
        self.owner_picker.picked.connect(lambda choice: self._set_owner(choice.name))
        self.add_row("in", self.owner_picker, "The model, world or link that it is written in")
        self.add_row("name", self.name)
        self.pickers: dict[str, FramePicker] = {}
        if tag == "joint":
            self._add_joint_rows()
        elif tag == "frame":
            self._add_picker("attached_to", "The frame that it moves with; the model frame by default")
        elif tag == "include":
            self._add_uri_row()
        self.check = self.compute
        self._show_owner()
        self.name.setFocus()
        self.name.selectAll()
        self.look()

    # --- fields ----------------------------------------------------------------------------------------------------

    def _add_joint_rows(self) -> None:
        self.type = named(QComboBox(), "Type")
        self.type.addItems([*_USUAL_TYPES, *(each for each in JOINT_TYPES if each not in _USUAL_TYPES)])
        self.type.currentTextChanged.connect(lambda _text: self.look())
        self.add_row("type", self.type, "How the child may move against the parent")
        self._add_picker("parent", "The frame that the joint starts from")
        self._add_picker("child", "The frame that the joint moves")

    def _add_picker(self, field: str, tip: str) -> None:
        picker = FramePicker(field)
        picker.opening.connect(lambda: self._offer_frames(field))
        picker.picked.connect(lambda choice: self._pick(field, choice))
        self.pickers[field] = picker
        self.add_row(field, picker, tip)
        self._show_picked(field)

    def _add_uri_row(self) -> None:
        self.uri = named(QLineEdit(placeholderText="model://name or a path beside this file"), "uri")
        self.uri.textChanged.connect(lambda _text: self.look())
        browse = QPushButton("Browse…")
        browse.clicked.connect(self._browse)
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.uri, 1)
        row.addWidget(browse)
        self.add_row("uri", line, "The file or model folder to include")

    def _browse(self) -> None:
        path = self.model.document.path
        folder = path.parent if path is not None else Path.cwd()
        name, _ = QFileDialog.getOpenFileName(self, "Include", str(folder), "Robot models (*.sdf *.urdf *.xml)")
        if name:
            self.uri.setText(relative_uri(Path(name), folder))

    def _offer_owners(self) -> None:
        names = self.model.names
        kinds = self.model.kinds
        self.owner_picker.set_choices(
            [Choice(names[row], names[row], kinds[row].value) for row in owners_for(self.model, self._tag)]
        )

    def _set_owner(self, name: str) -> None:
        self.owner = self.model.row(name)
        self._values.clear()
        for field in self.pickers:
            self._show_picked(field)
        self._show_owner()
        self.look()

    def _show_owner(self) -> None:
        self.owner_picker.show_choice(self.model.names[self.owner], self.model.kinds[self.owner].value)

    def _frames(self) -> list[tuple[str, int]]:
        """Return what a member of the owner may name."""
        # Any vertex in the owner sees what its members see; a new one has no row yet.
        prefix = self.model.member_prefix(self.owner)
        frames = []
        for row in range(self.owner + 1, len(self.model)):
            name = self.model.names[row]
            if not name.startswith(prefix):
                break
            if self.model.kinds[row].is_vertex:
                frames.append((name[len(prefix) :], row))
        return frames

    def _offer_frames(self, field: str) -> None:
        choices = []
        taken = self._values.get("child" if field == "parent" else "parent") if self._tag == "joint" else None
        if field == "parent":
            choices.append(Choice("world", "world", Kind.WORLD.value))
        elif field == "attached_to":
            choices.append(Choice(None, self._default(field), self.model.kinds[self.owner].value))
        for name, row in self._frames():
            reason = "It is the other end already." if name == taken else None
            choices.append(Choice(name, name, self.model.kinds[row].value, reason))
        self.pickers[field].set_choices(choices)

    def _pick(self, field: str, choice: Choice) -> None:
        if choice.name is None:
            self._values.pop(field, None)
        else:
            self._values[field] = choice.name
        self._show_picked(field)
        self.look()

    def _show_picked(self, field: str) -> None:
        name = self._values.get(field)
        kind = None
        if name is not None:
            kind = next((self.model.kinds[row].value for each, row in self._frames() if each == name), "world")
        self.pickers[field].show_choice(name or self._default(field), kind)

    def _default(self, field: str) -> str:
        if field != "attached_to":
            return "choose…"
        return "default: world" if self.model.kinds[self.owner] is Kind.WORLD else "default: the model frame"

    # --- result ----------------------------------------------------------------------------------------------------

    def compute(self) -> Edit:
        """Return the edit.

        Raises
        ------
        RefactoringError
            While the form cannot be accepted.
        """
        fields = dict(self._values)
        if self._tag == "joint":
            fields["type"] = self.type.currentText()
        elif self._tag == "include":
            fields["uri"] = self.uri.text().strip()
            if not fields["uri"]:
                raise RefactoringError("say which file or model is included")
        name = self.name.text().strip()
        if not name:
            raise RefactoringError("it needs a name")
        return insert_member(self.model, self.owner, self._tag, name, **fields)

    def accept(self) -> None:
        if not self.look():
            return
        self._bridge.apply(self.compute())
        super().accept()
