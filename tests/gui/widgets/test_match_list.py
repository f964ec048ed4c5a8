"""The result list of a search."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from sdfviewer.gui.widgets.icons import icon
from sdfviewer.gui.widgets.incremental_search import Candidate, SearchHit
from sdfviewer.gui.widgets.match_list import MatchList, Row
from sdfviewer.language.fuzzy import Match

ENABLED, DISABLED = "#ff0000", "#00ff00"


@pytest.mark.parametrize(("dimmed", "colour"), [(False, ENABLED), (True, DISABLED)])
def test_the_icon_of_what_cannot_be_taken_is_painted_as_disabled(qtbot: QtBot, dimmed: bool, colour: str) -> None:
    sign = icon("mdi6.square", ENABLED, DISABLED)
    results = MatchList("Matches", lambda entry: Row(entry, sign, dimmed=dimmed), "Nothing")
    qtbot.addWidget(results)
    results.resize(200, 60)
    results.show_hits([SearchHit(Candidate("Save", "Save"), Match(0.0, ()))])
    with qtbot.waitExposed(results):
        results.show()
    picture = results.viewport().grab().toImage()
    colours = {picture.pixelColor(x, y).name() for x in range(30) for y in range(24)}
    assert colours & {ENABLED, DISABLED} == {QColor(colour).name()}
