"""Volume, centre of mass and inertia of a closed mesh."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from sdfviewer.files.finder import Finder
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.kind import ONES, Geometry
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.model.solids import Body
from sdfviewer.scene.geometry import shape_of
from sdfviewer.scene.loader import MeshLoader
from sdfviewer.scene.mesh import TriangleMesh
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.solid import is_solid

_MeshFile: TypeAlias = tuple[Path, int, int, Mesh]
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
    try:
        status = None if path is None else path.stat()
    except OSError:
        return None
    if path is None or status is None:
        return None
    return path, status.st_mtime_ns, status.st_size, replace(geometry, scale=ONES, element=None)


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
