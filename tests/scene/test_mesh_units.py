"""Meshes of a URDF that are likely to be in millimetres: what draws them and what lists them says so."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

from sdfviewer.cli import main
from sdfviewer.diagnostics import Diagnostic
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.scene.loader import diagnose
from sdfviewer.scene.scene_build import SceneOptions, load_scene

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def stl(path: Path, size: float) -> None:
    corners = ((0.0, 0.0, 0.0), (size, 0.0, 0.0), (0.0, size, size))
    numbers = (0.0, 0.0, 1.0, *(value for corner in corners for value in corner))
    path.write_bytes(bytes(80) + struct.pack("<I", 1) + struct.pack("<12f", *numbers) + bytes(2))


def robot(folder: Path, mesh: str) -> Path:
    file = folder / "r.urdf"
    visual = f"<visual><geometry>{mesh}</geometry></visual>"
    file.write_text(f'<robot name="r">\n<link name="l">{INERTIAL}\n{visual}\n</link></robot>\n')
    return file


def drawn(file: Path) -> list[Diagnostic]:
    document = open_document(file)
    model, _ = Loader().load_with_diagnostics(document)
    assert model is not None
    return list(diagnose(model, load_scene(model, SceneOptions(), Finder())[1]))


def test_a_part_of_forty_metres_may_be_in_millimetres(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stl(tmp_path / "part.stl", 40.0)
    file = robot(tmp_path, '<mesh filename="part.stl"/>')
    [found] = drawn(file)
    assert (found.rule.name, found.severity.value) == ("mesh-in-millimetres", "warning")
    assert found.message == "the mesh 'part.stl' is 40 m large; if its file is in millimetres, write a scale of 0.001"
    assert found.span is not None
    assert found.span.line == 3
    assert main(["check", "--resources", "--json", str(file)]) == 0
    [listed] = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (listed["rule"], listed["message"], listed["line"]) == (found.rule.name, found.message, 3)


def test_its_fix_writes_the_scale_and_nothing_else(tmp_path: Path) -> None:
    stl(tmp_path / "part.stl", 40.0)
    file = robot(tmp_path, '<mesh filename="part.stl"/>')
    [fix] = drawn(file)[0].fixes
    before = file.read_text()
    file.write_text(open_document(file).edited(fix.replacements).text)
    assert file.read_text() == before.replace('"part.stl"/>', '"part.stl" scale="0.001 0.001 0.001"/>')
    assert drawn(file) == []


@pytest.mark.parametrize("mesh", ['<mesh filename="part.stl" scale="1 1 1"/>', '<mesh filename="small.stl"/>'])
def test_a_part_of_a_usual_size_or_with_a_scale_is_as_it_is_meant(tmp_path: Path, mesh: str) -> None:
    stl(tmp_path / "part.stl", 40.0)
    stl(tmp_path / "small.stl", 0.4)
    assert drawn(robot(tmp_path, mesh)) == []


def collada(path: Path, up_axis: str) -> None:
    path.write_text(
        f"<COLLADA><asset><unit meter='1'/>{up_axis}</asset><library_geometries><geometry id='g'><mesh>"
        "<source id='p'><float_array id='a' count='9'>0 0 0 1 0 0 0 0 2</float_array><technique_common>"
        "<accessor source='#a' count='3' stride='3'/></technique_common></source><vertices id='v'>"
        "<input semantic='POSITION' source='#p'/></vertices><triangles count='1'>"
        "<input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p></triangles></mesh></geometry>"
        "</library_geometries></COLLADA>"
    )


def test_another_up_axis_is_said_and_ignored_as_in_gazebo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    collada(tmp_path / "y.dae", "<up_axis>Y_UP</up_axis>")
    collada(tmp_path / "z.dae", "<up_axis>Z_UP</up_axis>")
    collada(tmp_path / "none.dae", "")
    file = robot(tmp_path, "")
    shapes = "".join(
        f'<visual><geometry><mesh filename="{name}.dae"/></geometry></visual>' for name in ("y", "z", "none")
    )
    file.write_text(f'<robot name="r">\n<link name="l">{INERTIAL}\n{shapes}\n</link></robot>\n')
    assert main(["check", "--resources", "--json", str(file)]) == 0
    [listed] = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (listed["rule"], listed["severity"], listed["line"]) == ("mesh-up-axis", "info", 3)
    assert listed["message"].startswith("the mesh 'y.dae' says Y_UP, which Gazebo ignores")
