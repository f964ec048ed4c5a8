"""The first minute: the window with the file, and its tour."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QWidget

from sdfviewer.gui.help.tour import Tour
from sdfviewer.gui.kit.widgets import widgets_in
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
    evaluate = [
        each for each in widgets_in(w.window.notices) if isinstance(each, QPushButton) and each.text() == "Evaluate"
    ]
    if w.session.model is None and evaluate:  # a program is run only when somebody allows it
        yield w.click(evaluate[0], limit=60)
        yield shot("evaluated")
        if w.session.model is None:  # what it includes is in packages that are not here
            w.note(f"cannot be evaluated: {[each.message for each in w.session.diagnostics]}")
            return
    is_empty = not w.session.document.text.strip()
    w.expect(is_empty or w.session.model is not None, "the file has a model")
    w.expect(not w.window.isWindowModified(), "the file is not modified")


@story
def found_in_one_click(w: Walk) -> Steps:
    """What the file lacks and lies beside it is there after one click."""
    answers = [each for each in widgets_in(w.window.notices) if isinstance(each, QPushButton) and each.isVisible()]
    uses = [each for each in answers if each.text().startswith("Use ")]
    w.need(uses, "nothing that the file lacks lies in a folder around it")
    before = len(w.model)
    w.begin_counting()
    yield w.click(uses[0], limit=60)
    yield shot("found")
    w.expect_few(len(w.model) > before or not _lacking(w), "what was missing is there", 1)


def _lacking(w: Walk) -> list[str]:
    return [each.message for each in w.session.diagnostics if "not found" in each.message]


@story
def tour(w: Walk) -> Steps:
    """A notice offers the tour, which goes on by clicks to its end."""
    yield wait("the tour is offered", lambda: "tour" in w.window.notices.topics)
    yield rest()
    yield shot("offered")
    w.expect(_tour(w.window) is None, "the tour does not start by itself")
    notice = next(each for each in widgets_in(w.window.notices) if each.objectName() == "notice_tour")
    if not notice.isVisible():  # a low view shows what concerns the file
        yield w.click(w.window.notices.more)
    yield w.click(next(each for each in widgets_in(notice) if isinstance(each, QPushButton)))
    number = 0
    while (card := _tour(w.window)) is not None and number < 12:
        number += 1
        yield rest()
        yield shot(f"step_{number}")
        yield w.click(card.next_button)
    w.expect(3 <= number < 12, "the tour has several steps and an end")
    yield shot("ended")
