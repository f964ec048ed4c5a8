"""How a text names its files where it is split off, includes a model, or is written in another folder."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.cli import main

LEG = '<?xml version="1.0"?>\n<sdf version="1.9">\n<model name="leg"><link name="foot"/></model>\n</sdf>\n'
ARM = """<?xml version="1.0"?>
<sdf version="1.9">
<model name="arm">
  <link name="base"><visual name="v"><geometry>
    <mesh><uri>meshes/a.stl</uri></mesh></geometry></visual></link>
  <include>
    <uri>leg.sdf</uri>
  </include>
  <model name="hand"><link name="palm"><collision name="c"><geometry>
    <mesh><uri>meshes/a.stl</uri></mesh></geometry></collision></link></model>
</model>
</sdf>
"""
PACKAGE = "<package><name>arm</name></package>"
STL = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n"


@pytest.fixture
def arm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file in a package that names a mesh and a model; the working directory is elsewhere."""
    folder = tmp_path / "ws/arm"
    (folder / "meshes").mkdir(parents=True)
    (folder / "meshes/a.stl").write_text(STL)
    (folder / "leg.sdf").write_text(LEG)
    (folder / "package.xml").write_text(PACKAGE)
    (tmp_path / "out").mkdir()
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    file = folder / "arm.sdf"
    file.write_text(ARM)
    return file


def uris_of(file: Path) -> list[str]:
    """Return what a file names, in the order of the text; all of it must be found."""
    model = sdfviewer.load(file)
    assert [each.message for each in model.diagnostics if "found" in each.message] == []
    named = [each for each in model.resources if each.location is not None and each.location.path == str(file)]
    assert all(each.path is not None for each in named)
    return [each.uri for each in named]


@pytest.mark.parametrize("command", ["edit", "convert"])
def test_a_text_that_is_written_in_another_folder_still_finds_its_files(
    arm: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = arm.parents[2] / "out/arm.sdf"
    how = ["--write-defaults"] if command == "edit" else ["--to", "1.9"]
    assert main([command, *how, "-o", str(out), str(arm)]) == 0
    assert uris_of(out) == ["../ws/arm/meshes/a.stl", "../ws/arm/leg.sdf"]
    assert "error" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("relative", ["../ws/arm/meshes/a.stl", "../ws/arm/leg.sdf"]),
        ("model", ["model://arm/meshes/a.stl", "model://arm/leg.sdf"]),
        ("package", ["package://arm/meshes/a.stl", "package://arm/leg.sdf"]),
        ("copied", ["meshes/a.stl", "leg.sdf"]),
    ],
)
def test_the_user_chooses_how_files_are_named(
    arm: Path, form: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GZ_SIM_RESOURCE_PATH", str(arm.parents[1]))
    out = arm.parents[2] / "out/arm.sdf"
    assert main(["edit", "--uris", form, "--write-defaults", "-o", str(out), str(arm)]) == 0
    assert uris_of(out) == expected
    assert (out.parent / "meshes/a.stl").exists() is (form == "copied")
    assert (out.parent / "leg.sdf").exists() is (form == "copied")


def test_a_whole_path_is_one_of_this_computer(arm: Path) -> None:
    out = arm.parents[2] / "out/arm.sdf"
    assert main(["edit", "--uris", "absolute", "--write-defaults", "-o", str(out), str(arm)]) == 0
    assert uris_of(out) == [(arm.parent / name).as_posix() for name in ("meshes/a.stl", "leg.sdf")]


def test_a_copy_never_replaces_another_file(arm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = arm.parents[2] / "out/arm.sdf"
    (out.parent / "leg.sdf").write_text("another")
    assert main(["edit", "--uris", "copied", "--write-defaults", "-o", str(out), str(arm)]) != 0
    assert "is another file" in capsys.readouterr().err
    assert (out.parent / "leg.sdf").read_text() == "another"
    assert not out.exists(), "it would name a copy that is not there"


def test_a_model_scheme_that_leads_nowhere_is_refused_with_what_is_needed(
    arm: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["edit", "--in-place", "--split-off", "hand=hand.sdf", "--uris", "model", str(arm)]) != 0
    assert f"add {arm.parents[1]} to the model folders" in capsys.readouterr().err
    (arm.parent / "package.xml").unlink()
    assert main(["edit", "--in-place", "--split-off", "hand=hand.sdf", "--uris", "model", str(arm)]) != 0
    assert "is in no folder with a model.config or a package.xml" in capsys.readouterr().err
    assert arm.read_text() == ARM


def test_split_off_says_that_drake_does_not_read_a_relative_include(
    arm: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (arm.parent / "parts").mkdir()
    assert main(["edit", "--in-place", "--split-off", "hand=parts/hand.sdf", str(arm)]) == 0
    assert "Drake does not find 'parts/hand.sdf'" in capsys.readouterr().err
    assert "<uri>parts/hand.sdf</uri>" in arm.read_text()
    assert uris_of(arm.parent / "parts/hand.sdf") == ["../meshes/a.stl"]


def test_split_off_names_a_model_of_a_package_as_gazebo_and_drake_read_it(
    arm: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    models = str(arm.parents[1])
    assert main(["edit", "--in-place", "--split-off", "hand=hand.sdf", "--path", models, str(arm)]) == 0
    assert "<uri>model://arm/hand.sdf</uri>" in arm.read_text()
    assert "Drake" not in capsys.readouterr().err


def test_split_off_copies_what_the_part_names(arm: Path) -> None:
    out = arm.parents[2] / "out"
    assert main(["edit", "--in-place", "--split-off", f"hand={out}/hand.sdf", "--uris", "copied", str(arm)]) == 0
    assert uris_of(out / "hand.sdf") == ["meshes/a.stl"]
    assert (out / "meshes/a.stl").read_text() == STL


def test_an_include_is_named_as_the_user_chooses(arm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hand = arm.parents[2] / "out/hand.sdf"
    hand.write_text(LEG.replace("leg", "hand2"))
    add = ["edit", "--in-place", "--add", "include:h", "--uri", str(hand), "--uris"]
    assert main([*add, "relative", str(arm)]) == 0
    assert "<uri>../../out/hand.sdf</uri>" in arm.read_text()
    assert "Drake does not find" in capsys.readouterr().err
    arm.write_text(ARM)
    assert main([*add, "copied", str(arm)]) == 0
    assert "<uri>models/hand.sdf</uri>" in arm.read_text()
    assert (arm.parent / "models/hand.sdf").read_text() == hand.read_text()


@pytest.mark.parametrize("kind", ["visual", "collision"])
@pytest.mark.parametrize(
    ("form", "uri"), [("relative", "../../out/b.stl"), ("package", "package://out/b.stl"), ("copied", "meshes/b.stl")]
)
def test_a_mesh_is_named_as_the_user_chooses(arm: Path, kind: str, form: str, uri: str) -> None:
    mesh = arm.parents[2] / "out/b.stl"
    mesh.write_text(STL)
    (mesh.parent / "package.xml").write_text(PACKAGE.replace("arm", "out"))
    add = ["edit", "--in-place", "--path", str(mesh.parent.parent), "--add", f"{kind}:new", "--in", "hand::palm"]
    assert main([*add, "--uri", str(mesh), "--uris", form, str(arm)]) == 0
    assert f"<uri>{uri}</uri>" in arm.read_text()
    assert (arm.parent / "meshes/b.stl").exists() is (form == "copied")


def test_a_mesh_that_is_not_found_is_named_in_no_other_way(arm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add = ["edit", "--in-place", "--add", "visual:new", "--in", "hand::palm", "--uri", "none.stl"]
    assert main([*add, "--uris", "model", str(arm)]) != 0
    assert "'none.stl' is not found" in capsys.readouterr().err
    assert main([*add, str(arm)]) == 0
    assert "<uri>none.stl</uri>" in arm.read_text()


def test_an_include_of_an_unsaved_text_is_not_relative_to_the_working_directory(
    arm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(arm.parent)
    document = sdfviewer.new()
    with document.edit() as edit:
        edit.add_include("leg.sdf")
    assert f"<uri>{(arm.parent / 'leg.sdf').as_posix()}</uri>" in document.text


def test_save_as_reads_back(arm: Path) -> None:
    out = arm.parents[2] / "out/arm.sdf"
    document = sdfviewer.open_document(arm)
    document.save(out)
    assert uris_of(out) == ["../ws/arm/meshes/a.stl", "../ws/arm/leg.sdf"]
    document.undo()
    assert document.text == ARM


def test_save_as_warns_of_what_is_not_found_there(arm: Path) -> None:
    out = arm.parents[2] / "out/arm.sdf"
    document = sdfviewer.open_document(arm)
    with pytest.warns(UserWarning, match="not found") as warned:
        document.save(out, uris="keep")
    assert str(warned[0].message).splitlines() == [
        f"{arm}:{line}: '{uri}' is not found from {out.parent}"
        for line, uri in ((5, "meshes/a.stl"), (7, "leg.sdf"), (10, "meshes/a.stl"))
    ]
    assert out.read_text() == ARM


def test_a_scheme_that_leads_nowhere_from_the_new_folder_is_written_otherwise_and_said(
    arm: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arm.write_text(ARM.replace("meshes/a.stl", "model://arm/meshes/a.stl"))
    out = arm.parents[2] / "out/arm.sdf"
    assert main(["edit", "--write-defaults", "-o", str(out), str(arm)]) == 0
    assert "'model://arm/meshes/a.stl' is not found from" in capsys.readouterr().err
    assert uris_of(out) == ["../ws/arm/meshes/a.stl", "../ws/arm/leg.sdf"]


def test_includes_of_a_xacro_file_lead_to_their_files_from_another_folder(arm: Path) -> None:
    pytest.importorskip("xacro")
    xacro = arm.parent / "r.urdf.xacro"
    space = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
    (arm.parent / "part.xacro").write_text(f'<robot {space}><link name="b"/></robot>')
    xacro.write_text(f'<robot name="r" {space}><xacro:include filename="part.xacro"/></robot>')
    document = sdfviewer.open_document(xacro)
    document.save(arm.parents[2] / "out/r.urdf.xacro")
    assert 'filename="../ws/arm/part.xacro"' in document.text
    assert [each.name for each in document.model.links] == ["b"]


def test_an_srdf_says_that_its_robot_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "robot").mkdir()
    (tmp_path / "far/away/out").mkdir(parents=True)
    (tmp_path / "robot/r.urdf").write_text('<robot name="r"><link name="b"/></robot>')
    srdf = tmp_path / "robot/r.srdf"
    srdf.write_text('<robot name="r"><group name="g"><link name="b"/></group></robot>')
    document = sdfviewer.open_document(srdf)
    with pytest.warns(UserWarning, match=r"r\.srdf:1: its robot is .*r\.urdf, which is not there"):
        document.save(tmp_path / "far/away/out/r.srdf")


@pytest.mark.parametrize("uris", [None, "copied"])
def test_what_the_library_converts_finds_its_files_from_another_folder(arm: Path, uris: str | None) -> None:
    arm.write_text(ARM.replace("  <include>\n    <uri>leg.sdf</uri>\n  </include>\n", ""))
    out = arm.parents[2] / "out"
    sdfviewer.load(arm).convert("flat").save(out / "arm.sdf", uris=uris)  # type: ignore[arg-type]  # it is one of them
    assert set(uris_of(out / "arm.sdf")) == {"../ws/arm/meshes/a.stl" if uris is None else "meshes/a.stl"}
    assert (out / "meshes/a.stl").exists() is (uris == "copied")


def test_what_an_included_file_finds_beside_the_text_alone_is_said(arm: Path) -> None:
    (arm.parent / "sub").mkdir()
    part = arm.parent / "sub/part.sdf"
    part.write_text(
        '<sdf version="1.9">\n<model name="part"><link name="p"/>\n<include><uri>leg.sdf</uri></include></model></sdf>'
    )
    arm.write_text('<sdf version="1.9"><model name="m"><include><uri>sub/part.sdf</uri></include></model></sdf>')
    document = sdfviewer.open_document(arm)
    assert document.diagnostics == ()
    with pytest.warns(UserWarning, match="not found any more") as warned:
        document.save(arm.parents[2] / "out/arm.sdf")
    assert str(warned[0].message) == f"{part}:3: 'leg.sdf' is not found any more: it was beside {arm}"
