"""The mouse turns the camera about what is seen in the middle of the picture, not about a point in empty space."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.settings import Settings
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.sight import turning_about_seen
from tests.gui.stage import NONE, Stage

pytestmark = pytest.mark.pictures


def row_of(count: int, metres: float) -> str:
    """Return a world with models in a row along x."""
    link = '<link name="l"><visual name="v"><geometry><box><size>0.5 0.5 0.5</size></box></geometry></visual></link>'
    models = (f'<model name="m{n}"><pose>{n * metres} 0 0.5 0 0 0</pose>{link}</model>' for n in range(count))
    return f'<sdf version="1.9"><world name="w">{"".join(models)}</world></sdf>'


@pytest.fixture
def stand(qtbot: QtBot, settings: Settings) -> Iterator[Callable[[str], Stage]]:
    made: list[Stage] = []

    def make(text: str) -> Stage:
        made.append(Stage(qtbot, settings, text))
        return made[-1]

    yield make
    for each in made:
        each.close()


def orbit(stage: Stage, start: QPoint) -> tuple[Camera, Camera]:
    """Orbit a little from a point of the view; return the cameras before and after."""
    before = stage.canvas.camera
    button = Qt.MouseButton.LeftButton
    modifiers = Qt.KeyboardModifier.ShiftModifier if stage.canvas.settings.navigation == "gazebo" else NONE
    QTest.mousePress(stage.canvas, button, modifiers, start)
    stage.move(start + QPoint(10, 0), modifiers)
    QTest.mouseRelease(stage.canvas, button, modifiers, start + QPoint(10, 0))
    return before, stage.canvas.camera


def test_a_long_row_turns_about_the_model_in_the_middle_of_the_picture(stand: Callable[[str], Stage]) -> None:
    stage = stand(row_of(100, 10.0))
    before, after = orbit(stage, QPoint(400, 590))
    width, height = stage.canvas.width(), stage.canvas.height()
    points = stage.canvas.feed.scene.X_RootF[:, :3, 3]
    pixels, _ = before.project(points, width, height)
    middle = points[np.argmin(np.hypot(pixels[:, 0] - width / 2, pixels[:, 1] - height / 2))]
    assert after.yaw != before.yaw
    assert float(before.depth(np.array(after.focus))) == pytest.approx(float(before.depth(middle)), rel=0.03)
    assert abs(before.distance - float(before.depth(middle))) > 0.1 * before.distance
    # The picture does not jump.
    again, _ = Camera.project(before.turning_about(after.distance), points, width, height)
    np.testing.assert_allclose(again, pixels, atol=1e-6)


def test_keys_turn_about_the_same_point_as_the_mouse_and_keep_it(stand: Callable[[str], Stage]) -> None:
    stage = stand(row_of(100, 10.0))
    canvas = stage.canvas
    before = canvas.camera
    seen = turning_about_seen(before, canvas.feed.scene, canvas.width(), canvas.height())
    assert seen.focus != before.focus
    for _ in range(3):
        QTest.keyClick(canvas, Qt.Key.Key_Left)
        np.testing.assert_allclose(canvas.camera.focus, seen.focus)
    assert canvas.camera.yaw != before.yaw


def test_one_model_turns_about_where_it_was_fitted(stand: Callable[[str], Stage]) -> None:
    before, after = orbit(stand(row_of(1, 1.0)), QPoint(400, 590))
    assert after.yaw != before.yaw
    assert after.focus == before.focus


@pytest.mark.parametrize("orthographic", [False, True])
def test_where_nothing_is_seen_the_focus_stays(stand: Callable[[str], Stage], orthographic: bool) -> None:
    scene = stand(row_of(2, 1.0)).canvas.feed.scene
    away = Camera(focus=(0.0, 0.0, 500.0), distance=2.0, pitch=0.0, orthographic=orthographic)
    assert turning_about_seen(away, scene, 800, 600) is away


def test_an_orthographic_camera_shows_as_much_as_before(stand: Callable[[str], Stage]) -> None:
    scene = stand(row_of(2, 1.0)).canvas.feed.scene
    camera = Camera(focus=(0.0, 40.0, 0.5), distance=60.0, yaw=np.pi / 2, pitch=0.0, orthographic=True)
    turned = turning_about_seen(camera, scene, 800, 600)
    assert turned.focus[1] == pytest.approx(0.0, abs=0.3)
    points = scene.X_RootF[:, :3, 3]
    np.testing.assert_allclose(turned.project(points, 800, 600)[0], camera.project(points, 800, 600)[0], atol=1e-9)


def test_focus_goes_to_where_a_hidden_part_is_seen(qtbot: QtBot, stand: Callable[[str], Stage]) -> None:
    """F on a part behind a larger one showed nothing but that one."""
    box = '<visual name="v"><geometry><box><size>{}</size></box></geometry></visual>'
    stage = stand(
        f"""<sdf version="1.9"><model name="m"><link name="part">{box.format("0.02 0.02 0.02")}</link>
        <link name="wall"><pose>0.04 0 0 0 0 0</pose>{box.format("0.01 1 1")}</link></model></sdf>"""
    )
    canvas = stage.canvas
    qtbot.waitUntil(lambda: canvas.is_settled)
    before = canvas.camera.yaw
    done: list[int] = []
    stage.context.requests.focus.emit(("m::wall",))
    stage.context.run_in_background(lambda: None, lambda _none: done.append(1))
    qtbot.waitUntil(lambda: bool(done) and not canvas.camera_control.is_flying)
    assert canvas.camera.yaw == before  # the wall is in sight
    stage.context.requests.focus.emit(("m::part",))
    qtbot.waitUntil(lambda: canvas.camera.yaw != before and not canvas.camera_control.is_flying)
    assert abs(canvas.camera.yaw) > np.pi / 2 or canvas.camera.eye[0] < 0.035
    # Whoever looks at something else meanwhile goes on with that.
    canvas.camera_control.look_from("front")
    qtbot.waitUntil(lambda: not canvas.camera_control.is_flying)
    stage.context.requests.focus.emit(("m::part",))
    canvas.camera_control.look_from("top")
    stage.context.run_in_background(lambda: None, lambda _none: done.append(2))
    qtbot.waitUntil(lambda: 2 in done and not canvas.camera_control.is_flying)
    assert canvas.camera.pitch == pytest.approx(np.pi / 2)
