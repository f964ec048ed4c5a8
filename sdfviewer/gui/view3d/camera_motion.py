"""How the camera of a view moves without the mouse: smoothly to another place, and by keys."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

from sdfviewer.scene.camera import Camera

MOVE_MILLISECONDS = 180
"""How long the camera takes to its next place."""
WHEEL_FACTOR = 0.88
"""Distance after one step of the wheel, or of a key, as a part of that before."""


class Travel(QTimer):
    """Leads a camera to its next place while it is active.

    Attributes
    ----------
    goal
        Where it leads to.
    """

    #: The camera on its way.
    moved = Signal(Camera)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent, interval=12)
        self._origin = self.goal = Camera()
        self._clock = QElapsedTimer()
        self.timeout.connect(self._step)

    def begin(self, origin: Camera, goal: Camera) -> None:
        """Set out."""
        self._origin, self.goal = origin, goal
        self._clock.start()
        self.start()

    def _step(self) -> None:
        t = self._clock.elapsed() / MOVE_MILLISECONDS
        if t >= 1.0:
            self.stop()
        self.moved.emit(self._origin.blend(self.goal, t) if t < 1.0 else self.goal)


def moved_by_key(camera: Camera, key: Qt.Key, width: float, height: float, *, pans: bool) -> Camera | None:
    """Return the camera after a key: arrows orbit, or pan where `pans` is set, plus and minus zoom; None for others."""
    step = height / 24
    arrows = {
        Qt.Key.Key_Left: (step, 0.0),
        Qt.Key.Key_Right: (-step, 0.0),
        Qt.Key.Key_Up: (0.0, step),
        Qt.Key.Key_Down: (0.0, -step),
    }
    zooms = {Qt.Key.Key_Plus: WHEEL_FACTOR, Qt.Key.Key_Equal: WHEEL_FACTOR, Qt.Key.Key_Minus: 1 / WHEEL_FACTOR}
    if key in arrows:
        move = camera.pan if pans else camera.orbit
        return move(*arrows[key], height)
    if key in zooms:
        return camera.zoom(zooms[key], width / 2, height / 2, width, height)
    return None
