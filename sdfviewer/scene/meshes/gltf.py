"""glTF 2.0, as JSON with side files or as one GLB; axes stay as written (+y up), and whoever asks may turn them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdfviewer.diagnostics import Message
from sdfviewer.scene.mesh import MeshMaterial, Rgba
from sdfviewer.scene.meshes.piece import (
    Floats,
    Indices,
    MeshFileError,
    Piece,
    SideFiles,
    Tally,
    as_colours,
    check_indices,
    data_of,
    unit,
)
from sdfviewer.scene.textures import TextureError, open_picture
from sdfviewer.transforms import quaternion_to_matrix

Json = dict[str, Any]


@dataclass(frozen=True)
class TexturePlacement:
    """Which texture coordinates a texture uses, and where it lies on them (KHR_texture_transform)."""

    coordinates: int = 0
    offset: tuple[float, float] = (0.0, 0.0)
    scale: tuple[float, float] = (1.0, 1.0)
    rotation: float = 0.0

    def applied(self, uvs: NDArray[Any]) -> Floats:
        """Return texture coordinates (n, 2) with their origin moved from the upper left corner to the lower left."""
        c, s = np.cos(self.rotation), np.sin(self.rotation)
        u, v = (uvs[:, k].astype(np.float64) * self.scale[k] for k in range(2))
        placed = np.stack([c * u + s * v + self.offset[0], 1.0 - (c * v - s * u + self.offset[1])], axis=1)
        return placed.astype(np.float32)


class GltfMaterials:
    """The materials of one file, each read once, so that pieces that share one share the object."""

    def __init__(self, document: Json, view: Callable[[int], bytes], side_files: SideFiles) -> None:
        self._json = document
        self._view = view
        self._side_files = side_files
        self._known: dict[int | None, tuple[MeshMaterial, TexturePlacement]] = {}

    def material(self, index: int | None) -> tuple[MeshMaterial, TexturePlacement]:
        """Return a material by its index, the format's default for None, and where its texture lies."""
        if index not in self._known:
            self._known[index] = self._read({} if index is None else self._json["materials"][index])
        return self._known[index]

    def _read(self, material: Json) -> tuple[MeshMaterial, TexturePlacement]:
        extensions = material.get("extensions", {})
        glossy = extensions.get("KHR_materials_pbrSpecularGlossiness")
        if glossy is not None:
            base = glossy.get("diffuseFactor", (1.0, 1.0, 1.0, 1.0))
            texture = glossy.get("diffuseTexture")
            metalness, roughness = 0.0, 1.0 - float(glossy.get("glossinessFactor", 1.0))
        else:
            metallic = material.get("pbrMetallicRoughness", {})
            base = metallic.get("baseColorFactor", (1.0, 1.0, 1.0, 1.0))
            texture = metallic.get("baseColorTexture")
            metalness = float(metallic.get("metallicFactor", 1.0))
            roughness = float(metallic.get("roughnessFactor", 1.0))
            roughness, metalness = self._averaged(metallic.get("metallicRoughnessTexture"), roughness, metalness)
        relief = material.get("normalTexture")
        placement = _placement(texture or relief)
        mode = material.get("alphaMode", "OPAQUE")
        red, green, blue, alpha = _srgb(base)
        return (
            MeshMaterial(
                diffuse=(red, green, blue, 1.0 if mode == "OPAQUE" else alpha),
                emissive=_srgb((*material.get("emissiveFactor", (0.0, 0.0, 0.0)), 1.0)),
                metalness=metalness,
                roughness=roughness,
                albedo_map=self._picture(texture) if texture is not None else None,
                normal_map=self._picture(relief) if relief is not None and _placement(relief) == placement else None,
                double_sided=bool(material.get("doubleSided", False)),
                alpha_cutout=mode == "MASK",
            ),
            placement,
        )

    def _averaged(self, texture: Json | None, roughness: float, metalness: float) -> tuple[float, float]:
        """Return roughness and metalness as their map has them on average: one of each is what a surface is drawn with.

        Exporters leave both factors at one where there is a map; without it, everything would be polished metal.
        """
        picture = self._picture(texture) if texture is not None else None
        if picture is None:
            return roughness, metalness
        try:
            image = open_picture(picture, 64)
        except TextureError:
            # Only the factors are left.
            return roughness, metalness
        _, green, blue = (np.asarray(image.convert("RGB"), np.float64).reshape(-1, 3).mean(axis=0) / 255).tolist()
        return roughness * green, metalness * blue

    def _picture(self, texture: Json) -> Path | bytes | None:
        source = self._json["textures"][texture["index"]].get("source")
        if source is None:
            return None
        image = self._json["images"][source]
        if "bufferView" in image:
            return self._view(image["bufferView"])
        uri = image.get("uri", "")
        return data_of(uri) or self._side_files.texture(uri)


def _placement(texture: Json | None) -> TexturePlacement:
    if texture is None:
        return TexturePlacement()
    transform = texture.get("extensions", {}).get("KHR_texture_transform", {})
    du, dv = transform.get("offset", (0.0, 0.0))
    su, sv = transform.get("scale", (1.0, 1.0))
    coordinates = transform.get("texCoord", texture.get("texCoord", 0))
    return TexturePlacement(int(coordinates), (du, dv), (su, sv), float(transform.get("rotation", 0.0)))


def srgb(linear: Any) -> NDArray[np.float64]:
    """Return linear colour values, which glTF writes, as the sRGB in 0..1 that everything else here holds."""
    values = np.clip(np.asarray(linear, np.float64), 0.0, 1.0)
    return np.where(values <= 0.0031308, values * 12.92, 1.055 * values ** (1 / 2.4) - 0.055)


def linear(srgb: Any) -> NDArray[np.float64]:
    """Return sRGB values in 0..1 as the linear ones that glTF writes: the inverse of :func:`srgb`."""
    values = np.clip(np.asarray(srgb, np.float64), 0.0, 1.0)
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def _srgb(linear: Any) -> Rgba:
    """Return a linear RGBA colour as the sRGB that materials hold; alpha is linear in both."""
    red, green, blue = srgb(linear[:3]).tolist()
    return red, green, blue, min(max(float(linear[3]), 0.0), 1.0)


_COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
#: What reading raises where a file is broken. Every reference in the format is an index or a key, so that a lookup that
#: fails means the same everywhere.
_BROKEN = (ValueError, OverflowError, KeyError, IndexError, TypeError, AttributeError, RecursionError)
_MOST_NODES = 50_000
#: An accessor without data means zeros, so a tiny file can ask for any number of them.
_MOST_ZEROS = 1_000_000
#: Required extensions that do not change the drawing; any other required extension is refused by name.
_HARMLESS = {
    "KHR_materials_unlit",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_emissive_strength",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "KHR_lights_punctual",
}


def read_gltf(data: bytes, side_files: SideFiles) -> list[Piece]:
    """Return the triangles of the default scene, one piece for each node and material.

    A primitive or material that is broken is left out and noted in `SideFiles.left_out`.

    Raises
    ------
    MeshFileError
        Where the file is broken as a whole, needs an extension that is not known, or nothing is left to draw.
    """
    try:
        return _Document(data, side_files).pieces()
    except _BROKEN as error:
        raise _fault(error) from error


def _fault(error: Exception) -> MeshFileError:
    """Return what a fault in reading says of the file."""
    if isinstance(error, MeshFileError):
        return error
    if isinstance(error, (ValueError, OverflowError)):
        return MeshFileError(f"has a value that is not a number in range: {error}")
    return MeshFileError(f"is invalid: it refers to missing data ({error!r})")


def _parsed(data: bytes) -> tuple[Json, bytes | None]:
    """Return the JSON and, of a GLB, its binary chunk."""
    binary: bytes | None = None
    text = data
    if data[:4] == b"glTF":
        chunks: dict[bytes, bytes] = {}
        at = 12
        while at + 8 <= len(data):
            length = int.from_bytes(data[at : at + 4], "little")
            if at + 8 + length > len(data):
                raise MeshFileError("is truncated: a chunk is longer than the rest of the file")
            chunks.setdefault(data[at + 4 : at + 8], data[at + 8 : at + 8 + length])
            at += 8 + length
        if b"JSON" not in chunks:
            raise MeshFileError("is truncated, or not a GLB file: it has no JSON chunk")
        text, binary = chunks[b"JSON"], chunks.get(b"BIN\0")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MeshFileError(f"is not a glTF file: {error}") from error
    if not isinstance(document, dict) or not str(document.get("asset", {}).get("version", "")).startswith("2"):
        raise MeshFileError("is not a glTF 2.0 file")
    return document, binary


class _Buffers:
    """The binary data of one file, each buffer read once, when something needs it."""

    def __init__(self, document: Json, binary: bytes | None, side_files: SideFiles) -> None:
        self._json, self._binary = document, binary
        self._side_files = side_files
        self._buffers: dict[int, bytes] = {}

    def view(self, index: int) -> memoryview:
        """Return the bytes of a buffer view, which are not copied."""
        view = _at(self._json["bufferViews"], index)
        start, length = int(view.get("byteOffset", 0)), int(view["byteLength"])
        buffer = self._buffer(view["buffer"])
        if start < 0 or length < 0 or start + length > len(buffer):
            raise MeshFileError("is truncated: a buffer view reaches beyond its buffer")
        return memoryview(buffer)[start : start + length]

    def copied(self, index: int) -> bytes:
        """Return the bytes of a buffer view, which outlive the buffer."""
        return bytes(self.view(index))

    def _buffer(self, index: int) -> bytes:
        if index not in self._buffers:
            uri = _at(self._json["buffers"], index).get("uri")
            if uri is None:
                if self._binary is None:
                    raise MeshFileError("has a buffer without contents")
                self._buffers[index] = self._binary
            else:
                self._buffers[index] = data_of(uri) or self._side_files.read(uri)
        return self._buffers[index]


class _Document:
    """One parsed file."""

    def __init__(self, data: bytes, side_files: SideFiles) -> None:
        self._json, binary = _parsed(data)
        unknown = set(self._json.get("extensionsRequired", ())) - _HARMLESS
        if unknown:
            raise MeshFileError(f"needs the glTF extension {', '.join(sorted(unknown))}, which is not supported")
        self._buffers = _Buffers(self._json, binary, side_files)
        self._materials = GltfMaterials(self._json, self._buffers.copied, side_files)
        self._side_files = side_files
        self._meshes: dict[int, list[Piece]] = {}
        self._read = Tally()

    def pieces(self) -> list[Piece]:
        """Return the pieces of the default scene, or of all nodes where the file has no scene."""
        pieces: list[Piece] = []
        tally = Tally()
        for X, name, mesh in self._instances():
            if mesh not in self._meshes:
                self._meshes[mesh] = list(self._mesh(mesh))
            for piece in self._meshes[mesh]:
                tally.add(len(piece.indices), len(piece.positions))
                pieces.append(replace(piece.transformed(X), name=name))
        if not pieces and self._side_files.left_out:
            raise MeshFileError(self._side_files.left_out[0])
        return pieces

    def _instances(self) -> Iterator[tuple[NDArray[np.float64], str, int]]:
        """Yield pose, node name and index of every mesh in the scene, in the order of the nodes."""
        nodes = self._json.get("nodes", [])
        scenes = self._json.get("scenes", [])
        if scenes:
            roots = scenes[self._json.get("scene", 0)].get("nodes", [])
        else:
            roots = sorted(set(range(len(nodes))) - {child for node in nodes for child in node.get("children", ())})
        stack = [(root, np.eye(4), 1) for root in reversed(roots)]
        visited = 0
        while stack:
            index, X_parent, depth = stack.pop()
            visited += 1
            if visited > _MOST_NODES:
                raise MeshFileError(f"has more than {_MOST_NODES:,} nodes")
            if depth > len(nodes):
                raise MeshFileError("has a node that contains itself")
            node = _at(nodes, index)
            X = X_parent @ _transform(node)
            if "mesh" in node:
                mesh = node["mesh"]
                name = node.get("name") or _at(self._json["meshes"], mesh).get("name", "")
                yield X, str(name), mesh
            stack += [(child, X, depth + 1) for child in reversed(node.get("children", []))]

    def _mesh(self, index: int) -> Iterator[Piece]:
        for primitive in _at(self._json["meshes"], index)["primitives"]:
            try:
                mode = primitive.get("mode", _TRIANGLES)
                if mode not in (_TRIANGLES, _STRIP, _FAN) or "POSITION" not in primitive["attributes"]:
                    continue
                piece = self._primitive(primitive, mode)
            except (MeshFileError, *_BROKEN) as error:
                self._side_files.leave_out(_fault(error))
                continue
            yield piece

    def _primitive(self, primitive: Json, mode: int) -> Piece:
        attributes = primitive["attributes"]
        positions = self._accessor(attributes["POSITION"])
        if positions.ndim != 2 or positions.shape[1] != 3:
            raise MeshFileError("has positions that are not three numbers")
        if "indices" in primitive:
            order = self._accessor(primitive["indices"]).ravel().astype(np.int64)
        else:
            order = np.arange(len(positions))
        check_indices(order, len(positions), "a triangle")
        material, texture = self._material(primitive.get("material"))
        normals = self._accessor(attributes["NORMAL"]) if "NORMAL" in attributes else None
        key = f"TEXCOORD_{texture.coordinates}"
        mapped = material.albedo_map is not None or material.normal_map is not None
        uvs = self._accessor(attributes[key]) if mapped and key in attributes else None
        colours = self._accessor(attributes["COLOR_0"]) if "COLOR_0" in attributes else None
        if any(table is not None and len(table) != len(positions) for table in (normals, uvs, colours)):
            raise MeshFileError("has vertices with fewer normals, colours or texture coordinates than positions")
        triangles = _triangles(order, mode)
        return Piece(
            "",
            positions.astype(np.float32),
            triangles,
            None if normals is None else unit(normals),
            None if uvs is None else texture.applied(uvs[:, :2]),
            material,
            None if colours is None or colours.shape[1] < 3 else as_colours(srgb(colours[:, :3])),
        )

    def _material(self, index: int | None) -> tuple[MeshMaterial, TexturePlacement]:
        """Return a material and where its texture lies, the format's default where the material is broken."""
        try:
            return self._materials.material(index)
        except (MeshFileError, *_BROKEN) as error:
            self._side_files.leave_out(_fault(error), f"the material {index}")
            return self._materials.material(None)

    def _accessor(self, index: int) -> NDArray[Any]:
        """Return the values of an accessor as (count, width); normalised integers as 0..1 or -1..1."""
        accessor = _at(self._json["accessors"], index)
        kind = np.dtype(_COMPONENTS[accessor["componentType"]])
        width = _WIDTHS[accessor["type"]]
        count = int(accessor["count"])
        if count < 0:
            raise MeshFileError("has an accessor with a negative count")
        # A primitive may have five accessors, and many may share one: every read counts.
        self._read.add(count // 3, count // 3)
        if "bufferView" in accessor:
            values = self._values(accessor["bufferView"], accessor.get("byteOffset", 0), kind, width, count)
        elif count > _MOST_ZEROS:
            raise MeshFileError(Message(f"has an accessor of {count:,} zeros", f"at most {_MOST_ZEROS:,} are made"))
        else:
            values = np.zeros((count, width), kind)
        if "sparse" in accessor:
            values = self._with_sparse(values, accessor["sparse"], kind, width)
        if accessor.get("normalized") and kind.kind in "iu":
            values = np.maximum(values.astype(np.float32) / np.iinfo(kind).max, -1.0)
        return np.asarray(values)

    def _with_sparse(self, values: NDArray[Any], sparse: Json, kind: np.dtype[Any], width: int) -> NDArray[Any]:
        count = int(sparse["count"])
        where = sparse["indices"]
        rows = self._values(
            where["bufferView"], where.get("byteOffset", 0), np.dtype(_COMPONENTS[where["componentType"]]), 1, count
        ).ravel()
        check_indices(rows, len(values), "a sparse accessor")
        held = sparse["values"]
        patched: NDArray[Any] = values.copy()
        patched[rows] = self._values(held["bufferView"], held.get("byteOffset", 0), kind, width, count)
        return patched

    def _values(self, view: int, offset: int, kind: np.dtype[Any], width: int, count: int) -> NDArray[Any]:
        data = self._buffers.view(view)
        item = kind.itemsize * width
        stride = int(_at(self._json["bufferViews"], view).get("byteStride") or item)
        if offset < 0 or stride < item or count < 0 or (count and offset + (count - 1) * stride + item > len(data)):
            raise MeshFileError("is truncated: an accessor reaches beyond its buffer")
        table: NDArray[Any] = np.ndarray((count, width), kind, data, offset, (stride, kind.itemsize))
        return table


def _at(items: list[Json], index: int) -> Json:
    """Return an item by its index; the format has no negative ones, which Python would take."""
    if not isinstance(index, int) or index < 0:
        raise IndexError(index)
    return items[index]


def _transform(node: Json) -> NDArray[np.float64]:
    """Return the pose (4, 4) of a node in its parent."""
    if "matrix" in node:
        X = np.asarray(node["matrix"], np.float64)
        if X.shape != (16,):
            raise MeshFileError("has a matrix that is not 16 numbers")
        return np.asarray(X.reshape(4, 4).T)
    x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    X = np.eye(4)
    X[:3, :3] = quaternion_to_matrix([w, x, y, z]) * np.asarray(node.get("scale", (1.0, 1.0, 1.0)))
    X[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return X


def _triangles(order: NDArray[np.int64], mode: int) -> Indices:
    if mode == _TRIANGLES:
        return order[: len(order) // 3 * 3].reshape(-1, 3).astype(np.uint32)
    k = np.arange(max(len(order) - 2, 0))
    if mode == _STRIP:
        odd = k % 2
        rows = np.stack([k, k + 1 + odd, k + 2 - odd], axis=1)
    else:
        rows = np.stack([np.zeros_like(k), k + 1, k + 2], axis=1)
    return order[rows].astype(np.uint32)
