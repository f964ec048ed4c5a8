"""``sdfviewer blame``: who moved a frame, in which commit, and how far."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from sdfviewer.blame import Blame, BlamedStep, FrameMove, ModelHistory, blame_frame
from sdfviewer.blame.walk import describe_commit, describe_move, plot_way
from sdfviewer.cli.inputs import CLEAN, add_path_option, make_loader
from sdfviewer.cli.outputs import print_text
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import json_text, path_here, visible
from sdfviewer.files import saving
from sdfviewer.files.configuration import find_configuration
from sdfviewer.files.git import Commit
from sdfviewer.formats.load import Loader
from sdfviewer.formats.xacro.decisions import NamedFiles
from sdfviewer.number_text import format_shown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--relative-to", metavar="FRAME", default="", help="the frame in which poses are compared (default: the root)"
    )
    parser.add_argument(
        "--plot", metavar="FILE.svg", type=Path, help="draw its position and orientation over the commits"
    )
    parser.add_argument("frame", metavar="FRAME", help="scoped name of a frame, for example arm::gripper")
    parser.add_argument("file", metavar="FILE", help="a file in a git repository")
    parser.epilog = (
        "For each step of the chain behind the pose, the commit that changed it last; then all commits that moved the "
        "frame. Renamed files and frames are followed. Exit code: 0, or 2 for wrong usage or unreadable."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    if options.plot is not None and options.plot.suffix.lower() != ".svg":
        raise SdfViewerError(f"--plot {options.plot}: name a file that ends in .svg")
    with open_history(options) as history:
        blame = blame_frame(history, options.frame, options.relative_to)
    if options.plot is not None:
        saving.save(options.plot, plot_way(blame).encode("utf-8"))
    print_text(json_text(_as_json(blame)) if options.json else "\n".join(map(visible, _lines(blame))))
    return CLEAN


def open_history(options: argparse.Namespace) -> ModelHistory:
    """Return the history of the file of a command, with the model folders of its options and settings.

    Raises
    ------
    SdfViewerError
        If it is not in a git repository, or git is not installed.
    """
    file = Path(options.file).absolute()
    if not file.is_file():
        raise SdfViewerError(f"there is no file '{options.file}'")
    paths = (*map(Path.absolute, options.path), *find_configuration(file).paths)
    return ModelHistory(file, partial(_make_loader, options), paths)


def _make_loader(options: argparse.Namespace, path: Path, paths: Iterable[Path]) -> Loader:
    """Return a loader for the file of a commit; what the command line names may be evaluated as it was then, too."""
    own = argparse.Namespace(**{**vars(options), "path": []})
    loader = make_loader(own, paths=tuple(paths))
    loader.expander.permission = NamedFiles(None if options.xacro else [path], "add --xacro")
    return loader


def _lines(blame: Blame) -> Iterable[str]:
    yield f"{blame.frame}: from the root to this frame, and who changed each step last"
    for step in blame.steps:
        edge = f"relative_to {step.relative_to}" if step.relative_to else "the root"
        yield f"  {step.kind} {step.frame}: {edge}   {path_here(step.span.path)}:{step.span.line}"
        yield f"      {describe_commit(step.last.commit)}"
        yield f"      {describe_move(step.last)}{_was(step)}"
    yield f"moved in {blame.base}, the last time first:"
    for moved in blame.way:
        yield f"  {describe_commit(moved.commit)}"
        pose = "undefined" if moved.pose is None else " ".join(format_shown(each) for each in moved.pose)
        yield f"      {describe_move(moved)}   {pose}"
    if blame.unread:
        yield f"note: {blame.unread}"


def _was(step: BlamedStep) -> str:
    return f" (then {step.last.frame})" if step.last.frame != step.frame else ""


def _as_json(blame: Blame) -> dict[str, Any]:
    return {
        "frame": blame.frame,
        "relative_to": blame.base,
        "chain": [
            {
                "frame": step.frame,
                "kind": step.kind,
                "relative_to": step.relative_to or None,
                "file": step.span.path,
                "line": step.span.line,
                "last": _moved_as_json(step.last),
            }
            for step in blame.steps
        ],
        "unread": blame.unread or None,
        "way": [_moved_as_json(moved) for moved in blame.way],
    }


def commit_as_json(commit: Commit) -> dict[str, Any]:
    """Return a commit as JSON; the keys are documented in docs/pipelines.md."""
    return {"commit": commit.id or None, "author": commit.author, "date": commit.date, "subject": commit.subject}


def _moved_as_json(moved: FrameMove) -> dict[str, Any]:
    return {
        **commit_as_json(moved.commit),
        "file": moved.path,
        "frame": moved.frame,
        "pose": None if moved.pose is None else list(moved.pose),
        "metres": moved.metres,
        "radians": moved.radians,
        "measured_from_before": moved.before or None,
        "is_new": moved.is_new and not moved.is_cut,
    }
