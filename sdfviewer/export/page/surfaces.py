"""The surfaces of a scene as columns: which mesh each shows, in which material, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from sdfviewer.export.page.gltf import GltfPacker
from sdfviewer.scene.mesh import TriangleMesh
from sdfviewer.scene.nodes import Layer, MeshInstance

_LAYERS: Final = tuple(Layer)
#: Triangles that all surfaces of one mesh may have, where it has coarser versions: thousands of balls are small.
_TRIANGLES: Final = 200_000


def surface_columns(instances: Iterable[MeshInstance], packer: GltfPacker, coarser: int = 0) -> dict[str, Any]:
    """Return the columns of surfaces for a page.

    Parameters
    ----------
    instances
        The surfaces.
    packer
        Takes their meshes and materials.
    coarser
        How many levels coarser than written meshes are, where they have coarser versions.
    """
    shown = [each for each in instances if len(each.mesh.indices)]
    offset = [number for number, each in enumerate(shown) if each.X_RowG is not None]
    counts = Counter((id(each.mesh), each.layer) for each in shown)
    meshes = [_level(each.mesh, counts[id(each.mesh), each.layer], coarser) for each in shown]
    return {
        "rows": np.array([each.row for each in shown], np.int32),
        "scales": np.array([each.scale for each in shown], np.float64).reshape(-1, 3),
        "layers": np.array([_LAYERS.index(each.layer) for each in shown], np.uint8),
        "meshes": np.array([packer.mesh(each) for each in meshes], np.int32),
        "materials": np.array(
            [-1 if each.material is None else packer.material(each.material) for each in shown], np.int32
        ),
        "offset": np.array(offset, np.int32),
        "X_RowG": np.array([shown[number].X_RowG for number in offset], np.float64).reshape(-1, 4, 4),
    }


def _level(mesh: TriangleMesh, count: int, coarser: int) -> TriangleMesh:
    """Return the version of a mesh that a number of surfaces show."""
    levels = mesh.levels[min(coarser, len(mesh.levels) - 1) :]
    return next((each for each in levels if count * len(each.indices) <= _TRIANGLES), levels[-1])
