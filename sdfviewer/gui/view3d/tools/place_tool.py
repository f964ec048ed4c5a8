"""Picking a pose in the 3D view for a form: the mouse snaps as in measuring, and a triad shows the pose."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt

from sdfviewer.gui.context.requests import PosePick
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.palette import theme
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.shapes2d import Colour, Shapes, colour_of, disc, stroke, strokes
from sdfviewer.scene.tools.placing import PickedPlace, ground_place, place_of
from sdfviewer.scene.tools.snapping import snap
from sdfviewer.session.session_change import SessionChange

_REACH = 44.0
"""Length of the axes of the triad in pixels."""
_AXES: tuple[Colour, ...] = ((0.90, 0.25, 0.30, 1.0), (0.25, 0.75, 0.30, 1.0), (0.25, 0.50, 0.95, 1.0))
_KEYS = "Click to place it. Ctrl: the point as it is. Esc: cancel."


def find_place(canvas: SceneWidget, at: QPointF, modifiers: Qt.KeyboardModifier) -> tuple[PickedPlace, Floats] | None:
    """Return the place under the mouse with its outline (k, 2, 3), the ground where nothing else is."""
    scene, size = canvas.feed.scene, (float(canvas.width()), float(canvas.height()))
    free = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
    x, y = at.x(), at.y()
    preferred = canvas.document_context.session.selected_rows
    found = snap(scene, canvas.camera, x, y, size, preferred=preferred, free=free)
    if found is None:
        ground = ground_place(canvas.camera, x, y, size)
        return None if ground is None else (ground, np.zeros((0, 2, 3)))
    at_anchor = scene.X_RootF[scene.names.index(found.anchor.frame)] @ found.anchor.X_FA[:, 3]
    return place_of(found, scene, float(canvas.camera.metres_per_pixel(at_anchor[:3], size[1]))), found.outline


class PlaceTool:
    """Answers the `PosePick` of a form."""

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        self._found: tuple[PickedPlace, Floats] | None = None
        self._pick: PosePick | None = None
        canvas.document_context.requests.pick_changed.connect(self._follow)
        canvas.document_context.changed.connect(self._follow_document)

    @property
    def on(self) -> bool:
        """Whether a click picks a pose."""
        return self._pick is not None

    def _follow(self) -> None:
        self._pick = self._canvas.document_context.requests.pick
        self._show(None, QPointF())
        if self._pick is not None:
            self._canvas.setFocus()  # for Escape
            self._canvas.document_context.messages.show(f"Pick the pose of {self._pick.what} in the 3D view. {_KEYS}")

    def _follow_document(self, change: SessionChange) -> None:
        """Drop a place in the text before; nothing can be placed in a text that has no model."""
        if self._pick is None or not change.document:
            return
        self._show(None, QPointF())
        if self._canvas.document_context.session.model is None:
            self._canvas.document_context.requests.pick_pose(None)

    def hover(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> bool:
        """Show what a click would pick; return whether picking is active."""
        if self._pick is None:
            return False
        self._show(find_place(self._canvas, at, modifiers), at)
        return True

    def leave(self) -> None:
        """Consider nothing while the mouse is elsewhere."""
        if self._pick is not None:
            self._show(None, QPointF())

    def click(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> bool:
        """Return whether the click was for a form."""
        pick = self._pick
        if pick is None:
            return False
        found = find_place(self._canvas, at, modifiers)
        if found is not None:
            pick.take(found[0])
            self._canvas.document_context.requests.pick_pose(None)
        return True

    def _show(self, found: tuple[PickedPlace, Floats] | None, at: QPointF) -> None:
        self._found = found
        if self._pick is not None:
            self._pick.consider(None if found is None else found[0])
            self._canvas.tools.show_message(found[0].label if found else "", at, _KEYS)
        else:
            self._canvas.tools.show_message("", at)
        self._canvas.update()

    def shapes(self) -> Shapes:
        """Return the outline of what the mouse snaps to, and the axes of the pose there."""
        if self._pick is None or self._found is None:
            return Shapes()
        place, outline = self._found
        return place_shapes(self._canvas, self._pick.pose(place), outline)


def place_shapes(canvas: SceneWidget, X_RootF: Floats, outline: Floats) -> Shapes:
    """Return a triad at a pose (4, 4), over the outline (k, 2, 3) of the picked face."""
    colours = theme(canvas.look.dark)
    tone, rim = colour_of(colours.measure), colour_of(colours.plate)
    parts: list[Shapes] = []
    if len(outline):
        segments = canvas.pixels_of(outline)
        parts += [strokes(segments, 5.0, (*rim[:3], 0.7)), strokes(segments, 2.5, tone)]
    origin = X_RootF[:3, 3]
    reach = _REACH * float(canvas.camera.metres_per_pixel(origin, canvas.height()))
    ends = canvas.pixels_of(np.concatenate([origin[None], origin + reach * X_RootF[:3, :3].T]))
    if np.isfinite(ends).all():
        for end, axis in zip(ends[1:], _AXES, strict=True):
            line = np.stack([ends[0], end])
            parts += [stroke(line, 5.5, rim), stroke(line, 3.0, axis)]
        parts += [disc(ends[0], 5.0, rim), disc(ends[0], 3.5, tone)]
    return Shapes.concatenate(parts)
