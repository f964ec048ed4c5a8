"""Pictures that software takes long to draw, drawn in several turns of the event loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

from PySide6.QtOpenGLWidgets import QOpenGLWidget

from sdfviewer.gui.kit.jobs import Later


class PictureSteps:
    """Draws one picture at a time; the widget goes on showing what it shows until a picture is drawn to its end.

    Parameters
    ----------
    widget
        Is painted again when a picture is there, with its context current in each step.
    later
        The turns of the event loop, which all views of a file share.
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
        """Draw a picture, one step in each turn of the event loop."""
        self.stop()
        self._steps, self.is_draft, self.seconds = steps, is_draft, 0.0
        self._later.do(self._go_on)

    def wait(self) -> None:
        """Leave what has changed since the picture was begun to another one."""
        self._is_outdated = True

    def stop(self, _widget: object = None) -> None:
        """Give the picture up."""
        self._steps, self._is_drawn, self._is_outdated = None, False, False

    def take(self) -> bool:
        """Return whether a picture is drawn to its end, for the widget to show it now."""
        is_drawn, self._is_drawn = self._is_drawn, False
        if is_drawn and self._is_outdated:
            self._later.do(self._paint_again)  # Qt forgets what is asked for while it paints
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
