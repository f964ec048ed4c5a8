"""Tells the stories to a window: one step after the other, from a timer in the window's thread."""

from __future__ import annotations

import faulthandler
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, QPointF, QProcess, QTimer
from PySide6.QtGui import QColor, QCursor, QGuiApplication, QImage, QPainter, QPolygonF
from PySide6.QtWidgets import QApplication, QDialog

from sdfviewer.gui.shell.window import MainWindow
from tests.gui.geometry import layout_faults
from tests.walk.actions import Action, Steps, press
from tests.walk.meter import PassMeter
from tests.walk.neutral import Neutral
from tests.walk.rest import Jobs, why_busy
from tests.walk.story import NotHere, Outcome, Story
from tests.walk.walk import Walk

TICK_MILLISECONDS = 25
HANG_SECONDS, LONGEST_SECONDS = 30.0, 900.0
"""A story ends when a step takes longer than the first, or all of it longer than the second."""
_ON_THEIR_WAY, _AT_REST = 0.08, 0.12
"""Seconds until what the hand has done has arrived, and that the window must be at rest before the story goes on."""
_DEAD_SECONDS = 240
"""When the window has not answered for so long, the process says where it is and ends."""


class Walker(QObject):
    """Walks through stories, then calls `done`.

    Parameters
    ----------
    report
        Called with all outcomes after each story.
    """

    def __init__(
        self,
        window: MainWindow,
        stories: Sequence[Story],
        folder: Path,
        jobs: Jobs,
        report: Callable[[Sequence[Outcome]], None],
        done: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self.walk = Walk(window)
        self.outcomes: list[Outcome] = []
        self._stories, self._folder, self._jobs, self._report, self._done = list(stories), folder, jobs, report, done
        self._meter = PassMeter()
        self._neutral = Neutral(window)
        self._script = self._tell_all()
        self._action: Action | None = None
        self._process: QProcess | None = None
        self.started = self._since = self._begun = time.monotonic()
        self._rested: float | None = None
        self._pictures = 0
        self._timer = QTimer(self, interval=TICK_MILLISECONDS)
        self._timer.timeout.connect(self._tick)
        self._hook = sys.excepthook
        sys.excepthook = self._note_exception

    def start(self) -> None:
        """Begin."""
        self._timer.start()

    def _note_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        text = "".join(traceback.format_exception(kind, error, trace))
        if self.outcomes:
            self.outcomes[-1].failed.append(f"the program raises no exception: {text}")
        self._hook(kind, error, trace)

    # --- the steps -----------------------------------------------------------------------------------------------

    def _tick(self) -> None:
        with self._meter.left_out():
            faulthandler.dump_traceback_later(_DEAD_SECONDS, exit=True)
            try:
                if self._action is None or self._is_over(self._action):
                    self._next()
            except StopIteration:
                self._timer.stop()
                faulthandler.cancel_dump_traceback_later()
                self._done()

    def _next(self) -> None:
        self._action = next(self._script)
        self.walk.count(self._action)
        self._meter.step = self._action.label
        self._since, self._rested = time.monotonic(), None
        if self._action.arguments:
            self._process = QProcess(self)
            self._process.start("xdotool", list(self._action.arguments))

    def _is_over(self, action: Action) -> bool:
        """Return whether an action is done and the window at rest, or has had its time."""
        if self._process is not None:
            if self._process.state() is not QProcess.ProcessState.NotRunning:
                return False
            self._process.deleteLater()
            self._process, self._since = None, time.monotonic()
        if action.shot:
            self._take_picture(action.shot)
            self._look_at_layout()
        if not action.limit:
            return True
        waited = time.monotonic() - self._since
        return self._is_so(action, waited) if action.until is not None else self._is_at_rest(action, waited)

    def _is_so(self, action: Action, waited: float) -> bool:
        assert action.until is not None
        if action.until():
            return True
        if waited >= action.limit:
            self._outcome.failed.append(f"{action.label} within {action.limit:g} s")
        return waited >= action.limit

    def _is_at_rest(self, action: Action, waited: float) -> bool:
        busy = "the events may still be on their way" if waited < _ON_THEIR_WAY else ""
        busy = busy or why_busy(self.walk.window, self._jobs) or ("" if self._meter.is_quiet else "it is busy")
        if not busy:
            self._rested = self._rested or time.monotonic()
            return time.monotonic() - self._rested >= _AT_REST
        self._rested = None
        if waited >= action.limit:
            self._outcome.notes.append(f"not at rest {action.limit:g} s after “{action.label}”: {busy}")
        return waited >= action.limit

    @property
    def _outcome(self) -> Outcome:
        return self.outcomes[-1]

    def _take_picture(self, name: str) -> None:
        self._pictures += 1
        story = self._outcome.story.name
        file = f"{self._pictures:03}_{story}_{name}.png" if name != story else f"{self._pictures:03}_{name}.png"
        screen = QGuiApplication.primaryScreen()
        picture = screen.grabWindow(0).toImage()
        picture.setDevicePixelRatio(1.0)
        _draw_pointer(picture, QPointF(QCursor.pos()) * screen.devicePixelRatio(), screen.devicePixelRatio())
        picture.save(str(self._folder / file), "PNG", 85)  # type: ignore[call-overload]
        self._outcome.pictures.append(file)

    def _look_at_layout(self) -> None:
        """Note what is cut, covered or empty, and a keyboard focus that is out of sight."""
        window = self.walk.window
        if self.walk.popup is not None or self.walk.dialog is not None or self.walk.window.files.opening is not None:
            return
        faults = layout_faults(window)
        focused = window.focusWidget()
        if focused is not None and window.isActiveWindow() and focused.visibleRegion().isEmpty():
            faults.append(f"the keyboard is in {type(focused).__name__}, which is out of sight")
        for fault in faults:
            sentence = f"nothing is cut, covered or empty: {fault}"
            if sentence not in self._outcome.failed:
                self._outcome.failed.append(sentence)

    # --- the stories ---------------------------------------------------------------------------------------------

    def _tell_all(self) -> Iterator[Action]:
        for number, story in enumerate(self._stories, 1):
            outcome = Outcome(story)
            self.outcomes.append(outcome)
            self.walk.outcome = outcome
            self._begun = time.monotonic()
            self._meter.take()
            yield from self._tell(story, outcome)
            outcome.passes = self._meter.take()
            outcome.seconds = time.monotonic() - self._begun
            yield from self._clear(story.topic != "first_sight")
            state = "skipped" if outcome.skipped else f"{len(outcome.failed)} failed" if outcome.failed else "ok"
            print(f"{number:3}/{len(self._stories)} {story.name}: {state}, {outcome.seconds:.1f} s", flush=True)
            self._report(self.outcomes)

    def _tell(self, story: Story, outcome: Outcome) -> Steps:
        steps = story.tell(self.walk)
        try:
            for action in steps:
                yield action
                self._since = time.monotonic()
                if time.monotonic() - self._begun > LONGEST_SECONDS:
                    outcome.failed.append(f"the story ends within {LONGEST_SECONDS:g} s")
                    break
        except NotHere as reason:
            outcome.skipped = str(reason)
        except Exception:
            outcome.failed.append(f"the story can be told: {traceback.format_exc(limit=-3)}")

    def _clear(self, closes: bool) -> Steps:
        """Close what is open, and bring the window back to where it was."""
        yield Action("let go", ("mouseup", "1", "mouseup", "3", "keyup", "alt", "keyup", "shift", "keyup", "ctrl"))
        for turn in range(12):
            top = QApplication.activePopupWidget() or next(iter(_dialogs()), None)
            if top is None or not closes:
                break
            if turn < 4:
                yield press("esc")
            else:
                with suppress(RuntimeError):
                    top.reject() if isinstance(top, QDialog) else top.close()
                yield Action("close what is open")
        if closes:
            for problem in self._neutral.restore():
                self._outcome.notes.append(problem)
            yield Action("restore", limit=15.0)


def _dialogs() -> list[QDialog]:
    return [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog) and each.isVisible()]


def _draw_pointer(picture: QImage, at: QPointF, ratio: float) -> None:
    """Draw the pointer, which a picture of the screen lacks."""
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    outline = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (13, 12))
    painter.setBrush(QColor("white"))
    painter.setPen(QColor("black"))
    painter.drawPolygon(QPolygonF([at + QPointF(x, y) * ratio for x, y in outline]))
    painter.end()
