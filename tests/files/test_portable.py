"""Whether other programs find what was found near a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.files.finder import Finder
from sdfviewer.files.uris import why_only_here

MANIFEST = "<package><name>{}</name></package>"


def why(root: Path, uri: str, document: str, *, cwd: str = "cwd", paths: tuple[str, ...] = ()) -> str:
    """Return why a URI in a document is found here only; it must be found."""
    finder = Finder([root / path for path in paths], {"HOME": str(root / "home")}, root / cwd)
    file = root / document
    found = finder.find(uri, file, nearby=True)
    assert found.path is not None
    return why_only_here(uri, found, file, finder).replace(str(root), "").replace("\\", "/")


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    """Return a folder with a mesh in ``arm/meshes`` and beside it."""
    for name in ("arm/meshes/a.stl", "hand/meshes/b.stl"):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.touch()
    return tmp_path


@pytest.mark.parametrize("scheme", ["model", "package"])
def test_a_folder_of_another_name_is_said(robot: Path, scheme: str) -> None:
    kind = scheme
    assert (
        why(robot, f"{scheme}://robot/meshes/a.stl", "arm/r.urdf")
        == f"the {kind} is called 'robot', and the folder /arm is not"
    )


def test_a_package_needs_its_manifest_and_its_name(robot: Path) -> None:
    uri = "package://arm/meshes/a.stl"
    assert why(robot, uri, "arm/urdf/r.urdf") == "/arm has no package.xml"
    (robot / "arm/package.xml").write_text(MANIFEST.format("arm"))
    assert why(robot, uri, "arm/urdf/r.urdf") == ""
    (robot / "arm/package.xml").write_text(MANIFEST.format("robot"))
    assert why(robot, "package://robot/meshes/a.stl", "arm/urdf/r.urdf") == ""


def test_a_model_is_a_folder_of_its_name(robot: Path) -> None:
    assert why(robot, "model://arm/meshes/a.stl", "arm/model.sdf") == ""
    assert why(robot, "model://meshes/a.stl", "arm/model.sdf") == "/arm/meshes is not a model with a model.config"
    (robot / "arm/model.config").touch()
    assert why(robot, "model://hand/meshes/b.stl", "arm/model.sdf") == ""  # a neighbour in one folder of models


def test_the_working_directory_is_named(robot: Path) -> None:
    (robot / "far").mkdir()
    uri = "model://hand/meshes/b.stl"
    assert why(robot, uri, "far/away/m.sdf", cwd=".") == "only the working directory, , leads to it"
    assert why(robot, uri, "far/away/m.sdf", cwd=".", paths=(".",)) == ""
    (robot / "elsewhere/hand/meshes").mkdir(parents=True)
    (robot / "hand").rename(robot / "elsewhere/hand2")
    (robot / "elsewhere/hand/meshes/b.stl").touch()
    assert why(robot, uri, "far/away/m.sdf", cwd="elsewhere") == "only the working directory, /elsewhere, leads to it"


def test_model_folders_and_plain_paths_are_never_questioned(robot: Path) -> None:
    assert why(robot, "package://arm/meshes/a.stl", "arm/r.urdf", paths=(".",)) == ""
    assert why(robot, "model://meshes/a.stl", "arm/r.urdf", paths=("arm",)) == ""
    assert why(robot, "meshes/a.stl", "arm/r.urdf") == ""


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("file://meshes/a.stl", "file:// is followed by a whole path, which begins with /"),
        ("file://../arm/meshes/a.stl", "file:// is followed by a whole path, which begins with /"),
        ("package:///arm/meshes/a.stl", "package:// is followed by the name of a package, not by /"),
        ("package://arm\\meshes\\a.stl", "its backslashes are read as parts of names; write / instead"),
    ],
)
def test_a_uri_that_only_this_program_understands_is_questioned(robot: Path, uri: str, reason: str) -> None:
    (robot / "arm/package.xml").write_text(MANIFEST.format("arm"))
    assert why(robot, uri, "arm/r.urdf") == reason


def test_a_path_is_read_from_the_folder_of_its_file(robot: Path) -> None:
    (robot / "arm/package.xml").write_text(MANIFEST.format("arm"))
    (robot / "arm/urdf").mkdir()
    assert why(robot, "../meshes/a.stl", "arm/urdf/r.urdf") == ""
    assert why(robot, "./../meshes/a.stl", "arm/urdf/r.urdf") == ""
    assert why(robot, "meshes/a.stl", "arm/urdf/r.urdf") == "it is read from /arm/urdf, which has no such file"
    assert why(robot, "meshes/a.stl", "arm/urdf/r.urdf", paths=("arm",)) == ""
