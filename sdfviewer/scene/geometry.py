"""What a ``<geometry>`` says, and the triangles that it means.

A shape is drawn as a mesh at a scale: all boxes are one mesh, and all uses of a mesh file share its triangles.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from sdfviewer.document.element import Element
from sdfviewer.scene import primitives
from sdfviewer.scene.mesh import TriangleMesh

Vector = tuple[float, float, float]
Loops = tuple[tuple[tuple[float, float], ...], ...]

_ONES: Vector = (1.0, 1.0, 1.0)
#: Kinds whose triangles take time to make or may fail, and so come from a loader.
LOADED_KINDS = ("mesh", "heightmap", "image", "polyline")


@dataclass(frozen=True)
class HeightmapTexture:
    """The picture on a heightmap: its URI and how many metres it covers before it repeats."""

    uri: str
    size: float


@dataclass(frozen=True)
class Shape:
    """One geometry as written, numbers that are missing or broken replaced by SDFormat's defaults.

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
    loops: Loops = ()
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


def read_geometry(geometry: Element, file: Path | None = None) -> Shape | None:
    """Return the shape of a ``<geometry>`` element, or None where it is empty or of no known kind.

    Parameters
    ----------
    geometry
        The ``<geometry>`` of a visual or collision.
    file
        The file that it is written in; URIs may be relative to it.
    """
    for child in geometry.children:
        reader = _READERS.get(child.tag)
        if reader is not None:
            return reader(child, file)
        if child.tag == "polyline":
            return _polyline(geometry.findall("polyline"))
    return None


def mesh_of(shape: Shape, loader: MeshSource) -> TriangleMesh:
    """Return the triangles of a shape, to be drawn scaled by `Shape.scale`.

    Equal shapes give the same object, so that what is uploaded once serves them all. What cannot be drawn is the
    loader's to report; it gives a placeholder.
    """
    return loader.mesh(shape) if shape.kind in LOADED_KINDS else _primitive(shape.kind, shape.parameters)


@lru_cache(maxsize=1024)
def _primitive(kind: str, parameters: tuple[float, ...]) -> TriangleMesh:
    if kind == "capsule":
        return primitives.capsule(*parameters)
    if kind == "plane":
        return primitives.plane(parameters[3:], parameters[:3])
    return _UNIT_MESHES[kind]()


_UNIT_MESHES: dict[str, Callable[[], TriangleMesh]] = {
    "box": primitives.box,
    "sphere": primitives.sphere,
    "ellipsoid": primitives.sphere,
    "cylinder": primitives.cylinder,
    "cone": primitives.cone,
}


def _box(box: Element, file: Path | None) -> Shape:
    x, y, z = _three(box, "size", _ONES)
    return Shape("box", (abs(x), abs(y), abs(z)), source=box)


def _sphere(sphere: Element, file: Path | None) -> Shape:
    r = abs(_one(sphere, "radius", 1.0))
    return Shape("sphere", (r, r, r), source=sphere)


def _ellipsoid(ellipsoid: Element, file: Path | None) -> Shape:
    x, y, z = _three(ellipsoid, "radii", _ONES)
    return Shape("ellipsoid", (abs(x), abs(y), abs(z)), source=ellipsoid)


def _round(element: Element, file: Path | None) -> Shape:
    r, length = abs(_one(element, "radius", 1.0)), abs(_one(element, "length", 1.0))
    return Shape(element.tag, (r, r, length), source=element)


def _capsule(capsule: Element, file: Path | None) -> Shape:
    parameters = (abs(_one(capsule, "radius", 0.5)), abs(_one(capsule, "length", 1.0)))
    return Shape("capsule", parameters=parameters, source=capsule)


def _plane(plane: Element, file: Path | None) -> Shape:
    normal = _numbers(plane, "normal", (0.0, 0.0, 1.0))
    size = _numbers(plane, "size", (1.0, 1.0))
    return Shape("plane", parameters=(*normal, *size), source=plane)


def _polyline(polylines: list[Element]) -> Shape:
    """Return the shape of all polylines of one geometry: they are one outline with holes, of the first's height."""
    loops = tuple(tuple(_point(point) for point in polyline.findall("point")) for polyline in polylines)
    height = _one(polylines[0], "height", 1.0)
    return Shape("polyline", parameters=(height,), loops=loops, source=polylines[0])


def _heightmap(heightmap: Element, file: Path | None) -> Shape:
    texture = heightmap.find("texture")
    return Shape(
        "heightmap",
        parameters=(*_numbers(heightmap, "size", _ONES), *_numbers(heightmap, "pos", (0.0, 0.0, 0.0))),
        uri=heightmap.text_of("uri"),
        file=file,
        texture=None
        if texture is None or not texture.text_of("diffuse")
        else HeightmapTexture(texture.text_of("diffuse"), _one(texture, "size", 10.0) or 10.0),
        source=heightmap.find("uri") or heightmap,
    )


def _image(image: Element, file: Path | None) -> Shape:
    parameters = (_one(image, "scale", 1.0), _one(image, "threshold", 200.0), _one(image, "height", 1.0))
    source = image.find("uri") or image
    return Shape("image", parameters=parameters, uri=image.text_of("uri"), file=file, source=source)


def _mesh(mesh: Element, file: Path | None) -> Shape:
    written = _three(mesh, "scale", _ONES)
    submesh = mesh.find("submesh")
    x, y, z = (math.copysign(1.0, value) for value in written)
    return Shape(
        "mesh",
        scale=(abs(written[0]), abs(written[1]), abs(written[2])),
        uri=mesh.text_of("uri") or mesh.attributes.get("filename", ""),  # the latter in URDF
        file=file,
        submesh=submesh.text_of("name") or None if submesh is not None else None,
        centre=submesh is not None and submesh.text_of("center").lower() in ("true", "1"),
        mirror=(x, y, z),
        source=mesh.find("uri") or mesh,
    )


_READERS = {
    "box": _box,
    "sphere": _sphere,
    "ellipsoid": _ellipsoid,
    "cylinder": _round,
    "cone": _round,
    "capsule": _capsule,
    "plane": _plane,
    "heightmap": _heightmap,
    "image": _image,
    "mesh": _mesh,
}


def _numbers(element: Element, tag: str, default: tuple[float, ...]) -> tuple[float, ...]:
    """Return the numbers of a child, the default where it is missing or is not as many finite numbers.

    URDF writes the same numbers, called the same, as attributes.
    """
    words = (element.text_of(tag) or element.attributes.get(tag, "")).split()
    if len(words) != len(default):
        return default
    try:
        values = tuple(float(word) for word in words)
    except ValueError:
        # What is wrong with the text is said where the file is validated; here something has to be drawn.
        return default
    return values if all(map(math.isfinite, values)) else default


def _one(element: Element, tag: str, default: float) -> float:
    return _numbers(element, tag, (default,))[0]


def _three(element: Element, tag: str, default: Vector) -> Vector:
    x, y, z = _numbers(element, tag, default)
    return x, y, z


def _point(point: Element) -> tuple[float, float]:
    words = point.text.split()
    try:
        x, y = (float(word) for word in words)
    except ValueError:
        return 0.0, 0.0
    return (x, y) if math.isfinite(x) and math.isfinite(y) else (0.0, 0.0)
