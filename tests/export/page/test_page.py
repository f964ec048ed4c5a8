"""Tests of web pages: what is packed is what the library knows, and nothing of a file is markup or a path."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import sdfviewer
from sdfviewer.cli import main
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.export.page import pack
from sdfviewer.model.kinematics.conventions import Comparison
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.resources import resource
from tests.large import world_of_shapes

ARM = resource("examples", "arm.sdf")
HOSTILE = "</script><img src=x onerror=alert(1)>"


def unpacked(block: bytes) -> dict[str, Any]:
    """Return the record of a packed block, read as the program of the page reads it."""
    block = gzip.decompress(block)
    length = int.from_bytes(block[:4], "little")

    def decode(record: dict[str, Any]) -> Any:
        if list(record) != ["$"]:
            return record
        kind, start, shape = record["$"]
        count = int(np.prod(shape))
        return np.frombuffer(block, f"<{kind}", count, 4 + length + start).reshape(shape)

    return json.loads(block[4 : 4 + length], object_hook=decode)  # type: ignore[no-any-return]


def data_of(page: str) -> dict[str, Any]:
    """Return the record in a page."""
    found = re.search(r'id="data">([^<]*)<', page)
    assert found is not None
    return unpacked(base64.b64decode(found[1]))


def gltf_of(data: dict[str, Any]) -> dict[str, Any]:
    """Return the document of the glTF file in the record of a page."""
    file = data["gltf"].tobytes()
    length = int.from_bytes(file[12:16], "little")
    return json.loads(file[20 : 20 + length])  # type: ignore[no-any-return]


def multiplied(convention: dict[str, Any], q: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return all poses, multiplied one by one as the page does it."""
    D: list[Any] = []
    for basis, column, parent in zip(convention["bases"], convention["columns"], convention["parents"], strict=True):
        angle = q[column] if column >= 0 else 0.0
        weights = np.array([1.0, np.sin(angle), 2 * np.sin(angle / 2) ** 2, angle])
        E = (weights @ basis).reshape(4, 4)
        D.append(E if parent < 0 else D[parent] @ E)
    X0 = convention["X0"]
    return np.array([X if node < 0 else D[node] @ X for X, node in zip(X0, convention["nodes"], strict=True)])


def test_a_record_is_packed_with_its_arrays() -> None:
    """Texts, numbers and arrays of all types come back; what is not finite is null. The bytes are the same again."""
    record = {
        "text": "ä </script>",
        "numbers": [1, 2.5, float("inf"), None],
        "floats": np.array([[1.5, np.nan]]),
        "rows": np.arange(3),
        "flags": np.array([True, False]),
        "small": np.array([1, 65535], np.uint16),
        "bytes": b"abc",
    }
    found = unpacked(pack(record))
    assert found["text"] == record["text"]
    assert found["numbers"] == [1, 2.5, None, None]
    np.testing.assert_array_equal(found["floats"], record["floats"])
    np.testing.assert_array_equal(found["rows"], [0, 1, 2])
    np.testing.assert_array_equal(found["flags"], [1, 0])
    np.testing.assert_array_equal(found["small"], [1, 65535])
    assert found["bytes"].tobytes() == b"abc"
    assert pack(record) == pack(record)


@pytest.mark.parametrize("name", ["arm.sdf", "double_pendulum.sdf", "parity_legacy_numbers.sdf", "world_frames.sdf"])
def test_the_tables_give_the_poses_of_both_conventions(name: str) -> None:
    """Multiplying the tables gives the poses of the library at random positions."""
    document = sdfviewer.load(resource("examples", name))
    (model,) = data_of(document.to_html())["models"]
    comparison = Comparison(document._state.table)
    rng = np.random.default_rng(1)
    for _ in range(3):
        q = comparison.absolute.kinematics.follow(rng.uniform(-2, 2, len(model["dofs"])))
        for convention, expected in zip(model["conventions"], comparison.poses(q), strict=False):
            np.testing.assert_allclose(multiplied(convention, q), expected, atol=1e-9)
    assert len(model["conventions"]) == (1 if comparison.equal else 2)


def test_a_slider_of_a_loop_follows_solved_positions(tmp_path: Path) -> None:
    """The joints of a four-bar linkage have fifty positions for each slider, and all of them close the loop."""
    joint = (
        '<joint name="{}" type="revolute"><pose>{} 0 0 0 0 0</pose><parent>{}</parent><child>{}</child>'
        "<axis><xyz>0 0 1</xyz><limit><lower>-0.5</lower><upper>0.5</upper></limit></axis></joint>"
    )
    ends = [("a", 0, "base", "left"), ("b", 0, "left", "top"), ("c", 0, "base", "right"), ("d", 1, "right", "top")]
    places = {"base": "0 0 0", "left": "0 0 0", "top": "0 1 0", "right": "1 0 0"}
    links = "".join(f'<link name="{name}"><pose>{place} 0 0 0</pose></link>' for name, place in places.items())
    path = tmp_path / "linkage.sdf"
    text = links + "".join(joint.format(*each) for each in ends)
    path.write_text(f'<sdf version="1.10"><model name="m">{text}</model></sdf>', encoding="utf-8")
    document = sdfviewer.load(path)
    (model,) = data_of(document.to_html())["models"]
    kinematics = Kinematics(document._state.table)
    assert len(kinematics.loop_joints) == 1
    assert model["loops"]
    for loop in model["loops"]:
        assert loop["values"].shape == (50,)
        assert loop["q"].shape == (50, len(model["dofs"]))
        np.testing.assert_allclose(loop["q"][:, loop["column"]], loop["values"])


def test_names_of_a_file_are_text(tmp_path: Path) -> None:
    """A name that is markup is in no part of the page but the packed data; the policy allows no other script."""
    path = tmp_path / "robot.sdf"
    name = HOSTILE.replace("<", "&lt;").replace(">", "&gt;")
    path.write_text(f'<sdf version="1.10"><model name="{name}"><link name="a"/></model></sdf>', encoding="utf-8")
    page = sdfviewer.load(path).to_html()
    assert HOSTILE not in page
    assert "<img" not in page
    assert HOSTILE in data_of(page)["models"][0]["names"][0]
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert "default-src 'none'" in policy[1]
    assert "unsafe" not in policy[1]
    assert not re.search(r"(?:src|href)=[\"']?http", page)


def test_the_title_is_text(tmp_path: Path) -> None:
    """A file that is called like markup does not end the title."""
    path = tmp_path / "a&<b>.sdf"
    path.write_text('<sdf version="1.10"><model name="m"><link name="a"/></model></sdf>', encoding="utf-8")
    assert "<title>a&amp;&lt;b&gt;.sdf</title>" in sdfviewer.load(path).to_html()


def test_no_folder_of_the_disk_is_in_a_page(tmp_path: Path) -> None:
    """Files are named as seen from the model's folder, in problems too."""
    folder = tmp_path / "secret_client"
    folder.mkdir()
    path = folder / "robot.sdf"
    visual = "<visual name='v'><geometry><mesh><uri>meshes/lost.dae</uri></mesh></geometry></visual>"
    text = f'<link name="a">{visual}</link><include><uri>model://no</uri></include>'
    path.write_text(f'<sdf version="1.10"><model name="m">{text}</model></sdf>', encoding="utf-8")
    page = sdfviewer.load(path).to_html()
    data = re.search(r'id="data">([^<]*)<', page)
    assert data is not None
    assert b"secret_client" not in gzip.decompress(base64.b64decode(data[1]))
    assert "secret_client" not in page
    assert data_of(page)["models"][0]["problems"]


def test_a_page_of_two_versions_lists_what_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Frames that moved come first, with their distance and both lines; masses follow."""
    old, new = tmp_path / "old.sdf", tmp_path / "new.sdf"
    text = ARM.read_text(encoding="utf-8")
    old.write_text(text, encoding="utf-8")
    text = text.replace('<pose relative_to="base">0 0 0.156', '<pose relative_to="base">0 0 0.256', 1)
    new.write_text(text.replace("<mass>3</mass>", "<mass>4</mass>", 1), encoding="utf-8")
    output = tmp_path / "page.html"
    assert main(["page", str(old), str(new), "-o", str(output)]) == 0
    data = data_of(output.read_text(encoding="utf-8"))
    assert [each["file"] for each in data["models"]] == ["new.sdf", "old.sdf"]
    moved, mass = data["changes"]
    assert moved["text"].startswith("moved: joint arm::joint_1")
    assert moved["metres"] == pytest.approx(0.1)
    assert (moved["before"].partition(":")[0], moved["after"].partition(":")[0]) == ("old.sdf", "new.sdf")
    assert "mass  3 → 4" in mass["text"]
    assert "wrote" in capsys.readouterr().err


def test_a_quaternion_is_shown_as_the_angles_that_it_means(tmp_path: Path) -> None:
    """The step of the chain has roll, pitch and yaw, as in the window."""
    path = tmp_path / "turned.sdf"
    pose = '<pose rotation_format="quat_xyzw">1 2 3  0 0 0.7071067811865476 0.7071067811865476</pose>'
    path.write_text(f'<sdf version="1.11"><model name="m"><link name="a">{pose}</link></model></sdf>', encoding="utf-8")
    (model,) = data_of(sdfviewer.load(path).to_html())["models"]
    np.testing.assert_allclose(model["raw"][model["names"].index("m::a")], [1, 2, 3, 0, 0, np.pi / 2], atol=1e-9)


def test_a_cycle_that_was_fixed_is_listed() -> None:
    """The one that was at fault is listed; it takes the others along."""
    path = resource("examples", "relative_to_cycle.sdf")
    document, broken = sdfviewer.open_document(path), sdfviewer.load(path)
    with document.edit() as edit:
        edit.fix(broken.diagnostics[0].fixes[0])
    texts = [each["text"] for each in data_of(document.model.to_html(before=broken))["changes"]]
    assert any(text.startswith("pose defined: joint relative_to_cycle::slide") for text in texts)


def test_a_page_that_would_be_too_large_is_refused(tmp_path: Path) -> None:
    """The message has both sizes."""
    with pytest.raises(SdfViewerError, match=r"at most 0\.01 MB are allowed"):
        sdfviewer.load(ARM).to_html(max_size=0.01)


def test_a_small_robot_has_a_small_page(tmp_path: Path) -> None:
    """A page of the arm is below 700 kB, and written where a path is given."""
    path = tmp_path / "arm.html"
    page = sdfviewer.load(ARM).to_html(path)
    assert path.read_text(encoding="utf-8") == page
    assert len(page) < 700_000


def test_a_page_that_cannot_be_written_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The library raises, the command exits with 2."""
    with pytest.raises(SdfViewerError, match="cannot save"):
        sdfviewer.load(ARM).to_html(tmp_path / "no" / "arm.html")
    assert main(["page", str(ARM), "-o", str(tmp_path / "no" / "arm.html")]) == 2
    assert "cannot save" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links and pipes")
def test_a_page_is_written_to_no_place_that_somebody_else_has_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Found: the name beside the file, which nobody has typed, may be a link or a pipe of whoever made the folder."""
    robot = tmp_path / "robot.sdf"
    robot.write_text('<sdf version="1.10"><model name="m"><link name="a"/></model></sdf>', encoding="utf-8")
    key = tmp_path / "key"
    key.write_text("the user's", encoding="utf-8")
    page = tmp_path / "robot.html"
    page.symlink_to(key)
    assert main(["page", str(robot)]) == 2
    assert "robot.html is a link" in capsys.readouterr().err
    assert key.read_text(encoding="utf-8") == "the user's"
    page.unlink()
    os.mkfifo(page)
    assert main(["page", str(robot)]) == 2
    with pytest.raises(sdfviewer.SaveError):
        sdfviewer.load(robot).to_html(page)


@pytest.mark.skipif(sys.platform == "win32", reason="not every user makes links there")
def test_what_a_link_elsewhere_leads_to_is_in_no_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Found: whoever passes the page on passes on pictures and meshes of any folder, as a bundle did once."""
    home, folder = tmp_path / "home", tmp_path / "robot"
    home.mkdir()
    folder.mkdir()
    Image.new("RGB", (8, 8), "red").save(home / "private.png")
    (home / "private.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", encoding="utf-8")
    for name in ("private.png", "private.obj"):
        (folder / name).symlink_to(home / name)
    box = "<geometry><box><size>1 1 1</size></box></geometry>"
    picture = "<material><pbr><metal><albedo_map>private.png</albedo_map></metal></pbr></material>"
    mesh = "<geometry><mesh><uri>private.obj</uri></mesh></geometry>"
    visuals = f'<visual name="a">{box}{picture}</visual><visual name="b">{mesh}</visual>'
    robot = folder / "robot.sdf"
    robot.write_text(
        f'<sdf version="1.9"><model name="m"><link name="l">{visuals}</link></model></sdf>', encoding="utf-8"
    )
    output = str(tmp_path / "page.html")
    for options, is_taken in (((), False), (("--path", str(home)), True)):
        main(["page", *options, "-o", output, str(robot)])
        said = capsys.readouterr().err
        assert ("private.png is not copied" in said, "private.obj is not copied" in said) == (not is_taken,) * 2
        data = data_of(Path(output).read_text(encoding="utf-8"))
        gltf = gltf_of(data)
        assert len(gltf.get("images", ())) == is_taken
        indices = {part["indices"] for mesh in gltf["meshes"] for part in mesh["primitives"]}
        assert any(gltf["accessors"][number]["count"] == 3 for number in indices) == is_taken


def test_a_mesh_that_is_drawn_a_thousand_times_is_coarse() -> None:
    """A world of 1000 shapes is drawn as often as a mouse moves, and one ball stays round."""

    def triangles(count: int) -> dict[str, int]:
        data = data_of(sdfviewer.load(world_of_shapes(count)).to_html())
        gltf, surfaces = gltf_of(data), data["models"][0]["surfaces"]
        meshes = [gltf["meshes"][gltf["nodes"][node]["mesh"]] for node in surfaces["meshes"]]
        sizes = [sum(gltf["accessors"][each["indices"]]["count"] // 3 for each in m["primitives"]) for m in meshes]
        shown = [size for size, layer in zip(sizes, surfaces["layers"], strict=True) if layer == surfaces["layers"][0]]
        return {"all": sum(shown), "finest": max(shown)}

    assert triangles(3)["finest"] > 1000
    assert 1000 * 12 < triangles(1000)["all"] < 170_000


def test_alike_models_are_one_box_in_large_graphs() -> None:
    """A browser draws thousands of boxes for seconds, and nobody reads them."""
    record = data_of(sdfviewer.load(world_of_shapes(800)).to_html())
    (model,) = record["models"]
    assert {graph["kind"] for graph in model["graphs"]} == {"attached_to", "relative_to", "kinematic"}
    assert all(graph["light"].count("<rect") < 200 for graph in model["graphs"])
