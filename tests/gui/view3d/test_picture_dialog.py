"""The dialog that saves the 3D view as a picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog
from pytestqt.qtbot import QtBot

from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.picture_dialog import PictureDialog

pytestmark = pytest.mark.pictures


def test_the_picture_has_the_size_and_background_that_are_chosen(
    window: MainWindow, arm: OpenFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas = arm.view.canvas
    assert canvas is not None
    target = tmp_path / "arm.png"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_options: (str(target), ""))

    def dialog() -> PictureDialog:
        window.actions_by_id["file.picture"].trigger()
        (found,) = (each for each in window.findChildren(PictureDialog) if each.isVisible())
        return found

    width, height = canvas.pixels
    shown = dialog()
    assert tuple(side.value() for side in shown.sides) == (width, height)
    shown.sides[0].setValue(2 * width)
    assert abs(shown.sides[1].value() - 2 * height) <= 1
    shown.keeps_shape.setChecked(False)
    shown.sides[1].setValue(300)
    assert shown.sides[0].value() == 2 * width
    shown.is_transparent.setChecked(True)
    shown.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Save).click()
    assert f"written {target}" in window.notices.topics, "it can be opened, as any other export"
    picture = QImage(str(target))
    assert (picture.width(), picture.height()) == (2 * width, 300)
    assert QColor.fromRgba(picture.pixel(2, 2)).alpha() == 0
    assert any(picture.pixelColor(x, y).alpha() == 255 for x in range(0, 2 * width, 9) for y in range(0, 300, 9))
    assert not canvas.look.transparent_background

    with_cube, without = dialog(), None
    without = with_cube.picture()
    with_cube.has_cube.setChecked(True)
    assert with_cube.picture() != without
    with_cube.reject()


def test_a_narrow_picture_shows_all_that_is_in_the_view(qtbot: QtBot, arm: OpenFile) -> None:
    """It cut off what was at the sides."""
    canvas = arm.view.canvas
    assert canvas is not None
    qtbot.waitUntil(lambda: canvas.is_settled)
    points = canvas.compared.outline()
    for size in ((200, 600), (60, 600)):
        pixels, _ = canvas.camera_control.camera_for(QSize(*size)).project(points, *size)
        assert (pixels >= 0).all()
        assert (pixels <= size).all()
    assert canvas.camera_control.camera_for(canvas.size()) == canvas.camera
