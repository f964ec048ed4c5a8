"""The motion strip below the joints: timeline with keyframes, joint sweep, and collisions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.context.topics import NO_MARKS, MotionMarks
from sdfviewer.gui.joints.collisions import (
    CollisionWatch,
    ContactList,
    Contacts,
    KnownContacts,
    TrackedContacts,
    rows_of,
)
from sdfviewer.gui.joints.motion_bar import MotionBar, MotionRuler, fill_keyframe_menu, fill_motion_menu
from sdfviewer.gui.joints.motion_plan import (
    MotionPlayer,
    Plan,
    describe_events,
    describe_time,
    in_unit,
    plan_sweep,
    plan_timeline,
    read_timeline,
    tip_of,
)
from sdfviewer.gui.kit.jobs import Background, Latest, delayed
from sdfviewer.gui.kit.labels import ElidedLines
from sdfviewer.gui.kit.widgets import column_of, styled
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.motion import Keyframe, Timeline
from sdfviewer.session.read_only import why_nothing_moves
from sdfviewer.session.saved_state import SavedPoses, SavedTimeline
from sdfviewer.session.session_change import SessionChange

if TYPE_CHECKING:
    from sdfviewer.scene.contacts import LinkContact

PLAN_MILLISECONDS = 120
"""How long after the last change a motion is worked out again."""
_BEYOND = 0.2
"""Part of the timeline that is shown behind its last keyframe."""


class MotionStrip(QWidget):
    """Plays keyframes or the sweep of a joint, and lists the links that collide."""

    def __init__(self, context: DocumentContext, settings: Settings, poses: SavedPoses) -> None:
        super().__init__()
        self._context, self._settings, self._poses = context, settings, poses
        self.saved = SavedTimeline(context.session, settings)
        self.player = MotionPlayer(context.session, self)
        self.watch = CollisionWatch(context.session, self)
        self._background = Background()
        self._plans = Latest(self._background)
        self._known = KnownContacts()
        self._soon = delayed(self, self._plan, PLAN_MILLISECONDS)
        self._actions: list[QAction] = []
        self._make_widgets()
        self._connect()
        self.hide()

    # --- widgets -----------------------------------------------------------------------------------------------

    def _make_widgets(self) -> None:
        column = column_of(parent=self, margins=(8, 2, 8, 4), spacing=2)
        self.bar = MotionBar()
        column.addWidget(self.bar)
        self.ruler = MotionRuler()
        column.addWidget(self.ruler)
        self._text = styled(ElidedLines("", 2), "muted")
        column.addWidget(self._text)
        self.list = ContactList()
        column.addWidget(self.list)

    def _connect(self) -> None:
        bar, ruler = self.bar, self.ruler
        bar.source.activated.connect(lambda _index: self._choose_source())
        bar.play.clicked.connect(lambda: self.player.play(not self.player.playing))
        bar.add.clicked.connect(self.add_keyframe)
        bar.trace.toggled.connect(lambda _on: self._plan())
        bar.collide.toggled.connect(self._watch_collisions)
        bar.menu.aboutToShow.connect(self._fill_menu)
        self.player.moved.connect(self._show_time)
        self.player.playing_changed.connect(bar.show_playing)
        self.watch.found_now.connect(self._take_now)
        self.watch.found_in_motion.connect(self._take_in_motion)
        ruler.sought.connect(self._seek)
        ruler.keyframe_moved.connect(lambda number, time: self.change(self.timeline.moved(number, time)))
        ruler.removal_wanted.connect(self._remove_keyframe)
        ruler.menu_wanted.connect(self._open_keyframe_menu)
        self.list.chosen.connect(self._select_pair)
        self._settings.changed.connect(self._show_motion)
        self._context.changed.connect(self._follow)

    def set_actions(self, actions: Iterable[QAction]) -> None:
        """Offer actions of the window in the menu."""
        self._actions = list(actions)

    # --- what is played ----------------------------------------------------------------------------------------

    @property
    def timeline(self) -> Timeline:
        """The keyframes."""
        return self.saved.timeline

    @property
    def contacts(self) -> Contacts:
        """The links that collide along the motion, as found so far."""
        return self._known.along or ()

    @property
    def swept(self) -> str | None:
        """Name of the degree of freedom that is swept, None where keyframes are played."""
        return self.bar.swept

    def sweep(self, name: str) -> None:
        """Choose the sweep of a degree of freedom."""
        self.bar.choose(name)
        self._choose_source()

    def change(self, timeline: Timeline) -> None:
        """Take other keyframes."""
        self.saved.set(timeline)
        self.bar.choose(None)
        self._show_keyframes()
        self._plan()

    def add_keyframe(self) -> None:
        """Add the joint positions as a keyframe: a second behind the last one, or between others where the time is."""
        keyframes, end = self.timeline.keyframes, self.timeline.end
        time = self.player.time if self.swept is None else end
        if keyframes and time >= end - 1e-6:
            time = end + 1.0
        self.player.time = time if keyframes else 0.0
        positions = dict(self._context.session.positions)
        self.change(self.timeline.with_keyframe(Keyframe(self.player.time, positions)))

    def read_states(self, path: Path, columns: Sequence[str] | None = None) -> None:
        """Take the joint states of a CSV file as keyframes; it is read in the background."""
        kinematics = self._context.session.kinematics
        if kinematics is None:
            return

        job = partial(read_timeline, path, kinematics, columns)
        self._background.run(job, self._take_states, lambda error: self._context.messages.refuse(str(error)))

    def _take_states(self, answer: tuple[Timeline, str]) -> None:
        timeline, text = answer
        self.change(timeline)
        self._context.messages.show(text)

    def use_saved_poses(self) -> None:
        """Put all saved poses behind the keyframes, a second from each to the next."""
        timeline = self.timeline
        for name, positions in self._poses.all().items():
            time = timeline.end + 1.0 if timeline.keyframes else 0.0
            timeline = timeline.with_keyframe(Keyframe(time, dict(positions), name))
        self.change(timeline)

    def setVisible(self, visible: bool) -> None:
        """Show or hide the strip; what is hidden moves and marks nothing."""
        super().setVisible(visible)
        if visible:
            self._fill_sources()
            self._plan()
            self._watch_collisions(self.bar.collide.isChecked())
        else:
            self.player.play(False)
            self.watch.cancel()
            self._context.motion.mark(NO_MARKS)

    def close_threads(self) -> None:
        """End the threads."""
        self.watch.close()
        self._background.stop()

    def _fill_sources(self) -> None:
        kinematics = self._context.session.kinematics
        dofs = kinematics.dofs if kinematics is not None else ()
        top = kinematics.model.names[0] if kinematics is not None else ""
        self.bar.show_sources((dof.name for dof in dofs if dof.leader is None), top)
        self._show_keyframes()

    def _choose_source(self) -> None:
        self.player.play(False)
        self._show_keyframes()
        self._take_plan(None)
        self._plan()

    def _traced_row(self) -> int | None:
        """Return the row of the frame whose way is drawn: the selected one, or the tip of what is swept."""
        session, kinematics = self._context.session, self._context.session.kinematics
        if kinematics is None or not self.bar.trace.isChecked():
            return None
        row = session.selected_row
        if row is not None and kinematics.model.kinds[row] is not Kind.JOINT:
            return row
        column = self._column()
        return None if column is None else tip_of(kinematics, column)

    def _column(self) -> int | None:
        """Return the column of the degree of freedom that is swept, of the first one where keyframes are played."""
        kinematics = self._context.session.kinematics
        names = [dof.name for dof in kinematics.dofs] if kinematics is not None else []
        if self.swept is None:
            return 0 if names else None
        return names.index(self.swept) if self.swept in names else None

    def _plan(self) -> None:
        """Work the motion out in the background."""
        self._soon.stop()
        session = self._context.session
        kinematics, column = session.kinematics, self._column()
        if not self.isVisible() or kinematics is None or column is None:
            self._plans.cancel()
            self._take_plan(None)
            return
        traced, swept, timeline = self._traced_row(), self.swept is not None, self.timeline
        if self.player.plan is not None and self.player.plan.sweep is not None and swept:
            q = self.player.plan.sweep.q if self.player.playing else kinematics.positions(session.positions)
        else:
            q = kinematics.positions(session.positions)

        def work() -> Plan | None:
            if swept:
                return plan_sweep(kinematics, q, column, traced)
            return plan_timeline(kinematics, timeline, traced)

        self._plans.run(work, self._take_plan)

    def _take_plan(self, plan: Plan | None) -> None:
        kinematics = self._context.session.kinematics
        if plan is not None and plan.sweep is not None and plan.sweep.kinematics is not kinematics:
            return  # the file has changed meanwhile
        self.player.set_plan(plan)
        if plan is not None and plan.sweep is not None and not self.player.playing:
            value = plan.sweep.q[plan.sweep.column]
            order = np.sign(plan.sweep.last - plan.sweep.first) or 1.0
            self.player.time = float(np.interp(order * value, order * plan.sweep.values, plan.trajectory.times))
        self._known.along = None
        self._show_motion()
        self._mark()
        if plan is not None and self.bar.collide.isChecked():
            self.watch.test_motion(plan)

    def _follow(self, change: SessionChange) -> None:
        self.saved.follow(change)
        if not self.isVisible():
            return
        if change.document:
            self.player.play(False)
            self._known.clear()
            self._context.motion.mark(NO_MARKS)
            self._fill_sources()
            self._soon.start()
        if change.selection and self.bar.trace.isChecked():
            self._soon.start()
        if change.joints or change.document:
            is_own = change.origin is self.player
            if self.bar.collide.isChecked() and (self._known.along is None or not is_own):
                self.watch.test_now()
            else:
                self.watch.lose_track()
            if change.joints and not is_own and self.swept is not None and not self.player.playing:
                # The rest of the robot has moved, so the sweep must be computed again.
                self._soon.start()

    # --- showing -----------------------------------------------------------------------------------------------

    def _place(self, time: float) -> str:
        return describe_time(self.player.plan, time, self._settings.angle_unit)

    def _show_keyframes(self) -> None:
        keyframes = self.timeline.keyframes if self.swept is None else ()
        names = [each.name or f"Keyframe {number + 1}" for number, each in enumerate(keyframes)]
        self.ruler.show_keyframes([each.time for each in keyframes], names)

    def _show_motion(self) -> None:
        plan = self.player.plan
        if plan is None:
            self.ruler.show_range(0.0, 1.0, (0.0, 1.0, "s"))
        elif plan.sweep is None:
            end = max(plan.trajectory.end * (1.0 + _BEYOND), plan.trajectory.end + 0.5)
            self.ruler.show_range(0.0, end, (0.0, end, "s"))
        else:
            ends = (plan.sweep.first, plan.sweep.last)
            (low, unit), (high, _) = (in_unit(plan.sweep, end, self._settings.angle_unit) for end in ends)
            self.ruler.show_range(plan.trajectory.start, plan.trajectory.end, (low, high, unit))
        self.bar.play.setEnabled(plan is not None and plan.trajectory.end > plan.trajectory.start)
        row = self._traced_row()
        model = self._context.session.model
        traced = "" if row is None or model is None else f" of {model.names[row]}"
        self.bar.trace.setToolTip(f"Draw the path{traced or ' of the selected frame'} as a curve")
        self._show_time(self.player.time)
        self._show_contacts()

    def _show_time(self, time: float) -> None:
        self.ruler.show_time(time)
        self._text.set_full_text(self._summary())
        if self._known.along is not None and self.bar.collide.isChecked():
            before = self._known.now
            self._known.seek(time)
            if self._known.now != before:
                self._show_now()

    def _summary(self) -> str:
        plan = self.player.plan
        is_watched = self.bar.collide.isChecked()
        if plan is None and not is_watched:
            kinematics = self._context.session.kinematics
            if kinematics is None or not kinematics.dofs:
                return why_nothing_moves(self._context.session)
            if self.swept is not None:
                return "Computing the sweep…"
            return "Add a keyframe, move the joints, add the next."
        parts = [] if plan is None else [self._place(self.player.time), *self._details()]
        if is_watched:
            parts.insert(min(len(parts), 1), self._known.summary())
        return "  ·  ".join(parts)

    def _details(self) -> list[str]:
        return describe_events(self.player.plan, self._settings.angle_unit)

    def _mark(self) -> None:
        plan = self.player.plan
        lit = rows_of(self._known.now) if self.bar.collide.isChecked() else frozenset[int]()
        self._context.motion.mark(MotionMarks(None if plan is None else plan.path, lit))

    # --- collisions --------------------------------------------------------------------------------------------

    def _watch_collisions(self, on: bool) -> None:
        self._known.clear()
        if on and self.isVisible():
            self.watch.test_now()
            if self.player.plan is not None:
                self.watch.test_motion(self.player.plan)
        else:
            self.watch.cancel()
        self._mark()
        self._show_motion()

    def _take_now(self, tracked: TrackedContacts) -> None:
        """Show what collides at the current positions, with where it began."""
        if not self.bar.collide.isChecked() or not self.isVisible():
            return
        before = self._known.now
        if self._known.track(tracked):
            self._show_contacts()
            self._text.set_full_text(self._summary())
        if self._known.now != before:
            self._show_now()

    def _take_in_motion(self, contacts: Contacts) -> None:
        if self.bar.collide.isChecked() and self.isVisible():
            self._known.along = contacts
            self._show_contacts()
            self._text.set_full_text(self._summary())

    def _show_now(self) -> None:
        """Highlight the links that collide now."""
        self._mark()
        self._text.set_full_text(self._summary())
        self.list.mark(self._known.now)

    def _show_contacts(self) -> None:
        """List the pairs along the motion with where they begin; those that collide now until that is known."""
        on, known, unit = self.bar.collide.isChecked(), self._known, self._settings.angle_unit
        self.ruler.show_bands(known.bands if on else ())
        model = self._context.session.model
        prefix = f"{model.names[0]}::" if model is not None else ""
        listed = known.listed if on else ()
        self.list.show_contacts(listed, prefix, lambda contact: known.begins(contact, prefix, self._place, unit))
        self.list.mark(known.now)

    def _select_pair(self, contact: LinkContact) -> None:
        """Select the links of a pair, and go to where they begin to collide."""
        known = [name for name in (contact.first, contact.second) if name != "world"]
        self._context.session.select(known, self)
        if self._known.along is not None and not contact.always:
            self._seek(contact.begins)

    def _seek(self, time: float) -> None:
        self.player.play(False)
        self.player.seek(time)

    # --- menus -------------------------------------------------------------------------------------------------

    def _remove_keyframe(self) -> None:
        if 0 <= self.ruler.selected < len(self.timeline.keyframes):
            self.change(self.timeline.without(self.ruler.selected))

    def _open_keyframe_menu(self, number: int, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_keyframe_menu(menu, number)
        menu.popup(at)

    def fill_keyframe_menu(self, menu: QMenu, number: int) -> None:
        """Offer what can be done with a keyframe; with none, what adds some."""
        if self.swept is None and 0 <= number < len(self.timeline.keyframes):
            fill_keyframe_menu(menu, self.timeline, number, self._context.session.positions, self.change)
        menu.addAction("Add Keyframe").triggered.connect(self.add_keyframe)

    def _fill_menu(self) -> None:
        fill_motion_menu(
            self.bar.menu,
            repeats=self.player.repeats,
            set_repeats=lambda on: setattr(self.player, "repeats", on),
            add_saved_poses=self.use_saved_poses if self._poses.all() else None,
            remove_all=(lambda: self.change(Timeline())) if self.timeline.keyframes else None,
            actions=self._actions,
        )
