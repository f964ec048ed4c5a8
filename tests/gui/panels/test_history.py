"""The list of steps."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from sdfviewer.document.document import parse_document
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.panels.history.panel import HistoryPanel
from sdfviewer.refactoring.renaming.rename import rename
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
