"""Poses are arrays that name their components."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.library.pose import Pose, as_pose


@pytest.fixture
def pose() -> Pose:
    return Pose(xyz=(1, 2, 3), rpy=(0.1, 0.2, 0.3))


def test_a_pose_is_given_in_many_ways(pose: Pose) -> None:
    np.testing.assert_array_equal(pose, Pose([1, 2, 3, 0.1, 0.2, 0.3]))
    np.testing.assert_array_equal(pose, Pose(np.asarray(pose)))
    np.testing.assert_allclose(Pose(pose, quaternion=(1, 0, 0, 0)), Pose(xyz=(1, 2, 3)))
    np.testing.assert_allclose(Pose(quaternion=pose.quaternion).rpy, [0.1, 0.2, 0.3])


def test_poses_are_not_multiplied_by_elements(pose: Pose) -> None:
    with pytest.raises(TypeError, match="X_AB @ X_BC"):
        pose * pose
    with pytest.raises(TypeError, match="X_AB @ X_BC"):
        pose *= pose
    np.testing.assert_array_equal(pose * 2, 2 * pose.matrix)


@pytest.mark.parametrize(
    "wrong", [[1, 2, 3], np.full((4, 4), np.nan), np.ones((4, 4)), "here", [0, 0, 0, 0, 0, float("inf")]]
)
def test_what_is_not_a_pose_is_refused(wrong) -> None:
    with pytest.raises(InvalidValueError):
        Pose(wrong)


def test_two_rotations_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="both"):
        Pose(rpy=(0, 0, 0), quaternion=(1, 0, 0, 0))
    with pytest.raises(InvalidValueError, match="length zero"):
        Pose(quaternion=(0, 0, 0, 0))


def test_products_are_poses_and_all_else_is_plain(pose: Pose) -> None:
    assert isinstance(pose @ pose.inverse(), Pose)
    np.testing.assert_allclose(pose @ pose.inverse(), np.eye(4), atol=1e-15)
    for plain in (pose[:3, 3], pose + 1, np.linalg.inv(pose), pose @ np.array([0, 0, 0, 1]), np.asarray(pose)):
        assert type(plain) is np.ndarray
    assert isinstance(pose.copy(), Pose)
    assert isinstance(pose[0, 3], float)


def test_points_are_moved_into_the_other_frame(pose: Pose) -> None:
    np.testing.assert_allclose(pose.apply([0, 0, 0]), [1, 2, 3])
    points = np.arange(12.0).reshape(4, 3)
    expected = points @ pose.rotation.T + pose.xyz
    np.testing.assert_allclose(pose.apply(points), expected)
    with pytest.raises(InvalidValueError, match="points"):
        pose.apply([1, 2])


def test_a_batch_names_its_components_too(pose: Pose) -> None:
    batch = as_pose(np.stack([pose, np.eye(4)]))
    assert (batch.xyz.shape, batch.rpy.shape, batch.quaternion.shape) == ((2, 3), (2, 3), (2, 4))
    assert isinstance(batch[0], Pose)
    assert isinstance(batch[:1], Pose)
    assert type(batch[:, :3, 3]) is np.ndarray
    np.testing.assert_allclose(batch.inverse()[0], pose.inverse())


def test_a_pose_says_what_it_is(pose: Pose) -> None:
    assert repr(pose) == "Pose(xyz=(1, 2, 3), rpy=(0.1, 0.2, 0.3))"
    assert repr(pose.T).startswith("array(")  # which is no pose
    assert str(Pose()).startswith("[[1. 0.")


def test_a_pose_is_pickled_and_copied(pose: Pose) -> None:
    for other in (pickle.loads(pickle.dumps(pose)), copy.deepcopy(pose)):
        assert isinstance(other, Pose)
        np.testing.assert_array_equal(other, pose)


@pytest.mark.parametrize(
    ("guess", "right"), [("translation", "pose.xyz"), ("roll", "pose.rpy"), ("quat", "quaternion")]
)
def test_names_of_other_libraries_lead_to_the_right_one(pose: Pose, guess: str, right: str) -> None:
    with pytest.raises(AttributeError, match=right):
        getattr(pose, guess)


def test_names_of_other_libraries_that_mean_the_same_work(pose: Pose) -> None:
    same: Any = pose
    np.testing.assert_array_equal(same.inv(), pose.inverse())
    np.testing.assert_array_equal(same.transform_points([[1, 2, 3]]), pose.apply([[1, 2, 3]]))
