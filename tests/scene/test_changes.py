"""Marks on frames that moved, came or went."""

from __future__ import annotations

import numpy as np

from sdfviewer.scene.camera import Camera
from sdfviewer.scene.marks import MOST_MARKS, ChangedPlaces, paint_changes

SIZE = (800.0, 600.0)
NONE = np.zeros((0, 3))
CAMERA = Camera().seen_from("front").fit(np.array([[-1.0, -1, -1], [1, 1, 1]]), SIZE[0] / SIZE[1])


def boxes(places: ChangedPlaces, camera: Camera = CAMERA) -> np.ndarray:
    """Return the box (2, 2) in pixels around all that is drawn."""
    points = paint_changes(places, camera, SIZE, dark=True).points
    return np.stack([points.min(axis=0), points.max(axis=0)])


def test_an_arrow_leads_from_where_a_frame_was_to_where_it_is() -> None:
    ends = np.array([[[0.0, -0.8, 0], [0, 0.8, 0]]])
    pixels, _ = CAMERA.project(ends[0], *SIZE)
    box = boxes(ChangedPlaces(ends, NONE, NONE))
    low, high = np.sort(pixels[:, 0])
    assert low - 6 < box[0, 0] < low
    assert high < box[1, 0] < high + 6


def test_signs_are_where_frames_came_and_went() -> None:
    for place in ({"appeared": np.array([[0.0, 0.5, 0]])}, {"vanished": np.array([[0.0, 0.5, 0]])}):
        (pixel,), _ = CAMERA.project(np.array([[0.0, 0.5, 0]]), *SIZE)
        box = boxes(ChangedPlaces(**{"moved": np.zeros((0, 2, 3)), "appeared": NONE, "vanished": NONE, **place}))
        np.testing.assert_allclose(box.mean(axis=0), pixel, atol=1)


def test_what_turns_on_the_spot_has_a_ring() -> None:
    ends = np.zeros((1, 2, 3))
    (pixel, _), _ = CAMERA.project(ends[0], *SIZE)
    np.testing.assert_allclose(boxes(ChangedPlaces(ends, NONE, NONE)).mean(axis=0), pixel, atol=1)


def test_no_more_is_marked_than_helps_and_nothing_behind_the_camera() -> None:
    rng = np.random.default_rng(0)
    few, many = (rng.uniform(-1, 1, (number, 2, 3)) for number in (MOST_MARKS, 10 * MOST_MARKS))
    drawn = [len(paint_changes(ChangedPlaces(each, NONE, NONE), CAMERA, SIZE, dark=False)) for each in (few, many)]
    assert drawn[0] >= drawn[1] * 0.9
    behind = CAMERA.eye + 5 * CAMERA.axes[2]
    hidden = ChangedPlaces(np.tile(behind, (3, 2, 1)), behind[None], behind[None])
    assert len(paint_changes(hidden, CAMERA, SIZE, dark=True)) == 0
