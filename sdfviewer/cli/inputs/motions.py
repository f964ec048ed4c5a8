"""Motions for commands: the sweep of a joint, or joint states from a CSV file."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from sdfviewer.cli.inputs import parse_position
from sdfviewer.cli.outputs import print_note
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.joint_states import parse_joint_states
from sdfviewer.model.kinematics.motion import SweepPath, Trajectory, find_dof, make_sweep
from sdfviewer.transforms import Array


@dataclass(frozen=True, eq=False)
class Motion:
    """A motion as a series of configurations.

    Attributes
    ----------
    places
        Where each is (k,): seconds, or the position of the joint that is swept.
    q
        The configurations (k, m).
    unit
        Of the places: ``s``, ``rad`` or ``m``.
    name
        What the places are: ``time``, or the name of the joint.
    sweep
        The sweep, None for joint states.
    """

    places: Array
    q: Array
    unit: str
    name: str
    sweep: SweepPath | None = None


def add_motion_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--sweep``, ``--motion`` and ``--columns``."""
    motion = parser.add_mutually_exclusive_group()
    motion.add_argument(
        "--sweep",
        metavar="JOINT[=FROM:TO]",
        help="move one joint through a range in radians or metres (default: from limit to limit)",
    )
    motion.add_argument(
        "--motion",
        metavar="CSV",
        type=Path,
        help="play joint states from a CSV file: time, and one column per joint name",
    )
    parser.add_argument(
        "--columns",
        metavar="LIST",
        help="columns of the --motion file, comma-separated: joint names, time, and - to skip a column",
    )


def has_motion(options: argparse.Namespace) -> bool:
    """Return whether a motion is requested.

    Raises
    ------
    SdfViewerError
        If its columns are named, but no file.
    """
    if options.columns and options.motion is None:
        raise SdfViewerError("--columns needs --motion CSV")
    return options.sweep is not None or options.motion is not None


def read_motion(options: argparse.Namespace, kinematics: Kinematics, q: Array, count: int | None) -> Motion:
    """Return the motion that is requested.

    Parameters
    ----------
    options
        Of the command line.
    kinematics
        What moves.
    q
        Where the joints (m,) are that a sweep does not move.
    count
        How many configurations, spread evenly; None for the lines of a CSV file as they are.

    Raises
    ------
    SdfViewerError
        If it is wrong; the message says how.
    """
    if options.sweep is not None:
        sweep = _parse_sweep(options.sweep, kinematics, q, count)
        return Motion(sweep.values, sweep.configurations, sweep.dof.unit, sweep.dof.name, sweep)
    trajectory = _read_states(options, kinematics)
    times, states = (trajectory.times, trajectory.q) if count is None else trajectory.sample(count)
    return Motion(times, states, "s", "time")


def _parse_sweep(word: str, kinematics: Kinematics, q: Array, count: int | None) -> SweepPath:
    name, _, limits = word.partition("=")
    dof = find_dof(kinematics, name)
    ends: list[float | None] = [None, None]
    if limits:
        unit = kinematics.dofs[dof].unit
        texts = limits.split(":")
        if len(texts) != 2:
            raise SdfViewerError(f"--sweep {word}: expected JOINT or JOINT=FROM:TO, radians or metres")
        ends = [parse_position(end, unit, f"--sweep {word}") if end.strip() else None for end in texts]
    samples = {} if count is None else {"samples": count}
    return make_sweep(kinematics, q, dof, ends[0], ends[1], **samples)


def _read_states(options: argparse.Namespace, kinematics: Kinematics) -> Trajectory:
    try:
        text = options.motion.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SdfViewerError(f"cannot read {options.motion}: {error}") from error
    columns = [word.strip() for word in options.columns.split(",")] if options.columns else None
    try:
        states = parse_joint_states(text, kinematics, columns)
    except SdfViewerError as error:
        raise SdfViewerError(f"{options.motion}: {error}") from error
    if states.ignored:
        print_note(f"sdfviewer: {options.motion}: no joint has the columns {', '.join(map(repr, states.ignored))}")
    return states.trajectory


def note_sweep(sweep: SweepPath) -> None:
    """Report the limits of other joints that a sweep reaches, and where it opens a loop."""
    for reached in sweep.limits_reached:
        if reached.dof is not sweep.dof:
            side = "upper" if reached.upper else "lower"
            print_note(
                f"sdfviewer: {reached.dof.name} reaches its {side} limit {reached.limit:.6g} {reached.dof.unit} "
                f"at {sweep.dof.name} = {reached.value:.6g} {sweep.dof.unit}"
            )
    if sweep.opens_at is not None:
        print_note(
            f"sdfviewer: the loops cannot be kept closed from {sweep.dof.name} = {sweep.opens_at:.6g} {sweep.dof.unit}"
        )
