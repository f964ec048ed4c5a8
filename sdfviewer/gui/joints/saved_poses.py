"""The menu of saved joint positions."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QInputDialog, QMenu, QToolButton

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.commands import SAVE_POSE, tooltip
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.widgets import named, set_menu
from sdfviewer.session.saved_state import SavedPoses


class SavedPosesButton(QToolButton):
    """A button with a menu of the saved poses of a file.

    Attributes
    ----------
    poses
        The saved poses.
    """

    #: Positions that the user requested, by scoped joint name.
    chosen = Signal(dict)

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__()
        self._context = context
        self.poses = SavedPoses(context.session, settings)
        context.changed.connect(self.poses.follow)
        named(self, "Saved poses", tooltip("Restore saved joint positions, or save the current ones", SAVE_POSE.keys))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click would leave a frame around it
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.aboutToShow.connect(self.fill)
        set_menu(self, menu)

    def fill(self) -> None:
        """List the saved poses in the menu."""
        menu = self.menu()
        menu.clear()
        poses = self.poses.all()
        for name, positions in poses.items():
            go = menu.addAction(icon("mdi6.bookmark-outline"), name.replace("&", "&&"))
            go.triggered.connect(lambda _=False, positions=positions: self.chosen.emit(positions))
        self._fill_states(menu)
        if not menu.isEmpty():
            menu.addSeparator()
        save = menu.addAction(icon("mdi6.bookmark-plus-outline"), "Save Pose…")
        save.triggered.connect(self.ask)
        save.setEnabled(self.poses.can_save)
        if poses:
            remove = menu.addMenu("Remove")
            for name in poses:
                action = remove.addAction(name.replace("&", "&&"))
                action.triggered.connect(lambda _=False, name=name: self.poses.remove(name))

    def _fill_states(self, menu: QMenu) -> None:
        """List the states of the groups in the SRDF files beside a robot."""
        session = self._context.session
        kinematics = session.kinematics
        if kinematics is None:
            return
        from sdfviewer.session.semantics import semantics_of  # noqa: PLC0415  # few files have any

        for semantics in semantics_of(session):
            states = [(state, semantics.positions(kinematics, state)) for state in semantics.states]
            if any(positions for _, positions in states):
                menu.addSection(Path(semantics.document.name).name)
            for state, positions in states:
                if positions:
                    text = f"{state.name} ({state.group})".replace("&", "&&")
                    go = menu.addAction(icon("mdi6.bookmark-outline"), text)
                    go.triggered.connect(lambda _=False, positions=positions: self.chosen.emit(positions))

    def ask(self) -> None:
        """Ask for a name and save the positions under it."""
        if not self.poses.can_save:
            self._context.messages.refuse("Save the file first: saved poses belong to a file.")
            return
        number = len(self.poses.all()) + 1
        name, given = QInputDialog.getText(self, "Save Pose", "Name", text=f"pose {number}")
        if given and name.strip():
            self.poses.save(name.strip())
            where = "The button with the bookmark, above the joints, goes back to it."
            self._context.messages.show(f"Saved pose “{name.strip()}”. {where}")
