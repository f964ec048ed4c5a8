"""Qt's own dialog for files shows its columns in full."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QHeaderView, QToolButton, QTreeView
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.file_dialog import widen_file_dialogs
from sdfviewer.gui.kit.theme import Choice, apply_theme
from sdfviewer.gui.shell.application import make_application


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


def test_the_buttons_are_seen_in_the_dark_theme(qtbot: QtBot, tmp_path: Path) -> None:
    application = make_application()
    apply_theme(application, Choice.DARK)
    try:
        widen_file_dialogs(application)
        dialog = QFileDialog(None, "Save As", str(tmp_path))
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        qtbot.addWidget(dialog)
        dialog.show()
        dialog.activateWindow()
        qtbot.waitUntil(lambda: bool(dialog.property("widened")))
        button = dialog.findChild(QToolButton, "toParentButton")
        assert button is not None
        picture = button.icon().pixmap(16, 16).toImage()
        points = [(x, y) for x in range(picture.width()) for y in range(picture.height())]
        assert max(picture.pixelColor(x, y).lightness() for x, y in points) > 128
    finally:
        apply_theme(application, Choice.LIGHT)
