"""The triangles of meshes on the GPU."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from sdfviewer.render.gl.buffers import Buffer
from sdfviewer.render.gl.gl import GL, glBindVertexArray
from sdfviewer.scene.mesh import TriangleMesh

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
