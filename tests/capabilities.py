"""Everything a user can do, one line each: functions and their parameters, commands and their options, actions, keys,
settings.

``python -m tests.capabilities > before.txt`` before a change and ``python -m tests.capabilities --since before.txt``
after it show what the change has taken away.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

import sdfviewer
from sdfviewer.cli import COMMANDS, command_parser


def capabilities() -> list[str]:
    """Return the lines, sorted within their topics."""
    topics = (_library(), _command_line(), _window(), _settings(), _server())
    return [line for topic in topics for line in sorted(set(topic))]


def _library() -> Iterator[str]:
    for name in sdfviewer.__all__:
        thing = getattr(sdfviewer, name)
        if inspect.isfunction(thing):
            yield from _with_parameters(name, thing)
        elif inspect.isclass(thing):
            for member, value in inspect.getmembers(thing, inspect.isfunction):
                if not member.startswith("_") and value.__module__.startswith("sdfviewer"):
                    yield from _with_parameters(f"{name}.{member}", value)


def _with_parameters(name: str, function: Callable[..., object]) -> Iterator[str]:
    yield f"library {name}"
    yield from (f"library {name} {parameter}" for parameter in inspect.signature(function).parameters)


def _command_line() -> Iterator[str]:
    for name in COMMANDS:
        for action in command_parser(name)._actions:
            words = " ".join(action.option_strings) or action.dest
            choices = f" {{{','.join(map(str, action.choices))}}}" if action.choices is not None else ""
            yield f"command {name} {words} {action.metavar or ''}{choices}".rstrip()


def _window() -> Iterator[str]:
    from sdfviewer.gui.shell.actions.table import ACTIONS  # needs Qt

    for spec in ACTIONS:
        keys = " ".join(filter(None, (spec.shortcut, *spec.more_shortcuts)))
        yield f"action {spec.id} | {spec.menu} > {spec.text} | {keys}".rstrip(" |")


def _settings() -> Iterator[str]:
    from sdfviewer.gui.context.settings import Settings  # needs Qt
    from sdfviewer.lsp.server import ServerSettings  # needs an extra

    for name, value in vars(Settings).items():
        if inspect.isdatadescriptor(value) and not name.startswith("_") and getattr(value, "fset", value) is not None:
            yield f"setting {name}"
    for field in fields(ServerSettings):
        yield f"server setting {field.name}"


def _server() -> Iterator[str]:
    from sdfviewer.lsp.create import create_server  # needs an extra

    server = create_server()
    yield from (f"server feature {name}" for name in server.protocol.fm.features)
    yield from (f"server command {name}" for name in server.protocol.fm.commands)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--since", type=Path, help="a list that was made before; prints what is no longer there")
    options = parser.parse_args()
    now = capabilities()
    if options.since is None:
        print(*now, sep="\n")
    else:
        gone = [line for line in options.since.read_text(encoding="utf-8").splitlines() if line not in set(now)]
        print(*gone, sep="\n")
        sys.exit(1 if gone else 0)
