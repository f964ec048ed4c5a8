"""Renaming in a URDF: links, joints and materials, with all that names them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sdfviewer import open_document
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.kinds import Kind
from sdfviewer.refactoring.renaming import rename, rename_material

TEXT = """<robot name="arm">
  <material name="blue"><color rgba="0 0 1 1"/></material>
  <link name="base">
    <visual><geometry><box size="1 1 1"/></geometry><material name="blue"/></visual>
    <collision><geometry><box size="1 1 1"/></geometry></collision>
    <collision name="foot"><geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <link name="tip"/>
  <link name="finger"/>
  <joint name='shoulder' type="revolute">
    <parent link="base"/> <child link="tip"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
  <joint name="tip" type="revolute">  <!-- called as its link -->
    <parent link="tip"/><child link="finger"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
    <mimic joint="shoulder"/>
  </joint>
  <transmission name="drive"><type>simple</type><joint name="tip"/><actuator name="motor"/></transmission>
  <ros2_control name="control" type="system"><joint name="shoulder"><command_interface name="position"/></joint>
  </ros2_control>
  <gazebo reference="base">
    <sensor name="touch" type="contact"><contact><collision>base_collision</collision></contact></sensor>
  </gazebo>
  <gazebo reference="shoulder"><provideFeedback>true</provideFeedback></gazebo>
  <gazebo><frame name="grasp" attached_to="tip"/></gazebo>
</robot>
"""


@pytest.mark.parametrize(
    ("row", "new", "changes"),
    [
        (
            "arm::base",
            "chassis",
            [
                ('<link name="base"', '<link name="chassis"'),
                ('<parent link="base"', '<parent link="chassis"'),
                ('reference="base"', 'reference="chassis"'),
                (">base_collision<", ">chassis_collision<"),
            ],
        ),
        (
            "arm::shoulder",
            "lift",
            [
                ("'shoulder'", "'lift'"),
                ('<mimic joint="shoulder"', '<mimic joint="lift"'),
                ('<joint name="shoulder"', '<joint name="lift"'),
                ('reference="shoulder"', 'reference="lift"'),
            ],
        ),
        (
            "arm::tip",
            "hand",
            [
                ('<link name="tip"', '<link name="hand"'),
                ('<child link="tip"', '<child link="hand"'),
                ('<parent link="tip"', '<parent link="hand"'),
                ('attached_to="tip"', 'attached_to="hand"'),
            ],
        ),
        (
            "arm::tip_joint",
            "wrist",
            [('<joint name="tip" type', '<joint name="wrist" type'), ('<joint name="tip"/>', '<joint name="wrist"/>')],
        ),
        ("arm", "robot", [('<robot name="arm"', '<robot name="robot"')]),
    ],
)
def test_everything_that_names_it_changes(row: str, new: str, changes: list[tuple[str, str]]) -> None:
    model = load_model(TEXT)
    edit = rename(model, model.row(row), new)
    expected = TEXT
    for before, after in changes:
        assert before in expected
        expected = expected.replace(before, after)
    written = model.document.edited(edit.replacements)
    assert written.text == expected
    after_model, diagnostics = Loader().load_with_diagnostics(written)
    assert after_model is not None
    assert [each.rule.name for each in diagnostics] == [each.rule.name for each in model.diagnostics]
    assert np.array_equal(after_model.X_RootF, model.X_RootF)
    renamed = dict(edit.renamed)
    assert [renamed.get(name, name) for name in model.names] == after_model.names


def test_a_material_is_renamed_where_it_is_defined_and_used(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_bytes(TEXT.replace("\n", "\r\n").encode())
    document = open_document(path)
    with document.edit("Rename") as edit:
        edit.rename("blue", "sky")
        edit.rename("base", "chassis")
    document.save()
    text = TEXT.replace('"blue"', '"sky"').replace('"base"', '"chassis"').replace(">base_", ">chassis_")
    assert path.read_bytes() == text.replace("\n", "\r\n").encode()


def test_names_that_are_taken_or_made_from_others_are_refused() -> None:
    model = load_model(TEXT)
    for row, new, reason in (
        ("arm::base", "tip", "already called 'tip'"),
        ("arm::base", "", "the name '' is empty"),
        ("arm::base", "a::b", "the name 'a::b' contains '::'"),
        ("arm::base", "world", "the name 'world' is reserved"),
        ("arm::base::base_visual", "shell", "rename the link"),
    ):
        with pytest.raises(SdfViewerError, match=reason):
            rename(model, model.row(row), new)
    for old, new, reason in (("green", "red", "no material 'green'"), ("blue", " ", "cannot be empty")):
        with pytest.raises(SdfViewerError, match=reason):
            rename_material(model, old, new)


def test_a_world_that_includes_the_robot_follows(tmp_path: Path) -> None:
    from sdfviewer.files.finder import Finder
    from sdfviewer.refactoring.renaming import DependentFiles

    robot, world = tmp_path / "arm.urdf", tmp_path / "world.sdf"
    robot.write_text(TEXT, encoding="utf-8")
    text = (
        '<sdf version="1.9"><world name="w"><include><uri>arm.urdf</uri></include>'
        '<frame name="F" attached_to="arm::finger"/></world></sdf>'
    )
    world.write_text(text, encoding="utf-8")
    model = Loader().load(parse_document(TEXT, robot))
    assert model is not None
    (dependent,) = DependentFiles(model, [parse_document(text, world)], Finder()).edits_for(
        model.row("arm::finger"), "thumb"
    )
    assert not dependent.faults
    assert dependent.document.edited(dependent.edit.replacements).text == text.replace("arm::finger", "arm::thumb")


def test_a_pose_of_sdformat_in_a_joint_names_nothing() -> None:
    """URDF has no <pose>: its words led to a frame, and a rename changed them."""
    text = TEXT.replace("<parent", '<pose relative_to="tip">0 0 1 0 0 0</pose><parent', 1)
    model = Loader().load(parse_document(text))
    assert model is not None
    tip = next(row for row, kind in enumerate(model.kinds) if kind is Kind.LINK and model.local_names[row] == "tip")
    after = model.document.edited(rename(model, tip, "top").replacements)
    assert 'relative_to="tip"' in after.text
    assert '<child link="top"/>' in after.text
