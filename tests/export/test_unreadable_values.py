"""A colour that is none, or a mesh without a file, is left out of what a conversion writes, in a line that says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.cli import main
from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
URDF = f"""<robot name="r">
  <material name="paint"><color rgba="COLOUR"/></material>
  <link name="base">{INERTIAL}
    <visual><geometry><box size="1 1 1"/></geometry>
      <material name="a"><color rgba="COLOUR"/></material></visual>
    <visual><geometry><box size="1 1 1"/></geometry><material name="paint"/></visual>
  </link>
</robot>
"""
SDF = """<sdf version="1.9"><model name="m"><link name="base"><inertial><mass>1</mass></inertial>
  <visual name="v"><geometry><box><size>1 1 1</size></box></geometry>
    <material><diffuse>COLOUR</diffuse></material></visual>
</link></model></sdf>
"""
MESH_URDF = f"""<robot name="r"><link name="base">{INERTIAL}
  <collision><geometry><mesh filename=""/></geometry></collision>
</link></robot>
"""
MESH_SDF = """<sdf version="1.9"><model name="m"><link name="base"><inertial><mass>1</mass></inertial>
  <collision name="c"><geometry><mesh><uri></uri></mesh></geometry></collision>
</link></model></sdf>
"""


def convert(folder: Path, text: str, target: str) -> str:
    """Return the text of a conversion with its losses allowed."""
    file, out = folder / ("r.sdf" if text.startswith("<sdf") else "r.urdf"), folder / f"out.{target}"
    file.write_text(text, encoding="utf-8")
    main(["convert", "--to", target, "--allow-loss", str(file), "-o", str(out)])
    return out.read_text(encoding="utf-8")


@pytest.mark.parametrize("colour", ["#f00", "nan 0 0 1", "1 0 0 inf", "1 0", "red"])
@pytest.mark.parametrize(
    ("text", "target", "places"),
    [(URDF, "urdf", (4, 6)), (URDF, "1.9", (5, 2)), (URDF, "mjcf", (4, 6)), (SDF, "urdf", (2,)), (SDF, "mjcf", (2,))],
    ids=["urdf-urdf", "urdf-sdf", "urdf-mjcf", "sdf-urdf", "sdf-mjcf"],
)
def test_a_colour_that_is_none_is_a_loss(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, target: str, places: tuple[int, ...], colour: str
) -> None:
    written = convert(tmp_path, text.replace("COLOUR", colour), target)
    assert colour not in written
    said = [line for line in capsys.readouterr().err.splitlines() if f"'{colour}' is not a colour" in line]
    suffix = "sdf" if text is SDF else "urdf"
    assert [line.split(": ")[0] for line in said] == [f"{tmp_path / 'r.'}{suffix}:{place}" for place in places]
    if target != "mjcf":
        model = Loader().load(parse_document(written))
        assert model is not None
        assert [each.message for each in model.diagnostics if each.is_error] == []


def test_a_colour_beyond_1_is_written_as_it_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = convert(tmp_path, URDF.replace("COLOUR", "255 0 0 1"), "urdf")
    assert written.count('rgba="1 0 0 1"') == 2
    assert "this one is 255 0 0 1: 1 0 0 1 is written" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "target"), [(MESH_URDF, "urdf"), (MESH_URDF, "1.9"), (MESH_SDF, "urdf")])
def test_a_mesh_without_a_file_is_a_loss(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, target: str
) -> None:
    assert "mesh" not in convert(tmp_path, text, target)
    said = capsys.readouterr().err
    assert ":2: " in said
    assert "names no file; it is left out" in said
    assert "error of sdfviewer" not in said
