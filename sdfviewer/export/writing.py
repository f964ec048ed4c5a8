"""What the writers of models share: lines of XML, references to meshes, the moments and the size that others refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.files.finder import Finder
from sdfviewer.files.regular_files import read_regular
from sdfviewer.formats.urdf.reading import MAX_MEMBERS
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.transforms import Array

#: Formats of meshes that MuJoCo reads.
_OF_MUJOCO = frozenset({".obj", ".stl", ".msh"})


@dataclass(frozen=True, slots=True)
class WrittenMesh:
    """A mesh of an exported model.

    Attributes
    ----------
    file
        Its file as the model names it.
    scale
        What it is scaled by along x, y, z.
    why_no_collision
        Returns why nothing can collide with it, in words; empty if something can. It reads the file.
    """

    file: str
    scale: tuple[float, float, float]
    why_no_collision: Callable[[], str] = field(default=str, compare=False)


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
        from sdfviewer.export.mesh_files import is_flat_file  # noqa: PLC0415  # a URDF does without NumPy's mesh readers
        from sdfviewer.scene.meshes.reading import is_ascii_stl  # noqa: PLC0415

        if path.suffix.lower() == ".stl" and is_ascii_stl(read_regular(path)):
            return f"{path.name} is an STL file of text, which MuJoCo does not read; {instead}"
        flat = f"{path.name} is flat, and MuJoCo refuses flat meshes that something can collide with; {instead}"
        return WrittenMesh(path.absolute().as_posix(), geometry.scale, lambda: flat if is_flat_file(path) else "")

    return add


#: MuJoCo takes moments of inertia in kg m² below this as zero.
_LEAST = 1e-14
#: The moment of inertia in kg m² written for a moving body that has none.
LEAST_MOMENT = 1e-7


def replacement_moment(I_B: Array) -> float | None:
    """Return the moment of inertia to write for all axes where no body can have an inertia (3, 3), else None.

    It is the mean of the principal moments, as MuJoCo's ``balanceinertia`` takes it, and a small one where that is not
    positive or not finite.
    """
    if not np.isfinite(I_B).all():
        return LEAST_MOMENT
    if float(np.linalg.eigvalsh(I_B)[0]) >= _LEAST:
        return None
    mean = float(np.trace(I_B)) / 3
    return mean if _LEAST <= mean < np.inf else LEAST_MOMENT


def require_exportable(model: Model, format: str) -> None:
    """Refuse a model with more parts than a URDF may have, in the name of a format.

    Raises
    ------
    SdfViewerError
        If it has more.
    """
    if len(model) > MAX_MEMBERS:
        raise SdfViewerError(
            f"'{model.names[0]}' has {len(model):,} links, joints, frames and shapes; "
            f"{format} is written for at most {MAX_MEMBERS:,}"
        )
