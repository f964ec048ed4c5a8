"""Where the texts of a picture are: how they are written, and at which of them the mouse can point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdfviewer.palette import TOKENS
from sdfviewer.render.text.texts import PlacedText
from sdfviewer.render.view import View
from sdfviewer.scene.camera.camera import Camera
from sdfviewer.scene.nodes import Labels
from sdfviewer.scene.shapes2d import Shapes, strokes

#: Red, green, blue from 0 to 1.
_Colour: TypeAlias = tuple[float, float, float]

_LEADER = 1.2
"""How broad the line from a name to its frame is, in logical pixels."""

_COLOURS = ("plate", "selection", "hover", "text", "grid_major")
"""The colours that names and metre marks are drawn in."""


@dataclass(frozen=True)
class NameTarget:
    """A name in the picture: the row that it marks, and whether it says how many more names are left out."""

    row: int
    is_count: bool


@dataclass(frozen=True, eq=False)
class Targets:
    """Names, the topmost first, with rectangles (k, 4) of left, top, right and bottom in device pixels."""

    names: tuple[NameTarget, ...] = ()
    rectangles: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 4)))

    def at(self, x: float, y: float) -> NameTarget | None:
        """Return the name at a point of the picture in device pixels."""
        low, high = self.rectangles[:, :2], self.rectangles[:, 2:]
        inside = np.flatnonzero(((low <= (x, y)) & (high > (x, y))).all(axis=1))
        return self.names[inside[0]] if len(inside) else None

    def is_as(self, other: Targets) -> bool:
        """Return whether others are the same names in the same places."""
        return self.names == other.names and np.array_equal(self.rectangles, other.rectangles)


def _no_pairs() -> NDArray[np.float64]:
    return np.zeros((0, 2))


@dataclass(frozen=True, eq=False)
class TextLayout:
    """The n texts of a picture, the k names first, with what is shown, the most important first, and where.

    Of the names that had to move away from their frames `leaders` has the lines (2, 2) back to them, in device pixels.
    """

    texts: tuple[str, ...] = ()
    corners: NDArray[np.float64] = field(default_factory=_no_pairs)
    sizes: NDArray[np.float64] = field(default_factory=_no_pairs)
    shown: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, np.intp))
    selected: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    hovered: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    is_count: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    points: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))
    leaders: Mapping[int, NDArray[np.float64]] = field(default_factory=dict)

    @property
    def is_shown(self) -> NDArray[np.bool_]:
        """Which texts (n,) are shown."""
        mask = np.zeros(len(self.texts), bool)
        mask[self.shown] = True
        return mask

    def targets(self, labels: Labels, resting: TextLayout | None) -> Targets:
        """Return the names that one can point at: without those that are shown only because the mouse is near.

        A name that moves when it is hovered is pointed at where it is at rest, else it would leave the mouse.
        """
        names, corners = self.shown[self.shown < len(self.is_count)], self.corners
        if resting is not None:
            names, corners = names[resting.is_shown[names]], corners.copy()
            corners[: len(self.hovered)][self.hovered] = resting.corners[: len(self.hovered)][self.hovered]
        rectangles = np.concatenate([corners[names], corners[names] + self.sizes[names]], axis=1)
        pairs = zip(labels.owners[names].tolist(), self.is_count[names].tolist(), strict=True)
        return Targets(tuple(NameTarget(row, is_count) for row, is_count in pairs), rectangles)

    def leader_shapes(self, labels: Labels, colours: NDArray[np.float32], ratio: float) -> Shapes:
        """Return the lines from names to the frames from which they had to move away."""
        if not self.leaders:
            return Shapes()
        ends = np.stack([*self.leaders.values()]) / ratio
        tones = [(*rgb(colours[labels.tokens[label]]), 1.0) for label in self.leaders]
        # On a dark or light ground of its own a line is seen in front of anything.
        below = strokes(ends, _LEADER + 1.6, (*rgb(colours[TOKENS.index("plate")]), 0.6))
        return Shapes.concatenate([below, strokes(ends, _LEADER, tones)])

    def written(
        self, labels: Labels, colours: NDArray[np.float32], view: View, eye_to_clip: NDArray[np.float64]
    ) -> tuple[list[PlacedText], list[PlacedText]]:
        """Return the metre marks and the names that are shown, with the most important ones last, above the others."""
        texts, corners, first = self.texts, self.corners, len(self.is_count)
        table = {name: rgb(colours[TOKENS.index(name)]) for name in _COLOURS}
        lower_edges = corners[first:] + self.sizes[first:] * (0.5, 1.0)
        depths = _ground_depths(view.camera, self.points, lower_edges, view.size, eye_to_clip).tolist()
        order = self.shown[::-1].tolist()
        on_ground = [_mark(texts[k], corners[k], depths[k - first], table) for k in order if k >= first]
        tones = [rgb(colours[labels.tokens[k]]) for k in order if k < first]
        states = [(bool(self.selected[k]), bool(self.hovered[k])) for k in order if k < first]
        names = [
            _name(texts[k], corners[k], tone, *state, table)
            for k, tone, state in zip((k for k in order if k < first), tones, states, strict=True)
        ]
        return on_ground, names


def _mark(text: str, corner: NDArray[np.float64], depth: float, table: Mapping[str, _Colour]) -> PlacedText:
    """Return a metre mark, on the ground."""
    return PlacedText(
        text, float(corner[0]), float(corner[1]), table["grid_major"], (*table["plate"], 0.7), depth=depth
    )


def _name(
    text: str,
    corner: NDArray[np.float64],
    stripe: _Colour,
    is_selected: bool,
    is_hovered: bool,
    table: Mapping[str, _Colour],
) -> PlacedText:
    """Return the name of a frame, with a stripe in the colour of its kind."""
    plate = "selection" if is_selected else "plate"
    # The colour of the selection is light on either ground.
    tone = min(table["plate"], table["text"], key=sum) if is_selected else table["text"]
    opacity = 1.0 if is_selected or is_hovered else 0.78
    x, y = corner.tolist()
    rim = table["hover"] if is_hovered and not is_selected else None
    return PlacedText(text, x, y, tone, (*table[plate], opacity), stripe, rim)


def _ground_depths(
    camera: Camera,
    points: NDArray[np.float64],
    lower_edges: NDArray[np.float64],
    size: tuple[int, int],
    eye_to_clip: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the depths (k,) of metre marks at points (k, 3), so that a floor at z = 0 does not cut them in half.

    That is the depth of the ground under the middle of their lower edges, pixels (k, 2).
    """
    feet = points.copy()
    for foot, (x, y) in zip(feet, lower_edges.tolist(), strict=True):
        origin, direction = camera.ray(x, y, *size)
        # From below or beyond the horizon, no floor is in front of the mark.
        if origin[2] > 0 > direction[2]:
            foot[:] = origin - direction * (origin[2] / direction[2])
    from_eye = feet - camera.eye
    clip = from_eye @ eye_to_clip[:3, :3].T + eye_to_clip[:3, 3]
    w = np.ones(len(clip)) if camera.orthographic else np.maximum(-from_eye @ camera.axes[2], 1e-6)
    return np.asarray(clip[:, 2] / w - 1e-4)


def rgb(colour: NDArray[np.float32]) -> _Colour:
    """Return red, green and blue of a colour."""
    return float(colour[0]), float(colour[1]), float(colour[2])
