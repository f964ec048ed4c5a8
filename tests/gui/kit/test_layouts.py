"""Rows and columns of widgets."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.widgets import STRETCH, column_of, line_of, resize_on_screen, row_of


def test_a_column_takes_widgets_layouts_shares_and_space(qtbot: QtBot) -> None:
    window, first, second, third = QWidget(), QLabel("first"), QLabel("second"), QLabel("third")
    qtbot.addWidget(window)
    row = row_of(second, STRETCH, third, spacing=3)
    column = column_of((first, 2), 10, (row, 1), parent=window, margins=(1, 2, 3, 4), spacing=5)
    assert window.layout() is column
    assert first.parent() is second.parent() is third.parent() is window
    assert [column.stretch(at) for at in range(column.count())] == [2, 0, 1]
    assert [row.stretch(at) for at in range(row.count())] == [0, 1, 0]
    margins = column.contentsMargins()
    assert (margins.left(), margins.top(), margins.right(), margins.bottom()) == (1, 2, 3, 4)
    assert (column.spacing(), row.spacing()) == (5, 3)
    space = column.itemAt(1)
    assert space is not None
    assert space.sizeHint().height() == 10


def test_margins_and_spacing_are_those_of_the_style_unless_they_are_given(qtbot: QtBot) -> None:
    plain, own = QWidget(), QWidget()
    for widget in (plain, own):
        qtbot.addWidget(widget)
    expected = QVBoxLayout(plain)
    column = column_of(parent=own)
    assert (column.contentsMargins(), column.spacing()) == (expected.contentsMargins(), expected.spacing())


def test_a_line_has_no_margins_and_belongs_to_its_parent(qtbot: QtBot) -> None:
    window, field = QWidget(), QLabel("field")
    qtbot.addWidget(window)
    line = line_of((field, 1), QLabel("m"), parent=window)
    layout = line.layout()
    assert isinstance(layout, QHBoxLayout)
    assert line.parent() is window
    assert field.parent() is line
    assert layout.contentsMargins().isNull()
    assert layout.stretch(0) == 1


def test_a_window_is_no_larger_than_its_screen(qtbot: QtBot) -> None:
    """The buttons of a merge were below the edge of a screen of 540 lines."""
    window = QWidget()
    qtbot.addWidget(window)
    resize_on_screen(window, 100, 100_000)
    assert window.width() == 100
    assert window.height() < window.screen().availableGeometry().height()
