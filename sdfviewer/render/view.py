"""What one image shows and how: camera, size, display options, quality, and the highlighted rows with their parts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.camera import Camera
from sdfviewer.scene.glyph_sizes import mask_of
from sdfviewer.scene.scene import Scene


@dataclass(frozen=True)
class Quality:
    """What one picture may cost.

    Attributes
    ----------
    samples
        Samples a pixel; 0 makes the picture a draft: without antialiasing, cheaply lit.
    shadows
        Whether shadows are drawn where the look asks for them.
    scale
        Width and height in which the picture is drawn before it is enlarged, as a part of its own. Names and the
        handles of tools always have the full resolution.
    keeps_surfaces
        Whether the picture of the surfaces is kept for the next one, where only frames, names and marks may differ. It
        takes the memory of a second picture.
    """

    samples: int = 4
    shadows: bool = True
    scale: float = 1.0
    keeps_surfaces: bool = False


STILL = Quality()
"""A view at rest."""

STILL_IN_SOFTWARE = Quality(keeps_surfaces=True)
"""A view at rest that a processor draws: what is under the mouse changes more often than the surfaces do."""

DRAFTS = (
    Quality(0),
    Quality(0, shadows=False),
    Quality(0, shadows=False, scale=0.75),
    Quality(0, shadows=False, scale=0.6),
    Quality(0, shadows=False, scale=0.45),
    Quality(0, shadows=False, scale=0.33),
)
"""Pictures in motion, the best one first."""

LONGEST = 0.030
"""Seconds that a picture in motion may take: with what the window adds there are 25 pictures a second."""
_SHORTEST = 0.011
"""Below this many seconds the next better draft is tried: it takes at most about twice as long."""
_PATIENCE = 3
"""Number of fast frames in a row before quality is raised."""


class AdaptiveQuality:
    """Chooses among the `DRAFTS` by how long the last pictures in motion took.

    A picture that took too long makes the next ones cheaper at once; quality comes back only after several quick ones,
    so that it does not flicker between two levels. What was found holds for the next motion too.
    """

    def __init__(self) -> None:
        self._level = 0
        self._quick = 0

    @property
    def draft(self) -> Quality:
        """The quality for the next picture in motion."""
        return DRAFTS[self._level]

    def report(self, seconds: float) -> None:
        """Take note of how long the last picture in motion took."""
        self._quick = self._quick + 1 if seconds < _SHORTEST else 0
        if seconds > LONGEST:
            # Much too slow: skip a step.
            steps = 2 if seconds > 2.5 * LONGEST else 1
            self._level = min(self._level + steps, len(DRAFTS) - 1)
        elif self._quick >= _PATIENCE and self._level > 0:
            self._level, self._quick = self._level - 1, 0


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


class Depth(str, Enum):
    """How frames, joints and lines meet the surfaces in front of them."""

    ON_TOP = "on top"
    X_RAY = "x-ray"
    """Hidden parts shine through faintly."""
    TESTED = "depth tested"


@dataclass(frozen=True)
class Look:
    """The switches of one view; sizes are logical pixels unless they say metres.

    `dark` chooses the theme. `frame_size_metres`, where given, wins over `frame_size`. `transparent_background` leaves
    the background clear (alpha 0) for pictures that are pasted elsewhere.
    """

    dark: bool = True
    frame_size: float = 36.0
    frame_size_metres: float | None = None
    declutter: bool = True
    """Whether triads, joint glyphs, frusta and labels give way where there are many: small, as points, or left out."""
    frame_width: float = 2.5
    frame_opacity: float = 1.0
    frame_depth: Depth = Depth.ON_TOP
    joint_size: float = 64.0
    joint_size_metres: float | None = None
    line_width: float = 1.6
    surface_opacity: float = 1.0
    wireframe: bool = False
    shadows: bool = True
    frames: bool = True
    joints: bool = True
    labels: bool = True
    lines: bool = True
    grid: bool = True
    view_cube: bool = True
    transparent_background: bool = False


_CHAIN = 160
"""How strongly the chain to the selection is marked, of 255."""


@dataclass(frozen=True)
class Highlight:
    """Which rows are marked, as `Renderer.set_highlight` takes them."""

    selected: frozenset[int] = frozenset()
    hovered: int | None = None
    chain: frozenset[int] = frozenset()
    errors: frozenset[int] = frozenset()
    only_chain: bool = False
    detailed: frozenset[int] = frozenset()
    """Rows that are drawn in full even where there are many, though they are not marked."""
    carriers: frozenset[int] = frozenset()
    """The joints that carry the selection, drawn as the rows of the chain are, though they are not marked."""
    named: frozenset[int] | None = None
    """Rows that have names in the picture, beside those that are selected or hovered; None for as many as have room."""
    foremost: frozenset[int] = frozenset()
    """Rows whose names come before all others while nothing is selected."""
    drawn: frozenset[int] | None = None
    """Rows of the chain and carriers that are drawn in full in a dense picture; None for all."""

    @property
    def marked(self) -> tuple[frozenset[int], frozenset[int], frozenset[int]]:
        """The rows that are selected, those of the chain, and what is hovered."""
        return self.selected, self.chain, frozenset() if self.hovered is None else frozenset({self.hovered})

    @property
    def named_first(self) -> frozenset[int]:
        """The rows whose names come before all others now."""
        return frozenset() if self.selected else self.foremost

    @property
    def chosen(self) -> frozenset[int]:
        """The rows that matter wherever the mouse is: the selection, its chain and what is faulty."""
        return frozenset().union(self.selected, self.chain, self.errors)

    @property
    def attended(self) -> frozenset[int]:
        """All rows that matter to the user now."""
        return frozenset().union(self.chosen, *self.marked, self.detailed, self.carriers)

    @property
    def along(self) -> frozenset[int]:
        """The rows of the chain that matter only as a part of it: those of a long one would be a bundle of axes."""
        selected, chain, hovered = self.marked
        return (chain | self.carriers) - selected - hovered - self.errors - self.detailed

    def with_axes(self, scene: Scene, *, dense: bool) -> NDArray[np.bool_]:
        """Return which rows (n,) have axes, not points, wherever the mouse is: where there are many, what is chosen."""
        count = len(scene.X_RootF)
        if not dense:
            return np.ones(count, bool)
        return mask_of(self.chosen if self.drawn is None else (self.chosen - self.along) | self.drawn, count)

    def own(self, scene: Scene) -> NDArray[np.uint8]:
        """Return which rows (n, 2) are themselves selected and hovered, 0 to 255."""
        marks = np.zeros((len(scene.X_RootF), 2), np.uint8)
        marks[list(self.selected), 0] = 255
        marks[list(self.chain), 1] = _CHAIN
        if self.hovered is not None:
            marks[self.hovered, 1] = 255
        return marks

    def spread(self, scene: Scene) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Return which rows (n, 2) are marked along with what owns them, and which fade (n,)."""
        marks = np.zeros((len(scene.X_RootF), 2), np.uint8)
        marks[scene.owned_by(self.selected), 0] = 255
        if self.hovered is not None:
            marks[scene.owned_by([self.hovered]), 1] = 255
        faded = np.zeros(len(marks), bool)
        if self.only_chain and (self.selected or self.chain):
            faded[:] = True
            faded[list(self.selected | self.chain)] = False
        return marks, faded
