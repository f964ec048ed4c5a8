"""Measuring."""

from __future__ import annotations

from tests.walk.actions import Steps, press, shot
from tests.walk.story import story
from tests.walk.walk import Walk


@story
def measure(w: Walk) -> Steps:
    """M and two clicks measure a distance, which the list shows."""
    at, name = w.find_in_3d(lambda _name: True)
    other, _second = w.find_in_3d(lambda found: found != name)
    yield w.click(w.canvas, w.empty_in_3d(), "the ground")
    yield press("m")
    w.expect(w.action("tool.measure"), "M chooses the tool")
    yield w.hover(w.canvas, at, "a link")
    yield shot("hover")
    yield w.click(w.canvas, at, "a link")
    yield shot("first")
    yield w.click(w.canvas, other, "another link")
    yield shot("second")
    w.expect(len(w.canvas.tools.measure.rows) == 1, "two clicks make a measurement")
    w.expect(w.canvas.tools.measure.panel.isVisible(), "the list is in sight")
    yield press("q")
    yield shot("select_tool")


@story
def measure_from_here(w: Walk) -> Steps:
    """Shift+M measures from the selection to what is clicked."""
    at, name = w.find_in_3d(lambda _name: True)
    other, _second = w.find_in_3d(lambda found: found != name)
    yield w.click(w.canvas, at, "a link")
    yield press("shift+m")
    yield shot("from_here")
    yield w.click(w.canvas, other, "another link")
    yield shot("measured")
    w.expect(len(w.canvas.tools.measure.rows) == 1, "one click makes a measurement")
