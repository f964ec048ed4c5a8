"""Cutting a model open in the window: actions, the handle, a face."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.canvas import Canvas
from sdfviewer.session.visibility import Visibility

pytestmark = pytest.mark.pictures


@pytest.fixture
def canvas(arm: OpenFile) -> Canvas:
    if arm.view.canvas is None:
        pytest.skip("there is no OpenGL here")
    return arm.view.canvas


def test_a_section_is_set_flipped_and_removed(window: MainWindow, arm: OpenFile, canvas: Canvas) -> None:
    window.actions_by_id["section.z"].trigger()
    plane = canvas.feed.scene.section
    assert plane is not None
    np.testing.assert_allclose(plane.normal, (0, 0, 1), atol=1e-12)
    inside = plane.keeps(canvas.feed.scene.outline())
    assert inside.min() == pytest.approx(-inside.max())
    window.actions_by_id["section.flip"].trigger()
    flipped = canvas.feed.scene.section
    assert flipped is not None
    assert flipped.offset == pytest.approx(-plane.offset)
    canvas.grabFramebuffer()
    window.actions_by_id["section.off"].trigger()
    assert canvas.feed.scene.section is None


def test_the_key_that_cuts_shows_the_model_whole_again(window: MainWindow, arm: OpenFile, canvas: Canvas) -> None:
    actions = window.actions_by_id
    actions["section.z"].trigger()
    assert "Shift+Z removes it" in window.status.message
    actions["section.flip"].trigger()
    actions["section.x"].trigger()
    assert arm.session.section is not None
    assert arm.session.section.normal == (1.0, 0.0, 0.0), "another axis is another cut"
    actions["section.flip"].trigger()
    actions["section.x"].trigger()
    assert canvas.feed.scene.section is None
    assert window.status.message == "Removed the section plane.", "what the keys do to the plane is over"


def test_a_note_says_that_a_section_is_on_and_ends_it(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, canvas: Canvas
) -> None:
    note = arm.view.section_note
    assert not note.isVisible()
    window.actions_by_id["section.y"].trigger()
    assert note.isVisible()
    assert note.text().startswith("Section across y")
    assert not note.geometry().intersects(arm.view.strip.geometry())
    assert not note.geometry().intersects(canvas.cube.rectangle)
    arm.session.select(("arm::flange",))
    window.actions_by_id["section.frame"].trigger()
    assert note.text().startswith("Section in x-y of flange")
    camera = canvas.camera
    qtbot.mouseClick(note, Qt.MouseButton.LeftButton)
    assert arm.session.section is None
    assert not note.isVisible()
    assert window.status.message == "Removed the section plane.", "as by its key"
    assert canvas.camera == camera
    assert arm.session.selection == ("arm::flange",), "the view below was not clicked"


def test_names_keep_clear_of_the_handle(window: MainWindow, arm: OpenFile, canvas: Canvas) -> None:
    before = canvas.tools.rectangles()
    window.actions_by_id["section.x"].trigger()
    (place,) = set(canvas.tools.rectangles()) - set(before)
    foot = canvas.tools.section.handle()
    assert foot is not None
    assert place[0] < foot[0][0] < place[0] + place[2]
    assert place[1] < foot[0][1] < place[1] + place[3]
    # A name just beside the handle stays: "servo_1" of a plane was left out.
    assert min(foot[0][0] - place[0], place[0] + place[2] - foot[0][0]) < 10


def test_a_section_of_a_frame_moves_with_it(window: MainWindow, arm: OpenFile, canvas: Canvas) -> None:
    arm.session.select(("arm::flange",))
    window.actions_by_id["section.frame"].trigger()
    before = canvas.feed.scene.section
    arm.session.move_joints({"arm::joint_2": (0.7,)})
    after = canvas.feed.scene.section
    assert before is not None
    assert after is not None
    assert after != before
    assert canvas.renderer.scene.section == after


def test_the_handle_drags_the_plane_without_building_the_scene_again(
    window: MainWindow, arm: OpenFile, canvas: Canvas
) -> None:
    window.actions_by_id["section.z"].trigger()
    built: list[object] = []
    canvas.feed.rebuilt.connect(lambda: built.append(None))
    plane = canvas.feed.scene.section
    handle = canvas.tools.section.handle()
    assert plane is not None
    assert handle is not None
    at = QPoint(round(handle[0][0]), round(handle[0][1]))
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert canvas.tools.is_dragging
    QTest.mouseMove(canvas, at - QPoint(0, 60))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at - QPoint(0, 60))
    moved = canvas.feed.scene.section
    assert moved is not None
    assert moved.offset > plane.offset
    assert built == []
    assert arm.session.visibility == Visibility()


def test_the_arrow_of_the_handle_drags_the_plane_too(window: MainWindow, arm: OpenFile, canvas: Canvas) -> None:
    window.actions_by_id["section.z"].trigger()
    handle = canvas.tools.section.handle()
    assert handle is not None
    middle, per_metre = handle
    along = per_metre / np.hypot(*per_metre)
    for pixels, is_grip in ((35.0, True), (90.0, False)):
        x, y = middle + pixels * along
        at = QPoint(round(x), round(y))
        QTest.mousePress(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        assert canvas.tools.section.is_dragging == is_grip
        QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


def test_a_face_that_is_clicked_becomes_the_plane(window: MainWindow, arm: OpenFile, canvas: Canvas) -> None:
    window.actions_by_id["section.face"].trigger()
    assert canvas.tools.section.picks_face
    # Nothing is there: it goes on asking.
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(canvas.width() - 3, 200))
    assert canvas.tools.section.picks_face
    assert arm.session.section is None


def test_the_face_under_the_mouse_becomes_the_plane(window: MainWindow, arm: OpenFile, canvas: Canvas) -> None:
    canvas.grabFramebuffer()  # which brings everything into sight
    box = next(each for each in canvas.feed.scene.surfaces if len(each.mesh.indices) == 12)
    X_RootG = canvas.feed.scene.X_RootF[box.row] @ (np.eye(4) if box.X_RowG is None else box.X_RowG)
    (x, y), _ = canvas.camera.project(X_RootG[:3, 3], canvas.width(), canvas.height())
    at = QPoint(round(x), round(y))
    tool = canvas.tools.section
    window.actions_by_id["section.face"].trigger()
    assert tool.hover(at.toPointF())
    assert len(tool.shapes()), "the face is shown before the click"
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert not tool.picks_face
    plane = canvas.feed.scene.section
    assert plane is not None
    assert float(canvas.camera.axes[2] @ plane.normal) > 0, "what is before the face is cut away"


def test_escape_gives_up_choosing_a_face(window: MainWindow, arm: OpenFile, canvas: Canvas) -> None:
    window.actions_by_id["section.face"].trigger()
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert not canvas.tools.section.picks_face
    assert not canvas.tools.section.hover(QPoint(canvas.width() // 2, canvas.height() // 2).toPointF())
