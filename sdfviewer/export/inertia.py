"""Moments of inertia that other programs refuse."""

from __future__ import annotations

import numpy as np

from sdfviewer.transforms import Array

#: MuJoCo takes moments of inertia in kg m² below this as zero.
_LEAST = 1e-14
#: The moment of inertia in kg m² written for a moving body that has none.
LEAST_MOMENT = 1e-7


def replacement_moment(I_B: Array) -> float | None:
    """Return the moment of inertia to write for all axes where no body can have an inertia (3, 3), else None.

    It is the mean of the principal moments, as MuJoCo's ``balanceinertia`` takes it, and a small one where that is not
    positive or not finite.
    """
    if not np.isfinite(I_B).all():
        return LEAST_MOMENT
    if float(np.linalg.eigvalsh(I_B)[0]) >= _LEAST:
        return None
    mean = float(np.trace(I_B)) / 3
    return mean if _LEAST <= mean < np.inf else LEAST_MOMENT
