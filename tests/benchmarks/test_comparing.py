"""What a window waits for when it compares two versions of a file: their lines, and their frames."""

from __future__ import annotations

import re

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from sdfviewer.document.line_difference import CONTEXT, text_difference
from sdfviewer.formats.load import load_model
from sdfviewer.model.comparison.frames import FrameComparison
from tests.large import world_of_models


@pytest.mark.parametrize("changed", [1, 3000])
def test_lines_side_by_side(benchmark: BenchmarkFixture, changed: int) -> None:
    benchmark.extra_info["on"] = f"60000 lines, {changed} changed"
    before = re.sub("><", ">\n<", world_of_models(3000))
    after = before.replace(" 0.5 0 0", " 0.7 0 0", changed)
    rows = benchmark(lambda: text_difference(before, after).side_by_side(CONTEXT))
    assert len(rows) >= changed


@pytest.mark.parametrize("changed", [1, 3000])
def test_frames_that_differ(benchmark: BenchmarkFixture, changed: int) -> None:
    benchmark.extra_info["on"] = f"a world of 3000 models, {changed} moved"
    text = world_of_models(3000)
    a, b = (load_model(each) for each in (text, text.replace(" 0.5 0 0", " 0.7 0 0", changed)))
    found = benchmark(lambda: FrameComparison(a, b).differences())
    assert sum(not each.along for each in found) == changed
