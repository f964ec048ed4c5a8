"""The reference to a mesh file in an exported model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from sdfviewer.files.finder import Finder
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.shapes.mesh import Mesh

#: Formats of meshes that MuJoCo reads.
_OF_MUJOCO = frozenset({".obj", ".stl", ".msh"})


@dataclass(frozen=True, slots=True)
class WrittenMesh:
    """A mesh of an exported model: its file as the model names it, and what it is scaled by along x, y, z."""

    file: str
    scale: tuple[float, float, float]


#: Returns the file of a geometry, or in words why it has none.
AddMesh: TypeAlias = Callable[[Geometry], WrittenMesh | str]


def meshes_in_place(finder: Finder, instead: str) -> AddMesh:
    """Return the function that names the meshes of an MJCF by their absolute paths.

    Parameters
    ----------
    finder
        Finds meshes by URI.
    instead
        What writes the meshes that MuJoCo does not read as they are, in words.
    """

    def add(geometry: Geometry) -> WrittenMesh | str:
        if not isinstance(geometry, Mesh):
            return f"MuJoCo has no {geometry.kind or 'shape'} of this kind; {instead}"
        if geometry.submesh:
            return f"MuJoCo cannot take '{geometry.submesh}' alone out of {geometry.uri}; {instead}"
        path = finder.find(geometry.uri, geometry.file, nearby=True).path
        if path is None:
            return f"the mesh {geometry.uri} is not found"
        if path.suffix.lower() not in _OF_MUJOCO:
            return f"MuJoCo does not read {path.name}; {instead}"
        return WrittenMesh(path.absolute().as_posix(), geometry.scale)

    return add
