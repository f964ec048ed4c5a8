"""One picture to take: from where, how large, how well."""

from __future__ import annotations

from dataclasses import dataclass

from sdfviewer.scene.camera import Camera


@dataclass(frozen=True)
class View:
    """A camera and the size of its picture in device pixels.

    With `samples` 0 the picture is a draft: without antialiasing, cheaply lit, for a processor that draws while
    something moves. `ratio` are device pixels to a logical one.
    """

    camera: Camera
    width: int
    height: int
    ratio: float = 1.0
    samples: int = 4

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height

    @property
    def draft(self) -> bool:
        """Whether speed counts more than looks."""
        return self.samples == 0
