"""Forward kinematics: every joint type against its definition, trees, followers, batches."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer import transforms
from sdfviewer.formats.load import load_model
from sdfviewer.model.kinematics.batches import TreeProduct
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from tests.corpus import at_least, some_or_all
from tests.frames import frame_in

JOINT_POSE = "0.1 -0.2 0.3 0.4 -0.5 0.6"


def two_links(joint_type: str, content: str = "", version: str = "1.11") -> Model:
    """Return a model of two links A and B and a joint J between them, nothing of it at the origin."""
    return load_model(
        f"""<sdf version="{version}"><model name="m">
          <link name="A"><pose>1 2 3 0.3 0.2 0.1</pose></link>
          <link name="B"><pose>-1 0.5 0 0 0 1</pose></link>
          <frame name="tip" attached_to="B"><pose>0 0 1 1 0 0</pose></frame>
          <joint name="J" type="{joint_type}"><pose>{JOINT_POSE}</pose>
            <parent>A</parent><child>B</child>{content}</joint>
        </model></sdf>"""
    )


def X_PC(model: Model, q: list[float], parent: str = "m::A", child: str = "m::B") -> np.ndarray:
    X = Kinematics(model).poses(q)
    return transforms.invert(X[model.row(parent)]) @ X[model.row(child)]


def expected(model: Model, X_JpJc: np.ndarray) -> np.ndarray:
    """Return X_PC = X_PJp X_JpJc X_JcC by the definition."""
    P, C, J = (frame_in(model, name).pose for name in ("m::A", "m::B", "m::J"))
    return transforms.invert(P) @ J @ X_JpJc @ transforms.invert(J) @ C


def turn(axis: list[float], angle: float) -> np.ndarray:
    u = np.array(axis) / np.linalg.norm(axis)
    return transforms.pose(transforms.axis_angle_to_matrix(u, angle), np.zeros(3))


def travel(axis: list[float], distance: float) -> np.ndarray:
    return transforms.pose(np.eye(3), distance * np.array(axis) / np.linalg.norm(axis))


AXIS = "<axis><xyz>1 2 -2</xyz></axis>"
AXIS2 = "<axis2><xyz>2 1 2</xyz></axis2>"
FIRST, SECOND = [1.0, 2.0, -2.0], [2.0, 1.0, 2.0]

MOTIONS = {
    "revolute": (AXIS, [0.7], lambda q: turn(FIRST, q[0])),
    "continuous": (AXIS, [4.0], lambda q: turn(FIRST, q[0])),
    "gearbox": (AXIS, [0.7], lambda q: turn(FIRST, q[0])),
    "prismatic": (AXIS, [0.7], lambda q: travel(FIRST, q[0])),
    "universal": (AXIS + AXIS2, [0.7, -1.1], lambda q: turn(FIRST, q[0]) @ turn(SECOND, q[1])),
    "revolute2": (AXIS + AXIS2, [0.7, -1.1], lambda q: turn(FIRST, q[0]) @ turn(SECOND, q[1])),
    "ball": ("", [0.7, -1.1, 2.0], lambda q: transforms.pose_to_matrix([0, 0, 0, *q])),
    "fixed": ("", [], lambda q: np.eye(4)),
}


@pytest.mark.parametrize("joint_type", MOTIONS)
def test_each_joint_type_moves_its_child_by_the_definition(joint_type: str) -> None:
    content, q, motion = MOTIONS[joint_type]
    model = two_links(joint_type, content)
    np.testing.assert_allclose(X_PC(model, q), expected(model, motion(q)), atol=1e-12)


@pytest.mark.parametrize("joint_type", MOTIONS)
def test_a_joint_names_its_degrees_of_freedom(joint_type: str) -> None:
    content, q, _ = MOTIONS[joint_type]
    kinematics = Kinematics(two_links(joint_type, content))
    assert [dof.name for dof in kinematics.dofs] == ["m::J", "m::J[1]", "m::J[2]"][: len(q)]
    assert [dof.axis for dof in kinematics.dofs] == [0, 1, 2][: len(q)]


@pytest.mark.parametrize("joint_type", ["universal", "revolute2"])
def test_a_first_axis_without_a_direction_leaves_the_second_one(joint_type: str) -> None:
    model = two_links(joint_type, "<axis><xyz>0 0 0</xyz></axis>" + AXIS2)
    kinematics = Kinematics(model)
    assert [(dof.name, dof.axis) for dof in kinematics.dofs] == [("m::J[1]", 1)]
    np.testing.assert_allclose(X_PC(model, [0.7]), expected(model, turn(SECOND, 0.7)), atol=1e-12)
    assert kinematics.joint_positions(kinematics.positions({"m::J": (0.0, 0.7)})) == {"m::J": (0.0, 0.7)}


@pytest.mark.parametrize(
    ("content", "metres_for_a_turn"),
    [
        ("<screw_thread_pitch>0.25</screw_thread_pitch>", 0.25),
        ("<screw_thread_pitch>-0.25</screw_thread_pitch>", -0.25),
        ("<thread_pitch>10</thread_pitch>", -2 * math.pi / 10),
        ("<thread_pitch>-10</thread_pitch>", 2 * math.pi / 10),
        ("", 1.0),
    ],
)
def test_a_screw_travels_its_pitch_in_a_turn(content: str, metres_for_a_turn: float) -> None:
    model = two_links("screw", AXIS + content)
    motion = turn(FIRST, 0.5) @ travel(FIRST, metres_for_a_turn * 0.5 / (2 * math.pi))
    np.testing.assert_allclose(X_PC(model, [0.5]), expected(model, motion), atol=1e-12)


def test_an_axis_can_be_expressed_in_another_frame() -> None:
    model = two_links("revolute", '<axis><xyz expressed_in="__model__">0 0 1</xyz></axis>')
    X = Kinematics(model).poses([0.3])
    moved = X[model.row("m::B"), :3, :3] @ frame_in(model, "m::B").pose[:3, :3].T
    np.testing.assert_allclose(moved, transforms.axis_angle_to_matrix([0, 0, 1], 0.3), atol=1e-12)


def test_frames_ride_with_the_body_they_are_attached_to() -> None:
    model = two_links("revolute", AXIS)
    X = Kinematics(model).poses([1.2])
    tip, body = model.row("m::tip"), model.row("m::B")
    np.testing.assert_allclose(
        transforms.invert(X[body]) @ X[tip], frame_in(model, "m::tip").resolve_pose("m::B"), atol=1e-12
    )
    np.testing.assert_array_equal(X[model.row("m::A")], frame_in(model, "m::A").pose)


def chain(joints: str, links: str = "ABCD", attributes: str = "") -> Model:
    bodies = "".join(f'<link name="{name}"><pose>{n} 0 0 0 0 0</pose></link>' for n, name in enumerate(links))
    return load_model(f'<sdf version="1.11"><model name="m" {attributes}>{bodies}{joints}</model></sdf>')


def joint(name: str, parent: str, child: str, content: str = "<axis><xyz>0 0 1</xyz></axis>") -> str:
    return f'<joint name="{name}" type="revolute"><parent>{parent}</parent><child>{child}</child>{content}</joint>'


def test_a_parent_that_nothing_else_holds_is_carried_by_its_child() -> None:
    model = chain(joint("AC", "A", "C") + joint("BC", "B", "C"))
    kinematics = Kinematics(model)
    assert kinematics.loop_joints == []
    X = kinematics.poses(kinematics.positions({"m::AC": (0.4,), "m::BC": (0.3,)}))
    X_BC = transforms.invert(X[model.row("m::B")]) @ X[model.row("m::C")]
    np.testing.assert_allclose(X_BC[:3, :3], transforms.axis_angle_to_matrix([0, 0, 1], 0.3), atol=1e-12)
    np.testing.assert_array_equal(X[model.row("m::A")], frame_in(model, "m::A").pose)


@pytest.mark.parametrize(("joint_type", "content"), [("universal", AXIS + AXIS2), ("ball", ""), ("screw", AXIS)])
def test_backwards_means_the_same_relative_motion(joint_type: str, content: str) -> None:
    forwards = two_links(joint_type, content)
    text = forwards.document.text.replace(
        "</model>",
        '<link name="W"/><joint name="ground" type="fixed"><parent>world</parent><child>B</child></joint></model>',
    )
    backwards = load_model(text)
    assert Kinematics(backwards).forest.carriers[backwards.row("m::A")].backwards
    q = [0.5, -0.4, 0.3][: len(Kinematics(forwards).dofs)]
    np.testing.assert_allclose(X_PC(backwards, q), X_PC(forwards, q), atol=1e-12)


def test_a_joint_whose_child_is_the_canonical_link_moves_the_model_frame() -> None:
    model = chain(joint("BA", "B", "A"), "AB")
    X = Kinematics(model).poses([0.5])
    np.testing.assert_array_equal(X[model.row("m::B")], frame_in(model, "m::B").pose)
    assert np.linalg.norm(X[0] - np.eye(4)) > 0.1


def test_joints_to_the_world_connect_their_bodies() -> None:
    model = chain(joint("wA", "world", "A") + joint("wB", "world", "B") + joint("AB", "A", "B"))
    kinematics = Kinematics(model)
    assert [loop.name for loop in kinematics.loop_joints] == ["m::AB"]
    assert [dof.name for dof in kinematics.dofs] == ["m::wA", "m::wB"]


def test_nothing_moves_in_a_static_model() -> None:
    model = chain(joint("AB", "A", "B") + "<static>true</static>")
    assert Kinematics(model).dofs == ()


def test_the_joint_between_nested_models_and_to_any_frame() -> None:
    model = load_model(
        """<sdf version="1.11"><model name="m">
          <model name="arm"><pose>1 0 0 0 0 0</pose><link name="hand"/>
            <frame name="flange" attached_to="hand"><pose>0 0 1 0 0 0</pose></frame></model>
          <model name="tool"><pose>1 0 2 0 0 0</pose><link name="body"/></model>
          <joint name="J" type="revolute"><parent>arm::flange</parent><child>tool</child>
            <axis><xyz>1 0 0</xyz></axis></joint>
        </model></sdf>"""
    )
    X = Kinematics(model).poses([math.pi / 2])
    body = X[model.row("m::tool::body")]
    np.testing.assert_allclose(body[:3, 3], [1, 0, 2], atol=1e-12)
    np.testing.assert_allclose(body[:3, 2], [0, -1, 0], atol=1e-12)
    np.testing.assert_allclose(X[model.row("m::tool")], body, atol=1e-12)


def mimic(leader: str, multiplier: float, offset: float = 0.0, reference: float = 0.0) -> str:
    return (
        f'<axis><xyz>0 0 1</xyz><mimic joint="{leader}"><multiplier>{multiplier}</multiplier>'
        f"<offset>{offset}</offset><reference>{reference}</reference></mimic></axis>"
    )


def test_chains_of_mimics_follow_their_leader() -> None:
    model = chain(
        joint("c", "C", "D", mimic("b", -0.5, 0.1))
        + joint("b", "B", "C", mimic("a", 2.0, 0.3, 0.2))
        + joint("a", "A", "B")
    )
    kinematics = Kinematics(model)
    assert [dof.leader for dof in kinematics.dofs] == ["m::b", "m::a", None]
    q = kinematics.positions({"m::a": (1.0,), "m::b": (9.0,)})
    b = 2.0 * (1.0 - 0.2) + 0.3
    np.testing.assert_allclose(q, [-0.5 * b + 0.1, b, 1.0])


def test_joints_that_mimic_each_other_in_a_cycle_are_free_and_reported() -> None:
    model = chain(joint("a", "A", "B", mimic("b", 2.0)) + joint("b", "B", "C", mimic("a", 1.0)))
    assert [dof.leader for dof in Kinematics(model).dofs] == [None, None]
    found = [each for each in model.diagnostics if each.rule.name == "mimic-cycle"]
    assert len(found) == 1
    assert len(found[0].related) == 2


@pytest.mark.parametrize(("parent", "turned", "sign"), [("B", False, -1.0), ("B", True, 1.0), ("__model__", True, 1.0)])
def test_a_gearbox_couples_the_joints_to_its_reference_body(parent: str, turned: bool, sign: float) -> None:
    second = joint("out", "C", "A") if turned else joint("out", "A", "C")
    model = chain(
        joint("in", "A", "B")
        + second
        + f'<joint name="gear" type="gearbox"><parent>{parent}</parent><child>C</child><gearbox_ratio>5</gearbox_ratio>'
        "<gearbox_reference_body>A</gearbox_reference_body></joint>",
        attributes='canonical_link="B"',
    )
    kinematics = Kinematics(model)
    assert kinematics.loop_joints == []
    assert [dof.leader for dof in kinematics.dofs] == [None, "m::in"]
    np.testing.assert_allclose(kinematics.positions({"m::in": (0.2,)}), [0.2, sign * 5 * 0.2])


def test_positions_and_joint_positions_are_inverse() -> None:
    model = two_links("ball")
    kinematics = Kinematics(model)
    by_joint = {"m::J": (0.1, 0.2, 0.3)}
    assert kinematics.joint_positions(kinematics.positions(by_joint)) == by_joint


def test_an_undefined_joint_moves_nothing() -> None:
    model = chain(
        joint("AB", "A", "B", '<pose relative_to="nowhere"/><axis><xyz>0 0 1</xyz></axis>') + joint("BC", "B", "C")
    )
    assert [dof.name for dof in Kinematics(model).dofs] == ["m::BC"]


def test_the_second_axis_moves_where_the_first_is_in_a_frame_that_does_not_exist() -> None:
    axes = '<axis><xyz expressed_in="nowhere">1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>'
    kinematics = Kinematics(two_links("universal", axes))
    (dof,) = kinematics.dofs
    assert dof.axis == 1
    model = kinematics.model
    J, B = model.row("J"), model.row("B")
    X_JB = transforms.invert(model.X_RootF[J]) @ model.X_RootF[B]
    X_JpB = transforms.invert(model.X_RootF[J]) @ kinematics.poses([0.3])[B]
    np.testing.assert_allclose(X_JpB, transforms.pose_to_matrix([0, 0, 0, 0, 0.3, 0]) @ X_JB, atol=1e-12)


def test_positions_of_the_wrong_number_are_refused() -> None:
    with pytest.raises(ValueError, match="1 degrees of freedom"):
        Kinematics(two_links("revolute", AXIS)).poses([1.0, 2.0])


def test_many_configurations_at_once_equal_one_by_one(collection: Path) -> None:
    model = load_model(collection / "porter" / "models" / "porter" / "model.sdf")
    kinematics = Kinematics(model)
    q = np.random.default_rng(0).uniform(-1, 1, (5, 30, len(kinematics.dofs)))
    X = kinematics.poses(q)
    assert X.shape == (5, 30, len(model), 4, 4)
    one_by_one = np.array([[kinematics.poses(each) for each in few] for few in q])
    np.testing.assert_allclose(X, one_by_one, rtol=0, atol=1e-14)
    np.testing.assert_array_equal(kinematics.poses(q, rows=[4, 9]), X[:, :, [4, 9]])


@pytest.mark.parametrize("count", [1, 20, 200, 1300])
def test_a_batch_of_any_size_has_the_poses_of_its_configurations(examples: Path, count: int) -> None:
    for name in ("arm.sdf", "joint_frames.sdf", "nested_gripper.sdf", "relative_to_cycle.sdf"):
        kinematics = Kinematics(load_model(examples / name))
        q = np.random.default_rng(1).uniform(-2, 2, (count, len(kinematics.dofs)))
        X = kinematics.poses(q)
        for number in (0, count // 2, count - 1):
            np.testing.assert_allclose(X[number], kinematics.poses(q[number]), rtol=0, atol=1e-14)
        np.testing.assert_array_equal(kinematics.poses(q, rows=[1]), X[:, [1]])


@given(st.lists(st.integers(-1, 10**6), min_size=1, max_size=60))
def test_products_along_any_tree(numbers: list[int]) -> None:
    parents = np.array([number % (row + 1) - 1 if number >= 0 else -1 for row, number in enumerate(numbers)])
    E = transforms.pose_to_matrix(np.random.default_rng(1).uniform(-1, 1, (len(parents), 6)))
    D = TreeProduct(parents)(E)
    for row, parent in enumerate(parents):
        np.testing.assert_allclose(D[row], D[parent] @ E[row], atol=1e-9)
    np.testing.assert_array_equal(D[-1], np.eye(4))


@some_or_all
def test_the_initial_configuration_is_that_of_the_file(corpus: Path, every: int) -> None:
    count = 0
    for file in sorted(corpus.rglob("*.sdf"))[::every]:
        model = _load(file)
        if model is not None:
            kinematics = Kinematics(model)
            np.testing.assert_allclose(kinematics.poses(kinematics.q0), model.X_RootF, atol=1e-12)
            count += 1
    assert count > at_least(300) / every


def _load(file: Path) -> Model | None:
    from sdfviewer.files.opening import open_document
    from sdfviewer.formats.load import Loader

    return Loader().load(open_document(file))
