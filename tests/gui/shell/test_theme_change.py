"""Another theme: what is in sight looks as if it had been opened in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import parse_document
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.theme import Choice, apply_theme
from sdfviewer.gui.problems.panel import ProblemsPanel
from sdfviewer.gui.properties.panel import PropertiesPanel
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.notice import NoticeBar
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.tree.panel import ModelTree
from sdfviewer.session.session import Session
from tests.gui.kept_window import ALL_PANELS

TEXT = """<sdf version="1.11">
  <model name="m">
    <link name="a"/>
    <frame name="f" attached_to="a"/>
    <frame name="g" attached_to="forearm"/>
    <link name="b"><pose degrees="x">0 0 0 0 0 0</pose></link>
  </model>
</sdf>
"""


def _notices() -> NoticeBar:
    bar = NoticeBar()
    bar.ask("debug", "A notice with two icons.", {"Debug": lambda: None})
    return bar


PANELS: dict[str, Callable[[DocumentContext, Settings], QWidget]] = {
    "tree": ModelTree,
    "notices": lambda context, settings: _notices(),
    "properties": PropertiesPanel,
    "problems": lambda context, settings: ProblemsPanel(context),
}


def alike(one: QImage, other: QImage) -> float:
    """Return the share of pixels that are equal."""
    assert one.size() == other.size()
    pixels = [
        np.frombuffer(each.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint32) for each in (one, other)
    ]
    return float((pixels[0] == pixels[1]).mean())


@pytest.fixture
def dark_again(qapp: QApplication) -> Iterator[None]:
    yield
    apply_theme(qapp, Choice.DARK)


@pytest.mark.usefixtures("dark_again")
@pytest.mark.parametrize("what", list(PANELS))
def test_a_panel_follows_the_theme(qtbot: QtBot, qapp: QApplication, settings: Settings, what: str) -> None:
    def show() -> QWidget:
        context = DocumentContext(Session(parse_document(TEXT)))
        context.session.select(["m::f"])
        panel = PANELS[what](context, settings)
        panel.resize(320, 600)
        # A selection in the active window has another colour.
        panel.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        qtbot.addWidget(panel)
        with qtbot.waitExposed(panel):
            panel.show()
        panel.clearFocus()
        return panel

    def picture(panel: QWidget) -> QImage:
        QApplication.processEvents()
        return panel.grab().toImage()

    apply_theme(qapp, Choice.LIGHT)
    panel = show()
    light = picture(panel)
    apply_theme(qapp, Choice.DARK)
    assert picture(panel) != light
    fresh = show()
    # A row under the pointer, or selected in the active window, is drawn otherwise: about a row of the tree.
    least = 0.95 if what == "tree" else 1.0
    qtbot.waitUntil(lambda: alike(picture(panel), picture(fresh)) >= least)


@pytest.mark.panels(*ALL_PANELS)
@pytest.mark.usefixtures("dark_again")
@pytest.mark.parametrize("theme", [Choice.LIGHT, pytest.param(Choice.DARK, marks=pytest.mark.nightly)])
def test_each_panel_of_a_window_is_painted_in_each_theme(
    qapp: QApplication, window: MainWindow, arm: OpenFile, theme: Choice
) -> None:
    """Most tests paint no window: here is seen what fails while a panel is painted, which fails the test.

    Each run paints in the light theme, the nightly run in the dark one, too.
    """
    arm.session.select(["arm::flange"])
    apply_theme(qapp, theme)
    for id, dock in window.docks.docks.items():
        dock.show()
        dock.raise_()
        QApplication.processEvents()
        picture = dock.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        assert len(np.unique(np.frombuffer(picture.constBits(), np.uint32))) > 20, f"{id} is blank in {theme}"
