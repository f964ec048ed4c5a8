"""The context menu of the model tree."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from sdfviewer.gui.context.missing import Missing, what_helps
from sdfviewer.gui.shell.actions.converting import CONVERT
from sdfviewer.gui.shell.actions.edit_actions import TAGS
from sdfviewer.gui.shell.actions.table import ACTIONS
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.refusals import why_not_of_selection
from sdfviewer.model.model import Model
from sdfviewer.refactoring.adding import children_of, nearest_owner
from sdfviewer.refactoring.editable import ReadOnlyKind
from sdfviewer.session.read_only import why_read_only

_GROUPS = (
    ("edit.rename", "edit.rename_preview", "edit.move_to", "edit.remove"),
    ("edit.copy", "edit.copy_limb", "edit.paste", "edit.duplicate", "edit.duplicate_limb"),
    ("edit.relative_to", "edit.attached_to", "edit.copy_pose"),
    ("camera.focus", "go.source", "go.parent", "tool.measure_from"),
    ("visible.hide", "visible.isolate", "visible.all"),
)
_SPECS = {spec.id: spec for spec in ACTIONS}


def offer_tree_menu(file: OpenFile, actions: Mapping[str, QAction]) -> None:
    """Let the model tree of a file open its context menu."""
    view = file.tree.view

    def popup(at: QPoint) -> None:
        menu = build_tree_menu(file, actions)
        file.context.highlights.hover(
            None
        )  # where the menu closes elsewhere, Qt does not report that the mouse has left
        menu.popup(view.viewport().mapToGlobal(at))

    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    view.customContextMenuRequested.connect(popup)


def build_tree_menu(file: OpenFile, actions: Mapping[str, QAction]) -> QMenu:
    """Return the context menu for the selection; what cannot be done with it is disabled, and its tooltip says why."""
    menu = QMenu(file.tree.view)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setToolTipsVisible(True)
    session = file.session
    model, row = session.edited_model, session.selected_row
    reason = None
    if model is not None:
        if row is not None:
            _add_what_helps(menu, file, actions, row)
        reason = why_read_only(session, 0 if row is None else row)
        add = menu.addMenu("Add")
        # Beside what is included, more can be added to this file.
        can_add = reason is None or reason.kind is ReadOnlyKind.INCLUDED
        for tag in _tags_at(model, row) if can_add else ():
            add.addAction(actions[f"edit.add_{tag}"])
        add.setEnabled(not add.isEmpty())
        if reason is not None and add.isEmpty():
            add.menuAction().setToolTip(reason.sentence)
    for group in _GROUPS:
        menu.addSeparator()
        for id in group:
            why = None if model is None else why_not_of_selection(_SPECS[id], session, model)
            if why is None:
                menu.addAction(actions[id])
            else:
                _add_disabled(menu, actions[id], why)
    if reason is not None and reason.converts:
        menu.addSeparator()
        menu.addAction(actions[CONVERT])
    return menu


def _add_what_helps(menu: QMenu, file: OpenFile, actions: Mapping[str, QAction], row: int) -> None:
    """Add what may find the models and meshes that a row and what is written in it lack, and what evaluates xacro."""
    session, model = file.session, file.session.model
    assert model is not None
    rows = model.inside(row)
    names = {model.names[each] for each in rows}
    failed = {each.uri for at, each in model.failed_includes.items() if at in rows}
    problems = [
        each
        for each in session.diagnostics
        if (each.missing_uri and each.missing_uri in failed) or not names.isdisjoint(each.marked)
    ]
    answers = what_helps(problems, session, file.context.requests)
    for label, act in answers.items():
        menu.addAction(label).triggered.connect(lambda _=False, act=act: act())
    if failed or Missing.of_problems(problems):
        menu.addAction(actions["file.model_folders"])
    if answers or failed:
        menu.addSeparator()


def _add_disabled(menu: QMenu, action: QAction, why: str) -> None:
    """Show an action that is refused here; the action itself stays enabled for its shortcut, which says why."""
    shown = menu.addAction(action.icon(), action.text())
    shown.setToolTip(why)
    shown.setEnabled(False)


def _tags_at(model: Model, row: int | None) -> list[str]:
    """Return the elements that can be added at a row: in it, or beside it."""
    tags = []
    for tag in TAGS:
        owner = nearest_owner(model, row, tag)
        around = row
        while around is not None and around > 0 and around != owner:
            around = int(model.owners[around])
        if owner is not None and (around == owner or row is None) and tag in children_of(model, owner):
            tags.append(tag)
    return tags
