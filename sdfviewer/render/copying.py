"""Copies of a canvas into the framebuffer of a window, with its samples resolved or in another size."""

from __future__ import annotations

from sdfviewer.render.buffers import VertexArray
from sdfviewer.render.framebuffer import Framebuffer
from sdfviewer.render.gl import GL, glBindVertexArray
from sdfviewer.render.program import Program


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
