"""Pictures that software takes long to draw, in several turns of the event loop: passes over the surfaces in each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partialmethod
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QAbstractEventDispatcher, QCoreApplication
from PySide6.QtGui import QImage
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.jobs import Later
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.canvas import Canvas
from sdfviewer.gui.view3d.opengl import probe
from sdfviewer.gui.view3d.software import DrawingNote, PictureSteps
from sdfviewer.render.gl import GL
from sdfviewer.render.marks import JointPass, LinePass, TriadPass
from sdfviewer.render.overlays import ScreenPasses
from sdfviewer.render.renderer import Renderer
from sdfviewer.render.surfaces import Surfaces
from sdfviewer.render.view import AdaptiveQuality, Depth, View
from sdfviewer.scene.scene_build import SceneOptions
from sdfviewer.scene.tools.section import Section
from tests.gui.stage import Stage
from tests.large import world_of_models

pytestmark = pytest.mark.pictures

MODELS = 40


class Turns:
    """Counts what is done in each turn of the event loop."""

    def __init__(self) -> None:
        self.done: list[Counter[str]] = [Counter()]

    def next(self) -> None:
        self.done.append(Counter())

    def count(self, name: str) -> int:
        return sum(turn[name] for turn in self.done)


@pytest.fixture
def stage(qtbot: QtBot, settings: Settings) -> Iterator[Stage]:
    stage = Stage(qtbot, settings, world_of_models(MODELS), size=(400, 300))  # software draws it sooner
    if not probe().is_software:
        pytest.skip("graphics cards draw each picture at once")
    settle(qtbot, stage.canvas)
    yield stage
    stage.close()


@pytest.fixture
def turns(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Iterator[Turns]:
    """Count the passes over the surfaces, the uploads and the pictures that are drawn at once.

    All drafts have one quality: after one that is slow on a busy machine the next is smaller, and the first one of a
    size is never drawn at once.
    """
    monkeypatch.setattr(AdaptiveQuality, "report", lambda _adaptive, _seconds: None)
    turns = Turns()

    def count(owner: type, name: str) -> None:
        function: Callable[..., object] = getattr(owner, name)

        def counted(*arguments: object, **named: object) -> object:
            turns.done[-1][name] += 1
            return function(*arguments, **named)

        monkeypatch.setattr(owner, name, counted)

    for name in ("draw_opaque", "draw_blended", "draw_ghost_depth", "draw_ghost", "set_scene"):
        count(Surfaces, name)
    for name in ("draw_mask", "draw_outline"):
        count(ScreenPasses, name)
    count(Renderer, "paint")
    dispatcher = QAbstractEventDispatcher.instance()
    dispatcher.aboutToBlock.connect(turns.next)
    yield turns
    dispatcher.aboutToBlock.disconnect(turns.next)


def settle(qtbot: QtBot, canvas: Canvas, turns: Turns | None = None, passes: int = 0) -> None:
    """Wait until a view is at rest, not only until its next picture is due, and was drawn in so many passes."""
    looks = [False] * 20

    def is_at_rest() -> bool:
        looks.append(canvas.is_settled)
        return all(looks[-20:]) and (turns is None or turns.count("draw_opaque") >= passes)

    qtbot.waitUntil(is_at_rest)


def pixels(image: QImage) -> np.ndarray:
    shown = image.convertToFormat(QImage.Format.Format_RGBA8888)
    return np.frombuffer(shown.constBits(), np.uint8).reshape(shown.height(), shown.width(), 4)[..., :3].astype(int)


def test_a_picture_with_a_ghost_is_drawn_in_several_turns(qtbot: QtBot, stage: Stage, turns: Turns) -> None:
    canvas = stage.canvas
    assert stage.session.model is not None
    X_ghost = stage.session.model.X_RootF.copy()
    X_ghost[:, 0, 3] += 1.0
    canvas.compared.preview(X_ghost)
    settle(qtbot, canvas, turns, 1)
    assert turns.count("draw_ghost") >= 1
    assert turns.count("paint") == 0, "no picture is drawn at once"
    assert max(sum(turn.values()) for turn in turns.done) <= 2, "uploads, surfaces and ghost have turns of their own"
    for turn in turns.done:
        assert turn["draw_opaque"] + turn["draw_ghost_depth"] + turn["draw_ghost"] <= 1
    shown = pixels(canvas.grab().toImage())
    np.testing.assert_allclose(shown, pixels(canvas.grabFramebuffer()), atol=2)


def test_another_layer_is_drawn_in_several_turns_and_shown_at_last(qtbot: QtBot, stage: Stage, turns: Turns) -> None:
    canvas = stage.canvas
    before = pixels(canvas.grabFramebuffer())
    turns.done = [Counter()]
    canvas.feed.set_options(SceneOptions(inertia=True, centres_of_mass=True))
    settle(qtbot, canvas, turns, 2)  # once as a draft, once at rest
    assert turns.count("paint") == 0
    for turn in turns.done:
        assert not (turn["set_scene"] and turn["draw_opaque"])
    shown = pixels(canvas.grab().toImage())
    assert (np.abs(shown - before) > 30).any()
    np.testing.assert_allclose(shown, pixels(canvas.grabFramebuffer()), atol=2)


def test_a_picture_at_rest_is_given_up_when_the_camera_moves(qtbot: QtBot, stage: Stage, turns: Turns) -> None:
    canvas = stage.canvas
    canvas.camera_control.move_to(canvas.camera.orbit(40.0, 0.0, 600.0))
    qtbot.waitUntil(lambda: turns.count("draw_opaque") == 2)  # the draft, and the surfaces of the picture at rest
    turns.done = [Counter()]
    canvas.camera_control.move_to(canvas.camera.orbit(40.0, 0.0, 600.0))
    canvas.repaint()
    assert turns.count("paint") == 1, "the draft is there at once"
    settle(qtbot, canvas, turns, 2)
    shown = pixels(canvas.grab().toImage())
    np.testing.assert_allclose(shown, pixels(canvas.grabFramebuffer()), atol=2)


def test_a_draft_that_is_drawn_as_the_motion_ends_is_followed_by_the_picture_at_rest(
    qtbot: QtBot, stage: Stage, turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas = stage.canvas
    monkeypatch.setattr(Renderer, "is_quick", lambda *_: False)
    canvas.camera_control.move_to(canvas.camera.orbit(40.0, 0.0, 600.0))
    canvas.repaint()
    assert canvas.software.steps.is_draft
    assert canvas.software.steps.is_at_work
    while canvas.software.steps.is_at_work:
        canvas.software.steps._go_on()
    canvas.software.settling.stop()
    canvas.update()  # as the end of the motion does, before the draft is painted
    settle(qtbot, canvas, turns, 2)
    shown = pixels(canvas.grab().toImage())
    np.testing.assert_allclose(shown, pixels(canvas.grabFramebuffer()), atol=2)


def test_what_changes_while_a_picture_is_drawn_is_seen_after_it(qtbot: QtBot, stage: Stage, turns: Turns) -> None:
    canvas = stage.canvas
    canvas.camera_control.move_to(canvas.camera.orbit(40.0, 0.0, 600.0))
    qtbot.waitUntil(lambda: turns.count("draw_opaque") == 2)
    before = pixels(canvas.grab().toImage())
    stage.session.select(names(stage)[23:24])  # of one beside a metre mark the axes would cover that
    settle(qtbot, canvas)
    assert turns.count("draw_opaque") == 2, "marks need no surfaces"
    assert (np.abs(pixels(canvas.grab().toImage()) - before) > 30).any()
    shown = pixels(canvas.grab().toImage())
    np.testing.assert_allclose(shown, pixels(canvas.grabFramebuffer()), atol=2)


@pytest.mark.parametrize("is_quick", [True, False])
def test_what_is_drawn_again_is_painted_at_once_only_where_it_was_quick(
    qtbot: QtBot, stage: Stage, turns: Turns, monkeypatch: pytest.MonkeyPatch, is_quick: bool
) -> None:
    canvas = stage.canvas
    monkeypatch.setattr("sdfviewer.gui.view3d.software.QUICK_SECONDS", 10.0 if is_quick else 0.0)
    for name in names(stage)[3:9:2]:
        stage.session.select([name])
        settle(qtbot, canvas)
    assert turns.count("draw_outline") == 3
    assert turns.count("paint") == (2 if is_quick else 0)


def test_what_goes_on_moving_is_painted_at_once_even_if_no_turn_comes_for_its_first_draft(
    stage: Stage, turns: Turns
) -> None:
    canvas = stage.canvas
    shown = pixels(canvas.grab().toImage())
    for _ in range(3):
        canvas.camera_control.move_to(canvas.camera.orbit(40.0, 0.0, 600.0))
        # Only what Qt has posted, as where each move takes longer than the time to the next one.
        QCoreApplication.sendPostedEvents()
    assert turns.count("paint") >= 1
    assert (np.abs(pixels(canvas.grab().toImage()) - shown) > 30).any()


def test_the_first_outline_and_the_first_section_are_drawn_in_several_turns(
    qtbot: QtBot, stage: Stage, turns: Turns
) -> None:
    canvas = stage.canvas
    stage.session.select(names(stage)[3:4])
    settle(qtbot, canvas)
    assert turns.count("draw_outline") == 1
    assert turns.count("paint") == 0, "its programs are compiled"
    assert not any(turn["draw_mask"] and turn["draw_outline"] for turn in turns.done)
    turns.done = [Counter()]
    stage.session.set_section(Section(names(stage)[0], (1.0, 0.0, 0.0)))
    settle(qtbot, canvas, turns, 2)
    assert turns.count("paint") == 0, "what is cut is drawn with other programs"


def test_a_picture_goes_with_its_view(qtbot: QtBot) -> None:
    later, widget, drawn = Later(), QOpenGLWidget(), list[int]()
    steps = PictureSteps(widget, later, lambda draw: draw())
    steps.start((drawn.append(step) for step in range(3)), is_draft=False)
    delete(widget)
    later.flush()
    assert not steps.is_drawing
    assert not drawn


def test_a_picture_waits_for_another_one_that_comes_first(qtbot: QtBot) -> None:
    later, widgets, drawn = Later(), [QOpenGLWidget() for _ in range(2)], list[str]()
    for widget in widgets:
        qtbot.addWidget(widget)
        with qtbot.waitExposed(widget):
            widget.show()
    first = PictureSteps(widgets[0], later, lambda draw: draw())
    second = PictureSteps(widgets[1], later, lambda draw: draw(), lambda: first.is_at_work)
    for steps, name in ((second, "second"), (first, "first")):
        steps.start(map(drawn.append, [name] * 3), is_draft=False)
    later.flush()
    assert drawn == ["first"] * 3 + ["second"] * 3


def test_a_view_without_a_picture_says_that_it_is_being_drawn(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    """The second view of a comparison was black for seconds, while its programs were read."""
    first = arm.view.sides.first
    settle(qtbot, first)
    window.actions_by_id["compare.side"].trigger()
    second = arm.view.sides.second
    assert second is not None
    if not probe().is_software:
        pytest.skip("graphics cards draw each picture at once")
    assert first.waits_for is second
    note = second.findChild(DrawingNote)
    assert note is not None
    note.expect()
    qtbot.waitUntil(note.isVisible)
    assert (note.geometry().center() - second.rect().center()).manhattanLength() <= 2
    with qtbot.waitSignal(second.pictured):
        second.update()
    assert not note.isVisible()


def names(stage: Stage) -> tuple[str, ...]:
    assert stage.session.model is not None
    return tuple(stage.session.model.names)


def test_a_switch_of_the_workspace_makes_one_framebuffer(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    """However often the 3D view is resized while the panels are placed one after the other."""
    canvas = arm.view.canvas
    assert canvas is not None
    qtbot.waitUntil(canvas.isValid)
    settle(qtbot, canvas)
    sizes: list[tuple[int, int]] = []
    canvas.resized.connect(lambda: sizes.append(canvas.pixels))
    for workspace in ("edit", "debug", "inspect"):
        window.actions_by_id[f"workspace.{workspace}"].trigger()
        settle(qtbot, canvas)
    assert len(sizes) == 3
    assert sizes[-1] == canvas.pixels
    assert canvas.grabFramebuffer().size().toTuple() == canvas.pixels


def test_a_picture_that_cannot_be_grabbed_leaves_the_next_ones_to_several_turns(
    qtbot: QtBot, stage: Stage, turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas = stage.canvas

    def fail(*_: object) -> QImage:
        raise RuntimeError("no memory")

    with monkeypatch.context() as patched:
        patched.setattr(QOpenGLWidget, "grabFramebuffer", fail)
        with pytest.raises(RuntimeError):
            canvas.grabFramebuffer()
    settle(qtbot, canvas)
    turns.done = [Counter()]
    stage.session.set_section(Section(names(stage)[0], (1.0, 0.0, 0.0)))
    settle(qtbot, canvas, turns, 2)
    assert turns.count("paint") == 0


def test_what_lets_light_through_is_drawn_in_portions(
    qtbot: QtBot, stage: Stage, turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sdfviewer.render.surfaces._PORTION", 20)
    canvas = stage.canvas
    canvas.feed.set_options(SceneOptions(collisions=True))
    settle(qtbot, canvas, turns, 1)
    assert turns.count("draw_blended") > 2
    assert max(turn["draw_blended"] for turn in turns.done) == 1


def test_each_kind_of_mark_is_drawn_in_a_turn_of_its_own(
    qtbot: QtBot, stage: Stage, turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    for owner in (JointPass, LinePass, TriadPass):

        def counted(self: object, *arguments: object, draw: Callable[..., None], **named: object) -> None:
            turns.done[-1]["mark"] += 1
            draw(self, *arguments, **named)

        monkeypatch.setattr(owner, "draw", partialmethod(counted, draw=owner.draw))
    canvas = stage.canvas
    canvas.renderer.set_look(replace(canvas.look, frame_depth=Depth.X_RAY))
    canvas.update()
    settle(qtbot, canvas, turns, 1)
    assert turns.count("mark") >= 7
    assert max(turn["mark"] for turn in turns.done) == 1


def test_another_layer_is_not_drawn_before_its_scene_is_built(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What looks as before was drawn once more, at once, while the scene was being built."""
    canvas = arm.view.canvas
    assert canvas is not None
    qtbot.waitUntil(canvas.isValid)
    settle(qtbot, canvas)
    drawn: list[int] = []
    draw = Renderer.draw

    def count(renderer: Renderer, view: View) -> Iterator[None]:
        drawn.append(view.quality.samples)
        yield from draw(renderer, view)

    monkeypatch.setattr(Renderer, "draw", count)
    monkeypatch.setattr(canvas.feed, "set_options", lambda _options: None)
    window.actions_by_id["show.inertia"].trigger()
    assert not canvas.renderer.shows_otherwise
    qtbot.waitUntil(lambda: bool(drawn))
    settle(qtbot, canvas)
    assert 0 not in drawn, "a draft of what is seen already"
    window.actions_by_id["show.grid"].trigger()
    assert canvas.renderer.shows_otherwise
    qtbot.waitUntil(lambda: 0 in drawn)


def test_a_view_that_jumps_to_another_size_shows_its_last_picture_until_there_is_one(
    qtbot: QtBot, stage: Stage, turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas = stage.canvas
    width, height = canvas.width(), canvas.height()
    before = pixels(canvas.grabFramebuffer())
    filled: list[np.ndarray] = []
    fill = Renderer.fill

    def keep(renderer: Renderer, framebuffer: int, width: int, height: int) -> bool:
        is_filled = fill(renderer, framebuffer, width, height)
        read = GL.glReadPixels(0, 0, width, height, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE)
        filled.append(np.frombuffer(read, np.uint8).reshape(height, width, 4)[::-1, :, :3].astype(int))
        return is_filled

    monkeypatch.setattr(Renderer, "fill", keep)
    qtbot.wait(300)  # the sizes of the window's beginning are no row
    turns.done = [Counter()]
    canvas.resize(width + 200, height)
    qtbot.waitUntil(lambda: turns.count("draw_opaque") >= 1)
    assert turns.count("paint") == 0
    assert len(filled) == 1
    np.testing.assert_allclose(filled[0][:, 100:-100], before, atol=2)
    settle(qtbot, canvas)
    np.testing.assert_allclose(pixels(canvas.grab().toImage()), pixels(canvas.grabFramebuffer()), atol=2)


def test_where_there_is_nothing_to_draw_no_picture_is_promised(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """“Drawing…” lay over the sentence that says why there is no model."""
    if not probe().is_software:
        pytest.skip("graphics cards draw each picture at once")
    expected: list[DrawingNote] = []
    monkeypatch.setattr(DrawingNote, "expect", expected.append)
    monkeypatch.setattr(Renderer, "fill", lambda *_: False)  # nothing of this window was drawn yet
    path = tmp_path / "nothing.sdf"
    path.write_text("<sdf", encoding="utf-8")
    window.files.open([path])
    assert window.current is not None
    canvas = window.current.view.canvas
    assert canvas is not None
    assert not canvas.has_model
    canvas.software._show_something()
    assert expected == []
