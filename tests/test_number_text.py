"""Numbers as people read them."""

from __future__ import annotations

import math

import pytest

from sdfviewer.number_text import format_rounded, listed_lines


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


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.123456, 4, "0.1235"),
        (0.5, 4, "0.5"),
        (-11.02134, 4, "-11.0213"),
        (1200.0, 4, "1200"),
        (1200.0, 0, "1200"),
        (89.999999, 2, "90"),
        (0.000042, 4, "4e-05"),
        (-0.00001, 4, "-1e-05"),
        (6.1e-17, 4, "0"),
        (math.nan, 4, "–"),
    ],
)
def test_what_is_only_shown_is_rounded_alike(value: float, decimals: int, text: str) -> None:
    assert format_rounded(value, decimals) == text
