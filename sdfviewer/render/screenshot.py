"""Images without a window."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdfviewer.render.offscreen import offscreen_context
from sdfviewer.render.view import Look, Quality
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.glyph_sizes import fit_with_glyphs
from sdfviewer.scene.nodes import Floats, Lines
from sdfviewer.scene.scene import Scene

if TYPE_CHECKING:
    from sdfviewer.render.renderer import Renderer


@dataclass(frozen=True)
class MotionStep:
    """One picture of a motion.

    Attributes
    ----------
    camera
        Where it is taken from.
    X_RootF
        Poses (n, 4, 4) of all rows, None where nothing has moved.
    values
        Joint positions (k,) that the glyphs of joints show.
    tints
        Red, green, blue and strength (n, 4) of rows that are lit, None where none are.
    """

    camera: Camera
    X_RootF: Floats | None = None
    values: Floats | None = None
    tints: Floats | None = None


def look_of(layers: Collection[str], *, dark: bool) -> Look:
    """Return how layers are drawn, by their names, such as ``wireframe`` or ``grid``."""
    return Look(
        dark=dark, wireframe="wireframe" in layers, shadows="shadows" in layers, grid="grid" in layers, view_cube=False
    )


def camera_of(
    scene: Scene,
    view: str,
    size: tuple[int, int],
    rows: Sequence[int] | None = None,
    outline: Floats | None = None,
    *,
    orthographic: bool = False,
) -> Camera:
    """Return the camera that sees some rows, or all of a scene with its triads and joints.

    Parameters
    ----------
    view
        A name of `VIEWS`.
    size
        Width and height of the picture in pixels.
    outline
        Points (k, 3) that are to be seen in place of the scene's, such as those of a motion.
    """
    camera = replace(Camera(), orthographic=orthographic).seen_from(view)
    if rows is not None:
        return camera.fit(scene.outline(rows), size[0] / size[1])
    look = Look()
    triad = look.frame_size if len(scene.triads.rows) else 0.0
    joint = look.joint_size if len(scene.joints.rows) else 0.0
    return fit_with_glyphs(camera, [scene], scene.outline() if outline is None else outline, size, triad, joint)


def render_motion(
    scene: Scene,
    steps: Iterable[MotionStep],
    size: tuple[int, int] = (1280, 800),
    samples: int = 8,
    transparent: bool = False,
    look: Look | None = None,
    context: Callable[[], AbstractContextManager[object]] = offscreen_context,
    lines: Lines | None = None,
) -> Iterator[NDArray[np.uint8]]:
    """Yield a picture of a scene for each step of a motion, (height, width, 4) RGBA with rows from the top down.

    `context` makes the OpenGL context to draw with current while a block runs; `lines` are drawn on top.

    Raises
    ------
    OffscreenError
        If there is no such context on this machine.
    """
    with context():
        # PyOpenGL must first be imported when a platform has been chosen.
        from sdfviewer.render.renderer import Renderer  # noqa: PLC0415

        renderer = Renderer()
        renderer.initialize()
        renderer.set_look(replace(look or Look(view_cube=False), transparent_background=transparent))
        renderer.set_scene(scene)
        if lines is not None:
            renderer.set_measure(lines)
        try:
            for step in steps:
                if step.X_RootF is not None:
                    renderer.set_poses(step.X_RootF, step.values)
                renderer.set_tints(step.tints)
                yield paint_image(renderer, step.camera, size, samples)
        finally:
            renderer.release()


def paint_image(
    renderer: Renderer, camera: Camera, size: tuple[int, int], samples: int = 8, pixel_ratio: float = 1.0
) -> NDArray[np.uint8]:
    """Return the picture of a renderer on the current context, (height, width, 4) RGBA, with all textures loaded."""
    from sdfviewer.render.gl import GL  # noqa: PLC0415
    from sdfviewer.render.gl_objects import Framebuffer  # noqa: PLC0415

    width, height = size
    target = Framebuffer()
    target.bind(width, height, 0)
    framebuffer = int(GL.glGetIntegerv(GL.GL_FRAMEBUFFER_BINDING))
    renderer.finish_loading()
    renderer.paint(camera, width, height, framebuffer, pixel_ratio=pixel_ratio, quality=Quality(samples))
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)
    GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 1)
    data = GL.glReadPixels(0, 0, width, height, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE)
    target.release()
    picture = np.frombuffer(data, np.uint8).reshape(height, width, 4)[::-1]
    return np.ascontiguousarray(picture)
