"""Closed loops, and frames that reach for a place."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.formats.load import load_model
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.loops import close_loops, loop_residuals, loops_around
from sdfviewer.model.model import Model


def four_bar(loop_type: str = "revolute", loop_content: str = "<axis><xyz>0 0 1</xyz></axis>") -> Model:
    """Return a square of four bars in the plane, its corners at (0, 0), (0, 1), (1, 1), (1, 0)."""

    def joint(name: str, parent: str, child: str, joint_type: str = "revolute", content: str = "") -> str:
        axis = content or "<axis><xyz>0 0 1</xyz></axis>"
        return f'<joint name="{name}" type="{joint_type}"><parent>{parent}</parent><child>{child}</child>{axis}</joint>'

    return load_model(
        '<sdf version="1.11"><model name="m"><link name="base"/>'
        '<link name="left"/><link name="top"><pose>0 1 0 0 0 0</pose></link>'
        '<link name="right"><pose>1 0 0 0 0 0</pose></link>'
        + joint("ground", "world", "base", "fixed")
        + joint("a", "base", "left")
        + joint("b", "left", "top")
        + joint("d", "base", "right")
        + joint("c", "top", "right", loop_type, f"<pose>0 1 0 0 0 0</pose>{loop_content}")
        + "</model></sdf>"
    )


def test_the_joint_that_closes_a_loop_tells_how_far_apart_its_ends_are() -> None:
    kinematics = Kinematics(four_bar())
    assert [joint.name for joint in kinematics.loop_joints] == ["m::c"]
    metres, radians = loop_residuals(kinematics, kinematics.q0)
    np.testing.assert_allclose((metres, radians), 0, atol=1e-12)
    metres, _ = loop_residuals(kinematics, kinematics.positions({"m::d": (0.1,)}))
    np.testing.assert_allclose(metres, [2 * math.sin(0.05)], atol=1e-12)


def test_residuals_of_many_configurations_at_once() -> None:
    kinematics = Kinematics(four_bar())
    q = np.random.default_rng(0).uniform(-1, 1, (7, len(kinematics.dofs)))
    metres, radians = loop_residuals(kinematics, q)
    assert metres.shape == radians.shape == (7, 1)
    np.testing.assert_allclose(metres[4], loop_residuals(kinematics, q[4])[0])


def test_a_loop_closes_though_two_of_its_joints_turn_about_one_axis() -> None:
    def joint(name: str, parent: str, child: str, x: float) -> str:
        pose = f'<pose relative_to="__model__">{x} 0 0 0 0 0</pose>'
        ends = f"<parent>{parent}</parent><child>{child}</child><axis><xyz>0 0 1</xyz></axis>"
        return f'<joint name="{name}" type="revolute">{pose}{ends}</joint>'

    joints = joint("j1", "base", "a", 0) + joint("j2", "a", "b", 0) + joint("j3", "b", "c", 1)
    links = "".join(f'<link name="{name}"/>' for name in ("base", "a", "b", "c"))
    text = f'<sdf version="1.11"><model name="m">{links}{joints}{joint("loop", "base", "c", 1.9)}</model></sdf>'
    kinematics = Kinematics(load_model(text))
    for start in np.linspace(-3, 3, 7).tolist():
        q = close_loops(kinematics, [0, start, -start])
        np.testing.assert_allclose(loop_residuals(kinematics, q), 0, atol=1e-6)


def test_a_screw_turns_as_far_as_closing_its_loop_takes() -> None:
    """A spindle of a millimetre a radian follows a carriage that moves by five centimetres."""

    def joint(name: str, kind: str, parent: str, child: str, pitch: str = "") -> str:
        ends = f"<parent>{parent}</parent><child>{child}</child>{pitch}<axis><xyz>0 0 1</xyz></axis>"
        return f'<joint name="{name}" type="{kind}">{ends}</joint>'

    pitch = "<screw_thread_pitch>0.006283185307179587</screw_thread_pitch>"  # metres a whole turn
    joints = joint("spindle", "screw", "base", "nut", pitch) + joint("rail", "prismatic", "base", "carriage")
    links = "".join(f'<link name="{name}"/>' for name in ("base", "nut", "carriage"))
    text = f"{links}{joints}{joint('loop', 'revolute', 'nut', 'carriage')}"
    kinematics = Kinematics(load_model(f'<sdf version="1.11"><model name="m">{text}</model></sdf>'))
    (loop,) = kinematics.loop_joints
    assert loop.name == "m::loop"
    q = close_loops(kinematics, kinematics.positions({"m::rail": (0.05,)}), held=["m::rail"])
    np.testing.assert_allclose(loop_residuals(kinematics, q)[0], 0, atol=1e-9)
    np.testing.assert_allclose(np.abs(q[kinematics.columns_of_joints[kinematics.model.rows_by_name["m::spindle"]]]), 50)


@pytest.mark.parametrize("angle", [0.3, -1.0])
def test_closing_a_four_bar_keeps_the_joint_that_is_held(angle: float) -> None:
    kinematics = Kinematics(four_bar())
    q = close_loops(kinematics, kinematics.positions({"m::a": (angle,)}), held=["m::a"])
    np.testing.assert_allclose(loop_residuals(kinematics, q)[0], 0, atol=1e-9)
    # A parallelogram: both sides turn alike, the top keeps its direction.
    np.testing.assert_allclose(q, [angle, -angle, angle], atol=1e-7)


@pytest.mark.parametrize(
    ("joint_type", "content", "q", "metres", "radians"),
    [
        ("fixed", "<axis/>", {"m::b": (0.2,)}, 2 * math.sin(0.1), 0.2),
        ("ball", "<axis/>", {"m::b": (0.2,)}, 2 * math.sin(0.1), 0.0),
        ("prismatic", "<axis><xyz>1 0 0</xyz></axis>", {"m::b": (0.2,)}, math.sin(0.2), 0.2),
        ("revolute", "<axis><xyz>1 0 0</xyz></axis>", {"m::b": (0.2,)}, 2 * math.sin(0.1), math.sin(0.2)),
    ],
)
def test_only_what_a_joint_holds_counts(
    joint_type: str, content: str, q: dict[str, tuple[float, ...]], metres: float, radians: float
) -> None:
    kinematics = Kinematics(four_bar(joint_type, content))
    found = loop_residuals(kinematics, kinematics.positions(q))
    np.testing.assert_allclose(found, [[metres], [radians]], atol=1e-12)


def test_without_loops_closing_changes_nothing() -> None:
    kinematics = Kinematics(load_model('<sdf version="1.11"><model name="m"><link name="a"/></model></sdf>'))
    assert close_loops(kinematics, kinematics.q0).shape == (0,)


def test_loops_of_a_real_robot_stay_closed_when_it_moves(collection: Path) -> None:
    kinematics = Kinematics(load_model(collection / "porter" / "models" / "porter" / "model.sdf"))
    q = kinematics.positions({"porter::torso_lift_joint": (0.2,)})
    closed = close_loops(kinematics, q, held=["porter::torso_lift_joint"])
    before, after = (loop_residuals(kinematics, each)[0][0] for each in (q, closed))
    assert after < 1e-9 < before


def test_only_loops_that_a_joint_opens_are_closed_again(collection: Path) -> None:
    """Dragging an arm closed all loops at each move of the mouse, also those that it carries as a whole."""
    kinematics = Kinematics(load_model(collection / "porter" / "models" / "porter" / "model.sdf"))
    column = {dof.joint.name: number for number, dof in enumerate(kinematics.dofs)}
    assert loops_around(kinematics, [column["porter::l_elbow_flex_joint"]]) == ()
    torso = loops_around(kinematics, [column["porter::torso_lift_joint"]])
    assert 0 < len(torso) < len(kinematics.loop_joints)
    q = kinematics.positions({"porter::torso_lift_joint": (0.2,)})
    some, every = (close_loops(kinematics, q, ["porter::torso_lift_joint"], each) for each in (torso, None))
    number = [joint.row for joint in kinematics.loop_joints].index(torso[0].row)
    for closed in (some, every):
        assert loop_residuals(kinematics, closed)[0][number] < 1e-9
    gripper = loops_around(kinematics, [column["porter::l_gripper_l_finger_joint"]])
    assert len(gripper) > 1, "closing one of its loops opens the others"
    assert {joint.row for joint in gripper}.isdisjoint(joint.row for joint in torso)


def test_a_four_bar_is_one_loop() -> None:
    kinematics = Kinematics(four_bar())
    assert [joint.name for joint in loops_around(kinematics, [0])] == ["m::c"]
