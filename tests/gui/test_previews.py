"""The 3D view while a form is open: what would be added is shown, and the camera keeps its place."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.settings import Settings
from sdfviewer.refactoring.adding import insert_member
from sdfviewer.render.renderer import GHOST_OPACITY
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.scene_build import SceneOptions
from tests.gui.stage import Stage

pytestmark = pytest.mark.pictures

TEXT = """<sdf version="1.11"><model name="m">
<link name="base"><pose>0 0 3 0 0 0</pose>
<visual name="v"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></visual></link>
</model></sdf>
"""


@pytest.fixture
def stage(qtbot: QtBot, settings: Settings) -> Callable[[str], Stage]:
    return lambda text: Stage(qtbot, settings, text)


def previewing(qtbot: QtBot, shown: Stage, owner: str, tag: str, pose: str) -> Camera:
    """Return where the camera is while a new element is previewed."""
    model = shown.session.model
    assert model is not None
    with qtbot.waitSignal(shown.context.previews.edit_changed):
        shown.context.previews.show(insert_member(model, model.row(owner), tag, "new", pose=pose))
    shown.canvas.grabFramebuffer()
    return shown.canvas.camera


def test_a_preview_in_sight_does_not_move_the_camera(stage: Callable[[str], Stage], qtbot: QtBot) -> None:
    """That of a sensor, which is neither frame nor surface, once brought a metre around the root into sight."""
    shown = stage(TEXT)
    before = shown.canvas.camera
    for owner, tag, pose in (
        ("m::base", "sensor", ""),
        ("m::base", "visual", "0 0.1 0 0 0 0"),
        ("m", "link", "0 0.3 3 0 0 0"),
    ):
        assert previewing(qtbot, shown, owner, tag, pose) == before, tag


def test_what_a_form_would_add_is_clearer_than_a_ghost_that_is_compared(
    stage: Callable[[str], Stage], qtbot: QtBot
) -> None:
    shown = stage(TEXT)
    previewing(qtbot, shown, "m::base", "visual", "0 0.1 0 0 0 0")
    assert shown.canvas.renderer.ghost_opacity > 2 * GHOST_OPACITY
    shown.context.previews.show(None)
    poses = shown.session.X_RootF.copy()
    poses[:, 0, 3] += 0.5
    shown.canvas.compared.preview(poses)
    assert shown.canvas.renderer.ghost_opacity == GHOST_OPACITY


def drawn(shown: Stage) -> list[str]:
    """Return the kinds of the shapes that are drawn as a preview."""
    shades = shown.canvas.compared.shades()
    model = shown.context.previews.version.model if shown.context.previews.version is not None else None
    assert model is not None
    assert shades is not None
    return [model.kinds[each.row].value for each in shades.surfaces]


@pytest.mark.parametrize("tag", ["sensor", "light"])
def test_the_symbol_of_a_new_sensor_or_light_is_previewed(
    stage: Callable[[str], Stage], qtbot: QtBot, tag: str
) -> None:
    shown = stage(TEXT)
    assert not len(shown.canvas.compared.shapes())
    previewing(qtbot, shown, "m::base", tag, "0.05 0 0 0 0 0")
    canvas = shown.canvas
    points = canvas.compared.shapes().points
    assert len(points)
    at, _ = canvas.camera.project([0.05, 0.0, 3.0], canvas.width(), canvas.height())
    assert np.linalg.norm(points - at, axis=1).max() < 100, "it keeps its size on screen"
    shown.context.previews.show(None)
    assert not len(canvas.compared.shapes())


def test_a_new_shape_is_previewed_though_its_layer_is_hidden(stage: Callable[[str], Stage], qtbot: QtBot) -> None:
    """The form Add Collision showed nothing in 3D, as collisions are mostly hidden."""
    collision = '<collision name="old"><geometry><sphere><radius>1</radius></sphere></geometry></collision></link>'
    shown = stage(TEXT.replace("</link>", collision))
    previewing(qtbot, shown, "m::base", "collision", "0 0.1 0 0 0 0")
    assert drawn(shown) == ["collision"]
    previewing(qtbot, shown, "m::base", "visual", "0 0.1 0 0 0 0")
    assert drawn(shown) == ["visual"], "nothing of what is hidden already"
    shown.context.previews.show(None)


def test_of_a_new_link_only_the_layers_in_sight_are_previewed(stage: Callable[[str], Stage]) -> None:
    """Both of its shapes are in the same place."""
    shapes = "".join(
        f'<{tag} name="s"><geometry><box><size>1 1 1</size></box></geometry></{tag}>' for tag in ("visual", "collision")
    )
    model = stage(f'<sdf version="1.11"><model name="m"><link name="l">{shapes}</link></model></sdf>').session.model
    assert model is not None
    rows = range(len(model))
    assert not SceneOptions().with_one_of(model, rows).also
    both = SceneOptions(visuals=False).with_one_of(model, rows).also
    assert [model.kinds[row].value for row in sorted(both)] == ["visual", "collision"]


def test_a_preview_out_of_sight_is_brought_into_the_picture(stage: Callable[[str], Stage], qtbot: QtBot) -> None:
    shown = stage(TEXT)
    before = shown.canvas.camera
    for far in (9.0, 12.0):  # the second time it would be in the picture of the first
        camera = previewing(qtbot, shown, "m", "link", f"0 {far} 3 0 0 0")
        (pixel,), _ = camera.project(np.array([[0, far, 3]]), shown.canvas.width(), shown.canvas.height())
        assert (pixel > 0).all()
        assert (pixel < (shown.canvas.width(), shown.canvas.height())).all()
    shown.context.previews.show(None)
    shown.canvas.grabFramebuffer()
    assert shown.canvas.camera == before


def test_a_preview_that_fills_the_picture_is_shown_as_a_whole(stage: Callable[[str], Stage], qtbot: QtBot) -> None:
    """An empty model is seen from near: of a first link only a corner was in the picture."""
    shown = stage('<sdf version="1.11"><model name="m"><link name="base"/></model></sdf>')
    before, model = shown.canvas.camera, shown.session.model
    assert model is not None
    size = "<size>1 1 1</size>"
    with qtbot.waitSignal(shown.context.previews.edit_changed):
        shown.context.previews.show(insert_member(model, 1, "visual", "box", shape="box", dimensions=size))
    shown.canvas.grabFramebuffer()
    assert shown.canvas.camera.distance > 2 * before.distance
