"""The renderer: draws a `Scene` on whatever OpenGL 3.3 core context is current."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from sdfviewer.render.look import Look
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.scene import Scene


class Renderer:
    """Draws one scene; knows no window.

    Setters only note what is wanted and may be called at any time, with or without a current context. `initialize`,
    `paint` and `release` need the context to be current. Everything on the GPU can be rebuilt from the arrays of the
    scene: after the context was lost (a dock that floats), call `initialize` again and paint.

    Examples
    --------
    In a ``QOpenGLWidget`` (3.3 core, depth 24, samples 0: the renderer multisamples by itself)::

        def initializeGL(self):
            self.context().aboutToBeDestroyed.connect(self._release)   # makeCurrent(); renderer.release()
            self.renderer.initialize()

        def paintGL(self):
            ratio = self.devicePixelRatio()
            self.renderer.paint(self.camera, round(self.width() * ratio), round(self.height() * ratio),
                                self.defaultFramebufferObject(), pixel_ratio=ratio)
    """

    def initialize(self) -> None:
        """Take the current context: forget all GPU objects of a former one and check the version.

        Raises
        ------
        RenderError
            If the context is older than OpenGL 3.3.
        """

    def set_scene(self, scene: Scene) -> None:
        """Show another scene; meshes and textures that both share stay on the GPU."""

    def set_look(self, look: Look) -> None:
        """Change the switches of the view."""

    def set_poses(self, X_RootF: ArrayLike, values: ArrayLike | None = None) -> None:
        """Move everything: poses (n, 4, 4) of all rows, and the value of each joint glyph (`JointGlyphs.values_of`)."""

    def set_ghost(self, X_RootF: ArrayLike | None, opacity: float = 0.35) -> None:
        """Show all surfaces and triads a second time at other poses (n, 4, 4), see-through; None takes them away."""

    def set_highlight(
        self,
        selected: Iterable[int] = (),
        hovered: int | None = None,
        chain: Iterable[int] = (),
        errors: Iterable[int] = (),
    ) -> None:
        """Mark rows of the frame table: what they own (a link's visuals, a model's links) is marked along.

        `chain` are the rows on the way from the root to the selection; `errors` are drawn in the error colour.
        """

    def paint(
        self,
        camera: Camera,
        width: int,
        height: int,
        framebuffer: int = 0,
        *,
        pixel_ratio: float = 1.0,
        samples: int = 4,
    ) -> None:
        """Draw into `framebuffer`, `width` by `height` device pixels; samples 0 draws without antialiasing."""

    def release(self) -> None:
        """Delete all GPU objects; the context must be current. The renderer may be initialised again."""
