"""What happens to the frames, in a sentence."""

from __future__ import annotations

import math

import pytest

from sdfviewer.gui.dialogs.compare.frame_table import summarise
from sdfviewer.model.difference import Change, FrameDifference


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (Change.RENAMED, "5 frames are renamed: 2 directly, 3 through their models"),
        (Change.MOVED, "2 frames move and 3 more with them"),
    ],
)
def test_what_follows_others_is_counted_by_itself(change: Change, sentence: str) -> None:
    frames = [
        FrameDifference((change,), "frame", f"f{number}", f"g{number}", math.nan, math.nan, along="g0" * (number > 1))
        for number in range(5)
    ]
    assert summarise(frames) == sentence
