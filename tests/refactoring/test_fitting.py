"""Simple shapes around meshes: they hold all of it, and are those that a mesh was made of."""

from __future__ import annotations

import numpy as np
import pytest

from sdfviewer.model.shapes import kind_of
from sdfviewer.model.shapes.box import Box
from sdfviewer.model.shapes.capsule import Capsule
from sdfviewer.model.shapes.cylinder import Cylinder
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.shapes.sphere import Sphere
from sdfviewer.refactoring.fitting import FITTED, FittedShape, fit
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


@pytest.mark.parametrize("shape", FITTED)
@pytest.mark.parametrize("of", [Box((0.2, 0.4, 0.9)), Cylinder(0.1, 0.6), Sphere(0.3)], ids=lambda each: each.kind)
def test_a_shape_holds_all_of_the_mesh(shape: str, of: Geometry) -> None:
    triangles = triangles_of(of)
    fitted = fit(shape, triangles)
    assert outside(fitted, triangles) < 2e-6
    assert fitted.geometry.kind == shape
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
    assert fitted.gap == pytest.approx(0.5 - 0.5 / np.sqrt(3), abs=0.02)
