"""One context without a display for all tests of the renderer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sdfviewer.render.offscreen import OffscreenError, offscreen_context
from sdfviewer.render.view import Look
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.scene import Scene

PLAIN = Look(grid=False, view_cube=False, labels=False, frames=False, shadows=False)
SIZE = (200, 150)
FRONT = Camera(distance=20.0).seen_from("front")

Paint = Callable[..., NDArray[np.uint8]]


@pytest.fixture(scope="package")
def context() -> Iterator[str]:
    """Make a context current for the tests of this folder alone: Qt makes others current, by another interface."""
    try:
        with offscreen_context() as platform:
            yield platform
    except OffscreenError as error:
        pytest.skip(str(error))


@pytest.fixture
def renderer(context: str) -> Iterator[object]:
    from sdfviewer.render.gl import GL
    from sdfviewer.render.renderer import Renderer

    made = Renderer()
    made.initialize()
    made.set_look(PLAIN)
    yield made
    assert GL.glGetError() == GL.GL_NO_ERROR
    made.release()
    assert GL.glGetError() == GL.GL_NO_ERROR


@pytest.fixture
def paint(renderer: Any) -> Paint:
    """Paints a scene, or what the renderer shows, and gives the picture (150, 200, 4)."""
    from sdfviewer.render.screenshot import paint_image

    def run(scene: Scene | None = None, camera: Camera = FRONT, samples: int = 0) -> NDArray[np.uint8]:
        if scene is not None:
            renderer.set_scene(scene)
        return paint_image(renderer, camera, SIZE, samples)

    return run


def at(picture: NDArray[np.uint8], point: tuple[float, float, float], camera: Camera = FRONT) -> NDArray[np.int64]:
    """Return the colour (4,) where a point of the world is in a picture."""
    (x, y), _ = camera.project(point, *SIZE)
    return picture[int(y), int(x)].astype(np.int64)
