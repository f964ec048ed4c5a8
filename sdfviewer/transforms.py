"""Poses and rotations as NumPy arrays, batch first.

Knows matrices, roll-pitch-yaw angles and quaternions; must not know files or frames.

Every function takes any number of leading batch axes. Angles are radians, lengths metres. A pose of B in A is the
homogeneous matrix ``X_AB`` (..., 4, 4); poses compose by ``X_AC = X_AB @ X_BC``. Quaternions are ``w, x, y, z``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[np.float64]

#: What the numbers of a pose (6,) are called, in their order.
POSE_PARTS = ("x", "y", "z", "roll", "pitch", "yaw")
QUATERNION_PARTS = ("x", "y", "z", "qx", "qy", "qz", "qw")

_ROUNDING = 1e-14
"""By how much the rounding of a few products may change an angle, in radians."""


def identity(*batch: int) -> Array:
    """Return identity poses of shape (*batch, 4, 4)."""
    return np.tile(np.eye(4), (*batch, 1, 1))


NO_ROTATION = "a quaternion of length zero is not a rotation"


def why_no_rotation(rpy: ArrayLike | None, quaternion: ArrayLike | None) -> str | None:
    """Return why these do not tell a rotation, None where they do or neither is given."""
    if rpy is not None and quaternion is not None:
        return "give the rotation as rpy or as a quaternion, not as both"
    return NO_ROTATION if quaternion is not None and not np.any(quaternion) else None


def rpy_to_matrix(rpy: ArrayLike) -> Array:
    """Return rotation matrices (..., 3, 3) for roll, pitch, yaw (..., 3) in radians.

    The rotation is about the fixed axes x, then y, then z: ``R = Rz(yaw) @ Ry(pitch) @ Rx(roll)``, the convention of
    SDFormat's ``<pose>`` and of URDF's ``rpy``.
    """
    angles = np.asarray(rpy, dtype=np.float64)
    c, s = np.cos(angles), np.sin(angles)
    cr, cp, cy = c[..., 0], c[..., 1], c[..., 2]
    sr, sp, sy = s[..., 0], s[..., 1], s[..., 2]
    R = np.empty((*angles.shape[:-1], 3, 3))
    R[..., 0, 0] = cy * cp
    R[..., 0, 1] = cy * sp * sr - sy * cr
    R[..., 0, 2] = cy * sp * cr + sy * sr
    R[..., 1, 0] = sy * cp
    R[..., 1, 1] = sy * sp * sr + cy * cr
    R[..., 1, 2] = sy * sp * cr - cy * sr
    R[..., 2, 0] = -sp
    R[..., 2, 1] = cp * sr
    R[..., 2, 2] = cp * cr
    return R


def matrix_to_rpy(R: ArrayLike) -> Array:
    """Return roll, pitch, yaw (..., 3) in radians of rotation matrices (..., 3, 3).

    At pitch = ±90° roll and yaw turn about the same axis; there the roll is chosen as zero.
    """
    R = np.asarray(R, dtype=np.float64)
    horizontal = np.hypot(R[..., 0, 0], R[..., 1, 0])
    pitch = np.arctan2(-R[..., 2, 0], horizontal)
    roll = np.where(horizontal < 1e-12, 0.0, np.arctan2(R[..., 2, 1], R[..., 2, 2]))
    # Close to there both are known badly, and their sum or difference well: what is left without this roll is the yaw.
    sine, cosine = np.sin(roll), np.cos(roll)
    left = np.arctan2(sine * R[..., 0, 2] - cosine * R[..., 0, 1], cosine * R[..., 1, 1] - sine * R[..., 1, 2])
    yaw = np.where(horizontal < 1e-4, left, np.arctan2(R[..., 1, 0], R[..., 0, 0]))
    return np.stack([roll, pitch, yaw], axis=-1)


def quaternion_to_matrix(wxyz: ArrayLike) -> Array:
    """Return rotation matrices (..., 3, 3) of quaternions (..., 4), which need not be normalised.

    A quaternion of length zero represents the identity, as in libsdformat.
    """
    q = np.asarray(wxyz, dtype=np.float64)
    norm = np.linalg.norm(q, axis=-1, keepdims=True)
    unit = np.where(norm > 1e-12, q / np.where(norm > 1e-12, norm, 1.0), np.array([1.0, 0.0, 0.0, 0.0]))
    w, x, y, z = np.moveaxis(unit, -1, 0)
    R = np.empty((*q.shape[:-1], 3, 3))
    R[..., 0, 0] = 1 - 2 * (y * y + z * z)
    R[..., 0, 1] = 2 * (x * y - w * z)
    R[..., 0, 2] = 2 * (x * z + w * y)
    R[..., 1, 0] = 2 * (x * y + w * z)
    R[..., 1, 1] = 1 - 2 * (x * x + z * z)
    R[..., 1, 2] = 2 * (y * z - w * x)
    R[..., 2, 0] = 2 * (x * z - w * y)
    R[..., 2, 1] = 2 * (y * z + w * x)
    R[..., 2, 2] = 1 - 2 * (x * x + y * y)
    return R


def matrix_to_quaternion(R: ArrayLike) -> Array:
    """Return unit quaternions (..., 4), ``w, x, y, z`` with w ≥ 0, of rotation matrices (..., 3, 3).

    The four squared components come from the diagonal; the largest is taken as pivot, which keeps full accuracy for
    every rotation (S. W. Shepperd, "Quaternion from rotation matrix", 1978).
    """
    R = np.asarray(R, dtype=np.float64)
    xx, yy, zz = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    # Row k holds 4 q_k q: the candidate quaternion scaled by its own component k.
    yz, zx, xy = R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]
    sxy, szx, syz = R[..., 1, 0] + R[..., 0, 1], R[..., 0, 2] + R[..., 2, 0], R[..., 2, 1] + R[..., 1, 2]
    candidates = np.empty((*xx.shape, 4, 4))
    candidates[..., 0, 0], candidates[..., 1, 1] = 1 + xx + yy + zz, 1 + xx - yy - zz
    candidates[..., 2, 2], candidates[..., 3, 3] = 1 - xx + yy - zz, 1 - xx - yy + zz
    candidates[..., 0, 1] = candidates[..., 1, 0] = yz
    candidates[..., 0, 2] = candidates[..., 2, 0] = zx
    candidates[..., 0, 3] = candidates[..., 3, 0] = xy
    candidates[..., 1, 2] = candidates[..., 2, 1] = sxy
    candidates[..., 1, 3] = candidates[..., 3, 1] = szx
    candidates[..., 2, 3] = candidates[..., 3, 2] = syz
    diagonal = candidates[..., range(4), range(4)]
    pivot = np.argmax(np.fmax(diagonal, -1.0), axis=-1)  # NaN is never the largest
    q = candidates.reshape(-1, 4)[4 * np.arange(pivot.size) + pivot.ravel()].reshape(*pivot.shape, 4)
    q /= np.sqrt((q * q).sum(axis=-1, keepdims=True))
    return np.asarray(np.where(q[..., :1] < 0, -q, q))


def axis_angle_to_matrix(axis: ArrayLike, angle: ArrayLike) -> Array:
    """Return rotation matrices (..., 3, 3) about unit vectors ``axis`` (..., 3) by ``angle`` (...) radians."""
    u = np.asarray(axis, dtype=np.float64)
    theta = np.asarray(angle, dtype=np.float64)
    c, s = np.cos(theta)[..., None, None], np.sin(theta)[..., None, None]
    x, y, z = u[..., 0], u[..., 1], u[..., 2]
    zero = np.zeros_like(x)
    K = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*u.shape[:-1], 3, 3)
    outer = u[..., :, None] * u[..., None, :]
    return np.asarray(c * np.eye(3) + s * K + (1 - c) * outer)


def perpendicular(v: ArrayLike) -> Array:
    """Return a unit vector (..., 3) at right angles to each vector (..., 3) that is not zero."""
    v = np.asarray(v, dtype=np.float64)
    # The coordinate axis that is farthest from parallel gives the best conditioned cross product.
    across = np.cross(v, np.eye(3)[np.argmin(np.abs(v), axis=-1)])
    return np.asarray(across / np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-12))


def pose(R: ArrayLike, p: ArrayLike) -> Array:
    """Return poses (..., 4, 4) from rotations (..., 3, 3) and positions (..., 3)."""
    R, p = np.asarray(R, dtype=np.float64), np.asarray(p, dtype=np.float64)
    X = identity(*np.broadcast_shapes(R.shape[:-2], p.shape[:-1]))
    X[..., :3, :3] = R
    X[..., :3, 3] = p
    return X


def pose_to_matrix(xyzrpy: ArrayLike) -> Array:
    """Return poses (..., 4, 4) from ``x y z roll pitch yaw`` (..., 6), metres and radians."""
    values = np.asarray(xyzrpy, dtype=np.float64)
    if values.ndim == 1:
        return _one_pose(values)
    return pose(rpy_to_matrix(values[..., 3:]), values[..., :3])


def _one_pose(xyzrpy: Array) -> Array:
    """Return `pose_to_matrix` of a single pose, to the last bit, without the cost of NumPy's calls for each product."""
    x, y, z = xyzrpy[:3].tolist()
    cr, cp, cy = np.cos(xyzrpy[3:]).tolist()
    sr, sp, sy = np.sin(xyzrpy[3:]).tolist()
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, x],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, y],
            [-sp, cp * sr, cp * cr, z],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )


def matrix_to_pose(X: ArrayLike) -> Array:
    """Return ``x y z roll pitch yaw`` (..., 6), metres and radians, from poses (..., 4, 4)."""
    X = np.asarray(X, dtype=np.float64)
    return np.concatenate([X[..., :3, 3], matrix_to_rpy(X[..., :3, :3])], axis=-1)


def written_numbers_of(X: Array) -> list[float]:
    """Return ``x y z roll pitch yaw``, metres and radians, as a pose (4, 4) is written: every writer calls this.

    A rotation has two triples of angles. The one with more zeros is written, of equal ones the one with shorter
    numbers: a pitch of 100° stays ``0 100 0``, and 0.1 2 0.3 stays that. An angle of whole degrees is exactly
    that, however the products before it were rounded.
    """
    numbers: list[float] = matrix_to_pose(X).tolist()
    if not np.isfinite(numbers[3:]).all():
        return numbers
    other = other_angles(numbers[3:], np.pi)
    angles = max((numbers[3:], other), key=_simplicity)  # the first of equals: pitch within 90°
    return [*numbers[:3], *map(_without_noise, angles)]


def other_angles(rpy: Sequence[float], half_turn: float) -> list[float]:
    """Return the other roll, pitch, yaw of a rotation, with roll and yaw within half a turn of zero."""
    roll, pitch, yaw = rpy
    return [
        roll - math.copysign(half_turn, roll),
        math.copysign(half_turn, pitch) - pitch,
        yaw - math.copysign(half_turn, yaw),
    ]


def _without_noise(angle: float) -> float:
    """Return an angle in radians, exactly that of whole degrees where rounding alone has made it another one.

    Half a turn has no sign.
    """
    whole = math.radians(round(math.degrees(angle)))
    if abs(abs(angle) - math.pi) <= _ROUNDING:
        return math.pi
    return whole if abs(angle - whole) <= _ROUNDING else angle


def _simplicity(angles: Sequence[float]) -> tuple[int, int]:
    """Return how many angles are zero and how few digits the others have, without the rounding of products."""
    rounded = [round(angle, 9) for angle in angles]
    return rounded.count(0.0), -sum(len(repr(abs(angle))) for angle in rounded)


def matrix_to_xyz_wxyz(X: ArrayLike) -> Array:
    """Return ``x y z qw qx qy qz`` (..., 7) from poses (..., 4, 4)."""
    X = np.asarray(X, dtype=np.float64)
    return np.concatenate([X[..., :3, 3], matrix_to_quaternion(X[..., :3, :3])], axis=-1)


def invert(X_AB: ArrayLike) -> Array:
    """Return ``X_BA`` (..., 4, 4), the inverse of rigid poses ``X_AB``."""
    X = np.asarray(X_AB, dtype=np.float64)
    R_BA = np.swapaxes(X[..., :3, :3], -1, -2)
    return pose(R_BA, -(R_BA @ X[..., :3, 3:])[..., 0])


def pose_error(X_A: ArrayLike, X_B: ArrayLike) -> tuple[Array, Array]:
    """Return how far poses (..., 4, 4) are apart: metres (...) between origins, radians (...) between orientations.

    The angle comes from the norm of the rotations' difference, which is accurate near zero, where the trace is not.
    """
    X_A, X_B = np.asarray(X_A, dtype=np.float64), np.asarray(X_B, dtype=np.float64)
    with np.errstate(over="ignore"):  # then infinitely far
        distance = np.linalg.norm(X_A[..., :3, 3] - X_B[..., :3, 3], axis=-1)
    chord = np.linalg.norm(X_A[..., :3, :3] - X_B[..., :3, :3], axis=(-2, -1))
    angle = 2 * np.arcsin(np.clip(chord / np.sqrt(8.0), 0.0, 1.0))
    return np.asarray(distance), np.asarray(angle)
