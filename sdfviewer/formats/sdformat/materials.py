"""Read ``<material>`` of SDFormat into a typed record."""

from __future__ import annotations

import math

from sdfviewer.document.element import Element
from sdfviewer.model.materials import Material, MaterialScript, Pbr, Rgba
from sdfviewer.model.values import parse_bool, parse_number, parse_numbers, read_number


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
