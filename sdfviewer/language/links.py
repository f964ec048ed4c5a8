"""URIs of a document: links to included models, meshes, textures and heightmaps, and completion of such URIs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sdfviewer.document.document import Document
from sdfviewer.document.edits import text_offsets
from sdfviewer.files.finder import Finder, Found
from sdfviewer.files.paths import names_a_server
from sdfviewer.files.uris import TEXTURES, only_by_working_directory
from sdfviewer.formats.registry import model_suffixes
from sdfviewer.language.completion import Open
from sdfviewer.language.names import elements_between

#: Elements whose text is a URI or a file name.
URI_ELEMENTS = TEXTURES | {"uri"}
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


# --- completion ---------------------------------------------------------------------------------------------------


#: The most entries of a folder that are offered.
_MOST = 500
_RESOURCES = (".dae", ".stl", ".obj", ".glb", ".gltf", ".png", ".jpg", ".jpeg", ".tif")


_TEXT = re.compile(rf"<({'|'.join(sorted(URI_ELEMENTS))})(?:\s[^<>]*)?>\s*([^<>]*)$")
_VALUE = r"\s(?:[^<>]*\s)?{}\s*=\s*(?:\"[^\"<>]*|'[^'<>]*)$"
_ATTRIBUTE = re.compile("|".join(f"<{tag}{_VALUE.format(name)}" for tag, name in URI_ATTRIBUTES.items()))


@dataclass(frozen=True, slots=True)
class UriChoice:
    """A URI that may be typed: its text, the file or folder that it names, and whether that is a folder."""

    uri: str
    path: Path
    is_folder: bool


def uris_at(
    text: str, open_at: Callable[[int], list[Open]], file: Path | None, finder: Finder
) -> tuple[str, list[UriChoice]] | None:
    """Return what is typed of a URI at the end of a text, and the URIs that it may be; None where no URI is typed.

    Parameters
    ----------
    text
        The text before the caret.
    open_at
        Returns the elements that are open at an offset; it is asked only where a URI is typed.
    file, finder
        As of `complete_uri`.
    """
    tail = text[max(text.rfind("<"), 0) :]
    if match := _TEXT.match(tail):
        opened = open_at(len(text))
        typed, is_include = match[2], len(opened) > 1 and opened[-2].tag == "include"
    elif _ATTRIBUTE.match(tail):
        typed, is_include = re.split("[\"']", tail)[-1], False
    else:
        return None
    return typed, complete_uri(typed, file, finder, is_include=is_include)


def complete_uri(typed: str, file: Path | None, finder: Finder, *, is_include: bool) -> list[UriChoice]:
    """Return the URIs that may be typed, those that begin with ``typed`` first in the order of the folders.

    Parameters
    ----------
    typed
        The part before the caret.
    file
        The file in which it is typed; relative URIs start beside it.
    is_include
        Whether a model is named, rather than a mesh or a picture.
    """
    scheme, separator, rest = typed.partition("://")
    folder_part = rest.rpartition("/")[0] if separator else typed.rpartition("/")[0]
    choices: dict[str, UriChoice] = {}
    if names_a_server(folder_part):  # to look what is there would be to log in
        return []
    if separator and scheme in ("model", "package", "file"):
        roots = [Path("/")] if scheme == "file" else [*finder.model_folders, *_beside(file)]
        for root in roots:
            for choice in _entries(root / folder_part, f"{scheme}://{folder_part + '/' if folder_part else ''}"):
                choices.setdefault(choice.uri, choice)
    elif not separator:
        for folder in _beside(file):
            prefix = f"{folder_part}/" if folder_part else ""
            for choice in _entries(folder / folder_part, prefix):
                choices.setdefault(choice.uri, choice)
        if not folder_part:
            for root in finder.model_folders:
                for choice in _entries(root, "model://"):
                    choices.setdefault(choice.uri, choice)
    wanted = [choice for choice in choices.values() if _fits(choice, is_include=is_include)]
    return wanted[:_MOST]


def _beside(file: Path | None) -> list[Path]:
    return [] if file is None else [file.absolute().parent]


def _entries(folder: Path, prefix: str) -> Iterator[UriChoice]:
    """Yield what is in a folder; nothing where it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)[:_MOST]
    except (OSError, ValueError):  # ValueError: no path has a NUL character in it
        return
    for entry in listed:
        if not entry.name.startswith("."):
            # An entry raises where a link leads to itself.
            yield UriChoice(prefix + entry.name, Path(entry.path), os.path.isdir(entry.path))


def _fits(choice: UriChoice, *, is_include: bool) -> bool:
    if choice.is_folder:
        return True
    suffix = choice.path.suffix.lower()
    return suffix in (model_suffixes() if is_include else _RESOURCES)
