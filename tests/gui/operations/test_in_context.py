"""Wherever what is included is edited in the window, one card asks where that goes, and shows what each answer does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.gui.graphs.graph_editing import Retargeting
from sdfviewer.gui.kit.frame_picker import FrameChoice
from sdfviewer.gui.operations.place_cards import ContextCard
from sdfviewer.gui.shell.actions.table import build_tree_menu
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.refactoring.composition.in_context import WrittenIn
from tests.refactoring.composition.test_in_context import PARTS

pytestmark = pytest.mark.panels("properties")


@pytest.fixture
def file(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> OpenFile:
    for name, text in PARTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    window.files.open([tmp_path / "world.sdf"])
    found = window.files.current
    assert found is not None
    qtbot.waitUntil(lambda: not found.session.is_reading and found.session.is_current)
    return found


def card_of(window: MainWindow, qtbot: QtBot) -> ContextCard:
    """Return the card that asks, when it has the keyboard and has found all users."""
    qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(ContextCard)))
    card = next(each for each in window.findChildren(ContextCard) if each.isVisible())
    card.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is card and "Searching" not in card.users.text())
    return card


def typed(file: OpenFile, number: int, text: str) -> None:
    """Type a number of the pose."""
    field = file.properties.pose.fields[number]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def type_a_number(_window: MainWindow, file: OpenFile) -> None:
    typed(file, 2, "0.5")


def drag_the_handle(window: MainWindow, file: OpenFile) -> None:
    canvas = file.view.canvas
    if canvas is None:
        pytest.skip("there is no OpenGL here")
    window.actions_by_id["tool.move"].trigger()
    gizmo = canvas.tools.gizmo
    assert gizmo.drag_state.begin(), gizmo.refusal
    move = gizmo.drag_state.move
    assert move is not None
    down = np.eye(4)
    down[2, 3] = -0.3
    gizmo.drag_state.show(down)
    assert file.context.edits.make(lambda: move.edit("Move"), canvas)
    gizmo.drag_state.end()


def choose_relative_to(_window: MainWindow, file: OpenFile) -> None:
    field = file.properties.relative_to
    assert field.picker.isEnabled()
    field.picker.picked.emit(FrameChoice("base", "base", "link"))


def choose_from_the_menu(window: MainWindow, file: OpenFile) -> None:
    offered = [each.text() for each in build_tree_menu(file, window.actions_by_id).actions() if each.isEnabled()]
    assert {"Change relative_to…", "Change attached_to…"} <= set(offered)
    window.actions_by_id["edit.relative_to"].trigger()
    file.properties.relative_to.picker.picked.emit(FrameChoice("base", "base", "link"))


def drag_in_the_graph(_window: MainWindow, file: OpenFile) -> None:
    session = file.session
    model = session.model
    assert model is not None
    retargeting = Retargeting(model, GraphKind.RELATIVE_TO, model.row("bench::tool"))
    target = model.row("bench::base")
    assert retargeting.allows(target), retargeting.refusal(target)
    assert file.context.edits.make(lambda: retargeting.edit(session, target, "pose")[0])


def test_one_card_asks_wherever_it_is_edited(window: MainWindow, file: OpenFile, qtbot: QtBot) -> None:
    before = file.session.document.text
    for way in (type_a_number, choose_relative_to, choose_from_the_menu, drag_in_the_graph, drag_the_handle):
        file.session.select(["bench::tool"])
        way(window, file)
        _answer_the_card(window, file, qtbot)
        file.session.undo()
        assert file.session.document.text == before, way.__name__


def _answer_the_card(window: MainWindow, file: OpenFile, qtbot: QtBot) -> None:
    card = card_of(window, qtbot)
    assert set(card.choices) == set(WrittenIn)
    assert all(button.isEnabled() for button in card.choices.values())
    assert card.choices[WrittenIn.INCLUDE].isChecked()
    assert "2 other files include it" in card.users.text()
    assert "experimental:params" in card.difference.toPlainText()
    QTest.keyClick(card.choices[WrittenIn.INCLUDE], Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: file.session.dirty and file.session.is_current)
    assert "<experimental:params" in file.session.document.text
    assert not file.session.others


def test_a_change_of_the_included_file_is_one_undo_step_here(window: MainWindow, file: OpenFile, qtbot: QtBot) -> None:
    session, folder = file.session, Path(str(file.session.path)).parent
    session.select(["bench::tool"])
    typed(file, 2, "0.5")
    card = card_of(window, qtbot)
    assert "robot.sdf: moves robot::left::tool, robot::arm::tool" in card.users.text()
    assert "merged.sdf: moves m::tool" in card.users.text()
    QTest.keyClick(card.choices[WrittenIn.INCLUDE], Qt.Key.Key_Down)
    assert card.choices[WrittenIn.FILE].isChecked()
    assert card.place.full_text == str(folder / "arm.sdf")
    qtbot.waitUntil(lambda: file.context.previews.edit is not None)
    QTest.keyClick(card.choices[WrittenIn.FILE], Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.dirty and session.is_current)
    after = PARTS["arm.sdf"].replace("0 0 0.8", "0 0 0.5")
    assert [each.text for each in session.others.values()] == [after]
    for name in ("bench::tool", "robot::left::tool"):
        assert session.pose_of(name)[2, 3] == pytest.approx(0.6)  # type: ignore[index]
    file.context.edits.undo()
    assert not session.dirty
    file.context.edits.redo()
    assert window.saving.save(file)
    assert (folder / "arm.sdf").read_text(encoding="utf-8") == after
    assert (folder / "world.sdf").read_text(encoding="utf-8") == PARTS["world.sdf"]


def test_a_frame_of_this_file_is_selected_and_escape_changes_nothing(
    window: MainWindow, file: OpenFile, qtbot: QtBot
) -> None:
    session = file.session
    session.select(["bench::tool"])
    typed(file, 2, "0.5")
    QTest.keyClick(card_of(window, qtbot), Qt.Key.Key_Escape)
    assert file.properties.pose.fields[2].value == pytest.approx(0.8), "what is written is shown again"
    assert not session.dirty
    typed(file, 2, "0.5")
    card = card_of(window, qtbot)
    card.choices[WrittenIn.FRAME].click()
    card.accept_button.click()
    qtbot.waitUntil(lambda: session.dirty and session.is_current)
    assert session.selection == ("tool_here",)
    assert session.pose_of("tool_here")[2, 3] == pytest.approx(0.6)  # type: ignore[index]
    assert session.pose_of("bench::tool")[2, 3] == pytest.approx(0.9)  # type: ignore[index]


def test_a_file_with_edits_of_its_own_is_not_changed_from_here(
    window: MainWindow, file: OpenFile, qtbot: QtBot
) -> None:
    arm = Path(str(file.session.path)).parent / "arm.sdf"
    window.files.open_behind([arm])
    other = window.files.documents.find(arm)
    assert other is not None
    qtbot.waitUntil(lambda: other.is_current)
    model = other.model
    assert model is not None
    from sdfviewer.refactoring.adding import insert_member

    other.apply(insert_member(model, 0, "frame", "new"), None)
    qtbot.waitUntil(lambda: file.session.is_current)
    file.session.select(["bench::tool"])
    typed(file, 2, "0.5")
    card = card_of(window, qtbot)
    assert not card.choices[WrittenIn.FILE].isEnabled()
    assert card.choices[WrittenIn.INCLUDE].isEnabled()
    QTest.keyClick(card, Qt.Key.Key_Escape)
