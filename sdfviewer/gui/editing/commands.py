"""What the actions that edit and compare do, and the context menu of the tree."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QMenu, QMessageBox

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document import saving
from sdfviewer.document.edits import Edit
from sdfviewer.gui.differences.dialog import CompareDialog
from sdfviewer.gui.differences.versions import Version, disk_version, file_version, head_version, step_version
from sdfviewer.gui.editing.add import AddDialog, nearest_owner
from sdfviewer.gui.editing.follow_offers import FollowOffers
from sdfviewer.gui.editing.losses import RefusalDialog
from sdfviewer.gui.editing.naming import NamingReport
from sdfviewer.gui.editing.other_files import OtherFiles
from sdfviewer.gui.editing.preview import PreviewDialog
from sdfviewer.gui.editing.refactorings import REFACTORINGS, Refactoring
from sdfviewer.gui.editing.remove import remove_rows
from sdfviewer.gui.editing.rename import MoveDialog, RenameDialog
from sdfviewer.gui.workspace import Workspace
from sdfviewer.semantics import Kind, Model
from sdfviewer.semantics.editing.composition.split_off import split_off
from sdfviewer.semantics.editing.editable import RefactoringError
from sdfviewer.semantics.editing.removal import outermost
from sdfviewer.semantics.editing.structure import CHILDREN_OF, duplicate

if TYPE_CHECKING:
    from sdfviewer.gui.window import MainWindow

#: What can be added, in the order of the menu.
TAGS = ("link", "joint", "frame", "visual", "collision", "model", "include")
_FILTER = "SDFormat (*.sdf *.world *.xml);;All files (*)"


class EditingCommands:
    """The handlers of the actions of this folder, for one window; `dialog` is the one opened last."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.dialog: QDialog | None = None
        self._others = OtherFiles(window)
        self.offers = FollowOffers(window, self._others, self._open)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return what each action does."""
        handlers: dict[str, Callable[..., object]] = {
            "edit.rename_preview": self._on_row(
                lambda each, row: self._open(RenameDialog(each.bridge, row, self._others, self._window))
            ),
            "edit.move_to": self._on_row(self._move),
            "edit.duplicate": self._on_row(lambda each, _row: self._duplicate(each)),
            "edit.remove": self._on_row(lambda each, _row: self._remove(each)),
            "file.revert": self._window.on_current(self._revert),
            "file.save_copy": self._window.on_current(self._save_copy),
            "versions.file": self._window.on_current(self._compare_file),
            "versions.head": self._window.on_current(self._compare_head),
            "versions.saved": self._window.on_current(self.compare_saved),
            "versions.step": self._window.on_current(self._compare_step),
            "refactor.split_off": self._on_row(self._split_off),
            "refactor.naming": self._window.on_current(
                lambda each: self._open(NamingReport(each.bridge, self._window))
            ),
        }
        for tag in TAGS:
            handlers[f"edit.add_{tag}"] = self._window.on_current(partial(self._add, tag))
        for refactoring in REFACTORINGS:
            handlers[refactoring.id] = self._window.on_current(partial(self._refactor, refactoring))
        return handlers

    def _on_row(self, run: Callable[[Workspace, int], object]) -> Callable[[], None]:
        """Return a handler that needs a selected frame."""

        def handler() -> None:
            workspace = self._window.current
            if workspace is None:
                return
            row = workspace.session.selected_row
            if row is None or not workspace.session.is_current:
                self._window.status.refuse("Select a frame first." if row is None else "Mend the source first.")
            else:
                run(workspace, row)

        return handler

    def _open(self, dialog: QDialog) -> None:
        self.dialog = dialog
        dialog.open()

    # --- elements --------------------------------------------------------------------------------------------------

    def _add(self, tag: str, workspace: Workspace) -> None:
        session = workspace.session
        if session.model is None or not session.is_current:
            self._window.status.refuse("Mend the source first.")
            return
        owner = nearest_owner(session.model, session.selected_row, tag)
        if owner is None:
            self._window.status.refuse(f"Nothing in this file can hold a <{tag}>.")
            return
        self._open(AddDialog(workspace.bridge, tag, owner, self._window))

    def _rows(self, workspace: Workspace) -> tuple[Model, list[int]]:
        model = workspace.session.model
        assert model is not None
        return model, [model.rows_by_name[name] for name in workspace.session.selection if name in model.rows_by_name]

    def _duplicate(self, workspace: Workspace) -> None:
        model, rows = self._rows(workspace)
        try:
            copies = [duplicate(model, row) for row in outermost(model, rows)]
        except RefactoringError as error:
            workspace.bridge.refused.emit(str(error))
            return
        edit = copies[0]
        if len(copies) > 1:
            replacements = tuple(each for copy in copies for each in copy.replacements)
            added = tuple(name for copy in copies for name in copy.added)
            edit = Edit(f"Duplicate {len(copies)} elements", replacements, added=added)
        workspace.bridge.apply(edit)

    def _remove(self, workspace: Workspace) -> None:
        _, rows = self._rows(workspace)
        self.dialog = remove_rows(workspace.bridge, rows, self._window)

    def _move(self, workspace: Workspace, row: int) -> None:
        model = workspace.session.model
        assert model is not None
        if model.kinds[row] is not Kind.FRAME:
            self._window.status.refuse("Only a <frame> can move to another model.")
        else:
            self._open(MoveDialog(workspace.bridge, row, self._window))

    def attach(self, workspace: Workspace) -> None:
        """Give the tree of a file its context menu, the compare panel its buttons, and the history its comparisons."""
        workspace.compare.set_actions(self._window.actions_by_id)
        view = workspace.tree.view
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(partial(self._open_tree_menu, workspace))
        workspace.history.comparison_wanted.connect(
            lambda index: self._compare(workspace, step_version(workspace.session, index))
        )

    def _open_tree_menu(self, workspace: Workspace, at: QPoint) -> None:
        menu = self.build_tree_menu(workspace)
        menu.popup(workspace.tree.view.viewport().mapToGlobal(at))

    def build_tree_menu(self, workspace: Workspace) -> QMenu:
        """Return the context menu for what is selected."""
        actions = self._window.actions_by_id
        menu = QMenu(workspace.tree.view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        session = workspace.session
        if session.model is not None:
            add = menu.addMenu("Add")
            for tag in self._tags_at(session.model, session.selected_row):
                add.addAction(actions[f"edit.add_{tag}"])
            add.setEnabled(not add.isEmpty())
        groups: Iterable[tuple[str, ...]] = (
            ("edit.rename_preview", "edit.duplicate", "edit.move_to", "edit.remove"),
            ("edit.relative_to", "edit.attached_to", "edit.copy_pose"),
            ("camera.focus", "go.source", "go.parent"),
        )
        for group in groups:
            menu.addSeparator()
            for id in group:
                menu.addAction(actions[id])
        return menu

    @staticmethod
    def _tags_at(model: Model, row: int | None) -> list[str]:
        """Return what can be added at a row: in it, or beside it."""
        tags = []
        for tag in TAGS:
            owner = nearest_owner(model, row, tag)
            around = row
            while around is not None and around > 0 and around != owner:
                around = int(model.owners[around])
            if owner is not None and (around == owner or row is None) and tag in CHILDREN_OF[model.kinds[owner]]:
                tags.append(tag)
        return tags

    # --- refactorings ----------------------------------------------------------------------------------------------

    def _refactor(self, refactoring: Refactoring, workspace: Workspace) -> None:
        session = workspace.session
        if session.model is None or not session.is_current:
            self._window.status.refuse("Mend the source first.")
            return
        try:
            edit = refactoring.compute(session)
        except SdfViewerError as error:
            action = self._window.actions_by_id[refactoring.id].text()
            self._open(RefusalDialog(action, error, session.document.name, self._window))
            return
        if not edit.replacements:
            workspace.bridge.said.emit(f"{edit.label}: nothing to change, the file is written that way")
            return
        self._open(
            PreviewDialog(
                workspace.bridge,
                self._window.settings,
                edit,
                refactoring.note,
                moves_nothing=True,
                parent=self._window,
            )
        )

    def _split_off(self, workspace: Workspace, row: int) -> None:
        model, path = workspace.session.model, workspace.session.path
        assert model is not None
        while row > 0 and model.kinds[row] is not Kind.MODEL:
            row = int(model.owners[row])
        folder = path.parent if path is not None else Path.cwd()
        try:
            split_off(model, row, folder / "model.sdf")
        except RefactoringError as error:
            workspace.bridge.refused.emit(str(error))
            return
        start = str(folder / f"{model.local_names[row]}.sdf")
        name, _ = QFileDialog.getSaveFileName(
            self._window, "Split Off To", start, _FILTER, options=QFileDialog.Option.DontConfirmOverwrite
        )
        if name:
            self.split_off_to(workspace, row, Path(name))

    def split_off_to(self, workspace: Workspace, row: int, file: Path) -> None:
        """Preview a nested model being replaced by an include of a new file, which applying writes."""
        model = workspace.session.model
        assert model is not None
        edit, text = split_off(model, row, file)
        # The file is written only when the edit is made: until then its text lies elsewhere.
        with tempfile.TemporaryDirectory() as folder:
            elsewhere = Path(folder) / file.name
            elsewhere.write_text(text, encoding="utf-8", newline="")
            stand_in, _ = split_off(model, row, elsewhere)
            dialog = self._preview_split(workspace, file, edit, stand_in, text)
        self._open(dialog)

    def _preview_split(self, workspace: Workspace, file: Path, edit: Edit, stand_in: Edit, text: str) -> PreviewDialog:
        note = (
            f"The model moves to {file.name}, which is written when you apply; an include takes its place. Undo "
            "brings the model back but leaves that file."
        )
        return PreviewDialog(
            workspace.bridge,
            self._window.settings,
            edit,
            note,
            moves_nothing=True,
            stand_in=stand_in,
            before_apply=lambda: _write(file, text),
            parent=self._window,
        )

    # --- files and versions ----------------------------------------------------------------------------------------

    def _revert(self, workspace: Workspace) -> None:
        session = workspace.session
        if not session.dirty:
            self._window.status.say("There is nothing to revert.")
            return
        buttons = QMessageBox.StandardButton
        text = f"Go back to {workspace.name} as it was last saved? Undo brings your changes back."
        if QMessageBox.question(self._window, "Revert", text, buttons.Ok | buttons.Cancel) == buttons.Ok:
            self._window.files.reload(workspace)

    def _save_copy(self, workspace: Workspace) -> None:
        session = workspace.session
        start = session.path or Path.cwd() / "model.sdf"
        copy = start.with_stem(f"{start.stem}_copy")
        name, _ = QFileDialog.getSaveFileName(self._window, "Save a Copy", str(copy), _FILTER)
        if not name:
            return
        if session.path is not None and Path(name).resolve() == session.path.resolve():
            self._window.files.save(workspace)
            return
        workspace.flush()
        try:
            saving.save(Path(name), session.document.to_bytes())
        except SdfViewerError as error:
            workspace.bridge.refused.emit(str(error))
            return
        workspace.bridge.said.emit(f"Saved a copy as {Path(name).name}; {workspace.name} stays open")

    def _compare_file(self, workspace: Workspace) -> None:
        folder = str(workspace.session.path.parent) if workspace.session.path else ""
        name, _ = QFileDialog.getOpenFileName(self._window, "Compare With", folder, _FILTER)
        if name:
            self._compare(workspace, file_version(Path(name)))

    def _compare_head(self, workspace: Workspace) -> None:
        path = workspace.session.path
        if path is None:
            self._window.status.refuse("The text has no file yet.")
        else:
            self._compare(workspace, head_version(workspace.session, path))

    def compare_saved(self, workspace: Workspace) -> None:
        """Compare with the file as it lies on disk now."""
        path = workspace.session.path
        if path is None:
            self._window.status.refuse("The text has no file yet.")
        else:
            self._compare(workspace, disk_version(workspace.session, path))

    def _compare_step(self, workspace: Workspace) -> None:
        """Compare with the state before the last edit, or with the next one where all edits are taken back."""
        history = workspace.session.history
        if len(history.steps) < 2:
            self._window.status.refuse("There is no other state of this file yet.")
        else:
            self._compare(workspace, step_version(workspace.session, history.index - 1 if history.index else 1))

    def compare_conflict(self, workspace: Workspace) -> None:
        """Compare unsaved work with what another program wrote meanwhile, and choose one."""
        path = workspace.session.path
        assert path is not None
        answers: dict[str, Callable[[], None]] = {
            "Take Theirs": partial(self._window.files.reload, workspace),
            "Keep Mine": partial(self._window.files.keep_mine, workspace),
        }
        self._compare(workspace, disk_version(workspace.session, path), answers)

    def _compare(
        self,
        workspace: Workspace,
        version: Version,
        answers: dict[str, Callable[[], None]] | None = None,
    ) -> None:
        try:
            other = version.read()
        except SdfViewerError as error:
            workspace.bridge.refused.emit(str(error))
            return
        for former in workspace.view.findChildren(CompareDialog):
            former.close()
        # It goes when its file is closed; meanwhile the window stays at hand.
        dialog = CompareDialog(workspace.bridge, self._window.settings, version, other, answers, workspace.view)
        dialog.stand_below(self._window)
        self.dialog = dialog
        dialog.show()


def _write(file: Path, text: str) -> None:
    """Write the file that a refactoring makes.

    Raises
    ------
    RefactoringError
        If it is there already: it might be in use elsewhere.
    """
    if file.exists():
        raise RefactoringError(f"{file.name} is there already; choose another name or remove it first")
    saving.save(file, text.encode("utf-8"))
