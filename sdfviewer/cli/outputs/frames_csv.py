"""``sdfviewer frames --csv``: the poses of all frames as a table, at joint positions or during a motion."""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections.abc import Sequence

import numpy as np

from sdfviewer import transforms
from sdfviewer.cli.motions import Motion, has_motion
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import table_cell, visible
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.conventions import PoseConvention
from sdfviewer.transforms import Array

_POSE = ("x", "y", "z", "roll", "pitch", "yaw")
_MOST_SAMPLES = 100_000
_NUMBER = re.compile(r"-?[0-9.]+(?:e[-+]?[0-9]+)?")


def check_options(options: argparse.Namespace) -> None:
    """Refuse options that would have no effect.

    Raises
    ------
    SdfViewerError
        With the reason.
    """
    moves = has_motion(options)
    if moves and not options.csv:
        raise SdfViewerError("--sweep and --motion give a table; add --csv")
    if options.csv and options.mass:
        raise SdfViewerError("--csv lists poses; leave out --mass")
    if options.samples is not None and not (moves and 2 <= options.samples <= _MOST_SAMPLES):
        raise SdfViewerError(f"--samples is for --sweep and --motion: a number from 2 to {_MOST_SAMPLES}")


def print_header(options: argparse.Namespace) -> None:
    """Print the names of the columns."""
    place = () if not has_motion(options) else ("time" if options.motion is not None else "position",)
    _write([["file", "world", *place, "name", "kind", *_POSE, "body"]])


def print_frames(
    name: str, convention: PoseConvention, X: Array, motion: Motion | None = None, relative_to: str | None = None
) -> None:
    """Print the frames of a file or world.

    Parameters
    ----------
    name
        The file.
    convention
        What is listed.
    X
        Poses (n, 4, 4) where nothing moves.
    motion
        A motion in place of them.
    relative_to
        The frame in which the poses of a motion are expressed.
    """
    if motion is None:
        _write(_rows(name, convention, X, ()))
        return
    for place, q in zip(motion.places.tolist(), motion.q, strict=True):
        moved = convention.kinematics.poses(q)
        if relative_to is not None:
            moved = transforms.invert(moved[convention.model.row(relative_to)]) @ moved
        _write(_rows(name, convention, moved, (repr(place),)))


def _rows(name: str, convention: PoseConvention, X: Array, place: Sequence[str]) -> list[list[str]]:
    model = convention.model
    poses = transforms.matrix_to_pose(np.nan_to_num(X)).tolist()
    defined = [bool(np.isfinite(each).all()) for each in X]
    rows = []
    for row, kind in enumerate(model.kinds):
        if kind is Kind.WORLD:
            continue
        body = int(model.bodies[row])
        pose = [repr(value + 0.0) for value in poses[row]] if defined[row] else [""] * len(_POSE)
        of = model.name if model.is_world else ""
        rows.append([name, of, *place, model.names[row], str(kind), *pose, model.names[body] if body >= 0 else ""])
    return rows


def _write(rows: list[list[str]]) -> None:
    csv.writer(sys.stdout, lineterminator="\n").writerows([_cell(cell) for cell in row] for row in rows)


def _cell(cell: str) -> str:
    return cell if _NUMBER.fullmatch(cell) else table_cell(visible(cell))
