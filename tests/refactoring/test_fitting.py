"""Simple shapes around meshes: they hold all of it, and are those that a mesh was made of."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sdfviewer.extras import MissingExtraError
from sdfviewer.model.shapes import kind_of
from sdfviewer.model.shapes.box import Box
from sdfviewer.model.shapes.capsule import Capsule
from sdfviewer.model.shapes.cylinder import Cylinder
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.shapes.sphere import Sphere
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.fitting import (
    FITTED,
    HULL,
    MOST_CORNERS,
    FittedShape,
    convex_hull,
    convex_pieces,
    fit,
    fit_pieces,
)
from sdfviewer.transforms import Array, pose_to_matrix

TURNED = pose_to_matrix((0.3, -0.2, 0.5, 0.4, 0.3, 0.2))


def triangles_of(geometry: Geometry, X: Array = TURNED) -> Array:
    kind = kind_of(geometry)
    assert kind is not None
    surface = kind.surfaces(geometry)[0]
    moved = surface.positions.astype(float) @ X[:3, :3].T + X[:3, 3]
    return np.asarray(moved[surface.indices])


def outside(fitted: FittedShape, triangles: Array) -> float:
    """Return how far the farthest vertex is outside of a fitted shape."""
    local = (triangles.reshape(-1, 3) - fitted.X_SG[:3, 3]) @ fitted.X_SG[:3, :3]
    shape = fitted.geometry
    if shape is None:
        return max(float(each.above(local).max()) for each in fitted.pieces)
    if isinstance(shape, Box):
        return float((np.abs(local) - np.array(shape.size) / 2).max())
    if isinstance(shape, Sphere):
        return float((np.linalg.norm(local, axis=1) - shape.radius).max())
    across = np.linalg.norm(local[:, :2], axis=1)
    assert isinstance(shape, (Cylinder, Capsule))
    beyond = np.abs(local[:, 2]) - shape.length / 2
    if isinstance(shape, Cylinder):
        return float(np.maximum(across - shape.radius, beyond).max())
    return float((np.hypot(across, np.maximum(beyond, 0)) - shape.radius).max())


@pytest.mark.parametrize(
    ("of", "shape"),
    [  # by day every second one
        pytest.param(of, shape, id=f"{of.kind}-{shape}", marks=[pytest.mark.nightly] * ((row + column) % 2))
        for row, of in enumerate([Box((0.2, 0.4, 0.9)), Cylinder(0.1, 0.6), Sphere(0.3)])
        for column, shape in enumerate(FITTED)
    ],
)
def test_a_shape_holds_all_of_the_mesh(shape: str, of: Geometry) -> None:
    triangles = triangles_of(of)
    fitted = fit(shape, triangles)
    assert outside(fitted, triangles) < (fitted.gap if shape == HULL else 0.0) + 2e-6
    assert (HULL if fitted.geometry is None else fitted.geometry.kind) == shape
    assert fitted.volume > 0.98 * fitted.of_mesh
    assert fitted.of_mesh == pytest.approx(of.volume, rel=0.01)


def test_a_turned_shape_is_found_again() -> None:
    box = fit("box", triangles_of(Box((0.2, 0.4, 0.9))))
    assert isinstance(box.geometry, Box)
    assert sorted(box.geometry.size) == pytest.approx([0.2, 0.4, 0.9], abs=1e-5)
    cylinder = fit("cylinder", triangles_of(Cylinder(0.1, 0.6)))
    assert isinstance(cylinder.geometry, Cylinder)
    assert (cylinder.geometry.radius, cylinder.geometry.length) == pytest.approx((0.1, 0.6), rel=2e-3)
    capsule = fit("capsule", triangles_of(Capsule(0.1, 0.6)))
    assert isinstance(capsule.geometry, Capsule)
    assert (capsule.geometry.radius, capsule.geometry.length) == pytest.approx((0.1, 0.6), rel=5e-3)
    assert fit("sphere", triangles_of(Sphere(0.3))).gap < 2e-3
    assert cylinder.gap < 2e-3


def test_what_it_costs_is_said() -> None:
    fitted = fit("box", triangles_of(Sphere(0.5), np.eye(4)))
    assert fitted.remark.startswith("box of 1 m³ around 0.52")
    assert "+9" in fitted.remark
    assert fitted.gap == pytest.approx(0.5 * np.sqrt(3) - 0.5, abs=0.002)  # at the corners


# --- convex meshes ---------------------------------------------------------------------------------------------------


def angle() -> Array:
    """Return the triangles of an L: two bars, 1 m long, with a square of 0.2 m as their section, in one corner."""
    outline = np.array([(0, 0), (1, 0), (1, 0.2), (0.2, 0.2), (0.2, 1), (0, 1)])
    low, high = (np.column_stack([outline, np.full(6, z)]) for z in (0.0, 0.2))
    cap = np.array([(0, 1, 3), (1, 2, 3), (0, 3, 5), (3, 4, 5)])
    sides = [(low[i], low[(i + 1) % 6], high[(i + 1) % 6], high[i]) for i in range(6)]
    walls = [each for a, b, c, d in sides for each in ((a, b, c), (a, c, d))]
    return np.concatenate([high[cap], low[cap[:, ::-1]], np.array(walls)])


def is_closed(faces: NDArray[np.int64], corners: int) -> bool:
    """Return whether triangles are a closed surface like that of a ball, with each edge once in each direction."""
    edges = {(a, b) for row in faces.tolist() for a, b in zip(row, (*row[1:], row[0]), strict=True)}
    return (
        len(edges) == 3 * len(faces)
        and all((b, a) in edges for a, b in edges)
        and corners - len(edges) / 2 + len(faces) == 2
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_hull_holds_all_points_and_is_closed(seed: int) -> None:
    random = np.random.default_rng(seed)
    axes, _ = np.linalg.qr(random.normal(size=(3, 3)))
    grid = np.stack(np.meshgrid(*[np.linspace(0, 1, 6)] * 3), axis=-1).reshape(-1, 3)
    for points in (random.normal(size=(500, 3)), grid, (grid @ axes).astype(np.float32).astype(float)):
        hull = convex_hull(points, 1000)
        assert is_closed(hull.faces, len(hull.corners))
        assert hull.above(points).max() < 1e-5
        assert {tuple(each) for each in hull.corners} <= {tuple(each) for each in points}
    assert hull.volume == pytest.approx(1.0, rel=1e-5)


def test_a_hull_of_many_corners_has_those_that_matter() -> None:
    points = np.random.default_rng(0).normal(size=(5000, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    hull = convex_hull(points)
    assert len(hull.corners) == MOST_CORNERS
    assert hull.volume == pytest.approx(4 / 3 * np.pi, rel=0.04)
    assert 0 < hull.above(points).max() < 0.02


def test_a_hull_says_how_much_it_adds() -> None:
    hull = fit(HULL, angle())
    assert hull.of_mesh == pytest.approx(0.072)
    assert hull.volume == pytest.approx(0.2 * (1 - 0.8 * 0.8 / 2))
    assert hull.gap == pytest.approx(0.4, abs=0.01)  # from the middle of the slope to either bar
    assert hull.remark.startswith("convex hull with 10 corners, of 136 l around 72 l, +89%")


def test_what_is_flat_has_no_hull() -> None:
    with pytest.raises(RefactoringError, match="flat"):
        fit(HULL, np.array([[(0, 0, 0), (1, 0, 0), (0, 1, 0)]], float))


def test_pieces_are_nearly_the_mesh() -> None:
    pytest.importorskip("coacd", reason="cuts meshes, where it is installed")
    fitted = fit_pieces(angle() @ TURNED[:3, :3].T, 8, lambda: False)
    assert 2 <= len(fitted.pieces) <= 8
    assert fitted.volume == pytest.approx(fitted.of_mesh, rel=0.02)
    assert fitted.gap < 0.02
    assert all(is_closed(each.faces, len(each.corners)) for each in fitted.pieces)


def test_a_convex_mesh_is_one_piece_without_another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sdfviewer.refactoring.fitting.find_spec", lambda _name: None)
    assert len(fit_pieces(triangles_of(Cylinder(0.1, 0.6)), 8, lambda: False).pieces) == 1
    with pytest.raises(MissingExtraError, match=r"coacd.*\[coacd\]"):
        fit_pieces(angle(), 8, lambda: False)


def test_what_is_no_longer_needed_ends() -> None:
    pytest.importorskip("coacd", reason="cuts meshes, where it is installed")
    with pytest.raises(RefactoringError, match="cancelled"):
        convex_pieces(angle(), 8, lambda: True)
