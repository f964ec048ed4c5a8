"""A field that is too narrow for its values shows whole ones and a sign."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.fields import NumberField
from sdfviewer.gui.properties.fields import shortened_values
from sdfviewer.gui.properties.why import WhyView
from sdfviewer.gui.shell.window import MainWindow

pytestmark = pytest.mark.panels("properties")


@pytest.fixture
def metrics(qapp: QApplication) -> QFontMetrics:
    return QLabel().fontMetrics()


def test_no_number_is_cut(metrics: QFontMetrics) -> None:
    text = "0.02488 0.00010394 -0.0440806 1.5708 0 -1.5708"
    assert shortened_values(text, metrics.horizontalAdvance(text), metrics) == text
    room = metrics.horizontalAdvance("0.02488 0.00010394 -0.04")
    assert shortened_values(text, room, metrics) == "0.02488 0.00010394 …"


def test_one_word_that_is_too_long_ends_in_a_sign(metrics: QFontMetrics) -> None:
    shown = shortened_values("model://a_long_name/meshes/part.stl", 60, metrics)
    assert shown.endswith("…")
    assert metrics.horizontalAdvance(shown) <= 60


@pytest.mark.parametrize("value", [-0.188, -0.17305, 0.790675, -0.05])
def test_a_narrow_field_of_the_panel_shows_millimetres(qtbot: QtBot, value: float) -> None:
    field = NumberField("x", unit="m")
    qtbot.addWidget(field)
    field.resize(58, 26)  # in a panel of 330 pixels
    field.set_value(value)
    assert float(field.text()) == pytest.approx(value, abs=5.1e-4)


def test_why_a_frame_cannot_be_placed_is_said_in_full(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    """The one sentence that explains the fault was cut where it named it."""
    path = tmp_path / "lost.sdf"
    path.write_text(
        '<sdf version="1.9"><model name="m"><link name="base"/><frame name="f" attached_to="base">'
        f'<pose relative_to="{"nowhere_" * 4}">1 0 0 0 0 0</pose></frame>'
        '<frame name="g" attached_to="f"/></model></sdf>',
        encoding="utf-8",
    )
    window.files.open([path])
    assert window.current is not None
    window.current.session.select(["m::g"])
    window.docks.reveal("properties")
    view = window.current.properties.findChild(WhyView)
    assert isinstance(view, WhyView)
    qtbot.waitUntil(lambda: len(view.steps) == 2)
    assert view.steps[0].fault
    lines = (view.sizeHintForRow(0) - view.sizeHintForRow(1)) / view.fontMetrics().height()
    assert lines > 1.5, "two lines more than a frame that can be placed"
    assert view.height() >= view.sizeHintForRow(0) + view.sizeHintForRow(1)
