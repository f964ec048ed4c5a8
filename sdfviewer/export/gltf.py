"""Binary glTF: a JSON document and one block of bytes, and that of a page, compressed with meshopt.

The text of EXT_meshopt_compression, with both bitstreams, is in the registry of glTF. Triangles are put in an order in
which most share an edge with one just before, and vertices in the order in which they are first used: then a triangle
takes a byte.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.mesh import MeshMaterial, MeshPart, TriangleMesh
from sdfviewer.scene.meshes.gltf import linear
from sdfviewer.scene.textures import Source, TextureError, open_picture

TEXTURE_TRANSFORM: Final = "KHR_texture_transform"
_ALIGNMENT: Final = 4


class GlbWriter:
    """Collects the bytes of a binary glTF file."""

    def __init__(self) -> None:
        self._blob = bytearray()
        self.views: list[dict[str, Any]] = []

    def place(self, data: bytes) -> dict[str, int]:
        """Append bytes and return where they are, as a buffer view says it."""
        self._blob.extend(b"\0" * (-len(self._blob) % _ALIGNMENT))
        self._blob.extend(data)
        return {"buffer": 0, "byteOffset": len(self._blob) - len(data), "byteLength": len(data)}

    def view(self, data: bytes, **more: Any) -> int:
        """Append bytes and return the number of a view that shows them."""
        self.views.append(self.place(data) | more)
        return len(self.views) - 1

    def finish(self, document: dict[str, Any], *buffers: dict[str, Any]) -> bytes:
        """Return the file: a document without its buffers and views, and with more buffers than its own block."""
        self._blob.extend(b"\0" * (-len(self._blob) % _ALIGNMENT))
        whole = {
            "asset": {"version": "2.0", "generator": "sdfviewer"},
            **document,
            "bufferViews": self.views,
            "buffers": [{"byteLength": len(self._blob)}, *buffers],
        }
        text = json.dumps(whole, separators=(",", ":")).encode()
        text += b" " * (-len(text) % _ALIGNMENT)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
        chunks += struct.pack("<II", len(self._blob), 0x004E4942) + self._blob
        return struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks


def material_record(material: MeshMaterial, texture: int | None) -> dict[str, Any]:
    """Return a material as glTF writes it, with the number of its texture; colours are linear there."""
    surface: dict[str, Any] = {
        "baseColorFactor": [*linear(material.diffuse[:3]).tolist(), material.opacity],
        "metallicFactor": material.metalness,
        "roughnessFactor": material.roughness,
    }
    if texture is not None:
        (u, v), (s, t) = material.texture_scale, material.texture_offset
        placed = {"scale": [u, v], "offset": [s, 1 - v - t]}  # from the upper left corner
        is_placed = (u, v, s, t) != (1, 1, 0, 0)
        surface["baseColorTexture"] = {"index": texture} | (
            {"extensions": {TEXTURE_TRANSFORM: placed}} if is_placed else {}
        )
    return {
        "pbrMetallicRoughness": surface,
        "emissiveFactor": linear(material.emissive[:3]).tolist(),
        "doubleSided": material.double_sided,
        "alphaMode": "MASK" if material.alpha_cutout else "BLEND" if material.opacity < 1 else "OPAQUE",
    }


_GROUP: Final = 16
#: Bits of each delta in a group by its mode; of two and four bits the highest value means that a byte follows.
_BITS: Final = (0, 2, 4, 8)
#: Bytes of the longest group: four bits each, and a byte each.
_LONGEST: Final = 24
_LEAST_TAIL: Final = 32
#: Edges that may be referred to, of those written last; vertices next to an edge, and elsewhere.
_EDGES: Final = 15
_VERTICES_AT_EDGE: Final = 13
_VERTICES: Final = 14
#: A reference to a vertex by the difference of its number; those to the neighbours of the last such vertex.
_EXPLICIT: Final = 15
_NEXT_TO_LAST: Final = {-1: 13, 1: 14}
#: Pairs of references to vertices that take no byte of their own; an index stream ends with them.
_PAIRS: Final = bytes.fromhex("00768756 6778a986 65896898 01690000")


def encode_attributes(values: NDArray[Any]) -> bytes:
    """Return the attributes (n, k) of n vertices in the mode ATTRIBUTES; a vertex has a multiple of four bytes.

    Each byte of a vertex is a difference from that of the vertex before; sixteen differences are a group.
    """
    rows = np.ascontiguousarray(values).view(np.uint8).reshape(len(values), -1)
    count, stride = rows.shape
    block = min(0x2000 // stride // _GROUP * _GROUP, 256)
    differences = np.diff(rows, axis=0, prepend=rows[:1]).view(np.int8)
    zigzag = ((differences << 1) ^ (differences >> 7)).view(np.uint8)
    parts = [b"\xa0"]
    for first in range(0, count, block):
        some = zigzag[first : first + block]
        padded = np.zeros((len(some) + (-len(some)) % _GROUP, stride), np.uint8)
        padded[: len(some)] = some
        parts.append(_encode_groups(padded.T.reshape(stride, -1, _GROUP)))
    return b"".join([*parts, bytes(max(_LEAST_TAIL - stride, 0)), rows[0].tobytes()])


def _encode_groups(groups: NDArray[np.uint8]) -> bytes:
    """Return groups (k, g, 16) of each of k bytes: first the modes of its groups, then the groups."""
    sizes = np.stack(
        [
            np.where((groups > 0).any(axis=-1), _LONGEST + 1, 0),
            4 + (groups >= 3).sum(axis=-1),
            8 + (groups >= 15).sum(axis=-1),
            np.full(groups.shape[:-1], _GROUP),
        ]
    )
    modes = np.argmin(sizes, axis=0)
    taken = np.min(sizes, axis=0)
    content = np.zeros((*groups.shape[:-1], _LONGEST), np.uint8)
    for mode, bits in enumerate(_BITS):
        chosen = modes == mode
        if not chosen.any() or not bits:
            continue
        some = groups[chosen]
        if mode == len(_BITS) - 1:
            content[chosen, :_GROUP] = some
            continue
        highest = 2**bits - 1
        short = np.minimum(some, highest).reshape(len(some), -1, 8 // bits)
        shifts = np.arange(8 - bits, -1, -bits)
        start = 2 * bits
        packed = np.zeros((len(some), _LONGEST), np.uint8)
        packed[:, :start] = (short << shifts).sum(axis=-1)
        more = some >= highest
        at = start + np.cumsum(more, axis=1) - 1
        packed[np.nonzero(more)[0], at[more]] = some[more]
        content[chosen] = packed
    padded = np.zeros((len(groups), modes.shape[1] + (-modes.shape[1]) % 4), np.uint8)
    padded[:, : modes.shape[1]] = modes
    headers = (padded.reshape(len(groups), -1, 4) << np.array([0, 2, 4, 6])).sum(axis=-1).astype(np.uint8)
    # Row by row: the modes of a byte's groups, and what each group takes of its place.
    flat = content.reshape(len(groups), -1)
    used = (np.arange(_LONGEST) < taken[..., np.newaxis]).reshape(len(groups), -1)
    whole = np.concatenate([headers, flat], axis=1)
    taken_bytes: NDArray[np.uint8] = whole[np.concatenate([np.ones(headers.shape, bool), used], axis=1)]
    return taken_bytes.tobytes()


def encode_triangles(triangles: NDArray[Any]) -> tuple[bytes, NDArray[np.int64]]:
    """Return triangles (m, 3) in the mode TRIANGLES, and the vertices that they use in the order that they count them.

    Parameters
    ----------
    triangles
        Numbers of vertices. All triangles keep their vertices and their sides; their order changes.
    """
    stream = _TriangleStream(triangles)
    stream.write()
    data = b"\xe1" + bytes(stream.codes) + bytes(stream.data) + _PAIRS
    return data, np.array(list(stream.numbers), np.int64)


class _TriangleStream:
    """Writes triangles from one to the next, and keeps what the reader keeps.

    Attributes
    ----------
    codes, data
        A byte for each triangle, and what the bytes leave open.
    numbers
        The number of each vertex, in the order of their first use.
    """

    def __init__(self, triangles: NDArray[Any]) -> None:
        self.codes, self.data = bytearray(), bytearray()
        self.numbers: dict[int, int] = {}
        self._corners: list[int] = triangles.ravel().tolist()
        self._twins: list[int] = _twins(triangles).tolist()
        self._edges: list[int] = []  # the corner of the triangle across each edge, the last edge last
        self._pushed: dict[int, int] = {}  # when each vertex was last pushed
        self._pushes = 0
        self._last = 0

    def write(self) -> None:
        """Write all triangles."""
        done = bytearray(len(self._corners) // 3)
        first = 0
        for _ in done:
            for ago, corner in enumerate(reversed(self._edges)):
                if corner >= 0 and not done[corner // 3]:
                    done[corner // 3] = True
                    self._write_at_edge(ago, corner)
                    break
            else:
                first = done.index(0, first)
                done[first] = True
                self._write_alone(first)
            del self._edges[:-_EDGES]

    def _write_at_edge(self, ago: int, corner: int) -> None:
        """Write a triangle that begins with an edge that was written before."""
        start, turn = corner - corner % 3, corner % 3
        across, behind = start + (turn + 1) % 3, start + (turn + 2) % 3
        vertex = self._corners[behind]
        if vertex in self.numbers:
            code = self._refer(vertex, _VERTICES_AT_EDGE) or _EXPLICIT
            if code == _EXPLICIT:
                step = self.numbers[vertex] - self._last
                code = _NEXT_TO_LAST.get(step, _EXPLICIT)
                if code == _EXPLICIT:
                    _append_difference(self.data, step)
                self._last += step
                self._push(vertex)
        else:
            code = self._number(vertex)
            self._push(vertex)
        self.codes.append(ago << 4 | code)
        self._edges += (self._twins[across], self._twins[behind])

    def _write_alone(self, triangle: int) -> None:
        start = 3 * triangle
        # The first may be new, and only after a new one others may.
        turn = next((n for n in range(3) if self._corners[start + n] not in self.numbers), 0)
        corners = [start + (turn + n) % 3 for n in range(3)]
        references: list[int] = []
        differences = bytearray()
        pushed: list[int] = []
        for place, corner in enumerate(corners):
            vertex = self._corners[corner]
            if vertex in self.numbers:
                ago = self._refer(vertex, _VERTICES) if place else None
                reference = _EXPLICIT if ago is None else ago + 1
                if reference == _EXPLICIT:
                    _append_difference(differences, self.numbers[vertex] - self._last)
                    self._last = self.numbers[vertex]
                    pushed.append(vertex)
            else:
                reference = self._number(vertex)
                pushed.append(vertex)
            references.append(reference)
        for vertex in pushed:
            self._push(vertex)
        begin, *others = references
        pair = others[0] << 4 | others[1]
        known = _PAIRS.find(pair, 0, _VERTICES)
        if begin == 0 and known >= 0:
            self.codes.append(0xF0 | known)
        else:
            self.codes.append(0xFE if begin == 0 else 0xFF)
            self.data.append(pair)
            self.data += differences
        self._edges += [self._twins[corner] for corner in corners]

    def _number(self, vertex: int) -> int:
        """Give a new vertex the next number, and return the reference that says so."""
        self.numbers[vertex] = len(self.numbers)
        return 0

    def _push(self, vertex: int) -> None:
        self._pushed[vertex] = self._pushes
        self._pushes += 1

    def _refer(self, vertex: int, count: int) -> int | None:
        """Return how long ago a vertex was pushed, None where it may not be referred to."""
        ago = self._pushes - self._pushed[vertex] - 1 if vertex in self._pushed else count
        return ago if ago < count else None


def _twins(triangles: NDArray[Any]) -> NDArray[np.int64]:
    """Return for each corner (3 m,) that of the triangle across the edge to the next corner, -1 where there is none."""
    start = triangles.astype(np.int64)
    end = np.roll(start, -1, axis=1)
    count = int(start.max(initial=0)) + 1
    keys, wanted = (start * count + end).ravel(), (end * count + start).ravel()
    order = np.argsort(keys, kind="stable")
    at = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
    found = order[at]
    return np.where(keys[found] == wanted, found, -1)


def _append_difference(data: bytearray, difference: int) -> None:
    """Append a whole number, its sign in the lowest bit, seven bits a byte."""
    value = 2 * difference if difference >= 0 else -2 * difference - 1
    while value > 127:
        data.append(value & 127 | 128)
        value >>= 7
    data.append(value)


_MESHOPT: Final = "EXT_meshopt_compression"
_QUANTIZATION: Final = "KHR_mesh_quantization"
#: Steps that a coordinate of a vertex has along the longest side of its mesh.
_STEPS: Final = 65535
#: Steps that a texture coordinate has from one edge of a texture to the other.
_TEXTURE_STEPS: Final = 8192.0
#: Longest edge of a texture in pixels.
_TEXTURE_EDGE: Final = 1024
_JPEG_QUALITY: Final = 85
_COMPONENTS: Final = {np.dtype("i1"): 5120, np.dtype("u1"): 5121, np.dtype("u2"): 5123, np.dtype("u4"): 5125}


@dataclass
class TexturePacker:
    """Packs textures, each once, for all pages that are tried.

    Attributes
    ----------
    packed
        The type and the bytes of each texture that has been asked for, None where it cannot be read.
    """

    packed: dict[Source, tuple[str, bytes] | None] = field(default_factory=dict)

    def pack(self, source: Source) -> tuple[str, bytes] | None:
        """Return the type and the bytes of a texture, None where it cannot be read: the scene has reported it."""
        if source not in self.packed:
            try:
                picture = open_picture(source, _TEXTURE_EDGE)
            except TextureError:
                self.packed[source] = None
            else:
                stream = BytesIO()
                is_clear = picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info
                if is_clear:
                    picture.convert("RGBA").save(stream, "PNG", optimize=True)
                else:
                    picture.convert("RGB").save(stream, "JPEG", quality=_JPEG_QUALITY)
                self.packed[source] = "image/png" if is_clear else "image/jpeg", stream.getvalue()
        return self.packed[source]


class GltfPacker:
    """Collects meshes and materials, each once, in a file that has a node for each mesh and no scene.

    Parameters
    ----------
    textures
        Packs the textures.
    """

    def __init__(self, textures: TexturePacker) -> None:
        self._textures = textures
        self._glb = GlbWriter()
        self._numbers: dict[object, int] = {}
        self._kept: list[object] = []  # objects whose identity is a key
        self._accessors: list[dict[str, Any]] = []
        self._nodes: list[dict[str, Any]] = []
        self._meshes: list[dict[str, Any]] = []
        self._materials: list[dict[str, Any]] = []
        self._images: list[dict[str, Any]] = []
        self._uncompressed = 0

    def mesh(self, mesh: TriangleMesh) -> int:
        """Return the number of the node of a mesh, at this level of detail."""
        key = ("mesh", id(mesh))
        if key not in self._numbers:
            self._kept.append(mesh)
            self._numbers[key] = len(self._nodes)
            self._add_mesh(mesh)
        return self._numbers[key]

    def material(self, material: MeshMaterial) -> int:
        """Return the number of a material."""
        return self._once(("material", material), lambda: self._material(material), self._materials)

    def finish(self) -> bytes:
        """Return the file."""
        document: dict[str, Any] = {
            "extensionsUsed": [_MESHOPT, _QUANTIZATION, TEXTURE_TRANSFORM],
            "extensionsRequired": [_MESHOPT, _QUANTIZATION],
        }
        parts = {
            "accessors": self._accessors,
            "nodes": self._nodes,
            "meshes": self._meshes,
            "materials": self._materials,
            "images": self._images,
            "textures": [{"source": number} for number in range(len(self._images))],
        }
        document |= {name: part for name, part in parts.items() if part}
        fallback = {"byteLength": self._uncompressed, "extensions": {_MESHOPT: {"fallback": True}}}
        return self._glb.finish(document, *([fallback] if self._uncompressed else []))

    def _once(self, key: object, record: Callable[[], dict[str, Any]], records: list[dict[str, Any]]) -> int:
        """Return the number of a record, which is made where it is met first."""
        if key not in self._numbers:
            made = record()
            self._numbers[key] = len(records)
            records.append(made)
        return self._numbers[key]

    def _add_mesh(self, mesh: TriangleMesh) -> None:
        low, high = mesh.bounds.astype(np.float64)
        # One scale for all axes: normals stay at right angles.
        size = max(float((high - low).max()), 1e-12)
        primitives = []
        for part in mesh.parts or (MeshPart(0, len(mesh.indices)),):
            triangles = mesh.indices[part.start : part.start + part.count]
            if not len(triangles):
                continue
            indices, used = encode_triangles(triangles)
            positions = np.rint((mesh.positions[used] - low) * (_STEPS / size)).astype(np.uint16)
            attributes = {"POSITION": self._attribute(positions, "VEC3", bounds=True)}
            if mesh.normals is not None:
                normals = np.rint(np.clip(mesh.normals[used], -1, 1) * 127).astype(np.int8)
                attributes["NORMAL"] = self._attribute(normals, "VEC3")
            if mesh.uvs is not None and part.material.albedo_map is not None:
                uvs = np.array([[0.0, 1.0]]) + mesh.uvs[used] * np.array([1.0, -1.0])
                uvs = np.rint(uvs * _TEXTURE_STEPS) / _TEXTURE_STEPS
                attributes["TEXCOORD_0"] = self._attribute(uvs.astype("<f4"), "VEC2")
            if mesh.colours is not None:
                colours = np.rint(linear(mesh.colours[used] / 255.0) * 65535).astype(np.uint16)
                attributes["COLOR_0"] = self._attribute(colours, "VEC3")
            width = np.dtype("<u2" if len(used) <= _STEPS else "<u4")
            view = self._compressed(indices, "TRIANGLES", triangles.size, width.itemsize)
            accessor = {"bufferView": view, "componentType": _COMPONENTS[width], "count": triangles.size}
            self._accessors.append(accessor | {"type": "SCALAR"})
            primitives.append(
                {
                    "attributes": attributes,
                    "indices": len(self._accessors) - 1,
                    "material": self.material(part.material),
                }
            )
        self._nodes.append({"mesh": len(self._meshes), "translation": low.tolist(), "scale": [size] * 3})
        self._meshes.append({"primitives": primitives})

    def _attribute(self, values: NDArray[Any], kind: str, *, bounds: bool = False) -> int:
        """Return the number of the accessor of an attribute (n, k); whole numbers are parts of the highest."""
        dtype = values.dtype
        size = values.shape[1] * dtype.itemsize
        padded = np.zeros((len(values), (size + 3) // 4 * 4 // dtype.itemsize), dtype)
        padded[:, : values.shape[1]] = values
        stride = padded.shape[1] * dtype.itemsize
        view = self._compressed(encode_attributes(padded), "ATTRIBUTES", len(values), stride, byteStride=stride)
        accessor: dict[str, Any] = {"bufferView": view, "count": len(values), "type": kind}
        if dtype.kind == "f":
            accessor["componentType"] = 5126
        else:
            accessor |= {"componentType": _COMPONENTS[dtype], "normalized": True}
        if bounds:
            accessor |= {"min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist()}
        self._accessors.append(accessor)
        return len(self._accessors) - 1

    def _compressed(self, data: bytes, mode: str, count: int, stride: int, **more: int) -> int:
        """Return the number of a view of compressed bytes."""
        extension = self._glb.place(data) | {"byteStride": stride, "count": count, "mode": mode}
        size = count * stride
        view = {"buffer": 1, "byteOffset": self._uncompressed, "byteLength": size, **more}
        self._uncompressed += size + -size % 4
        self._glb.views.append(view | {"extensions": {_MESHOPT: extension}})
        return len(self._glb.views) - 1

    def _material(self, material: MeshMaterial) -> dict[str, Any]:
        texture = None if material.albedo_map is None else self._texture(material.albedo_map)
        return material_record(material, texture)

    def _texture(self, source: Source) -> int | None:
        packed = self._textures.pack(source)
        if packed is None:
            return None
        kind, data = packed
        return self._once(
            ("texture", source), lambda: {"bufferView": self._glb.view(data), "mimeType": kind}, self._images
        )
