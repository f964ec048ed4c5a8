"""``sdfviewer diff``: which frames of two files moved, appeared, vanished, or changed body."""

from __future__ import annotations

import argparse
import copy
import json
from typing import Any

import numpy as np

from sdfviewer.cli.frames import configuration
from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_joint_option, add_path_option, make_finder, parse_positions, read
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.semantics import Loader, Model
from sdfviewer.semantics.difference import Change, FrameDifference, compare_models
from sdfviewer.semantics.kinematics.forward import Kinematics


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each frame that differs")
    add_joint_option(parser)
    parser.add_argument(
        "--tolerance", type=float, default=1e-9, metavar="T", help="metres and radians that do not count (1e-9)"
    )
    parser.add_argument("a", metavar="A", help="a file, or - for standard input")
    parser.add_argument("b", metavar="B", help="another file")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code: 0 where nothing differs, 1 where something does."""
    loader = Loader(make_finder(options))
    positions = parse_positions(options.joint)
    a, b = (_at(_load(loader, name), positions) for name in (options.a, options.b))
    differences = compare_models(a, b, tolerance=options.tolerance)
    for difference in differences:
        print(json.dumps(_as_json(difference)) if options.json else _as_text(difference))
    return FINDINGS if differences else CLEAN


def _load(loader: Loader, name: str) -> Model:
    model, diagnostics = loader.load_with_diagnostics(read(name))
    if model is None:
        raise SdfViewerError(f"{name}: {diagnostics[0].message if diagnostics else 'nothing to compare'}")
    return model


def _at(model: Model, positions: dict[str, tuple[float, ...]]) -> Model:
    """Return a model with its frames where joint positions put them."""
    if not positions:
        return model
    kinematics = Kinematics(model)
    moved = copy.copy(model)
    moved.X_RootF = kinematics.poses(configuration(kinematics, positions))
    return moved


def _as_json(difference: FrameDifference) -> dict[str, Any]:
    def number(value: float) -> float | None:
        return value if np.isfinite(value) else None

    return {
        "changes": [change.value for change in difference.changes],
        "kind": difference.kind,
        "before": difference.before,
        "after": difference.after,
        "metres": number(difference.metres),
        "radians": number(difference.radians),
        "body_before": difference.body_before or None,
        "body_after": difference.body_after or None,
    }


def _as_text(difference: FrameDifference) -> str:
    changes = ", ".join(change.value for change in difference.changes)
    line = f"{changes}: {difference.kind} {difference.name}"
    if Change.RENAMED in difference.changes:
        line += f" (was {difference.before})"
    if np.isfinite(difference.metres) and max(difference.metres, difference.radians) > 0:
        line += f"  {difference.metres:.6g} m, {difference.radians:.6g} rad"
    if Change.BODY in difference.changes:
        line += f"  body {difference.body_before or '-'} → {difference.body_after or '-'}"
    return line
