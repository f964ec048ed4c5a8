"""Creates the actions of the window from their declarations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup

from sdfviewer.display_text import in_short
from sdfviewer.gui.kit.commands import COMMAND, set_shortcut, tooltip
from sdfviewer.gui.kit.icons import action_icon
from sdfviewer.gui.kit.text.plain_text import uncorrected
from sdfviewer.gui.kit.theme import Tokens
from sdfviewer.gui.shell.action_spec import ActionSpec
from sdfviewer.gui.shell.actions.table import ACTIONS
from sdfviewer.gui.shell.app import App

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
            signal = self._actions[spec.id].toggled if spec.checkable else self._actions[spec.id].triggered
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

    def paint(self, colours: Tokens) -> None:
        """Give all actions their icons in the colours of a theme."""
        for spec in ACTIONS:
            if spec.icon:
                self._actions[spec.id].setIcon(action_icon(spec.icon, colours))

    def __getitem__(self, id: str) -> QAction:
        return self._actions[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._actions)

    def __len__(self) -> int:
        return len(self._actions)
