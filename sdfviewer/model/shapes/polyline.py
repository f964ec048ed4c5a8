"""Outlines that are extruded."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from sdfviewer.document.element import Element
from sdfviewer.model.shapes.kind import Geometry, Numbers, ShapeKind, Size, finite_number
from sdfviewer.model.values import parse_numbers

Loop: TypeAlias = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Polyline(Geometry):
    """Outlines in the plane of x and y, those inside others being holes, drawn out to ``height`` along z."""

    loops: tuple[Loop, ...] = ()
    height: float = 1.0


class PolylineKind(ShapeKind[Polyline]):
    """What is known of polylines."""

    record = Polyline
    rank = 110
    sizes = (Size("height", "Extrusion height of the outline along z.", new="0.1"),)

    def from_sdformat(self, elements: Sequence[Element], file: Path | None) -> Polyline:
        """Return the shape of all polylines of one geometry: they are one outline with holes, of the first's height."""
        loops = tuple(tuple(_point(point) for point in polyline.findall("point")) for polyline in elements)
        return Polyline(loops, finite_number(elements[0], "height", 1.0), element=elements[0])

    def new_content(self) -> str:
        """Return a square."""
        points = ("-0.1 -0.1", "0.1 -0.1", "0.1 0.1", "-0.1 0.1")
        return "\n".join([*(f"<point>{point}</point>" for point in points), super().new_content()])

    def why_not_mirrored(self, axis: int) -> str:
        """Return that the outline stays above its plane."""
        return "a polyline cannot be mirrored across its own plane; choose the x or the y axis" if axis == 2 else ""

    def mirrored_numbers(self) -> Mapping[str, Numbers]:
        """Return the points."""
        return {"point": (0.0, 0.0)}


def _point(point: Element) -> tuple[float, float]:
    numbers = parse_numbers(point.text)
    if numbers is None or len(numbers) != 2 or not all(map(math.isfinite, numbers)):
        return 0.0, 0.0
    return numbers[0], numbers[1]


SHAPE = PolylineKind()
