"""The triangles of a geometry.

A shape is drawn as a mesh at a scale: all boxes are one mesh, and all uses of a mesh file share its triangles.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from sdfviewer.document.element import Element
from sdfviewer.model.geometry import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    FileGeometry,
    Geometry,
    Heightmap,
    HeightmapTexture,
    Image,
    Loop,
    Mesh,
    Plane,
    Polyline,
    Sphere,
    Vector,
)
from sdfviewer.scene import primitives
from sdfviewer.scene.mesh import TriangleMesh

_ONES: Vector = (1.0, 1.0, 1.0)
#: Kinds whose triangles take time to make or may fail, and so come from a loader.
LOADED_KINDS = ("mesh", "heightmap", "image", "polyline")


@dataclass(frozen=True)
class Shape:
    """What is drawn for one geometry.

    Attributes
    ----------
    kind
        The tag: ``box``, ``sphere``, ``cylinder``, ``capsule``, ``ellipsoid``, ``cone``, ``plane``, ``polyline``,
        ``heightmap``, ``image`` or ``mesh``.
    scale
        What the mesh of `mesh_of` is to be scaled by, along x, y, z; never negative.
    parameters
        What the mesh itself depends on. Capsule: radius, length. Plane: normal (3), size (2). Polyline: height.
        Heightmap: size (3), position (3). Image: scale, threshold, height.
    loops
        The outlines of a polyline.
    uri, file
        The URI of a mesh, heightmap or image as written, and the file that it is written in.
    submesh, centre
        The name in ``<submesh>``, None where all is shown, and whether it is moved to the origin.
    mirror
        The signs of a mesh's ``<scale>``.
    texture
        Of a heightmap.
    source
        The element to name when something is wrong with it: the ``<uri>``, else the geometry.
    """

    kind: str
    scale: Vector = _ONES
    parameters: tuple[float, ...] = ()
    loops: tuple[Loop, ...] = ()
    uri: str = ""
    file: Path | None = None
    submesh: str | None = None
    centre: bool = False
    mirror: Vector = _ONES
    texture: HeightmapTexture | None = None
    source: Element | None = field(default=None, compare=False)


class MeshSource(Protocol):
    """Where the triangles of shapes of `LOADED_KINDS` come from."""

    def mesh(self, shape: Shape) -> TriangleMesh:
        """Return the mesh of a shape, a placeholder where it cannot be drawn."""
        ...


def shape_of(geometry: Geometry) -> Shape | None:
    """Return the shape drawn for a geometry, None for one that is empty."""
    make = _SHAPES.get(type(geometry))
    return None if make is None else make(geometry)


def mesh_of(shape: Shape, loader: MeshSource) -> TriangleMesh:
    """Return the triangles of a shape, to be drawn scaled by `Shape.scale`.

    Equal shapes give the same object, so that what is uploaded once serves them all. What cannot be drawn is the
    loader's to report; it gives a placeholder.
    """
    return loader.mesh(shape) if shape.kind in LOADED_KINDS else primitive_mesh(shape)


def primitive_mesh(shape: Shape) -> TriangleMesh:
    """Return the triangles of a shape of none of the :data:`LOADED_KINDS`, as :func:`mesh_of` does."""
    return _primitive(shape.kind, shape.parameters)


@lru_cache(maxsize=1024)
def _primitive(kind: str, parameters: tuple[float, ...]) -> TriangleMesh:
    if kind == "plane":
        return primitives.plane(parameters[3:], parameters[:3])
    mesh = primitives.capsule(*parameters) if kind == "capsule" else _UNIT_MESHES[kind]()
    return mesh.at_all_levels(lambda each: replace(each, solid=True))


_UNIT_MESHES: dict[str, Callable[[], TriangleMesh]] = {
    "box": primitives.box,
    "sphere": primitives.sphere,
    "ellipsoid": primitives.sphere,
    "cylinder": primitives.cylinder,
    "cone": primitives.cone,
}


def _box(box: Box) -> Shape:
    x, y, z = box.size
    return Shape("box", (abs(x), abs(y), abs(z)), source=box.element)


def _sphere(sphere: Sphere) -> Shape:
    r = abs(sphere.radius)
    return Shape("sphere", (r, r, r), source=sphere.element)


def _ellipsoid(ellipsoid: Ellipsoid) -> Shape:
    x, y, z = ellipsoid.radii
    return Shape("ellipsoid", (abs(x), abs(y), abs(z)), source=ellipsoid.element)


def _round(shape: Cylinder | Cone) -> Shape:
    r, length = abs(shape.radius), abs(shape.length)
    return Shape(shape.kind, (r, r, length), source=shape.element)


def _capsule(capsule: Capsule) -> Shape:
    return Shape("capsule", parameters=(abs(capsule.radius), abs(capsule.length)), source=capsule.element)


def _plane(plane: Plane) -> Shape:
    return Shape("plane", parameters=(*plane.normal, *plane.size), source=plane.element)


def _polyline(polyline: Polyline) -> Shape:
    return Shape("polyline", parameters=(polyline.height,), loops=polyline.loops, source=polyline.element)


def _heightmap(heightmap: Heightmap) -> Shape:
    texture = heightmap.textures[0] if heightmap.textures else None
    return Shape(
        "heightmap",
        parameters=(*heightmap.size, *heightmap.position),
        uri=heightmap.uri,
        file=heightmap.file,
        texture=texture if texture is not None and texture.diffuse else None,
        source=_uri_element(heightmap),
    )


def _image(image: Image) -> Shape:
    parameters = (image.scale, image.threshold, image.height)
    return Shape("image", parameters=parameters, uri=image.uri, file=image.file, source=_uri_element(image))


def _mesh(mesh: Mesh) -> Shape:
    x, y, z = (math.copysign(1.0, value) for value in mesh.scale)
    return Shape(
        "mesh",
        scale=(abs(mesh.scale[0]), abs(mesh.scale[1]), abs(mesh.scale[2])),
        uri=mesh.uri,
        file=mesh.file,
        submesh=mesh.submesh,
        centre=mesh.center,
        mirror=(x, y, z),
        source=_uri_element(mesh),
    )


def _uri_element(geometry: FileGeometry) -> Element | None:
    """Return the element to name when a file is not there."""
    element = geometry.element
    return element if element is None else element.find("uri") or element


_SHAPES: dict[type[Geometry], Callable[[Any], Shape]] = {
    Box: _box,
    Sphere: _sphere,
    Ellipsoid: _ellipsoid,
    Cylinder: _round,
    Cone: _round,
    Capsule: _capsule,
    Plane: _plane,
    Polyline: _polyline,
    Heightmap: _heightmap,
    Image: _image,
    Mesh: _mesh,
}
