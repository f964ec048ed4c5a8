"""The display options of a view that change no array of the scene."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


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
