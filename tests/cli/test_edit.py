"""``sdfviewer edit`` makes the editor's refactorings in the order written, and nothing else."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from sdfviewer.cli import main
from tests.refactoring.projects import ARM, GRIPPER, HAND, WORLD, write_project

TEXT = """<sdf version="1.9">
  <model name="m">
    <link name="a"/> <!-- base -->
    <link name="b"><pose>1 0 0 0 0 0</pose></link>
    <frame name="f" attached_to="b"/>
    <frame name="A"><pose relative_to="B"/></frame>
    <frame name="B"><pose relative_to="A"/></frame>
  </model>
</sdf>
"""
MENDED = TEXT.replace('<pose relative_to="B"/>', '<pose relative_to="__model__"/>')


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "m.sdf"
    path.write_bytes(TEXT.replace("\n", "\r\n").encode())
    return path


def test_edits_are_made_in_order_and_in_place(file: Path) -> None:
    words = ["--fix", "relative-to-cycle", "--rename", "m::b=arm", "--set-relative-to", "m::f=a", "--keep", "numbers"]
    assert main(["edit", *words, "--in-place", str(file)]) == 0
    expected = MENDED.replace('"b"', '"arm"').replace(
        '<frame name="f" attached_to="arm"/>',
        '<frame name="f" attached_to="arm">\n      <pose relative_to="a">0 0 0 0 0 0</pose>\n    </frame>',
    )
    assert file.read_bytes().decode() == expected.replace("\n", "\r\n")


def test_standard_output_by_default(file: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["edit", "--set-relative-to", "m::b=a", str(file)]) == 1  # the cycle is still there
    out, err = capfdbinary.readouterr()
    assert out.decode() == file.read_bytes().decode().replace("<pose>1", '<pose relative_to="a">1')
    assert b"relative-to-cycle" in err
    assert file.read_bytes().decode() == TEXT.replace("\n", "\r\n")


def test_diff_and_output(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edit", "--fix", "relative-to-cycle", "--diff", str(file)]) == 0
    changed = [line for line in capsys.readouterr().out.splitlines() if line[:1] in "+-" and line[1:2] == " "]
    assert len(changed) == 2
    assert main(["edit", "--fix", "relative-to-cycle", "-o", str(tmp_path / "new.sdf"), str(file)]) == 0
    assert (tmp_path / "new.sdf").read_bytes().decode() == MENDED.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no edits given"),
        (["--rename", "m::b"], "OLD=NEW"),
        (["--rename", "m::x=y"], "there is no frame 'm::x'"),
        (["--set-relative-to", "m::b=f"], "would close a cycle"),
        (["--fix", "no-root"], "no problem of rule"),
        (["--fix", "relative-to-cycle", "--also", "."], "--also needs --rename"),
        (["--rename", "m::b=x", "--also", "no/where"], "does not exist"),
    ],
)
def test_what_cannot_be_done_is_reported(
    file: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["edit", *words, "--in-place", str(file)]) == 2
    assert message in capsys.readouterr().err
    assert file.read_bytes().decode() == TEXT.replace("\n", "\r\n")


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX links")
def test_it_is_said_that_hard_links_part(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.link(file, tmp_path / "backup.sdf")
    assert main(["edit", "--fix", "relative-to-cycle", "--in-place", str(file)]) == 0
    assert f"{file} had other names (hard links)" in capsys.readouterr().err
    assert (tmp_path / "backup.sdf").read_bytes().decode() == TEXT.replace("\n", "\r\n")


def test_a_name_that_latin_1_lacks_makes_a_file_utf_8_where_readers_may_not_resolve_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.sdf"
    text = """<?xml version="1.0" encoding="ISO-8859-1"?>
<sdf version="1.9"><model name="m"><link name="a"/><link name="\xe9"/>
<joint name="j" type="fixed"><parent>a</parent><child>\xe9</child></joint></model></sdf>"""
    file.write_bytes(text.encode("latin-1"))
    assert main(["edit", "--rename", "m::\xe9=→", "--in-place", str(file)]) == 0
    expected = text.replace("\xe9", "&#8594;").encode("latin-1")
    assert file.read_bytes() == expected, "every reader resolves references here"
    assert capsys.readouterr().err == ""
    text = text.replace("<link", "<!-- no reader of XML takes -- here --><link")
    file.write_bytes(text.encode("latin-1"))
    assert main(["edit", "--rename", "m::\xe9=→", "--in-place", str(file)]) == 0
    assert file.read_bytes().decode() == text.replace("\xe9", "→").replace("ISO-8859-1", "UTF-8")
    assert "is saved as UTF-8, and declares it" in capsys.readouterr().err


# --- other files ---------------------------------------------------------------------------------------------------


def test_a_rename_is_propagated_through_all_files_of_a_project(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_project(tmp_path)
    words = ["--rename", "gripper::tip=tcp", "--rename", "gripper::finger=jaw", "--path", str(tmp_path / "models")]
    assert main(["edit", *words, "--also", str(tmp_path), "--in-place", str(files["gripper"])]) == 0
    assert capsys.readouterr().err.count("written: ") == 4

    def renamed(text: str) -> str:
        return re.sub(r"\bfinger\b", "jaw", re.sub(r"\btip\b", "tcp", text))

    assert files["gripper"].read_bytes() == renamed(GRIPPER).encode()
    assert files["arm"].read_bytes() == renamed(ARM).replace("\n", "\r\n").encode("utf-8-sig")
    assert files["hand"].read_bytes() == renamed(HAND).encode("utf-16")
    assert files["world"].read_bytes() == renamed(WORLD).replace("\n", "\r\n").encode()


@pytest.mark.skipif(os.name == "nt", reason="not every user makes links there")
def test_a_file_to_which_a_link_in_a_folder_leads_changes_only_where_it_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "project").mkdir()
    files = write_project(tmp_path / "project")
    mine = tmp_path / "mine.world"
    mine.write_bytes(files["world"].read_bytes())
    files["world"].unlink()
    files["world"].symlink_to(mine)
    words = ["edit", "--path", str(tmp_path / "project" / "models"), "--in-place", str(files["gripper"]), "--also"]
    before = mine.read_bytes()
    assert main([*words, str(tmp_path / "project"), "--rename", "gripper::tip=tcp"]) == 0
    assert f"{mine} includes it, but only a link leads there: it was not changed" in capsys.readouterr().err
    assert mine.read_bytes() == before
    assert main([*words, str(files["world"]), "--rename", "gripper::tcp=tip"]) == 0


def test_the_difference_of_all_files_is_shown_and_none_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_project(tmp_path)
    before = {file: file.read_bytes() for file in files.values()}
    words = ["--rename", "gripper::tip=tcp", "--path", str(tmp_path / "models"), "--also", str(files["arm"])]
    assert main(["edit", *words, "--diff", str(files["gripper"])]) == 0
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line.startswith("+++")] == [
        f"+++ b/{files['gripper']}",
        f"+++ b/{files['arm']}",
    ]
    assert out.count("\n+ ") == 4
    assert {file: file.read_bytes() for file in files.values()} == before
    assert main(["edit", *words, str(files["gripper"])]) == 2
    assert "--in-place" in capsys.readouterr().err


def test_nothing_is_written_where_a_file_cannot_follow(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = write_project(tmp_path)
    before = {file: file.read_bytes() for file in files.values()}
    words = ["--rename", "gripper::tip=pad", "--path", str(tmp_path / "models"), "--also", str(tmp_path), "--in-place"]
    assert main(["edit", *words, str(files["gripper"])]) == 2
    assert (
        "hand/model.sdf cannot be updated: a <frame> and a <link> are both called 'pad'"
        in capsys.readouterr().err.replace("\\", "/")
    )
    assert {file: file.read_bytes() for file in files.values()} == before


def test_rename_changes_a_material_of_a_urdf_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mass = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    used = '<visual><geometry><sphere radius="1"/></geometry><material name="blue"/></visual>'
    material = '<material name="blue"><color rgba="0 0 1 1"/></material>'
    text = f'<robot name="r">{material}<link name="blue">{mass}{used}</link></robot>'
    file = tmp_path / "r.urdf"
    file.write_text(text, encoding="utf-8")
    assert main(["edit", "--rename", "material:blue=navy", "--in-place", str(file)]) == 0
    assert file.read_text(encoding="utf-8") == text.replace('material name="blue"', 'material name="navy"')
    assert main(["edit", "--rename", "material:red=navy", str(file)]) == 2
    assert "there is no material 'red'" in capsys.readouterr().err


ROBOT = """<robot name="r">
  <link name="base"/>
  <joint name="j" type="revolute">
    <parent link="base"/><child link="arm"/>
    <origin xyz="0 0 0.5"/>
    <limit lower="-1" upper="1" effort="5" velocity="2"/>
  </joint>
  <link name="arm"/>
</robot>
"""


@pytest.mark.parametrize(
    ("options", "old", "new"),
    [
        (["--set-pose", "arm=0 0 60cm 0 0 0"], '"0 0 0.5"', '"0 0 0.6"'),
        (["--set", "j/axis/limit/upper=90deg"], 'upper="1"', 'upper="1.5707963267948966"'),
        (["--set", "j/limit/upper=90deg"], 'upper="1"', 'upper="1.5707963267948966"'),
        (["--rename", "arm=forearm"], '"arm"', '"forearm"'),
        (
            ["--add", "link:tool", "--parent", "arm"],
            "</robot>",
            '  <joint name="tool_joint" type="fixed">\n    <parent link="arm"/>\n    <child link="tool"/>\n  </joint>\n'
            '  <link name="tool"/>\n</robot>',
        ),
        (["--remove", "arm", "--with-dependents"], ROBOT[ROBOT.index("  <joint") : ROBOT.index("</robot>")], ""),
    ],
)
def test_a_urdf_is_edited_with_the_options_for_sdformat(
    options: list[str], old: str, new: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.urdf"
    path.write_text(ROBOT, encoding="utf-8")
    main(["edit", *options, str(path)])
    assert capsys.readouterr().out == ROBOT.replace(old, new)


def test_a_model_that_is_not_found_is_edited_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "world.sdf"
    include = '<include><uri>model://missing</uri><name>arm</name><pose relative_to="base">0 0 1 0 0 0</pose></include>'
    text = f'<sdf version="1.11"><model name="m"><link name="base"/><link name="b"/>{include}</model></sdf>'
    path.write_text(text, encoding="utf-8")
    assert main(["edit", "--rename", "base=B", "--rename", "arm=hand", "--set-relative-to", "hand=b", str(path)]) == 1
    out, err = capsys.readouterr()
    expected = text.replace('link name="base"', 'link name="B"').replace(">arm<", ">hand<")
    assert out == expected.replace('relative_to="base"', 'relative_to="b"')
    assert "uri-not-found" in err
    assert main(["edit", "--remove", "base", str(path)]) == 1
    assert "relative_to 'base' is not a frame in this scope" in capsys.readouterr().err
    assert main(["edit", "--remove", "base", "--with-dependents", str(path)]) == 0
    assert "<include>" not in capsys.readouterr().out
