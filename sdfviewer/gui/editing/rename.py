"""Renames a frame, with every reference that changes in sight, and moves a frame to another model."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QLineEdit, QSizePolicy, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.edits import Edit
from sdfviewer.document.line_difference import edit_difference
from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.editing.dialog import FormDialog
from sdfviewer.gui.editing.difference_view import DifferenceView
from sdfviewer.gui.frame_picker import Choice, FramePicker
from sdfviewer.gui.named import named
from sdfviewer.semantics.editing.refactor import RefactoringError
from sdfviewer.semantics.editing.renaming import rename
from sdfviewer.semantics.editing.transfer import transfer, transfer_targets


class _PreviewedDialog(FormDialog):
    """A form with the lines that change below it."""

    def __init__(self, title: str, verb: str, bridge: Bridge, parent: QWidget | None) -> None:
        super().__init__(title, verb, parent)
        self.resize(680, 440)
        self._bridge = bridge
        assert bridge.session.model is not None
        self.model = bridge.session.model
        self.summary = QLabel()
        self.summary.setProperty("role", "muted")
        self.difference = DifferenceView()
        policy = self.difference.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        policy.setVerticalPolicy(QSizePolicy.Policy.Expanding)
        self.difference.setSizePolicy(policy)
        self.column.insertWidget(1, self.summary)
        self.column.insertWidget(2, self.difference, 1)
        self.check = self.preview

    def compute(self) -> tuple[Edit, tuple[tuple[str, str], ...]]:
        """Return the edit and what it renames."""
        raise NotImplementedError

    def describe(self, edit: Edit) -> str:
        """Return in a sentence what the edit touches."""
        raise NotImplementedError

    def preview(self) -> None:
        """Show what the edit changes."""
        try:
            edit, _ = self.compute()
        except SdfViewerError:
            self.difference.hide()
            self.summary.setText("")
            raise
        self.difference.show_hunks(edit_difference(self.model.document, edit.replacements, 1))
        self.difference.show()
        self.summary.setText(self.describe(edit))

    def accept(self) -> None:
        if self.look():
            edit, renamed = self.compute()
            self._bridge.session.apply(edit, None, renamed=renamed)
            self._bridge.said.emit(edit.label)
            super().accept()


class RenameDialog(_PreviewedDialog):
    """Another name for a row of the frame table."""

    def __init__(self, bridge: Bridge, row: int, parent: QWidget | None = None) -> None:
        model = bridge.session.model
        assert model is not None
        self.row = row
        super().__init__(f"Rename {model.local_names[row]}", "Rename", bridge, parent)
        self.name = named(QLineEdit(model.local_names[row]), "New name")
        self.name.textChanged.connect(lambda _text: self.look())
        self.add_row("new name", self.name)
        self.name.setFocus()
        self.name.selectAll()
        self.look()

    def compute(self) -> tuple[Edit, tuple[tuple[str, str], ...]]:
        """Return the edit and the old and new scoped names."""
        return rename(self.model, self.row, self.name.text().strip())

    def describe(self, edit: Edit) -> str:
        """Return how many references change."""
        if not edit.replacements:
            return "Type another name to see what changes."
        number = len(edit.replacements) - 1
        if number == 0:
            return "Nothing refers to it."
        return "One reference changes along." if number == 1 else f"{number} references change along."


class MoveDialog(_PreviewedDialog):
    """Another model for a frame."""

    def __init__(self, bridge: Bridge, row: int, parent: QWidget | None = None) -> None:
        model = bridge.session.model
        assert model is not None
        self.row = row
        self.owner: int | None = None
        super().__init__(f"Move {model.local_names[row]} to Another Model", "Move", bridge, parent)
        self.picker = FramePicker("Model")
        self.picker.show_choice("choose…", None)
        self.picker.opening.connect(self._offer)
        self.picker.picked.connect(self._pick)
        self.add_row("to", self.picker, "The frame stays where it is and moves with the same body")
        self.look()

    def _offer(self) -> None:
        names, kinds = self.model.names, self.model.kinds
        self.picker.set_choices(
            [
                Choice(names[owner], names[owner], kinds[owner].value, reason)
                for owner, reason in transfer_targets(self.model, self.row)
            ]
        )

    def _pick(self, choice: Choice) -> None:
        self.owner = self.model.row(choice.name or "")
        self.picker.show_choice(choice.label, choice.kind)
        self.look()

    def compute(self) -> tuple[Edit, tuple[tuple[str, str], ...]]:
        """Return the edit and the old and new scoped name."""
        if self.owner is None:
            raise RefactoringError("choose the model that it goes to")
        return transfer(self.model, self.row, self.owner)

    def describe(self, edit: Edit) -> str:
        """Return that nothing moves."""
        return "It stays where it is in the world and moves with the same body."
