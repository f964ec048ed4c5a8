"""The search for the files that include one finds all of them, and nothing that a build has made."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.files import search as including
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.files.search import Search, find_including, project_folder, search_places

CONFIG = '<model><sdf version="1.9">model.sdf</sdf></model>'


def include(*uris: str) -> str:
    lines = "".join(f"<include><uri>{uri}</uri></include>" for uri in uris)
    return f'<sdf version="1.9"><world name="w">{lines}</world></sdf>'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    texts = {
        "models/arm/model.sdf": '<sdf version="1.9"><model name="arm"><link name="l"/></model></sdf>',
        "models/arm/model.config": CONFIG,
        "models/cell/model.sdf": include("\n model://arm ").replace("world", "model"),
        "models/cell/model.config": CONFIG,
        "models/other/model.sdf": '<sdf version="1.9"><model name="o"><link name="l"/></model></sdf>',
        "models/other/model.config": CONFIG,
        "worlds/direct.world": include("../models/arm/model.sdf"),
        "worlds/nested.sdf": include("model://cell"),
        "worlds/elsewhere.sdf": include("model://other/model.sdf"),
        "worlds/mesh.sdf": include("model://other").replace("</world>", "<uri>model://arm/hand.dae</uri></world>"),
        ".hidden/direct.sdf": include("model://arm"),
        "install/direct.sdf": include("model://arm"),
        "install/COLCON_IGNORE": "",
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "worlds" / "wide.sdf").write_bytes(include("model://arm").encode("utf-16"))
    return tmp_path


def search(project: Path, **more: object) -> Search:
    finder = Finder([project / "models"], {"HOME": str(project)}, project)
    return find_including(project / "models" / "arm" / "model.sdf", [project], finder, **more)  # type: ignore[arg-type]


def replaced(path: Path, old: str, new: str) -> Document:
    document = open_document(path)
    start = document.text.index(old)
    return document.edited([Replacement(start, start + len(old), new)])


def names(search: Search) -> set[str]:
    return {f"{each.path.parent.name}/{each.path.name}" for each in search.documents if each.path is not None}


def test_files_are_found_that_include_it_at_once_or_through_others(project: Path) -> None:
    found = search(project)
    assert names(found) == {"cell/model.sdf", "worlds/direct.world", "worlds/nested.sdf", "worlds/wide.sdf"}
    assert found.is_complete
    assert found.looked_at == 7


def test_open_files_count_as_they_are_there(project: Path) -> None:
    unsaved = replaced(project / "worlds" / "nested.sdf", "cell", "nothing")
    assert "worlds/nested.sdf" not in names(search(project, opened=[unsaved]))
    unsaved = replaced(project / "worlds" / "elsewhere.sdf", "other/model.sdf", "arm")
    assert unsaved in search(project, opened=[unsaved]).documents


def test_a_search_ends_when_it_is_asked_to_and_when_there_is_too_much(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not search(project, stopped=lambda: True).documents
    assert not search(project, stopped=lambda: True).is_complete
    monkeypatch.setattr(including, "MOST_FILES", 3)
    assert not search(project).is_complete
    assert names(search(project)) == {"cell/model.sdf"}
    monkeypatch.setattr(including, "MOST_FOLDERS", 3)
    assert not search(project).is_complete
    assert not search(project).documents


@pytest.mark.skipif(os.name == "nt", reason="links to folders need rights there")
def test_links_lead_to_no_file_twice_and_into_no_circle(project: Path) -> None:
    (project / "worlds" / "loop").symlink_to(project)
    (project / "again").symlink_to(project / "worlds")
    found = search(project)
    assert len(found.documents) == 4
    assert found.looked_at == 7


def test_a_project_is_a_working_copy_or_a_package_but_never_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    model = tmp_path / "work" / "robot" / "models" / "arm" / "model.sdf"
    model.parent.mkdir(parents=True)
    (tmp_path / ".git").mkdir()  # somebody keeps the whole home folder in git
    assert project_folder(model) == model.parent
    model.with_name("model.config").write_text(CONFIG)
    assert project_folder(model) == tmp_path / "work" / "robot"
    (tmp_path / "work" / "package.xml").write_text("<package/>")
    assert project_folder(model) == tmp_path / "work"
    (tmp_path / "work" / "robot" / ".git").write_text("gitdir: elsewhere")
    assert project_folder(model) == tmp_path / "work" / "robot"
    assert project_folder(tmp_path / "alone.sdf") == tmp_path


def test_a_folder_of_everything_is_not_searched_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("robot.sdf", "world.sdf", "notes.txt", "music/other.sdf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("<sdf/>", encoding="utf-8")
    assert search_places(tmp_path / "robot.sdf") == (tmp_path / "robot.sdf", tmp_path / "world.sdf")
    assert search_places(tmp_path / "music" / "other.sdf") == (tmp_path / "music",)
