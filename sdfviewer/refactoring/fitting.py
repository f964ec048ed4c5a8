"""Shapes around triangles: the smallest box, cylinder, capsule, sphere and hull, and convex pieces."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from sdfviewer.extras import EXTRAS, MissingExtraError
from sdfviewer.model.shapes import kind_of
from sdfviewer.model.shapes.box import Box
from sdfviewer.model.shapes.capsule import Capsule
from sdfviewer.model.shapes.cylinder import Cylinder
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.shapes.sphere import Sphere
from sdfviewer.number_text import in_millimetres
from sdfviewer.programs import ProgramCancelled, python_process, run_program
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.transforms import Array

MOST_CORNERS = 256
"""Physics engines take no more corners of one convex mesh."""
_LEAST, _FLAT = 1e-6, 1e-10
"""Parts of the size of a mesh: what is less far above a hull is in it, from a plane in that."""
_SECONDS = 1800.0
_ROWS_OF_HULL = 20_000


@dataclass(frozen=True, eq=False)
class ConvexMesh:
    """A convex mesh: corners (n, 3) in metres and, by their numbers, triangles (m, 3) that face outwards."""

    corners: Array
    faces: NDArray[np.int64]

    @property
    def volume(self) -> float:
        """In m³."""
        a, b, c = (self.corners[self.faces[:, each]] - self.corners[0] for each in range(3))
        return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum()) / 6

    def above(self, points: Array) -> Array:
        """Return how far points (k, 3) are above the faces, in metres; below zero inside, where it is the distance."""
        planes = _planes(self.corners[self.faces])
        parts = (points[at : at + _ROWS_OF_HULL] for at in range(0, len(points), _ROWS_OF_HULL))
        return np.concatenate([_heights(planes, part).max(axis=1) for part in parts])

    @property
    def obj(self) -> str:
        """The text of an OBJ file."""
        corners = (f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in self.corners.tolist())
        faces = (f"f {a} {b} {c}" for a, b, c in (self.faces + 1).tolist())
        return "\n".join((*corners, *faces, ""))


def convex_hull(points: Array, most: int = MOST_CORNERS) -> ConvexMesh:
    """Return the convex hull of points (n, 3); one of many corners has those that are farthest out.

    Raises
    ------
    RefactoringError
        If all points are in a plane.

    Notes
    -----
    Source: Barber, Dobkin, Huhdanpaa, The Quickhull algorithm for convex hulls, 1996. The corners are added in the
    order of their distance from the hull before them.
    """
    points = np.unique(points, axis=0)
    size = float(np.ptp(points, axis=0).max(initial=0.0))
    faces = _first_faces(points, _LEAST * size)
    planes = _planes(points[faces])
    is_there = np.ones(len(faces), bool)
    heights = _heights(planes, points)
    above, rows, far = heights.argmax(axis=1), np.arange(len(points)), heights.max(axis=1)
    for _ in range(most - 4):
        is_outside = far > _LEAST * size
        rows, above, far = rows[is_outside], above[is_outside], far[is_outside]
        if not len(rows):
            break
        tip = int(rows[far.argmax()])
        seen = is_there & (_heights(planes, points[tip : tip + 1])[0] > -_FLAT * size)
        seen = _around(faces, seen, int(above[far.argmax()]), len(points))
        edges, back = _edges(faces[seen], len(points))
        rim = np.stack(np.divmod(edges[~np.isin(edges, back)], len(points)), axis=1)
        new = np.column_stack([rim, np.full(len(rim), tip)])
        is_there[seen] = False
        lost = ~is_there[above]
        heights = _heights(new_planes := _planes(points[new]), points[rows[lost]])
        above[lost], far[lost] = heights.argmax(axis=1) + len(faces), heights.max(axis=1)
        faces, planes = np.concatenate([faces, new]), np.concatenate([planes, new_planes])
        is_there = np.concatenate([is_there, np.ones(len(new), bool)])
    used, numbers = np.unique(faces[is_there], return_inverse=True)
    return ConvexMesh(points[used], numbers.reshape(-1, 3))


def _first_faces(points: Array, least: float) -> NDArray[np.int64]:
    """Return the four triangles between points that are far apart."""
    a = int(points[:, 0].argmin())
    away = points - points[a]
    b = int(np.linalg.norm(away, axis=1).argmax())
    across = np.cross(away, away[b])
    c = int(np.linalg.norm(across, axis=1).argmax())
    normal = np.cross(away[b], away[c])
    length = float(np.linalg.norm(normal))
    heights = away @ normal / length if length > 0 else np.zeros(len(points))
    d = int(np.abs(heights).argmax())
    if abs(heights[d]) <= least:
        raise RefactoringError("the mesh is flat, so that its convex hull has no volume")
    if heights[d] > 0:
        b, c = c, b
    return np.array([[a, b, c], [a, c, d], [c, b, d], [b, a, d]])


def _planes(corners: Array) -> Array:
    """Return unit normals and offsets (m, 4) of triangles (m, 3, 3)."""
    a, b, c = (corners[:, each] for each in range(3))
    normals = np.cross(b - a, c - a)
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), np.finfo(float).tiny)
    return np.column_stack([normals, (normals * a).sum(axis=1)])


def _heights(planes: Array, points: Array) -> Array:
    """Return the distances (k, m) of points (k, 3) above planes (m, 4)."""
    return np.asarray(points @ planes[:, :3].T - planes[:, 3])


def _edges(faces: NDArray[np.int64], count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a number for each directed edge of some faces, and for its reverse."""
    starts, ends = faces.ravel(), faces[:, [1, 2, 0]].ravel()
    return starts * count + ends, ends * count + starts


def _around(faces: NDArray[np.int64], seen: NDArray[np.bool_], first: int, count: int) -> NDArray[np.bool_]:
    """Return those of some faces that hang together with one of them."""
    numbers = np.flatnonzero(seen)
    edges, back = (each.reshape(-1, 3) for each in _edges(faces[numbers], count))
    found = numbers == first
    while (more := np.isin(edges, back[found]).any(axis=1) & ~found).any():
        found |= more
    seen = np.zeros(len(faces), bool)
    seen[numbers[found]] = True
    return seen


# --- pieces ----------------------------------------------------------------------------------------------------------


def convex_pieces(triangles: Array, most: int, is_cancelled: Callable[[], bool]) -> tuple[ConvexMesh, ...]:
    """Return convex meshes that together are nearly what triangles (m, 3, 3) enclose.

    CoACD cuts them, in a process of its own: it takes up to some minutes, and can be cancelled.

    Parameters
    ----------
    most
        So many pieces at most.
    is_cancelled
        Is asked now and then whether the pieces are no longer needed.

    Raises
    ------
    MissingExtraError
        If the package ``coacd`` is not installed.
    RefactoringError
        If it fails, or is cancelled.

    Notes
    -----
    Source: X. Wei and others, Approximate convex decomposition for 3D meshes with collision-aware concavity and tree
    search, 2022.
    """
    if find_spec("coacd") is None:
        raise MissingExtraError("coacd", EXTRAS["coacd"])
    start = python_process("from sdfviewer.refactoring.fitting import cut; cut()")
    corners, faces = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    sent = _packed((np.array([most]), corners, faces.reshape(-1, 3)))
    try:
        done = run_program(start.command, start.environment, _SECONDS, sent, is_cancelled=is_cancelled)
    except ProgramCancelled:
        raise RefactoringError("the decomposition was cancelled") from None
    except subprocess.TimeoutExpired:
        raise RefactoringError(f"CoACD has not ended after {_SECONDS / 60:g} minutes") from None
    if done.returncode or not done.stdout:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it ended without a reason"]
        raise RefactoringError(f"CoACD cannot cut this mesh: {said[0]}")
    return tuple(convex_hull(each) for each in _unpacked(done.stdout))


def cut() -> None:
    """Cut the mesh on standard input, and write the corners of its pieces: what the process runs."""
    import coacd  # noqa: PLC0415  # an extra, and only this process loads it

    most, corners, faces = _unpacked(sys.stdin.buffer.read())
    coacd.set_log_level("off")
    pieces = coacd.run_coacd(coacd.Mesh(corners, faces), max_convex_hull=int(most[0]))
    sys.stdout.buffer.write(_packed(piece for piece, _ in pieces))


def _packed(arrays: Iterable[Array | NDArray[np.int64]]) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, *arrays)
    return stream.getvalue()


def _unpacked(content: bytes) -> list[Array]:
    with np.load(io.BytesIO(content)) as found:
        return [found[name] for name in found.files]


HULL = "hull"
FITTED = ("box", "cylinder", "capsule", "sphere", HULL)
_DECIMALS = 6
_ROUNDS, _DIRECTIONS = 800, 600
"""Steps towards the middle of the smallest ball, and the directions in which points are outermost."""
_BETTER = 0.99
"""A turned shape is taken where its volume is less than so much of that along the axes of the mesh."""

_SAMPLES, _OF_MESH, _COMPARED, _ROWS = 2000, 10_000, 64, 500
"""Points of what is fitted, of the mesh, those of the former that are compared with all of it; and how many at once."""
_TOUCHING = 1e-3
"""Part of the size of a mesh by which pieces of it may be apart where they were cut."""
_CONVEX = 1.001
"""A hull of less than so many times the volume of its mesh is that mesh."""


@dataclass(frozen=True)
class FittedShape:
    """What is fitted to a mesh, in its frame S.

    Attributes
    ----------
    geometry, X_SG
        The shape G, None for convex meshes, and its pose (4, 4).
    pieces
        The convex meshes, in the frame S.
    volume, of_mesh
        Its volume and that of the mesh in m³; NaN for a mesh that encloses none.
    gap
        How far its surface is from that of the mesh at most, in metres, as far as points of both tell.
    """

    geometry: Geometry | None
    X_SG: Array
    volume: float
    of_mesh: float
    gap: float
    pieces: tuple[ConvexMesh, ...] = ()

    @property
    def remark(self) -> str:
        """What it costs, in a sentence."""
        factor, unit = (1.0, "m³") if self.volume >= 1.0 else (1000.0, "l")
        volumes = f"{self._kind} of {factor * self.volume:.3g} {unit}"
        if np.isfinite(self.of_mesh):
            volumes += f" around {factor * self.of_mesh:.3g} {unit}, {self.volume / self.of_mesh - 1:+.0%}"
        return f"{volumes}; its surface is up to {in_millimetres(self.gap, 3)} away from the mesh"

    @property
    def _kind(self) -> str:
        if self.geometry is not None:
            return self.geometry.kind
        corners = sum(len(each.corners) for each in self.pieces)
        what = "convex hull" if len(self.pieces) == 1 else f"{len(self.pieces)} convex pieces"
        return f"{what} with {corners} corners,"


def fit(shape: str, triangles: Array) -> FittedShape:
    """Return the smallest shape of a kind that is found around triangles (m, 3, 3).

    Raises
    ------
    RefactoringError
        If there is no such kind, or the triangles have no extent.
    """
    if shape not in FITTED:
        raise RefactoringError(f"no {shape} is fitted to a mesh: use {', '.join(FITTED)}")
    points = _vertices(triangles)
    if shape == HULL:
        return _of_pieces(triangles, points, (convex_hull(points),))
    found: list[tuple[Geometry, Array]] = []
    for R_SG in [np.eye(3)] if shape == "sphere" else _orientations(points):
        geometry, centre = _FITS[shape](points @ R_SG)
        X_SG = np.eye(4)
        X_SG[:3, :3], X_SG[:3, 3] = R_SG, R_SG @ centre
        if not found or (geometry.volume or 0.0) < _BETTER * (found[-1][0].volume or 0.0):
            found.append((geometry, X_SG))
    geometry, X_SG = found[-1]
    kind = kind_of(geometry)
    assert kind is not None
    surface = kind.surfaces(geometry)[0]
    corners = surface.positions[surface.indices] @ X_SG[:3, :3].T + X_SG[:3, 3]
    gap = _gap(corners, triangles, lambda points: np.zeros(len(points), bool))
    return FittedShape(geometry, X_SG, geometry.volume or 0.0, _volume_of(triangles), gap)


def fit_pieces(triangles: Array, most: int, is_cancelled: Callable[[], bool]) -> FittedShape:
    """Return convex pieces that together are nearly what triangles (m, 3, 3) enclose, see :func:`.convex_pieces`.

    Raises
    ------
    MissingExtraError
        If the package ``coacd`` is not installed.
    RefactoringError
        If the triangles have no extent, or cannot be cut.
    """
    points = _vertices(triangles)
    whole = fit(HULL, triangles)
    if whole.volume < _CONVEX * whole.of_mesh:
        return whole  # there is nothing to cut
    return _of_pieces(triangles, points, convex_pieces(triangles, most, is_cancelled))


def _of_pieces(triangles: Array, points: Array, pieces: tuple[ConvexMesh, ...]) -> FittedShape:
    beyond = np.minimum.reduce([each.above(points) for each in pieces])
    touching = _TOUCHING * float(np.ptp(points, axis=0).max())
    gap = max(0.0, float(beyond.max()))
    for piece in pieces:
        others = [each for each in pieces if each is not piece]

        def is_inside(points: Array, others: Sequence[ConvexMesh] = others) -> NDArray[np.bool_]:
            inside = np.zeros(len(points), bool)
            for each in others:
                inside |= each.above(points) < touching
            return inside

        gap = max(gap, _gap(piece.corners[piece.faces], triangles, is_inside))
    volume = sum(each.volume for each in pieces)
    return FittedShape(None, np.eye(4), volume, _volume_of(triangles), gap, pieces)


def _vertices(triangles: Array) -> Array:
    """Return the different vertices (n, 3) of triangles.

    Raises
    ------
    RefactoringError
        If they have no extent.
    """
    points = np.unique(triangles.reshape(-1, 3), axis=0)
    if not len(points) or not np.isfinite(points).all() or not np.ptp(points, axis=0).any():
        raise RefactoringError("the mesh has no extent")
    return points


def _volume_of(triangles: Array) -> float:
    """Return what triangles enclose in m³, NaN where that is nothing."""
    a, b, c = np.moveaxis(triangles - triangles.reshape(-1, 3).mean(axis=0), 1, 0)
    volume = float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum()) / 6
    return volume if volume > 0 else float("nan")


def _orientations(points: Array) -> Iterator[Array]:
    """Yield rotations (3, 3) whose z is an axis of the mesh, then one of its principal axes."""
    _, axes = np.linalg.eigh(np.cov(points.T))
    principal = axes if np.linalg.det(axes) > 0 else axes * [1, 1, -1]
    for axes in (np.eye(3), principal):
        for first in range(3):
            yield axes[:, [(first + 1) % 3, (first + 2) % 3, first]] if first != 2 else axes


def _box(points: Array) -> tuple[Geometry, Array]:
    low, high = points.min(axis=0), points.max(axis=0)
    x, y, z = np.maximum(_rounded(high - low), 10.0**-_DECIMALS).tolist()
    return Box((x, y, z)), (low + high) / 2


def _sphere(points: Array) -> tuple[Geometry, Array]:
    centre, radius = _ball(points)
    return Sphere(radius), centre


def _cylinder(points: Array) -> tuple[Geometry, Array]:
    middle, radius = _ball(points[:, :2])
    low, high = points[:, 2].min(), points[:, 2].max()
    length = max(float(_rounded(high - low)), 10.0**-_DECIMALS)
    return Cylinder(radius, length), np.array([*middle, (low + high) / 2])


def _capsule(points: Array) -> tuple[Geometry, Array]:
    middle, radius = _ball(points[:, :2])
    # At its distance from the axis each point may be so far above the straight part, in the round end.
    above = np.sqrt(np.maximum(radius**2 - ((points[:, :2] - middle) ** 2).sum(axis=1), 0.0))
    high, low = float((points[:, 2] - above).max()), float((points[:, 2] + above).min())
    length = float(_rounded(max(high - low, 0.0)))
    return Capsule(radius, max(length, 10.0**-_DECIMALS)), np.array([*middle, (low + high) / 2])


_FITS = {"box": _box, "cylinder": _cylinder, "capsule": _capsule, "sphere": _sphere}


def _ball(points: Array) -> tuple[Array, float]:
    """Return centre and radius of nearly the smallest ball around points (n, 2) or (n, 3).

    Source: M. Badoiu, K. Clarkson, Optimal core-sets for balls, 2008: step by step towards the farthest point.
    """
    angles = np.random.default_rng(0).normal(size=(_DIRECTIONS, points.shape[1]))
    outer = points[np.unique((points @ angles.T).argmax(axis=0))]  # the others hardly count
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    best, least = centre, float("inf")
    for step in range(1, _ROUNDS):
        away = ((outer - centre) ** 2).sum(axis=1)
        farthest = int(away.argmax())
        if away[farthest] < least:
            best, least = centre, float(away[farthest])
        centre = centre + (outer[farthest] - centre) / (step + 1)
    return best, float(_rounded(np.linalg.norm(points - best, axis=1).max()))


def _rounded(length: Array | float) -> Array:
    """Return lengths that are written with few digits and are not shorter."""
    return np.asarray(np.ceil(np.round(np.asarray(length) * 10**_DECIMALS, 3)) / 10**_DECIMALS)


# --- what it costs ---------------------------------------------------------------------------------------------------


def _gap(surface: Array, triangles: Array, is_inside: Callable[[Array], NDArray[np.bool_]]) -> float:
    """Return how far a surface (k, 3, 3) is from triangles (m, 3, 3) at most, at some of its points, in metres.

    Points of the triangles tell how far each point is at most, so that few are compared with all of the triangles.

    Parameters
    ----------
    is_inside
        Returns which of some points (n, 3) of the surface do not count.
    """
    random = np.random.default_rng(0)
    points = np.concatenate([np.unique(surface.reshape(-1, 3), axis=0), _spread(surface, _SAMPLES, random)])
    points = points[~is_inside(points)]
    near = np.concatenate([triangles[:: 1 + len(triangles) // _OF_MESH, 0], _spread(triangles, _OF_MESH, random)])
    # A column more makes it one product: |q|² - 2 p·q, to which |p|² is added below.
    columns = np.vstack([-2 * near.T, (near**2).sum(axis=1)])
    rows = np.column_stack([points, np.ones(len(points))])
    most = np.concatenate(
        [np.zeros(0), *((rows[at : at + _ROWS] @ columns).min(axis=1) for at in range(0, len(rows), _ROWS))]
    )
    most = np.sqrt(np.maximum(most + (points**2).sum(axis=1), 0.0))
    gap = 0.0
    for row in np.argsort(-most)[:_COMPARED]:
        if most[row] <= gap:
            break
        gap = max(gap, _distance(points[row], triangles))
    return gap


def _spread(triangles: Array, count: int, random: np.random.Generator) -> Array:
    """Return random points (count, 3) that are spread evenly over triangles."""
    a, b, c = np.moveaxis(triangles, 1, 0)
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    chosen = random.choice(len(triangles), count, p=areas / areas.sum())
    u, v = random.random((2, count, 1))
    u, v = np.where(u + v > 1, 1 - u, u), np.where(u + v > 1, 1 - v, v)
    return np.asarray(a[chosen] + u * (b - a)[chosen] + v * (c - a)[chosen])


def _distance(point: Array, triangles: Array) -> float:
    """Return how far a point is from the nearest of some triangles."""
    corners = triangles - point
    a, b, c = np.moveaxis(corners, 1, 0)
    normals = np.cross(b - a, c - a)
    lengths = np.maximum(np.linalg.norm(normals, axis=1), np.finfo(float).tiny)
    is_above = np.ones(len(triangles), bool)
    nearest = np.inf
    for start, end in ((a, b), (b, c), (c, a)):
        edge = end - start
        squares = np.maximum((edge * edge).sum(axis=1), np.finfo(float).tiny)
        along = np.clip(-(start * edge).sum(axis=1) / squares, 0.0, 1.0)[:, np.newaxis]
        nearest = min(nearest, float(np.linalg.norm(start + along * edge, axis=1).min()))
        is_above &= (np.cross(normals, edge) * start).sum(axis=1) <= 0
    heights = np.abs((normals * a).sum(axis=1)) / lengths
    return min(nearest, float(heights[is_above & (lengths > 1e-300)].min(initial=np.inf)))
