"""The shapes of visuals and collisions in any format, one module a shape; lengths in metres.

A module of this package that defines ``SHAPE`` adds a shape; it is found by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, TypeAlias

from sdfviewer.document.element import Element
from sdfviewer.model.shapes.kind import Empty, Geometry, Primitive, ShapeKind

_AnyKind: TypeAlias = ShapeKind[Any]


def _kinds() -> Iterator[_AnyKind]:
    for found in iter_modules(__path__):
        kind = getattr(import_module(f"{__name__}.{found.name}"), "SHAPE", None)
        if isinstance(kind, ShapeKind):
            yield kind


SHAPES: Mapping[str, _AnyKind] = {kind.tag: kind for kind in sorted(_kinds(), key=lambda kind: kind.rank)}
"""All shapes by the names of their elements, the most usual ones first."""
PRIMITIVES: Mapping[str, Primitive[Any]] = {tag: kind for tag, kind in SHAPES.items() if isinstance(kind, Primitive)}
"""The shapes that a few numbers describe, by the names of their elements."""
URDF_SHAPES: Mapping[str, _AnyKind] = {tag: kind for tag, kind in SHAPES.items() if kind.urdf_since is not None}
"""The shapes that some version of URDF has, by the names of their elements."""
_BY_RECORD = {kind.record: kind for kind in SHAPES.values()}


def kind_of(geometry: Geometry) -> _AnyKind | None:
    """Return what is known of a shape; None for one that is empty."""
    return _BY_RECORD.get(type(geometry))


def read_geometry(parent: Element, file: Path | None = None) -> Geometry:
    """Return the shape in the ``<geometry>`` of a part in SDFormat; empty where it has none that is known.

    Parameters
    ----------
    parent
        The visual or collision that holds the ``<geometry>``.
    file
        The file that it is written in; URIs may be relative to it.
    """
    geometry = parent.find("geometry")
    if geometry is None:
        return Empty(element=parent)
    for child in geometry.children:
        kind = SHAPES.get(child.tag)
        if kind is not None:
            alike = (child,) if len(geometry.children) == 1 else geometry.findall(child.tag)
            return kind.from_sdformat(alike, file)
    return Empty(element=geometry)
