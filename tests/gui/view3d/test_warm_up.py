"""What software compiles beside the window."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtGui import QOpenGLContext
from pytestqt.qtbot import QtBot

from sdfviewer.gui.view3d import software
from sdfviewer.gui.view3d.opengl import Graphics, probe
from sdfviewer.gui.view3d.software import WarmUp

pytestmark = pytest.mark.pictures


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """The threads that draw, and whether a context was current in them."""
    drawn: list[tuple[str, bool]] = []

    def note() -> None:
        drawn.append((threading.current_thread().name, QOpenGLContext.currentContext() is not None))

    def steps():  # type: ignore[no-untyped-def]
        for _ in range(3):
            note()
            yield
        note()

    monkeypatch.setattr("sdfviewer.render.warm_up.warm_up", steps)
    monkeypatch.setattr(software, "ASK_MILLISECONDS", 1)
    return drawn


def test_a_thread_draws_once_the_view_is_at_rest(qtbot: QtBot, drawn: list[tuple[str, bool]]) -> None:
    if probe().problem or not probe().is_software:
        pytest.skip("only software compiles beside the window")
    asked: list[bool] = []

    def is_at_rest() -> bool:
        asked.append(len(asked) == 2)
        return asked[-1]

    if (left := QOpenGLContext.currentContext()) is not None:
        left.doneCurrent()  # of the window of another test, which Qt deletes soon
    started = WarmUp(is_at_rest)
    qtbot.waitUntil(lambda: started.is_over)
    started.stop()
    assert asked == [False, False, True]
    assert drawn == [("warm-up", True)] * 4
    assert QOpenGLContext.currentContext() is None


def test_it_ends_with_the_program(qtbot: QtBot, drawn: list[tuple[str, bool]], monkeypatch: pytest.MonkeyPatch) -> None:
    if probe().problem or not probe().is_software:
        pytest.skip("only software compiles beside the window")
    monkeypatch.setattr(software, "_PAUSE", 1e6)
    started = WarmUp(lambda: True)
    qtbot.waitUntil(lambda: len(drawn) == 1)
    started.stop()
    assert started.is_over
    assert len(drawn) == 1


def test_graphics_cards_need_none(qtbot: QtBot, drawn: list[tuple[str, bool]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(software, "probe", lambda: Graphics((4, 6), "H200"))
    started = WarmUp(lambda: True)
    qtbot.waitUntil(lambda: started.is_over)
    assert not drawn
