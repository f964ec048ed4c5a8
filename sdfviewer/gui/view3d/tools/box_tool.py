"""Selecting all frames in a rectangle: Ctrl and drag."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtWidgets import QRubberBand

from sdfviewer.gui.view3d.pointing import name_of_row
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.scene.tools.picking import box_select

_LEAST = 4
"""A smaller rectangle, in pixels, is a click."""


class BoxTool:
    """The rubber band of one view."""

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, canvas)
        self._start: QPointF | None = None

    @property
    def is_dragging(self) -> bool:
        """Whether a rectangle is being drawn."""
        return self._start is not None

    def press(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> bool:
        """Return whether a rectangle begins here."""
        if modifiers != Qt.KeyboardModifier.ControlModifier:
            return False
        self._start = at
        return True

    def move(self, at: QPointF) -> bool:
        """Return whether a rectangle is being drawn."""
        if self._start is None:
            return False
        self._band.setGeometry(self._rectangle(at))
        self._band.setVisible(self._is_box(at))
        return True

    def release(self, at: QPointF) -> bool:
        """Return whether a rectangle was drawn; everything in it is added to the selection."""
        start, self._start = self._start, None
        self._band.hide()
        if start is None:
            return False
        canvas = self._canvas
        corners = ((start.x(), start.y()), (at.x(), at.y()))
        if abs(at.x() - start.x()) + abs(at.y() - start.y()) < _LEAST:
            return False
        rows = box_select(canvas.feed.scene, canvas.camera, *corners, canvas.width(), canvas.height())
        session = canvas.document_context.session
        names = [name_of_row(session.model, row) for row in rows.tolist()]
        session.select(tuple(dict.fromkeys((*session.selection, *(name for name in names if name)))), None)
        return True

    def cancel(self) -> None:
        """End the drag without selecting anything."""
        self._start = None
        self._band.hide()

    def _rectangle(self, at: QPointF) -> QRect:
        assert self._start is not None
        return QRect(self._start.toPoint(), at.toPoint()).normalized()

    def _is_box(self, at: QPointF) -> bool:
        rectangle = self._rectangle(at)
        return rectangle.width() + rectangle.height() >= _LEAST
