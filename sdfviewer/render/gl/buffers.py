"""Vertex buffers and vertex arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdfviewer.render.gl.gl import GL, glBindVertexArray, glVertexAttribPointer
from sdfviewer.render.gl.program import LOCATIONS

_GL_TYPES = {np.dtype(np.float32): GL.GL_FLOAT, np.dtype(np.uint8): GL.GL_UNSIGNED_BYTE}

#: A corner of a square that is drawn many times.
CORNER = np.dtype([("corner", np.float32, 2)])
POSE = np.dtype([("pose_x", np.float32, 4), ("pose_y", np.float32, 4), ("pose_z", np.float32, 4)])
"""The rows of a pose X_WF without its last: what every instance carries."""


class Buffer:
    """Bytes on the GPU, uploaded from NumPy arrays."""

    def __init__(self, target: int = GL.GL_ARRAY_BUFFER) -> None:
        self.handle = GL.glGenBuffers(1)
        self._target = target

    def upload(self, array: NDArray[Any]) -> None:
        """Replace the contents: with new memory, so that nothing waits for a picture that still reads the old."""
        data = np.ascontiguousarray(array)
        GL.glBindBuffer(self._target, self.handle)
        GL.glBufferData(self._target, max(data.nbytes, 4), data if data.nbytes else None, GL.GL_DYNAMIC_DRAW)

    def release(self) -> None:
        """Delete the buffer."""
        GL.glDeleteBuffers(1, [self.handle])


class VertexArray:
    """How the attributes of a draw call are read from buffers."""

    def __init__(self) -> None:
        self.handle = int(GL.glGenVertexArrays(1))

    def attach(self, buffer: Buffer, dtype: np.dtype[Any], *, first: int = 0, per_instance: bool = False) -> None:
        """Read the fields of a structured dtype from a buffer, starting at row `first`; bytes become 0..1."""
        glBindVertexArray(self.handle)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, buffer.handle)
        assert dtype.fields is not None
        for name, (field, offset, *_) in dtype.fields.items():
            base, shape = field.subdtype or (field, (1,))
            location = LOCATIONS[name]
            GL.glEnableVertexAttribArray(location)
            where = ctypes.c_void_p(first * dtype.itemsize + offset)
            glVertexAttribPointer(location, shape[0], _GL_TYPES[base], base == np.uint8, dtype.itemsize, where)
            GL.glVertexAttribDivisor(location, int(per_instance))

    def attach_indices(self, buffer: Buffer) -> None:
        """Take the order of vertices from an index buffer."""
        glBindVertexArray(self.handle)
        GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, buffer.handle)

    def release(self) -> None:
        """Delete the vertex array."""
        GL.glDeleteVertexArrays(1, [self.handle])


def delete_vertex_arrays(arrays: Iterable[VertexArray]) -> None:
    """Delete many vertex arrays with one call."""
    handles = [array.handle for array in arrays]
    if handles:
        GL.glDeleteVertexArrays(len(handles), handles)


def pack_poses(X_RootF: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return poses (n, 4, 4) as the GPU wants them, (n, 12) float32; unresolved ones lie far outside every picture."""
    packed = X_RootF[:, :3, :].astype(np.float32).reshape(-1, 12)
    lost = ~np.isfinite(packed.sum(axis=1))
    if lost.any():
        packed[lost] = 0.0
        packed[np.ix_(lost, [3, 7, 11])] = 1e18
    return packed


def square(low: float) -> NDArray[np.float32]:
    """Return two triangles (6, 2) from `low` to 1 in both directions."""
    return np.array([(low, low), (1, low), (1, 1), (low, low), (1, 1), (low, 1)], np.float32)
