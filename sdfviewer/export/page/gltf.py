"""The meshes, materials and textures of a page as one binary glTF file, compressed with meshopt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sdfviewer.export.glb import TEXTURE_TRANSFORM, GlbWriter, material_record
from sdfviewer.export.page.meshopt import encode_attributes, encode_triangles
from sdfviewer.scene.materials.textures import Source, TextureError, open_picture
from sdfviewer.scene.mesh import MeshMaterial, MeshPart, TriangleMesh
from sdfviewer.scene.meshes.gltf_materials import linear

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
