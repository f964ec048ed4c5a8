"""What holds for every shape there is: a new one is tested by being there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.document.tables import table
from sdfviewer.model.shapes import PRIMITIVES, SHAPES, URDF_SHAPES, kind_of, read_geometry
from sdfviewer.model.shapes.kind import Geometry, Primitive, ShapeKind
from sdfviewer.model.shapes.surface import ShapeSurface
from sdfviewer.model.solids import solid_body
from sdfviewer.versions import NEWEST

SOLIDS = [kind for kind in PRIMITIVES.values() if kind.is_weighed_by_libsdformat]


def tag(kind: ShapeKind[Any]) -> str:
    return kind.tag


def new(kind: ShapeKind[Any]) -> Geometry:
    """Return a shape of the size of a new one, as it is read back."""
    root = parse_document(f"<visual><geometry><{kind.tag}>{kind.new_content()}</{kind.tag}></geometry></visual>").root
    assert root is not None
    return read_geometry(root, Path("model.sdf"))


def finest(kind: Primitive[Any], geometry: Geometry) -> ShapeSurface:
    return kind.surface(geometry, 360, 180)


@pytest.mark.parametrize("kind", SHAPES.values(), ids=tag)
def test_a_new_shape_is_read_back_and_known_by_its_record(kind: ShapeKind[Any]) -> None:
    geometry = new(kind)
    assert type(geometry) is kind.record
    assert geometry.kind == kind.tag
    assert kind_of(geometry) is kind


@pytest.mark.parametrize("kind", SHAPES.values(), ids=tag)
def test_the_properties_of_a_shape_are_those_of_the_specification(kind: ShapeKind[Any]) -> None:
    element = table(NEWEST).element(f"model/link/visual/geometry/{kind.tag}")
    assert element is not None
    for size in kind.sizes:
        below = element
        for part in size.path.split("/"):
            below = below.children[part]
        assert size.help.endswith(".")


@pytest.mark.parametrize("kind", SHAPES.values(), ids=tag)
def test_every_shape_has_a_place_of_its_own_in_lists(kind: ShapeKind[Any]) -> None:
    assert [each for each in SHAPES.values() if each.rank == kind.rank] == [kind]


@pytest.mark.parametrize("kind", PRIMITIVES.values(), ids=tag)
def test_what_is_drawn_is_as_large_as_the_shape(kind: Primitive[Any]) -> None:
    geometry = new(kind)
    drawn, scale = kind.drawn(geometry)
    own, at_scale = finest(kind, geometry).positions, finest(kind, drawn).positions * np.array(scale)
    np.testing.assert_allclose(at_scale, own, atol=1e-7)
    assert kind.half_height(geometry) == pytest.approx(float(own[:, 2].max()), abs=1e-6)
    assert kind.half_height(geometry) == pytest.approx(-float(own[:, 2].min()), abs=1e-6)


@pytest.mark.parametrize("kind", SOLIDS, ids=tag)
def test_volume_and_inertia_are_those_of_the_triangles(kind: Primitive[Any]) -> None:
    geometry, density = new(kind), 1000.0
    surface = finest(kind, geometry)
    corners = surface.positions.astype(np.float64)[surface.indices]
    volumes = np.linalg.det(corners) / 6  # of the tetrahedra from the origin to each triangle
    volume = float(volumes.sum())
    assert geometry.volume == pytest.approx(volume, rel=2e-3)
    body = solid_body(geometry, density)
    assert body is not None
    assert body.mass == pytest.approx(density * volume, rel=2e-3)
    centre = (volumes[:, None] * corners.sum(axis=1) / 4).sum(axis=0) / volume
    np.testing.assert_allclose(body.p_FB, centre, atol=1e-4)
    total = corners.sum(axis=1)
    second = np.einsum("k,kci,kcj->ij", volumes, corners, corners) + np.einsum("k,ki,kj->ij", volumes, total, total)
    second = density * second / 20 - body.mass * np.outer(centre, centre)
    np.testing.assert_allclose(body.I_B, np.trace(second) * np.eye(3) - second, rtol=5e-3, atol=1e-6)


@pytest.mark.parametrize("kind", SOLIDS, ids=tag)
def test_the_convex_shape_reaches_as_far_as_the_triangles(kind: Primitive[Any]) -> None:
    geometry = new(kind)
    convex = kind.convex(geometry, 1.0)
    if convex is None:
        return  # collisions are found on the triangles
    directions = np.random.default_rng(1).normal(size=(200, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    reach = np.einsum("bi,bi->b", convex.support(directions), directions) + convex.margin
    vertices = finest(kind, geometry).positions.astype(np.float64)
    np.testing.assert_allclose(reach, (directions @ vertices.T).max(axis=1), atol=1e-4)


@pytest.mark.parametrize("kind", PRIMITIVES.values(), ids=tag)
def test_triangles_face_outwards_with_normals_of_length_one(kind: Primitive[Any]) -> None:
    surface = finest(kind, new(kind))
    np.testing.assert_allclose(np.linalg.norm(surface.normals, axis=1), 1.0, atol=1e-5)
    a, b, c = np.moveaxis(surface.positions.astype(np.float64)[surface.indices], 1, 0)
    faces = np.cross(b - a, c - a)
    assert (np.einsum("ki,ki->k", faces, surface.normals[surface.indices].sum(axis=1)) > 0).all()


@pytest.mark.parametrize("kind", PRIMITIVES.values(), ids=tag)
def test_a_mirror_image_is_the_shape_itself_or_turned(kind: Primitive[Any]) -> None:
    if kind.mirrored_numbers():
        return  # these numbers change with it
    vertices = finest(kind, new(kind)).positions.astype(np.float64)
    directions = np.random.default_rng(2).normal(size=(100, 3))
    reach = (directions @ vertices.T).max(axis=1)
    for axis in range(3):
        assert kind.why_not_mirrored(axis) == ""
        signs = np.ones(3)
        signs[axis] = -1.0
        turn = kind.turn_in_mirror(axis)
        assert np.prod(turn) == 1.0
        signs *= turn
        np.testing.assert_allclose((directions @ (vertices * signs).T).max(axis=1), reach, atol=1e-4)


@pytest.mark.parametrize("kind", URDF_SHAPES.values(), ids=tag)
def test_a_shape_of_a_urdf_is_read_from_attributes(kind: ShapeKind[Any]) -> None:
    numbers = {name: tuple(0.5 + k for k in range(count)) for name, count in kind.urdf_numbers.items()}
    written = " ".join(f'{name}="{" ".join(map(str, values))}"' for name, values in numbers.items())
    element = parse_document(f"<{kind.tag} {written}/>").root
    assert element is not None
    geometry = kind.from_urdf(element, None, lambda text: tuple(map(float, text.split())) if text else None)
    for name, values in numbers.items():
        assert getattr(geometry, name) == (values if len(values) > 1 else values[0])
    if not kind.is_in_urdf((1, 0)):
        texts = {name: " ".join(map(str, values)) for name, values in numbers.items()}
        assert all(each.tag in URDF_SHAPES for each in kind.in_older_urdf(texts))
        assert kind.in_older_urdf(texts)
