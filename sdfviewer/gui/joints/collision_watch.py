"""Computes colliding links in the background, at the current positions and during a motion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from sdfviewer.gui.context.background import Background
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.joints.motion_plan import Plan
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.scene.collision.checker import Cancelled, CollisionChecker
from sdfviewer.scene.collision.contacts import LinkContact, contacts_along
from sdfviewer.scene.collision.tracking import ContactTracker, TrackedContact
from sdfviewer.scene.loader import MeshLoader

Contacts = tuple[LinkContact, ...]
TrackedContacts = tuple[TrackedContact, ...]
_Answer = TypeVar("_Answer")


class _Lane(Generic[_Answer]):
    """A thread that answers the latest question only."""

    def __init__(self, loader: MeshLoader, answer: Callable[[_Answer], object]) -> None:
        self._loader = loader
        self._answer = answer
        self._background: Background | None = None
        self._checker: CollisionChecker | None = None
        self._asked = 0
        self._busy = False
        self._waiting: tuple[Kinematics, Callable[[CollisionChecker], _Answer]] | None = None

    def ask(self, kinematics: Kinematics, question: Callable[[CollisionChecker], _Answer], *, now: bool) -> None:
        """Ask a question in place of those before; with `now` the one that is at work is given up."""
        if now:
            self._asked += 1
        if self._busy:
            self._waiting = (kinematics, question)
            return
        if self._background is None:
            self._background = Background()
        self._busy = True
        number = self._asked
        self._background.run(lambda: self._work(kinematics, question, number), self._deliver)

    def cancel(self) -> None:
        """Give up what was asked."""
        self._asked += 1
        self._waiting = None

    def close(self) -> None:
        """End the thread."""
        self.cancel()
        if self._background is not None:
            self._background.stop()

    def _work(
        self, kinematics: Kinematics, question: Callable[[CollisionChecker], _Answer], number: int
    ) -> tuple[int, _Answer | None]:
        """Answer a question in the thread; None if the answer is no longer needed."""
        background = self._background

        def stopped() -> bool:
            return number != self._asked or (background is not None and background.is_stopped)

        checker = self._checker
        if checker is None or checker.kinematics is not kinematics:
            checker = self._checker = CollisionChecker(kinematics, self._loader)
        checker.stopped = stopped
        try:
            return number, question(checker)
        except Cancelled:
            return number, None

    def _deliver(self, answer: tuple[int, _Answer | None]) -> None:
        self._busy = False
        number, contacts = answer
        if self._waiting is not None:
            kinematics, question = self._waiting
            self._waiting = None
            self.ask(kinematics, question, now=False)
        if contacts is not None and number == self._asked:
            self._answer(contacts)


class CollisionWatch(QObject):
    """Tests the links of one file against each other, at the present positions and along a motion."""

    #: The `TrackedContact`s at the current joint positions.
    found_now = Signal(tuple)
    #: The `LinkContact`s along the motion; places are seconds.
    found_in_motion = Signal(tuple)

    def __init__(self, context: DocumentContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        loader = MeshLoader(context.session.finder)
        self._tracker = ContactTracker()
        self._now = _Lane[TrackedContacts](loader, self.found_now.emit)
        self._in_motion = _Lane[Contacts](loader, self.found_in_motion.emit)

    def test_now(self) -> None:
        """Test the present joint positions; a test that is at work is finished first."""
        session = self._context.session
        kinematics = session.kinematics
        if kinematics is not None:
            q = kinematics.positions(session.positions)
            self._now.ask(kinematics, lambda checker: self._tracker.follow(checker, q), now=False)

    def lose_track(self) -> None:
        """The joints are moved by what is not tested one by one."""
        self._tracker.lose()

    def test_motion(self, plan: Plan) -> None:
        """Test a motion in place of the one before."""
        kinematics = self._context.session.kinematics
        if kinematics is not None:

            def question(checker: CollisionChecker) -> Contacts:
                times, q = plan.samples
                return contacts_along(checker, times, q)

            self._in_motion.ask(kinematics, question, now=True)

    def cancel(self) -> None:
        """Give up all tests."""
        self.lose_track()
        self._now.cancel()
        self._in_motion.cancel()

    def close(self) -> None:
        """End the threads."""
        self._now.close()
        self._in_motion.close()


def pairs_at(contacts: Contacts, time: float) -> Contacts:
    """Return the contacts along a motion that there are at a time, without those that there always are."""
    passing = (each for each in contacts if not each.always)
    return tuple(each for each in passing if any(begin <= time <= end for begin, end in each.intervals))


def rows_of(contacts: Contacts) -> frozenset[int]:
    """Return the rows of the links of contacts, without the world."""
    return frozenset(row for contact in contacts for row in contact.rows if row >= 0)
