"""The result list of a search."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.search import Candidate, MatchList, Row, SearchHit
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.language.fuzzy import Match

ENABLED = "#ff0000"


@pytest.mark.parametrize("dimmed", [False, True])
def test_the_icon_of_what_cannot_be_taken_is_painted_as_disabled(qtbot: QtBot, dimmed: bool) -> None:
    disabled, sign = QColor(tokens().disabled).name(), icon("mdi6.square", ENABLED)
    results = MatchList("Matches", lambda entry: Row(entry, sign, dimmed=dimmed), "Nothing")
    qtbot.addWidget(results)
    results.resize(200, 60)
    results.show_hits([SearchHit(Candidate("Save", "Save"), Match(0.0, ()))])
    with qtbot.waitExposed(results):
        results.show()
    picture = results.viewport().grab().toImage()
    colours = {picture.pixelColor(x, y).name() for x in range(30) for y in range(24)}
    assert colours & {ENABLED, disabled} == {disabled if dimmed else ENABLED}


def many(count: int) -> list[SearchHit[str]]:
    return [SearchHit(Candidate(f"link_{n}", f"link_{n}"), Match(0.0, ())) for n in range(count)]


@pytest.fixture
def results(qtbot: QtBot) -> MatchList:
    results = MatchList("Matches", Row, "Nothing")
    qtbot.addWidget(results)
    results.resize(200, 300)
    results.show_hits(many(10))
    with qtbot.waitExposed(results):
        results.show()
    return results


def test_thousands_of_rows_are_painted_as_soon_as_they_are_found(
    results: MatchList, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list was empty for as long as Qt laid them out."""
    painted: list[str] = []
    monkeypatch.setattr(results.itemDelegate(), "paint", lambda _painter, _option, index: painted.append(index.data()))
    results.show_hits(many(4000))
    results.viewport().repaint()
    assert painted[:3] == ["link_0", "link_1", "link_2"]


def test_all_rows_come_into_the_list_when_it_is_scrolled(results: MatchList, qtbot: QtBot) -> None:
    results.show_hits(many(1200))
    model = results.model()
    assert model is not None
    assert model.rowCount() < 1200
    for _ in range(3):
        results.scrollToBottom()
        QTest.keyClick(results, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: model.rowCount() == 1200)
    QTest.keyClick(results, Qt.Key.Key_End)
    assert results.current == "link_1199"
    results.show_hits(many(1200), current=900)
    assert results.current == "link_900"
    results.set_current(1199)
    assert results.current == "link_1199"
    assert len(results.entries) == 1200
