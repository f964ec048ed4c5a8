"""*Who moved this?* below the chain: the git history of a frame, read in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.gui.properties.origins import BlameSection
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow

pytestmark = pytest.mark.panels("properties")

TEXT = """<sdf version="1.11"><model name="m">
  <link name="a"><pose>0.1 0 0 0 0 0</pose></link>
  <link name="b"><pose relative_to="a">1 0 0 0 0 0</pose></link>
</model></sdf>
"""


def section_of(window: MainWindow, path: Path) -> tuple[OpenFile, BlameSection]:
    window.files.open([path])
    assert window.current is not None
    window.current.session.select(["m::b"])
    return window.current, window.current.properties.blame


def ancestors(widget: QWidget) -> Iterator[QWidget]:
    while (parent := widget.parentWidget()) is not None:
        yield parent
        widget = parent


def test_the_history_of_a_frame_is_shown_where_it_is_requested(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, commit: Callable[[Path], None]
) -> None:
    path = tmp_path / "m.sdf"
    for text in (TEXT, TEXT.replace("1 0 0", "1.25 0 0")):
        path.write_text(text, encoding="utf-8")
        commit(path)
    file, section = section_of(window, path)
    assert "Who moved this?" in section.text()
    section.linkActivated.emit("ask")
    assert "Reading the git history" in section.text()
    qtbot.waitUntil(lambda: "250 mm, 0°" in section.text())
    assert section.text().count("made here") == 3  # the model, the other link, and this one
    file.session.select(["m::a"])
    assert "Who moved this?" in section.text()


def test_the_command_shows_the_answer_below_the_edge_of_the_panel(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, commit: Callable[[Path], None]
) -> None:
    path = tmp_path / "m.sdf"
    path.write_text(TEXT, encoding="utf-8")
    commit(path)
    _, section = section_of(window, path)
    window.actions_by_id["go.who_moved"].trigger()
    qtbot.waitUntil(lambda: "made here" in section.text())
    area = next(each for each in ancestors(section) if isinstance(each, QScrollArea))
    qtbot.waitUntil(
        lambda: section.visibleRegion().boundingRect().height() == min(section.height(), area.viewport().height())
    )


def test_a_file_outside_of_git_says_so(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    path = tmp_path / "m.sdf"
    path.write_text(TEXT, encoding="utf-8")
    _, section = section_of(window, path)
    section.ask()
    qtbot.waitUntil(lambda: "committed version" in section.text() or "not installed" in section.text())
