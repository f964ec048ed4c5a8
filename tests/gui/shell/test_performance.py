"""View › Performance: what a frame and an edit take, and what holds the window."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.performance import PerformanceMeter, Watchdog
from sdfviewer.gui.shell.window import MainWindow

pytestmark = pytest.mark.pictures


def test_the_meter_says_what_frames_and_edits_take_while_it_is_on(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    action = window.actions_by_id["view.performance"]
    assert window.views.findChild(PerformanceMeter) is None
    action.trigger()
    meter = window.views.findChild(PerformanceMeter)
    assert meter is not None
    assert "last edit" not in meter.text()
    canvas = arm.view.canvas
    assert canvas is not None
    canvas.draw_soon()
    qtbot.waitUntil(lambda: "ms a frame" in meter.text())
    assert canvas.draw_seconds > 0
    arm.context.edits.rename(arm.session.model.row("arm::forearm"), "lower_arm")
    qtbot.waitUntil(lambda: "last edit" in meter.text())
    assert window.views.rect().contains(meter.geometry())
    action.trigger()
    assert meter.isHidden()
    qtbot.waitUntil(lambda: window.views.findChild(PerformanceMeter) is None)


def test_the_meter_names_the_function_that_has_held_the_window(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    window.actions_by_id["view.performance"].trigger()
    meter = window.views.findChild(PerformanceMeter)
    assert meter is not None
    watchdog = meter.findChild(Watchdog)
    assert watchdog is not None
    watchdog.stop()  # on a busy machine the window is held, too, and the meter says what was last
    watchdog.held.emit(0.34, "loader.read_mesh")
    qtbot.waitUntil(lambda: "held 0.3 s in loader.read_mesh" in meter.text())
    window.actions_by_id["view.performance"].trigger()
