"""What a shape is: its record, and what the program knows about all shapes of its kind.

A module of this package holds one shape; whatever differs from shape to shape is answered there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

from sdfviewer.document.element import Element
from sdfviewer.model.near_names import Hinted
from sdfviewer.model.shapes.surface import Convex, ShapeSurface
from sdfviewer.model.values import format_numbers, read_number, read_vector

Vector: TypeAlias = tuple[float, float, float]
Numbers: TypeAlias = tuple[float, ...]
ONES: Vector = (1.0, 1.0, 1.0)


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
class FileGeometry(Geometry):
    """A shape that a file holds.

    Attributes
    ----------
    uri
        As written.
    file
        The file that the URI is written in, which it may be relative to.
    path
        Where the URI leads to; None where it was not looked for, or not found.
    """

    uri: str = ""
    file: Path | None = field(default=None, repr=False)
    path: Path | None = field(default=None, compare=False)


class Solid(NamedTuple):
    """The mass properties of a solid shape of one kilogram.

    Attributes
    ----------
    moments
        ixx, iyy, izz about the centre of mass, in m².
    centre
        The centre of mass in metres.
    products
        ixy, ixz, iyz about the centre of mass, in m².
    """

    moments: Vector
    centre: Vector = (0.0, 0.0, 0.0)
    products: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Size:
    """A property of a shape: a child of its element in SDFormat and, where URDF has the shape, an attribute.

    Attributes
    ----------
    path
        Tags below the shape's element.
    help
        What it is, in one sentence.
    unit
        Of its numbers.
    new
        What is written for it in a shape that is added; empty where nothing is.
    label
        What it is called beside its field; by default its path.
    """

    path: str
    help: str
    unit: str = "m"
    new: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Grip:
    """A place on the surface of a shape where it is pulled to another size.

    Attributes
    ----------
    at, along
        The point and the unit vector out of the shape, in its frame.
    size, index
        The size that it changes, and which of its numbers.
    shift
        Metres that the shape moves along for each metre: a half where the opposite side stays.
    """

    at: Vector
    along: Vector
    size: str
    index: int = 0
    shift: float = 0.0


def grip(axis: int, reach: float, size: str, index: int = 0, shift: float = 0.0, height: float = 0.0) -> Grip:
    """Return the grip on an axis (0 to 2) where a shape reaches to, below zero on the other side."""
    at, along = [0.0, 0.0, height], [0.0, 0.0, 0.0]
    at[axis] += reach
    along[axis] = math.copysign(1.0, reach)
    return Grip((at[0], at[1], at[2]), (along[0], along[1], along[2]), size, index, shift)


def with_edges(grips: Sequence[Grip]) -> tuple[tuple[Grip, ...], ...]:
    """Return grips, then each two that meet at an edge."""
    edges = (
        (a, b)
        for number, a in enumerate(grips)
        for b in grips[number + 1 :]
        if (a.size, a.index) != (b.size, b.index) and sum(map(math.prod, zip(a.along, b.along, strict=True))) == 0
    )
    return (*((each,) for each in grips), *edges)


@dataclass(frozen=True, slots=True)
class OlderPart:
    """A shape that replaces a part of one that an old version of URDF lacks.

    Attributes
    ----------
    suffix
        What its name ends with.
    tag, values
        Its element and the attributes of that.
    z
        How far it is above the origin, in metres.
    """

    suffix: str
    tag: str
    values: Mapping[str, str]
    z: float = 0.0


G = TypeVar("G", bound=Geometry)


class ShapeKind(Generic[G]):
    """What is known of the shapes of one kind; a module makes one and calls it ``SHAPE``.

    The defaults here are for a shape that cannot be computed with: it is not drawn, weighed, mirrored or in URDF.
    """

    record: ClassVar[type[Any]]
    """The class of its shapes."""
    rank: ClassVar[int]
    """Position in lists of shapes; the most usual ones come first."""
    sizes: ClassVar[tuple[Size, ...]] = ()
    """Its properties in the order in which they are written and edited."""
    urdf_since: ClassVar[tuple[int, int] | None] = None
    """The first version of URDF that has the shape; None where none has."""
    is_weighed_by_libsdformat: ClassVar[bool] = False
    """Whether ``<inertial auto="true">`` can use the shape."""

    @property
    def tag(self) -> str:
        """The name of its element."""
        return self.record.__name__.lower()

    # --- reading and writing -----------------------------------------------------------------------------------------

    def from_sdformat(self, elements: Sequence[Element], file: Path | None) -> Geometry:
        """Return the shape of an element; what is missing or broken is SDFormat's default.

        Parameters
        ----------
        elements
            All elements of its name in one ``<geometry>``, of which nearly all shapes use the first.
        file
            The file that they are written in.
        """
        raise NotImplementedError

    def from_urdf(self, element: Element, file: Path | None, numbers: Callable[[str], Numbers | None]) -> Geometry:
        """Return the shape of an element of a URDF; what is missing or broken is SDFormat's default.

        Parameters
        ----------
        element
            The element of the shape.
        file
            The file that it is written in.
        numbers
            Reads the numbers in an attribute, None where one of its words is no number.
        """
        raise NotImplementedError

    def new_content(self) -> str:
        """Return the lines in the element of a new shape, about as large as a hand."""
        return "\n".join(f"<{size.path}>{size.new}</{size.path}>" for size in self.sizes if size.new)

    @property
    def urdf_numbers(self) -> Mapping[str, int]:
        """How many numbers each attribute holds that URDF requires and that must be positive."""
        return {}

    def is_in_urdf(self, version: tuple[int, int]) -> bool:
        """Return whether a version of URDF has the shape."""
        return self.urdf_since is not None and self.urdf_since <= version

    def in_older_urdf(self, values: Mapping[str, str]) -> Sequence[OlderPart]:
        """Return what represents the shape in versions of URDF that lack it, its numbers being as they are written."""
        return ()

    # --- appearance --------------------------------------------------------------------------------------------------

    def drawn(self, geometry: G) -> tuple[Geometry, Vector]:
        """Return the shape whose triangles are drawn, without its element, and what scales them; never negative.

        As many shapes as possible share their triangles: all boxes are one box at a scale.
        """
        return replace(geometry, element=None), ONES

    def surfaces(self, geometry: G) -> list[ShapeSurface]:
        """Return the triangles of a shape, then coarser ones; none where they are read from a file or take time."""
        return []

    def grips(self, geometry: G) -> tuple[tuple[Grip, ...], ...]:
        """Return where a shape is pulled: one grip on a face or an end, two that are pulled at once on an edge."""
        return ()

    # --- mechanics ---------------------------------------------------------------------------------------------------

    def solid(self, geometry: G) -> Solid | None:
        """Return centre of mass and moments of a solid shape; None where its size alone does not tell."""
        return None

    def convex(self, geometry: G, part: float) -> Convex | None:
        """Return the shape for collisions; None where it is not convex by itself.

        Parameters
        ----------
        geometry
            The shape.
        part
            The part of its size that counts, slightly less than 1, so that shapes that touch do not collide.
        """
        return None

    def collision_surfaces(self, geometry: G) -> list[ShapeSurface]:
        """Return the triangles that collide where they are not those that are drawn; none where they are."""
        return []

    def half_height(self, geometry: G) -> float:
        """Return how far a shape goes up and down from its origin along z, in metres; 0 where that is not known."""
        return 0.0

    def mujoco_size(self, geometry: G) -> Sequence[float] | None:
        """Return the size of MuJoCo's geom of the same name; None where it must be a mesh."""
        return None

    # --- mirrors -----------------------------------------------------------------------------------------------------

    def why_not_mirrored(self, axis: int) -> str:
        """Return why a mirror along an axis (0 to 2) of its frame cannot be written, empty where it can."""
        return f"a {self.tag} cannot be mirrored"

    def mirrored_numbers(self) -> Mapping[str, Numbers]:
        """Return the children that hold directions or factors, which change their signs, with their defaults."""
        return {}

    def turn_in_mirror(self, axis: int) -> Vector:
        """Return how the mirror image along an axis (0 to 2) is the same shape turned: signs of x, y and z."""
        return ONES


class Primitive(ShapeKind[G]):
    """A shape that a few numbers describe, and that people add."""

    is_weighed_by_libsdformat = True
    icon: ClassVar[str]
    """Its Material Design icon."""
    is_round: ClassVar[bool] = False
    """Whether it looks different with fewer triangles."""

    def __init__(self) -> None:
        fields = self.record.__dataclass_fields__
        self._defaults = [(size.path, fields[size.path].default) for size in self.sizes]

    @property
    def defaults(self) -> Mapping[str, str]:
        """What counts where a size is not written, as it would be written."""
        return {name: format_numbers(each if isinstance(each, tuple) else (each,)) for name, each in self._defaults}

    def from_sdformat(self, elements: Sequence[Element], file: Path | None) -> Geometry:
        """Return the shape of an element; what is missing or broken is SDFormat's default."""
        element = elements[0]
        values = [
            read_vector(element, tag, default) if isinstance(default, tuple) else finite_number(element, tag, default)
            for tag, default in self._defaults
        ]
        shape: Geometry = self.record(*values, element=element)
        return shape

    def from_urdf(self, element: Element, file: Path | None, numbers: Callable[[str], Numbers | None]) -> Geometry:
        """Return the shape of an element of a URDF; what is missing or broken is SDFormat's default."""
        values: list[object] = []
        for name, default in self._defaults:
            found = numbers(element.attributes.get(name, ""))
            count = len(default) if isinstance(default, tuple) else 1
            is_read = found is not None and len(found) == count
            values.append((found if count > 1 else found[0]) if found is not None and is_read else default)
        shape: Geometry = self.record(*values, element=element)
        return shape

    @property
    def urdf_numbers(self) -> Mapping[str, int]:
        """How many numbers each attribute holds."""
        return {name: len(default) if isinstance(default, tuple) else 1 for name, default in self._defaults}

    def surfaces(self, geometry: G) -> list[ShapeSurface]:
        """Return the triangles of a shape, then coarser ones for crowds that are small on screen."""
        return [self.surface(geometry, *level) for level in (_LEVELS if self.is_round else _LEVELS[:1])]

    def surface(self, geometry: G, sectors: int, rings: int) -> ShapeSurface:
        """Return the triangles of a shape in its frame, in metres.

        Parameters
        ----------
        geometry
            The shape; of another scale than its own where :meth:`drawn` says so.
        sectors, rings
            How many parts a round shape has around z and along it.
        """
        raise NotImplementedError

    def why_not_mirrored(self, axis: int) -> str:
        """Return that any mirror can be written: the shape is its own mirror image."""
        return ""


_LEVELS = ((48, 24), (12, 6), (4, 2))
"""Sectors and rings of round shapes: in full, for those that are small on screen, and for specks."""


def finite_number(element: Element | None, tag: str, default: float) -> float:
    """Return the number in a child; the default where it is missing, broken or infinite."""
    value = read_number(element, tag, default)
    return value if math.isfinite(value) else default


def three_numbers(element: Element | None, tag: str, default: Vector) -> Vector:
    """Return the numbers in a child; the default where they are missing, broken or infinite."""
    x, y, z = read_vector(element, tag, default)
    return x, y, z
