"""Texts over the 3D view stay in it and clear of the view cube, also in a narrow view."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.opengl import probe
from tests.gui.stage import Stage

pytestmark = pytest.mark.pictures

_LONG = "a_very_long_name_of_a_link_" * 5


@pytest.fixture
def stage(qtbot: QtBot, settings: Settings) -> Iterator[Stage]:
    made = Stage(qtbot, settings, '<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>')
    yield made
    made.close()


def test_a_long_name_is_shortened_in_a_narrow_view_and_whole_in_a_wide_one(stage: Stage) -> None:
    canvas, note = stage.canvas, stage.view.isolation_note
    note.show_isolated([_LONG])
    stage.view.resize(300, 600)
    assert canvas.width() == 300
    assert canvas.rect().contains(note.geometry())
    assert not note.geometry().intersects(canvas.cube.rectangle)
    assert "…" in note.text()
    assert note.full_text == f"Only {_LONG} is shown. Show All"
    stage.view.resize(1800, 600)
    assert _LONG in note.text()


def test_titles_of_two_views_leave_a_gap_before_the_view_cube(window: MainWindow, arm: OpenFile) -> None:
    if probe().problem:
        pytest.skip(probe().problem)
    window.resize(1366, 768)
    window.actions_by_id["compare.side"].trigger()
    sides = arm.view.sides
    for canvas, title in zip((sides.first, sides.second), sides.titles, strict=True):
        assert canvas is not None
        canvas.resize(700, 517)
        assert title.text() == title.full_text
        canvas.resize(345, 517)
        assert title.isVisibleTo(canvas)
        assert title.geometry().right() < canvas.cube.rectangle.left() - 4
        assert title.text() in ("SDFormat", "URDF (element-relative)")
        canvas.resize(310, 230)
        assert title.geometry().bottom() < canvas.cube.rectangle.bottom(), "else it covers the robot"


def test_in_a_low_view_notes_are_at_the_lower_edge(stage: Stage) -> None:
    """Below the shapes, two lines covered the upper half of the robot."""
    canvas, notes = stage.canvas, (stage.view.section_note, stage.view.isolation_note)
    stage.view.shapes.show()
    for note in notes:
        note.say("A note that takes two lines beside the tools and the view cube")
    stage.view.resize(900, 800)
    assert all(note.geometry().bottom() < canvas.height() // 2 for note in notes)
    stage.view.resize(480, 230)
    for note in notes:
        assert canvas.rect().contains(note.geometry())
        assert note.geometry().top() > canvas.height() // 2
        assert not note.geometry().intersects(canvas.cube.rectangle)
    assert not notes[0].geometry().intersects(notes[1].geometry())


def test_what_is_said_of_the_hovered_is_shortened_in_a_narrow_view(qtbot: QtBot, settings: Settings) -> None:
    """It was cut in the middle of a letter."""
    members = f'<link name="{_LONG}"/><frame name="f" attached_to="{_LONG}"/>'
    stage = Stage(qtbot, settings, f'<sdf version="1.9"><model name="m">{members}</model></sdf>')
    stage.view.resize(400, 400)
    stage.view.context.highlights.hover("m::f")
    card = stage.canvas.findChild(QLabel, "hover_name")
    assert card is not None
    assert stage.view.hint.startswith("frame  m::f")
    assert stage.view.hint.endswith("…")
    assert card.sizeHint().width() <= stage.canvas.width()
    stage.close()
