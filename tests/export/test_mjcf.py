"""MJCF without MuJoCo; tests/peers/test_mujoco.py compiles it."""

from __future__ import annotations

import re
import tracemalloc
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sdfviewer.export.mesh_files import meshes_in_place
from sdfviewer.export.mjcf import export_mjcf
from sdfviewer.export.urdf import export_urdf
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import load_model


@pytest.mark.parametrize("child", ["b", "tool"])
def test_a_joint_is_a_site_of_the_link_that_it_moves(child: str) -> None:
    model = load_model(
        '<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/><frame name="tool" attached_to="b"/>'
        f'<joint name="j" type="revolute"><pose relative_to="b">0 0 1 0 0 0</pose><parent>a</parent>'
        f"<child>{child}</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"
    )
    text = export_mjcf(model, Finder(), lambda geometry: "there are no meshes").text
    body = text[text.index('<body name="b"') :]
    assert set(re.findall('<site name="([^"]*)"', body)) == {"tool", "j"}
    assert re.search('<site name="j" pos="0.0 0.0 1.0"', body)


NUMBERS = """<sdf version="1.11"><model name="m"><link name="a"/>
<link name="b"><inertial><mass>{mass}</mass><inertia><ixx>{ixx}</ixx></inertia></inertial>
<collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision></link>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>
<dynamics><damping>{damping}</damping></dynamics></axis></joint></model></sdf>"""


@pytest.mark.parametrize(
    ("name", "value", "loss"),
    [
        ("ixx", "nan", "its moments of inertia are impossible: 1e-07 is written"),
        ("mass", "inf", "it has no mass"),
        ("damping", "inf", "its damping is not finite"),
    ],
)
def test_a_number_that_is_not_finite_is_written_otherwise(name: str, value: str, loss: str) -> None:
    numbers = {"ixx": "1", "mass": "1", "damping": "1", name: value}
    exported = export_mjcf(load_model(NUMBERS.format(**numbers)), Finder(), lambda _: "there are no meshes")
    written = [value for each in ElementTree.fromstring(exported.text).iter() for value in each.attrib.values()]
    assert not {"nan", "inf", "-inf"} & {number for value in written for number in value.split()}
    assert any(loss in note.message for note in exported.notes)


def test_equal_names_and_names_that_xml_cannot_hold_are_written_once_each() -> None:
    names = ("e", "e", "\x1b[31m", "\\x1b[31m")
    links = "".join(f'<link name="l{number}"/>' for number in range(len(names) + 1))
    joints = "".join(
        f'<joint name="{name}" type="revolute"><parent>l0</parent><child>l{number}</child><axis/></joint>'
        for number, name in enumerate(names, 1)
    )
    model = load_model(f'<sdf version="1.11"><model name="m">{links}{joints}</model></sdf>')
    root = ElementTree.fromstring(export_mjcf(model, Finder(), lambda _: "no meshes").text)
    assert [each.get("name") for each in root.iter("joint")] == ["e", "e_", "\\x1b[31m", "\\x1b[31m_"]
    robot = ElementTree.fromstring(export_urdf(model).text)
    assert [each.get("name") for each in robot.iter("joint")] == ["e", "e_", "\\x1b[31m", "\\x1b[31m_"]


def test_a_body_stands_where_the_model_stands() -> None:
    model = load_model(
        '<sdf version="1.11"><model name="m"><pose>1 2 3 0 0 0</pose><link name="a"><pose>0 0 0.1 0 0 0</pose></link>'
        '<link name="b"><pose>0 0 1 0 0 0</pose></link><joint name="w" type="fixed"><parent>world</parent>'
        "<child>b</child></joint></model></sdf>"
    )
    root = ElementTree.fromstring(export_mjcf(model, Finder(), lambda _: "no meshes").text)
    assert {each.get("name"): each.get("pos") for each in root.iter("body")} == {"a": "1.0 2.0 3.1", "b": "1.0 2.0 4.0"}


@pytest.mark.parametrize(
    "shape",
    [
        "<box><size>0 1 1</size></box>",
        "<sphere><radius>0</radius></sphere>",
        "<cylinder><radius>0</radius><length>1</length></cylinder>",
        "<capsule><radius>1</radius><length>0</length></capsule>",
    ],
)
def test_a_shape_without_size_is_left_out_and_named(shape: str) -> None:
    model = load_model(
        f'<sdf version="1.9"><model name="m"><link name="l">'
        f'<collision name="c"><geometry>{shape}</geometry></collision>'
        '<collision name="d"><geometry><sphere><radius>1</radius></sphere></geometry></collision></link></model></sdf>'
    )
    exported = export_mjcf(model, Finder(), lambda _: "no meshes")
    assert [each.get("name") for each in ElementTree.fromstring(exported.text).iter("geom")] == ["l/d"]
    assert [(model.names[note.row], note.is_loss) for note in exported.notes] == [("m::l::c", True)]


def test_a_light_without_direction_gets_that_of_sdformat() -> None:
    model = load_model(
        '<sdf version="1.9"><model name="m"><link name="l"><light name="s" type="spot"><direction>0 0 0</direction>'
        "</light></link></model></sdf>"
    )
    exported = export_mjcf(model, Finder(), lambda _: "no meshes")
    assert [each.get("dir") for each in ElementTree.fromstring(exported.text).iter("light")] == ["0.0 0.0 -1.0"]
    assert [(model.names[note.row], note.is_loss) for note in exported.notes] == [("m::l::s", False)]


ASCII_STL = "solid s\nfacet normal 0 0 1\nouter loop\n{}endloop\nendfacet\nendsolid s\n"


def test_meshes_that_mujoco_refuses_are_left_out_of_an_mjcf_that_names_them_in_place(tmp_path: Path) -> None:
    corners = "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
    (tmp_path / "text.stl").write_text(ASCII_STL.format(corners), encoding="utf-8")
    (tmp_path / "flat.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", encoding="utf-8")
    (tmp_path / "solid.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", encoding="utf-8"
    )
    geometry = "<geometry><mesh><uri>{}</uri></mesh></geometry>"
    files = ("text.stl", "flat.obj", "solid.obj")
    parts = "".join(
        f'<{kind} name="{kind[0]}_{name[:4]}">{geometry.format(name)}</{kind}>'
        for kind in ("visual", "collision")
        for name in files
    )
    file = tmp_path / "m.sdf"
    file.write_text(f'<sdf version="1.9"><model name="m"><link name="l">{parts}</link></model></sdf>', encoding="utf-8")
    model = load_model(file)
    exported = export_mjcf(model, Finder(), meshes_in_place(Finder(), "bundle it"))
    written = [each.get("name") for each in ElementTree.fromstring(exported.text).iter("geom")]
    assert written == ["l/v_flat", "l/v_soli", "l/c_soli"]
    named = [model.names[note.row].rpartition("::")[2] for note in exported.notes]
    assert named == ["v_text", "c_text", "c_flat", "c_soli"]
    assert [note.is_loss for note in exported.notes] == [True, True, True, False]
    assert exported.notes[-1].message.startswith("MuJoCo collides with the convex hull of ")
    assert all("bundle it" in note.message for note in exported.notes if note.is_loss)


def test_an_mjcf_that_names_a_mesh_in_place_takes_no_part_of_it() -> None:
    mesh = "<mesh><uri>a.obj</uri><submesh><name>wheel</name></submesh></mesh>"
    model = load_model(
        '<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry>'
        f"{mesh}</geometry></visual></link></model></sdf>"
    )
    (note,) = export_mjcf(model, Finder(), meshes_in_place(Finder(), "bundle it")).notes
    assert note.is_loss
    assert "cannot take 'wheel' alone out of a.obj; bundle it" in note.message


def test_of_an_stl_file_that_an_mjcf_names_in_place_only_the_start_is_read(tmp_path: Path) -> None:
    with open(tmp_path / "large.stl", "wb") as stl:
        stl.write(b"solid but binary".ljust(80, b"\0") + (1_000_000).to_bytes(4, "little"))
        stl.truncate(84 + 1_000_000 * 50)
    visual = '<visual name="v"><geometry><mesh><uri>large.stl</uri></mesh></geometry></visual>'
    file = tmp_path / "m.sdf"
    text = f'<sdf version="1.9"><model name="m"><link name="l">{visual}</link></model></sdf>'
    file.write_text(text, encoding="utf-8")
    model = load_model(file)
    tracemalloc.start()
    try:
        exported = export_mjcf(model, Finder(), meshes_in_place(Finder(), "bundle it"))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [each.get("name") for each in ElementTree.fromstring(exported.text).iter("geom")] == ["l/v"]
    assert most < 10_000_000, "the whole file of 50 MB was read"
