"""The SDFormat that is made of a URDF reads back as its robot: what differs is said, or is an error of the program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sdfviewer.cli import main
from sdfviewer.export.read_back import read_sdformat_back
from sdfviewer.export.urdf_to_sdformat import export_sdformat
from sdfviewer.formats.load import load_model

ROBOT = """<robot name="r">
  <link name="a">
    <inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual name="v"><geometry><sphere radius="0.5"/></geometry>
      <material name="m"><color rgba="0.1 0.2 0.3 1"/></material></visual>
  </link>
  <link name="b">
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
  </link>
  <link name="tip"/>
  <joint name="j" type="revolute"><origin xyz="0 0 1"/><parent link="a"/><child link="b"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="5" velocity="2"/></joint>
  <joint name="k" type="fixed"><origin xyz="0 0 1"/><parent link="b"/><child link="tip"/></joint>
</robot>
"""


def faults(robot: str, old: str = "", new: str = "") -> tuple[str, ...]:
    """Return what is found where something is replaced in the SDFormat of a robot."""
    model = load_model(robot)
    export = export_sdformat(model)
    text = export.text.replace(old, new) if old else export.text
    assert (text != export.text) == bool(old)
    return read_sdformat_back(model, replace(export, text=text), load_model(text)).faults


def test_a_robot_reads_back() -> None:
    assert faults(ROBOT) == ()


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("<mass>2.0<", "<mass>3<", "link 'r::a': mass is 2 here, 3 in what is written"),
        ("<radius>0.5<", "<radius>5<", "geometry.radius is 0.5 here, 5 in what is written"),
        (">0.1 0.2 0.3 1</diffuse>", ">1 0.2 0.3 1</diffuse>", "material.diffuse is 0.1 0.2 0.3 1 here, 1 0.2 0.3 1"),
        ("<upper>1<", "<upper>2<", "joint 'r::j': axis.limits.upper is 1 here, 2 in what is written"),
        ("<effort>5<", "<effort>6<", "joint 'r::j': axis.limits.effort is 5 here, 6 in what is written"),
        (
            'name="tip" attached_to="b"',
            'name="tip" attached_to="a"',
            "link 'r::tip': other kind, moved, other body in what",
        ),
    ],
)
def test_a_faulty_writer_is_found(old: str, new: str, found: str) -> None:
    assert any(found in each for each in faults(ROBOT, old, new))


def test_a_material_is_the_first_of_its_name_also_in_another_visual() -> None:
    box = '<geometry><box size="1 1 1"/></geometry>'
    colours = (("0 0 1 1", ""), ("0 1 0 1", ""), ("1 0 0 1", "2"))
    blue, green, red = (f'<material name="m{name}"><color rgba="{rgba}"/></material>' for rgba, name in colours)
    visuals = (f"<visual>{box}{each}</visual>" for each in (red, '<material name="m2"/>', '<material name="m"/>'))
    robot = f'<robot name="r">{blue}{green}<link name="a">{"".join(visuals)}</link></robot>'
    written = export_sdformat(load_model(robot)).text
    assert [line.strip() for line in written.splitlines() if "diffuse" in line] == [
        "<diffuse>1 0 0 1</diffuse>",
        "<diffuse>1 0 0 1</diffuse>",
        "<diffuse>0 0 1 1</diffuse>",
    ]
    assert faults(robot) == ()


def convert(tmp_path: Path, robot: str, *options: str) -> tuple[int, Path]:
    file, output = tmp_path / "r.urdf", tmp_path / "r.sdf"
    file.write_text(robot, encoding="utf-8")
    return main(["convert", "-o", str(output), *options, str(file)]), output


@pytest.mark.parametrize(
    ("rgba", "written"), [("255 0 0 1", "1 0 0 1"), ("-1 0.5 0 1", "0 0.5 0 1"), ("nan 0 0 1", ""), ("1 0 0", "")]
)
def test_nothing_is_written_that_check_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rgba: str, written: str
) -> None:
    code, output = convert(tmp_path, ROBOT.replace("0.1 0.2 0.3 1", rgba))
    errors = capsys.readouterr().err
    assert (f"r.urdf:5: a colour is from 0 to 1, and this one is {rgba}: {written} is written" in errors) == bool(
        written
    )
    assert (f"<diffuse>{written}</diffuse>" in output.read_text(encoding="utf-8")) == bool(written)
    assert main(["check", str(output)]) == 0
    assert "error of sdfviewer" not in errors
    assert code in (0, 1)


def test_a_loss_has_a_line_and_an_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lost = '  <gazebo reference="nobody"><sensor name="s" type="imu"/></gazebo>\n</robot>'
    code, _ = convert(tmp_path, ROBOT.replace("</robot>", lost))
    assert code == 1
    assert "r.urdf:14: <gazebo reference='nobody'> has no counterpart; it is left out" in capsys.readouterr().err
    code, _ = convert(tmp_path, ROBOT.replace("</robot>", lost), "--allow-loss")
    assert code == 0


@pytest.mark.parametrize(
    ("old", "new", "announced"),
    [
        (
            '<child link="b"/>',
            '<child link="bb"/>',
            ["joint 'j': its child is not a link of the robot; it is left out"],
        ),
        (
            '<parent link="a"/>',
            '<parent link="aa"/>',
            [
                "joint 'j': its parent is not a link of the robot; it is left out",
                "link 'b' is at the origin of the robot: its joint is left out",
            ],
        ),
        (
            'type="revolute"',
            'type="Revolute"',
            ["'Revolute' of joint 'j' is not a joint type of URDF; it is fixed here"],
        ),
        (
            "</robot>",
            '<gazebo reference="A"><mu1>1</mu1></gazebo></robot>',
            ["<mu1> is about 'A', which nothing is called; it is left out"],
        ),
    ],
)
def test_what_a_wrong_name_loses_is_said_at_its_line(old: str, new: str, announced: list[str]) -> None:
    model = load_model(ROBOT.replace(old, new))
    export = export_sdformat(model)
    after = load_model(export.text)
    assert [each.message for each in export.notes if each.is_loss] == announced
    assert not any(each.is_error for each in after.diagnostics)
    assert read_sdformat_back(model, export, after).faults == ()


def test_what_sdformat_has_no_element_for_is_named() -> None:
    model = load_model(ROBOT.replace("</robot>", '<ros2_control name="c" type="system"/></robot>'))
    (note,) = export_sdformat(model).notes[-1:]
    assert (note.message, note.is_loss) == ("<ros2_control> 'c' has no counterpart in SDFormat; it is left out", False)


def test_links_with_blanks_around_their_names_are_merged(tmp_path: Path) -> None:
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    text = f"""<robot name="r"><link name="a">{inertial}</link><link name="b ">{inertial}</link>
<joint name=" j" type="fixed"><parent link="a"/><child link="b "/></joint></robot>"""
    code, output = convert(tmp_path, text, "--to", "1.12", "--merge-fixed")
    assert code == 0
    assert "<mass>2.0</mass>" in output.read_text(encoding="utf-8")
