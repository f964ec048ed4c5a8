"""The models that a file can include."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.files.finder import Finder
from sdfviewer.files.search import search_models

CONFIG = '<model><name>{0}</name><sdf version="1.9">model.sdf</sdf></model>'
MODEL = '<sdf version="1.9"><model name="{0}"><link name="l"/></model></sdf>'


def make_model(folder: Path, name: str, picture: str = "") -> Path:
    model = folder / name
    model.mkdir(parents=True)
    (model / "model.config").write_text(CONFIG.format(name), encoding="utf-8")
    (model / "model.sdf").write_text(MODEL.format(name), encoding="utf-8")
    if picture:
        (model / "thumbnails").mkdir()
        (model / "thumbnails" / picture).write_bytes(b"")
    return model


@pytest.fixture
def finder(tmp_path: Path) -> Finder:
    return Finder([tmp_path / "models"], environ={"HOME": str(tmp_path / "home")}, cwd=tmp_path)


def test_models_of_the_model_folders_are_found_with_their_pictures(tmp_path: Path, finder: Finder) -> None:
    make_model(tmp_path / "models", "table", "0.png")
    make_model(tmp_path / "models", "Arm")
    (tmp_path / "models" / "notes").mkdir()
    found = search_models(finder, None)
    assert [(each.name, each.uri) for each in found] == [("Arm", "model://Arm"), ("table", "model://table")]
    assert found[1].picture == tmp_path / "models" / "table" / "thumbnails" / "0.png"
    assert found[0].picture is None
    assert found[0].file == tmp_path / "models" / "Arm" / "model.sdf"


def test_each_uri_leads_to_its_file(tmp_path: Path, finder: Finder) -> None:
    """Also those of the files beside the document and of the model folders around it."""
    own = make_model(tmp_path / "robots", "arm") / "model.sdf"
    make_model(tmp_path / "robots", "gripper")
    make_model(tmp_path / "models", "table")
    (own.parent / "tool.sdf").write_text(MODEL.format("tool"), encoding="utf-8")
    found = search_models(finder, own)
    assert [each.name for each in found] == ["gripper", "table", "tool"]
    for each in found:
        path = finder.find(each.uri, own, nearby=True).path
        assert path is not None
        assert each.file in (path, path / "model.sdf")


def test_a_folder_without_a_file_is_no_model(tmp_path: Path, finder: Finder) -> None:
    (make_model(tmp_path / "models", "broken") / "model.sdf").unlink()
    assert search_models(finder, None) == []


def test_the_search_can_be_cancelled(tmp_path: Path, finder: Finder) -> None:
    make_model(tmp_path / "models", "table")
    assert search_models(finder, None, lambda: True) == []
