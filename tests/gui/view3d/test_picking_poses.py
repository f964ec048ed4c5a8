"""Picking a pose in the 3D view, for the form that adds an element and for the properties."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import parse_document
from sdfviewer.gui.operations.add import AddDialog
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.canvas import Canvas
from sdfviewer.refactoring.adding import insert_member
from tests.gui.kept_window import ALL_PANELS

pytestmark = pytest.mark.pictures


@pytest.fixture
def canvas(arm: OpenFile, qtbot: QtBot) -> Canvas:
    canvas = arm.view.canvas
    if canvas is None:
        pytest.skip("there is no OpenGL here")
    model = arm.session.model
    assert model is not None
    # A table with nothing in front of it.
    arm.session.apply(insert_member(model, 0, "link", "table", pose="0 1 0 0 0 0"))
    model = arm.session.model
    assert model is not None
    arm.session.apply(
        insert_member(
            model, model.row("arm::table"), "visual", "top", shape="box", dimensions="<size>0.4 0.4 0.1</size>"
        )
    )
    arm.session.select(("arm::table",))
    canvas.camera_control.move_to(
        canvas.camera.fit(np.array([[-0.3, 0.7, -0.1], [0.3, 1.3, 0.2]]), canvas.width() / canvas.height())
    )
    qtbot.waitUntil(lambda: "arm::table::top" in canvas.feed.scene.names)
    return canvas


def pixel(canvas: Canvas, *point: float) -> QPoint:
    (x, y), depth = canvas.camera.project(np.array(point), canvas.width(), canvas.height())
    assert depth > 0
    return QPoint(round(float(x)), round(float(y)))


def click(canvas: Canvas, at: QPoint) -> None:
    QTest.mouseMove(canvas, at)
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


def open_form(window: MainWindow, tag: str) -> AddDialog:
    window.app.dialog = None
    window.actions_by_id[f"edit.add_{tag}"].trigger()
    assert isinstance(window.app.dialog, AddDialog)
    return window.app.dialog


def test_a_click_on_a_face_fills_in_the_pose(qtbot: QtBot, window: MainWindow, arm: OpenFile, canvas: Canvas) -> None:
    before = arm.session.document.text
    dialog = open_form(window, "frame")
    assert dialog.pickers["attached_to"].full_text == "table"
    qtbot.mouseClick(dialog.pick_button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(arm.context.previews.edit_changed):  # the views show what the mouse is over
        canvas.tools.place.hover(pixel(canvas, 0.1, 1.05, 0.05).toPointF(), Qt.KeyboardModifier.NoModifier)
    click(canvas, pixel(canvas, 0.1, 1.05, 0.05))
    assert not dialog.pick_button.isChecked()
    assert arm.context.requests.pick is None
    numbers = [float(word) for word in dialog.lines["pose"].text().split()]
    assert numbers[2:] == [0.05, 0, 0, 0]  # exactly on the face, in the frame of the table
    np.testing.assert_allclose(numbers[:2], (0.1, 0.05), atol=0.01)
    assert arm.session.document.text == before
    dialog.accept()
    assert f"<pose>{' '.join(f'{each:g}' for each in numbers)}</pose>" in arm.session.document.text


def test_a_side_face_turns_what_is_put_on_it(qtbot: QtBot, window: MainWindow, arm: OpenFile, canvas: Canvas) -> None:
    dialog = open_form(window, "sensor")
    qtbot.mouseClick(dialog.pick_button, Qt.MouseButton.LeftButton)
    click(canvas, pixel(canvas, 0.2, 1.02, 0.01))
    assert dialog.lines["pose"].text().startswith("0.2 ")
    assert dialog.lines["pose"].text().endswith("0 1.5707963267948966 0")
    dialog.pick_button.turns.setChecked(False)
    dialog.lines["pose"].setText("0 0 0 0 0 0.5")
    qtbot.mouseClick(dialog.pick_button, Qt.MouseButton.LeftButton)
    click(canvas, pixel(canvas, 0.2, 1.02, 0.01))
    assert dialog.lines["pose"].text().endswith("0 0 0.5")
    dialog.reject()


def test_escape_gives_the_pick_up_before_the_form(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, canvas: Canvas
) -> None:
    dialog = open_form(window, "frame")
    dialog.lines["pose"].setText("0 0 1")
    qtbot.mouseClick(dialog.pick_button, Qt.MouseButton.LeftButton)
    canvas.tools.place.hover(pixel(canvas, 0.1, 1.05, 0.05).toPointF(), Qt.KeyboardModifier.NoModifier)
    assert dialog.lines["pose"].text() != "0 0 1"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert dialog.lines["pose"].text() == "0 0 1"
    assert not dialog.pick_button.isChecked()
    qtbot.mouseClick(dialog.pick_button, Qt.MouseButton.LeftButton)
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert arm.context.requests.pick is None
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


@pytest.mark.panels(*ALL_PANELS)  # they make the view so small that the corner is near
def test_what_is_selected_moves_to_a_corner(qtbot: QtBot, window: MainWindow, arm: OpenFile, canvas: Canvas) -> None:
    arm.session.select(("arm::inspection",))
    button = arm.properties.pose.pick_button
    history = len(arm.session.history.steps)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    click(canvas, pixel(canvas, 0.197, 0.803, 0.05))
    model = arm.session.model
    assert model is not None
    np.testing.assert_allclose(model.X_RootF[model.row("arm::inspection")][:3, 3], (0.2, 0.8, 0.05), atol=2e-6)
    assert len(arm.session.history.steps) == history + 1
    assert not button.isChecked()


@pytest.mark.panels("properties")
def test_a_pick_ends_with_the_text_that_it_is_for(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, canvas: Canvas
) -> None:
    arm.session.select(("arm::inspection",))
    qtbot.mouseClick(arm.properties.pose.pick_button, Qt.MouseButton.LeftButton)
    assert arm.context.requests.pick is not None
    arm.context.edits.undo()
    assert arm.context.requests.pick is None
    assert parse_document(arm.session.document.text).diagnostics == ()
