"""Volume, centre of mass and inertia of a closed mesh."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sdfviewer.files.finder import Finder
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.solids import Body
from sdfviewer.scene.geometry import shape_of
from sdfviewer.scene.loader import MeshLoader
from sdfviewer.scene.mesh import TriangleMesh
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.solid import is_solid


def solid_mesh_body(mesh: TriangleMesh, density: float) -> Body | None:
    """Return the body of a mesh of one density in kg/m³, None where it does not enclose a volume.

    Notes
    -----
    Each triangle and the origin span a tetrahedron; signed, they add up to the solid. Of a tetrahedron with the
    vertices 0, a, b, c and D = det(a, b, c) the volume is D/6, the first moment D/24 (a + b + c), and the second
    moment D/120 (s sᵀ + a aᵀ + b bᵀ + c cᵀ) with s = a + b + c.
    """
    if not is_solid(mesh):
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


def mesh_bodies(finder: Finder) -> Callable[[Model, int, Geometry, float], Body | None]:
    """Return the function that reads the meshes of a model and returns their bodies; see `refactoring.inertia`.

    Parameters
    ----------
    finder
        Where mesh files are looked for.
    """
    loader = MeshLoader(finder)

    def body(_model: Model, _row: int, geometry: Geometry, density: float) -> Body | None:
        mesh = _scaled_mesh(loader, geometry)
        return None if mesh is None else solid_mesh_body(mesh, density)

    return body


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
