"""Labels that shorten their text."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.labels import ElidedButton, ElidedLabel, ElidedLines, PartsLabel


def test_no_number_is_cut(qtbot: QtBot) -> None:
    label = PartsLabel()
    qtbot.addWidget(label)
    label.set_parts(("154 of 428 vertices", "214 edges"))
    width = label.fontMetrics().horizontalAdvance(label.full_text)
    for room, text in ((width, label.full_text), (width - 2, "154 of 428 vertices"), (width // 4, "")):
        label.resize(room, 20)
        label.set_parts(("154 of 428 vertices", "214 edges"))
        assert label.text() == text


@pytest.mark.parametrize("make", [ElidedLabel, ElidedButton, PartsLabel, lambda text: ElidedLines(text, 2)])
def test_what_cannot_be_seen_is_an_escape_at_each_width(
    qtbot: QtBot, make: Callable[[str], ElidedLabel | ElidedButton | ElidedLines]
) -> None:
    label = make("a\u202eb is not found.")
    qtbot.addWidget(label)
    label.show()
    for width in (400, 300):
        label.resize(width, 20)
        assert label.text() == r"a\u202eb is not found."
    assert label.full_text == "a\u202eb is not found."
