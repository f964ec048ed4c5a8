"""Elements are copied and pasted in the window, within a file and between files."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from sdfviewer.gui.operations.operation_form import OperationForm
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow

ARM = """<sdf version="1.9"><model name="arm">
  <link name="base"/>
  <joint name="left_joint" type="fixed"><parent>base</parent><child>left_link</child></joint>
  <link name="left_link"><pose>0 1 0 0 0 0</pose></link>
</model></sdf>
"""
CART = """<sdf version="1.9"><model name="cart"><link name="top"><pose>0 0 2 0 0 0</pose></link></model></sdf>
"""


def opened(window: MainWindow, path: Path, text: str, *names: str) -> OpenFile:
    """Return a file that is opened in the window, with some frames selected."""
    path.write_text(text, encoding="utf-8")
    window.files.open([path])
    assert window.current is not None
    window.current.session.select(names)
    return window.current


def run(window: MainWindow, action: str) -> None:
    window.actions_by_id[action].trigger()


def test_a_link_is_copied_to_another_file_with_its_joint(window: MainWindow, tmp_path: Path) -> None:
    opened(window, tmp_path / "arm.sdf", ARM, "arm::left_link")
    run(window, "edit.copy")
    text = QGuiApplication.clipboard().text()
    assert text.startswith('<joint name="left_joint"')
    assert "sdfviewer" not in text  # other programs get what is written
    cart = opened(window, tmp_path / "cart.sdf", CART, "cart::top")
    run(window, "edit.paste")
    assert "<parent>top</parent>" in cart.session.document.text
    assert '<pose relative_to="top">0 1 0 0 0 0</pose>' in cart.session.document.text
    model = cart.session.model
    assert model is not None
    assert [model.names[row] for row in cart.session.selected_rows] == ["cart::left_joint", "cart::left_link"]
    run(window, "edit.undo")
    assert cart.session.document.text == CART


def test_it_is_said_that_everything_below_is_copied(window: MainWindow, tmp_path: Path) -> None:
    opened(window, tmp_path / "arm.sdf", ARM, "arm::left_link")
    run(window, "edit.copy")
    assert window.status.message == "Copied left_link"
    run(window, "edit.copy_limb")
    assert window.status.message == "Copied left_link with everything below"


def test_a_package_is_duplicated_under_a_name_that_is_free(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    (tmp_path / "arm").mkdir()
    (tmp_path / "arm_copy").mkdir()
    (tmp_path / "arm" / "model.config").write_text("<model><name>arm</name></model>", encoding="utf-8")
    opened(window, tmp_path / "arm" / "model.sdf", ARM)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda _parent, _title, start, *_, **__: (start, ""))
    run(window, "file.duplicate_package")
    copy = tmp_path / "arm_copy_2" / "model.sdf"
    qtbot.waitUntil(lambda: window.files.find(copy) is not None)
    assert copy.read_text(encoding="utf-8") == ARM


def test_pasted_where_it_was_copied_it_is_beside_it(window: MainWindow, tmp_path: Path) -> None:
    arm = opened(window, tmp_path / "arm.sdf", ARM, "arm::left_link")
    run(window, "edit.copy")
    run(window, "edit.paste")
    assert '<link name="left_link_1"><pose>0 1 0 0 0 0</pose></link>' in arm.session.document.text
    assert "<parent>base</parent><child>left_link_1</child>" in arm.session.document.text


def test_text_of_another_program_is_pasted(window: MainWindow, tmp_path: Path) -> None:
    cart = opened(window, tmp_path / "cart.sdf", CART, "cart")
    data = QMimeData()
    data.setText('<link name="extra"/>')
    QGuiApplication.clipboard().setMimeData(data)
    run(window, "edit.paste")
    assert '<link name="extra"/>' in cart.session.document.text
    QGuiApplication.clipboard().setText("no XML")
    run(window, "edit.paste")
    assert "no elements" in window.status.message


def test_a_limb_is_duplicated_by_a_form(window: MainWindow, tmp_path: Path) -> None:
    arm = opened(window, tmp_path / "arm.sdf", ARM, "arm::left_link")
    run(window, "edit.duplicate_limb")
    form = next(each for each in window.findChildren(OperationForm) if each.isVisible())
    form.accept()
    assert '<link name="right_link">' in arm.session.document.text
    assert "<parent>base</parent><child>right_link</child>" in arm.session.document.text
