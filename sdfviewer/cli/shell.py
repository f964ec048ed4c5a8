"""``sdfviewer shell``: completion for a shell, or the manual page, from the parsers of the commands."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from sdfviewer.cli.inputs import CLEAN
from sdfviewer.cli.outputs import print_text


class _Option(NamedTuple):
    """An option of a command, as shells know it."""

    names: tuple[str, ...]
    summary: str
    value: str
    """What stands for its value in a text; empty where it takes none."""
    choices: tuple[str, ...]


class _Command(NamedTuple):
    """A command with its options; `words` are what its arguments may be where these are no files."""

    name: str
    summary: str
    options: tuple[_Option, ...]
    words: tuple[str, ...]
    parser: argparse.ArgumentParser


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.epilog = (
        'For bash put `eval "$(sdfviewer shell bash)"` into ~/.bashrc, for zsh `eval "$(sdfviewer shell zsh)"` into '
        "~/.zshrc behind compinit, for fish `sdfviewer shell fish | source` into config.fish."
    )
    parser.add_argument("kind", choices=tuple(_WRITERS), help="the shell, or man for the manual page in roff")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    print_text("\n".join([*_WRITERS[options.kind](), ""]))
    return CLEAN


def _commands() -> Iterator[_Command]:
    from sdfviewer.cli import COMMANDS, command_parser
    from sdfviewer.cli.explain import sorted_rules

    for name, summary in COMMANDS.items():
        parser = command_parser(name)
        options = []
        words: list[str] = [each.name for each in sorted_rules()] if name == "explain" else []
        for action in parser._actions:  # argparse lists the options of a parser nowhere else
            choices = tuple(map(str, action.choices or ()))
            if action.help == argparse.SUPPRESS:
                continue
            if action.option_strings:
                text = " ".join((action.help or "").replace("%(default)s", str(action.default)).split())
                value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
                options.append(_Option(tuple(action.option_strings), text, value, choices))
            else:
                words += choices
        yield _Command(name, summary, tuple(options), tuple(words), parser)


def _bash() -> Iterator[str]:
    """Words of options and commands; everything else is a file."""
    yield "_sdfviewer() {"
    yield '    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=""'
    yield "    COMPREPLY=()"
    yield '    case "$COMP_CWORD ${COMP_WORDS[1]} $before $word" in'
    commands = list(_commands())
    yield f'        "1 "*) words="{" ".join(command.name for command in commands)} --help --version" ;;'
    for command in commands:
        for option in command.options:
            for name in option.names if option.value else ():
                yield f'        *" {command.name} {name} "*) words="{" ".join(option.choices)}" ;;'
        names = " ".join(name for option in command.options for name in option.names)
        yield f'        *" {command.name} "*" -"*) words="{names}" ;;'
        if command.words:
            yield f'        *" {command.name} "*) words="{" ".join(command.words)}" ;;'
    yield "    esac"
    yield '    [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$word"))'
    yield "}"
    yield "complete -o default -F _sdfviewer sdfviewer"


def _zsh() -> Iterator[str]:
    yield "#compdef sdfviewer"
    yield "_sdfviewer() {"
    yield "    local -a commands"
    yield "    commands=("
    commands = list(_commands())
    for command in commands:
        yield f"        {_quoted(f'{command.name}:{command.summary}')}"
    yield "    )"
    yield "    if (( CURRENT == 2 )); then"
    yield "        _describe -t commands command commands"
    yield "        _files"
    yield "        return"
    yield "    fi"
    yield "    local command=$words[2]; shift words; (( CURRENT-- ))"
    yield "    case $command in"
    for command in commands:
        yield f"        {command.name})"
        yield "            _arguments \\"
        for option in command.options:
            value = ""
            if option.value:
                value = f":value:({' '.join(option.choices)})" if option.choices else ":value:_files"
            summary = re.sub(r"([\[\]:])", r"\\\1", option.summary)
            for name in option.names:
                yield f"                {_quoted(f'*{name}[{summary}]{value}')} \\"
        arguments = f":word:({' '.join(command.words)})" if command.words else ":file:_files"
        yield f"                {_quoted('*' + arguments)} ;;"
    yield "        *) _files ;;"
    yield "    esac"
    yield "}"
    yield "compdef _sdfviewer sdfviewer"


def _fish() -> Iterator[str]:
    commands = list(_commands())
    for command in commands:
        yield f"complete -c sdfviewer -n __fish_use_subcommand -a {command.name} -d {_quoted(command.summary)}"
    for command in commands:
        when = f"-n '__fish_seen_subcommand_from {command.name}'"
        for option in command.options:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            value = f" -x -a '{' '.join(option.choices)}'" if option.choices else " -r" * bool(option.value)
            yield f"complete -c sdfviewer {when} {names}{value} -d {_quoted(option.summary)}"
        if command.words:
            yield f"complete -c sdfviewer {when} -f -a '{' '.join(command.words)}'"


def _man() -> Iterator[str]:
    from sdfviewer import __version__
    from sdfviewer.cli import DESCRIPTION

    commands = list(_commands())
    yield f'.TH SDFVIEWER 1 "" "sdfviewer {__version__}"'
    yield ".SH NAME"
    yield "sdfviewer \\- view, check and edit SDFormat and URDF robot models and their frame graphs"
    yield ".SH SYNOPSIS"
    yield ".B sdfviewer"
    yield "\\fIFILE\\fR ..."
    yield ".br"
    yield ".B sdfviewer"
    yield "\\fICOMMAND\\fR [\\fIoptions\\fR] ..."
    yield ".SH DESCRIPTION"
    yield _roff(DESCRIPTION)
    yield ".SH COMMANDS"
    for command in commands:
        yield f".SS {command.name}"
        yield _roff(str(command.parser.description))
        yield ".PP"
        usage = " ".join(command.parser.format_usage().removeprefix("usage: ").split())
        yield f".I {_roff(usage)}"
        for option in command.options:
            yield ".TP"
            value = f" {{{','.join(option.choices)}}}" if option.choices else f" {option.value}".rstrip()
            yield ".B " + _roff(", ".join(option.names) + value)
            yield _roff(option.summary)
        if command.parser.epilog:
            yield ".PP"
            yield _roff(command.parser.epilog)
    yield ".SH EXIT STATUS"
    for code, meaning in (
        ("0", "no problems"),
        ("1", "problems were found"),
        ("2", "wrong usage, or a file that cannot be read"),
    ):
        yield ".TP"
        yield f".B {code}"
        yield _roff(meaning)
    yield ".SH ENVIRONMENT"
    for name, meaning in (
        ("SDF_PATH, GZ_SIM_RESOURCE_PATH, ROS_PACKAGE_PATH", "folders that models and packages are looked for in"),
        ("SDFVIEWER_LOG", "the level of the log, or levels of its rooms, such as scene=debug,files=info"),
        ("SDFVIEWER_OFFLINE", "if 1, nothing is downloaded"),
    ):
        yield ".TP"
        yield f".B {_roff(name)}"
        yield _roff(meaning)


def _quoted(text: str) -> str:
    """Return a word for any of the shells."""
    return "'" + text.replace("'", "’") + "'"


def _roff(text: str) -> str:
    """Return a text for a manual page: a hyphen that can be copied, and no line that begins as a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


_WRITERS: dict[str, Callable[[], Iterator[str]]] = {"bash": _bash, "zsh": _zsh, "fish": _fish, "man": _man}
