"""The links that collide, computed in the background: at the current positions, during a motion, and their list."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from sdfviewer.gui.joints.motion_plan import Plan, describe_collisions, describe_onset
from sdfviewer.gui.kit.fields import AngleUnit
from sdfviewer.gui.kit.jobs import Latest
from sdfviewer.gui.kit.widgets import named
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.scene.loader import MeshLoader
from sdfviewer.session.session import Session

if TYPE_CHECKING:
    from sdfviewer.scene.collisions import CollisionChecker
    from sdfviewer.scene.contacts import ContactTracker, LinkContact, TrackedContact


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
        from sdfviewer.scene.collisions import Cancelled, CollisionChecker  # noqa: PLC0415

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
                from sdfviewer.scene.contacts import ContactTracker  # noqa: PLC0415

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
                from sdfviewer.scene.contacts import contacts_along  # noqa: PLC0415

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


_HEIGHT = 80
_LEAST_HEIGHT = 24
"""Pixels of height of one pair, on a small screen."""


class ContactList(QListWidget):
    """Pairs of links, those that collide now in bold; hidden where there are none."""

    #: A pair was selected: its `LinkContact`.
    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        named(self, "Links that collide", "")
        self.setMaximumHeight(_HEIGHT)
        self.setMinimumHeight(_LEAST_HEIGHT)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrap(True)  # rather than cut the names of a pair
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.itemSelectionChanged.connect(self._choose)
        self.hide()

    def show_contacts(self, contacts: Contacts, prefix: str, place: Callable[[LinkContact], str]) -> None:
        """List contacts.

        Parameters
        ----------
        contacts
            The pairs, in their order.
        prefix
            What is left out of their names.
        place
            Returns where a pair begins to collide, in words; empty where that is not known.
        """
        with QSignalBlocker(self):
            self.clear()
            for contact in contacts:
                text = " – ".join(name.removeprefix(prefix) for name in (contact.first, contact.second))
                where = place(contact)
                # What always collides begins nowhere.
                item = QListWidgetItem(f"{text}, {where}" if contact.always else f"{where}  {text}" if where else text)
                item.setData(Qt.ItemDataRole.UserRole, contact)
                item.setToolTip(f"{contact.first}\n{contact.second}")
                self.addItem(item)
        self.setVisible(bool(contacts))

    def mark(self, now: Contacts) -> None:
        """Print the pairs that collide now in bold."""
        rows = {contact.rows for contact in now}
        for number in range(self.count()):
            item = self.item(number)
            font = item.font()
            font.setBold(item.data(Qt.ItemDataRole.UserRole).rows in rows)
            item.setFont(font)

    def _choose(self) -> None:
        for item in self.selectedItems()[:1]:
            self.chosen.emit(item.data(Qt.ItemDataRole.UserRole))


class KnownContacts:
    """The pairs of links that collide. What always collides is listed last, and is no news anywhere else.

    Attributes
    ----------
    along
        The pairs along the motion, None until they are known.
    now
        The pairs at the current positions, without those that always collide.
    """

    def __init__(self) -> None:
        self.along: Contacts | None = None
        self.now: Contacts = ()
        self._tracked: TrackedContacts | None = None

    def clear(self) -> None:
        """Forget all pairs."""
        self.along, self.now, self._tracked = None, (), None

    def track(self, tracked: TrackedContacts) -> bool:
        """Take the pairs at the current positions; return whether others are listed now."""
        self.now = tuple(each.contact for each in tracked if not each.contact.always)
        is_news = self.along is None and tracked != self._tracked
        self._tracked = tracked
        return is_news

    def seek(self, time: float) -> None:
        """Take the pairs at a time of the motion as those of now."""
        if self.along is not None:
            self.now = pairs_at(self.along, time)

    @property
    def listed(self) -> Contacts:
        """The pairs in the order of the list: along the motion, else those of now with the latest first."""
        if self.along is None:
            return tuple(each.contact for each in self._tracked or ())
        return tuple(sorted(self.along, key=lambda each: each.always))

    @property
    def bands(self) -> list[tuple[float, float]]:
        """The times of the motion at which something collides that does not always."""
        return [band for each in self.along or () if not each.always for band in each.intervals]

    def summary(self) -> str:
        """Return in words how many pairs collide now, or that this is not known yet."""
        if self.along is None and self._tracked is None:
            return "checking for collisions…"
        known = sum(each.always for each in self.listed)
        return describe_collisions(len(self.now), known, always=self.along is not None)

    def begins(self, contact: LinkContact, prefix: str, place: Callable[[float], str], unit: AngleUnit) -> str:
        """Return in words where a pair begins to collide; empty where that is not known.

        Names are shown without `prefix`, and `place` gives a time of the motion in words.
        """
        if contact.always:
            return "also at zero" if self.along is None else "always"
        if self.along is not None:
            return "from the start" if contact.from_start else f"from {place(contact.begins)}"
        onset = next((each.onset for each in self._tracked or () if each.contact.rows == contact.rows), None)
        return "" if onset is None else f"from {describe_onset(onset, prefix, unit)}"
