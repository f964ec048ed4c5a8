"""One or two 3D views of the same file: the model as SDFormat reads it, and beside it as URDF would."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.widgets import painted_once
from sdfviewer.gui.view3d.canvas import SETTLE_SECOND_MILLISECONDS, Canvas
from sdfviewer.gui.view3d.display import Display
from sdfviewer.gui.view3d.notes import TopLabel
from sdfviewer.gui.view3d.scene_feed import OtherConvention, SceneFeed
from sdfviewer.model.kinds import Kind
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.nodes import Floats

ABSOLUTE, RELATIVE = "SDFormat (model-absolute)", "URDF (element-relative)"
RELATIVE_WORLD = "Element-relative, as in URDF"
SHORT = {ABSOLUTE: "SDFormat", RELATIVE: "URDF", RELATIVE_WORLD: "Element-relative"}
"""The text in a narrow view."""


_TOGETHER: tuple[Floats, float, Floats] = np.zeros(3), 1.0, np.zeros(2)
"""How a view is apart from another one that looks from the same place: focus, factor of the distance, and shift."""


class SideBySide(QSplitter):
    """Two views whose cameras move together; the second is made when it is first requested.

    Each shows the whole model as its convention places it: their cameras look in one direction, each at its own model.

    Attributes
    ----------
    first, second
        The views of the model-absolute and of the element-relative convention.
    """

    def __init__(self, first: Canvas, feed: SceneFeed, context: DocumentContext, settings: Settings) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(4)
        self._context, self._feed, self._settings = context, feed, settings
        self.first = first
        self.second: Canvas | None = None
        self._other: OtherConvention | None = None
        self._switches: dict[str, bool] = {}
        #: How the second camera differs from the first: its focus (3,), its distance as a factor, its shift (2,).
        self._apart = _TOGETHER
        self._is_leading = False
        self.addWidget(first)
        self.titles = [TopLabel(ABSOLUTE, first, "text", bold=True, short=SHORT[ABSOLUTE])]
        first.overlays += self.titles
        first.banners += self.titles

    def set_switches(self, switches: dict[str, bool]) -> None:
        """Follow the switches of the window."""
        with painted_once(self):
            self._set_switches(switches)

    def _set_switches(self, switches: dict[str, bool]) -> None:
        self._switches = switches
        beside = switches["compare.side"]
        was_beside = self.second is not None and not self.second.isHidden()
        if beside and self.second is None:
            self._open_second()
        if self.second is not None and self._other is not None:
            self._other.follow(beside)
            if not beside and self.window().focusWidget() is self.second:
                self.first.setFocus()
            self.second.setVisible(beside)
        # Qt would give both their widths in a later pass, after pictures of other widths.
        self.refresh()
        if beside is not was_beside:
            self.first.camera_control.fit_again()
        self._name_second()
        for title in self.titles:
            title.setVisible(beside)
        self.first.set_switches(switches)
        if self.second is not None and beside:
            self.second.set_switches(switches)
            if not was_beside:
                self._relate(())

    def _share_names(self) -> None:
        """Let the second view name what the first one names: both are to be compared."""
        if self.second is not None and self.second.isVisible():
            rows = frozenset(target.row for target in self.first.renderer.targets.names)
            if self.second.renderer.set_named(rows):
                self.second.draw_soon()

    def _name_second(self) -> None:
        """Say what the second view shows; a world can never be a URDF."""
        model = self._context.session.model
        if self.second is not None and model is not None:
            name = RELATIVE_WORLD if model.kinds[0] is Kind.WORLD else RELATIVE
            if self.titles[1].full_text != name:
                self.titles[1].say(name, short=SHORT[name])

    def set_display(self, display: Display) -> None:
        """Follow the sizes and filters."""
        for canvas in (self.first, self.second):
            if canvas is not None:
                canvas.set_display(display)

    def _open_second(self) -> None:
        self._other = OtherConvention(self._context.session, self._feed, self)
        second = self.second = Canvas(
            self._context, self._settings, self._other, settle_milliseconds=SETTLE_SECOND_MILLISECONDS
        )
        self.first.waits_for = second
        second.setAccessibleName(f"3D view, {RELATIVE}")
        second.tools.enabled = False
        second.setAcceptDrops(False)
        second.display = self.first.display
        second.notices = self.first.notices
        second.cube.shortcuts = self.first.cube.shortcuts
        second.failed.connect(self.first.failed)
        second.recovered.connect(self.first.recovered)
        second.menu_requested.connect(lambda at, hits: self.first.menu_requested.emit(self._in_first(at), hits))
        second.camera_control.is_led = True
        second.camera_control.move_to(self.first.camera)
        self.first.camera_moved.connect(self._lead)
        self.first.camera_control.aimed.connect(self._relate)
        self._other.rebuilt.connect(self._relate_again)
        self.first.pictured.connect(self._share_names)
        second.camera_moved.connect(self._lead_back)
        self.titles.append(TopLabel(RELATIVE, second, "text", bold=True, short=SHORT[RELATIVE]))
        second.overlays.append(self.titles[-1])
        second.banners.append(self.titles[-1])
        self.addWidget(second)
        self.setSizes([1000, 1000])

    def _relate(self, names: tuple[str, ...]) -> None:
        """Let the second view show what the first one shows, where the other convention places it, at its own size."""
        second = self.second
        if second is None or not second.isVisible():
            return
        comparison, goal = self._context.session.comparison, self.first.camera_control.goal
        if comparison is not None and comparison.equal:  # equal robots must look equal, whatever lies over one of them
            self._apart = _TOGETHER
            self._lead()
            return
        ahead = self.first.camera_control.shows(names, goal)
        beside = second.camera_control.shows(names, goal)
        if ahead is not None and beside is not None and beside.distance > 0 < ahead.distance:
            focus, shift = np.subtract(beside.focus, ahead.focus), np.subtract(beside.shift, ahead.shift)
            self._apart = focus, beside.distance / ahead.distance, shift
            self._lead()

    def _relate_again(self) -> None:
        """Show all of what the other convention places elsewhere now, unless the user has navigated."""
        if self.first.camera_control.goes_on_fitting:
            self._relate(())

    def _lead(self) -> None:
        """Move the second camera with the first."""
        if self.second is not None and not self._is_leading:
            self._is_leading = True
            self.second.camera_control.move_to(_moved(self.first.camera, *self._apart))
            self._is_leading = False

    def _lead_back(self) -> None:
        """Move the first camera with the second."""
        if self.second is not None and not self._is_leading:
            focus, factor, shift = self._apart
            self._is_leading = True
            self.first.camera_control.move_to(_moved(self.second.camera, -focus, 1 / factor, -shift))
            self._is_leading = False

    def _in_first(self, at: object) -> object:
        """Return a place of the second view in the coordinates of the first."""
        assert self.second is not None
        return self.first.mapFromGlobal(self.second.mapToGlobal(at))  # type: ignore[call-overload]

    def close_feeds(self) -> None:
        """End what runs in the background, and free what is on the graphics card."""
        if self._other is not None:
            self._other.close()
        self._feed.close()
        for canvas in (self.first, self.second):
            if canvas is not None:
                canvas.release()


def _moved(camera: Camera, focus: Floats, factor: float, shift: Floats) -> Camera:
    """Return a camera whose focus (3,) and shift (2,) are moved, its distance times a factor."""
    x, y, z = np.add(camera.focus, focus).tolist()
    across, up = np.add(camera.shift, shift).tolist()
    return replace(camera, focus=(x, y, z), distance=camera.distance * factor, shift=(across, up))
