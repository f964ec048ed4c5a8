"""What the subcommands share: files to read, model paths, exit codes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from glob import glob
from pathlib import Path

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document, open_document, parse_document
from sdfviewer.document.encoding import decode
from sdfviewer.document.finder import Finder

CLEAN, FINDINGS, UNREADABLE = 0, 1, 2

#: What is looked at in a folder.
SUFFIXES = (".sdf", ".world", ".urdf")


def add_path_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--path DIR``."""
    parser.add_argument(
        "--path", metavar="DIR", action="append", default=[], type=Path, help="look for models here too (repeatable)"
    )


def add_joint_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--joint NAME=VALUE``, see :func:`parse_positions`."""
    parser.add_argument(
        "--joint",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="position of a joint in radians or metres, a comma between axes (repeatable)",
    )


def make_finder(options: argparse.Namespace) -> Finder:
    """Return a finder over the environment's and the command line's model paths."""
    return Finder(options.path)


def expand(names: Sequence[str]) -> Iterator[str]:
    """Yield the files that arguments name, folders walked in order; a folder without any is yielded itself."""
    for name in _without_wildcards(names):
        files = []
        if name != "-" and Path(name).is_dir():
            found = sorted(Path(name).rglob("*"))
            files = [str(file) for file in found if file.suffix.lower() in SUFFIXES and file.is_file()]
        yield from files or [name]


def _without_wildcards(names: Sequence[str]) -> Iterator[str]:
    """Yield names with ``*`` and ``?`` replaced by what they stand for, as every shell does but those of Windows."""
    for name in names:
        found = sorted(glob(name)) if sys.platform == "win32" and not Path(name).exists() else []
        yield from found or [name]


def read(name: str) -> Document:
    """Return the document of an argument, ``-`` for standard input.

    Raises
    ------
    SdfViewerError
        If it cannot be read.
    """
    if name == "-":
        decoded = decode(sys.stdin.buffer.read())
        return parse_document(decoded.text, encoding=decoded.encoding)
    if Path(name).is_dir() and next(expand([name])) == name:
        raise SdfViewerError(f"{name} holds no {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file")
    return open_document(name)


def parse_positions(words: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """Return joint positions from ``NAME=VALUE[,VALUE...]`` arguments.

    Raises
    ------
    SdfViewerError
        If one of them is not of that form.
    """
    positions: dict[str, tuple[float, ...]] = {}
    for word in words:
        name, _, values = word.rpartition("=")
        try:
            positions[name] = tuple(float(value) for value in values.split(","))
        except ValueError:
            name = ""
        if not name:
            raise SdfViewerError(f"--joint {word}: write NAME=VALUE, radians or metres, a comma between axes")
    return positions
