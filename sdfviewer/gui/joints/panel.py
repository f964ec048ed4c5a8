"""The joints panel: a slider and a number box for each degree of freedom."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QInputDialog, QMenu, QPushButton, QSizePolicy, QSlider, QToolButton, QWidget

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.joints.joint_list import JointList
from sdfviewer.gui.joints.joint_rows import JointRow, ListedDof, listed_dofs
from sdfviewer.gui.joints.loops import Loops
from sdfviewer.gui.joints.motion_plan import SWEEP_SAMPLES, SWEEP_SECONDS, Plan
from sdfviewer.gui.joints.motion_strip import MotionStrip
from sdfviewer.gui.kit.commands import SAVE_POSE, tooltip
from sdfviewer.gui.kit.fields import LineEdit
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.kit.labels import ElidedLabel
from sdfviewer.gui.kit.widgets import column_of, named, row_of, set_menu, styled
from sdfviewer.model.kinematics.motion import Trajectory
from sdfviewer.number_text import counted
from sdfviewer.session.read_only import why_nothing_moves
from sdfviewer.session.saved_state import SavedPoses
from sdfviewer.session.session_change import SessionChange


class SavedPosesButton(QToolButton):
    """A button with a menu of the saved poses of a file.

    Attributes
    ----------
    poses
        The saved poses.
    """

    #: Positions that the user requested, by scoped joint name.
    chosen = Signal(dict)

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__()
        self._context = context
        self.poses = SavedPoses(context.session, settings)
        context.changed.connect(self.poses.follow)
        named(self, "Saved poses", tooltip("Restore saved joint positions, or save the current ones", SAVE_POSE.keys))
        self.setIcon(icon("mdi6.bookmark-outline"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click would leave a frame around it
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.aboutToShow.connect(self.fill)
        set_menu(self, menu)

    def fill(self) -> None:
        """List the saved poses in the menu."""
        menu = self.menu()
        menu.clear()
        poses = self.poses.all()
        for name, positions in poses.items():
            go = menu.addAction(icon("mdi6.bookmark-outline"), name.replace("&", "&&"))
            go.triggered.connect(lambda _=False, positions=positions: self.chosen.emit(positions))
        self._fill_states(menu)
        if not menu.isEmpty():
            menu.addSeparator()
        save = menu.addAction(icon("mdi6.bookmark-plus-outline"), "Save Pose…")
        save.triggered.connect(self.ask)
        save.setEnabled(self.poses.can_save)
        if poses:
            remove = menu.addMenu("Remove")
            for name in poses:
                action = remove.addAction(name.replace("&", "&&"))
                action.triggered.connect(lambda _=False, name=name: self.poses.remove(name))

    def _fill_states(self, menu: QMenu) -> None:
        """List the states of the groups in the SRDF files beside a robot."""
        session = self._context.session
        kinematics = session.kinematics
        if kinematics is None:
            return
        from sdfviewer.session.semantics import semantics_of  # noqa: PLC0415  # few files have any

        for semantics in semantics_of(session):
            states = [(state, semantics.positions(kinematics, state)) for state in semantics.states]
            if any(positions for _, positions in states):
                menu.addSection(Path(semantics.document.name).name)
            for state, positions in states:
                if positions:
                    text = f"{state.name} ({state.group})".replace("&", "&&")
                    go = menu.addAction(icon("mdi6.bookmark-outline"), text)
                    go.triggered.connect(lambda _=False, positions=positions: self.chosen.emit(positions))

    def ask(self) -> None:
        """Ask for a name and save the positions under it."""
        if not self.poses.can_save:
            self._context.messages.refuse("Save the file first: saved poses belong to a file.")
            return
        number = len(self.poses.all()) + 1
        name, given = QInputDialog.getText(self, "Save Pose", "Name", text=f"pose {number}")
        if given and name.strip():
            self.poses.save(name.strip())
            where = "The button with the bookmark, above the joints, goes back to it."
            self._context.messages.show(f"Saved pose “{name.strip()}”. {where}")


MANY_JOINTS = 500
LATER_MILLISECONDS = 40
"""With more joints than this, and so long after an edit, the panel follows."""
SWEEP_MILLISECONDS = 16
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0)
_IN_STRIP = ("joints.read_states", "joints.save_states", "joints.record")
"""Actions that are in the menu of the motion strip."""
MANY = 9
"""With so many sliders or more, there is a filter."""


class OutsideBar(QWidget):
    """Says how many joints are outside of their limits, in sight only where there are some.

    Parameters
    ----------
    move_inside
        Moves them to their limits.
    """

    def __init__(self, move_inside: Callable[[], None]) -> None:
        super().__init__()
        self.text = ElidedLabel(elide=Qt.TextElideMode.ElideRight)
        self.button = QPushButton("Move Inside")
        self.button.setToolTip("Move each joint that is outside of its limits to the nearer one")
        self.button.clicked.connect(move_inside)
        row_of((self.text, 1), self.button, parent=self, margins=(8, 0, 8, 4), spacing=8)
        self.hide()

    def show_count(self, joints: int) -> None:
        """Say how many joints there are."""
        if joints:
            self.text.set_full_text(f"{counted(joints, 'joint')} outside {'its' if joints == 1 else 'their'} limits")
        self.setVisible(bool(joints))


class JointsPanel(QWidget):
    """All degrees of freedom of one file."""

    #: Sweeping began or ended.
    sweep_changed = Signal(bool)
    #: The motion strip should be shown.
    motion_wanted = Signal()

    def __init__(self, context: DocumentContext, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.settings, self._unit = settings, settings.angle_unit
        self.limits_lifted = False
        self._sweep = QTimer(self, interval=SWEEP_MILLISECONDS)
        self._sweep.timeout.connect(self.step_sweep)
        self._phase = 0.0
        self._soon = delayed(self, self._rebuild, LATER_MILLISECONDS)
        column = column_of(parent=self, margins=0, spacing=0)
        self._bar = row_of(margins=(8, 4, 8, 4), spacing=4)
        column.addLayout(self._bar)
        self._list = JointList(self._make_row, context.later)
        column.addWidget(self._list, 1)
        self._count = styled(ElidedLabel(elide=Qt.TextElideMode.ElideRight), "muted")
        self._bar.addWidget(self._count, 1)
        self._bar.addStretch()
        self.speed = 1.0
        self._speed = self._make_speed()
        self.kept = SavedPosesButton(context, settings)
        self.kept.setIconSize(QSize(16, 16))
        self.kept.chosen.connect(self.go_to)
        self.filter = named(LineEdit(), "Find a joint", "Show only the joints whose names match")
        self.filter.setPlaceholderText("Find a joint")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._list.filter)
        self.outside = OutsideBar(self.move_inside)
        self._finder = row_of((self.filter, 1), margins=(8, 0, 8, 4), spacing=8)
        column.insertWidget(1, self.outside)
        column.insertLayout(2, self._finder)
        self.loops = Loops(context, settings, self)
        column.addWidget(self.loops)
        self.motion = MotionStrip(context, settings, self.kept.poses)
        column.addWidget(self.motion)
        context.changed.connect(self._follow)
        context.motion.held_joints_changed.connect(self._show_held)
        settings.changed.connect(self._show_other_unit)
        self._dofs: tuple[ListedDof, ...] | None = None
        self._order: dict[str, int] = {}
        self._joints: set[str] = set()
        self._outside: list[ListedDof] = []
        self._shown = np.zeros(0)
        self._build()

    @property
    def rows(self) -> dict[str, JointRow]:
        """The rows that have been made, by the names of their degrees of freedom."""
        return self._list.rows

    def set_actions(self, actions: Iterable[QAction]) -> None:
        """Show actions of the window as buttons above the sliders."""
        given = list(actions)
        self.motion.set_actions(action for action in given if action.objectName() in _IN_STRIP)
        for action in given:
            if action.objectName() in _IN_STRIP:
                continue
            button = named(QToolButton(), action.text())
            button.setIconSize(QSize(16, 16))
            button.setDefaultAction(action)
            # Saved poses and the speed have their own buttons.
            if action.objectName() == "joints.save_pose":
                self._bar.addWidget(self.kept)
            elif action.objectName() != "joints.close_loops":
                self._bar.addWidget(button)
            if action.objectName() == "joints.sweep":
                self._bar.addWidget(self._speed)
        self._place_count()

    def _make_speed(self) -> QToolButton:
        """Return the button that chooses how fast a sweep is."""
        button = named(
            QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup),
            "Speed of the sweep",
            "Speed of the joints during a sweep",
        )
        menu = QMenu(button)
        for speed in SPEEDS:
            menu.addAction(f"{speed:g}×").triggered.connect(lambda _=False, speed=speed: self.set_speed(speed))
        set_menu(button, menu)
        button.setText("1×")
        return button

    def set_speed(self, speed: float) -> None:
        """Sweep faster or slower, from where the joints are."""
        self.speed = speed
        self._speed.setText(f"{speed:g}×")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_height()
        self._place_count()

    def _place_count(self) -> None:
        """Put the number of degrees of freedom before the buttons, or below them where all of it has no room."""
        widgets = [
            item.widget() for number in range(self._bar.count()) if (item := self._bar.itemAt(number)) is not None
        ]
        buttons = [widget.sizeHint().width() for widget in widgets if widget not in (None, self._count)]
        margins = self._bar.contentsMargins()
        needed = self._count.fontMetrics().horizontalAdvance(self._count.full_text) + 1
        taken = sum(buttons) + (len(buttons) + 1) * self._bar.spacing() + margins.left() + margins.right()
        is_beside = taken + needed <= self.width()
        self._count.setMinimumWidth(0 if is_beside else needed)
        policy = QSizePolicy.Policy.Ignored if is_beside else QSizePolicy.Policy.Minimum
        self._count.setSizePolicy(policy, QSizePolicy.Policy.Preferred)
        if is_beside != (self._bar.indexOf(self._count) >= 0):
            (self._finder if is_beside else self._bar).removeWidget(self._count)
            if is_beside:
                self._bar.insertWidget(0, self._count, 1)
            else:
                self._finder.addWidget(self._count)

    def _share_height(self) -> None:
        """Leave the sliders the room that the motion strip takes, by listing no loops."""
        strip = 0 if self.motion.isHidden() else self.motion.sizeHint().height()
        self.loops.list_in(self.height() - strip)

    # --- rows ------------------------------------------------------------------------------------------------------

    def _follow(self, change: SessionChange) -> None:
        if change.document:
            model = self.context.session.model
            if model is not None and len(model.joints) > MANY_JOINTS:
                # Show the edited joint first; thousands of sliders follow.
                self._soon.start()
            else:
                self._rebuild()
        elif self._soon.isActive():
            return
        if change.joints:
            moved = self._show_positions()
            if change.origin is not None and self._dofs is not None and len(moved) == 1:  # in the 3D view
                self._list.reveal(self._dofs[moved[0]].joint)
        if change.selection:
            self._mark_selection()

    def _rebuild(self) -> None:
        """Show the joints of the model as it is now."""
        # First, because the positions, which are shown last, show the gaps of the loops.
        self.loops.rebuild()
        self._build()
        self._mark_selection()

    def _mark_selection(self) -> None:
        """Mark the selected joints, and scroll to the one selected last."""
        selection = self.context.session.selection
        for row in self.rows.values():
            row.mark(row.dof.joint in selection)
        if selection:
            self._list.reveal(selection[-1] if selection[-1] in self._joints else self._joint_moving(selection[-1]))

    def _joint_moving(self, name: str) -> str:
        """Return the scoped name of the nearest joint in the list that moves a frame, empty if there is none."""
        kinematics = self.context.session.kinematics
        row = None if kinematics is None else kinematics.model.rows_by_name.get(name)
        if kinematics is None or row is None:
            return ""
        above = (kinematics.model.names[joint.row] for joint in kinematics.joints_above(row))
        return next((joint for joint in above if joint in self._joints), "")

    def _make_row(self, dof: ListedDof) -> JointRow:
        """Return the row of a degree of freedom as it is now."""
        row = JointRow(self, dof)
        row.slider.installEventFilter(self)
        row.show_unit()
        row.show_held()
        row.mark(dof.joint in self.context.session.selection)
        place = self._order[dof.name]
        if place < len(self._shown):
            row.show_position(float(self._shown[place]))
        row.show_outside(dof in self._outside)
        return row

    def _build(self) -> None:
        dofs = listed_dofs(self.context.session)
        self._list.say_absence("" if dofs else why_nothing_moves(self.context.session))
        if dofs == self._dofs:
            self._show_positions()
            return
        self._dofs = dofs
        self._joints = {dof.joint for dof in dofs}
        self._order = {dof.name: place for place, dof in enumerate(dofs)}
        self._shown = np.zeros(0)
        is_filtered = len(dofs) >= MANY
        self.filter.setVisible(is_filtered)
        if not is_filtered:
            self.filter.clear()
        self._list.show_dofs(dofs, self.filter.text())
        kinematics = self.context.session.kinematics
        driven = 0 if kinematics is None else kinematics.degrees_of_freedom
        followers = len(dofs) - driven
        follow = f", {followers} follower{'s' if followers != 1 else ''}" if followers else ""
        self._count.set_full_text(f"{driven} DoF")  # the buttons beside it leave no room for more
        self._place_count()
        self._count.setToolTip(f"{driven} degree{'s' if driven != 1 else ''} of freedom{follow}")
        self._show_positions()

    def _show_held(self) -> None:
        for row in self.rows.values():
            row.show_held()

    def _show_other_unit(self) -> None:
        if self._unit is not self.settings.angle_unit:
            self._show_units()

    def _show_units(self) -> None:
        self._unit = self.settings.angle_unit
        for row in self.rows.values():
            row.show_unit()
        self._shown = np.zeros(0)
        self._show_positions()

    def _show_positions(self) -> list[int]:
        """Show where the joints are; return the places of the degrees of freedom that have moved."""
        session = self.context.session
        if session.kinematics is None:
            self._show_outside([])
            return []
        q = session.kinematics.positions(session.positions)
        # Repaint only the sliders that have moved.
        before, self._shown = self._shown, q
        for name, row in self.rows.items():
            place = self._order[name]
            if place >= len(before) or before[place] != q[place]:
                row.show_position(float(q[place]))
        self.loops.show_gaps()
        self._show_outside(session.kinematics.outside_limits(q))
        return np.flatnonzero(before != q).tolist() if len(before) == len(q) else []

    def _show_outside(self, places: list[int]) -> None:
        """Say how many joints are outside of their limits, and mark their rows."""
        outside = set(places)
        for name, row in self.rows.items():
            row.show_outside(self._order[name] in outside)
        dofs = self._dofs or ()
        self._outside = [dofs[place] for place in places if place < len(dofs)]
        self.outside.show_count(len({dof.joint for dof in self._outside}))

    def move_inside(self) -> None:
        """Move each joint that is outside of its limits to the nearer one."""
        kinematics = self.context.session.kinematics
        if kinematics is None:
            return
        q = kinematics.positions(self.context.session.positions)
        places = {dof: float(q[self._order[dof.name]]) for dof in self._outside}
        self._move_all({dof: min(max(at, dof.lower), dof.upper) for dof, at in places.items()})

    # --- moving ----------------------------------------------------------------------------------------------------

    def put(self, dof: ListedDof, position: float) -> None:
        """Put one degree of freedom somewhere."""
        self._move_all({dof: position})

    def _move_all(self, positions: Mapping[ListedDof, float]) -> None:
        """Put some degrees of freedom somewhere; the other axes of their joints stay."""
        self.context.session.move_joints(self._with(positions))

    def _with(self, positions: Mapping[ListedDof, float]) -> dict[str, tuple[float, ...]]:
        """Return the positions of the joints of some degrees of freedom, with those of their other axes."""
        session = self.context.session
        values: dict[str, list[float]] = {}
        for dof, position in positions.items():
            if dof.follows:
                continue
            joint = values.setdefault(dof.joint, list(session.positions.get(dof.joint, ())))
            joint += [0.0] * (dof.axis + 1 - len(joint))
            joint[dof.axis] = position
        return {name: tuple(numbers) for name, numbers in values.items()}

    def sweep_joint(self, dof: ListedDof) -> None:
        """Sweep one degree of freedom in the motion strip, which opens for it."""
        self.motion_wanted.emit()
        self.motion.sweep(dof.name)

    def reset(self) -> None:
        """Put all joints at zero."""
        self.sweep(False)
        self.context.session.reset_joints()

    def close_loops(self) -> None:
        """Move the joints as little as it takes to close all loops."""
        self.loops.close_all()

    def save_pose(self) -> None:
        """Ask for a name and keep the joint positions under it."""
        self.kept.ask()

    def go_to(self, positions: object) -> None:
        """Put all joints where they were when a pose was kept; joints of other names are passed over."""
        session = self.context.session
        if not isinstance(positions, dict) or session.kinematics is None:
            return
        self.sweep(False)
        known = {dof.joint.name for dof in session.kinematics.dofs}
        zeros = {name: (0.0,) * len(values) for name, values in session.positions.items()}
        session.move_joints({**zeros, **{name: values for name, values in positions.items() if name in known}})

    def randomise(self) -> None:
        """Put every joint somewhere within its limits."""
        generator = np.random.default_rng()
        self._move_all({dof: float(generator.uniform(*dof.bounds(False))) for dof in self._dofs or ()})

    def show_motion(self, on: bool) -> None:
        """Show or hide the motion strip."""
        self.motion.setVisible(on)
        self._share_height()

    @property
    def height_with_motion(self) -> int:
        """How high the panel has to be for some sliders above the motion strip."""
        return self.motion.sizeHint().height() + 8 * self.motion.fontMetrics().height() * 2 + 110

    def close_threads(self) -> None:
        """End what runs in the background."""
        self.motion.close_threads()

    def sweep(self, on: bool) -> None:
        """Start or stop moving every joint from limit to limit; what the motion strip plays stops either way."""
        self.motion.player.play(False)
        if on == self.sweeping:
            return
        self._phase = 0.0
        if on:
            self._sweep.start()
        else:
            self._sweep.stop()
        self.sweep_changed.emit(on)

    @property
    def sweeping(self) -> bool:
        """Whether the joints are moving by themselves."""
        return self._sweep.isActive()

    def step_sweep(self) -> None:
        self._phase += self.speed * SWEEP_MILLISECONDS / 1000 / SWEEP_SECONDS
        self._move_all(self._swept(self._phase))

    def _swept(self, phase: float) -> dict[ListedDof, float]:
        """Return where the sweep has each degree of freedom after a number of rounds."""
        # Start at zero, so that all limits are reached without a jump.
        wave = math.sin(2 * math.pi * phase)
        positions: dict[ListedDof, float] = {}
        for dof in self._dofs or ():
            low, high = dof.bounds(False)
            positions[dof] = wave * high if wave >= 0 else -wave * low
        return positions

    @property
    def shown_motion(self) -> Plan | None:
        """The motion that the joints make: a round of the sweep of all joints, else that of the motion strip."""
        session, kinematics = self.context.session, self.context.session.kinematics
        if not self.sweeping or kinematics is None:
            return self.motion.player.plan if self.motion.isVisible() else None
        rounds = np.linspace(0.0, 1.0, SWEEP_SAMPLES)
        positions = ({**session.positions, **self._with(self._swept(phase))} for phase in rounds.tolist())
        q = np.array([kinematics.positions(each) for each in positions])
        return Plan(Trajectory(rounds * SWEEP_SECONDS / self.speed, q))

    def lift_limits(self, on: bool) -> None:
        """Let joints go beyond their limits, or hold them again."""
        self.limits_lifted = self.context.motion.limits_lifted = on
        self._show_units()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave) and isinstance(watched, QSlider):
            self.context.highlights.hover(watched.property("joint") if event.type() == QEvent.Type.Enter else None)
        # The mouse wheel scrolls the panel and never moves a joint.
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return super().eventFilter(watched, event)  # type: ignore[arg-type]
