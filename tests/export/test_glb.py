"""Tests of binary glTF as bundles write it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sdfviewer.export.mesh_files import format_glb
from sdfviewer.scene.mesh import MeshMaterial, MeshPart, TriangleMesh
from sdfviewer.scene.meshes import SideFiles, read_mesh_file


def test_a_material_keeps_its_colours(tmp_path: Path) -> None:
    """Found: sRGB was written where glTF has linear colours, which made them brighter, and glass was opaque."""
    corners = np.eye(3, dtype=np.float32)
    material = MeshMaterial(
        diffuse=(0.5, 0.2, 0.03, 0.4), emissive=(0.1, 0, 0.2, 1), metalness=0.25, roughness=0.75, double_sided=True
    )
    indices = np.array([[0, 1, 2]], np.uint32)
    mesh = TriangleMesh(corners, None, None, indices, (MeshPart(0, 1, material),))
    path = tmp_path / "triangle.glb"
    path.write_bytes(format_glb(mesh))
    (piece,) = read_mesh_file(path, SideFiles(path))
    np.testing.assert_allclose(piece.material.diffuse, material.diffuse, atol=1e-6)
    np.testing.assert_allclose(piece.material.emissive, material.emissive, atol=1e-6)
    assert piece.material.double_sided
    assert (piece.material.metalness, piece.material.roughness) == (0.25, 0.75)
