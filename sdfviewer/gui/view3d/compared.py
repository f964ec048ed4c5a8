"""What one 3D view shows of the comparison: a ghost, colours, marks."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from sdfviewer.gui.view3d.other_reading import OtherReading
from sdfviewer.scene.difference import paint_differences, tints
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.scene import update_poses
from sdfviewer.scene.shapes2d import Shapes

if TYPE_CHECKING:
    from sdfviewer.gui.view3d.canvas import Canvas


class Ghost(str, Enum):
    """What is overlaid."""

    NONE = "none"
    ZERO = "zero positions"
    READING = "element-relative"


class Compared:
    """The comparison as one view shows it.

    Attributes
    ----------
    ghost
        What is overlaid on the model.
    beside
        The feed of the view beside this one, if there is one: what both show has to fit.
    """

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self.ghost = Ghost.NONE
        self.beside: OtherReading | None = None
        self._previewed: Floats | None = None
        self._coloured = False
        self._tinted = False

    def choose(self, switches: dict[str, bool]) -> None:
        """Follow the switches of the window."""
        reading = switches["compare.reading"]
        is_other = isinstance(self._canvas.feed, OtherReading)
        if not switches["compare.ghost"] or is_other:
            self.ghost = Ghost.NONE
        else:
            self.ghost = Ghost.READING if reading else Ghost.ZERO
        compares = switches["compare.side"] or self.ghost is Ghost.READING
        self._coloured = switches["compare.colours"] and compares
        self.show()

    def preview(self, X_RootF: Floats | None) -> None:
        """Overlay other poses (n, 4, 4) in place of the chosen ghost; rows of NaN are left out. None ends it."""
        self._previewed = X_RootF
        self.show()
        self._canvas.update()

    def show(self) -> None:
        """Hand the renderer what it shows of the comparison."""
        canvas, session = self._canvas, self._canvas.bridge.session
        known = session.model is not None and len(session.model) == len(canvas.feed.scene.X_RootF)
        canvas.renderer.set_ghost(self._ghost_poses() if known else None)
        if self._coloured and known:
            canvas.renderer.set_tints(tints(session.differences))
            self._tinted = True
        elif self._tinted:
            canvas.renderer.set_tints(None)
            self._tinted = False

    def _ghost_poses(self) -> Floats | None:
        session = self._canvas.bridge.session
        if self._previewed is not None and session.model is not None and len(self._previewed) == len(session.model):
            return self._previewed
        if self.ghost is Ghost.ZERO and session.model is not None:
            return session.model.X_RootF
        return session.element_relative_poses if self.ghost is Ghost.READING else None

    def outline(self) -> Floats:
        """Return points (k, 3) around all that the camera should show."""
        scene = self._canvas.feed.scene
        points = [scene.outline()]
        if self.beside is not None:
            points.append(self.beside.scene.outline())
        ghost = self._ghost_poses()
        if ghost is not None and ghost.shape == scene.X_RootF.shape:
            points.append(update_poses(scene, ghost).outline())
        return np.concatenate(points)

    def shapes(self) -> Shapes:
        """Return the marks on frames that differ."""
        canvas, session = self._canvas, self._canvas.bridge.session
        scene = canvas.feed.scene
        if not self._coloured or session.model is None or len(session.model) != len(scene.X_RootF):
            return Shapes()
        other = session.element_relative_poses if self.ghost is Ghost.READING else None
        size = (canvas.width(), canvas.height())
        dark = canvas.look.dark
        poses = (scene.X_RootF, other)
        return paint_differences(session.model, session.differences, poses, canvas.camera, size, dark=dark)
