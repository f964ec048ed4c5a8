from dataclasses import replace

import numpy as np
import pytest

from sdfviewer.model.shapes.plane import Plane
from sdfviewer.model.shapes.sphere import Sphere
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.geometry import own_mesh
from sdfviewer.scene.glyph_sizes import rows_around
from sdfviewer.scene.marks import Centres
from sdfviewer.scene.nodes import Lines, MeshInstance, Triads
from sdfviewer.scene.scene import Scene, update_poses
from sdfviewer.scene.tools.picking import Target, box_select, everything_under, intersect_triangles, pick, pick_surfaces
from sdfviewer.scene.tools.section import CuttingPlane
from sdfviewer.transforms import pose_to_matrix
from tests.scene.scenes import boxes_in_a_row

WIDTH, HEIGHT = 800, 600
FRONT = Camera(distance=20.0).seen_from("front")


def pixel(point: tuple[float, float, float]) -> tuple[float, float]:
    (x, y), _ = FRONT.project(point, WIDTH, HEIGHT)
    return float(x), float(y)


def test_a_ray_meets_the_nearest_triangle() -> None:
    triangles = np.array([[[0, -1, -1], [0, 2, -1], [0, -1, 2]], [[1, -1, -1], [1, 2, -1], [1, -1, 2]]], float)
    distance, which = intersect_triangles(np.array([5.0, 0, 0]), np.array([-1.0, 0, 0]), triangles)
    assert (distance, which) == (pytest.approx(4.0), 1)
    away, which = intersect_triangles(np.array([5.0, 0, 0]), np.array([1.0, 0, 0]), triangles)
    assert np.isinf(away)
    assert which == -1


def test_picks_the_surface_under_the_mouse() -> None:
    scene = boxes_in_a_row(3)
    hit = pick(scene, FRONT, *pixel((0.5, 3.3, 0.3)), WIDTH, HEIGHT)
    assert hit is not None
    assert (hit.row, hit.target) == (6, Target.SURFACE)
    np.testing.assert_allclose(hit.point, [0.5, 3.3, 0.3], atol=1e-6)
    assert pick(scene, FRONT, *pixel((0.5, 1.5, 0.0)), WIDTH, HEIGHT) is None


def test_a_frame_wins_over_the_surface_in_front_of_it() -> None:
    hit = pick(boxes_in_a_row(3), FRONT, *pixel((0, 0, 0)), WIDTH, HEIGHT)
    assert hit is not None
    assert (hit.row, hit.target) == (3, Target.FRAME)


def test_a_frame_of_another_model_behind_a_surface_is_not_met() -> None:
    """In a row of models that is seen from its end, a model far behind the front one was named."""
    scene = boxes_in_a_row(2)
    X = scene.X_RootF.copy()
    X[1:3, :3, 3] = 0.0
    X[3:5, :3, 3] = [-3.0, 0.2, 0.0]  # behind the first one
    scene = update_poses(scene, X)
    at = pixel((-3.0, 0.2, 0.0))
    hit = pick(scene, FRONT, *at, WIDTH, HEIGHT)
    assert hit is not None
    assert hit.row in (1, 2), "the box in front, or its frame"
    chosen = pick(scene, FRONT, *at, WIDTH, HEIGHT, preferred=(3,))
    assert chosen is not None
    assert chosen.row == 3, "what is selected is met through others"


def test_everything_under_the_mouse_from_near_to_far() -> None:
    scene = boxes_in_a_row(3)
    X = scene.X_RootF.copy()
    for k in range(3):  # one behind the other
        X[1 + 2 * k : 3 + 2 * k, :3, 3] = [-3.0 * k, 0, 0]
    hits = everything_under(update_poses(scene, X), FRONT, *pixel((0.5, 0.3, 0.3)), WIDTH, HEIGHT)
    assert [hit.row for hit in hits if hit.target is Target.SURFACE] == [2, 4, 6]


def test_scaled_and_turned_surfaces_are_hit_where_they_are() -> None:
    ball = MeshInstance(0, own_mesh(Sphere()), (1.0, 2.0, 0.5), X_RowG=pose_to_matrix((0, 0, 1, 0, 0, np.pi / 2)))
    scene = Scene(np.eye(4)[None], np.array([-1], np.int32), surfaces=(ball,))
    origin, down = np.array([1.8, 0.0, 5.0]), np.array([0.0, 0, -1])
    (hit,) = pick_surfaces(scene, origin, down)
    assert hit.point[2] == pytest.approx(1 + 0.5 * np.sqrt(1 - 0.81), abs=0.02)
    assert not pick_surfaces(scene, np.array([0.0, 1.8, 5.0]), down)


def test_a_flat_plane_can_be_picked() -> None:
    scene = Scene(np.eye(4)[None], np.array([-1], np.int32), surfaces=(MeshInstance(0, own_mesh(Plane(size=(4, 4)))),))
    (hit,) = pick_surfaces(scene, np.array([1.0, 1.0, 3.0]), np.array([0.0, 0, -1]))
    assert hit.distance == pytest.approx(3.0)


def test_rays_along_the_axes_of_a_box() -> None:
    scene = boxes_in_a_row(1)
    for axis in range(3):
        direction = -np.eye(3)[axis]
        (hit,) = pick_surfaces(scene, -5 * direction, direction)
        assert hit.distance == pytest.approx(4.5)


def test_agrees_with_every_triangle_tried_one_by_one() -> None:
    generator = np.random.default_rng(3)
    scene = boxes_in_a_row(4)
    for _ in range(200):
        origin = generator.uniform(-10, 10, 3)
        direction = generator.normal(size=3)
        direction /= np.linalg.norm(direction)
        nearest = np.inf
        for surface in scene.surfaces:
            X = scene.X_RootF[surface.row]
            corners = surface.mesh.positions[surface.mesh.indices] @ X[:3, :3].T + X[:3, 3]
            nearest = min(nearest, intersect_triangles(origin, direction, corners)[0])
        hits = pick_surfaces(scene, origin, direction)
        assert (hits[0].distance if hits else np.inf) == pytest.approx(nearest)


def test_unresolved_surfaces_are_never_hit() -> None:
    scene = boxes_in_a_row(1)
    X = scene.X_RootF.copy()
    X[1:] = np.nan
    assert pick(update_poses(scene, X), FRONT, WIDTH / 2, HEIGHT / 2, WIDTH, HEIGHT) is None


def test_box_select_takes_what_lies_inside() -> None:
    scene = boxes_in_a_row(3)
    corner, opposite = pixel((0, -4, 1)), pixel((0, 1, -1))
    assert box_select(scene, FRONT, corner, opposite, WIDTH, HEIGHT).tolist() == [1, 2, 3, 4]
    assert box_select(scene, FRONT, opposite, corner, WIDTH, HEIGHT).tolist() == [1, 2, 3, 4]


def test_an_icon_is_picked_for_itself() -> None:
    sensor = Lines.in_frame(2, np.zeros((1, 2, 3)), "sensor", on_screen=True)
    scene = replace(boxes_in_a_row(1), triads=Triads(), lines=sensor)
    hit = pick(scene, FRONT, *pixel((0.0, 0.0, 0.0)), WIDTH, HEIGHT)
    assert hit is not None
    assert (hit.row, hit.target) == (2, Target.ICON)


def test_the_symbol_of_a_centre_of_mass_is_its_link() -> None:
    """It lies inside the shapes of the link, or of another: the symbol is over them."""
    row = np.array([3], np.int32)
    centres = Centres(row, np.array([[-0.4, 3.2, 0.3]]), np.array([1.0]), row)
    scene = replace(boxes_in_a_row(3), centres=centres)
    at = (-0.4, 3.2, 0.3)  # in the shape of link 5
    hit = pick(scene, FRONT, *pixel(at), WIDTH, HEIGHT)
    assert hit is not None
    assert hit.row == 3
    np.testing.assert_allclose(hit.point, at)
    assert 3 in {hit.row for hit in everything_under(scene, FRONT, *pixel(at), WIDTH, HEIGHT)}
    moved = update_poses(scene, scene.X_RootF + np.pad([[0.0], [0.0], [5.0]], ((0, 1), (3, 0))))
    assert pick(moved, FRONT, *pixel((-0.4, 3.2, 5.3)), WIDTH, HEIGHT) is not None


def test_what_a_section_cuts_away_cannot_be_picked() -> None:
    """Frames and joints floated where the arm had been, and could be hovered."""
    scene = replace(boxes_in_a_row(3), section=CuttingPlane((0.0, -1.0, 0.0), 0.0))  # keeps y >= 0
    assert pick(scene, FRONT, *pixel((0, -3.0, 0)), WIDTH, HEIGHT) is None
    assert everything_under(scene, FRONT, *pixel((0, -3.0, 0)), WIDTH, HEIGHT) == ()
    assert rows_around(scene, FRONT, pixel((0, -3.0, 0)), (WIDTH, HEIGHT)) == ()
    assert 1 not in box_select(scene, FRONT, (0, 0), (WIDTH, HEIGHT), WIDTH, HEIGHT)
    middle = pick(scene, FRONT, *pixel((0, 0, 0)), WIDTH, HEIGHT)
    assert middle is not None
    assert (middle.row, middle.target) == (3, Target.FRAME), "what is on the plane stays"
