"""The view of one image: camera, size and quality."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sdfviewer.render.quality import STILL, Quality
from sdfviewer.scene.camera.camera import Camera


@dataclass(frozen=True)
class View:
    """A camera and the size of its picture in device pixels.

    `ratio` are device pixels to a logical one. `covered` are rectangles (left, top, width, height) in device pixels
    that the window draws over the picture: no text is placed below them.
    """

    camera: Camera
    width: int
    height: int
    ratio: float = 1.0
    quality: Quality = STILL
    covered: tuple[tuple[float, float, float, float], ...] = ()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height

    @property
    def draft(self) -> bool:
        """Whether speed counts more than looks."""
        return self.quality.samples == 0

    @property
    def reduced(self) -> View:
        """The same picture at the size in which it is drawn before it is enlarged."""
        scale = self.quality.scale
        if scale >= 1:
            return self
        width, height = max(round(self.width * scale), 1), max(round(self.height * scale), 1)
        return replace(self, width=width, height=height, ratio=self.ratio * scale)
