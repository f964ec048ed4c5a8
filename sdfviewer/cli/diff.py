"""``sdfviewer diff``: compare the models of two files, or of a file and its last commit."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from sdfviewer.cli.frames import configuration
from sdfviewer.cli.inputs import (
    CLEAN,
    FINDINGS,
    add_joint_option,
    add_path_option,
    load_committed,
    load_version,
    make_loader,
    parse_positions,
)
from sdfviewer.cli.outputs import print_line
from sdfviewer.display_text import json_text, visible
from sdfviewer.document.topics import Aspect
from sdfviewer.formats.comparison import compare
from sdfviewer.model.comparison.difference import PropertyDifference
from sdfviewer.model.comparison.frames import FrameDifference, farthest_first
from sdfviewer.model.comparison.models import ModelComparison
from sdfviewer.number_text import counted, in_degrees, in_millimetres

#: What ``--only`` calls the frames.
_FRAME = "frame"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print one JSON object per line for each difference")
    output.add_argument(
        "--markdown", action="store_true", help="print a table for a comment, frames that moved farthest first"
    )
    add_joint_option(parser)
    parser.add_argument(
        "--tolerance", type=float, default=1e-9, metavar="T", help="tolerance of poses in metres and radians (1e-9)"
    )
    parser.add_argument(
        "--only",
        action="append",
        choices=(_FRAME, *(aspect.value for aspect in Aspect)),
        metavar="WHAT",
        help=f"compare only this, repeatable: {_FRAME}, {', '.join(aspect.value for aspect in Aspect)}",
    )
    parser.add_argument(
        "a", metavar="A", help="a file, REV:FILE for a committed version of a file, or - for standard input"
    )
    parser.add_argument(
        "b",
        metavar="B",
        nargs="?",
        help="file to compare with; without it, A is compared with its version in git HEAD",
    )
    parser.epilog = (
        "Compared are frames, bodies, joints, masses, shapes, appearance, contacts, sensors, lights, plugins, physics. "
        "`diff arm.sdf` shows what changed since the last commit, `diff HEAD~3:arm.sdf arm.sdf` since an earlier "
        "one. FILE after a colon is relative to the current folder. What a committed file includes is read from that "
        "commit, too. "
        "Exit code: 0 no difference, 1 differences, 2 wrong usage or unreadable."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code: 0 where nothing differs, 1 where something does."""
    loader = make_loader(options)
    positions = parse_positions(options.joint)
    only_one = options.b is None
    before, _ = load_committed(options, options.a) if only_one else load_version(options, loader, options.a)
    after, _ = load_version(options, loader, options.a if only_one else options.b)
    comparison = compare(before, after)
    q = None
    if positions:
        of_a, of_b = (configuration(kinematics, positions) for kinematics in comparison.kinematics)
        q = (of_a, of_b)
    wanted = options.only or [_FRAME, *Aspect]
    aspects = [aspect for aspect in Aspect if aspect.value in wanted]
    frames = comparison.differences(q, options.tolerance) if _FRAME in wanted else []
    properties = comparison.properties(*aspects) if aspects else []
    differences: list[FrameDifference | PropertyDifference] = [*frames, *properties]
    if options.markdown:
        for line in change_table(comparison, frames, properties):
            print_line(line)
        return FINDINGS if differences else CLEAN
    for difference in differences:
        if options.json:
            print(json_text(_as_json(difference, *comparison.places(difference))))
        elif isinstance(difference, PropertyDifference):
            places = comparison.places(difference)
            print_line(f"{difference}  ({places[1] or places[0]})")
        else:
            print_line(f"{difference}")
    return FINDINGS if differences else CLEAN


def _as_json(
    difference: FrameDifference | PropertyDifference, place_before: str | None, place_after: str | None
) -> dict[str, Any]:
    """Return a difference as it is printed; the keys are documented in docs/pipelines.md."""
    common: dict[str, Any] = {
        "changes": [change.value for change in difference.changes],
        "kind": difference.kind,
        "before": difference.before,
        "after": difference.after,
    }
    places = {"place_before": place_before, "place_after": place_after}
    if isinstance(difference, PropertyDifference):
        values = {"value_before": difference.value_before, "value_after": difference.value_after}
        return {**common, "aspect": difference.aspect.value, "quantity": difference.quantity, **values, **places}

    def number(value: float) -> float | None:
        return value if np.isfinite(value) else None

    return {
        **common,
        "metres": number(difference.metres),
        "radians": number(difference.radians),
        "body_before": difference.body_before or None,
        "body_after": difference.body_after or None,
        "along": difference.along or None,
        "aspect": _FRAME,
        **places,
    }


# --- a table in Markdown ------------------------------------------------------------------------------------------


#: Rows of a table: a comment has room for few characters.
_MOST: Final = 60
_DIGITS: Final = 4


def change_table(
    comparison: ModelComparison, frames: Sequence[FrameDifference], properties: Sequence[PropertyDifference]
) -> Iterator[str]:
    """Yield the lines of a table: frames that moved farthest first, each with its distance, then properties.

    Names and values are those of whoever wrote the files: they are code, and end neither it nor their cell.
    """
    own = farthest_first(frames)
    rows: list[FrameDifference | PropertyDifference] = [*own, *properties]
    if not rows:
        return
    yield "| What has changed | By | Before | After |"
    yield "|---|---|---|---|"
    for each in rows[:_MOST]:
        if isinstance(each, FrameDifference):
            what = ", ".join(change.value for change in each.changes)
            amount = _distance(each)
        else:
            what = each.change.value
            amount = f"{_code(each.quantity)}: {_code(each.value_before)} → {_code(each.value_after)}"
        places = " | ".join(_code(place) for place in comparison.places(each))
        yield f"| {what}: {each.kind} {_code(each.name)} | {amount} | {places} |"
    notes = []
    if len(rows) > _MOST:
        notes.append(f"{len(rows) - _MOST} more differences are not listed.")
    if taken := len(frames) - len(own):
        notes.append(f"{counted(taken, 'frame')}, visuals and collisions included, moved along with these.")
    if notes:
        yield ""
        yield " ".join(notes)


def _distance(difference: FrameDifference) -> str:
    if not np.isfinite(difference.metres) or max(difference.metres, difference.radians) == 0:
        return ""
    return f"{in_millimetres(difference.metres, _DIGITS)}, {in_degrees(difference.radians, _DIGITS)}"


def _code(text: str | None) -> str:
    """Return a text as code of one cell; empty where there is none."""
    shown = visible(text or "").replace("`", "?").replace("|", "?").strip()
    return f"`{shown}`" if shown else ""
