"""Nothing is found through the working directory without a warning."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.cli import main
from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.language.links import document_links

RULE = "found-in-working-directory"
LEG = '<?xml version="1.0"?><sdf version="1.9"><model name="leg"><link name="foot"/></model></sdf>'
INCLUDE = '<sdf version="1.9">\n<model name="m"><link name="b"/>\n<include><uri>{}</uri></include></model></sdf>'
MESH = (
    '<sdf version="1.9">\n<model name="m"><link name="b"><visual name="v"><geometry>\n'
    "<mesh><uri>meshes/a.stl</uri></mesh></geometry></visual></link></model></sdf>"
)


def write_stl(path: Path) -> None:
    """Write a triangle."""
    corners = "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"solid\nfacet normal 0 0 1\nouter loop\n{corners}endloop\nendfacet\nendsolid\n")


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of files; the working directory beside it holds ``models/leg.sdf`` and ``meshes/a.stl``."""
    start = tmp_path / "start"
    (start / "models").mkdir(parents=True)
    (start / "models/leg.sdf").write_text(LEG)
    write_stl(start / "meshes/a.stl")
    (tmp_path / "files").mkdir()
    monkeypatch.chdir(start)
    return tmp_path / "files"


def test_an_include_is_found_with_a_warning_at_its_line_and_a_fix(
    elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = elsewhere / "m.sdf"
    file.write_text(INCLUDE.format("models/leg.sdf"))
    assert main(["check", "--json", str(file)]) == 0
    [problem] = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (problem["rule"], problem["severity"], problem["line"]) == (RULE, "warning", 3)
    assert f"only because {Path.cwd()} is the working directory" in problem["message"]
    assert main(["edit", "--in-place", "--fix", RULE, str(file)]) == 0
    assert "<uri>../start/models/leg.sdf</uri>" in file.read_text()
    assert sdfviewer.check(file) == ()


@pytest.mark.parametrize("uri", ["models/leg.sdf", "model://models/leg.sdf"])
def test_a_text_without_a_file_is_warned_of_too(elsewhere: Path, uri: str) -> None:
    [found] = Loader().load_with_diagnostics(parse_document(INCLUDE.format(uri)))[1]
    assert found.rule.name == RULE
    assert "write its whole path, or save this file" in found.message


@pytest.mark.parametrize(
    ("place", "uri", "paths"),
    [
        ("../start/m.sdf", "models/leg.sdf", ()),
        ("m.sdf", "../start/models/leg.sdf", ()),
        ("m.sdf", "model://leg.sdf", ("../start/models",)),
        ("m.sdf", "models/leg.sdf", ("../start",)),
    ],
)
def test_what_is_found_from_elsewhere_too_is_not_questioned(
    elsewhere: Path, place: str, uri: str, paths: tuple[str, ...]
) -> None:
    document = parse_document(INCLUDE.format(uri), elsewhere / place)
    loader = Loader(Finder(elsewhere / path for path in paths))
    assert loader.load_with_diagnostics(document)[1] == ()


def test_meshes_that_only_the_working_directory_leads_to(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("lxml")
    file = elsewhere / "m.sdf"
    file.write_text(MESH)
    why = f"only the working directory, {Path.cwd()}, leads to it"
    main(["check", "--resources", "--json", str(file)])
    [problem] = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (problem["rule"], problem["line"]) == ("resource-only-here", 3)
    assert problem["message"].endswith(why)
    model = sdfviewer.load(file)
    assert [each.only_here for each in model.resources] == [why]
    [link] = document_links(parse_document(MESH, file), Finder())
    assert link.says == f"{Path.cwd() / 'meshes/a.stl'}: {why}"


def test_a_view_warns_of_a_mesh_that_only_the_working_directory_leads_to(elsewhere: Path) -> None:
    pytest.importorskip("lxml")
    from sdfviewer.scene.loader import diagnose
    from sdfviewer.scene.scene_build import SceneOptions, load_scene

    model = Loader().load(parse_document(MESH, elsewhere / "m.sdf"))
    assert model is not None
    _, problems = load_scene(model, SceneOptions(), Finder())
    [found] = diagnose(model, problems)
    assert found.rule.name == "resource-only-here"
    assert found.span is not None
    assert found.span.line == 3
