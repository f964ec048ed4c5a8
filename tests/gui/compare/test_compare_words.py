"""What happens to the frames, in a sentence."""

from __future__ import annotations

import math

import pytest

from sdfviewer.gui.compare.frame_tables import summarise
from sdfviewer.model.comparison.frames import Change, FrameDifference


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (Change.RENAMED, "5 frames are renamed: 2 directly, 3 because the frame around them is renamed"),
        (Change.MOVED, "2 frames move and 3 more with them"),
    ],
)
def test_what_follows_others_is_counted_by_itself(change: Change, sentence: str) -> None:
    frames = [
        FrameDifference((change,), "frame", f"f{number}", f"g{number}", math.nan, math.nan, along="g0" * (number > 1))
        for number in range(5)
    ]
    assert summarise(frames) == sentence


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        (["link"], "the link around them is renamed"),
        (["model"], "the model around them is renamed"),
        (["model", "model"], "the models around them are renamed"),
        (["model", "link"], "the frames around them are renamed"),
    ],
)
def test_what_is_renamed_along_says_what_it_is_in(kinds: list[str], words: str) -> None:
    """The visuals of a renamed link were said to be renamed through their model."""

    def renamed(kind: str, name: str, along: str = "") -> FrameDifference:
        return FrameDifference((Change.RENAMED,), kind, f"old_{name}", name, math.nan, math.nan, along=along)

    leaders = [renamed(kind, f"{kind}{number}") for number, kind in enumerate(kinds)]
    followers = [renamed("visual", f"{each.name}::{name}", each.name) for each in leaders for name in "ab"]
    count = f"{len(leaders)} directly, {len(followers)} because"
    assert summarise([*leaders, *followers]) == f"{len(leaders) * 3} frames are renamed: {count} {words}"
