"""The faces that close solids where a section cuts them open."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdfviewer.render.gl import GL, glBindVertexArray, glDrawArraysInstanced, glDrawElementsInstanced
from sdfviewer.render.gl_objects import CORNER, POSE, Buffer, Program, VertexArray, square
from sdfviewer.scene.tools.section import CuttingPlane, cut_layers
from sdfviewer.transforms import perpendicular

_STEP = 2.0**-21
"""By so much of the depth each layer is nearer than the one before: a buffer of 24 bits tells them apart.

A polygon offset would do the same, but llvmpipe compiles a program for each value of it.
"""
_INSTANCE = np.dtype([*((name, np.float32, 4) for name in POSE.names or ()), ("scale", np.float32, 3)])
_FACE = np.dtype([("place", np.float32, 3), ("reach", np.float32, 2), ("tone", np.float32, 3)])


@dataclass(frozen=True, eq=False)
class BufferedTriangles:
    """The triangles of a solid in the buffers of its mesh: `count` of them from index `start` on."""

    vertices: Buffer
    layout: np.dtype[Any]
    indices: Buffer
    start: int
    count: int


@dataclass(frozen=True, eq=False)
class CutSolids:
    """Solids that a section cuts, k of them.

    `meshes` are their triangles, `numbers` (k,) which of these each has, without gaps and in order. `poses` (k, 12) as
    `pack_poses` gives them, `scales` (k, 3), `tones` (k, 3) red, green and blue, `centres` (k, 3) and `halves` (k, 3)
    of their boxes, which are turned as they are.
    """

    meshes: tuple[BufferedTriangles, ...]
    numbers: NDArray[np.intp]
    poses: NDArray[np.float32]
    scales: NDArray[np.float32]
    tones: NDArray[np.float32]
    centres: NDArray[np.float64]
    halves: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.numbers)


class CapPass:
    """Closes solids by the stencil: where more faces of a solid look away from the eye than towards it, it is cut.

    Seen from any point of the plane inside a solid, each ray leaves it once more often than it enters it. From a point
    outside it leaves as often as it enters, so many solids are counted at once: what remains is the number of solids
    around the point of the plane. A rectangle around each face then takes its colour to where that is not zero. Only
    faces of different colours that overlap in the plane need a count of their own: `cut_layers`.
    """

    def __init__(self) -> None:
        self._squares, self._corners, self._faces = VertexArray(), Buffer(), Buffer()
        self._corners.upload(square(-1.0))
        self._squares.attach(self._corners, CORNER)
        self._solids, self._instances = VertexArray(), Buffer()
        self._count = Program("inside.vert", "shadow.frag")
        self._cap = Program("cap.vert", "cap.frag")

    def draw(
        self, solids: CutSolids, plane: CuttingPlane, eye: NDArray[np.float64], accent: NDArray[np.float32]
    ) -> None:
        """Draw the cut faces of some solids, hatched in a colour (3,); the canvas must have a stencil, all zero."""
        if not len(solids):
            return
        normal = np.asarray(plane.normal)
        u = perpendicular(normal)
        v = np.cross(normal, u)
        middles, reaches = _faces(solids, plane, u, v)
        places = np.stack([middles @ u, middles @ v], axis=1)
        # Where solids overlap, the cap of the smaller one is on top, because it is inside.
        sizes = np.linalg.norm(solids.halves, axis=1)
        layers = cut_layers(places, reaches, sizes, solids.tones)
        order = np.lexsort((solids.numbers, layers))
        self._upload(solids, order, middles - eye, reaches)
        runs: list[tuple[int, int, int]] = []
        ends = np.searchsorted(layers[order], np.arange(layers.max() + 2))
        GL.glEnable(GL.GL_STENCIL_TEST)
        for layer in range(len(ends) - 1):
            if layer:
                # Pixels outside the rectangles would count for this layer. Clearing the whole stencil takes a processor
                # longer.
                GL.glStencilFunc(GL.GL_ALWAYS, 0, 0xFF)
                self._draw_in_stencil(solids, runs)
            begin, end = int(ends[layer]), int(ends[layer + 1])
            runs = _runs(solids.numbers[order[begin:end]], begin)
            GL.glStencilFunc(GL.GL_ALWAYS, 0, 0xFF)
            GL.glStencilOpSeparate(GL.GL_BACK, GL.GL_KEEP, GL.GL_INCR_WRAP, GL.GL_INCR_WRAP)
            GL.glStencilOpSeparate(GL.GL_FRONT, GL.GL_KEEP, GL.GL_DECR_WRAP, GL.GL_DECR_WRAP)
            self._draw_in_stencil(solids, runs)
            # Zeroed as it is read, whether or not something is in front of the face.
            GL.glStencilFunc(GL.GL_NOTEQUAL, 0, 0xFF)
            GL.glStencilOp(GL.GL_ZERO, GL.GL_ZERO, GL.GL_ZERO)
            self._cap.use(
                along_u=u.astype(np.float32), along_v=v.astype(np.float32), nearer=_STEP * layer, accent=accent
            )
            self._squares.attach(self._faces, _FACE, first=begin, per_instance=True)
            glDrawArraysInstanced(GL.GL_TRIANGLES, 0, 6, end - begin)
        GL.glDisable(GL.GL_STENCIL_TEST)

    def _upload(
        self,
        solids: CutSolids,
        order: NDArray[np.intp],
        from_eye: NDArray[np.float64],
        reaches: NDArray[np.float64],
    ) -> None:
        """Upload solids and faces in the order in which they are drawn."""
        instances, faces = np.zeros(len(order), _INSTANCE), np.zeros(len(order), _FACE)
        for column, name in enumerate(POSE.names or ()):
            instances[name] = solids.poses[order, 4 * column : 4 * column + 4]
        instances["scale"] = solids.scales[order]
        faces["place"], faces["reach"], faces["tone"] = from_eye[order], reaches[order], solids.tones[order]
        self._instances.upload(instances)
        self._faces.upload(faces)

    def _draw_in_stencil(self, solids: CutSolids, runs: list[tuple[int, int, int]]) -> None:
        """Draw the triangles of what the section keeps of some solids, without colour or depth."""
        GL.glColorMask(False, False, False, False)
        GL.glDepthMask(False)
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glEnable(GL.GL_CLIP_DISTANCE0)
        self._count.use()
        for number, first, count in runs:
            mesh = solids.meshes[number]
            self._solids.attach(mesh.vertices, mesh.layout)
            self._solids.attach(self._instances, _INSTANCE, first=first, per_instance=True)
            self._solids.attach_indices(mesh.indices)
            start = ctypes.c_void_p(mesh.start * 12)
            glDrawElementsInstanced(GL.GL_TRIANGLES, mesh.count * 3, GL.GL_UNSIGNED_INT, start, count)
        glBindVertexArray(0)
        GL.glDisable(GL.GL_CLIP_DISTANCE0)
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDepthMask(True)
        GL.glColorMask(True, True, True, True)

    def release(self) -> None:
        """Delete all GPU objects."""
        for part in (self._squares, self._corners, self._faces, self._solids, self._instances, self._count, self._cap):
            part.release()


def _faces(
    solids: CutSolids, plane: CuttingPlane, u: NDArray[np.float64], v: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the middles (k, 3) of rectangles in a plane that hold the cut faces, and their half sides (k, 2)."""
    distance = plane.keeps(solids.centres)
    middles = solids.centres + distance[:, None] * np.asarray(plane.normal)
    radii2 = (solids.halves**2).sum(axis=1)
    in_sphere = np.sqrt(np.maximum(radii2 - distance**2, 0.0))
    reaches = np.stack([box_reach(solids.poses, solids.halves, axis) for axis in (u, v)], axis=1)
    return middles, np.minimum(reaches, in_sphere[:, None])


def box_reach(
    poses: NDArray[np.float32], halves: NDArray[np.float64], direction: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how far boxes with half edges (k, 3) at poses (k, 12) reach along a direction from their centres."""
    along_edges = np.einsum("kij,i->kj", poses.reshape(-1, 3, 4)[:, :, :3], direction)
    return np.asarray((np.abs(along_edges) * halves).sum(axis=1))


def _runs(numbers: NDArray[np.intp], begin: int) -> list[tuple[int, int, int]]:
    """Return each of some sorted numbers with the place where it begins, counted from `begin`, and how often it is."""
    which, first, counts = np.unique(numbers, return_index=True, return_counts=True)
    return list(zip(which.tolist(), (first + begin).tolist(), counts.tolist(), strict=True))
