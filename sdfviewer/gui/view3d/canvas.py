"""The widget that the renderer paints in: camera, mouse, keyboard, picking."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer, QEvent, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.view3d.camera_motion import WHEEL_FACTOR, Travel, moved_by_key
from sdfviewer.gui.view3d.compared import Compared
from sdfviewer.gui.view3d.cube import ViewCube
from sdfviewer.gui.view3d.display import Display
from sdfviewer.gui.view3d.following import CameraFollowing
from sdfviewer.gui.view3d.marking import mark
from sdfviewer.gui.view3d.motion_view import MotionView
from sdfviewer.gui.view3d.opengl import probe, surface_format
from sdfviewer.gui.view3d.other_convention import OtherConvention
from sdfviewer.gui.view3d.pointing import name_of_hit
from sdfviewer.gui.view3d.scene_feed import SceneFeed
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.gui.view3d.tools import Tools
from sdfviewer.gui.widgets.theme import is_dark, on_theme_change
from sdfviewer.render.look import Look
from sdfviewer.render.quality import STILL, STILL_IN_SOFTWARE, AdaptiveQuality
from sdfviewer.render.renderer import Renderer
from sdfviewer.render.screenshot import paint_image
from sdfviewer.scene.camera import NAVIGATION, Action, Camera
from sdfviewer.scene.glyph_sizes import DENSE, fit_with_glyphs, rows_around
from sdfviewer.scene.picking import Hit, Target, everything_under, pick, pick_frames
from sdfviewer.scene.shapes2d import Shapes
from sdfviewer.session.session_change import SessionChange

CLICK_DISTANCE = 4
"""A press that moves fewer pixels is a click, not a drag."""
SETTLE_MILLISECONDS = 160
"""How long after the last motion a software renderer smooths the picture again."""
TEXTURE_MILLISECONDS = 50

_BUTTONS = {
    Qt.MouseButton.LeftButton: "left",
    Qt.MouseButton.MiddleButton: "middle",
    Qt.MouseButton.RightButton: "right",
}


class Canvas(SceneWidget):
    """Draws the scene of one session."""

    #: A right click: where, and what lies under it.
    menu_requested = Signal(QPoint, tuple)
    #: The renderer failed; the exception.
    failed = Signal(Exception)
    #: The camera has moved.
    camera_moved = Signal()

    tools: Tools
    compared: Compared

    def __init__(
        self,
        context: DocumentContext,
        settings: Settings,
        feed: SceneFeed | OtherConvention,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        on_theme_change(self._follow_theme)
        self.setFormat(surface_format())
        self.setAccessibleName("3D view")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setMinimumSize(160, 120)
        self.document_context = context
        self.settings = settings
        self.feed = feed
        self.compared = Compared(self)
        self.renderer = Renderer()
        self._adaptive = AdaptiveQuality()
        self._camera = Camera()
        self.look = Look(dark=is_dark(self.palette()))
        self.display = Display()
        self.following = CameraFollowing(self)
        self._switches: dict[str, bool] = {}
        # Until the user moves the camera, it keeps everything in sight, whatever the size of the view becomes.
        self._untouched = True
        self._fitted_to: tuple[object, ...] = ()
        self._broken = False
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._action: Action | None = None
        self._hovered_at: QPointF | None = None
        self.overlays: list[QWidget] = []
        """What lies over the picture and stays there: names of frames keep clear of it."""
        self._near: tuple[int, ...] = ()
        self.travel = Travel(self)
        self.travel.moved.connect(self._travel_on)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MILLISECONDS)
        self._settle.timeout.connect(self.update)
        self.camera_moved.connect(self._pick_again)
        # Textures are decoded beside the painting and shown as they come.
        self._look_again = QTimer(self, singleShot=True, interval=TEXTURE_MILLISECONDS)
        self._look_again.timeout.connect(self.update)
        # Picking waits for the event loop, so that a burst of mouse moves is picked once.
        self._pick_soon = QTimer(self, singleShot=True, interval=0)
        self._pick_soon.timeout.connect(self._pick_hover)
        self.cube = ViewCube(self)
        self.tools = Tools(self)
        self.overlays += [self.compared.colour_key, self.tools.measure.panel]
        self.motion = MotionView(self)
        self.feed.rebuilt.connect(self._upload)
        self.feed.moved.connect(self._move)
        context.changed.connect(self._follow)
        # Bound methods: Qt lets go of them with the widget, also while a frame still flashes.
        context.hover_changed.connect(self._mark_again)
        context.focus_requested.connect(self.focus_on)
        context.chain_steps_changed.connect(self._mark_again)
        context.pick_changed.connect(self._keep_camera)
        self._upload()

    # --- drawing ---------------------------------------------------------------------------------------------------

    def initializeGL(self) -> None:
        self.context().aboutToBeDestroyed.connect(self.release)
        self._guard(self.renderer.initialize)

    def resizeGL(self, _width: int, _height: int) -> None:
        self._fitted_to = ()

    def paintGL(self) -> None:
        if self._broken:
            return
        ratio, size = self.devicePixelRatioF(), self.pixels
        if self._untouched:
            self._keep_in_sight()
        # Only a processor draws drafts; graphics cards are faster than the eye.
        moving = probe().is_software and (self._settle.isActive() or self.travel.isActive())
        still = STILL_IN_SOFTWARE if probe().is_software else STILL
        quality = self._adaptive.draft if moving else still
        framebuffer = self.defaultFramebufferObject()
        clock = QElapsedTimer()
        clock.start()
        self.renderer.set_shapes(Shapes.concatenate([self.compared.shapes(), self.tools.shapes()]))
        covered = self._covered(ratio)
        self._guard(
            lambda: self.renderer.paint(
                self.camera, *size, framebuffer, pixel_ratio=ratio, quality=quality, covered=covered
            )
        )
        if moving:
            # Drawing goes on beside this thread: only its end says how long it takes.
            self.renderer.finish()
            self._adaptive.report(clock.nsecsElapsed() / 1e9)
        if self.renderer.busy:
            self._look_again.start()

    def _covered(self, ratio: float) -> tuple[tuple[float, float, float, float], ...]:
        """Return the rectangles in device pixels of what lies over the picture and stays there."""
        places = [each.geometry() for each in self.overlays if not each.isHidden()]
        return tuple(
            (place.x() * ratio, place.y() * ratio, place.width() * ratio, place.height() * ratio) for place in places
        )

    def picture_at_rest(self) -> QImage:
        """Return what the view shows, in full quality also while something moves."""
        is_moving = self._settle.isActive()
        self._settle.stop()
        picture = self.grabFramebuffer()
        if is_moving:
            self._settle.start()
        return picture

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height in pixels of the screen."""
        ratio = self.devicePixelRatioF()
        return round(self.width() * ratio), round(self.height() * ratio)

    def picture(self, size: tuple[int, int]) -> NDArray[np.uint8]:
        """Return the view in full quality (height, width, 4) RGBA, at a width and height that are not its own."""
        self.makeCurrent()
        try:
            return paint_image(self.renderer, self.camera, size, STILL.samples, self.devicePixelRatioF())
        finally:
            self.doneCurrent()

    def _guard(self, draw: Callable[[], None]) -> None:
        """Run the renderer; where it fails, say so once instead of at every frame."""
        try:
            draw()
        except Exception as error:
            self._broken = True
            self.failed.emit(error)

    def release(self) -> None:
        """Give back what the graphics card holds; contexts share it, so it would outlive this widget's own."""
        if self.isValid():
            self.makeCurrent()
            self.renderer.release()
            self.doneCurrent()

    def _upload(self) -> None:
        self.renderer.set_scene(self.feed.scene)
        self.motion.show()
        self._move()
        self.show_marks()

    def _move(self) -> None:
        scene = self.feed.scene
        if len(scene.X_RootF):
            self.renderer.set_poses(scene.X_RootF, scene.joints.values)
            self.renderer.set_section(scene.section)
        self.compared.show()
        self.tools.measure.show()
        self.following.follow()
        self._draw_soon()

    def _draw_soon(self) -> None:
        """Draw soon; in software draw cheaply first and smoothly when all is still."""
        if probe().is_software:
            self._settle.start()
        self.update()

    def show_marks(self) -> None:
        """Mark what is selected, pointed at, faulty, on the way to the selection, or moving along with it."""
        only_chain = self._switches.get("show.only_chain", False)
        mark(self.renderer, self.document_context, self.tools.gizmo.hand.along, self._near, only_chain=only_chain)
        self.update()

    def _mark_again(self, _what: object) -> None:
        self.show_marks()

    def _follow(self, change: SessionChange) -> None:
        if change.selection:
            self.following.follow()
            self.show_marks()

    def set_switches(self, switches: dict[str, bool]) -> None:
        """Follow the switches of the window."""
        self._switches = switches
        self.feed.set_options(self.display.scene_options(switches))
        self.compared.choose(switches)
        self.tools.choose(switches)
        self.look = self.display.look(switches, dark=self.look.dark)
        self.renderer.set_look(self.look)
        self.following.on = switches["camera.follow"]
        self.show_marks()
        if self.camera.orthographic != switches["camera.orthographic"]:
            self.camera = replace(self.camera, orthographic=switches["camera.orthographic"])
        self.update()

    def set_display(self, display: Display) -> None:
        """Follow the sizes and filters."""
        self.display = display
        if self._switches:
            self.set_switches(self._switches)

    def _follow_theme(self) -> None:
        self.look = replace(self.look, dark=is_dark(self.palette()))
        self.renderer.set_look(self.look)

    # --- camera ----------------------------------------------------------------------------------------------------

    @property
    def camera(self) -> Camera:
        """Where the picture is taken from."""
        return self._camera

    @camera.setter
    def camera(self, camera: Camera) -> None:
        if camera != self._camera:
            self._camera = camera
            self.camera_moved.emit()

    def _pick_again(self) -> None:
        """Ask what is under the mouse: the camera has moved away from what was there."""
        if self._hovered_at is not None:
            self._pick_soon.start()

    def follow_camera(self, camera: Camera) -> None:
        """Look from where another view looks, which tells nobody else."""
        if camera != self._camera:
            self._untouched = False
            self._camera = camera
            self._pick_again()
            self._draw_soon()

    def travel_to(self, camera: Camera) -> None:
        """Move the camera smoothly; at once while the view is not shown."""
        self._untouched = False
        if not self.isVisible():
            self.camera = camera
            return
        self.travel.begin(self.camera, camera)

    def _travel_on(self, camera: Camera) -> None:
        self.camera = camera
        self._draw_soon()

    @property
    def heading(self) -> Camera:
        """Where the camera is, or is on its way to."""
        return self.travel.goal if self.travel.isActive() else self.camera

    @property
    def _aspect(self) -> float:
        return self.width() / max(self.height(), 1)

    def _fitted(self, camera: Camera) -> Camera:
        """Return a camera that shows everything from where one looks."""
        look = self.look
        triad = look.frame_size if look.frames and look.frame_size_metres is None else 0.0
        joint = look.joint_size if look.joints else 0.0
        size = (self.width(), max(self.height(), 1))
        return fit_with_glyphs(camera, self.feed.scene, self.compared.outline(), size, triad, joint)

    def _keep_in_sight(self) -> None:
        """Bring everything into sight, unless it is the same as in the last picture."""
        shown = (*self.compared.shown(), self.look, self.camera)
        if len(shown) != len(self._fitted_to) or any(a is not b for a, b in zip(shown, self._fitted_to, strict=True)):
            self.camera = self._fitted(self.camera)
            self._fitted_to = (*shown[:-1], self.camera)

    def fit(self) -> None:
        """Bring everything into sight."""
        self.travel_to(self._fitted(self.heading))

    def focus_on(self, names: object) -> None:
        """Bring frames, by their scoped names, into the middle; everything where there are none."""
        points = self.compared.outline_of(tuple(names) if isinstance(names, (tuple, list)) else ())
        if not len(points):
            self.fit()
        elif np.isfinite(points).all():
            self.travel_to(self.heading.fit(points, self._aspect, margin=2.0))

    def look_from(self, view: str) -> None:
        """Turn to one of the preset views and bring everything into sight."""
        self.travel_to(self._fitted(self.heading.seen_from(view)))

    # --- mouse -----------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = self._last = event.position()
        button = _BUTTONS.get(event.button(), "")
        modifier = "shift" if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else ""
        self._action = NAVIGATION[self.settings.navigation].get((button, modifier))
        self.travel.stop()
        if self.tools.press(event):
            # The camera does not move while something is dragged.
            self._action, self._untouched = None, False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        # Another button that goes down and up takes nothing out of the hand.
        if self._pressed is None and not self.tools.holding:
            self._hovered_at = at
            self._pick_soon.start()
            return
        if self.tools.move(event):
            return
        if self._pressed is None or self._action is None or self._is_click(at):
            return
        # What was under the mouse is left behind.
        self.document_context.hover(None)
        dx, dy = at.x() - self._last.x(), at.y() - self._last.y()
        self._last = at
        if self._action is Action.ORBIT:
            self.camera = self.camera.orbit(dx, dy, self.height())
        elif self._action is Action.PAN:
            self.camera = self.camera.pan(dx, dy, self.height())
        else:
            start = self._pressed
            self.camera = self.camera.zoom(1.01**dy, start.x(), start.y(), self.width(), self.height())
        self._untouched = False
        self._draw_soon()

    def _is_click(self, at: QPointF) -> bool:
        # Once a drag has begun it stays one, even when it comes back.
        if self._pressed is None or self._last != self._pressed:
            return False
        return (at - self._pressed).manhattanLength() < CLICK_DISTANCE

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        clicked = self._is_click(at)
        self._pressed, self._action = None, None
        # What is under the mouse may be another thing now.
        self._hovered_at = at
        self._pick_soon.start()
        if self.tools.release(event) or not clicked:
            return
        if event.button() == Qt.MouseButton.RightButton:
            self.menu_requested.emit(at.toPoint(), self.everything_at(at))
        elif event.button() == Qt.MouseButton.LeftButton:
            is_taken = self.cube.click(at) or self.tools.click(at, event.modifiers())
            if not is_taken:
                self._select(self._hit_to_select(at), event.modifiers())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self.tools.measure.on or self.cube.region_at(at) is not None or self.tools.hover(at, event.modifiers()):
            # Two quick clicks on the cube are two, and so are two quick drags of a handle.
            self.mousePressEvent(event)
        elif event.button() == Qt.MouseButton.LeftButton and self.pick(at) is not None:
            self.focus_on(self.document_context.session.selection)

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        at = event.position()
        if steps and not self.tools.holding:
            self.travel.stop()
            self._untouched = False
            self.camera = self.camera.zoom(WHEEL_FACTOR**steps, at.x(), at.y(), self.width(), self.height())
            self._draw_soon()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self._pick_soon.stop()
        self._hovered_at = None
        self.cube.hover(None)
        self.tools.leave()
        self._look_around(None)
        self.document_context.hover(None)
        super().leaveEvent(event)

    def _keep_camera(self) -> None:
        """Keep the camera where it is, whatever comes into the scene: somebody aims at a place."""
        self._untouched = False

    # --- dragging things in ----------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        # What is not for the view is for the window, which opens files.
        self._keep_camera()
        event.setAccepted(self.tools.enabled and self.tools.drop.take(event.mimeData()))

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self.tools.drop.move(event.position(), event.modifiers())
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.tools.drop.leave()
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.tools.drop.drop(event.position(), event.modifiers())
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()

    # --- picking ---------------------------------------------------------------------------------------------------

    def pick(self, at: QPointF) -> Hit | None:
        """Return the pick at a point of the widget; of frames in one place the selected one."""
        return self._pick(at, self.selected_rows())

    def _pick(self, at: QPointF, preferred: Collection[int]) -> Hit | None:
        size = (self.width(), self.height())
        return pick(self.feed.scene, self.camera, at.x(), at.y(), *size, preferred=preferred)

    def selected_rows(self) -> list[int]:
        """Return the rows of the selection, the one selected last at the end."""
        model = self.document_context.session.model
        known = {} if model is None else model.rows_by_name
        return [known[name] for name in self.document_context.session.selection if name in known]

    def _hit_to_select(self, at: QPointF) -> Hit | None:
        """Return the row that a click selects: of frames in one place the first, then the next at each click."""
        hit = self._pick(at, ())
        selected = self.selected_rows()
        if hit is None or hit.target is Target.SURFACE or not selected:
            return hit
        size = (self.width(), self.height())
        together = [
            each
            for each in pick_frames(self.feed.scene, self.camera, at.x(), at.y(), *size)
            if np.allclose(each.point, hit.point, atol=1e-6)
        ]
        rows = [each.row for each in together]
        return together[(rows.index(selected[-1]) + 1) % len(rows)] if selected[-1] in rows else hit

    def everything_at(self, at: QPointF) -> tuple[Hit, ...]:
        """Return all that lies under a point of the widget."""
        return everything_under(self.feed.scene, self.camera, at.x(), at.y(), self.width(), self.height())

    def _select(self, hit: Hit | None, modifiers: Qt.KeyboardModifier) -> None:
        session = self.document_context.session
        exact = bool(modifiers & Qt.KeyboardModifier.AltModifier)
        name = name_of_hit(session.model, hit, exact=exact)
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            if name is None:
                return
            others = tuple(known for known in session.selection if known != name)
            session.select(others if name in session.selection else (*others, name), self)
        else:
            session.select(() if name is None else (name,), self)
        self.show_marks()

    def _pick_hover(self) -> None:
        if self._hovered_at is None or self._pressed is not None or self.tools.holding:
            return
        over_handle = self.tools.hover(self._hovered_at, QGuiApplication.keyboardModifiers())
        over_cube = self.cube.hover(None if over_handle else self._hovered_at)
        held = over_handle or over_cube
        self.setCursor(Qt.CursorShape.PointingHandCursor if held else Qt.CursorShape.ArrowCursor)
        hit = None if held else self.pick(self._hovered_at)
        self._look_around(self._hovered_at)
        self.document_context.hover(name_of_hit(self.document_context.session.model, hit))

    def _look_around(self, at: QPointF | None) -> None:
        """Draw what is near the mouse in full, where there is too much to draw all so."""
        scene = self.feed.scene
        near: tuple[int, ...] = ()
        if at is not None and self.look.declutter and len(scene.triads.rows) > DENSE:
            near = rows_around(scene, self.camera, (at.x(), at.y()), (self.width(), self.height()))
        if set(near) != set(self._near):
            self._near = near
            self.show_marks()

    # --- keyboard --------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        # While something is held, letters and digits are for the tool, not shortcuts of the window.
        if event.type() == QEvent.Type.ShortcutOverride and self.tools.holding:
            event.accept()
            return True
        if isinstance(event, QHelpEvent) and self.cube.explain(event):
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.tools.key(event):
            return
        pans = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        camera = moved_by_key(self.camera, Qt.Key(event.key()), self.width(), self.height(), pans=pans)
        if camera is not None:
            self.camera, self._untouched = camera, False
            self._draw_soon()
        elif event.key() == Qt.Key.Key_Escape:
            self.document_context.session.select((), None)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not self.tools.key(event, pressed=False):
            super().keyReleaseEvent(event)
