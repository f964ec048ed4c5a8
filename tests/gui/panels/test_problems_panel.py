"""What the problems panel says of one problem."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import parse_document
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.panels.problems.panel import ROW_HEIGHT, ProblemsPanel
from sdfviewer.gui.panels.problems.problem_detail import PlacesTried
from sdfviewer.session.session import Session

FUEL = "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Depot"
TEXT = f'<sdf version="1.9"><world name="w"><include><uri>{FUEL}</uri></include></world></sdf>'


def test_a_missing_model_takes_two_lines_and_the_places_tried_unfold(qtbot: QtBot) -> None:
    panel = ProblemsPanel(DocumentContext(Session(parse_document(TEXT))))
    qtbot.addWidget(panel)
    panel.resize(700, 300)
    with qtbot.waitExposed(panel):
        panel.show()
    said = [label.text() for label in panel.detail.findChildren(QLabel) if label.isVisible()]
    assert said == [
        f"Cannot find '{FUEL}': it is not downloaded<br>Download it, or add its folder to the model folders",
    ]
    tried = panel.detail.findChild(PlacesTried)
    assert tried is not None
    assert tried.heading.text().endswith("tried")
    tried.heading.click()
    assert tried.list.isVisible()
    assert len(tried.list.text().splitlines()) == len(panel.table.problems[0].tried)


def test_where_the_panel_is_low_the_details_are_beside_the_list(qtbot: QtBot) -> None:
    panel = ProblemsPanel(DocumentContext(Session(parse_document(TEXT))))
    qtbot.addWidget(panel)
    panel.resize(600, 150)
    with qtbot.waitExposed(panel):
        panel.show()
    assert panel.detail.x() > panel.view.width() / 2
    assert panel.view.height() >= 4 * ROW_HEIGHT
    panel.resize(600, 400)
    qtbot.waitUntil(lambda: panel.detail.x() == 0)


def test_a_hidden_panel_describes_its_problem_when_it_is_shown(qtbot: QtBot) -> None:
    bridge = DocumentContext(Session(parse_document(TEXT)))
    panel = ProblemsPanel(bridge)
    qtbot.addWidget(panel)
    assert len(panel.table.problems) == 1
    assert panel.detail.findChild(PlacesTried) is None
    with qtbot.waitExposed(panel):
        panel.show()
    assert panel.detail.findChild(PlacesTried) is not None
