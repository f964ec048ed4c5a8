"""How large frames are drawn: full where few are in sight, points where many are, save for what matters now."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sdfviewer.scene.camera import Camera
from sdfviewer.scene.glyph_sizes import DENSE, GlyphSizes, glyph_sizes, mask_of, rows_around, spread
from sdfviewer.scene.scene import Scene
from tests.scene.scenes import many

SIZE = (1200, 900)


def sizes_of(scene: Scene, camera: Camera, *attended: int) -> GlyphSizes:
    pixels, depth = camera.project(scene.X_RootF[scene.triads.rows, :3, 3], *SIZE)
    return glyph_sizes(scene, camera, pixels, depth, SIZE, 1.0, mask_of(attended, len(scene.X_RootF)))


def fitted(scene: Scene) -> Camera:
    return Camera().fit(scene.outline(), SIZE[0] / SIZE[1])


def test_few_frames_are_all_drawn() -> None:
    scene = many(1, triads=DENSE // 2, joints=4)
    sizes = sizes_of(scene, fitted(scene))
    assert not sizes.dense
    assert (sizes.triads > 0).all()
    assert (sizes.joints > 0).all()


def test_of_many_frames_only_what_matters_is_more_than_a_point() -> None:
    scene = many(1, triads=10 * DENSE, joints=20)
    row, joint = int(scene.triads.rows[-1]), int(scene.joints.rows[3])
    sizes = sizes_of(scene, fitted(scene), row, joint)
    assert sizes.dense
    assert set(scene.triads.rows[sizes.triads > 0].tolist()) == {row, joint}
    assert set(scene.joints.rows[sizes.joints > 0].tolist()) == {joint}


def test_of_a_long_chain_only_frames_apart_are_more_than_points() -> None:
    """The axes and arcs of a chain of forty links were a bundle that hid the arm."""
    scene = many(1, triads=4 * DENSE)
    rows = scene.triads.rows
    X = scene.X_RootF.copy()
    X[rows, :3, 3] = np.linspace([0, 0, 0], [1, 0, 0], len(rows))
    scene = replace(scene, X_RootF=X)
    camera = fitted(scene)
    pixels, depth = camera.project(X[rows, :3, 3], *SIZE)
    selected, along = (mask_of(each, len(X)) for each in (rows[-1:], rows[:-1]))
    drawn = glyph_sizes(scene, camera, pixels, depth, SIZE, 1.0, selected, along).triads > 0
    assert drawn[-1]
    assert 3 < drawn.sum() < len(rows) / 2
    gaps = np.hypot(*np.diff(pixels[drawn], axis=0).T)
    assert gaps.min() >= 48
    few = glyph_sizes(scene, camera, pixels, depth, SIZE, 1.0, selected, mask_of(rows[[3, 50]], len(X))).triads > 0
    assert np.flatnonzero(few).tolist() == [3, 50, len(rows) - 1]


@pytest.mark.parametrize("times", [5, 50, 500])
def test_many_frames_do_not_hide_a_robot_that_is_tiny_in_the_picture(times: float) -> None:
    """In a few pixels they were in few places, and all were drawn in full."""
    scene = many(1, triads=4 * DENSE)
    camera = fitted(scene)
    assert sizes_of(scene, camera).dense
    assert sizes_of(scene, replace(camera, distance=times * camera.distance)).dense
    few = many(1, triads=DENSE // 2)
    assert not sizes_of(few, replace(camera, distance=times * camera.distance)).dense


def test_many_frames_of_a_robot_nearer_than_a_metre_are_many() -> None:
    scene = many(1, triads=4 * DENSE)
    camera = fitted(scene)
    X = scene.X_RootF.copy()
    X[:, :3, 3] *= 0.01
    x, y, z = 0.01 * np.array(camera.focus)
    near = replace(camera, focus=(x, y, z), distance=0.01 * camera.distance)
    assert sizes_of(replace(scene, X_RootF=X), near).dense


def test_many_frames_in_one_place_are_not_many_places() -> None:
    scene = many(1, triads=10 * DENSE)
    X = scene.X_RootF.copy()
    X[:, :3, 3] = 0.0
    assert not sizes_of(replace(scene, X_RootF=X), Camera()).dense


def test_frames_outside_the_picture_do_not_count() -> None:
    scene = many(1, triads=10 * DENSE)
    assert not sizes_of(scene, fitted(scene).looking_at((0.0, 50.0, 0.0))).dense


def test_what_is_nearer_is_drawn_larger() -> None:
    scene = many(1, triads=2)
    X = scene.X_RootF.copy()
    X[scene.triads.rows, :3, 3] = [(0.5, 0, 0), (-2, 0, 0)]
    near, far = sizes_of(replace(scene, X_RootF=X), Camera().seen_from("front")).triads
    assert near > 1 > far


def test_the_frames_around_the_mouse_come_nearest_first() -> None:
    scene = many(1, triads=10 * DENSE)
    camera = fitted(scene)
    row = int(scene.triads.rows[5])
    pixel, _ = camera.project(scene.X_RootF[row, :3, 3], *SIZE)
    near = rows_around(scene, camera, (float(pixel[0]), float(pixel[1])), SIZE, radius=120.0, limit=4)
    assert near[0] == row
    assert len(near) == 4
    assert rows_around(scene, camera, (-500.0, -500.0), SIZE) == ()


def test_of_frames_close_together_only_the_nearest_to_the_mouse_has_axes() -> None:
    """Eight triads two pixels apart were a bundle that looked like a selection."""
    scene = many(1, triads=10 * DENSE)
    X = scene.X_RootF.copy()
    X[scene.triads.rows] = np.eye(4)
    X[scene.triads.rows, 1, 3] = 0.02 * np.arange(len(scene.triads.rows))
    scene = replace(scene, X_RootF=X)
    camera = Camera(distance=20.0).seen_from("front")
    (x, y), _ = camera.project(X[scene.triads.rows[100], :3, 3], *SIZE)
    near = rows_around(scene, camera, (float(x), float(y)), SIZE)
    assert near[0] == scene.triads.rows[100]
    pixels, _ = camera.project(X[list(near), :3, 3], *SIZE)
    assert np.diff(np.sort(pixels[:, 0])).min(initial=np.inf) > 20
    X[scene.triads.rows] = np.eye(4)
    assert len(rows_around(replace(scene, X_RootF=X), camera, (SIZE[0] / 2, SIZE[1] / 2), SIZE)) == 8, "in one place"


def test_of_points_in_a_row_so_many_are_drawn_that_what_they_stand_on_is_in_sight() -> None:
    points = np.column_stack([np.arange(3000) * 0.5, np.zeros(3000), np.full(3000, 0.5)])
    pixel = np.ones(len(points))  # a metre to a pixel
    shown = points[spread(points, pixel, 16.0), 0]
    assert np.diff(shown).min() >= 16.0
    assert np.diff(shown).max() <= 17.0, "the row has no gaps"
    # Much nearer, all have room.
    assert spread(points, pixel / 100, 16.0).all()


def test_a_point_without_a_place_is_not_drawn() -> None:
    assert spread(np.array([[np.nan, 0, 0], [0, 0, 0], [0.1, 0.1, 0]]), np.ones(3), 16.0).tolist() == [
        False,
        True,
        False,
    ]
