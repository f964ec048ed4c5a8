"""``sdfviewer edit`` on a xacro file writes where the values come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.cli import main

pytest.importorskip("xacro")

TEXT = """<sdf version="1.9" xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:property name="h" value="0.4"/>
  <xacro:property name="prefix" value="left_"/>
  <xacro:include filename="base.xacro"/>
  <model name="m">
    <xacro:macro name="wheel" params="side x:=0.1">
      <link name="${side}_wheel"><pose>${x} 0 ${h/2} 0 0 0</pose></link>
      <frame name="${side}_axle" attached_to="${side}_wheel"/>
    </xacro:macro>
    <xacro:base/>
    <xacro:wheel side="left"/>
    <xacro:wheel side="right" x="0.3"/>
    <frame name="${prefix}tip" attached_to="base"/>
  </model>
</sdf>
"""
BASE = """<sdf xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:macro name="base"><link name="base"><pose>0 0 1 0 0 0</pose></link></xacro:macro>
</sdf>
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "base.xacro").write_text(BASE, encoding="utf-8")
    path = tmp_path / "m.xacro"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("words", "old", "new"),
    [
        (["--set-pose", "m::left_wheel=0.1 0 0.3 0 0 0"], 'name="h" value="0.4"', 'name="h" value="0.6"'),
        (["--set-pose", "m::right_wheel=0.5 0 0.2 0 0 0"], 'x="0.3"', 'x="0.5"'),
        (
            ["--set-pose", "m::left_wheel=0.5 0 0.2 0 0 0", "--where", "call"],
            '<xacro:wheel side="left"/>',
            '<xacro:wheel side="left" x="0.5"/>',
        ),
        (["--set-pose", "m::left_wheel=0.5 0 0.2 0 0 0", "--where", "default x"], "x:=0.1", "x:=0.5"),
        (["--set-pose", "m::left_wheel=0.5 0 0.2 0 0 0", "--where", "m.xacro:7"], "<pose>${x}", "<pose>0.5"),
        (["--rename", "m::left_tip=left_tool"], "${prefix}tip", "${prefix}tool"),
        (["--rename", "m::left_tip=front_tip"], 'value="left_"', 'value="front_"'),
        (["--rename", "m::left_wheel=left_tyre"], "${side}_wheel", "${side}_tyre"),
        (["--rename", "m::left_wheel=front_wheel"], 'side="left"', 'side="front"'),
        (["--remove", "m::left_tip"], '    <frame name="${prefix}tip" attached_to="base"/>\n', ""),
        (
            ["--add", "frame:tool", "--attached-to", "base"],
            "  </model>",
            '    <frame name="tool" attached_to="base"/>\n  </model>',
        ),
    ],
)
def test_an_edit_is_written_where_the_value_comes_from(file: Path, words: list[str], old: str, new: str) -> None:
    assert main(["edit", "--in-place", str(file), *words]) == 0
    assert file.read_text(encoding="utf-8") == TEXT.replace(old, new)
    assert (file.parent / "base.xacro").read_text(encoding="utf-8") == BASE


URDF = """<?xml version="1.0"?>
<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:property name="track" value="0.4"/>
  <xacro:macro name="wheel" params="side reflect">
    <link name="${side}_wheel"><visual><geometry><sphere radius="${track/4}"/></geometry></visual></link>
    <joint name="${side}_axle" type="continuous">
      <origin xyz="0.1 ${reflect*track/2} 0" rpy="${radians(-90)} 0 0"/>
      <parent link="base"/><child link="${side}_wheel"/><axis xyz="0 0 1"/>
    </joint>
  </xacro:macro>
  <link name="base">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <xacro:wheel side="left" reflect="1"/>
  <xacro:wheel side="right" reflect="-1"/>
</robot>
"""


@pytest.mark.parametrize(
    ("words", "old", "new"),
    [
        (["--set", "r::left_axle/origin/xyz=10cm 25cm 0", "--where", "track"], 'value="0.4"', 'value="0.5"'),
        (["--set", "r::left_axle/origin/rpy=-45deg 0 0"], "${radians(-90)}", "${radians(-45)}"),
        (["--set", "r::left_axle/axis/xyz=0 1 0"], '<axis xyz="0 0 1"/>', '<axis xyz="0 1 0"/>'),
        (["--set-pose", "r::left_axle=0.2 0.2 0 -1.5707963267948966 0 0"], 'xyz="0.1 ${', 'xyz="0.2 ${'),
        (
            ["--set", "r::left_wheel::left_wheel_visual/geometry/sphere/radius=0.2"],
            'value="0.4"',
            'value="0.8"',
        ),
        (["--rename", "r::left_wheel=left_tyre"], "${side}_wheel", "${side}_tyre"),
        (
            ["--add", "link:tool", "--parent", "left_wheel"],
            'reflect="-1"/>\n',
            'reflect="-1"/>\n  <joint name="tool_joint" type="fixed">\n    <parent link="left_wheel"/>\n'
            '    <child link="tool"/>\n  </joint>\n  <link name="tool"/>\n',
        ),
    ],
)
def test_a_urdf_is_edited_as_well(tmp_path: Path, words: list[str], old: str, new: str) -> None:
    file = tmp_path / "r.urdf.xacro"
    file.write_text(URDF, encoding="utf-8")
    main(["edit", "--in-place", str(file), *words])
    assert file.read_text(encoding="utf-8") == URDF.replace(old, new)


def test_what_changes_along_is_named(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["edit", str(file), "--set-pose", "m::left_wheel=0.1 0 0.3 0 0 0"])
    errors = capsys.readouterr().err
    assert "Property h (m.xacro:2): 0.4 → 0.6." in errors
    assert "Changes along with it: link right_wheel: pose." in errors


def test_several_places_are_listed_and_none_is_written(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edit", "--in-place", str(file), "--set-pose", "m::left_wheel=0.5 0 0.2 0 0 0"]) == 2
    errors = capsys.readouterr().err
    assert "link left_wheel: pose can be changed in several places; choose one:" in errors
    assert "default x (m.xacro:6): 0.1 → 0.5" in errors
    assert 'call x (m.xacro:11): nothing → x="0.5"' in errors
    assert file.read_text(encoding="utf-8") == TEXT


def test_a_dry_run_lists_all_places(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edit", "--dry-run", str(file), "--set-pose", "m::left_wheel=0.5 0 0.2 0 0 0"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "link left_wheel: pose:",
        "  default x (m.xacro:6): 0.1 → 0.5",
        '  call x (m.xacro:11): nothing → x="0.5"',
        "  expression (m.xacro:7): ${x} → 0.5; 2 values change: link left_wheel: pose, link right_wheel: pose",
    ]
    assert file.read_text(encoding="utf-8") == TEXT


def test_an_included_file_is_written_and_the_next_edit_sees_it(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(file), "--set-pose", "m::base=0 0 2 0 0 0", "--set-pose", "m::base=0 0 2 0 0 3"]
    assert main(["edit", *words]) == 2
    assert "--in-place or --diff" in capsys.readouterr().err
    assert main(["edit", "--in-place", *words]) == 0
    assert file.read_text(encoding="utf-8") == TEXT
    assert (file.parent / "base.xacro").read_text(encoding="utf-8") == BASE.replace("0 0 1 0 0 0", "0 0 2 0 0 3")


def test_what_macro_calls_share_is_removed_for_all_or_where_it_was_meant(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    remove = ["edit", "--in-place", str(file), "--remove", "m::left_axle"]
    line = '      <frame name="${side}_axle" attached_to="${side}_wheel"/>\n'
    assert main(remove) == 2
    assert "macro wheel (m.xacro:8): removes <frame> for all calls; 2 values change" in capsys.readouterr().err
    assert main([*remove, "--where", "condition side == 'left'"]) == 0
    alone = f"""      <xacro:unless value="${{side == 'left'}}">\n  {line}      </xacro:unless>\n"""
    assert file.read_text(encoding="utf-8") == TEXT.replace(line, alone)
    file.write_text(TEXT, encoding="utf-8")
    assert main([*remove, "--where", "macro"]) == 0
    assert file.read_text(encoding="utf-8") == TEXT.replace(line, "")
    assert "Is removed along with it: frame right_axle." in capsys.readouterr().err
