"""Wavefront OBJ and its MTL material libraries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.mesh import MeshMaterial, Rgba
from sdfviewer.scene.meshes.piece import (
    Colours,
    MeshFileError,
    Piece,
    SideFiles,
    as_colours,
    check_indices,
    check_size,
    numbers,
    weld,
)
from sdfviewer.scene.meshes.polygons import triangulated

#: Options of texture statements in MTL files, by the number of values that follow; -o, -s and -t take one to three.
_MAP_OPTIONS = {"-blendu": 1, "-blendv": 1, "-cc": 1, "-clamp": 1, "-mm": 2, "-texres": 1, "-bm": 1, "-imfchan": 1}
_MAP_VECTORS = ("-o", "-s", "-t")

#: Statements of MTL files and the field of the material that each sets.
_COLOURS = {"kd": "diffuse", "ka": "ambient", "ks": "specular", "ke": "emissive"}
_NUMBERS = {"ns": "shininess", "tr": "transparency", "pm": "metalness", "pr": "roughness"}


@dataclass
class _Faces:
    """The faces of one object or group with one material, as written."""

    name: str
    material: str
    lines: list[str] = field(default_factory=list)
    #: How many positions, texture coordinates and normals came before a line with negative indices, which count back.
    before: dict[int, tuple[int, int, int]] = field(default_factory=dict)


def read_obj(data: bytes, side_files: SideFiles) -> list[Piece]:
    """Return the polygons of an OBJ file, one piece for each object or group and material; curves are left out."""
    values: dict[str, list[str]] = {"v": [], "vt": [], "vn": []}
    v, vt, vn = values["v"], values["vt"], values["vn"]
    groups: dict[tuple[str, str], _Faces] = {}
    libraries: list[str] = []
    name = material = ""
    group: _Faces | None = None
    for line in _lines(data):
        keyword, _, rest = line.partition(" ")
        if keyword in values:
            values[keyword].append(rest)
        elif keyword == "f" and rest:
            if group is None:
                group = groups.setdefault((name, material), _Faces(name, material))
            if "-" in rest:
                group.before[len(group.lines)] = (len(v), len(vt), len(vn))
            group.lines.append(rest)
        elif keyword in ("o", "g"):
            name, group = rest.strip(), None
        elif keyword == "usemtl":
            material, group = rest.strip(), None
        elif keyword == "mtllib":
            libraries.append(rest.strip())
    if not groups:
        raise MeshFileError("is not an OBJ file, or has no faces")
    positions = _table(v, (3, 4, 6, 7), 3, "a vertex")
    colours = _vertex_colours(v)
    uvs = _table(vt, (1, 2, 3), 2, "a texture coordinate") if vt else None
    normals = _table(vn, (3,), 3, "a normal") if vn else None
    materials = _materials(libraries, side_files) if any(key for _, key in groups) else {}
    pieces = [_piece(faces, positions, uvs, normals, colours, materials) for faces in groups.values()]
    check_size(sum(len(piece.indices) for piece in pieces))
    return pieces


def _lines(data: bytes) -> Iterator[str]:
    text = data.decode("utf-8", "replace").replace("\\\r\n", " ").replace("\\\n", " ").replace("\t", " ")
    for line in text.splitlines():
        stripped = line.strip()
        if stripped and stripped[0] != "#":
            yield stripped


def _table(rows: list[str], widths: tuple[int, ...], kept: int, what: str) -> NDArray[np.float32]:
    """Return rows of numbers as an array (n, kept), zeros where a row is shorter."""
    values = numbers(" ".join(rows), np.float32, what)
    width = values.size // len(rows) if rows else kept
    if width * len(rows) != values.size or (rows and len(rows[0].split()) != width):
        # Rows of different lengths: rare enough to be read one by one.
        split = [row.split() for row in rows]
        if any(len(row) not in widths for row in split):
            raise MeshFileError(f"{what} does not have {' or '.join(map(str, widths))} numbers")
        padded = " ".join(" ".join([*row, "0", "0"][:kept]) for row in split)
        return numbers(padded, np.float32, what).reshape(-1, kept)
    if rows and width not in widths:
        raise MeshFileError(f"{what} has {width} numbers")
    table = values.reshape(-1, width or 1)[:, :kept] if rows else np.zeros((0, kept), np.float32)
    return np.pad(table, ((0, 0), (0, kept - table.shape[1])))


def _vertex_colours(rows: list[str]) -> Colours | None:
    """Return the colours (n, 3) that follow the coordinates of vertices, None unless every vertex has one."""
    width = len(rows[0].split()) if rows else 0
    if width not in (6, 7):
        return None
    values = numbers(" ".join(rows), np.float32, "a vertex")
    return as_colours(values.reshape(-1, width)[:, 3:6]) if values.size == width * len(rows) else None


def _piece(
    faces: _Faces,
    positions: NDArray[np.float32],
    uvs: NDArray[np.float32] | None,
    normals: NDArray[np.float32] | None,
    colours: Colours | None,
    materials: dict[str, MeshMaterial],
) -> Piece:
    corners, counts = _corners(faces)
    sizes = (len(positions), 0 if uvs is None else len(uvs), 0 if normals is None else len(normals))
    triangles = triangulated(_checked(positions, corners[:, 0], sizes[0], "a face"), counts)
    corners = corners[triangles.ravel()]
    # A column counts only if every corner has it; mixed faces get flat shading and no texture.
    has_uvs = sizes[1] > 0 and len(corners) > 0 and bool((corners[:, 1] >= 0).all())
    has_normals = sizes[2] > 0 and len(corners) > 0 and bool((corners[:, 2] >= 0).all())
    columns = [corners[:, 0]]
    columns += [corners[:, 1]] if has_uvs else []
    columns += [corners[:, 2]] if has_normals else []
    first, inverse = weld(*columns)
    kept = corners[first]
    return Piece(
        faces.name,
        positions[kept[:, 0]],
        inverse.reshape(-1, 3),
        _checked(normals, kept[:, 2], sizes[2], "a face's normal") if has_normals and normals is not None else None,
        _checked(uvs, kept[:, 1], sizes[1], "a face's texture coordinate") if has_uvs and uvs is not None else None,
        materials.get(faces.material),
        None if colours is None else colours[kept[:, 0]],
    )


def _checked(table: NDArray[np.float32], rows: NDArray[np.int64], size: int, what: str) -> NDArray[np.float32]:
    check_indices(rows, size, what)
    return table[rows]


def _corners(faces: _Faces) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the corners of faces as zero-based (position, uv, normal) rows, -1 where absent, and corners per face."""
    lines = [" ".join(line.split()) for line in faces.lines]
    counts = np.array([line.count(" ") + 1 for line in lines], np.int64)
    text = " ".join(lines)
    width = _uniform_width(text)
    if width:
        text = text.replace("/", " ")
    else:
        width = 3
        text = " ".join(part or "0" for word in text.split() for part in f"{word}//".split("/")[:3])
    written = numbers(text, np.int64, "a face")
    if written.size != width * int(counts.sum()):
        raise MeshFileError("a face has a corner that is not a number")
    corners = np.zeros((int(counts.sum()), 3), np.int64)
    corners[:, :width] = written.reshape(-1, width)
    rows = np.where(corners < 0, corners, corners - 1)
    if faces.before:
        starts = np.cumsum(counts) - counts
        for line, before in faces.before.items():
            face = rows[starts[line] : starts[line] + counts[line]]
            face += np.where(corners[starts[line] : starts[line] + counts[line]] < 0, np.array(before), 0)
    return rows, counts


def _uniform_width(text: str) -> int:
    """Return how many numbers every corner has (1 to 3), 0 where they differ or some are left out."""
    if "//" in text or "/ " in text or text.endswith("/"):
        return 0
    letters = np.frombuffer(text.encode("ascii", "replace") + b" ", np.uint8)
    ends = np.searchsorted(np.flatnonzero(letters == ord("/")), np.flatnonzero(letters == ord(" ")))
    slashes = np.diff(ends, prepend=0)
    width = int(slashes[0]) + 1 if len(slashes) else 0
    return width if width <= 3 and (slashes == width - 1).all() else 0


def _materials(libraries: list[str], side_files: SideFiles) -> dict[str, MeshMaterial]:
    """Return the materials of the libraries by name; a library that is missing is noted, not fatal."""
    materials: dict[str, MeshMaterial] = {}
    for library in libraries:
        try:
            data = side_files.read(library)
        except MeshFileError:
            side_files.missing.append(library)
            continue
        materials |= read_mtl(data, side_files)
    return materials


def read_mtl(data: bytes, side_files: SideFiles) -> dict[str, MeshMaterial]:
    """Return the materials of an MTL library by name."""
    materials: dict[str, MeshMaterial] = {}
    name: str | None = None
    for line in _lines(data):
        keyword, _, rest = line.partition(" ")
        if keyword == "newmtl":
            name = rest.strip()
            materials[name] = MeshMaterial()
        elif name is not None:
            materials[name] = _with_statement(materials[name], keyword.lower(), rest.strip(), side_files)
    return materials


def _with_statement(material: MeshMaterial, keyword: str, rest: str, side_files: SideFiles) -> MeshMaterial:
    if keyword in _COLOURS:
        return _with(material, _COLOURS[keyword], _colour(rest))
    if keyword in _NUMBERS:
        return _with(material, _NUMBERS[keyword], _number(rest))
    if keyword == "d":
        return replace(material, transparency=1.0 - _number(rest.removeprefix("-halo ")))
    if keyword == "map_kd":
        texture: Path | None = side_files.texture(_map_file(rest))
        return replace(material, albedo_map=texture or material.albedo_map)
    if keyword == "norm":
        return replace(material, normal_map=side_files.texture(_map_file(rest)))
    return material


def _with(material: MeshMaterial, field_name: str, value: Rgba | float) -> MeshMaterial:
    changed: dict[str, Any] = {field_name: value}
    return replace(material, **changed)


def _colour(text: str) -> Rgba:
    values = numbers(text, np.float64, "a material's colour")
    if values.size == 1:
        values = np.repeat(values, 3)
    if values.size < 3:
        raise MeshFileError("a material's colour has fewer than three numbers")
    red, green, blue = np.clip(values[:3], 0.0, 1.0).tolist()
    return red, green, blue, 1.0


def _number(text: str) -> float:
    values = numbers(text, np.float64, "a material")
    if values.size == 0:
        raise MeshFileError("a material's value is missing")
    return float(values[0])


def _map_file(text: str) -> str:
    """Return the file name of a texture statement, which may follow options and may hold blanks."""
    words = text.split(" ")
    while words and words[0] in (*_MAP_OPTIONS, *_MAP_VECTORS):
        option = words.pop(0)
        most = _MAP_OPTIONS.get(option, 3)
        while words and most and (option in _MAP_OPTIONS or _is_number(words[0])):
            words.pop(0)
            most -= 1
    return " ".join(words)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
