"""Whether a mesh of a robot is as large as one that was saved in millimetres."""

from __future__ import annotations

from pathlib import PurePosixPath

import numpy as np

from sdfviewer.diagnostics import Fix
from sdfviewer.document.document import Document
from sdfviewer.document.edits import set_attribute
from sdfviewer.document.element import Element
from sdfviewer.scene.nodes import Floats

#: Formats that do not say their unit.
_WITHOUT_UNIT = frozenset({".stl", ".obj", ".ply"})
#: In metres: a part of a robot is seldom larger, and one of 2 cm or more is, where its millimetres are read as metres.
_LARGEST = 20.0
IN_METRES = "0.001 0.001 0.001"


def size_in_millimetres(mesh: Element | None, low: Floats, high: Floats) -> float | None:
    """Return the size of a mesh in metres, as it is written, if that is likely to be millimetres.

    Only those of a URDF are looked at, whose ``<mesh>`` has a `filename`: a world has terrain that is as large.

    Parameters
    ----------
    mesh
        The element that names the file.
    low, high
        Corners (3,) of the box around what is in the file.
    """
    if mesh is None or mesh.tag != "mesh" or mesh.attributes.get("scale"):
        return None
    suffix = PurePosixPath(mesh.attributes.get("filename", "").lower()).suffix
    size = float(np.max(np.asarray(high) - np.asarray(low), initial=0.0))
    return size if suffix in _WITHOUT_UNIT and np.isfinite(size) and size > _LARGEST else None


def scale_fix(document: Document, mesh: Element) -> Fix:
    """Return the quick fix that reads a mesh as one in millimetres."""
    label = f'read it in millimetres: write scale="{IN_METRES}"'
    return Fix(label, document.name, set_attribute(document, mesh, "scale", IN_METRES))
