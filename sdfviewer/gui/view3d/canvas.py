"""The widget that the renderer paints in, and that hands mouse and keys to tools, camera and selection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QGuiApplication,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.kit.theme import is_dark, on_theme_change
from sdfviewer.gui.view3d.camera_control import CameraControl, CameraFollowing
from sdfviewer.gui.view3d.compared import Compared
from sdfviewer.gui.view3d.display import Display, MotionView, mark
from sdfviewer.gui.view3d.navigation import Navigation, ViewCube
from sdfviewer.gui.view3d.opengl import WindowFramebuffer, surface_format
from sdfviewer.gui.view3d.pointing import Hovering, hits_at, name_at, pointed_at, select_at
from sdfviewer.gui.view3d.scene_feed import OtherConvention, SceneFeed
from sdfviewer.gui.view3d.software import SoftwareDrawing
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.gui.view3d.tools.tools import Tools
from sdfviewer.render.renderer import Renderer
from sdfviewer.render.view import STILL, Look, Quality, View
from sdfviewer.session.session_change import SessionChange

SETTLE_MILLISECONDS = 160
"""How long after the last motion a software renderer smooths the picture again."""
SETTLE_SECOND_MILLISECONDS = 240
"""The same for the second of two views: Qt paints all that has changed in a window at once."""
TEXTURE_MILLISECONDS = 50


class Canvas(SceneWidget):
    """Draws the scene of one session.

    Attributes
    ----------
    waits_for
        The view beside this one, whose first picture is drawn before the next one of this view.
    """

    #: A right click: where, and what lies under it.
    menu_requested = Signal(QPoint, tuple)
    #: The renderer failed; the exception.
    failed = Signal(Exception)
    #: It draws again after it failed: another scene is there.
    recovered = Signal()
    #: A picture is shown.
    pictured = Signal()

    tools: Tools
    compared: Compared

    def __init__(
        self,
        context: DocumentContext,
        settings: Settings,
        feed: SceneFeed | OtherConvention,
        parent: QWidget | None = None,
        *,
        settle_milliseconds: int = SETTLE_MILLISECONDS,
    ) -> None:
        super().__init__(parent)
        self.framebuffer = WindowFramebuffer(self, super().resizeEvent)
        on_theme_change(self._follow_theme)
        self.setFormat(surface_format())
        self.setAccessibleName("3D view")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumSize(160, 120)
        self.document_context = context
        self.settings = settings
        self.feed = feed
        self.compared = Compared(self)
        self.renderer = Renderer()
        self.look = Look(dark=is_dark(self.palette()))
        self.renderer.set_look(self.look)
        self.display = Display()
        self.following = CameraFollowing(self)
        self.waits_for: Canvas | None = None
        self._switches: dict[str, bool] = {}
        self._broken = False
        self.draw_seconds = 0.0
        """Seconds that drawing the last picture took this program; a graphics card goes on by itself."""
        self.overlays: list[QWidget] = []
        """The widgets over the picture, which labels of frames avoid."""
        self.notices: QWidget | None = None
        """The notices that float over the lower edge; they belong to the window."""
        # Textures are decoded beside the painting and shown as they come.
        self._look_again = delayed(self, self.update, TEXTURE_MILLISECONDS)
        self.camera_control = CameraControl(self, self.compared)
        self.software = SoftwareDrawing(
            self, self, self.framebuffer, context.later, self._must_wait, settle_milliseconds
        )
        self._navigation = Navigation(self, self.camera_control)
        self.cube = ViewCube(self, self.camera_control)
        self._hovering = Hovering(self, self.cube)
        self.tools = Tools(self, self.camera_control)
        self.banners: list[QWidget] = [self.compared.colour_key, self.compared.title]
        """The widgets along the upper and lower edge that the camera keeps clear of what it shows."""
        self.lay_over(*self.banners)
        self.motion = MotionView(self)
        self.feed.rebuilt.connect(self._upload)
        self.feed.moved.connect(self._move)
        context.changed.connect(self._follow)
        # Bound methods: Qt disconnects them with the widget, also while a frame still flashes.
        context.highlights.hover_changed.connect(self._mark_again)
        context.highlights.chain_steps_changed.connect(self._mark_again)
        context.highlights.flash_changed.connect(self._mark_again)
        self._upload()

    def lay_over(self, *widgets: QWidget) -> None:
        """Keep names clear of widgets over the picture, and look below those that go."""
        self.overlays += widgets
        for each in widgets:
            each.installEventFilter(self._hovering)

    # --- drawing ---------------------------------------------------------------------------------------------------

    def initializeGL(self) -> None:
        self.software.steps.stop()
        self.framebuffer.forget()
        self.context().aboutToBeDestroyed.connect(self.release)
        self.renderer.forget()  # the first picture makes what it needs, in a pass of its own

    def paintGL(self) -> None:
        if self._broken or not self.framebuffer.is_ready or self.software.paint():
            return
        begun = perf_counter()
        self.paint_at_once(self.prepare(STILL))
        self.end_picture(perf_counter() - begun)

    def paint_at_once(self, view: View) -> None:
        """Draw a picture in one piece."""
        if self.camera_control.is_behind:
            self.camera_control.keep_in_sight()
            view = self.prepare(view.quality)
        framebuffer = self.defaultFramebufferObject()
        self.guard(
            lambda: self.renderer.paint(
                view.camera, *view.size, framebuffer, pixel_ratio=view.ratio, quality=view.quality, covered=view.covered
            )
        )

    def end_picture(self, seconds: float, *, is_draft: bool = False) -> None:
        """Note that a picture is shown that has taken some seconds."""
        self.draw_seconds = seconds
        self.framebuffer.set_shown()
        self._hovering.follow_picture(is_moving=is_draft or self.camera_control.is_flying)
        self.pictured.emit()
        if self.renderer.busy:
            self._look_again.start()

    @property
    def has_model(self) -> bool:
        """Whether there is a model to draw."""
        return self.document_context.session.model is not None

    def prepare(self, quality: Quality) -> View:
        """Hand the handles of the tools to the renderer, and return what it is to draw."""
        self.renderer.set_shapes(self.tools.shapes(), self.compared.shapes())
        ratio, (width, height) = self.devicePixelRatioF(), self.pixels
        return View(self.camera, max(width, 1), max(height, 1), ratio, quality, self._covered(ratio))

    def grabFramebuffer(self, *buffer: QOpenGLWidget.TargetBuffer) -> QImage:
        """Return what the view shows now, also while a picture is being drawn in steps."""
        self.software.steps.stop()
        with self.framebuffer.grabbed():
            return super().grabFramebuffer(*buffer)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.software.steps.stop()
        self.camera_control.follow_size(event.size())
        self.framebuffer.resize(event)
        self.draw_soon()  # the widgets around it are laid out and painted in the same pass

    def _covered(self, ratio: float) -> tuple[tuple[float, float, float, float], ...]:
        """Return the rectangles of the widgets and handles over the picture in device pixels."""
        shown = [QRect(each.mapTo(self, QPoint()), each.size()) for each in self.overlays if not each.isHidden()]
        if not (notices := self.covered_by_notices).isEmpty():
            shown.append(notices)
        places = [(place.x(), place.y(), place.width(), place.height()) for place in shown]
        return tuple(
            (left * ratio, top * ratio, width * ratio, height * ratio)
            for left, top, width, height in (*places, *self.tools.rectangles())
        )

    @property
    def room(self) -> QRect:
        """The rows between the texts at the upper edge and those at the lower one."""
        free, middle = self.rect(), self.height() // 2
        for each in (each.geometry() for each in self.banners if not each.isHidden()):
            if each.center().y() < middle:
                free.setTop(max(free.top(), each.bottom() + 1))
            else:
                free.setBottom(min(free.bottom(), each.top() - 1))
        return free if free.height() > middle else self.rect()

    @property
    def covered_by_cube(self) -> QRect:
        """What of the picture the view cube covers, in logical pixels."""
        return self.cube.rectangle

    @property
    def covered_by_notices(self) -> QRect:
        """What of the picture the notices at its lower edge cover, in logical pixels."""
        if self.notices is None or not (self.isVisible() and self.notices.isVisible()):
            return QRect()
        corner = self.mapFromGlobal(self.notices.mapToGlobal(QPoint()))
        return QRect(corner, self.notices.size()).intersected(self.rect())

    def picture_at_rest(self) -> QImage:
        """Return what the view shows, in full quality also while something moves."""
        is_moving = self.software.settling.isActive()
        self.software.settling.stop()
        picture = self.grabFramebuffer()
        if is_moving:
            self.software.settling.start()
        return picture

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height in pixels of the screen."""
        ratio = self.devicePixelRatioF()
        return round(self.width() * ratio), round(self.height() * ratio)

    def picture(
        self, size: tuple[int, int], *, transparent: bool = False, view_cube: bool | None = None
    ) -> NDArray[np.uint8]:
        """Return the view in full quality (height, width, 4) RGBA, at a width and height that are not its own.

        Lines and texts keep their part of the picture. Its background may be `transparent`; None for `view_cube` shows
        the cube as the view does.
        """
        self.software.steps.stop()
        cube = self.look.view_cube if view_cube is None else view_cube
        self.renderer.set_look(replace(self.look, transparent_background=transparent, view_cube=cube))
        ratio = self.devicePixelRatioF() * size[1] / max(self.pixels[1], 1)
        self.makeCurrent()
        try:
            camera = self.camera_control.camera_for(QSize(*size))
            from sdfviewer.render.screenshot import paint_image  # noqa: PLC0415  # needed for pictures only

            return paint_image(self.renderer, camera, size, STILL.samples, ratio)
        finally:
            self.renderer.set_look(self.look)
            self.doneCurrent()
            self.update()

    def guard(self, draw: Callable[[], None]) -> None:
        """Run the renderer; where it fails, report it once instead of at every frame, until there is another scene."""
        try:
            draw()
        except Exception as error:
            self._broken = True
            self.failed.emit(error)

    def release(self) -> None:
        """Free what is on the graphics card; contexts share it, so it would outlive this widget's own."""
        self.software.steps.stop()
        if self.isValid():
            self.makeCurrent()
            self.renderer.release()
            self.doneCurrent()

    def _upload(self) -> None:
        if self._broken:
            self._broken = False
            self.recovered.emit()
        self.guard(self._show_scene)

    def _show_scene(self) -> None:
        self.renderer.set_scene(self.feed.scene)
        self.motion.show()
        self._move()

    def _move(self) -> None:
        scene = self.feed.scene
        if len(scene.X_RootF):
            self.renderer.set_poses(scene.X_RootF, scene.joints.values)
            self.renderer.set_section(scene.section)
        self.compared.show()
        self.tools.measure.show()
        self.following.follow()
        self.show_marks()  # other joints may be outside of their limits now
        self.draw_soon()

    def draw_soon(self) -> None:
        """Draw what has moved: in software as a draft first, and at rest when all is still."""
        self.software.settling.start()
        self.update()

    @property
    def is_drawing_first(self) -> bool:
        """Whether the first picture of the view is being drawn: it is blank until then."""
        return self.framebuffer.is_empty and self.software.steps.is_at_work and self.isValid() and not self._broken

    def _must_wait(self) -> bool:
        other = self.waits_for
        return other is not None and other.is_drawing_first and not self.framebuffer.is_empty

    @property
    def has_picture(self) -> bool:
        """Whether it shows something in its present size, or never will."""
        return self._broken or not self.framebuffer.is_empty

    @property
    def is_settled(self) -> bool:
        """Whether the view shows all it will, in full quality: nothing moves, loads or is built."""
        is_drawing = self.software.is_drawing or self.camera_control.is_flying or self.renderer.busy
        is_waiting = self.feed.is_loading or self.feed.is_building
        return self._broken or not (is_waiting or is_drawing)

    def show_marks(self) -> None:
        """Mark what is selected, pointed at, faulty, in the chain of the selection, or following a drag."""
        only_chain = self._switches.get("show.only_chain", False)
        followers = self.tools.gizmo.drag_state.followers
        mark(self.renderer, self.document_context, followers, self._hovering.near, only_chain=only_chain)
        self.update()

    def _mark_again(self, _what: object = None) -> None:
        self.show_marks()

    def _follow(self, change: SessionChange) -> None:
        if change.selection and not change.document:  # else when the scene has been built, which takes its turn
            self.following.follow()
            self.show_marks()

    def set_switches(self, switches: dict[str, bool]) -> None:
        """Follow the switches of the window."""
        self._switches = switches
        self.feed.set_options(self.display.scene_options(switches))
        self.compared.choose(switches)
        self.tools.choose(switches)
        look = self.display.look(switches, dark=self.look.dark)
        if look != self.look:
            self.look = look
            self.renderer.set_look(look)
        self.following.on = switches["camera.follow"]
        self.show_marks()
        is_turned = self.camera.orthographic != switches["camera.orthographic"]
        if is_turned:
            self.camera = replace(self.camera, orthographic=switches["camera.orthographic"])
        # Another scene is drawn when it has been built.
        if is_turned or self.renderer.shows_otherwise:
            self.draw_soon()

    def set_display(self, display: Display) -> None:
        """Follow the sizes and filters."""
        self.display = display
        if self._switches:
            self.set_switches(self._switches)

    def _follow_theme(self) -> None:
        self.look = replace(self.look, dark=is_dark(self.palette()))
        self.renderer.set_look(self.look)
        self.compared.show()  # the colours of differences are others

    # --- mouse and keyboard ----------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._hovering.stop()
        self._navigation.press(event)
        if self.tools.press(event):
            self._navigation.leave_to_tool()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        # A tool goes on dragging when another button went down and up.
        if not self._navigation.is_pressed and not self.tools.is_dragging:
            self._hovering.move(at)
        elif not self.tools.move(event) and self._navigation.drag(at):
            # What was under the mouse is left behind.
            self.document_context.highlights.hover(None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        is_click = self._navigation.release(at)
        self._hovering.move(at)
        if self.tools.release(event) or not is_click:
            return
        if event.button() == Qt.MouseButton.RightButton:
            self.menu_requested.emit(at.toPoint(), hits_at(self, at))
        elif event.button() == Qt.MouseButton.LeftButton:
            is_taken = self.cube.click(at) or self.tools.click(at, event.modifiers())
            name = None if is_taken else name_at(self, at)
            if name is not None and name.is_count:
                self.menu_requested.emit(at.toPoint(), hits_at(self, at))
            elif not is_taken:
                select_at(self, at, event.modifiers())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self.tools.measure.on or self.cube.region_at(at) is not None or self.tools.hover(at, event.modifiers()):
            # Two quick clicks on the cube are two, and so are two quick drags of a handle.
            self.mousePressEvent(event)
        elif event.button() == Qt.MouseButton.LeftButton and pointed_at(self, at) is not None:
            self.camera_control.focus_on(self.document_context.session.selection)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not self.tools.is_dragging:
            self._navigation.turn_wheel(event)
            if not self._navigation.is_pressed:
                self._hovering.move(event.position())  # also where the mouse has not moved since a menu closed
        event.accept()

    def enterEvent(self, event: QEnterEvent) -> None:
        # Where a menu closes over the view, the mouse need not move.
        if QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton:
            self._hovering.move(event.position())
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovering.leave()
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        if self.framebuffer.takes(event):
            return True
        # While a tool drags something, letters and digits are for the tool, not shortcuts of the window.
        if event.type() == QEvent.Type.ShortcutOverride and self.tools.is_dragging:
            event.accept()
            return True
        if isinstance(event, QHelpEvent) and self.cube.explain(event):
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.tools.key(event) or self._navigation.press_key(event):
            return
        if event.key() == Qt.Key.Key_Escape:
            self.document_context.session.select((), None)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not self.tools.key(event, pressed=False):
            super().keyReleaseEvent(event)
