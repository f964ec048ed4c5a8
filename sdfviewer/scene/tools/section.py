"""Section planes that cut a scene open."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sdfviewer.scene.nodes import Floats

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class CuttingPlane:
    """A plane n · p = `offset` in root coordinates, with a unit normal n; what n points to is left out."""

    normal: Vector
    offset: float

    def keeps(self, points: Floats) -> Floats:
        """Return how far points (..., 3) are inside what is kept, in metres; negative ones are left out."""
        return np.asarray(self.offset - points @ np.asarray(self.normal))

    def enter(self, origin: Floats, direction: Floats) -> tuple[float, float]:
        """Return the distances along a ray between which it runs through what is kept; empty ones are reversed."""
        slope = float(np.asarray(self.normal) @ direction)
        inside = float(self.keeps(origin))
        if abs(slope) < 1e-12:
            return (0.0, np.inf) if inside >= 0 else (np.inf, -np.inf)
        at = inside / slope
        return (0.0, at) if slope > 0 else (max(at, 0.0), np.inf)


@dataclass(frozen=True)
class Section:
    """A cutting plane on a frame F, by its scoped name: it rides with F. Normal and offset (metres) are those in F."""

    frame: str
    normal: Vector
    offset: float = 0.0

    def placed(self, X_RootF: Floats) -> CuttingPlane:
        """Return the plane for the pose (4, 4) of its frame."""
        normal = X_RootF[:3, :3] @ np.asarray(self.normal)
        normal = normal / np.linalg.norm(normal)
        x, y, z = normal.tolist()
        return CuttingPlane((x, y, z), float(normal @ X_RootF[:3, 3]) + self.offset)

    def flipped(self) -> Section:
        """Return the section that leaves out the other side."""
        x, y, z = self.normal
        return replace(self, normal=(-x, -y, -z), offset=-self.offset)

    def moved(self, by: float) -> Section:
        """Return the section farther along its normal, in metres."""
        return replace(self, offset=self.offset + by)

    def renamed(self, names: dict[str, str]) -> Section:
        """Return the section after frames, by their former names, have got others."""
        return replace(self, frame=names.get(self.frame, self.frame))


def through_middle(frame: str, normal: Vector, X_RootF: Floats, points: Floats) -> Section:
    """Return the section across a direction of a frame that cuts points (k, 3) of the scene in half."""
    section = Section(frame, normal)
    inside = section.placed(X_RootF).keeps(points)
    return section.moved(-float(inside.min() + inside.max()) / 2)
