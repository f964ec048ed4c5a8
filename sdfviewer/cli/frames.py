"""``sdfviewer frames``: where every frame is, and what it is fixed to."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

import numpy as np

from sdfviewer import transforms
from sdfviewer.cli.inputs import (
    CLEAN,
    FINDINGS,
    UNREADABLE,
    add_joint_option,
    add_path_option,
    expand,
    make_finder,
    parse_positions,
    read,
)
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.semantics import Kind, Loader, Model
from sdfviewer.semantics.kinematics.forward import Kinematics
from sdfviewer.semantics.kinematics.readings import ELEMENT_RELATIVE, MODEL_ABSOLUTE, READINGS, Reading
from sdfviewer.semantics.urdf.build import merged_parts
from sdfviewer.transforms import Array


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each file")
    parser.add_argument("--relative-to", metavar="FRAME", help="express all poses in this frame")
    add_joint_option(parser)
    parser.add_argument(
        "--reading",
        choices=READINGS,
        default=MODEL_ABSOLUTE,
        help="what a pose without relative_to is measured from: as SDFormat means it, or the URDF way",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file, a folder to walk, or - for standard input")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    loader = Loader(make_finder(options))
    positions = parse_positions(options.joint)
    worst = CLEAN
    for name in expand(options.files):
        try:
            model, diagnostics = loader.load_with_diagnostics(read(name))
            if model is None:
                raise SdfViewerError(f"{name}: {diagnostics[0].message if diagnostics else 'nothing to show'}")
            reading = Reading(model, options.reading)
            X = resolved(reading, positions, options.relative_to)
        except SdfViewerError as error:
            print(f"sdfviewer: {error}", file=sys.stderr)
            if options.json:
                print(json.dumps({"file": name, "root_frame": None, "frames": [], "unreadable": str(error)}))
            worst = UNREADABLE
            continue
        if options.json:
            print(json.dumps(_as_json(name, reading, X)))
        else:
            print(_as_text(name, reading, X))
        if any(diagnostic.is_error for diagnostic in diagnostics):
            worst = max(worst, FINDINGS)
    return worst


def resolved(reading: Reading, positions: dict[str, tuple[float, ...]], relative_to: str | None) -> Array:
    """Return the poses (n, 4, 4) of all rows at joint positions, in the root frame or another.

    Raises
    ------
    SdfViewerError
        If the frame does not exist, or there is nothing to move where a position is given.
    """
    for cycle in reading.cycles if reading.name == ELEMENT_RELATIVE else ():
        file, path = reading.model.document.name, reading.cycle_path(cycle)
        print(f"sdfviewer: {file}: the {reading.name} reading runs in a circle: {path}", file=sys.stderr)
    X = reading.X_RootF
    if positions:
        X = reading.kinematics.poses(configuration(reading.kinematics, positions))
    if relative_to is not None:
        X = transforms.invert(X[reading.model.row(relative_to)]) @ X
    return X


def configuration(kinematics: Kinematics, positions: dict[str, tuple[float, ...]]) -> Array:
    """Return positions q (m,) from the arguments of ``--joint``; followers go along.

    Raises
    ------
    SdfViewerError
        If a name is no joint that moves by itself, or has another number of axes.
    """
    model = kinematics.model
    scoped: dict[str, tuple[float, ...]] = {}
    for name, values in positions.items():
        joint = model.names[model.row(name)]
        dofs = [dof for dof in kinematics.dofs if dof.joint.name == joint]
        if not dofs:
            loops = {loop.name for loop in kinematics.loop_joints}
            why = "closes a loop, so that it moves nothing" if joint in loops else "has no degree of freedom"
            raise SdfViewerError(f"--joint {name}: '{joint}' {why}")
        if len(values) > len(dofs):
            raise SdfViewerError(f"--joint {name}: '{joint}' takes {len(dofs)} numbers, not {len(values)}")
        leader = dofs[0].leader
        if leader is not None:
            raise SdfViewerError(f"--joint {name}: '{joint}' follows '{leader}'; move that one")
        scoped[joint] = values
    return kinematics.positions(scoped)


def _as_json(name: str, reading: Reading, X: Array) -> dict[str, Any]:
    model = reading.model
    poses = transforms.matrix_to_xyz_wxyz(np.nan_to_num(X)).tolist()
    defined: list[bool] = [bool(np.isfinite(each).all()) for each in X]
    frames: list[dict[str, Any]] = []
    for row, kind in enumerate(model.kinds):
        if kind is Kind.WORLD:
            continue
        body = int(model.bodies[row])
        frame: dict[str, Any] = {
            "name": model.names[row],
            "kind": str(kind),
            "pose": poses[row] if defined[row] else None,
            "body": model.names[body] if body >= 0 else None,
            "raw_pose": transforms.matrix_to_xyz_wxyz(model.raw_poses[row]).tolist(),
            "relative_to": _name(model, int(reading.relative_to[row])),
            "attached_to": _name(model, int(model.attached_to[row])),
        }
        joint = model.joints_by_row.get(row)
        if joint is not None:
            frame["type"] = joint.type
            frame["parent"] = _name(model, joint.parent) or "world"
            frame["child"] = _name(model, joint.child)
            for key, axis in zip(("axis", "axis2"), joint.axes, strict=False):
                frame[key] = axis.xyz.tolist() if np.isfinite(axis.xyz).all() else None
        frames.append(frame)
    for part in merged_parts(model):
        X_F = X[part.link] @ part.X_LF
        pose = transforms.matrix_to_xyz_wxyz(X_F).tolist() if np.isfinite(X_F).all() else None
        same = {"kind": str(model.kinds[part.row]), "pose": pose, "body": model.names[part.link]}
        frames.append({"name": part.name, **same, "same_as": model.names[part.row]})
    return {"file": name, "root_frame": model.root_frame, "version": list(model.version), "frames": frames}


def _name(model: Model, row: int) -> str | None:
    return model.names[row] if row >= 0 else None


def _as_text(name: str, reading: Reading, X: Array) -> str:
    model = reading.model
    header = ("kind", "name", "x y z [m]", "roll pitch yaw [rad]", "relative_to", "attached_to", "body")
    rows = [header]
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
                model.relative_to_written[row] or f"({_name(model, int(reading.relative_to[row])) or '-'})",
                model.attached_to_written[row] or f"({_name(model, int(model.attached_to[row])) or '-'})",
                model.names[body] if body >= 0 else "-",
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
    lines = [f"{name}: poses in {model.root_frame}; targets in brackets are defaults"]
    lines += ["  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join(lines)
