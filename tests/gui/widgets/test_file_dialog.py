"""Qt's own dialog for files shows its columns in full."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QHeaderView, QTreeView
from pytestqt.qtbot import QtBot

from sdfviewer.gui.shell.application import make_application
from sdfviewer.gui.widgets.file_dialog import widen_file_dialogs


def test_the_columns_fit_their_contents(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / ("long_name_of_a_model" * 3 + ".sdf")).write_text("<sdf/>", encoding="utf-8")
    widen_file_dialogs(make_application())
    dialog = QFileDialog(None, "Open", str(tmp_path))
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(lambda: bool(dialog.property("widened")))
    assert dialog.screen().availableGeometry().contains(dialog.geometry())
    (table,) = dialog.findChildren(QTreeView)
    modes = [table.header().sectionResizeMode(section) for section in range(4)]
    assert modes == [QHeaderView.ResizeMode.Stretch] + [QHeaderView.ResizeMode.ResizeToContents] * 3
    qtbot.waitUntil(lambda: table.header().sectionSize(0) > 300)
