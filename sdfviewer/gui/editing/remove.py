"""Asks what becomes of the references to something that is to be removed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHeaderView, QLabel, QTreeWidget, QTreeWidgetItem, QWidget

from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.editing.dialog import FormDialog
from sdfviewer.gui.frame_picker import Choice, FramePicker
from sdfviewer.gui.icons import kind_icon
from sdfviewer.gui.named import named
from sdfviewer.gui.theme import tokens
from sdfviewer.semantics import Kind, Model
from sdfviewer.semantics.editing.properties.targets import replacement_targets
from sdfviewer.semantics.editing.removal import outermost, references_to, remove, rows_in
from sdfviewer.semantics.references import Reference

KEEP = "keep, and fix it later"


def describe_reference(model: Model, reference: Reference) -> str:
    """Return what a reference is: ``relative_to of tool, line 12``."""
    what = reference.part[1:] if reference.part.startswith("@") else reference.element.tag
    line = model.document.span(reference.element).line
    return f"{what}, line {line}"


def remove_rows(bridge: Bridge, rows: Sequence[int], parent: QWidget | None = None) -> RemoveDialog | None:
    """Remove rows at once where nothing refers to them, else return the dialog that asks."""
    model = bridge.session.model
    assert model is not None
    if any(row > 0 and model.sources[row] is None for row in rows) and references_to(model, rows):
        dialog = RemoveDialog(bridge, rows, parent)
        dialog.open()
        return dialog
    if bridge.make(lambda: remove(model, rows)):
        bridge.session.select((), None)
    return None


class RemoveDialog(FormDialog):
    """The references that would be left without a target, each with what it could name instead."""

    def __init__(self, bridge: Bridge, rows: Sequence[int], parent: QWidget | None = None) -> None:
        model = bridge.session.model
        assert model is not None
        self._bridge, self.model, self.rows = bridge, model, outermost(model, rows)
        what = model.local_names[self.rows[0]] if len(self.rows) == 1 else f"{len(self.rows)} elements"
        super().__init__(f"Remove {what}", "Remove", parent)
        self.resize(640, 380)
        self.references = references_to(model, self.rows)
        self._names: dict[Reference, str] = {}
        number = len(self.references)
        still = "One reference still names" if number == 1 else f"{number} references still name"
        it = "it" if len(self.rows) == 1 else "them"
        heading = QLabel(f"{still} {it} or something inside. Let each name something else, or keep it.", wordWrap=True)
        self.column.insertWidget(0, heading)
        self.table = named(QTreeWidget(), "References")
        self.table.setHeaderLabels(["Written in", "Reference", "Names now", "Then names"])
        self.table.setRootIsDecorated(False)
        self.table.setSelectionMode(QTreeWidget.SelectionMode.NoSelection)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        header = self.table.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(3, QHeaderView.ResizeMode.Stretch)
        self.pickers: list[FramePicker] = []
        colours = tokens(self.palette())
        for reference in self.references:
            item = QTreeWidgetItem(
                [model.names[reference.row], describe_reference(model, reference), reference.name, ""]
            )
            item.setIcon(0, kind_icon(model.kinds[reference.row].value, colours))
            item.setSizeHint(3, QSize(200, 32))
            self.table.addTopLevelItem(item)
            picker = FramePicker(f"What {model.local_names[reference.row]} names then")
            picker.show_choice(KEEP, None)
            picker.opening.connect(lambda reference=reference, picker=picker: self._offer(reference, picker))
            picker.picked.connect(
                lambda choice, reference=reference, picker=picker: self._pick(reference, picker, choice)
            )
            self.table.setItemWidget(item, 3, picker)
            self.pickers.append(picker)
        self.column.insertWidget(1, self.table, 1)
        self._tell()

    def _offer(self, reference: Reference, picker: FramePicker) -> None:
        gone = {each for row in self.rows for each in rows_in(self.model, row)}
        choices = [Choice(None, KEEP, Kind.FRAME.value)]
        for target in replacement_targets(self.model, reference, gone):
            kind = self.model.kinds[target.row] if target.row >= 0 else Kind.WORLD
            choices.append(Choice(target.name, target.name, kind.value, target.reason))
        picker.set_choices(choices)

    def _pick(self, reference: Reference, picker: FramePicker, choice: Choice) -> None:
        picker.show_choice(choice.label, choice.kind if choice.name is not None else None)
        if choice.name is None:
            self._names.pop(reference, None)
        else:
            self._names[reference] = choice.name
        self._tell()

    def _tell(self) -> None:
        left = len(self.references) - len(self._names)
        problems = "one problem" if left == 1 else f"{left} problems"
        self.fault.setText(f"Leaves {problems} to fix; undo brings everything back." if left else "")

    def accept(self) -> None:
        self._bridge.make(lambda: remove(self.model, self.rows, self._names))
        self._bridge.session.select((), None)
        super().accept()
