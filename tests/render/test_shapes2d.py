"""Flat shapes over the picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sdfviewer.render.renderer import Renderer
from sdfviewer.render.view import DRAFTS, STILL, Quality
from sdfviewer.scene.shapes2d import Shapes, dashes, disc, fill, stroke
from tests.render.conftest import PLAIN, Paint
from tests.scene.scenes import boxes_in_a_row

RED, HALF = (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 0.5)


def colour(picture: NDArray[np.uint8], x: int, y: int) -> list[int]:
    return picture[y, x, :3].astype(int).tolist()


def test_a_disc_is_where_its_pixels_say(renderer: Renderer, paint: Paint) -> None:
    before = paint()
    renderer.set_shapes(disc((60.0, 40.0), 10.0, RED))
    after = paint()
    assert colour(after, 60, 40) == [255, 0, 0]
    assert colour(after, 52, 40) == [255, 0, 0]
    assert colour(after, 74, 40) == colour(before, 74, 40)
    renderer.set_shapes(Shapes())
    np.testing.assert_array_equal(paint(), before)


def test_a_stroke_fades_at_its_edge(renderer: Renderer, paint: Paint) -> None:
    before = paint()
    renderer.set_shapes(stroke([(20.0, 75.5), (180.0, 75.5)], 4.0, RED))
    after = paint()
    assert colour(after, 100, 75) == [255, 0, 0]
    assert colour(after, 100, 74) == [255, 0, 0]
    edge = after[77, 100, :3].astype(int)
    assert (edge != [255, 0, 0]).any()
    assert (edge != before[77, 100, :3]).any()
    assert colour(after, 100, 79) == colour(before, 100, 79)


def test_later_shapes_lie_over_earlier_ones_and_shine_through(renderer: Renderer, paint: Paint) -> None:
    square = [(40.0, 40.0), (80.0, 40.0), (80.0, 80.0), (40.0, 80.0)]
    renderer.set_shapes(Shapes.concatenate([fill(square, RED), fill(square, HALF)]))
    assert colour(paint(), 60, 60) == pytest.approx([128, 0, 128], abs=2)


@pytest.mark.parametrize("quality", [STILL, DRAFTS[-1]])
def test_names_lie_over_marks_and_handles_over_names(
    renderer: Renderer, paint: Paint, quality: Quality, monkeypatch: pytest.MonkeyPatch
) -> None:
    def draw(*arguments: Any, **options: Any) -> None:
        Renderer.paint(renderer, *arguments, **{**options, "quality": quality})

    monkeypatch.setattr(renderer, "paint", draw)
    everywhere = fill([(-9.0, -9.0), (209.0, -9.0), (209.0, 159.0), (-9.0, 159.0)], RED)
    renderer.set_shapes(Shapes(), everywhere)
    assert (paint(replace(boxes_in_a_row(1), surfaces=()))[..., :3] == (255, 0, 0)).all()
    renderer.set_look(replace(PLAIN, labels=True))
    assert not (paint()[..., :3] == (255, 0, 0)).all(), "the name"
    renderer.set_shapes(everywhere)
    assert (paint()[..., :3] == (255, 0, 0)).all()


def test_dashes_begin_and_end_on_their_line() -> None:
    drawn = dashes([[10.0, 5.0], [110.0, 5.0]])
    assert drawn[0, 0].tolist() == [10.0, 5.0]
    assert (drawn[..., 0] <= 110.0).all()
    assert (drawn[1:, 0, 0] - drawn[:-1, 1, 0] > 2.0).all()
    assert dashes([[0.0, 0.0], [3.0, 0.0]]).tolist() == [[[0.0, 0.0], [3.0, 0.0]]]
    assert len(dashes([[0.0, 0.0], [np.nan, 0.0]])) == 0
    assert len(dashes([[0.0, 0.0], [1e9, 0.0]])) <= 500
