"""``sdfviewer diff``: which frames of two files, or of a file and what git has committed, moved or changed body."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from sdfviewer.cli.frames import configuration
from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_joint_option, add_path_option, make_finder, parse_positions, read
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.document.git_head import open_git_head
from sdfviewer.semantics import Loader, Model
from sdfviewer.semantics.difference import Change, FrameDifference, ModelComparison


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each frame that differs")
    add_joint_option(parser)
    parser.add_argument(
        "--tolerance", type=float, default=1e-9, metavar="T", help="metres and radians that do not count (1e-9)"
    )
    parser.add_argument(
        "a", metavar="A", help="a file, REV:FILE for a file as git has committed it, - for standard input"
    )
    parser.add_argument(
        "b",
        metavar="B",
        nargs="?",
        help="another one; without it A as it is in git's HEAD is compared with A as it is now",
    )
    parser.epilog = (
        "`diff arm.sdf` says what has changed since the last commit, `diff HEAD~3:arm.sdf arm.sdf` since an earlier "
        "one. FILE after a colon is named from here. What a committed file includes is read as it is on disk now. "
        "Exit code: 0 nothing differs, 1 something does, 2 wrong usage or unreadable."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code: 0 where nothing differs, 1 where something does."""
    loader = Loader(make_finder(options))
    positions = parse_positions(options.joint)
    before = _committed(options.a) if options.b is None else _read(options.a)
    after = _read(options.b or options.a)
    comparison = ModelComparison(_load(loader, before), _load(loader, after))
    q = None
    if positions:
        of_a, of_b = (configuration(kinematics, positions) for kinematics in comparison.kinematics)
        q = (of_a, of_b)
    differences = comparison.differences(q, options.tolerance)
    for difference in differences:
        print(json.dumps(_as_json(difference)) if options.json else _as_text(difference))
    return FINDINGS if differences else CLEAN


def _committed(name: str) -> Document:
    if name == "-":
        raise SdfViewerError("standard input has no version in git: name a file, or two")
    return open_git_head(Path(name).absolute())


def _read(name: str) -> Document:
    """Return the document of an argument: a file, or what git has committed of it."""
    revision, _, file = name.rpartition(":")
    # One letter is a drive of Windows.
    if file and len(revision) > 1 and not revision.startswith("-") and not Path(name).exists():
        return open_git_head(Path(file).absolute(), revision)
    return read(name)


def _load(loader: Loader, document: Document) -> Model:
    model, diagnostics = loader.load_with_diagnostics(document)
    if model is None:
        raise SdfViewerError(f"{document.name}: {diagnostics[0].message if diagnostics else 'nothing to compare'}")
    return model


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
        "along": difference.along or None,
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
    return f"{line}  along with {difference.along}" if difference.along else line
