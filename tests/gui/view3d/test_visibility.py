"""Hiding, isolating and showing in the window: keys, eyes, the 3D view."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.tree.tree_model import EYE
from sdfviewer.scene.tools.measuring import Anchor, AnchorKind, Measurement
from sdfviewer.session.visibility import Visibility


@pytest.fixture
def drawn(arm: OpenFile):
    """Return what tells the links whose surfaces the 3D view draws."""
    canvas = arm.view.canvas
    if canvas is None:
        pytest.skip("there is no OpenGL here")

    def links() -> set[str]:
        scene = canvas.feed.scene
        return {scene.names[scene.owners[each.row]] for each in scene.surfaces}

    return links


def test_h_hides_and_alt_h_shows_all(window: MainWindow, arm: OpenFile, drawn) -> None:
    everything = drawn()
    arm.session.select(("arm::forearm",))
    window.actions_by_id["visible.hide"].trigger()
    assert drawn() == everything - {"arm::forearm"}
    window.actions_by_id["visible.all"].trigger()
    assert drawn() == everything
    window.actions_by_id["visible.isolate"].trigger()
    assert drawn() == {"arm::forearm"}


def test_only_the_frames_of_what_is_isolated_are_named(window: MainWindow, arm: OpenFile, drawn) -> None:
    arm.session.select(("arm::forearm",))
    window.actions_by_id["visible.isolate"].trigger()
    canvas = arm.view.canvas
    assert canvas is not None
    assert set(canvas.feed.scene.labels.texts) == {"forearm"}


def test_a_note_says_what_is_isolated_and_shows_all(qtbot: QtBot, window: MainWindow, arm: OpenFile, drawn) -> None:
    everything, note = drawn(), arm.view.isolation_note
    arm.session.select(("arm::forearm",))
    window.actions_by_id["visible.isolate"].trigger()
    assert note.isVisible()
    assert note.full_text == "Only forearm is shown. Show All"
    assert "underline" in note.text(), "it looks as if it can be clicked"
    qtbot.mouseClick(note, Qt.MouseButton.LeftButton)
    assert drawn() == everything
    assert not note.isVisible()


def test_the_note_names_the_model_of_what_is_isolated(window: MainWindow, tmp_path: Path) -> None:
    """Models of a world often have links of one name."""
    path = tmp_path / "world.sdf"
    path.write_text("""<sdf version="1.9"><world name="w">
      <model name="a"><link name="base"/></model><model name="b"><link name="base"/></model></world></sdf>""")
    window.files.open([path])
    assert window.current is not None
    window.current.session.select(("b::base",))
    window.actions_by_id["visible.isolate"].trigger()
    assert window.current.view.isolation_note.full_text == "Only b::base is shown. Show All"


def test_hiding_nothing_says_what_to_do(window: MainWindow, arm: OpenFile, drawn) -> None:
    arm.session.select(())
    everything = drawn()
    window.actions_by_id["visible.hide"].trigger()
    assert drawn() == everything
    assert "Select" in window.status.message


def test_what_is_hidden_stays_so_while_joints_move(arm: OpenFile, drawn) -> None:
    arm.session.set_visibility(arm.session.visibility.hide(["arm::forearm"]))
    arm.session.move_joints({"arm::joint_2": (0.5,)})
    assert "arm::forearm" not in drawn()
    assert arm.view.canvas is not None
    arm.view.canvas.grabFramebuffer()


@pytest.mark.panels("tree", "source")
def test_an_eye_in_the_tree_hides_and_shows_without_selecting(arm: OpenFile, drawn) -> None:
    tree, model = arm.tree, arm.session.model
    assert model is not None
    index = tree.source.index_of(model.rows_by_name["arm::forearm"]).siblingAtColumn(EYE)
    for expected in (False, True):
        QTest.mouseClick(tree.view.viewport(), Qt.MouseButton.LeftButton, pos=tree.view.visualRect(index).center())
        assert ("arm::forearm" in drawn()) is expected
        assert index.data(Qt.ItemDataRole.AccessibleTextRole) == ("visible" if expected else "hidden")
    assert arm.session.selection == ()


def test_a_link_can_be_see_through(window: MainWindow, arm: OpenFile, drawn) -> None:
    arm.session.select(("arm::forearm",))
    window.actions_by_id["visible.opacity_30"].trigger()
    assert arm.view.canvas is not None
    scene = arm.view.canvas.feed.scene
    surfaces = [each for each in scene.surfaces if scene.names[scene.owners[each.row]] == "arm::forearm"]
    assert surfaces
    for each in surfaces:
        material = each.material or each.mesh.parts[0].material
        assert material.opacity == pytest.approx(0.3)
    arm.view.canvas.grabFramebuffer()


def test_what_is_hidden_and_measured_is_there_when_the_file_opens_again(window: MainWindow, arm: OpenFile) -> None:
    session = arm.session
    assert session.path is not None
    X_FA = np.eye(4)
    X_FA[0, 3] = 0.25
    anchors = (
        Anchor(AnchorKind.FRAME, "arm::palm", np.eye(4), "palm"),
        Anchor(AnchorKind.POINT, "arm::base", X_FA, "base"),
    )
    session.set_visibility(session.visibility.hide(["arm::forearm"]).with_opacity(["arm::base"], 0.5))
    session.set_measurements([Measurement("reach", anchors)])
    path = session.path
    window.files.drop(arm)
    window.files.open([path])
    assert window.current is not None
    again = window.current.session
    assert again is not session
    assert again.visibility == session.visibility
    (measurement,) = again.measurements
    assert measurement.name == "reach"
    assert [(each.kind, each.frame) for each in measurement.anchors] == [(each.kind, each.frame) for each in anchors]
    np.testing.assert_array_equal(measurement.anchors[1].X_FA, X_FA)
    assert "1 element of arm.sdf is hidden, as you left it." in [
        each.text() for each in window.notices.findChildren(QLabel)
    ]
    again.set_visibility(Visibility())
    assert window.notices.topics == ()
    again.set_measurements(())
    window.files.drop(window.current)
    window.files.open([path])
    assert window.current is not None
    assert window.current.session.visibility.is_default
    assert not window.current.session.measurements
