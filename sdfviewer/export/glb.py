"""Binary glTF: a JSON document and one block of bytes that its views show."""

from __future__ import annotations

import json
import struct
from typing import Any, Final

from sdfviewer.scene.mesh import MeshMaterial
from sdfviewer.scene.meshes.gltf_materials import linear

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
