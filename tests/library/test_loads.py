"""Loads against gravity, payloads, reach, positions at random and of followers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sdfviewer

PENDULUM = """<sdf version="1.9"><model name="m"><link name="base"/>
<joint name="fix" type="fixed"><parent>world</parent><child>base</child></joint>
<link name="bar"><pose relative_to="swing"/><inertial><pose>0.5 0 0 0 0 0</pose><mass>2</mass></inertial></link>
<joint name="swing" type="revolute"><pose relative_to="base"/><parent>base</parent><child>bar</child>
<axis><xyz>0 -1 0</xyz><limit><lower>-1</lower><upper>3</upper><effort>20</effort></limit></axis></joint>
<link name="bob"><pose relative_to="slide"/><inertial><mass>1</mass></inertial></link>
<joint name="slide" type="prismatic"><pose relative_to="bar">1 0 0 0 0 0</pose><parent>bar</parent><child>bob</child>
<axis><xyz>1 0 0</xyz><limit><lower>0</lower><upper>0.5</upper></limit></axis></joint></model></sdf>"""


@pytest.fixture
def pendulum() -> sdfviewer.Model:
    return sdfviewer.load(PENDULUM)


def test_torques_hold_a_pendulum_against_gravity(pendulum: sdfviewer.Model) -> None:
    q = np.array([[0.0, 0.0], [np.pi / 2, 0.2], [0.4, 0.5]])
    angle, out = q.T
    g = 9.81
    swing, slide = g * np.cos(angle) * (2 * 0.5 + 1 * (1 + out)), g * np.sin(angle)
    np.testing.assert_allclose(pendulum.gravity_torques(q), np.stack([swing, slide], axis=1), atol=1e-12)
    lighter = pendulum.gravity_torques({"swing": 0.4}, gravity=(0, 0, -1.62))
    np.testing.assert_allclose(lighter[0], 1.62 * np.cos(0.4) * 2, atol=1e-12)
    loaded = pendulum.gravity_torques(payload={"bob": 3.0})
    np.testing.assert_allclose(loaded[0], g * 5)


def test_the_work_of_gravity_is_that_of_the_jacobian(examples: Path) -> None:
    arm = sdfviewer.load(examples / "arm.sdf")
    q = arm.random_q(3, seed=2)
    expected: Any = 0.0
    for link in arm.links:
        centre = sdfviewer.Pose(xyz=link.inertial.center_of_mass)
        R, J = arm.resolve_pose(link, q=q).rotation, arm.jacobian(link, q)
        arms = np.einsum("...ij,j->...i", R, centre.xyz)
        force = np.array([0, 0, -9.81 * link.mass])
        spun = np.cross(arms, np.broadcast_to(force, arms.shape))
        expected = expected - np.einsum("...ij,...i->...j", J[..., :3, :], spun)
        expected = expected - np.einsum("...ij,i->...j", J[..., 3:, :], force)
    np.testing.assert_allclose(arm.gravity_torques(q), expected, atol=1e-9)


def test_gravity_is_that_of_the_world() -> None:
    text = PENDULUM.replace("<model", "<world name='w'><gravity>0 0 -3.7</gravity><model", 1)
    world = sdfviewer.load(text.replace("</model>", "</model></world>"))
    np.testing.assert_allclose(world.gravity_torques()[0], 3.7 * 2)


def test_a_payload_takes_a_joint_to_its_limit(pendulum: sdfviewer.Model) -> None:
    mass = pendulum.payload("bob")
    assert pendulum.gravity_torques(payload={"bob": float(mass)})[0] == pytest.approx(20)
    assert mass == pytest.approx(20 / 9.81 - 2)
    q = np.array([[0.0, 0.4], [np.pi / 2, 0.0]])
    weak, upright = pendulum.payload("bob", q)
    assert weak == 0.0  # it does not hold itself
    assert upright == np.inf
    with pytest.raises(sdfviewer.InvalidValueError, match="not negative"):
        pendulum.gravity_torques(payload={"bob": -1.0})


def test_the_reach_is_that_of_the_joints(pendulum: sdfviewer.Model) -> None:
    reach = pendulum.reach("bob", "base")
    assert (reach.nearest, reach.farthest) == pytest.approx((1.0, 1.5))
    assert repr(reach) == "<reach of bob from base: 1 to 1.5 m>"
    at = pendulum.resolve_pose("bob", "base", q=reach.q_farthest).xyz
    assert np.linalg.norm(at) == pytest.approx(reach.farthest)
    np.testing.assert_allclose(reach.bounds, [[-1.485, 0, -1.262], [1.5, 0, 1.5]], atol=2e-3)
    only = pendulum.reach("bob", "base", dofs=["swing"], q={"slide": 0.25})
    assert (only.nearest, only.farthest) == pytest.approx((1.25, 1.25))
    with pytest.raises(sdfviewer.UnknownNameError):
        pendulum.reach("bob", dofs=["fix"])


def test_the_reach_of_an_arm_is_its_length(examples: Path) -> None:
    arm = sdfviewer.load(examples / "arm.sdf")
    reach = arm.reach("palm", "upper_arm", dofs=["joint_3"])
    forearm = np.linalg.norm(arm.resolve_pose("joint_3", "upper_arm").xyz)
    beyond = np.linalg.norm(arm.resolve_pose("palm", "joint_3").xyz)
    assert reach.farthest <= forearm + beyond + 1e-9
    assert reach.farthest > 0.97 * (forearm + beyond)


def test_random_positions_are_within_the_limits(examples: Path) -> None:
    arm = sdfviewer.load(examples / "arm.sdf")
    q = arm.random_q(500, seed=1)
    assert q.shape == (500, arm.dof_count)
    assert ((q >= arm.lower_limits - 1e-9) & (q <= arm.upper_limits + 1e-9)).all()
    np.testing.assert_array_equal(q, arm.random_q(500, seed=1))
    np.testing.assert_array_equal(q[:, -1], q[:, -2])  # the finger that follows
    assert arm.poses(q)["palm"].shape == (500, 4, 4)


# --- followers -----------------------------------------------------------------------------------------------------


@pytest.fixture
def arm(examples: Path) -> sdfviewer.Model:
    return sdfviewer.load(examples / "arm.sdf")


def test_independent_joints_are_listed(arm: sdfviewer.Model) -> None:
    assert arm.independent_joint_names == (*(f"joint_{number}" for number in range(1, 7)), "left_finger_slide")
    assert [dof.name for dof in arm.independent_dofs] == list(arm.independent_joint_names)
    assert arm.independent_joints[0] == arm.joint("joint_1")
    few = np.linspace(0, 0.02, 7)
    np.testing.assert_array_equal(arm.poses(few).array, arm.poses([*few, few[-1]]).array)


def test_a_position_of_a_follower_is_refused_where_its_leader_is_not(arm: sdfviewer.Model) -> None:
    message = "follows 'left_finger_slide', which puts it at 0, not at 0.02: set 'left_finger_slide'"
    with pytest.raises(sdfviewer.InvalidValueError, match=message):
        arm.poses({"right_finger_slide": 0.02})
    with pytest.raises(sdfviewer.InvalidValueError, match=r"puts it at 0\.01, not at 0\.02"):
        arm.link("palm").resolve_pose(q={"left_finger_slide": 0.01, "right_finger_slide": [0.01, 0.02]})
    both = arm.poses({"left_finger_slide": 0.02, "right_finger_slide": 0.02})
    np.testing.assert_array_equal(both.array, arm.poses({"left_finger_slide": 0.02}).array)
    q = arm.q0
    q[-1] = 0.02
    with pytest.raises(sdfviewer.InvalidValueError, match="right_finger_slide"):
        arm.center_of_mass(q)
    q[-2] = 0.02
    np.testing.assert_array_equal(arm.poses(q).array, both.array)
    q[-1] = 0.0  # as in q0, from which scripts begin
    np.testing.assert_array_equal(arm.poses(q).array, both.array)
