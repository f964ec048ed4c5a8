"""Readers of mesh files: COLLADA, STL, OBJ, glTF.

Know bytes, triangles and materials; must not know SDFormat, where files are looked for, nor threads.
"""

from sdfviewer.scene.meshes.piece import MeshFileError, Piece, joined
from sdfviewer.scene.meshes.reading import SUFFIXES, read_mesh_file
from sdfviewer.scene.meshes.side_files import SideFiles

__all__ = ["SUFFIXES", "MeshFileError", "Piece", "SideFiles", "joined", "read_mesh_file"]
