"""Document links: included models, meshes, textures and heightmaps, with their resolved files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sdfviewer.document.document import Document
from sdfviewer.document.edits import text_offsets
from sdfviewer.files.finder import Finder, Found
from sdfviewer.files.uris import only_by_working_directory
from sdfviewer.language.elements import elements_between

#: Elements whose text is a URI or a file name.
URI_ELEMENTS = frozenset(
    (
        *("uri", "albedo_map", "normal_map", "roughness_map", "metalness_map", "environment_map", "emissive_map"),
        *("light_map", "ambient_occlusion_map", "specular_map", "glossiness_map", "diffuse", "normal", "texture"),
    )
)
#: Attributes that hold a URI, by element: URDF's meshes and textures.
URI_ATTRIBUTES = {"mesh": "filename", "texture": "filename"}


@dataclass(frozen=True, slots=True)
class UriLink:
    """A URI in the text.

    Attributes
    ----------
    start, end
        Its range.
    uri
        As written.
    found
        Where it leads, or where it was looked for.
    is_include
        Whether it names a model to include.
    """

    start: int
    end: int
    uri: str
    found: Found
    is_include: bool

    @property
    def file(self) -> Path | None:
        """The file that it names; for a model folder, the model file in it."""
        return self.found.path

    @property
    def says(self) -> str:
        """Where it leads, and that only the working directory leads there where that is so."""
        folder = self.found.working_directory
        return str(self.file) if folder is None else f"{self.file}: {only_by_working_directory(folder)}"


def document_links(document: Document, finder: Finder, start: int = 0, end: int | None = None) -> Iterator[UriLink]:
    """Yield the URIs between two offsets of a document, all by default."""
    for element, offset, parent in elements_between(document, start, len(document.text) if end is None else end):
        attribute = URI_ATTRIBUTES.get(element.tag)
        if attribute is not None and attribute in element.attributes:
            where = document.value_offsets(element, attribute, offset) or (offset, offset)
            yield _link(document, finder, where, element.attributes[attribute], is_include=False)
        elif element.tag in URI_ELEMENTS and not element.children:
            uri = element.text.strip()
            is_file = element.tag == "uri" or "." in uri.rpartition("/")[2]
            # <diffuse> is a colour in a material and a picture in a heightmap.
            if uri and is_file and not uri[0].isdigit():
                is_include = parent is not None and parent.tag == "include"
                yield _link(document, finder, text_offsets(document, element), uri, is_include=is_include)


def _link(document: Document, finder: Finder, where: tuple[int, int], uri: str, *, is_include: bool) -> UriLink:
    found = finder.find(uri, document.path, nearby=not is_include)
    if is_include and found.path is not None and found.path.is_dir():
        found = replace(finder.model_file(found.path), working_directory=found.working_directory)
    return UriLink(*where, uri, found, is_include)


def link_at(document: Document, finder: Finder, offset: int) -> UriLink | None:
    """Return the URI at an offset."""
    links = document_links(document, finder, offset, offset)
    return next((link for link in links if link.start <= offset <= link.end), None)
