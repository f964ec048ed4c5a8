"""Read a mesh file by its suffix."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdfviewer.diagnostics import Message
from sdfviewer.scene.meshes.piece import (
    Colours,
    Floats,
    MeshFileError,
    Piece,
    SideFiles,
    check_size,
    numbers,
    read_bytes,
    weld,
)

Reader: TypeAlias = Callable[[bytes, SideFiles], list[Piece]]


# Each is imported when the first file of its kind is read: a window with primitive shapes needs none of them.
def _collada_reader() -> Reader:
    from sdfviewer.scene.meshes.collada import read_collada  # noqa: PLC0415

    return read_collada


def _gltf_reader() -> Reader:
    from sdfviewer.scene.meshes.gltf import read_gltf  # noqa: PLC0415

    return read_gltf


def _obj_reader() -> Reader:
    from sdfviewer.scene.meshes.obj import read_obj  # noqa: PLC0415

    return read_obj


_READERS: dict[str, Callable[[], Reader]] = {
    ".dae": _collada_reader,
    ".stl": lambda: lambda data, _: read_stl(data),
    ".obj": _obj_reader,
    ".gltf": _gltf_reader,
    ".glb": _gltf_reader,
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
    find_reader = _READERS.get(path.suffix.lower())
    if find_reader is None:
        raise MeshFileError(
            Message(f"is of the kind {path.suffix or 'without suffix'!r}", f"convert it to {', '.join(SUFFIXES)}")
        )
    reader = find_reader()
    # Numbers too large to calculate with come out as not finite, which is refused below.
    with np.errstate(over="ignore", invalid="ignore"):
        pieces = reader(read_bytes(path), side_files)
    kept = []
    for piece in pieces:
        if not np.isfinite(piece.positions).all():
            side_files.leave_out(MeshFileError("holds coordinates that are not finite numbers"))
        elif len(piece.indices):
            kept.append(_finite(piece))
    if not kept:
        raise MeshFileError(side_files.left_out[0] if side_files.left_out else "has no triangles")
    return kept


def _finite(piece: Piece) -> Piece:
    """Return the piece with zeros for normals and texture coordinates that are not numbers."""
    normals, uvs = piece.normals, piece.uvs
    if normals is not None and not np.isfinite(normals).all():
        normals = np.nan_to_num(normals, posinf=0.0, neginf=0.0)
    if uvs is not None and not np.isfinite(uvs).all():
        uvs = np.nan_to_num(uvs, posinf=0.0, neginf=0.0)
    return piece if normals is piece.normals and uvs is piece.uvs else replace(piece, normals=normals, uvs=uvs)


_HEADER = 84
_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
#: The colour of facets without one among others that have one.
_PLAIN = 0xB3B3B3
_FACET_BEGIN = re.compile(rb"\bfacet\b", re.IGNORECASE)
_FACET_END = re.compile(rb"\bendfacet\b", re.IGNORECASE)
_VERTEX = re.compile(rb"vertex\s+([^\s]+\s+[^\s]+\s+[^\s]+)", re.IGNORECASE)


def read_stl(data: bytes) -> list[Piece]:
    """Return the triangles of an STL file as one piece, welded by position and without normals.

    The normals of the file are left aside: they say no more than the order of the corners does, and many exporters
    write zeros. Flat shading comes from the surface itself, which needs a sixth of the vertices.
    """
    corners, paint = (_ascii(data), None) if is_ascii_stl(data, len(data)) else _binary(data)
    if not np.isfinite(corners).all():
        raise MeshFileError("holds coordinates that are not finite numbers")
    check_size(len(corners) // 3)
    bits = (corners + np.float32(0)).view(np.uint32)  # adding zero makes -0 and 0 one point
    if paint is None:
        first, inverse = weld(bits[:, 0], bits[:, 1], bits[:, 2])
        return [Piece("", corners[first], inverse.reshape(-1, 3))]
    first, inverse = weld(bits[:, 0], bits[:, 1], bits[:, 2], np.repeat(paint, 3))
    return [Piece("", corners[first], inverse.reshape(-1, 3), colours=_colours(paint[first // 3]))]


#: Bytes of an STL file after which it is known to be text or binary.
STL_START = 4096


def is_ascii_stl(start: bytes, size: int) -> bool:
    """Return whether an STL file is text.

    Many binary files begin with "solid" too, so the length that they declare decides.

    Parameters
    ----------
    start
        At least the first :data:`STL_START` bytes, or all where there are fewer.
    size
        Bytes of the whole file.
    """
    if start[:STL_START].lstrip()[:5].lower() != b"solid":
        return False
    if size >= _HEADER and size == _HEADER + _FACET.itemsize * _count(start):
        return False
    return b"\0" not in start[:_HEADER] or b"facet" in start[_HEADER : _HEADER + 400]


def _count(data: bytes) -> int:
    return int.from_bytes(data[80:_HEADER], "little")


def _binary(data: bytes) -> tuple[Floats, NDArray[np.uint32] | None]:
    """Return the corners (3 m, 3) of the facets and their colours (m,) as 0xRRGGBB, None where they have none."""
    if len(data) < _HEADER:
        raise MeshFileError(f"is not an STL file: {len(data)} bytes, a binary one has at least {_HEADER}")
    count = _count(data)
    held = (len(data) - _HEADER) // _FACET.itemsize
    if count > held:
        raise MeshFileError(
            f"is truncated, or not an STL file: it declares {count:,} triangles and has room for {held:,}"
        )
    facets = np.frombuffer(data, _FACET, count, _HEADER)
    return np.ascontiguousarray(facets["corners"]).reshape(-1, 3), _paint(data[:80], facets["attribute"])


def _paint(header: bytes, attributes: NDArray[np.uint16]) -> NDArray[np.uint32] | None:
    """Return the colours of facets by either of two customs, five bits for each of red, green and blue.

    Magics announces a colour for the whole in the header and sets the highest bit where it holds; elsewhere the facet's
    own has red in its lowest bits. Others, such as VisCAM, set the highest bit where there is a colour, blue lowest.
    """
    own = attributes >> 15 == 1
    at = header.find(b"COLOR=")
    if at >= 0 and at + 10 <= len(header):
        whole = int.from_bytes(header[at + 6 : at + 9], "big")
        shifts, own = (0, 5, 10), ~own
    elif own.any():
        whole = _PLAIN
        shifts = (10, 5, 0)
    else:
        return None
    red, green, blue = ((attributes.astype(np.uint32) >> shift & 31) * 255 // 31 for shift in shifts)
    return np.where(own, (red << 16) | (green << 8) | blue, np.uint32(whole)).astype(np.uint32)


def _colours(paint: NDArray[np.uint32]) -> Colours:
    return np.stack([paint >> 16, paint >> 8 & 255, paint & 255], axis=1).astype(np.uint8)


def _ascii(data: bytes) -> Floats:
    body = data[data.find(b"\n") + 1 :]
    vertices = _VERTEX.findall(body)
    begun, ended = len(_FACET_BEGIN.findall(body)), len(_FACET_END.findall(body))
    if not 3 * begun == 3 * ended == len(vertices):
        raise MeshFileError(f"is truncated, or not an STL file: {len(vertices):,} vertices do not make whole triangles")
    values = numbers(b" ".join(vertices), np.float32, "a vertex")
    if values.size != 3 * len(vertices):
        raise MeshFileError("holds a vertex without three numbers")
    return values.astype(np.float32).reshape(-1, 3)
