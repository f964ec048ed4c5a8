"""What a quick fix is said to change: the lines before and after, each line once."""

from __future__ import annotations

import pytest

from sdfviewer.diagnostics import Fix, Replacement
from sdfviewer.language.actions import describe_fix

TEXT = "".join(f"  line {number}\n" for number in range(1, 10))


def described(*changes: tuple[str, str]) -> list[str]:
    """Return the lines about a fix that replaces texts by others."""
    edits = [Replacement(start := TEXT.index(old), start + len(old), new) for old, new in changes]
    first, *lines = describe_fix(TEXT, Fix("fix it", "a.sdf", tuple(edits))).split("\n")
    assert first == "fix it"
    return lines


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        ([("line 2", "row 2")], ["− line 2", "+ row 2"]),
        ([("2", "two"), ("line 8", "row 8")], ["− line 2", "+ line two", "− line 8", "+ row 8"]),
        ([("line 3\n  line 4", "both"), ("5", "five")], ["− line 3", "− line 4", "+ both", "− line 5", "+ line five"]),
        ([("line 6\n", "")], ["− line 6", "− line 7", "+ line 7"]),
    ],
)
def test_each_line_is_shown_once(changes: list[tuple[str, str]], lines: list[str]) -> None:
    assert described(*changes) == lines


def test_changes_of_one_line_are_shown_together() -> None:
    at = TEXT.index("line 4")
    changes = (Replacement(at + 5, at + 6, "four"), Replacement(at, at + 4, "row"))
    assert describe_fix(TEXT, Fix("fix", "a.sdf", changes)).split("\n")[1:] == ["− line 4", "+ row four"]


def test_further_places_are_counted() -> None:
    lines = described(*((str(number), "x") for number in range(1, 8)))
    assert len(lines) == 9
    assert lines[-1] == "and 3 more"
