"""Overlap of convex shapes against closed forms, and of meshes against the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer import transforms
from sdfviewer.model.shapes.box import Box
from sdfviewer.model.shapes.sphere import Sphere
from sdfviewer.model.shapes.surface import ConvexEllipsoid, Points, Round
from sdfviewer.scene.geometry import own_mesh
from sdfviewer.scene.mesh import TriangleMesh
from sdfviewer.scene.overlaps import build_tree, meet, overlap, triangles_cross

GENERATOR = np.random.default_rng(7)


def poses(count: int, spread: float) -> np.ndarray:
    numbers = GENERATOR.uniform(-1.0, 1.0, (count, 6)) * np.array([spread] * 3 + [np.pi] * 3)
    return transforms.pose_to_matrix(numbers)


def box(x: float, y: float, z: float) -> Points:
    corners = np.stack(np.meshgrid(*([-0.5, 0.5],) * 3, indexing="ij"), axis=-1).reshape(8, 3)
    return Points(corners * (x, y, z))


def overlaps(a, b, X_A: np.ndarray, X_B: np.ndarray) -> np.ndarray:
    count = len(X_A)
    return overlap([a, b], np.zeros(count, np.int64), np.ones(count, np.int64), X_A, X_B)


def between_segments(p: np.ndarray, q: np.ndarray) -> float:
    """Return the least distance between two segments (2, 3), by trying all of them finely, then more finely."""
    low, high = np.zeros(2), np.ones(2)
    best = np.inf
    for _ in range(12):
        s, t = (np.linspace(low[k], high[k], 41) for k in range(2))
        away = np.linalg.norm(
            (p[0] + s[:, None] * (p[1] - p[0]))[:, None] - (q[0] + t[:, None] * (q[1] - q[0]))[None], axis=2
        )
        i, j = np.unravel_index(np.argmin(away), away.shape)
        best = float(away[i, j])
        width = (high - low) / 40
        middle = np.array([s[i], t[j]])
        low, high = np.maximum(middle - 2 * width, 0), np.minimum(middle + 2 * width, 1)
    return best


def test_spheres_overlap_where_their_centres_are_nearer_than_their_radii() -> None:
    a, b = Points(np.zeros((1, 3)), 0.4), Points(np.zeros((1, 3)), 0.3)
    X_A, X_B = poses(400, 0.6), poses(400, 0.6)
    apart = np.linalg.norm(X_A[:, :3, 3] - X_B[:, :3, 3], axis=1)
    assert np.array_equal(overlaps(a, b, X_A, X_B), apart < 0.7)


def test_a_sphere_overlaps_a_box_where_its_centre_is_near() -> None:
    a, b = Points(np.zeros((1, 3)), 0.3), box(1.0, 0.6, 0.2)
    X_A, X_B = poses(400, 0.8), poses(400, 0.8)
    p = (transforms.invert(X_B) @ X_A)[:, :3, 3]
    apart = np.linalg.norm(np.maximum(np.abs(p) - (0.5, 0.3, 0.1), 0.0), axis=1)
    assert np.array_equal(overlaps(a, b, X_A, X_B), apart < 0.3)


def test_capsules_overlap_where_their_axes_are_near() -> None:
    axis = np.array([[0.0, 0.0, -0.5], [0.0, 0.0, 0.5]])
    a, b = Points(axis, 0.2), Points(axis * 0.6, 0.1)
    X_A, X_B = poses(150, 0.7), poses(150, 0.7)
    expected = [
        between_segments(axis @ A[:3, :3].T + A[:3, 3], 0.6 * axis @ B[:3, :3].T + B[:3, 3]) < 0.3
        for A, B in zip(X_A, X_B, strict=True)
    ]
    assert np.array_equal(overlaps(a, b, X_A, X_B), expected)


def test_boxes_overlap_where_no_axis_separates_them() -> None:
    half_a, half_b = np.array([0.5, 0.3, 0.1]), np.array([0.2, 0.4, 0.3])
    X_A, X_B = poses(600, 0.7), poses(600, 0.7)
    expected = []
    for A, B in zip(X_A, X_B, strict=True):
        R_a, R_b = A[:3, :3].T, B[:3, :3].T
        axes = [*R_a, *R_b, *(np.cross(u, v) for u in R_a for v in R_b)]
        t = B[:3, 3] - A[:3, 3]
        expected.append(all(abs(t @ u) <= half_a @ np.abs(R_a @ u) + half_b @ np.abs(R_b @ u) for u in axes))
    assert 0 < sum(expected) < len(expected)
    assert np.array_equal(overlaps(box(1.0, 0.6, 0.2), box(0.4, 0.8, 0.6), X_A, X_B), expected)


@given(st.floats(0.05, 3.0), st.floats(-0.4, 0.4))
def test_a_cylinder_ends_at_its_rim(height: float, beyond: float) -> None:
    """A thin needle beside the rim of a cylinder, and above its lid."""
    cylinder = Round(np.array([0.5, 0.5]), np.array([-height / 2, height / 2]))
    needle = Points(np.array([[0.0, 0.0, 0.0], [1e-3, 0.0, 0.0]]))
    offset = beyond if abs(beyond) > 1e-6 else 1e-3
    beside = transforms.pose_to_matrix([0.5 + offset, 0, 0.49 * height, 0, 0, 0])[None]
    above = transforms.pose_to_matrix([0.3, 0.2, height / 2 + offset, 0, 0, 0])[None]
    at = transforms.identity(1)
    assert overlaps(cylinder, needle, at, beside)[0] == (offset < 0)
    assert overlaps(cylinder, needle, at, above)[0] == (-height < offset < 0)


def test_an_ellipsoid_is_a_sphere_that_is_stretched() -> None:
    radii = np.array([1.0, 0.4, 0.2])
    points = GENERATOR.uniform(-1.2, 1.2, (500, 3)) * radii
    X = transforms.identity(500)
    X[:, :3, 3] = points
    expected = np.linalg.norm(points / radii, axis=1) < 1.0
    assert np.array_equal(
        overlaps(ConvexEllipsoid(radii), Points(np.zeros((1, 3))), transforms.identity(500), X), expected
    )


def test_a_cone_is_narrow_at_its_tip() -> None:
    cone = Round(np.array([0.5, 0.0]), np.array([-0.5, 0.5]))
    points = GENERATOR.uniform(-0.6, 0.6, (500, 3))
    X = transforms.identity(500)
    X[:, :3, 3] = points
    inside = np.hypot(points[:, 0], points[:, 1]) < 0.5 * (0.5 - points[:, 2])
    expected = inside & (np.abs(points[:, 2]) < 0.5)
    assert np.array_equal(overlaps(cone, Points(np.zeros((1, 3))), transforms.identity(500), X), expected)


# --- meshes ------------------------------------------------------------------------------------------------------


def tree(mesh: TriangleMesh):
    return build_tree(mesh.positions[mesh.indices].astype(float), solid=True)


def test_boxes_of_triangles_meet_where_boxes_overlap() -> None:
    X_A, X_B = poses(300, 0.7), poses(300, 0.7)
    expected = overlaps(box(1.0, 0.6, 0.2), box(0.4, 0.8, 0.6), X_A, X_B)
    found = meet(
        tree(own_mesh(Box((1.0, 0.6, 0.2)))), tree(own_mesh(Box((0.4, 0.8, 0.6)))), transforms.invert(X_A) @ X_B
    )
    assert np.array_equal(found, expected)


def test_a_mesh_inside_a_solid_one_meets_it() -> None:
    large, small = tree(own_mesh(Box((1.0, 1.0, 1.0)))), tree(own_mesh(Sphere(0.1)))
    X = transforms.identity(2)
    X[1, :3, 3] = (0.0, 0.0, 2.0)
    assert meet(large, small, X).tolist() == [True, False]
    assert meet(small, large, transforms.invert(X)).tolist() == [True, False]


def test_a_ball_in_a_ring_does_not_touch_it_but_their_hulls_overlap() -> None:
    """A concave mesh: four bars around an opening."""
    bars = [((1.0, 0.1, 0.1), (0.0, 0.45, 0.0)), ((1.0, 0.1, 0.1), (0.0, -0.45, 0.0))]
    bars += [((0.1, 0.8, 0.1), (0.45, 0.0, 0.0)), ((0.1, 0.8, 0.1), (-0.45, 0.0, 0.0))]
    triangles = np.concatenate([(m := own_mesh(Box(s))).positions[m.indices] + np.array(p) for s, p in bars])
    ring, ball = build_tree(triangles.astype(float), solid=True), tree(own_mesh(Sphere(0.2)))
    X = transforms.identity(3)
    X[1, :3, 3], X[2, :3, 3] = (0.3, 0.0, 0.0), (0.0, 0.0, 0.3)
    assert meet(ring, ball, X).tolist() == [False, True, False]
    hull = Points(triangles.reshape(-1, 3).astype(float))
    sphere = Points(np.zeros((1, 3)), 0.2)
    assert overlaps(hull, sphere, transforms.identity(3), X).tolist() == [True, True, False]


@pytest.mark.parametrize("gap", [0.0, 1e-9, 1e-3])
def test_boxes_face_to_face_only_touch(gap: float) -> None:
    one = tree(own_mesh(Box((1.0, 1.0, 1.0))))
    X = transforms.pose_to_matrix([0, 0, 1.0 + gap, 0, 0, 0])[None]
    assert not meet(one, one, X)[0]
    assert meet(one, one, transforms.pose_to_matrix([0, 0, 0.999, 0, 0, 0])[None])[0]


def test_triangles_cross_only_through_each_other() -> None:
    flat = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    through = np.array([[0.2, 0.2, -0.5], [0.2, 0.2, 0.5], [0.3, 0.3, 0.5]])
    above = through + np.array([0.0, 0.0, 0.6])
    beside = through + np.array([1.0, 1.0, 0.0])
    pairs = np.stack([through, above, beside, flat])
    assert triangles_cross(np.stack([flat] * 4), pairs).tolist() == [True, False, False, False]
