"""``sdfviewer mcp``: the server for assistants."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from sdfviewer.cli.inputs import CLEAN
from sdfviewer.diagnostics import SdfViewerError

if TYPE_CHECKING:
    from sdfviewer.mcp.workspace import Workspace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "--path",
        metavar="DIR",
        action="append",
        default=[],
        type=Path,
        help="add a folder to the model path (repeatable)",
    )
    parser.add_argument(
        "folders",
        metavar="FOLDER",
        nargs="*",
        type=Path,
        help="what an assistant may read and edit: nothing outside of these folders (default: the current one)",
    )
    accepting = parser.add_mutually_exclusive_group()
    accepting.add_argument(
        "--patch",
        metavar="FILE",
        type=Path,
        help="write the last edit that an assistant applies to FILE, where no window has the model open; "
        "`git apply FILE` in the first folder makes it",
    )
    accepting.add_argument(
        "--allow-writes",
        action="store_true",
        help="let an assistant write an edit that it has previewed; otherwise the user accepts it in the window",
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from sdfviewer.mcp.tools import serve

    asyncio.run(serve(workspace_of(options)))
    return CLEAN


def workspace_of(options: argparse.Namespace) -> Workspace:
    """Return what an assistant may read and edit.

    Raises
    ------
    SdfViewerError
        If one of the folders is none.
    """
    from sdfviewer.mcp.workspace import Workspace

    folders = options.folders or [Path.cwd()]
    for folder in folders:
        if not folder.is_dir():
            raise SdfViewerError(f"{folder} is not a folder")
    return Workspace(folders, options.path, allows_writes=options.allow_writes, patch=options.patch)
