"""Files that do not load: each kind of fault is seen, looked at with its fixes, and mended with the mouse."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QFocusEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.graphs.layout import Orientation
from sdfviewer.gui.graphs.graph_canvas import GraphCanvas
from sdfviewer.gui.problems.problem_detail import FixButton
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow

pytestmark = pytest.mark.panels("graphs", "problems", "source")

FAULTS = Path(__file__).parent / "data" / "faults"
KINDS = sorted(path.stem for path in FAULTS.glob("*.sdf"))


@pytest.fixture
def open_fault(window: MainWindow, tmp_path: Path) -> Callable[[str], OpenFile]:
    """Return what opens a copy of a faulty file."""

    def open_copy(name: str) -> OpenFile:
        window.files.open([Path(shutil.copy(FAULTS / f"{name}.sdf", tmp_path))])
        assert window.current is not None
        window.current.graphs.set_orientation(Orientation.LEFT_RIGHT)
        QApplication.processEvents()
        return window.current

    return open_copy


def place(canvas: GraphCanvas, name: str) -> QPoint:
    assert canvas.picture is not None
    return canvas.screen_rect(canvas.picture.graph.names.index(name)).center().toPoint()


def head(canvas: GraphCanvas, name: str) -> QPoint:
    """Return a point on a frame's edge, near its head."""
    picture = canvas.picture
    assert picture is not None
    edge = int(np.flatnonzero(picture.graph.sources == picture.graph.names.index(name))[0])
    t = 0.75
    weights = np.array([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    return canvas.viewport.to_screen(QPointF(*(weights @ picture.curves[edge]).tolist())).toPoint()


def drag(canvas: GraphCanvas, start: QPoint, end: QPoint) -> None:
    """Move the mouse with its left button down, in steps, as a hand does."""
    left, no = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QTest.mousePress(canvas, left, no, start)
    for step in range(1, 9):
        position = QPointF(start + (end - start) * step / 8)
        where = QPointF(canvas.mapToGlobal(position.toPoint()))
        QApplication.sendEvent(canvas, QMouseEvent(QEvent.Type.MouseMove, position, where, left, left, no))
    QTest.mouseRelease(canvas, left, no, end)


#: The edge of each fault that is dragged to mend it: its graph, its frame, where it is dragged, and what is written.
DRAGS = {
    "relative_to_cycle": (
        GraphKind.RELATIVE_TO, "machine::slide", "machine::base", 'name="slide"><pose relative_to="base"'
    ),
    "attached_to_cycle": (
        GraphKind.ATTACHED_TO, "frame_attaching_cycle::F1", "frame_attaching_cycle::L", 'name="F1" attached_to="L"'
    ),
    "joint_and_link_cycle": (
        GraphKind.RELATIVE_TO, "joint_pose_relative_to::C3", "joint_pose_relative_to::P3",
        'name="C3"><pose relative_to="P3"',
    ),
    "self_reference": (GraphKind.RELATIVE_TO, "alone::arm", "alone::base", 'name="arm"><pose relative_to="base"'),
    "dangling": (GraphKind.ATTACHED_TO, "dangling::tool", "dangling::wrist", 'name="tool" attached_to="wrist"'),
    "out_of_scope": (
        GraphKind.RELATIVE_TO, "top::gripper::palm", "top::gripper", 'name="palm"><pose relative_to="__model__"'
    ),
    "shadowed": (
        GraphKind.ATTACHED_TO, "top_model::mid_model::bottom_model::bottom_frame",
        "top_model::mid_model::bottom_model::bottom_link", 'name="bottom_frame" attached_to="bottom_link"',
    ),
}  # fmt: skip


# --- seen ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.nightly] * (at % 2)) for at, kind in enumerate(KINDS)]
)
def test_each_view_shows_the_same_fault_and_its_fixes_each_of_which_is_one_undo_step(
    kind: str, window: MainWindow, open_fault: Callable[[str], OpenFile], qtbot: QtBot
) -> None:
    """Each run looks at every second kind of fault, the nightly run at all."""
    workspace = open_fault(kind)
    each_fix_is_one_undo_step(workspace, qtbot)
    if kind in DRAGS:  # two things of one name have no edge that could be dragged
        dragging_the_edge_fixes_the_file(workspace, *DRAGS[kind])
    workspace.session.select(())
    window.actions_by_id["go.next_problem"].trigger()
    problem = workspace.problems.table.problems[0]
    assert set(workspace.session.selection) == set(problem.frames) != set()
    marked: set[str] = set()
    for pane in workspace.graphs.shown:
        picture = pane.picture
        assert picture is not None
        marked |= {picture.graph.names[vertex] for vertex in pane.canvas.marks.selected}
    assert set(problem.frames) <= marked
    assert problem.span is not None
    cursor = workspace.source.editor.textCursor()
    assert cursor.blockNumber() + 1 == problem.span.line
    assert workspace.problems.detail.buttons
    for row in range(len(workspace.problems.table.groups)):
        workspace.problems.go_to(row)
        QApplication.processEvents()
        for button in workspace.problems.detail.buttons:
            assert button.text().replace("&&", "&").split() == button.full_text.split(), "every word, on any line"
            assert button.full_text in button.toolTip()


def each_fix_is_one_undo_step(workspace: OpenFile, qtbot: QtBot) -> None:
    text, count = workspace.session.document.text, len(workspace.session.diagnostics)
    for number in range(len(workspace.problems.detail.buttons)):
        qtbot.mouseClick(workspace.problems.detail.buttons[number], Qt.MouseButton.LeftButton)
        assert len(workspace.session.diagnostics) < count
        workspace.session.undo()
        assert workspace.session.document.text == text


def dragging_the_edge_fixes_the_file(
    workspace: OpenFile, kind: GraphKind, source: str, target: str, written: str
) -> None:
    canvas = workspace.graphs.panes[kind].canvas
    canvas.fit()
    before = len(workspace.session.diagnostics)
    assert written not in workspace.session.document.text
    drag(canvas, head(canvas, source), place(canvas, target))
    assert written in workspace.session.document.text, "the edge was dragged"
    assert len(workspace.session.diagnostics) < before
    workspace.session.undo()
    assert written not in workspace.session.document.text


@pytest.mark.parametrize("is_in_notice", [True, pytest.param(False, marks=pytest.mark.nightly)])
def test_debug_begins_with_the_cycle(
    qtbot: QtBot, window: MainWindow, open_fault: Callable[[str], OpenFile], is_in_notice: bool
) -> None:
    workspace = open_fault("relative_to_cycle")
    notice = window.notices.findChild(QWidget, f"notice_errors {id(workspace)}")
    (debug,) = (each for each in notice.findChildren(QPushButton) if each.text() == "Debug")
    if is_in_notice:
        debug.click()
    else:
        window.actions_by_id["workspace.debug"].trigger()
    qtbot.waitUntil(lambda: bool(workspace.session.selection))
    QApplication.processEvents()
    problem = workspace.problems.table.problems[0]
    assert set(workspace.session.selection) == set(problem.frames) != set()
    assert workspace.problems.detail.buttons
    (pane,) = (each for each in workspace.graphs.shown if each.kind is GraphKind.RELATIVE_TO)
    canvas = pane.canvas
    assert canvas.picture is not None
    boxes = [canvas.screen_rect(canvas.picture.graph.names.index(name)).toRect() for name in problem.frames]
    assert all(canvas.rect().intersects(box) for box in boxes)


def test_every_step_of_a_cycle_is_a_link_to_its_line(open_fault: Callable[[str], OpenFile]) -> None:
    workspace = open_fault("relative_to_cycle")
    shown: list[int] = []
    workspace.context.requests.place_behind.connect(lambda span: shown.append(span.line))
    labels = workspace.problems.detail.findChildren(QLabel)
    assert "slide</a>" in labels[0].text()
    for number in range(4):
        labels[0].linkActivated.emit(str(number))
    assert shown == [4, 6, 5, 4]
    for label in labels[1:4]:
        label.linkActivated.emit(label.text().split('"')[1])
    assert shown[4:] == [4, 6, 5]


def test_next_goes_through_all_places_and_around(window: MainWindow, open_fault: Callable[[str], OpenFile]) -> None:
    workspace = open_fault("dangling")
    lines = []
    for _ in range(5):
        window.actions_by_id["go.next_problem"].trigger()
        lines.append(workspace.source.editor.textCursor().blockNumber() + 1)
    assert lines == [4, 5, 7, 9, 4]
    window.actions_by_id["go.previous_problem"].trigger()
    assert workspace.source.editor.textCursor().blockNumber() + 1 == 9


def test_what_is_reported_often_is_listed_once_and_severities_are_hidden(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    script = "<material><script><uri>a</uri><name>no/such</name></script></material>"
    visuals = "".join(f'<visual name="v{n}"><geometry/>{script}</visual>' for n in range(4))
    path = tmp_path / "often.sdf"
    path.write_text(
        f'<sdf version="1.11"><model name="m"><link name="a">{visuals}</link>'
        '<frame name="f" attached_to="b"/></model></sdf>',
        encoding="utf-8",
    )
    window.files.open([path])
    workspace = window.current
    assert workspace is not None
    panel = workspace.problems
    assert len(panel.table.groups) < len(workspace.session.diagnostics)
    assert any(len(group) == 4 for group in panel.table.groups)
    errors = next(button for severity, button in panel.filters.items() if severity.value == "error")
    assert isinstance(errors, QToolButton)
    before = len(panel.table.groups)
    qtbot.mouseClick(errors, Qt.MouseButton.LeftButton)
    assert len(panel.table.groups) < before
    assert not any(problem.is_error for problem in panel.table.problems)


# --- looked at before it is made -----------------------------------------------------------------------------------


def test_a_fix_is_shown_in_the_graph_and_in_3d_before_it_is_made(
    open_fault: Callable[[str], OpenFile], qtbot: QtBot
) -> None:
    workspace = open_fault("relative_to_cycle")
    text = workspace.session.document.text
    button: FixButton = workspace.problems.detail.buttons[0]
    with qtbot.waitSignal(workspace.context.previews.edit_changed):
        at = QPointF(12, 12)
        QApplication.sendEvent(button, QEnterEvent(at, at, QPointF(button.mapToGlobal(at))))
    canvas = workspace.graphs.panes[GraphKind.RELATIVE_TO].canvas
    changes = canvas.marks.preview
    assert changes is not None
    assert canvas.picture is not None
    names = canvas.picture.graph.names
    assert [(names[source], names[target]) for source, target in changes.added] == [("machine::slide", "machine")]
    assert len(changes.removed) == 1
    assert {names[vertex] for vertex in changes.resolved} == {
        f"machine::{name}" for name in ("slide", "arm", "plate", "tool")
    }
    preview = workspace.context.previews.edit
    assert preview is not None
    assert preview.X_ghost is not None
    model = workspace.session.model
    assert model is not None
    np.testing.assert_allclose(preview.X_ghost[model.row("machine::plate"), :3, 3], [1, 1, 1])
    assert np.isnan(preview.X_ghost[model.row("machine::base")]).all()
    view = workspace.view.canvas
    assert view is not None
    assert view.compared.ghost_poses() is preview.X_ghost
    button.considered.emit(False)
    assert workspace.context.previews.edit is None
    assert canvas.marks.preview is None
    assert workspace.session.document.text == text


def test_the_keyboard_looks_at_a_fix_and_makes_it(open_fault: Callable[[str], OpenFile], qtbot: QtBot) -> None:
    workspace = open_fault("self_reference")
    button = workspace.problems.detail.buttons[0]
    with qtbot.waitSignal(workspace.context.previews.edit_changed):
        QApplication.sendEvent(button, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason))
    assert workspace.context.previews.edit is not None
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert workspace.context.previews.edit is None
    assert not workspace.session.diagnostics


def test_another_frame_is_picked_for_an_edge(open_fault: Callable[[str], OpenFile], qtbot: QtBot) -> None:
    workspace = open_fault("relative_to_cycle")
    picker = workspace.problems.detail.pickers[0]
    picker.open()
    popup = picker.popup
    assert popup is not None
    choices = {choice.label: choice.reason for choice in popup.choices}
    assert choices["base"] is None
    assert choices["arm"] == "it would close a cycle: machine::slide → machine::arm → machine::slide"
    qtbot.keyClicks(popup.search, "base")
    # The entry under the cursor is looked at.
    qtbot.waitUntil(lambda: workspace.context.previews.edit is not None)
    qtbot.keyClick(popup.search, Qt.Key.Key_Return)
    assert '<link name="slide"><pose relative_to="base">' in workspace.session.document.text
    assert not workspace.session.diagnostics
    workspace.session.undo()
    assert len(workspace.session.diagnostics) == 1


def test_the_picker_of_a_fix_leaves_the_graphs_in_sight(
    open_fault: Callable[[str], OpenFile], window: MainWindow
) -> None:
    workspace = open_fault("relative_to_cycle")
    window.resize(1280, 760)
    window.move(0, window.screen().availableGeometry().bottom() - 760)
    window.actions_by_id["workspace.debug"].trigger()
    QApplication.processEvents()
    picker = workspace.problems.detail.pickers[0]
    assert picker.text() == "Another Frame…", "whole"
    picker.open()
    popup = picker.popup
    assert popup is not None
    graphs = workspace.graphs
    assert popup.y() >= graphs.mapToGlobal(graphs.rect().bottomLeft()).y()
    assert not popup.geometry().contains(picker.mapToGlobal(picker.rect().center()))
    popup.close()


# --- the user story ------------------------------------------------------------------------------------------------


def test_from_the_red_cycle_to_the_saved_fix_in_three_clicks(
    window: MainWindow, open_fault: Callable[[str], OpenFile], qtbot: QtBot
) -> None:
    workspace = open_fault("relative_to_cycle")
    path = workspace.session.path
    assert path is not None
    clicked = Qt.MouseButton.LeftButton

    # 1. The problem: every view turns to it.
    view = workspace.problems.view
    at = view.visualRect(workspace.problems.table.index(0, 1)).center()
    qtbot.mouseClick(view.viewport(), clicked, pos=at)
    assert len(workspace.session.selection) == 3

    # 2. A fix beside the edge that is wrong.
    qtbot.mouseClick(workspace.problems.detail.buttons[1], clicked)
    assert workspace.session.dirty

    # 3. Save.
    button = window.toolbar.widgetForAction(window.actions_by_id["file.save"])
    assert isinstance(button, QToolButton)
    qtbot.mouseClick(button, clicked)
    assert not workspace.session.dirty
    model, problems = Loader().load_with_diagnostics(open_document(path))
    assert problems == ()
    assert model is not None
    assert '<link name="plate"><pose relative_to="__model__">0 0 1 0 0 0</pose>' in path.read_text(encoding="utf-8")


# --- the chain ------------------------------------------------------------------------------------------------------


@pytest.mark.panels("properties", "graphs")
def test_stepping_through_the_chain_is_seen_in_the_graph(arm: OpenFile, qtbot: QtBot) -> None:
    arm.session.select(("arm::grasp",))
    QApplication.processEvents()
    bar, why = arm.properties.chain_bar, arm.properties.why
    model = arm.session.model
    assert model is not None
    names = [model.names[step.row] for step in why.steps]
    for count in range(1, len(names) + 1):
        qtbot.mouseClick(bar.buttons["on"], Qt.MouseButton.LeftButton)
        assert list(arm.context.highlights.chain_steps) == names[:count]
        assert arm.context.highlights.hovered == names[count - 1]
        canvas = arm.graphs.panes[GraphKind.RELATIVE_TO].canvas
        assert len(canvas.marks.chain) == count - 1
    qtbot.mouseClick(bar.buttons["back"], Qt.MouseButton.LeftButton)
    assert len(arm.context.highlights.chain_steps) == len(names) - 1
    qtbot.mouseClick(bar.buttons["play"], Qt.MouseButton.LeftButton)
    assert bar.is_playing
    assert len(arm.context.highlights.chain_steps) == 1
    arm.session.select(())
    assert arm.context.highlights.chain_steps == ()
    assert not bar.is_playing


@pytest.mark.panels("properties")
def test_the_chain_is_measured_from_the_frame_that_was_picked(arm: OpenFile) -> None:
    arm.session.select(("arm::grasp",))
    model = arm.session.model
    assert model is not None
    arm.properties.resolved.set_reference("arm::grasp")
    np.testing.assert_allclose(arm.properties.why.steps[-1].X_RootF, np.eye(4), atol=1e-12)
    assert arm.properties.why.reference == "grasp"
