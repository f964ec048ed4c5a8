"""The view cube under the mouse: lit up, explained, clicked."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip

from sdfviewer.gui.view3d.camera_control import CameraControl
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.scene.view_cube import REGIONS, cube_rectangle, name_of_region, pick_view_cube


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
