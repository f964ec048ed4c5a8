"""URDF in: the frame table of a robot, what libsdformat makes of it, and every fault at its line."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sdfviewer
from sdfviewer import transforms
from sdfviewer.diagnostics import Severity
from sdfviewer.export.conversion import convert
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.formats.urdf.build import merged_parts
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.conventions import Comparison
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from tests.frames import frame_in

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def link(name: str, content: str = INERTIAL) -> str:
    return f'<link name="{name}">{content}</link>'


def joint(name: str, parent: str, child: str, joint_type: str = "revolute", content: str = "") -> str:
    limit = '<limit lower="-1" upper="2" effort="3" velocity="4"/>' if joint_type in ("revolute", "prismatic") else ""
    return (
        f'<joint name="{name}" type="{joint_type}"><parent link="{parent}"/><child link="{child}"/>'
        f"{limit}{content}</joint>"
    )


def robot(*parts: str) -> Model:
    model = load_model('<robot name="r">\n' + "\n".join(parts) + "\n</robot>")
    assert model is not None
    return model


def faults(*parts: str) -> list[tuple[str, int]]:
    """Return rule and line of each error; the first part stands in line 2."""
    found = sdfviewer.check('<robot name="r">\n' + "\n".join(parts) + "\n</robot>")
    return [(each.rule.name, each.span.line) for each in found if each.is_error and each.span]


def warnings(*parts: str) -> list[tuple[str, int]]:
    found = sdfviewer.check('<robot name="r">\n' + "\n".join(parts) + "\n</robot>")
    return [(each.rule.name, each.span.line) for each in found if each.severity is Severity.WARNING and each.span]


def test_links_are_at_joints_and_joints_at_their_parents() -> None:
    model = robot(
        link("a"),
        joint("j", "a", "b", "revolute", '<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><axis xyz="0 0 2"/>'),
        link("b"),
        joint("k", "b", "c", "fixed", '<origin xyz="0 0 1"/>'),
        link("c"),
    )
    X_AB = transforms.pose_to_matrix([1, 2, 3, 0.1, 0.2, 0.3])
    np.testing.assert_allclose(frame_in(model, "r::b").pose, X_AB)
    np.testing.assert_allclose(frame_in(model, "r::j").pose, X_AB)
    np.testing.assert_allclose(frame_in(model, "r::c").resolve_pose("r::b")[:3, 3], [0, 0, 1], atol=1e-12)
    assert frame_in(model, "r::b").relative_to.name == "r::j"
    assert frame_in(model, "r::j").relative_to.name == "r::a"
    assert frame_in(model, "r::j").body.name == "r::b"
    turning = model.joints[0]
    np.testing.assert_allclose(turning.axes[0].xyz, [0, 0, 1])
    assert (turning.axes[0].lower, turning.axes[0].upper) == (-1, 2)
    assert [each.rule.name for each in model.diagnostics] == ["urdf-axis-not-unit"]


def test_a_urdf_reads_alike_either_way() -> None:
    model = robot(link("a"), joint("j", "a", "b", "continuous", '<origin xyz="1 0 0"/>'), link("b"))
    assert Comparison(model).equal
    (axis,) = model.joints[0].axes
    np.testing.assert_allclose(axis.xyz, [1, 0, 0])
    assert axis.upper == math.inf


def test_a_root_link_called_world_is_the_world() -> None:
    model = robot('<link name="world"/>', joint("j", "world", "a", "fixed", '<origin xyz="0 0 1"/>'), link("a"))
    assert model.names == ["r", "r::j", "r::a"]
    assert model.joints[0].parent == -1
    np.testing.assert_allclose(frame_in(model, "r::a").pose[:3, 3], [0, 0, 1])


def test_mimic_joints_follow() -> None:
    model = robot(
        link("a"), link("b"), link("c"),
        joint("j", "a", "b"), joint("k", "a", "c", content='<mimic joint="j" multiplier="2" offset="0.5"/>'),
    )  # fmt: skip
    kinematics = Kinematics(model)
    np.testing.assert_allclose(kinematics.positions({"r::j": (0.25,)}), [0.25, 1.0])


def test_parts_are_named_as_libsdformat_names_them() -> None:
    shape = '<geometry><sphere radius="1"/></geometry>'
    model = robot(
        link(
            "a",
            f"<visual>{shape}</visual><visual>{shape}</visual><collision name='bump'>{shape}</collision>" + INERTIAL,
        )
    )
    names = [model.names[row] for row, kind in enumerate(model.kinds) if kind in (Kind.VISUAL, Kind.COLLISION)]
    assert names == ["r::a::a_visual", "r::a::a_visual_1", "r::a::a_fixed_joint_lump__bump_collision"]


def test_every_link_keeps_its_name_after_merging() -> None:
    shape = '<visual><geometry><sphere radius="1"/></geometry></visual>'
    model = robot(
        link("a", shape + INERTIAL), joint("j", "a", "b", "fixed"), link("b", shape), joint("k", "b", "c"), link("c"),
        '<gazebo reference="b"><sensor name="eye" type="camera"/></gazebo>',
    )  # fmt: skip
    assert "r::b" in model.names
    merged = {model.names[part.row]: part.name for part in merged_parts(model)}
    assert merged == {"r::b::b_visual": "r::a::a_fixed_joint_lump__b_visual_1", "r::b::eye": "r::a::eye"}


def test_extensions_add_joints_frames_and_sensors() -> None:
    model = robot(
        link("a"), joint("j", "a", "b"), link("b"),
        '<gazebo><frame name="f" attached_to="b"><pose>1 0 0 0 0 0</pose></frame>'
        '<joint name="loop" type="ball"><parent>a</parent><child>b</child></joint><static>true</static></gazebo>',
        '<gazebo reference="b"><light name="lamp" type="point"><pose relative_to="f">0 1 0 0 0 0</pose></light>'
        "</gazebo>",
    )  # fmt: skip
    np.testing.assert_allclose(frame_in(model, "r::b::lamp").pose[:3, 3], [1, 1, 0])
    assert [joint.type for joint in model.joints] == ["revolute", "ball"]
    assert model.static.all()
    assert not [each for each in model.diagnostics if each.is_error]


@pytest.mark.parametrize(
    ("option", "joint_type"), [("disableFixedJointLumping", "revolute"), ("preserveFixedJoint", "fixed")]
)
def test_a_fixed_joint_can_be_kept(option: str, joint_type: str) -> None:
    model = robot(
        link("a"), joint("j", "a", "b", "fixed"),
        link("b", '<visual><geometry><sphere radius="1"/></geometry></visual>' + INERTIAL),
        f'<gazebo reference="j"><{option}>true</{option}></gazebo>',
    )  # fmt: skip
    assert model.joints[0].type == joint_type
    assert merged_parts(model) == []


GOOD = (link("a"), link("b"))


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((*GOOD, joint("j", "a", "bb")), [("urdf-link-unknown", 4)]),
        ((*GOOD, joint("j", "a", "b", "hinge")), [("urdf-joint-type", 4)]),
        ((*GOOD, joint("j", "a", "b", "floating")), [("urdf-joint-without-counterpart", 4)]),
        ((*GOOD, '<joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint>'), [("urdf-missing", 4)]),
        ((*GOOD, '<joint name="j" type="fixed"><child link="b"/></joint>'), [("urdf-missing", 4)]),
        ((*GOOD, joint("j", "a", "b", content='<origin xyz="1 2"/>')), [("urdf-bad-value", 4)]),
        ((*GOOD, joint("j", "a", "b"), joint("k", "a", "b")), [("urdf-not-a-tree", 5)]),
        ((*GOOD, joint("j", "a", "b"), joint("j", "a", "b")), [("urdf-duplicate-name", 5)]),
        ((*GOOD, joint("j", "a", "b", content='<axis xyz="0 0 0"/>')), [("axis-zero", 4)]),
        ((*GOOD, joint("j", "a", "b", content='<axis/>')), [("axis-zero", 4)]),
        ((*GOOD, joint("j", "a", "b", content='<mimic joint="x"/>')), [("mimic-invalid", 4)]),
        ((*GOOD, joint("j", "a", "b", content='<dynamics damping="1 "/>')), [("urdf-bad-value", 4)]),
        ((*GOOD, joint("j", "a", "b", content='<dynamics friction="1e400"/>')), [("urdf-bad-value", 4)]),
        (GOOD, [("urdf-not-a-tree", 3)]),
        ((), [("urdf-missing", 1)]),
        (('<xacro:macro name="m"/>', link("a", "<visual/>"), link("b")), [("urdf-is-xacro", 2)]),
        ((link("a", INERTIAL.replace('ixx="1"', 'ixx="9"')),), [("inertia-invalid", 2)]),
        ((link("a", INERTIAL.replace('iyy="1"', 'iyy="9" ').replace('izz="1"', 'izz="much"')),), []),
        ((link("a", ""),), [("model-without-link", 1)]),
    ],
)  # fmt: skip
def test_faults_are_at_their_lines(parts: tuple[str, ...], expected: list[tuple[str, int]]) -> None:
    assert sorted(faults(*parts), key=lambda fault: fault[1]) == expected


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((link("a", '<visual><geometry><box size="1 1"/></geometry></visual>' + INERTIAL),), ("urdf-bad-value", 2)),
        ((link("a", "<visual/>" + INERTIAL),), ("urdf-missing", 2)),
        (
            (
                link(
                    "a", '<visual><geometry><sphere radius="1"/></geometry><material name="steel"/></visual>' + INERTIAL
                ),
            ),
            ("urdf-material-unknown", 2),
        ),
        ((link("a"), joint("j", "a", "b"), link("b", "")), ("urdf-massless", 4)),
        (('<xacro:macro name="m"/>', link("a")), ("urdf-is-xacro", 2)),
    ],
)
def test_what_urdfdom_forgives_is_a_warning(parts: tuple[str, ...], expected: tuple[str, int]) -> None:
    assert faults(*parts) == []
    assert expected in warnings(*parts)


def test_merging_links_without_mass_is_the_fault_it_is_in_libsdformat() -> None:
    zero = INERTIAL.replace('value="1"', 'value="0"')
    chain = (joint("k", "b", "c", "fixed"), link("c", zero))
    assert faults(link("a"), joint("j", "a", "b", "fixed"), link("b", ""), *chain) == [("urdf-merged-without-mass", 6)]
    # What moves by itself is left out before its mass counts, and leaves a frame that is attached to nothing.
    assert faults(link("a"), joint("j", "a", "b"), link("b", zero), *chain) == [("urdf-fixed-to-massless", 5)]


def test_a_leader_that_is_not_there_has_each_fix_once() -> None:
    parts = (*GOOD, link("c"), joint("left", "a", "b"), joint("right", "b", "c", content='<mimic joint="lefd"/>'))
    (problem,) = sdfviewer.check('<robot name="r">' + "".join(parts) + "</robot>")
    assert problem.message.endswith("did you mean 'left'?")
    assert [fix.label for fix in problem.fixes] == ["Make 'right' mimic 'left'", "Remove the <mimic> of 'right'"]


def test_a_cycle_of_joints_is_reported_with_its_path() -> None:
    found = sdfviewer.check(
        '<robot name="r">' + link("a") + link("b") + joint("j", "a", "b") + joint("k", "b", "a") + "</robot>"
    )
    assert any("circle" in each.message or "cycle" in each.rule.name for each in found)
    assert any(each.rule.name == "urdf-not-a-tree" for each in found)


@pytest.mark.parametrize("pitch", [1.5708, -1.5708, 1.569, -1.572])
def test_a_pitch_next_to_a_quarter_turn_becomes_one_as_in_urdfdom(pitch: float) -> None:
    shape = '<geometry><sphere radius="1"/></geometry>'
    model = robot(link("a", f'<visual><origin rpy="0.2 {pitch} 0.3"/>{shape}</visual>' + INERTIAL))
    X = frame_in(model, "r::a::a_visual").pose
    assert abs(X[2, 0]) == pytest.approx(1.0, abs=1e-15)
    distance, angle = transforms.pose_error(X, transforms.pose_to_matrix([0, 0, 0, 0.2, pitch, 0.3]))
    assert distance == 0
    assert angle == pytest.approx(abs(abs(pitch) - math.pi / 2), rel=0.2)


def test_limits_of_a_continuous_joint_that_are_ignored_are_noted() -> None:
    def notes(limit: str) -> list[tuple[str, Severity]]:
        parts = (link("a"), joint("j", "a", "b", "continuous", f'<axis xyz="0 0 1"/>{limit}'), link("b"))
        found = sdfviewer.check('<robot name="r">\n' + "\n".join(parts) + "\n</robot>")
        return [(each.rule.name, each.severity) for each in found]

    assert notes('<limit lower="-1" upper="1" effort="3" velocity="4"/>') == [("limits-ignored", Severity.INFO)]
    assert notes('<limit lower="0" upper="0" effort="3" velocity="4"/>') == []  # what none would be read as
    assert notes('<limit effort="3" velocity="4"/>') == []


def test_a_pose_in_gazebo_places_the_robot_unless_it_has_an_origin() -> None:
    """libsdformat copies the pose into the model that it makes, and an origin of the robot replaces it."""
    robot = f'<robot name="r"><link name="a">{INERTIAL}</link><gazebo><pose>0 0 0.93 0 0 0</pose></gazebo></robot>'
    placed = load_model(robot)
    assert placed.raw_poses[0][2, 3] == 0.93
    assert load_model(robot.replace("<gazebo>", '<origin xyz="1 0 0"/><gazebo>')).raw_poses[0][:3, 3].tolist() == [
        1,
        0,
        0,
    ]
    for target in ("urdf", "mjcf", "1.12", "1.4"):
        conversion = convert(placed, Loader(), target)
        assert (conversion.faults, conversion.losses) == ((), ())
        assert "0.93" in conversion.document.text


def test_the_root_link_carries_the_model_in_sdformat() -> None:
    joint = '<joint name="j" type="continuous"><parent link="root"/><child link="tip"/></joint>'
    robot = load_model(f'<robot name="r">{link("tip")}{link("root")}{joint}</robot>')
    for target in ("1.12", "1.4"):
        conversion = convert(robot, Loader(), target)
        assert conversion.faults == ()
        after = load_model(conversion.document.text)
        assert after.names[after.bodies[0]] == "r::root"
