"""The table of all actions, from which menus, toolbar, tooltips, palette and the menu of the tree are created."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from sdfviewer.display_text import in_short
from sdfviewer.gui.context.missing import Missing, what_helps
from sdfviewer.gui.kit.commands import COMMAND, set_shortcut, tooltip
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.safe_text import uncorrected
from sdfviewer.gui.shell.actions.converting import CONVERT
from sdfviewer.gui.shell.actions.edit_actions import EDIT, TAGS, TOOLS, VIEW_TOPICS
from sdfviewer.gui.shell.actions.file_actions import FILE
from sdfviewer.gui.shell.actions.go_actions import GO, SOURCE
from sdfviewer.gui.shell.actions.help_actions import HELP
from sdfviewer.gui.shell.actions.joint_actions import JOINTS
from sdfviewer.gui.shell.actions.refactor_actions import REFACTOR
from sdfviewer.gui.shell.actions.show_actions import CAMERA, SHOW
from sdfviewer.gui.shell.actions.view_actions import VIEW
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.refusals import ActionSpec, why_not_of_selection
from sdfviewer.model.model import Model
from sdfviewer.refactoring.adding import children_of, nearest_owner
from sdfviewer.refactoring.editable import ReadOnlyKind
from sdfviewer.session.read_only import why_read_only

#: Keys on macOS, where the system reserves some of the others.
_MACOS_KEYS = {
    "view.maximize": "Ctrl+Shift+Return",  # F11 shows the desktop
    "file.next": "Meta+Tab",  # ⌘Tab goes to the next program
    "source.complete": "Meta+Space",  # ⌘Space searches the computer
    "source.replace": "Ctrl+Alt+F",  # ⌘H hides the program
    "versions.step": "Ctrl+K, Shift+H",
    "edit.write_quaternion": "Ctrl+K, Q",  # ⌘Q quits
    "axes.relative_to": "Ctrl+Shift+0",  # ⌘⇧3 takes a picture of the screen
    "unit.degrees": "Ctrl+Alt+A",  # ⌥⌘D hides the Dock
    "edit.remove": "Ctrl+Backspace",  # most of its keyboards have no Del
}


def for_macos(specs: Iterable[ActionSpec]) -> tuple[ActionSpec, ...]:
    """Return actions with keys that macOS leaves to programs."""
    return tuple(replace(spec, shortcut=_MACOS_KEYS.get(spec.id, spec.shortcut)) for spec in specs)


_MODULES = (FILE, EDIT, TOOLS, REFACTOR, SOURCE, SHOW, CAMERA, VIEW, GO, JOINTS, HELP)
_ALL = tuple(spec for module in _MODULES for spec in module.specs)

ACTIONS: tuple[ActionSpec, ...] = for_macos(_ALL) if sys.platform == "darwin" else _ALL

#: Switches with which the next start begins as they were left; the state of a tool is not among them.
REMEMBERED = (
    *(
        spec.id
        for spec in ACTIONS
        if spec.checkable
        and spec.id.partition(".")[0] in VIEW_TOPICS
        and (spec.id == "tool.snap" or not spec.id.startswith(("tool.", "compare.")))
    ),
    "source.whitespace",
)


MOST_LETTERS = 40
"""Of an edit in the label of its undo: a menu is as broad as its longest label."""


class Actions(Mapping[str, QAction]):
    """All actions of a window by their id; they do nothing until they are connected.

    Parameters
    ----------
    shortcuts
        Keys that the user gave to actions, by id.
    """

    def __init__(self, parent: QObject, shortcuts: Mapping[str, str] | None = None) -> None:
        self._actions: dict[str, QAction] = {}
        groups: dict[str, QActionGroup] = {}
        for spec in ACTIONS:
            action = self._actions[spec.id] = self._make(spec, parent, shortcuts or {})
            if spec.group:
                groups.setdefault(spec.group, QActionGroup(parent)).addAction(action)

    @staticmethod
    def _make(spec: ActionSpec, parent: QObject, shortcuts: Mapping[str, str]) -> QAction:
        action = QAction(spec.text, parent)
        action.setObjectName(spec.id)
        action.setProperty(COMMAND, spec.text)
        # The editor handles its own shortcuts, some of which the window has too.
        context = Qt.ShortcutContext
        action.setShortcutContext(context.WidgetShortcut if spec.in_source else context.WindowShortcut)
        action.setStatusTip(spec.tip)
        own = shortcuts.get(spec.id)
        if own is None:
            set_shortcut(action, spec.shortcut, *spec.more_shortcuts)
        else:
            set_shortcut(action, own)
        if spec.short:
            action.setIconText(spec.short)
        action.setCheckable(spec.checkable)
        # An icon would replace the check mark.
        action.setIconVisibleInMenu(not spec.checkable)
        action.setChecked(spec.on)
        return action

    def connect(self, app: App) -> None:
        """Connect the actions to their handlers; a checkable action passes its state."""
        for spec in ACTIONS:
            action = self._actions[spec.id]
            signals = [action.toggled if spec.checkable else action.triggered]
            if spec.again:
                signals.append(action.triggered)
            for signal in signals:
                # PySide counts the arguments of what it calls; those of a partial it counts wrongly.
                signal.connect(lambda on=False, spec=spec: spec.run(app, on))

    def enable(self, file_is_open: bool) -> None:
        """Enable what can be done now."""
        with uncorrected():
            for spec in ACTIONS:
                self._actions[spec.id].setEnabled(file_is_open or not spec.needs_file)

    def name_step(self, id: str, label: str | None) -> None:
        """Say which edit an action would undo or redo, if any: the menu in short, the tips all of it."""
        action, spec = self._actions[id], next(spec for spec in ACTIONS if spec.id == id)
        action.setEnabled(label is not None)
        action.setText(f"{spec.text} {in_short(label, MOST_LETTERS).replace('&', '&&')}" if label else spec.text)
        action.setStatusTip(f"{spec.text} {label}" if label else spec.tip)
        action.setToolTip(tooltip(action.statusTip(), action.shortcut()))

    def paint(self) -> None:
        """Give all actions their icons."""
        for spec in ACTIONS:
            if spec.icon:
                self._actions[spec.id].setIcon(icon(spec.icon))

    def __getitem__(self, id: str) -> QAction:
        return self._actions[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._actions)

    def __len__(self) -> int:
        return len(self._actions)


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
