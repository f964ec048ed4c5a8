"""Poses and rotations, against their definitions."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from sdfviewer import transforms as tf

ANGLES = arrays.arrays(np.float64, (5, 3), elements=st.floats(-10, 10, width=32))
POSES = arrays.arrays(np.float64, (5, 6), elements=st.floats(-10, 10, width=32))


def test_rpy_turns_about_fixed_axes_x_then_y_then_z() -> None:
    half = np.pi / 2
    # x̂ → (roll) x̂ → (pitch) −ẑ → (yaw) −ẑ
    np.testing.assert_allclose(tf.rpy_to_matrix([half, half, half]) @ [1, 0, 0], [0, 0, -1], atol=1e-15)
    np.testing.assert_allclose(tf.rpy_to_matrix([0, 0, half]) @ [1, 0, 0], [0, 1, 0], atol=1e-15)


@given(ANGLES)
def test_every_way_to_write_a_rotation_leads_back_to_it(rpy: np.ndarray) -> None:
    R = tf.rpy_to_matrix(rpy)
    np.testing.assert_allclose(R @ np.swapaxes(R, -1, -2), np.broadcast_to(np.eye(3), R.shape), atol=1e-12)
    np.testing.assert_allclose(tf.rpy_to_matrix(tf.matrix_to_rpy(R)), R, atol=1e-9)
    q = tf.matrix_to_quaternion(R)
    assert (q[..., 0] >= 0).all()
    np.testing.assert_allclose(np.linalg.norm(q, axis=-1), 1)
    np.testing.assert_allclose(tf.quaternion_to_matrix(q), R, atol=1e-9)
    np.testing.assert_allclose(tf.quaternion_to_matrix(-3 * q), R, atol=1e-9)


@given(POSES, POSES)
def test_inverse_and_error(a: np.ndarray, b: np.ndarray) -> None:
    X_AB, X_CD = tf.pose_to_matrix(a), tf.pose_to_matrix(b)
    np.testing.assert_allclose(X_AB @ tf.invert(X_AB), np.broadcast_to(np.eye(4), X_AB.shape), atol=1e-9)
    np.testing.assert_allclose(tf.pose_to_matrix(tf.matrix_to_pose(X_AB)), X_AB, atol=1e-9)
    assert not np.any(tf.pose_error(X_AB, X_AB))
    distance, angle = tf.pose_error(X_AB, X_CD)
    np.testing.assert_allclose(distance, np.linalg.norm(a[:, :3] - b[:, :3], axis=-1), atol=1e-12)
    trace = np.trace(np.swapaxes(X_AB[:, :3, :3], -1, -2) @ X_CD[:, :3, :3], axis1=-2, axis2=-1)
    np.testing.assert_allclose(np.cos(angle), (trace - 1) / 2, atol=1e-9)


@given(st.floats(-4, 4))
def test_axis_angle_is_rpy_on_the_axes(angle: float) -> None:
    np.testing.assert_allclose(
        tf.axis_angle_to_matrix(np.eye(3), np.full(3, angle)), tf.rpy_to_matrix(np.eye(3) * angle), atol=1e-12
    )


def test_a_quaternion_of_length_zero_is_the_identity() -> None:
    np.testing.assert_array_equal(tf.quaternion_to_matrix(np.zeros((2, 4))), np.broadcast_to(np.eye(3), (2, 3, 3)))


def test_perpendicular() -> None:
    vectors = np.concatenate([np.random.default_rng(0).normal(size=(100, 3)), np.eye(3), -5 * np.eye(3)])
    across = tf.perpendicular(vectors)
    np.testing.assert_allclose(np.linalg.norm(across, axis=1), 1.0)
    np.testing.assert_allclose(np.einsum("ij,ij->i", across, vectors), 0.0, atol=1e-12)
    np.testing.assert_array_equal(tf.perpendicular(vectors[7]), across[7])
