"""The context menu of the model tree."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from sdfviewer.gui.shell.open_file import OpenFile
from sdfviewer.model.model import Model
from sdfviewer.refactoring.adding import CHILDREN_OF, nearest_owner

#: What can be added, in the order of the menu.
TAGS = ("link", "joint", "frame", "visual", "collision", "inertial", "sensor", "light", "plugin", "model", "include")
_GROUPS = (
    ("edit.rename_preview", "edit.duplicate", "edit.move_to", "edit.remove"),
    ("edit.relative_to", "edit.attached_to", "edit.copy_pose"),
    ("camera.focus", "go.source", "go.parent", "tool.measure_from"),
    ("visible.hide", "visible.isolate", "visible.all"),
)


def offer_tree_menu(file: OpenFile, actions: Mapping[str, QAction]) -> None:
    """Let the model tree of a file open its context menu."""
    view = file.tree.view

    def popup(at: QPoint) -> None:
        build_tree_menu(file, actions).popup(view.viewport().mapToGlobal(at))

    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    view.customContextMenuRequested.connect(popup)


def build_tree_menu(file: OpenFile, actions: Mapping[str, QAction]) -> QMenu:
    """Return the context menu for the selection."""
    menu = QMenu(file.tree.view)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    session = file.session
    if session.model is not None:
        add = menu.addMenu("Add")
        for tag in _tags_at(session.model, session.selected_row):
            add.addAction(actions[f"edit.add_{tag}"])
        add.setEnabled(not add.isEmpty())
    for group in _GROUPS:
        menu.addSeparator()
        for id in group:
            menu.addAction(actions[id])
    return menu


def _tags_at(model: Model, row: int | None) -> list[str]:
    """Return the elements that can be added at a row: in it, or beside it."""
    tags = []
    for tag in TAGS:
        owner = nearest_owner(model, row, tag)
        around = row
        while around is not None and around > 0 and around != owner:
            around = int(model.owners[around])
        if owner is not None and (around == owner or row is None) and tag in CHILDREN_OF[model.kinds[owner]]:
            tags.append(tag)
    return tags
