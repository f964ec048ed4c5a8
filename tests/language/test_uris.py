"""Completion of URIs: what is in the folders that they lead to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sdfviewer.files import paths
from sdfviewer.files.finder import Finder
from sdfviewer.language.links import complete_uri


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "a.obj").write_text("", encoding="utf-8")
    return tmp_path / "m.sdf"


def offered(typed: str, file: Path, *, is_include: bool = False) -> list[str]:
    return [each.uri for each in complete_uri(typed, file, Finder(environ={}), is_include=is_include)]


def test_files_and_folders_beside_a_file_are_offered(file: Path) -> None:
    assert offered("", file) == ["meshes"]
    assert offered("meshes/", file) == ["meshes/a.obj"]
    assert offered("meshes/", file, is_include=True) == []


def test_links_that_lead_nowhere_keep_nothing_from_being_offered(file: Path) -> None:
    """The folder may be a stranger's."""
    try:
        (file.parent / "loop").symlink_to("loop")
        (file.parent / "dangling").symlink_to("gone")
    except OSError:
        pytest.skip("this system makes no links for this user")
    assert offered("", file) == ["meshes"]


def test_what_no_path_can_have_offers_nothing(file: Path) -> None:
    assert offered("a\0b/", file) == []


@pytest.mark.parametrize(
    "typed", ["//server/share/", "\\\\server\\share/", "file:////server/share/", "model:////server/share/a"]
)
def test_windows_is_not_made_to_call_a_server(file: Path, monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    """Found: the text around the caret may be a stranger's, and Windows tells a server who looks into its folders."""
    looked_at: list[object] = []
    monkeypatch.setattr(paths, "ON_WINDOWS", True)
    monkeypatch.setattr(os, "scandir", looked_at.append)
    assert offered(typed, file) == []
    assert looked_at == []
