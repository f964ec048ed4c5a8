"""How long the window's thread is busy in each pass of its event loop."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from PySide6.QtCore import QAbstractEventDispatcher

_QUIET_SECONDS, _QUIET_SHARE = 0.2, 0.2
"""A window is quiet when its thread has used less than this share of so many seconds."""
MOST_PASSES = 3


@dataclass(frozen=True)
class Pass:
    """A pass of the event loop: its milliseconds of CPU time, and the step that was going on."""

    milliseconds: float
    step: str


class PassMeter:
    """Measures the passes of the event loop of the thread it is made in, in CPU time.

    A pass is what runs between two moments at which the loop awakes or is about to wait.

    Attributes
    ----------
    step
        What is going on, as it is named in the report.
    """

    def __init__(self) -> None:
        self.step = ""
        self._longest: list[Pass] = []
        self._recent: deque[tuple[float, float]] = deque()
        self._before = time.thread_time()
        self._own = 0.0
        dispatcher = QAbstractEventDispatcher.instance()
        dispatcher.awake.connect(self._end_pass)
        dispatcher.aboutToBlock.connect(self._end_pass)

    def _end_pass(self) -> None:
        now = time.thread_time()
        used, self._before = now - self._before - self._own, now
        self._own = 0.0
        if used > 0.0005:
            self._recent.append((time.monotonic(), used))
        if used > 0.01:
            self._longest = sorted([*self._longest, Pass(used * 1000, self.step)], key=lambda each: -each.milliseconds)
            del self._longest[MOST_PASSES:]

    @contextmanager
    def left_out(self) -> Iterator[None]:
        """Do not count what the block does: it belongs to the walk."""
        begun = time.thread_time()
        try:
            yield
        finally:
            self._own += time.thread_time() - begun

    def take(self) -> list[Pass]:
        """Return the longest passes since the last call, the longest first."""
        longest, self._longest = self._longest, []
        return longest

    @property
    def is_quiet(self) -> bool:
        """Whether the thread has had little to do for a moment."""
        since = time.monotonic() - _QUIET_SECONDS
        while self._recent and self._recent[0][0] < since:
            self._recent.popleft()
        return sum(used for _, used in self._recent) < _QUIET_SECONDS * _QUIET_SHARE
