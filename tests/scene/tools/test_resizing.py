"""Handles that pull a shape: what is pulled follows the hand, and the opposite side stays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sdfviewer.model.shapes import PRIMITIVES, kind_of
from sdfviewer.model.shapes.box import Box
from sdfviewer.model.shapes.cylinder import Cylinder
from sdfviewer.model.shapes.kind import Geometry, Grip, Primitive
from sdfviewer.scene.geometry import own_mesh
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.tools.resizing import LEAST, Handles, amounts_for, point_of, pulled


def uneven(kind: Primitive[Any]) -> Geometry:
    """Return a shape whose sizes all differ."""
    numbers = (0.2, 0.4, 0.6, 0.8)
    values: list[object] = []
    for default in kind.defaults.values():
        count = len(default.split())
        values.append(numbers[:count] if count > 1 else numbers[len(values)])
    shape: Geometry = kind.record(*values)
    return shape


SHAPES = tuple(map(uneven, PRIMITIVES.values()))


def handles_of(geometry: Geometry) -> tuple[Handles, ...]:
    kind = kind_of(geometry)
    assert kind is not None
    return kind.grips(geometry)


def reach(geometry: Geometry, along: Floats) -> float:
    """Return how far the surface of a shape goes from its origin along a direction."""
    return float((own_mesh(geometry).positions.astype(float) @ along).max())


def single(geometry: Geometry) -> list[Grip]:
    return [each[0] for each in handles_of(geometry) if len(each) == 1]


def test_every_shape_that_people_add_has_handles() -> None:
    assert all(map(single, SHAPES))
    edges = {each.kind: sum(len(handle) == 2 for handle in handles_of(each)) for each in SHAPES}
    assert edges["box"] == 12
    assert edges["plane"] == 4
    assert edges["cylinder"] == 8


@pytest.mark.parametrize("geometry", SHAPES, ids=lambda each: each.kind)
def test_the_surface_follows_the_hand(geometry: Geometry) -> None:
    for grip in single(geometry):
        along = np.array(grip.along)
        assert np.array(grip.at) @ along == pytest.approx(reach(geometry, along), abs=1e-6)
        after, offset = pulled(geometry, (grip,), (0.1,))
        assert offset @ along + reach(after, along) == pytest.approx(reach(geometry, along) + 0.1, abs=1e-6)
        if grip.shift:  # the opposite side stays
            assert offset @ -along + reach(after, -along) == pytest.approx(reach(geometry, -along), abs=1e-6)
        both, stays = pulled(geometry, (grip,), (0.1,), both=True)
        assert not stays.any()
        assert reach(both, along) == pytest.approx(reach(geometry, along) + 0.1, abs=1e-6)


def test_an_edge_changes_two_sizes() -> None:
    box = Box((0.2, 0.4, 0.6))
    edge = next(each for each in handles_of(box) if [grip.along for grip in each] == [(1, 0, 0), (0, 0, -1)])
    assert point_of(edge).tolist() == [0.1, 0.0, -0.3]
    after, offset = pulled(box, edge, (0.1, 0.2))
    assert after == Box((0.3, 0.4, 0.8))
    assert offset == pytest.approx((0.05, 0.0, -0.1))


def test_a_typed_size_is_the_size_and_none_is_below_the_least() -> None:
    cylinder = Cylinder(0.2, 0.5)
    end = handles_of(cylinder)[0]
    assert pulled(cylinder, end, amounts_for(cylinder, end, [0.8]))[0] == Cylinder(0.2, 0.8)
    assert pulled(cylinder, end, (-3.0,))[0] == Cylinder(0.2, LEAST)
