"""Plays a motion: moves the joints of the session."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from sdfviewer.gui.joints.motion_plan import Plan
from sdfviewer.session.session import Session

TICK_MILLISECONDS = 16


class MotionPlayer(QObject):
    """Moves the joints along a plan.

    Attributes
    ----------
    plan
        What is played, None where there is nothing.
    time
        Where the motion is, seconds.
    repeats
        Whether it starts again at the end; a sweep goes back and forth.
    speed
        How many times faster than written it is played.
    """

    #: The time of the motion has changed.
    moved = Signal(float)
    #: Playing began or ended.
    playing_changed = Signal(bool)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.plan: Plan | None = None
        self.time = 0.0
        self.repeats = True
        self.speed = 1.0
        self._direction = 1.0
        self._clock = QElapsedTimer()
        self._timer = QTimer(self, interval=TICK_MILLISECONDS)
        self._timer.timeout.connect(lambda: self.advance(self._clock.restart() / 1000.0))

    @property
    def playing(self) -> bool:
        """Whether the joints are moving by themselves."""
        return self._timer.isActive()

    def set_plan(self, plan: Plan | None) -> None:
        """Play something else; the time stays where it can."""
        self.plan = plan
        if plan is None:
            self.play(False)
            self.time = 0.0
        else:
            self.time = min(max(self.time, plan.trajectory.start), plan.trajectory.end)

    def play(self, on: bool) -> None:
        """Start or stop; from the end it starts at the beginning."""
        if on == self.playing or (on and (self.plan is None or self.plan.trajectory.end <= self.plan.trajectory.start)):
            return
        if on and self.plan is not None:
            if self.time >= self.plan.trajectory.end:
                self.time = self.plan.trajectory.start
            self._direction = 1.0
            self._clock.start()
            self._timer.start()
        else:
            self._timer.stop()
        self.playing_changed.emit(on)

    def seek(self, time: float) -> None:
        """Put the joints where the motion is at a time."""
        plan, session = self.plan, self._session
        if plan is None or session.kinematics is None:
            return
        self.time = min(max(time, plan.trajectory.start), plan.trajectory.end)
        session.move_joints(session.kinematics.joint_positions(plan.trajectory.at(self.time)), self)
        self.moved.emit(self.time)

    def advance(self, seconds: float) -> None:
        """Advance by some seconds."""
        if self.plan is None:
            return
        start, end = self.plan.trajectory.start, self.plan.trajectory.end
        time = self.time + self._direction * self.speed * seconds
        if start <= time <= end:
            self.seek(time)
        elif not self.repeats:
            self.seek(end)
            self.play(False)
        elif self.plan.sweep is not None:
            self._direction = -self._direction
            self.seek(end if time > end else start)
        else:
            self.seek(start)
