"""What is written as MJCF is read again: what differs and nothing has announced is an error of this program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sdfviewer.document.topics import Aspect, Topic
from sdfviewer.export.conversion import convert
from sdfviewer.export.mjcf import MjcfExport, export_mjcf
from sdfviewer.export.read_back import read_mjcf_back
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.model import Model

ARM = """<sdf version="1.11"><model name="m"><pose>1 2 3 0 0 1</pose>
<link name="a"><inertial><mass>2</mass></inertial><collision name="c"><pose>0 0 0.1 0 0 0</pose>
<geometry><box><size>0.1 0.2 0.3</size></box></geometry></collision></link>
<link name="b"><pose>0 0 1 0.1 0.2 0.3</pose><inertial><pose>0 0.1 0 0 0 0</pose><mass>3</mass></inertial>
<visual name="v"><geometry><capsule><radius>0.1</radius><length>0.4</length></capsule></geometry></visual></link>
<frame name="tool" attached_to="b"><pose>0.1 0 0 0 0 1</pose></frame>
<joint name="j" type="revolute"><pose>0 0 0.2 0.3 0 0</pose><parent>a</parent><child>b</child>
<axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>2</upper></limit><dynamics><damping>0.5</damping></dynamics></axis>
</joint></model></sdf>"""


@pytest.fixture(scope="module")
def written() -> tuple[Model, MjcfExport]:
    model = load_model(ARM)
    return model, export_mjcf(model, Finder(), lambda _: "there are no meshes")


def test_what_is_written_right_differs_in_nothing(written: tuple[Model, MjcfExport]) -> None:
    assert read_mjcf_back(*written).faults == ()


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("0.95533648912", "0.5", "axis"),
        ('range="-1.0 2.0"', 'range="-1.0 2.5"', "upper"),
        ('damping="0.5"', 'damping="0.05"', "damping"),
        ('mass="3.0"', 'mass="3.1"', "mass"),
        ('size="0.05 0.1 0.15"', 'size="0.05 0.1 0.3"', "size"),
        ('size="0.1 0.2"', 'size="0.1 0.4"', "length"),
        ('<site name="tool" pos="0.1', '<site name="tool" pos="0.2', "moved"),
        ('pos="0.0 0.0 0.1"', 'pos="0.0 0.0 0.11"', "moved"),
        ('type="hinge"', 'type="slide"', "type"),
        ('type="hinge"', 'type="hing"', "the MJCF is wrong"),
    ],
)
def test_a_fault_of_the_writer_is_found(written: tuple[Model, MjcfExport], right: str, wrong: str, said: str) -> None:
    model, export = written
    assert right in export.text
    faults = read_mjcf_back(model, replace(export, text=export.text.replace(right, wrong))).faults
    assert any(said in fault for fault in faults), faults


def test_a_limit_of_velocity_is_announced(tmp_path: Path) -> None:
    model = load_model(ARM.replace("<upper>2</upper>", "<upper>2</upper><velocity>3</velocity>"))
    conversion = convert(model, Loader(), "mjcf")
    assert conversion.faults == ()
    assert any("no limit of velocity" in note for note in conversion.notes)


def test_a_joint_that_cannot_move_stays_so() -> None:
    model = load_model(ARM.replace("<lower>-1</lower><upper>2</upper>", "<lower>0</lower><upper>0</upper>"))
    conversion = convert(model, Loader(), "mjcf")
    assert 'range="0.0 1e-06"' in conversion.document.text
    assert conversion.faults == ()


FULL = """<sdf version="1.11"><world name="w"><gravity>0 0 -3.7</gravity>
<light name="sun" type="directional"><pose>0 0 9 0 0.3 0</pose><direction>0.6 0 -0.8</direction></light>
<model name="m"><pose>1 0 0 0 0 0.5</pose>
<plugin name="drive" filename="libdrive.so"/>
<link name="a"><gravity>false</gravity><inertial><mass>2</mass></inertial>
<collision name="part"><geometry><box><size>0.1 0.2 0.3</size></box></geometry>
<surface><friction><ode><mu>0.7</mu><mu2>0.2</mu2></ode></friction></surface></collision>
<visual name="part"><transparency>0.25</transparency><geometry><sphere><radius>0.1</radius></sphere></geometry>
<material><diffuse>0.1 0.2 0.3 0.8</diffuse><specular>1 1 1 1</specular></material></visual>
<light name="lamp" type="spot"><pose>0 0 1 0.4 0 0</pose><diffuse>0.5 0.4 0.3 1</diffuse>
<attenuation><range>7</range><constant>0.2</constant><linear>0.3</linear><quadratic>0.4</quadratic></attenuation>
<direction>1 0 0</direction><spot><outer_angle>0.9</outer_angle><falloff>2</falloff></spot></light>
<sensor name="eye" type="camera"><update_rate>25</update_rate><camera><horizontal_fov>1.1</horizontal_fov>
<image><width>64</width><height>48</height></image></camera></sensor></link></model></world></sdf>"""


@pytest.fixture(scope="module")
def full() -> tuple[Model, MjcfExport]:
    model = load_model(FULL)
    return model, export_mjcf(model, Finder(), lambda _: "there are no meshes")


def test_what_mjcf_has_no_place_for_is_named_at_its_line(full: tuple[Model, MjcfExport]) -> None:
    found = read_mjcf_back(*full)
    assert found.faults == ()
    assert [each.sentence(full[0]) for each in full[1].notes] == [
        "-:3: model 'm': MJCF has nothing for its plugin drive; it is left out"
    ]
    assert found.notes == (
        "-:1: world 'w': MJCF has the gravity of a world only; its physics is left out",
        "-:6: collision 'm::a::part': MJCF has one coefficient of friction for its contact; left out: surface.mu2",
        "-:8: visual 'm::a::part': MJCF has one colour for its material; left out: material.specular",
        "-:10: light 'm::a::lamp': MJCF has nothing for its inner_angle",
        "-:13: sensor 'm::a::eye': MJCF has the angle and the pixels of a camera only; left out: update_rate",
    )


def test_what_mjcf_has_is_written(full: tuple[Model, MjcfExport]) -> None:
    text = full[1].text
    assert '<option gravity="0.0 0.0 -3.7"/>' in text
    assert text.count('gravcomp="1"') == 1
    assert 'resolution="64 48"' in text


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ('rgba="0.1 0.2 0.3 0.6"', 'rgba="0.1 0.2 0.3 0.8"', "material.diffuse"),
        ('friction="0.7', 'friction="0.2', "surface.mu "),
        ('diffuse="0.5 0.4 0.3"', 'diffuse="0.5 0.4 0.4"', "diffuse"),
        ('attenuation="0.2 0.3 0.4"', 'attenuation="0.3 0.3 0.4"', "attenuation"),
        ('range="7.0"', 'range="8.0"', "range"),
        ('exponent="2.0"', 'exponent="3.0"', "falloff"),
        ('dir="1.0 ', 'dir="-1.0 ', "direction"),
        ('<light name="m/a/lamp" pos="0.0 0.0 1.0"', '<light name="m/a/lamp" pos="0.0 0.0 1.1"', "moved"),
    ],
)
def test_a_fault_in_what_both_have_is_found(full: tuple[Model, MjcfExport], right: str, wrong: str, said: str) -> None:
    model, export = full
    assert right in export.text
    faults = read_mjcf_back(model, replace(export, text=export.text.replace(right, wrong))).faults
    assert any(said in fault for fault in faults), faults


def test_a_joint_that_says_one_thing_differs_in_no_other(tmp_path: Path) -> None:
    arm = ARM.replace("<upper>2</upper>", "<upper>2</upper><velocity>3</velocity>")
    model = load_model(arm)
    export = export_mjcf(model, Finder(), lambda _: "there are no meshes")
    (note,) = export.notes
    assert note.topics == (Topic(Aspect.JOINT, r"axis\.limits.velocity"),)
    wrong = replace(export, text=export.text.replace('damping="0.5"', 'damping="0.6"'))
    assert [each for each in read_mjcf_back(model, wrong).faults if "damping" in each]


def test_the_limits_of_newer_urdf_are_named() -> None:
    inertial = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    limit = '<limit lower="-1" upper="1" effort="1" velocity="2" acceleration="3" deceleration="4" jerk="5"/>'
    model = load_model(
        f'<robot name="r" version="1.2"><link name="a">{inertial}</link><link name="b">{inertial}</link>'
        f'<joint name="j" type="revolute"><parent link="a"/><child link="b"/>{limit}</joint></robot>'
    )
    conversion = convert(model, Loader(), "mjcf")
    assert conversion.faults == ()
    assert [each.partition("limit of ")[2] for each in conversion.notes] == [
        f"{name}; it is left out" for name in ("velocity", "acceleration", "deceleration", "jerk")
    ]


@pytest.mark.parametrize("word", ["false", "0", " 0 ", "False"])
def test_a_link_without_gravity_is_one_again(word: str) -> None:
    model = load_model(
        f'<sdf version="1.9"><model name="m"><link name="a"><gravity>{word}</gravity></link></model></sdf>'
    )
    conversion = convert(model, Loader(), "mjcf")
    assert (conversion.faults, conversion.losses, conversion.notes) == ((), (), ())
    assert conversion.document.text.count('gravcomp="1"') == 1
    export = export_mjcf(model, Finder(), lambda _: "there are no meshes")
    wrong = replace(export, text=export.text.replace(' gravcomp="1"', ""))
    assert [each for each in read_mjcf_back(model, wrong).faults if "gravity is false here" in each]


def test_a_gearbox_that_couples_nothing_is_a_loss() -> None:
    model = load_model(
        """<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/>
<joint name="j" type="gearbox"><parent>a</parent><child>b</child><gearbox_reference_body>none</gearbox_reference_body>
<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint></model></sdf>"""
    )
    conversion = convert(model, Loader(), "mjcf")
    assert conversion.faults == ()
    assert [each.partition("'m::j': ")[2] for each in conversion.losses] == [
        "MJCF has no gearbox, and this one couples no joints; its link turns freely"
    ]


def test_a_chain_of_followers_says_the_same() -> None:
    links = "".join(f'<link name="l{number}"/>' for number in range(4))
    ends = '<joint name="j{0}" type="revolute"><parent>l{0}</parent><child>l{1}</child>'
    joint = ends + "<axis><xyz>0 0 1</xyz>{2}</axis></joint>"
    gain = '<mimic joint="j0"><multiplier>{}</multiplier><offset>0</offset><reference>0</reference></mimic>'
    joints = [joint.format(0, 1, ""), joint.format(1, 2, gain.format(1.05)), joint.format(2, 3, gain.format(0.8))]
    model = load_model(f'<sdf version="1.11"><model name="m">{links}{"".join(joints)}</model></sdf>')
    export = export_mjcf(model, Finder(), lambda _: "there are no meshes")
    assert read_mjcf_back(model, export).faults == ()
