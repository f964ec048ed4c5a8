"""A camera that follows the selected frame."""

from __future__ import annotations

import numpy as np

from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.scene.nodes import Floats


class CameraFollowing:
    """Moves the camera by as much as the frame selected last moves; it does not rotate.

    Attributes
    ----------
    on
        Whether it does so.
    """

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        self.on = False
        self._name = ""
        self._origin: Floats | None = None

    def follow(self) -> None:
        """Take note of where the frame is now, and move the camera if it was elsewhere."""
        session = self._canvas.document_context.session
        name = session.selection[-1] if session.selection else ""
        model, scene = session.model, self._canvas.feed.scene
        row = -1 if model is None else model.rows_by_name.get(name, -1)
        origin = scene.X_RootF[row, :3, 3] if 0 <= row < len(scene.X_RootF) else None
        if origin is not None and not np.isfinite(origin).all():
            origin = None
        # During a drag the picture must not run away from the mouse.
        follows = self.on and not self._canvas.tools.is_dragging
        if follows and name == self._name and origin is not None and self._origin is not None:
            step = origin - self._origin
            if step.any():
                camera = self._canvas.camera
                self._canvas.camera = camera.looking_at(np.asarray(camera.focus) + step)
        self._name, self._origin = name, origin
