"""``sdfviewer bisect``: the commit in which a frame left its place, or a contract broke."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sdfviewer.blame import ModelHistory, first_broken
from sdfviewer.blame.walk import describe_commit
from sdfviewer.cli.blame import commit_as_json, open_history
from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_path_option
from sdfviewer.cli.outputs import print_line
from sdfviewer.contracts.check import broken_in, contracts_of
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import json_text
from sdfviewer.files.configuration import WrittenContract
from sdfviewer.files.git import Commit
from sdfviewer.model.model import Model
from sdfviewer.number_expression import parse_number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object for each contract")
    parser.add_argument("--pose", metavar="POSE", help='where FRAME was: "x y z roll pitch yaw" in metres and radians')
    parser.add_argument(
        "--tolerance", type=float, default=1e-6, metavar="T", help="how far it may be off, in metres and radians (1e-6)"
    )
    parser.add_argument(
        "--relative-to", metavar="FRAME", default="", help="the frame in which POSE is given (default: the root)"
    )
    parser.add_argument(
        "--contract",
        metavar="WORDS",
        nargs="?",
        const="",
        help="a contract of FILE: words of it, or its line; all that are broken by default",
    )
    parser.add_argument(
        "words",
        metavar="[FRAME] FILE",
        nargs="+",
        help="a file; with --pose, a frame directly before it",
    )
    parser.epilog = (
        "Searches the history backwards, across renamed files and frames, for the commit that broke what "
        "does not hold now. Exit code: 0 it holds, 1 a commit is found, 2 wrong usage or unreadable."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    *frames, options.file = options.words
    if (options.pose is None) == (options.contract is None) or len(frames) != (options.pose is not None):
        raise SdfViewerError("give FRAME, FILE and --pose, or FILE and --contract")
    file = Path(options.file).absolute()
    contracts = [_of_pose(options, file, frames[0])] if options.pose is not None else _chosen(options.contract, file)
    code = CLEAN
    with open_history(options) as history:
        for contract in contracts:
            found = _find(history, contract)
            if found is not None:
                code = FINDINGS
            _print(options, contract, found)
    return code


def _of_pose(options: argparse.Namespace, file: Path, frame: str) -> WrittenContract:
    """Return the contract that ``--pose`` stands for."""
    try:
        pose = [parse_number(word) for word in options.pose.replace(",", " ").split()]
    except ValueError:
        pose = []
    if len(pose) != 6:
        raise SdfViewerError(f'--pose {options.pose}: expected six numbers, "x y z roll pitch yaw"')
    content = {"frame": frame, "pose": pose, "tolerance": options.tolerance}
    return WrittenContract(file, content | ({"relative_to": options.relative_to} if options.relative_to else {}), {})


def _chosen(words: str, file: Path) -> list[WrittenContract]:
    """Return the contracts of a file that words name: a line of the settings, or words of the contract."""
    contracts = contracts_of(file)
    found = [each for each in contracts if not words or _is_meant(each, words)]
    if not found:
        where = "; it is in sdfviewer.toml above the file, or in a file beside it" if not contracts else ""
        raise SdfViewerError(f"{file.name} has no contract{f' with {words!r}' if words else ''}{where}")
    return found


def _is_meant(contract: WrittenContract, words: str) -> bool:
    lines = {span.line for span in contract.places.values()}
    return (words.isdecimal() and int(words) in lines) or words in json_text(dict(contract.content))


def _find(history: ModelHistory, contract: WrittenContract) -> tuple[Commit, str, str] | None:
    """Return the commit that broke a contract, its file then, and what it broke; None where the contract holds."""
    model = history.last_model()
    # Names that are gone cannot be followed: they are looked for as they are.
    names = [name for name in dict.fromkeys(_names_in(contract.content, model)) if name]
    at = history.written_at(contract.file)

    def what_is_broken(commit: Commit, path: str, then: Sequence[str]) -> list[str]:
        of_then = history.with_files(commit, path)
        assert of_then is not None
        content = _renamed(contract.content, dict(zip(names, then, strict=True)))
        return broken_in(of_then, replace(contract, file=at, content=content), history.finder)

    found = first_broken(history, names, lambda *place: bool(what_is_broken(*place)))
    if found is None:
        return None
    return found.commit, found.path, what_is_broken(found.commit, found.path, found.names)[0]


def _names_in(value: Any, model: Model) -> Iterator[str]:
    """Yield the names in a contract that something in a model has."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield key if _has(model, key) else ""
            yield from _names_in(each, model)
    elif isinstance(value, list):
        for each in value:
            yield from _names_in(each, model)
    elif isinstance(value, str):
        name = value.partition("/")[0]
        yield name if _has(model, name) else ""


def _has(model: Model, name: str) -> bool:
    try:
        model.row(name)
    except SdfViewerError:
        return False
    return True


def _renamed(value: Any, names: dict[str, str]) -> Any:
    """Return the content of a contract with the names of another commit."""
    if isinstance(value, dict):
        return {names.get(key, key): _renamed(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, names) for each in value]
    if isinstance(value, str):
        name, slash, rest = value.partition("/")
        return names.get(name, name) + slash + rest
    return value


def _print(options: argparse.Namespace, contract: WrittenContract, found: tuple[Commit, str, str] | None) -> None:
    place = contract.place()
    where = "the pose" if place is None else f"{place.path}:{place.line}"
    if options.json:
        of_commit: dict[str, Any] = {"commit": None}
        if found is not None:
            commit, path, message = found
            of_commit = {**commit_as_json(commit), "file": path, "message": message}
        print(json_text({"contract": where, "holds": found is None, **of_commit}))
    elif found is None:
        print_line(f"{where}: holds")
    else:
        commit, path, message = found
        print_line(f"{where}: {message}")
        print_line(f"  broken since {describe_commit(commit)}  {path}")
