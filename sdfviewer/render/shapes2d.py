"""Draws flat shapes over the picture: the handles and marks of tools."""

from __future__ import annotations

import numpy as np

from sdfviewer.render.buffers import Buffer, VertexArray
from sdfviewer.render.gl import GL, glBindVertexArray
from sdfviewer.render.program import Program
from sdfviewer.scene.shapes2d import Shapes

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
