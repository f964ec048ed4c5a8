"""Comparing the two conventions."""

from __future__ import annotations

from tests.walk.actions import Steps, press, shot
from tests.walk.story import story
from tests.walk.walk import Walk


@story
def ghost(w: Walk) -> Steps:
    """Ghost shows where everything was with all joints at zero."""
    kinematics = w.session.kinematics
    if kinematics is not None and len(kinematics.dofs):
        yield press("ctrl+alt+m")
    yield press("ctrl+alt+0")
    yield shot("ghost")
    w.expect(w.action("compare.ghost"), "the ghost is on")
    yield press("ctrl+alt+x")
    yield shot("convention")
    yield press("ctrl+alt+7")
    yield shot("off")
    w.expect(w.action("compare.off"), "the ghost is off")


@story
def side_by_side(w: Walk) -> Steps:
    """Side by Side shows both conventions."""
    yield press("ctrl+alt+9")
    yield shot("two_views")
    w.expect(w.action("compare.side"), "both are shown")
    yield press("ctrl+alt+7")


@story
def differences(w: Walk) -> Steps:
    """The Compare workspace lists what differs, and plots a sweep."""
    yield press("ctrl+f4", limit=15)
    yield shot("workspace")
    w.expect(w.is_shown("compare"), "the panel is in sight")
    panel = w.file.compare
    if panel.is_empty:
        w.note("the conventions agree")
        return
    yield w.click(panel.view.viewport(), w.list_point(panel.view, 0), "the first difference")
    yield shot("selected")
    w.expect(w.session.selection, "a click selects the frame")
    yield press("shift+down")
    yield shot("plot")
