"""The motion strip."""

from __future__ import annotations

from tests.walk.actions import Steps, pause, press, shot, type_text
from tests.walk.stories.joints import a_joint
from tests.walk.story import story
from tests.walk.walk import Walk


@story
def keyframes(w: Walk) -> Steps:
    """Ctrl+Alt+N opens the strip; keyframes are added and played."""
    row = a_joint(w)
    yield press("ctrl+alt+n")
    strip = w.file.joints.motion
    w.expect(strip.isVisible(), "the strip is in sight")
    yield shot("open")
    yield w.click(strip.bar.add)
    w.bring(row)
    value = row.dof.bounds(False)[1] / 2 or row.dof.bounds(False)[0] / 2
    yield w.click(row.field, times=2)
    yield press("ctrl+a")
    yield type_text(f"{value:.3f}")
    yield press("enter")
    yield w.click(strip.bar.add)
    yield shot("two_keyframes")
    w.expect(len(strip.timeline.keyframes) == 2, "there are two keyframes")
    yield w.click(strip.bar.play, limit=0)
    yield pause(0.5)
    yield shot("playing")
    yield w.click(strip.bar.play)
    yield shot("stopped")
    strip.change(type(strip.timeline)())


@story
def sweep_joint(w: Walk) -> Steps:
    """Sweep in the menu of a joint shows what it reaches, with the path of its end."""
    row = a_joint(w)
    yield w.click(row.label, button=3)
    yield w.menu_entry("Sweep")
    strip = w.file.joints.motion
    yield shot("chosen")
    w.expect(strip.isVisible() and strip.swept == row.dof.name, "the strip sweeps the joint")
    yield w.click(strip.bar.trace)
    yield shot("trace")
    w.expect(
        w.file.context.highlights.hovered is None, "the joint is no longer highlighted, as the mouse has left its name"
    )
    yield w.click(strip.bar.play, limit=0)
    yield pause(0.8)
    yield shot("playing")
    yield w.click(strip.bar.play)


@story
def collisions(w: Walk) -> Steps:
    """The collision button lists what collides along a sweep."""
    row = a_joint(w)
    yield w.click(row.label, button=3)
    yield w.menu_entry("Sweep")
    strip = w.file.joints.motion
    yield w.click(strip.bar.collide, limit=30)
    yield shot("collisions")
    w.expect(strip.bar.collide.isChecked(), "the button is down")
    yield w.click(strip.bar.collide)
