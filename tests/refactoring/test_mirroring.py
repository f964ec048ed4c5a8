"""A limb is written again on the other side: each of its frames is the reflection of the original at every position."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.operations import arranging
from sdfviewer.operations.declaration import EditContext
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.limb import Mirror, copied_names, guess_sides, limb, reflection_faults
from sdfviewer.refactoring.mirroring import mirror_limb

TEXT = """<sdf version="1.11"><model name="robot">
  <link name="torso"><pose>0 0 1 0 0 0.2</pose></link>
  <frame name="left_mount" attached_to="torso"><pose>0 0.3 0.1 0.5 0 0</pose></frame>
  <frame name="right_mount" attached_to="torso"><pose>0 -0.3 0.1 -0.5 0 0</pose></frame>
  <link name="left_arm">
    <pose relative_to="left_mount">0.1 0.2 0.3 0.4 0.5 0.6</pose>
    <inertial>
      <pose degrees="true">0.01 0.02 0.03 10 20 30</pose>
      <mass>2</mass>
      <inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz><ixy>0.1</ixy><ixz>0.2</ixz><iyz>0.3</iyz></inertia>
    </inertial>
    <visual name="left_shell">
      <pose>0 0.1 0 0.1 0.2 0.3</pose>
      <geometry><mesh><uri>arm.stl</uri></mesh></geometry>
    </visual>
    <collision name="hull"><geometry><box><size>1 2 3</size></box></geometry></collision>
    <light name="lamp" type="spot"><direction>0.1 0.2 -1</direction></light>
    <sensor name="touch" type="contact"><contact><collision>hull</collision></contact></sensor>
  </link>
  <joint name="left_shoulder" type="revolute">
    <parent>left_mount</parent><child>left_arm</child>
    <pose>0.01 0 0 0.1 0 0.2</pose>
    <axis><xyz>1 0.5 0.25</xyz><limit><lower>-1</lower><upper>2</upper></limit></axis>
  </joint>
  <!-- The wrist is measured from the arm. -->
  <joint name="left_slide" type="prismatic">
    <pose relative_to="left_arm">0 0 0.5 0 0 0</pose>
    <parent>left_arm</parent><child>hand</child>
    <axis><xyz expressed_in="left_mount">0.1 0.2 1</xyz></axis>
  </joint>
  <link name="hand"><pose relative_to="left_slide"/></link>
  <joint name="left_screw" type="screw">
    <parent>hand</parent><child>left_tip</child>
    <axis><xyz expressed_in="__model__">0 1 1</xyz>
    <mimic joint="left_shoulder"><multiplier>0.5</multiplier></mimic></axis>
    <screw_thread_pitch>0.02</screw_thread_pitch>
  </joint>
  <link name="left_tip"><pose rotation_format="quat_xyzw">0.4 0.9 1.2  0.1 0.2 0.3 0.927361849549570</pose></link>
  <frame name="left_tcp" attached_to="left_tip"><pose>0 0.1 0.2 0.3 0 0</pose></frame>
</model></sdf>
"""
S = np.diag([1.0, -1.0, 1.0, 1.0])


def mirrored(text: str = TEXT, link: str = "left_arm", **options: object) -> tuple[Model, Model]:
    model = load_model(text)
    edit = mirror_limb(model, Mirror(model.row(f"robot::{link}"), **options))  # type: ignore[arg-type]
    changed = load_model(model.document.edited(edit.replacements).text)
    assert not [each for each in changed.diagnostics if each.is_error], changed.diagnostics
    return model, changed


def test_the_limb_is_what_moves_with_the_link_and_the_joints_and_frames_of_it() -> None:
    model = load_model(TEXT)
    rows = limb(model, model.row("robot::left_arm"))
    names = [model.local_names[row] for row in rows]
    assert names == [
        "left_arm", "left_shoulder", "left_slide", "hand", "left_screw", "left_tip", "left_tcp",
    ]  # fmt: skip
    assert copied_names(model, Mirror(model.row("robot::left_arm")))[rows[3]] == "hand_right"


@pytest.mark.parametrize("seed", range(3))
def test_the_same_joint_positions_give_the_mirrored_configuration(seed: int) -> None:
    _, model = mirrored()
    kinematics = Kinematics(model)
    rng = np.random.default_rng(seed)
    values = dict(zip(("shoulder", "slide"), rng.uniform(-1, 1, 2).tolist(), strict=True))
    named = {f"{side}_{name}": value for side in ("left", "right") for name, value in values.items()}
    q = kinematics.positions({f"robot::{name}": [value] for name, value in named.items()} if seed else {})
    X = kinematics.poses(q)
    for name in ("left_arm", "left_shoulder", "left_slide", "hand", "left_screw", "left_tip", "left_tcp"):
        other = name.replace("left", "right") if "left" in name else name + "_right"
        one, two = (X[model.row(f"robot::{each}")] for each in (name, other))
        np.testing.assert_allclose(two, S @ one @ S, atol=1e-9, err_msg=name)


def test_what_is_in_the_links_is_reflected() -> None:
    _, model = mirrored()
    link = model.elements[model.row("robot::right_arm")]
    inertial, visual = link.find("inertial"), link.find("visual")
    assert inertial.find("pose").text == "0.01 -0.02 0.03 -10 20 -30"
    assert [inertial.find("inertia").find(tag).text for tag in ("ixx", "ixy", "ixz", "iyz")] == [
        "1",
        "-0.1",
        "0.2",
        "-0.3",
    ]
    assert visual.attributes["name"] == "right_shell"
    assert visual.find("geometry").find("mesh").find("scale").text == "1 -1 1"
    assert link.find("light").find("direction").text == "0.1 -0.2 -1"
    joint = model.elements[model.row("robot::right_shoulder")]
    assert joint.find("parent").text == "right_mount"
    assert joint.find("axis").find("xyz").text == "-1 0.5 -0.25"
    assert joint.find("axis").find("limit").find("lower").text == "-1"
    screw = model.elements[model.row("robot::right_screw")]
    assert screw.find("screw_thread_pitch").text == "-0.02"
    assert screw.find("axis").find("mimic").attributes["joint"] == "right_shoulder"


def test_the_original_keeps_its_bytes_and_a_comment_is_not_copied() -> None:
    model, changed = mirrored()
    start, end = TEXT.index('  <link name="left_arm">'), TEXT.index("</model>")
    assert changed.document.text.startswith(TEXT[:end].rstrip())
    assert changed.document.text.count("The wrist") == 1
    assert TEXT[start:end] in model.document.text


def test_mirroring_a_wrist_alone_joins_it_to_the_arm_of_the_other_side() -> None:
    _, once = mirrored()
    text = once.document.text.replace('<link name="left_tip">', '<link name="left_tip"><!-- new -->')
    # Without the right hand's tip: it is mirrored again, alone.
    model = load_model(text)
    names = copied_names(model, Mirror(model.row("robot::left_tip"), replace="other"))
    assert list(names.values()) == ["other_screw", "other_tip", "other_tcp"]


@pytest.mark.parametrize("axis", [0, 2])
def test_other_planes(axis: int) -> None:
    text = TEXT.replace("<box><size>1 2 3</size></box>", "<cone><radius>1</radius><length>2</length></cone>")
    _, model = mirrored(text, axis=axis)
    reflection = np.eye(4)
    reflection[axis, axis] = -1
    one, two = (model.X_RootF[model.row(f"robot::{side}_arm")] for side in ("left", "right"))
    np.testing.assert_allclose(two, reflection @ one @ reflection, atol=1e-9)
    pose = model.elements[model.row("robot::right_arm")].find("collision").find("pose")
    assert (pose is not None and abs(float(pose.text.split()[3])) == pytest.approx(math.pi)) == (axis == 2)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("left_arm", ("left", "right")),
        ("r_wrist_roll_link", ("r_", "l_")),
        ("leg_L", ("_L", "_R")),
        ("RightFoot", ("Right", "Left")),
        ("wheel", ("", "mirrored")),
    ],
)
def test_the_sides_are_guessed_from_the_name(name: str, expected: tuple[str, str]) -> None:
    assert guess_sides(name) == expected


def test_reasons() -> None:
    with pytest.raises(RefactoringError, match="'right_arm' is taken"):
        mirrored(
            TEXT.replace('name="torso"', 'name="right_arm"').replace('attached_to="torso"', 'attached_to="right_arm"')
        )
    with pytest.raises(RefactoringError, match="a heightmap cannot be mirrored"):
        mirrored(TEXT.replace("<box><size>1 2 3</size></box>", "<heightmap><uri>a.png</uri></heightmap>"))
    model = load_model(TEXT)
    with pytest.raises(RefactoringError, match="choose the link"):
        mirror_limb(model, Mirror(model.row("robot::left_mount")))


def test_a_screw_without_a_pitch_gets_a_left_handed_thread() -> None:
    _, model = mirrored(TEXT.replace("<screw_thread_pitch>0.02</screw_thread_pitch>", ""))
    screw = model.elements[model.row("robot::right_screw")]
    assert screw.find("screw_thread_pitch").text == "-1"


WITH_CANONICAL_LINK = """<sdf version="1.11"><model name="robot" canonical_link="left_arm">
  <frame name="left_tool"><pose>0.1 0.2 0.3 0.4 0 0</pose></frame>
  <frame name="left_eye" attached_to="__model__"/>
  <link name="torso"><pose>0 0 1 0 0 0</pose></link>
  <link name="left_arm"><pose>0 0.3 1 0.1 0.2 0.3</pose></link>
  <joint name="left_shoulder" type="revolute">
    <parent>torso</parent><child>left_arm</child><axis><xyz>1 0 0</xyz></axis>
  </joint>
</model></sdf>
"""


def test_what_is_on_the_model_rides_on_the_copy_of_its_canonical_link(tmp_path: Path) -> None:
    file = tmp_path / "robot.sdf"
    file.write_text(WITH_CANONICAL_LINK, encoding="utf-8")
    model, loader = load_model(file), Loader()
    mirror = Mirror(model.rows_by_name["robot::left_arm"])
    edit = mirror_limb(model, mirror)
    assert reflection_faults(model, mirror, edit, loader) == ()
    after = loader.load(model.document.edited(edit.replacements))
    assert after is not None
    for name in ("robot::right_tool", "robot::right_eye"):
        assert after.names[int(after.bodies[after.rows_by_name[name]])] == "robot::right_arm"


def test_a_copy_that_is_no_reflection_is_an_error_of_the_program(tmp_path: Path) -> None:
    file = tmp_path / "robot.sdf"
    file.write_text(TEXT, encoding="utf-8")
    model, loader = load_model(file), Loader()
    mirror = Mirror(model.rows_by_name["robot::left_arm"])
    edit = mirror_limb(model, mirror)
    assert reflection_faults(model, mirror, edit, loader) == ()
    for old, new, said in (
        ("<pose>0.01 0 0 -0.1 0 -0.2</pose>", "<pose>0.01 0 0 0.1 0 -0.2</pose>", "is not the reflection of"),
        ("<mass>2</mass>", "<mass>3</mass>", "the mass of 'robot::right_arm' is not the reflection"),
        (
            "<size>1 2 3</size>",
            "<size>1 2 3</size></box></geometry></collision><collision name='x'><geometry><box><size>1 1 1</size>",
            "is not whole",
        ),
    ):
        assert sum(each.text.count(old) for each in edit.replacements) == 1, old
        wrong = replace(
            edit, replacements=tuple(replace(each, text=each.text.replace(old, new)) for each in edit.replacements)
        )
        assert any(said in each for each in reflection_faults(model, mirror, wrong, loader)), said


@pytest.mark.parametrize("limb", ["arm", "hand"])
def test_what_is_measured_from_elsewhere_is_reflected_and_names_the_copy(limb: str) -> None:
    pose = '<pose relative_to="arm_left">0.1 0.2 0.3 0.1 0.2 0.3</pose>'
    sensor = f'<sensor name="eye_left" type="camera">{pose}<camera/></sensor>'
    robot = (
        '<robot name="r"><link name="base"/><link name="arm_left"/><link name="hand_left"/>'
        '<joint name="shoulder_left" type="revolute"><parent link="base"/><child link="arm_left"/>'
        '<origin xyz="0 0.3 1" rpy="0 0 0.5"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'
        '</joint><joint name="wrist_left" type="revolute"><parent link="arm_left"/><child link="hand_left"/>'
        '<origin xyz="0 0.2 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        f'<gazebo reference="hand_left">{sensor}</gazebo></robot>'
    )
    model = load_model(robot)
    on, arguments = EditContext(model, Loader()), {"link": f"r::{limb}_left"}
    done = arranging.mirror.perform(on, arguments)
    assert arranging.mirror.faults(on, arguments, done) == ()
    text = model.document.edited(done.edit.replacements).text
    copied = text.partition('<gazebo reference="hand_right">')[2]
    assert f'relative_to="arm_{"right" if limb == "arm" else "left"}"' in copied


def test_what_cannot_move_has_no_direction_to_reflect() -> None:
    robot = (
        '<robot name="r"><link name="base"/><link name="hand_left"/><joint name="wrist_left" type="fixed">'
        '<parent link="base"/><child link="hand_left"/><origin xyz="0 0.3 0" rpy="0.3 0.2 0.1"/><axis xyz="0 1 0"/>'
        '<limit lower="0" upper="0" effort="1" velocity="1"/></joint><gazebo reference="wrist_left">'
        "<disableFixedJointLumping>true</disableFixedJointLumping></gazebo></robot>"
    )
    on, arguments = EditContext(load_model(robot), Loader()), {"link": "r::hand_left"}
    assert arranging.mirror.faults(on, arguments, arranging.mirror.perform(on, arguments)) == ()
