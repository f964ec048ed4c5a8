"""``sdfviewer open``: the window."""

from __future__ import annotations

import argparse
from pathlib import Path

from sdfviewer.cli.inputs import add_path_option
from sdfviewer.extras import require


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument("files", nargs="*", metavar="FILE", type=Path, help="files to open, one tab each")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    require("gui")
    from sdfviewer import gui

    return gui.main(options.files, model_paths=options.path)
