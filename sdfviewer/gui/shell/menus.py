"""The menu bar and the toolbar, created from the table of actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QMenuBar, QSizePolicy, QToolBar, QToolButton, QWidget

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.widgets import named, set_menu
from sdfviewer.gui.shell.docks import DOCKS
from sdfviewer.gui.shell.files.files import Files
from sdfviewer.gui.shell.refusals import ActionSpec, DisabledWhileOpen
from sdfviewer.gui.shell.welcome import examples

_HELD = (Qt.Key.Key_Alt, Qt.Key.Key_Control, Qt.Key.Key_Meta, Qt.Key.Key_Shift)


class MenuFocus(QObject):
    """Gives back the keyboard that a menu bar has taken.

    Qt leaves it there after Escape has closed a menu, where letters open menus, and where each action in a menu counts
    as having the focus: keys of the source view would compete with those of the window.
    """

    def __init__(self, bar: QMenuBar) -> None:
        super().__init__(bar)
        self._bar = bar
        bar.installEventFilter(self)

    def add(self, menu: QMenu) -> None:
        """Follow a menu of the bar."""
        menu.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape and isinstance(watched, QMenu):
                watched.close()
                self._give_back()
                return True
            if event.type() == QEvent.Type.ShortcutOverride and watched is self._bar and self._bar.hasFocus():
                return self._hand_on(event)
        return super().eventFilter(watched, event)

    def _hand_on(self, event: QKeyEvent) -> bool:
        """Let a shortcut mean what it means where the keyboard was; keys without modifiers are those of the menus."""
        if event.key() in _HELD:
            return False
        is_function = Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35
        if not is_function and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            event.accept()
            return True
        self._give_back()
        focus = QApplication.focusWidget()
        if focus is not None and focus is not self._bar:
            event.ignore()
            QApplication.sendEvent(focus, event)
        return True

    def _give_back(self) -> None:
        if self._bar.hasFocus():
            QApplication.sendEvent(
                self._bar, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
            )


MENU_ORDER = ("File", "Edit", "Refactor", "Source", "View", "Go", "Joints", "Help")
RECENT, EXAMPLES = "File/Open Recent", "Help/Examples"
PALETTE_ONLY = frozenset({"file.copy_path", "file.next", *(f"panel.{dock.id}" for dock in DOCKS)})
"""What is in the command palette only: buttons of the status bar and crosses show and hide panels, tabs show files."""


class Menus:
    """The menus of a window by their path, ``"View/Camera"``.

    Parameters
    ----------
    window
        Its menu bar holds them.
    specs, actions
        The actions, in the order of the menus.
    settings
        Remembers the files opened before.
    open_file
        Opens a file.
    files
        The files that are open.
    """

    def __init__(
        self,
        window: QMainWindow,
        specs: Sequence[ActionSpec],
        actions: Mapping[str, QAction],
        settings: Settings,
        open_file: Callable[[Path], None],
        files: Files,
    ) -> None:
        self._window = window
        self._specs, self._actions = specs, actions
        self._settings, self._open_file = settings, open_file
        self.menus: dict[str, QMenu] = {}
        focus = MenuFocus(window.menuBar())
        for name in MENU_ORDER:
            focus.add(self.menu(name))
        for number, spec in enumerate(specs):
            if spec.id in PALETTE_ONLY:
                window.addAction(actions[spec.id])
                continue
            menu = self.menu(spec.menu)
            if spec.section and not menu.isEmpty():
                menu.addSeparator()
            menu.addAction(actions[spec.id])
            if spec.id == "file.open":
                self.menu(RECENT)
            if spec.menu == "Help" and number:
                menu.insertMenu(actions[spec.id], self.menu(EXAMPLES))
        actions["file.quit"].setMenuRole(QAction.MenuRole.QuitRole)
        actions["help.about"].setMenuRole(QAction.MenuRole.AboutRole)
        self.menu(RECENT).aboutToShow.connect(self.fill_recent)
        self._refusing = DisabledWhileOpen(actions, files)
        for name in MENU_ORDER:
            self.menu(name).aboutToShow.connect(partial(self._disable, name))
            self.menu(name).aboutToHide.connect(self._refusing.restore)
        self.menu(EXAMPLES).aboutToShow.connect(self.fill_examples)

    def _disable(self, name: str) -> None:
        """Disable what a menu, and the menus in it, would refuse."""
        specs = [spec for spec in self._specs if spec.menu.partition("/")[0] == name and spec.id not in PALETTE_ONLY]
        # The innermost first. Menus that fill themselves are left: they fill when they open.
        paths = sorted({spec.menu for spec in specs if "/" in spec.menu}, reverse=True)
        self._refusing.disable(specs, map(self.menu, paths))

    def actions(self) -> Iterator[tuple[str, QAction]]:
        """Yield all actions with the path of their menu."""
        for spec in self._specs:
            yield spec.menu, self._actions[spec.id]

    def commands(self) -> Iterator[tuple[str, QAction, str]]:
        """Yield all actions with the path of their menu, and why they would be refused now, empty if they would not."""
        for spec in self._specs:
            yield spec.menu, self._actions[spec.id], self._refusing.why(spec) or ""

    def default_shortcuts(self) -> dict[str, str]:
        """Return the keys of all actions before the user has changed any."""
        return {spec.id: spec.shortcut for spec in self._specs}

    def menu(self, path: str) -> QMenu:
        """Return the menu of a path, made where it is missing."""
        if path not in self.menus:
            outer, _, name = path.rpartition("/")
            host = self.menu(outer) if outer else self._window.menuBar()
            menu = host.addMenu(f"&{name}")
            menu.setToolTipsVisible(True)
            self.menus[path] = menu
        return self.menus[path]

    def fill(self, path: str, entries: Sequence[tuple[str, str, Callable[[], None]]], nothing: str) -> list[QAction]:
        """Fill a dynamic menu with entries of text, tooltip and command, or say that there is none."""
        menu = self.menu(path)
        menu.clear()
        actions = []
        for text, tip, run in entries:
            action = menu.addAction(text.replace("&", "&&"))
            action.setToolTip(tip)
            action.setStatusTip(tip)
            action.triggered.connect(lambda _=False, run=run: run())
            actions.append(action)
        if not entries:
            menu.addAction(nothing).setEnabled(False)
        return actions

    def fill_recent(self) -> list[QAction]:
        """List the files opened before in their menu."""
        entries = [
            (f"{path.name}   {path.parent}", str(path), partial(self._open_file, path))
            for path in self._settings.recent_files
        ]
        return self.fill(RECENT, entries, "No recent files")

    def fill_examples(self) -> list[QAction]:
        """List the models that ship with the program."""
        entries = [(each.title, each.description, partial(self._open_file, each.path)) for each in examples()]
        return self.fill(EXAMPLES, entries, "No examples are installed")


def build_toolbar(specs: Sequence[ActionSpec], actions: Mapping[str, QAction], camera: QMenu) -> QToolBar:
    """Return the toolbar, in groups by menu."""
    bar = QToolBar("Toolbar", movable=False)
    bar.setObjectName("toolbar")
    bar.setIconSize(QSize(18, 18))
    bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
    topic = ""
    for spec in specs:
        if not spec.toolbar:
            continue
        here = spec.menu
        # Blank separates the workspaces; a line after them would take the room of what is last on a narrow screen.
        if topic and here != topic and spec.id not in ("workspace.inspect", "go.palette"):
            bar.addSeparator()
        topic = here
        if spec.id == "workspace.inspect":
            spacer = QWidget()
            spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
            bar.addWidget(spacer)
        bar.addAction(actions[spec.id])
        button = bar.widgetForAction(actions[spec.id])
        button.setAccessibleName(spec.text.rstrip("…"))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if spec.id == "camera.fit":
            views = named(QToolButton(), "Views", "Look from a side")
            views.setIcon(icon("mdi6.cube-scan"))
            views.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
            set_menu(views, camera)
            views.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            bar.addWidget(views)
    # Qt's own button for what has no room; its arrow is black in every theme.
    more = bar.findChild(QToolButton, "qt_toolbar_ext_button")
    if more is not None:
        more.setIcon(icon("mdi6.chevron-double-right"))
    return bar
