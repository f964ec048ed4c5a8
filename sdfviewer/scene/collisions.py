"""Check which links of a model collide at joint positions.

The collisions of a model are tested exactly where they are convex, meshes as triangles or as their hulls.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from sdfviewer.formats.contents import read_collision
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.tree import GROUND, NOWHERE, body_of
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import kind_of
from sdfviewer.model.shapes.kind import Geometry, ShapeKind, Vector
from sdfviewer.model.shapes.surface import Convex, Points
from sdfviewer.scene.geometry import primitive_mesh, shape_of
from sdfviewer.scene.loader import MeshLoader, MeshProblem
from sdfviewer.scene.mesh import TriangleMesh
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.overlaps import SHRINK, Bools, Numbers, TriangleTree, build_tree, meet, overlap
from sdfviewer.transforms import invert

_LESS = 1.0 - SHRINK
_MOST_VERTICES = 1500
"""A hull of more vertices is that of those that reach farthest along as many directions."""


@dataclass(frozen=True, eq=False)
class CollisionShape:
    """One collision.

    Attributes
    ----------
    row
        Its row, at whose pose it is.
    body
        The row of its link, GROUND for what is fixed to the world.
    convex
        The shape where it is convex, or counts as its hull; None for a mesh of triangles.
    mesh, scale
        Its triangles, and what they are scaled by (3,).
    bounds
        The box (2, 3) around it in its own frame.
    bitmask
        Its ``<collide_bitmask>``: two shapes can collide where they have a bit in common.
    """

    row: int
    body: int
    convex: Convex | None
    mesh: TriangleMesh
    scale: Floats
    bounds: Floats
    bitmask: int

    @property
    def triangles(self) -> Floats:
        """The triangles (m, 3, 3) in its own frame."""
        return np.asarray(self.mesh.positions[self.mesh.indices].astype(np.float64) * self.scale)


def collision_shapes(
    model: Model, loader: MeshLoader, *, hulls: bool
) -> tuple[list[CollisionShape], list[MeshProblem]]:
    """Return all collisions of a model that have a place, and what is wrong with the files of those left out.

    Parameters
    ----------
    model
        The model.
    loader
        Reads meshes; what cannot be read collides with nothing.
    hulls
        Whether a mesh counts as its convex hull.
    """
    shapes: list[CollisionShape] = []
    problems: list[MeshProblem] = []
    hulls_of: dict[tuple[int, Vector], Points] = {}
    for row, kind_of_row in enumerate(model.kinds):
        if kind_of_row is not Kind.COLLISION or not np.isfinite(model.X_RootF[row]).all():
            continue
        contents = read_collision(model, row)
        geometry = contents.geometry
        shape, body = shape_of(geometry), body_of(model, row)
        kind = kind_of(geometry)
        if shape is None or kind is None or body == NOWHERE:
            continue
        scale = np.array(shape.scale)
        if shape.is_loaded:
            loaded = loader.load(shape)
            if loaded.is_placeholder or not len(loaded.mesh.indices):
                problems += loaded.problems
                continue
            mesh = loaded.mesh
        else:
            mesh = _collision_mesh(kind, geometry) or primitive_mesh(shape)
        convex = kind.convex(geometry, _LESS)
        if convex is None and hulls:
            key = (id(mesh), shape.scale)
            convex = hulls_of.get(key) or hulls_of.setdefault(key, _hull(mesh, scale))
        ends = mesh.bounds.astype(np.float64) * scale
        bounds = np.sort(ends, axis=0) if convex is None else convex.bounds
        shapes.append(CollisionShape(row, body, convex, mesh, scale, bounds, contents.surface.collide_bitmask))
    return shapes, problems


def _collision_mesh(kind: ShapeKind[Any], geometry: Geometry) -> TriangleMesh | None:
    """Return the triangles that collide in place of those that are drawn; None for most shapes."""
    for surface in kind.collision_surfaces(geometry):
        return TriangleMesh(surface.positions, None, None, surface.indices, solid=True)
    return None


def _hull(mesh: TriangleMesh, scale: Floats) -> Points:
    """Return the convex hull of a mesh, a little smaller."""
    vertices = np.unique(mesh.positions, axis=0).astype(np.float64)
    if len(vertices) > _MOST_VERTICES:
        vertices = vertices[np.unique(np.argmax(vertices @ _directions(_MOST_VERTICES).T, axis=0))]
    vertices = vertices * scale
    middle = (vertices.min(axis=0) + vertices.max(axis=0)) / 2.0
    return Points(middle + (vertices - middle) * _LESS)


def _directions(count: int) -> Floats:
    """Return directions (count, 3) spread evenly over the sphere: a spiral of golden angles."""
    z = 1.0 - (2.0 * np.arange(count) + 1.0) / count
    turn = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(count)
    r = np.sqrt(1.0 - z * z)
    return np.stack([r * np.cos(turn), r * np.sin(turn), z], axis=1)


def has_shape(shapes: list[CollisionShape]) -> set[int]:
    """Return the bodies that have a shape, the ground always among them."""
    return {GROUND, *(shape.body for shape in shapes)}


_CHUNK = 32
"""Configurations looked at together."""


class Cancelled(Exception):
    """The answer is no longer needed."""


@dataclass(frozen=True, slots=True)
class _Near:
    """Pairs of shapes whose boxes overlap: configuration (p,) and the two shapes (p,)."""

    configuration: Numbers
    first: Numbers
    second: Numbers


class CollisionChecker:
    """Tests the collisions of a model against each other, link by link.

    Left out are links that cannot move relative to each other, and neighbours
    (:func:`.adjacent_bodies`), as MoveIt does by default. All that is fixed to the
    world is one body. Shapes whose ``<collide_bitmask>`` have no bit in common are left out. ``<self_collide>`` is not
    asked: whoever designs a robot wants to know, whatever the simulation ignores. Boxes around the shapes are compared
    first, then the shapes: convex ones exactly, meshes by their triangles or as their hulls. What only touches does not
    collide.

    Parameters
    ----------
    kinematics
        What moves.
    loader
        Reads meshes.
    hulls
        Whether meshes count as their convex hulls, as in Drake and MuJoCo, rather than by their triangles.
    neighbours
        Whether neighbours are tested too.
    rigid
        Whether links are tested, too, that cannot move relative to each other.
    stopped
        Polled during the search; once it is true, :class:`Cancelled` is raised.

    Attributes
    ----------
    stopped
        As given; it may be replaced from one test to the next.
    problems
        Why meshes cannot be read; these collide with nothing.
    bare
        Rows of the links without a collision.
    bodies
        Rows of the bodies with a collision, GROUND for all that is fixed to the world.
    adjacent
        The pairs of neighbours, the lower row first.
    left_out
        The pairs that are not tested; it may be replaced from one test to the next.
    """

    def __init__(
        self,
        kinematics: Kinematics,
        loader: MeshLoader,
        *,
        hulls: bool = False,
        neighbours: bool = False,
        rigid: bool = False,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.kinematics = kinematics
        self.stopped = stopped
        model = kinematics.model
        self._shapes, problems = collision_shapes(model, loader, hulls=hulls)
        self.problems = tuple(dict.fromkeys(problems))
        shaped = has_shape(self._shapes)
        self.bare = tuple(row for row, kind in enumerate(model.kinds) if kind.value == "link" and row not in shaped)
        self.bodies = frozenset(shaped)
        self.adjacent = adjacent_bodies(model, shaped)
        self.left_out = set() if neighbours else self.adjacent
        self._rigid = rigid
        self._rows = np.array([shape.row for shape in self._shapes], dtype=np.int64)
        self._bodies = np.array([shape.body for shape in self._shapes], dtype=np.int64)
        self._bitmasks = np.array([shape.bitmask & 0xFFFFFFFF for shape in self._shapes], dtype=np.int64)
        numbers = kinematics.motion_numbers
        self._motions = np.array([-1 if b == GROUND else numbers[b] for b in self._bodies.tolist()], dtype=np.int64)
        bounds = np.array([shape.bounds for shape in self._shapes]).reshape(-1, 2, 3)
        self._centres, self._halves = bounds.mean(axis=1), (bounds[:, 1] - bounds[:, 0]) / 2.0
        self._trees: dict[tuple[float, ...], TriangleTree] = {}
        self._convex = np.array([shape.convex is not None for shape in self._shapes], dtype=bool)

    @property
    def shape_count(self) -> int:
        """How many collisions take part."""
        return len(self._shapes)

    def colliding(self, q: Floats) -> list[frozenset[tuple[int, int]]]:
        """Return for each configuration q (n, m) the pairs of bodies that collide, the lower row first."""
        found: list[frozenset[tuple[int, int]]] = []
        for first in range(0, len(q), _CHUNK):
            part = q[first : first + _CHUNK]
            X = self.kinematics.poses(part, self._rows)
            near = self._near(X)
            hit = self._test(X, near)
            of_parts: list[set[tuple[int, int]]] = [set() for _ in range(len(part))]
            bodies = self._bodies[np.stack([near.first[hit], near.second[hit]], axis=1)]
            for configuration, pair in zip(near.configuration[hit].tolist(), np.sort(bodies).tolist(), strict=True):
                of_parts[configuration].add((pair[0], pair[1]))
            found += map(frozenset, of_parts)
        return found

    def collide(self, q: Floats, pairs: Numbers) -> Bools:
        """Return whether at each configuration q (n, m) one pair (n, 2) of bodies collides."""
        answer = np.zeros(len(q), dtype=bool)
        for first in range(0, len(q), _CHUNK):
            part = slice(first, first + _CHUNK)
            X = self.kinematics.poses(q[part], self._rows)
            near = self._near(X)
            bodies = np.sort(self._bodies[np.stack([near.first, near.second], axis=1)], axis=1)
            asked = (bodies == np.sort(pairs[part], axis=1)[near.configuration]).all(axis=1)
            near = _Near(near.configuration[asked], near.first[asked], near.second[asked])
            answer[first + near.configuration[self._test(X, near)]] = True
        return answer

    # --- boxes -------------------------------------------------------------------------------------------------

    def _near(self, X: Floats) -> _Near:
        """Return the pairs of shapes whose boxes overlap at poses X (n, k, 4, 4)."""
        middles = np.einsum("nkij,kj->nki", X[..., :3, :3], self._centres) + X[..., :3, 3]
        reach = np.einsum("nkij,kj->nki", np.abs(X[..., :3, :3]), self._halves)
        low, high = middles - reach, middles + reach
        first, second = self._candidates(low.min(axis=0, initial=np.inf), high.max(axis=0, initial=-np.inf))
        over = (low[:, first] <= high[:, second]).all(axis=2) & (low[:, second] <= high[:, first]).all(axis=2)
        configuration, pair = np.nonzero(over)
        return _Near(configuration, first[pair], second[pair])

    def _candidates(self, low: Floats, high: Floats) -> tuple[Numbers, Numbers]:
        """Return the pairs of shapes to be tested whose boxes (k, 3) around all configurations overlap.

        Sorted along x, each is compared with those that begin before it ends.
        """
        order = np.argsort(low[:, 0], kind="stable")
        starts = low[order, 0]
        counts = np.searchsorted(starts, high[order, 0], side="right") - np.arange(len(order)) - 1
        first = np.repeat(np.arange(len(order)), counts)
        offsets = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
        a, b = order[first], order[first + offsets + 1]
        near = (low[a, 1:] <= high[b, 1:]).all(axis=1) & (low[b, 1:] <= high[a, 1:]).all(axis=1)
        near &= (self._bodies[a] != self._bodies[b]) if self._rigid else (self._motions[a] != self._motions[b])
        near &= (self._bitmasks[a] & self._bitmasks[b]) != 0
        a, b = a[near], b[near]
        pairs = zip(self._bodies[a].tolist(), self._bodies[b].tolist(), strict=True)
        wanted = np.array([(min(i, j), max(i, j)) not in self.left_out for i, j in pairs], dtype=bool)
        a, b = a[wanted], b[wanted]
        return np.minimum(a, b), np.maximum(a, b)

    # --- shapes ------------------------------------------------------------------------------------------------

    def _test(self, X: Floats, near: _Near) -> Bools:
        """Return which pairs of shapes overlap at poses X (n, k, 4, 4)."""
        hit = np.zeros(len(near.first), dtype=bool)
        X_a, X_b = X[near.configuration, near.first], X[near.configuration, near.second]
        both = self._convex[near.first] & self._convex[near.second]
        if both.any():
            convex = [shape.convex for shape in self._shapes]
            used = np.unique(np.concatenate([near.first[both], near.second[both]]))
            places = np.full(len(convex), -1)
            places[used] = np.arange(len(used))
            chosen = [each for number in used.tolist() if (each := convex[number]) is not None]
            hit[both] = overlap(chosen, places[near.first[both]], places[near.second[both]], X_a[both], X_b[both])
        others = np.flatnonzero(~both)
        keys = near.first[others] * len(self._shapes) + near.second[others]
        for key in np.unique(keys).tolist():
            if self.stopped():
                raise Cancelled
            chosen_pairs = others[keys == key]
            a, b = (self._shapes[number] for number in divmod(key, len(self._shapes)))
            X_AB = invert(X_a[chosen_pairs]) @ X_b[chosen_pairs]
            hit[chosen_pairs] = meet(self._tree(a), self._tree(b), X_AB, self.stopped)
        if self.stopped():
            raise Cancelled
        return hit

    def _tree(self, shape: CollisionShape) -> TriangleTree:
        """Return the tree of a shape's triangles, one for all uses of a mesh at a scale."""
        key = (id(shape.mesh), *shape.scale.tolist())
        if key not in self._trees:
            self._trees[key] = build_tree(shape.triangles, solid=shape.mesh.solid)
        return self._trees[key]


def adjacent_bodies(model: Model, shaped: Collection[int]) -> set[tuple[int, int]]:
    """Return the pairs of neighbouring bodies, the lower row first; GROUND is all that is fixed to the world.

    Neighbours are the two bodies of a joint. A body without a shape makes neighbours of all that are joined to it, as
    in MoveIt's Setup Assistant: many robots have such links between two real ones.

    Parameters
    ----------
    model
        The model.
    shaped
        Rows of the bodies that have a shape, GROUND among them where it has one.
    """
    beside: dict[int, set[int]] = {}
    for joint in model.joints:
        parent, child = body_of(model, joint.parent), body_of(model, joint.child)
        if NOWHERE in (parent, child) or parent == child:
            continue
        beside.setdefault(parent, set()).add(child)
        beside.setdefault(child, set()).add(parent)
    passable = {body for body in beside if body not in shaped and body != GROUND}
    pairs: set[tuple[int, int]] = set()
    for body in shaped:
        waiting, seen = list(beside.get(body, ())), {body}
        while waiting:
            other = waiting.pop()
            if other in seen:
                continue
            seen.add(other)
            if other in passable:
                waiting += beside[other]
            else:
                pairs.add((min(body, other), max(body, other)))
    return pairs
