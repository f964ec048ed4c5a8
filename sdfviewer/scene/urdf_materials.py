"""What a URDF says about the surfaces of its visuals: colours and textures, in place, by name, or for Gazebo alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.document.finder import Finder
from sdfviewer.scene.loader import MeshProblem
from sdfviewer.scene.materials import Surface, gazebo_material, read_material, read_transparency
from sdfviewer.scene.mesh import Material, Rgba
from sdfviewer.semantics.urdf.reading import parse_numbers


def robot_of(document: Document) -> Element | None:
    """Return the ``<robot>`` of a document, None where it is no URDF."""
    return document.root if document.root is not None and document.root.tag == "robot" else None


def read_urdf_surface(visual: Element, link: str, robot: Element, file: Path | None, finder: Finder) -> Surface:
    """Return the surface of a URDF ``<visual>``.

    What ``<gazebo reference="link">`` says of the link's visuals comes first, as in Gazebo: a material by its name,
    and an SDFormat ``<material>`` and ``<transparency>`` in ``<visual>``. URDF's own colour stands in for the colours
    that this leaves open.

    Parameters
    ----------
    visual
        The element.
    link
        Name of the link that it is written in.
    robot
        The root of its file, where named materials are looked for.
    file
        The file that it is written in; texture files may be relative to it.
    finder
        Resolves URIs.

    Notes
    -----
    Source: libsdformat, ``InsertSDFExtensionVisual`` and ``CreateVisual`` in src/parser_urdf.cc.
    """
    problems: list[MeshProblem] = []
    materials = _materials_of(robot)
    own = materials.own(visual, file, finder, problems)
    written, name, transparency = materials.given(link)
    named = None if name is None else gazebo_material(_value(name), name, file, problems)
    material = named or own
    if written is not None:
        coloured = written.find("diffuse") is not None or written.find("ambient") is not None
        material = read_material(written, named if coloured else material, file, finder, problems)
    return Surface(material, transparency, tuple(problems))


class _Materials:
    """What one robot says about surfaces outside of its visuals."""

    def __init__(self, robot: Element) -> None:
        self._named: dict[str, Element] = {}
        for material in _defined(robot):
            self._named.setdefault(material.attributes.get("name", ""), material)
        self._extensions: dict[str, list[Element]] = {}
        for extension in robot.findall("gazebo"):
            self._extensions.setdefault(extension.attributes.get("reference", ""), []).append(extension)

    def own(self, visual: Element, file: Path | None, finder: Finder, problems: list[MeshProblem]) -> Material | None:
        """Return the material that a visual writes or names; None where it has none."""
        material = visual.find("material")
        if material is None:
            return None
        if not _is_defined(material):
            material = self._named.get(material.attributes.get("name", ""))
            if material is None:
                return None
        picture = _picture(material.find("texture"), file, finder, problems)
        diffuse = _colour(material.find("color")) or ((1.0, 1.0, 1.0, 1.0) if picture is not None else Material.diffuse)
        return Material(diffuse=diffuse, albedo_map=picture)

    def given(self, link: str) -> tuple[Element | None, Element | None, float]:
        """Return the SDFormat ``<material>``, the one by name, and the transparency that Gazebo gives to a link."""
        written: Element | None = None
        name: Element | None = None
        transparency = 0.0
        for extension in self._extensions.get(link, ()):
            for visual in extension.findall("visual"):
                if visual.find("material") is not None:
                    # It replaces what an earlier element has put together.
                    written, name = visual.find("material"), None
                transparency = read_transparency(visual) or transparency
            for each in extension.findall("material"):
                name = each if _value(each) else name
        return written, name, transparency


# Elements are immutable, so what was read from one stays true.
_materials_of = lru_cache(maxsize=16)(_Materials)


def _defined(robot: Element) -> Iterator[Element]:
    """Yield the materials at the top of the file, then those in visuals, which may be referred to as well."""
    visuals = (visual for link in robot.findall("link") for visual in link.findall("visual"))
    for parent in (robot, *visuals):
        yield from filter(_is_defined, parent.findall("material"))


def _is_defined(material: Element) -> bool:
    return material.find("color") is not None or material.find("texture") is not None


def _value(element: Element) -> str:
    return (element.attributes.get("value") or element.text).strip()


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
