"""What the visual of a URDF says about its surface: a colour and a texture, written in place or once for the robot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.document.finder import Finder
from sdfviewer.scene.loader import MeshProblem
from sdfviewer.scene.materials import Surface
from sdfviewer.scene.mesh import Material, Rgba
from sdfviewer.semantics.values import parse_numbers


def robot_of(document: Document) -> Element | None:
    """Return the ``<robot>`` of a document, None where it is no URDF."""
    return document.root if document.root is not None and document.root.tag == "robot" else None


def read_urdf_surface(visual: Element, robot: Element, file: Path | None, finder: Finder) -> Surface:
    """Return the surface of a URDF ``<visual>``.

    Parameters
    ----------
    visual
        The element.
    robot
        The root of its file, where named materials are looked for.
    file
        The file that it is written in; texture files may be relative to it.
    finder
        Resolves URIs.
    """
    written = visual.find("material")
    if written is None:
        return Surface()
    name = written.attributes.get("name", "")
    candidates = (
        each for each in (written, *_materials(robot)) if each is written or each.attributes.get("name") == name
    )
    for material in candidates:
        colour, texture = material.find("color"), material.find("texture")
        if colour is None and texture is None:
            continue
        problems: list[MeshProblem] = []
        picture = _picture(texture, file, finder, problems)
        diffuse = _colour(colour) or ((1.0, 1.0, 1.0, 1.0) if picture is not None else Material.diffuse)
        return Surface(Material(diffuse=diffuse, albedo_map=picture), problems=tuple(problems))
    return Surface()


def _materials(robot: Element) -> Iterator[Element]:
    """Yield the materials at the top of the file, then those in visuals, which may be referred to as well."""
    yield from robot.findall("material")
    for link in robot.findall("link"):
        for visual in link.findall("visual"):
            yield from visual.findall("material")


def _colour(color: Element | None) -> Rgba | None:
    numbers = parse_numbers(color.attributes.get("rgba", "")) if color is not None else None
    if numbers is None or len(numbers) != 4:
        return None
    red, green, blue, alpha = (min(max(value, 0.0), 1.0) for value in numbers)
    return red, green, blue, alpha


def _picture(texture: Element | None, file: Path | None, finder: Finder, problems: list[MeshProblem]) -> Path | None:
    uri = texture.attributes.get("filename", "") if texture is not None else ""
    if not uri:
        return None
    found = finder.find(uri, file, nearby=True)
    if found.path is not None and found.path.is_file():
        return found.path
    message = found.problem or "is not found; correct the file name, or add its folder to the model paths"
    problems.append(MeshProblem(uri, None, f"the texture {uri} {message}", texture, file, True))
    return None
