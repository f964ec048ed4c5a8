"""The objects of one OpenGL context."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sdfviewer.palette import TOKENS
from sdfviewer.render.caps import CapPass
from sdfviewer.render.gl import GL, check_version, glBindVertexArray, glDrawArraysInstanced
from sdfviewer.render.gl_objects import CORNER, Buffer, FrameBlock, Framebuffer, Program, VertexArray, square
from sdfviewer.render.marks import JointPass, LinePass, TriadPass
from sdfviewer.render.overlays import CubePass, GridPass, ScreenPasses
from sdfviewer.render.surface_batches import MeshStore, SurfacePrograms
from sdfviewer.render.surfaces import ShadowPass, Surfaces
from sdfviewer.render.texts import TextPass
from sdfviewer.render.textures import TextureStore
from sdfviewer.render.view import View
from sdfviewer.scene.glyph_sizes import spread
from sdfviewer.scene.marks import Centres
from sdfviewer.scene.shapes2d import Shapes


class Passes:
    """The passes of a picture and what they share; made, used and released with one context current."""

    def __init__(self, textures: TextureStore) -> None:
        self.driver = check_version()
        self.frame = FrameBlock()
        self.programs = SurfacePrograms()
        self.meshes = MeshStore()
        self.surfaces = Surfaces(self.meshes, textures)
        self.ghost = Surfaces(self.meshes, textures)
        self.shadow = ShadowPass()
        self.triads, self.ghost_triads = TriadPass(), TriadPass()
        self.joints = JointPass()
        self.lines, self.extra_lines = LinePass(), LinePass()
        self.centres = CentrePass()
        self.screen = ScreenPasses()
        self.grid = GridPass()
        self.text = TextPass()
        self.cube = CubePass()
        self.shapes = ShapePass()
        self.caps = CapPass()
        self.copies = CopyPass()
        # Drafts and pictures at rest alternate, in different sizes.
        self.canvas, self.kept, self.draft = Framebuffer(), Framebuffer(), Framebuffer()

    def release(self) -> None:
        """Delete everything."""
        parts = (self.frame, self.programs, self.surfaces, self.ghost, self.meshes, self.shadow, self.triads)
        more = (self.ghost_triads, self.joints, self.lines, self.extra_lines, self.screen, self.grid, self.text)
        rest = (self.centres, self.cube, self.shapes, self.caps, self.copies, self.canvas, self.kept, self.draft)
        for part in (*parts, *more, *rest):
            part.release()


_VERTEX = np.dtype([("corner", np.float32, 2), ("place", np.float32, 4), ("tone", np.uint8, 4)])


class ShapePass:
    """All flat shapes with one draw call."""

    def __init__(self) -> None:
        self._array, self._vertices = VertexArray(), Buffer()
        self._vertices.upload(np.zeros(1, _VERTEX))
        self._array.attach(self._vertices, _VERTEX)
        self._program = Program("shape.vert", "shape.frag")

    def draw(self, shapes: Shapes) -> None:
        """Draw shapes over everything."""
        if not len(shapes):
            return
        records = np.zeros(len(shapes), _VERTEX)
        records["corner"], records["place"][:, :2], records["tone"] = shapes.points, shapes.edges, shapes.colours
        self._vertices.upload(records)
        self._program.use()
        GL.glDisable(GL.GL_DEPTH_TEST)
        glBindVertexArray(self._array.handle)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, len(records))
        GL.glEnable(GL.GL_DEPTH_TEST)

    def release(self) -> None:
        """Delete all GPU objects."""
        self._array.release()
        self._vertices.release()
        self._program.release()


class CopyPass:
    """Draws a canvas over another framebuffer.

    Mesa's software drivers compile a program of their own for ``glBlitFramebuffer`` in every context, which takes up
    to 50 ms; what is compiled for programs of ours is kept on the disk.
    """

    def __init__(self) -> None:
        self._array = VertexArray()
        self._programs: dict[int, Program] = {}

    def copy(self, canvas: Framebuffer, framebuffer: int, width: int, height: int) -> None:
        """Copy a canvas into a framebuffer of some size, which becomes the current one. Samples are resolved."""
        if canvas.samples == 0 and canvas.size == (width, height):
            canvas.blit_to(framebuffer)
            return
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)
        GL.glViewport(0, 0, width, height)
        self._draw(canvas)

    def copy_to_middle(self, canvas: Framebuffer, framebuffer: int, width: int, height: int) -> None:
        """Copy a canvas into the middle of a framebuffer of another shape, as high as that is."""
        across = round(canvas.size[0] * height / canvas.size[1])
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)
        GL.glViewport((width - across) // 2, 0, across, height)
        self._draw(canvas)

    def _draw(self, canvas: Framebuffer) -> None:
        program = self._programs.get(canvas.samples)
        if program is None:
            program = self._programs[canvas.samples] = Program("screen.vert", "copy.frag", SAMPLES=canvas.samples)
        program.use(picture=0)
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glDisable(GL.GL_BLEND)
        GL.glBindTexture(canvas.target, canvas.texture)
        glBindVertexArray(self._array.handle)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        GL.glBindTexture(canvas.target, 0)
        GL.glEnable(GL.GL_BLEND)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def release(self) -> None:
        """Delete all GPU objects."""
        self._array.release()
        for program in self._programs.values():
            program.release()
        self._programs = {}


_SYMBOL = np.dtype([("icon", np.float32, 4), ("state", np.uint8, 4)])
_LEAST, _MOST, _WHOLE = 5.5, 9.0, 11.0
"""Radii in logical pixels: of a link at least and at most, and of a whole model."""
_MANY = ((1000, (1.5, 4.0, 6.0)), (100, (4.0, 9.0, 11.0)))
_ROOM = 22.0
"""How much room in logical pixels a symbol takes where there are more than the greater of these numbers."""
"""The same radii with more symbols than a number: thousands would hide what they are in. Those of links that are
selected or hovered stay at least as large as `_LEAST`."""


class CentrePass:
    """All centres of mass with one draw call."""

    def __init__(self) -> None:
        self._array, self._shape, self._symbols = VertexArray(), Buffer(), Buffer()
        self._shape.upload(square(-1.0))
        self._array.attach(self._shape, CORNER)
        self._symbols.upload(np.zeros(1, _SYMBOL))
        self._array.attach(self._symbols, _SYMBOL, per_instance=True)
        self._program = Program("centre.vert", "centre.frag")
        self._count = 0
        self._records = np.zeros(0, _SYMBOL)
        self._points = np.zeros((0, 3))
        self._may_go = np.zeros(0, bool)
        self._shown = np.zeros(0, bool)

    def set_centres(self, centres: Centres, X_RootF: NDArray[np.float64], marks: NDArray[np.uint8]) -> None:
        """Show the centres of links and of whole models at poses (n, 4, 4); `marks` (n, 2): selected, hovered."""
        if not len(centres.rows) and not len(self._records):
            return
        parts, places, totals = [], [], centres.totals(X_RootF)
        for each, radii in ((centres, centres.radii), (totals, np.full(len(totals.rows), -1.0))):
            records = np.zeros(len(each.rows), _SYMBOL)
            points = each.points(X_RootF)
            records["icon"][:, :3], records["icon"][:, 3] = points, radii
            records["state"][:, :2] = marks[each.rows]
            known = np.isfinite(points).all(axis=1)
            parts.append(records[known])
            places.append(points[known])
        self._records, self._points = np.concatenate(parts), np.concatenate(places)
        is_link = np.arange(len(self._records)) < len(parts[0])
        self._may_go = is_link & ~self._records["state"][:, :2].any(axis=1)
        self._show(np.ones(len(self._records), bool))

    def select(self, view: View) -> None:
        """Leave out symbols of links that would hide, in a row of thousands, what they are in."""
        shown = np.ones(len(self._records), bool)
        if len(shown) > _MANY[0][0]:
            many = np.flatnonzero(self._may_go)
            pixel = view.camera.metres_per_pixel(self._points[many], view.height) * view.ratio
            shown[many] = spread(self._points[many], pixel, _ROOM)
        if not np.array_equal(shown, self._shown):
            self._show(shown)

    def _show(self, shown: NDArray[np.bool_]) -> None:
        self._shown = shown
        self._symbols.upload(self._records[shown])
        self._count = int(np.count_nonzero(shown))

    def draw(self, colours: NDArray[np.float32]) -> None:
        """Draw all symbols over what is there: the nearer ones over the others, those of whole models over all."""
        if not self._count:
            return
        GL.glClear(GL.GL_DEPTH_BUFFER_BIT)
        selection, hover, model = (colours[TOKENS.index(name)] for name in ("selection", "hover", "model"))
        radii = next((radii for count, radii in _MANY if len(self._records) > count), (_LEAST, _MOST, _WHOLE))
        least, most, whole = radii
        self._program.use(
            selection=selection, hover=hover, model=model, least=least, most=most, whole=whole, full=_LEAST
        )
        glBindVertexArray(self._array.handle)
        glDrawArraysInstanced(GL.GL_TRIANGLES, 0, 6, self._count)

    def release(self) -> None:
        """Delete all GPU objects."""
        self._array.release()
        self._shape.release()
        self._symbols.release()
        self._program.release()
