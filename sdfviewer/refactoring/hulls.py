"""Convex meshes around triangles: their hull, and the pieces that CoACD cuts them into."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from sdfviewer.extras import EXTRAS, MissingExtraError
from sdfviewer.programs import ProgramCancelled, python_process, run_program
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.transforms import Array

MOST_CORNERS = 256
"""Physics engines take no more corners of one convex mesh."""
_LEAST, _FLAT = 1e-6, 1e-10
"""Parts of the size of a mesh: what is less far above a hull is in it, from a plane in that."""
_SECONDS = 1800.0
_ROWS = 20_000


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
        parts = (points[at : at + _ROWS] for at in range(0, len(points), _ROWS))
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
    start = python_process("from sdfviewer.refactoring.hulls import cut; cut()")
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
