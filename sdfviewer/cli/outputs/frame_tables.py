"""What ``sdfviewer frames`` writes for other programs: the frames of a file as one JSON object, or as CSV.

The JSON is put together row by row from parts that are made once or for many rows at a time: as dictionaries, the
frames of the largest files take a gigabyte and several times as long.
"""

from __future__ import annotations

import argparse
import csv
import math
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from sdfviewer import transforms
from sdfviewer.cli.inputs.motions import Motion, has_motion
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import json_text, table_cell, visible, without_commands
from sdfviewer.formats.urdf.format import robot_of
from sdfviewer.model.explanation import placement_of
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.conventions import MODEL_ABSOLUTE, JointFrames, PoseConvention, joint_frame_poses
from sdfviewer.model.kinematics.motion import MOST_SAMPLES
from sdfviewer.model.model import Model
from sdfviewer.transforms import POSE_PARTS, Array

_IDENTITY = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
_WRITTEN_IDENTITY = repr(_IDENTITY.tolist())
#: Number of frames computed at a time.
_PART = 4000
#: Number of frames written at a time.
_WRITTEN = 100
_JOINT_FRAMES = ("X_PJp", "X_CJc", "X_JpJc")


def print_json(name: str, worlds: Sequence[tuple[PoseConvention, Array]], in_root: Sequence[Array]) -> None:
    """Print the answer about a file: its frames, with the name of their world where the file holds several."""
    model = worlds[0][0].model
    around = json_text({"file": name, "root_frame": model.root_frame, "version": list(model.version), "frames": []})
    print(around.removesuffix("]}"), end="")
    separator = ""
    for (convention, X), X_RootF in zip(worlds, in_root, strict=True):
        world = f', "world": {json_text(convention.model.name)}' if len(worlds) > 1 else ""
        frames = _frames(convention, X, X_RootF)
        while part := list(islice(frames, _WRITTEN)):
            print(separator + ", ".join(f"{{{frame}{world}}}" for frame in part), end="")
            separator = ", "
    print("]}")


def joint_frames_as_json(frames: JointFrames) -> dict[str, list[float]]:
    """Return X_PJp, X_CJc and X_JpJc as ``x y z qw qx qy qz``."""
    poses = transforms.matrix_to_xyz_wxyz(np.stack([frames.X_PJp, frames.X_CJc, frames.X_JpJc]))
    return dict(zip(_JOINT_FRAMES, poses.tolist(), strict=True))


def _frames(convention: PoseConvention, X: Array, X_RootF: Array) -> Iterator[str]:
    """Yield the members of each frame at poses X (n, 4, 4) in the requested frame; X_RootF are those in the root."""
    model = convention.model
    names = _Names(model)
    for begin in range(0, len(model), _PART):
        yield from _frames_of_rows(convention, names, range(begin, min(begin + _PART, len(model))), X, X_RootF)
    if robot_of(model.document_of(0)) is None:
        return
    from sdfviewer.formats.urdf.build import merged_parts  # needed only for such files

    for part in merged_parts(model):
        (pose,) = _poses((X[part.link] @ part.X_LF)[None])
        body, same_as = names[part.link], names[part.row]
        yield (
            f'"name": {json_text(part.name)}, "kind": "{model.kinds[part.row]}", "pose": {pose}, "body": {body}, '
            f'"same_as": {same_as}'
        )


def _frames_of_rows(convention: PoseConvention, names: _Names, rows: range, X: Array, X_RootF: Array) -> Iterator[str]:
    model, part = convention.model, slice(rows.start, rows.stop)
    joints = [model.joints_by_row[row] for row in rows if row in model.joints_by_row]
    ends = _members_of_joints(convention, names, joints, X_RootF)
    raw_poses = _lists(transforms.matrix_to_xyz_wxyz(model.raw_poses[part]))
    columns = (each[part].tolist() for each in (model.bodies, convention.relative_to, model.attached_to))
    for row, pose, raw_pose, body, relative_to, attached_to in zip(
        rows, _poses(X[part]), raw_poses, *columns, strict=True
    ):
        kind = model.kinds[row]
        if kind is not Kind.WORLD:
            yield (
                f'"name": {names[row]}, "kind": "{kind}", "pose": {pose}, "body": {names[body]}, '
                f'"raw_pose": {raw_pose}, "relative_to": {names[relative_to]}, "attached_to": {names[attached_to]}'
                f"{_placement(model, names, row)}{ends.get(row, '')}"
            )


def _placement(model: Model, names: _Names, row: int) -> str:
    placement = placement_of(model, row)
    if placement is None:
        return ""
    written = json_text(transforms.matrix_to_xyz_wxyz(np.nan_to_num(placement.X_RP)).tolist())
    return f', "placement_frame": {names[placement.row]}, "written_pose": {written}'


def _members_of_joints(
    convention: PoseConvention, names: _Names, joints: Sequence[Joint], X_RootF: Array
) -> dict[int, str]:
    """Return what only joints have, by row."""
    places = [""] * len(joints)
    if convention.name == MODEL_ABSOLUTE:
        poses = joint_frame_poses(convention.model, joints, X_RootF)
        there: list[bool] = np.asarray(np.isfinite(poses).all(axis=(1, 2, 3))).tolist()
        written = zip(*(_poses(np.nan_to_num(poses[:, each])) for each in range(3)), strict=True)
        places = [
            f', "X_PJp": {X_PJp}, "X_CJc": {X_CJc}, "X_JpJc": {X_JpJc}' if is_there else ""
            for (X_PJp, X_CJc, X_JpJc), is_there in zip(written, there, strict=True)
        ]
    return {
        joint.row: f'{place}, "type": {json_text(joint.type)}, "parent": {_parent(names, joint)}, '
        f'"child": {names[joint.child]}{_axes(joint)}'
        for joint, place in zip(joints, places, strict=True)
    }


def _parent(names: _Names, joint: Joint) -> str:
    written = names[joint.parent]
    return '"world"' if written in ("null", '""') else written


def _axes(joint: Joint) -> str:
    axes = [axis.xyz.tolist() for axis in joint.axes]
    return "".join(
        f', "{key}": {xyz if all(map(math.isfinite, xyz)) else "null"}'
        for key, xyz in zip(("axis", "axis2"), axes, strict=False)
    )


class _Names:
    """The names of rows as JSON, each written once; ``null`` for what is no row."""

    def __init__(self, model: Model) -> None:
        self._names = model.names
        self._written: dict[int, str] = {}

    def __getitem__(self, row: int) -> str:
        text = self._written.get(row)
        if text is None:
            text = self._written[row] = json_text(self._names[row]) if row >= 0 else "null"
        return text


def _poses(X: Array) -> list[str]:
    """Return poses X (n, 4, 4) as JSON, ``null`` where one is undefined."""
    defined: list[bool] = np.asarray(np.isfinite(X).all(axis=(1, 2))).tolist()
    written = _lists(transforms.matrix_to_xyz_wxyz(np.nan_to_num(X)))
    return [pose if is_there else "null" for pose, is_there in zip(written, defined, strict=True)]


def _lists(poses: Array) -> list[str]:
    """Return ``x y z qw qx qy qz`` of poses (n, 7) as JSON."""
    if not np.isfinite(poses).all():
        return [json_text(pose) for pose in poses.tolist()]
    # Most poses are identities: joints at zero, and what has no pose of its own.
    is_identity = (poses == _IDENTITY).all(axis=1) & ~np.signbit(poses).any(axis=1)
    return [
        _WRITTEN_IDENTITY if same else repr(pose)
        for pose, same in zip(poses.tolist(), is_identity.tolist(), strict=True)
    ]


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
    if options.samples is not None and not (moves and 2 <= options.samples <= MOST_SAMPLES):
        raise SdfViewerError(f"--samples is for --sweep and --motion: a number from 2 to {MOST_SAMPLES}")


def print_header(options: argparse.Namespace) -> None:
    """Print the names of the columns."""
    place = () if not has_motion(options) else ("time" if options.motion is not None else "position",)
    _write([["file", "world", *place, "name", "kind", *POSE_PARTS, "body"]])


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
        pose = [repr(value + 0.0) for value in poses[row]] if defined[row] else [""] * len(POSE_PARTS)
        of = model.name if model.is_world else ""
        rows.append([name, of, *place, model.names[row], str(kind), *pose, model.names[body] if body >= 0 else ""])
    return rows


def _write(rows: list[list[str]]) -> None:
    csv.writer(sys.stdout, lineterminator="\n").writerows([_cell(cell) for cell in row] for row in rows)


def _cell(cell: str) -> str:
    return cell if _NUMBER.fullmatch(cell) else table_cell(without_commands(visible(cell)))
