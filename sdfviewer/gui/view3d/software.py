"""What exists only because software takes long to draw a 3D view: drafts, pictures in steps, compiling beforehand.

`Canvas.paintGL` paints its picture in one piece, which graphics cards do in a few milliseconds. Without one, Mesa draws
with the processor: `SoftwareDrawing` then draws drafts while something moves, and other pictures in several passes of
the event loop; `WarmUp` compiles in a thread what later pictures are drawn with. To do without all of this, remove the
module and the uses of `Canvas.software`, `Canvas.waits_for` and `render.warm_up`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from threading import Event, Thread
from time import perf_counter
from typing import Protocol

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QOpenGLContext
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QLabel, QWidget

from sdfviewer.gui.kit.jobs import Later, delayed
from sdfviewer.gui.view3d.camera_control import CameraControl
from sdfviewer.gui.view3d.opengl import WindowFramebuffer, current_context, make_surface, probe, surface_format
from sdfviewer.render.offscreen import OffscreenError
from sdfviewer.render.renderer import Renderer
from sdfviewer.render.view import STILL_IN_SOFTWARE, AdaptiveQuality, Quality, View

QUICK_SECONDS = 0.025
"""Processor time that a picture may take to be painted at once: other work has the same pass of the event loop."""
PATIENCE_MILLISECONDS = 250
"""Time after which a view without a picture shows a note; a picture that comes sooner would make it flash."""
ASK_MILLISECONDS = 500
"""Time between two looks whether the window is at rest."""
_PAUSE = 0.01
"""Seconds between two steps of the thread, so that the window gets the interpreter whenever it needs it."""


class PictureSteps:
    """Draws one picture at a time; the widget goes on showing what it shows until a picture is drawn to its end.

    Parameters
    ----------
    widget
        Is painted again when a picture is there, with its context current in each step.
    later
        The passes of the event loop, which all views of a file share.
    guard
        Does one step, and reports where it fails.
    must_wait
        Returns whether another picture comes first now.

    Attributes
    ----------
    is_draft
        Whether the picture that is being drawn is one in motion.
    seconds
        How long the steps of the picture have taken so far.
    """

    def __init__(
        self,
        widget: QOpenGLWidget,
        later: Later,
        guard: Callable[[Callable[[], None]], None],
        must_wait: Callable[[], bool] = lambda: False,
    ) -> None:
        self._widget, self._later, self._guard, self._must_wait = widget, later, guard, must_wait
        widget.destroyed.connect(self.stop)  # a file outlives a second view of it
        self._steps: Iterator[None] | None = None
        self._is_drawn = self._is_outdated = False
        self.is_draft = False
        self.seconds = 0.0

    @property
    def is_drawing(self) -> bool:
        """Whether a picture is being drawn, is drawn and not shown yet, or is outdated."""
        return self._steps is not None or self._is_drawn or self._is_outdated

    @property
    def is_at_work(self) -> bool:
        """Whether there are steps to do."""
        return self._steps is not None

    @property
    def is_outdated(self) -> bool:
        """Whether something has changed since the picture that is being drawn was begun."""
        return self._is_outdated and not self._is_drawn

    def start(self, steps: Iterator[None], *, is_draft: bool) -> None:
        """Draw a picture, one step in each pass of the event loop."""
        self.stop()
        self._steps, self.is_draft, self.seconds = steps, is_draft, 0.0
        self._later.do(self._go_on)

    def wait(self) -> None:
        """Leave what has changed since the picture was begun to another one."""
        self._is_outdated = True

    def stop(self, _widget: object = None) -> None:
        """Give the picture up."""
        self._steps, self._is_drawn, self._is_outdated = None, False, False

    def take(self, *, is_moving: bool) -> bool:
        """Return whether a picture is drawn to its end, for the widget to show it now."""
        is_drawn, self._is_drawn = self._is_drawn, False
        if is_drawn and self.is_draft and not is_moving:
            self._is_outdated = True  # what ended the motion asked for the one at rest together with this one
        if is_drawn and self._is_outdated:
            self._later.do(self._paint_again)  # Qt forgets what is requested while it paints
        return is_drawn

    def _paint_again(self) -> None:
        if self._is_outdated and self._steps is None:
            self._is_outdated = False
            self._widget.update()

    def _go_on(self) -> None:
        if self._steps is not None and self._must_wait():
            self._later.do(self._go_on)
        elif self._steps is not None and self._widget.isValid():
            self._widget.makeCurrent()
            self._guard(self._do_one)

    def _do_one(self) -> None:
        assert self._steps is not None
        begun = perf_counter()
        try:
            next(self._steps)
        except StopIteration:
            self._steps, self._is_drawn = None, True
            self._widget.update()
        else:
            self._later.do(self._go_on)
        self.seconds += perf_counter() - begun


class DrawingNote(QLabel):
    """A quiet text in the middle of a view that software takes a while to draw."""

    def __init__(self, canvas: QWidget) -> None:
        super().__init__("Drawing…", canvas)
        self.setProperty("role", "muted")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._canvas = canvas
        canvas.installEventFilter(self)
        self._soon = delayed(self, self._appear, PATIENCE_MILLISECONDS)
        self.hide()

    def expect(self) -> None:
        """Appear soon, unless there is a picture by then."""
        if self.isHidden() and not self._soon.isActive():
            self._soon.start()

    def end(self) -> None:
        """Go: there is a picture."""
        self._soon.stop()
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the middle."""
        if event.type() is QEvent.Type.Resize:
            self._place()
        return False

    def _appear(self) -> None:
        self.adjustSize()
        self._place()
        self.show()

    def _place(self) -> None:
        self.move(self._canvas.rect().center() - self.rect().center())


class SteppedView(Protocol):
    """A 3D view, as what draws it in software uses it."""

    renderer: Renderer
    camera_control: CameraControl

    @property
    def has_model(self) -> bool:
        """Whether there is something to draw; else the view says why there is not."""

    def prepare(self, quality: Quality) -> View:
        """Hand the handles of the tools to the renderer, and return what it is to draw."""

    def paint_at_once(self, view: View) -> None:
        """Draw a picture in one piece."""

    def end_picture(self, seconds: float, *, is_draft: bool = False) -> None:
        """Note that a picture is shown that has taken some seconds."""

    def guard(self, draw: Callable[[], None]) -> None:
        """Run the renderer, and report where it fails."""


class SoftwareDrawing:
    """Draws the pictures of a view in software: drafts in motion, and what takes long in several steps.

    Parameters
    ----------
    view, widget
        The view, as what draws it and as a widget.
    framebuffer
        Where its pictures are shown.
    later
        The passes of the event loop, which all views of a file share.
    must_wait
        Returns whether the picture of another view comes first now.
    settle_milliseconds
        Time after the last motion until the picture is smoothed.
    """

    def __init__(
        self,
        view: SteppedView,
        widget: QOpenGLWidget,
        framebuffer: WindowFramebuffer,
        later: Later,
        must_wait: Callable[[], bool],
        settle_milliseconds: int,
    ) -> None:
        self._view, self._widget, self._framebuffer = view, widget, framebuffer
        self.steps = PictureSteps(widget, later, view.guard, must_wait)
        self._adaptive = AdaptiveQuality()
        self._note = DrawingNote(widget)
        self.settling = delayed(widget, widget.update, settle_milliseconds)

    @property
    def is_drawing(self) -> bool:
        """Whether a picture is being drawn, or something moves that is drawn as a draft."""
        return self.settling.isActive() or self.steps.is_drawing

    def paint(self) -> bool:
        """Show a picture or begin one; return False where a graphics card paints the whole picture at once."""
        if not probe().is_software:
            return False
        framebuffer, steps, view = self._framebuffer, self.steps, self._view
        moving = self.settling.isActive() or view.camera_control.is_flying
        # Where moves come faster than the steps of a draft, it would never be there. Before the first picture they are
        # those of meshes that come in.
        has_jumped = framebuffer.has_jumped
        must_follow = moving and steps.is_draft and steps.is_outdated and not has_jumped
        if must_follow or (moving and not steps.is_draft):
            steps.stop()
        clock = QElapsedTimer()
        clock.start()
        if steps.take(is_moving=moving):
            view.guard(lambda: view.renderer.present(self._widget.defaultFramebufferObject()))
            self._end_picture(steps.seconds, clock, is_draft=moving)
            return True
        if steps.is_drawing:
            steps.wait()
            self._show_something()
            return True
        quality = self._adaptive.draft if moving else STILL_IN_SOFTWARE
        prepared = view.prepare(quality)
        may_wait = not framebuffer.needs_whole_picture and not must_follow
        # Where the view has jumped to another size, all around it is laid out and painted in the same pass.
        if may_wait and (has_jumped or not self._is_quick(prepared, moving)):
            steps.start(self._draw(quality), is_draft=moving)
            self._show_something()
        else:
            view.paint_at_once(prepared)
            self._end_picture(0.0, clock, is_draft=moving)
        return True

    def _is_quick(self, prepared: View, moving: bool) -> bool:
        """Return whether a picture may be painted at once, as all in motion are: they must follow the hand."""
        if self._view.camera_control.is_behind and not moving:
            return False
        return self._view.renderer.is_quick(prepared, math.inf if moving else QUICK_SECONDS)

    def _draw(self, quality: Quality) -> Iterator[None]:
        """Draw a picture; yields between its parts."""
        view = self._view
        if view.camera_control.is_behind:
            view.camera_control.keep_in_sight()
            yield
        yield from view.renderer.draw(view.prepare(quality))

    def _end_picture(self, seconds: float, clock: QElapsedTimer, *, is_draft: bool) -> None:
        """Show a picture that has taken seconds and the time of a clock."""
        self._note.end()
        if is_draft:
            # Drawing goes on beside this thread: only its end says how long it takes.
            self._view.renderer.finish()
            self._adaptive.report(seconds + clock.nsecsElapsed() / 1e9)
        self._view.end_picture(seconds + clock.nsecsElapsed() / 1e9, is_draft=is_draft)

    def _show_something(self) -> None:
        """Fill a framebuffer that has no picture yet; one with a picture keeps it."""
        if self._framebuffer.is_empty:
            ratio = self._widget.devicePixelRatioF()
            size = round(self._widget.width() * ratio), round(self._widget.height() * ratio)
            if self._view.renderer.fill(self._widget.defaultFramebufferObject(), *size):
                self._framebuffer.set_shown()
            elif self._view.has_model:
                self._note.expect()


class WarmUp(QObject):
    """Draws pictures that are not shown, in a thread with a context of its own, once a 3D view is at rest.

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
