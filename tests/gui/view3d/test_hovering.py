"""What is said to be under the mouse is what the last picture shows there, also where the mouse rests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QCursor, QEnterEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.view3d.pointing import Hovering
from tests.gui.stage import Stage

pytestmark = pytest.mark.pictures

_TEXT = """<sdf version="1.11">
  <model name="m">
    <link name="base"/>
    <link name="far"><pose>0 1 1 0 0 0</pose></link>
  </model>
</sdf>
"""


@pytest.fixture
def stage(qtbot: QtBot, settings: Settings) -> Iterator[Stage]:
    made = Stage(qtbot, settings, _TEXT)
    qtbot.waitUntil(lambda: made.canvas.is_settled and bool(made.canvas.renderer.targets.names))
    yield made
    made.close()


def pixel(stage: Stage, name: str) -> QPoint:
    """Return where the origin of a frame is drawn."""
    canvas = stage.canvas
    (x, y), _ = canvas.camera.project(stage.X(name)[:3, 3], canvas.width(), canvas.height())
    return QPoint(round(x), round(y))


def test_when_a_note_under_the_mouse_closes_what_lies_below_it_is_hovered(
    qtbot: QtBot, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas, note = stage.canvas, stage.view.section_note
    note.say("A note")
    at = note.geometry().center()
    canvas.camera = replace(canvas.camera, orthographic=True)
    away = at - pixel(stage, "m::far")
    canvas.camera_control.move_to(canvas.camera.pan(away.x(), away.y(), canvas.height()))
    assert (pixel(stage, "m::far") - at).manhattanLength() < 9
    qtbot.waitUntil(lambda: canvas.is_settled)
    canvas._hovering.move(QPointF(200, 500))
    # From there the mouse went into the note, of which the view hears nothing.
    monkeypatch.setattr(QCursor, "pos", lambda: canvas.mapToGlobal(at))
    qtbot.waitUntil(lambda: stage.context.highlights.hovered is None)
    note.hide()
    qtbot.waitUntil(lambda: stage.context.highlights.hovered == "m::far")


def test_a_name_that_comes_back_under_the_resting_mouse_is_hovered(qtbot: QtBot, stage: Stage) -> None:
    canvas = stage.canvas
    targets, ratio = canvas.renderer.targets, canvas.devicePixelRatioF()
    k = next(k for k, each in enumerate(targets.names) if stage.session.model.names[each.row] == "m::far")  # type: ignore[union-attr]
    left, top, right, bottom = (round(value) for value in (targets.rectangles[k] / ratio).tolist())
    cover = QWidget(canvas)
    cover.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    cover.setGeometry(left - 10, top - 10, right - left + 20, bottom - top + 20)
    canvas.overlays.append(cover)
    cover.show()
    canvas.update()
    at = QPoint(right - 4, (top + bottom) // 2)

    def is_elsewhere() -> bool:
        return canvas.is_settled and canvas.renderer.targets.at(at.x() * ratio, at.y() * ratio) is None

    qtbot.waitUntil(is_elsewhere)
    canvas._hovering.move(QPointF(at))
    qtbot.waitUntil(lambda: not canvas._hovering._soon.isActive() and stage.context.highlights.hovered is None)
    cover.hide()
    canvas.update()
    qtbot.waitUntil(lambda: stage.context.highlights.hovered == "m::far")


def test_a_camera_that_jumps_costs_one_pick_and_none_before_its_picture(
    qtbot: QtBot, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas = stage.canvas
    canvas._hovering.move(QPointF(200, 500))
    qtbot.waitUntil(lambda: canvas.is_settled and not canvas._hovering._soon.isActive())
    known = []
    pick = Hovering._pick
    seen = canvas.renderer.targets

    def counted(hovering: Hovering) -> None:
        known.append(canvas.renderer.targets.is_as(seen))
        pick(hovering)

    monkeypatch.setattr(Hovering, "_pick", counted)
    canvas._hovering._soon.timeout.disconnect()
    canvas._hovering._soon.timeout.connect(lambda: counted(canvas._hovering))
    canvas.camera_control.move_to(canvas.camera.seen_from("front"))
    qtbot.waitUntil(lambda: bool(known) and canvas.is_settled and not canvas._hovering._soon.isActive())
    assert known == [False]


def test_a_picture_of_a_former_camera_does_not_count_for_the_present_one(qtbot: QtBot, stage: Stage) -> None:
    """A picture drawn in steps may end after the camera has moved on: what it shows is asked for again afterwards."""
    canvas, hovering = stage.canvas, stage.canvas._hovering
    canvas._hovering.move(QPointF(200, 500))
    qtbot.waitUntil(lambda: canvas.is_settled and not hovering._soon.isActive())
    canvas._camera = canvas.camera.seen_from("front")
    hovering.follow_picture(is_moving=False)  # of the former camera
    hovering._soon.stop()
    asked: list[None] = []
    hovering._soon.timeout.connect(lambda: asked.append(None))
    canvas.update()
    qtbot.waitUntil(lambda: bool(asked))


def test_the_mouse_need_not_move_after_a_menu_closed_over_the_view(qtbot: QtBot, stage: Stage) -> None:
    canvas = stage.canvas
    at = pixel(stage, "m::far")
    canvas._hovering.leave()
    where = QPointF(at)
    QApplication.sendEvent(canvas, QEnterEvent(where, where, canvas.mapToGlobal(where)))
    qtbot.waitUntil(lambda: stage.context.highlights.hovered == "m::far")
