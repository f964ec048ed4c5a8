"""``sdfviewer frames``: list every frame with its pose and its body, as text, as one JSON object, or as CSV.

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
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from sdfviewer import transforms
from sdfviewer.cli.inputs import (
    CLEAN,
    FINDINGS,
    UNREADABLE,
    add_joint_option,
    add_path_option,
    expand,
    load_model,
    make_loader,
    parse_position,
    parse_positions,
    read,
)
from sdfviewer.cli.inputs.motions import Motion, add_motion_options, has_motion, read_motion
from sdfviewer.cli.outputs import print_note, print_text
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import json_text, table_cell, visible, without_commands
from sdfviewer.faults import faults_as_errors
from sdfviewer.formats.load import Loader
from sdfviewer.formats.urdf.format import robot_of
from sdfviewer.model.explanation import explain_axes, placement_of
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.conventions import (
    CONVENTIONS,
    ELEMENT_RELATIVE,
    MODEL_ABSOLUTE,
    JointFrames,
    PoseConvention,
    joint_frame_poses,
)
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.motion import MOST_SAMPLES
from sdfviewer.model.model import Model, UnknownFrameError
from sdfviewer.model.near_names import did_you_mean
from sdfviewer.transforms import POSE_PARTS, Array

if TYPE_CHECKING:
    from sdfviewer.model.solids import Body


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
    check_options(options)
    if options.csv:
        print_header(options)
    worst = CLEAN
    for name, problem, _ in expand(options.files):
        try:
            if problem:
                raise SdfViewerError(problem)
            with faults_as_errors(f"list the frames of {name}"):
                worst = max(worst, _answer(options, loader, positions, name))
        except SdfViewerError as error:
            print_note(f"sdfviewer: {error}")
            if options.json:
                print(json_text({"file": name, "root_frame": None, "frames": [], "unreadable": str(error)}))
            worst = UNREADABLE
    return worst


def _answer(options: argparse.Namespace, loader: Loader, positions: dict[str, tuple[str, ...]], name: str) -> int:
    """Print what is requested about a file, and return its exit code."""
    model, diagnostics = load_model(loader, read(name))
    conventions = [PoseConvention(each, options.convention) for each in (model, *loader.load_other_worlds(model))]
    worlds = [(each, resolved(each, positions, options.relative_to)) for each in conventions]
    in_root = [X if options.relative_to is None else resolved(each, positions, None) for each, X in worlds]
    motion = None
    if has_motion(options):
        kinematics = conventions[0].kinematics
        motion = read_motion(options, kinematics, configuration(kinematics, positions), options.samples)
    if options.mass:
        answer = describe_masses(model, in_root[0], options.of, options.relative_to)
        as_json = {"file": name, **answer.as_json()} if options.json else None
        print_text("\n".join(map(visible, answer.lines(name))) if as_json is None else json_text(as_json))
    elif options.csv:
        # Motion is in the first world of a file.
        for convention, X in worlds if motion is None else worlds[:1]:
            print_frames(name, convention, X, motion, options.relative_to)
    elif options.json:
        print_json(name, worlds, in_root)
    else:
        _print_text(name, worlds)
    return FINDINGS if any(diagnostic.is_error for diagnostic in diagnostics) else CLEAN


def resolved(convention: PoseConvention, positions: dict[str, tuple[str, ...]], relative_to: str | None) -> Array:
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


def configuration(kinematics: Kinematics, positions: dict[str, tuple[str, ...]]) -> Array:
    """Return positions q (m,) from the arguments of ``--joint``; followers go along.

    Raises
    ------
    SdfViewerError
        If a name is not an independent joint, the joint has another number of axes, or a value is no position.
    """
    model = kinematics.model
    scoped: dict[str, tuple[float, ...]] = {}
    for name, values in positions.items():
        joint = _joint_name(model, name)
        row = model.rows_by_name[joint]
        try:
            dofs = kinematics.dofs_to_set(row, joint, len(values))
        except SdfViewerError as error:
            raise SdfViewerError(f"--joint {name}: {error}") from None
        scoped[joint] = tuple(
            parse_position(value, dof.unit, f"--joint {name}={','.join(values)}")
            for value, dof in zip(values, dofs, strict=False)
        )
    return kinematics.positions(scoped)


def _joint_name(model: Model, name: str) -> str:
    try:
        return model.names[model.row(name)]
    except UnknownFrameError:
        joints = [name for joint in model.joints for name in (joint.name, model.local_names[joint.row])]
        raise SdfViewerError(f"there is no joint '{name}'{did_you_mean(name, joints)}") from None


def _name(model: Model, row: int) -> str | None:
    return model.names[row] if row >= 0 else None


def _print_text(name: str, worlds: list[tuple[PoseConvention, Array]]) -> None:
    for convention, X in worlds:
        print_text("\n".join(_as_text(name, convention, X)))


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
        numbers = [f"{round(value, 9) + 0.0:.6g}" for value in poses[row].tolist()]
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
    for joint in model.joints:  # those whose axis the file does not say in the joint frame
        if any(axis.expressed_in != joint.row for axis in joint.axes):
            yield visible(f"{joint.name}: {'; '.join(explain_axes(model, joint.row))}")


# --- masses -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Masses:
    """The bodies of some links and all of them together, in one frame.

    Attributes
    ----------
    frame
        The frame that all numbers are given in.
    links
        Names and bodies of the links with a mass.
    total
        All of them.
    unknown
        Names of links whose mass is not known or whose pose is undefined.
    notes
        What is implausible, by the name of the link.
    """

    frame: str
    links: Sequence[tuple[str, Body]]
    total: Body
    unknown: Sequence[str]
    notes: Sequence[tuple[str, str]]

    def as_json(self) -> dict[str, Any]:
        """Return the answer for a program."""
        return {
            "in": self.frame,
            "total": _as_json(self.total),
            "links": [{"name": name, **_as_json(body)} for name, body in self.links],
            "unknown": list(self.unknown),
            "implausible": [{"name": name, "message": message} for name, message in self.notes],
        }

    def lines(self, file: str) -> list[str]:
        """Return the answer for a person."""
        header = ("link", "mass [kg]", "centre x y z [m]", "ixx iyy izz ixy ixz iyz [kg m²]")
        rows = [header, *((name, *_as_words(body)) for name, body in self.links), ("total", *_as_words(self.total))]
        widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
        lines = [f"{file}: in {self.frame}"]
        lines += [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
        ]
        lines += [f"{name}: mass unknown" for name in self.unknown]
        lines += [f"{name}: {message}" for name, message in self.notes]
        return lines


def describe_masses(model: Model, X_RootF: Array, of: str, relative_to: str | None) -> Masses:
    """Return the masses of a frame's element, of everything for an empty name.

    Parameters
    ----------
    X_RootF
        Poses (n, 4, 4) of all rows.
    relative_to
        The frame that the numbers are given in; None for the root.
    """
    # Few ask for masses, and these take a tenth of the time of this command.
    from sdfviewer.formats.mass import link_bodies, links_of
    from sdfviewer.refactoring.inertia import explain_inertia

    bodies = link_bodies(model, links_of(model, [model.row(of) if of else 0]))
    X_RootG = None if relative_to is None else X_RootF[model.row(relative_to)]
    total, displaced = bodies.total(X_RootF, X_RootG)
    X_GRoot = np.eye(4) if X_RootG is None else np.linalg.inv(X_RootG)
    links = [
        (model.names[row], body.moved(X_GRoot @ X_RootF[row]))
        for row, body in zip(bodies.links, bodies.bodies, strict=True)
        if row not in displaced
    ]
    notes = [
        (model.names[row], problem.message)
        for row in bodies.links
        if (problem := explain_inertia(model, row, with_fix=False)) is not None
    ]
    frame = relative_to or model.root_frame
    return Masses(frame, links, total, [model.names[row] for row in (*bodies.unknown, *displaced)], notes)


def _moments(body: Body) -> list[float]:
    matrix = body.I_B
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    return [float(matrix[pair]) for pair in pairs]


def _as_json(body: Body) -> dict[str, Any]:
    return {"mass": body.mass, "center_of_mass": body.p_FB.tolist(), "inertia": _moments(body)}


def _as_words(body: Body) -> tuple[str, str, str]:
    def words(numbers: Sequence[float]) -> str:
        return " ".join(f"{number:.6g}" if abs(number) > 1e-12 else "0" for number in numbers)

    return f"{body.mass:.6g}", words(body.p_FB.tolist()), words(_moments(body))


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
