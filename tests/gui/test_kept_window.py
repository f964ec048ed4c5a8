"""The window that tests share is as it was made, whatever the test before has done with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from sdfviewer.gui.kit.theme import Choice
from tests.gui.kept_window import ALL_PANELS, KeptWindow, WindowKeeper

pytestmark = pytest.mark.panels(*ALL_PANELS)


def _open(kept: KeptWindow, path: Path) -> None:
    kept.window.files.open([path])


def edit(kept: KeptWindow) -> None:
    """Change what the file says, select in it, move its joints and look from elsewhere."""
    file = kept.window.current
    file.session.select(("arm::forearm",))
    kept.window.actions_by_id["camera.left"].trigger()
    file.session.move_joints({"arm::joint_1": (0.3,)})
    kept.window.actions_by_id["joints.sweep"].trigger()
    kept.window.actions_by_id["edit.remove"].trigger()


def rearrange(kept: KeptWindow) -> None:
    kept.window.actions_by_id["workspace.debug"].trigger()
    kept.window.docks.docks["tree"].setFloating(True)
    kept.window.docks.docks["source"].hide()
    kept.window.resize(1000, 700)


def configure(kept: KeptWindow) -> None:
    kept.window.actions_by_id["show.wireframe"].trigger()
    kept.window.actions_by_id["unit.degrees"].trigger()
    kept.window.actions_by_id["navigation.gazebo"].trigger()
    kept.settings.model_folders = [Path("/nowhere")]


def repaint(kept: KeptWindow) -> None:
    kept.settings.theme = Choice.LIGHT


def ask(kept: KeptWindow) -> None:
    kept.window.notices.ask("topic", "A question", {})
    kept.window.status.show_message("Said")
    kept.window.actions_by_id["joints.motion"].trigger()
    kept.window.actions_by_id["go.palette"].trigger()


@pytest.mark.parametrize("use", [edit, rearrange, configure, repaint, ask])
def test_nothing_is_left_of_what_is_done_with_it(
    kept_window: KeptWindow, example: Callable[[str], Path], use: Callable[[KeptWindow], None]
) -> None:
    _open(kept_window, example("arm"))
    use(kept_window)
    assert kept_window.differences()
    assert kept_window.reset() == []


def test_it_is_as_a_new_one_is(kept_window: KeptWindow, example: Callable[[str], Path], tmp_path: Path) -> None:
    _open(kept_window, example("arm"))
    assert kept_window.reset() == []
    kept_window.window.hide()
    new = KeptWindow(tmp_path)
    assert new.fresh == kept_window.fresh
    new.close()
    kept_window.window.show()


@pytest.mark.panels("tree", "properties", "source")
def test_other_panels_make_it_as_one_that_is_new_with_them(
    kept_window: KeptWindow, example: Callable[[str], Path], tmp_path: Path
) -> None:
    assert set(kept_window.window.docks.in_sight) == {"tree", "properties", "source"}
    for panels in (("tree", "graphs"), ALL_PANELS, ("tree", "graphs")):
        kept_window.show_panels(panels)
        _open(kept_window, example("arm"))
        assert set(kept_window.window.docks.in_sight) == set(panels)
        assert kept_window.reset() == []
    kept_window.window.hide()
    new = KeptWindow(tmp_path, ("tree", "graphs"))
    # Qt remembers how large the hidden panels have been.
    differences = {*(new.fresh - kept_window.fresh), *(kept_window.fresh - new.fresh)}
    assert [each for each in differences if not each.startswith("layout ")] == []
    new.close()
    kept_window.window.show()


def test_one_that_cannot_be_brought_back_is_not_handed_on(window_keeper: WindowKeeper, qtbot: QtBot) -> None:
    first = window_keeper.take().window
    window_keeper.put_back()
    assert window_keeper.take().window is first
    dialog = QDialog(first)  # it stays, hidden, as a child of the window
    window_keeper.put_back()
    assert not isValid(dialog)
    assert not isValid(first)
    assert window_keeper.take().window is not first
    window_keeper.close()
