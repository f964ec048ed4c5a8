"""The files that a copy of a model takes with it.

A model of another author may name any file of this computer, a key or the whole disk. Who exports the model passes the
copy on, so that only what a model can use is copied.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.files import saving
from sdfviewer.files.finder import Finder, Found
from sdfviewer.files.opening import MODEL_SUFFIXES, current_folder, open_document
from sdfviewer.files.paths import home_folder, is_file, read_regular, real_path
from sdfviewer.files.search import project_folder
from sdfviewer.files.uris import AssetKind, relative_uri
from sdfviewer.refactoring.composition.moved_uris import FileCopy, moved_uris
from sdfviewer.scene.assets import Asset

_PICTURES = frozenset(
    ".png .jpg .jpeg .tga .bmp .tif .tiff .gif .webp .dds .ktx .hdr .exr .ppm .pgm .svg .psd".split()  # noqa: SIM905
)
_TERRAIN = _PICTURES | frozenset(".asc .dem .hgt .nc .raw .vrt .img .bil .flt".split())  # noqa: SIM905
_SCRIPTS = _PICTURES | frozenset(
    ".material .program .compositor .particle .glsl .vert .frag .geom .vs .fs .hlsl .cg .metal".split()  # noqa: SIM905
)
_MESHES = frozenset(
    ".dae .obj .stl .glb .gltf .mesh .skeleton .bvh .fbx .ply .off .3ds .blend .iv .wrl".split()  # noqa: SIM905
)
_USABLE = {
    AssetKind.MESH: _MESHES,
    AssetKind.TEXTURE: _PICTURES,
    AssetKind.HEIGHTMAP: _TERRAIN,
    AssetKind.SCRIPT: _SCRIPTS,
}
#: What is copied of the folder of a model.
_IN_MODELS = _SCRIPTS | _MESHES | _TERRAIN | frozenset((*MODEL_SUFFIXES, ".config", ".xml", ".mtl", ".bin"))
#: What a folder that a model names may hold to be copied: files, folders and bytes.
MOST_FILES, MOST_FOLDERS, MOST_BYTES = 1_000, 200, 1 << 30


def copied_files(asset: Asset, finder: Finder) -> list[Path]:
    """Return the files of an asset that are copied: the file itself, or what a folder of material scripts holds.

    Raises
    ------
    SdfViewerError
        If the file is of another kind, the folder holds more than any model needs, or a link leads elsewhere, see
        :func:`require_near`.
    """
    path, usable = asset.path, _USABLE.get(asset.kind)
    assert path is not None
    require_near(path, asset.document.path, finder)
    if path.is_dir():
        inside = _inside(path)
        for file in inside:
            require_near(file, asset.document.path, finder)
        return inside
    # What a mesh file names was looked for in its model only.
    if usable is not None and asset.used_by is None and not is_usable(path, asset.kind):
        raise SdfViewerError(f"{path} is not copied: the name of a {asset.kind} does not end in '{path.suffix}'")
    return [path]


def require_near(path: Path, naming_file: Path | None, finder: Finder) -> None:
    """Refuse what a link leads to outside of the folders that belong to a model, or under a name of another kind.

    These are the project of the file that names the path, the folder in which the path is, the model or package around
    it, and the model folders. A URI may name a file anywhere, so that a path without links is not reported.

    Parameters
    ----------
    path
        The file or folder to copy.
    naming_file
        The file with its URI, None for a text without one.
    finder
        Knows the model folders.

    Raises
    ------
    SdfViewerError
        With where the link leads.
    """
    near = current_folder() if naming_file is None else naming_file.absolute().parent
    target = real_path(path)
    written = [Path(os.path.abspath(path))]
    if written[0].anchor == near.anchor:  # a link above both is how the user's disk is laid out
        written.append(Path(os.path.normpath(os.path.join(real_path(near), os.path.relpath(written[0], near)))))
    if target in written:
        return
    said = f"{path} is not copied: it is a link to {target}"
    if target.suffix.lower() != path.suffix.lower():
        raise SdfViewerError(f"{said}, whose name does not end in '{path.suffix}'")
    beside = real_path(written[0].parent)
    folders = [beside] if beside in (place.parent for place in written) else []
    folders += [*map(real_path, finder.model_folders), *_marked_folders(path)]
    project = real_path(near) if naming_file is None else project_folder(naming_file)
    if not real_path(home_folder()).is_relative_to(project):  # what lies in the home folder is of no project
        folders.append(project)
    if not any(target.is_relative_to(folder) for folder in folders):
        raise SdfViewerError(f"{said}, outside of the model; add {target.parent} to the model folders to copy it")


class NearFinder(Finder):
    """Finds what a copy of a model takes with it: nothing that a link leads to elsewhere, see :func:`require_near`."""

    def __init__(self, finder: Finder) -> None:
        super().__init__(*finder.__reduce__()[1], replaces_fuel=finder.replaces_fuel)

    def find(self, uri: str, including_file: Path | None = None, *, nearby: bool = False) -> Found:
        """Find a file as any finder does; what a copy must not take is not found, with the reason."""
        found = super().find(uri, including_file, nearby=nearby)
        if found.path is not None:
            try:
                require_near(found.path, including_file, self)
            except SdfViewerError as error:
                return Found(None, problem=str(error))
        return found


def _marked_folders(path: Path) -> Iterator[Path]:
    """Yield where the models and packages around a path are; of one that is installed as links, their sources."""
    for above in Path(os.path.abspath(path)).parents:
        for name in ("model.config", "package.xml"):
            manifest = real_path(above / name)
            if manifest.name == name and is_file(manifest):
                yield manifest.parent
                yield real_path(above)


def is_usable(path: Path, kind: AssetKind) -> bool:
    """Return whether the name of a file is one of its kind."""
    return path.suffix.lower() in _USABLE[kind]


def _inside(folder: Path, suffixes: frozenset[str] = _SCRIPTS) -> list[Path]:
    """Return the files of some kinds in a folder."""
    found: list[Path] = []
    size = 0
    for count, (place, folders, names) in enumerate(os.walk(folder)):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for name in sorted(names):
            file = Path(place, name)
            if file.suffix.lower() in suffixes and file.is_file():
                found.append(file)
                size += file.stat().st_size
        if count >= MOST_FOLDERS or len(found) > MOST_FILES or size > MOST_BYTES:
            raise SdfViewerError(f"{folder} is not copied: it holds more than a model does")
    return found


# --- copies beside a text that names them ---------------------------------------------------------------------------


def write_copies(copies: Iterable[FileCopy], finder: Finder, written: frozenset[Path] = frozenset()) -> None:
    """Copy files beside a text that names them, with the textures of meshes and all that an included model names.

    A file that is there already with the same content stays.

    Parameters
    ----------
    copies, finder
        What is copied, and what finds files.
    written
        Models that are being copied, which what they include may include again.

    Raises
    ------
    SdfViewerError
        If one cannot be copied, or another file is there. What was copied before it stays.
    """
    for copy in copies:
        require_near(copy.source, copy.naming_file, finder)
        if copy.source.is_dir():
            for file in _inside(copy.source, _IN_MODELS if copy.kind is AssetKind.INCLUDE else _SCRIPTS):
                require_near(file, copy.naming_file, finder)
                _write_copy(file, copy.target / file.relative_to(copy.source))
        elif copy.kind is AssetKind.INCLUDE and copy.target in written:
            continue
        elif copy.kind is AssetKind.INCLUDE:
            document = open_document(copy.source)
            moved = moved_uris(document, copy.target, finder, "copied")
            edits = tuple(edit for each in moved for edit in each.replacements)
            _write_copy(copy.source, copy.target, document.edited(edits).to_bytes())
            write_copies((each.copy for each in moved if each.copy is not None), finder, written | {copy.target})
        else:
            usable = _USABLE.get(copy.kind)
            if usable is not None and not is_usable(copy.source, copy.kind):
                raise SdfViewerError(f"{copy.source} is not copied: it is not a {copy.kind}")
            _write_copy(copy.source, copy.target)
            for file in _beside_mesh(copy, finder):
                _write_copy(file, Path(os.path.normpath(copy.target.parent / relative_uri(file, copy.source.parent))))


def _beside_mesh(copy: FileCopy, finder: Finder) -> list[Path]:
    """Return the files that a mesh file names and that stay below the folder of the text when they are copied."""
    if copy.kind is not AssetKind.MESH:
        return []
    from sdfviewer.scene.meshes import MeshFileError, SideFiles, read_mesh_file  # noqa: PLC0415  # needs [render]

    near = NearFinder(finder)
    side_files = SideFiles(copy.source, lambda uri: near.find(uri, copy.source, nearby=True).path)
    try:
        read_mesh_file(copy.source, side_files)
    except MeshFileError:
        return []  # it is copied as it is
    folder = Path(os.path.normpath(copy.folder))
    places = ((file, copy.target.parent / relative_uri(file, copy.source.parent)) for file in side_files.used)
    return [file for file, place in places if folder in Path(os.path.normpath(place)).parents]


def _write_copy(source: Path, target: Path, content: bytes | None = None) -> None:
    content = read_regular(source) if content is None else content
    if os.path.lexists(target):
        if is_file(target) and (target.samefile(source) or read_regular(target) == content):
            return
        raise SdfViewerError(f"{source} is not copied: {target} is another file")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SdfViewerError(f"cannot write {target}: {error.strerror or error}") from error
    saving.save(target, content)
