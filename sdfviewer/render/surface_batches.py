"""Which surfaces are drawn with one call, those that share mesh part and skin, and by which variant of the shader."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdfviewer.render.gl import GL, glBindVertexArray
from sdfviewer.render.gl_objects import Buffer, Program, VertexArray
from sdfviewer.render.textures import ALBEDO, NORMAL_MAP, SHADOW_MAP, Key, TextureStore, bind_texture, texture_key
from sdfviewer.scene.mesh import MeshMaterial, MeshPart, TriangleMesh
from sdfviewer.scene.scene import SurfaceArrays
from sdfviewer.scene.solid import HEAVY


@dataclass(frozen=True)
class Skin:
    """What the surfaces of one draw call share beside their mesh.

    Attributes
    ----------
    texture, normal_map
        Pictures by their keys.
    scale, offset
        What takes texture coordinates to the place in these pictures.
    cutout
        Whether the texture's alpha cuts holes.
    painted
        Whether the vertices have colours of their own.
    flat
        Whether normals come from the triangles.
    hatched
        Whether only stripes are drawn.
    """

    texture: Key | None
    normal_map: Key | None
    scale: tuple[float, float]
    offset: tuple[float, float]
    cutout: bool
    painted: bool
    flat: bool
    hatched: bool


def skin_of(mesh: TriangleMesh, material: MeshMaterial, *, own: bool) -> Skin:
    """Return the skin of a mesh with a material; only with its `own` one do the colours of its vertices count."""
    maps = (material.albedo_map, material.normal_map) if mesh.uvs is not None else (None, None)
    texture, normal_map = (None if source is None else texture_key(source) for source in maps)
    return Skin(
        texture,
        normal_map,
        material.texture_scale,
        material.texture_offset,
        material.alpha_cutout,
        own and mesh.colours is not None,
        mesh.normals is None,
        material.hatched,
    )


class SurfacePrograms:
    """Compiles each variant when a surface first needs it, and makes it ready for the surface."""

    def __init__(self) -> None:
        self._programs: dict[tuple[int, ...], Program] = {}
        self._taps, self._draft = 0, False
        self._opacity = 1.0
        self._current: Program | None = None
        self._bound: dict[int, int] = {}

    def choose(self, taps: int, opacity: float, *, draft: bool = False) -> None:
        """Read the shadow map `taps` times a pixel (0, 1 or 4) from now on, and multiply opacities.

        A `draft` without shadows is lit once a vertex.
        """
        self._taps, self._opacity, self._draft = taps, opacity, draft and not taps

    def start(self) -> None:
        """Forget which program and textures are current: others have drawn since."""
        self._current, self._bound = None, {}

    def use(self, skin: Skin, textures: TextureStore) -> None:
        """Make the variant for a skin current with its pictures, as far as they are loaded."""
        albedo = textures.texture(skin.texture) if skin.texture is not None else 0
        # A draft is lit at the vertices, for speed.
        relief = 0 if self._draft or skin.normal_map is None else textures.texture(skin.normal_map)
        program = self._variant(albedo > 0, relief > 0, skin.painted, skin.flat, skin.hatched)
        if program is not self._current:
            self._current = program
            program.use(opacity=self._opacity)
        if albedo:
            program.set("cutout", skin.cutout)
            self._bind(ALBEDO, albedo)
        if relief:
            self._bind(NORMAL_MAP, relief)
        if albedo or relief:
            program.set("texture_scale", skin.scale)
            program.set("texture_offset", skin.offset)

    def _bind(self, unit: int, texture: int) -> None:
        if self._bound.get(unit) != texture:
            self._bound[unit] = texture
            bind_texture(unit, texture)

    def _variant(self, textured: bool, relief: bool, painted: bool, flat: bool, hatched: bool) -> Program:
        key = (textured, relief, painted, flat, hatched, self._taps, self._draft)
        program = self._programs.get(key)
        if program is None:
            files = ("draft.vert", "draft.frag") if self._draft else ("mesh.vert", "mesh.frag")
            program = Program(
                *files,
                TEXTURED=int(textured),
                NORMAL_MAPPED=int(relief),
                PAINTED=int(painted),
                FLAT_SHADED=int(flat),
                HATCHED=int(hatched),
                SHADOW_TAPS=self._taps,
            )
            program.use(albedo=ALBEDO, shadow_map=SHADOW_MAP, normal_map=NORMAL_MAP)
            self._programs[key] = program
        return program

    def release(self) -> None:
        """Delete all variants."""
        for program in self._programs.values():
            program.release()
        self._programs = {}


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
