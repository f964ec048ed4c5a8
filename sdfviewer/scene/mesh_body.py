"""Closed meshes as bodies: volume, centre of mass and inertia; and mesh files that mirror another one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import TypeAlias

import numpy as np

from sdfviewer.files.finder import Finder
from sdfviewer.files.paths import Stamp, stamp_of
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.kind import ONES, Geometry
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.model.solids import Body
from sdfviewer.scene.geometry import shape_of
from sdfviewer.scene.loader import MeshLoader
from sdfviewer.scene.mesh import TriangleMesh
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.solid import is_solid
from sdfviewer.transforms import Array

_MeshFile: TypeAlias = tuple[Path, Stamp, Mesh]
#: Bodies of mesh files as they were read, with 1 kg/m³ at a scale of ones; None for those that enclose no volume.
_BODIES: dict[_MeshFile, Body | None] = {}
_MOST_BODIES = 10_000


def solid_mesh_body(mesh: TriangleMesh, density: float) -> Body | None:
    """Return the body of a mesh of one density in kg/m³, None where it does not enclose a volume.

    Notes
    -----
    Each triangle and the origin span a tetrahedron; signed, they add up to the solid. Of a tetrahedron with the
    vertices 0, a, b, c and D = det(a, b, c) the volume is D/6, the first moment D/24 (a + b + c), and the second
    moment D/120 (s sᵀ + a aᵀ + b bᵀ + c cᵀ) with s = a + b + c.
    """
    if not (mesh.solid or is_solid(mesh)):
        return None
    middle = mesh.positions.astype(np.float64).mean(axis=0)  # keeps the sums small
    a, b, c = (mesh.positions[mesh.indices[:, corner]].astype(np.float64) - middle for corner in range(3))
    D = np.einsum("ij,ij->i", a, np.cross(b, c))
    s = a + b + c
    volume = float(D.sum()) / 6
    if volume <= 0:
        return None
    centre = (D[:, np.newaxis] * s).sum(axis=0) / 24 / volume
    second = sum(np.einsum("i,ij,ik->jk", D, each, each) for each in (s, a, b, c)) / 120
    second = second - volume * np.outer(centre, centre)
    inertia = np.trace(second) * np.eye(3) - second
    return Body(density * volume, centre + middle, density * inertia)


def mesh_bodies(finder: Finder, *, reads: bool = True) -> Callable[[Model, int, Geometry, float], Body | None]:
    """Return the function that returns the bodies of the meshes of a model; see `refactoring.inertia`.

    Each mesh file is read once as long as it stays as it is.

    Parameters
    ----------
    finder
        Where mesh files are looked for.
    reads
        Whether files are read that have not been read before; the body of such a mesh is not known otherwise.
    """

    def body(_model: Model, _row: int, geometry: Geometry, density: float) -> Body | None:
        if not isinstance(geometry, Mesh):
            mesh = _scaled_mesh(MeshLoader(finder), geometry)
            return None if mesh is None else solid_mesh_body(mesh, density)
        file = _mesh_file(finder, geometry)
        if file is None:
            return None
        if file not in _BODIES and reads:
            mesh = _scaled_mesh(MeshLoader(finder), replace(geometry, scale=ONES))
            while len(_BODIES) >= _MOST_BODIES:
                _BODIES.pop(next(iter(_BODIES)), None)
            _BODIES[file] = None if mesh is None else solid_mesh_body(mesh, 1.0)
        known = _BODIES.get(file)
        return None if known is None else _scaled_body(known, np.array(geometry.scale), density)

    return body


def is_mesh_read(finder: Finder, geometry: Geometry) -> bool:
    """Return whether the body of a geometry is known without reading a file."""
    file = _mesh_file(finder, geometry) if isinstance(geometry, Mesh) else None
    return file is None or file in _BODIES


def _mesh_file(finder: Finder, geometry: Mesh) -> _MeshFile | None:
    """Return the file of a mesh as it is now, with what is used of it; None where it is not found."""
    path = finder.find(geometry.uri, geometry.file, nearby=True).path
    if path is None or (stamp := stamp_of(path)) is None:
        return None
    return path, stamp, replace(geometry, scale=ONES, element=None)


def _scaled_body(body: Body, scale: Floats, density: float) -> Body:
    """Return a body of 1 kg/m³ with factors (3,) along its axes, and another density in kg/m³."""
    second = np.trace(body.I_B) / 2 * np.eye(3) - body.I_B
    factor = density * abs(float(np.prod(scale)))
    second = factor * second * np.outer(scale, scale)
    return Body(factor * body.mass, body.p_FB * scale, np.trace(second) * np.eye(3) - second)


def mesh_triangles(finder: Finder) -> Callable[[Geometry], Floats | None]:
    """Return the function that reads a mesh of a model and returns its triangles (m, 3, 3) in metres."""
    loader = MeshLoader(finder)

    def triangles(geometry: Geometry) -> Floats | None:
        mesh = _scaled_mesh(loader, geometry)
        return None if mesh is None else mesh.positions[mesh.indices].astype(np.float64)

    return triangles


def _scaled_mesh(loader: MeshLoader, geometry: Geometry) -> TriangleMesh | None:
    shape = shape_of(geometry)
    if shape is None or (shape.uri and loader.load(shape).is_placeholder):
        return None
    mesh = loader.mesh(shape)
    scaled = mesh.positions * np.array(shape.scale, dtype=np.float32)
    return TriangleMesh(scaled, None, None, mesh.indices)


#: How far vertices may be apart, in diagonals of the mesh, and which share of them must be nearer: programs that mirror
#: a part cut its surface into other triangles, as Unitree's thigh_mirror.dae shows, 17 % of whose vertices are new.
_TOLERANCES = ((2e-4, 0.7), (5e-3, 0.9), (2e-2, 1.0))
#: What is looked through in the folder of a mesh: so many files, of at most so many times its size.
_MOST_FILES, _MOST_TIMES = 64, 3.0


def mirrored_meshes(finder: Finder) -> Callable[[str, Path | None, int], str | None]:
    """Return the function that returns the URI of the mirror image of a mesh, None where there is none.

    It gets the URI of the mesh, the file that names it, and the number of the axis that is reversed. What it returns is
    in the same folder and of the same kind.

    Parameters
    ----------
    finder
        Where mesh files are looked for.
    """

    def mirrored(uri: str, naming_file: Path | None, axis: int) -> str | None:
        path = finder.find(uri, naming_file, nearby=True).path
        name = uri.rpartition("/")[2]
        if path is None or path.name != name or (stamp := stamp_of(path)) is None:
            return None
        found = _mirror_image(path, stamp, axis)
        return None if found is None else uri[: -len(name)] + found.name

    return mirrored


@lru_cache(maxsize=256)
def _mirror_image(path: Path, stamp: Stamp, axis: int) -> Path | None:
    """Return the file in the folder of a mesh that is its mirror image, None where none is."""
    (_, size), points = stamp, _vertices(path)
    if points is None:
        return None
    signs = np.where(np.arange(3) == axis, -1.0, 1.0)
    beside = (each for each in sorted(path.parent.iterdir()) if each.suffix == path.suffix and each != path)
    near = [each for each in beside if each.is_file() and size / _MOST_TIMES < each.stat().st_size < size * _MOST_TIMES]
    for each in near[:_MOST_FILES]:
        other = _vertices(each)
        if other is not None and _are_same(points * signs, other):
            return each
    return None


def _vertices(path: Path) -> Array | None:
    """Return the vertices (n, 3) of a mesh file in metres, None where it cannot be read or has none."""
    try:
        from sdfviewer.scene.meshes import MeshFileError, SideFiles, read_mesh_file  # noqa: PLC0415  # needs [render]
    except ImportError:
        return None
    try:
        pieces = read_mesh_file(path, SideFiles(path, lambda _uri: None))
    except (MeshFileError, OSError):
        return None
    parts = [each.positions.astype(np.float64) for each in pieces]
    return np.concatenate(parts) if parts else None


def _are_same(a: Array, b: Array) -> bool:
    """Return whether each of some points (n, 3) is at one of others (m, 3), and the other way round."""
    low, high = a.min(axis=0), a.max(axis=0)
    size = float(np.linalg.norm(high - low)) or 1.0
    if max(np.abs(low - b.min(axis=0)).max(), np.abs(high - b.max(axis=0)).max()) > size * _TOLERANCES[-1][0]:
        return False
    for tolerance, share in _TOLERANCES:
        cells_a, cells_b = (np.floor((each - low) / (size * tolerance)).astype(np.int64) + 3 for each in (a, b))
        if min(_share_near(cells_a, cells_b), _share_near(cells_b, cells_a)) < share:
            return False
    return True


def _share_near(cells: Array, others: Array) -> float:
    """Return the share of some cells (n, 3) that are among others (m, 3) or beside one."""
    base = int(max(cells.max(), others.max())) + 2
    weights = np.array([base * base, base, 1])
    known, keys = np.unique(others @ weights), cells @ weights
    found = np.zeros(len(keys), dtype=bool)
    for step in product((-1, 0, 1), repeat=3):
        found |= np.isin(keys + np.array(step) @ weights, known)
    return float(found.mean())
