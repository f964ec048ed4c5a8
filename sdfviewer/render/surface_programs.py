"""Variants of the surface shader; fewer branches speed up software rendering."""

from __future__ import annotations

from dataclasses import dataclass

from sdfviewer.render.gl.program import Program
from sdfviewer.render.textures import ALBEDO, NORMAL_MAP, SHADOW_MAP, Key, TextureStore, bind_texture, texture_key
from sdfviewer.scene.mesh import MeshMaterial, TriangleMesh


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
