"""``sdfviewer format``: correct the indentation of files."""

from __future__ import annotations

import argparse

from sdfviewer.cli.inputs import CLEAN, FINDINGS, expand, read
from sdfviewer.cli.outputs import print_bytes, print_line, print_note
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.line_difference import unified_diff
from sdfviewer.files.saving import save
from sdfviewer.language.line_commands import formatted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--in-place", action="store_true", help="write the files, not standard output")
    output.add_argument("--diff", action="store_true", help="print what would change as a patch")
    output.add_argument("--check", action="store_true", help="print the names of files that would change")
    parser.add_argument("files", metavar="FILE", nargs="+", help="a file, a folder, or - for standard input")
    parser.epilog = (
        "Lines are indented by the depth of their elements, in the step of the file. Only blanks between tags and "
        "comments change. Exit code: 0 nothing to change, or done; 1 with --check or --diff where something would "
        "change; 2 wrong usage, unreadable or not well-formed."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    inputs = list(expand(options.files))
    if len(inputs) > 1 and not (options.in_place or options.diff or options.check):
        raise SdfViewerError("these are several files: use --in-place, --diff or --check")
    code = CLEAN
    for each in inputs:
        before = read(each.name)
        try:
            after = before.edited(formatted(before))
        except SdfViewerError as error:
            raise SdfViewerError(f"{before.name}: {error}") from error
        if after.text != before.text and (options.check or options.diff):
            code = FINDINGS
        if options.in_place and before.path is None:
            raise SdfViewerError("standard input cannot be written in place")
        if options.in_place and before.path is not None:
            if after.text != before.text:
                save(before.path, after.to_bytes(), before.fingerprint, tell=print_note)
        elif options.diff:
            print(unified_diff(before.name, before.text, after.text), end="")
        elif not options.check:
            print_bytes(after.to_bytes())
        elif after.text != before.text:
            print_line(before.name)
    return code
