"""The meshes, materials and textures of a scene, packed small for a page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final

import numpy as np

from sdfviewer.scene.materials.textures import Source, TextureError, open_picture
from sdfviewer.scene.mesh import MeshMaterial, MeshPart, TriangleMesh
from sdfviewer.scene.nodes import Layer, MeshInstance

#: Steps that a coordinate of a vertex has between the lowest and the highest of its mesh.
_STEPS: Final = 65535
#: Longest edge of a texture in pixels.
_TEXTURE_EDGE: Final = 1024
_JPEG_QUALITY: Final = 85
_LAYERS: Final = tuple(Layer)


@dataclass
class SurfacePacker:
    """Collects what surfaces are drawn with, each mesh, material and texture once.

    Attributes
    ----------
    meshes, materials, textures
        The records of the page.
    """

    meshes: list[dict[str, Any]] = field(default_factory=list)
    materials: list[dict[str, Any]] = field(default_factory=list)
    textures: list[dict[str, Any]] = field(default_factory=list)
    _numbers: dict[object, int] = field(default_factory=dict)
    _kept: list[object] = field(default_factory=list)  # objects whose identity is a key

    def surfaces(self, instances: Iterable[MeshInstance], coarser: int = 0) -> dict[str, Any]:
        """Return the columns of surfaces for a page.

        Parameters
        ----------
        instances
            The surfaces.
        coarser
            How many levels coarser than written meshes are, where they have coarser versions.
        """
        shown = [each for each in instances if len(each.mesh.indices)]
        offset = [number for number, each in enumerate(shown) if each.X_RowG is not None]
        return {
            "rows": np.array([each.row for each in shown], np.int32),
            "scales": np.array([each.scale for each in shown], np.float64).reshape(-1, 3),
            "layers": np.array([_LAYERS.index(each.layer) for each in shown], np.uint8),
            "meshes": np.array([self._mesh(each.mesh, coarser) for each in shown], np.int32),
            "materials": np.array(
                [-1 if each.material is None else self._material(each.material) for each in shown], np.int32
            ),
            "offset": np.array(offset, np.int32),
            "X_RowG": np.array([shown[number].X_RowG for number in offset], np.float64).reshape(-1, 4, 4),
        }

    def _once(self, key: object, record: Any, records: list[dict[str, Any]], kept: object = None) -> int:
        """Return the number of a record, which is made where it is met first."""
        number = self._numbers.get(key)
        if number is None:
            made = record()
            number = self._numbers[key] = len(records)
            records.append(made)
            self._kept.append(kept)
        return number

    def _mesh(self, mesh: TriangleMesh, coarser: int) -> int:
        level = mesh.levels[min(coarser, len(mesh.levels) - 1)]
        return self._once(("mesh", id(level)), lambda: self._packed(level), self.meshes, level)

    def _packed(self, mesh: TriangleMesh) -> dict[str, Any]:
        positions = np.asarray(mesh.positions, np.float64)
        low, high = mesh.bounds.astype(np.float64)
        steps = np.where(high > low, _STEPS / np.maximum(high - low, 1e-300), 0.0)
        parts = mesh.parts or (MeshPart(0, len(mesh.indices)),)
        has_maps = any(part.material.albedo_map is not None for part in parts)
        packed: dict[str, Any] = {
            "low": low,
            "size": high - low,
            "positions": np.rint((positions - low) * steps).astype(np.uint16),
            "indices": mesh.indices.astype(np.uint16 if len(positions) <= _STEPS else np.uint32),
            "parts": [[part.start, part.count, self._material(part.material)] for part in parts],
        }
        if mesh.normals is not None:
            packed["normals"] = np.rint(np.clip(mesh.normals, -1, 1) * 127).astype(np.int8)
        if mesh.uvs is not None and has_maps:
            packed["uvs"] = np.asarray(mesh.uvs, np.float32)
        if mesh.colours is not None:
            packed["colours"] = mesh.colours
        return packed

    def _material(self, material: MeshMaterial) -> int:
        def record() -> dict[str, Any]:
            return {
                "diffuse": [*material.diffuse[:3], material.opacity],
                "emissive": list(material.emissive[:3]),
                "roughness": material.roughness,
                "metalness": material.metalness,
                "double": material.double_sided,
                "cutout": material.alpha_cutout,
                "map": self._texture(material.albedo_map),
                "repeat": [*material.texture_scale, *material.texture_offset],
            }

        return self._once(("material", material), record, self.materials)

    def _texture(self, source: Source | None) -> int:
        if source is None:
            return -1
        key = ("texture", source)
        if key not in self._numbers:
            try:
                picture = open_picture(source, _TEXTURE_EDGE)
            except TextureError:
                self._numbers[key] = -1  # the scene has reported it
            else:
                stream = BytesIO()
                is_clear = picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info
                if is_clear:
                    picture.convert("RGBA").save(stream, "PNG", optimize=True)
                else:
                    picture.convert("RGB").save(stream, "JPEG", quality=_JPEG_QUALITY)
                kind = "image/png" if is_clear else "image/jpeg"
                self._numbers[key] = len(self.textures)
                self.textures.append({"type": kind, "data": stream.getvalue()})
        return self._numbers[key]
