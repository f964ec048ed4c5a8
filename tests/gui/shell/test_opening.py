"""The window is there first; files are read beside it, and nobody has to wait for them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event, get_ident
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import UnreadableFileError
from sdfviewer.gui.shell.files.opening import Opening, OpeningBar
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.scene_build import SceneBuilder
from sdfviewer.session.session import Session
from sdfviewer.session.unsaved_work import model_file_of
from tests.gui.kept_window import ALL_PANELS
from tests.large import world_of_models
from tests.patience import PATIENCE_SECONDS


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Let reading a file wait for an event."""
    go_on, read = Event(), Session.open

    def wait(*words: object, **more: object) -> Session:
        go_on.wait(PATIENCE_SECONDS)
        return read(*words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Session, "open", wait)
    return go_on


@pytest.mark.panels(*ALL_PANELS)
@pytest.mark.pictures
def test_a_file_fills_the_window_step_by_step(
    qtbot: QtBot, window: MainWindow, example: Callable[[str], Path], slow: Event
) -> None:
    window.files.open_soon([example("arm")])
    assert window.current is None
    assert not window.welcome.isVisible()
    opening = window.files.opening
    assert opening is not None
    steps: list[tuple[str, int, int]] = []
    opening.progressed.connect(lambda *step: steps.append(step))
    # The window answers meanwhile: its theme can be changed, its menus opened.
    window.actions_by_id["workspace.edit"].trigger()
    slow.set()
    qtbot.waitUntil(lambda: window.current is not None)
    assert window.current is not None
    assert window.current.session.model is not None
    # The 3D view and the panels in sight are made before the file is shown, the others after that.
    views = 1 + len(window.docks.in_sight)
    assert [done for _, done, of in steps if of] == list(range(views))
    qtbot.waitUntil(lambda: set(window.current.panels) == set(window.docks.docks))
    assert window.files.opening is None


def test_several_files_follow_each_other(qtbot: QtBot, window: MainWindow, example: Callable[[str], Path]) -> None:
    paths = [example("arm"), example("nested_gripper"), example("world_frames")]
    window.files.open_soon([*paths, paths[0]])
    qtbot.waitUntil(lambda: window.files.opening is None)
    assert [file.session.path for file in window.files.opened] == paths
    window.files.open_soon([paths[0]])
    assert window.current is window.files.opened[0]
    assert window.files.opening is None


def test_the_wait_can_be_ended(qtbot: QtBot, window: MainWindow, example: Callable[[str], Path], slow: Event) -> None:
    window.files.open_soon([example("arm"), example("nested_gripper")])
    bar = window.findChild(OpeningBar)
    qtbot.waitUntil(bar.isVisible)
    bar.cancel_button.click()
    assert "arm.sdf was not opened" in window.status.message
    slow.set()
    qtbot.waitUntil(lambda: window.current is not None)
    assert [file.name for file in window.files.opened] == ["nested_gripper.sdf"]


def test_the_progress_moves_nothing(
    qtbot: QtBot, window: MainWindow, example: Callable[[str], Path], slow: Event
) -> None:
    slow.set()
    window.files.open_soon([example("arm")])
    qtbot.waitUntil(lambda: window.files.opening is None)
    slow.clear()
    view, bar = window.current.view, window.findChild(OpeningBar)
    qtbot.waitUntil(lambda: view.width() == window.centralWidget().width())
    place = QRect(view.mapTo(window, QPoint()), view.size())
    window.files.open_soon([example("nested_gripper")])
    qtbot.waitUntil(bar.isVisible)
    QApplication.sendPostedEvents()
    assert QRect(view.mapTo(window, QPoint()), view.size()) == place
    assert bar.parentWidget().rect().contains(bar.geometry())
    assert "Reading nested_gripper.sdf" in bar.text.text()
    slow.set()
    qtbot.waitUntil(bar.isHidden)


@pytest.mark.panels("tree", "properties")
def test_the_wait_can_be_ended_between_two_views(
    qtbot: QtBot, window: MainWindow, example: Callable[[str], Path]
) -> None:
    window.files.open_soon([example("arm")])
    opening = window.files.opening
    assert opening is not None
    with qtbot.waitSignal(opening.progressed, check_params_cb=lambda _text, done, _of: done == 2):
        pass
    opening.cancel()
    QTest.qWait(0)
    assert window.current is None
    assert window.welcome.isVisible()


def test_closing_the_window_ends_the_wait(window: MainWindow, example: Callable[[str], Path], slow: Event) -> None:
    window.files.open_soon([example("arm")])
    assert window.close()
    assert window.files.opening is None
    slow.set()


def test_a_file_that_is_opened_at_once_while_it_waits_is_open_once(
    qtbot: QtBot, window: MainWindow, example: Callable[[str], Path], slow: Event
) -> None:
    window.files.open_soon([example("arm")])
    slow.set()
    window.files.open([example("arm")])
    qtbot.waitUntil(lambda: window.files.opening is None)
    assert [file.name for file in window.files.opened] == ["arm.sdf"]
    assert window.current is window.files.opened[0]


def test_a_fault_while_a_file_is_opened_ends_it_and_the_next_one_opens(
    qtbot: QtBot, window: MainWindow, example: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Session.open
    faults: list[str] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: faults.append(str(error)))

    def fail(path: Path, *words: object, **more: object) -> Session:
        if path.name == "arm.sdf":
            raise ValueError("a fault")
        return read(path, *words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Session, "open", fail)
    window.files.open_soon([example("arm"), example("nested_gripper")])
    qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox)))
    (box,) = window.findChildren(QMessageBox)
    box.accept()
    qtbot.waitUntil(lambda: window.current is not None)
    assert faults == ["a fault"]
    assert [file.name for file in window.files.opened] == ["nested_gripper.sdf"]


def test_what_cannot_be_read_is_reported(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.files.open_soon([tmp_path / "nothing_here.sdf"])
    qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox)))
    (box,) = window.findChildren(QMessageBox)
    assert "nothing_here.sdf" in box.text()
    assert window.welcome.isVisible()
    box.accept()
    with pytest.raises(UnreadableFileError, match=r"model\.config"):
        model_file_of(tmp_path)


@pytest.mark.panels(*ALL_PANELS)
def test_what_a_large_file_needs_is_computed_beside_the_window(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "world.sdf"
    path.write_text(world_of_models(1000), encoding="utf-8")
    built: list[int] = []
    build = SceneBuilder.build

    def counted(self: SceneBuilder, *words: Any) -> Scene:
        built.append(get_ident())
        return build(self, *words)

    monkeypatch.setattr(SceneBuilder, "build", counted)
    lengths: list[int] = []
    insert = QTextCursor.insertText
    monkeypatch.setattr(
        QTextCursor, "insertText", lambda self, text: (lengths.append(len(text)), insert(self, text))[1]
    )
    window.files.open_soon([path])
    qtbot.waitUntil(lambda: window.current is not None)
    file = window.current
    assert file is not None
    assert built
    assert get_ident() not in built
    assert file.source.editor.raw_text() == path.read_text(encoding="utf-8")
    assert lengths
    assert max(lengths) <= 200_000


def test_the_window_closes_between_the_end_of_opening_a_file_and_its_first_picture(
    qtbot: QtBot, window: MainWindow, example: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    cancel, cancelled = Opening.cancel, []

    def count(opening: Opening) -> None:
        cancelled.append(opening)
        assert len(cancelled) < 10, "it waits forever"
        cancel(opening)

    monkeypatch.setattr(Opening, "cancel", count)
    window.files.open_soon([example("arm"), example("nested_gripper")])
    opening = window.files.opening
    assert opening is not None
    with qtbot.waitSignal(opening.ended):
        pass
    assert opening.file is not None
    assert window.files.opening is opening, "it is shown in the next turn"
    window.close()
    qtbot.waitUntil(lambda: window.files.opening is None)
    assert not window.files.opened
    assert not window.isVisible()


def test_files_of_one_name_have_different_tabs(window: MainWindow, tmp_path: Path) -> None:
    paths = [tmp_path / folder / "arm.sdf" for folder in ("left", "right")] + [tmp_path / "left" / "leg.sdf"]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.write_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>', encoding="utf-8")
    window.files.open(paths)
    assert [window.tabs.tabText(index) for index in range(3)] == ["left/arm.sdf", "right/arm.sdf", "leg.sdf"]
    window.saving.close(window.files.opened[0])
    assert [window.tabs.tabText(index) for index in range(2)] == ["arm.sdf", "leg.sdf"]
