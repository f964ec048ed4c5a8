"""Volume and inertia of meshes as MuJoCo computes them for the mass of a body, and boxes as large as they are.

What is drawn is read elsewhere, of more formats; here only the corners and triangles of STL, OBJ and MSH files count,
in the numbers of 32 bits that MuJoCo reads.

Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html#asset-mesh
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sdfviewer.diagnostics import Message
from sdfviewer.files.regular_files import read_regular
from sdfviewer.model.solids import Body
from sdfviewer.transforms import Array

#: A larger file is not read for a mass; a text takes more time and memory.
_MAX_BYTES, _MAX_TEXT = 200_000_000, 24_000_000
#: Meshes of less volume in m³, or area in m², MuJoCo refuses.
_LEAST = 1e-15


class MeshError(Exception):
    """A mesh whose mass cannot be computed; the message says why, as the end of a sentence."""


@dataclass(frozen=True, slots=True, eq=False)
class MeshTriangles:
    """Corners (n, 3) and, by their numbers, triangles (m, 3)."""

    corners: Array
    faces: NDArray[np.int64]

    def transformed(self, p: Array, R: Array, scale: Array) -> MeshTriangles:
        """Return the mesh seen from a frame at ``p`` with axes ``R``, then scaled; a reflection keeps outsides out."""
        corners = ((self.corners - p) @ R) * scale
        return MeshTriangles(corners, self.faces[:, [0, 2, 1]] if np.prod(scale) < 0 else self.faces)


def read_triangles(path: Path) -> MeshTriangles:
    """Return the triangles of a file.

    Raises
    ------
    MeshError
        If it cannot be read.
    """
    suffix = path.suffix.lower()
    readers = {".stl": _read_stl, ".obj": _read_obj, ".msh": _read_msh}
    if suffix not in readers:
        raise MeshError("MuJoCo reads STL, OBJ and MSH files only")
    try:
        most = _MAX_TEXT if suffix == ".obj" else _MAX_BYTES
        content = read_regular(path, most + 1)
        if len(content) > most:
            raise MeshError(Message(f"it has more than {most // 1_000_000} MB", "write an <inertial>"))
        found = readers[suffix](content)
    except OSError as error:
        raise MeshError(f"it cannot be read: {error}") from error
    except (ValueError, OverflowError, IndexError, struct.error) as error:
        raise MeshError(f"it is no {suffix[1:].upper()} file that MuJoCo reads") from error
    return _checked(found)


def _checked(found: MeshTriangles) -> MeshTriangles:
    if not len(found.faces) or not np.isfinite(found.corners).all():
        raise MeshError("it has no triangles, or corners that are nowhere")
    if found.faces.min() < 0 or found.faces.max() >= len(found.corners):
        raise MeshError("its triangles name corners that it does not have")
    return found


def written_triangles(corners: Sequence[float], faces: Sequence[float]) -> MeshTriangles:
    """Return the triangles of a mesh that is written in the file.

    Raises
    ------
    MeshError
        If they are missing, which means the convex hull of the corners, or are wrong.
    """
    if len(corners) % 3 or len(faces) % 3 or not faces:
        raise MeshError(Message("it is made from corners alone, or by a rule", "write an <inertial>"))
    points = np.array(corners, dtype=np.float32).astype(np.float64).reshape(-1, 3)
    return _checked(MeshTriangles(points, np.array(faces, dtype=np.int64).reshape(-1, 3)))


def _read_stl(content: bytes) -> MeshTriangles:
    (count,) = struct.unpack_from("<I", content, 80)
    if len(content) < 84 + 50 * count:
        raise ValueError(count)
    layout = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("colour", "<u2")])
    rows = np.frombuffer(content, layout, count, 84)
    return MeshTriangles(rows["corners"].reshape(-1, 3).astype(np.float64), np.arange(3 * count).reshape(-1, 3))


def _read_msh(content: bytes) -> MeshTriangles:
    corners, normals, places, faces = struct.unpack_from("<4i", content)
    if min(corners, normals, places, faces) < 0 or len(content) != 16 + 12 * (corners + normals + faces) + 8 * places:
        raise ValueError(corners)
    points = np.frombuffer(content, "<f4", 3 * corners, 16).reshape(-1, 3).astype(np.float64)
    at = 16 + 12 * (corners + normals) + 8 * places
    return MeshTriangles(points, np.frombuffer(content, "<i4", 3 * faces, at).reshape(-1, 3).astype(np.int64))


def _read_obj(content: bytes) -> MeshTriangles:
    corners: list[tuple[float, float, float]] = []
    faces: list[tuple[int, int, int]] = []
    points: Array | None = None
    for line in content.decode("utf-8", "replace").splitlines():
        tag, *words = line.split()[:1000] or [""]
        if tag == "v":
            x, y, z = map(float, words[:3])
            corners.append((x, y, z))
        elif tag == "f":
            numbers = [int(word.partition("/")[0]) for word in words]
            ring = [number - 1 if number > 0 else len(corners) + number for number in numbers]
            if len(ring) == 4 and _is_second_diagonal_shorter(corners, ring):
                ring = [*ring[1:], ring[0]]
            faces += [(ring[0], ring[at], ring[at + 1]) for at in range(1, len(ring) - 1)]
    points = np.array(corners, dtype=np.float32).astype(np.float64).reshape(-1, 3)
    return MeshTriangles(points, np.array(faces, dtype=np.int64).reshape(-1, 3))


def _is_second_diagonal_shorter(corners: list[tuple[float, float, float]], ring: list[int]) -> bool:
    points = np.array([corners[at] for at in ring], dtype=np.float32)
    across, other = points[2] - points[0], points[3] - points[1]
    return bool(across @ across > other @ other)


def mesh_body(mesh: MeshTriangles, kind: str) -> Body:
    """Return the body of a mesh with a density of 1 kg/m³, of a shell 1 kg/m².

    Parameters
    ----------
    mesh
        MeshTriangles in metres.
    kind
        ``legacy``, where each pyramid from the middle of all triangles counts as positive, ``exact`` or ``shell``.

    Raises
    ------
    MeshError
        If MuJoCo refuses its volume.

    Notes
    -----
    Source: MuJoCo's XML reference, "asset/mesh" and its attribute ``inertia``; J. O'Rourke, Computational Geometry in
    C, 1.3.8.
    """
    D, E, F = (mesh.corners[mesh.faces[:, at]] for at in range(3))
    normals = np.cross(E - D, F - D)
    areas = np.linalg.norm(normals, axis=1) / 2
    centres = (D + E + F) / 3
    if areas.sum() < _LEAST:
        raise MeshError("it has no surface")
    middle = areas @ centres / areas.sum()
    if kind == "shell":
        weights, middles, part = areas, centres, 12.0
    else:
        weights = np.einsum("ij,ij->i", centres - middle, normals) / 6
        weights = np.abs(weights) if kind == "legacy" else weights
        middles, part = centres * 0.75 + middle * 0.25, 20.0
    volume = float(weights.sum())
    if volume < _LEAST:
        raise MeshError(Message("it has no volume, or its triangles face inwards", "try inertia='shell'"))
    centre = weights @ middles / volume
    D, E, F = D - centre, E - centre, F - centre
    if kind != "shell":
        weights = np.einsum("ij,ij->i", D, np.cross(E, F)) / 6
        weights = np.abs(weights) if kind == "legacy" else weights
    total = D + E + F
    products = sum(np.einsum("n,ni,nj->ij", weights, each, each) for each in (D, E, F, total)) / part
    return Body(float(weights.sum()), centre, np.trace(products) * np.eye(3) - products)
