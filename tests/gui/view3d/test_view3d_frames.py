"""Frames in one place, the frame under the mouse, and what the window's other parts ask of the 3D view."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.theme import Choice, tokens
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d import camera_control
from sdfviewer.gui.view3d.compared import Ghost
from sdfviewer.refactoring.pose_writing import set_pose_component
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.glyph_sizes import fit_with_glyphs
from tests.gui.stage import Stage

TOGETHER = """<sdf version="1.11"><model name="m">
<link name="base"><visual name="v"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></visual></link>
<link name="arm"><pose>0 1 0 0 0 0</pose></link>
<joint name="turn" type="revolute"><parent>base</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis></joint>
<frame name="tool" attached_to="arm"/>
<frame name="far"><pose>0 -1 0.5 0 0 0</pose></frame>
</model></sdf>
"""


@pytest.fixture
def stage(qtbot: QtBot, settings: Settings) -> Callable[[str], Stage]:
    return lambda text: Stage(qtbot, settings, text)


def pixel(stage: Stage, name: str) -> QPoint:
    (x, y), _ = stage.canvas.camera.project(stage.X(f"m::{name}")[:3, 3], stage.canvas.width(), stage.canvas.height())
    return QPoint(round(x), round(y))


def click(stage: Stage, name: str) -> str:
    QTest.mouseClick(stage.canvas, Qt.MouseButton.LeftButton, pos=pixel(stage, name))
    (selected,) = stage.session.selection
    return selected


def test_clicks_go_through_the_frames_in_one_place(stage: Callable[[str], Stage]) -> None:
    shown = stage(TOGETHER)
    names = [click(shown, "arm") for _ in range(4)]
    assert set(names) == {"m::tool", "m::arm", "m::turn"}
    assert names[0] == "m::tool"  # its label is on top: it is written, not implied
    assert names[3] == names[0]


def test_the_camera_moves_only_where_an_edit_moves_what_is_outermost(
    stage: Callable[[str], Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    fits: list[None] = []
    fit = fit_with_glyphs
    monkeypatch.setattr(camera_control, "fit_with_glyphs", lambda *args: (fits.append(None), fit(*args))[1])
    shown = stage(TOGETHER.replace("</model>", '<frame name="inside"/></model>'))
    control, camera = shown.canvas.camera_control, shown.canvas.camera
    control.keep_in_sight()
    fits.clear()

    def move(name: str, x: float) -> None:
        assert shown.session.model is not None
        row = shown.session.model.row(f"m::{name}")
        assert shown.context.edits.make(lambda: set_pose_component(shown.session.model, [row], 0, x))
        control.keep_in_sight()

    move("inside", 0.01)
    assert not fits
    assert shown.canvas.camera is camera
    move("far", 9.0)
    assert len(fits) == 1
    assert shown.canvas.camera != camera
    camera = shown.canvas.camera
    move("far", 8.8)
    assert shown.canvas.camera is camera, "one sees how far it moved as long as all is in the picture"


def test_fitting_a_large_world_looks_at_all_of_it_once_and_projects_little(
    stage: Callable[[str], Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a world of 3 000 models all its corners were collected three times and projected, at each size of a view."""
    boxes = "".join(
        f'<model name="m{x}_{y}"><pose>{x} {y} 0 0 0 0</pose><link name="l"><visual name="v"><geometry><box>'
        "<size>1 1 1</size></box></geometry></visual></link></model>"
        for x in range(12)
        for y in range(12)
    )
    shown = stage(f'<sdf version="1.9"><world name="w">{boxes}</world></sdf>')
    canvas = shown.canvas
    everything = len(canvas.compared.outline())
    assert everything > 1000
    collected: list[None] = []
    projected: list[int] = []
    outline, project = canvas.compared.outline, Camera.project
    monkeypatch.setattr(canvas.compared, "outline", lambda: (collected.append(None), outline())[1])

    def counted(camera: Camera, points: ArrayLike, width: float, height: float) -> object:
        projected.append(len(np.asarray(points)))
        return project(camera, points, width, height)

    monkeypatch.setattr(Camera, "project", counted)
    canvas.camera_control.fit_again()
    canvas.resize(canvas.width() - 60, canvas.height())
    canvas.camera_control.keep_in_sight()
    assert len(collected) == 1
    assert max(projected) < everything / 2


@pytest.mark.parametrize("name", ["arm", "turn", "tool"])
def test_what_is_selected_is_measured(stage: Callable[[str], Stage], name: str) -> None:
    shown = stage(TOGETHER)
    shown.session.select((f"m::{name}",))
    shown.canvas.tools.measure.choose(True)
    QTest.mouseClick(shown.canvas, Qt.MouseButton.LeftButton, pos=pixel(shown, "tool"))
    (picked,) = shown.canvas.tools.measure.picked
    assert picked.frame == f"m::{name}"


def test_what_is_under_the_mouse_is_asked_again_when_the_camera_moves(
    qtbot: QtBot, stage: Callable[[str], Stage]
) -> None:
    shown = stage(TOGETHER)
    QTest.mouseMove(shown.canvas, pixel(shown, "far"))
    qtbot.waitUntil(lambda: shown.context.highlights.hovered == "m::far")
    shown.canvas.camera_control.move_to(shown.canvas.camera.looking_at(np.array([50.0, 50.0, 50.0])))
    qtbot.waitUntil(lambda: shown.context.highlights.hovered is None)


@pytest.mark.panels("graphs")
def test_f_in_a_graph_brings_the_frame_into_the_3d_view_too(window: MainWindow, arm: OpenFile) -> None:
    canvas = arm.view.canvas
    if canvas is None:
        pytest.skip("there is no OpenGL here")
    asked: list[object] = []
    arm.context.requests.focus.connect(asked.append)
    arm.session.select(("arm::grasp",))
    graph = next(iter(arm.graphs.panes.values())).canvas
    graph.setFocus()
    QTest.keyClick(graph, Qt.Key.Key_F)
    assert asked == [("arm::grasp",)]


@pytest.mark.parametrize("beside", [True, False])
def test_the_ghost_beside_the_comparison_is_the_other_convention(
    window: MainWindow, arm: OpenFile, beside: bool
) -> None:
    canvas = arm.view.canvas
    if canvas is None:
        pytest.skip("there is no OpenGL here")
    window.docks.docks["compare"].setVisible(beside)
    window.actions_by_id["compare.ghost"].trigger()
    assert canvas.compared.ghost is (Ghost.CONVENTION if beside else Ghost.ZERO)


@pytest.mark.panels("properties")
def test_links_take_the_colours_of_another_theme(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    window.actions_by_id["theme.dark"].trigger()
    arm.session.select(("arm::grasp",))
    links = [label for label in arm.properties.findChildren(QLabel) if "<a " in label.text() and label.isVisible()]
    assert links
    label = links[0]
    for choice in (Choice.LIGHT, Choice.DARK):
        window.actions_by_id[f"theme.{choice.value}"].trigger()
        qtbot.waitUntil(window.updatesEnabled)
        picture = label.grab().toImage()
        seen = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}
        assert QGuiApplication.palette().color(QPalette.ColorRole.Link).name() in seen
        assert tokens(label.palette()).dark is (choice is Choice.DARK)
