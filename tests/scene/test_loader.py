import base64
import json
import os
import re
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.model.shapes import read_geometry
from sdfviewer.scene.geometry import shape_of
from sdfviewer.scene.loader import MeshLoader
from sdfviewer.scene.textures import TextureCache
from tests.patience import PATIENCE_SECONDS

TWO_OBJECTS = """
v 0 0 0
v 2 0 0
v 0 2 0
v 10 10 10
v 12 10 10
v 10 14 10
vn 0 0 1
o first
f 1//1 2//1 3//1
o second
f 4//1 5//1 6//1
"""


@pytest.fixture
def model(tmp_path):
    """A model folder with a mesh of two objects; returns its SDFormat file."""
    meshes = tmp_path / "robot" / "meshes"
    meshes.mkdir(parents=True)
    (meshes / "two.obj").write_text(TWO_OBJECTS)
    (tmp_path / "robot" / "model.config").write_text("<model/>")
    return tmp_path / "robot" / "model.sdf"


@pytest.fixture
def loader(tmp_path):
    found = MeshLoader(Finder([tmp_path], environ={"HOME": str(tmp_path)}, cwd=tmp_path), TextureCache(), workers=2)
    yield found
    found.close()


def shape(inside: str, file: Path):
    part = parse_document(f"<visual><geometry>{inside}</geometry></visual>").root
    return shape_of(read_geometry(part, file))


def mesh(file: Path, inside: str = "", uri: str = "model://robot/meshes/two.obj"):
    return shape(f"<mesh><uri>{uri}</uri>{inside}</mesh>", file)


@pytest.mark.parametrize("uri", ["model://robot/meshes/two.obj", "meshes/two.obj", "package://robot/meshes/two.obj"])
def test_a_mesh_is_found_and_kept(loader, model, uri):
    first = loader.load(mesh(model, uri=uri))
    assert first.problems == ()
    assert not first.is_placeholder
    assert first.mesh.bounds.tolist() == [[0, 0, 0], [12, 14, 10]]
    assert loader.load(mesh(model, uri=uri)).mesh is first.mesh
    assert loader.mesh(mesh(model, uri=uri)) is first.mesh


def test_two_scales_share_the_triangles_and_a_mirror_turns_them(loader, model):
    plain = loader.mesh(mesh(model))
    assert loader.mesh(mesh(model, "<scale>2 2 2</scale>")) is plain
    shape_mirrored = mesh(model, "<scale>-2 1 1</scale>")
    mirrored = loader.mesh(shape_mirrored)
    corners = mirrored.positions[mirrored.indices] * shape_mirrored.scale
    assert corners[..., 0].min() == -24
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (normals[:, 2] > 0).all()
    assert mirrored.normals.tolist() == [[0, 0, 1]] * 6


def test_a_submesh_as_it_is_and_centred(loader, model):
    assert loader.mesh(mesh(model, "<submesh><name>second</name></submesh>")).bounds.tolist() == [
        [10, 10, 10],
        [12, 14, 10],
    ]
    centred = loader.mesh(mesh(model, "<submesh><name>second</name><center>true</center></submesh>"))
    assert centred.bounds.tolist() == [[-1, -2, 0], [1, 2, 0]]


@pytest.mark.parametrize(
    ("inside", "uri", "message", "missing"),
    [
        ("<submesh><name>secnd</name></submesh>", "meshes/two.obj", "did you mean 'second'", False),
        ("<submesh><name>hand</name></submesh>", "meshes/two.obj", "it has 'first', 'second'", False),
        ("", "model://gone/meshes/a.obj", "^model://gone is not found; add the folder that holds it", True),
        ("", "meshes/gone.obj", "meshes/gone.obj is not found; .*add the folder", True),
        ("", "model://robot/../../x.stl", "leads outside the folder", True),
        ("", "meshes", "is a folder", True),
        ("", "", "has no file", True),
        ("", "model.config", r"is of the kind '\.config'", False),
    ],
)
def test_what_fails_is_a_placeholder_and_a_problem_of_its_uri(loader, model, inside, uri, message, missing):
    loaded = loader.load(mesh(model, inside, uri))
    assert loaded.is_placeholder
    assert len(loaded.mesh.indices)
    (problem,) = loaded.problems
    assert re.search(message, problem.message)
    assert (problem.missing, problem.uri, problem.file) == (missing, uri, model)
    assert problem.element.tag == "uri"


def test_a_mesh_with_a_broken_part_is_drawn_without_it_and_a_problem(loader, model):
    (model.parent / "meshes" / "part.obj").write_text(TWO_OBJECTS.replace("v 10 10 10", "v inf 10 10"))
    loaded = loader.load(mesh(model, uri="meshes/part.obj"))
    assert not loaded.is_placeholder
    assert len(loaded.mesh.indices) == 1
    (problem,) = loaded.problems
    assert problem.message == "part.obj: holds coordinates that are not finite numbers; the rest is drawn"


def test_a_file_that_is_missing_in_a_package_is_named_with_the_folder_searched(loader, model):
    (model.parent / "package.xml").write_text("<package><name>arm_description</name></package>")
    (problem,) = loader.load(mesh(model, uri="package://arm_description/meshes/b.stl")).problems
    folder = model.parent / "meshes"
    assert problem.message.startswith(f"package://arm_description/meshes/b.stl is not found: {folder} has no such file")
    (problem,) = loader.load(mesh(model, uri="package://other/meshes/b.stl")).problems
    assert problem.message.startswith("package://other is not found")


@pytest.mark.parametrize(("scheme", "highest"), [("model", [1, 0, 2]), ("package", [1, 2, 0])])
def test_gltf_is_upright_after_the_usual_rotation(loader, model, scheme, highest):
    positions = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 2]], "<f4")
    uri = "data:;base64," + base64.b64encode(positions.tobytes()).decode()
    content = {
        "asset": {"version": "2.0"},
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, "uri": uri}],
    }
    (model.parent / "meshes" / "part.gltf").write_text(json.dumps(content))
    loaded = loader.load(mesh(model, uri=f"{scheme}://robot/meshes/part.gltf"))
    assert np.abs(loaded.mesh.bounds).max(axis=0).tolist() == highest


def test_a_missing_and_a_broken_texture_leave_the_mesh(loader, model):
    folder = model.parent / "meshes"
    (folder / "two.mtl").write_text("newmtl a\nmap_Kd gone.png\nnewmtl b\nmap_Kd broken.png\n")
    (folder / "broken.png").write_text("no picture")
    text = TWO_OBJECTS.replace("o first", "mtllib two.mtl\nusemtl a").replace("o second", "usemtl b")
    (folder / "two.obj").write_text(text)
    loaded = loader.load(mesh(model))
    assert not loaded.is_placeholder
    messages = [problem.message for problem in loaded.problems]
    assert messages[0] == "two.obj: the texture 'gone.png' is missing"
    assert messages[1].startswith("two.obj: the texture 'broken.png' cannot be decoded")
    assert loader.load(mesh(model)).mesh is loaded.mesh
    for name in ("gone.png", "broken.png"):
        Image.new("RGB", (2, 2)).save(folder / name)
    assert loader.load(mesh(model)).problems == ()


def test_a_changed_file_is_read_again_and_so_is_one_whose_library_changed(loader, model):
    path = model.parent / "meshes" / "two.obj"
    library = path.with_suffix(".mtl")
    library.write_text("newmtl a\nKd 1 0 0\n")
    path.write_text(TWO_OBJECTS.replace("o first", "mtllib two.mtl\nusemtl a"))
    first = loader.mesh(mesh(model))
    assert first.parts[0].material.diffuse == (1, 0, 0, 1)
    library.write_text("newmtl a\nKd 0 1 0\n")
    os.utime(library, ns=(1, 1))
    second = loader.mesh(mesh(model))
    assert second.parts[0].material.diffuse == (0, 1, 0, 1)
    path.write_text(TWO_OBJECTS.replace("v 2 0 0", "v 3 0 0"))
    os.utime(path, ns=(1, 1))
    assert loader.mesh(mesh(model)).positions[1, 0] == 3


def test_a_reader_that_breaks_is_a_problem_too(loader, model, monkeypatch, caplog):
    def broken(path, side_files):
        raise ZeroDivisionError("what nobody thought of")

    monkeypatch.setattr("sdfviewer.scene.loader.read_mesh_file", broken)
    loaded = loader.load(mesh(model))
    assert loaded.is_placeholder
    assert "ZeroDivisionError" in loaded.problems[0].message
    assert "what nobody thought of" in caplog.text


def test_a_polyline_with_and_without_an_area(loader, model):
    points = "<point>0 0</point><point>1 0</point><point>1 1</point>"
    loaded = loader.load(shape(f"<polyline>{points}<height>2</height></polyline>", model))
    assert loaded.mesh.bounds.tolist() == [[0, 0, 0], [1, 1, 2]]
    loaded = loader.load(shape("<polyline><point>0 0</point></polyline>", model))
    assert loaded.is_placeholder
    assert loaded.problems[0].message == "the polyline: needs at least three different points"
    assert loaded.problems[0].element.tag == "polyline"


def test_a_heightmap_with_its_texture(loader, model):
    Image.fromarray(np.array([[0, 255], [0, 0]], np.uint8)).save(model.parent / "hill.png")
    Image.new("RGB", (2, 2)).save(model.parent / "grass.png")
    text = (
        "<heightmap><uri>hill.png</uri><size>4 4 1</size>"
        "<texture><size>2</size><diffuse>{}</diffuse><normal>n.png</normal></texture></heightmap>"
    )
    loaded = loader.load(shape(text.format("grass.png"), model))
    assert loaded.problems == ()
    assert loaded.mesh.parts[0].material.albedo_map == model.parent / "grass.png"
    assert loaded.mesh.uvs.max() == 1
    loaded = loader.load(shape(text.format("gone.png"), model))
    assert not loaded.is_placeholder
    assert "gone.png" in loaded.problems[0].message


def test_a_run_reports_each_shape_once_and_its_progress(loader, model):
    shapes = [
        mesh(model),
        mesh(model, "<scale>2 2 2</scale>"),
        mesh(model),
        mesh(model, uri="gone.stl"),
        shape("<box/>", model),
    ]
    outcomes: list[Any] = []
    progress: list[tuple[int, int]] = []
    run = loader.start(shapes, outcomes.append, lambda done, total: progress.append((done, total)))
    assert run.wait(PATIENCE_SECONDS)
    assert run.done == run.total == 3
    assert sorted(progress) == [(1, 3), (2, 3), (3, 3)]
    assert {outcome.shape for outcome in outcomes} == set(shapes[:2]) | {shapes[3]}
    assert sum(outcome.is_placeholder for outcome in outcomes) == 1


def test_a_cancelled_run_starts_nothing_more(loader, model, monkeypatch):
    begun, released = threading.Event(), threading.Event()

    def slow(path, side_files):
        begun.set()
        assert released.wait(PATIENCE_SECONDS)
        raise RuntimeError("cancelled runs report nothing")

    monkeypatch.setattr("sdfviewer.scene.loader.read_mesh_file", slow)
    for k in range(6):
        (model.parent / f"{k}.obj").write_text(TWO_OBJECTS)
    outcomes: list[object] = []
    run = loader.start([mesh(model, uri=f"{k}.obj") for k in range(6)], outcomes.append)
    assert begun.wait(PATIENCE_SECONDS)
    run.cancel()
    released.set()
    assert run.wait(PATIENCE_SECONDS)
    assert run.cancelled
    assert outcomes == []


def test_what_a_callback_raises_comes_out_of_wait(loader, model):
    def broken(loaded):
        raise ValueError("a bug in the view")

    run = loader.start([mesh(model)], broken)
    with pytest.raises(ValueError, match="a bug in the view"):
        run.wait(PATIENCE_SECONDS)


def test_the_cache_forgets_what_was_used_longest_ago(model, tmp_path):
    small = MeshLoader(Finder([tmp_path]), TextureCache(), cache_bytes=1)
    first = small.mesh(mesh(model))
    small.mesh(mesh(model, "<submesh><name>first</name></submesh>"))
    assert small.mesh(mesh(model)) is not first
