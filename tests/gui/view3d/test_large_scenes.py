"""The 3D view of a large world: what an edit and a switch cost in the window's thread, counted in work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import is_
from threading import current_thread, main_thread

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit, set_text
from sdfviewer.files.finder import Finder
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.view3d import scene_feed
from sdfviewer.gui.view3d.scene_feed import PreparedScene, SceneFeed
from sdfviewer.scene import scene, scene_contents
from sdfviewer.scene.nodes import Layer
from sdfviewer.scene.scene_build import SceneBuilder, SceneOptions
from sdfviewer.session.session import Session
from tests.large import world_of_models

pytestmark = pytest.mark.pictures

MODELS = 1000


@pytest.fixture
def session() -> Session:
    return Session(parse_document(world_of_models(MODELS)))


@pytest.fixture
def feed(session: Session, qapp: QApplication) -> Iterator[SceneFeed]:
    assert session.model is not None
    context = DocumentContext(session)
    feed = SceneFeed(context, Finder(), prepared=PreparedScene(session.model, Finder()))
    yield feed
    feed.close()
    context.close()


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is read from elements in the window's thread from now on."""
    read: list[str] = []
    for name in ("read_visual", "read_collision", "read_inertial"):

        def counted(
            model: object, row: int, name: str = name, function: object = getattr(scene_contents, name)
        ) -> object:
            if current_thread() is main_thread():
                read.append(name)
            return function(model, row)  # type: ignore[operator]

        monkeypatch.setattr(scene_contents, name, counted)
    return read


def layers(feed: SceneFeed) -> dict[Layer, int]:
    found = [surface.layer for surface in feed.scene.surfaces]
    return {layer: found.count(layer) for layer in set(found)}


def move(session: Session, name: str, pose: str) -> None:
    assert session.model is not None
    element = session.model.elements[session.model.rows_by_name[name]].find("pose")
    assert element is not None
    session.apply(Edit("Move", session.document, set_text(session.document, element, pose)))


def test_an_edit_reads_only_the_model_that_it_changes(session: Session, feed: SceneFeed, read_here: list[str]) -> None:
    before = feed.scene
    move(session, "model_500", "7 8 9 0 0 0")
    assert read_here == ["read_visual"] or not read_here
    assert feed.scene.X_RootF[feed.scene.names.index("model_500"), :3, 3].tolist() == [7, 8, 9]
    assert len(feed.scene.surfaces) == MODELS
    kept = sum(old is new for old, new in zip(before.surfaces, feed.scene.surfaces, strict=True))
    assert kept >= MODELS - 1


def test_the_turn_of_an_edit_builds_no_scene(
    session: Session, feed: SceneFeed, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[None] = []
    build = SceneBuilder.build
    monkeypatch.setattr(SceneBuilder, "build", lambda *arguments: (built.append(None), build(*arguments))[1])
    with qtbot.waitSignal(feed.rebuilt):
        move(session, "model_500", "7 8 9 0 0 0")
        move(session, "model_501", "7 8 9 0 0 0")
        assert not built
        assert feed.is_building
    assert len(built) == 1
    assert not feed.is_building
    move(session, "model_502", "7 8 9 0 0 0")
    assert feed.scene.X_RootF[feed.scene.names.index("model_502"), :3, 3].tolist() == [7, 8, 9], "asked for before"
    assert len(built) == 2


def test_joints_and_visibility_may_change_before_the_scene_of_an_edit_is_there(
    session: Session, feed: SceneFeed, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(feed.rebuilt):
        move(session, "model_500", "7 8 9 0 0 0")
        session.set_visibility(session.visibility.hide(["model_1"]))
        session.reset_joints()
    assert layers(feed) == {Layer.VISUAL: MODELS - 1}
    assert feed.scene.X_RootF[feed.scene.names.index("model_500"), :3, 3].tolist() == [7, 8, 9]


def test_a_layer_is_read_beside_the_window_and_then_shown(
    session: Session, feed: SceneFeed, read_here: list[str], qtbot: QtBot
) -> None:
    with qtbot.waitSignal(feed.rebuilt):
        feed.set_options(SceneOptions(collisions=True))
        assert layers(feed) == {Layer.VISUAL: MODELS}, "the last scene stays until all is read"
    assert layers(feed) == {Layer.VISUAL: MODELS, Layer.COLLISION: MODELS}
    with qtbot.waitSignal(feed.rebuilt):
        feed.set_options(SceneOptions(inertia=True))
    with qtbot.waitSignal(feed.rebuilt):
        feed.set_options(SceneOptions(inertia=True, centres_of_mass=True))
    assert layers(feed) == {Layer.VISUAL: MODELS, Layer.INERTIA: MODELS}
    assert len(feed.scene.centres.rows) == MODELS
    assert read_here == []
    with qtbot.waitSignal(feed.rebuilt):
        feed.set_options(SceneOptions(collisions=True))
    assert layers(feed) == {Layer.VISUAL: MODELS, Layer.COLLISION: MODELS}


def test_a_scene_of_other_layers_is_built_beside_the_window(
    session: Session, feed: SceneFeed, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_here: list[object] = []
    for part in (SceneBuilder.build, SceneBuilder.shapes, scene._columns):

        def counted(*arguments: object, part: Callable[..., object] = part) -> object:
            if current_thread() is main_thread():
                made_here.append(part)
            return part(*arguments)

        owner = scene if part is scene._columns else SceneBuilder
        monkeypatch.setattr(owner, part.__name__, counted)
    before = feed.scene.surfaces
    for options in (SceneOptions(collisions=True), SceneOptions(), SceneOptions(labels=False)):
        with qtbot.waitSignal(feed.rebuilt):
            feed.set_options(options)
        feed.scene.outline()
    assert not made_here
    assert all(map(is_, before, feed.scene.surfaces)), "what is drawn already is not uploaded again"
    move(session, "model_5", "7 8 9 0 0 0")
    assert len(made_here) <= 3, "an edit goes on from there"
    assert sum(map(is_, before, feed.scene.surfaces)) >= MODELS - 1


def test_an_edit_is_shown_while_a_layer_is_read(session: Session, feed: SceneFeed, qtbot: QtBot) -> None:
    feed.set_options(SceneOptions(collisions=True))
    move(session, "model_5", "7 8 9 0 0 0")
    assert feed.scene.X_RootF[feed.scene.names.index("model_5"), :3, 3].tolist() == [7, 8, 9]
    assert layers(feed) == {Layer.VISUAL: MODELS}
    qtbot.waitUntil(lambda: Layer.COLLISION in layers(feed))
    assert feed.scene.X_RootF[feed.scene.names.index("model_5"), :3, 3].tolist() == [7, 8, 9]
    assert layers(feed) == {Layer.VISUAL: MODELS, Layer.COLLISION: MODELS}


def test_a_layer_that_is_switched_off_again_is_not_shown(session: Session, feed: SceneFeed, qtbot: QtBot) -> None:
    shown: list[None] = []
    feed.rebuilt.connect(lambda: shown.append(None))
    feed.set_options(SceneOptions(collisions=True))
    feed.set_options(SceneOptions())
    qtbot.waitUntil(lambda: not feed.is_building)
    assert not shown
    assert layers(feed) == {Layer.VISUAL: MODELS}
    assert scene_feed.MOST_AT_ONCE < MODELS
