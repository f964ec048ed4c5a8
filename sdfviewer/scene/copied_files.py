"""The files that a copy of a model takes with it.

A model of another author may name any file of this computer, a key or the whole disk. Who exports the model passes the
copy on, so that only what a model can use is copied.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.files.dependents import project_folder
from sdfviewer.files.finder import Finder, Found
from sdfviewer.files.opening import current_folder
from sdfviewer.files.paths import home_folder, is_file, real_path
from sdfviewer.scene.assets import Asset, AssetKind

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
        super().__init__(*finder.__reduce__()[1])

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


def _inside(folder: Path) -> list[Path]:
    found: list[Path] = []
    size = 0
    for count, (place, folders, names) in enumerate(os.walk(folder)):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for name in sorted(names):
            file = Path(place, name)
            if is_usable(file, AssetKind.SCRIPT) and file.is_file():
                found.append(file)
                size += file.stat().st_size
        if count >= MOST_FOLDERS or len(found) > MOST_FILES or size > MOST_BYTES:
            raise SdfViewerError(f"{folder} is not copied: it holds more than the material scripts of a model")
    return found
