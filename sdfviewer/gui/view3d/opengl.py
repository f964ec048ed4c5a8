"""The OpenGL context that the 3D view needs, the message if there is none, and the framebuffer that a window shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QEvent, Qt
from PySide6.QtGui import QOffscreenSurface, QOpenGLContext, QResizeEvent, QSurfaceFormat
from PySide6.QtOpenGLWidgets import QOpenGLWidget

from sdfviewer.render.offscreen import OffscreenError

NEEDED = (3, 3)
_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "software", "basic render")
_GL_RENDERER, _GL_VERSION = 0x1F01, 0x1F02


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
            renderer, description = (str(functions.glGetString(name) or "") for name in (_GL_RENDERER, _GL_VERSION))
    except OffscreenError as error:
        return Graphics(problem=str(error))
    problem = ""
    if version < NEEDED:
        offered, needed = ".".join(map(str, version)), ".".join(map(str, NEEDED))
        problem = f"The 3D view needs OpenGL {needed}; this display supports {offered} ({renderer})."
    return Graphics(version, renderer, description, problem)


_SIZE_IS_SETTLED = QEvent.Type(QEvent.registerEventType())
_IN_A_ROW_MILLISECONDS = 250
_BY_HAND = 4
"""So many sizes that follow each other this fast are those of an edge that is dragged; a workspace brings three."""


class WindowFramebuffer:
    """Whether a picture can be painted in the framebuffer, must be, or is there already.

    Qt makes another framebuffer for each new size, and has it painted at once and again with the window. A switch of
    the workspace changes the size several times in a pass of the event loop: only the last one gets a framebuffer.

    Parameters
    ----------
    widget
        Whose framebuffer it is.
    make
        Lets Qt make the framebuffer for a change of the size.
    """

    def __init__(self, widget: QOpenGLWidget, make: Callable[[QResizeEvent], None]) -> None:
        self._widget, self._make = widget, make
        self._resized: QResizeEvent | None = None
        self._is_being_made = self._is_being_grabbed = False
        self._shown_in: int | None = None
        self._since_size = QElapsedTimer()
        self._sizes_in_a_row = 0
        # Between its pictures it keeps what it shows.
        widget.setUpdateBehavior(QOpenGLWidget.UpdateBehavior.PartialUpdate)

    @property
    def is_ready(self) -> bool:
        """Whether it has the size of the view. A picture for another one would not be seen."""
        return self._resized is None and not self._is_being_made

    @property
    def needs_whole_picture(self) -> bool:
        """Whether a picture is read from it now, so that none may be drawn in several passes."""
        return self._is_being_grabbed

    @property
    def is_empty(self) -> bool:
        """Whether it holds no picture yet."""
        return self._widget.defaultFramebufferObject() != self._shown_in

    @property
    def has_jumped(self) -> bool:
        """Whether it is empty because its size has changed, and not by an edge that is dragged."""
        return self.is_empty and self._sizes_in_a_row < _BY_HAND

    def set_shown(self) -> None:
        """Note that it holds a picture."""
        self._shown_in = self._widget.defaultFramebufferObject()

    def forget(self) -> None:
        """Note that it is another one, in another context."""
        self._shown_in = None

    def resize(self, event: QResizeEvent) -> None:
        """Give it another size before the next picture, or at once where there is nothing to paint in."""
        if self._resized is None:
            # Qt asks for pictures with low priority.
            QCoreApplication.postEvent(self._widget, QEvent(_SIZE_IS_SETTLED), Qt.EventPriority.HighEventPriority.value)
        self._resized = QResizeEvent(event.size(), event.oldSize())
        if event.size().isEmpty() or not self._widget.isValid():
            self._take_size()

    def takes(self, event: QEvent) -> bool:
        """Return whether an event of the widget is the one that ends the changes of the size."""
        is_own = event.type() == _SIZE_IS_SETTLED
        if is_own:
            self._take_size()
        return is_own

    def _take_size(self) -> None:
        event, self._resized = self._resized, None
        if event is not None:
            self.forget()
            is_soon = self._since_size.isValid() and self._since_size.elapsed() < _IN_A_ROW_MILLISECONDS
            self._sizes_in_a_row = self._sizes_in_a_row + 1 if is_soon else 1
            self._since_size.start()
            self._is_being_made = True
            try:
                self._make(event)
            finally:
                self._is_being_made = False
            self._widget.update()  # Qt may have painted the window before, when there was nothing to paint in

    @contextmanager
    def grabbed(self) -> Iterator[None]:
        """Let what is painted while the block runs be whole, and in the size of the view."""
        self._take_size()
        self._is_being_grabbed = True
        try:
            yield
        finally:
            self._is_being_grabbed = False
