"""Mesh files that are the mirror image of another one, as the left and the right part of a robot often are."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import product
from pathlib import Path

import numpy as np

from sdfviewer.files.finder import Finder
from sdfviewer.transforms import Array

#: How far vertices may be apart, in diagonals of the mesh, and which share of them must be nearer: programs that mirror
#: a part cut its surface into other triangles, as Unitree's thigh_mirror.dae shows, 17 % of whose vertices are new.
_TOLERANCES = ((2e-4, 0.7), (5e-3, 0.9), (2e-2, 1.0))
#: What is looked through in the folder of a mesh: so many files, of at most so many times its size.
_MOST_FILES, _MOST_TIMES = 64, 3.0


def mirrored_meshes(finder: Finder) -> Callable[[str, Path | None, int], str | None]:
    """Return the function that returns the URI of the mirror image of a mesh, None where there is none.

    It gets the URI of the mesh, the file that names it, and the number of the axis that is reversed. What it returns is
    in the same folder and of the same kind.

    Parameters
    ----------
    finder
        Where mesh files are looked for.
    """

    def mirrored(uri: str, naming_file: Path | None, axis: int) -> str | None:
        path = finder.find(uri, naming_file, nearby=True).path
        name = uri.rpartition("/")[2]
        if path is None or path.name != name:
            return None
        found = _mirror_image(path, path.stat().st_mtime_ns, axis)
        return None if found is None else uri[: -len(name)] + found.name

    return mirrored


@lru_cache(maxsize=256)
def _mirror_image(path: Path, _changed: int, axis: int) -> Path | None:
    """Return the file in the folder of a mesh that is its mirror image, None where none is."""
    size, points = path.stat().st_size, _vertices(path)
    if points is None:
        return None
    signs = np.where(np.arange(3) == axis, -1.0, 1.0)
    beside = (each for each in sorted(path.parent.iterdir()) if each.suffix == path.suffix and each != path)
    near = [each for each in beside if each.is_file() and size / _MOST_TIMES < each.stat().st_size < size * _MOST_TIMES]
    for each in near[:_MOST_FILES]:
        other = _vertices(each)
        if other is not None and _are_same(points * signs, other):
            return each
    return None


def _vertices(path: Path) -> Array | None:
    """Return the vertices (n, 3) of a mesh file in metres, None where it cannot be read or has none."""
    try:
        from sdfviewer.scene.meshes import MeshFileError, SideFiles, read_mesh_file  # noqa: PLC0415  # needs [render]
    except ImportError:
        return None
    try:
        pieces = read_mesh_file(path, SideFiles(path, lambda _uri: None))
    except (MeshFileError, OSError):
        return None
    parts = [each.positions.astype(np.float64) for each in pieces]
    return np.concatenate(parts) if parts else None


def _are_same(a: Array, b: Array) -> bool:
    """Return whether each of some points (n, 3) is at one of others (m, 3), and the other way round."""
    low, high = a.min(axis=0), a.max(axis=0)
    size = float(np.linalg.norm(high - low)) or 1.0
    if max(np.abs(low - b.min(axis=0)).max(), np.abs(high - b.max(axis=0)).max()) > size * _TOLERANCES[-1][0]:
        return False
    for tolerance, share in _TOLERANCES:
        cells_a, cells_b = (np.floor((each - low) / (size * tolerance)).astype(np.int64) + 3 for each in (a, b))
        if min(_share_near(cells_a, cells_b), _share_near(cells_b, cells_a)) < share:
            return False
    return True


def _share_near(cells: Array, others: Array) -> float:
    """Return the share of some cells (n, 3) that are among others (m, 3) or beside one."""
    base = int(max(cells.max(), others.max())) + 2
    weights = np.array([base * base, base, 1])
    known, keys = np.unique(others @ weights), cells @ weights
    found = np.zeros(len(keys), dtype=bool)
    for step in product((-1, 0, 1), repeat=3):
        found |= np.isin(keys + np.array(step) @ weights, known)
    return float(found.mean())
