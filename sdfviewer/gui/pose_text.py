"""A pose as text in the forms that people paste elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sdfviewer.gui.number_field import format_exact
from sdfviewer.transforms import matrix_to_pose, matrix_to_xyz_wxyz

Array = NDArray[np.float64]


def _join(values: Array) -> str:
    return " ".join(format_exact(_without_noise(float(value))) for value in values)


def _without_noise(value: float) -> float:
    """Return a shorter number where it differs by rounding only: 0.1, not 0.10000000000000002."""
    short = float(f"{value:.15g}") if abs(value) >= 1e-15 else 0.0
    return short if abs(short - value) <= 3e-16 * max(1.0, abs(value)) else value


def as_xyz_rpy(X: Array) -> str:
    """Return ``x y z roll pitch yaw``, as in a ``<pose>``."""
    return _join(matrix_to_pose(X))


def as_quaternion(X: Array) -> str:
    """Return ``x y z qw qx qy qz``."""
    return _join(matrix_to_xyz_wxyz(X))


def as_matrix(X: Array) -> str:
    """Return the matrix, a row on each line."""
    return "\n".join(_join(row) for row in X)


def as_numpy(X: Array) -> str:
    """Return a Python expression that makes the matrix."""
    rows = ",\n          ".join(f"[{', '.join(_join(row).split())}]" for row in X)
    return f"np.array([{rows}])"


FORMS: dict[str, Callable[[Array], str]] = {
    "x y z roll pitch yaw": as_xyz_rpy,
    "x y z and quaternion (w x y z)": as_quaternion,
    "4×4 matrix": as_matrix,
    "NumPy": as_numpy,
}
"""Names of the forms for menus."""
