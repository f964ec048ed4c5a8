"""``sdfviewer mcp``: the server for assistants."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from sdfviewer.cli.inputs import CLEAN
from sdfviewer.diagnostics import SdfViewerError


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
    parser.add_argument(
        "--allow-writes",
        action="store_true",
        help="let an assistant write an edit that it has previewed; otherwise the user accepts it in the window",
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from sdfviewer.mcp.create import serve
    from sdfviewer.mcp.workspace import Workspace

    folders = options.folders or [Path.cwd()]
    for folder in folders:
        if not folder.is_dir():
            raise SdfViewerError(f"{folder} is not a folder")
    asyncio.run(serve(Workspace(folders, options.path, allows_writes=options.allow_writes)))
    return CLEAN
