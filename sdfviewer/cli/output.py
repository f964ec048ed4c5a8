"""Output for terminals: one line at a time, without control characters."""

from __future__ import annotations

import sys

from sdfviewer.display_text import visible


def print_line(text: str) -> None:
    """Print a line; a line break in it is escaped."""
    print(visible(text))


def print_note(text: str) -> None:
    """Print a line to standard error."""
    print(visible(text), file=sys.stderr)
