"""A mesh file."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sdfviewer.document.element import Element
from sdfviewer.model.shapes.kind import (
    ONES,
    FileGeometry,
    Geometry,
    Numbers,
    ShapeKind,
    Size,
    Vector,
    three_numbers,
)
from sdfviewer.model.values import parse_bool


@dataclass(frozen=True, slots=True)
class Mesh(FileGeometry):
    """A mesh.

    Attributes
    ----------
    scale
        Factors along x, y, z; negative ones mirror.
    submesh
        Name of the only part that counts, None for the whole mesh.
    center
        Whether that part is moved to the origin.
    """

    scale: Vector = ONES
    submesh: str | None = None
    center: bool = False


class MeshKind(ShapeKind[Mesh]):
    """What is known of meshes."""

    record = Mesh
    rank = 80
    sizes = (
        Size(
            "uri", "File of the mesh: model://, file:// or a path beside this file.", "", "model://name/meshes/mesh.dae"
        ),
        Size("scale", "Scale factors along x, y and z.", ""),
        Size("submesh/name", "Name of the part of the file to use.", "", label="submesh"),
        Size("submesh/center", "Whether the part is moved to the origin first.", "", label="centred"),
    )
    urdf_since = (1, 0)
    is_weighed_by_libsdformat = True  # by the program around it

    def from_sdformat(self, elements: Sequence[Element], file: Path | None) -> Mesh:
        """Return the mesh of an element."""
        mesh = elements[0]
        submesh = mesh.find("submesh")
        return Mesh(
            uri=mesh.text_of("uri"),
            file=file,
            scale=three_numbers(mesh, "scale", ONES),
            submesh=submesh.text_of("name") or None if submesh is not None else None,
            center=submesh is not None and parse_bool(submesh.text_of("center")),
            element=mesh,
        )

    def from_urdf(self, element: Element, file: Path | None, numbers: Callable[[str], Numbers | None]) -> Mesh:
        """Return the mesh of an element of a URDF."""
        found = numbers(element.attributes.get("scale", ""))
        scale = ONES if found is None or len(found) != 3 else (found[0], found[1], found[2])
        return Mesh(uri=element.attributes.get("filename", ""), file=file, scale=scale, element=element)

    def drawn(self, geometry: Mesh) -> tuple[Geometry, Vector]:
        """Return the mesh at a scale of ones, whose signs stay."""
        x, y, z = geometry.scale
        signs = (math.copysign(1.0, x), math.copysign(1.0, y), math.copysign(1.0, z))
        return replace(geometry, scale=signs, element=None), (abs(x), abs(y), abs(z))

    def why_not_mirrored(self, axis: int) -> str:
        """Return that any mirror can be written, with negative factors."""
        return ""

    def mirrored_numbers(self) -> Mapping[str, Numbers]:
        """Return the scale."""
        return {"scale": ONES}


SHAPE = MeshKind()


#: Returns the URI of the file that is the mirror image of a mesh, from the URI of that, the file that names it, and the
#: number of the axis that is reversed; None where there is none.
MirroredMesh = Callable[[str, "Path | None", int], "str | None"]


def no_mirrored_mesh(_uri: str, _naming_file: Path | None, _axis: int) -> str | None:
    """Return None: no mesh file is read."""
    return None
