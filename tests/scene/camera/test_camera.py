import math
from dataclasses import replace

import numpy as np
import pytest

from sdfviewer.scene.camera import NAVIGATION, VIEWS, Action, Camera

WIDTH, HEIGHT = 800, 600
BOUNDS = np.array([[-1.0, -2.0, 0.0], [1.5, 2.0, 3.0]])


def camera(orthographic: bool) -> Camera:
    return Camera((0.3, -0.2, 1.0), 4.0, yaw=0.7, pitch=0.4, orthographic=orthographic, shift=(0.3, -0.1))


def test_a_shifted_picture_is_the_same_picture_elsewhere() -> None:
    points = np.random.default_rng(1).uniform(-1, 1, (50, 3))
    for orthographic in (False, True):
        shifted = camera(orthographic)
        straight = replace(shifted, shift=(0.0, 0.0))
        there, here = (each.project(points, WIDTH, HEIGHT) for each in (shifted, straight))
        np.testing.assert_allclose(there[0] - here[0], np.full((50, 2), (0.3 * HEIGHT / 2, 0.1 * HEIGHT / 2)))
        np.testing.assert_allclose(there[1], here[1])
        np.testing.assert_allclose(shifted.eye, straight.eye)
        assert shifted.centre(WIDTH, HEIGHT) == pytest.approx(tuple(shifted.project(shifted.focus, WIDTH, HEIGHT)[0]))


@pytest.mark.parametrize("orthographic", [False, True])
def test_matrix_and_project_agree(orthographic: bool) -> None:
    points = np.random.default_rng(1).uniform(-1, 1, (50, 3))
    view = camera(orthographic)
    clip = np.c_[points, np.ones(50)] @ view.matrix(WIDTH, HEIGHT, BOUNDS).T
    ndc = clip[:, :3] / clip[:, 3:]
    pixels, depth = view.project(points, WIDTH, HEIGHT)
    np.testing.assert_allclose(pixels[:, 0], (ndc[:, 0] + 1) / 2 * WIDTH, atol=1e-6)
    np.testing.assert_allclose(pixels[:, 1], (1 - ndc[:, 1]) / 2 * HEIGHT, atol=1e-6)
    assert (depth > 0).all()
    assert (np.abs(ndc[:, 2]) <= 1).all()


@pytest.mark.parametrize("orthographic", [False, True])
def test_ray_goes_through_the_projected_point(orthographic: bool) -> None:
    view = camera(orthographic)
    point = np.array([0.4, 0.9, 0.2])
    (x, y), _ = view.project(point, WIDTH, HEIGHT)
    origin, direction = view.ray(x, y, WIDTH, HEIGHT)
    assert np.linalg.norm(np.cross(point - origin, direction)) < 1e-6
    assert (point - origin) @ direction > 0


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("aspect", [0.5, 1.0, 2.4])
def test_fit_shows_the_whole_box(orthographic: bool, view: str, aspect: float) -> None:
    corners = np.array([[BOUNDS[(k >> a) & 1, a] for a in range(3)] for k in range(8)])
    fitted = Camera(orthographic=orthographic).seen_from(view).fit(corners, aspect, margin=1.0)
    pixels, depth = fitted.project(corners, aspect * 100, 100)
    assert (pixels > -1e-6).all()
    assert (pixels[:, 0] < aspect * 100 + 1e-6).all()
    assert (pixels[:, 1] < 100 + 1e-6).all()
    free = np.abs([pixels.min(axis=0), (aspect * 100, 100) - pixels.max(axis=0)])
    # The side that decides is filled from edge to edge.
    assert free.max(axis=0).min() == pytest.approx(0.0, abs=1e-6)
    along = (np.asarray(fitted.focus) - BOUNDS.mean(axis=0)) @ fitted.axes[2]
    assert along == pytest.approx(0.0, abs=1e-9)
    near, far = fitted.clip_range(BOUNDS)
    assert (depth >= near).all()
    assert (depth <= far).all()


def test_front_looks_at_the_robots_face_with_its_left_on_the_right() -> None:
    front = Camera(focus=(0, 0, 0), distance=5).seen_from("front")
    np.testing.assert_allclose(front.eye, [5, 0, 0], atol=1e-12)
    (x, y), _ = front.project([0.0, 1.0, 1.0], WIDTH, HEIGHT)
    assert x > WIDTH / 2
    assert y < HEIGHT / 2


def test_top_has_x_to_the_right_and_y_upwards() -> None:
    top = Camera(focus=(0, 0, 0)).seen_from("top")
    (x, _), _ = top.project([1.0, 0.0, 0.0], WIDTH, HEIGHT)
    (_, y), _ = top.project([0.0, 1.0, 0.0], WIDTH, HEIGHT)
    assert x > WIDTH / 2 + 10
    assert y < HEIGHT / 2 - 10


@pytest.mark.parametrize("orthographic", [False, True])
def test_zoom_keeps_what_is_under_the_cursor(orthographic: bool) -> None:
    view = camera(orthographic)
    origin, direction = view.ray(650, 120, WIDTH, HEIGHT)
    back = view.axes[2]
    point = origin + direction * ((np.asarray(view.focus) - origin) @ back) / (direction @ back)
    for factor in (0.5, 0.9, 1.7):
        pixels, _ = view.zoom(factor, 650, 120, WIDTH, HEIGHT).project(point, WIDTH, HEIGHT)
        np.testing.assert_allclose(pixels, [650, 120], atol=1e-6)


def test_pan_moves_the_focus_plane_with_the_mouse() -> None:
    view = camera(False)
    pixels, _ = view.pan(30, -20, HEIGHT).project(np.asarray(view.focus), WIDTH, HEIGHT)
    np.testing.assert_allclose(pixels, np.add(view.centre(WIDTH, HEIGHT), [30, -20]), atol=1e-6)


def test_orbit_keeps_the_focus_and_stops_at_the_poles() -> None:
    view = camera(False).orbit(37, 10_000, HEIGHT)
    assert view.pitch == pytest.approx(math.pi / 2)
    pixels, _ = view.project(np.asarray(view.focus), WIDTH, HEIGHT)
    np.testing.assert_allclose(pixels, view.centre(WIDTH, HEIGHT))
    np.testing.assert_allclose(view.axes @ view.axes.T, np.eye(3), atol=1e-12)


def test_blend_takes_the_short_way_round() -> None:
    a, b = Camera(yaw=math.radians(170)), Camera(yaw=math.radians(-170), distance=12.0)
    np.testing.assert_allclose(a.blend(b, 0).eye, a.eye)
    halfway = a.blend(b, 0.5)
    assert halfway.yaw == pytest.approx(math.radians(180))
    assert halfway.distance == pytest.approx(6.0)  # geometric mean of 3 and 12
    np.testing.assert_allclose(a.blend(b, 1).axes, b.axes, atol=1e-12)


def test_a_blend_goes_straight_from_one_camera_to_the_other() -> None:
    a = Camera(focus=(1.0, 2.0, 3.0), pitch=0.2, shift=(0.1, 0.3))
    b = Camera(focus=(3.0, 4.0, 9.0), pitch=0.4, shift=(0.5, -0.1))
    assert a.blend(b, 0).shift == a.shift
    halfway = a.blend(b, 0.5)
    assert halfway.focus == pytest.approx((2.0, 3.0, 6.0))
    assert halfway.pitch == pytest.approx(0.3)
    assert halfway.shift == pytest.approx((0.3, 0.1))
    assert a.blend(b, 1).shift == pytest.approx(b.shift)


def test_seen_along_gives_the_same_as_the_presets() -> None:
    for view, direction in {"front": (1, 0, 0), "left": (0, 2, 0), "top": (0, 0, 1), "bottom": (0, 0, -1)}.items():
        np.testing.assert_allclose(Camera().seen_along(direction).axes, Camera().seen_from(view).axes, atol=1e-9)


def test_every_navigation_preset_can_orbit_and_pan() -> None:
    for bindings in NAVIGATION.values():
        assert {Action.ORBIT, Action.PAN} <= set(bindings.values())


@pytest.mark.parametrize("orthographic", [False, True])
def test_the_decisive_points_give_the_same_camera_as_all(orthographic: bool) -> None:
    points = np.random.default_rng(1).normal(size=(500, 3)) * (5, 2, 1)
    camera = Camera(orthographic=orthographic)
    few = camera.decisive(points, 1.6)
    assert len(few) <= 10
    all_of_them, chosen = camera.fit(points, 1.6), camera.fit(few, 1.6)
    assert chosen.distance == pytest.approx(all_of_them.distance)
    assert chosen.focus == pytest.approx(all_of_them.focus)


@pytest.mark.parametrize("orthographic", [False, True])
def test_what_is_left_of_a_column_is_what_is_projected_there(orthographic: bool) -> None:
    points = np.random.default_rng(1).uniform(-1, 1, (200, 3))
    view = camera(orthographic)
    pixels, depth = view.project(points, WIDTH, HEIGHT)
    np.testing.assert_allclose(view.depth(points), depth)
    for x in (100, 390, 700):
        np.testing.assert_array_equal(view.is_left_of(x, points, WIDTH, HEIGHT), pixels[:, 0] <= x)
