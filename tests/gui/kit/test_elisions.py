"""Shortened names that differ in one letter still look different."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication

from sdfviewer.gui.kit import labels
from sdfviewer.gui.kit.labels import Elision, elisions

NAMES = [
    "bl_caster_rotation_joint",
    "bl_caster_l_wheel_joint",
    "bl_caster_r_wheel_joint",
    "l_gripper_l_finger_joint",
    "l_gripper_l_finger_tip_joint",
    "short",
]


@pytest.fixture
def metrics(qapp: QApplication) -> QFontMetrics:
    return QFontMetrics(qapp.font())


def test_names_are_shortened_where_they_differ_least(metrics: QFontMetrics) -> None:
    room = metrics.horizontalAdvance("bl_caster_l_whe")
    modes = elisions(NAMES, metrics, room)
    assert "short" not in modes
    shown = [metrics.elidedText(name, mode, room) for name, mode in modes.items()]
    assert len(set(shown)) == len(modes) == 5
    assert modes["bl_caster_l_wheel_joint"] is Elision.ElideRight
    alike = [metrics.elidedText(name, Elision.ElideMiddle, room) for name in modes]
    assert len(set(alike)) < 5


def test_very_many_names_are_not_compared(metrics: QFontMetrics, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "MOST_COMPARED", 4)
    assert set(elisions(NAMES, metrics, 60).values()) == {Elision.ElideMiddle}
