"""The command line: one module per subcommand.

Knows arguments, exit codes and output formats; must not know Qt except inside the functions that open a window.
"""

from __future__ import annotations

import argparse
import gc
import io
import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module

from sdfviewer.cli.outputs import print_note, shown_line
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.extras import required_extras
from sdfviewer.faults import faults_as_errors
from sdfviewer.garbage_collection import paused_collection
from sdfviewer.logs import VARIABLE, parse_levels, write_logs
from sdfviewer.programs import leave_working_folder

COMMANDS = {
    "open": "open the window",
    "check": "check files for problems",
    "frames": "list every frame with its pose and its body",
    "why": "show the chain of frames behind a pose",
    "graph": "write a frame graph or the kinematic graph as DOT, SVG or JSON",
    "convert": "convert a model to another format, version or form",
    "diff": "compare two files, or a file with its last commit",
    "merge": "merge two versions of a file that were made of one, for git or by hand",
    "blame": "show which commit moved a frame last, and how far",
    "bisect": "find the commit in which a frame left its place, or a contract broke",
    "edit": "change poses, names and parts, and apply quick fixes",
    "duplicate": "copy the package of a file under another name",
    "format": "correct the indentation of files",
    "screenshot": "save a picture of the 3D view or of the window, or a motion as GIF, MP4 or PNG files",
    "page": "write a model as one web page that anybody can open",
    "collisions": "list the links that collide, at joint positions or while a joint moves",
    "assets": "list every file that a model names, found or missing",
    "fetch": "download the models on Fuel that a file names",
    "lsp": "run the language server for code editors",
    "mcp": "run the server for assistants that speak the Model Context Protocol",
    "explain": "show the manual page of a rule, or the table of rules",
    "shell": "write the completion for a shell, or a manual page",
}
"""The subcommands with their summaries; the module of the requested one is imported, and no other."""
DESCRIPTION = "View, check and edit SDFormat and URDF robot models and their frame graphs."
_MODULES = {"open": "open_window"}
"""Modules that are called otherwise than their subcommand."""
_UNREADABLE, _INTERRUPTED = 2, 130
_DEBUG = "--debug"
"""Option of all subcommands, before or behind the name of one."""
#: Commands that run until they are ended, and therefore need the garbage collector.
_LASTING = ("open", "lsp", "mcp")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 clean, 1 problems found, 2 wrong usage or unreadable.

    130, as of a program that a signal ends, where Ctrl-C ends it.
    """
    try:
        return _main(arguments)
    except KeyboardInterrupt:
        return _INTERRUPTED


def _main(arguments: Sequence[str] | None) -> int:
    _configure_output()
    if arguments is None:
        leave_working_folder()
        # Numbers of files may be infinite or as large as a float can be; what that leads to is reported elsewhere.
        warnings.filterwarnings("ignore", r".* encountered in ", RuntimeWarning)
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        _set_up_logs(words)
    except ValueError as error:
        print_note(f"sdfviewer: {error}")
        return _UNREADABLE
    if not any(word in COMMANDS for word in words[:1]) and words[:1] not in (["-h"], ["--help"], ["--version"]):
        from sdfviewer.cli.wrong_usage import refuse_unknown_command

        try:
            refuse_unknown_command(words, COMMANDS)
        except SdfViewerError as error:
            print_note(f"sdfviewer: {error}")
            return _UNREADABLE
        words.insert(0, "open")  # `sdfviewer FILE...` opens the window
    if words[:1] and words[0] in _LASTING:
        return _run(words)
    if arguments is not None:
        with paused_collection():
            return _run(words)
    return _run_in_short_process(words)


def _set_up_logs(words: list[str]) -> None:
    """Write logs as ``--debug``, which is taken out of the words, and the environment ask for.

    Raises
    ------
    ValueError
        If the variable names no level.
    """
    levels = parse_levels(os.environ.get(VARIABLE, ""))
    if _DEBUG in words[: words.index("--") if "--" in words else None]:
        words.remove(_DEBUG)
        levels = {"": "debug", **levels}
    if levels:
        write_logs(levels, shown_line)


def _run_in_short_process(words: Sequence[str]) -> int:
    """Run a command in a process that ends with it, in two thirds of the time that importing all it needs would take.

    Nothing is looked for in its garbage, not even at the end, and NumPy, which is not imported yet, starts no threads
    for matrices that a model does not have.
    """
    gc.disable()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        return _run(words)
    finally:
        gc.freeze()


def _run(words: Sequence[str]) -> int:
    parser, command = _parser(words[0] if words else "open")
    options, unknown = parser.parse_known_args(words)
    if unknown and "--" not in words and not any(word.startswith("-") for word in unknown):
        # Files before and behind an option: argparse gives the first ones to a list of files and is done with it.
        options, unknown = command.parse_known_intermixed_args(words[1:])
    if unknown:
        from sdfviewer.cli.wrong_usage import refuse_unknown_words

        refuse_unknown_words(command, unknown)
    try:
        with faults_as_errors(f"run `sdfviewer {' '.join(words)}`"), required_extras():
            code = int(options.run(options))
        if sys.stdout is not None:  # a program without a console on Windows has none
            sys.stdout.flush()  # what is wrong with it is known only then
        return code
    except SdfViewerError as error:
        for line in f"sdfviewer: {error}".split("\n"):  # one for each reason why a file is refused
            print_note(line)
    except BrokenPipeError:
        _drop_output()  # the reader of the output, `head` for example, has closed the pipe
    except OSError as error:
        print_note(f"sdfviewer: the output cannot be written: {error.strerror or error}")
        _drop_output()
    return _UNREADABLE


def _drop_output() -> None:
    """Let what is left of the output go nowhere, so that Python does not complain at its exit."""
    if sys.stdout is None:
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _configure_output() -> None:
    """Write UTF-8 with plain line ends to pipes and files on every system; escape what a terminal cannot show.

    The default encoding of a pipe on Windows has no arrows, so that printing one would stop the program.
    """
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue  # a program without a console on Windows has none
        if stream.isatty():
            stream.reconfigure(errors="backslashreplace")
        else:
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def _parser(asked: str) -> tuple[argparse.ArgumentParser, argparse.ArgumentParser]:
    """Return the parser of the program and that of the requested subcommand, with its options.

    Making those of all others takes longer than many a command; they are listed only where none is requested.
    """
    parser = argparse.ArgumentParser(
        prog="sdfviewer",
        formatter_class=_HelpFormatter,
        description=DESCRIPTION,
        epilog="`sdfviewer FILE...` opens the window. Exit code: 0 clean, 1 problems, 2 wrong usage or unreadable.",
    )
    parser.add_argument("--version", action=_Version)
    parser.add_argument(
        _DEBUG,
        action="store_true",
        help=f"write to standard error what the program does; {VARIABLE}=scene=debug,files=info chooses rooms",
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    asked_parser = parser
    for name in (asked,) if asked in COMMANDS else COMMANDS:
        summary = COMMANDS[name]
        command = commands.add_parser(
            name, help=summary, description=summary[0].upper() + summary[1:] + ".", formatter_class=_HelpFormatter
        )
        if name == asked:
            module = import_module(f"{__name__}.{_MODULES.get(name, name)}")
            module.add_arguments(command)
            command.set_defaults(run=module.run)
            asked_parser = command
    return parser, asked_parser


def command_parser(name: str) -> argparse.ArgumentParser:
    """Return the parser of a subcommand with all its options."""
    return _parser(name)[1]


class _HelpFormatter(argparse.HelpFormatter):
    """Help as wide as the terminal. argparse makes one for each option, and imports shutil to ask for the width."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_terminal_width() - 2)


def _terminal_width() -> int:
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ is not None else 80
    except (AttributeError, ValueError, OSError):  # no terminal
        return 80


class _Version(argparse.Action):
    """Prints the version."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show the version and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from sdfviewer import __version__

        print(f"sdfviewer {__version__}")
        parser.exit()
