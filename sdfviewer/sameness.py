"""What two sequences have in common."""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_not


def common_ends(before: Sequence[object], now: Sequence[object]) -> tuple[int, int]:
    """Return how many items are the same objects at the start, and how many of the others at the end.

    An edit changes few items of a long sequence: what is known of the others can be kept.
    """
    shorter = min(len(before), len(now))
    start = [*map(is_not, before, now), True].index(True)
    if start == shorter:
        return start, 0
    end = [*map(is_not, reversed(before), reversed(now)), True].index(True)
    return start, min(end, shorter - start)


def first_difference(before: Sequence[object], now: Sequence[object]) -> int:
    """Return how many items are equal at the start: slices are compared much sooner than items."""
    same, most = 0, min(len(before), len(now))
    while same < most:
        middle = (same + most + 1) // 2
        if before[same:middle] == now[same:middle]:
            same = middle
        else:
            most = middle - 1
    return same
