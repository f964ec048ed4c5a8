"""The faces that close solids where a section cuts them open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdfviewer.render.buffers import Buffer, VertexArray, square
from sdfviewer.render.gl import GL, glBindVertexArray
from sdfviewer.render.program import Program
from sdfviewer.scene.section import CuttingPlane
from sdfviewer.transforms import perpendicular

_STEP = 2.0**-21
"""By so much of the depth each face is nearer than the one before: a buffer of 24 bits tells them apart.

A polygon offset would do the same, but llvmpipe compiles a program for each value of it.
"""
_CORNER2 = np.dtype([("corner", np.float32, 2)])


@dataclass(frozen=True, eq=False)
class CutSolid:
    """A part of a solid that a section cuts: its pose as rows (12,) and scale (3,), its sphere, its colour.

    `draw` draws its triangles once, with whatever program is current.
    """

    draw: Callable[[], None]
    pose: NDArray[np.float32]
    scale: NDArray[np.float32]
    centre: NDArray[np.float64]
    radius: float
    tone: tuple[float, float, float]


class CapPass:
    """Closes solids by the stencil: where more faces of a solid look away from the eye than towards it, it is cut.

    Seen from any point of the plane inside a solid, each ray leaves it once more often than it enters it.
    """

    def __init__(self) -> None:
        self._array, self._shape = VertexArray(), Buffer()
        self._shape.upload(square(-1.0))
        self._array.attach(self._shape, _CORNER2)
        self._count = Program("inside.vert", "shadow.frag")
        self._cap = Program("cap.vert", "cap.frag")

    def draw(self, solids: list[CutSolid], plane: CuttingPlane, eye: NDArray[np.float64]) -> None:
        """Draw the cut faces of some solids; the canvas must have a stencil, all zero, and leaves it so."""
        normal = np.asarray(plane.normal)
        u = perpendicular(normal)
        v = np.cross(normal, u)
        GL.glEnable(GL.GL_STENCIL_TEST)
        # Where solids overlap, the cap of the smaller one is on top, because it is inside.
        for number, solid in enumerate(sorted(solids, key=lambda each: -each.radius)):
            GL.glStencilFunc(GL.GL_ALWAYS, 0, 0xFF)
            GL.glStencilOpSeparate(GL.GL_BACK, GL.GL_KEEP, GL.GL_INCR_WRAP, GL.GL_INCR_WRAP)
            GL.glStencilOpSeparate(GL.GL_FRONT, GL.GL_KEEP, GL.GL_DECR_WRAP, GL.GL_DECR_WRAP)
            self._draw_in_stencil(solid)
            # Zeroed as it is read, whether or not something is in front of the face.
            GL.glStencilFunc(GL.GL_NOTEQUAL, 0, 0xFF)
            GL.glStencilOp(GL.GL_ZERO, GL.GL_ZERO, GL.GL_ZERO)
            self._draw_square(solid, plane, (u, v), eye, _STEP * number)
            # Pixels that the square does not cover would count for the next solid. Clearing the whole stencil takes a
            # processor far longer.
            self._zero(solid)
        GL.glDisable(GL.GL_STENCIL_TEST)

    def _zero(self, solid: CutSolid) -> None:
        """Zero the stencil wherever the triangles of a solid have counted."""
        GL.glStencilFunc(GL.GL_ALWAYS, 0, 0xFF)
        GL.glStencilOp(GL.GL_ZERO, GL.GL_ZERO, GL.GL_ZERO)
        self._draw_in_stencil(solid)

    def _draw_in_stencil(self, solid: CutSolid) -> None:
        """Draw the triangles of what the section keeps of a solid, without colour or depth."""
        GL.glColorMask(False, False, False, False)
        GL.glDepthMask(False)
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glEnable(GL.GL_CLIP_DISTANCE0)
        X_WG = np.vstack([solid.pose.reshape(3, 4), [(0.0, 0.0, 0.0, 1.0)]])
        self._count.use(X_WG=X_WG.astype(np.float32), size=solid.scale)
        solid.draw()
        GL.glDisable(GL.GL_CLIP_DISTANCE0)
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDepthMask(True)
        GL.glColorMask(True, True, True, True)

    def _draw_square(
        self,
        solid: CutSolid,
        plane: CuttingPlane,
        axes: tuple[NDArray[np.float64], NDArray[np.float64]],
        eye: NDArray[np.float64],
        nearer: float,
    ) -> None:
        centre = solid.centre + float(plane.keeps(solid.centre)) * np.asarray(plane.normal)
        self._cap.use(
            centre=(centre - eye).astype(np.float32),
            along_u=(axes[0] * solid.radius).astype(np.float32),
            along_v=(axes[1] * solid.radius).astype(np.float32),
            tone=solid.tone,
            nearer=nearer,
        )
        glBindVertexArray(self._array.handle)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 6)

    def release(self) -> None:
        """Delete all GPU objects."""
        self._array.release()
        self._shape.release()
        self._count.release()
        self._cap.release()
