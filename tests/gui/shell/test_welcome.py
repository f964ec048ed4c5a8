"""The welcome page: recent files with their pictures; panels that are docked again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import parse_document
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.welcome import HEIGHT, WIDTH, Welcome, load_thumbnail, remove_stale_thumbnails
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.refactoring.templates import TEMPLATES


def cards(window: MainWindow) -> list[QToolButton]:
    return [card for card in window.welcome.findChildren(QToolButton, "recent") if card.isVisible()]


@pytest.mark.pictures
def test_a_recent_file_is_opened_by_its_picture(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, settings: Settings
) -> None:
    path = arm.session.path
    assert path is not None
    canvas = arm.view.canvas
    if canvas is not None:
        with qtbot.waitSignal(canvas.frameSwapped):
            canvas.update()
    window.saving.close(arm)
    if canvas is not None:
        picture = load_thumbnail(path, settings)
        assert picture is not None
        assert (picture.deviceIndependentSize().width(), picture.height()) == (WIDTH, 2 * HEIGHT)
        image = picture.toImage()
        assert len({image.pixel(x, 100) for x in range(0, 320, 4)}) > 10
    qtbot.waitUntil(lambda: len(cards(window)) == 1)
    (card,) = cards(window)
    assert card.text() == "arm.sdf"
    card.click()
    qtbot.waitUntil(lambda: window.current is not None)
    assert window.current is not None
    assert window.current.session.path == path


def test_a_file_is_closed_before_the_page_is_made_again(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both take a third of a turn of the event loop of a large world."""
    made: list[bool] = []
    refresh = Welcome.refresh
    monkeypatch.setattr(Welcome, "refresh", lambda page: (made.append(bool(window.files.opened)), refresh(page))[1])
    window.saving.close(arm)
    assert window.welcome.isVisible()
    assert not made
    qtbot.waitUntil(lambda: bool(cards(window)))
    assert made == [False]


def test_the_page_stays_where_no_recent_file_has_come_or_changed(qtbot: QtBot, window: MainWindow) -> None:
    page = window.welcome.widget()
    file = window.files.open_document(parse_document(TEMPLATES["model"].text()))
    assert not window.welcome.isVisible()
    window.files.drop(file)
    assert window.welcome.isVisible()
    QApplication.processEvents()  # it follows in a turn of its own
    assert window.welcome.widget() is page


def test_a_new_model_begins_on_the_welcome_page(qtbot: QtBot, window: MainWindow) -> None:
    button = window.welcome.findChild(QPushButton, "new_model")
    assert button is not None
    button.click()
    qtbot.waitUntil(lambda: window.files.opening is None)
    assert window.current is not None
    assert window.current.session.path is None
    model = window.current.session.model
    assert model is not None
    assert not model.is_world


def test_pictures_of_forgotten_files_go(settings: Settings, tmp_path: Path) -> None:
    settings.thumbnails.mkdir(parents=True)
    stale = settings.thumbnails / "0123.png"
    stale.write_bytes(b"")
    remove_stale_thumbnails(settings)
    assert not stale.exists()


@pytest.mark.panels("graphs")
def test_a_panel_that_is_docked_again_is_in_front(
    qtbot: QtBot, window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    open_example("arm")
    window.docks.show("compare")
    graphs = window.docks.docks["graphs"]
    graphs.setFloating(True)
    QApplication.processEvents()
    graphs.setFloating(False)
    qtbot.waitUntil(lambda: not graphs.visibleRegion().isEmpty())
