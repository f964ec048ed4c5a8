"""The open file beside another version of it: frames in a table, ghosts in 3D, lines of text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QStyle, QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.gui.compare.compare_dialog import CompareDialog, step_version
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import AngleUnit
from sdfviewer.gui.kit.safe_text import PlainDelegate
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.opengl import probe
from sdfviewer.model.comparison.frames import Change, FrameComparison
from tests.frames import frame_in


def edit(workspace: OpenFile, old: str, new: str) -> None:
    text = workspace.session.document.text
    start = text.index(old)
    workspace.session.apply(
        Edit(f"Write {new}", workspace.session.document, (Replacement(start, start + len(old), new),))
    )


def compare(window: MainWindow, action: str) -> CompareDialog:
    window.actions_by_id[action].trigger()
    dialog = window.comparisons.dialog
    assert isinstance(dialog, CompareDialog)
    return dialog


def heads(dialog: CompareDialog) -> list[str]:
    return [dialog.frames.topLevelItem(row).text(0) for row in range(dialog.frames.topLevelItemCount())]


def click(qtbot: QtBot, dialog: CompareDialog, name: str) -> None:
    item = dialog.frames.topLevelItem(heads(dialog).index(name))
    place = dialog.frames.visualItemRect(item).center()
    qtbot.mouseClick(dialog.frames.viewport(), Qt.MouseButton.LeftButton, pos=place)


@pytest.fixture
def changed(arm: OpenFile) -> OpenFile:
    """Return an arm in which a link has moved, a frame has gone, another has come, and one has another name."""
    edit(arm, "0 0 0.2 0 -20 0", "0 0 0.3 0 -20 0")
    model = arm.session.model
    assert model is not None
    document = model.document
    gone = document.span(model.elements[model.row("arm::inspection")], "element")
    arm.session.apply(
        Edit("Swap", arm.session.document, (Replacement(gone.start, gone.end, '<frame name="arrived"/>'),))
    )
    assert arm.session.model is not None
    arm.context.edits.rename(arm.session.model.row("arm::grasp"), "hold")
    return arm


def test_frames_are_below_what_moved_them(window: MainWindow, changed: OpenFile) -> None:
    dialog = compare(window, "versions.saved")
    found = {each.name: each for each in dialog.differences}
    assert found["arm::arrived"].changes == (Change.APPEARED,)
    assert found["arm::inspection"].changes == (Change.VANISHED,)
    assert Change.RENAMED in found["arm::hold"].changes
    moved = [each for each in dialog.differences if each.changes == (Change.MOVED,)]
    (cause,) = [each for each in moved if not each.along]
    assert cause.name == "arm::joint_2"
    assert len(moved) > 5
    assert all(each.along == cause.name for each in moved if each is not cause)
    item = dialog.frames.topLevelItem(heads(dialog).index(cause.name.removeprefix("arm::")))
    assert item.text(1).startswith("moved  (+")
    assert item.childCount() == 0  # made when it is asked for
    item.setExpanded(True)
    assert item.childCount() == sum(each.along == cause.name for each in dialog.differences)
    assert "2 frames move and" in dialog.summary.text()  # the renamed one, which moved too, stands for itself
    assert "1 appears" in dialog.summary.text()


def test_both_names_of_a_long_rename_can_be_read(window: MainWindow, arm: OpenFile) -> None:
    model = arm.session.model
    assert model is not None
    arm.context.edits.rename(model.row("arm::grasp"), "grasp_of_the_tool_at_the_end_of_the_forearm_" * 3)
    dialog = compare(window, "versions.saved")
    assert dialog.windowTitle() == f"Differences – {arm.session.document.path.name}"  # type: ignore[union-attr]
    frames = dialog.frames
    index = frames.indexFromItem(frames.topLevelItem(0))
    option = QStyleOptionViewItem()
    frames.initViewItemOption(option)
    option.rect = frames.visualRect(index)
    delegate = frames.itemDelegateForColumn(0)
    assert isinstance(delegate, PlainDelegate)
    delegate.initStyleOption(option, index)
    before, arrow, after = option.text.partition(" → ")
    assert (before, arrow) == ("grasp", " → ")
    assert "…" in after
    icon = frames.style().pixelMetric(QStyle.PixelMetric.PM_SmallIconSize)
    assert icon + option.fontMetrics.horizontalAdvance(option.text) < option.rect.width()
    assert frames.columnWidth(0) > frames.columnWidth(4)


def test_a_click_selects_and_focuses_and_a_selection_elsewhere_is_marked(
    qtbot: QtBot, window: MainWindow, changed: OpenFile
) -> None:
    dialog = compare(window, "versions.saved")
    focused: list[tuple[str, ...]] = []
    changed.context.requests.focus.connect(focused.append)
    click(qtbot, dialog, "arrived")
    assert changed.session.selection == ("arm::arrived",)
    assert focused == [("arm::arrived",)]
    click(qtbot, dialog, "inspection")
    assert changed.session.selection == ()
    assert focused[-1] == ("arm::inspection",)
    cause = next(each for each in dialog.differences if Change.MOVED in each.changes and not each.along)
    follower = next(each for each in dialog.differences if each.along == cause.name)
    assert follower.after is not None
    changed.session.select((follower.after,))
    assert [each.name for each in dialog.frames.chosen] == [follower.after]
    assert len(focused) == 2  # what is selected elsewhere moves no camera


def test_ghosts_show_the_other_version_where_it_differs(window: MainWindow, changed: OpenFile) -> None:
    if probe().problem:
        pytest.skip(probe().problem)
    dialog = compare(window, "versions.saved")
    canvas = changed.view.canvas
    assert canvas is not None
    version = changed.context.previews.version
    assert version is not None
    before = version.model
    shades = canvas.compared.shades()
    assert shades is not None
    np.testing.assert_array_equal(canvas.renderer.ghost_poses, version.X_ghost)
    shown = set(np.flatnonzero(np.isfinite(version.X_ghost).all(axis=(1, 2))).tolist())
    assert before.row("arm::inspection") in shown
    assert before.row("arm::base") not in shown
    assert {surface.row for surface in shades.surfaces} <= shown
    assert any(before.names[surface.row].startswith("arm::upper_arm") for surface in shades.surfaces)
    assert len(canvas.compared.shapes()) > 0
    picture = canvas.grabFramebuffer()
    # What vanished can be brought into sight all the same.
    np.testing.assert_allclose(
        canvas.compared.outline_of(("arm::inspection",)).mean(axis=0),
        frame_in(before, "arm::inspection").pose[:3, 3],
        atol=1e-9,
    )
    dialog.ghosts.click()
    assert canvas.renderer.ghost_poses is None
    assert len(canvas.compared.shapes()) == 0
    assert canvas.grabFramebuffer() != picture
    dialog.ghosts.click()
    assert canvas.renderer.ghost_poses is not None
    dialog.reject()
    assert canvas.renderer.ghost_poses is None
    assert changed.context.previews.version is None


def test_joints_move_both_versions(qtbot: QtBot, window: MainWindow, changed: OpenFile) -> None:
    dialog = compare(window, "versions.saved")
    session = changed.session
    before = len(dialog.differences)
    session.move_joints({"arm::joint_2": (0.6,)})

    def has_moved() -> bool:
        version = changed.context.previews.version
        return version is not None and not np.allclose(version.X_before, version.comparison.a.X_RootF)

    qtbot.waitUntil(has_moved)
    version = changed.context.previews.version
    assert version is not None
    comparison = version.comparison
    X_before = comparison.poses(comparison.configurations(session.positions))[0]
    np.testing.assert_allclose(version.X_before, X_before)
    assert len(dialog.differences) >= before


def test_edits_are_compared_as_they_are_made(qtbot: QtBot, window: MainWindow, changed: OpenFile) -> None:
    dialog = compare(window, "versions.saved")
    lines = dialog.pages.tabText(1)
    while changed.session.can_undo:
        changed.session.undo()
    qtbot.waitUntil(lambda: dialog.differences == [])
    assert dialog.summary.text() == "No frame moves"
    assert dialog.text.place.text() == "The texts are identical"
    assert dialog.pages.tabText(1) == "Text" != lines


def test_the_window_stays_at_hand(window: MainWindow, changed: OpenFile) -> None:
    dialog = compare(window, "versions.saved")
    assert not dialog.isModal()
    view = changed.view
    top = view.mapToGlobal(view.rect().topLeft()).y()
    assert dialog.geometry().top() > top + view.height() // 2
    first = dialog
    second = compare(window, "versions.step")
    assert second is not first
    assert not first.isVisible()


def test_a_file_that_is_closed_closes_the_dialog(qtbot: QtBot, window: MainWindow, changed: OpenFile) -> None:
    dialog = compare(window, "versions.saved")
    gone: list[bool] = []
    dialog.destroyed.connect(lambda: gone.append(True))
    window.files.drop(changed)
    qtbot.waitUntil(lambda: gone == [True])


def test_another_version_is_chosen_in_place(
    qtbot: QtBot, window: MainWindow, changed: OpenFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    dialog = compare(window, "versions.step")
    offered = [dialog.versions.itemText(index) for index in range(dialog.versions.count())]
    assert offered == [
        "the version in git HEAD",
        "the version on disk",
        "the file after “Swap”",
        "the file after “Write 0 0 0.3 0 -20 0”",
        "the file as it was opened",
        "",
        "Another file…",
    ]
    assert dialog.versions.currentText() == "the file after “Swap”"
    assert [each.changes for each in dialog.differences] == [(Change.RENAMED,)]

    def choose(index: int) -> None:
        dialog.versions.setCurrentIndex(index)
        dialog.versions.activated.emit(index)

    choose(0)
    qtbot.waitUntil(lambda: "git" in dialog.fault.text())  # which is asked beside the window
    assert not dialog.pages.isEnabled()
    choose(4)
    assert not dialog.fault.text()
    assert dialog.pages.isEnabled()
    assert {each.name for each in dialog.differences} >= {"arm::arrived", "arm::inspection", "arm::hold"}
    other = tmp_path / "other.sdf"
    other.write_text('<sdf version="1.9"><model name="arm"><link name="base"/></model></sdf>', encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(other), ""))
    choose(6)
    assert dialog.versions.currentText() == "other.sdf"
    assert any(each.changes == (Change.APPEARED,) for each in dialog.differences)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    choose(dialog.versions.count() - 1)
    assert dialog.versions.currentText() == "other.sdf"


def test_the_history_compares_any_of_its_states(window: MainWindow, changed: OpenFile) -> None:
    changed.history.comparison_wanted.emit(0)
    dialog = window.comparisons.dialog
    assert isinstance(dialog, CompareDialog)
    assert dialog.versions.currentText() == "the file as it was opened"


def test_what_was_renamed_on_the_way_is_known_in_both_directions(arm: OpenFile) -> None:
    session = arm.session
    for old, new in (("grasp", "a"), ("a", "b")):
        assert session.model is not None
        arm.context.edits.rename(session.model.row(f"arm::{old}"), new)
    assert step_version(session, 0).renamed == (("arm::grasp", "arm::b"),)
    session.go_to(0)
    version = step_version(session, 2)
    assert version.renamed == (("arm::b", "arm::grasp"),)
    assert version.name.endswith(", undone")
    model = session.make_loader().load(version.read())
    assert model is not None
    assert session.model is not None
    (found,) = FrameComparison(model, session.model, version.renamed).differences()
    assert (found.before, found.after) == ("arm::b", "arm::grasp")


def test_what_was_renamed_here_is_known_though_the_file_on_disk_has_moved_it(window: MainWindow, arm: OpenFile) -> None:
    session = arm.session
    assert session.model is not None
    arm.context.edits.rename(session.model.row("arm::inspection"), "mine")
    assert session.path is not None
    text = session.path.read_text(encoding="utf-8").replace("0.29 0 0.42", "0.31 0 0.42")
    session.path.write_text(text, encoding="utf-8")
    (found,) = compare(window, "versions.saved").differences
    assert (found.before, found.after) == ("arm::inspection", "arm::mine")
    assert found.changes == (Change.RENAMED, Change.MOVED)


def test_without_another_state_nothing_opens(window: MainWindow, arm: OpenFile) -> None:
    window.comparisons.dialog = None
    window.actions_by_id["versions.step"].trigger()
    assert window.comparisons.dialog is None
    assert "has no other step" in window.status.message


def test_angles_follow_the_unit(window: MainWindow, arm: OpenFile, settings: Settings) -> None:
    edit(arm, '<pose relative_to="joint_1"/>', '<pose relative_to="joint_1">0 0 0 0 0 0.5</pose>')
    dialog = compare(window, "versions.saved")
    item = dialog.frames.topLevelItem(0)
    assert item.text(3) == "0.5"
    settings.angle_unit = AngleUnit.DEGREES
    assert item.text(3) == "28.648"
    assert "°" in dialog.frames.headerItem().text(3)


def test_a_text_that_is_no_model_is_compared_as_text(
    window: MainWindow, arm: OpenFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "broken.sdf"
    other.write_text("<sdf version='1.9'><model", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(other), ""))
    dialog = compare(window, "versions.file")
    assert "compare the text" in dialog.no_frames.text()
    assert not dialog.summary.isVisible()
    assert len(dialog.text.changes) == 1


@pytest.mark.parametrize("action", ["versions.saved", "versions.step"])
def test_a_world_is_compared_by_its_names(
    window: MainWindow, open_example: Callable[[str], OpenFile], action: str
) -> None:
    workspace = open_example("world_frames")
    model = workspace.session.model
    assert model is not None
    row = next(row for row, kind in enumerate(model.kinds) if kind.value == "frame")
    workspace.context.edits.rename(row, "elsewhere_called")
    dialog = compare(window, action)
    assert [each.changes for each in dialog.differences] == [(Change.RENAMED,)]
    assert heads(dialog) == [f"{model.names[row]} → {dialog.differences[0].after}"]


def test_the_comparison_opens_within_the_screen(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    """Of a narrow window at the edge of the screen, or on a small screen, it stood beyond it in part."""
    dialog = compare(window, "versions.saved")
    screen = window.screen().availableGeometry()
    narrow = QWidget()
    qtbot.addWidget(narrow)
    for left in (screen.left(), screen.right() - 300):
        narrow.setGeometry(left, screen.bottom() - 200, 300, 400)
        dialog.stand_below(narrow)
        assert screen.contains(dialog.geometry())


def test_the_comparison_stands_below_the_window_as_far_as_the_screen_goes(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    """Over the window it covers the 3D view, which shows where the frames were."""
    dialog = compare(window, "versions.saved")
    screen = window.screen().availableGeometry()
    small = QWidget()
    qtbot.addWidget(small)
    small.setGeometry(screen.left(), screen.top(), 900, screen.height() // 3)
    dialog.stand_below(small)
    assert not dialog.geometry().intersects(small.frameGeometry())
    small.setGeometry(screen)
    dialog.stand_below(small)
    assert screen.bottom() - dialog.geometry().bottom() < 20


@pytest.mark.panels("graphs")
def test_the_dialog_is_as_high_as_what_it_shows(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    """It stands over the lower part of the window: what it does not need is left to the 3D view."""
    edit(arm, "0 0 0.2 0 -20 0", "0 0 0.3 0 -20 0")
    dialog = compare(window, "versions.saved")
    qtbot.waitUntil(lambda: dialog.frames.topLevelItemCount() > 0)
    bottom, of_frames = dialog.geometry().bottom(), dialog.height()
    assert of_frames < window.height() // 3
    dialog.pages.setCurrentWidget(dialog.text)
    assert of_frames < dialog.height() <= window.height() * 9 // 20
    qtbot.waitUntil(lambda: not any(pane.verticalScrollBar().maximum() for pane in dialog.text.panes))
    dialog.resize(dialog.width(), dialog.height() + 40)
    chosen = dialog.height()
    dialog.pages.setCurrentIndex(0)
    assert dialog.height() == chosen
    assert abs(dialog.geometry().bottom() - 40 - bottom) <= 1
