"""Dialogs that rename a frame with a preview, and move a frame to another model."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QSizePolicy, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.edits import Edit
from sdfviewer.document.line_difference import TextDifference, edit_difference
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.gui.compare.text_comparison import DifferenceView
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.edits import edit_by
from sdfviewer.gui.kit.frame_picker import FrameChoice, FramePicker
from sdfviewer.gui.kit.widgets import named, resize_on_screen, styled
from sdfviewer.gui.operations.dependent_files_section import DependentFilesSection
from sdfviewer.gui.operations.form_dialog import FormDialog, ModelDialog
from sdfviewer.gui.operations.other_files import ProjectFiles
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted, listed_lines
from sdfviewer.operations import frames
from sdfviewer.refactoring.composition.grouping import transfer_targets
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.renaming import Renaming, plugin_lines, plugin_mentions


class _PreviewedDialog(ModelDialog):
    """A form with the lines that change below it."""

    def __init__(self, title: str, verb: str, context: DocumentContext, parent: QWidget | None) -> None:
        super().__init__(title, verb, context, parent)
        resize_on_screen(self, 680, 440)
        self.summary = styled(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "muted")
        self.difference = DifferenceView()
        self.difference.set_model(self.model)
        policy = self.difference.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        policy.setVerticalPolicy(QSizePolicy.Policy.Expanding)
        self.difference.setSizePolicy(policy)
        self.column.insertWidget(1, self.summary)
        self.column.insertWidget(2, self.difference, 1)
        self.check = self.preview

    def compute(self) -> Edit:
        """Return the edit."""
        raise NotImplementedError

    def describe(self, edit: Edit) -> str:
        """Return in a sentence what the edit touches."""
        raise NotImplementedError

    def preview(self) -> None:
        """Show what the edit changes."""
        try:
            edit = self.compute()
        except SdfViewerError:
            self.difference.hide()
            self.summary.setText("")
            raise
        if edit.replacements:
            self.difference.show_difference(edit_difference(edit.document, edit.replacements), 1)
        else:
            self.difference.show_difference(TextDifference((), (), ()))
            self._context.later.do(self._read_lines)
        self.difference.show()
        self.summary.setText(self.describe(edit))

    def _read_lines(self) -> None:
        """Read the lines of a large file, which are remembered, before the first key asks for them."""
        edit_difference(self.model.document, ())

    def accept(self) -> None:
        if self.validate() and self.apply(self.compute()):
            super().accept()


class RenameDialog(_PreviewedDialog):
    """Another name for a row of the frame table, in the file itself and in those that include it."""

    def __init__(self, context: DocumentContext, row: int, others: ProjectFiles, parent: QWidget | None = None) -> None:
        model = context.session.edited_model
        assert model is not None
        self.row = row
        self._plugin_lines = plugin_lines(model, row)
        #: What was renamed how in the last preview, and the edit that does it.
        self._computed: tuple[tuple[Model, int, str, bool] | None, Edit] = (None, Edit("", model.document, ()))
        super().__init__(f"Rename {model.distinct_name(row)}", "Rename", context, parent)
        self.dependent_files = DependentFilesSection(context.session, self.model, others)
        self.name = named(QLineEdit(model.local_names[row]), "New name")
        self.name.textChanged.connect(self._forget_haste)
        self.name.returnPressed.connect(self._hurry)
        self._in_haste = False
        self.add_row("new name", self.name)
        #: Whether what plugins mention follows: it may mean something else.
        self.in_plugins = QCheckBox(f"Also in plugins that mention it: {listed_lines(self._plugin_lines)}")
        self.in_plugins.setVisible(bool(self._plugin_lines))
        self.in_plugins.toggled.connect(lambda _on: self.validate())
        self.column.insertWidget(1, self.in_plugins)
        self.column.insertWidget(4, self.dependent_files, 2)
        self.name.setFocus()
        self.name.selectAll()
        self.dependent_files.changed.connect(self._take)
        self.finished.connect(lambda _result: self.dependent_files.stop())
        self.dependent_files.search()
        self.validate()

    def _forget_haste(self) -> None:
        self._in_haste = False
        self.validate()

    def _hurry(self) -> None:
        """Rename as soon as it is known that no other file is updated; if one is, it must be seen first."""
        self._in_haste = self.dependent_files.is_busy

    def _take(self) -> None:
        if self.dependent_files.list.groups:
            self.resize(self.size().expandedTo(QSize(760, 680)))
        if self.validate() and self._in_haste and not self.dependent_files.chosen:
            self.accept()

    def take_model(self, model: Model) -> bool:
        """Find the renamed thing in another model, and search the dependent files again."""
        row = self.row_in(model, self.row)
        if row is None:
            return False
        self.row = row
        self.dependent_files.take_model(model)
        return True

    def compute(self) -> Edit:
        """Return the edit, which is computed once for each name."""
        wanted = (self.model, self.row, self.name.text().strip(), self.in_plugins.isChecked())
        if wanted != self._computed[0]:
            arguments = {"old": self.row, "new": wanted[2], "in_plugins": wanted[3]}
            edit = edit_by(self._context.session, self.model, frames.rename, **arguments)
            self._computed = (wanted, edit)
        return self._computed[1]

    def preview(self) -> None:
        """Show what changes in the file, and search the dependent files."""
        try:
            super().preview()
            edit = self.compute()
        except SdfViewerError:
            self.dependent_files.show_rename(None)
            raise
        self.dependent_files.show_rename((self.row, self.name.text().strip()) if edit.replacements else None)
        self.dependent_files.require_no_fault()

    def validate(self) -> bool:
        """Show what the check finds; return whether the form can be accepted: not before all is known."""
        fits = super().validate() and not self.dependent_files.is_busy
        fits = fits and self.name.text().strip() != self.model.local_names[self.row]
        self.accept_button.setEnabled(fits)
        return fits

    def describe(self, edit: Edit) -> str:
        """Return how many references change."""
        if not edit.replacements:
            return "Type a new name to preview the changes."
        mentions = len(plugin_mentions(self.model, self.row)) if self.in_plugins.isChecked() else 0
        number = len(edit.replacements) - 1 - mentions
        if self.row == 0 and not self.model.is_world:
            text = "Files that include this one without a <name> use this name."
        elif number == 0:
            text = "No references in this file."
        else:
            text = f"{counted(number, 'reference')} will be updated."
        if mentions:
            text += f" {counted(mentions, 'parameter')} of plugins will be changed."
        return text

    def accept(self) -> None:
        if not self.validate():
            return
        edit = self.compute()
        self._stop_following()
        try:
            is_written_back = isinstance(edit.document, ExpandedDocument)
            apply = self._context.edits.apply if is_written_back else self._context.session.apply
            self.dependent_files.make(lambda: apply(edit))
        except SdfViewerError as error:
            self.validate()
            self.fault.setText(str(error))
            return
        number = len(self.dependent_files.chosen)
        self._context.messages.show(edit.label + (f" here and in {counted(number, 'other file')}" if number else ""))
        FormDialog.accept(self)


class UpdateReferencesDialog(FormDialog):
    """The references in other files to something that was renamed, to update there too."""

    def __init__(
        self, context: DocumentContext, renaming: Renaming, others: ProjectFiles, parent: QWidget | None = None
    ) -> None:
        super().__init__(f"Rename {renaming.title} in Other Files", "Rename There", parent)
        resize_on_screen(self, 760, 520)
        self._context = context
        self.dependent_files = DependentFilesSection(context.session, renaming.model, others)
        self.column.insertWidget(0, self.dependent_files, 1)
        self.dependent_files.changed.connect(self.validate)
        self.finished.connect(lambda _result: self.dependent_files.stop())
        self.check = self.dependent_files.require_no_fault
        self.dependent_files.search()
        self.dependent_files.show_rename((renaming.row, renaming.name))
        self.validate()

    def validate(self) -> bool:
        """Show what the check finds; return whether the form can be accepted: not before all is known."""
        fits = super().validate() and not self.dependent_files.is_busy and bool(self.dependent_files.chosen)
        self.accept_button.setEnabled(fits)
        return fits

    def accept(self) -> None:
        try:
            self.dependent_files.make(lambda: None)
        except SdfViewerError as error:
            self.validate()
            self.fault.setText(str(error))
            return
        self._context.messages.show(f"Renamed in {counted(len(self.dependent_files.chosen), 'other file')}")
        super().accept()


class MoveDialog(_PreviewedDialog):
    """Another model for a link with all that it carries, a frame or a nested model."""

    def __init__(self, context: DocumentContext, row: int, parent: QWidget | None = None) -> None:
        model = context.session.edited_model
        assert model is not None
        self.row = row
        self.owner: int | None = None
        super().__init__(f"Move {model.distinct_name(row)} to Another Model", "Move", context, parent)
        self.picker = FramePicker("Model")
        self.picker.show_choice("choose…", None)
        self.picker.opening.connect(self._offer)
        self.picker.picked.connect(self._pick)
        self.add_row("to", self.picker, "The model that it is written in then; poses stay")
        self.validate()

    def _offer(self) -> None:
        names, kinds = self.model.names, self.model.kinds
        self.picker.set_choices(
            [
                FrameChoice(names[owner], names[owner], kinds[owner].value, reason)
                for owner, reason in transfer_targets(self.model, self.row)
            ]
        )

    def _pick(self, choice: FrameChoice) -> None:
        self.owner = self.model.row(choice.name or "")
        self.picker.show_choice(choice.label, choice.kind)
        self.validate()

    def take_model(self, model: Model) -> bool:
        """Find the frame and its target model again."""
        row = self.row_in(model, self.row)
        if row is None:
            return False
        self.row = row
        if self.owner is not None:
            self.owner = self.row_in(model, self.owner)
        if self.owner is None:
            self.picker.show_choice("choose…", None)
        return True

    def compute(self) -> Edit:
        """Return the edit."""
        if self.owner is None:
            raise RefactoringError("choose a target model")
        return edit_by(self._context.session, self.model, frames.move_to_model, frame=self.row, model=self.owner)

    def describe(self, edit: Edit) -> str:
        """Return how much moves, and that nothing changes its place."""
        owner = int(self.model.owners[self.row])
        moved = sum(int(self.model.owners[self.model.rows_by_name[old]]) == owner for old, _ in edit.renamed)
        along = "" if moved == 1 else f"{counted(moved, 'element')} move together. "
        return f"{along}Poses in the world stay, and so do the bodies."
