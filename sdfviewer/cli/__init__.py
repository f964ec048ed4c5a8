"""The command line: one module per subcommand.

Knows arguments, exit codes and output formats; must not know Qt except inside the functions that open a window.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence

from sdfviewer.diagnostics import SdfViewerError

#: The module of each subcommand and what it does; only the module that is asked for is imported.
_COMMANDS = {
    "open": ("open_window", "open the window"),
    "check": ("check", "say what is wrong with files"),
    "frames": ("frames", "print every frame with its pose and its body"),
    "why": ("why", "print the chain of frames behind one pose"),
    "graph": ("graph", "write a frame graph or the kinematic graph as DOT, SVG or JSON"),
    "convert": (
        "convert",
        "write the same model otherwise: newest SDFormat, URDF, without includes, poses in another form",
    ),
    "diff": (
        "diff",
        "say which frames moved, appeared, vanished, or changed body, between two files or since the last commit",
    ),
    "edit": ("edit", "re-target, rename and mend frames; nothing else in the file changes"),
    "screenshot": ("screenshot", "save a picture of the 3D view or of the window"),
    "explain": ("explain", "print a rule's manual page, or the table of rules"),
}
_UNREADABLE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 clean, 1 findings, 2 wrong usage or unreadable."""
    _write_alike_everywhere()
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not any(word in _COMMANDS for word in words[:1]) and words[:1] not in (["-h"], ["--help"], ["--version"]):
        words.insert(0, "open")  # `sdfviewer FILE...` opens the window
    options = _parser(words[0] if words else "open").parse_args(words)
    try:
        return int(options.run(options))
    except SdfViewerError as error:
        print(f"sdfviewer: {error}", file=sys.stderr)
        return _UNREADABLE
    except BrokenPipeError:
        # The reader of our output, `head` for example, has seen enough; keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _UNREADABLE


def _write_alike_everywhere() -> None:
    """Give pipes and files UTF-8 with plain line ends on every system, and terminals an escape for what they lack.

    A pipe of Windows would else get the code page of the system, which has no arrows and stops the program.
    """
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue  # none at all, behind a window of Windows
        if stream.isatty():
            stream.reconfigure(errors="backslashreplace")
        else:
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def _parser(asked: str) -> argparse.ArgumentParser:
    """Return the parser of all subcommands, with the options of the one that is asked for."""
    parser = argparse.ArgumentParser(
        prog="sdfviewer",
        description="Look at SDFormat robot models and their frame graphs, check and edit them.",
        epilog="`sdfviewer FILE...` opens the window. Exit code: 0 clean, 1 findings, 2 wrong usage or unreadable.",
    )
    parser.add_argument("--version", action=_Version)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (module_name, summary) in _COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        if name == asked:
            module = importlib.import_module(f"sdfviewer.cli.{module_name}")
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser


class _Version(argparse.Action):
    """Prints the version; the metadata is only looked up when it is asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show the version and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"sdfviewer {version('sdfviewer')}")
        parser.exit()
