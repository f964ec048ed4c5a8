"""The first minute: the window with the file, and its tour."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from sdfviewer.gui.help.tour import Tour
from sdfviewer.gui.kit.under_mouse import widgets_in
from tests.walk.actions import Steps, rest, shot, wait
from tests.walk.story import story
from tests.walk.walk import Walk


def _tour(window: QWidget) -> Tour | None:
    return next((each for each in widgets_in(window) if isinstance(each, Tour) and each.isVisible()), None)


@story
def opens(w: Walk) -> Steps:
    """The file opens in a maximized window."""
    yield shot("starting")
    yield wait("a file is open", lambda: w.window.current is not None, 120)
    yield rest(60)
    yield shot("opens")
    w.expect(w.window.isMaximized(), "the first window is maximized")
    w.expect(w.session.model is not None, "the file has a model")
    w.expect(not w.window.isWindowModified(), "the file is not modified")


@story
def tour(w: Walk) -> Steps:
    """The tour starts by itself, and goes on by clicks to its end."""
    yield wait("the tour starts by itself", lambda: _tour(w.window) is not None)
    number = 0
    while (card := _tour(w.window)) is not None and number < 12:
        number += 1
        yield rest()
        yield shot(f"step_{number}")
        yield w.click(card.next_button)
    w.expect(3 <= number < 12, "the tour has several steps and an end")
    yield shot("ended")
