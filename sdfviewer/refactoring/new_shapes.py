"""Shapes that are added: their sizes as they are written, their geometry, and how they rest on a surface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sdfviewer.document.document import parse_document
from sdfviewer.model.shapes import PRIMITIVES, read_geometry
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.model.values import format_number
from sdfviewer.number_expression import parse_number
from sdfviewer.refactoring.editable import RefactoringError

_USUAL = 0.1
"""Metres across a shape of the usual size."""
_DIGITS = 6


@dataclass(frozen=True)
class NewShape:
    """A primitive shape as it is to be written.

    Attributes
    ----------
    shape
        Its tag, one of :data:`~sdfviewer.model.shapes.PRIMITIVES`.
    sizes
        The texts of its children by tag, in the order in which they are written.
    """

    shape: str
    sizes: Mapping[str, str]

    @staticmethod
    def usual(shape: str, size: float = _USUAL) -> NewShape:
        """Return a shape of some metres across."""
        sizes, units = {each.path: each.new for each in PRIMITIVES[shape].sizes}, _units(shape)
        factor = 1.0 if size == _USUAL else size / _USUAL
        for tag, text in sizes.items():
            if units[tag]:
                numbers = (round(float(word) * factor, _DIGITS) for word in text.split())
                sizes[tag] = " ".join(map(format_number, numbers))
        return NewShape(shape, sizes)

    @staticmethod
    def of(geometry: str | Geometry | NewShape | NewMesh) -> NewShape | NewMesh:
        """Return what is to be written for a shape that is given by a name, by a record or as it is typed.

        Raises
        ------
        RefactoringError
            If it is neither a primitive shape nor a mesh, or a size is not positive.
        """
        if isinstance(geometry, (NewShape, NewMesh)):
            return geometry
        tag = geometry if isinstance(geometry, str) else geometry.kind
        if isinstance(geometry, Mesh):
            return NewMesh("mesh", geometry.uri, geometry.scale[0])
        if tag not in PRIMITIVES:
            raise RefactoringError(f"a link cannot have the shape '{tag}' from the start: use {', '.join(PRIMITIVES)}")
        shape = NewShape.usual(tag)
        if isinstance(geometry, str):
            return shape
        sizes = {path: np.ravel(getattr(geometry, path)).tolist() for path in shape.sizes}
        return shape.with_typed({path: " ".join(map(format_number, each)) for path, each in sizes.items()})

    def with_typed(self, typed: Mapping[str, str]) -> NewShape:
        """Return the shape with sizes that somebody typed, with their expressions and units evaluated.

        Raises
        ------
        RefactoringError
            If a size is not made of as many positive numbers as it needs.
        """
        sizes, units = dict(self.sizes), _units(self.shape)
        for tag, text in typed.items():
            if tag not in sizes:
                continue
            words, count = text.replace(",", " ").split(), len(sizes[tag].split())
            if len(words) != count:
                raise RefactoringError(f"{tag} needs {count} number{'s' if count > 1 else ''}")
            try:
                numbers = [parse_number(word, units[tag]) for word in words]
            except ValueError as error:
                raise RefactoringError(f"{tag}: {str(error).removesuffix('.')}") from None
            if units[tag] and min(numbers) <= 0:
                raise RefactoringError(f"{tag} must be positive")
            sizes[tag] = " ".join(map(format_number, numbers))
        return NewShape(self.shape, sizes)

    @property
    def name(self) -> str:
        """What a visual with this shape is called."""
        return self.shape

    @property
    def fields(self) -> dict[str, str]:
        """What :func:`~sdfviewer.refactoring.adding.insert_member` needs for a visual or collision."""
        return {"shape": self.shape, "dimensions": self.content}

    @property
    def content(self) -> str:
        """The lines in the element of the shape."""
        return "\n".join(f"<{tag}>{text}</{tag}>" for tag, text in self.sizes.items())

    @property
    def geometry(self) -> Geometry:
        """The shape as the model has it."""
        text = f"<visual><geometry><{self.shape}>{self.content}</{self.shape}></geometry></visual>"
        root = parse_document(text).root
        assert root is not None
        return read_geometry(root)

    @property
    def height_above_bottom(self) -> float:
        """How far its origin is above its lowest point, in metres: what it rests on is there."""
        return PRIMITIVES[self.shape].half_height(self.geometry)


def _units(shape: str) -> Mapping[str, str]:
    """Return the units of sizes by their tags; a direction has none."""
    return {size.path: size.unit for size in PRIMITIVES[shape].sizes}


@dataclass(frozen=True)
class NewMesh:
    """A mesh file as it is to be written.

    Attributes
    ----------
    name
        What a visual with it is called.
    uri
        The file.
    scale
        Metres of one of its units.
    """

    name: str
    uri: str
    scale: float = 1.0

    @property
    def fields(self) -> dict[str, str]:
        """What :func:`~sdfviewer.refactoring.adding.insert_member` needs for a visual or collision."""
        scale = "" if self.scale == 1.0 else " ".join([format_number(self.scale)] * 3)
        return {"shape": "mesh", "uri": self.uri, "scale": scale}
