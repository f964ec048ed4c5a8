"""The two conventions side by side: views, ghost, table, plot, and the way from one form to the other."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QIcon
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.export.urdf import Requirement
from sdfviewer.formats.load import load_model
from sdfviewer.gui.compare.frame_tables import ANGLE, CAUSE, FRAME, METRES
from sdfviewer.gui.compare.panel import EQUAL, TO_URDF, ComparePanel
from sdfviewer.gui.compare.plot import SweepPlot
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import AngleUnit
from sdfviewer.gui.kit.labels import shorten
from sdfviewer.gui.operations.preview_dialog import PreviewDialog
from sdfviewer.gui.problems.reports import UrdfReadiness
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.canvas import Canvas
from sdfviewer.gui.view3d.compared import Ghost
from sdfviewer.gui.view3d.opengl import probe
from sdfviewer.gui.view3d.side_by_side import ABSOLUTE, RELATIVE, RELATIVE_WORLD, SHORT
from sdfviewer.model.kinematics.conventions import Comparison
from sdfviewer.scene.marks import tints

CIRCLE = """<sdf version="1.11">
  <model name="m">
    <link name="base"/>
    <link name="arm"/>
    <joint name="hinge" type="revolute">
      <pose relative_to="arm">0 0 1 0 0 0</pose>
      <parent>base</parent>
      <child>arm</child>
      <axis><xyz>0 1 0</xyz></axis>
    </joint>
  </model>
</sdf>
"""


@pytest.fixture(autouse=True)
def graphics(qapp: QApplication) -> None:
    if probe().problem:
        pytest.skip(probe().problem)


@pytest.fixture
def legacy(open_example: Callable[[str], OpenFile]) -> OpenFile:
    return open_example("parity_legacy_numbers")


@pytest.fixture
def tower(window: MainWindow, tmp_path: Path) -> OpenFile:
    """Return a model of 1.6 m that is 63 m high in the other convention, with many frames."""
    links = "".join(f'<link name="l{k}"><pose>0 0 {0.02 * k} 0 0 0</pose></link>' for k in range(80))
    joints = "".join(
        f'<joint name="j{k}" type="revolute"><parent>l{k - 1}</parent><child>l{k}</child>'
        "<axis><xyz>0 0 1</xyz></axis></joint>"
        for k in range(1, 80)
    )
    path = tmp_path / "tower.sdf"
    path.write_text(f'<sdf version="1.11"><model name="tower">{links}{joints}</model></sdf>', encoding="utf-8")
    window.files.open([path])
    assert window.current is not None
    return window.current


def comparison_of(workspace: OpenFile) -> Comparison:
    comparison = workspace.session.comparison
    assert comparison is not None
    return comparison


def names(panel: ComparePanel) -> list[str]:
    return [str(panel.table.index(row, 0).data()) for row in range(panel.table.rowCount())]


def shown(window: MainWindow, workspace: OpenFile) -> ComparePanel:
    window.actions_by_id["panel.compare"].trigger()
    workspace.compare.refresh()
    return workspace.compare


# --- views -------------------------------------------------------------------------------------------------------


def test_what_is_compared_is_clear_of_titles_and_colour_key(qtbot: QtBot, window: MainWindow, legacy: OpenFile) -> None:
    """The title lay over the head of a robot, the colour key over its feet, and axes were cut at the edge."""
    window.actions_by_id["compare.side"].trigger()
    first, second = legacy.view.sides.first, legacy.view.sides.second
    assert second is not None
    key, title = second.compared.colour_key, legacy.view.sides.titles[0]
    qtbot.waitUntil(lambda: key.isVisible() and title.isVisible())
    assert not first.compared.colour_key.isVisible(), "one is for both"
    first.grabFramebuffer()
    reach = first.look.frame_size
    assert title.geometry().bottom() < first.room.top()
    assert key.geometry().top() > second.room.bottom()
    for canvas in (first, second):
        room = canvas.room
        scene = canvas.feed.scene
        X = scene.X_RootF[scene.triads.rows]
        metres = canvas.camera.metres_per_pixel(X[:, :3, 3], canvas.height())[:, None, None]
        tips = X[:, None, :3, 3] + 0.6 * reach * metres * np.swapaxes(X[:, :3, :3], 1, 2)
        pixels, _ = canvas.camera.project(np.concatenate([tips.reshape(-1, 3), scene.outline()]), *size_of(canvas))
        assert pixels[:, 1].min() > room.top() - 2
        assert pixels[:, 1].max() < room.bottom() + 2
        assert pixels[:, 0].min() > -2
        assert pixels[:, 0].max() < canvas.width() + 2
    window.actions_by_id["compare.off"].trigger()
    assert first.room == first.rect()


def size_of(canvas: Canvas) -> tuple[int, int]:
    return canvas.width(), canvas.height()


@pytest.mark.panels("joints")
def test_two_views_show_two_readings_and_one_slider_moves_both(window: MainWindow, legacy: OpenFile) -> None:
    sides = legacy.view.sides
    assert sides.second is None
    window.actions_by_id["compare.side"].trigger()
    assert sides.second is not None
    assert sides.second.isVisible()
    titles = [title.full_text for title in sides.titles if title.isVisible()]
    assert titles == [ABSOLUTE, RELATIVE]
    assert all(title.text() in (title.full_text, SHORT[title.full_text]) for title in sides.titles)
    slider = legacy.joints.rows["parity_legacy_numbers::joint3"].slider
    slider.setValue(slider.maximum() // 4)
    q = legacy.session.kinematics.positions(legacy.session.positions)
    assert q.any()
    X_absolute, X_relative = comparison_of(legacy).poses(q)
    np.testing.assert_allclose(sides.first.feed.scene.X_RootF, X_absolute)
    np.testing.assert_allclose(sides.second.feed.scene.X_RootF, X_relative)
    window.actions_by_id["compare.off"].trigger()
    assert not sides.second.isVisible()


@pytest.mark.panels("joints")
def test_a_second_view_that_nobody_sees_costs_nothing(
    window: MainWindow, legacy: OpenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.actions_by_id["compare.side"].trigger()
    second = legacy.view.sides.second
    assert second is not None
    window.actions_by_id["compare.off"].trigger()
    shown: list[str] = []
    second.feed.rebuilt.connect(lambda: shown.append("rebuilt"))
    second.feed.moved.connect(lambda: shown.append("moved"))
    slider = legacy.joints.rows["parity_legacy_numbers::joint3"].slider
    slider.setValue(slider.maximum() // 4)
    legacy.context.edits.rename(legacy.session.model.row("parity_legacy_numbers::link4"), "hand")
    assert shown == []
    window.actions_by_id["compare.side"].trigger()
    assert shown == ["rebuilt"]
    q = legacy.session.kinematics.positions(legacy.session.positions)
    np.testing.assert_allclose(second.feed.scene.X_RootF, comparison_of(legacy).poses(q)[1])


@pytest.mark.pictures
def test_the_picture_of_the_second_view_comes_before_the_plot(
    qtbot: QtBot, window: MainWindow, legacy: OpenFile
) -> None:
    """It was blank for as long as the import of what draws the plot took every second pass."""
    window.actions_by_id["workspace.compare"].trigger()
    qtbot.waitUntil(lambda: legacy.view.sides.second is not None)
    second = legacy.view.sides.second
    assert second is not None
    with qtbot.waitSignal(second.pictured):
        pass
    assert legacy.compare.plot is None
    qtbot.waitUntil(lambda: legacy.compare.plot is not None)


def spread(canvas: Canvas) -> float:
    """Return how much of a view what it shows takes, the larger of both directions; all of it is in the picture."""
    size = canvas.width(), canvas.height()
    pixels, depth = canvas.camera.project(canvas.feed.scene.outline(), *size)
    assert (depth > 0).all()
    assert (pixels > -2).all()
    assert (pixels < np.array(size) + 2).all()
    return float(((pixels.max(axis=0) - pixels.min(axis=0)) / size).max())


def test_each_view_shows_its_own_convention_as_large_as_it_fits(window: MainWindow, tower: OpenFile) -> None:
    """Beside what the other convention puts metres away the model was a few pixels high."""
    window.actions_by_id["compare.side"].trigger()
    first, second = tower.view.sides.first, tower.view.sides.second
    assert second is not None
    first.grabFramebuffer()
    assert second.camera.distance > 5 * first.camera.distance
    for action in (None, "camera.front", "camera.fit", "camera.focus"):
        if action is not None:
            window.actions_by_id[action].trigger()
            first.camera = first.camera_control.goal
        assert min(spread(first), spread(second)) > 0.25


def test_both_cameras_move_together(window: MainWindow, legacy: OpenFile) -> None:
    window.actions_by_id["compare.side"].trigger()
    first, second = legacy.view.sides.first, legacy.view.sides.second
    assert second is not None
    first.grabFramebuffer()
    factor = second.camera.distance / first.camera.distance
    for moved, other in ((first, second), (second, first)):
        before = other.camera
        moved.camera = moved.camera.orbit(40.0, 10.0, 400.0)
        assert other.camera != before
        assert (other.camera.yaw, other.camera.pitch) == (moved.camera.yaw, moved.camera.pitch)
        np.testing.assert_allclose(second.camera.distance, factor * first.camera.distance)
    # A frame that is centred is in the middle of both, wherever the conventions put it.
    name = "parity_legacy_numbers::link4"
    legacy.context.requests.focus.emit((name,))
    first.camera = first.camera_control.goal
    row = legacy.session.model.row(name)
    for canvas in (first, second):
        size = canvas.width(), canvas.height()
        (pixel,), _ = canvas.camera.project(canvas.feed.scene.X_RootF[row : row + 1, :3, 3], *size)
        assert (np.abs(pixel / size - 0.5) < 0.3).all()


def test_an_edit_moves_no_camera_that_the_user_has_moved(window: MainWindow, legacy: OpenFile) -> None:
    window.actions_by_id["compare.side"].trigger()
    first, second = legacy.view.sides.first, legacy.view.sides.second
    assert second is not None
    first.grabFramebuffer()
    first.camera_control.move_to(first.camera.orbit(40.0, 10.0, 400.0))
    before = first.camera, second.camera
    document = legacy.session.document
    start = document.text.index("<pose")
    inside = document.text.index(">", start) + 1
    end = document.text.index("</pose>", start)
    far = (Replacement(inside, end, "9 9 9 0 0 0"),)
    legacy.session.apply(Edit("Move", document, far))
    first.feed.catch_up()
    first.grabFramebuffer()
    assert (first.camera, second.camera) == before


def test_the_next_start_begins_with_one_view(make_window: Callable[[], MainWindow]) -> None:
    first = make_window()
    for id in ("compare.side", "tool.rotate", "tool.snap", "axes.world"):
        first.actions_by_id[id].setChecked(True)
    first.close()
    second = make_window()
    on = {
        id for id in ("compare.off", "tool.select", "tool.snap", "axes.world") if second.actions_by_id[id].isChecked()
    }
    assert on == {"compare.off", "tool.select", "tool.snap", "axes.world"}


def test_the_panel_comes_with_the_second_view_in_which_one_selects_and_does_not_work(
    window: MainWindow, legacy: OpenFile
) -> None:
    assert window.docks.docks["compare"].isHidden()
    window.actions_by_id["compare.side"].trigger()
    assert window.docks.docks["compare"].isVisible()
    second = legacy.view.sides.second
    assert second is not None
    legacy.view.sides.first.grabFramebuffer()
    row = legacy.session.model.row("parity_legacy_numbers::link2")
    p = second.feed.scene.X_RootF[row, :3, 3]
    (x, y), _ = second.camera.project(p, second.width(), second.height())
    QTest.mouseClick(second, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y)))
    assert legacy.session.selection != ()
    model = legacy.session.model
    chosen = second.feed.scene.X_RootF[model.row(legacy.session.selection[0]), :3, 3]
    np.testing.assert_allclose(chosen, p, atol=1e-9)

    window.actions_by_id["tool.move"].trigger()
    legacy.session.select(("parity_legacy_numbers::link4",))
    assert legacy.view.sides.first.tools.gizmo.gizmo() is not None
    assert second.tools.gizmo.gizmo() is None
    window.actions_by_id["view.reset_layout"].trigger()
    assert window.docks.docks["compare"].isHidden()


def test_the_ghost_is_the_start_or_the_other_convention(window: MainWindow, legacy: OpenFile) -> None:
    canvas, session = legacy.view.canvas, legacy.session
    assert canvas is not None
    session.move_joints({"parity_legacy_numbers::joint3": (0.5,)})
    window.actions_by_id["compare.ghost"].trigger()
    assert canvas.compared.ghost is Ghost.ZERO
    assert_elsewhere(canvas.renderer.ghost_poses, session.model.X_RootF, session.X_RootF)
    title = canvas.compared.title
    assert (title.isVisible(), title.text()) == (True, "Ghost: zero positions")
    before = canvas.renderer.ghost_poses
    session.move_joints({"parity_legacy_numbers::joint3": (0.6,)})
    assert canvas.renderer.ghost_poses is before, "it is not uploaded again while a joint moves"
    assert canvas.renderer.tints is None
    window.actions_by_id["compare.convention"].trigger()
    assert canvas.compared.ghost is Ghost.CONVENTION
    assert_elsewhere(canvas.renderer.ghost_poses, session.element_relative_poses, session.X_RootF)
    assert title.text() == "Ghost: URDF convention"
    assert canvas.renderer.tints is not None
    assert len(canvas.compared.shapes()) > 0
    window.actions_by_id["compare.off"].trigger()
    assert not title.isVisible()
    assert canvas.renderer.ghost_poses is None
    assert canvas.renderer.tints is None
    assert len(canvas.compared.shapes()) == 0


def assert_elsewhere(ghost: np.ndarray | None, there: np.ndarray, here: np.ndarray) -> None:
    """Check that a ghost has the rows that are not in the same place here, and no other: a ground veiled the view."""
    assert ghost is not None
    apart = ~np.isclose(here, there, rtol=0, atol=1e-9).all(axis=(1, 2))
    assert 0 < apart.sum() < len(apart)
    np.testing.assert_array_equal(np.isfinite(ghost).all(axis=(1, 2)), apart)
    np.testing.assert_array_equal(ghost[apart], there[apart])


def test_where_nothing_differs_that_is_said_once_and_there_is_neither_ghost_nor_plot(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    assert arm.compare.plot is None, "it is not asked for"
    for ghost in ("ghost", "convention"):
        window.actions_by_id[f"compare.{ghost}"].trigger()
        assert arm.view.canvas.compared.ghost is not Ghost.NONE
        assert arm.view.canvas.renderer.ghost_poses is None
        assert arm.view.canvas.compared.title.text().endswith("(no difference)")
    assert shown(window, arm).plot is None

    panel = ComparePanel(arm.context, window.settings)
    qtbot.addWidget(panel)
    panel.resize(1200, 400)
    panel.show()
    qtbot.waitUntil(lambda: "no differences" in panel.verdict.text().lower())
    texts = [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]
    assert sum("no differences" in text.lower() for text in texts) == 1
    assert panel.verdict.geometry().bottom() < 60, "the result stays at the top"


def test_choosing_what_the_ghost_shows_shows_it(window: MainWindow, legacy: OpenFile) -> None:
    actions = window.actions_by_id
    for id in ("compare.zero", "compare.convention", "compare.convention"):
        actions[id].trigger()  # the first one is chosen from the start
        assert actions["compare.ghost"].isChecked()
        assert legacy.view.canvas.compared.ghost is (Ghost.ZERO if id == "compare.zero" else Ghost.CONVENTION)
        actions["compare.off"].trigger()


# --- table -------------------------------------------------------------------------------------------------------


def test_the_table_says_how_far_and_why_and_its_rows_and_the_frames_are_one_selection(
    window: MainWindow, legacy: OpenFile, settings: Settings
) -> None:
    panel = shown(window, legacy)
    comparison = comparison_of(legacy)
    differences = comparison.differences(legacy.session.kinematics.q0)
    wanted = [row for row in differences.rows if comparison.model.kinds[row].is_vertex]
    assert panel.table.farthest == wanted
    wanted.sort(key=lambda row: -differences.metres[row])
    assert names(panel) == [comparison.model.local_names[row] for row in wanted]
    metres = [float(panel.table.index(row, 1).data()) for row in range(len(wanted))]
    np.testing.assert_allclose(metres, differences.metres[wanted], atol=1e-4)
    assert len({len(str(panel.table.index(row, 1).data()).partition(".")[2]) for row in range(len(wanted))}) == 1
    assert "measures it from the joint 'joint3' that drives it" in panel.table.reason(names(panel).index("link4"))
    settings.angle_unit = AngleUnit.DEGREES
    turned = [float(panel.table.index(row, 2).data()) for row in range(len(wanted))]
    np.testing.assert_allclose(turned, np.degrees(differences.radians[wanted]), rtol=1e-3)
    assert "frames differ" in panel.verdict.text()

    why = dict(zip(names(panel), (panel.table.index(row, 3).data() for row in range(4)), strict=True))
    assert why == {
        "link2": "__model__ → joint1",
        "link3": "__model__ → joint2",
        "joint3": "link4 → link3",
        "link4": "__model__ → joint3",
    }
    header = panel.table.headerData(3, Qt.Orientation.Horizontal)
    assert header == "Default → in URDF"

    number = names(panel).index("link3")
    at = panel.view.visualRect(panel.table.index(number, 0)).center()
    QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert legacy.session.selection == ("parity_legacy_numbers::link3",)
    assert "link3" in panel.reason.text()
    legacy.session.select(("parity_legacy_numbers::link2",))
    panel.refresh()
    chosen = [index.data() for index in panel.view.selectionModel().selectedRows()]
    assert chosen == ["link2"]


def test_a_click_on_a_header_sorts_by_its_column(window: MainWindow, legacy: OpenFile) -> None:
    """The table was sorted, and nothing said by what."""
    panel = shown(window, legacy)
    header = panel.view.horizontalHeader()

    def texts() -> list[str]:
        return [str(panel.table.headerData(column, Qt.Orientation.Horizontal)) for column in range(4)]

    def click(column: int) -> list[str]:
        at = QPoint(header.sectionViewportPosition(column) + 20, header.height() // 2)
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
        return names(panel)

    assert texts()[METRES] == "Distance [m] ▾"
    legacy.session.select(("parity_legacy_numbers::link4",))
    assert click(FRAME) == ["joint3", "link2", "link3", "link4"]
    assert texts()[:2] == ["Frame ▴", "Distance [m]"]
    (chosen,) = panel.view.selectionModel().selectedRows()
    assert chosen.data() == "link4", "the selection goes with its frame"
    assert click(FRAME) == ["link4", "link3", "link2", "joint3"]
    assert click(ANGLE)[0] == "link4"
    assert texts()[ANGLE] == "Rotated [rad] ▾"
    assert click(CAUSE) == ["link2", "link3", "link4", "joint3"], "__model__ before link4"
    legacy.session.move_joints({"parity_legacy_numbers::joint3": (1.0,)})
    panel.refresh()
    assert names(panel) == ["link2", "link3", "link4", "joint3"]
    assert legacy.session.selection == ("parity_legacy_numbers::link4",)


def test_a_model_that_means_the_same_says_so(window: MainWindow, open_example: Callable[[str], OpenFile]) -> None:
    for name in ("parity_relative_to", "parity_frames", "arm"):
        panel = shown(window, open_example(name))
        panel.refresh()
        assert panel.verdict.text().startswith(EQUAL)
        assert panel.table.rowCount() == 0


def test_without_differences_the_views_have_the_room(
    qtbot: QtBot, window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    window.resize(1366, 768)
    differing = open_example("parity_legacy_numbers")
    window.actions_by_id["workspace.compare"].trigger()
    dock, centre = window.docks.docks["compare"], window.docks.centre
    qtbot.waitUntil(lambda: dock.height() > centre.height() / 3)
    open_example("parity_relative_to")
    qtbot.waitUntil(lambda: dock.height() < centre.height() / 5)
    window.files.show(differing)
    qtbot.waitUntil(lambda: dock.height() > centre.height() / 3)


def test_what_urdf_cannot_hold_is_counted(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "one.sdf"
    path.write_text('<sdf version="1.12"><model name="m"><link name="a"></link></model></sdf>', encoding="utf-8")
    window.files.open([path])
    file = window.current
    assert file is not None
    assert shown(window, file).verdict.text().startswith(f"{EQUAL}<br>{TO_URDF}")
    at = file.session.document.text.index("</link>")
    visual = '<visual name="v"><geometry><cone/></geometry></visual>'
    file.session.apply(Edit("Add", file.session.document, (Replacement(at, at, visual),)))
    file.compare.refresh()
    verdict = "As URDF the file changes or loses 1 value;"
    assert file.compare.verdict.text().startswith(f"{EQUAL}<br>{verdict}")


def test_a_ghost_beside_the_panel_is_the_other_convention(window: MainWindow, legacy: OpenFile) -> None:
    canvas = legacy.view.canvas
    assert canvas is not None
    window.actions_by_id["compare.ghost"].trigger()
    assert canvas.compared.ghost is Ghost.ZERO
    shown(window, legacy)
    legacy.context.later.flush()
    assert canvas.compared.ghost is Ghost.CONVENTION
    window.actions_by_id["compare.zero"].trigger()
    assert canvas.compared.ghost is Ghost.ZERO, "one may still choose"
    window.actions_by_id["compare.off"].trigger()
    window.actions_by_id["compare.ghost"].trigger()
    assert canvas.compared.ghost is Ghost.CONVENTION


def test_a_cycle_of_the_other_reading_is_shown_with_its_path(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "circle.sdf"
    path.write_text(CIRCLE, encoding="utf-8")
    window.files.open([path])
    assert window.current is not None
    window.actions_by_id["compare.side"].trigger()
    panel = shown(window, window.current)
    panel.refresh()
    assert "Cycle in the URDF convention" in panel.verdict.text()
    for name in ("arm", "hinge"):
        assert f'href="m::{name}"' in panel.verdict.text()
        assert name in names(panel)
    assert "–" in [panel.table.index(row, 1).data() for row in range(panel.table.rowCount())]
    window.current.view.sides.second.grabFramebuffer()


def test_both_views_name_the_same_frames(qtbot: QtBot, window: MainWindow, legacy: OpenFile) -> None:
    """Each chose the names by the room that it had, so that a frame had its name on one side only."""
    window.actions_by_id["compare.side"].trigger()
    sides = legacy.view.sides
    assert sides.second is not None

    def named(canvas: Canvas) -> set[int]:
        return {target.row for target in canvas.renderer.targets.names}

    for canvas in (sides.first, sides.second):
        qtbot.waitUntil(canvas.isValid)
        canvas.grabFramebuffer()
    assert named(sides.second)
    sides.first.renderer.set_named(frozenset({1, 2}))
    for canvas in (sides.first, sides.second):
        canvas.grabFramebuffer()
    assert named(sides.second) <= named(sides.first) <= {1, 2}


@pytest.mark.pictures
def test_both_views_name_what_differs_most(qtbot: QtBot, window: MainWindow, tower: OpenFile) -> None:
    """The frames of a dense robot had no names, or others had."""
    window.actions_by_id["compare.side"].trigger()
    farthest = tower.session.model.row(f"tower::{names(shown(window, tower))[0]}")

    def both_name_it() -> bool:
        canvases = (tower.view.sides.first, tower.view.sides.second)
        return all(
            canvas is not None and farthest in {target.row for target in canvas.renderer.targets.names}
            for canvas in canvases
        )

    qtbot.waitUntil(both_name_it)


def test_a_world_is_not_called_a_urdf_nor_promised_to_become_one(
    window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    file = open_example("world_frames")
    panel = shown(window, file)
    assert TO_URDF not in panel.verdict.text()
    assert "It cannot be converted to URDF. A world is not a robot; convert" in panel.verdict.text()
    window.actions_by_id["compare.side"].trigger()
    assert [title.full_text for title in file.view.sides.titles] == [ABSOLUTE, RELATIVE_WORLD]


def test_a_key_says_what_the_colours_mean(window: MainWindow, legacy: OpenFile) -> None:
    canvas = legacy.view.canvas
    assert canvas is not None
    assert not canvas.compared.colour_key.isVisible()
    window.actions_by_id["compare.side"].trigger()
    second = legacy.view.sides.second
    assert second is not None
    key = second.compared.colour_key
    assert key.isVisible()
    metres, radians = legacy.session.differences.largest
    assert key.text == f"{metres:.3g} m or {radians:.3g} rad apart"
    assert second.rect().contains(key.geometry())
    legacy.session.move_joints({"parity_legacy_numbers::joint3": (1.0,)})
    metres, radians = legacy.session.differences.largest
    assert key.text == f"{metres:.3g} m or {radians:.3g} rad apart"
    window.actions_by_id["compare.colours"].trigger()
    assert not key.isVisible()


def test_the_key_takes_less_than_half_of_a_narrow_view_and_a_notice_is_beside_it(
    qtbot: QtBot, window: MainWindow, legacy: OpenFile
) -> None:
    """Names of frames near it were pushed away, and above two keys a notice covered the feet of the robots."""
    window.resize(1366, 768)
    window.actions_by_id["workspace.compare"].trigger()
    qtbot.waitUntil(lambda: legacy.view.sides.second is not None)
    second = legacy.view.sides.second
    assert second is not None
    key = second.compared.colour_key
    qtbot.waitUntil(lambda: key.isVisible() and second.width() < 600)
    assert key.width() < second.width() / 2
    assert key.text.endswith("rad apart"), "what is read aloud"

    notices, file = window.notices, window.files.current
    notices.ask("a", "parity_legacy_numbers.sdf has 4 errors.", {"Locate…": lambda: None}, about=file)

    def rectangle(widget: QWidget) -> QRect:
        return QRect(widget.mapToGlobal(QPoint()), widget.size())

    qtbot.waitUntil(lambda: key.isVisible() and abs(rectangle(key).bottom() - rectangle(notices).bottom()) <= 2)
    assert rectangle(notices).right() < rectangle(key).left()


def test_names_and_causes_are_whole_in_a_small_window(qtbot: QtBot, window: MainWindow, tower: OpenFile) -> None:
    """Of ``r_gripper_motor_screw_link → r_gripper_r_finger_tip_link`` both ends were elided."""
    window.resize(1366, 768)
    panel = shown(window, tower)
    header, metrics = panel.view.horizontalHeader(), panel.view.fontMetrics()

    def is_whole(column: int) -> bool:
        texts = (panel.table.index(number, column).data() for number in range(panel.table.rowCount()))
        return header.sectionSize(column) > max(metrics.horizontalAdvance(text) for text in texts)

    qtbot.waitUntil(lambda: is_whole(FRAME) and is_whole(CAUSE))
    assert panel.view.isColumnHidden(ANGLE), "nothing is rotated"


# --- rewriting ---------------------------------------------------------------------------------------------------


def test_either_form_is_previewed_and_one_undo_step_that_moves_nothing(window: MainWindow, legacy: OpenFile) -> None:
    session = legacy.session
    text, X = session.document.text, session.X_RootF.copy()
    panel = shown(window, legacy)

    def rewrite(button: QPushButton) -> None:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        dialog = window.app.dialog
        assert isinstance(dialog, PreviewDialog)
        assert dialog.differences == []
        dialog.apply_button.click()

    rewrite(panel.to_relative)
    assert 'relative_to="joint3"' in session.document.text
    np.testing.assert_allclose(session.X_RootF, X, atol=1e-9)
    panel.refresh()
    assert panel.verdict.text().startswith(EQUAL)
    once = session.document.text
    window.app.dialog = None
    QTest.mouseClick(panel.to_relative, Qt.MouseButton.LeftButton)
    assert window.app.dialog is None
    assert "nothing to change" in window.status.message
    assert session.document.text == once
    rewrite(panel.to_absolute)
    assert "relative_to=" not in session.document.text.split("-->", 1)[1]
    np.testing.assert_allclose(session.X_RootF, X, atol=1e-9)
    session.undo()
    session.undo()
    assert session.document.text == text


def test_a_panel_that_is_shown_for_a_moment_compares_nothing(window: MainWindow, legacy: OpenFile) -> None:
    """Qt shows all panels of the former workspace once more before it hides those that are not in the next one."""
    panel = shown(window, legacy)
    legacy.context.later.flush()
    refreshed = list[bool]()
    panel.refreshed.connect(lambda: refreshed.append(True))
    dock = window.docks.docks["compare"]
    for is_shown in (False, True, False):
        dock.setVisible(is_shown)
    legacy.context.later.flush()
    assert not refreshed
    dock.show()
    legacy.context.later.flush()
    assert refreshed


def test_a_narrow_panel_has_one_button_for_all_conversions(qtbot: QtBot, window: MainWindow, legacy: OpenFile) -> None:
    """Three buttons left the result no room beside them, as on a 1080p screen at scale 2."""
    panel = ComparePanel(legacy.context, window.settings)
    panel.set_actions(window.actions_by_id)
    qtbot.addWidget(panel)
    panel.show()
    buttons = (panel.to_relative, panel.to_absolute, panel.to_urdf)
    panel.to_absolute.setEnabled(False)
    panel.to_absolute.setToolTip("why not")
    for width, is_narrow in ((1600, False), (960, True), (1600, False), (960, True)):
        panel.resize(width, 300)
        assert panel.convert.isVisible() is is_narrow
        assert [each.isVisible() for each in buttons] == [not is_narrow] * 3
    qtbot.waitUntil(lambda: panel.verdict.width() > 0.8 * panel.width())
    menu = panel.convert.menu()
    menu.aboutToShow.emit()
    entries = menu.actions()
    assert [entry.text() for entry in entries] == [each.text() for each in buttons]
    assert [entry.isEnabled() for entry in entries] == [each.isEnabled() for each in buttons]
    assert [entry.toolTip() for entry in entries] == [each.toolTip() for each in buttons]
    entries[2].trigger()
    assert isinstance(window.app.dialog, UrdfReadiness)


def test_what_included_files_define_is_not_offered_for_conversion(
    window: MainWindow, legacy: OpenFile, tmp_path: Path
) -> None:
    (tmp_path / "robot").mkdir()
    (tmp_path / "robot" / "model.sdf").write_text(CIRCLE, "utf-8")
    path = tmp_path / "world.sdf"
    include = "<include><uri>robot/model.sdf</uri></include>"
    path.write_text(f'<sdf version="1.11"><world name="w">{include}</world></sdf>', "utf-8")
    window.files.open([path])
    file = window.current
    assert file is not None
    panel = shown(window, file)
    assert "differ" in panel.verdict.text()
    assert not panel.to_relative.isEnabled()
    assert "convert robot/model.sdf instead" in panel.to_relative.toolTip()
    window.actions_by_id["refactor.element_relative"].trigger()
    assert window.status.message.endswith("nothing to change in this file; what it includes stays as it is")
    window.files.open([legacy.session.path])
    assert shown(window, legacy).to_relative.isEnabled()


# --- plot --------------------------------------------------------------------------------------------------------


def test_the_plot_shows_the_selected_frames_over_a_sweep(qtbot: QtBot, window: MainWindow, legacy: OpenFile) -> None:
    panel = shown(window, legacy)
    legacy.session.select(("parity_legacy_numbers::link4",))
    panel.refresh()
    qtbot.waitUntil(lambda: panel.plot is not None and len(panel.plot.plot.listDataItems()) == 1)
    assert panel.plot is not None
    assert panel.sweep.currentText() == "joint3"
    (curve,) = panel.plot.plot.listDataItems()
    x, y = curve.getData()
    dof = legacy.session.kinematics.dofs[2]
    assert (x[0], x[-1]) == pytest.approx((dof.lower, dof.upper))
    legacy.session.move_joints({dof.joint.name: (float(x[40]),)})
    row = legacy.session.model.row("parity_legacy_numbers::link4")
    assert y[40] == pytest.approx(legacy.session.differences.metres[row])
    panel.quantity.setCurrentIndex(1)
    (curve,) = panel.plot.plot.listDataItems()
    assert curve.getData()[1][40] == pytest.approx(legacy.session.differences.radians[row])


def test_frames_that_differ_without_end_are_no_curve(qtbot: QtBot, settings: Settings) -> None:
    comparison = Comparison(load_model(CIRCLE.replace('relative_to="arm">0 0 1 0', ">1e200 1e200 1 0")))
    plot = SweepPlot(settings)
    qtbot.addWidget(plot)
    plot.show_sweep(comparison, np.zeros(1), 0, [1, 2, 3], angles=False)
    for curve in plot.plot.listDataItems():
        assert not (curve.getData()[1] > 1e100).any()
    assert np.isfinite(plot.plot.viewRange()).all()


def test_where_there_is_little_room_one_cause_is_named_and_no_plot_is_there_that_could_not_be_read(
    qtbot: QtBot, window: MainWindow, legacy: OpenFile
) -> None:
    panel = ComparePanel(legacy.context, window.settings)
    qtbot.addWidget(panel)
    panel.resize(1400, 300)
    panel.show()
    qtbot.waitUntil(lambda: panel.verdict.text().count("<a ") > 1)
    panel.resize(960, 300)
    qtbot.waitUntil(lambda: panel.verdict.text().count("<a ") == 1)

    panel.resize(900, 300)
    qtbot.waitUntil(panel.sweep.isVisible)
    panel.resize(900, 180)
    qtbot.waitUntil(lambda: not panel.sweep.isVisible())
    qtbot.waitUntil(lambda: panel.view.width() > 800)  # the table has all the room
    panel.resize(900, 300)
    qtbot.waitUntil(panel.sweep.isVisible)


TWINS = """<sdf version="1.9"><world name="w">
  <model name="left"><link name="base"/><link name="hand"><pose>0 0 1 0 0 0</pose></link>ELBOW</model>
  <model name="right"><link name="base"/><link name="hand"><pose>0 0 1 0 0 0</pose></link>ELBOW</model>
</world></sdf>""".replace(
    "ELBOW",
    '<joint name="elbow" type="revolute"><pose>0 1 0 0 0 0</pose><parent>base</parent><child>hand</child>'
    "<axis><xyz>0 0 1</xyz></axis></joint>",
)


def test_curves_of_frames_with_one_name_can_be_told_apart(qtbot: QtBot, settings: Settings) -> None:
    comparison = Comparison(load_model(TWINS))
    plot = SweepPlot(settings)
    qtbot.addWidget(plot)
    plot.resize(900, 300)
    rows = [comparison.model.row(name) for name in ("left::hand", "right::hand", "right::elbow")]
    plot.show_sweep(comparison, np.zeros(2), 0, rows, angles=False)
    names = re.sub("<[^>]*>|▬|&nbsp;", " ", plot.legend.text()).split()
    assert names == ["left::hand", "right::hand", "right::elbow"], "elbow alone could be that of the other robot"
    first, second, _ = (curve.opts["pen"] for curve in plot.plot.listDataItems())
    assert first.style() == Qt.PenStyle.SolidLine
    assert second.style() == Qt.PenStyle.CustomDashLine, "it lies on the first, which is seen between its dashes"


def test_each_of_many_curves_that_are_the_same_is_seen(qtbot: QtBot, settings: Settings) -> None:
    """The third hid the second: their dashes were at the same places."""
    robot = TWINS.partition("<model")[2].partition("</model>")[0]
    more = "".join(f"<model{robot.replace('left', name)}</model>" for name in ("third", "fourth"))
    comparison = Comparison(load_model(TWINS.replace("</world>", f"{more}</world>")))
    plot = SweepPlot(settings)
    qtbot.addWidget(plot)
    plot.resize(900, 300)
    plot.show()
    rows = [comparison.model.row(f"{name}::hand") for name in ("left", "right", "third", "fourth")]
    plot.show_sweep(comparison, np.zeros(4), 0, rows, angles=False)
    wanted = {curve.opts["pen"].color().name() for curve in plot.plot.listDataItems()}
    assert len(wanted) == 4

    def colours() -> set[str]:
        picture = plot.plot.grab().toImage()
        return {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}

    qtbot.waitUntil(lambda: wanted <= colours())


def test_a_frame_that_nothing_moves_has_no_scale_of_noise(qtbot: QtBot, settings: Settings) -> None:
    comparison = Comparison(load_model(CIRCLE))
    plot = SweepPlot(settings)
    qtbot.addWidget(plot)
    plot.show_sweep(comparison, np.zeros(1), 0, [0], angles=False)
    assert "No difference over this sweep." in plot.legend.text()
    assert plot.plot.viewRange()[1][1] > 0.5


def test_the_plot_is_made_once_and_after_the_panel_is_shown(qtbot: QtBot, window: MainWindow, legacy: OpenFile) -> None:
    """Its import held up the turn in which the panel is shown."""
    window.resize(1600, 1000)
    panel = shown(window, legacy)
    assert panel.plot is None
    window.actions_by_id["workspace.compare"].trigger()  # beside the graphs the panel is too low for a plot
    qtbot.waitUntil(lambda: panel.plot is not None and panel.plot.isVisible())
    assert len(panel.findChildren(SweepPlot)) == 1


# --- colours -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dark", [True, False])
def test_colours_grow_with_the_difference(legacy: OpenFile, dark: bool) -> None:
    differences = comparison_of(legacy).initial_differences
    values, shades = differences.shares, tints(differences, dark=dark)
    assert shades.shape == (len(values), 4)
    same = ~differences.different
    assert not shades[same, 3].any()
    assert (shades[~same, 3] > 0).all()
    lightness = shades[:, :3] @ [0.2126, 0.7152, 0.0722]
    order = np.argsort(values[~same])
    # Away from the ground: brighter on dark, darker on light.
    steps = np.diff(lightness[~same][order])
    assert ((steps if dark else -steps) >= -1e-9).all()


def test_urdf_readiness_lists_the_requirements_and_leads_to_each_obstacle(
    qtbot: QtBot, window: MainWindow, legacy: OpenFile
) -> None:
    QTest.mouseClick(legacy.compare.to_urdf, Qt.MouseButton.LeftButton)
    dialog = window.app.dialog
    assert isinstance(dialog, UrdfReadiness)
    qtbot.waitUntil(lambda: dialog.readiness is not None)
    assert dialog.summary.text() == "Not ready for URDF."
    requirements = [dialog.list.topLevelItem(number) for number in range(dialog.list.topLevelItemCount())]
    assert len(requirements) == len(Requirement)
    (poses,) = (each for each in requirements if each.text(0).startswith("Poses are relative to the kinematic parent"))
    dialog.list.setCurrentItem(poses.child(0))
    assert len(legacy.session.selection) == 1
    assert f"'{legacy.session.selection[0]}'" in poses.child(0).text(0)


def test_a_world_cannot_become_urdf(qtbot: QtBot, window: MainWindow, open_example: Callable[[str], OpenFile]) -> None:
    open_example("world_frames")
    window.actions_by_id["compare.urdf"].trigger()
    dialog = window.app.dialog
    assert isinstance(dialog, UrdfReadiness)
    qtbot.waitUntil(lambda: dialog.readiness is not None)
    assert "Cannot be converted to URDF" in dialog.summary.text()
    assert not dialog.list.isVisible()


def test_the_colours_follow_the_theme(qtbot: QtBot, window: MainWindow, legacy: OpenFile) -> None:
    panel, canvas, differences = shown(window, legacy), legacy.view.canvas, legacy.session.differences
    assert canvas is not None
    window.actions_by_id["compare.side"].trigger()

    def is_shown(colour: str) -> bool:
        swatch = panel.table.index(0, METRES).data(Qt.ItemDataRole.DecorationRole)
        # Also in a selected row.
        pictures = (swatch.pixmap(10, mode) for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected))
        return all(picture.toImage().pixelColor(0, 0).name() == colour for picture in pictures)

    for theme in ("light", "dark"):
        window.actions_by_id[f"theme.{theme}"].trigger()
        qtbot.waitUntil(window.updatesEnabled)
        wanted = tints(differences, dark=theme == "dark")
        np.testing.assert_allclose(canvas.renderer.tints, np.round(wanted * 255), atol=1)
        colour = QColor.fromRgbF(*wanted[panel.table.rows[0], :3].tolist()).name()
        # The panel waits a moment, for the next change.
        qtbot.waitUntil(partial(is_shown, colour))


def test_an_arrow_stays_where_both_sides_are_shortened(qapp: QApplication) -> None:
    metrics = QFontMetrics(qapp.font())
    names = "l_wrist_roll_link_with_a_long_name", "l_wrist_flex_link_with_a_long_name"
    text = f"{names[0]} → {names[1]}"
    width = metrics.horizontalAdvance(text)
    assert shorten(text, metrics, width) == text
    short = shorten(text, metrics, width * 2 // 3)
    left, right = short.split(" → ")
    assert "…" in left
    assert "…" in right
    assert metrics.horizontalAdvance(short) <= width * 2 // 3
    assert shorten(f"a → {names[1]}", metrics, width // 2).startswith("a → l_wrist")
    assert shorten(f"{names[0]} → b", metrics, width // 2).endswith(" → b")
    assert shorten("moves with a frame", metrics, 10) == "moves with a frame"


def test_the_sides_of_an_arrow_can_be_told_apart(qapp: QApplication) -> None:
    metrics = QFontMetrics(qapp.font())
    text = "r_gripper_r_finger_tip_link → r_gripper_l_finger_tip_link"
    left, right = shorten(text, metrics, metrics.horizontalAdvance(text) * 2 // 3).split(" → ")
    assert left != right
    longer = "__model__ → l_gripper_motor_screw_joint"
    shown = shorten(longer, metrics, metrics.horizontalAdvance(longer) - 20)
    assert shown.startswith("__model__ → "), "it has the room that it needs"


def test_the_table_begins_with_the_largest_differences(qtbot: QtBot, window: MainWindow, legacy: OpenFile) -> None:
    """It stayed where it had shown a frame that was selected before."""
    window.resize(1280, 700)
    panel = shown(window, legacy)
    panel.view.setFixedHeight(60)
    qtbot.waitUntil(lambda: panel.view.verticalScrollBar().maximum() > 0)
    assert legacy.session.model is not None
    legacy.session.select([legacy.session.model.names[panel.table.rows[-1]]])
    assert panel.view.verticalScrollBar().value() > 0
    window.docks.docks["compare"].hide()
    legacy.session.select([])
    window.docks.reveal("compare")
    qtbot.waitUntil(lambda: panel.view.verticalScrollBar().value() == 0)


def test_without_a_model_the_panel_says_why_and_offers_nothing(window: MainWindow, tmp_path: Path) -> None:
    """It was an empty list beside an empty plot, with buttons that had nothing to convert."""
    path = tmp_path / "robot.sdf"
    path.write_text('<sdf version="1.11"', encoding="utf-8")
    window.files.open([path])
    file = window.current
    assert file is not None
    panel = shown(window, file)
    assert "XML" in panel.verdict.text()
    assert panel.is_empty
    assert not panel.view.isVisible()
    buttons = (panel.to_relative, panel.to_absolute, panel.to_urdf)
    assert not any(button.isEnabled() for button in buttons)
    file.session.apply(
        Edit("Repair", file.session.document, (Replacement(0, len(file.session.document.text), CIRCLE),))
    )
    panel.refresh()
    assert "differ" in panel.verdict.text()
    assert all(button.isEnabled() for button in buttons)
    assert panel.view.isVisible()
