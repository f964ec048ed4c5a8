"""``sdfviewer screenshot``: a picture of the 3D view or of the whole window."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("files", nargs="+", metavar="FILE")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    raise NotImplementedError
