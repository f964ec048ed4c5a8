"""Sliders that are filled from their origin."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSlider
from pytestqt.qtbot import QtBot

from sdfviewer.gui.joints.joint_rows import OriginSlider

FULL = QColor("#ff0000")
WIDTH = 400


@pytest.fixture
def slider(qtbot: QtBot) -> OriginSlider:
    made = OriginSlider()
    qtbot.addWidget(made)
    made.setRange(0, 100)
    made.resize(WIDTH, 24)
    _paint_red(made)
    with qtbot.waitExposed(made):
        made.show()
    return made


def _paint_red(slider: QSlider) -> None:
    palette = slider.palette()
    for role in (QPalette.ColorRole.Highlight, QPalette.ColorRole.Accent):
        palette.setColor(role, FULL)
    slider.setPalette(palette)


def filled(slider: QSlider) -> tuple[float, float] | None:
    """Return which part of the width is filled, from 0 to 1."""
    image = slider.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4).astype(int)
    red = np.flatnonzero(((pixels[..., 2] - pixels[..., 0]) > 60).any(axis=0))
    return (float(red[0]) / image.width(), float(red[-1]) / image.width()) if red.size else None


@pytest.mark.parametrize(
    ("origin", "value", "expected"),
    [
        (50, 80, (0.5, 0.8)),
        (50, 20, (0.2, 0.5)),
        (50, 50, None),
        (0, 60, (0.0, 0.6)),
        (100, 60, (0.6, 1.0)),
        (25, 100, (0.25, 1.0)),
        (100, 0, (0.0, 1.0)),
        (0, 100, (0.0, 1.0)),
    ],
)
def test_the_groove_is_filled_from_the_origin_to_the_handle(
    slider: OriginSlider, origin: int, value: int, expected: tuple[float, float] | None
) -> None:
    slider.setValue(value)
    for marked in (True, False):
        slider.set_origin(origin, marked)
        assert filled(slider) == (None if expected is None else pytest.approx(expected, abs=0.04))


def test_a_mirrored_slider_is_filled_from_the_other_side(slider: OriginSlider) -> None:
    slider.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    for origin, value, expected in ((50, 80, (0.2, 0.5)), (0, 60, (0.4, 1.0))):
        slider.set_origin(origin, marked=True)
        slider.setValue(value)
        assert filled(slider) == pytest.approx(expected, abs=0.04)


def test_filled_from_its_left_end_it_is_filled_as_every_slider(qtbot: QtBot, slider: OriginSlider) -> None:
    other = QSlider(Qt.Orientation.Horizontal)
    qtbot.addWidget(other)
    other.setRange(0, 100)
    other.resize(slider.size())
    _paint_red(other)
    with qtbot.waitExposed(other):
        other.show()
    for value in (20, 50, 100):
        for each in (slider, other):
            each.setValue(value)
        assert filled(slider) == pytest.approx(filled(other), abs=0.005)


def test_only_a_marked_origin_has_a_tick(slider: OriginSlider) -> None:
    slider.setValue(80)
    slider.set_origin(50, marked=False)
    plain = slider.grab().toImage()
    slider.set_origin(50, marked=True)
    marked = slider.grab().toImage()
    columns = {
        x for x in range(plain.width()) for y in range(plain.height()) if plain.pixel(x, y) != marked.pixel(x, y)
    }
    assert len(columns) == round(slider.devicePixelRatio())
    assert min(columns) / plain.width() == pytest.approx(0.5, abs=0.02)


def test_keys_and_the_mouse_move_it_as_every_slider(slider: OriginSlider) -> None:
    slider.setSingleStep(3)
    slider.setPageStep(10)
    slider.setValue(50)
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert slider.value() == 53
    QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(320, 12))
    assert slider.value() == 63
