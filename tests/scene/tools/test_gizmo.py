"""Handles: where they are, what a drag by them means, that they can be seen."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sdfviewer.scene.camera import Camera
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.shapes2d import Shapes, disc, distance_to_path, fill, is_inside, stroke, strokes
from sdfviewer.scene.tools.gizmo import (
    ARMS,
    FREE,
    RINGS,
    SPIN,
    SQUARES,
    Drag,
    Gizmo,
    Handle,
    Mode,
    gizmo_pose,
    paint_drag,
    paint_gizmo,
    snapped,
)
from sdfviewer.transforms import pose_to_matrix

SIZE = (800.0, 600.0)
X_WF = pose_to_matrix([0.3, -0.2, 0.5, 0.5, -0.4, -1.1])
CAMERAS = [Camera(distance=4.0), Camera(distance=4.0, orthographic=True), Camera(distance=2.5, yaw=2.0, pitch=-0.5)]


def gizmo_at(camera: Camera, mode: Mode, X: Floats = X_WF) -> Gizmo:
    return Gizmo(X, mode, camera.looking_at(X[:3, 3]), *SIZE)


def centre(path: Floats) -> tuple[float, float]:
    x, y = path.mean(axis=0)
    return float(x), float(y)


@pytest.mark.parametrize("camera", CAMERAS)
def test_every_handle_is_found_where_it_is_drawn(camera: Camera) -> None:
    for mode in Mode:
        gizmo = gizmo_at(camera, mode)
        for handle in gizmo.handles():
            path = gizmo.outline(handle)
            surface = mode is Mode.MOVE and len(handle.axes) != 1
            points = [centre(path)] if surface else path[len(path) // 4 :].tolist()
            assert handle in {gizmo.pick(x, y) for x, y in points}
        assert gizmo.pick(5.0, 5.0) is None


def test_handles_that_could_not_be_dragged_are_not_offered() -> None:
    gizmo = Gizmo(np.eye(4), Mode.MOVE, Camera().seen_from("front"), *SIZE)
    names = {handle.name for handle in gizmo.handles()}
    assert names == {"y", "z", "yz", "view"}
    behind = Gizmo(np.eye(4), Mode.MOVE, Camera(distance=2.0).looking_at([0, 0, 10.0]).seen_from("top"), *SIZE)
    assert Gizmo(np.full((4, 4), np.nan), Mode.ROTATE, Camera(), *SIZE).handles() == ()
    assert behind.visible


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("handle", [*ARMS, *SQUARES, FREE])
def test_the_frame_follows_the_mouse(camera: Camera, handle: Handle) -> None:
    gizmo = gizmo_at(camera, Mode.MOVE)
    x, y = centre(gizmo.project(np.zeros((1, 3))))
    # A point in reach of the handle: 0.2 m along each of its axes.
    way = gizmo.X_WG[:3, list(handle.axes or (0, 1, 2))].sum(axis=1) * 0.2
    if not handle.axes:
        way -= (way @ gizmo.to_viewer) * gizmo.to_viewer
    goal = centre(gizmo.project_world((gizmo.origin + way)[None]))
    drag = Drag(gizmo, handle, x, y)
    moved = (drag.motion(drag.amounts(*goal)) @ gizmo.X_WG)[:3, 3]
    np.testing.assert_allclose(moved, gizmo.origin + way, atol=1e-6)


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("handle", [*RINGS, SPIN])
def test_the_ring_follows_the_mouse(camera: Camera, handle: Handle) -> None:
    # All three axes lean towards the viewer alike.
    corner = np.array([[1, -1, 0], [1, 1, -2], [1, 1, 1]]) / np.sqrt([[2], [6], [3]])
    gizmo = gizmo_at(camera, Mode.ROTATE, gizmo_pose(X_WF, camera.axes.T @ corner))
    n = gizmo.axis(handle)
    u = np.cross(n, np.eye(3)[int(np.argmin(np.abs(n)))])
    u, v = u / np.linalg.norm(u), np.cross(n, u / np.linalg.norm(u))
    rim = gizmo.origin + 0.3 * np.stack([u, math.cos(0.5) * u + math.sin(0.5) * v])
    start, end = gizmo.project_world(rim)
    drag = Drag(gizmo, handle, *start)
    (angle,) = drag.amounts(*end)
    assert angle == pytest.approx(0.5, abs=1e-6)
    turned = drag.motion((angle,)) @ np.append(rim[0], 1.0)
    np.testing.assert_allclose(turned[:3], rim[1], atol=1e-6)


def test_an_angle_goes_on_beyond_half_a_turn() -> None:
    gizmo = Gizmo(np.eye(4), Mode.ROTATE, Camera().seen_from("top"), *SIZE)
    x, y = centre(gizmo.project(np.zeros((1, 3))))
    drag = Drag(gizmo, RINGS[2], x + 50, y)
    amounts: tuple[float, ...] = ()
    for angle in np.linspace(0.0, 3 * math.pi, 40):
        amounts = drag.amounts(x + 50 * math.cos(angle), y - 50 * math.sin(angle), amounts)
    assert amounts[0] == pytest.approx(3 * math.pi, abs=1e-6)


def test_a_ring_seen_from_its_side_is_rolled() -> None:
    gizmo = Gizmo(np.eye(4), Mode.ROTATE, Camera(orthographic=True).seen_from("front"), *SIZE)
    drag = Drag(gizmo, RINGS[2], 400.0, 300.0)
    # The near side of a turn about z goes to the left's +y, which is on the right of a picture taken from +x.
    assert drag.amounts(478.0, 300.0)[0] == pytest.approx(1.0)
    assert drag.amounts(400.0, 250.0)[0] == pytest.approx(0.0, abs=1e-9)


def test_steps() -> None:
    assert snapped((0.126, -0.02), 0.05) == pytest.approx((0.15, 0.0))
    assert snapped((0.126,), 0.0) == (0.126,)


def test_the_gizmo_is_at_the_frame_along_the_axes_that_are_asked_for() -> None:
    X_WG = gizmo_pose(X_WF, np.eye(3))
    np.testing.assert_array_equal(X_WG[:3, 3], X_WF[:3, 3])
    np.testing.assert_array_equal(X_WG[:3, :3], np.eye(3))


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("camera", CAMERAS)
def test_all_that_is_painted_is_finite_and_in_the_picture(camera: Camera, dark: bool) -> None:
    for mode in Mode:
        gizmo = gizmo_at(camera, mode)
        shapes = paint_gizmo(gizmo, gizmo.handles()[0], dark=dark)
        assert len(shapes) > 100
        assert len(shapes) % 3 == 0
        assert np.isfinite(shapes.points).all()
        assert (np.abs(shapes.points - np.array(SIZE) / 2) < 140).all()
        for handle in gizmo.handles():
            amounts = (0.4,) * (1 if mode is Mode.ROTATE else len(handle.axes) or 3)
            held = paint_drag(Drag(gizmo, handle, 420.0, 310.0), amounts, dark=dark)
            assert len(held) > 0
            assert np.isfinite(held.points).all()


def test_what_cannot_be_seen_is_not_painted() -> None:
    lost = Gizmo(np.full((4, 4), np.nan), Mode.MOVE, Camera(), *SIZE)
    assert len(paint_gizmo(lost, None, dark=True)) == 0


# --- shapes ------------------------------------------------------------------------------------------------------

WHITE = (1.0, 1.0, 1.0, 1.0)


def test_a_stroke_is_as_wide_as_it_says_with_room_for_its_edge() -> None:
    shapes = stroke([(10.0, 10.0), (30.0, 10.0)], 4.0, WHITE)
    assert np.ptp(shapes.points[:, 1]) == pytest.approx(4.0 + 2 * 0.75)
    assert np.ptp(shapes.points[:, 0]) == pytest.approx(20.0)
    assert (shapes.edges[:, 1] == 2.0).all()
    assert (shapes.colours == 255).all()


def test_a_line_out_of_the_picture_is_left_out() -> None:
    assert len(strokes([[(0.0, 0.0), (np.nan, 1.0)], [(0.0, 0.0), (1.0, 1.0)]], 1.0, WHITE)) == 6
    assert len(fill([(0.0, 0.0), (1.0, 0.0), (np.nan, 1.0)], WHITE)) == 0


def test_shapes_keep_their_order() -> None:
    both = Shapes.concatenate([disc((0, 0), 5, WHITE), stroke([(0, 0), (1, 0)], 1.0, (0.0, 0.0, 0.0, 1.0))])
    assert both.colours[0].tolist() == [255, 255, 255, 255]
    assert both.colours[-1].tolist() == [0, 0, 0, 255]
    assert len(Shapes.concatenate([])) == 0


def test_how_far_a_pixel_is_from_a_path() -> None:
    path = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)]
    assert distance_to_path(path, 5.0, 3.0) == pytest.approx(3.0)
    assert distance_to_path(path, 13.0, 14.0) == pytest.approx(5.0)
    assert distance_to_path([(np.nan, 0.0), (1.0, 1.0)], 0.0, 0.0) == math.inf


def test_what_is_inside_a_polygon() -> None:
    square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    for corners in (square, square[::-1]):
        assert is_inside(corners, 5.0, 5.0)
        assert not is_inside(corners, 11.0, 5.0)


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("mode", Mode)
def test_names_can_keep_clear_of_every_handle(camera: Camera, mode: Mode) -> None:
    gizmo = gizmo_at(camera, mode)
    places = np.array(gizmo.rectangles())
    for handle in gizmo.handles():
        for point in gizmo.outline(handle):
            inside = (point >= places[:, :2]) & (point <= places[:, :2] + places[:, 2:])
            assert inside.all(axis=1).any(), handle
