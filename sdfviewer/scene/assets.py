"""Every file that a model references: location and size, or the searched paths and suggestions.

Includes, meshes, terrain, textures, material scripts and plugins, with the files that a mesh file names in turn.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import numpy as np

from sdfviewer.diagnostics import Diagnostic, Fix, Message, Severity, message_of
from sdfviewer.document.document import Document
from sdfviewer.document.edits import set_attribute
from sdfviewer.document.element import Element
from sdfviewer.extras import MissingExtraError
from sdfviewer.files.finder import Finder, Found
from sdfviewer.files.installed import FuelModel, parse_fuel_uri
from sdfviewer.files.uris import AssetKind, NamedFile, folder_without, named_files, why_only_here
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.model.model import Model
from sdfviewer.model.near_names import nearest
from sdfviewer.scene.nodes import Floats
from sdfviewer.validation import file_rules as rules

#: So many bytes of meshes are read of one model before the rest are only looked up.
MAX_BYTES_READ = 2 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset(NamedFile):
    """A file that a model names, looked for.

    Attributes
    ----------
    document
        In which it is written.
    path
        The file or folder, None where it is not found.
    tried
        Where it was looked for.
    size
        Bytes of the file, None for a folder.
    triangles
        Of a mesh, None where it was not read.
    problem
        What is wrong with it, empty where nothing is.
    near
        A URI that may have been meant, empty where nothing is near.
    found_in
        The folder in which it would be found if that were added to the folders of models; empty where none is known.
    is_remote
        Whether the file is on a server, from which it was not downloaded.
    used_by
        The mesh file that names it, None where the model does.
    only_here
        Why other programs do not find it where it was found, empty where they do.
    millimetres
        Its size in metres where its file is likely to be in millimetres; else 0.
    up_axis
        What a COLLADA file says is up, where that is not the z axis.
    """

    document: Document
    path: Path | None = None
    tried: tuple[Path, ...] = ()
    size: int | None = None
    triangles: int | None = None
    problem: str = ""
    near: str = ""
    found_in: str = ""
    is_remote: bool = False
    used_by: Path | None = None
    only_here: str = ""
    millimetres: float = 0.0
    up_axis: str = ""

    @property
    def is_missing(self) -> bool:
        """Whether it was looked for and is not there; plugins are only looked for where their folders are known."""
        return self.path is None and bool(self.problem)


_PLUGIN_PATHS = (
    *("GZ_SIM_SYSTEM_PLUGIN_PATH", "IGN_GAZEBO_SYSTEM_PLUGIN_PATH", "GAZEBO_PLUGIN_PATH", "LD_LIBRARY_PATH"),
    "GZ_GUI_PLUGIN_PATH",
)
#: Scripts and textures that come with Gazebo itself.
_MEDIA = ("file://media/", "model://media/")
_BUILT_IN = (*_MEDIA, "gazebo.material")
_NOT_FOUND = "not found"


def find_assets(model: Model, finder: Finder, *, read: bool = True) -> list[Asset]:
    """Return every file that a model and what it includes name, in the order in which they are written.

    Parameters
    ----------
    model
        The model or world.
    finder
        Finds files by URI.
    read
        Whether meshes are read, to count their triangles and to list the textures that they name.
    """
    found: list[Asset] = []
    seen: set[tuple[str, str, Path | None, str]] = set()
    budget = [MAX_BYTES_READ if read else 0]
    for document in documents_of(model):
        for asset in named_in(document):
            key = (asset.kind.value, asset.uri, document.path, asset.submesh)
            if key in seen:
                continue
            seen.add(key)
            located = _located(asset, finder)
            found.append(located)
            if located.kind is AssetKind.MESH and located.path is not None and not located.problem and budget[0] > 0:
                budget[0] -= located.size or 0
                more = _read(located, finder)
                found[-1:] = more
    return found


def count_meshes(model: Model) -> int:
    """Return how many different meshes a model and what it includes name, without looking for them."""
    return len(
        {
            (asset.uri, document.path)
            for document in documents_of(model)
            for asset in named_in(document)
            if asset.kind is AssetKind.MESH
        }
    )


def documents_of(model: Model) -> list[Document]:
    """Return the documents in which a model is written, each once."""
    found: dict[int, Document] = {}
    first = model.document_of(0) if len(model) else model.document
    if not isinstance(first, ExpandedDocument):
        found[id(model.document)] = model.document
    for source in model.sources:
        if source is not None:
            found[id(source)] = source
    return list(found.values())


def named_in(document: Document) -> Iterator[Asset]:
    """Yield what a document names, not yet looked for."""
    for each in named_files(document):
        yield Asset(each.kind, each.uri, each.element, each.part, each.submesh, document=document)


def _located(asset: Asset, finder: Finder) -> Asset:
    if asset.kind is AssetKind.PLUGIN:
        return _located_plugin(asset, finder)
    if asset.kind is AssetKind.SCRIPT and any(word in asset.uri for word in _BUILT_IN):
        return asset
    nearby = asset.kind is not AssetKind.INCLUDE
    found = named = finder.find(asset.uri, asset.document.path, nearby=nearby)
    if found.path is not None and asset.kind is AssetKind.INCLUDE and found.path.is_dir():
        found = finder.model_file(found.path)
    if found.path is None and asset.uri.startswith(_MEDIA):
        return asset
    if found.path is None:
        folder = finder.folder_to_add(asset.uri, asset.document.path)
        near, found_in = _near(asset.uri, found), "" if folder is None else str(folder)
        file = asset.document.path
        lacking = None if file is None else folder_without(asset.uri, file, finder)
        problem = found.problem or (_NOT_FOUND if lacking is None else f"{lacking} has no such file")
        cause = replace(asset, tried=found.tried, problem=problem, near=near)
        return replace(cause, found_in=found_in, is_remote=found.is_remote)
    if found.path.is_dir() and asset.kind is not AssetKind.SCRIPT:
        return replace(asset, path=found.path, problem="is a folder, not a file")
    size = found.path.stat().st_size if found.path.is_file() else None
    why = why_only_here(asset.uri, named, asset.document.path, finder) if nearby or named.working_directory else ""
    return replace(asset, path=found.path, size=size, only_here=why)


def _located_plugin(asset: Asset, finder: Finder) -> Asset:
    """Return a plugin with its file; where no folder of plugins is known nothing is known of it."""
    stem = asset.uri.removeprefix("lib").partition(".so")[0]
    ending = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
    folders = [folder for name in _PLUGIN_PATHS for folder in finder.folders_in(name)]
    places = [folder / name for folder in folders for name in dict.fromkeys((asset.uri, f"lib{stem}{ending}"))]
    path = next((place for place in places if place.is_file()), None)
    if path is not None:
        return replace(asset, path=path, size=path.stat().st_size)
    return replace(asset, tried=tuple(places))


def _near(uri: str, found: Found) -> str:
    """Return the URI of a file that is there and whose name is near that of one that is not."""
    for place in found.tried:
        if same := _spelled_as_there(uri, place):
            return same
    head, slash, name = uri.rpartition("/")
    lower = name.lower()
    stem = os.path.splitext(lower)[0]
    for place in found.tried:
        try:
            with os.scandir(place.parent) as entries:  # which knows what is a folder without a look at each
                names = [each.name for each in entries if "." not in name or not each.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        alike = [each for each in names if each.lower() == lower]
        matches = alike or [each for each in names if os.path.splitext(each.lower())[0] == stem]
        if matches := matches or nearest(name, names):
            return f"{head}{slash}{matches[0]}"
    return ""


def _spelled_as_there(uri: str, place: Path) -> str:
    """Return a URI that differs only in case, backslashes or ``%20`` and names a file that is there, else nothing."""
    scheme, slashes, rest = uri.rpartition("://")
    written = Path(rest).parts
    if place.parts[-len(written) :] != written:  # it was looked for elsewhere, by its name only
        return ""
    folder, found = Path(*place.parts[: -len(written)]), []
    for part in unquote(rest).replace("\\", "/").split("/"):
        try:
            names = os.listdir(folder)
        except OSError:
            return ""
        name = (
            part if part in (*names, ".", "..") else next((each for each in names if each.lower() == part.lower()), "")
        )
        if not name:
            return ""
        found.append(name)
        folder /= name
    return f"{scheme}{slashes}{'/'.join(found)}" if folder.is_file() else ""


def _read(asset: Asset, finder: Finder) -> list[Asset]:
    """Return a mesh with what reading it shows, and the files that it names."""
    from sdfviewer.scene.meshes import MeshFileError, SideFiles, read_mesh_file  # noqa: PLC0415  # needs [render]

    path = asset.path
    assert path is not None
    side_files = SideFiles(path, partial(_found_path, finder, path))
    try:
        pieces = read_mesh_file(path, side_files)
    except MeshFileError as error:
        return [replace(asset, problem=message_of(error))]
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or "", "render") from error
    triangles = sum(len(piece.indices) for piece in pieces)
    problem = Message("; ".join(side_files.left_out), "the rest is drawn") if side_files.left_out else ""
    if asset.submesh and asset.submesh not in {piece.name for piece in pieces}:
        names = sorted({piece.name for piece in pieces if piece.name})
        problem = Message(f"has no submesh '{asset.submesh}'", f"it has {', '.join(names[:8]) or 'no named ones'}")

    corners = [corner for piece in pieces for corner in (piece.positions.min(axis=0), piece.positions.max(axis=0))]
    size = size_in_millimetres(asset.element, np.min(corners, axis=0), np.max(corners, axis=0)) if corners else None
    read = replace(asset, triangles=triangles, problem=problem, millimetres=size or 0.0, up_axis=side_files.up_axis)
    result = [read]
    for used in dict.fromkeys(side_files.used):
        result.append(
            replace(
                asset,
                kind=AssetKind.TEXTURE,
                uri=used.name,
                path=used,
                size=used.stat().st_size,
                used_by=path,
                only_here="",
            )
        )
    for missing in side_files.missing:
        tried = tuple(side_files.absent)
        result.append(
            replace(
                asset,
                kind=AssetKind.TEXTURE,
                uri=missing,
                path=None,
                size=None,
                tried=tried,
                problem=_NOT_FOUND,
                used_by=path,
                only_here="",
            )
        )
    return result


def _found_path(finder: Finder, path: Path, uri: str) -> Path | None:
    return finder.find(uri, path, nearby=True).path


def missing_on_fuel(model: Model, finder: Finder) -> list[FuelModel]:
    """Return the models on Fuel that a model names and that are not in a cache, each once."""
    assets = find_assets(model, finder, read=False)
    named = (parse_fuel_uri(asset.uri) for asset in assets if asset.path is None)
    return list(dict.fromkeys(each for each in named if each is not None))


def diagnose_assets(assets: Sequence[Asset]) -> list[Diagnostic]:
    """Return the problems of files that a model names, each at its place, with a quick fix where a name is near.

    Includes are left out: loading the model reports them.
    """
    problems = []
    for asset in assets:
        if not asset.problem or asset.kind is AssetKind.INCLUDE:
            continue
        missing = asset.path is None
        rule = rules.resource_missing if missing else rules.resource_unreadable
        name = (
            f"{asset.used_by.name} names the texture '{asset.uri}'"
            if asset.used_by
            else f"the {asset.kind} '{asset.uri}'"
        )
        message = rule.format(name, asset.problem if asset.problem != _NOT_FOUND else "")
        span = asset.document.span(asset.element, asset.part)
        is_written = asset.used_by is None and not isinstance(asset.document, ExpandedDocument)
        fixes = (_fix(asset),) if asset.near and is_written else ()
        tried = tuple(map(str, asset.tried)) if missing else ()
        problems.append(
            Diagnostic(
                rule,
                Severity.WARNING,
                message,
                span,
                (),
                fixes,
                tried=tried,
                found_in=asset.found_in,
                missing_uri=asset.uri if missing else "",
                is_remote=asset.is_remote,
            )
        )
    return [*problems, *_in_millimetres(assets), *_with_another_up_axis(assets), *_found_only_here(assets)]


def _in_millimetres(assets: Sequence[Asset]) -> Iterator[Diagnostic]:
    rule = rules.mesh_in_millimetres
    for asset in assets:
        if asset.millimetres:
            fixes = () if isinstance(asset.document, ExpandedDocument) else (scale_fix(asset.document, asset.element),)
            span = asset.document.span(asset.element)
            yield Diagnostic(rule, rule.severity, rule.format(asset.uri, asset.millimetres), span, fixes=fixes)


def _with_another_up_axis(assets: Sequence[Asset]) -> Iterator[Diagnostic]:
    """Yield one note about all meshes of a document whose files say that another axis than z is up."""
    groups: dict[tuple[str, str], list[Asset]] = {}
    for asset in assets:
        if asset.up_axis:
            groups.setdefault((asset.document.name, asset.up_axis), []).append(asset)
    rule = rules.mesh_up_axis
    for group in groups.values():
        first, others = group[0], len({each.path for each in group}) - 1
        span = first.document.span(first.element, first.part)
        yield Diagnostic(rule, rule.severity, rule.format(first.uri, first.up_axis, others), span)


def _found_only_here(assets: Sequence[Asset]) -> Iterator[Diagnostic]:
    """Yield one problem for all files that other programs do not find for one reason."""
    groups: dict[tuple[str, str], list[Asset]] = {}
    for asset in assets:
        if asset.only_here and asset.used_by is None and asset.kind is not AssetKind.INCLUDE:  # loading says so
            groups.setdefault((asset.document.name, asset.only_here), []).append(asset)
    for group in groups.values():
        first = group[0]
        message = rules.resource_only_here.format(f"the {first.kind} '{first.uri}'", len(group) - 1, first.only_here)
        yield Diagnostic(
            rules.resource_only_here, Severity.WARNING, message, first.document.span(first.element, first.part)
        )


def _fix(asset: Asset) -> Fix:
    """Return the quick fix that writes the near name."""
    return Fix(f"replace it by '{asset.near}'", asset.document.name, asset.renamed(asset.document, asset.near))


#: Formats that do not say their unit.
_WITHOUT_UNIT = frozenset({".stl", ".obj", ".ply"})
#: In metres: a part of a robot is seldom larger, and one of 2 cm or more is, where its millimetres are read as metres.
_LARGEST = 20.0
IN_METRES = "0.001 0.001 0.001"


def size_in_millimetres(mesh: Element | None, low: Floats, high: Floats) -> float | None:
    """Return the size of a mesh in metres, as it is written, if that is likely to be millimetres.

    Only those of a URDF are looked at, whose ``<mesh>`` has a `filename`: a world has terrain that is as large.

    Parameters
    ----------
    mesh
        The element that names the file.
    low, high
        Corners (3,) of the box around what is in the file.
    """
    if mesh is None or mesh.tag != "mesh" or mesh.attributes.get("scale"):
        return None
    suffix = PurePosixPath(mesh.attributes.get("filename", "").lower()).suffix
    size = float(np.max(np.asarray(high) - np.asarray(low), initial=0.0))
    return size if suffix in _WITHOUT_UNIT and np.isfinite(size) and size > _LARGEST else None


def scale_fix(document: Document, mesh: Element) -> Fix:
    """Return the quick fix that reads a mesh as one in millimetres."""
    label = f'read it in millimetres: write scale="{IN_METRES}"'
    return Fix(label, document.name, set_attribute(document, mesh, "scale", IN_METRES))
