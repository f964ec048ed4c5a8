"""``sdfviewer why``: the chain of frames behind one pose."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Sequence
from typing import Any

import numpy as np

from sdfviewer import transforms
from sdfviewer.cli.frames import configuration, joint_frames_as_json
from sdfviewer.cli.inputs import (
    CLEAN,
    FINDINGS,
    add_joint_option,
    add_path_option,
    load_model,
    make_loader,
    parse_positions,
    read,
)
from sdfviewer.cli.outputs import print_line, print_text
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import json_text, path_here, visible
from sdfviewer.document.document import Document
from sdfviewer.model import graph
from sdfviewer.model.explanation import ExplanationStep, explain_axes, explain_pose, explain_settings, explain_static
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.conventions import JointFrames, resolve_joint_frames
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array

FORMS = ("rpy", "degrees", "quaternion", "matrix", "numpy")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument("--json", action="store_true", help="print the chain as one JSON object")
    parser.add_argument("--relative-to", metavar="FRAME", help="end with the pose relative to this frame")
    add_joint_option(parser)
    parser.add_argument(
        "--as", dest="form", choices=FORMS, default="rpy", help="notation of the pose (default: %(default)s)"
    )
    parser.add_argument("frame", metavar="FRAME", help="scoped name of a frame, for example arm::gripper")
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    model, _ = load_model(make_loader(options), _read(options))
    row = model.row(options.frame)
    steps = explain_pose(model, row)
    reference = 0 if options.relative_to is None else model.row(options.relative_to)
    X, moved = _moved(model, row, parse_positions(options.joint))
    X_GF = transforms.invert(X[reference]) @ X[row]
    frames = _joint_frames(model, row, X)
    name = model.root_frame if options.relative_to is None else model.names[reference]
    if options.json:
        joint = {} if frames is None else {"joint_frames": joint_frames_as_json(frames)}
        more = {"joints": moved, "static": bool(model.static[row]), "static_because": explain_static(model, row)}
        print(json_text(_as_json(model, steps, X_GF, name) | more | joint))
    else:
        print_text(_as_text(model, steps, X_GF, name, options.form, moved))
        if frames is not None:
            print_text("\n".join(map(visible, _joint_lines(model, frames, options.form))))
        for line in (*explain_axes(model, row), *explain_settings(model, row)):
            print_line(line)
    return CLEAN if np.isfinite(X_GF).all() else FINDINGS


def _read(options: argparse.Namespace) -> Document:
    """Return the document.

    Raises
    ------
    SdfViewerError
        If it cannot be read; with the right order where the file comes before the frame.
    """
    if options.file != "-" and not os.path.exists(options.file) and os.path.isfile(options.frame):
        right = shlex.join(("sdfviewer", "why", options.file, options.frame))
        raise SdfViewerError(f"there is no file '{options.file}'; the frame comes before the file: {right}")
    return read(options.file)


def _moved(model: Model, row: int, positions: dict[str, tuple[str, ...]]) -> tuple[Array, dict[str, tuple[float, ...]]]:
    """Return the poses (n, 4, 4) of all rows, and the positions of the joints that carry a row, the nearest first."""
    if not positions:
        return model.X_RootF, {}
    kinematics = Kinematics(model)
    q = configuration(kinematics, positions)
    by_joint = kinematics.joint_positions(q)
    above = [joint.name for joint in kinematics.joints_above(row) if joint.name in by_joint]
    return kinematics.poses(q), {name: by_joint[name] for name in above}


def _as_json(model: Model, steps: list[ExplanationStep], X_GF: Array, reference: str) -> dict[str, Any]:
    raw_poses, poses = (_lists(X) for X in ([step.X_RF for step in steps], [step.X_RootF for step in steps]))
    return {
        "frame": model.names[steps[-1].row],
        "relative_to": reference,
        "pose": _lists([X_GF])[0],
        "chain": [
            {
                "frame": model.names[step.row],
                "kind": str(model.kinds[step.row]),
                "relative_to": model.names[step.relative_to] if step.relative_to >= 0 else None,
                "written": step.is_written,
                "raw_pose": raw_pose,
                "pose": pose,
                "file": step.span.path,
                "line": step.span.line,
                "column": step.span.column,
                "fault": step.fault or None,
                **_placement(model, step),
                **_overridden(step),
            }
            for step, raw_pose, pose in zip(steps, raw_poses, poses, strict=True)
        ],
    }


def _lists(poses: Sequence[Array]) -> list[list[float] | None]:
    """Return each pose as ``x y z qw qx qy qz``, None where it is undefined."""
    X = np.array(poses)
    defined: list[bool] = np.asarray(np.isfinite(X).all(axis=(1, 2))).tolist()
    numbers = transforms.matrix_to_xyz_wxyz(np.nan_to_num(X)).tolist()
    return [each if is_there else None for each, is_there in zip(numbers, defined, strict=True)]


def _placement(model: Model, step: ExplanationStep) -> dict[str, Any]:
    if step.placement is None:
        return {}
    return {"placement_frame": model.names[step.placement.row], "written_pose": _lists([step.placement.X_RP])[0]}


def _overridden(step: ExplanationStep) -> dict[str, Any]:
    if step.overrides is None:
        return {}
    return {"overrides": {"file": step.overrides.path, "line": step.overrides.line, "column": step.overrides.column}}


def _joint_frames(model: Model, row: int, X_RootF: Array) -> JointFrames | None:
    joint = model.joints_by_row.get(row)
    return None if joint is None else resolve_joint_frames(model, joint, X_RootF)


def _as_text(
    model: Model,
    steps: list[ExplanationStep],
    X_GF: Array,
    reference: str,
    form: str,
    moved: dict[str, tuple[float, ...]],
) -> str:
    lines = [f"{model.names[steps[-1].row]}: from {model.root_frame} to this frame"]
    X = np.array([step.X_RootF for step in steps])
    for step, numbers in zip(steps, transforms.matrix_to_pose(np.nan_to_num(X)).tolist(), strict=True):
        name = f"{model.kinds[step.row]} {model.names[step.row]}"
        if step.relative_to == graph.ROOT and not step.fault:
            edge = "the root"
            if np.allclose(step.X_RF, np.eye(4), rtol=0, atol=0):
                lines.append(f"  {name}: {edge}")
                continue
            if model.kinds[step.row] is Kind.MODEL:
                edge += ", placed in the world that it is put into"
        else:
            target = model.names[step.relative_to] if step.relative_to >= 0 else "nothing"
            edge = f"relative_to {target}" + ("" if step.is_written else " (by default)")
        lines.append(f"  {name}: {edge}   {path_here(step.span.path)}:{step.span.line}")
        if step.overrides is not None:
            lines.append(
                f"      overrides the model's own pose   {path_here(step.overrides.path)}:{step.overrides.line}"
            )
        if step.placement is not None:
            lines.append(f"      placed by its frame {model.names[step.placement.row]}, whose pose is written:")
            lines.append(f"      written {format_pose(step.placement.X_RP, 'rpy')}")
        lines.append(f"      raw   {_format_numbers(step.raw)}")
        lines.append(f"      root  {_format_numbers(numbers) if model.is_resolved[step.row] else 'undefined'}")
        if step.fault:
            lines.append(f"      ^ {step.fault}")
    if moved:
        lines.append("moved by joints, nearest first:")
        lines += [f"  {name} = {', '.join(f'{value:g}' for value in values)}" for name, values in moved.items()]
    lines += [f"pose in {reference}:", format_pose(X_GF, form)]
    return "\n".join(map(visible, lines))


def _joint_lines(model: Model, frames: JointFrames, form: str) -> list[str]:
    parent = model.names[frames.parent] if frames.parent >= 0 else "world"
    return [
        f"parent P = {parent}, child C = {model.names[frames.child]}:",
        f"  X_PJp   {format_pose(frames.X_PJp, form)}",
        f"  X_CJc   {format_pose(frames.X_CJc, form)}",
        f"  X_JpJc  {format_pose(frames.X_JpJc, form)}",
    ]


def format_pose(X: Array, form: str) -> str:
    """Return a pose (4, 4) in metres and in one of :data:`FORMS`; ``undefined`` where it holds NaN."""
    if not np.isfinite(X).all():
        return "undefined"
    if form in ("matrix", "numpy"):
        rows = [", ".join(repr(value) for value in row) for row in X.tolist()]
        if form == "numpy":
            return "np.array([" + ", ".join(f"[{row}]" for row in rows) + "])"
        return "\n".join("  ".join(f"{value: .9f}" for value in row) for row in (X + 0.0).tolist())
    if form == "quaternion":
        numbers = transforms.matrix_to_xyz_wxyz(X)
        numbers = numbers[[0, 1, 2, 4, 5, 6, 3]]  # as SDFormat writes it: x y z, then qx qy qz qw
    else:
        numbers = transforms.matrix_to_pose(X).copy()
        if form == "degrees":
            numbers[3:] = np.degrees(numbers[3:])
    return _format_numbers(numbers.tolist())


def _format_numbers(numbers: Sequence[float]) -> str:
    return " ".join(f"{round(value, 12) + 0.0:.9g}" for value in numbers)
