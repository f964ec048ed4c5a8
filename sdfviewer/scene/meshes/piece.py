"""The result of every mesh reader, shared checks, and the files that a mesh file references.

These are textures, MTL libraries and glTF buffers. Nothing outside what the model's author can mean is opened: absolute
paths, drives, network shares and URLs in mesh files come from the machine that exported them, so only their base name
is looked for. Nothing hidden is opened either.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from sdfviewer.diagnostics import Message, SdfViewerError
from sdfviewer.files.paths import NotRegularError, home_folder, read_regular, regular_status
from sdfviewer.scene.mesh import MeshMaterial, MeshPart, TriangleMesh

#: A folder in which a mesh file may name others has more parts than this: more than ``/`` and ``home``.
_LEAST_PARTS = 2

#: Schemes that are resolved by the model paths; the finder knows them.
_MODEL_SCHEMES = ("model", "package", "fuel")

#: Maximum number of broken parts that are named for one mesh file.
_MOST_LEFT_OUT = 8


@dataclass
class SideFiles:
    """Finds the files that one mesh file names, and keeps which were used, which are missing, and what was left out.

    Attributes
    ----------
    mesh
        The mesh file.
    find
        Returns the path that a ``model://`` URI means, or None.
    used
        Files that what was read depends on, beside the mesh file itself.
    missing
        Textures that the mesh file names and that are not there, in order.
    absent
        Where they were looked for: once something is there, the mesh is worth reading again.
    left_out
        What is broken in the mesh file and was left out, each in words for the person who wrote the model.
    up_axis
        What a COLLADA file says is up, where that is not the z axis: nothing is turned by it.
    """

    mesh: Path
    find: Callable[[str], Path | None] = field(default=lambda uri: None)
    used: list[Path] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    absent: list[Path] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    up_axis: str = ""

    def leave_out(self, error: MeshFileError, part: str = "") -> None:
        """Remember that a part of the mesh file is broken, and that the rest is drawn without it."""
        message = f"{part}: {error}" if part else str(error)
        if message not in self.left_out and len(self.left_out) < _MOST_LEFT_OUT:
            self.left_out.append(message)

    def texture(self, name: str) -> Path | None:
        """Return the file of a texture, or None (and remember the name) where there is none.

        It is looked for where the mesh file says, relative to it, and then by its base name beside the mesh and in
        the ``materials/textures`` folders of the model, where Gazebo's models keep them.
        """
        found = self._located(name, textures=True)
        if found is None:
            if name not in self.missing:
                self.missing.append(name)
            return None
        self.used.append(found)
        return found

    def read(self, name: str) -> bytes:
        """Return the contents of a file named relative to the mesh.

        Raises
        ------
        MeshFileError
            Where it is missing or too large.
        """
        found = self._located(name, textures=False)
        if found is None:
            raise MeshFileError(f"needs the file {name!r}, which is missing")
        self.used.append(found)
        return read_bytes(found)

    def _located(self, name: str, textures: bool) -> Path | None:
        scheme, _, rest = name.partition(":")
        if scheme in _MODEL_SCHEMES:
            return self.find(name)
        has_scheme = scheme == "file" or rest.startswith("//")
        plain = PurePosixPath(name.replace("\\", "/"))
        folder = Path(os.path.abspath(self.mesh.parent))
        root = _root_of(folder)
        candidates: list[Path] = []
        for spelled in dict.fromkeys((plain, PurePosixPath(unquote(str(plain))))):
            has_drive = bool(spelled.parts) and spelled.parts[0].endswith(":")
            if not has_scheme and not has_drive and not spelled.is_absolute():
                candidates.append(folder / spelled)
            if spelled.name not in ("", ".."):
                candidates.append(folder / spelled.name)
                if textures:
                    parents = list(folder.parents)[:2]
                    candidates += [parent / "materials" / "textures" / spelled.name for parent in parents]
        places = [Path(os.path.normpath(path)) for path in dict.fromkeys(candidates)]
        places = [place for place in places if place.is_relative_to(root) and not _is_hidden(place, folder)]
        found = next((place for place in places if os.path.isfile(place)), None)  # also of impossible names
        if found is None:
            self.absent += places
        return found


def _root_of(folder: Path) -> Path:
    """Return the folder that a mesh file must not lead out of: its model or package, else two folders up."""
    folder = Path(os.path.normpath(folder.absolute()))
    ways = (folder, *folder.parents)
    for above in ways:
        if (above / "model.config").is_file() or (above / "package.xml").is_file():
            return above
    # But not up to /tmp, /home or a drive, which hold the files of others, nor to the user's home folder.
    home = home_folder()
    allowed = (above for above in reversed(ways[:3]) if len(above.parts) > _LEAST_PARTS)
    return next((above for above in allowed if not home.is_relative_to(above)), folder)


def _is_hidden(place: Path, folder: Path) -> bool:
    """Return whether the way from the folder of a mesh to a place leads into something hidden, such as ``.ssh``."""
    common = os.path.commonpath((place, folder))
    return any(part.startswith(".") for part in place.relative_to(common).parts)


def read_bytes(path: Path) -> bytes:
    """Return the contents of a mesh file or of one that it names.

    Raises
    ------
    MeshFileError
        Where it cannot be read or is larger than `MAX_FILE_BYTES`.
    """
    try:
        size = regular_status(path).st_size
        if size > MAX_FILE_BYTES:
            raise MeshFileError(f"{path.name} has {size >> 20:,} MB; at most {MAX_FILE_BYTES >> 20:,} MB are read")
        return read_regular(path)
    except NotRegularError as error:
        raise MeshFileError(f"{path.name} is {error.strerror}") from error
    except OSError as error:
        raise MeshFileError(f"{path.name} cannot be read: {error.strerror or error}") from error


def data_of(uri: str) -> bytes | None:
    """Return the bytes of a ``data:`` URI, or None where it is not one."""
    if not uri.startswith("data:"):
        return None
    header, _, body = uri.partition(",")
    if not header.endswith(";base64"):
        raise MeshFileError("has a data URI that is not base64")
    try:
        return base64.b64decode(body, validate=True)
    except ValueError as error:  # broken base64, or characters outside of ASCII
        raise MeshFileError(f"has a broken data URI: {error}") from error


Floats = NDArray[np.float32]
Indices = NDArray[np.uint32]
Colours = NDArray[np.uint8]

#: The largest file that is read, and the most triangles that one file may have: about 1 GB of arrays.
MAX_FILE_BYTES = 512 << 20
MAX_TRIANGLES = 12_000_000
#: Most vertices of all nodes of one file, each instance counted: a tiny file can ask for any number.
MAX_VERTICES = 12_000_000

_DEFAULT_MATERIAL = MeshMaterial()
#: The material of vertices with colours of their own if the file names none.
_WHITE_MATERIAL = MeshMaterial(diffuse=(1.0, 1.0, 1.0, 1.0))


class MeshFileError(SdfViewerError):
    """A mesh file that cannot be drawn; the message says why in words for the person who wrote the model."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Triangles of one material under one name: what ``<submesh>`` selects.

    Attributes
    ----------
    name
        The name that SDFormat's ``<submesh><name>`` means: of the node in COLLADA and glTF, of the object or group
        in OBJ; empty in STL.
    positions : (n, 3) float32
        Metres, in the frame of the file.
    indices : (m, 3) uint32
        Counter-clockwise seen from outside.
    normals : (n, 3) float32 or None
        None where the file has none: the surface is drawn flat.
    uvs : (n, 2) float32 or None
        The origin is the lower left corner of the picture.
    material
        None where the file names none.
    colours : (n, 3) uint8 or None
        sRGB of each vertex.
    """

    name: str
    positions: Floats
    indices: Indices
    normals: Floats | None = None
    uvs: Floats | None = None
    material: MeshMaterial | None = None
    colours: Colours | None = None

    def transformed(self, X: NDArray[np.float64]) -> Piece:
        """Return this piece moved by an affine (4, 4) matrix; a mirroring one keeps the outside outside."""
        linear = X[:3, :3]
        positions = (self.positions @ linear.T + X[:3, 3]).astype(np.float32)
        mirrored = np.linalg.det(linear) < 0
        indices = self.indices[:, ::-1] if mirrored else self.indices
        normals = self.normals
        if normals is not None:
            # Normals go by the cofactor matrix: like the inverse transpose, but defined for flattening scales too.
            cofactor = np.cross(linear[[1, 2, 0]], linear[[2, 0, 1]])
            normals = unit(normals @ cofactor.T * (-1.0 if mirrored else 1.0))
        return replace(self, positions=positions, indices=np.ascontiguousarray(indices), normals=normals)


def unit(vectors: NDArray[np.floating]) -> Floats:
    """Return vectors (n, 3) scaled to length one; those of length zero stay as they are."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def as_colours(values: NDArray[Any]) -> Colours | None:
    """Return colours (n, 3) in bytes of numbers (n, 3 or more), of 0..1 or 0..255.

    None where all are white or all are black: so exporters write them that have none.
    """
    rgb = np.nan_to_num(np.asarray(values[:, :3], np.float64))
    if rgb.max(initial=0.0) <= 1.0:
        rgb = rgb * 255
    colours = np.clip(rgb + 0.5, 0, 255).astype(np.uint8)
    return None if colours.min(initial=255) == 255 or colours.max() == 0 else colours


def weld(*columns: NDArray[np.integer]) -> tuple[NDArray[np.intp], Indices]:
    """Return for rows that may repeat: the first row of each distinct one (u,), and each row's distinct one (n,).

    Columns are packed into one 64-bit key, for which a single sort is ten times faster than ``np.unique`` over rows.
    """
    key: NDArray[Any] = np.zeros(len(columns[0]), np.uint64)
    span = 1
    for column in columns:
        size = int(column.max(initial=0)) + 1
        if span * size > 1 << 63:
            _, key = np.unique(key, return_inverse=True)
            key = key.astype(np.uint64)
            span = len(key) + 1
        key = key * np.uint64(size) + column.astype(np.uint64)
        span *= size
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return first, inverse.astype(np.uint32)


def numbers(text: str | bytes, dtype: type[np.generic], what: str) -> NDArray[Any]:
    """Return the white-space separated numbers of a text.

    Raises
    ------
    MeshFileError
        Where something is not a number; ``what`` says in which part of the file.
    """
    content = text.decode("ascii", "replace") if isinstance(text, bytes) else text
    if not content.strip():
        return np.zeros(0, dtype)
    if "#" in content:  # how old Windows exporters write what is not a number
        content = re.sub(r"-?1\.#\w+", "nan", content)
    try:
        return np.fromstring(content, dtype=dtype, sep=" ")
    except (ValueError, DeprecationWarning) as error:
        raise MeshFileError(f"{what} holds something that is not a number") from error


def check_size(triangles: int) -> None:
    """Raise MeshFileError where a file comes to more triangles than are drawn."""
    if triangles > MAX_TRIANGLES:
        raise MeshFileError(Message(f"has {triangles:,} triangles", f"at most {MAX_TRIANGLES:,} are drawn"))


class Tally:
    """Counts what a file comes to before it is made."""

    def __init__(self) -> None:
        self._triangles = 0
        self._vertices = 0

    def add(self, triangles: int, vertices: int) -> None:
        """Count some more.

        Raises
        ------
        MeshFileError
            Where that makes more than is drawn.
        """
        self._triangles += triangles
        self._vertices += vertices
        check_size(self._triangles)
        if self._vertices > MAX_VERTICES:
            raise MeshFileError(f"has more than {MAX_VERTICES:,} vertices in all its nodes")


def check_indices(indices: NDArray[np.integer], count: int, what: str) -> None:
    """Raise MeshFileError where an index points outside the ``count`` rows it means."""
    if indices.size and (int(indices.min()) < 0 or int(indices.max()) >= count):
        raise MeshFileError(f"{what} points outside its {count:,} entries")


def joined(pieces: Iterable[Piece]) -> TriangleMesh:
    """Return one mesh of all pieces, a part for each run of equal material and name."""
    whole = [piece for piece in pieces if len(piece.indices)]
    if not whole:
        return TriangleMesh(np.zeros((0, 3), np.float32), None, None, np.zeros((0, 3), np.uint32))
    if any(piece.normals is not None for piece in whole):
        whole = [piece if piece.normals is not None else _with_flat_normals(piece) for piece in whole]
    starts = np.cumsum([0, *(len(piece.positions) for piece in whole)])
    indices = np.concatenate([piece.indices + np.uint32(start) for piece, start in zip(whole, starts, strict=False)])
    textured = any(piece.uvs is not None for piece in whole)
    coloured = any(piece.colours is not None for piece in whole)
    return TriangleMesh(
        np.concatenate([piece.positions for piece in whole]),
        None if whole[0].normals is None else np.concatenate([_normals(piece) for piece in whole]),
        np.concatenate([_uvs(piece) for piece in whole]) if textured else None,
        indices,
        _parts(whole),
        colours=np.concatenate([_colours(piece) for piece in whole]) if coloured else None,
    )


def _parts(pieces: Sequence[Piece]) -> tuple[MeshPart, ...]:
    parts: list[MeshPart] = []
    start = 0
    for piece in pieces:
        material = piece.material or (_DEFAULT_MATERIAL if piece.colours is None else _WHITE_MATERIAL)
        last = parts[-1] if parts else None
        if last is not None and last.material is material and last.name == piece.name:
            parts[-1] = replace(last, count=last.count + len(piece.indices))
        else:
            parts.append(MeshPart(start, len(piece.indices), material, piece.name))
        start += len(piece.indices)
    return tuple(parts)


def _normals(piece: Piece) -> Floats:
    return piece.normals if piece.normals is not None else np.zeros_like(piece.positions)


def _uvs(piece: Piece) -> Floats:
    return piece.uvs if piece.uvs is not None else np.zeros((len(piece.positions), 2), np.float32)


def _colours(piece: Piece) -> Colours:
    return piece.colours if piece.colours is not None else np.full(piece.positions.shape, 255, np.uint8)


def _with_flat_normals(piece: Piece) -> Piece:
    """Return a piece without normals as one whose triangles share no vertex, each with its face's normal."""
    corners = piece.positions[piece.indices]
    normals = unit(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    return replace(
        piece,
        positions=corners.reshape(-1, 3),
        normals=np.repeat(normals, 3, axis=0),
        uvs=None if piece.uvs is None else piece.uvs[piece.indices.ravel()],
        colours=None if piece.colours is None else piece.colours[piece.indices.ravel()],
        indices=np.arange(corners.shape[0] * 3, dtype=np.uint32).reshape(-1, 3),
    )
