"""Computes colliding links in the background, at the current positions and during a motion."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from PySide6.QtCore import QObject, Signal

from sdfviewer.gui.joints.motion_plan import Plan
from sdfviewer.gui.kit.jobs import Latest
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.scene.loader import MeshLoader
from sdfviewer.session.session import Session

if TYPE_CHECKING:  # what tests collisions is imported with the first test
    from sdfviewer.scene.collision.checker import CollisionChecker
    from sdfviewer.scene.collision.contacts import ContactTracker, LinkContact, TrackedContact

Contacts: TypeAlias = "tuple[LinkContact, ...]"
TrackedContacts: TypeAlias = "tuple[TrackedContact, ...]"
_Answer = TypeVar("_Answer")


class _Tests(Generic[_Answer]):
    """Tests in a thread, which share a checker; only the latest one is of interest."""

    def __init__(self, loader: MeshLoader, answer: Callable[[_Answer], object]) -> None:
        self._loader = loader
        self._answer = answer
        self._checker: CollisionChecker | None = None
        self.latest = Latest()

    def run(
        self, kinematics: Kinematics, test: Callable[[CollisionChecker], _Answer], *, lets_finish: bool = False
    ) -> None:
        """Run a test in place of those before; see :meth:`Latest.run`."""
        self.latest.run(partial(self._work, kinematics, test), self._deliver, lets_finish=lets_finish)

    def _work(self, kinematics: Kinematics, test: Callable[[CollisionChecker], _Answer]) -> _Answer | None:
        from sdfviewer.scene.collision.checker import Cancelled, CollisionChecker  # noqa: PLC0415

        checker = self._checker
        if checker is None or checker.kinematics is not kinematics:
            checker = self._checker = CollisionChecker(kinematics, self._loader)
            checker.stopped = lambda: self.latest.is_cancelled
        try:
            return test(checker)
        except Cancelled:
            return None

    def _deliver(self, answer: _Answer | None) -> None:
        if answer is not None:
            self._answer(answer)


class CollisionWatch(QObject):
    """Tests the links of one file against each other, at the present positions and along a motion."""

    #: The `TrackedContact`s at the current joint positions.
    found_now = Signal(tuple)
    #: The `LinkContact`s along the motion; places are seconds.
    found_in_motion = Signal(tuple)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        loader = MeshLoader(session.finder)
        self._tracker: ContactTracker | None = None
        self._now: _Tests[TrackedContacts] = _Tests(loader, self.found_now.emit)
        self._in_motion: _Tests[Contacts] = _Tests(loader, self.found_in_motion.emit)

    def test_now(self) -> None:
        """Test the present joint positions; a test that is at work is finished first."""
        session = self._session
        kinematics = session.kinematics
        if kinematics is not None:
            q = kinematics.positions(session.positions)
            if self._tracker is None:
                from sdfviewer.scene.collision.contacts import ContactTracker  # noqa: PLC0415

                self._tracker = ContactTracker()
            tracker = self._tracker
            self._now.run(kinematics, lambda checker: tracker.follow(checker, q), lets_finish=True)

    def lose_track(self) -> None:
        """The joints are moved by what is not tested one by one."""
        if self._tracker is not None:
            self._tracker.lose()

    def test_motion(self, plan: Plan) -> None:
        """Test a motion in place of the one before."""
        kinematics = self._session.kinematics
        if kinematics is not None:

            def question(checker: CollisionChecker) -> Contacts:
                from sdfviewer.scene.collision.contacts import contacts_along  # noqa: PLC0415

                times, q = plan.samples
                return contacts_along(checker, times, q)

            self._in_motion.run(kinematics, question)

    def cancel(self) -> None:
        """Give up all tests."""
        self.lose_track()
        self._now.latest.cancel()
        self._in_motion.latest.cancel()

    def close(self) -> None:
        """End the threads."""
        self._now.latest.stop()
        self._in_motion.latest.stop()


def pairs_at(contacts: Contacts, time: float) -> Contacts:
    """Return the contacts along a motion that there are at a time, without those that there always are."""
    passing = (each for each in contacts if not each.always)
    return tuple(each for each in passing if any(begin <= time <= end for begin, end in each.intervals))


def rows_of(contacts: Contacts) -> frozenset[int]:
    """Return the rows of the links of contacts, without the world."""
    return frozenset(row for contact in contacts for row in contact.rows if row >= 0)
