"""Files that once made the program fail: by an exception, without end, or out of memory. Each is kept for ever.

A fault is a function that writes its files into a folder; the command lines that failed go with it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path


@dataclass(frozen=True)
class Fault:
    """A former fault.

    Attributes
    ----------
    name
        What it is called in the list of tests.
    write
        Writes the files into a folder.
    commands
        Command lines that failed, run in that folder.
    says
        A part of what the last of them prints.
    """

    name: str
    write: Callable[[Path], None]
    commands: tuple[str, ...]
    says: str = ""


FAULTS: list[Fault] = []


def fault(*commands: str, says: str = "") -> Callable[[Callable[[Path], None]], Callable[[Path], None]]:
    """Register the function that writes the files of a fault."""

    def register(write: Callable[[Path], None]) -> Callable[[Path], None]:
        FAULTS.append(Fault(write.__name__, write, commands, says))
        return write

    return register


def model(content: str, version: str = "1.11") -> str:
    """Return a file of one model."""
    return f'<?xml version="1.0"?>\n<sdf version="{version}"><model name="m">{content}</model></sdf>\n'


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")


# --- exceptions ------------------------------------------------------------------------------------------------------


@fault("check a.mjcf", "check b.mjcf", "check c.mjcf", says="50,000,000 characters taken from default classes")
def mjcf_classes_of_defaults_that_are_copied_thousands_of_times(folder: Path) -> None:
    """Each of these files of one megabyte took gigabytes."""
    geoms = "".join(f"<geom name='g{number}' size='1'/>" for number in range(3_000))
    tags = "".join(f"<t{number} a='1'/>" for number in range(6_000))
    classes = "".join(f"<default class='c{number}'/>" for number in range(6_000))
    attributes = " ".join(f"a{number}='1'" for number in range(30_000))
    defaults = tags + classes, f"<geom {attributes}/>", f"<geom size='{'1 ' * 500_000}'/>"
    for name, default in zip("abc", defaults, strict=True):
        bodies = f"<worldbody><body name='b'>{geoms}</body></worldbody>"
        _write(folder / f"{name}.mjcf", f"<mujoco><default>{default}</default>{bodies}</mujoco>")


@fault("check a.mjcf", "check b.mjcf", says="12,000,000 corners and triangles together")
def mjcf_masses_of_huge_meshes_and_of_one_that_is_scaled_3000_times(folder: Path) -> None:
    """One took 3 GB and 20 s, the other a quarter of a second for each line."""
    assets = "".join(f'<mesh name="m{number}" scale="1 1 1.{number}" file="b.obj"/>' for number in range(3_000))
    geoms = "".join(f'<body><geom type="mesh" mesh="m{number}"/></body>' for number in range(3_000))
    text = "<mujoco><asset>{}</asset><worldbody>{}</worldbody></mujoco>"
    _write(folder / "a.mjcf", text.format('<mesh name="m0" file="a.obj"/>', geoms[:42]))
    _write(folder / "b.mjcf", text.format(assets, geoms))
    _write(folder / "a.obj", "v 0 0 0\n" * 12_000_000 + "f 1 2 3\n")
    faces = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    _write(folder / "b.obj", f"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n{faces * 100_000}")


@fault("check a.sdf", says="not a valid address")
def include_of_half_an_address(folder: Path) -> None:
    _write(folder / "a.sdf", model('<include><uri>http://[</uri></include><link name="l"/>'))


@fault("screenshot --size 64x64 a.sdf -o a.png")
def mesh_of_half_an_address(folder: Path) -> None:
    mesh = '<visual name="v"><geometry><mesh><uri>http://[</uri></mesh></geometry></visual>'
    _write(folder / "a.sdf", model(f'<link name="l">{mesh}</link>'))


@fault("check a.sdf", "frames a.sdf", says="m::A")
def character_reference_of_5000_digits(folder: Path) -> None:
    _write(folder / "a.sdf", model('<link name="&#' + "0" * 5000 + '65;"/>'))


@fault("check a.sdf", "check b.sdf", says="version")
def version_of_5000_digits(folder: Path) -> None:
    _write(folder / "a.sdf", model('<link name="l"/>', "1" * 5000 + ".9"))
    _write(folder / "b.sdf", model('<link name="l"/>', "1." + "9" * 5000))


@fault("check a.sdf", "frames a.sdf", says="nested more than 100 deep")
def models_nested_480_deep(folder: Path) -> None:
    begin = "".join(f'<model name="m{number}">' for number in range(480))
    _write(folder / "a.sdf", f'<sdf version="1.11">{begin}<link name="l"/>{"</model>" * 480}</sdf>')


@fault("check a.sdf", "frames a.sdf", "graph a.sdf", "convert a.sdf --to urdf")
def unknown_elements_490_deep(folder: Path) -> None:
    _write(folder / "a.sdf", model(f'<link name="l">{"<x>" * 490}{"</x>" * 490}</link>'))


@fault("check a.urdf", "frames a.urdf", "convert a.urdf --to 1.11", says="l1000")
def chain_of_1000_fixed_joints(folder: Path) -> None:
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    links = "".join(f'<link name="l{number}">{inertial}</link>' for number in range(1001))
    joints = "".join(
        f'<joint name="j{number}" type="fixed"><parent link="l{number}"/><child link="l{number + 1}"/></joint>'
        for number in range(1000)
    )
    _write(folder / "a.urdf", f'<robot name="r">{links}{joints}</robot>')


# --- no end ----------------------------------------------------------------------------------------------------------


@fault("edit --fix xml-syntax a.sdf", says="has a quick fix")
def quick_fix_without_progress(folder: Path) -> None:
    _write(folder / "a.sdf", "<a></a&b>")


if os.path.exists("/dev/zero"):

    @fault("check a.sdf", "check /dev/zero", "screenshot --size 64x64 b.sdf -o b.png", says="not a regular file")
    def device_without_end(folder: Path) -> None:
        _write(folder / "a.sdf", model('<include><uri>file:///dev/zero</uri></include><link name="l"/>'))
        mesh = '<visual name="v"><geometry><mesh><uri>file:///dev/zero</uri></mesh></geometry></visual>'
        _write(folder / "b.sdf", model(f'<link name="l">{mesh}</link>'))


if hasattr(os, "mkfifo"):

    @fault("check a.sdf", "screenshot --size 64x64 b.sdf -o b.png")
    def pipe_that_nobody_writes(folder: Path) -> None:
        os.mkfifo(folder / "pipe.sdf")
        os.mkfifo(folder / "pipe.stl")
        _write(folder / "a.sdf", model('<include><uri>pipe.sdf</uri></include><link name="l"/>'))
        mesh = '<visual name="v"><geometry><mesh><uri>pipe.stl</uri></mesh></geometry></visual>'
        _write(folder / "b.sdf", model(f'<link name="l">{mesh}</link>'))


def _doubling(folder: Path, attributes: str) -> None:
    for number in range(51):
        include = f"<uri>d{number + 1}.sdf</uri></include>"
        twice = "".join(f"<include{attributes}><name>{name}</name>{include}" for name in "ab")
        _write(folder / f"d{number}.sdf", model(twice if number < 50 else '<link name="l"/>'))


@fault("check d0.sdf", "frames d0.sdf", says="")
def includes_that_double_50_times(folder: Path) -> None:
    _doubling(folder, "")


@fault("check d0.sdf", says="left out")
def merged_includes_that_double_50_times(folder: Path) -> None:
    _doubling(folder, ' merge="true"')


@fault("check a.sdf")
def long_names_around_many_frames(folder: Path) -> None:
    frames = "".join(f'<frame name="f{number}"/>' for number in range(5000))
    _write(folder / "a.sdf", model(f'<link name="l"/><model name="{"n" * 1_000_000}"><link name="l"/>{frames}</model>'))


@fault("check a.sdf", says="10001 warnings")
def many_problems_in_one_line(folder: Path) -> None:
    axes = "<axis><xyz>0 0 1</xyz></axis>" * 60_000
    joint = f'<joint name="j" type="revolute"><parent>a</parent><child>b</child>{axes}</joint>'
    _write(folder / "a.sdf", model(f'<link name="a"/><link name="b"/>{joint}'))


@fault("check a.sdf", says="10001 warnings")
def as_many_comments_that_ignore_rules_as_problems(folder: Path) -> None:
    each = (
        f"<!-- sdfviewer: ignore-file a{number} --><!-- sdfviewer: ignore b{number}* -->" for number in range(20_000)
    )
    _write(folder / "a.sdf", model(f'<link name="l">{"".join(each)}{"<zap/>" * 20_000}</link>'))


@fault("check --json a.sdf", says="frame_7999")
def fixes_of_8000_names_that_find_nothing(folder: Path) -> None:
    frames = "".join(f'<frame name="frame_{number}" attached_to="frame_x{number}"/>' for number in range(8000))
    _write(folder / "a.sdf", model(f'<link name="l"/>{frames}'))


@fault("check --unsafe-fixes --diff a.sdf", says="frame_x1999")
def all_fixes_of_2000_names_that_find_nothing(folder: Path) -> None:
    frames = "".join(f'<frame name="frame_{number}" attached_to="frame_x{number}"/>' for number in range(2000))
    _write(folder / "a.sdf", model(f'<link name="l"/>{frames}'))


@fault("check a.sdf", says="1000 errors")
def a_thousand_names_that_find_nothing(folder: Path) -> None:
    frames = "".join(f'<frame name="frame_{number}" attached_to="missing_{number}"/>' for number in range(1000))
    _write(folder / "a.sdf", model(f'<link name="l"/>{frames}'))


@fault("check a.sdf", "frames a.sdf", "assets a.sdf", "graph -o closed/a.dot --kind kinematic a.sdf")
def folder_without_permission(folder: Path) -> None:
    uris = ("closed", "closed/b.sdf", "closed/b.stl")
    includes = "".join(f"<include><uri>{uri}</uri></include>" for uri in uris)
    shape = "<visual name='v'><geometry><mesh><uri>{0}</uri></mesh></geometry></visual>"
    links = "".join(f'<link name="l{number}">{shape.format(uri)}</link>' for number, uri in enumerate(uris))
    _write(folder / "a.sdf", model(includes + links))
    (folder / "closed").mkdir(mode=0o000)


@fault("check --sarif a.sdf", says="f10000")
def log_of_50000_problems(folder: Path) -> None:
    frames = "".join(f'<frame name="f{number}" attached_to="missing{number}"/>' for number in range(50_000))
    _write(folder / "a.sdf", model(f'<link name="l"/>{frames}'))


# --- meshes ----------------------------------------------------------------------------------------------------------


def _gltf(folder: Path, name: str, document: dict[str, object]) -> None:
    _write(folder / name, json.dumps({"asset": {"version": "2.0"}, **document}))


def _shown(folder: Path, mesh: str) -> None:
    visual = f'<visual name="v"><geometry><mesh><uri>{mesh}</uri></mesh></geometry></visual>'
    _write(folder / "a.sdf", model(f'<link name="l">{visual}</link>'))


@fault("screenshot --size 64x64 a.sdf -o a.png", says="zeros")
def gltf_accessor_of_30_million_zeros(folder: Path) -> None:
    accessor = {"componentType": 5126, "type": "VEC3", "count": 30_000_000}
    primitive = {"attributes": {"POSITION": 0, "NORMAL": 0}}
    nodes = {"nodes": [{"mesh": 0}], "meshes": [{"primitives": [primitive]}]}
    _gltf(folder, "a.gltf", {**nodes, "accessors": [accessor]})
    _shown(folder, "a.gltf")


@fault("screenshot --size 64x64 a.sdf -o a.png", says="vertices")
def gltf_of_40_nodes_of_one_large_mesh(folder: Path) -> None:
    accessors = [
        {"componentType": 5126, "type": "VEC3", "count": 900_000},
        {"componentType": 5121, "type": "SCALAR", "count": 3},
    ]
    primitive = {"attributes": {"POSITION": 0}, "indices": 1}
    nodes = {"nodes": [{"mesh": 0}] * 40, "meshes": [{"primitives": [primitive]}]}
    _gltf(folder, "a.gltf", {**nodes, "accessors": accessors})
    _shown(folder, "a.gltf")


@fault("screenshot --size 64x64 a.sdf -o a.png", says="which is missing")
def gltf_buffer_outside_the_model(folder: Path) -> None:
    up = "../" * (len(folder.absolute().parts) + 2)
    buffer = {"uri": f"{up}etc/passwd", "byteLength": 36}
    accessor = {"componentType": 5126, "type": "VEC3", "count": 3, "bufferView": 0}
    views = [{"buffer": 0, "byteLength": 36}]
    mesh = {"primitives": [{"attributes": {"POSITION": 0}}]}
    document = {"nodes": [{"mesh": 0}], "meshes": [mesh], "buffers": [buffer], "bufferViews": views}
    _gltf(folder, "a.gltf", {**document, "accessors": [accessor]})
    _shown(folder, "a.gltf")


@fault("screenshot --size 64x64 a.sdf -o a.png")
def collada_table_of_any_number_of_columns(folder: Path) -> None:
    source = '<source id="p"><float_array id="a" count="3">0 0 0</float_array><technique_common>'
    source += f'<accessor source="#a" count="0" stride="{"9" * 40}"/></technique_common></source>'
    mesh = source + '<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>'
    mesh += '<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 0 0</p></triangles>'
    geometry = f'<library_geometries><geometry id="g"><mesh>{mesh}</mesh></geometry></library_geometries>'
    scene = '<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene>'
    scene += '</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene>'
    begin = '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
    _write(folder / "a.dae", f"{begin}{geometry}{scene}</COLLADA>")
    _shown(folder, "a.dae")


@fault("screenshot --size 64x64 a.sdf -o a.png", says="corners")
def obj_face_of_2_million_corners(folder: Path) -> None:
    vertices = "".join(f"v {number % 1000} {number // 1000} 0\n" for number in range(10_000))
    face = "f " + " ".join(str(number % 10_000 + 1) for number in range(2_000_000))
    _write(folder / "a.obj", f"{vertices}{face}\n")
    _shown(folder, "a.obj")


@fault("screenshot --size 64x64 a.sdf -o a.png")
def polyline_of_50000_points(folder: Path) -> None:
    points = "".join(f"<point>{number % 251} {number % 241}</point>" for number in range(50_000))
    geometry = f"<geometry><polyline><height>1</height>{points}</polyline></geometry>"
    _write(folder / "a.sdf", model(f'<link name="l"><visual name="v">{geometry}</visual></link>'))


@fault("screenshot --size 64x64 a.sdf -o a.png")
def box_of_1e308(folder: Path) -> None:
    box = "<geometry><box><size>1e308 1e308 1e308</size></box></geometry>"
    _write(folder / "a.sdf", model(f'<link name="l"><visual name="v">{box}</visual></link>'))


# --- too much of one thing -------------------------------------------------------------------------------------------


@fault("check a.sdf", says="589,999 more problems of this rule are not listed")
def empty_elements_600000(folder: Path) -> None:
    _write(folder / "a.sdf", model('<link name="l">' + "<a/>" * 600_000 + "</link>"))


@fault("check a.sdf", says="10001 warnings")
def different_elements_600000(folder: Path) -> None:
    _write(folder / "a.sdf", model('<link name="l"/>' + "".join(f"<a{number}/>" for number in range(600_000))))


@fault("check a.sdf", "frames a.sdf", says="more than 800,000 elements and attributes")
def elements_and_attributes_1000000(folder: Path) -> None:
    attributes = "".join(f' a{number}="1"' for number in range(9))
    _write(folder / "a.sdf", model(f"<link{attributes}/>" * 100_000))


@fault("check a.urdf", "frames a.urdf", says="more than 50,000 links, joints and shapes")
def links_and_joints_of_a_urdf_60000(folder: Path) -> None:
    joint = '<joint name="j{0}" type="fixed"><parent link="l{0}"/><child link="l{1}"/></joint>'
    parts = "".join(f'<link name="l{number}"/>{joint.format(number, number + 1)}' for number in range(30_000))
    _write(folder / "a.urdf", f'<robot name="r">{parts}<link name="l30000"/></robot>')


@fault("check a.sdf", "frames a.sdf", says="more than 10,000,000 characters")
def name_of_100_megabytes(folder: Path) -> None:
    _write(folder / "a.sdf", model(f'<link name="{"a" * 100_000_000}"/>'))


@fault("check a.sdf", says=" … ")
def message_about_a_name_of_9_megabytes(folder: Path) -> None:
    joint = f'<joint name="j" type="fixed"><parent>{"a" * 9_000_000}</parent><child>l</child></joint>'
    _write(folder / "a.sdf", model(f'<link name="l"/>{joint}'))


@fault("frames a.sdf", "check a.sdf", says="more than 10000 worlds and models")
def worlds_30000(folder: Path) -> None:
    worlds = "".join(f'<world name="w{number}"/>' for number in range(30_000))
    _write(folder / "a.sdf", f'<sdf version="1.11">{worlds}</sdf>')


@fault("check a.sdf", says="more than 100,000 links")
def frames_210000_of_one_model(folder: Path) -> None:
    frames = "".join(f'<frame name="f{number}"/>' for number in range(210_000))
    _write(folder / "a.sdf", model(f'<link name="l"/>{frames}'))


@fault("check a.sdf", "check --sarif a.sdf", says="5,999 more problems of this rule are not listed")
def names_alike_16000(folder: Path) -> None:
    frames = "".join(f'<frame name="frame_number_{number}"/>' for number in range(8_000))
    wrong = "".join(f'<frame name="g{number}" attached_to="frame_numbr_{number}"/>' for number in range(16_000))
    _write(folder / "a.sdf", model(f'<link name="l"/>{frames}{wrong}'))


# --- numbers and old files -------------------------------------------------------------------------------------------


@fault(
    "edit --set-relative-to m::f=b a.sdf", "edit --set-relative-to m::g=b a.sdf", "edit --set-attached-to m::g=b a.sdf"
)
def retargeting_of_poses_that_are_not_finite(folder: Path) -> None:
    links = '<link name="a"><pose>inf 0 0 0 0 0</pose></link><link name="b"><pose>-1e308 0 0 0 0 0</pose></link>'
    f = '<frame name="f" attached_to="a"><pose>nan 1 2 0 0 0</pose></frame>'
    g = '<frame name="g"><pose>1e308 1e308 0 0 0 0</pose></frame>'
    _write(folder / "a.sdf", model(links + f + g))


@fault("edit --set-relative-to m::a=b a.sdf", "edit --set-relative-to m::f=b a.sdf", says="not a finite number")
def retargeting_of_angles_that_are_not_finite(folder: Path) -> None:
    links = '<link name="a"><pose>0 0 0 inf 0 0</pose></link><link name="b"><pose>0 0 0 1e308 1e308 0</pose></link>'
    _write(folder / "a.sdf", model(f'{links}<frame name="f"><pose>0 0 0 0 nan 0</pose></frame>'))


@fault("convert --merge-fixed --to 1.11 a.urdf", says="</sdf>")
def merging_fixed_joints_without_names(folder: Path) -> None:
    links = "".join(f'<link name="{name}"/>' for name in "abc")
    joints = "".join(f'<joint type="fixed"><parent link="{a}"/><child link="{b}"/></joint>' for a, b in ("ab", "bc"))
    _write(folder / "a.urdf", f'<robot name="r">{links}{joints}</robot>')


@fault("convert --merge-fixed --to 1.11 --allow-loss a.urdf", says='name="t::p"')
def links_with_a_separator_in_the_name(folder: Path) -> None:
    _write(folder / "a.urdf", '<robot name="r"><link name="a"/><link name="t::p"/></robot>')


@fault("convert --to 1.12 a.sdf")
def axis_in_the_model_frame_without_a_direction(folder: Path) -> None:
    axis = "<axis><use_parent_model_frame>true</use_parent_model_frame></axis>"
    ends = "<parent>a</parent><child>b</child>"
    axes = axis + axis.replace("axis>", "axis2>")
    joints = "".join(f'<joint name="j{number}" type="universal">{ends}{axes}</joint>' for number in range(2))
    links = '<link name="a"/><link name="b"/>'
    _write(folder / "a.sdf", model(links + joints, "1.5"))


# --- xacro -----------------------------------------------------------------------------------------------------------


def _xacro(folder: Path, content: str) -> None:
    begin = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    _write(folder / "a.xacro", f'{begin}{content}<link name="l"/></robot>')


@fault("check a.xacro")
def xacro_macros_that_double_40_times(folder: Path) -> None:
    macros = "".join(
        f'<xacro:macro name="m{number}"><xacro:m{number + 1}/><xacro:m{number + 1}/></xacro:macro>'
        for number in range(40)
    )
    _xacro(folder, f'{macros}<xacro:macro name="m40"><link name="x"/></xacro:macro><xacro:m0/>')


@fault("check a.xacro")
def xacro_properties_that_double_60_times(folder: Path) -> None:
    properties = "".join(
        f'<xacro:property name="p{number}" value="${{p{number - 1}}}${{p{number - 1}}}"/>' for number in range(1, 60)
    )
    _xacro(folder, f'<xacro:property name="p0" value="aaaaaaaaaa"/>{properties}<link name="${{p59}}"/>')


@fault("check a.xacro")
def xacro_expressions_that_make_something_large(folder: Path) -> None:
    expressions = ("'a'*10**9", "9**9**9", "1 << 10**9", "'%1000000000d' % 1", "[0]*10**9", "(lambda x: x*10**9)('a')")
    _xacro(folder, "".join(f'<link name="${{{each}}}"/>' for each in expressions).replace("1 <<", "1 &lt;&lt;"))


@fault("check a.xacro")
def yaml_aliases_that_double(folder: Path) -> None:
    lines = ['a: &a ["x","x","x","x","x","x","x","x","x"]']
    lines += [f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]" for before, name in pairwise("abcdefghijklm")]
    _write(folder / "y.yaml", "\n".join(lines))
    _xacro(folder, '<xacro:property name="d" value="${load_yaml(\'y.yaml\')}"/><link name="${d}"/>')


# --- exports and tables ----------------------------------------------------------------------------------------------


@fault("convert --to mjcf --bundle b a.sdf", "convert --to 1.12 a.sdf", "convert --to urdf a.sdf")
def equal_names_20000(folder: Path) -> None:
    visual = '<visual name="v"><geometry><box><size>1 1 1</size></box></geometry></visual>'
    _write(folder / "a.sdf", model(f'<link name="l">{visual * 20_000}</link>'))


@fault("convert --to urdf --bundle b a.sdf")
def outlines_8000(folder: Path) -> None:
    outline = "<polyline><height>1</height><point>0 0</point><point>1 0</point><point>0 {0}</point></polyline>"
    visual = f'<visual name="v{{0}}"><geometry>{outline}</geometry></visual>'
    _write(folder / "a.sdf", model(f'<link name="l">{"".join(visual.format(i + 1) for i in range(8_000))}</link>'))


@fault("diff a.sdf b.sdf")
def renamed_frames_40000(folder: Path) -> None:
    for name in "ab":
        frames = "".join(f'<frame name="{name}{i}"><pose>{i} 0 0 0 0 0</pose></frame>' for i in range(40_000))
        _write(folder / f"{name}.sdf", model(f'<link name="l"/>{frames}'))


_ARM = (
    '<link name="a"/><link name="b"><visual name="v"><geometry><box/></geometry></visual></link><joint name="{0}" '
    'type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>'
)


@fault("frames --csv --motion a.csv a.sdf", "frames --csv --motion a.csv b.sdf", says=",joint,")
def table_of_names_of_brackets_and_colons(folder: Path) -> None:
    _write(folder / "a.csv", f"time,j,{'a' + '[' * 100_000}\n0,1,2\n")
    _write(folder / "a.sdf", model(_ARM.format("j")))
    _write(folder / "b.sdf", model(_ARM.format("a::" * 1_000_000 + "j")))


@fault("screenshot --size 64x64 --sweep m::j=0:1 --frames 2 --fps 0.001 -o a.gif a.sdf")
def animation_slower_than_a_gif_can_be(folder: Path) -> None:
    _write(folder / "a.sdf", model(_ARM.format("j")))


@fault("convert --to urdf --bundle b a.sdf", "convert --to mjcf --bundle c a.sdf", "convert --to 1.12 --bundle d b.sdf")
def names_of_files_from_names_of_models(folder: Path) -> None:
    visual = '<visual name="v"><geometry><cone><radius>1</radius><length>1</length></cone></geometry></visual>'
    inner = f'<link name="l">{visual}</link></model></sdf>'
    _write(folder / "a.sdf", f'<sdf version="1.11"><model name="{"a" * 5000}">{inner}')
    _write(folder / "b.sdf", f'<sdf version="1.11"><model name="../../..">{inner}')


@fault("check a.sdf", "assets a.sdf", "frames a.sdf", says="m::l")
def address_on_fuel_with_a_nul_character(folder: Path) -> None:
    uri = "https://fuel.gazebosim.org/1.0/OpenRobotics/models/%00"
    _write(folder / "a.sdf", model(f'<include><uri>{uri}</uri></include><link name="l"/>'))


@fault("convert --to mjcf a.sdf", says="MJCF nests the bodies of a chain")
def mjcf_of_a_chain_of_2000_joints(folder: Path) -> None:
    joint = '<joint name="j{0}" type="revolute"><parent>l{0}</parent><child>l{1}</child><axis/></joint>'
    parts = "".join(f'<link name="l{i}"/>{joint.format(i, i + 1)}' for i in range(2000))
    _write(folder / "a.sdf", model(f'{parts}<link name="l2000"/>'))


@fault("check --urdf-ready a.sdf", "convert --to urdf a.sdf", "convert --to mjcf a.sdf", says="at most 50,000")
def exports_of_90000_links(folder: Path) -> None:
    _write(folder / "a.sdf", model("".join(f'<link name="l{i}"/>' for i in range(90_000))))


@fault("convert --to 1.11 a.urdf", says="</sdf>")
def urdf_of_8000_links_with_shapes(folder: Path) -> None:
    box = '<visual><geometry><box size="1 1 1"/></geometry></visual>'
    joint = '<joint name="j{0}" type="fixed"><parent link="l0"/><child link="l{0}"/></joint>'
    links = "".join(f'<link name="l{i}">{box}</link>{joint.format(i) if i else ""}' for i in range(8_000))
    _write(folder / "a.urdf", f'<robot name="r">{links}</robot>')
