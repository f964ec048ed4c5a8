"""Brings the window back to where it was before a story, so that each begins in the same place."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QDockWidget

from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.scene.camera import Camera
from sdfviewer.session.visibility import Visibility

_SWITCHES = ("compare.zero", "compare.off", "tool.select", "axes.local", "unit.radians", "workspace.inspect")
_OFF = ("joints.sweep", "joints.motion", "joints.lift_limits", "camera.orthographic", "tool.snap", "tool.alone")


class Neutral:
    """The state between two stories.

    Attributes
    ----------
    text
        What the file holds then.
    """

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._panels: dict[str, list[str]] = {}
        self._theme = window.settings.theme
        self.text: str | None = None
        self._camera: Camera | None = None

    def restore(self) -> Iterator[str]:
        """Restore the state; yields what does not come back."""
        window = self._window
        for other in tuple(window.files.opened)[1:]:
            window.files.drop(other)
        file = window.current
        if file is None:
            return
        yield from self._look_for_hover(file)
        yield from self._restore_text(file)
        self._restore_view(file)
        for id in _SWITCHES:
            if not window.actions_by_id[id].isChecked():
                window.actions_by_id[id].setChecked(True)
        for id in _OFF:
            if id in window.actions_by_id and window.actions_by_id[id].isChecked():
                window.actions_by_id[id].setChecked(False)
        if window.settings.theme is not self._theme:
            window.actions_by_id[f"theme.{self._theme.value}"].setChecked(True)
        self._restore_layout()
        for topic in window.notices.topics:
            window.notices.withdraw(topic)
        window.activateWindow()
        if file.view.canvas is not None:
            file.view.canvas.setFocus()

    @staticmethod
    def _look_for_hover(file: OpenFile) -> Iterator[str]:
        """Yield what is still highlighted as under the mouse, though the mouse is elsewhere."""
        under = QApplication.widgetAt(QCursor.pos())
        showing = [
            file.view,
            *(file.panels[id] for id in ("tree", "graphs", "joints", "properties") if id in file.panels),
        ]
        if file.context.highlights.hovered and not any(
            each is under or each.isAncestorOf(under) for each in showing if under
        ):
            yield f"{file.context.highlights.hovered} is still highlighted as under the mouse"
        file.context.highlights.hover(None)

    def _restore_text(self, file: OpenFile) -> Iterator[str]:
        session = file.session
        file.flush()
        if self.text is None:
            self.text = session.document.text
        steps = 0
        while session.document.text != self.text and session.can_undo and steps < 100:
            session.undo()
            steps += 1
        while session.document.text != self.text and session.can_redo and steps < 200:
            session.redo()
            steps += 1
        if session.document.text != self.text:
            yield "undoing does not bring the text back; the next stories begin with this one"
            self.text = session.document.text

    def _restore_view(self, file: OpenFile) -> None:
        session = file.session
        session.reset_joints()
        session.select(())
        session.set_visibility(Visibility())
        session.set_section(None)
        session.set_measurements(())
        file.context.requests.cancel_pick()
        file.tree.filter.clear()
        if "graphs" in file.panels:
            file.graphs.search_field.clear()
            for button in (file.graphs.focus_button, file.graphs.link_button, file.graphs.bodies_button):
                button.setChecked(False)
            for pane in file.graphs.panes.values():
                pane.canvas.start()
        if "source" in file.panels and file.source.find_bar.isVisible():
            file.source.find_bar.close_bar()
        canvas = file.view.canvas
        if canvas is not None:
            self._camera = self._camera or canvas.camera_control.goal
            canvas.camera_control.fly_to(self._camera, fits=True)

    def _restore_layout(self) -> None:
        window = self._window
        window.workspaces.restore_maximized()
        docks: dict[str, QDockWidget] = window.docks.docks
        now = [*window.docks.in_sight, *(id for id, dock in docks.items() if dock.isFloating())]
        if now != self._panels.setdefault(window.workspaces.current.id, now):
            window.workspaces.reset()
