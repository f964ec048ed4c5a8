"""A closed file leaves nothing behind."""

from __future__ import annotations

import gc
import itertools
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from sdfviewer.gui.kit.focus import PanelStack
from sdfviewer.gui.kit.widgets import leave_gone
from sdfviewer.gui.shell.files import opening
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.model.scope import Scope
from sdfviewer.scene.materials import shared_material
from tests.gui.kept_window import ALL_PANELS
from tests.large import world_of_models
from tests.leaks import what_is_left

pytestmark = pytest.mark.panels(*ALL_PANELS)

KEYS = 40
DIALOGS = ("versions.saved", "edit.rename_preview", "edit.add_joint", "tool.measure", "file.export")
"""Actions that open a dialog, or show something, of one file."""


@pytest.fixture(scope="module", autouse=True)
def _only_what_is_new() -> Iterator[None]:
    """Leave out of each collection what the tests before have left: searching it takes half a minute."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def settle() -> None:
    for _ in range(4):
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()


def what_is_dead() -> list[str]:
    """Return the kinds of the widgets that are left of what Qt has deleted."""
    return [type(each).__name__ for each in gc.get_objects() if isinstance(each, QWidget) and not isValid(each)]


def count_scopes() -> int:
    return sum(isinstance(each, Scope) for each in gc.get_objects())


def close_dialogs() -> None:
    for dialog in QApplication.topLevelWidgets():
        if isinstance(dialog, QDialog):
            dialog.close()


@pytest.mark.pictures
def test_a_closed_file_is_given_up(qtbot: QtBot, window: MainWindow, example: Callable[[str], Path]) -> None:
    path = example("arm")
    sessions = []
    widgets = []
    for _ in range(3):
        window.files.open([path])
        QApplication.processEvents()
        file = window.current
        assert file is not None
        assert file.session.model is not None
        file.session.select([file.session.model.names[1]])
        sessions.append(weakref.ref(file.session))
        window.files.drop(file)
        del file
        settle()
        window.files.closed.flush()
        widgets.append(len(QApplication.allWidgets()))
    alive = [number for number, session in enumerate(sessions) if session() is not None]
    assert len(alive) <= 1, f"files {alive} are still in memory"  # Qt may still hold the last event
    assert widgets[2] == widgets[1], "widgets are left of a file"


@pytest.mark.pictures
def test_no_panel_of_a_file_behind_another_stays(
    qtbot: QtBot, window: MainWindow, example: Callable[[str], Path]
) -> None:
    """PySide kept what was met as a child of its dock or of the centre between being closed and being deleted."""
    gc.freeze()  # what other tests have left
    window.files.open([example("arm"), example("attached_to_cycle")])
    panels = []
    for file in window.files.opened:
        window.files.show(file)
        settle()
        views = {"view": file.view, **file.panels}
        panels += [(file.name, name, weakref.ref(panel)) for name, panel in views.items()]
    del file, views
    for file in tuple(window.files.opened):
        window.files.drop(file)
        del file
    for stack in window.findChildren(PanelStack):
        stack.children()  # as whoever looks for the next stop of Tab
    leave_gone(window)  # as another workspace does
    settle()
    window.files.closed.flush()
    settle()
    assert {name for _, name, _ in panels} >= {"tree", "graphs", "source", "view"}
    assert what_is_dead() == [], "the window keeps widgets that Qt has deleted"
    assert [(file, name) for file, name, panel in panels if panel() is not None] == []


@pytest.mark.pictures
@pytest.mark.parametrize("at_once", [len(DIALOGS), pytest.param(1, marks=pytest.mark.nightly)])
def test_a_closed_file_is_given_up_with_the_dialogs_about_it(
    qtbot: QtBot, window: MainWindow, example: Callable[[str], Path], at_once: int
) -> None:
    """Each run opens all dialogs about one file, the nightly run a file for each."""
    path = example("arm")
    for ids in (DIALOGS[at:][:at_once] for at in range(0, len(DIALOGS), at_once)):
        window.files.open([path])
        QApplication.processEvents()
        file = window.current
        assert file is not None
        assert file.session.model is not None
        file.session.select([file.session.model.names[1]])
        for id in ids:
            window.actions_by_id[id].trigger()
        session, model, scene = weakref.ref(file.session), weakref.ref(file.session.model), None
        if file.view.canvas is not None:
            scene = weakref.ref(file.view.canvas.feed.scene)
        close_dialogs()
        window.files.drop(file)
        del file
        settle()
        window.files.closed.flush()
        assert session() is None, ids
        assert model() is None, ids
        assert scene is None or scene() is None, ids
        assert window.app.dialog is None or isValid(window.app.dialog)
        assert window.comparisons.dialog is None


def test_what_is_remembered_of_files_goes_with_the_last_one(window: MainWindow, example: Callable[[str], Path]) -> None:
    window.files.open([example("arm"), example("double_pendulum")])
    for is_last in (False, True):
        window.files.drop(window.files.opened[-1])
        settle()
        window.files.closed.flush()
        assert (shared_material.cache_info().currsize == 0) == is_last


@pytest.fixture
def given_back(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Return what collects whether all objects were walked, each time memory was given back."""
    walked: list[bool] = []
    monkeypatch.setattr(opening, "give_back_memory", lambda *, collect, forget: walked.append(collect))
    return walked


@pytest.mark.pictures
def test_a_closed_file_is_given_up_without_walking_all_objects(
    window: MainWindow,
    example: Callable[[str], Path],
    given_back: list[bool],
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its views are emptied, so that everything goes with its last reference."""
    window.files.open([example("arm")])
    settle()
    file = window.current
    assert file is not None
    assert file.session.model is not None
    file.session.select([file.session.model.names[1]])
    for id in ("compare.ghost", "show.collisions", "workspace.debug", "workspace.compare", "workspace.inspect"):
        window.actions_by_id[id].trigger()
        QApplication.processEvents()
    held = [file.session, file.session.document, file.session.model, file.session.finder, file.context]
    alive = [weakref.ref(each) for each in held]
    monkeypatch.setattr(gc, "collect", lambda generation=2: 0)
    window.files.drop(file)
    del file, held
    qtbot.waitUntil(lambda: bool(given_back))
    assert [each() for each in alive] == [None] * len(alive)
    assert given_back == [False]


def test_a_large_file_is_given_up_in_many_turns(
    window: MainWindow, tmp_path: Path, given_back: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No turn of the event loop gives up more than some models."""
    path = tmp_path / "world.sdf"
    path.write_text(world_of_models(200), encoding="utf-8")
    window.files.open([path])
    settle()
    assert window.current is not None
    before = count_scopes()
    assert before >= 200
    monkeypatch.setattr(opening, "SLICE", 100)
    window.files.drop(window.current)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = [before]
    while not given_back:
        QApplication.processEvents()
        left.append(count_scopes())
    assert left[-1] <= before - 200
    assert max(one - next for one, next in itertools.pairwise(left)) <= 100


def test_nothing_is_given_back_where_no_file_was_closed(window: MainWindow, given_back: list[bool]) -> None:
    window.files.closed.flush()
    assert given_back == [False]


def test_what_something_still_refers_to_is_searched_for(
    window: MainWindow, example: Callable[[str], Path], given_back: list[bool]
) -> None:
    window.files.open([example("arm")])
    settle()
    assert window.current is not None
    session = window.current.session
    window.files.drop(window.current)
    settle()
    window.files.closed.flush()
    assert given_back == [True]
    del session


def type_keys(window: MainWindow, keys: int) -> None:
    """Type a blank into the source and delete it again, over and over; each key becomes an edit."""
    file = window.current
    assert file is not None
    editor = file.source.editor
    place = editor.toPlainText().index("<pose>") + len("<pose>")
    for number in range(keys):
        cursor = editor.textCursor()
        cursor.setPosition(place + number % 2)
        editor.setTextCursor(cursor)
        QTest.keyClick(editor, Qt.Key.Key_Backspace if number % 2 else Qt.Key.Key_Space)
        file.flush()
        for _ in range(4):
            QApplication.processEvents()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_typing_leaves_little_to_collect(window: MainWindow, example: Callable[[str], Path]) -> None:
    window.files.open([example("arm")])
    settle()
    window.app.docks.reveal("source")
    type_keys(window, 20)
    batches = []
    for _ in range(2):  # what happens once, such as a panel that is made late, is in one of them
        with what_is_left() as left:
            type_keys(window, KEYS)
        batches.append(left)
    assert min(left.unreachable for left in batches) < KEYS, batches
    assert min(left.grown for left in batches) < 4 * KEYS, "more than a state of the history stays for each key"
