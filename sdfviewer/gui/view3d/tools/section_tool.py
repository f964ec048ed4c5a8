"""The section plane of a view: drawn as a frame with a handle that is dragged along its normal."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF

from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.palette import theme
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.shapes2d import Shapes, colour_of, disc, ring, stroke, strokes
from sdfviewer.scene.tools.gizmo import Rectangle
from sdfviewer.scene.tools.section import Section
from sdfviewer.scene.tools.snapping import Snap, section_along, snap_to_surface
from sdfviewer.transforms import perpendicular

_GRIP = 13.0
"""Distance in pixels from the handle and its arrow at which the mouse can drag it."""
_REACH = 8.0
"""How far from them they are drawn: names may stand where a drag would still begin."""
_ARROW = 44.0
"""Length in pixels of the arrow that shows what is cut away."""


class SectionTool:
    """Moves the section of the session with the mouse.

    Attributes
    ----------
    picks_face
        Whether the next click chooses the face along which to cut.
    """

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        self.picks_face = False
        self._face: Snap | None = None
        self._drag: tuple[QPointF, Section, Floats] | None = None
        self._is_near = False

    @property
    def is_dragging(self) -> bool:
        """Whether the plane is being dragged."""
        return self._drag is not None

    # --- where it is -----------------------------------------------------------------------------------------------

    def _corners(self) -> Floats | None:
        """Return the corners (4, 3) of the plane's frame around the scene, None where nothing is cut."""
        scene = self._canvas.feed.scene
        if scene.section is None:
            return None
        points = scene.outline()
        normal = np.asarray(scene.section.normal)
        u = perpendicular(normal)
        v = np.cross(normal, u)
        middle = (points.min(axis=0) + points.max(axis=0)) / 2
        middle = middle + float(scene.section.keeps(middle)) * normal
        across, up = np.abs((points - middle) @ u).max() * 1.05, np.abs((points - middle) @ v).max() * 1.05
        signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
        return np.asarray(middle + signs[:, :1] * across * u + signs[:, 1:] * up * v)

    def _pixels(self, points: Floats) -> Floats:
        canvas = self._canvas
        pixels, depth = canvas.camera.project(points, canvas.width(), canvas.height())
        return np.where((depth > 0)[..., None], pixels, np.nan)

    def handle(self) -> tuple[Floats, Floats] | None:
        """Return the pixel of the handle, and its movement in pixels (2,) for a metre along the normal."""
        corners, plane = self._corners(), self._canvas.feed.scene.section
        if corners is None or plane is None:
            return None
        middle = corners.mean(axis=0)
        step = float(self._canvas.camera.metres_per_pixel(middle, self._canvas.height()))
        ends = self._pixels(np.stack([middle, middle + step * np.asarray(plane.normal)]))
        per_metre = (ends[1] - ends[0]) / step
        return (ends[0], per_metre) if np.isfinite(ends).all() else None

    def rectangles(self) -> tuple[Rectangle, ...]:
        """Where the handle and its arrow are, in logical pixels."""
        handle = self.handle()
        if handle is None:
            return ()
        ends = np.stack([handle[0], self._tip(*handle)])
        (left, top), (width, height) = ends.min(axis=0) - _REACH, np.ptp(ends, axis=0) + 2 * _REACH
        return ((float(left), float(top), float(width), float(height)),)

    # --- the mouse -------------------------------------------------------------------------------------------------

    def pick_face(self) -> None:
        """Let the next click choose the face along which to cut."""
        self.picks_face = True
        self._canvas.setFocus()  # for Escape

    def cancel_pick(self) -> bool:
        """Give up choosing a face; return whether one was to be chosen."""
        was, self.picks_face, self._face = self.picks_face, False, None
        self._canvas.update()
        return was

    def _find(self, at: QPointF) -> Snap | None:
        canvas = self._canvas
        return snap_to_surface(canvas.feed.scene, canvas.camera, at.x(), at.y(), (canvas.width(), canvas.height()))

    def hover(self, at: QPointF | None) -> bool:
        """Return whether the handle is under the mouse, or a face that a click would choose."""
        if self.picks_face:
            self._face = None if at is None else self._find(at)
            self._canvas.update()
            return self._face is not None
        near = at is not None and self._grips(at)
        if near != self._is_near:
            self._is_near = near
            self._canvas.update()
        return near

    def _grips(self, at: QPointF) -> bool:
        handle = self.handle()
        if handle is None:
            return False
        foot, along = handle[0], self._tip(*handle) - handle[0]
        away = np.array([at.x(), at.y()]) - foot
        share = np.clip(float(away @ along) / max(float(along @ along), 1e-9), 0.0, 1.0)
        return float(np.hypot(*(away - share * along))) <= _GRIP

    def press(self, at: QPointF) -> bool:
        """Begin to drag the handle; return whether it is under the mouse."""
        section, handle = self._canvas.document_context.session.section, self.handle()
        if section is None or handle is None or not self._grips(at):
            return False
        self._drag = (at, section, handle[1])
        return True

    def move(self, at: QPointF) -> bool:
        """Return whether the plane is being dragged."""
        if self._drag is None:
            return False
        start, section, per_metre = self._drag
        # The plane cannot be dragged while it is seen edge-on; a small angle is enough.
        square = max(float(per_metre @ per_metre), 1e-9)
        delta = np.array([at.x() - start.x(), at.y() - start.y()])
        self._canvas.document_context.session.set_section(section.moved(float(delta @ per_metre) / square))
        return True

    def release(self) -> bool:
        """Return whether the plane was being dragged."""
        was, self._drag = self._drag is not None, None
        return was

    def cancel(self) -> None:
        """Move the plane back to where the drag began."""
        if self._drag is not None:
            section, self._drag = self._drag[1], None
            self._canvas.document_context.session.set_section(section)

    def click(self, at: QPointF) -> bool:
        """Return whether a click chose the face along which to cut."""
        if not self.picks_face:
            return False
        context, found = self._canvas.document_context, self._find(at)
        if found is None:
            context.messages.show("There is no face. Click one of the model.")
            return True
        self.cancel_pick()
        context.session.set_section(section_along(found, self._canvas.feed.scene))
        return True

    # --- drawing ---------------------------------------------------------------------------------------------------

    def shapes(self) -> Shapes:
        """Return the frame of the plane, its handle, an arrow to what is cut away, and the face under the mouse."""
        corners, handle = self._corners(), self.handle()
        if corners is None or handle is None:
            return self._face_shapes()
        colours = theme(self._canvas.look.dark)
        tone, rim = colour_of(colours.selection, 0.9), colour_of(colours.plate, 0.8)
        outline = self._pixels(corners)
        parts = [] if not np.isfinite(outline).all() else [stroke(outline, 1.5, (*tone[:3], 0.55), closed=True)]
        middle, per_metre = handle
        tip = self._tip(middle, per_metre)
        if (tip != middle).any():
            parts += [stroke(np.stack([middle, tip]), 5.0, rim), stroke(np.stack([middle, tip]), 2.5, tone)]
            parts.append(disc(tip, 4.0, tone))
        parts += [disc(middle, 7.5, rim), ring(middle, 6.0, 3.0 if self._is_near or self.is_dragging else 2.0, tone)]
        return Shapes.concatenate([*parts, self._face_shapes()])

    def _face_shapes(self) -> Shapes:
        """Return the outline of the face that a click would choose, and where its normal points."""
        face, scene = self._face, self._canvas.feed.scene
        if face is None or face.normal is None or face.anchor.frame not in scene.names:
            return Shapes()
        colours = theme(self._canvas.look.dark)
        tone, rim = colour_of(colours.selection, 0.9), colour_of(colours.plate, 0.8)
        point = (scene.X_RootF[scene.names.index(face.anchor.frame)] @ face.anchor.X_FA)[:3, 3]
        step = float(self._canvas.camera.metres_per_pixel(point, self._canvas.height()))
        normal = self._pixels(np.stack([point, point + _ARROW * step * face.normal]))
        outline = self._pixels(face.outline)
        parts = [strokes(outline, 5.0, rim), strokes(outline, 2.5, tone)] if len(outline) else []
        if np.isfinite(normal).all():
            parts += [stroke(normal, 5.0, rim), stroke(normal, 2.5, tone), disc(normal[0], 5.0, tone)]
        return Shapes.concatenate(parts)

    def _tip(self, middle: Floats, per_metre: Floats) -> Floats:
        """Return the pixel of the end of the arrow; it is that of the handle where the view looks along the normal."""
        length = float(np.hypot(*per_metre))
        share = min(1.0, length * self._metre_share())
        return np.asarray(middle + per_metre * (_ARROW * share / length if length > 0 else 0.0))

    def _metre_share(self) -> float:
        """Return one over how many pixels a metre across the line of sight has."""
        corners = self._corners()
        assert corners is not None
        return float(self._canvas.camera.metres_per_pixel(corners.mean(axis=0), self._canvas.height()))
