"""Elements are copied within a file and between files: names, poses, files and plugins follow."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sdfviewer
from sdfviewer.diagnostics import SdfViewerError

ROBOT = """<?xml version="1.0"?>
<sdf version="1.9">
  <model name="robot">
    <link name="torso"><pose>0 0 1 0 0 0</pose></link>
    <joint name="left_shoulder" type="revolute">
      <pose relative_to="torso">0 0.3 0 0.1 0 0</pose>
      <parent>torso</parent>
      <child>left_arm</child>
      <axis><xyz expressed_in="torso">0 1 0</xyz></axis>
    </joint>
    <link name="left_arm">
      <pose relative_to="left_shoulder"/>
      <inertial><mass>2</mass></inertial>
      <visual name="v"><geometry><mesh><uri>meshes/a.stl</uri></mesh></geometry></visual>
      <sensor name="imu" type="imu"/>
    </link>
    <joint name="left_wrist" type="fixed"><parent>left_arm</parent><child>left_hand</child></joint>
    <link name="left_hand"><pose>0.5 0.3 1 0 0 0</pose></link>
    <frame name="left_tip" attached_to="left_hand"/>
    <plugin name="gz::sim::systems::JointPositionController"
        filename="gz-sim-joint-position-controller-system"><joint_name>left_shoulder</joint_name></plugin>
    <plugin name="gz::sim::systems::JointController"
        filename="gz-sim-joint-controller-system"><joint_name>torso_lift</joint_name></plugin>
  </model>
</sdf>
"""
CART = """<sdf version="1.9">
  <world name="w">
    <model name="cart">
      <pose>5 0 0 0 0 1</pose>
      <link name="base"><pose>0 0 .2 0 0 .5</pose></link>
      <link name="left_arm"/>
    </model>
  </world>
</sdf>
"""
URDF = """<robot name="u">
  <link name="base"/>
  <link name="tool">
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
  </link>
  <joint name="j" type="fixed"><origin xyz="0 0 1"/><parent link="base"/><child link="tool"/></joint>
</robot>
"""
LIMB = ("left_shoulder", "left_arm", "left_wrist", "left_hand", "left_tip")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for folder, name, text in (("a", "a.sdf", ROBOT), ("b", "b.sdf", CART), ("b", "u.urdf", URDF)):
        (tmp_path / folder / "meshes").mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / name).write_text(text, encoding="utf-8")
    (tmp_path / "a" / "meshes" / "a.stl").write_text("solid x\nendsolid x\n", encoding="utf-8")
    return tmp_path


def pose(model: sdfviewer.Model, name: str, of: str) -> np.ndarray:
    """Return the pose (4, 4) of a frame in another one."""
    return model[name].resolve_pose(relative_to=of)


def test_a_limb_is_duplicated_with_what_belongs_to_it(files: Path) -> None:
    document = sdfviewer.open_document(files / "a" / "a.sdf")
    with document.edit() as edit:
        assert edit.duplicate("left_arm", below=True) == "right_arm"
        assert not edit.notes
    model = document.model
    for name in LIMB:
        copy = name.replace("left", "right")
        assert np.allclose(pose(model, copy, "torso"), pose(model, name, "torso"), atol=1e-12)
    assert (model.joints["right_shoulder"].parent.name, model.joints["right_shoulder"].child.name) == (
        "torso",
        "right_arm",
    )
    assert "<joint_name>right_shoulder</joint_name>" in document.text
    assert document.text.count("torso_lift") == 1  # a plugin about something else
    assert document.text.count('<sensor name="imu"') == 2
    document.undo()
    assert document.text == ROBOT


def test_names_follow_a_pattern_or_get_an_end(files: Path) -> None:
    document = sdfviewer.open_document(files / "a" / "a.sdf")
    with document.edit() as edit:
        edit.duplicate("left_arm", below=True, names=("left", "third"))
        assert edit.duplicate("torso", name="chest") == "chest"
        edit.duplicate("left_hand", "spare", below=True)
    assert {"third_arm", "third_tip", "chest", "spare"} <= {each.name for each in document.model.things}


def test_several_elements_are_duplicated_at_once(files: Path) -> None:
    document = sdfviewer.open_document(files / "a" / "a.sdf")
    with document.edit() as edit:
        edit.duplicate(["torso", "left_hand"])
    assert {"torso_copy", "left_hand_copy"} <= {each.name for each in document.model.things}
    assert len(document.history) == 1
    with pytest.raises(SdfViewerError, match="one name"), document.edit() as edit:
        edit.duplicate(["torso", "left_hand"], "x")


def test_a_limb_goes_onto_a_link_of_another_file(files: Path) -> None:
    before = sdfviewer.load(files / "a" / "a.sdf")
    document = sdfviewer.open_document(files / "b" / "b.sdf")
    with document.edit() as edit:
        added = edit.copy_from("../a/a.sdf", "left_arm", below=True, into="base")
        assert not edit.notes
    assert [each.rpartition("::")[2] for each in added] == [
        "left_shoulder",
        "left_arm_1",
        "left_wrist",
        "left_hand",
        "left_tip",
    ]
    names = {name: f"cart::{name}_1" if name == "left_arm" else f"cart::{name}" for name in LIMB}
    for name, copy in names.items():
        assert np.allclose(pose(document.model, copy, "cart::base"), pose(before, name, "torso"), atol=1e-12)
    assert "<uri>../a/meshes/a.stl</uri>" in document.text
    assert document.model.links["cart::left_arm_1"].mass == 2
    assert document.model.joints["cart::left_shoulder"].parent.name == "cart::base"


def test_without_a_file_it_asks_for_one(files: Path) -> None:
    edit = sdfviewer.open_document(files / "b" / "b.sdf").edit()
    with edit, pytest.raises(SdfViewerError, match="file is empty: choose a file"):
        edit.copy_from("", "left_arm")


def test_without_a_link_that_carries_it_a_limb_keeps_its_place_in_a_model(files: Path) -> None:
    before = sdfviewer.load(files / "a" / "a.sdf")
    document = sdfviewer.open_document(files / "b" / "b.sdf")
    with document.edit() as edit:
        edit.copy_from("../a/a.sdf", "left_arm", below=True)
        assert any("left_shoulder" in each for each in edit.notes)
    assert np.allclose(
        pose(document.model, "left_arm::left_hand", "left_arm"), pose(before, "left_hand", "robot"), atol=1e-12
    )
    assert "JointPositionController" not in document.text  # it names a joint that is not here
    assert document.model.is_valid


@pytest.mark.parametrize("version", ["1.6", "1.12"])
def test_a_version_that_differs_is_converted(files: Path, version: str) -> None:
    path = files / "b" / "b.sdf"
    path.write_text(CART.replace("1.9", version), encoding="utf-8")
    before = sdfviewer.load(files / "a" / "a.sdf")
    document = sdfviewer.open_document(path)
    with document.edit() as edit:
        edit.copy_from("../a/a.sdf", "left_arm", below=True, into="base")
        assert any(f"is {version} here" in each for each in edit.notes)
        assert any("left_tip" in each for each in edit.notes) is (version == "1.6")
    assert np.allclose(
        pose(document.model, "cart::left_hand", "cart::base"), pose(before, "left_hand", "torso"), atol=1e-12
    )


def test_a_limb_goes_into_a_urdf_and_back(files: Path) -> None:
    before = sdfviewer.load(files / "a" / "a.sdf")
    document = sdfviewer.open_document(files / "b" / "u.urdf")
    with document.edit() as edit:
        edit.copy_from("../a/a.sdf", "left_arm", below=True, into="tool")
        assert any("is URDF here" in each for each in edit.notes)
    assert np.allclose(pose(document.model, "left_hand", "tool"), pose(before, "left_hand", "torso"), atol=1e-9)
    other = sdfviewer.open_document(files / "a" / "a.sdf")
    with other.edit() as edit:
        edit.copy_from("../b/u.urdf", "tool", into="left_hand")
    assert other.model.joints["j"].parent.name == "left_hand"
    assert np.allclose(pose(other.model, "tool", "left_hand")[:3, 3], [0, 0, 1])


def test_a_urdf_limb_goes_beside_another_one(files: Path) -> None:
    document = sdfviewer.open_document(files / "b" / "u.urdf")
    assert "<pose" not in document.copied("tool")
    with document.edit() as edit:
        edit.paste(document.copied("tool"), into="tool")
        edit.paste('<link name="loose"/>', into="tool")
    assert document.model.joints["j_1"].child.name == "tool_1"
    assert document.model.joints["loose_joint"].parent.name == "tool"
    assert not document.diagnostics


def test_any_xml_is_pasted_where_it_can_be(files: Path) -> None:
    document = sdfviewer.open_document(files / "a" / "a.sdf")
    with document.edit() as edit:
        assert edit.paste(
            '<visual name="v"><geometry><sphere><radius>1</radius></sphere></geometry></visual>', "left_arm"
        ) == ["left_arm::v_1"]
        assert edit.paste(document.copied("left_arm::imu"), "left_hand") == ["left_hand::imu"]
        assert edit.paste('<frame name="f"/><link name="l"/>') == ["f", "l"]
    for text in ("nothing", "<html/>", "<link", "<sdf version='1.9'/>", ""):
        with pytest.raises(SdfViewerError), document.edit() as edit:
            edit.paste(text)


def test_a_whole_model_is_pasted_into_a_world(files: Path) -> None:
    model = sdfviewer.open_document(files / "a" / "a.sdf")
    document = sdfviewer.open_document(files / "b" / "b.sdf")
    with document.edit() as edit:
        assert edit.paste(model.copied("robot"), source=files / "a" / "a.sdf") == ["robot"]
        assert edit.paste(document.copied("cart")) == ["cart_1"]
    assert "<uri>../a/meshes/a.stl</uri>" in document.text
    assert not [each for each in document.diagnostics if each.is_error]


def test_meshes_are_copied_where_that_is_asked_for(files: Path) -> None:
    document = sdfviewer.open_document(files / "b" / "b.sdf")
    with document.edit() as edit:
        edit.copy_from("../a/a.sdf", "left_arm", into="base", uris="copied")
    document.save()
    assert (files / "b" / "meshes" / "a.stl").is_file()
    assert "<uri>meshes/a.stl</uri>" in document.text


def test_the_bar_of_a_linkage_goes_along_and_what_carries_the_limb_does_not(tmp_path: Path) -> None:
    joints = [("j", "base", "a"), ("k", "a", "b"), ("to_a", "bar", "a"), ("to_b", "bar", "b")]
    joints += [("other", "base", "c"), ("from_a", "rail", "a"), ("from_c", "rail", "c")]  # c stays, so the rail too
    text = "".join(f'<link name="{name}"/>' for name in ("base", "a", "b", "bar", "c", "rail")) + "".join(
        f'<joint name="{name}" type="fixed"><parent>{parent}</parent><child>{child}</child></joint>'
        for name, parent, child in joints
    )
    path = tmp_path / "m.sdf"
    path.write_text(f'<sdf version="1.9"><model name="m">{text}</model></sdf>', encoding="utf-8")
    document = sdfviewer.open_document(path)
    with document.edit() as edit:
        edit.duplicate("a", below=True)
    links = {each.name for each in document.model.links}
    assert links == {"base", "a", "b", "bar", "c", "rail", "a_copy", "b_copy", "bar_copy"}
    assert document.model.joints["j_copy"].parent.name == "base"
