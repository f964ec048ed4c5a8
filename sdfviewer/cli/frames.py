"""``sdfviewer frames``: list every frame with its pose and its body."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
from sdfviewer.cli.inputs.motions import add_motion_options, has_motion, read_motion
from sdfviewer.cli.outputs import frame_tables, print_note, print_text
from sdfviewer.cli.outputs.frame_tables import print_json
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import json_text, visible
from sdfviewer.faults import faults_as_errors
from sdfviewer.formats.load import Loader
from sdfviewer.model.explanation import explain_axes
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.conventions import CONVENTIONS, ELEMENT_RELATIVE, MODEL_ABSOLUTE, PoseConvention
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model, UnknownFrameError
from sdfviewer.model.near_names import did_you_mean
from sdfviewer.transforms import Array

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
    frame_tables.check_options(options)
    if options.csv:
        frame_tables.print_header(options)
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
            frame_tables.print_frames(name, convention, X, motion, options.relative_to)
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
