"""Which surfaces are drawn with one call: those that share mesh part and skin; the triangles of meshes on the GPU."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdfviewer.render.gl.buffers import Buffer, VertexArray
from sdfviewer.render.gl.gl import GL, glBindVertexArray
from sdfviewer.render.surface_programs import Skin, skin_of
from sdfviewer.scene.mesh import MeshMaterial, MeshPart, TriangleMesh
from sdfviewer.scene.scene import SurfaceArrays
from sdfviewer.scene.solid import HEAVY

CROWD = 32
"""Number of surfaces from which on a batch is sorted for each image: outside of it, small, large."""
COARSE = (28.0, 2.5)
"""Radius in pixels below which the coarse mesh will do, and below which the coarse mesh of that, a speck, will do."""
_OPAQUE = 0.999
"""From which opacity on a material hides what is behind it."""


@dataclass
class Batch:
    """One draw call: a part of a mesh in one skin, for one run of records."""

    mesh: TriangleMesh
    start: int
    count: int
    skin: Skin
    blended: bool
    surfaces: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, np.intp))
    """The numbers of its surfaces."""
    materials: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, np.intp))
    """What each of them is made of, as a number in the materials of all batches."""
    record: int = 0
    """Where its surfaces' records start."""
    first: int = 0
    """Where its run of slots in the buffers starts."""
    instances: int = 0
    """How many of the surfaces are drawn: all, or of a crowd those that are in the picture."""
    casters: int = 0
    """How many of them, in the picture or not, throw shadows."""
    coarse: list[Batch] = field(default_factory=list)
    """Draw those of a crowd that are small in the picture, the smallest last, and what is heavy in a draft."""
    vertex_array: VertexArray | None = None
    solid: bool = False
    """Whether no back face of its surfaces is visible from outside."""
    closed: bool = False
    """Whether the nearest face that is met from outside is always a front face, be it see-through or not."""
    fine: Batch | None = None
    """Draws the same in full."""

    @property
    def is_crowd(self) -> bool:
        """Whether it has so many surfaces that they are sorted for each picture."""
        return len(self.surfaces) >= CROWD

    @property
    def heavy(self) -> bool:
        """Whether the mesh is too large for a processor to draw it in full while something moves."""
        return len(self.mesh.indices) >= HEAVY

    def with_coarse_meshes(self) -> list[Batch]:
        """Return the same draw call with each coarse version of the mesh."""
        return [self._with_mesh(small) for small in self.mesh.levels[1 : len(COARSE) + 1]]

    def _with_mesh(self, small: TriangleMesh) -> Batch:
        start, count = 0, len(small.indices)
        if self.count != len(self.mesh.indices):
            places = [(part.start, part.count) for part in self.mesh.parts]
            part = small.parts[places.index((self.start, self.count))]
            start, count = part.start, part.count
        solid, closed = self.solid and small.solid, self.closed and small.solid
        return replace(self, mesh=small, start=start, count=count, solid=solid, closed=closed, fine=self)


def make_batches(arrays: SurfaceArrays, blend_all: bool) -> tuple[list[Batch], list[MeshMaterial]]:
    """Return the draw calls for some surfaces, and their materials: what shares mesh part and skin shares one call.

    What is blended is drawn back to front, each surface by itself, unless it is a crowd.
    """
    batches: dict[tuple[object, ...], Batch] = {}
    members: dict[tuple[object, ...], list[tuple[int, int]]] = {}
    materials: list[MeshMaterial] = []
    for style, (mesh, replacing) in enumerate(arrays.styles):
        parts = mesh.parts
        if replacing is not None or not parts:
            parts = (MeshPart(0, len(mesh.indices)),)
        hides_inside = _hides_its_inside(mesh, replacing)
        for part in parts:
            material = replacing or part.material
            skin = skin_of(mesh, material, own=replacing is None)
            blended = blend_all or material.opacity < _OPAQUE
            key = (id(mesh), part.start, part.count, skin, blended)
            solid = mesh.solid
            batch = batches.setdefault(
                key, Batch(mesh, part.start, part.count, skin, blended, closed=solid, solid=solid)
            )
            batch.solid &= hides_inside and not blended
            members.setdefault(key, []).append((style, len(materials)))
            materials.append(material)
    mirrored = arrays.scales.prod(axis=1) <= 0
    counts = np.bincount(arrays.style_numbers, minlength=len(arrays.styles))
    surfaces_of = np.split(np.argsort(arrays.style_numbers, kind="stable"), np.cumsum(counts)[:-1])
    for which, batch in batches.items():
        surfaces = np.concatenate([surfaces_of[style] for style, _ in members[which]])
        numbers = np.concatenate([np.full(counts[style], material) for style, material in members[which]])
        in_order = np.argsort(surfaces)
        batch.surfaces, batch.materials = surfaces[in_order], numbers[in_order]
        batch.closed &= not bool(mirrored[surfaces].any())
        batch.solid &= batch.closed
    each = [single for batch in batches.values() for single in ([batch] if _stays_whole(batch) else _apart(batch))]
    # Opaque surfaces first, with few texture changes.
    return sorted(each, key=lambda b: (b.blended, b.skin.cutout, str(b.skin.texture or ""))), materials


def _stays_whole(batch: Batch) -> bool:
    return not batch.blended or batch.is_crowd


def _apart(batch: Batch) -> list[Batch]:
    """Return a draw call for each surface of a batch."""
    pairs = zip(batch.surfaces.reshape(-1, 1), batch.materials.reshape(-1, 1), strict=True)
    return [replace(batch, surfaces=surface, materials=material) for surface, material in pairs]


def _hides_its_inside(mesh: TriangleMesh, replacing: MeshMaterial | None) -> bool:
    """Return whether a solid mesh shows only its outside unless it is mirrored: nothing is see-through."""
    materials = [part.material for part in mesh.parts] if replacing is None else [replacing]
    return not any(each.opacity < _OPAQUE or each.alpha_cutout or each.hatched for each in materials)


_VERTEX = [("position", np.float32, 3), ("normal", np.float32, 3), ("uv", np.float32, 2)]
_PLAIN, _PAINTED = np.dtype(_VERTEX), np.dtype([*_VERTEX, ("paint", np.uint8, 4)])


def vertex_layout(mesh: TriangleMesh) -> np.dtype[Any]:
    """Return the structured dtype in which the vertices of a mesh lie in their buffer."""
    return _PLAIN if mesh.colours is None else _PAINTED


class MeshStore:
    """The vertices of meshes on the GPU, kept while a scene shows them."""

    def __init__(self) -> None:
        self._meshes: dict[int, tuple[TriangleMesh, Buffer, Buffer]] = {}

    def buffers(self, mesh: TriangleMesh) -> tuple[Buffer, Buffer]:
        """Return the vertex and index buffers of a mesh, uploaded on first use."""
        entry = self._meshes.get(id(mesh))
        if entry is None:
            packed = np.zeros(len(mesh.positions), vertex_layout(mesh))
            packed["position"] = mesh.positions
            if mesh.normals is not None:
                packed["normal"] = mesh.normals
            if mesh.uvs is not None:
                packed["uv"] = mesh.uvs
            if mesh.colours is not None:
                packed["paint"][:, :3] = mesh.colours
            vertices, indices = Buffer(), Buffer(GL.GL_ELEMENT_ARRAY_BUFFER)
            # An index upload would change the vertex array that happens to be bound.
            glBindVertexArray(0)
            vertices.upload(packed)
            indices.upload(mesh.indices)
            # Keep the mesh, so that no other mesh gets the same id().
            entry = self._meshes[id(mesh)] = (mesh, vertices, indices)
        return entry[1], entry[2]

    def keep(self, meshes: Iterable[TriangleMesh]) -> None:
        """Drop all other meshes."""
        wanted = {id(each) for mesh in meshes for each in mesh.levels}
        for key in self._meshes.keys() - wanted:
            _, vertices, indices = self._meshes.pop(key)
            vertices.release()
            indices.release()

    def release(self) -> None:
        """Delete everything."""
        self.keep(())
