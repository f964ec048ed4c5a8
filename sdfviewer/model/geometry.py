"""The shapes of visuals and collisions in any format; lengths in metres.

A new shape is one class here, a reader in each format that has it (:mod:`sdfviewer.formats`), and its triangles
(:mod:`sdfviewer.scene.geometry`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from sdfviewer.document.element import Element
from sdfviewer.model.hints import Hinted

Vector: TypeAlias = tuple[float, float, float]
Loop: TypeAlias = tuple[tuple[float, float], ...]

_ONES: Vector = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Geometry(Hinted):
    """A shape. Sizes are as written, so they can be negative in a faulty file.

    Attributes
    ----------
    element
        Where it is written; it counts for nothing when shapes are compared.
    """

    element: Element | None = field(default=None, compare=False, repr=False, kw_only=True)

    @property
    def kind(self) -> str:
        """The name of the shape as SDFormat writes it: ``box``, ``mesh``."""
        return type(self).__name__.lower()

    @property
    def volume(self) -> float | None:
        """The volume in m³; None for what its size alone does not tell: planes, polylines, files."""
        return None


@dataclass(frozen=True, slots=True)
class Empty(Geometry):
    """No shape at all: nothing is written, or nothing that is known."""


@dataclass(frozen=True, slots=True)
class Box(Geometry):
    """A box with its centre at the origin; ``size`` along x, y, z."""

    size: Vector = _ONES

    @property
    def volume(self) -> float:
        """The volume in m³."""
        x, y, z = self.size
        return x * y * z


@dataclass(frozen=True, slots=True)
class Sphere(Geometry):
    """A sphere with its centre at the origin."""

    radius: float = 1.0

    @property
    def volume(self) -> float:
        """The volume in m³."""
        return 4 / 3 * math.pi * self.radius * self.radius * self.radius  # a power of a large float raises


@dataclass(frozen=True, slots=True)
class Cylinder(Geometry):
    """A cylinder along z with its centre at the origin."""

    radius: float = 1.0
    length: float = 1.0

    @property
    def volume(self) -> float:
        """The volume in m³."""
        return math.pi * self.radius * self.radius * self.length


@dataclass(frozen=True, slots=True)
class Capsule(Geometry):
    """A cylinder of ``length`` along z with half a sphere at either end, its centre at the origin."""

    radius: float = 0.5
    length: float = 1.0

    @property
    def volume(self) -> float:
        """The volume in m³."""
        return math.pi * self.radius * self.radius * (self.length + 4 / 3 * self.radius)


@dataclass(frozen=True, slots=True)
class Ellipsoid(Geometry):
    """An ellipsoid with its centre at the origin; ``radii`` along x, y, z."""

    radii: Vector = _ONES

    @property
    def volume(self) -> float:
        """The volume in m³."""
        a, b, c = self.radii
        return 4 / 3 * math.pi * a * b * c


@dataclass(frozen=True, slots=True)
class Cone(Geometry):
    """A cone along z with its apex at half its length; ``radius`` is that of its base."""

    radius: float = 1.0
    length: float = 1.0

    @property
    def volume(self) -> float:
        """The volume in m³."""
        return math.pi * self.radius * self.radius * self.length / 3


@dataclass(frozen=True, slots=True)
class Plane(Geometry):
    """A plane through the origin; ``size`` counts for what is drawn, a plane collides everywhere."""

    normal: Vector = (0.0, 0.0, 1.0)
    size: tuple[float, float] = (1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Polyline(Geometry):
    """Outlines in the plane of x and y, those inside others being holes, drawn out to ``height`` along z."""

    loops: tuple[Loop, ...] = ()
    height: float = 1.0


@dataclass(frozen=True, slots=True)
class FileGeometry(Geometry):
    """A shape that a file holds.

    Attributes
    ----------
    uri
        As written.
    file
        The file that the URI is written in, which it may be relative to.
    path
        Where the URI leads to; None where nobody has looked, or nothing is found.
    """

    uri: str = ""
    file: Path | None = field(default=None, repr=False)
    path: Path | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Mesh(FileGeometry):
    """A mesh.

    Attributes
    ----------
    scale
        Factors along x, y, z; negative ones mirror.
    submesh
        Name of the only part that counts, None for the whole mesh.
    center
        Whether that part is moved to the origin.
    """

    scale: Vector = _ONES
    submesh: str | None = None
    center: bool = False


@dataclass(frozen=True, slots=True)
class HeightmapTexture:
    """A texture of a heightmap; ``size`` is how many metres it covers before it repeats."""

    diffuse: str
    normal: str = ""
    size: float = 10.0


@dataclass(frozen=True, slots=True)
class Heightmap(FileGeometry):
    """Ground whose height a picture gives; ``size`` along x, y, z, moved to ``position``."""

    size: Vector = _ONES
    position: Vector = (0.0, 0.0, 0.0)
    textures: tuple[HeightmapTexture, ...] = ()


@dataclass(frozen=True, slots=True)
class Image(FileGeometry):
    """Boxes where a picture is darker than ``threshold`` (0 to 255): ``scale`` metres a pixel, ``height`` high."""

    scale: float = 1.0
    threshold: float = 200.0
    height: float = 1.0
    granularity: int = 1
