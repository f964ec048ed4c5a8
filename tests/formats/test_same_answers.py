"""Small files that libsdformat and other readers judge differently, with libsdformat's own answer: codes and frames.

The answers are those of libsdformat 12.3, and of 17 where they differ: a ``model.config`` without a version, frames of
merged links, sensors of air speed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import sdfviewer
from sdfviewer import transforms
from sdfviewer.cli import main

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
BOX = '<geometry><box size="1 1 1"/></geometry>'
MESH = '<geometry><mesh filename="m.dae" scale="1 1 1 1"/></geometry>'


def link(name: str, content: str = INERTIAL) -> str:
    return f'<link name="{name}">{content}</link>'


def joint(name: str, parent: str, child: str, joint_type: str = "revolute", rpy: str = "0 0 0") -> str:
    limit = '<limit lower="-1" upper="1" effort="1" velocity="1"/>' if joint_type == "revolute" else ""
    ends = f'<parent link="{parent}"/><child link="{child}"/><origin xyz="1 2 3" rpy="{rpy}"/>'
    return f'<joint name="{name}" type="{joint_type}">{ends}{limit}</joint>'


def gazebo(content: str, reference: str = "") -> str:
    return f"<gazebo{f' reference={reference!r}' if reference else ''}>{content}</gazebo>"


def urdf(*parts: str) -> str:
    return f'<robot name="r">{"".join(parts)}</robot>'


def sdf(content: str) -> str:
    return f'<sdf version="1.9">{content}</sdf>'


def model(content: str) -> str:
    return sdf(f'<model name="m"><link name="a"/><link name="b"/>{content}</model>')


def fixed(name: str, parent: str, child: str) -> str:
    return f'<joint name="{name}" type="fixed"><parent>{parent}</parent><child>{child}</child></joint>'


def noise(sensor: str, where: str) -> str:
    written = where.format('<noise type="custom"/>')
    return sdf(f'<model name="m"><link name="a"><sensor name="s" type="{sensor}">{written}</sensor></link></model>')


TWO = (link("a"), joint("j", "a", "b"), link("b"))
NO_MASS = INERTIAL.replace('value="1"', 'value="0"')
CASES = {
    "a joint with the name of a link": (urdf(link("a"), joint("b", "a", "b"), link("b")), {"DUPLICATE_NAME"}),
    "a joint of <gazebo> with the name of a joint": (urdf(*TWO, gazebo(fixed("j", "a", "b"))), {"DUPLICATE_NAME"}),
    "a model of <gazebo> with the name of a link": (
        urdf(*TWO, gazebo('<model name="a"><link name="x"/></model>')),
        {"DUPLICATE_NAME"},
    ),
    "a separator in the name of a link": (urdf(link("a::b")), {"RESERVED_NAME"}),
    "a separator in <gazebo>": (urdf(*TWO, gazebo('<sensor name="x::y" type="imu"/>', "a")), {"RESERVED_NAME"}),
    "a separator in an unknown element": (
        sdf('<model name="m"><link name="a"><sensor name="s" type="imu"><api name="a::b"/></sensor></link></model>'),
        {"RESERVED_NAME"},
    ),
    "a colour beyond 1 in <gazebo>": (
        urdf(
            link("a", f"{INERTIAL}<visual>{BOX}</visual>"),
            gazebo("<visual><material><ambient>2 0 0 1</ambient></material></visual>", "a"),
        ),
        {"ELEMENT_INVALID"},
    ),
    "a word for a number in <gazebo>": (
        urdf(*TWO, gazebo('<sensor name="x" type="imu"><update_rate>x</update_rate></sensor>', "a")),
        {"ELEMENT_INVALID"},
    ),
    "a model in <gazebo>": (urdf(*TWO, gazebo('<model name="n"><link name="x"/></model>')), set()),
    "a joint in <gazebo>": (urdf(*TWO, gazebo(fixed("k", "a", "b"))), set()),
    "a link fixed to a massless link that moves": (
        urdf(link("a"), joint("j", "a", "b"), link("b", NO_MASS), joint("k", "b", "c", "fixed"), link("c", NO_MASS)),
        {"FRAME_ATTACHED_TO_INVALID", "FRAME_ATTACHED_TO_GRAPH_ERROR"},
    ),
    "links merged without mass": (
        urdf(
            link("a"), joint("j", "a", "b", "fixed"), link("b", ""), joint("k", "b", "c", "fixed"), link("c", NO_MASS)
        ),
        {"ELEMENT_INVALID"},
    ),
    "custom noise of a lidar": (noise("lidar", "<lidar>{}</lidar>"), set()),
    "custom noise of an air pressure sensor": (
        noise("air_pressure", "<air_pressure><pressure>{}</pressure></air_pressure>"),
        set(),
    ),
    "custom noise of a magnetometer": (noise("magnetometer", "<magnetometer><x>{}</x></magnetometer>"), set()),
    "custom noise of an air speed sensor": (
        noise("air_speed", "<air_speed><pressure>{}</pressure></air_speed>"),
        set(),
    ),
    "custom noise of a satellite receiver": (
        noise("navsat", "<navsat><position_sensing><vertical>{}</vertical></position_sensing></navsat>"),
        set(),
    ),
    "custom noise of a camera": (
        noise("camera", "<camera>{}</camera>").replace('type="custom"/>', "><type>custom</type></noise>"),
        {"ELEMENT_MISSING"},
    ),
    "custom noise of a camera as an attribute": (noise("camera", "<camera>{}</camera>"), set()),
    "an expression in a file without xacro": (urdf(link("${x}")), set()),
    "an include of a model.config without a version": (model("<include><uri>loose</uri></include>"), {"WARNING"}),
    "an include of a model.config that names a missing file": (
        model("<include><uri>gone</uri></include>"),
        {"FILE_READ"},
    ),
    "a joint called world, on the world": (
        model(fixed("world", "world", "a")),
        {"RESERVED_NAME", "JOINT_PARENT_LINK_INVALID"},
    ),
    "a joint called world, and one on the world": (
        model(fixed("world", "a", "b") + fixed("k", "world", "a")),
        {"RESERVED_NAME"},
    ),
    "a joint with a joint called world as its parent": (
        model(fixed("world", "a", "b") + '<link name="c"/>' + fixed("k", "world", "c")),
        {"RESERVED_NAME"},
    ),
    "a joint of a URDF called world": (urdf(link("a"), joint("world", "a", "b"), link("b")), {"RESERVED_NAME"}),
    "an empty name of a link": (urdf(link("")), {"ATTRIBUTE_INVALID"}),
    "an empty name of a joint": (urdf(link("a"), joint("", "a", "b"), link("b")), {"ATTRIBUTE_INVALID"}),
    "a mesh with four scales": (urdf(link("a", f"{INERTIAL}<visual>{MESH}</visual>")), set()),
    "a material without a name": (urdf(link("a", f"{INERTIAL}<visual>{BOX}<material/></visual>")), set()),
    "an unknown notation of an empty pose": (
        model('<frame name="f"><pose rotation_format="x"/></frame>'),
        {"ELEMENT_INVALID"},
    ),
}


@pytest.fixture
def models(tmp_path: Path) -> Path:
    for name, written in (("loose", "<sdf>model.sdf</sdf>"), ("gone", '<sdf version="1.9">lost.sdf</sdf>')):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.config").write_text(f"<model><name>{name}</name>{written}</model>")
    (tmp_path / "loose" / "model.sdf").write_text(sdf('<model name="loose"><link name="l"/></model>'))
    return tmp_path


@pytest.mark.parametrize("case", CASES)
def test_codes_are_those_of_libsdformat(case: str, models: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, codes = CASES[case]
    file = models / ("r.urdf" if text.startswith("<robot") else "m.sdf")
    file.write_text(text)
    found = sdfviewer.check(file, paths=[models])
    reported = {each.libsdformat for each in found if each.is_error}
    assert bool(reported) == bool(codes), [str(each) for each in found]
    assert not codes or reported & codes, reported
    assert all(each.span is not None and each.span.line == 1 for each in found if each.is_error)
    assert main(["check", "--json", "--path", str(models), str(file)]) == bool(codes)
    answer = json.loads(capsys.readouterr().out)
    assert answer["valid"] is not bool(codes)
    assert {each["libsdformat"] for each in answer["diagnostics"] if each["severity"] == "error"} == reported
    loaded = sdfviewer.load(file, paths=[models])  # with everything that can be read, whatever is wrong
    assert {each.libsdformat for each in loaded.diagnostics if each.is_error} == reported


@pytest.mark.parametrize(
    ("rpy", "expected"),
    [
        (
            "0.3 -1.5707960 0.2",
            {
                "r::b": (1, 2, 3, 0.68512465892733143, 0.17494102304263637, -0.68512442860832556, 0.17494101151707986),
                "r::b::b_fixed_joint_lump__c_visual": (
                    *(0.57926458923679736, 2.7701511403643835, 3.52057454597491),
                    *(0.76899543160177863, -0.15352530173735557, 0.60125368415125757, -0.1535252917163426),
                ),
            },
        ),
        (
            "0.1 -3.1415926 0.2",
            {
                "r::b": (
                    *(1, 2, 3),
                    *(0.0049895646017476362, -0.09970865220463522, 0.99376066903180826, -0.049729484273143519),
                ),
                "r::b::b_fixed_joint_lump__c_visual": (
                    *(0.018921223006846621, 2.8013281965910379, 3.0019801229228134),
                    *(0.014968196929333044, -0.099698722915962448, 0.99366170734356685, -0.049724532060933462),
                ),
            },
        ),
    ],
)
def test_frames_near_a_quarter_and_a_half_turn_are_where_libsdformat_puts_them(
    rpy: str, expected: dict[str, tuple[float, ...]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = f'{INERTIAL}<visual><origin rpy="{rpy}" xyz="0 1 0"/>{BOX}</visual>'
    ends = '<parent link="b"/><child link="c"/>'
    held = f'<joint name="k" type="fixed">{ends}<origin xyz="1 0 0" rpy="{rpy}"/></joint>'
    file = tmp_path / "r.urdf"
    file.write_text(urdf(link("a"), joint("j", "a", "b", rpy=rpy), link("b"), held, link("c", part)))
    main(["frames", "--json", str(file)])
    poses = {each["name"]: each["pose"] for each in json.loads(capsys.readouterr().out)["frames"]}
    for name, pose in expected.items():
        distance, angle = transforms.pose_error(_matrix(pose), _matrix(poses[name]))
        assert max(float(distance), float(angle)) < 1e-6


def _matrix(pose: Sequence[float]) -> transforms.Array:
    return transforms.pose(transforms.quaternion_to_matrix(pose[3:]), pose[:3])


def test_load_raises_what_stopped_it_and_not_what_comes_first() -> None:
    text = "<sdf></sdf>"
    assert [each.rule.name for each in sdfviewer.check(text)] == ["version-missing", "no-root"]
    with pytest.raises(sdfviewer.SdfViewerError, match="no model, world, light or actor"):
        sdfviewer.load(text)
