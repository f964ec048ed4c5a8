"""The list of a frame picker: whole rows, a scroll bar that is seen, and never over its own button."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QAbstractEventDispatcher, QModelIndex, QPoint, QRect
from PySide6.QtWidgets import QStyle, QStyleOptionSlider, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.frame_picker import FrameChoice, FramePicker
from sdfviewer.gui.kit.search import HitModel, Index


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(320, 200)
    made.show()
    return made


def make(window: QWidget, y: int, count: int = 60) -> FramePicker:
    picker = FramePicker("relative_to", window)
    picker.setGeometry(20, 20, 240, 26)
    picker.show_choice("default: m", "model")
    picker.set_choices([FrameChoice(f"link_{number}", f"link_{number}", "link") for number in range(count)])
    picker.show()
    window.move(20, y)
    return picker


@pytest.mark.parametrize("place", [0.0, 0.3, 0.45, 0.6, 0.9])
def test_the_list_never_covers_its_button_and_cuts_no_row(qtbot: QtBot, window: QWidget, place: float) -> None:
    picker = make(window, round(place * window.screen().availableGeometry().height()))
    picker.open()
    popup = picker.popup
    assert popup is not None
    qtbot.waitUntil(popup.isVisible)
    button = QRect(picker.mapToGlobal(QPoint(0, 0)), picker.size())
    assert not popup.geometry().intersects(button)
    assert popup.results.height_of_cut_row() == 0
    popup.close()


def test_the_handle_of_the_scroll_bar_is_seen(qtbot: QtBot, window: QWidget) -> None:
    picker = make(window, 0)
    picker.open()
    popup = picker.popup
    assert popup is not None
    qtbot.waitUntil(popup.isVisible)
    bar = popup.results.verticalScrollBar()
    assert bar.isVisible()
    option = QStyleOptionSlider()
    bar.initStyleOption(option)
    handle = bar.style().subControlRect(
        QStyle.ComplexControl.CC_ScrollBar, option, QStyle.SubControl.SC_ScrollBarSlider, bar
    )
    assert handle.height() > 0
    picture = popup.grab(QRect(bar.mapTo(popup, QPoint(0, 0)), bar.size())).toImage()
    middle = picture.pixelColor(bar.width() // 2, handle.center().y())
    beside = picture.pixelColor(bar.width() // 2, bar.height() - 2)
    assert middle != beside
    popup.close()


def test_a_long_list_is_laid_out_in_pages_and_reached_to_its_end(
    qtbot: QtBot, window: QWidget, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, asked, row_count = 6000, [0], HitModel.rowCount

    def counted(model: HitModel, parent: Index = QModelIndex()) -> int:  # noqa: B008
        asked[0] += 1
        return row_count(model, parent)

    monkeypatch.setattr(HitModel, "rowCount", counted)
    picker = make(window, 0, count)
    picker.open()
    popup = picker.popup
    assert popup is not None
    dispatcher = QAbstractEventDispatcher.instance()
    turns: list[int] = []

    def note() -> None:
        turns.append(asked[0])
        asked[0] = 0

    dispatcher.awake.connect(note)
    bar = popup.results.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 100)  # it counts rows
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: bar.maximum() > 600)
    dispatcher.awake.disconnect(note)
    assert max(turns) < count // 2
    popup.results.set_current(count - 1)
    assert popup.results.viewport().rect().contains(popup.results.visualRect(popup.results.currentIndex()))
    popup.close()
