"""One or two 3D views of the same file: the model as SDFormat reads it, and beside it as URDF would."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.painted_once import painted_once
from sdfviewer.gui.view3d.canvas import SETTLE_SECOND_MILLISECONDS, Canvas
from sdfviewer.gui.view3d.display import Display
from sdfviewer.gui.view3d.other_convention import OtherConvention
from sdfviewer.gui.view3d.overlays.top_label import TopLabel
from sdfviewer.gui.view3d.scene_feed import SceneFeed
from sdfviewer.model.kinds import Kind

ABSOLUTE, RELATIVE = "SDFormat (model-absolute)", "URDF (element-relative)"
RELATIVE_WORLD = "Element-relative, as in URDF"
SHORT = {ABSOLUTE: "SDFormat", RELATIVE: "URDF", RELATIVE_WORLD: "Element-relative"}
"""The text in a narrow view."""


class SideBySide(QSplitter):
    """Two views with one camera; the second is made when it is first requested.

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
        if beside and self.second is None:
            self._open_second()
        if self.second is not None and self._other is not None:
            self._other.follow(beside)
            if not beside and self.window().focusWidget() is self.second:
                self.first.setFocus()
            self.second.setVisible(beside)
        self.first.compared.beside = self._other if beside else None
        # Qt would give both their widths in a later pass, after pictures of other widths.
        self.refresh()
        self._name_second()
        for title in self.titles:
            title.setVisible(beside)
        self.first.set_switches(switches)
        if self.second is not None and beside:
            self.second.set_switches(switches)

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
        second.cube.shortcuts = self.first.cube.shortcuts
        second.failed.connect(self.first.failed)
        second.recovered.connect(self.first.recovered)
        second.menu_requested.connect(lambda at, hits: self.first.menu_requested.emit(self._in_first(at), hits))
        second.camera_control.follows_size = False  # but the camera of the first view
        second.camera_control.move_to(self.first.camera)
        self.first.camera_moved.connect(lambda: second.camera_control.move_to(self.first.camera))
        self.first.pictured.connect(self._share_names)
        second.camera_moved.connect(lambda: self.first.camera_control.move_to(second.camera))
        self.titles.append(TopLabel(RELATIVE, second, "text", bold=True, short=SHORT[RELATIVE]))
        second.overlays.append(self.titles[-1])
        second.banners.append(self.titles[-1])
        self.addWidget(second)
        self.setSizes([1000, 1000])

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
