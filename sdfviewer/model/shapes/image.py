"""Boxes from an image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sdfviewer.document.element import Element
from sdfviewer.model.shapes.kind import ONES, FileGeometry, Geometry, ShapeKind, Size, Vector, finite_number


@dataclass(frozen=True, slots=True)
class Image(FileGeometry):
    """Boxes where a picture is darker than ``threshold`` (0 to 255): ``scale`` metres a pixel, ``height`` high."""

    scale: float = 1.0
    threshold: float = 200.0
    height: float = 1.0
    granularity: int = 1


class ImageKind(ShapeKind[Image]):
    """What is known of images."""

    record = Image
    rank = 100
    sizes = (
        Size("uri", "Greyscale image that is extruded into boxes.", "", "image.png"),
        Size("scale", "Length of one pixel."),
        Size("height", "Height of the boxes."),
    )

    def from_sdformat(self, elements: Sequence[Element], file: Path | None) -> Image:
        """Return the image of an element."""
        image = elements[0]
        return Image(
            uri=image.text_of("uri"),
            file=file,
            scale=finite_number(image, "scale", 1.0),
            threshold=finite_number(image, "threshold", 200.0),
            height=finite_number(image, "height", 1.0),
            granularity=int(finite_number(image, "granularity", 1.0)),
            element=image,
        )

    def drawn(self, geometry: Image) -> tuple[Geometry, Vector]:
        """Return the image; its granularity does not count."""
        return replace(geometry, granularity=1, element=None), ONES


SHAPE = ImageKind()
