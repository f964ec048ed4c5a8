"""A URDF reads back as its model: what differs is said, or is an error of the program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.cli import main
from sdfviewer.export import urdf
from sdfviewer.export.read_back import read_urdf_back
from sdfviewer.export.urdf import export_urdf
from sdfviewer.export.writing import Obstacle
from sdfviewer.formats.contents import read_collision, read_dynamics, read_visual
from sdfviewer.formats.load import load_model
from sdfviewer.model.model import Model
from sdfviewer.transforms import pose_to_matrix

ROBOT = """<sdf version="1.9">
  <model name="m">
    <link name="a">
      <inertial><mass>2</mass><inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.25</izz></inertia></inertial>
      <visual name="v"><geometry><box><size>1 2 3</size></box></geometry></visual>
      <collision name="c"><geometry><capsule><radius>1</radius><length>2</length></capsule></geometry></collision>
    </link>
    <link name="b"><pose>0 0 1 0 0.2 0</pose></link>
    <joint name="j" type="revolute"><parent>a</parent><child>b</child>
      <axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis></joint>
  </model>
</sdf>
"""


def test_a_model_reads_back() -> None:
    model = load_model(ROBOT)
    assert read_urdf_back(model, export_urdf(model)).faults == ()


@pytest.mark.parametrize(
    ("written", "otherwise", "found"),
    [
        ('<mass value="2.0"/>', '<mass value="3.0"/>', "link 'm::a': mass is 2 here, 3 in what is written"),
        ('size="1 2 3"', 'size="3 2 1"', "visual 'm::a::v': geometry.size is 1 2 3 here, 3 2 1 in what is written"),
        ('lower="-1"', 'lower="1"', "joint 'm::j': axis.limits.lower is -1 here, 1 in what is written"),
        ('axis xyz="0 1 0"', 'axis xyz="0 -1 0"', "joint 'm::j': axis is 0 1 0 here, 0 -1 0 in what is written"),
        ('type="revolute"', 'type="prismatic"', "joint 'm::j': type is revolute here, prismatic in what is written"),
        ('rpy="0 0.2 0"', 'rpy="0 -0.2 0"', "link 'm::b': moved in what is written"),
        (
            'ixx="0.1"',
            'ixx="0.2"',
            "link 'm::a': inertia is 0.1 0 0 0.2 0 0.25 here, 0.2 0 0 0.2 0 0.25 in what is written",
        ),
    ],
)
def test_a_faulty_writer_is_found(written: str, otherwise: str, found: str) -> None:
    model = load_model(ROBOT)
    export = export_urdf(model)
    text = export.text.replace(written, otherwise)
    assert text != export.text
    faults = read_urdf_back(model, replace(export, text=text)).faults
    assert found in [each.partition("error of sdfviewer: ")[2] for each in faults]


def test_the_command_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.sdf"
    file.write_text(ROBOT, encoding="utf-8")
    assert main(["convert", "--to", "urdf", str(file)]) == 0
    monkeypatch.setattr(urdf, "_limit", lambda value: "7")
    assert main(["convert", "--to", "urdf", "--allow-loss", str(file)]) == 1
    assert f"{file}:9: error of sdfviewer: joint 'm::j': axis.limits.upper is 1 here" in capsys.readouterr().err


def test_a_shape_that_stands_almost_upright_is_as_urdfdom_reads_it() -> None:
    upright = '<visual name="v"><pose>0 0 0.5 0 1.5707 0</pose>'
    model = load_model(ROBOT.replace('<visual name="v">', upright))
    export = export_urdf(model)
    assert 'rpy="0 1.5707 0"' in export.text
    assert read_urdf_back(model, export).faults == ()
    (found,) = read_urdf_back(
        model, replace(export, text=export.text.replace('rpy="0 1.5707 0"', 'rpy="0 1.5607 0"'))
    ).faults
    assert "visual 'm::a::v': " in found


# --- where the model is -----------------------------------------------------------------------------------------------


def test_the_pose_of_a_model_that_stands_free_is_a_loss() -> None:
    model = load_model(ROBOT.replace('<model name="m">', '<model name="m"><pose>1 2 3 0 0 0.5</pose>'))
    export = export_urdf(model)
    assert [(note.row, note.message) for note in export.notes if note.is_loss] == [
        (0, "URDF has no pose for a whole robot; its pose 1 2 3 0 0 0.5 is left out: give it to what spawns the robot")
    ]
    assert read_urdf_back(model, export).faults == ()


def test_the_pose_of_a_model_that_is_fixed_to_the_world_is_kept() -> None:
    fixed = '<joint name="w" type="fixed"><parent>world</parent><child>a</child></joint></model>'
    text = ROBOT.replace('<model name="m">', '<model name="m"><pose>1 2 3 0 0 0.5</pose>').replace("</model>", fixed)
    model = load_model(text)
    export = export_urdf(model)
    assert [note.obstacle for note in export.notes if note.row == 0] == [Obstacle.REWRITTEN]
    assert read_urdf_back(model, export).faults == ()
    X_WM = pose_to_matrix((1, 2, 3, 0, 0, 0.5))
    after = load_model(export.text)
    for name in ("m::a", "m::b"):
        expected = X_WM @ model.X_RootF[model.row(name)]
        np.testing.assert_allclose(after.X_RootF[after.row(name)], expected, atol=1e-12)


# --- what counts in the source ----------------------------------------------------------------------------------------


def exported(text: str) -> Model:
    return load_model(export_urdf(load_model(text)).text)


def test_what_sdformat_ignores_is_not_written() -> None:
    text = (
        ROBOT.replace("<box><size>1 2 3</size></box>", '<box size="3 3 3"/>')
        .replace("<capsule><radius>1</radius><length>2</length></capsule>", '<sphere radius="3"/>')
        .replace(
            "<parent>a</parent>",
            '<parent>a</parent><dynamics damping="0.1"/><dynamics><friction>2</friction></dynamics>',
        )
    )
    model = exported(text)
    visual, collision = (
        next(r for r in model.rows_in(model.row("m::a")) if model.kinds[r].value == k) for k in ("visual", "collision")
    )
    assert getattr(read_visual(model, visual).geometry, "size", None) == (1, 1, 1)
    assert getattr(read_collision(model, collision).geometry, "radius", None) == 1
    dynamics = read_dynamics(model, model.row("m::j"), model.joints_by_row[model.row("m::j")].axes[0])
    assert (dynamics.damping, dynamics.friction) == (0, 0)


def test_a_size_that_is_missing_is_the_default_of_sdformat() -> None:
    text = ROBOT.replace("<capsule><radius>1</radius><length>2</length></capsule>", "<capsule/>")
    assert '<cylinder radius="0.5" length="1"/>' in export_urdf(load_model(text)).text


def test_parts_of_one_name_are_each_themselves() -> None:
    same = ROBOT.replace('name="c"', 'name="v"').replace("1.9", "1.6")
    model = load_model(same)
    assert model.names.count("m::a::v") == 2
    assert read_urdf_back(model, export_urdf(model)).faults == ()


def test_a_gripper_stays_in_gazebo() -> None:
    gripper = '<gripper name="g"><gripper_link>b</gripper_link><palm_link>a</palm_link></gripper>'
    model = load_model(ROBOT.replace("</model>", f"{gripper}</model>"))
    export = export_urdf(model)
    assert "<palm_link>a</palm_link>" in export.text
    assert not [each for each in export.notes if each.is_loss]
    assert read_urdf_back(model, export).faults == ()
