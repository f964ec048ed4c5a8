"""The command line: one module per subcommand.

Knows arguments, exit codes and output formats; must not know Qt except inside the functions that open a window.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from sdfviewer.cli import check, frames, open_window, screenshot
from sdfviewer.cli.inputs import UNREADABLE
from sdfviewer.diagnostics import SdfViewerError

_COMMANDS = {"open": open_window, "check": check, "frames": frames, "screenshot": screenshot}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 clean, 1 findings, 2 wrong usage or unreadable."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not any(word in _COMMANDS for word in words[:1]) and words[:1] not in (["-h"], ["--help"], ["--version"]):
        words.insert(0, "open")  # `sdfviewer FILE...` opens the window
    options = _parser().parse_args(words)
    try:
        return int(options.run(options))
    except SdfViewerError as error:
        print(f"sdfviewer: {error}", file=sys.stderr)
        return UNREADABLE
    except BrokenPipeError:
        # The reader of our output, `head` for example, has seen enough; keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREADABLE


def _parser() -> argparse.ArgumentParser:
    from importlib.metadata import version

    parser = argparse.ArgumentParser(
        prog="sdfviewer",
        description="Look at SDFormat robot models and their frame graphs, check and edit them.",
        epilog="`sdfviewer FILE...` opens the window. Exit code: 0 clean, 1 findings, 2 wrong usage or unreadable.",
    )
    parser.add_argument("--version", action="version", version=f"sdfviewer {version('sdfviewer')}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, module in _COMMANDS.items():
        command = commands.add_parser(name, help=module.HELP, description=module.HELP[0].upper() + module.HELP[1:])
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser
