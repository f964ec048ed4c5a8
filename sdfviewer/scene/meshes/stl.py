"""STL, binary and ASCII."""

from __future__ import annotations

import re

import numpy as np

from sdfviewer.scene.meshes.piece import Floats, MeshFileError, Piece, check_size, numbers, welded

_HEADER = 84
_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_FACET_BEGIN = re.compile(rb"\bfacet\b", re.IGNORECASE)
_FACET_END = re.compile(rb"\bendfacet\b", re.IGNORECASE)
_VERTEX = re.compile(rb"vertex\s+([^\s]+\s+[^\s]+\s+[^\s]+)", re.IGNORECASE)


def read_stl(data: bytes) -> list[Piece]:
    """Return the triangles of an STL file as one piece, welded by position and without normals.

    The normals of the file are left aside: they say no more than the order of the corners does, and many exporters
    write zeros. Flat shading comes from the surface itself, which needs a sixth of the vertices.
    """
    corners = _ascii(data) if _is_ascii(data) else _binary(data)
    if not np.isfinite(corners).all():
        raise MeshFileError("holds coordinates that are not finite numbers")
    check_size(len(corners) // 3)
    positions, indices = welded(corners)
    return [Piece("", positions, indices)]


def _is_ascii(data: bytes) -> bool:
    """Whether this is text. Many binary files begin with "solid" too, so the length that they declare decides."""
    if data.lstrip()[:5].lower() != b"solid":
        return False
    if len(data) >= _HEADER and len(data) == _HEADER + _FACET.itemsize * _count(data):
        return False
    return b"\0" not in data[:_HEADER] or b"facet" in data[_HEADER : _HEADER + 400]


def _count(data: bytes) -> int:
    return int.from_bytes(data[80:_HEADER], "little")


def _binary(data: bytes) -> Floats:
    if len(data) < _HEADER:
        raise MeshFileError(f"is no STL file: {len(data)} bytes, a binary one has at least {_HEADER}")
    count = _count(data)
    held = (len(data) - _HEADER) // _FACET.itemsize
    if count > held:
        raise MeshFileError(f"is cut off, or no STL file: it declares {count:,} triangles and has room for {held:,}")
    facets = np.frombuffer(data, _FACET, count, _HEADER)
    return np.ascontiguousarray(facets["corners"]).reshape(-1, 3)


def _ascii(data: bytes) -> Floats:
    body = data[data.find(b"\n") + 1 :]
    vertices = _VERTEX.findall(body)
    begun, ended = len(_FACET_BEGIN.findall(body)), len(_FACET_END.findall(body))
    if not 3 * begun == 3 * ended == len(vertices):
        raise MeshFileError(f"is cut off, or no STL file: {len(vertices):,} vertices do not make whole triangles")
    values = numbers(b" ".join(vertices), np.float32, "a vertex")
    if values.size != 3 * len(vertices):
        raise MeshFileError("holds a vertex without three numbers")
    return values.astype(np.float32).reshape(-1, 3)
