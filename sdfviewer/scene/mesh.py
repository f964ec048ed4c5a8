"""Triangle meshes and materials as plain arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_DIRECTIONS = np.array([d for d in product((-1, 0, 1), repeat=3) if any(d)], np.float32)
_DIRECTIONS /= np.linalg.norm(_DIRECTIONS, axis=1, keepdims=True)
_MOST_FOR_OUTLINE = 100_000

Rgba = tuple[float, float, float, float]


@dataclass(frozen=True)
class MeshMaterial:
    """How a surface answers to light; colours are RGBA in 0..1, sRGB as SDFormat files write them.

    A texture is named by its file, or held as the encoded bytes of one (glTF embeds them).
    """

    diffuse: Rgba = (0.7, 0.7, 0.7, 1.0)
    ambient: Rgba | None = None
    specular: Rgba = (0.0, 0.0, 0.0, 1.0)
    emissive: Rgba = (0.0, 0.0, 0.0, 1.0)
    shininess: float = 0.0
    metalness: float = 0.0
    roughness: float = 0.6
    transparency: float = 0.0
    albedo_map: Path | bytes | None = None
    normal_map: Path | bytes | None = None
    """Which way the surface leans at each point, in its own tangents; green is up."""
    texture_scale: tuple[float, float] = (1.0, 1.0)
    texture_offset: tuple[float, float] = (0.0, 0.0)
    """Where the maps lie: at the mesh's texture coordinates times the scale, plus the offset."""
    double_sided: bool = False
    alpha_cutout: bool = False
    """True where the alpha of `albedo_map` cuts holes (leaves, grids) instead of blending."""
    hatched: bool = False
    """Whether only stripes are drawn, as of what is shown in place of something else."""

    @property
    def opacity(self) -> float:
        """The alpha to draw with: diffuse alpha times what `<transparency>` leaves."""
        return self.diffuse[3] * (1.0 - self.transparency)


@dataclass(frozen=True)
class MeshPart:
    """A run of triangles of one material: rows `start : start + count` of `TriangleMesh.indices`."""

    start: int
    count: int
    material: MeshMaterial = field(default_factory=MeshMaterial)
    name: str = ""


@dataclass(frozen=True, eq=False)
class TriangleMesh:
    """Triangles in metres, in the frame of the visual or collision that shows them.

    Parameters
    ----------
    positions : (n, 3) float32
    normals : (n, 3) float32 or None
        None asks for flat shading; the shader then derives normals from the surface.
    uvs : (n, 2) float32 or None
        The origin is the lower left corner of the picture.
    indices : (m, 3) uint32
        Counter-clockwise seen from outside.
    parts : tuple of MeshPart
        Empty means one part over all triangles with the default material.
    colours : (n, 3) uint8 or None
        sRGB of each vertex, multiplied with the diffuse colours of the parts.
    """

    positions: NDArray[np.float32]
    normals: NDArray[np.float32] | None
    uvs: NDArray[np.float32] | None
    indices: NDArray[np.uint32]
    parts: tuple[MeshPart, ...] = ()
    coarse: TriangleMesh | None = None
    """The same shape with far fewer triangles, part for part: for crowds that are small on screen, and for heavy meshes
    while something moves. It may have a coarse version itself, for crowds of specks."""
    colours: NDArray[np.uint8] | None = None
    solid: bool = False
    """Whether it is known to be made of closed shells that face outwards: `solid.is_solid`."""
    casts_shadow: bool = True
    """Whether it shows what the file names: a placeholder throws no shadow."""

    @cached_property
    def bounds(self) -> NDArray[np.float32]:
        """Lowest and highest corner of the axis-aligned box around all vertices, (2, 3)."""
        if len(self.positions) == 0:
            return np.zeros((2, 3), np.float32)
        return np.stack([self.positions.min(axis=0), self.positions.max(axis=0)])

    @cached_property
    def outermost(self) -> NDArray[np.float32]:
        """Vertices (26, 3) that reach farthest along the axes and the diagonals between them: a tight outline."""
        if len(self.positions) == 0:
            return np.zeros((len(_DIRECTIONS), 3), np.float32)
        # Of very many vertices, a sample gives the outline.
        some = self.positions[:: 1 + len(self.positions) // _MOST_FOR_OUTLINE]
        return np.asarray(some[np.argmax(some @ _DIRECTIONS.T, axis=0)])

    @property
    def levels(self) -> tuple[TriangleMesh, ...]:
        """The mesh, its coarse version, the coarse version of that, and so on."""
        return (self,) if self.coarse is None else (self, *self.coarse.levels)

    def at_all_levels(self, change: Callable[[TriangleMesh], TriangleMesh]) -> TriangleMesh:
        """Return the mesh with a change made to it and to its coarse versions; the change makes meshes without any."""
        coarse = None if self.coarse is None else self.coarse.at_all_levels(change)
        return replace(change(self), coarse=coarse)

    @property
    def nbytes(self) -> int:
        """Bytes held by the arrays."""
        arrays = (self.positions, self.normals, self.uvs, self.indices, self.colours)
        own = sum(array.nbytes for array in arrays if array is not None)
        return own if self.coarse is None else own + self.coarse.nbytes
