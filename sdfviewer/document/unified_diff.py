"""Differences of texts that `patch` and `git apply` read."""

from __future__ import annotations

import difflib
import re

#: Other programs end a line only at a line feed; `str.splitlines` also does at ten other characters.
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def unified_diff(name: str, before: str | None, after: str) -> str:
    """Return the difference of two texts of a file in the unified format, empty where they are equal.

    Parameters
    ----------
    name
        The file.
    before, after
        The texts; `before` is None where there was no file.
    """
    old = "/dev/null" if before is None else f"a/{name}"
    lines = difflib.unified_diff(_LINE.findall(before or ""), _LINE.findall(after), old, f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
