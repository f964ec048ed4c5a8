"""The work of commands grows with a file, not with the square of its size: counted as calls of Python functions."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

import pytest

from tests.attack.scaling import GROWTHS, Growth, seconds

#: The second file holds twice as much as the first. Large enough that what is done once counts little.
COUNTS = 100, 200


def _calls(growth: Growth, count: int, folder: Path) -> int:
    called = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal called
        called += event == "call"

    sys.setprofile(note)
    try:
        seconds(growth, count, folder)
    finally:
        sys.setprofile(None)
    return called


@pytest.mark.parametrize(
    "growth", [pytest.param(each, id=each.name.replace("`", "")) for each in GROWTHS if each.command]
)
def test_twice_as_much_takes_no_more_than_twice_the_work(growth: Growth, tmp_path: Path) -> None:
    seconds(growth, COUNTS[0], tmp_path)  # imports modules
    half, whole = (_calls(growth, count, tmp_path) for count in COUNTS)
    assert half < whole < 2.1 * half
