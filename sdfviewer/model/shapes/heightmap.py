"""Ground from an image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sdfviewer.document.element import Element
from sdfviewer.model.shapes.kind import (
    ONES,
    FileGeometry,
    Geometry,
    ShapeKind,
    Size,
    Vector,
    finite_number,
    three_numbers,
)

_NOTHING: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class HeightmapTexture:
    """A texture of a heightmap; ``size`` is how many metres it covers before it repeats."""

    diffuse: str
    normal: str = ""
    size: float = 10.0


@dataclass(frozen=True, slots=True)
class Heightmap(FileGeometry):
    """Ground whose height a picture gives; ``size`` along x, y, z, moved to ``position``."""

    size: Vector = ONES
    position: Vector = _NOTHING
    textures: tuple[HeightmapTexture, ...] = ()


class HeightmapKind(ShapeKind[Heightmap]):
    """What is known of heightmaps."""

    record = Heightmap
    rank = 90
    sizes = (
        Size("uri", "Greyscale image whose brightness is the height.", "", "heightmap.png"),
        Size("size", "Lengths along x and y, and height of white."),
        Size("pos", "Position of the centre of the map.", label="position"),
    )

    def from_sdformat(self, elements: Sequence[Element], file: Path | None) -> Heightmap:
        """Return the heightmap of an element."""
        heightmap = elements[0]
        textures = tuple(
            HeightmapTexture(
                texture.text_of("diffuse"), texture.text_of("normal"), finite_number(texture, "size", 10.0) or 10.0
            )
            for texture in heightmap.findall("texture")
        )
        return Heightmap(
            uri=heightmap.text_of("uri"),
            file=file,
            size=three_numbers(heightmap, "size", ONES),
            position=three_numbers(heightmap, "pos", _NOTHING),
            textures=textures,
            element=heightmap,
        )

    def drawn(self, geometry: Heightmap) -> tuple[Geometry, Vector]:
        """Return the heightmap with its first texture, the only one that is drawn."""
        textures = tuple(texture for texture in geometry.textures[:1] if texture.diffuse)
        return replace(geometry, textures=textures, element=None), ONES


SHAPE = HeightmapKind()
