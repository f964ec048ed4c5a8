"""A mesh file that was dropped into the 3D view."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sdfviewer.scene.tools.dropping import DropTarget


@dataclass(frozen=True, eq=False)
class MeshDrop:
    """A mesh file, and where it was dropped."""

    path: Path
    target: DropTarget
