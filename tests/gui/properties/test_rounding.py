"""The same number reads alike wherever the panel only shows it, with as many digits as the file has up to six."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.fields import AngleUnit, NumberLabel, fitting_text
from sdfviewer.gui.properties import why
from tests.gui.properties.properties_desk import PropertiesDesk

POSE = "0.0270463 -0.20295 -0.0125771 0.785398 0 3.14159"
TEXT = f'<sdf version="1.9"><model name="m"><link name="l"><pose>{POSE}</pose></link></model></sdf>'


@pytest.mark.parametrize("width", [330, 420, 700])
def test_a_pose_reads_alike_in_each_line(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    """The panel mixed 0.0270463, 0.02705 and 0.027."""
    painted: list[str] = []

    def paint(*args: object) -> str:
        painted.append(fitting_text(*args))  # type: ignore[arg-type]
        return painted[-1]

    monkeypatch.setattr(why, "fitting_text", paint)
    desk = PropertiesDesk(qtbot, tmp_path, TEXT, width)
    desk.context.session.select(("m::l",))
    labels = desk.panel.resolved.findChildren(NumberLabel)
    angles = {AngleUnit.RADIANS: ["0.785398", "0", "3.14159"], AngleUnit.DEGREES: ["45", "0", "180"]}
    for unit, turned in angles.items():
        desk.settings.angle_unit = unit
        shown = [*POSE.split()[:3], *turned]
        qtbot.waitUntil(lambda: [label.text() for label in labels if label.isVisible()] == shown)  # noqa: B023
        painted.clear()
        desk.panel.why.viewport().update()
        qtbot.waitUntil(lambda: painted[-12:] == shown * 2)  # noqa: B023  # the raw pose and that in the root
