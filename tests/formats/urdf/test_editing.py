"""What an edit means in a URDF: which attributes of which elements change, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.formats.contents import read_visual
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.operations.declaration import EditContext
from sdfviewer.operations.table import OPERATIONS

MOMENTS = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
MASS = f'<inertial><origin xyz="0 0 0.1"/><mass value="1"/>{MOMENTS}</inertial>'
VISUAL = "<visual><geometry><box size='1 1 1'"
URDF = f"""<robot name='r'>
  <material name="steel"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name='base'/>
  <joint type='revolute' name='hinge'>
    <parent link='base'/>
    <child link='arm'/>
    <origin rpy='0 0 1.50' xyz="0 0  0.50"/> <!-- measured -->
    <axis xyz='0 1 0'/>
    <limit lower='-1' upper='1' effort='5' velocity='2'/>
  </joint>
  <link name='arm'>{MASS}
    <visual><geometry><box size='1 1 1'/></geometry><material name="steel"/></visual>
    <collision name="hull"><origin xyz="0 0 1"/><geometry><box size='1 1 1'/></geometry></collision>
  </link>
  <joint name='mount' type='fixed'><parent link='arm'/><child link='tool'/></joint>
  <link name='tool'/>
  <joint name='follower' type='continuous'><parent link='base'/><child link='wheel'/><mimic joint='hinge'/></joint>
  <link name='wheel'><visual><geometry><sphere radius='1'/></geometry><material name="steel"/></visual></link>
  <gazebo reference='tool'><sensor name='cam' type='camera'><pose>0 0 1 0 0 0</pose></sensor></gazebo>
  <transmission name='t'><joint name='hinge'/></transmission>
</robot>
"""
ON_BASE = URDF.replace("<parent link='arm'/><child link='tool'/>", "<parent link='base'/><child link='tool'/>")
ORIGIN = """<origin rpy='0 0 1.50' xyz="0 0  0.50"/>"""


def done(model: Model, operation: str, /, **arguments: object) -> Edit:
    """Return what an operation does, its remarks among the notes."""
    outcome = OPERATIONS[operation].perform(EditContext(model, Loader()), arguments)
    return replace(outcome.edit, notes=outcome.edit.notes + outcome.remarks)


def text_after(operation: str, text: str = URDF, /, **arguments: object) -> str:
    model = load_model(text)
    return model.document.edited(done(model, operation, **arguments).replacements).text


def refusal(operation: str, text: str = URDF, /, **arguments: object) -> str:
    with pytest.raises(SdfViewerError) as error:
        text_after(operation, text, **arguments)
    return str(error.value)


# --- poses ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", ["r::arm", "r::hinge"])
def test_the_pose_of_a_link_or_its_joint_is_the_origin_of_the_joint(frame: str) -> None:
    after = text_after("set_pose", frame=frame, xyz=(0, 0, 0.6))
    assert after == URDF.replace(ORIGIN, ORIGIN.replace("0.50", "0.6"))
    after = text_after("set_pose", frame=frame, rpy=(0, 0.25, 1.5))
    assert after == URDF.replace(ORIGIN, ORIGIN.replace("'0 0 1.50'", "'0 0.25 1.50'"))


def test_an_origin_is_written_where_there_is_none_and_an_attribute_where_it_is_missing() -> None:
    mount = "<joint name='mount' type='fixed'>"
    after = text_after("set_pose", frame="r::tool", pose=(0, 0, 0.1, 0, 0, 0))
    assert after == URDF.replace(mount + "<parent", mount + "<origin xyz='0 0 0.1' rpy='0 0 0'/><parent")
    hull = '<origin xyz="0 0 1"/>'
    after = text_after("set_pose", frame="r::arm::arm_fixed_joint_lump__hull_collision", rpy=(0, 0, 1))
    assert after == URDF.replace(hull, """<origin xyz="0 0 1" rpy='0 0 1'/>""")


def test_what_a_gazebo_holds_has_a_pose_of_sdformat() -> None:
    after = text_after("set_pose", frame="r::tool::cam", xyz=(0, 0, 2))
    assert after == URDF.replace("<pose>0 0 1 0 0 0</pose>", "<pose>0 0 2 0 0 0</pose>")


def test_a_root_link_has_no_pose_and_says_what_helps() -> None:
    why = refusal("set_pose", frame="r::base", xyz=(1, 0, 0))
    assert why.startswith("'base' is a root link, which no joint carries, so it has no pose; move the joints")


def test_a_robot_has_no_pose_in_its_own_file() -> None:
    assert "a URDF says nothing about where the robot is" in refusal("set_pose", frame="r", xyz=(1, 0, 0))


def test_a_quaternion_is_written_in_its_own_attribute_where_the_version_has_it() -> None:
    newer = URDF.replace("<robot ", "<robot version='1.1' ")
    quaternion = ORIGIN.replace("rpy='0 0 1.50'", "quat_xyzw='0 0 0 1'")
    after = text_after("set_pose", newer.replace(ORIGIN, quaternion), frame="r::arm", rpy=(np.pi, 0, 0))
    assert after == newer.replace(ORIGIN, quaternion.replace("'0 0 0 1'", "'1 0 0 0'"))
    edited = load_model(text_after("set_notation", newer, frames=["r::hinge"], notation="quaternion"))
    assert "<origin quat_xyzw='0 0 0.68" in edited.document.text
    assert "rpy" not in edited.document.text
    before = load_model(newer)
    assert np.allclose(edited.X_RootF, before.X_RootF, rtol=0, atol=1e-12)
    assert 'needs version="1.1"' in refusal("set_notation", frames=["r::hinge"], notation="quaternion")
    assert refusal("set_notation", frames=["r::hinge"], notation="degrees") == "URDF writes angles in radians"


def test_a_link_and_its_joint_get_one_number_together() -> None:
    after = text_after("set_coordinate", frames=["r::arm", "r::hinge"], coordinate="z", value=0.6)
    assert after == URDF.replace(ORIGIN, ORIGIN.replace("0.50", "0.6"))


def test_a_joint_that_moves_alone_leaves_what_it_carries_in_place() -> None:
    model = load_model(URDF)
    X = model.X_RootF[model.row("r::arm")].copy()
    X[2, 3] += 0.25
    edit = done(model, "move", frame="r::arm", to=X, alone=True)
    after = load_model(model.document.edited(edit.replacements).text)
    for row, name in enumerate(model.names):
        moves = name in ("r::hinge", "r::arm")
        distance = np.abs(after.X_RootF[row] - model.X_RootF[row]).max()
        assert distance == pytest.approx(0.25 if moves else 0.0, abs=1e-12), name
    assert '<origin xyz="0 0 -0.15"/><mass' in after.document.text


# --- the tree ------------------------------------------------------------------------------------------------------


def test_a_joint_gets_another_parent_and_what_it_carries_stays_or_its_numbers_do() -> None:
    after = text_after("set_parent", joint="r::mount", parent="base")
    mount = "<joint name='mount' type='fixed'>"
    kept = URDF.replace(
        mount + "<parent link='arm'/>", mount + "<origin xyz='0 0 0.5' rpy='0 0 1.5'/><parent link='base'/>"
    )
    assert after == kept
    assert text_after("set_relative_to", frame="r::tool", target="base") == kept, "a link is where its joint is"
    numbers = text_after("set_parent", joint="r::mount", parent="base", keep="numbers")
    assert numbers == URDF.replace(mount + "<parent link='arm'/>", mount + "<parent link='base'/>")


def test_no_joint_closes_a_loop_or_drives_a_link_that_has_a_joint() -> None:
    assert "it would close a cycle" in refusal("set_parent", joint="r::hinge", parent="tool")
    assert "it would close a loop" in refusal("set_child", joint="r::mount", child="base")
    assert "the child of 'hinge' already" in refusal("set_child", ON_BASE, joint="r::mount", child="arm")
    assert "in URDF a visual is measured from its link" in refusal(
        "set_relative_to", frame="r::arm::arm_visual", target="base"
    )
    assert "has one parent" in refusal("reverse_joint", joint="r::hinge")


def test_a_mate_moves_the_joint_or_joins_the_links() -> None:
    model = load_model(URDF)
    moved = load_model(text_after("mate", a="r::wheel", b="r::tool"))
    assert np.allclose(moved.X_RootF[moved.row("r::tool")], model.X_RootF[model.row("r::wheel")])
    assert "<parent link='arm'/><child link='tool'/>" in moved.document.text
    joined = text_after("mate", a="r::wheel", b="r::tool", written_as="joint")
    assert "<parent link='wheel'/><child link='tool'/>" in joined
    assert "moves with" in refusal("mate", a="r::tool", b="r::arm")


# --- properties ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("thing", "path", "value", "old", "new"),
    [
        ("r::hinge", "axis/limit/upper", 0.5, "upper='1'", "upper='0.5'"),
        ("r::hinge", "axis/limit/upper", None, " upper='1'", ""),
        ("r::hinge", "axis/xyz", "1 0 0", "<axis xyz='0 1 0'/>", "<axis xyz='1 0 0'/>"),
        ("r::hinge", "@type", "planar", "type='revolute'", "type='planar'"),
        (
            "r::hinge",
            "axis/dynamics/damping",
            0.5,
            "velocity='2'/>\n",
            "velocity='2'/>\n    <dynamics damping='0.5'/>\n",
        ),
        ("r::follower", "axis/mimic@joint", None, "<mimic joint='hinge'/>", ""),
        ("r::arm", "inertial/mass", 2.0, 'mass value="1"', 'mass value="2"'),
        (
            "r::arm",
            "inertial/pose",
            "0 0 0.2 0 0 0",
            '<inertial><origin xyz="0 0 0.1"',
            '<inertial><origin xyz="0 0 0.2"',
        ),
        ("r::arm::arm_visual", "geometry/box/size", "1 2 1", VISUAL, VISUAL.replace("1 1 1", "1 2 1")),
    ],
)
def test_a_property_is_written_where_urdf_has_it(thing: str, path: str, value: object, old: str, new: str) -> None:
    assert text_after("set_property", thing=thing, path=path, value=value) == URDF.replace(old, new, 1)


def test_a_colour_goes_to_the_material_that_a_visual_names_and_the_other_users_are_named() -> None:
    model = load_model(URDF)
    edit = done(model, "set_property", thing="r::arm::arm_visual", path="material/diffuse", value="1 0 0 1")
    assert model.document.edited(edit.replacements).text == URDF.replace("0.5 0.5 0.5 1", "1 0 0 1")
    assert "material 'steel' changes; 1 other visual uses it" in " ".join(edit.notes)


def test_a_colour_that_another_visual_defines_for_a_name_is_written_there() -> None:
    used = "<sphere radius='1'/></geometry><material name=\"steel\""
    text = URDF.replace(used + "/>", used.replace("steel", "wood") + '><color rgba="0 0 1 1"/></material>')
    text = text.replace('<material name="steel"/>', '<material name="wood"/>')
    after = text_after("set_property", text, thing="r::arm::arm_visual", path="material/diffuse", value="1 0 0 1")
    assert after == text.replace("0 0 1 1", "1 0 0 1")


def test_what_urdf_requires_besides_is_written_and_said() -> None:
    model = load_model(URDF.replace("<limit lower='-1' upper='1' effort='5' velocity='2'/>", ""))
    edit = done(model, "set_property", thing="r::hinge", path="axis/limit/upper", value=1.0)
    assert "<limit effort='100' velocity='1' upper='1'/>" in model.document.edited(edit.replacements).text
    assert "URDF requires effort=100 and velocity=1 in <limit>" in " ".join(edit.notes)


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        ("axis/limit/upper", "inf", "URDF needs finite numbers"),
        ("axis/limit/effort", None, "URDF requires it in <limit>: give another value"),
        ("@type", "ball", "'ball' is not an allowed value"),
        ("limit@jerk", 1.0, "no property 'limit@jerk'"),
    ],
)
def test_a_value_that_urdf_does_not_have_is_refused(path: str, value: object, why: str) -> None:
    assert why in refusal("set_property", thing="r::hinge", path=path, value=value)


# --- adding and removing -------------------------------------------------------------------------------------------


def test_a_new_link_hangs_on_the_tree() -> None:
    model = load_model(URDF)
    edit = done(model, "add_link", name="cam", joined_to="tool", pose=(0, 0, 0.1, 0, 0, 0))
    joint = (
        "<joint name='cam_joint' type='fixed'>\n    <origin xyz='0 0 0.1' rpy='0 0 0'/>\n    <parent link='tool'/>\n"
    )
    lines = f"  {joint}    <child link='cam'/>\n  </joint>\n  <link name='cam'/>\n</robot>\n"
    assert model.document.edited(edit.replacements).text == URDF.replace("</robot>\n", lines)
    edit = done(model, "add_link", name="cam")
    assert "the fixed joint 'cam_joint' connects 'cam' to 'base'" in " ".join(edit.notes)
    empty = load_model('<robot name="r">\n</robot>')
    assert "<joint" not in empty.document.edited(done(empty, "add_link", name="base").replacements).text


def test_a_frame_becomes_a_link_without_mass_and_says_so() -> None:
    model = load_model(URDF)
    edit = done(model, "add_frame", name="tcp", attached_to="tool", pose=(0, 0, 0.1, 0, 0, 0))
    assert edit.notes == ("URDF has no frames: 'tcp' is a link without mass on the fixed joint 'tcp_joint'",)
    after = load_model(model.document.edited(edit.replacements).text)
    assert np.allclose(after.X_RootF[after.row("r::tcp")][:3, 3], [0, 0, 0.6])


def test_a_sensor_is_written_in_a_gazebo_element_about_its_link() -> None:
    after = text_after("add_sensor", parent="r::arm", type="imu", pose=(0, 0, 0.1, 0, 0, 0))
    assert "<gazebo reference='arm'>\n    <sensor name='sensor' type='imu'>\n      <pose>0 0 0.1 0 0 0</pose>" in after


@pytest.mark.parametrize("shape", ["box", "cylinder", "sphere"])
def test_a_visual_has_the_name_that_libsdformat_gives_it(shape: str) -> None:
    model = load_model(URDF)
    edit = done(model, "add_visual", link="r::arm", geometry=shape)
    after = load_model(model.document.edited(edit.replacements).text)
    assert edit.added == ("r::arm::arm_visual_1",)
    assert edit.added[0] in after.rows_by_name


def test_what_urdf_has_not_is_refused_with_what_helps() -> None:
    assert "has no <model>" in refusal("add_model", name="m")
    assert "URDF has no shape 'cone'; it has box, cylinder, sphere" in refusal(
        "add_visual", link="r::arm", geometry="cone"
    )
    assert "'ball' is not a joint type of URDF" in refusal("add_link", name="x", joined_to="arm", joint_type="ball")
    for name in ("to_element_relative_form", "write_defaults", "flatten"):
        assert "convert the file to SDFormat" in refusal(name)


def test_a_link_is_copied_with_the_joint_that_carries_it() -> None:
    after = load_model(text_after("duplicate", things="r::tool"))
    copy = after.row("r::tool_copy")
    assert after.names[int(after.relative_to[copy])] == "r::tool_copy_joint"
    assert np.allclose(after.X_RootF[copy], after.X_RootF[after.row("r::tool")])
    assert "duplicate its link" in refusal("duplicate", things="r::mount")


def test_a_link_goes_with_all_that_it_carries_and_what_is_said_about_that() -> None:
    after = text_after("remove", things=["r::arm"], with_dependents=True)
    model = load_model(after)
    assert {name for name in model.names if "::" in name} == {
        "r::base",
        "r::follower",
        "r::wheel",
        "r::wheel::wheel_visual",
    }
    assert "mimic" not in after
    assert "gazebo" not in after
    assert "transmission" not in after
    assert [each.rule.name for each in model.diagnostics if each.is_error] == ["model-without-link"], "it has no mass"


LIMB = f"""<robot name="r"><link name="base"/>
  <joint name="left_hip" type="revolute"><parent link="base"/><child link="left_leg"/>
    <origin xyz="0.1 0.2 0.3" rpy="0.1 0.2 0.3"/><axis xyz="0 1 0.5"/>
    <limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
  <link name="left_leg">{MASS.replace('ixy="0"', 'ixy="0.1"')}
    <visual name="left_skin"><origin xyz="0 0.1 0" rpy="0.5 0 0"/><geometry><box size="1 1 1"/></geometry>
    </visual></link>
  <joint name="left_knee" type="prismatic"><parent link="left_leg"/><child link="left_foot"/>
    <origin rpy="0 0.3 0.7" xyz="0 0.1 -0.3"/><axis xyz="0 1 0.5"/>
    <limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
  <link name="left_foot"/>
  <gazebo><frame name="left_tip" attached_to="left_foot"><pose>0 0.2 0 0.5 0 0</pose></frame></gazebo>
  <gazebo reference="left_foot"><sensor name="imu" type="imu"><pose>0 0.1 0 0 0 0.5</pose></sensor></gazebo>
</robot>"""


def test_the_mirrored_limb_is_the_mirror_image_at_any_joint_positions() -> None:
    after = load_model(text_after("mirror", LIMB, link="r::left_leg"))
    kinematics = Kinematics(after)
    q = {f"r::{side}_{joint}": [value] for side in ("left", "right") for joint, value in (("hip", 0.7), ("knee", 0.4))}
    X = kinematics.poses(kinematics.positions(q))
    S = np.diag([1.0, -1.0, 1.0, 1.0])
    left = [name for name in after.names if "left" in name]
    assert len(left) == 7
    for name in left:
        copy = name.replace("left", "right").replace("::imu", "::imu_right")
        mirrored = X[after.row(copy)]
        assert np.allclose(mirrored, S @ X[after.row(name)] @ S, rtol=0, atol=1e-12), name
    right = after.document.text[after.document.text.index('link name="right_leg"') :]
    assert 'ixy="-0.1"' in right
    assert 'name="right_skin"' in right
    assert '<gazebo>\n    <frame name="right_tip" attached_to="right_foot">' in right
    assert '<gazebo reference="right_foot"><sensor name="imu_right" type="imu"><pose>0 -0.1 0 0 0 -0.5</pose>' in right
    assert "a limb begins with a link that a joint carries" in refusal("mirror", LIMB, link="r::base", names=("a", "b"))


def test_line_ends_and_quotes_of_the_file_stay() -> None:
    text = URDF.replace("\n", "\r\n")
    model = load_model(parse_document(text).text)
    after = model.document.edited(done(model, "add_link", name="cam", joined_to="tool").replacements).text
    assert after.count("\n") == after.count("\r\n")
    assert after.replace("\r\n", "\n").startswith(URDF[: URDF.index("</robot>")])


# --- joining -------------------------------------------------------------------------------------------------------

GRIPPER = """<robot name="gripper">
  <material name="steel"><color rgba="0.5 0.5 0.5 1"/></material>
  <material name="rubber"><color rgba="0 0 0 1"/></material>
  <link name="tool">
    <visual><geometry><mesh filename="meshes/palm.stl"/></geometry><material name="steel"/></visual>
  </link>
  <joint name="slide" type="prismatic"><parent link="tool"/><child link="finger"/><origin xyz="0 0.1 0"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
  <link name="finger"><visual><geometry><sphere radius="1"/></geometry><material name="rubber"/></visual></link>
  <gazebo reference="finger"><sensor name="touch" type="contact"/></gazebo>
</robot>
"""


@pytest.fixture
def gripper(tmp_path: Path) -> Path:
    (tmp_path / "hand").mkdir()
    file = tmp_path / "hand" / "gripper.urdf"
    file.write_text(GRIPPER, encoding="utf-8")
    return file


def joined(tmp_path: Path, text: str = URDF, **arguments: object) -> tuple[Model, Edit]:
    document = parse_document(text, tmp_path / "arm.urdf")
    model = Loader().load(document)
    assert model is not None
    edit = done(model, "join_robot", file="hand/gripper.urdf", link="r::tool", **arguments)
    after = Loader().load(document.edited(edit.replacements))
    assert after is not None
    return after, edit


def test_a_gripper_is_joined_with_a_prefix_where_names_clash(gripper: Path, tmp_path: Path) -> None:
    assert gripper.is_file()
    after, edit = joined(tmp_path, pose=(0, 0, 0.1, 0, 0, 0))
    text = after.document.text
    assert edit.added == ("r::gripper_tool", "r::gripper_tool_joint")
    assert text.startswith(URDF[: URDF.index("</robot>")])
    assert np.allclose(after.X_RootF[after.row("r::gripper_tool")][:3, 3], [0, 0, 0.6])
    assert after.names[int(after.relative_to[after.row("r::gripper_finger")])] == "r::gripper_slide"
    assert "filename='hand/meshes/palm.stl'" in text, "it leads to the same file"
    assert "<gazebo reference='gripper_finger'><sensor name='gripper_touch'" in text
    assert text.count('name="steel"') + text.count("name='steel'") == 4, "equal materials are one"
    assert "<parent link='tool'/>\n    <child link='gripper_tool'/>" in text
    assert not [each for each in after.diagnostics if each.rule.name.startswith("urdf") and each.is_error]


def test_materials_that_differ_keep_their_colours(gripper: Path, tmp_path: Path) -> None:
    gripper.write_text(GRIPPER.replace("0.5 0.5 0.5 1", "1 0 0 1"), encoding="utf-8")
    after, edit = joined(tmp_path)
    assert "material 'steel' of the other robot differs" in " ".join(edit.notes)
    visuals = [
        row for row, kind in enumerate(after.kinds) if kind is Kind.VISUAL and "gripper_tool" in after.names[row]
    ]
    material = read_visual(after, visuals[0]).material
    assert material is not None
    assert material.diffuse == (1, 0, 0, 1)


def test_what_cannot_be_joined_is_refused(gripper: Path, tmp_path: Path) -> None:
    with pytest.raises(SdfViewerError, match="1 name would be there twice: tool; give another prefix"):
        joined(tmp_path, prefix="")
    gripper.write_text(GRIPPER.replace('<parent link="tool"/>', '<parent link="finger2"/>'), encoding="utf-8")
    with pytest.raises(SdfViewerError, match="needs one root link"):
        joined(tmp_path)
    gripper.unlink()
    with pytest.raises(SdfViewerError, match=r"there is no file .*; the path is relative to the folder of "):
        joined(tmp_path)
