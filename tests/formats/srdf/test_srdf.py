"""SRDF files: what they say is read, checked against the robot, and follows its names."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.cli import main
from sdfviewer.diagnostics import Diagnostic
from sdfviewer.files.opening import open_document
from sdfviewer.files.search import robots_near, semantic_files_near
from sdfviewer.formats.load import Loader
from sdfviewer.formats.srdf import Semantics, is_semantic, read_semantics
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.refactoring.fix_offers import offer_fixes

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
ROBOT = f"""<robot name="arm">
  <link name="base">{INERTIAL}</link>
  <link name="upper">{INERTIAL}</link>
  <link name="hand">{INERTIAL}</link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>{LIMIT}</joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="hand"/>{LIMIT}</joint>
</robot>
"""
SRDF = """<?xml version='1.0'?>
<!-- of the arm -->
<robot name='arm'>
  <virtual_joint name="fixed_base" type="fixed" parent_frame="world" child_link="base"/>
  <group name="arm">\r
    <joint name="fixed_base"/>
    <chain base_link="base" tip_link="hand"/>
  </group>
  <group name="tool"><link name="hand"/></group>
  <group name="all"><group name="arm"/><group name="tool"/></group>
  <group_state name="home" group="arm">
    <joint name="shoulder" value="0.5"/><joint name="elbow" value="-1"/>
  </group_state>
  <end_effector name="gripper" parent_link="hand" group="tool" parent_group="arm"/>
  <passive_joint name="elbow"/>
  <disable_collisions link2="hand"   link1="base" reason="Never"/>
</robot>
"""


@pytest.fixture
def srdf(tmp_path: Path) -> Path:
    """An SRDF in MoveIt's configuration beside the package of its robot."""
    for name in ("arm_description", "arm_moveit_config"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "package.xml").write_text(f"<package><name>{name}</name></package>")
    (tmp_path / "arm_description" / "urdf").mkdir()
    (tmp_path / "arm_moveit_config" / "config").mkdir()
    (tmp_path / "arm_description" / "urdf" / "arm.urdf").write_text(ROBOT)
    path = tmp_path / "arm_moveit_config" / "config" / "arm.srdf"
    path.write_bytes(SRDF.encode())
    return path


def robot_of(srdf: Path) -> Path:
    return srdf.parents[2] / "arm_description" / "urdf" / "arm.urdf"


def load(path: Path) -> tuple[Model, tuple[Diagnostic, ...]]:
    model, problems = Loader(offer_fixes=offer_fixes).load_with_diagnostics(open_document(path))
    assert model is not None
    return model, problems


def semantics_of(path: Path) -> Semantics:
    document = open_document(path)
    assert is_semantic(document)
    return read_semantics(document)


def test_each_finds_the_other(srdf: Path) -> None:
    assert semantic_files_near(robot_of(srdf)) == [srdf.resolve()]
    assert robots_near(srdf, "arm") == [robot_of(srdf).resolve()]
    assert robots_near(srdf, "leg") == []


def test_a_robot_that_is_called_as_its_srdf_comes_first(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.urdf").write_text(ROBOT)
    assert [path.stem for path in robots_near(tmp_path / "b.srdf", "arm")] == ["b", "a"]


def test_an_srdf_shows_its_robot(srdf: Path) -> None:
    model, problems = load(srdf)
    assert list(model.names) == ["arm", "arm::base", "arm::upper", "arm::hand", "arm::shoulder", "arm::elbow"]
    assert [str(each) for each in problems] == []
    assert {source.path for source in model.sources if source is not None} == {robot_of(srdf).resolve()}


def test_all_that_it_says_is_read(srdf: Path) -> None:
    semantics = semantics_of(srdf)
    assert [group.name for group in semantics.groups] == ["arm", "tool", "all"]
    [state] = semantics.states
    assert (state.name, state.group, state.positions) == ("home", "arm", {"shoulder": (0.5,), "elbow": (-1.0,)})
    [effector] = semantics.end_effectors
    assert (effector.name, effector.parent_link, effector.group, effector.parent_group) == (
        "gripper",
        "hand",
        "tool",
        "arm",
    )
    [virtual] = semantics.virtual_joints
    assert (virtual.name, virtual.type, virtual.parent_frame, virtual.child_link) == (
        "fixed_base",
        "fixed",
        "world",
        "base",
    )
    assert semantics.passive_joints == ["elbow"]
    assert [(pair.links, pair.reason) for pair in semantics.disabled] == [({"base", "hand"}, "Never")]


@pytest.mark.parametrize(
    ("group", "names"),
    [
        ("arm", {"shoulder", "upper", "elbow", "hand"}),
        ("tool", {"elbow", "hand"}),
        ("all", {"shoulder", "upper", "elbow", "hand"}),
    ],
)
def test_a_group_has_the_joints_and_links_of_its_chains_and_of_its_groups(
    srdf: Path, group: str, names: set[str]
) -> None:
    model, semantics = load(robot_of(srdf))[0], semantics_of(srdf)
    found = semantics.group(group)
    assert found is not None
    assert {model.local_names[row] for row in semantics.rows_of(model, found)} == names


def test_a_state_gives_positions_by_scoped_names(srdf: Path) -> None:
    model, semantics = load(robot_of(srdf))[0], semantics_of(srdf)
    positions = semantics.positions(Kinematics(model), semantics.states[0])
    assert positions == {"arm::shoulder": (0.5,), "arm::elbow": (-1.0,)}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('tip_link="hand"', 'tip_link="hnad"'),
        ('<link name="hand"/>', '<link name="hnad"/>'),
        ('parent_link="hand"', 'parent_link="hnad"'),
        ('link2="hand"', 'link2="hnad"'),
        ('child_link="base"', 'child_link="bsae"'),
        ('<joint name="elbow" value', '<joint name="elbwo" value'),
        ('<passive_joint name="elbow"', '<passive_joint name="elbwo"'),
    ],
)
def test_a_wrong_name_is_reported_and_fixed(srdf: Path, before: str, after: str) -> None:
    srdf.write_bytes(SRDF.replace(before, after, 1).encode())
    [problem] = [each for each in load(srdf)[1] if each.rule.name == "name-not-found"]
    fixed = open_document(srdf).edited(problem.fixes[0].replacements)
    assert fixed.text == SRDF


@pytest.mark.parametrize(("value", "is_known"), [("0. 0. 0.5 0. 0. 0. 1.", True), ("0.5", False)])
def test_the_joint_by_which_pinocchio_lets_a_robot_float_is_known(srdf: Path, value: str, is_known: bool) -> None:
    text = srdf.read_bytes().decode()
    floating = f'<joint name="root_joint" value="{value}"/><joint name="shoulder"'
    srdf.write_bytes(text.replace('<joint name="shoulder"', floating, 1).encode())
    _, found = load(srdf)
    assert [each.rule.name for each in found] == ([] if is_known else ["name-not-found"])


def test_a_rename_in_the_robot_changes_the_names_in_the_srdf_and_no_other_byte(srdf: Path) -> None:
    arguments = ["edit", "--rename", "arm::hand=palm", "--also", str(srdf.parent), "--in-place", str(robot_of(srdf))]
    assert main(arguments) == 0
    assert srdf.read_bytes() == SRDF.replace('"hand"', '"palm"').encode()
    assert robot_of(srdf).read_text() == ROBOT.replace('"hand"', '"palm"')
    assert (
        main(["edit", "--rename", "arm::elbow=wrist", "--also", str(srdf.parent), "--in-place", str(robot_of(srdf))])
        == 0
    )
    assert srdf.read_bytes() == SRDF.replace('"hand"', '"palm"').replace('"elbow"', '"wrist"').encode()


def test_an_srdf_without_its_robot_says_so(tmp_path: Path) -> None:
    path = tmp_path / "arm.srdf"
    path.write_text(SRDF)
    [problem] = Loader().load_with_diagnostics(open_document(path))[1]
    assert problem.rule.name == "srdf-robot-missing"
    assert problem.message == "the robot 'arm' is not found: put its URDF beside this file, or correct the name"
