"""The dialog that removes an element, with its dependents."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import chain

import numpy as np
from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import QCheckBox, QHeaderView, QLabel, QTreeWidget, QTreeWidgetItem, QWidget

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.edits import edit_by
from sdfviewer.gui.kit.frame_picker import FrameChoice, FramePicker, choice_of
from sdfviewer.gui.kit.icons import kind_icon
from sdfviewer.gui.kit.widgets import named, resize_on_screen
from sdfviewer.gui.operations.form_dialog import ModelDialog
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.references import Reference
from sdfviewer.number_text import counted
from sdfviewer.operations import frames
from sdfviewer.refactoring.editable import outermost
from sdfviewer.refactoring.limb import with_limbs
from sdfviewer.refactoring.removal import Dependent, find_dependents, references_to, replacement_targets

KEEP = "Keep (fix it later)"


def describe_reference(model: Model, reference: Reference) -> str:
    """Return a reference in words: ``relative_to of tool, line 12``."""
    what = reference.part[1:] if reference.part.startswith("@") else reference.element.tag
    line = model.document.span(reference.element).line
    return f"{what}, line {line}"


def remove_rows(context: DocumentContext, rows: Sequence[int], parent: QWidget | None = None) -> RemoveDialog | None:
    """Remove rows at once where nothing refers to them, else return the dialog that asks."""
    model = context.session.edited_model
    assert model is not None
    if any(row > 0 and model.sources[row] is None for row in rows) and references_to(model, rows):
        dialog = RemoveDialog(context, rows, parent)
        dialog.open()
        return dialog
    context.edits.make(lambda: edit_by(context.session, model, frames.remove, things=rows), select=beside(model, rows))
    return None


def beside(model: Model, rows: Sequence[int]) -> tuple[str, ...]:
    """Return what is selected once rows are removed: what follows the first one in its place, as in a list of files.

    That is the next one of its kind in its owner, else the last one before it, else the owner. It is never the root of
    the file, which would light the whole robot up.
    """
    first = outermost(model, rows)[0]
    owner = int(model.owners[first])
    gone = {inside for row in rows for inside in model.inside(row)}
    alike = np.flatnonzero((model.owners == owner) & model.kinds_are(model.kinds[first])).tolist()
    here = bisect_left(alike, first)
    neighbour = next((row for row in chain(alike[here:], alike[:here][::-1]) if row not in gone), owner)
    return (model.names[neighbour],) if neighbour > 0 else ()


class RemoveDialog(ModelDialog):
    """The dependents of the selection, to remove too, and the references that would lose their target.

    Attributes
    ----------
    rows
        What is removed in the first place.
    tree
        What depends on it, with check boxes; an element that is removed takes what depends on it into reach.
    references
        The references that are left, each with what it could name instead.
    """

    def __init__(self, context: DocumentContext, rows: Sequence[int], parent: QWidget | None = None) -> None:
        model = context.session.edited_model
        assert model is not None
        self.rows = self._given = outermost(model, rows)
        what = model.name_or_count(self.rows)
        super().__init__(f"Remove {what}", "Remove", context, parent)
        resize_on_screen(self, 680, 520)
        self.references: list[Reference] = []
        self.pickers: list[FramePicker] = []
        self._names: dict[Reference, str] = {}
        #: Whether all that joints carry goes too, where there is such.
        self.limb = QCheckBox()
        carried = _links(model, with_limbs(model, rows)) - _links(model, rows)
        self.limb.setText(f"Also remove all that it carries ({counted(carried, 'link')})")
        self.limb.setVisible(carried > 0)
        self.limb.clicked.connect(self._take_limb)
        self.everything = QCheckBox()
        self.everything.clicked.connect(self._check_all)
        self.tree = named(QTreeWidget(), "Dependents")
        self.tree.setHeaderLabels(["Remove too", "Because of"])
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setStretchLastSection(False)
        self.tree.itemChanged.connect(self._follow_check)
        self.heading = QLabel(wordWrap=True)
        self.table = named(QTreeWidget(), "References")
        self.table.setHeaderLabels(["Written in", "Reference", "Refers to", "New target"])
        self.table.setRootIsDecorated(False)
        self.table.setSelectionMode(QTreeWidget.SelectionMode.NoSelection)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        header = self.table.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(3, QHeaderView.ResizeMode.Stretch)
        for place, widget in enumerate((self.limb, self.everything, self.tree, self.heading, self.table)):
            self.column.insertWidget(place, widget, int(widget in (self.tree, self.table)))
        self._list_dependents()

    # --- dependents --------------------------------------------------------------------------------------------------

    def _take_limb(self, on: bool) -> None:
        """Remove what joints carry, too, and what depends on that; or only what was selected."""
        self.rows = outermost(self.model, with_limbs(self.model, self._given)) if on else self._given
        self._list_dependents()
        if on:
            self.everything.setChecked(True)
            self._check_all(True)

    def _list_dependents(self) -> None:
        dependents = find_dependents(self.model, self.rows)
        with QSignalBlocker(self.tree):
            self.tree.clear()
            self._fill_tree(dependents)
        self.tree.expandAll()
        self.everything.setChecked(False)
        self.everything.setText(f"Also remove dependents ({counted(len(dependents), 'element')})")
        self.everything.setVisible(bool(dependents))
        self.tree.setVisible(bool(dependents))
        self._list_references()

    def _fill_tree(self, dependents: Sequence[Dependent]) -> None:
        items: dict[int | None, QTreeWidgetItem] = {None: self.tree.invisibleRootItem()}
        for each in dependents:
            why = describe_reference(self.model, each.reference)
            item = items[each.row] = QTreeWidgetItem(items[each.above], [self.model.names[each.row], why])
            item.setIcon(0, kind_icon(self.model.kinds[each.row].value))
            item.setData(0, Qt.ItemDataRole.UserRole, each.row)
            item.setCheckState(0, Qt.CheckState.Unchecked)

    def items(self) -> list[QTreeWidgetItem]:
        """Return the items of the tree of dependents, from above."""
        return _below(self.tree.invisibleRootItem())

    def _check_all(self, on: bool) -> None:
        with QSignalBlocker(self.tree):
            for item in self.items():
                item.setCheckState(0, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        self._list_references()

    def _follow_check(self, item: QTreeWidgetItem) -> None:
        """Let what is above be removed with what depends on it, and let what is below stay with what it depends on."""
        on = item.checkState(0)
        with QSignalBlocker(self.tree):
            if on is Qt.CheckState.Unchecked:
                for each in _below(item):
                    each.setCheckState(0, on)
            else:
                above = item.parent()
                while above is not None:
                    above.setCheckState(0, on)
                    above = above.parent()
        states = {each.checkState(0) for each in self.items()}
        self.everything.setChecked(states == {Qt.CheckState.Checked})
        self._list_references()

    @property
    def removed(self) -> list[int]:
        """The rows that are removed: the selection, and the dependents that are checked."""
        checked = [each for each in self.items() if each.checkState(0) is Qt.CheckState.Checked]
        return outermost(self.model, [*self.rows, *(int(each.data(0, Qt.ItemDataRole.UserRole)) for each in checked)])

    # --- references --------------------------------------------------------------------------------------------------

    def _list_references(self) -> None:
        """List the references that are left without a target."""
        removed = self.removed
        self.references = references_to(self.model, removed)
        self._names = {each: name for each, name in self._names.items() if each in self.references}
        self.table.setVisible(False)  # else it measures all columns again with each row and picker
        self.table.clear()
        self.pickers = []
        for reference in self.references:
            item = QTreeWidgetItem(
                [self.model.names[reference.row], describe_reference(self.model, reference), reference.name, ""]
            )
            item.setIcon(0, kind_icon(self.model.kinds[reference.row].value))
            item.setSizeHint(3, QSize(200, 32))
            self.table.addTopLevelItem(item)
            picker = FramePicker(f"New target of {self.model.local_names[reference.row]}")
            picker.show_choice(self._names.get(reference, KEEP), None)
            picker.opening.connect(lambda reference=reference, picker=picker: self._offer(reference, picker))
            picker.picked.connect(
                lambda choice, reference=reference, picker=picker: self._pick(reference, picker, choice)
            )
            self.table.setItemWidget(item, 3, picker)
            self.pickers.append(picker)
        number = len(self.references)
        still = "1 reference still names" if number == 1 else f"{number} references still name"
        it = "it" if len(removed) == 1 else "them"
        self.heading.setText(f"{still} {it} or something inside. Choose a new target for each, or keep it.")
        self.heading.setVisible(bool(number))
        self.table.setVisible(bool(number))
        self._show_problems()

    def _offer(self, reference: Reference, picker: FramePicker) -> None:
        gone = {each for row in self.removed for each in self.model.inside(row)}
        targets = replacement_targets(self.model, reference, gone)
        keep = FrameChoice(None, KEEP, Kind.FRAME.value)
        picker.set_choices([keep, *(choice_of(self.model, target) for target in targets)])

    def _pick(self, reference: Reference, picker: FramePicker, choice: FrameChoice) -> None:
        picker.show_choice(choice.label, choice.kind if choice.name is not None else None)
        if choice.name is None:
            self._names.pop(reference, None)
        else:
            self._names[reference] = choice.name
        self._show_problems()

    def _show_problems(self) -> None:
        left = len(self.references) - len(self._names)
        self.fault.setText(f"Leaves {counted(left, 'problem')} to fix; undo restores everything." if left else "")

    def take_model(self, model: Model) -> bool:
        """Give up: other references may be left without a target now."""
        return False

    def accept(self) -> None:
        self._stop_following()
        removed, session = self.removed, self._context.session
        self._context.edits.make(
            lambda: edit_by(session, self.model, frames.remove, things=removed, instead=self._names),
            select=beside(self.model, removed),
        )
        super().accept()


def _links(model: Model, rows: Sequence[int]) -> int:
    return sum(model.kinds[row] is Kind.LINK for row in rows)


def _below(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    """Return all items below one, each before those below it."""
    found, stack = [], [item]
    while stack:
        around = stack.pop()
        found.append(around)
        for number in reversed(range(around.childCount())):
            child = around.child(number)
            assert child is not None
            stack.append(child)
    return found[1:]
