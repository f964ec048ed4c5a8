"""File → Export: a folder for other programs, losses listed before it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from sdfviewer.formats.load import Loader, load_model
from sdfviewer.gui.operations.losses import LossList
from sdfviewer.gui.shell.files.export_bundle import ExportDialog
from sdfviewer.gui.shell.window import MainWindow
from tests.patience import PATIENCE_MILLISECONDS


def test_a_model_without_losses_is_written_at_once(qtbot: QtBot, examples: Path, tmp_path: Path) -> None:
    said: list[str] = []
    folder = tmp_path / "pendulum"
    model = load_model(examples / "double_pendulum.sdf")
    dialog = ExportDialog(model, Loader(), "double_pendulum.sdf", said.append, choose=lambda: str(folder))
    qtbot.addWidget(dialog)
    dialog.target.setCurrentText("MuJoCo (MJCF)")
    with qtbot.waitSignal(dialog.finished):
        dialog.write.click()
    assert (folder / "double_pendulum.xml").is_file()
    assert said == [f"Exported 1 file into {folder}"]


def test_a_world_is_not_offered_as_urdf(qtbot: QtBot, examples: Path) -> None:
    dialog = ExportDialog(load_model(examples / "world_frames.sdf"), Loader(), "w.sdf", lambda text: None)
    qtbot.addWidget(dialog)
    assert dialog.target.currentText() == "MuJoCo (MJCF)"
    enabled = {
        dialog.target.itemText(k): bool(dialog.target.model().index(k, 0).flags() & Qt.ItemFlag.ItemIsEnabled)
        for k in range(dialog.target.count())
    }
    assert not any(on for text, on in enabled.items() if text.startswith("URDF"))
    assert all(on for text, on in enabled.items() if not text.startswith("URDF"))


@pytest.mark.parametrize(
    ("target", "name", "written"),
    [
        ("URDF 1.2", "double_pendulum.urdf", 'version="1.2">'),
        ("SDFormat 1.9", "double_pendulum.sdf", '<sdf version="1.9">'),
        ("SDFormat 1.7", "double_pendulum.sdf", '<sdf version="1.7">'),
    ],
)
def test_every_version_can_be_chosen(
    qtbot: QtBot, examples: Path, tmp_path: Path, target: str, name: str, written: str
) -> None:
    folder = tmp_path / "new"
    dialog = ExportDialog(
        load_model(examples / "double_pendulum.sdf"),
        Loader(),
        "double_pendulum.sdf",
        lambda text: None,
        choose=lambda: str(folder),
    )
    qtbot.addWidget(dialog)
    dialog.target.setCurrentText(target)
    assert dialog.target.currentText() == target
    dialog.write.click()
    qtbot.waitUntil(lambda: dialog.losses is not None or (folder / name).is_file())
    if not (folder / name).is_file():
        dialog.write.click()
    assert written in (folder / name).read_text()


def test_losses_are_listed_before_anything_is_written(qtbot: QtBot, examples: Path, tmp_path: Path) -> None:
    folder = tmp_path / "arm"
    model = load_model(examples / "arm.sdf")
    dialog = ExportDialog(model, Loader(), "arm.sdf", lambda text: None, choose=lambda: str(folder))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.write.click()
    qtbot.waitUntil(lambda: dialog.losses is not None)
    assert not folder.exists()
    assert dialog.losses is not None
    assert dialog.losses.count() > 0
    assert "when you click Write" in dialog.state.text()
    assert dialog.write.text() == "Write"
    assert dialog.write.isDefault()
    with qtbot.waitSignal(dialog.finished):
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert (folder / "arm.urdf").is_file()


def test_a_loss_is_at_its_line_of_the_open_file_or_of_another(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "robot.sdf"
    losses = LossList([f"{file}:3: lost", f"{tmp_path / 'leg.sdf'}:4: lost too", "nothing else"], str(file))
    qtbot.addWidget(losses)
    texts = [losses.item(row).text() for row in range(3)]
    assert texts == ["Line 3: lost", "leg.sdf, line 4: lost too", "Nothing else"]


def test_the_action_opens_the_dialog(window: MainWindow, examples: Path) -> None:
    window.files.open([examples / "arm.sdf"])
    window.actions_by_id["file.export"].trigger()
    assert isinstance(window.findChild(ExportDialog), ExportDialog)
    dialog = window.findChild(ExportDialog)
    assert dialog is not None
    dialog.close()


def test_a_web_page_is_written(
    window: MainWindow, qtbot: QtBot, examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page is written in the background; a message says so, with its size."""
    window.files.open([examples / "two_links_orthogonal.sdf"])
    target = tmp_path / "page.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_options: (str(target), ""))
    window.actions_by_id["file.page"].trigger()
    qtbot.waitUntil(lambda: "Wrote page.html" in window.status.message, timeout=PATIENCE_MILLISECONDS)
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
