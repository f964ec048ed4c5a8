"""The page of the command line, made from the parsers of the commands."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

from sdfviewer.cli import COMMANDS, command_parser

#: Options, and names with an underscore: code in a help text.
_CODE = re.compile(r"(?<![\w-])--?[a-z][\w-]*|\b\w+(?:_\w+)+\b")
_INTRODUCTION = """\
# Command line

`sdfviewer FILE...` opens the window. Every other command runs without Qt and without a display, except that pictures
need OpenGL, and pictures of the window need a display. Answers go to standard output, everything else to standard
error. The exit code is 0 without problems, 1 with errors in a file, and 2 for wrong usage or an unreadable file.

`sdfviewer COMMAND --help` prints the options of a command in the terminal. Every command takes `--debug`, which writes
what it reads and where it looks for files to standard error. The environment variable `SDFVIEWER_LOG=debug` does so
too, for the language server that an editor starts, and `SDFVIEWER_LOG=scene=debug,files=info` chooses rooms.
"""


def command_line_page() -> str:
    """Return a table of the commands, and the options of each command as a list."""
    rows = [f"| [{name}](#{name}) | {_escape(summary)} |" for name, summary in COMMANDS.items()]
    parts = [_INTRODUCTION, "| command | what it does |", "|---|---|", *rows]
    for name in COMMANDS:
        parts += ["", f"## {name}", "", *_command(name)]
    return "\n".join([*parts, ""])


def _command(name: str) -> Iterator[str]:
    parser = command_parser(name)
    formatter = argparse.HelpFormatter(parser.prog)
    files = [each for each in parser._actions if not each.option_strings]
    arguments = " ".join(formatter._format_args(each, str(each.metavar or each.dest)) for each in files)
    yield f"{_escape(str(parser.description))}"
    yield from ("", "```text", f"sdfviewer {name} [options] {arguments}".rstrip(), "```")
    for group in parser._action_groups:
        actions = [each for each in group._group_actions if each.help and "--help" not in each.option_strings]
        if not actions:
            continue
        title = str(group.title)
        if title not in ("positional arguments", "options"):
            about = f": {_escape(group.description)}" if group.description else ""
            yield from ("", f"**{title[0].upper()}{_escape(title[1:])}**{about}")
        yield ""
        for action in actions:
            yield f"`{formatter._format_action_invocation(action)}`"
            yield from (f": {_escape(formatter._expand_help(action))}", "")
    if parser.epilog:
        yield from ("", str(parser.epilog))


def _escape(text: str) -> str:
    """Return a help text as Markdown: names and options as code, everything else unchanged."""
    text = re.sub(r"([*<>|])", r"\\\1", text)
    return _CODE.sub(lambda match: f"`{match[0]}`", text)
