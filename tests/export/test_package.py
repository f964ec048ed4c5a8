"""A package is copied under a new name: everything in it names the new one, and nothing else changes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.export.package import renamed_text

MODEL = """<sdf version="1.9"><model name="arm">
  <link name="a"><visual name="v"><geometry><mesh><uri>model://arm_pkg/meshes/a.stl</uri></mesh></geometry></visual></link>
  <link name="b"><visual name="v"><geometry><mesh><uri>meshes/a.stl</uri></mesh></geometry></visual></link>
  <link name="c"><visual name="v"><geometry><mesh><uri>../shared/c.stl</uri></mesh></geometry></visual></link>
  <link name="d"><visual name="v"><geometry><mesh><uri>model://arm_pkg_2/a.stl</uri></mesh></geometry></visual></link>
  <include><name>in</name><uri>model://arm_pkg/parts/inner.sdf</uri></include>
</model></sdf>
"""
INNER = """<sdf version="1.9"><model name="inner"><link name="l"><visual name="v"><geometry>
<mesh><uri>package://arm_pkg/meshes/a.stl</uri></mesh></geometry></visual></link></model></sdf>
"""
SOLID = (
    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n"
)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    root = tmp_path / "models" / "arm_pkg"
    files = {
        "model.config": "<model><name>The arm</name><sdf version='1.9'>model.sdf</sdf></model>\n",
        "package.xml": "<package format='2'><name>arm_pkg</name><version>1.0.0</version></package>\n",
        "model.sdf": MODEL,
        "parts/inner.sdf": INNER,
        "meshes/a.stl": SOLID,
        "../shared/c.stl": SOLID,
        "config/a.yaml": "mesh:\n  package: arm_pkg\n  other: arm_pkg\n",
        "CMakeLists.txt": "project(arm_pkg)\n",
        "launch/x.launch.py": "get_package_share_directory('arm_pkg')\n",
        ".git/config": "",
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def listed(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files in a folder."""
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def test_a_package_gets_another_name(package: Path) -> None:
    before = listed(package.parent)
    document = sdfviewer.open_document(package / "model.sdf")
    copy = document.duplicate_package(package.parent / "hand_pkg")
    assert copy == package.parent / "hand_pkg" / "model.sdf"
    after = listed(package.parent)
    assert {name: data for name, data in after.items() if not name.startswith("hand_pkg/")} == before
    new = listed(copy.parent)
    assert set(new) == {name.removeprefix("arm_pkg/") for name in before if name.startswith("arm_pkg/")} - {
        ".git/config"
    }
    assert new["model.sdf"].decode() == MODEL.replace("arm_pkg/", "hand_pkg/")
    assert b"<name>hand_pkg</name>" in new["model.config"]
    assert b"<name>hand_pkg</name>" in new["package.xml"]
    assert new["config/a.yaml"].decode() == "mesh:\n  package: hand_pkg\n  other: arm_pkg\n"
    assert new["CMakeLists.txt"] == b"project(hand_pkg)\n"
    assert b"'hand_pkg'" in new["launch/x.launch.py"]
    (package / "meshes" / "a.stl").unlink()  # the copy needs nothing of the original
    found = {
        each.uri: each.is_found
        for each in sdfviewer.load(copy, paths=[package.parent]).resources
        if each.kind == "mesh"
    }
    assert found == {
        "model://hand_pkg/meshes/a.stl": True,
        "meshes/a.stl": True,
        "../shared/c.stl": True,
        "model://arm_pkg_2/a.stl": False,
        "package://hand_pkg/meshes/a.stl": True,
    }


def test_paths_out_of_the_package_lead_to_the_same_files_from_elsewhere(package: Path, tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    copy = sdfviewer.open_document(package / "model.sdf").duplicate_package(tmp_path / "deep" / "er" / "hand")
    assert "<uri>../../../models/shared/c.stl</uri>" in copy.read_text(encoding="utf-8")


def test_unsaved_edits_are_copied(package: Path) -> None:
    document = sdfviewer.open_document(package / "model.sdf")
    with document.edit() as edit:
        edit.rename("a", "first")
    copy = document.duplicate_package(package.parent / "hand")
    assert '<link name="first">' in copy.read_text(encoding="utf-8")
    assert (package / "model.sdf").read_text(encoding="utf-8") == MODEL


@pytest.mark.parametrize("name", ["arm_pkg", "arm_pkg/inside", "missing/there", "with blank", "1st"])
def test_what_cannot_be_the_new_folder_is_refused(package: Path, name: str) -> None:
    before = listed(package.parent)
    with pytest.raises(SdfViewerError):
        sdfviewer.open_document(package / "model.sdf").duplicate_package(package.parent / name)
    assert listed(package.parent) == before


def test_a_file_without_a_package_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.sdf").write_text(INNER, encoding="utf-8")
    with pytest.raises(SdfViewerError, match="Save As"):
        sdfviewer.open_document(tmp_path / "a.sdf").duplicate_package(tmp_path / "b")


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_links_are_left_out(package: Path) -> None:
    (package / "secret").symlink_to("/etc")
    with pytest.warns(UserWarning, match="is a link"):
        copy = sdfviewer.open_document(package / "model.sdf").duplicate_package(package.parent / "hand")
    assert not (copy.parent / "secret").exists()


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("package://old", "package://new"),
        ("package://older/a", "package://older/a"),
        ("model://old/a.dae", "model://new/a.dae"),
        ("file://$(find old)/a", "file://$(find new)/a"),
        ("$(find older)", "$(find older)"),
        ("<x>old</x>", "<x>old</x>"),
    ],
)
def test_only_what_names_the_package_is_written_otherwise(text: str, after: str) -> None:
    assert renamed_text(text, "a.xacro", frozenset({"old"}), "new") == after


def test_the_command_line_duplicates_a_package(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from sdfviewer.cli import main

    new = package.parent / "hand"
    assert main(["duplicate", str(package / "model.sdf"), str(new)]) == 0
    assert capsys.readouterr().out == f"{new / 'model.sdf'}\n"
    assert main(["duplicate", str(package / "model.sdf"), str(new)]) == 2
