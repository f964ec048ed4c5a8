"""How well pictures in motion are drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from sdfviewer.render.view import DRAFTS, LONGEST, STILL, STILL_IN_SOFTWARE, AdaptiveQuality, Depth, Look, Quality
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.tools.section import CuttingPlane
from tests.scene.scenes import boxes_in_a_row

if TYPE_CHECKING:
    from sdfviewer.render.renderer import Renderer

SIZE = (200, 152)


def test_a_slow_picture_makes_the_next_ones_cheaper_until_they_are_quick_enough() -> None:
    adaptive = AdaptiveQuality()
    assert adaptive.draft == DRAFTS[0]
    adaptive.report(1.5 * LONGEST)
    assert adaptive.draft == DRAFTS[1]
    adaptive.report(0.9 * LONGEST)
    assert adaptive.draft == DRAFTS[1]


def test_a_far_too_slow_picture_skips_a_level() -> None:
    adaptive = AdaptiveQuality()
    adaptive.report(10 * LONGEST)
    assert adaptive.draft == DRAFTS[2]


def test_there_is_a_cheapest_draft() -> None:
    adaptive = AdaptiveQuality()
    for _ in range(20):
        adaptive.report(1.0)
    assert adaptive.draft == DRAFTS[-1]


def test_quality_comes_back_only_after_several_quick_pictures() -> None:
    adaptive = AdaptiveQuality()
    adaptive.report(1.5 * LONGEST)
    for seconds in (0.001, 0.001, 0.9 * LONGEST, 0.001, 0.001):
        adaptive.report(seconds)
        assert adaptive.draft == DRAFTS[1]
    adaptive.report(0.001)
    assert adaptive.draft == DRAFTS[0]


@pytest.fixture
def framebuffer(renderer: Renderer) -> Iterator[int]:
    """A framebuffer without samples, as a window has one."""
    from sdfviewer.render.gl import GL
    from sdfviewer.render.gl_objects import Framebuffer

    target = Framebuffer()
    target.bind(*SIZE, 0)
    yield int(GL.glGetIntegerv(GL.GL_FRAMEBUFFER_BINDING))
    target.release()


def test_kept_surfaces_give_the_same_pictures_as_drawn_ones(renderer: Renderer, framebuffer: int) -> None:
    """Whatever changes between two pictures, it is seen, and the marks of the former one are gone."""
    from sdfviewer.render.gl import GL

    scene = boxes_in_a_row(3)
    moved = scene.X_RootF.copy()
    moved[3:5, 2, 3] += 1.0
    camera = Camera(distance=12.0)
    steps: list[Callable[[], object]] = [
        lambda: None,
        lambda: renderer.set_highlight(selected=[1], hovered=3),
        renderer.set_highlight,
        lambda: renderer.set_poses(moved),
        lambda: renderer.set_tints(np.tile((1.0, 0.0, 0.0, 1.0), (len(moved), 1))),
        lambda: renderer.set_tints(None),
        lambda: renderer.set_lit(np.tile((1.0, 0.0, 0.0, 1.0), (len(moved), 1))),
        lambda: renderer.set_lit(None),
        lambda: renderer.set_ghost(scene.X_RootF),
        lambda: renderer.set_section(CuttingPlane((0.0, 0.0, 1.0), 0.2)),
        lambda: renderer.set_look(Look(dark=False, frame_depth=Depth.X_RAY)),
        lambda: renderer.set_highlight(selected=[5]),
    ]
    renderer.set_look(Look())
    renderer.set_scene(scene)
    for number, step in enumerate(steps):
        step()
        pictures = []
        for quality in (STILL_IN_SOFTWARE, STILL):
            renderer.paint(camera, *SIZE, framebuffer, quality=quality)
            pictures.append(np.frombuffer(GL.glReadPixels(0, 0, *SIZE, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE), np.uint8))
        np.testing.assert_allclose(pictures[0].astype(int), pictures[1].astype(int), atol=2, err_msg=f"step {number}")


def test_the_surfaces_are_not_drawn_again_where_only_the_mouse_is_elsewhere(
    renderer: Renderer, framebuffer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sdfviewer.render.surfaces import Surfaces

    drawn: list[int] = []
    draw = Surfaces.draw_opaque
    monkeypatch.setattr(Surfaces, "draw_opaque", lambda *given: (drawn.append(1), draw(*given))[1])
    renderer.set_scene(boxes_in_a_row())
    camera = Camera(distance=12.0)
    for _ in range(3):
        renderer.paint(camera, *SIZE, framebuffer, quality=STILL_IN_SOFTWARE)
    drawn.clear()
    for row in range(6):
        renderer.set_highlight(hovered=row)
        covered = ((20.0 * row, 0.0, 100.0, float(SIZE[1])),)  # the name of what is under the mouse
        renderer.paint(camera, *SIZE, framebuffer, quality=STILL_IN_SOFTWARE, covered=covered)
    assert not drawn


def test_drafts_and_pictures_at_rest_take_turns_in_canvases_of_their_own(
    renderer: Renderer, framebuffer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sdfviewer.render.gl_objects import Framebuffer

    renderer.set_scene(boxes_in_a_row())
    released: list[Framebuffer] = []
    release = Framebuffer.release
    monkeypatch.setattr(Framebuffer, "release", lambda self: (released.append(self), release(self))[1])
    for turn in range(5):
        if turn == 2:
            released.clear()  # the first ones are made
        for quality in (DRAFTS[0], STILL_IN_SOFTWARE):
            renderer.paint(Camera(distance=12.0 + turn), *SIZE, framebuffer, quality=quality)
    assert not released


def test_samples_are_resolved_and_drafts_enlarged_without_a_blit(
    renderer: Renderer, framebuffer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Software compiles what a blit does in each context anew, for longer than all else of a first picture."""
    from sdfviewer.render.gl import GL

    renderer.set_scene(boxes_in_a_row())
    blits: list[tuple[int, ...]] = []
    monkeypatch.setattr(GL, "glBlitFramebuffer", lambda *arguments: blits.append(arguments))
    pictures = []
    for quality in (STILL, DRAFTS[-1]):
        renderer.paint(Camera(distance=12.0), *SIZE, framebuffer, quality=quality)
        picture = GL.glReadPixels(0, 0, *SIZE, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE)
        pictures.append(np.frombuffer(picture, np.uint8).reshape(SIZE[1], SIZE[0], 4).astype(int))
    assert not blits
    assert pictures[0].std() > 5
    assert np.mean(np.abs(pictures[0] - pictures[1])) < 10, "the draft shows the same, less sharp"


@pytest.mark.parametrize("ratio", [1.0, 2.0])
@pytest.mark.parametrize("scale", [0.75, 0.5])
def test_the_grid_is_as_wide_in_a_small_draft_as_in_a_whole_one(
    renderer: Renderer, framebuffer: int, ratio: float, scale: float
) -> None:
    from sdfviewer.render.gl import GL

    camera = Camera(distance=6.0).seen_from("top")
    renderer.set_scene(replace(boxes_in_a_row(1), surfaces=()))

    def ink(quality: Quality) -> int:
        pictures = []
        for grid in (False, True):
            renderer.set_look(Look(grid=grid, view_cube=False, labels=False, frames=False))
            renderer.paint(camera, *SIZE, framebuffer, pixel_ratio=ratio, quality=quality)
            picture = GL.glReadPixels(0, 0, *SIZE, GL.GL_RGB, GL.GL_UNSIGNED_BYTE)
            pictures.append(np.frombuffer(picture, np.uint8).astype(int))
        return int(np.abs(pictures[1] - pictures[0]).sum())

    assert ink(Quality(0, scale=scale)) == pytest.approx(ink(Quality(0)), rel=0.15)
