"""Joint positions kept by name, for each file."""

from __future__ import annotations

import math
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QInputDialog, QMenu, QToolButton, QWidget

from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.icons import icon
from sdfviewer.gui.named import named
from sdfviewer.gui.settings import Settings
from sdfviewer.gui.theme import tokens

Positions = dict[str, tuple[float, ...]]


class KeptPoses(QToolButton):
    """A button with a menu of the positions kept for a file."""

    #: Positions that the user asked for, by scoped joint name.
    chosen = Signal(object)

    def __init__(self, bridge: Bridge, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge, self._settings = bridge, settings
        named(self, "Kept poses", "Go to joint positions that were kept, or keep these (Ctrl+Alt+P)")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.aboutToShow.connect(self.fill)
        self.setMenu(menu)

    @property
    def _path(self) -> Path | None:
        return self._bridge.session.path

    def poses(self) -> dict[str, Positions]:
        """Return all positions kept for this file, by their name."""
        kept = {} if self._path is None else self._settings.kept_poses(self._path)
        return {
            name: {joint: tuple(values) for joint, values in positions.items() if all(map(math.isfinite, values))}
            for name, positions in kept.items()
        }

    def fill(self) -> None:
        """Make the menu anew."""
        menu, colours = self.menu(), tokens(self.palette())
        menu.clear()
        poses = self.poses()
        for name, positions in poses.items():
            go = menu.addAction(icon("mdi6.bookmark-outline", colours.text), name.replace("&", "&&"))
            go.triggered.connect(lambda _=False, positions=positions: self.chosen.emit(positions))
        if poses:
            menu.addSeparator()
        keep = menu.addAction(icon("mdi6.bookmark-plus-outline", colours.text, colours.disabled), "Keep Pose…")
        keep.triggered.connect(self.ask)
        keep.setEnabled(self._path is not None)
        if poses:
            forget = menu.addMenu("Forget")
            for name in poses:
                action = forget.addAction(name.replace("&", "&&"))
                action.triggered.connect(lambda _=False, name=name: self.forget(name))

    def ask(self) -> None:
        """Ask for a name and keep the positions under it."""
        if self._path is None:
            self._bridge.refused.emit("Save the file first: poses are kept for a file.")
            return
        number = len(self.poses()) + 1
        name, given = QInputDialog.getText(self, "Keep Pose", "Name of these joint positions", text=f"pose {number}")
        if given and name.strip():
            self.keep(name.strip())

    def keep(self, name: str) -> None:
        """Keep the positions as they are under a name; a name known already gets the new ones."""
        if self._path is not None:
            self._settings.keep_poses(self._path, {**self.poses(), name: dict(self._bridge.session.positions)})
            self._bridge.said.emit(f"Kept “{name}”")

    def forget(self, name: str) -> None:
        """Forget the positions of a name."""
        if self._path is not None:
            others = {known: positions for known, positions in self.poses().items() if known != name}
            self._settings.keep_poses(self._path, others)
