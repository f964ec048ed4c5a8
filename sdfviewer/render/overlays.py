"""Overlays: background, grid, outline of the selection, view cube."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sdfviewer.palette import TOKENS
from sdfviewer.render.gl import GL, glBindVertexArray
from sdfviewer.render.gl_objects import CORNER, Buffer, Program, TextureTarget, VertexArray, square
from sdfviewer.render.grid import Grid
from sdfviewer.render.surfaces import ShadowPass, Surfaces
from sdfviewer.render.texts import face_pictures
from sdfviewer.render.textures import one_channel_texture
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.view_cube import FACES, cube_mesh, cube_projection, cube_rectangle

_CUBE = np.dtype(
    [("position", np.float32, 3), ("normal", np.float32, 3), ("uv", np.float32, 3), ("region", np.float32)]
)
_FACE_TEXELS = 128

Colours = NDArray[np.float32]

#: Of the line around what is marked, in logical pixels.
OUTLINE_WIDTH = 2.0


class ScreenPasses:
    """What covers the whole picture: the background below the scene, tint and outline of the selection over it."""

    def __init__(self) -> None:
        self._array = VertexArray()
        self._background = Program("background.vert", "background.frag", BANDED=0)
        self._banded_background = Program("background.vert", "background.frag", BANDED=1)
        self._outline = Program("screen.vert", "outline.frag")
        self._mask_program = Program("mask.vert", "mask.frag")
        self._tint = Program("mask.vert", "tint.frag")
        self._mask = TextureTarget(depth=False)

    def draw_background(self, colours: Colours, *, banded: bool) -> None:
        """Fill the picture with the theme's gradient; `banded` is cheaper in software."""
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glDisable(GL.GL_BLEND)
        (self._banded_background if banded else self._background).use(
            top=colours[TOKENS.index("background_top")], bottom=colours[TOKENS.index("background_bottom")]
        )
        glBindVertexArray(self._array.handle)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        GL.glEnable(GL.GL_BLEND)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def draw_mask(self, surfaces: Surfaces, eye: NDArray[np.float64], width: int, height: int) -> bool:
        """Draw what is marked into the mask, whatever lies in front of it; False if nothing is."""
        self._mask.bind(width, height)
        GL.glClearColor(0, 0, 0, 0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        GL.glDisable(GL.GL_DEPTH_TEST)
        self._mask_program.use()
        # The larger value stays: a hovered part of a selected body is both.
        GL.glBlendEquation(GL.GL_MAX)
        anything = surfaces.draw_outlined(eye)
        GL.glBlendEquation(GL.GL_FUNC_ADD)
        GL.glEnable(GL.GL_DEPTH_TEST)
        return anything

    def draw_tint(self, surfaces: Surfaces, colours: Colours) -> None:
        """Tint what is marked where nothing hides it; the current canvas holds the depth of the surfaces."""
        self._tint.use(selection=colours[TOKENS.index("selection")], hover=colours[TOKENS.index("hover")])
        # The same surfaces are drawn again by another program, and each pixel is tinted once however many lie there.
        GL.glEnable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glPolygonOffset(-1.0, -1.0)
        GL.glDepthMask(False)
        GL.glClearStencil(0)
        GL.glClear(GL.GL_STENCIL_BUFFER_BIT)
        GL.glEnable(GL.GL_STENCIL_TEST)
        GL.glStencilFunc(GL.GL_EQUAL, 0, 0xFF)
        GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_INCR)
        surfaces.draw_marked()
        GL.glDisable(GL.GL_STENCIL_TEST)
        GL.glDepthMask(True)
        GL.glDisable(GL.GL_POLYGON_OFFSET_FILL)

    def draw_outline(self, colours: Colours, ratio: float) -> None:
        """Draw a line around what the mask holds."""
        GL.glDisable(GL.GL_DEPTH_TEST)
        self._outline.use(
            selection=colours[TOKENS.index("selection")],
            hover=colours[TOKENS.index("hover")],
            rim=colours[TOKENS.index("plate")],
            width=OUTLINE_WIDTH * ratio,
        )
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._mask.texture)
        glBindVertexArray(self._array.handle)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def release(self) -> None:
        """Delete all GPU objects."""
        self._array.release()
        for program in (self._background, self._banded_background, self._outline, self._mask_program, self._tint):
            program.release()
        self._mask.release()


#: How far the grid is in front of a floor in one plane with it: by the slope of the depth, and in its smallest steps.
OFFSET = -2.0, -8.0


class GridPass:
    """The ground grid, and the shadow of the scene on it."""

    def __init__(self) -> None:
        self._array, self._shape = VertexArray(), Buffer()
        self._shape.upload(square(-1.0))
        self._array.attach(self._shape, CORNER)
        self._program = Program("grid.vert", "grid.frag")
        self._shadow_program = Program("grid.vert", "ground_shadow.frag", SHADOW_TAPS=1)
        self._soft_shadow_program = Program("grid.vert", "ground_shadow.frag", SHADOW_TAPS=4)

    def draw_shadow(self, shadow: ShadowPass, soft: bool) -> None:
        """Draw the scene's shadow on the ground, before the scene: a ground plane of the scene's own has its own.

        Only the square around the scene that the shadow map covers is looked at.
        """
        shadow.bind()
        x, y, reach = shadow.ground
        program = self._soft_shadow_program if soft else self._shadow_program
        program.use(shadow_map=1, centre=np.array([x, y], np.float32), extent=reach)
        self._draw()

    def draw_lines(self, grid: Grid, colours: Colours, ratio: float) -> None:
        """Draw the lines over the opaque surfaces; what lies below the ground shines through.

        They are as wide as a logical pixel, which are `ratio` pixels of the canvas.
        """
        self._program.use(
            centre=np.array(grid.centre, np.float32),
            spacing=grid.spacing,
            extent=grid.extent,
            fade_minor=grid.fade_minor,
            width=ratio,
            minor_tone=colours[TOKENS.index("grid")],
            major_tone=colours[TOKENS.index("grid_major")],
            axis_tones=np.array([(0.86, 0.33, 0.35), (0.36, 0.66, 0.30)], np.float32),
        )
        # A ground plane at z = 0 would fight with the grid for each pixel, and the depth of a large one is inexact.
        GL.glEnable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glPolygonOffset(*OFFSET)
        self._draw()
        GL.glDisable(GL.GL_POLYGON_OFFSET_FILL)

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


class CubePass:
    """The view cube in the upper right corner."""

    def __init__(self) -> None:
        mesh = cube_mesh()
        records = np.zeros(len(mesh.positions), _CUBE)
        records["position"], records["normal"], records["uv"] = mesh.positions, mesh.normals, mesh.uvs
        records["region"] = mesh.regions
        self._array, self._vertices = VertexArray(), Buffer()
        self._vertices.upload(records)
        self._array.attach(self._vertices, _CUBE)
        self._count = len(records)
        self._program = Program("cube.vert", "cube.frag")
        self._texture = one_channel_texture(face_pictures(FACES, _FACE_TEXELS), mipmaps=True)

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
            edge=colours[TOKENS.index("cube_edge")],
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
