"""Read ``<geometry>`` and ``<material>`` of SDFormat into typed records."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

from sdfviewer.document.element import Element
from sdfviewer.model import geometry as shapes
from sdfviewer.model.geometry import Geometry, Vector
from sdfviewer.model.materials import Material, MaterialScript, Pbr, Rgba
from sdfviewer.model.values import parse_bool, parse_number, parse_numbers, read_number, read_vector

_ONES: Vector = (1.0, 1.0, 1.0)
_NOTHING: Vector = (0.0, 0.0, 0.0)


def read_geometry(parent: Element, file: Path | None = None) -> Geometry:
    """Return the shape in the ``<geometry>`` of a visual or collision; empty where it has none that is known.

    Numbers that are missing or broken are SDFormat's defaults.

    Parameters
    ----------
    parent
        The element that holds the ``<geometry>``.
    file
        The file that it is written in; URIs may be relative to it.
    """
    geometry = parent.find("geometry")
    if geometry is None:
        return shapes.Empty(element=parent)
    for child in geometry.children:
        reader = _READERS.get(child.tag)
        if reader is not None:
            return reader(child, file)
        if child.tag == "polyline":
            return _polyline(geometry.findall("polyline"))
    return shapes.Empty(element=geometry)


def read_colour(element: Element, tag: str) -> Rgba | None:
    """Return the colour in a child, each number from 0 to 1; None if there is none."""
    numbers = parse_numbers(element.text_of(tag))
    if numbers is None or len(numbers) not in (3, 4) or not all(map(math.isfinite, numbers)):
        return None
    red, green, blue, alpha = (min(max(value, 0.0), 1.0) for value in (*numbers, 1.0)[:4])
    return red, green, blue, alpha


def read_flag(element: Element | None, tag: str, default: bool) -> bool:
    """Return whether a child says true; the default where it is missing or says neither true nor false."""
    return parse_bool(element.text_of(tag), default) if element is not None else default


def read_material(written: Element) -> Material:
    """Return the contents of a ``<material>``."""
    script, shader, pbr = (written.find(tag) for tag in ("script", "shader", "pbr"))
    workflow = None if pbr is None else pbr.find("metal") or pbr.find("specular")
    shininess = parse_number(written.text_of("shininess"))
    normal_map = "" if shader is None else shader.text_of("normal_map")
    return Material(
        diffuse=read_colour(written, "diffuse"),
        ambient=read_colour(written, "ambient"),
        specular=read_colour(written, "specular"),
        emissive=read_colour(written, "emissive"),
        shininess=shininess if shininess is not None and math.isfinite(shininess) else None,
        script=None if script is None else _script(script),
        pbr=None if workflow is None else _pbr(workflow),
        # By default it is called "__default__", which means none.
        normal_map="" if normal_map == "__default__" else normal_map,
        normal_map_type="" if shader is None else shader.word("type", "pixel"),
        double_sided=read_flag(written, "double_sided", False),
        lighting=read_flag(written, "lighting", True),
        element=written,
    )


def _script(script: Element) -> MaterialScript:
    uris = tuple(uri.text.strip() for uri in script.findall("uri"))
    return MaterialScript(script.text_of("name"), uris, script.find("name") or script)


def _pbr(workflow: Element) -> Pbr:
    normal_map = workflow.find("normal_map")

    def factor(tag: str, default: float) -> float:
        value = read_number(workflow, tag, default)
        return value if math.isfinite(value) else default

    return Pbr(
        workflow=workflow.tag,
        normal_map_type="tangent" if normal_map is None else normal_map.word("type", "tangent"),
        roughness=factor("roughness", 0.5),
        metalness=factor("metalness", 0.5),
        glossiness=factor("glossiness", 0.0),
        element=workflow,
        **{name: workflow.text_of(name) for name in _MAPS},
    )


_MAPS = (
    "albedo_map",
    "normal_map",
    "roughness_map",
    "metalness_map",
    "glossiness_map",
    "specular_map",
    "emissive_map",
    "light_map",
    "ambient_occlusion_map",
    "environment_map",
)


def _number(element: Element, tag: str, default: float) -> float:
    value = read_number(element, tag, default)
    return value if math.isfinite(value) else default


def _three(element: Element, tag: str, default: Vector) -> Vector:
    x, y, z = read_vector(element, tag, default)
    return x, y, z


def _box(box: Element, file: Path | None) -> Geometry:
    return shapes.Box(_three(box, "size", _ONES), element=box)


def _sphere(sphere: Element, file: Path | None) -> Geometry:
    return shapes.Sphere(_number(sphere, "radius", 1.0), element=sphere)


def _cylinder(cylinder: Element, file: Path | None) -> Geometry:
    return shapes.Cylinder(_number(cylinder, "radius", 1.0), _number(cylinder, "length", 1.0), element=cylinder)


def _capsule(capsule: Element, file: Path | None) -> Geometry:
    return shapes.Capsule(_number(capsule, "radius", 0.5), _number(capsule, "length", 1.0), element=capsule)


def _ellipsoid(ellipsoid: Element, file: Path | None) -> Geometry:
    return shapes.Ellipsoid(_three(ellipsoid, "radii", _ONES), element=ellipsoid)


def _cone(cone: Element, file: Path | None) -> Geometry:
    return shapes.Cone(_number(cone, "radius", 1.0), _number(cone, "length", 1.0), element=cone)


def _plane(plane: Element, file: Path | None) -> Geometry:
    x, y = read_vector(plane, "size", (1.0, 1.0))
    return shapes.Plane(_three(plane, "normal", (0.0, 0.0, 1.0)), (x, y), element=plane)


def _polyline(polylines: list[Element]) -> Geometry:
    """Return the shape of all polylines of one geometry: they are one outline with holes, of the first's height."""
    loops = tuple(tuple(_point(point) for point in polyline.findall("point")) for polyline in polylines)
    return shapes.Polyline(loops, _number(polylines[0], "height", 1.0), element=polylines[0])


def _point(point: Element) -> tuple[float, float]:
    numbers = parse_numbers(point.text)
    if numbers is None or len(numbers) != 2 or not all(map(math.isfinite, numbers)):
        return 0.0, 0.0
    return numbers[0], numbers[1]


def _heightmap(heightmap: Element, file: Path | None) -> Geometry:
    textures = tuple(
        shapes.HeightmapTexture(
            texture.text_of("diffuse"), texture.text_of("normal"), _number(texture, "size", 10.0) or 10.0
        )
        for texture in heightmap.findall("texture")
    )
    return shapes.Heightmap(
        uri=heightmap.text_of("uri"),
        file=file,
        size=_three(heightmap, "size", _ONES),
        position=_three(heightmap, "pos", _NOTHING),
        textures=textures,
        element=heightmap,
    )


def _image(image: Element, file: Path | None) -> Geometry:
    return shapes.Image(
        uri=image.text_of("uri"),
        file=file,
        scale=_number(image, "scale", 1.0),
        threshold=_number(image, "threshold", 200.0),
        height=_number(image, "height", 1.0),
        granularity=int(_number(image, "granularity", 1.0)),
        element=image,
    )


def _mesh(mesh: Element, file: Path | None) -> Geometry:
    submesh = mesh.find("submesh")
    return shapes.Mesh(
        uri=mesh.text_of("uri"),
        file=file,
        scale=_three(mesh, "scale", _ONES),
        submesh=submesh.text_of("name") or None if submesh is not None else None,
        center=read_flag(submesh, "center", False),
        element=mesh,
    )


_READERS: dict[str, Callable[[Element, Path | None], Geometry]] = {
    "box": _box,
    "sphere": _sphere,
    "cylinder": _cylinder,
    "capsule": _capsule,
    "ellipsoid": _ellipsoid,
    "cone": _cone,
    "plane": _plane,
    "heightmap": _heightmap,
    "image": _image,
    "mesh": _mesh,
}
