"""Menu bar and toolbar, made from the table of actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from sdfviewer.gui.actions import ACTIONS
from sdfviewer.gui.icons import icon
from sdfviewer.gui.named import named
from sdfviewer.gui.theme import Tokens
from sdfviewer.gui.welcome import examples

MENU_ORDER = ("File", "Edit", "Refactor", "Source", "View", "Go", "Joints", "Help")
RECENT, EXAMPLES = "File/Open Recent", "Help/Examples"


class Menus:
    """The menus of a window by their path, ``"View/Camera"``."""

    def __init__(self, window: QMainWindow, actions: Mapping[str, QAction]) -> None:
        self._window = window
        self.menus: dict[str, QMenu] = {}
        for name in MENU_ORDER:
            self.menu(name)
        for number, spec in enumerate(ACTIONS):
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
        """Fill a menu that changes with entries of text, tooltip and what they do, or say that there is none."""
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

    def fill_examples(self, open_file: Callable[[Path], None]) -> list[QAction]:
        """List the models that ship with the program."""
        entries = [(each.title, each.description, partial(open_file, each.path)) for each in examples()]
        return self.fill(EXAMPLES, entries, "No examples are installed")


def build_toolbar(parent: QObject, actions: Mapping[str, QAction], camera: QMenu) -> QToolBar:
    """Return the toolbar: the actions of the table that stand in it, in groups by their topic."""
    bar = QToolBar("Toolbar", movable=False)
    bar.setObjectName("toolbar")
    bar.setIconSize(QSize(18, 18))
    bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
    topic = ""
    for spec in ACTIONS:
        if not spec.toolbar:
            continue
        here = spec.menu
        if topic and here != topic and spec.id != "go.palette":
            bar.addSeparator()
        topic = here
        if spec.id == "go.palette":
            spacer = QWidget()
            spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
            bar.addWidget(spacer)
        bar.addAction(actions[spec.id])
        button = bar.widgetForAction(actions[spec.id])
        button.setAccessibleName(spec.text.rstrip("…"))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if spec.id == "camera.fit":
            views = named(QToolButton(), "Views", "Look from a side")
            views.setObjectName("views")
            views.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
            views.setMenu(camera)
            views.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            bar.addWidget(views)
    return bar


def paint_toolbar(bar: QToolBar, colours: Tokens) -> None:
    """Give the buttons that are no actions their icons."""
    views = bar.findChild(QToolButton, "views")
    assert views is not None
    views.setIcon(icon("mdi6.cube-scan", colours.text, colours.disabled))
