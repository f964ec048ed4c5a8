"""Mirroring, aligning and distributing from the Edit menu: previewed, one undo step."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from sdfviewer.gui.operations.operation_form import OperationForm
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from tests.frames import frame_in

TEXT = """<sdf version="1.11"><model name="m">
  <link name="torso"/>
  <link name="left_arm"><pose>0 0.5 1 0.1 0 0</pose></link>
  <joint name="left_shoulder" type="revolute">
    <parent>torso</parent>
    <child>left_arm</child>
    <axis>
      <xyz>1 0 0</xyz>
    </axis>
  </joint>
  <frame name="left_tcp" attached_to="left_arm"><pose>0 0.25 0 0 0 0</pose></frame>
</model></sdf>
"""


@pytest.fixture
def limb(window: MainWindow, tmp_path: Path) -> OpenFile:
    path = tmp_path / "limb.sdf"
    path.write_text(TEXT, encoding="utf-8")
    window.files.open([path])
    assert window.current is not None
    return window.current


def run(window: MainWindow, action: str) -> object:
    window.app.dialog = None
    window.actions_by_id[action].trigger()
    return window.app.dialog


def axes_of(dialog: OperationForm) -> list[QCheckBox]:
    """Return the boxes of x, y and z."""
    return dialog.fields["axes"].findChildren(QCheckBox)


def test_a_limb_gets_its_other_side(qtbot: QtBot, window: MainWindow, limb: OpenFile) -> None:
    limb.session.select(["m::left_arm"])
    with qtbot.waitSignal(limb.context.previews.edit_changed):
        dialog = run(window, "edit.mirror")
    assert isinstance(dialog, OperationForm)
    before, after = dialog.fields["names"].findChildren(QLineEdit)
    axis = dialog.fields["axis"]
    assert isinstance(axis, QComboBox)
    assert (before.text(), after.text(), axis.currentText()) == ("left", "right", "y, left to right")
    assert dialog.summary.text() == "3 new elements: right_arm, right_shoulder, right_tcp."
    dialog.resize(dialog.minimumWidth(), 10)
    after.setText("on_the_other_side_of_the_robot")
    QApplication.processEvents()  # the layout
    summary = dialog.summary
    assert summary.text().count("on_the_other_side_of_the_robot") == 3
    assert summary.height() >= summary.heightForWidth(summary.width()), "all lines are in sight"
    after.setText("")
    assert not dialog.accept_button.isEnabled()
    after.setText("right")
    dialog.accept()
    model = limb.session.model
    assert model is not None
    np.testing.assert_allclose(
        frame_in(model, "m::right_tcp").pose[:3, 3], [1, -1, 1] * frame_in(model, "m::left_tcp").pose[:3, 3]
    )
    assert set(limb.session.selection) == {"m::right_arm", "m::right_shoulder", "m::right_tcp"}
    limb.session.undo()
    assert limb.session.document.text == TEXT


def test_frames_are_aligned_with_the_one_selected_last(window: MainWindow, limb: OpenFile) -> None:
    limb.session.select(["m::torso", "m::left_arm"])
    dialog = run(window, "edit.align")
    assert isinstance(dialog, OperationForm)
    assert [box.isChecked() for box in axes_of(dialog)] == [False, False, True]
    axes_of(dialog)[2].setChecked(False)
    assert not dialog.accept_button.isEnabled()
    assert dialog.fault.text() == "Along: choose an axis."
    axes_of(dialog)[2].setChecked(True)
    axes_of(dialog)[1].setChecked(True)
    dialog.accept()
    assert '<link name="torso">' in limb.session.document.text
    model = limb.session.model
    assert model is not None
    np.testing.assert_allclose(frame_in(model, "m::torso").pose[:3, 3], [0, 0.5, 1])
    limb.session.undo()
    assert limb.session.document.text == TEXT


def test_distributing_asks_for_three(window: MainWindow, limb: OpenFile) -> None:
    limb.session.select(["m::torso", "m::left_arm"])
    assert run(window, "edit.distribute") is None
    limb.session.select(["m::torso", "m::left_tcp", "m::left_arm"])
    dialog = run(window, "edit.distribute")
    assert isinstance(dialog, OperationForm)
    assert not dialog.accept_button.isEnabled()  # along x they are at one place
    axes_of(dialog)[0].setChecked(False)
    axes_of(dialog)[1].setChecked(True)
    dialog.accept()
    model = limb.session.model
    assert model is not None
    np.testing.assert_allclose(frame_in(model, "m::left_arm").pose[1, 3], 0.25 + 0.125 * np.cos(0.1))
