"""A limb that is mirrored uses the mesh of the other side where there is one, and mirrors others by their scale."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader, load_document
from sdfviewer.operations.arranging import mirror
from sdfviewer.operations.declaration import EditContext
from sdfviewer.scene.mesh_body import mirrored_meshes

pytest.importorskip("lxml", reason="mesh files are read with the extra [render]")

MODEL = """<sdf version="1.9">
  <model name="robot">
    <link name="base"/>
    <link name="left_leg">
      <pose>0 0.2 0 0 0 0</pose>
      <visual name="skin"><geometry><mesh><uri>meshes/leg_l.obj</uri></mesh></geometry></visual>
      <visual name="cap"><geometry><mesh><uri>meshes/cap.obj</uri></mesh></geometry></visual>
    </link>
    <joint name="left_hip" type="revolute">
      <parent>base</parent><child>left_leg</child><axis><xyz>0 1 0</xyz></axis>
    </joint>
  </model>
</sdf>
"""
#: A corner with three edges of different length.
LEG = ((0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3))


def write(path: Path, points: tuple[tuple[float, ...], ...]) -> None:
    vertices = "".join(f"v {x} {y} {z}\n" for x, y, z in points)
    path.write_text(f"{vertices}f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", encoding="utf-8")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "meshes").mkdir()
    write(tmp_path / "meshes" / "leg_l.obj", LEG)
    write(tmp_path / "meshes" / "leg_r.obj", tuple((x, -y + 1e-5, z) for x, y, z in LEG))
    write(tmp_path / "meshes" / "other.obj", tuple((x, -y, z + 1) for x, y, z in LEG))
    write(tmp_path / "meshes" / "cap.obj", ((0, 0, 0), (2, 0, 0), (0, 3, 0), (0, 0, 7)))
    path = tmp_path / "robot.sdf"
    path.write_text(MODEL, encoding="utf-8")
    return path


def test_the_mirror_image_of_a_mesh_is_found_across_its_own_axis_only(file: Path) -> None:
    image_of = mirrored_meshes(Finder())
    assert image_of("meshes/leg_l.obj", file, 1) == "meshes/leg_r.obj"
    assert image_of("meshes/leg_r.obj", file, 1) == "meshes/leg_l.obj"
    assert image_of("meshes/leg_l.obj", file, 0) is None
    assert image_of("meshes/cap.obj", file, 1) is None
    assert image_of("meshes/missing.obj", file, 1) is None


def test_a_mesh_far_from_its_origin_is_compared_by_its_own_size(tmp_path: Path) -> None:
    far = tuple((x + 100, y, z) for x, y, z in LEG)
    write(tmp_path / "leg_l.obj", far)
    write(tmp_path / "leg_r.obj", tuple((x, -y, 0.9 * z) for x, y, z in far))
    assert mirrored_meshes(Finder())("leg_l.obj", tmp_path / "robot.sdf", 1) is None


def test_a_mirrored_limb_names_the_mesh_of_the_other_side(file: Path) -> None:
    document, loader = open_document(file), Loader()
    on = EditContext(load_document(document, loader), loader, mirrored_mesh=mirrored_meshes(loader.finder))
    arguments: dict[str, object] = {"link": "left_leg"}
    done = mirror.perform(on, arguments)
    assert mirror.faults(on, arguments, done) == ()
    text = document.edited(done.edit.replacements).text
    copy = text[text.index('<link name="right_leg">') :]
    assert "<mesh><uri>meshes/leg_r.obj</uri></mesh>" in copy
    assert "<uri>meshes/cap.obj</uri><scale>1 -1 1</scale>" in copy
