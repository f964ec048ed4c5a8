"""Which elements of a document name a file: includes, meshes, terrain, textures, material scripts and plugins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, set_attribute, set_text
from sdfviewer.document.element import Element


class AssetKind(str, Enum):
    """What a file is for."""

    INCLUDE = "include"
    MESH = "mesh"
    HEIGHTMAP = "heightmap"
    TEXTURE = "texture"
    SCRIPT = "material script"
    PLUGIN = "plugin"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file that a document names, not yet looked for.

    Attributes
    ----------
    kind
        What it is for.
    uri
        As it is written.
    element, part
        Where it is written: an attribute of the element, as ``@filename``, or its ``text``.
    submesh
        The part of a mesh that is used, empty for all of it.
    """

    kind: AssetKind
    uri: str
    element: Element
    part: str
    submesh: str = ""

    def renamed(self, document: Document, uri: str) -> Replacements:
        """Return the edit that writes another URI."""
        if self.part.startswith("@"):
            return set_attribute(document, self.element, self.part[1:], uri)
        return set_text(document, self.element, uri)


#: Elements whose text is the URI of a texture.
TEXTURES = frozenset(
    {"albedo_map", "normal_map", "roughness_map", "metalness_map", "environment_map", "emissive_map", "light_map"}
    | {"specular_map", "glossiness_map", "ambient_occlusion_map", "cubemap_uri", "diffuse", "normal"}
)


def named_files(document: Document, within: Element | None = None) -> Iterator[NamedFile]:
    """Yield the files that a document names, in the order in which they are written.

    Parameters
    ----------
    within
        The element to look in; the root by default.
    """
    root = within or document.root
    if root is None:
        return
    above = () if within is None else tuple(each.tag for each in _around(document, within))
    stack: list[tuple[Element, tuple[str, ...]]] = [(root, above)]
    while stack:
        element, above = stack.pop()
        if element.tag == "script" and above[-1:] == ("material",):
            for written in element.findall("uri"):
                if written.text.strip():
                    yield NamedFile(AssetKind.SCRIPT, written.text.strip(), written, "text")
        for kind, uri, part in _uris(element, above):
            if uri and uri != "__default__":
                submesh = element.find("submesh")
                name = submesh.text_of("name") if submesh is not None and kind is AssetKind.MESH else ""
                where = element if part.startswith("@") or part == "text" else element.find(part) or element
                yield NamedFile(kind, uri, where, part if part.startswith("@") else "text", name)
        stack += [(child, (*above, element.tag)) for child in reversed(element.children)]


def _around(document: Document, element: Element) -> list[Element]:
    """Return the elements around an element, the outermost first."""
    found: list[Element] = []
    around = document.parent(element)
    while around is not None:
        found.insert(0, around)
        around = document.parent(around)
    return found


def _uris(element: Element, above: Sequence[str]) -> Iterator[tuple[AssetKind, str, str]]:
    """Yield kind, URI and part of an element: a child's tag, or an attribute."""
    tag, parent = element.tag, above[-1] if above else ""
    if tag == "include":
        yield AssetKind.INCLUDE, element.text_of("uri"), "uri"
    elif tag == "mesh":
        if "filename" in element.attributes:
            yield AssetKind.MESH, element.attributes["filename"], "@filename"
        else:
            yield AssetKind.MESH, element.text_of("uri"), "uri"
    elif tag in ("skin", "animation") and "actor" in above:
        yield AssetKind.MESH, element.text_of("filename"), "filename"
    elif tag == "heightmap":
        yield AssetKind.HEIGHTMAP, element.text_of("uri"), "uri"
    elif tag == "plugin":
        yield AssetKind.PLUGIN, element.attributes.get("filename", ""), "@filename"
    elif tag == "texture" and "filename" in element.attributes:
        yield AssetKind.TEXTURE, element.attributes["filename"], "@filename"
    elif (tag in TEXTURES and parent != "heightmap" and _is_texture(tag, above)) or (tag, parent) == (
        "texture",
        "projector",
    ):
        yield AssetKind.TEXTURE, element.text.strip(), "text"


def _is_texture(tag: str, above: Sequence[str]) -> bool:
    """Return whether an element with this name and parent holds the URI of a texture."""
    return tag not in ("diffuse", "normal") or above[-2:] == ("heightmap", "texture")
