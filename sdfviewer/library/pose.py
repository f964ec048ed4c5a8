"""Poses with named components."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sdfviewer import transforms
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.transforms import Array


class InvalidValueError(SdfViewerError, ValueError):
    """A value has the wrong shape, or is not a finite number."""


class Pose:
    """A pose X_AB of a frame B in a frame A: immutable, a NumPy array wherever one is wanted.

    Parameters
    ----------
    value
        A matrix (4, 4), another pose, or ``x y z roll pitch yaw`` (6,); the identity by default.
    xyz
        Translation in metres; in place of that of `value`.
    rpy
        Roll, pitch and yaw in radians, ``R = Rz(yaw) Ry(pitch) Rx(roll)``; in place of the rotation of `value`.
    quaternion
        The rotation as ``w x y z``; in place of the rotation of `value`.

    Raises
    ------
    InvalidValueError
        If a shape is wrong, a number is not finite, or both `rpy` and `quaternion` are given.

    Examples
    --------
    >>> Pose(xyz=(1, 0, 0)) @ Pose(rpy=(0, 0, 0.5))
    Pose(xyz=(1, 0, 0), rpy=(0, 0, 0.5))
    """

    __slots__ = ("_X",)

    def __init__(
        self,
        value: ArrayLike | Pose | None = None,
        *,
        xyz: Sequence[float] | Array | None = None,
        rpy: Sequence[float] | Array | None = None,
        quaternion: Sequence[float] | Array | None = None,
    ) -> None:
        X = to_matrix(value)
        if xyz is not None:
            X[:3, 3] = finite(xyz, 3, "xyz")
        if rpy is not None and quaternion is not None:
            raise InvalidValueError("give the rotation as rpy or as a quaternion, not as both")
        if rpy is not None:
            X[:3, :3] = transforms.rpy_to_matrix(finite(rpy, 3, "rpy"))
        if quaternion is not None:
            wxyz = finite(quaternion, 4, "quaternion")
            if not np.any(wxyz):
                raise InvalidValueError("a quaternion of length zero is not a rotation")
            X[:3, :3] = transforms.quaternion_to_matrix(wxyz)
        X.setflags(write=False)
        self._X: Array = X

    @property
    def matrix(self) -> Array:
        """The pose as a matrix (4, 4), a copy of its own."""
        return self._X.copy()

    @property
    def rotation(self) -> Array:
        """R_AB (3, 3)."""
        return self._X[:3, :3].copy()

    @property
    def xyz(self) -> Array:
        """Translation (3,) in metres."""
        return self._X[:3, 3].copy()

    @property
    def rpy(self) -> Array:
        """Roll, pitch and yaw (3,) in radians."""
        return transforms.matrix_to_rpy(self._X[:3, :3])

    @property
    def quaternion(self) -> Array:
        """The rotation (4,) as ``w x y z`` with w not negative."""
        wxyz = transforms.matrix_to_quaternion(self._X[:3, :3])
        return -wxyz if wxyz[0] < 0 else wxyz

    def inverse(self) -> Pose:
        """Return X_BA."""
        return Pose(transforms.invert(self._X))

    def __matmul__(self, other: ArrayLike | Pose) -> Pose:
        return Pose(self._X @ to_matrix(other))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self._X, dtype=dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pose) and bool(np.array_equal(self._X, other._X))

    def __hash__(self) -> int:
        return hash(self._X.tobytes())

    def __reduce__(self) -> tuple[type[Pose], tuple[Array]]:
        return Pose, (self.matrix,)

    def __repr__(self) -> str:
        def numbers(values: Array) -> str:
            return "(" + ", ".join(f"{value + 0.0:.6g}" for value in np.round(values, 12)) + ")"

        return f"Pose(xyz={numbers(self.xyz)}, rpy={numbers(self.rpy)})"


def finite(values: ArrayLike, count: int, what: str) -> Array:
    """Return `count` finite numbers.

    Raises
    ------
    InvalidValueError
        If there are more or fewer, or one is not finite.
    """
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"{what} must be {count} numbers, not {values!r}") from error
    if numbers.shape != (count,):
        raise InvalidValueError(f"{what} must be {count} numbers, not an array of shape {numbers.shape}")
    if not np.isfinite(numbers).all():
        raise InvalidValueError(f"{what} must be finite numbers, not {numbers.tolist()}")
    return numbers


def to_matrix(value: ArrayLike | Pose | None) -> Array:
    """Return a pose that is given in any form as a new matrix (4, 4).

    Raises
    ------
    InvalidValueError
        If it is neither a matrix (4, 4) nor six numbers, or is not finite.
    """
    if value is None:
        return np.eye(4)
    if isinstance(value, Pose):
        return value.matrix
    try:
        X = np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"a pose is a matrix (4, 4) or x y z roll pitch yaw, not {value!r}") from error
    if X.shape not in ((4, 4), (6,)):
        raise InvalidValueError(f"a pose is a matrix (4, 4) or x y z roll pitch yaw, not an array of shape {X.shape}")
    if not np.isfinite(X).all():
        raise InvalidValueError("a pose must hold finite numbers")
    if X.shape == (6,):
        return transforms.pose_to_matrix(X)
    R = X[:3, :3]
    is_rotation = np.allclose(R @ R.T, np.eye(3), atol=1e-6) and math.isclose(np.linalg.det(R), 1.0, abs_tol=1e-6)
    if not is_rotation or not np.allclose(X[3], (0, 0, 0, 1)):
        what = "its rotation is not orthonormal, or its last row is not 0 0 0 1"
        raise InvalidValueError(f"the matrix is not a pose: {what}")
    return X
