"""The files that a copy of a model takes with it.

A model of somebody else may name any file of this computer, a key or the whole disk. Who exports the model passes the
copy on, so that only what a model can use is copied.
"""

from __future__ import annotations

import os
from pathlib import Path

from sdfviewer.diagnostics import SdfViewerError
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


def copied_files(asset: Asset) -> list[Path]:
    """Return the files of an asset that are copied: the file itself, or what a folder of material scripts holds.

    Raises
    ------
    SdfViewerError
        If the file is of another kind, or the folder holds more than any model needs.
    """
    path, usable = asset.path, _USABLE.get(asset.kind)
    assert path is not None
    if path.is_dir():
        return _inside(path)
    # What a mesh file names was looked for in its model only.
    if usable is not None and asset.used_by is None and not is_usable(path, asset.kind):
        raise SdfViewerError(f"{path} is not copied: the name of a {asset.kind} does not end in '{path.suffix}'")
    return [path]


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
