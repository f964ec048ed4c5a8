"""The OpenGL context that the 3D view needs, and the message if there is none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from PySide6.QtGui import QOffscreenSurface, QOpenGLContext, QSurfaceFormat

from sdfviewer.render.offscreen import OffscreenError

NEEDED = (3, 3)
_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "software", "basic render")
_GL_VENDOR, _GL_RENDERER, _GL_VERSION = 0x1F00, 0x1F01, 0x1F02


def surface_format() -> QSurfaceFormat:
    """Return the format to ask for. The renderer multisamples by itself, so the window's surface does not."""
    wanted = QSurfaceFormat()
    wanted.setRenderableType(QSurfaceFormat.RenderableType.OpenGL)
    wanted.setVersion(*NEEDED)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setDepthBufferSize(24)
    wanted.setSamples(0)
    return wanted


@dataclass(frozen=True)
class Graphics:
    """What came back when a context was requested.

    `problem` is empty where the 3D view can be shown, else a sentence for the user.
    """

    version: tuple[int, int] = (0, 0)
    vendor: str = ""
    renderer: str = ""
    description: str = ""
    problem: str = ""

    @property
    def is_software(self) -> bool:
        """Whether the processor draws, so that pictures in motion should be cheaper."""
        return any(name in self.renderer.lower() for name in _SOFTWARE)


def make_surface(wanted: QSurfaceFormat) -> QOffscreenSurface:
    """Return the surface of contexts that draw into no window; make and delete it in the window's thread."""
    surface = QOffscreenSurface()
    surface.setFormat(wanted)
    surface.create()
    return surface


@contextmanager
def current_context(surface: QOffscreenSurface | None = None) -> Iterator[QOpenGLContext]:
    """Make a context that draws into no window current while the block runs; in another thread, on a given surface.

    Raises
    ------
    OffscreenError
        If this display has none.
    """
    context = QOpenGLContext()
    context.setFormat(surface_format())
    if not context.create():
        raise OffscreenError("This display does not support OpenGL.")
    surface = make_surface(context.format()) if surface is None else surface
    if not context.makeCurrent(surface):
        raise OffscreenError("The OpenGL of this display cannot be used.")
    try:
        yield context
    finally:
        context.doneCurrent()


@cache
def probe() -> Graphics:
    """Return the capabilities of the graphics of this display; queried once."""
    try:
        with current_context() as context:
            functions = context.functions()
            # Some drivers silently create an older context, so check the version of the context itself.
            version = (context.format().majorVersion(), context.format().minorVersion())
            vendor, renderer, description = (
                str(functions.glGetString(name) or "") for name in (_GL_VENDOR, _GL_RENDERER, _GL_VERSION)
            )
    except OffscreenError as error:
        return Graphics(problem=str(error))
    problem = ""
    if version < NEEDED:
        offered, needed = ".".join(map(str, version)), ".".join(map(str, NEEDED))
        problem = f"The 3D view needs OpenGL {needed}; this display supports {offered} ({renderer})."
    return Graphics(version, vendor, renderer, description, problem)
