"""``sdfviewer frames``: list every frame with its pose and its body."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from sdfviewer import transforms
from sdfviewer.cli import frames_csv
from sdfviewer.cli.inputs import (
    CLEAN,
    FINDINGS,
    UNREADABLE,
    add_joint_option,
    add_path_option,
    expand,
    load_model,
    make_loader,
    parse_positions,
    read,
)
from sdfviewer.cli.masses import describe_masses
from sdfviewer.cli.motions import add_motion_options, has_motion, read_motion
from sdfviewer.cli.output import print_note
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import json_text, visible
from sdfviewer.formats.urdf.build import merged_parts
from sdfviewer.model.explanation import placement_of
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.conventions import CONVENTIONS, ELEMENT_RELATIVE, MODEL_ABSOLUTE, PoseConvention
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.joint_frames import JointFrames, joint_frame_poses
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array

#: So many frames are computed at a time, and so many are written at a time.
_PART, _WRITTEN = 4000, 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    answer = parser.add_mutually_exclusive_group()
    answer.add_argument("--json", action="store_true", help="print one JSON object per line for each file")
    answer.add_argument("--csv", action="store_true", help="print a table of names, poses and bodies")
    parser.add_argument("--relative-to", metavar="FRAME", help="print all poses relative to this frame")
    add_joint_option(parser)
    add_motion_options(parser)
    parser.add_argument(
        "--samples", metavar="N", type=int, help="how many configurations of --sweep or --motion the table has"
    )
    parser.add_argument(
        "--convention",
        "--reading",
        dest="convention",
        choices=CONVENTIONS,
        default=MODEL_ABSOLUTE,
        help="what a pose without relative_to is measured from (default: %(default)s)",
    )
    parser.add_argument("--mass", action="store_true", help="print mass, centre of mass and inertia instead of frames")
    parser.add_argument(
        "--of",
        metavar="FRAME",
        default="",
        help="with --mass: a link, a model, or a joint to include everything it moves",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file, a folder to search, or - for standard input")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    loader = make_loader(options)
    positions = parse_positions(options.joint)
    frames_csv.check_options(options)
    if options.csv:
        frames_csv.print_header(options)
    worst = CLEAN
    for name in expand(options.files):
        try:
            model, diagnostics = load_model(loader, read(name))
            conventions = [
                PoseConvention(each, options.convention) for each in (model, *loader.load_other_worlds(model))
            ]
            worlds = [(each, resolved(each, positions, options.relative_to)) for each in conventions]
            in_root = [X if options.relative_to is None else resolved(each, positions, None) for each, X in worlds]
            motion = None
            if has_motion(options):
                kinematics = conventions[0].kinematics
                motion = read_motion(options, kinematics, configuration(kinematics, positions), options.samples)
        except SdfViewerError as error:
            print_note(f"sdfviewer: {error}")
            if options.json:
                print(json_text({"file": name, "root_frame": None, "frames": [], "unreadable": str(error)}))
            worst = UNREADABLE
            continue
        if options.mass:
            try:
                answer = describe_masses(model, in_root[0], options.of, options.relative_to)
            except SdfViewerError as error:
                print_note(f"sdfviewer: {error}")
                worst = UNREADABLE
                continue
            as_json = {"file": name, **answer.as_json()}
            print(json_text(as_json) if options.json else "\n".join(map(visible, answer.lines(name))))
        elif options.csv:
            # Motion is in the first world of a file.
            for convention, X in worlds if motion is None else worlds[:1]:
                frames_csv.print_frames(name, convention, X, motion, options.relative_to)
        elif options.json:
            _print_json(name, worlds, in_root)
        else:
            _print_text(name, worlds)
        if any(diagnostic.is_error for diagnostic in diagnostics):
            worst = max(worst, FINDINGS)
    return worst


def resolved(convention: PoseConvention, positions: dict[str, tuple[float, ...]], relative_to: str | None) -> Array:
    """Return the poses (n, 4, 4) of all rows at joint positions, in the root frame or another.

    Raises
    ------
    SdfViewerError
        If the frame does not exist, or there is nothing to move where a position is given.
    """
    for cycle in convention.cycles if convention.name == ELEMENT_RELATIVE else ():
        file, path = convention.model.document.name, convention.cycle_path(cycle)
        print_note(f"sdfviewer: {file}: the {convention.name} poses form a cycle: {path}")
    X = convention.X_RootF
    if positions:
        X = convention.kinematics.poses(configuration(convention.kinematics, positions))
    if relative_to is not None:
        X = transforms.invert(X[convention.model.row(relative_to)]) @ X
    return X


def configuration(kinematics: Kinematics, positions: dict[str, tuple[float, ...]]) -> Array:
    """Return positions q (m,) from the arguments of ``--joint``; followers go along.

    Raises
    ------
    SdfViewerError
        If a name is not an independent joint, or the joint has another number of axes.
    """
    model = kinematics.model
    scoped: dict[str, tuple[float, ...]] = {}
    for name, values in positions.items():
        joint = model.names[model.row(name)]
        dofs = [dof for dof in kinematics.dofs if dof.joint.name == joint]
        if not dofs:
            loops = {loop.name for loop in kinematics.loop_joints}
            why = "closes a loop and has no position of its own" if joint in loops else "has no degree of freedom"
            raise SdfViewerError(f"--joint {name}: '{joint}' {why}")
        if len(values) > len(dofs):
            raise SdfViewerError(f"--joint {name}: '{joint}' takes {len(dofs)} numbers, not {len(values)}")
        leader = dofs[0].leader
        if leader is not None:
            raise SdfViewerError(f"--joint {name}: '{joint}' mimics '{leader}'; set that joint instead")
        scoped[joint] = values
    return kinematics.positions(scoped)


def _print_json(name: str, worlds: list[tuple[PoseConvention, Array]], in_root: Sequence[Array]) -> None:
    """Print the answer about a file: its frames, with the name of their world where the file holds several.

    Frames are written in parts: as dictionaries, those of the largest files take a gigabyte.
    """
    model = worlds[0][0].model
    around = json_text({"file": name, "root_frame": model.root_frame, "version": list(model.version), "frames": []})
    sys.stdout.write(around.removesuffix("]}"))
    separator = ""
    for (convention, X), X_RootF in zip(worlds, in_root, strict=True):
        world = {"world": convention.model.name} if len(worlds) > 1 else {}
        frames = ({**frame, **world} for frame in _frames(convention, X, X_RootF))
        while part := list(islice(frames, _WRITTEN)):
            sys.stdout.write(separator + json_text(part)[1:-1])
            separator = ", "
    print("]}")


def joint_frames_as_json(frames: JointFrames) -> dict[str, list[float]]:
    """Return X_PJp, X_CJc and X_JpJc as ``x y z qw qx qy qz``."""
    return _named_poses(transforms.matrix_to_xyz_wxyz(np.stack([frames.X_PJp, frames.X_CJc, frames.X_JpJc])).tolist())


def _named_poses(poses: list[list[float]]) -> dict[str, list[float]]:
    return dict(zip(("X_PJp", "X_CJc", "X_JpJc"), poses, strict=True))


def _joint_frames(model: Model, rows: range, X_RootF: Array) -> dict[int, dict[str, list[float]]]:
    """Return the frames of the joints among rows, by row; one by one, those of the largest files take a minute."""
    joints = [model.joints_by_row[row] for row in rows if row in model.joints_by_row]
    poses = joint_frame_poses(model, joints, X_RootF)
    defined: list[bool] = np.asarray(np.isfinite(poses).all(axis=(1, 2, 3))).tolist()
    written = transforms.matrix_to_xyz_wxyz(np.nan_to_num(poses)).tolist()
    return {
        joint.row: _named_poses(each)
        for joint, each, is_there in zip(joints, written, defined, strict=True)
        if is_there
    }


def _frames(convention: PoseConvention, X: Array, X_RootF: Array) -> Iterator[dict[str, Any]]:
    """Yield the frames at poses X (n, 4, 4) in the frame asked for; X_RootF are the same in the root frame."""
    model = convention.model
    for begin in range(0, len(model), _PART):
        yield from _frames_of_rows(convention, range(begin, min(begin + _PART, len(model))), X, X_RootF)
    for part in merged_parts(model):
        X_F = X[part.link] @ part.X_LF
        pose = transforms.matrix_to_xyz_wxyz(X_F).tolist() if np.isfinite(X_F).all() else None
        same = {"kind": str(model.kinds[part.row]), "pose": pose, "body": model.names[part.link]}
        yield {"name": part.name, **same, "same_as": model.names[part.row]}


def _frames_of_rows(convention: PoseConvention, rows: range, X: Array, X_RootF: Array) -> Iterator[dict[str, Any]]:
    model, part = convention.model, slice(rows.start, rows.stop)
    poses = transforms.matrix_to_xyz_wxyz(np.nan_to_num(X[part])).tolist()
    raw_poses = transforms.matrix_to_xyz_wxyz(model.raw_poses[part]).tolist()
    defined: list[bool] = np.asarray(np.isfinite(X[part]).all(axis=(1, 2))).tolist()
    ends = _joint_frames(model, rows, X_RootF) if convention.name == MODEL_ABSOLUTE else {}
    for row, pose, raw_pose, is_defined in zip(rows, poses, raw_poses, defined, strict=True):
        kind = model.kinds[row]
        if kind is Kind.WORLD:
            continue
        body = int(model.bodies[row])
        frame: dict[str, Any] = {
            "name": model.names[row],
            "kind": str(kind),
            "pose": pose if is_defined else None,
            "body": model.names[body] if body >= 0 else None,
            "raw_pose": raw_pose,
            "relative_to": _name(model, int(convention.relative_to[row])),
            "attached_to": _name(model, int(model.attached_to[row])),
        }
        placement = placement_of(model, row)
        if placement is not None:
            frame["placement_frame"] = model.names[placement.row]
            frame["written_pose"] = transforms.matrix_to_xyz_wxyz(np.nan_to_num(placement.X_RP)).tolist()
        joint = model.joints_by_row.get(row)
        if joint is not None:
            frame |= ends.get(row, {})
            frame["type"] = joint.type
            frame["parent"] = _name(model, joint.parent) or "world"
            frame["child"] = _name(model, joint.child)
            for key, axis in zip(("axis", "axis2"), joint.axes, strict=False):
                frame[key] = axis.xyz.tolist() if np.isfinite(axis.xyz).all() else None
        yield frame


def _name(model: Model, row: int) -> str | None:
    return model.names[row] if row >= 0 else None


def _print_text(name: str, worlds: list[tuple[PoseConvention, Array]]) -> None:
    for convention, X in worlds:
        print("\n".join(_as_text(name, convention, X)))


def _as_text(name: str, convention: PoseConvention, X: Array) -> Iterator[str]:
    """Yield the lines of a table of the frames at poses X (n, 4, 4)."""
    model = convention.model
    header = ("kind", "name", "x y z [m]", "roll pitch yaw [rad]", "relative_to", "attached_to", "body")
    rows: list[tuple[str, ...]] = [header]
    poses = transforms.matrix_to_pose(np.nan_to_num(X))
    for row, kind in enumerate(model.kinds):
        if kind is Kind.WORLD:
            continue
        defined = bool(np.isfinite(X[row]).all())
        numbers = [f"{value:.6g}" for value in (poses[row] + 0.0).round(9).tolist()]
        body = int(model.bodies[row])
        rows.append(
            (
                str(kind),
                model.names[row],
                " ".join(numbers[:3]) if defined else "undefined",
                " ".join(numbers[3:]) if defined else "",
                model.relative_to_written[row] or f"({_name(model, int(convention.relative_to[row])) or '-'})",
                model.attached_to_written[row] or f"({_name(model, int(model.attached_to[row])) or '-'})",
                model.names[body] if body >= 0 else "-",
            )
        )
    rows = [tuple(map(visible, row)) for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
    of = f" '{model.name}'" if model.is_world else ""
    yield visible(f"{name}: poses in {model.root_frame}{of}; targets in brackets are defaults")
    for line in rows:
        yield "  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip()
