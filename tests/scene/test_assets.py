"""What a model names: found with its size, or missing with where it was looked for and what may have been meant."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

from sdfviewer.cli import main
from sdfviewer.document.document import Document
from sdfviewer.files.finder import Finder
from sdfviewer.files.uris import AssetKind
from sdfviewer.formats.load import load_model
from sdfviewer.scene.assets import Asset, diagnose_assets, find_assets


def stl(path: Path, triangles: int = 2) -> Path:
    corners = struct.pack("<12f", 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0) + b"\0\0"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\0" * 80 + struct.pack("<I", triangles) + corners * triangles)
    return path


def visual(name: str, geometry: str, more: str = "") -> str:
    return f'<visual name="{name}"><geometry>{geometry}</geometry>{more}</visual>'


def assets_of(file: Path) -> list[Asset]:
    return find_assets(load_model(file), Finder())


@pytest.fixture
def model(tmp_path: Path) -> Path:
    stl(tmp_path / "meshes" / "hand.stl", 3)
    (tmp_path / "meshes" / "broken.stl").write_bytes(b"solid")
    (tmp_path / "other.sdf").write_text('<sdf version="1.9"><model name="o"><link name="a"/></model></sdf>')
    file = tmp_path / "model.sdf"
    mesh = "<mesh><uri>meshes/{}</uri></mesh>"
    file.write_text(
        '<sdf version="1.9"><model name="m"><include><uri>other.sdf</uri></include>\n<link name="a">'
        + "\n".join(
            (
                visual("v1", mesh.format("hand.stl")),
                visual("v2", mesh.format("HAND.STL")),
                visual("v3", mesh.format("broken.stl")),
                visual("v4", "<mesh><uri>meshes/hand.stl</uri><submesh><name>finger</name></submesh></mesh>"),
                visual(
                    "v5",
                    "<box><size>1 1 1</size></box>",
                    "<material><pbr><metal><albedo_map>skin.png</albedo_map></metal></pbr></material>",
                ),
            )
        )
        + '</link><plugin name="p" filename="libp.so"><script><uri>a.lua</uri></script></plugin></model></sdf>'
    )
    return file


def test_every_file_is_listed_where_it_is_named(model: Path) -> None:
    found = assets_of(model)
    assert [(each.kind, each.uri) for each in found] == [
        (AssetKind.INCLUDE, "other.sdf"),
        (AssetKind.MESH, "meshes/hand.stl"),
        (AssetKind.MESH, "meshes/HAND.STL"),
        (AssetKind.MESH, "meshes/broken.stl"),
        (AssetKind.MESH, "meshes/hand.stl"),
        (AssetKind.TEXTURE, "skin.png"),
        (AssetKind.PLUGIN, "libp.so"),
    ]
    hand = found[1]
    assert (hand.path, hand.triangles) == (model.parent / "meshes" / "hand.stl", 3)
    assert hand.path is not None
    assert hand.size == hand.path.stat().st_size
    assert found[4].problem.startswith("has no submesh 'finger'")


def test_what_is_missing_says_where_it_was_looked_for_and_what_is_near(model: Path) -> None:
    wrong = assets_of(model)[2]
    assert wrong.is_missing
    assert model.parent / "meshes" / "HAND.STL" in wrong.tried
    assert wrong.near == "meshes/hand.stl"


def test_plugins_are_looked_for_in_the_environment_of_the_finder(model: Path, tmp_path: Path) -> None:
    library = tmp_path / "plugins" / "libp.so"
    library.parent.mkdir()
    library.write_bytes(b"code")
    environ = {"GZ_SIM_SYSTEM_PLUGIN_PATH": str(library.parent)}
    plugin = find_assets(load_model(model), Finder(environ=environ))[-1]
    assert (plugin.kind, plugin.path, plugin.size) == (AssetKind.PLUGIN, library, 4)


def test_check_reports_them_at_their_lines_only_where_asked(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--strict", str(model)]) == 0
    assert main(["check", "--strict", "--resources", "--json", str(model)]) == 1
    found = json.loads(capsys.readouterr().out.splitlines()[-1])["diagnostics"]
    assert [(each["rule"], each["line"]) for each in found] == [
        ("resource-missing", 3),
        ("resource-unreadable", 4),
        ("resource-unreadable", 5),
        ("resource-missing", 6),
    ]
    fix = found[0]["fixes"][0]
    assert fix["label"] == "replace it by 'meshes/hand.stl'"
    text = model.read_text()
    change = fix["replacements"][0]
    fixed = text[: change["start"]] + change["text"] + text[change["end"] :]
    assert "HAND.STL" not in fixed


def test_assets_lists_and_copies(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["assets", str(model)]) == 1
    out = capsys.readouterr().out
    assert "3 triangles" in out
    assert "did you mean meshes/hand.stl?" in out
    assert main(["assets", "--json", "--copy", str(tmp_path / "copy"), str(model)]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["kind"] for line in lines][:2] == ["include", "mesh"]
    assert (tmp_path / "copy" / "meshes" / "hand.stl").read_bytes() == (model.parent / "meshes/hand.stl").read_bytes()
    assert main(["assets", "--copy", str(tmp_path / "copy"), str(model)]) == 2


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("parts/big box.stl", "Parts/Big box.stl"),
        ("file://PARTS/Big box.stl", "file://Parts/Big box.stl"),
        ("Parts/Big%20box.stl", "Parts/Big box.stl"),
        ("Parts\\Big box.stl", "Parts/Big box.stl"),
        ("hand/../parts/Big box.stl", "hand/../Parts/Big box.stl"),
        ("model://hand/Meshes/hand.stl", "model://hand/meshes/hand.stl"),
    ],
)
def test_a_name_that_differs_in_spelling_is_suggested(written: str, meant: str, tmp_path: Path) -> None:
    (tmp_path / "Parts").mkdir()
    (tmp_path / "hand/meshes").mkdir(parents=True)
    if (tmp_path / "parts").exists():
        pytest.skip("the file system takes both spellings for one")
    stl(tmp_path / "Parts/Big box.stl")
    stl(tmp_path / "hand/meshes/hand.stl")
    file = tmp_path / "model.sdf"
    file.write_text(
        '<sdf version="1.12"><model name="m"><link name="a"><visual name="v"><geometry>'
        f"<mesh><uri>{written}</uri></mesh></geometry></visual></link></model></sdf>"
    )
    finder = Finder([tmp_path])
    [asset] = find_assets(load_model(file, paths=[tmp_path]), finder)
    assert asset.is_missing
    assert asset.near == meant


def test_a_folder_is_not_suggested_for_a_mesh(tmp_path: Path) -> None:
    (tmp_path / "walk").mkdir()
    file = tmp_path / "model.sdf"
    file.write_text(
        '<sdf version="1.12"><model name="m"><link name="a"><visual name="v"><geometry><mesh><uri>walk.dae</uri></mesh>'
        "</geometry></visual></link></model></sdf>"
    )
    [asset] = find_assets(load_model(file), Finder())
    assert (asset.is_missing, asset.near) == (True, "")


def test_a_folder_is_no_mesh(tmp_path: Path) -> None:
    (tmp_path / "meshes").mkdir()
    file = tmp_path / "model.sdf"
    file.write_text(
        '<sdf version="1.12"><model name="m"><link name="a"><visual name="v"><geometry><mesh><uri>meshes</uri></mesh>'
        "</geometry></visual></link></model></sdf>"
    )
    [asset] = find_assets(load_model(file), Finder())
    assert asset.problem == "is a folder, not a file"


def test_the_folder_of_a_material_script_is_copied_with_its_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    materials = tmp_path / "materials"
    for name in ("scripts/box.material", "textures/wood.png", "textures/deep/er.png"):
        (materials / name).parent.mkdir(parents=True, exist_ok=True)
        (materials / name).write_text(name)
    file = tmp_path / "model.sdf"
    uris = "".join(f"<uri>file://{(materials / name).as_posix()}</uri>" for name in ("scripts", "textures"))
    file.write_text(
        '<sdf version="1.12"><model name="m"><link name="a"><visual name="v"><geometry><sphere><radius>1</radius>'
        f"</sphere></geometry><material><script>{uris}<name>Box</name></script></material></visual></link></model></sdf>"
    )
    copy = tmp_path / "copy"
    assert main(["assets", "--copy", str(copy), str(file)]) == 0
    assert "3 files copied" in capsys.readouterr().err
    for name in ("scripts/box.material", "textures/wood.png", "textures/deep/er.png"):
        assert (copy / "materials" / name).read_text() == name


def test_a_urdf_names_its_meshes_in_attributes(tmp_path: Path) -> None:
    stl(tmp_path / "hand.stl")
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    file = tmp_path / "r.urdf"
    file.write_text(
        f'<robot name="r"><link name="a">{inertial}<visual><geometry><mesh filename="hnd.stl"/></geometry>'
        '<material name="x"><texture filename="hand.stl"/></material></visual></link></robot>'
    )
    mesh, texture = assets_of(file)
    assert (mesh.uri, mesh.near, mesh.part) == ("hnd.stl", "hand.stl", "@filename")
    assert texture.path == tmp_path / "hand.stl"
    assert isinstance(mesh.document, Document)


def test_a_robot_that_lacks_a_mesh(collection: Path) -> None:
    found = assets_of(collection / "partial/snapshot-main/urdf/sled.urdf")
    meshes = [each for each in found if each.kind is AssetKind.MESH]
    missing = {Path(each.uri).name for each in meshes if each.path is None}
    assert missing == {"deck.dae"}
    assert len(meshes) > len(missing)
    assert all(each.triangles for each in meshes if each.path is not None)


def test_what_other_programs_do_not_find_is_one_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stl(tmp_path / "arm-main/meshes/a.stl")
    stl(tmp_path / "arm-main/meshes/b.stl")
    meshes = "".join(
        f'<visual><geometry><mesh filename="package://arm/meshes/{name}.stl"/></geometry></visual>' for name in "ab"
    )
    file = tmp_path / "arm-main/r.urdf"
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    file.write_text(f'<robot name="r">\n<link name="l">{meshes}{inertial}</link></robot>')
    assert main(["check", "--resources", "--json", str(file)]) == 0
    [problem] = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (problem["rule"], problem["severity"], problem["line"]) == ("resource-only-here", "warning", 2)
    assert problem["message"] == (
        "the mesh 'package://arm/meshes/a.stl' and 1 more file are found here, but not by other programs: "
        f"the package is called 'arm', and the folder {tmp_path / 'arm-main'} is not"
    )
    assert main(["check", "--resources", "--strict", str(file)]) == 1
    capsys.readouterr()
    assert main(["assets", str(file)]) == 0
    assert capsys.readouterr().out.count("other programs do not find it") == 2
    (tmp_path / "arm-main/package.xml").write_text("<package><name>arm</name></package>")
    assert main(["check", "--resources", "--strict", str(file)]) == 0


def test_what_comes_with_gazebo_or_from_fuel_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pictures = (
        "file://media/materials/textures/flat_normal.png",
        "https://fuel.gazebosim.org/1.0/o/models/m/1/files/p.png",
    )
    maps = "".join(
        f"<visual name='v{number}'><geometry><box/></geometry><material><pbr><metal><normal_map>{uri}</normal_map>"
        "</metal></pbr></material></visual>"
        for number, uri in enumerate(pictures)
    )
    file = tmp_path / "model.sdf"
    file.write_text(f'<sdf version="1.12"><model name="m"><link name="a">{maps}</link></model></sdf>')
    assert main(["check", "--resources", "--json", str(file)]) == 0
    [problem] = json.loads(capsys.readouterr().out)["diagnostics"]
    assert "p.png' is not found: it is not downloaded; download it with `sdfviewer fetch`" in problem["message"]


def test_a_problem_and_an_asset_say_by_themselves_that_a_file_is_on_a_server(tmp_path: Path) -> None:
    here, there = "missing.dae", "https://fuel.gazebosim.org/1.0/o/models/m/1/files/p.dae"
    meshes = "".join(
        f"<visual name='v{number}'><geometry><mesh><uri>{uri}</uri></mesh></geometry></visual>"
        for number, uri in enumerate((here, there))
    )
    model_there = "https://fuel.gazebosim.org/1.0/o/models/other"
    file = tmp_path / "model.sdf"
    file.write_text(
        f'<sdf version="1.12"><model name="m"><link name="a">{meshes}</link><include><uri>{model_there}</uri></include>'
        "<include><uri>model://missing</uri></include></model></sdf>"
    )
    model = load_model(file)
    of_includes = {each.missing_uri: each.is_remote for each in model.diagnostics if each.missing_uri}
    assert of_includes == {model_there: True, "model://missing": False}
    assets = find_assets(model, Finder())
    assert {asset.uri: asset.is_remote for asset in assets} == {**of_includes, here: False, there: True}
    meshes_missing = {each.missing_uri: each.is_remote for each in diagnose_assets(assets)}
    assert {here: False, there: True}.items() <= meshes_missing.items()


def test_what_a_package_lacks_is_named_with_the_folder_searched(tmp_path: Path) -> None:
    (tmp_path / "meshes").mkdir()
    (tmp_path / "package.xml").write_text("<package><name>arm</name></package>")
    robot = tmp_path / "urdf" / "r.urdf"
    robot.parent.mkdir()
    mesh = "<geometry><mesh filename='package://arm/meshes/b.stl'/></geometry>"
    robot.write_text(f"<robot name='r'><link name='a'><visual>{mesh}</visual></link></robot>")
    (missing,) = assets_of(robot)
    assert missing.is_missing
    assert missing.problem == f"{tmp_path / 'meshes'} has no such file"
