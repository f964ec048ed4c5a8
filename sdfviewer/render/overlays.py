"""What lies over or under the scene: background, grid, outline of the selection, labels, view cube."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdfviewer.render.buffers import Buffer, VertexArray
from sdfviewer.render.framebuffer import TextureTarget
from sdfviewer.render.gl import GL, glBindVertexArray, glDrawArraysInstanced
from sdfviewer.render.program import Program
from sdfviewer.render.shadow import ShadowPass
from sdfviewer.render.surfaces import Surfaces
from sdfviewer.render.text import Atlas, face_pictures
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.grid import Grid
from sdfviewer.scene.palette import TOKENS
from sdfviewer.scene.view_cube import FACES, cube_mesh, cube_projection, cube_rectangle

_QUAD = np.dtype([("place", np.float32, 4), ("source", np.float32, 4), ("depth", np.float32, 1), ("tone", np.uint8, 4)])
_CORNER2 = np.dtype([("corner", np.float32, 2)])
_CUBE = np.dtype(
    [("position", np.float32, 3), ("normal", np.float32, 3), ("uv", np.float32, 3), ("region", np.float32, 1)]
)
_FACE_TEXELS = 128

Colours = NDArray[np.float32]


def _square(low: float) -> NDArray[np.float32]:
    return np.array([(low, low), (1, low), (1, 1), (low, low), (1, 1), (low, 1)], np.float32)


def _texture(pixels: NDArray[np.uint8], mipmaps: bool) -> int:
    """Return a one-channel texture."""
    handle = int(GL.glGenTextures(1))
    GL.glBindTexture(GL.GL_TEXTURE_2D, handle)
    GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
    height, width = pixels.shape
    GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, GL.GL_R8, width, height, 0, GL.GL_RED, GL.GL_UNSIGNED_BYTE, pixels)
    # Qt's painter expects to find the default.
    GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 4)
    smooth = GL.GL_LINEAR_MIPMAP_LINEAR if mipmaps else GL.GL_NEAREST
    if mipmaps:
        GL.glGenerateMipmap(GL.GL_TEXTURE_2D)
    GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MIN_FILTER, smooth)
    GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MAG_FILTER, GL.GL_LINEAR if mipmaps else GL.GL_NEAREST)
    return handle


class ScreenPasses:
    """What covers the whole picture: the background below the scene, the outline of the selection over it."""

    def __init__(self) -> None:
        self._array = VertexArray()
        self._background = Program("screen.vert", "background.frag")
        self._outline = Program("screen.vert", "outline.frag")
        self._mask_program = Program("mask.vert", "mask.frag")
        self._mask = TextureTarget(depth=False)

    def draw_background(self, colours: Colours) -> None:
        """Fill the picture with the theme's gradient."""
        GL.glDisable(GL.GL_DEPTH_TEST)
        self._background.use(
            top=colours[TOKENS.index("background_top")], bottom=colours[TOKENS.index("background_bottom")]
        )
        glBindVertexArray(self._array.handle)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def draw_mask(self, surfaces: Surfaces, width: int, height: int) -> bool:
        """Draw what is marked into the mask, whatever lies in front of it; False if nothing is."""
        self._mask.bind(width, height)
        GL.glClearColor(0, 0, 0, 0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        GL.glDisable(GL.GL_DEPTH_TEST)
        self._mask_program.use()
        # The larger value stays: a hovered part of a selected body is both.
        GL.glBlendEquation(GL.GL_MAX)
        anything = surfaces.draw_marked()
        GL.glBlendEquation(GL.GL_FUNC_ADD)
        GL.glEnable(GL.GL_DEPTH_TEST)
        return anything

    def draw_outline(self, colours: Colours, ratio: float) -> None:
        """Draw a line around what the mask holds."""
        GL.glDisable(GL.GL_DEPTH_TEST)
        self._outline.use(
            selection=colours[TOKENS.index("selection")], hover=colours[TOKENS.index("hover")], width=2.0 * ratio
        )
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._mask.texture)
        glBindVertexArray(self._array.handle)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def release(self) -> None:
        """Delete all GPU objects."""
        self._array.release()
        for program in (self._background, self._outline, self._mask_program):
            program.release()
        self._mask.release()


class GridPass:
    """The ground grid, and the shadow of the scene on it."""

    def __init__(self) -> None:
        self._array, self._shape = VertexArray(), Buffer()
        self._shape.upload(_square(-1.0))
        self._array.attach(self._shape, _CORNER2)
        self._program = Program("grid.vert", "grid.frag")
        self._shadow_program = Program("grid.vert", "ground_shadow.frag", SHADOW_TAPS=1)
        self._soft_shadow_program = Program("grid.vert", "ground_shadow.frag", SHADOW_TAPS=4)

    def draw_shadow(self, shadow: ShadowPass, soft: bool) -> None:
        """Draw the scene's shadow on the ground, before the scene: a ground plane of the scene's own has its own.

        Only the square around the scene that the shadow map covers is looked at.
        """
        shadow.bind_texture(1)
        x, y, reach = shadow.ground
        program = self._soft_shadow_program if soft else self._shadow_program
        program.use(shadow_map=1, centre=np.array([x, y], np.float32), extent=reach)
        self._draw()

    def draw_lines(self, grid: Grid, colours: Colours) -> None:
        """Draw the lines over the opaque surfaces; what lies below the ground shines through."""
        self._program.use(
            centre=np.array(grid.centre, np.float32),
            spacing=grid.spacing,
            extent=grid.extent,
            fade_minor=grid.fade_minor,
            minor_tone=colours[TOKENS.index("grid")],
            major_tone=colours[TOKENS.index("grid_major")],
            axis_tones=np.array([(0.86, 0.33, 0.35), (0.36, 0.66, 0.30)], np.float32),
        )
        self._draw()

    def _draw(self) -> None:
        GL.glDepthMask(False)
        glBindVertexArray(self._array.handle)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 6)
        GL.glDepthMask(True)

    def release(self) -> None:
        """Delete all GPU objects."""
        self._array.release()
        self._shape.release()
        self._program.release()
        self._shadow_program.release()
        self._soft_shadow_program.release()


@dataclass(frozen=True)
class PlacedText:
    """One text in the picture: its upper left corner in device pixels, and its colour as 0..1."""

    text: str
    x: float
    y: float
    tone: tuple[float, float, float]
    plate: tuple[float, float, float, float] | None = None
    """Colour and opacity of the plate behind it."""
    stripe: tuple[float, float, float] | None = None
    """Colour of the stripe at its left end, which tells the kind."""
    depth: float = -1.0
    """Where it lies between near (-1) and far (1); nearer surfaces hide it."""


class TextPass:
    """Texts from an atlas, with plates behind them."""

    def __init__(self) -> None:
        self._array, self._shape, self._quads = VertexArray(), Buffer(), Buffer()
        self._shape.upload(_square(0.0))
        self._quads.upload(np.zeros(1, _QUAD))
        self._array.attach(self._shape, _CORNER2)
        self._array.attach(self._quads, _QUAD, per_instance=True)
        self._program = Program("label.vert", "label.frag")
        self._atlases: dict[int, Atlas] = {}
        self._texture, self._shown = 0, (0, -1)

    def atlas(self, ratio: float) -> Atlas:
        """Return the atlas whose glyphs suit a pixel ratio."""
        size = max(8, round(11.5 * ratio))
        atlas = self._atlases.get(size)
        if atlas is None:
            atlas = self._atlases[size] = Atlas(size)
        return atlas

    @staticmethod
    def padding(ratio: float) -> tuple[float, float]:
        """Return the space between a text and the edge of its plate, in device pixels."""
        return 6.0 * ratio, 2.0 * ratio

    def size(self, text: str, ratio: float) -> tuple[float, float]:
        """Return width and height of a text on its plate, in device pixels."""
        atlas = self.atlas(ratio)
        pad_x, pad_y = self.padding(ratio)
        return atlas.line(text)[2] + 2 * pad_x + 2 * ratio, atlas.line_height + 2 * pad_y

    def draw(self, texts: list[PlacedText], ratio: float) -> None:
        """Draw all texts: first all plates, then all letters."""
        if not texts:
            return
        atlas = self.atlas(ratio)
        pad_x, pad_y = self.padding(ratio)
        lines = [atlas.line(item.text) for item in texts]
        plates: list[tuple[tuple[float, ...], tuple[float, ...], float, tuple[float, ...]]] = []
        for item in texts:
            width, height = self.size(item.text, ratio)
            if item.plate is not None:
                plates.append(((item.x, item.y, width, height), (-3.5 * ratio, 0, 0, 0), item.depth, item.plate))
            if item.stripe is not None:
                bar = (item.x + 2.5 * ratio, item.y + 3 * ratio, 2.5 * ratio, height - 6 * ratio)
                plates.append((bar, (-1.2 * ratio, 0, 0, 0), item.depth, (*item.stripe, 1.0)))
        counts = [len(line[0]) for line in lines]
        quads = np.zeros(len(plates) + sum(counts), _QUAD)
        for k, (place, source, depth, tone) in enumerate(plates):
            quads[k] = (place, source, (depth,), tuple(round(value * 255) for value in tone))
        letters = quads[len(plates) :]
        corner = np.repeat(
            [(round(item.x + pad_x + 2 * ratio), round(item.y + pad_y)) for item in texts], counts, axis=0
        )
        letters["place"] = np.concatenate([line[0] for line in lines])
        letters["place"][:, :2] += corner
        height, width = atlas.pixels.shape
        letters["source"] = np.concatenate([line[1] for line in lines]) / (width, height, width, height)
        letters["depth"][:, 0] = np.repeat([item.depth for item in texts], counts)
        tones = np.array([(*item.tone, 1.0) for item in texts])
        letters["tone"] = np.repeat((tones * 255 + 0.5).astype(np.uint8), counts, axis=0)
        self._quads.upload(quads)
        if self._shown != (atlas.size, atlas.version):
            if self._texture:
                GL.glDeleteTextures(1, [self._texture])
            self._texture, self._shown = _texture(atlas.pixels, mipmaps=False), (atlas.size, atlas.version)
        self._program.use()
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._texture)
        GL.glDepthFunc(GL.GL_LEQUAL)
        GL.glDepthMask(False)
        glBindVertexArray(self._array.handle)
        glDrawArraysInstanced(GL.GL_TRIANGLES, 0, 6, len(quads))
        GL.glDepthMask(True)
        GL.glDepthFunc(GL.GL_LESS)

    def release(self) -> None:
        """Delete all GPU objects."""
        self._array.release()
        self._shape.release()
        self._quads.release()
        self._program.release()
        if self._texture:
            GL.glDeleteTextures(1, [self._texture])


class CubePass:
    """The view cube in the upper right corner."""

    def __init__(self) -> None:
        mesh = cube_mesh()
        records = np.zeros(len(mesh.positions), _CUBE)
        records["position"], records["normal"], records["uv"] = mesh.positions, mesh.normals, mesh.uvs
        records["region"][:, 0] = mesh.regions
        self._array, self._vertices = VertexArray(), Buffer()
        self._vertices.upload(records)
        self._array.attach(self._vertices, _CUBE)
        self._count = len(records)
        self._program = Program("cube.vert", "cube.frag")
        self._texture = _texture(face_pictures(FACES, _FACE_TEXELS), mipmaps=True)

    def draw(
        self, camera: Camera, width: int, height: int, ratio: float, colours: Colours, hovered: int | None
    ) -> None:
        """Draw the cube as the camera sees the world; leaves the viewport changed."""
        left, top, side = cube_rectangle(width, ratio)
        GL.glViewport(round(left), round(height - top - side), round(side), round(side))
        GL.glClear(GL.GL_DEPTH_BUFFER_BIT)
        self._program.use(
            cube_to_clip=cube_projection(camera).astype(np.float32),
            cube_to_camera=camera.axes.astype(np.float32),
            hovered=float(-1 if hovered is None else hovered),
            face=colours[TOKENS.index("cube_face")],
            text=colours[TOKENS.index("cube_text")],
            highlight=colours[TOKENS.index("selection")],
        )
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._texture)
        glBindVertexArray(self._array.handle)
        GL.glEnable(GL.GL_CULL_FACE)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, self._count)
        GL.glDisable(GL.GL_CULL_FACE)
        GL.glViewport(0, 0, width, height)

    def release(self) -> None:
        """Delete all GPU objects."""
        self._array.release()
        self._vertices.release()
        self._program.release()
        GL.glDeleteTextures(1, [self._texture])
