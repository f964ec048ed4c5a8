"""The camera of the 3D view."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF

from tests.walk.actions import Steps, drop, press, shot
from tests.walk.story import story
from tests.walk.walk import Walk


@story
def focus(w: Walk) -> Steps:
    """F looks at the selection, Home at all."""
    w.session.select((w.a_thing(),))
    before = w.canvas.camera
    yield w.click(w.canvas, w.empty_in_3d(), "the ground")
    w.session.select((w.a_thing(),))
    yield press("f")
    yield shot("selection")
    w.expect(w.canvas.camera.distance < before.distance, "F comes nearer")
    yield press("home")
    yield shot("all")
    w.expect(w.canvas.camera.distance > before.distance / 2, "Home shows all again")


@story
def presets(w: Walk) -> Steps:
    """Ctrl+1 to Ctrl+7 look from each side."""
    seen = []
    for number in range(1, 8):
        yield press(f"ctrl+{number}")
        yield shot(f"ctrl_{number}")
        seen.append(w.canvas.camera)
    w.expect(len(set(map(repr, seen))) >= 6, "the keys look from different sides")


@story
def orbit(w: Walk) -> Steps:
    """Dragging orbits; while it moves the picture is a draft."""
    middle = w.empty_in_3d()
    before = w.canvas.camera
    end = QPointF(w.canvas.width() / 2, w.canvas.height() / 2 + 40)
    yield w.drag(w.canvas, middle, end, drops=False, limit=0)
    yield shot("during")
    yield drop()
    yield shot("after")
    w.expect(w.canvas.camera != before, "dragging orbits")
    w.expect(not w.session.selection, "dragging selects nothing")


@story
def pan_and_zoom(w: Walk) -> Steps:
    """The middle button pans, the wheel zooms."""
    at = w.empty_in_3d()
    before = w.canvas.camera
    yield w.wheel(w.canvas, 4)
    yield shot("wheel")
    w.expect(w.canvas.camera.distance < before.distance, "the wheel comes nearer")
    panned = w.canvas.camera
    yield w.drag(w.canvas, at, at + QPointF(60 if at.x() < w.canvas.width() / 2 else -60, 30), button=2)
    yield shot("panned")
    w.expect(not np.allclose(w.canvas.camera.focus, panned.focus), "the middle button pans")


@story
def view_cube(w: Walk) -> Steps:
    """A click on the view cube looks from there."""
    before = w.canvas.camera
    cube = w.canvas.cube
    for x in range(w.canvas.width() - 1, 0, -6):
        hit = next((y for y in range(2, 140, 6) if cube.region_at(QPointF(x, y)) is not None), None)
        if hit is not None:
            break
    else:
        w.need(False, "there is no cube")
        return
    found = [
        QPointF(x2, y2) for x2 in range(x - 90, x + 1, 6) for y2 in range(2, 140, 6) if cube.region_at(QPointF(x2, y2))
    ]
    yield w.click(w.canvas, found[len(found) // 3], "the view cube")
    yield shot("looked")
    w.expect(w.canvas.camera != before, "a click on the cube moves the camera")


@story
def everything_in_full(w: Walk) -> Steps:
    """A draws all frames in full, and again only what is needed."""
    yield press("a")
    yield shot("all")
    yield press("a")
    yield shot("again")
