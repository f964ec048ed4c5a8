"""The Joints menu."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QFileDialog

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.files import saving
from sdfviewer.gui.kit.commands import CLOSE_LOOPS, SAVE_POSE
from sdfviewer.gui.shell.actions.declaration import Declarations, on_file, on_model
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.refusals import NO_MOTION

JOINTS = Declarations("Joints")
_HEAD = 1 << 16
#: So many joint states are written at most: a motion read from a file may last for years.
_MOST_STATES = 100_000
"""Characters of a table that hold its first line."""
_TABLES = "Tables (*.csv);;All files (*)"
_PICTURES = "GIF (*.gif);;MP4 (*.mp4);;PNG files (*.png)"


@JOINTS.action("joints.reset", "Reset All", "Ctrl+0", "mdi6.restore")
@on_file
def reset(_app: App, file: OpenFile) -> None:
    """Move all joints to zero."""
    file.joints.reset()


@JOINTS.action("joints.random", "Random Positions", "Ctrl+Alt+M", "mdi6.dice-5-outline")
@on_file
def randomise(_app: App, file: OpenFile) -> None:
    """Move every joint to a random position within its limits."""
    file.joints.randomise()


@JOINTS.action("joints.close_loops", CLOSE_LOOPS.text, CLOSE_LOOPS.keys, CLOSE_LOOPS.icon)
@on_file
def close_loops(_app: App, file: OpenFile) -> None:
    """Close all kinematic loops with the smallest motion of the joints."""
    file.joints.close_loops()


@JOINTS.action("joints.save_pose", SAVE_POSE.text, SAVE_POSE.keys, SAVE_POSE.icon)
@on_file
def save_pose(_app: App, file: OpenFile) -> None:
    """Save the joint positions of this file under a name."""
    file.joints.save_pose()


@JOINTS.switch("joints.sweep", "Sweep", "Ctrl+Alt+S", "mdi6.sine-wave", section=True)
def sweep(app: App, on: bool) -> None:
    """Move every joint from limit to limit."""
    if app.files.current is not None:
        app.files.current.joints.sweep(on)


@JOINTS.switch("joints.lift_limits", "Ignore Limits", "Ctrl+Alt+U", "mdi6.lock-open-variant-outline")
def lift_limits(app: App, on: bool) -> None:
    """Let joints move beyond their limits."""
    if app.files.current is not None:
        app.files.current.joints.lift_limits(on)


@JOINTS.switch("joints.motion", "Motion", "Ctrl+Alt+N", "mdi6.movie-open-outline", section=True)
def show_motion(app: App, on: bool) -> None:
    """Show a timeline of keyframes, sweeps of joints and collisions below the joints."""
    if app.files.current is not None:
        joints = app.files.current.joints
        if on:
            app.docks.show("joints")  # first: its height is that without the strip
        joints.show_motion(on)
        if on:
            app.docks.make_room("joints", joints.height_with_motion)
        else:
            app.docks.give_room_back("joints")


@JOINTS.action("joints.read_states", "Read Joint States…", "Ctrl+K, Ctrl+T", icon="mdi6.table-arrow-left")
@on_model
def read_states(app: App, file: OpenFile) -> None:
    """Read keyframes from a CSV file: time, and a column for each joint; asks for names that it does not give."""
    from sdfviewer.gui.operations.columns import ColumnsDialog
    from sdfviewer.model.kinematics.joint_states import JointStatesError, suggest_columns

    name, _ = QFileDialog.getOpenFileName(app.dialog_parent, "Read Joint States", _folder(file), _TABLES)
    kinematics = file.session.kinematics
    if not name or kinematics is None:
        return
    path = Path(name)
    app.actions["joints.motion"].setChecked(True)
    try:
        with path.open(encoding="utf-8-sig") as stream:
            columns, cells = suggest_columns(stream.read(_HEAD), kinematics)
    except (OSError, UnicodeDecodeError, JointStatesError):
        columns, cells = [], []  # reading it all says what is wrong
    if columns != cells:
        read = file.joints.motion.read_states
        app.open_dialog(ColumnsDialog(path, kinematics, columns, cells, read, app.dialog_parent))
    else:
        file.joints.motion.read_states(path)


@JOINTS.action("joints.save_states", "Save Joint States…", "Ctrl+K, Ctrl+W", icon="mdi6.table-arrow-right")
@on_model
def save_states(app: App, file: OpenFile) -> None:
    """Write the motion to a CSV file, 25 states a second; without a motion the present positions."""
    from sdfviewer.model.kinematics.joint_states import format_joint_states

    kinematics = file.session.kinematics
    path = _ask_target(app, file, "Save Joint States", "_joints.csv", _TABLES)
    if path is None or kinematics is None:
        return
    plan = file.joints.motion.player.plan
    times, q = np.zeros(1), kinematics.positions(file.session.positions)[None]
    if plan is not None:
        from sdfviewer.export.animation import DEFAULT_FPS  # not needed before

        seconds = plan.trajectory.end - plan.trajectory.start
        count = min(max(seconds * DEFAULT_FPS, 0.0), _MOST_STATES) + 1
        if count > _MOST_STATES:
            app.messages.refuse(f"The motion takes {seconds:.6g} s. A table has at most {_MOST_STATES:,} states.")
            return
        times, q = plan.trajectory.sample(round(count))
    try:
        saving.save(path, format_joint_states(kinematics, times, q).encode())
    except SdfViewerError as error:
        app.messages.refuse(str(error))
        return
    app.messages.show_message(f"Wrote {len(times)} joint states to {path.name}")


@JOINTS.action("joints.record", "Save Images of the Motion…", "Ctrl+K, Ctrl+Y", icon="mdi6.filmstrip")
@on_file
def record(app: App, file: OpenFile) -> None:
    """Write the motion as the 3D view shows it: GIF, MP4, or numbered PNG files."""
    from sdfviewer.gui.shell.recording import Recording

    plan = file.joints.shown_motion
    if plan is None:
        app.messages.refuse(NO_MOTION)
        return
    if file.findChild(Recording) is not None:
        app.messages.refuse("Images of this motion are still being written. Wait for them, or stop that first.")
        return
    path = _ask_target(app, file, "Save Images of the Motion", ".gif", _PICTURES)
    if path is not None:
        try:
            Recording(file, plan, path, app.notices).start()
        except SdfViewerError as error:
            app.messages.refuse(str(error))


def _ask_target(app: App, file: OpenFile, title: str, ending: str, filters: str) -> Path | None:
    """Ask for a file to write, named after the model; a name without a suffix gets that of the chosen type."""
    own = file.session.path
    start = Path(_folder(file)) / f"{own.stem if own is not None else 'motion'}{ending}"
    name, chosen = QFileDialog.getSaveFileName(app.dialog_parent, title, str(start), filters)
    if not name:
        return None
    suffix = re.search(r"\*(\.\w+)", chosen)
    path = Path(name)
    return path if path.suffix or suffix is None else path.with_suffix(suffix[1])


def _folder(file: OpenFile) -> str:
    """Return the folder in which a file dialog starts."""
    return "" if file.session.path is None else str(file.session.path.parent)
