"""Mesh readers: COLLADA, STL, OBJ and glTF, outlines, heightmaps, the placeholder.

Know bytes, pictures, triangles and materials; must not know SDFormat's elements, model paths, nor threads.
"""

from sdfviewer.scene.meshes.piece import MeshFileError, Piece, SideFiles, joined
from sdfviewer.scene.meshes.reading import SUFFIXES, read_mesh_file

__all__ = ["SUFFIXES", "MeshFileError", "Piece", "SideFiles", "joined", "read_mesh_file"]
