"""An empty file offers what it may start with, as one undo step."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from sdfviewer.gui.operations.add_link import AddLinkDialog
from sdfviewer.gui.shell.window import MainWindow


@pytest.mark.parametrize(
    ("name", "label", "model"), [("rover.urdf", "Start a Robot", "rover"), ("cart.sdf", "Start a Model", "cart")]
)
def test_an_empty_file_starts_as_what_its_name_says(
    window: MainWindow, tmp_path: Path, name: str, label: str, model: str
) -> None:
    path = tmp_path / name
    path.write_text("\n")
    window.files.open([path])
    assert window.current is not None
    session = window.current.session
    [button] = [each for each in window.notices.findChildren(QPushButton) if each.text() == label]
    button.click()
    assert session.model is not None
    assert session.model.names[0] == model
    assert not session.diagnostics
    session.undo()
    assert session.document.text == "\n"


@pytest.mark.parametrize("name", ["rover.urdf", "cart.sdf"])
def test_a_link_is_added_to_an_empty_file(window: MainWindow, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("", encoding="utf-8")
    window.files.open([path])
    assert window.current is not None
    session = window.current.session
    window.actions_by_id["edit.add_link"].trigger()
    form = window.app.dialog
    assert isinstance(form, AddLinkDialog)
    assert not [each for each in window.notices.topics if each.startswith("errors")]
    form.name.setText("chassis")
    form.accept()
    assert session.model is not None
    assert session.model.names[0] == path.stem
    assert session.selection[0].rpartition("::")[2] == "chassis"
    assert not session.diagnostics
