"""Rendering quality: full at rest, reduced while something moves."""

from __future__ import annotations

from dataclasses import dataclass


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
