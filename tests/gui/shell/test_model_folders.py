"""Folders of models are kept in the settings, and open files look into them at once."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from sdfviewer.gui.shell.files.model_folders import ModelFoldersDialog
from sdfviewer.gui.shell.window import MainWindow


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
