"""What is compiled before a window needs it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from sdfviewer.render.view import DRAFTS, STILL_IN_SOFTWARE, Depth, Look
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.mesh import MeshMaterial
from sdfviewer.scene.shapes2d import disc
from sdfviewer.scene.tools.section import CuttingPlane
from tests.scene.scenes import many, one_line

if TYPE_CHECKING:
    from sdfviewer.render.renderer import Renderer

SIZE = (200, 152)


@pytest.fixture
def linked(context: str, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The programs that are linked, each time by their files and what is defined in them."""
    from sdfviewer.render.gl_objects import Program

    known: list[tuple[str, ...]] = []
    made, link = Program.__init__, Program._link  # type: ignore[attr-defined]
    names: dict[int, tuple[str, ...]] = {}

    def remember(self: Program, vertex: str, fragment: str, **defines: int) -> None:
        made(self, vertex, fragment, **defines)
        names[id(self)] = (vertex, fragment, *(f"{name}={value}" for name, value in defines.items()))

    def note(self: Program) -> int:
        known.append(names[id(self)])
        return int(link(self))

    monkeypatch.setattr(Program, "__init__", remember)
    monkeypatch.setattr(Program, "_link", note)
    return known


def test_pictures_of_a_window_need_no_other_programs(linked: list[tuple[str, ...]]) -> None:
    """Each is compiled once and then read: Mesa keeps what is drawn with either apart, and a window reads them."""
    from sdfviewer.render.gl import GL
    from sdfviewer.render.gl_objects import Framebuffer
    from sdfviewer.render.renderer import Renderer
    from sdfviewer.render.warm_up import warm_up

    for _ in warm_up():
        pass
    warmed = Counter(linked)
    assert min(warmed.values()) >= 2
    linked.clear()
    renderer, target = Renderer(), Framebuffer()
    renderer.initialize()
    target.bind(*SIZE, 0)
    framebuffer = int(GL.glGetIntegerv(GL.GL_FRAMEBUFFER_BINDING))
    _draw_everything(renderer, framebuffer)
    target.release()
    renderer.release()
    assert len(linked) > 20
    assert set(linked) <= warmed.keys()
    assert GL.glGetError() == GL.GL_NO_ERROR


def _draw_everything(renderer: Renderer, framebuffer: int) -> None:
    scene = replace(many(30, triads=20, joints=5), lines=one_line((0, 0, 0), (1, 1, 1)))
    glass = replace(scene.surfaces[0], material=MeshMaterial((0.2, 0.2, 0.8, 0.5)))
    scene = replace(scene, surfaces=(*scene.surfaces, glass))
    handles = disc((20.0, 20.0), 5.0, (1.0, 0.0, 0.0, 1.0))
    renderer.set_scene(scene)
    renderer.set_highlight(selected=[3], hovered=5)
    renderer.set_shapes(handles, handles)
    looks = (Look(), Look(dark=False, shadows=False), Look(wireframe=True), Look(surface_opacity=0.4))
    for look in (*looks, Look(frame_depth=Depth.X_RAY)):
        renderer.set_look(look)
        for section, X_ghost in ((None, None), (CuttingPlane((1.0, 0.0, 0.0), 0.1), None), (None, scene.X_RootF)):
            renderer.set_section(section)
            renderer.set_ghost(X_ghost)
            for quality in (STILL_IN_SOFTWARE, DRAFTS[0], DRAFTS[-1]):
                renderer.paint(Camera(distance=12.0), *SIZE, framebuffer, quality=quality)
    renderer.set_look(Look(declutter=False))
    renderer.set_scene(many(3, triads=2500))
    renderer.paint(Camera(distance=12.0), *SIZE, framebuffer)


def test_nothing_is_left_of_a_warm_up_that_is_ended_early(context: str) -> None:
    from sdfviewer.render.gl import GL
    from sdfviewer.render.warm_up import warm_up

    before = np.array([GL.glIsBuffer(each) for each in range(1, 200)])
    steps = warm_up()
    for _ in range(5):
        next(steps)
    steps.close()
    assert (np.array([GL.glIsBuffer(each) for each in range(1, 200)]) == before).all()
