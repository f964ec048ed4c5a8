"""Finding a model to include in the form that adds an include."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from sdfviewer.gui.operations.add import AddDialog
from sdfviewer.gui.operations.model_picker import ModelPicker
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from tests.files.test_model_search import make_model
from tests.hostile import CARELESS, make_hostile

WORLD = '<sdf version="1.9">\n  <world name="w">\n  </world>\n</sdf>\n'


@pytest.fixture
def world(window: MainWindow, tmp_path: Path) -> OpenFile:
    folder = tmp_path / "models"
    for name in ("table", "chair", "lamp"):
        model = make_model(folder, name)
        (model / "thumbnails").mkdir()
        picture = QImage(64, 40, QImage.Format.Format_RGB32)
        picture.fill(Qt.GlobalColor.red)
        assert picture.save(str(model / "thumbnails" / "0.png"))
    window.settings.model_folders = [folder]
    file = tmp_path / "world.sdf"
    file.write_text(WORLD, encoding="utf-8")
    window.files.open([file])
    assert window.current is not None
    window.current.session.finder.look_in([folder])
    return window.current


@pytest.fixture
def form(window: MainWindow, world: OpenFile) -> AddDialog:
    window.actions_by_id["edit.add_include"].trigger()
    form = window.app.dialog
    assert isinstance(form, AddDialog)
    return form


def open_list(qtbot: QtBot, form: AddDialog) -> ModelPicker:
    QTest.mouseClick(form.find_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: form.findChild(ModelPicker) is not None)
    picker = form.findChild(ModelPicker)
    assert picker is not None
    qtbot.waitUntil(lambda: len(picker.results.entries) >= 3)
    return picker


def test_a_model_is_found_by_a_part_of_its_name(qtbot: QtBot, world: OpenFile, form: AddDialog) -> None:
    picker = open_list(qtbot, form)
    assert not picker.picture.pixmap().isNull()
    QTest.keyClicks(picker.search, "tab")
    QTest.keyClick(picker.search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: form.uri.text() == "model://table")
    assert form.name.text() == "table"
    form.accept()
    assert "<uri>model://table</uri>\n      <name>table</name>" in world.session.document.text
    assert "table::l" in world.session.model.names


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
def test_a_picture_of_a_model_is_only_a_picture(
    qtbot: QtBot, world: OpenFile, form: AddDialog, window: MainWindow
) -> None:
    """Found: a drawing that was called ``0.png`` named a pipe, which the window waited for without end."""
    (folder,) = window.settings.model_folders
    pictures = folder / "table" / "thumbnails"
    for picture in pictures.iterdir():
        picture.unlink()
    os.mkfifo(pictures / "pipe")
    (pictures / "0.png").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">'
        '<rect width="9" height="9"/><image xlink:href="pipe" width="9" height="9"/></svg>',
        encoding="utf-8",
    )
    picker = open_list(qtbot, form)
    QTest.keyClicks(picker.search, "tab")
    qtbot.waitUntil(lambda: picker.results.current is not None and picker.results.current.name == "table")
    assert picker.picture.pixmap().isNull()


def test_a_name_that_was_typed_stays(qtbot: QtBot, world: OpenFile, form: AddDialog) -> None:
    QTest.keyClicks(form.name, "desk")
    picker = open_list(qtbot, form)
    QTest.keyClicks(picker.search, "tab")
    QTest.keyClick(picker.search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: form.uri.text() == "model://table")
    assert form.name.text().endswith("desk")
    form.reject()


def test_a_picture_is_made_by_the_installed_program(
    qtbot: QtBot, form: AddDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not by an ``sdfviewer.py`` in the folder that the window was started in."""
    hostile = make_hostile(tmp_path / "workspace")
    monkeypatch.chdir(hostile.path)
    for name, value in CARELESS.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "models" / "table" / "thumbnails" / "0.png").unlink()
    picker = open_list(qtbot, form)
    QTest.keyClicks(picker.search, "tab")
    qtbot.waitUntil(lambda: not picker.picture.pixmap().isNull())
    assert hostile.ran == []
    picker.close()
    form.reject()
