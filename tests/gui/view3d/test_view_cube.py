"""The view cube under the mouse: every face, edge and corner lights up, says what it does, and turns the camera."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.theme import Choice, apply_theme
from sdfviewer.palette import parse_hex, theme
from sdfviewer.scene.view_cube import REGIONS, cube_mesh, cube_projection, cube_rectangle, name_of_region
from tests.gui.stage import NONE, Stage

pytestmark = pytest.mark.pictures

TEXT = '<sdf version="1.11"><model name="m"><link name="base"/></model></sdf>'
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def stage(qtbot: QtBot, settings: Settings) -> Iterator[Stage]:
    stage = Stage(qtbot, settings, TEXT)
    yield stage
    stage.close()


def place(stage: Stage, region: int) -> QPoint:
    """Return a pixel in the middle of a face, edge or corner that the camera sees."""
    canvas = stage.canvas
    left, top, side = cube_rectangle(canvas.width(), 1.0)
    mesh = cube_mesh()
    middle = mesh.positions[mesh.regions == region].mean(axis=0)
    x, y, _ = cube_projection(canvas.camera)[:3, :3] @ middle
    return QPoint(round(left + (x + 1) / 2 * side), round(top + (1 - y) / 2 * side))


def turn_to_see(stage: Stage, region: int) -> None:
    """Look at a region aslant, as somebody does who is about to click it."""
    aside = np.array(REGIONS[region]) + np.array([0.35, 0.2, 0.25])
    stage.canvas.camera = stage.canvas.camera.seen_along(aside)


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.nightly)])
def test_a_click_on_any_part_turns_the_camera_there(qtbot: QtBot, stage: Stage, every: int) -> None:
    """Each run clicks a third of the faces, edges and corners, the nightly run all."""
    for region, direction in [*enumerate(REGIONS)][::every]:
        turn_to_see(stage, region)
        QTest.mouseClick(stage.canvas, LEFT, NONE, place(stage, region))
        assert stage.canvas.camera_control.is_flying, name_of_region(region)
        qtbot.waitUntil(lambda: not stage.canvas.camera_control.is_flying)
        wanted = np.array(direction) / np.linalg.norm(direction)
        np.testing.assert_allclose(stage.canvas.camera.axes[2], wanted, atol=2e-2, err_msg=name_of_region(region))


@pytest.mark.parametrize("choice", [Choice.LIGHT, pytest.param(Choice.DARK, marks=pytest.mark.nightly)])
def test_edges_keep_their_colour_seen_from_any_side(
    qapp: QApplication, qtbot: QtBot, settings: Settings, choice: Choice
) -> None:
    apply_theme(qapp, choice)
    stage = Stage(qtbot, settings, TEXT)
    for region, direction in enumerate(REGIONS):
        if np.abs(direction).sum() == 1:
            continue
        turn_to_see(stage, region)
        seen = QColor(stage.canvas.grabFramebuffer().pixel(place(stage, region)))
        wanted = parse_hex(theme(stage.canvas.look.dark).cube_edge)
        assert np.allclose((seen.red(), seen.green(), seen.blue()), wanted, atol=2)
    stage.close()


def test_what_is_under_the_mouse_lights_up_and_shows_a_hand(qtbot: QtBot, stage: Stage) -> None:
    canvas = stage.canvas
    dark = canvas.grabFramebuffer()
    at = place(stage, REGIONS.index((1, 0, 0)))
    QTest.mouseMove(canvas, at)
    qtbot.waitUntil(lambda: canvas.cube.hovered == REGIONS.index((1, 0, 0)))
    assert canvas.cursor().shape() is Qt.CursorShape.PointingHandCursor
    ratio = dark.width() / canvas.width()
    lit = canvas.grabFramebuffer()
    assert lit.pixelColor(round(at.x() * ratio), round(at.y() * ratio)) != dark.pixelColor(
        round(at.x() * ratio), round(at.y() * ratio)
    )
    QTest.mouseMove(canvas, QPoint(300, 300))
    qtbot.waitUntil(lambda: canvas.cube.hovered is None)
    assert canvas.cursor().shape() is Qt.CursorShape.ArrowCursor
    QTest.mouseMove(canvas, at)
    qtbot.waitUntil(lambda: canvas.cube.hovered is not None)
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    assert canvas.cube.hovered is None


def test_the_tooltip_says_what_a_click_does(stage: Stage) -> None:
    stage.canvas.cube.shortcuts = {"front": "Ctrl+1", "top": "Ctrl+5"}
    for direction, text in (
        ((1, 0, 0), "Look from the front (Ctrl+1)"),
        ((0, 0, 1), "Look from the top (Ctrl+5)"),
        ((1, 1, 0), "Look from the front left"),
        ((-1, -1, 1), "Look from the back right top"),
    ):
        region = REGIONS.index(direction)
        turn_to_see(stage, region)
        at = place(stage, region)
        event = QHelpEvent(QEvent.Type.ToolTip, at, stage.canvas.mapToGlobal(at))
        QApplication.sendEvent(stage.canvas, event)
        assert QToolTip.text() == text
        QToolTip.hideText()


def test_two_quick_clicks_are_two(qtbot: QtBot, stage: Stage) -> None:
    turn_to_see(stage, REGIONS.index((1, 0, 0)))
    canvas = stage.canvas
    at = place(stage, REGIONS.index((1, 0, 0)))
    QTest.mouseClick(canvas, LEFT, NONE, at)
    edge = REGIONS.index((1, 0, 1))
    qtbot.waitUntil(lambda: bool(np.allclose(canvas.camera.axes[2], [1, 0, 0], atol=1e-3)))
    at = place(stage, edge)
    stage.double_press(at)
    stage.release(at)
    qtbot.waitUntil(lambda: bool(np.allclose(canvas.camera.axes[2], np.array([1, 0, 1]) / 2**0.5, atol=2e-2)))


def test_a_view_without_cube_has_nothing_there(stage: Stage) -> None:
    at = place(stage, REGIONS.index((1, 0, 0)))
    assert stage.canvas.cube.region_at(QPointF(at)) is not None
    stage.canvas.look = type(stage.canvas.look)(view_cube=False)
    assert stage.canvas.cube.region_at(QPointF(at)) is None
