"""Numbers as people read them."""

from __future__ import annotations

import pytest

from sdfviewer.number_text import listed_lines


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ([3], "line 3"),
        ([3, 7], "lines 3, 7"),
        ([1, 2, 3, 4], "lines 1, 2, 3, 4"),
        ([1, 2, 3, 4, 5], "lines 1, 2, 3, 4, …"),
    ],
)
def test_lines_are_listed_by_their_numbers(lines: list[int], text: str) -> None:
    assert listed_lines(lines) == text
