"""A robot that is dropped on a link of another one in the 3D view is joined to it; beside all links it is opened."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from sdfviewer.gui.operations.operation_form import OperationForm
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from tests.gui.stage import NONE, Stage

pytestmark = pytest.mark.pictures


def link(name: str, xyz: str = "0 0 0") -> str:
    inertia = '<mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    shape = f'<visual><origin xyz="{xyz}"/><geometry><box size="1 1 1"/></geometry></visual>'
    return f'<link name="{name}"><inertial>{inertia}</inertial>{shape}</link>'


@pytest.fixture
def robot(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> OpenFile:
    (tmp_path / "arm.urdf").write_text(f'<robot name="arm">\n  {link("base")}\n</robot>\n')
    (tmp_path / "hand.urdf").write_text(f'<robot name="hand">\n  {link("base")}\n</robot>\n')
    window.files.open([tmp_path / "arm.urdf"])
    assert window.current is not None
    Stage.of(qtbot, window.current.view)  # waits until it is drawn
    return window.current


def drop(file: OpenFile, path: Path, at: QPoint) -> bool:
    """Drag a file over the view and drop it; return whether the view takes it."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, left, canvas = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, file.view.canvas
    enter = QDragEnterEvent(at, copy, data, left, NONE)
    QApplication.sendEvent(canvas, enter)
    if enter.isAccepted():
        QApplication.sendEvent(canvas, QDragMoveEvent(at, copy, data, left, NONE))
        QApplication.sendEvent(canvas, QDropEvent(at.toPointF(), copy, data, left, NONE))
    return enter.isAccepted()


def pixel(file: OpenFile, *point: float) -> QPoint:
    canvas = file.view.canvas
    (x, y), _ = canvas.camera.project(np.array(point), canvas.width(), canvas.height())
    return QPoint(round(float(x)), round(float(y)))


@pytest.mark.parametrize("point", [(0.2, 0.3, 0.5), (0, 0, 0)], ids=["surface", "frame"])
def test_a_robot_is_joined_to_the_link_that_it_is_dropped_on(
    window: MainWindow, robot: OpenFile, tmp_path: Path, point: tuple[float, float, float]
) -> None:
    assert drop(robot, tmp_path / "hand.urdf", pixel(robot, *point))
    [form] = window.findChildren(OperationForm)
    assert "base; those of the other one begin with 'hand_' here" in form.summary.text()
    form.accept_button.click()
    names = robot.session.model.names if robot.session.model is not None else ()
    assert {"arm::hand_base", "arm::hand_base_joint"} <= set(names)
    assert window.files.opened == [robot]
    robot.session.undo()
    assert robot.session.document.text == (tmp_path / "arm.urdf").read_text()


def test_beside_all_links_it_is_opened(qtbot: QtBot, window: MainWindow, robot: OpenFile, tmp_path: Path) -> None:
    assert drop(robot, tmp_path / "hand.urdf", QPoint(3, robot.view.canvas.height() - 3))
    qtbot.waitUntil(lambda: window.files.find(tmp_path / "hand.urdf") is not None)
    assert not window.findChildren(OperationForm)


def test_the_menu_asks_for_file_and_link(
    window: MainWindow, robot: OpenFile, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    chosen = str(tmp_path / "hand.urdf"), ""
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getOpenFileName", lambda *_arguments: chosen)
    robot.session.select(("arm::base",))
    window.actions_by_id["edit.join_robot"].trigger()
    [form] = window.findChildren(OperationForm)
    assert not form.accept_button.isEnabled()
    [browse] = [each for each in form.findChildren(QPushButton) if each.text() == "Browse…"]
    browse.click()
    assert [each.text() for each in form.findChildren(QLineEdit) if each.text()] == [chosen[0]]
    form.accept_button.click()
    assert robot.session.model is not None
    assert "arm::hand_base" in robot.session.model.names
