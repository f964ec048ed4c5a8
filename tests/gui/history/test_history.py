"""The list of steps."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.gui.compare.history import HistoryPanel
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.refactoring.renaming import rename
from sdfviewer.session.session import Session


def test_a_long_step_is_shortened_and_not_cut(qtbot: QtBot) -> None:
    session = Session(parse_document('<sdf version="1.11"><model name="m"><link name="a"/></model></sdf>'))
    assert session.model is not None
    session.apply(rename(session.model, session.model.row("m::a"), "a_very_long_name_of_a_link_" * 4))
    panel = HistoryPanel(DocumentContext(session))
    qtbot.addWidget(panel)
    panel.resize(200, 300)
    with qtbot.waitExposed(panel):
        panel.show()
    item = panel.list.item(1)
    assert panel.list.visualItemRect(item).width() <= panel.list.viewport().width()
    assert panel.list.horizontalScrollBar().maximum() == 0
    assert item.text() in item.toolTip()


def test_shortened_steps_that_differ_in_their_ends_look_different(qtbot: QtBot) -> None:
    session = Session(parse_document('<sdf version="1.11"><model name="m"><link name="a"/></model></sdf>'))
    for value in (1, 2, 3):
        label = f"Set x of {'a_long_name_of_a_link_' * 4} to {value}"
        session.apply(Edit(label, session.document, (Replacement(0, 0, f"<!-- {value} -->"),)))
    panel = HistoryPanel(DocumentContext(session))
    qtbot.addWidget(panel)
    panel.resize(200, 300)
    with qtbot.waitExposed(panel):
        panel.show()

    def row(number: int) -> QImage:
        return panel.list.viewport().grab(panel.list.visualItemRect(panel.list.item(number))).toImage()

    assert row(1) != row(2)


def test_home_leads_to_the_first_step_and_not_to_the_camera(window: MainWindow, arm: OpenFile, qtbot: QtBot) -> None:
    for value in (1, 2, 3):
        arm.session.apply(Edit(f"Note {value}", arm.session.document, (Replacement(0, 0, f"<!-- {value} -->"),)))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.docks.reveal("history")
    steps = arm.history.list
    assert steps.hasFocus()
    with qtbot.assertNotEmitted(window.actions_by_id["camera.fit"].triggered):
        for key, row in ((Qt.Key.Key_Home, 0), (Qt.Key.Key_End, 3)):
            qtbot.keyClick(window.windowHandle(), key)
            assert steps.currentRow() == row
