"""Compiles beside the window what software will draw later pictures of the 3D view with."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from threading import Event, Thread

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QOpenGLContext

from sdfviewer.gui.view3d.opengl import current_context, make_surface, probe, surface_format
from sdfviewer.render.gl.offscreen import OffscreenError

ASK_MILLISECONDS = 500
"""How often it is asked whether the window is at rest."""
_PAUSE = 0.01
"""Seconds between two steps, so that the window gets its turn whenever it needs one."""


class WarmUp(QObject):
    """Draws pictures that nobody sees, in a thread with a context of its own, once a 3D view is at rest.

    Without it the first section, the first selection and so on would compile in the thread of the window. Graphics
    cards need none of this.

    Parameters
    ----------
    is_at_rest
        Whether a 3D view shows all it will; asked until it is so.

    Attributes
    ----------
    is_over
        Whether all is compiled, or is never going to be.
    """

    def __init__(self, is_at_rest: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_at_rest = is_at_rest
        self._is_stopped = Event()
        self._thread: Thread | None = None
        self._asking = QTimer(self, interval=ASK_MILLISECONDS)
        self._asking.timeout.connect(self._ask)
        self._asking.start()

    @property
    def is_over(self) -> bool:
        """Whether all is compiled, or is never going to be."""
        return not self._asking.isActive() and (self._thread is None or not self._thread.is_alive())

    def _ask(self) -> None:
        if not self._is_at_rest():
            return
        self._asking.stop()
        if probe().is_software and not probe().problem and QOpenGLContext.supportsThreadedOpenGL():
            self._surface = make_surface(surface_format())  # Qt wants it made and deleted in this thread
            self._thread = Thread(target=self._draw, name="warm-up", daemon=True)
            self._thread.start()

    def _draw(self) -> None:
        from sdfviewer.render.warm_up import warm_up  # noqa: PLC0415 - in this thread, as only it needs the module

        # A display that offers no second context has only the slower first pictures.
        with suppress(OffscreenError), current_context(self._surface), closing(warm_up()) as steps:
            for _ in steps:
                if self._is_stopped.wait(_PAUSE):
                    return

    def stop(self) -> None:
        """Compile no more, and wait for the step that is being done: Qt must not end before its context."""
        self._asking.stop()
        self._is_stopped.set()
        if self._thread is not None:
            self._thread.join()
