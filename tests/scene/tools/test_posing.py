"""Bodies held with the mouse, without a mouse."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sdfviewer.scene.camera import Camera
from sdfviewer.scene.tools.posing import PoseGrip, moving_joints
from sdfviewer.session.session import Session

SIZE = (800.0, 600.0)


@pytest.fixture
def arm(examples: Path) -> Session:
    return Session.open(examples / "arm.sdf")


def test_the_joints_that_can_move_a_link_nearest_first(arm: Session) -> None:
    model, kinematics = arm.model, arm.kinematics
    assert model is not None
    assert kinematics is not None
    names = [joint.name for joint in moving_joints(kinematics, model.row("forearm"))]
    assert names == ["arm::joint_3", "arm::joint_2", "arm::joint_1"]
    assert moving_joints(kinematics, model.row("base")) == []


@pytest.mark.parametrize("link", ["upper_arm", "palm", "left_finger", "right_finger"])
def test_one_joint_comes_as_near_as_its_way_leads(arm: Session, link: str) -> None:
    model, kinematics = arm.model, arm.kinematics
    assert model is not None
    assert kinematics is not None
    row = model.row(link)
    joints = moving_joints(kinematics, row)[:1]
    X0 = arm.X_RootF[row]
    point = (X0 @ [0.02, 0.03, 0.1, 1.0])[:3]
    camera = Camera(distance=3.0).looking_at(point)
    grip = PoseGrip(kinematics, kinematics.q0, row, point, joints)
    # Where the point is with the joint moved a little: that can be reached.
    column = int(kinematics.sources[[dof.joint.row for dof in kinematics.dofs].index(joints[0].row)])
    dof = kinematics.dofs[column]
    goal = kinematics.q0
    goal[column] = min(0.15 if dof.unit == "rad" else 0.01, dof.upper)
    goal = kinematics.follow(goal)
    X = kinematics.poses(goal, [row])[0]
    (x, y), _ = camera.project((X @ np.linalg.inv(X0) @ np.append(point, 1.0))[:3], *SIZE)
    q = grip.drag(camera, float(x), float(y), *SIZE)
    # Within a twentieth of a pixel, which is more of an angle where the point is near the axis.
    np.testing.assert_allclose(q, goal, atol=8e-3)
    np.testing.assert_allclose(grip.held_point(), (X @ np.linalg.inv(X0) @ np.append(point, 1.0))[:3], atol=1e-3)


def test_the_chain_brings_a_point_to_the_mouse_and_keeps_its_limits(arm: Session) -> None:
    model, kinematics = arm.model, arm.kinematics
    assert model is not None
    assert kinematics is not None
    row = model.row("grasp")
    point = arm.X_RootF[row, :3, 3]
    camera = Camera(distance=4.0).looking_at(point)
    grip = PoseGrip(kinematics, kinematics.q0, row, point, moving_joints(kinematics, row))
    (x, y), depth = camera.project(point, *SIZE)
    for step in range(1, 11):
        grip.drag(camera, x - 6 * step, y - 5 * step, *SIZE, in_depth=True)
    (x1, y1), depth1 = camera.project(grip.held_point(), *SIZE)
    assert (x1, y1) == pytest.approx((x - 60, y - 50), abs=0.5)
    assert depth1 == pytest.approx(depth, abs=1e-2)
    far = grip.drag(camera, x - 3000, y, *SIZE, in_depth=True)
    lower = np.array([dof.lower for dof in kinematics.dofs])
    upper = np.array([dof.upper for dof in kinematics.dofs])
    assert (far >= lower - 1e-9).all()
    assert (far <= upper + 1e-9).all()


def test_a_link_keeps_its_orientation_while_its_chain_is_dragged(arm: Session) -> None:
    model, kinematics = arm.model, arm.kinematics
    assert model is not None
    assert kinematics is not None
    row = model.row("grasp")
    q = kinematics.q0 + np.array([0.5 if dof.lower < 0.5 < dof.upper else 0.0 for dof in kinematics.dofs])
    before = kinematics.poses(q, [row])[0]
    point = before[:3, 3]
    camera = Camera(distance=3.0).looking_at(point)
    joints = moving_joints(kinematics, row)
    (x, y), _ = camera.project(point + np.array([0.02, 0.03, -0.05]), *SIZE)

    def drag(*, keeps_orientation: bool) -> tuple[float, float]:
        """Return how far the point is from the mouse, in pixels, and the angle by which the link is rotated."""
        grip = PoseGrip(kinematics, q, row, point, joints, keeps_orientation=keeps_orientation)
        for part in np.linspace(0.1, 1.0, 10):
            at = camera.project(point + part * np.array([0.02, 0.03, -0.05]), *SIZE)[0]
            moved = grip.drag(camera, float(at[0]), float(at[1]), *SIZE, in_depth=True)
        after = kinematics.poses(moved, [row])[0]
        pixel, _ = camera.project(after[:3, 3], *SIZE)
        angle = np.arccos(np.clip((np.trace(before[:3, :3].T @ after[:3, :3]) - 1) / 2, -1.0, 1.0))
        return float(np.hypot(pixel[0] - x, pixel[1] - y)), float(angle)

    away, rotated = drag(keeps_orientation=False)
    away_kept, rotated_kept = drag(keeps_orientation=True)
    assert away < 1.0
    assert away_kept < 5.0
    assert rotated_kept < rotated / 4


def test_joints_that_are_held_stay_while_a_chain_is_dragged(arm: Session) -> None:
    model, kinematics = arm.model, arm.kinematics
    assert model is not None
    assert kinematics is not None
    row = model.row("grasp")
    point = arm.X_RootF[row][:3, 3]
    camera = Camera(distance=3.0).looking_at(point)
    joints = moving_joints(kinematics, row)
    held = {"arm::joint_1", "arm::joint_3"}
    (x, y), _ = camera.project(point + np.array([0.1, 0.1, -0.1]), *SIZE)
    free = PoseGrip(kinematics, kinematics.q0, row, point, joints).drag(
        camera, float(x), float(y), *SIZE, in_depth=True
    )
    grip = PoseGrip(kinematics, kinematics.q0, row, point, joints, held=held)
    q = grip.drag(camera, float(x), float(y), *SIZE, in_depth=True)
    columns = [number for number, dof in enumerate(kinematics.dofs) if dof.joint.name in held]
    assert np.abs(free[columns]).max() > 1e-3
    assert (q[columns] == 0.0).all()
    assert np.abs(q).max() > 1e-3
    assert not held & set(grip.joints)
