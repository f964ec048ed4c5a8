"""In every workspace, on every screen: no panel is empty, no word or button is cut, nothing lies over another."""

from __future__ import annotations

from functools import partial
from itertools import pairwise, product
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from sdfviewer.gui.shell.application import offer_tour
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.shell.workspaces import WORKSPACES
from tests.gui.geometry import layout_faults
from tests.gui.kept_window import ALL_PANELS

pytestmark = pytest.mark.panels(*ALL_PANELS)

#: Logical pixels of a window on screens of 960×540, 1366×768, 1600×900, 1920×1080 or 4K at scale 2, upright, and 4K.
SIZES = [(960, 540), (1366, 720), (1600, 850), (1920, 1030), (1080, 1870), (3840, 2100)]


@pytest.fixture(params=["long_names", "faulty"])
def path(request: pytest.FixtureRequest, tmp_path: Path, examples: Path) -> Path:
    """Return a robot with names that no panel has room for, or one with faults, a cycle and files that are missing."""
    if request.param == "faulty":
        return examples / "relative_to_cycle.sdf"
    names = [f"left_front_upper_leg_abduction_actuator_{chr(97 + n)}" for n in range(14)]
    links = "".join(f'<link name="{name}_link"/>' for name in names)
    joints = "".join(
        f'<joint name="{child}_joint" type="revolute"><parent>{parent}_link</parent><child>{child}_link</child>'
        "<axis><xyz>0 0 1</xyz><limit><lower>0.5</lower><upper>1.25</upper></limit></axis></joint>"
        for parent, child in pairwise(names)
    )
    mesh = "<mesh><uri>package://other_robot/meshes/nothing.dae</uri></mesh>"
    links = links.replace('_a_link"/>', f'_a_link"><visual name="v"><geometry>{mesh}</geometry></visual></link>', 1)
    path = tmp_path / "robot_of_another_workshop_with_a_long_name.sdf"
    path.write_text(f'<sdf version="1.11"><model name="robot">{links}{joints}</model></sdf>', encoding="utf-8")
    return path


def _expect_none(window: MainWindow, workspace: str) -> None:
    soon = [timer for timer in window.notices.findChildren(QTimer) if timer.isActive()]
    assert not soon, "notices are placed"
    assert window.notices.isVisible()
    assert not layout_faults(window), workspace


@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.nightly), 5])
def test_nothing_is_cut_covered_or_empty_in_any_workspace(
    qtbot: QtBot, window: MainWindow, path: Path, every: int
) -> None:
    """Each night every workspace in every size, in each run a fifth with one file and another with the other."""
    window.files.open([path])
    assert window.current is not None
    model = window.current.session.model
    assert model is not None
    window.current.session.select((model.names[-1],))
    offer_tour(window)
    for name in ("burger", "waffle"):
        text = f"sdfviewer ended unexpectedly. Unsaved changes to {name}.urdf from 28 Nov, 19:03 were stored."
        window.notices.ask(name, text, dict.fromkeys(("Restore", "Compare…", "Discard"), lambda: None))
    answers = ("Evaluate", "Evaluate All in ur_descr…", "Never", "Set Arguments…")
    window.notices.ask("xacro", "ur.urdf.xacro is a program. Evaluate it?", dict.fromkeys(answers, lambda: None))
    steps = list(product((QSize(*size) for size in SIZES), WORKSPACES))
    first = min(every - 1, int(path.stem == "relative_to_cycle"))
    for size, workspace in steps[first::every]:
        window.workspaces.reset()
        window.resize(size)
        qtbot.waitUntil(lambda size=size: window.size() == size)  # type: ignore[misc]
        window.actions_by_id[f"workspace.{workspace.id}"].trigger()
        window.workspaces.finish()
        window.workspaces.reset()
        qtbot.waitUntil(partial(_expect_none, window, f"{workspace.name} in {size.toTuple()}"))
        assert window.size() == size, workspace.id
        least = window.minimumSizeHint()
        assert least.width() <= size.width(), (workspace.id, size)
        assert least.height() <= size.height(), (workspace.id, size)


def test_what_is_cut_or_covered_is_noticed(window: MainWindow) -> None:
    assert not layout_faults(window)
    label, button = QLabel("A sentence that is cut", window), QPushButton("Over it", window)
    label.setGeometry(10, 10, 40, 20)
    button.setGeometry(20, 10, 90, 20)
    for each in (label, button):
        each.show()
    faults = layout_faults(window)
    assert any("is cut" in fault for fault in faults)
    assert any("lie over each other" in fault for fault in faults)
    for each in (label, button):
        each.hide()
        each.deleteLater()
    QApplication.processEvents()
