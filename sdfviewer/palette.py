"""The colour tokens of tree, graphs, 3D view and source.

Colours are Okabe and Ito's, which colour-blind people can tell apart; kinds differ in shape as well.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Rgb = tuple[int, int, int]


def parse_hex(colour: str) -> Rgb:
    """Return red, green, blue in 0..255 of ``#RRGGBB``."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


class Glyph(IntEnum):
    """The shape that marks the origin of a frame; the numbers are those of the triad shader."""

    CIRCLE = 0
    SQUARE = 1
    DIAMOND = 2
    HEXAGON = 3
    TRIANGLE = 4
    RING = 5
    CROSS = 6
    STAR = 7


@dataclass(frozen=True)
class Style:
    """How one kind is marked: colour on dark and on light ground, and the shape of its glyph."""

    dark: str
    light: str
    glyph: Glyph

    def colour(self, dark: bool) -> str:
        """Return the colour for a dark or a light theme as ``#RRGGBB``."""
        return self.dark if dark else self.light


# The light variants are darkened until text in them has a contrast of 4.5 on every ground but that of a selection.
STYLES: dict[str, Style] = {
    "world": Style("#56B4E9", "#1D709E", Glyph.STAR),
    "model": Style("#4A9FE0", "#006FAD", Glyph.HEXAGON),
    "link": Style("#E69F00", "#905F00", Glyph.SQUARE),
    "joint": Style("#CC79A7", "#A9487D", Glyph.DIAMOND),
    "frame": Style("#1FB88A", "#007A58", Glyph.CIRCLE),
    "visual": Style("#B8BDC6", "#5C6470", Glyph.TRIANGLE),
    "collision": Style("#F0E442", "#746B00", Glyph.TRIANGLE),
    "sensor": Style("#9BD0F0", "#3A6E91", Glyph.RING),
    "light": Style("#F7D774", "#846500", Glyph.RING),
    "actor": Style("#C9A7E8", "#6E4C94", Glyph.HEXAGON),
    "projector": Style("#9BD0F0", "#3A6E91", Glyph.RING),
    "particle_emitter": Style("#9BD0F0", "#3A6E91", Glyph.RING),
    "error": Style("#FF7A33", "#B64600", Glyph.CROSS),
}

# The axes keep their usual colours, which differ in lightness as well as in hue.
AXIS_X = "#F2545B"
AXIS_Y = "#5BBF4A"
AXIS_Z = "#4C8DFF"
AXES = (AXIS_X, AXIS_Y, AXIS_Z)

#: Lights up what collides, on surfaces of any colour.
CONTACT = "#E4002B"


@dataclass(frozen=True)
class Theme:
    """The colours of a 3D view that belong to no kind."""

    background_top: str
    background_bottom: str
    grid: str
    grid_major: str
    text: str
    plate: str
    selection: str
    hover: str
    chain: str
    match: str
    ghost: str
    cube_face: str
    cube_edge: str
    cube_text: str
    measure: str


DARK = Theme(
    background_top="#3B424D",
    background_bottom="#191C21",
    grid="#7A8494",
    grid_major="#A9B3C2",
    text="#F4F6F8",
    plate="#14171B",
    selection="#FFC83D",
    hover="#FFFFFF",
    chain="#FFE3A0",
    match="#C39BFF",
    ghost="#8EC5FF",
    cube_face="#4A525E",
    cube_edge="#9AA5B4",
    cube_text="#F4F6F8",
    measure="#F0E442",
)
LIGHT = Theme(
    background_top="#F7F9FB",
    background_bottom="#CBD3DC",
    grid="#7E8896",
    grid_major="#4F5966",
    text="#15181C",
    plate="#FFFFFF",
    selection="#D97A00",
    hover="#15181C",
    chain="#A87935",
    match="#7A3FE0",
    ghost="#2E6FB5",
    cube_face="#EEF1F5",
    cube_edge="#7F8895",
    cube_text="#252A31",
    measure="#7A3E9D",
)

# Yellow, orange, vermillion and purple, the largest darkest on light ground and lightest on dark ground.
_PALE_TO_DEEP = ("#F0E442", "#E69F00", "#D55E00", "#7D2A6B")
_DIM_TO_BRIGHT = ("#8C8434", "#C9871A", "#F58A58", "#FFC9F4")


def theme(dark: bool) -> Theme:
    """Return the theme for dark or light ground."""
    return DARK if dark else LIGHT


def difference_ramp(dark: bool) -> tuple[str, ...]:
    """Return the colours of differences from small to large, from yellow to purple.

    Each is further from the lightness of the ground. So the largest is seen first, and the order can be seen without
    seeing the hues.
    """
    return _DIM_TO_BRIGHT if dark else _PALE_TO_DEEP


TOKENS: tuple[str, ...] = (*STYLES, *(field.name for field in fields(Theme)), "axis_x", "axis_y", "axis_z")
"""All colours by name, for arrays that hold one as a number: `TOKENS.index(name)`."""


@lru_cache(maxsize=2)
def colour_table(dark: bool) -> NDArray[np.float32]:
    """Return the colours of `TOKENS` for a theme, (len(TOKENS), 3) in 0..1, to read only."""
    chosen = theme(dark)
    colours = [style.colour(dark) for style in STYLES.values()]
    colours += [getattr(chosen, field.name) for field in fields(Theme)]
    colours += AXES
    table = (np.array([parse_hex(colour) for colour in colours]) / 255).astype(np.float32)
    table.flags.writeable = False  # all callers share it
    return table
