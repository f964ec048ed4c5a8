"""The real window on settings of its own, and files that a test may change."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Callable, Iterator
from functools import partialmethod
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSettings, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox
from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.jobs import GarbageCollector
from sdfviewer.gui.kit.theme import Choice, apply_theme
from sdfviewer.gui.operations.uri_choice import UriDialog
from sdfviewer.gui.shell import status
from sdfviewer.gui.shell.application import make_application
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.canvas import Canvas
from tests.gui.hand import let_go
from tests.gui.kept_window import ALL_PANELS, KeptWindow, WindowKeeper, close_files, new_window
from tests.patience import PATIENCE_MILLISECONDS


def _accept(dialog: QDialog) -> QDialog.DialogCode:
    """Accept a dialog without showing it; it is deleted as if it were closed."""
    dialog.deleteLater()
    return QDialog.DialogCode.Accepted


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    """Wait for signals and conditions as long as a busy machine needs, unless a test names a time of its own."""
    with pytest.MonkeyPatch.context() as patch:
        # A message stays until a test has read it.
        patch.setattr(status, "MESSAGE_MILLISECONDS", 3_600_000)
        # A test that is about the choice of URIs answers otherwise.
        patch.setattr(UriDialog, "exec", _accept)
        for name in ("waitUntil", "waitSignal", "waitSignals", "waitExposed", "waitActive"):
            patch.setattr(QtBot, name, partialmethod(getattr(QtBot, name), timeout=PATIENCE_MILLISECONDS))
        yield


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    """Return the application as the program makes it: shared contexts must be asked for before it exists."""
    application = make_application()
    GarbageCollector(application)
    apply_theme(application, Choice.DARK)
    return application


@pytest.fixture(autouse=True)
def _hand(qapp: QApplication) -> None:
    """Hold no button and no key that the test before has held."""
    let_go()


class _Painting:
    """Whether windows are painted now."""

    is_on = True


def _event(window: MainWindow, event: QEvent) -> bool:
    """Take an event of the window, but paint nothing where nobody looks."""
    return (not _Painting.is_on and event.type() is QEvent.Type.UpdateRequest) or _EVENT(window, event)


def _paint_where_read(canvas: Canvas) -> None:
    """Draw a picture that is read; another one, at which nobody looks, is taken for drawn."""
    if canvas.framebuffer.needs_whole_picture:
        _PAINT(canvas)
    elif canvas.framebuffer.is_ready:
        if canvas.camera_control.is_behind:
            canvas.camera_control.keep_in_sight()
        canvas.end_picture(0.0)


def _update_unpainted(canvas: Canvas) -> None:
    """Take the next picture of a view for drawn in a later turn of the event loop, as one is painted."""

    def take() -> None:
        _WAITING.discard(canvas)
        if canvas.isVisible() and canvas.isValid():
            _paint_where_read(canvas)

    if canvas not in _WAITING:
        _WAITING.add(canvas)
        QTimer.singleShot(0, canvas, take)


_EVENT, _PAINT = MainWindow.event, Canvas.paintGL
_WAITING: weakref.WeakSet[Canvas] = weakref.WeakSet()


@pytest.fixture(scope="session")
def _painting() -> Iterator[None]:
    """Ask whether to paint at each request: PySide remembers what of a window answers its events."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MainWindow, "event", _event)
        yield


@pytest.fixture(autouse=True)
def _pictures(request: pytest.FixtureRequest, _painting: None) -> Iterator[None]:
    """Paint the window only in a test that asks for it: it takes a third of the time of the others."""
    with pytest.MonkeyPatch.context() as patch:
        if request.node.get_closest_marker("pictures") is None:
            patch.setattr(_Painting, "is_on", False)
            patch.setattr(Canvas, "paintGL", _paint_where_read)
            patch.setattr(Canvas, "update", _update_unpainted)
        yield


@pytest.fixture(scope="session")
def window_keeper(tmp_path_factory: pytest.TempPathFactory) -> WindowKeeper:
    """Return what hands one window from test to test."""
    return WindowKeeper(tmp_path_factory.mktemp("kept_window"))


@pytest.fixture
def kept_window(
    request: pytest.FixtureRequest, tmp_path: Path, qtbot: QtBot, window_keeper: WindowKeeper
) -> Iterator[KeptWindow]:
    """Return a window as it is when it has just been made, with its settings and the panels that the test asks for.

    It asks for the folder of the test too, so that this is removed only when no file in it is open any more.
    """
    asked = request.node.get_closest_marker("panels")
    panels = asked.args if asked is not None else ()
    with pytest.MonkeyPatch.context() as patch:
        if not set(ALL_PANELS) <= set(panels):
            # Those that are not in sight are made only where a test asks for one.
            patch.setattr(OpenFile, "build_others", lambda _file: None)
        yield window_keeper.take(panels)
        window_keeper.put_back()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Hide the kept window before a test that does not ask for it, so that none runs beside a window it ignores."""
    yield
    keeper = getattr(item, "funcargs", {}).get("window_keeper")
    if keeper is None:
        return
    if nextitem is None:
        keeper.close()
    elif "kept_window" not in getattr(nextitem, "fixturenames", ()):
        keeper.hide()


@pytest.fixture
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Return settings of a test's own: those of the window where it has one."""
    if "kept_window" in request.fixturenames:
        return request.getfixturevalue("kept_window").settings
    return Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def make_window(qtbot: QtBot, settings: Settings) -> Callable[[], MainWindow]:
    """Return what makes a window in sight; all files are closed at the end without asking."""

    def make() -> MainWindow:
        window = new_window(settings)
        # A question about unsaved work would stop the run for ever.
        qtbot.addWidget(window, before_close_func=close_files)
        return window

    return make


@pytest.fixture
def window(kept_window: KeptWindow) -> MainWindow:
    return kept_window.window


@pytest.fixture
def example(tmp_path: Path, examples: Path) -> Callable[[str], Path]:
    """Return what copies an example to where it may be changed."""

    def copy(name: str) -> Path:
        return Path(shutil.copy(examples / f"{name}.sdf", tmp_path))

    return copy


@pytest.fixture
def open_example(window: MainWindow, example: Callable[[str], Path]) -> Callable[[str], OpenFile]:
    """Return what opens a copy of an example in the window."""

    def open_copy(name: str) -> OpenFile:
        window.files.open([example(name)])
        assert window.current is not None
        return window.current

    return open_copy


@pytest.fixture
def arm(open_example: Callable[[str], OpenFile]) -> OpenFile:
    return open_example("arm")


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[[QMessageBox.StandardButton], list[str]]:
    """Return what answers every question from now on, and collects what was asked."""

    def give(button: QMessageBox.StandardButton) -> list[str]:
        asked: list[str] = []

        def question(_parent: object, _title: str, text: str, *_more: object) -> QMessageBox.StandardButton:
            asked.append(text)
            return button

        monkeypatch.setattr(QMessageBox, "question", question)
        return asked

    return give
