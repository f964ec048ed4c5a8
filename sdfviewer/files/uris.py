"""How a document names files: in which elements, by which URIs, and who else finds a file that is named so.

The other way round, from a URI to a file, is :mod:`sdfviewer.files.finder`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import repeat
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias
from urllib.parse import unquote

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, set_attribute, set_text
from sdfviewer.document.element import Element
from sdfviewer.files.finder import Finder, Found
from sdfviewer.files.paths import is_absolute, is_file, is_folder, is_same_file, names_a_drive, real_path


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


class _Place(NamedTuple):
    """Where elements of a name may name a file.

    Attributes
    ----------
    part
        Their attribute, as ``@filename``, their ``text``, or a child's tag.
    is_here
        Takes the tags around the element, the outermost first.
    has_several
        Whether several children name one each; else the first one counts.
    """

    kind: AssetKind
    part: str
    is_here: Callable[[Sequence[str]], bool] = lambda _above: True
    has_several: bool = False


def _inside(*tags: str) -> Callable[[Sequence[str]], bool]:
    return lambda above: tuple(above[-len(tags) :]) == tags


_MAPS = (
    *("albedo_map", "normal_map", "roughness_map", "metalness_map", "environment_map", "emissive_map", "light_map"),
    *("specular_map", "glossiness_map", "ambient_occlusion_map", "cubemap_uri"),
)
_ACTOR = (_Place(AssetKind.MESH, "filename", lambda above: "actor" in above),)
_GROUND = (_Place(AssetKind.TEXTURE, "text", _inside("heightmap", "texture")),)
#: By the tag of the element: of several places the first counts that is written.
_PLACES: Mapping[str, Sequence[_Place]] = {
    "include": (_Place(AssetKind.INCLUDE, "uri"),),
    "mesh": (_Place(AssetKind.MESH, "@filename"), _Place(AssetKind.MESH, "uri")),
    "skin": _ACTOR,
    "animation": _ACTOR,
    "heightmap": (_Place(AssetKind.HEIGHTMAP, "uri"),),
    "plugin": (_Place(AssetKind.PLUGIN, "@filename"),),
    "script": (_Place(AssetKind.SCRIPT, "uri", _inside("material"), has_several=True),),
    "texture": (
        _Place(AssetKind.TEXTURE, "@filename"),
        _Place(AssetKind.TEXTURE, "text", _inside("projector")),
    ),
    "diffuse": _GROUND,
    "normal": _GROUND,
    **dict.fromkeys(_MAPS, (_Place(AssetKind.TEXTURE, "text", lambda above: not above or above[-1] != "heightmap"),)),
}
#: Elements whose text is the URI of a texture, in some places at least.
TEXTURES = frozenset(tag for tag, places in _PLACES.items() if any(place.part == "text" for place in places))


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
        if element.tag in _PLACES:
            yield from _named_by(element, above)
        if element.children:
            stack += zip(reversed(element.children), repeat((*above, element.tag)))


def _named_by(element: Element, above: Sequence[str]) -> Iterator[NamedFile]:
    """Yield the files that one element names."""
    for place in _PLACES[element.tag]:
        if place.is_here(above) and (written := _written(element, place)):
            for uri, where in written:
                if uri and uri != "__default__":
                    submesh = element.find("submesh")
                    name = submesh.text_of("name") if submesh is not None and place.kind is AssetKind.MESH else ""
                    yield NamedFile(place.kind, uri, where, place.part if where is element else "text", name)
            return


def _written(element: Element, place: _Place) -> list[tuple[str, Element]]:
    """Return the URIs that are written at a place, each with the element that it is written in."""
    if place.part == "text":
        return [(element.value, element)]
    if place.part.startswith("@"):
        uri = element.attributes.get(place.part[1:])
        return [] if uri is None else [(uri, element)]
    children = element.findall(place.part)
    return [(each.value, each) for each in (children if place.has_several else children[:1])]


def _around(document: Document, element: Element) -> list[Element]:
    """Return the elements around an element, the outermost first."""
    return [*document.outwards(element)][:0:-1]


#: A model:// URI may name one of so many folders above the file.
_MOST_LEVELS = 6


def relative_uri(file: Path, folder: Path) -> str:
    """Return the path of a file relative to ``folder``; the full path if it is on another drive."""
    try:
        plain = Path(os.path.relpath(file, folder))
        if ".." in plain.parts and os.path.exists(file) and not is_same_file(folder / plain, file):  # behind a link
            plain = Path(os.path.relpath(real_path(file.parent) / file.name, real_path(folder)))
        return plain.as_posix()
    except ValueError:  # another drive of Windows
        return file.as_posix()


#: A word of `URI_FORMS`.
UriForm: TypeAlias = Literal["relative", "model", "package", "absolute", "copied"]
Keep: TypeAlias = Literal["keep"]
"""Beside the words of `URI_FORMS`: all URIs stay as they are."""


class UriError(SdfViewerError):
    """A file cannot be named in the way that was asked for."""


@dataclass(frozen=True)
class FoundBy:
    """A way in which a document names another file.

    Attributes
    ----------
    label
        What lists call it.
    of_model, of_file
        Which programs find an included model that is named so, and a mesh or texture: a sentence.
    """

    label: str
    of_model: str
    of_file: str


#: How a document may name another file, by the word for it on the command line and in the library.
URI_FORMS: Mapping[UriForm, FoundBy] = {
    "relative": FoundBy(
        "relative path",
        "Gazebo looks beside the file. Drake looks in its working directory only.",
        "Gazebo and Drake look beside the file. RViz and other programs of ROS do not find it.",
    ),
    "model": FoundBy(
        "model://",
        "Gazebo looks in GZ_SIM_RESOURCE_PATH by the name of the folder, Drake by that in package.xml.",
        "Gazebo looks in GZ_SIM_RESOURCE_PATH by the name of the folder, Drake by that in package.xml. ROS does not.",
    ),
    "package": FoundBy(
        "package://",
        "Drake and ROS look for the package.xml of that name, Gazebo in GZ_SIM_RESOURCE_PATH.",
        "ROS and Drake look for the package.xml of that name, Gazebo in GZ_SIM_RESOURCE_PATH.",
    ),
    "absolute": FoundBy(
        "whole path",
        "Gazebo and Drake find it on this computer, and on no other.",
        "Gazebo and Drake find it on this computer, and on no other; ROS needs file:// before it.",
    ),
    "copied": FoundBy(
        "copied",
        "A copy beside the new file. Gazebo finds it there. Drake looks in its working directory only.",
        "A copy beside the new file. Gazebo and Drake find it there. RViz and other programs of ROS do not.",
    ),
}


def uri_of(
    file: Path,
    document: Path | None,
    finder: Finder,
    scheme: str = "model",
    form: UriForm | None = None,
    *,
    is_model: bool = False,
) -> str:
    """Return the URI by which a document names a file.

    Parameters
    ----------
    file
        A file, or the folder of a model.
    document
        The file that names it; None for a text without one, which names files by their whole paths.
    finder
        Knows the folders of models.
    scheme
        That of a URI that begins with the name of a package.
    form
        One of `URI_FORMS`. By default the path from the document where the file is below its folder, else
        ``model://name/...`` where that leads to the file, else the path from the document. A model in a package is
        named by that first, since Drake does not read relative paths of includes.
    is_model
        Whether an include names it.

    Raises
    ------
    UriError
        If it cannot be named in the form; the message says what is needed.
    """
    file = file.absolute()
    if form in ("model", "package"):
        return _uri_in_package(file, document, finder, form, is_model=is_model)
    if document is None or form == "absolute":
        return file.as_posix()
    folder = document.absolute().parent
    is_below = folder in file.parents
    if form is None and (is_model or not is_below):
        for uri in _uris_in_packages(file, finder, scheme, needs_manifest=is_model and is_below):
            if _leads_to(uri, file, document, finder):
                return uri
    return relative_uri(file, folder)


def _uris_in_packages(file: Path, finder: Finder, scheme: str, *, needs_manifest: bool = False) -> Iterator[str]:
    """Yield URIs of a file that begin with a folder around it that is a model or a package."""
    folders = finder.model_folders
    for folder in [file, *file.parents][: _MOST_LEVELS + 1]:
        manifest = finder.package_name(folder)
        is_package = manifest is not None or is_file(folder / "model.config")
        if (scheme == "package" or needs_manifest) and manifest is None:
            continue
        if is_package or folder.parent in folders:
            name = manifest if scheme == "package" and manifest is not None else folder.name
            inside = file.relative_to(folder).as_posix()
            yield f"{scheme}://{name}" + ("" if inside == "." else f"/{inside}")


def _uri_in_package(file: Path, document: Path | None, finder: Finder, form: UriForm, *, is_model: bool) -> str:
    """Return the URI of a file with a scheme."""
    uris = list(_uris_in_packages(file, finder, form))
    for uri in uris:
        if _leads_to(uri, file, document, finder, nearby=not is_model):
            return uri
    if uris:
        folder = file.parents[uris[0].count("/") - 2] if uris[0].count("/") > 1 else file.parent
        raise UriError(f"{uris[0]} does not lead to {file}: add {folder} to the model folders")
    needed = "a package.xml" if form == "package" else "a model.config or a package.xml"
    raise UriError(f"{file} is in no folder with {needed}, so that no {form}:// leads to it")


def _leads_to(uri: str, file: Path, document: Path | None, finder: Finder, *, nearby: bool = False) -> bool:
    found = finder.find(uri, document, nearby=nearby)
    if found.path is None or found.working_directory is not None:
        return False
    return found.path == file or is_same_file(found.path, file)


def unread_by_drake(uri: str) -> str:
    """Return what keeps Drake from an included model, in a sentence; empty where it finds it."""
    if "://" in uri or is_absolute(uri):
        return ""
    return (
        f"Drake does not find '{uri}' beside this file, as it looks in its working directory; it finds model:// of a "
        "folder with a package.xml"
    )


def only_by_working_directory(folder: Path) -> str:
    """Return why other programs do not find what is found in the working directory alone."""
    return f"only the working directory, {folder}, leads to it"


def why_only_here(uri: str, found: Found, including_file: Path | None, finder: Finder) -> str:
    """Return why other programs do not find a file that was found here, empty where they do.

    Gazebo looks for ``model://NAME/inside`` in model folders, where each model has a folder of its name. ROS looks for
    ``package://NAME/inside`` in the package of that name, which has a ``package.xml``. A path is read from the folder
    of the file, and ``file://`` is followed by a whole path.

    Parameters
    ----------
    uri, including_file
        The URI, and the file in which it is written; None for a text without one.
    found
        Where the finder found it.
    finder
        Knows the model folders and packages.
    """
    if found.working_directory is not None:
        return only_by_working_directory(found.working_directory)
    return "" if found.path is None or including_file is None else _why_near(uri, found.path, including_file, finder)


def _why_near(uri: str, path: Path, including_file: Path, finder: Finder) -> str:
    """Return why other programs do not find a file near the one that names it, empty where they do."""
    scheme, separator, rest = uri.partition("://")
    scheme, rest = scheme.lower(), rest.replace("\\", "/")
    if reason := _why_not_read(uri, path, including_file, finder):
        return reason
    if not separator or scheme not in ("model", "package") or rest.startswith("/"):
        return ""
    for text in dict.fromkeys((rest, unquote(rest))):
        if any(os.path.normpath(place) == os.path.normpath(path) for place in finder.configured_places(scheme, text)):
            return ""
    name, _, inside = unquote(rest).partition("/")
    inner = tuple(part for part in inside.split("/") if part not in ("", "."))
    folder = path.parents[len(inner) - 1] if inner else path
    if name not in (folder.name, finder.package_name(folder)):
        kind = "package" if scheme == "package" else "model"
        return f"the {kind} is called '{name}', and the folder {folder} is not"
    return _why_unknown(folder, including_file.absolute().parent, is_package=scheme == "package")


def _why_not_read(uri: str, path: Path, including_file: Path, finder: Finder) -> str:
    """Return why the way in which a URI is written is not understood by other programs, empty where it is."""
    scheme, separator, rest = uri.strip().partition("://")
    scheme = scheme.lower() if separator else ""
    rest = rest if separator else uri.strip()
    if "\\" in rest and not names_a_drive(rest):
        return "its backslashes are read as parts of names; write / instead"
    if scheme == "package" and rest.startswith("/"):
        return "package:// is followed by the name of a package, not by /"
    if scheme not in ("", "file") or is_absolute(rest):
        return ""
    folder = including_file.absolute().parent
    expected = () if scheme else (folder / rest, folder / unquote(rest))
    places = (*expected, *finder.configured_places("", rest))
    if any(os.path.normpath(place) == os.path.normpath(path) for place in places):
        return ""
    if scheme:
        return "file:// is followed by a whole path, which begins with /"
    return f"it is read from {folder}, which has no such file"


def folder_without(uri: str, including_file: Path, finder: Finder) -> Path | None:
    """Return the folder of a package that lacks what a URI names; None where the package itself is not found."""
    scheme, _, rest = uri.partition("://")
    name, _, inside = rest.partition("/")
    package = finder.find_package(name, including_file) if scheme == "package" and inside else None
    if package is None:
        return None
    folder = (package / inside).parent
    return folder if is_folder(folder) else package


def _why_unknown(folder: Path, own_folder: Path, *, is_package: bool) -> str:
    """Return why other programs do not know a folder of the right name."""
    is_described = is_file(folder / "package.xml") or is_file(folder / "model.config")
    if is_package and not is_described:
        return f"{folder} has no package.xml"
    if folder.parent == own_folder and not is_described:
        return f"{folder} is not a model with a model.config"
    return ""
