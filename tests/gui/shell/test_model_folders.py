"""Folders of models are kept in the settings, and open files look into them at once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from sdfviewer.gui.problems.problem_detail import ProblemDetail
from sdfviewer.gui.shell.files.model_folders import ModelFoldersDialog
from sdfviewer.gui.shell.tree_menu import build_tree_menu
from sdfviewer.gui.shell.window import MainWindow

WORLD = '<sdf version="1.9"><world name="w"><include><uri>model://table</uri></include></world></sdf>'


def world_beside_models(folder: Path) -> Path:
    """Write a world that names a model of ``../models``, and return its path."""
    (folder / "models" / "table").mkdir(parents=True)
    config = '<model><name>t</name><sdf version="1.9">model.sdf</sdf></model>'
    (folder / "models" / "table" / "model.config").write_text(config, encoding="utf-8")
    table = '<sdf version="1.9"><model name="table"><link name="top"/></model></sdf>'
    (folder / "models" / "table" / "model.sdf").write_text(table, encoding="utf-8")
    (folder / "worlds").mkdir()
    (folder / "worlds" / "w.sdf").write_text(WORLD, encoding="utf-8")
    return folder / "worlds" / "w.sdf"


def names(window: MainWindow) -> set[str]:
    assert window.current is not None
    assert window.current.session.model is not None
    return set(window.current.session.model.rows_by_name)


def button(window: MainWindow, text: str) -> QPushButton:
    (found,) = (each for each in window.notices.findChildren(QPushButton) if each.text() == text)
    return found


def test_a_folder_beside_the_file_is_used_after_one_click_and_remembered_for_its_folder(
    window: MainWindow, tmp_path: Path
) -> None:
    path = world_beside_models(tmp_path)
    window.files.open([path])
    assert "table::top" not in names(window)
    folder = os.path.join("..", "models")
    (text,) = [each.text() for each in window.notices.findChildren(QLabel) if each.text()]
    assert text == f"w.sdf has 1 error. 1 model is not found. Found in {folder}."
    button(window, f"Use {folder}").click()
    assert "table::top" in names(window)
    assert not window.notices.topics
    assert window.settings.model_folders == []
    assert window.current is not None
    window.saving.close(window.current)
    other = path.with_name("other.sdf")
    other.write_text(WORLD, encoding="utf-8")
    window.files.open([other])
    assert "table::top" in names(window)
    window.actions_by_id["file.model_folders"].trigger()
    dialog = window.findChild(ModelFoldersDialog)
    assert dialog is not None
    assert dialog.used.item(0).text() == str(tmp_path / "models")
    dialog.used.item(0).setCheckState(Qt.CheckState.Unchecked)
    dialog.accept()
    assert "table::top" not in names(window)


def test_a_problem_and_the_row_of_the_tree_offer_the_folder_too(window: MainWindow, tmp_path: Path) -> None:
    window.files.open([world_beside_models(tmp_path)])
    file = window.current
    assert file is not None
    folder = os.path.join("..", "models")
    model = file.session.model
    assert model is not None
    file.session.select([model.names[next(iter(model.failed_includes))]])
    menu = build_tree_menu(file, window.actions_by_id)
    assert menu.actions()[0].text() == f"Use {folder}"
    window.actions_by_id["panel.problems"].trigger()
    detail = file.problems.findChild(ProblemDetail)
    assert detail is not None
    detail.show_problems(file.session.diagnostics)
    (use,) = (each for each in detail.widget().findChildren(QPushButton) if each.text() == f"Use {folder}")
    use.click()
    assert "table::top" in names(window)


def test_a_located_folder_is_used(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = world_beside_models(tmp_path)
    (tmp_path / "models").rename(tmp_path / "elsewhere")
    window.files.open([path])
    (text,) = [each.text() for each in window.notices.findChildren(QLabel) if each.text()]
    assert text == "w.sdf has 1 error. 1 model is not found."
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "elsewhere"))
    button(window, "Locate…").click()
    assert "table::top" in names(window)


def test_a_missing_model_is_found_once_its_folder_is_listed(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    folder = tmp_path / "models with spaces"
    (folder / "table").mkdir(parents=True)
    (folder / "table" / "model.config").write_text(
        '<model><name>t</name><sdf version="1.9">model.sdf</sdf></model>', encoding="utf-8"
    )
    (folder / "table" / "model.sdf").write_text(
        '<sdf version="1.9"><model name="table"><link name="top"/></model></sdf>', encoding="utf-8"
    )
    file = tmp_path / "world.sdf"
    file.write_text(
        '<sdf version="1.9"><world name="w"><include><uri>model://table</uri></include></world></sdf>', encoding="utf-8"
    )
    window.files.open([file])
    workspace = window.current
    assert workspace is not None
    assert "uri-not-found" in [problem.rule.name for problem in workspace.session.diagnostics]
    window.actions_by_id["file.model_folders"].trigger()
    dialog = window.findChild(ModelFoldersDialog)
    assert dialog is not None
    dialog.add(tmp_path)
    dialog.add(folder)
    dialog.add(folder)
    qtbot.mouseClick(dialog.up_button, Qt.MouseButton.LeftButton)
    assert dialog.folders == [folder, tmp_path]
    dialog.list.setCurrentRow(1)
    qtbot.mouseClick(dialog.remove_button, Qt.MouseButton.LeftButton)
    ok = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)
    assert window.settings.model_folders == [folder]
    assert not workspace.session.diagnostics
    assert workspace.session.model is not None
    assert "table::top" in workspace.session.model.rows_by_name
