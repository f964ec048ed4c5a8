"""Shortens names word by word, so that names that differ in one word still do."""

from __future__ import annotations

import re
from collections.abc import Callable

#: At least so many letters of each word are left: with fewer, words are hard to recognise.
LEAST_LETTERS = 3
_WORDS = re.compile(r"[^\W_]+|[\W_]+")
_ELLIPSIS = "…"


def short_name(
    name: str, kind: str, room: float, measure: Callable[[str], float], least: int = LEAST_LETTERS
) -> str | None:
    """Return a name as short as its place needs it, None where too little of it would be left.

    First goes a last word that its colour and shape say too, as in ``base_link``; then the ends of the longest words:
    ``l_gripper_r_finger_link`` becomes ``l_grip…r_fing…``, which the middle of a name left out would not tell from the
    one of the left finger.

    Parameters
    ----------
    name, kind
        The name of an element, and what it is: ``link``, ``joint``...
    room
        How wide it may be.
    measure
        Returns the width of a text.
    least
        How many letters of each word are left at least.
    """
    if measure(name) <= room:
        return name
    parts = _WORDS.findall(name)
    if len(parts) > 2 and parts[-1].lower() == kind:
        parts = [*parts[:-2], _ELLIPSIS]
    # The width grows with the letters that are left: find the most that have room by halving.
    few, many, best = least, max(map(len, parts), default=0), None
    while few <= many:
        letters = (few + many) // 2
        text = _cut(parts, letters)
        if measure(text) <= room:
            best, few = text, letters + 1
        else:
            many = letters - 1
    return best


def _cut(parts: list[str], letters: int) -> str:
    """Return words and what is between them with no word longer than some letters and an ellipsis, but for numbers."""
    text = ""
    for part in parts:
        if text.endswith(_ELLIPSIS) and not part[0].isalnum():
            continue  # the ellipsis parts words as well as an underscore
        text += part if len(part) <= letters + 1 or part[-1].isdigit() else part[:letters] + _ELLIPSIS
    return text
