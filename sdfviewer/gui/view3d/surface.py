"""What the tools and overlays of a 3D view know of the widget that they work on."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from PySide6.QtCore import QPointF, QRect, Qt, Signal
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.view3d.scene_feed import OtherConvention, SceneFeed
from sdfviewer.render.renderer import Renderer
from sdfviewer.render.view import Look
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.nodes import Floats


class ToolBox(Protocol):
    """The tools of a view."""

    @property
    def is_dragging(self) -> bool:
        """Whether a tool drags something."""

    def hover(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> bool:
        """Return whether there is a handle under the mouse, or a place to pick."""

    def leave(self) -> None:
        """Show nothing under the mouse: it is elsewhere."""

    def show_message(self, text: str, at: QPointF, note: str = "") -> None:
        """Show a short text beside the mouse, and a note below it; an empty text goes away."""


class Ghosts(Protocol):
    """What a view shows beside the model."""

    def preview(self, X_RootF: Floats | None) -> None:
        """Show frames at other poses (n, 4, 4); None shows none."""


class SceneWidget(QOpenGLWidget):
    """A widget that shows a scene from a camera.

    Attributes
    ----------
    document_context, settings
        What all views share.
    feed
        The scene.
    renderer, look
        What draws it, and how.
    tools, compared
        The tools, and what is shown beside the model.
    strip
        The buttons of the tools over the picture.
    """

    #: The camera has moved.
    camera_moved = Signal()

    document_context: DocumentContext
    settings: Settings
    feed: SceneFeed | OtherConvention
    renderer: Renderer
    look: Look
    tools: ToolBox
    compared: Ghosts

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._camera = Camera()
        self.strip: QWidget | None = None

    @property
    def camera(self) -> Camera:
        """Where the picture is taken from."""
        return self._camera

    @camera.setter
    def camera(self, camera: Camera) -> None:
        if camera != self._camera:
            self._camera = camera
            self.camera_moved.emit()

    def pixels_of(self, points: Floats) -> Floats:
        """Return where points (..., 3) of the world are in the picture, in logical pixels; NaN behind the camera."""
        places, depth = self.camera.project(points, self.width(), self.height())
        return np.where((depth > 0)[..., None], places, np.nan)

    @property
    def room(self) -> QRect:
        """What of the picture is free for what the camera shows, in logical pixels."""
        return self.rect()

    @property
    def covered_by_tools(self) -> QRect:
        """What of the picture the buttons of the tools cover, in logical pixels."""
        return QRect() if self.strip is None or self.strip.isHidden() else self.strip.geometry()

    @property
    def covered_by_cube(self) -> QRect:
        """What of the picture the view cube covers, in logical pixels."""
        return QRect()

    @property
    def covered_by_notices(self) -> QRect:
        """What of the picture the notices at its lower edge cover, in logical pixels."""
        return QRect()

    def lay_over(self, *widgets: QWidget) -> None:
        """Keep names clear of widgets over the picture, and look below those that go."""
        raise NotImplementedError

    def draw_soon(self) -> None:
        """Draw what has moved: in software as a draft first, and in full quality when all is still."""
        raise NotImplementedError

    def show_marks(self) -> None:
        """Mark what is selected, pointed at, faulty, or on the way to the selection."""
        raise NotImplementedError
