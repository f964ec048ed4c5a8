"""Bundles: a model and its meshes in a folder that can be moved, in every format and form of mesh."""

from __future__ import annotations

import os
import re
import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.cli import main
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.export.bundle import Bundle
from sdfviewer.files.finder import Finder
from sdfviewer.files.uris import AssetKind
from sdfviewer.formats.load import load_model
from sdfviewer.scene.assets import find_assets
from tests.frames import frame_in

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def stl(path: Path) -> None:
    corners = struct.pack("<12f", 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0) + b"\0\0"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\0" * 80 + struct.pack("<I", 2) + corners * 2)


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    stl(tmp_path / "here" / "meshes" / "hand.stl")
    (tmp_path / "here" / "meshes" / "leg.obj").write_text(
        "mtllib leg.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl skin\nf 1/1 2/2 3/3\n"
    )
    (tmp_path / "here" / "meshes" / "leg.mtl").write_text("newmtl skin\nKd 1 0 0\nmap_Kd skin.png\n")
    from PIL import Image

    Image.new("RGB", (2, 2), (255, 0, 0)).save(tmp_path / "here" / "meshes" / "skin.png")
    file = tmp_path / "here" / "r.urdf"
    visual = '<visual><geometry><mesh filename="meshes/{}" scale="2 2 2"/></geometry></visual>'
    file.write_text(
        f'<robot name="r"><link name="a">{INERTIAL}{visual.format("hand.stl")}</link><link name="b">{INERTIAL}'
        f'{visual.format("leg.obj")}</link><joint name="j" type="revolute"><parent link="a"/><child link="b"/>'
        '<origin xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>'
    )
    return file


def bundle(robot: Path, *options: str) -> Path:
    folder = robot.parents[1] / "bundle"
    assert main(["convert", "--bundle", str(folder), *options, str(robot)]) == 0
    return folder


def triangles(file: Path, *, paths: list[Path] | None = None) -> list[int | None]:
    model = load_model(file, paths=paths or ())
    found = find_assets(model, Finder(paths or ()))
    assert not [each.uri for each in found if each.is_missing]
    return [each.triangles for each in found if each.kind is AssetKind.MESH]


@pytest.mark.parametrize("meshes", ["keep", "obj", "stl", "glb"])
@pytest.mark.parametrize("target", ["urdf", "1.9"])
def test_it_loads_in_another_folder(robot: Path, target: str, meshes: str, tmp_path: Path) -> None:
    before = load_model(robot)
    folder = bundle(robot, "--to", target, "--meshes", meshes)
    robot.parent.rename(tmp_path / "gone")
    moved = folder.rename(tmp_path / "elsewhere")
    file = moved / ("r.urdf" if target == "urdf" else "r.sdf")
    # Flat meshes that are converted for MuJoCo get a back.
    assert triangles(file) == ([4, 2] if target == "urdf" and meshes != "keep" else [2, 1])
    after = load_model(file)
    for name in ("r::a", "r::b", "r::j"):
        np.testing.assert_allclose(frame_in(after, name).pose, frame_in(before, name).pose, atol=1e-12)
    if meshes in ("keep", "obj"):
        assert [path.name for path in moved.rglob("*.png")] == ["skin.png"]


@pytest.mark.parametrize(("target", "scheme"), [("urdf", "package://r/"), ("1.9", "model://r/")])
def test_names_of_packages(robot: Path, target: str, scheme: str, tmp_path: Path) -> None:
    folder = bundle(robot, "--to", target, "--uris", "package")
    assert scheme in (folder / ("r.urdf" if target == "urdf" else "r.sdf")).read_text()
    moved = folder.rename(tmp_path / "r")  # as the scheme names it
    assert triangles(moved / ("r.urdf" if target == "urdf" else "r.sdf"), paths=[tmp_path]) == [2, 1]
    assert (moved / ("package.xml" if target == "urdf" else "model.config")).is_file()


def test_names_by_full_paths(robot: Path) -> None:
    folder = bundle(robot, "--to", "urdf", "--uris", "absolute")
    assert f'filename="{folder.as_posix()}/meshes/' in (folder / "r.urdf").read_text()


def test_what_is_lost_is_listed_and_nothing_is_overwritten(
    robot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    robot.write_text(robot.read_text().replace("hand.stl", "nowhere.stl"))
    folder = tmp_path / "bundle"
    assert main(["convert", "--to", "urdf", "--bundle", str(folder), str(robot)]) == 1
    assert (
        "r.urdf:1: lost: visual 'r::a::a_visual': the mesh meshes/nowhere.stl is not found" in capsys.readouterr().err
    )
    assert main(["convert", "--to", "urdf", "--bundle", str(folder), str(robot)]) == 2
    assert "not empty" in capsys.readouterr().err
    assert main(["convert", "--to", "flat", "--bundle", str(tmp_path / "other"), str(robot)]) == 2


def test_a_mesh_that_cannot_be_read_is_copied_with_a_note(robot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = robot.parent / "meshes" / "leg.obj"
    broken.write_text("mtllib leg.mtl\nv 0 0 0\nf 1 2 3\n")
    folder = bundle(robot, "--to", "urdf")
    assert (folder / "meshes" / "leg" / "leg.obj").read_bytes() == broken.read_bytes()
    assert (folder / "meshes" / "hand" / "hand.stl").is_file()
    assert f"{robot}: the mesh meshes/leg.obj " in capsys.readouterr().err


def test_a_large_file_is_copied_in_little_memory(tmp_path: Path) -> None:
    large, size = tmp_path / "large.stl", 64 << 20
    with open(large, "wb") as file:
        file.truncate(size)
    tracemalloc.start()
    try:
        Bundle("m.sdf", "<sdf/>", {"meshes/large.stl": large}).write(tmp_path / "bundle")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (tmp_path / "bundle" / "meshes" / "large.stl").stat().st_size == size
    assert peak < size // 4


@pytest.mark.parametrize("is_there", [False, True])
def test_a_bundle_is_written_as_a_whole_or_not_at_all(tmp_path: Path, is_there: bool) -> None:
    folder, mesh = tmp_path / "new" / "bundle", tmp_path / "hand.stl"
    if is_there:
        folder.mkdir(parents=True)
    made = Bundle("r.sdf", "<sdf/>", {"meshes/a.stl": b"a", "meshes/b.stl": mesh})
    with pytest.raises(SdfViewerError, match=rf"^cannot read {re.escape(str(mesh))}: No such file"):
        made.write(folder)
    with pytest.raises(SdfViewerError, match=rf"^cannot write {re.escape(str(folder))}: "):
        Bundle("r.sdf", "<sdf/>", {"a": b"a", "a/b": b"b"}).write(folder)
    assert [path for path in tmp_path.rglob("*") if path not in (folder, folder.parent)] == []
    assert folder.exists() == is_there
    mesh.write_bytes(b"b")
    made.write(folder)
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()) == [
        "meshes/a.stl",
        "meshes/b.stl",
        "r.sdf",
    ]
    assert [path.name for path in folder.parent.iterdir()] == ["bundle"]


def test_moments_that_no_body_has_are_replaced_in_a_bundle_only(
    robot: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    robot.write_text(robot.read_text().replace('ixx="1" iyy="1"', 'ixx="0" iyy="0"'))
    assert main(["convert", "--to", "urdf", str(robot)]) == 1  # the file has this error already
    assert b'ixx="0.0"' in capsysbinary.readouterr().out
    folder = robot.parents[1] / "bundle"
    assert main(["convert", "--to", "urdf", "--bundle", str(folder), str(robot)]) == 1
    assert b"'r::a': its moments of inertia are impossible: 0.333 is written" in capsysbinary.readouterr().err
    assert 'ixx="0.0"' not in (folder / "r.urdf").read_text()


def test_mjcf_without_a_bundle_names_meshes_where_they_are(
    robot: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    mesh = robot.parent / "meshes" / "hand.stl"
    assert main(["convert", "--to", "mjcf", str(robot)]) == 0
    assert f'file="{mesh.as_posix()}"'.encode() in capsysbinary.readouterr().out
    written = tmp_path / "elsewhere.xml"
    assert main(["convert", "--to", "mjcf", "-o", str(written), str(robot)]) == 0
    assert mesh.as_posix() in written.read_text()
    robot.write_text(robot.read_text().replace("hand.stl", "hand.dae"))
    mesh.rename(mesh.with_suffix(".dae"))
    capsysbinary.readouterr()
    assert main(["convert", "--to", "mjcf", str(robot)]) == 1
    out, err = capsysbinary.readouterr()
    assert b"r.urdf:1: lost: visual 'r::a::a_visual': MuJoCo does not read hand.dae; --bundle DIR converts it" in err
    assert b"hand.dae" not in out


@pytest.mark.parametrize("target", ["urdf", "mjcf", "sdf", "1.9"])
def test_a_xacro_file_becomes_a_bundle(robot: Path, target: str, tmp_path: Path) -> None:
    pytest.importorskip("xacro")
    program = robot.with_name("r.urdf.xacro")
    program.write_text(robot.read_text().replace("<robot ", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" '))
    folder = bundle(program, "--to", target)
    (written,) = (file for file in folder.iterdir() if file.suffix in (".urdf", ".sdf", ".xml"))
    assert written.stem == "r"
    if target != "mjcf":
        assert load_model(written).names[1] == "r::a"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--to", "urdf", "--meshes", "obj"], "go with --bundle"),
        (["--to", "urdf", "--bundle", "b", "-o", "r.urdf"], "use only one of them"),
    ],
)
def test_options_that_exclude_each_other(
    robot: Path,
    options: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["convert", *options, str(robot)]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "b").exists()


def test_a_file_with_errors_says_why_the_exit_code_is_not_zero(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "r.urdf"
    file.write_text(f'<robot name="r"><link name="a::b">{INERTIAL}</link></robot>')
    assert main(["convert", "--to", "urdf", "--bundle", str(tmp_path / "b"), str(file)]) == 1
    assert "has errors" in capsys.readouterr().err


@pytest.mark.parametrize("meshes", ["keep", "obj"])
def test_only_what_a_model_uses_is_copied(tmp_path: Path, meshes: str) -> None:
    secret = tmp_path / "home" / "keys"
    secret.mkdir(parents=True)
    for name in ("id_rsa", "secret.txt"):
        (secret / name).write_text("key")
    script = "<script><uri>{}</uri><name>m</name></script>"
    script += f"<pbr><metal><albedo_map>{secret}/id_rsa</albedo_map></metal></pbr>"
    shape = f"<geometry><mesh><uri>{secret}/secret.txt</uri></mesh></geometry>"
    visuals = "".join(
        f'<visual name="{name}">{shape}<material>{script.format(uri)}</material></visual>'
        for name, uri in (("v", secret), ("w", "file:///"))
    )
    file = tmp_path / "m.sdf"
    file.write_text(f'<sdf version="1.9"><model name="m"><link name="a">{visuals}</link></model></sdf>')
    folder = tmp_path / "out"
    main(["convert", "--to", "1.9", "--bundle", str(folder), "--meshes", meshes, "--allow-loss", str(file)])
    copied = [each.name for each in folder.rglob("*") if each.is_file()]
    assert copied == ["m.sdf"]
    main(["assets", "--copy", str(tmp_path / "copy"), str(file)])
    copied = [each.name for each in (tmp_path / "copy").rglob("*") if each.is_file()]
    assert not {"id_rsa", "secret.txt"} & set(copied)


@pytest.fixture
def linked(robot: Path) -> Path:
    """Return a robot whose mesh is a link to a key of the user, and its texture one to a picture elsewhere."""
    home = robot.parents[1] / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "id_rsa").write_text("key")
    (home / "photo.png").write_bytes((robot.parent / "meshes" / "skin.png").read_bytes())
    for name, target in (("hand.stl", ".ssh/id_rsa"), ("skin.png", "photo.png")):
        link = robot.parent / "meshes" / name
        link.unlink()
        link.symlink_to(home / target)
    return robot


posix = pytest.mark.skipif(os.name == "nt", reason="links need a permission there")


def content(folder: Path) -> set[str]:
    return {file.name for file in folder.rglob("*") if file.is_file()}


@posix
@pytest.mark.parametrize(
    ("target", "meshes"),
    [("urdf", "keep"), ("urdf", "obj"), ("urdf", "glb"), ("1.9", "keep"), ("1.9", "glb"), ("mjcf", "obj")],
)
def test_what_a_link_elsewhere_leads_to_is_in_no_bundle(
    linked: Path, target: str, meshes: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = linked.parents[1] / "out"
    main(["convert", "--to", target, "--bundle", str(folder), "--meshes", meshes, "--allow-loss", str(linked)])
    assert any(name.startswith("leg") for name in content(folder))
    assert not any(name.startswith(("hand", "skin", "photo")) for name in content(folder))
    assert not any(file.read_bytes() == b"key" or b"PNG" in file.read_bytes() for file in folder.rglob("*.*"))
    err = capsys.readouterr().err
    meshes_here, home = linked.parent / "meshes", linked.parents[1] / "home"
    key = f"{meshes_here / 'hand.stl'} is not copied: it is a link to {home / '.ssh' / 'id_rsa'}, whose name"
    photo = f"{meshes_here / 'skin.png'} is not copied: it is a link to {home / 'photo.png'}, outside of the model"
    assert key in err
    assert photo in err


@posix
def test_what_a_link_elsewhere_leads_to_is_not_among_the_copied_assets(
    linked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, home = linked.parents[1] / "copy", linked.parents[1] / "home"
    main(["assets", "--copy", str(folder), str(linked)])
    assert content(folder) == {"leg.obj", "leg.mtl"}
    assert f"it is a link to {home / '.ssh' / 'id_rsa'}, whose name does not end in '.stl'" in capsys.readouterr().err
    main(["assets", "--copy", str(folder.with_name("allowed")), "--path", str(home), str(linked)])
    assert content(folder.with_name("allowed")) == {"leg.obj", "leg.mtl", "skin.png"}


@posix
def test_a_folder_that_is_a_link_elsewhere_is_not_copied(linked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    meshes = linked.parent / "meshes"
    moved = meshes.rename(linked.parents[1] / "home" / "meshes")
    meshes.symlink_to(moved)
    folder = linked.parents[1] / "copy"
    main(["assets", "--copy", str(folder), str(linked)])
    assert content(folder) == set()
    assert f"is a link to {moved / 'leg.obj'}, outside of the model; add {moved} to" in capsys.readouterr().err


@posix
@pytest.mark.parametrize("kind", ["in the folder", "in the project", "above all", "an installed package"])
def test_what_links_of_a_model_lead_to_is_copied(robot: Path, kind: str) -> None:
    """As in a workspace that colcon has built with --symlink-install, or on a disk with links above the model."""
    hand = robot.parent / "meshes" / "hand.stl"
    opened, around = robot, robot.parents[1]
    if kind == "in the folder":
        hand.rename(hand.with_name("left.stl"))
        hand.symlink_to("left.stl")
    elif kind == "in the project":
        (around / ".git").mkdir()
        (around / "shared").mkdir()
        hand.symlink_to(hand.rename(around / "shared" / "left.stl"))
    elif kind == "above all":
        (around / "link").symlink_to(robot.parent)
        opened = around / "link" / robot.name
    else:
        (robot.parent / "package.xml").write_text("<package><name>r</name></package>")
        installed = around / "install" / "share" / "r"
        for file in [each for each in robot.parent.rglob("*") if each.is_file()]:
            link = installed / file.relative_to(robot.parent)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(file)
        opened = installed / robot.name
    before = hand.read_bytes()
    assert main(["convert", "--to", "urdf", "--bundle", str(around / "out"), str(opened)]) == 0
    [copied] = (around / "out").rglob("hand.stl")
    assert copied.read_bytes() == before
    assert not copied.is_symlink()
    assert main(["assets", "--copy", str(around / "copy"), str(opened)]) == 0
    assert content(around / "copy") == {"hand.stl", "leg.obj", "leg.mtl", "skin.png"}


def test_every_use_of_a_file_is_rewritten_in_sdformat(tmp_path: Path) -> None:
    stl(tmp_path / "here" / "meshes" / "hand.stl")
    scripts = tmp_path / "here" / "materials"
    for name in ("scripts", "textures"):
        (scripts / name).mkdir(parents=True)
        (scripts / name / "a.material").write_text("x")
    uris = "<uri>materials/scripts</uri><uri>materials/textures</uri>"
    script = f"<material><script>{uris}<name>m</name></script></material>"
    mesh = "<geometry><mesh><uri>meshes/hand.stl</uri></mesh></geometry>"
    file = tmp_path / "here" / "m.sdf"
    parts = f'<visual name="v">{mesh}{script}</visual><visual name="w">{mesh}{script}</visual>'
    file.write_text(f'<sdf version="1.9"><model name="m"><link name="a">{parts}</link></model></sdf>')
    folder = bundle(file, "--to", "1.9", "--meshes", "obj")
    text = (folder / "m.sdf").read_text()
    assert text.count("<uri>meshes/hand.obj</uri>") == 2
    assert text.count(uris) == 2
    assert main(["check", "--resources", "--strict", str(folder / "m.sdf")]) == 0


def test_bytes_that_are_not_utf_8_stay_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "m.sdf"
    file.write_bytes(b'<sdf version="1.9"><model name="m"><link name="l"/><!-- \xff --></model></sdf>')
    assert main(["convert", "--to", "1.9", "--bundle", str(tmp_path / "out"), str(file)]) == 0
    (written,) = (path for path in (tmp_path / "out").rglob("*.sdf"))
    assert b"<!-- \xff -->" in written.read_bytes()
