"""Moving the camera of a view with mouse and keys, and by the cube in its corner."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip

from sdfviewer.gui.view3d.camera_control import CameraControl
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.scene.camera import NAVIGATION, Action, Camera
from sdfviewer.scene.sight import turning_about_seen
from sdfviewer.scene.view_cube import REGIONS, cube_rectangle, name_of_region, pick_view_cube

CLICK_DISTANCE = 4
"""A press that moves fewer pixels is a click, not a drag."""
_ZOOM = 0.88
"""Distance after one step of the wheel, or of a key, as a part of that before."""
_ARROWS = {Qt.Key.Key_Left: (1, 0), Qt.Key.Key_Right: (-1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}
"""Steps to the right and down that the picture takes with a key."""
_BUTTONS = {
    Qt.MouseButton.LeftButton: "left",
    Qt.MouseButton.MiddleButton: "middle",
    Qt.MouseButton.RightButton: "right",
}


class Navigation:
    """Tells clicks from drags, and orbits, pans and zooms."""

    def __init__(self, view: SceneWidget, control: CameraControl) -> None:
        self._view = view
        self._control = control
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._action: Action | None = None
        # Where the last key has left the camera: several in a row turn it about one point.
        self._turned: Camera | None = None

    @property
    def is_pressed(self) -> bool:
        """Whether a button is down."""
        return self._pressed is not None

    def press(self, event: QMouseEvent) -> None:
        """Begin what the button does in the chosen style of navigation."""
        self._pressed = self._last = event.position()
        button = _BUTTONS.get(event.button(), "")
        modifier = "shift" if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else ""
        self._action = NAVIGATION[self._view.settings.navigation].get((button, modifier))
        self._control.stop()

    def leave_to_tool(self) -> None:
        """Keep the camera still until the button is released, because a tool is dragging."""
        self._action = None
        self._control.keep()

    def drag(self, at: QPointF) -> bool:
        """Move the camera with the mouse; return whether that is what the mouse does."""
        start = self._pressed
        if start is None or self._action is None or self._is_click(at):
            return False
        view = self._view
        begins = self._action is Action.ORBIT and self._last == start
        camera = self._turning_about_seen() if begins else view.camera
        dx, dy = at.x() - self._last.x(), at.y() - self._last.y()
        self._last = at
        if self._action is Action.ORBIT:
            self._control.move_to(camera.orbit(dx, dy, view.height()))
        elif self._action is Action.PAN:
            self._control.move_to(camera.pan(dx, dy, view.height()))
        else:
            self._control.move_to(camera.zoom(1.01**dy, start.x(), start.y(), view.width(), view.height()))
        return True

    def _is_click(self, at: QPointF) -> bool:
        # A drag that has started stays a drag, even if the pointer returns.
        if self._pressed is None or self._last != self._pressed:
            return False
        return (at - self._pressed).manhattanLength() < CLICK_DISTANCE

    def release(self, at: QPointF) -> bool:
        """End what the button does; return whether it was a click."""
        is_click = self._is_click(at)
        self._pressed, self._action = None, None
        return is_click

    def turn_wheel(self, event: QWheelEvent) -> None:
        """Zoom about the mouse."""
        steps = event.angleDelta().y() / 120
        if steps:
            view, at = self._view, event.position()
            self._control.stop()
            self._control.move_to(view.camera.zoom(_ZOOM**steps, at.x(), at.y(), view.width(), view.height()))

    def press_key(self, event: QKeyEvent) -> bool:
        """Return whether a key moves the camera."""
        view, key = self._view, Qt.Key(event.key())
        pans = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        begins = key in _ARROWS and not pans and view.camera != self._turned
        start = self._turning_about_seen() if begins else view.camera
        camera = moved_by_key(start, key, view.width(), view.height(), pans=pans)
        if camera is not None:
            self._control.move_to(camera)
            self._turned = camera
        return camera is not None

    def _turning_about_seen(self) -> Camera:
        view = self._view
        return turning_about_seen(view.camera, view.feed.scene, view.width(), view.height())


def moved_by_key(camera: Camera, key: Qt.Key, width: float, height: float, *, pans: bool) -> Camera | None:
    """Return the camera after a key: arrows orbit, or pan where `pans` is set, plus and minus zoom; None for others."""
    step = height / 24
    zooms = {Qt.Key.Key_Plus: _ZOOM, Qt.Key.Key_Equal: _ZOOM, Qt.Key.Key_Minus: 1 / _ZOOM}
    if key in _ARROWS:
        move, (across, down) = camera.pan if pans else camera.orbit, _ARROWS[key]
        return move(across * step, down * step, height)
    if key in zooms:
        return camera.zoom(zooms[key], *camera.centre(width, height), width, height)
    return None


class ViewCube:
    """The cube in the corner of one 3D view.

    Attributes
    ----------
    hovered
        The face, edge or corner under the mouse, by its place in `REGIONS`.
    shortcuts
        Keys by the name of the face or corner that they look from.
    """

    def __init__(self, canvas: SceneWidget, control: CameraControl) -> None:
        self._canvas = canvas
        self._control = control
        self.hovered: int | None = None
        self.shortcuts: Mapping[str, str] = {}

    @property
    def rectangle(self) -> QRect:
        """Where the cube is in the widget; empty where it is not shown."""
        if not self._canvas.look.view_cube:
            return QRect()
        left, top, side = cube_rectangle(self._canvas.width())
        return QRect(round(left), round(top), round(side), round(side))

    def region_at(self, at: QPointF) -> int | None:
        """Return the face, edge or corner under a point of the widget."""
        canvas = self._canvas
        return pick_view_cube(canvas.camera, at.x(), at.y(), canvas.width()) if canvas.look.view_cube else None

    def hover(self, at: QPointF | None) -> bool:
        """Light up what is under the mouse; return whether there is something."""
        region = None if at is None else self.region_at(at)
        if region != self.hovered:
            self.hovered = region
            self._canvas.renderer.set_hovered_region(region)
            self._canvas.update()
        return region is not None

    def click(self, at: QPointF) -> bool:
        """Turn the camera to what is under the mouse; return whether there is something."""
        region = self.region_at(at)
        if region is not None:
            self._control.fly_to(self._canvas.camera.seen_along(REGIONS[region]))
        return region is not None

    def explain(self, event: QHelpEvent) -> bool:
        """Say beside the mouse what a click would do; return whether there is something."""
        region = self.region_at(QPointF(event.pos()))
        if region is None:
            return False
        name = name_of_region(region)
        shortcut = self.shortcuts.get(name, "")
        text = f"Look from the {name}" + (f" ({shortcut})" if shortcut else "")
        # A few pixels on there may be another face: the text holds for this spot.
        spot = QRect(event.pos().x() - 3, event.pos().y() - 3, 7, 7)
        QToolTip.showText(event.globalPos(), text, self._canvas, spot)
        return True
