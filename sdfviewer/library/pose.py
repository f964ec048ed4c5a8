"""Poses: arrays with named components."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike

from sdfviewer import transforms
from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.model.near_names import Hinted
from sdfviewer.operations.parameters import finite, to_matrix
from sdfviewer.transforms import Array

if TYPE_CHECKING:
    _Base = np.ndarray[Any, np.dtype[np.float64]]
else:
    _Base = np.ndarray


class Pose(Hinted, _Base):
    """A pose X_AB of a frame B in a frame A: a NumPy array (4, 4) that names its components.

    It is used like any other array. ``X_AB @ X_BC`` and items of a batch (..., 4, 4) are poses too; every other result
    is a plain array.

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
    >>> Pose(xyz=(1, 2, 3))[:3, 3]
    array([1., 2., 3.])
    """

    def __new__(
        cls,
        value: ArrayLike | None = None,
        *,
        xyz: Sequence[float] | Array | None = None,
        rpy: Sequence[float] | Array | None = None,
        quaternion: Sequence[float] | Array | None = None,
    ) -> Pose:
        """Return a pose of its own."""
        X = to_matrix(value)
        if xyz is not None:
            X[:3, 3] = finite(xyz, 3, "xyz")
        if (why := transforms.why_no_rotation(rpy, quaternion)) is not None:
            raise InvalidValueError(why)
        if rpy is not None:
            X[:3, :3] = transforms.rpy_to_matrix(finite(rpy, 3, "rpy"))
        if quaternion is not None:
            X[:3, :3] = transforms.quaternion_to_matrix(finite(quaternion, 4, "quaternion"))
        return as_pose(X)

    @property
    def matrix(self) -> Array:
        """The pose as a plain array (..., 4, 4), a copy of its own."""
        return np.array(self, subok=False)

    @property
    def rotation(self) -> Array:
        """The rotation matrix R_AB (..., 3, 3)."""
        return self.matrix[..., :3, :3]

    @property
    def xyz(self) -> Array:
        """Translation p_AB (..., 3) in metres."""
        return self.matrix[..., :3, 3]

    @property
    def rpy(self) -> Array:
        """Roll, pitch and yaw (..., 3) in radians."""
        return transforms.matrix_to_rpy(self.rotation)

    @property
    def quaternion(self) -> Array:
        """The rotation (..., 4) as ``w x y z`` with w not negative."""
        return transforms.matrix_to_quaternion(self.rotation)

    def inverse(self) -> Pose:
        """Return X_BA."""
        return as_pose(transforms.invert(self.matrix))

    def apply(self, points: ArrayLike) -> Array:
        """Return points p_BP (..., 3) of the frame B in the frame A."""
        p_BP = np.asarray(points, dtype=np.float64)
        if p_BP.shape[-1:] != (3,):
            raise InvalidValueError(f"points must be arrays (..., 3), not of shape {p_BP.shape}")
        p_AP: Array = np.einsum("...ij,...j->...i", self.rotation, p_BP) + self.xyz
        return p_AP

    # --- an array ----------------------------------------------------------------------------------------------

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __matmul__(self, other: Pose, /) -> Pose: ...

        @overload
        def __matmul__(self, other: ArrayLike, /) -> Array: ...

        def __matmul__(self, other: Any, /) -> Any: ...

    else:

        def __getitem__(self, key: object) -> Any:
            found = self.view(np.ndarray)[key]
            is_item = self.ndim > 2 and isinstance(key, (int, np.integer, slice)) and found.shape[-2:] == (4, 4)
            return as_pose(found) if is_item else found

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if ufunc is np.multiply and method == "__call__" and all(isinstance(each, Pose) for each in inputs):
            raise TypeError("poses are composed by X_AB @ X_BC; the products of their elements are no pose")

        def plain(value: Any) -> Any:
            return value.view(np.ndarray) if isinstance(value, Pose) else value

        if "out" in options:
            options["out"] = tuple(plain(each) for each in options["out"])
        found = getattr(ufunc, method)(*(plain(each) for each in inputs), **options)
        is_product = ufunc is np.matmul and all(np.shape(each)[-2:] == (4, 4) for each in inputs)
        return as_pose(found) if is_product and "out" not in options else found

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return array[()] if return_scalar else array

    def __str__(self) -> str:
        return str(self.matrix)

    def __repr__(self) -> str:
        def numbers(values: Array) -> str:
            return "(" + ", ".join(f"{value + 0.0:.6g}" for value in np.round(values, 12).tolist()) + ")"

        if self.shape != (4, 4) or not np.array_equal(self.matrix[3], (0, 0, 0, 1)):
            return repr(self.matrix)
        return f"Pose(xyz={numbers(self.xyz)}, rpy={numbers(self.rpy)})"


def as_pose(X: Array) -> Pose:
    """Return an array (..., 4, 4) as a pose, unchecked and not copied."""
    pose: Pose = X.view(Pose)
    return pose
