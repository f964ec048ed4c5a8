"""What the tools and overlays of a 3D view know of the widget that they work on."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QPointF
from PySide6.QtOpenGLWidgets import QOpenGLWidget

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.view3d.other_convention import OtherConvention
from sdfviewer.gui.view3d.scene_feed import SceneFeed
from sdfviewer.render.look import Look
from sdfviewer.render.renderer import Renderer
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.picking import Hit


class ToolBox(Protocol):
    """The tools of a view."""

    @property
    def holding(self) -> bool:
        """Whether something is held with the mouse."""

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
    """

    document_context: DocumentContext
    settings: Settings
    feed: SceneFeed | OtherConvention
    renderer: Renderer
    look: Look
    tools: ToolBox
    compared: Ghosts

    @property
    def camera(self) -> Camera:
        """Where the picture is taken from."""
        raise NotImplementedError

    @camera.setter
    def camera(self, camera: Camera) -> None:
        raise NotImplementedError

    def travel_to(self, camera: Camera) -> None:
        """Move the camera smoothly."""
        raise NotImplementedError

    def pick(self, at: QPointF) -> Hit | None:
        """Return the pick at a point of the widget."""
        raise NotImplementedError

    def selected_rows(self) -> list[int]:
        """Return the rows of the selection, the one selected last at the end."""
        raise NotImplementedError

    def show_marks(self) -> None:
        """Mark what is selected, pointed at, faulty, or on the way to the selection."""
        raise NotImplementedError
