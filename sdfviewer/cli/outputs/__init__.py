"""How the commands write what they found: text, tables, JSON, CSV, SARIF, JUnit."""

from __future__ import annotations

import sys

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import visible, without_commands


def shown_line(text: str) -> str:
    """Return a text as it may be printed in one line: without what a terminal or a runner of CI obeys."""
    return without_commands(visible(text))


def print_line(text: str) -> None:
    """Print a line; a line break in it is escaped."""
    print(shown_line(text))


def print_text(text: str) -> None:
    """Print lines that are visible, none of which is a command to a runner of CI."""
    print(without_commands(text))


def print_note(text: str) -> None:
    """Print a line to standard error, where it is open."""
    if sys.stderr is not None:
        print(shown_line(text), file=sys.stderr)


def print_bytes(data: bytes) -> None:
    """Print the bytes of a file as they are.

    Raises
    ------
    SdfViewerError
        If standard output is closed.
    """
    if sys.stdout is None:
        raise SdfViewerError("standard output is closed; name a file to write with -o")
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
