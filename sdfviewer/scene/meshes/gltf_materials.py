"""Materials and textures of a glTF file, including embedded ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.materials.textures import TextureError, open_picture
from sdfviewer.scene.mesh import MeshMaterial, Rgba
from sdfviewer.scene.meshes.piece import Floats
from sdfviewer.scene.meshes.side_files import SideFiles, data_of

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
