"""Read a mesh file by its suffix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from sdfviewer.scene.meshes.collada import read_collada
from sdfviewer.scene.meshes.gltf import read_gltf
from sdfviewer.scene.meshes.obj import read_obj
from sdfviewer.scene.meshes.piece import MeshFileError, Piece
from sdfviewer.scene.meshes.side_files import SideFiles, read_bytes
from sdfviewer.scene.meshes.stl import read_stl

_READERS: dict[str, Callable[[bytes, SideFiles], list[Piece]]] = {
    ".dae": read_collada,
    ".stl": lambda data, _: read_stl(data),
    ".obj": read_obj,
    ".gltf": read_gltf,
    ".glb": read_gltf,
}

#: The file name suffixes that are read.
SUFFIXES = tuple(_READERS)


def read_mesh_file(path: Path, side_files: SideFiles) -> list[Piece]:
    """Return the pieces of a mesh file, in metres and in the file's own frame.

    Raises
    ------
    MeshFileError
        Where the file cannot be drawn; the message is a predicate ("is cut off ...") for a sentence about it.
    """
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise MeshFileError(f"is of the kind {path.suffix or 'without suffix'!r}; convert it to {', '.join(SUFFIXES)}")
    # Numbers too large to calculate with come out as not finite, which is refused below.
    with np.errstate(over="ignore", invalid="ignore"):
        pieces = reader(read_bytes(path), side_files)
    if not any(len(piece.indices) for piece in pieces):
        raise MeshFileError("has no triangles")
    for piece in pieces:
        if not np.isfinite(piece.positions).all():
            raise MeshFileError("holds coordinates that are not finite numbers")
    return [_finite(piece) for piece in pieces if len(piece.indices)]


def _finite(piece: Piece) -> Piece:
    """Return the piece with zeros for normals and texture coordinates that are not numbers."""
    normals, uvs = piece.normals, piece.uvs
    if normals is not None and not np.isfinite(normals).all():
        normals = np.nan_to_num(normals, posinf=0.0, neginf=0.0)
    if uvs is not None and not np.isfinite(uvs).all():
        uvs = np.nan_to_num(uvs, posinf=0.0, neginf=0.0)
    return piece if normals is piece.normals and uvs is piece.uvs else replace(piece, normals=normals, uvs=uvs)
