"""``sdfviewer duplicate``: copy the package of a file under another name."""

from __future__ import annotations

import argparse
from pathlib import Path

from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_path_option, make_loader, read
from sdfviewer.cli.outputs import print_line, print_note
from sdfviewer.export.package import duplicate_package


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument("file", metavar="FILE", help="a file of the package")
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="the new folder, whose name the package gets")
    parser.epilog = (
        "The package is the nearest folder around FILE with a model.config or package.xml. All of it is copied, but "
        "for links, hidden folders and __pycache__. What names it by model://, package:// or $(find ...) names the new "
        "one, also its manifest and CMakeLists.txt. The copy is read back and compared. Nothing outside of FOLDER is "
        "written, and FOLDER must not exist. Exit code: 0 the copy means the same, 1 it differs, 2 nothing was written."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    loader = make_loader(options)
    copied = duplicate_package(read(options.file), loader, options.folder)
    for each in (*copied.notes, *copied.faults):
        print_note(each)
    print_line(str(copied.file))
    print_note(f"sdfviewer: {copied.summary}")
    return FINDINGS if copied.faults else CLEAN
