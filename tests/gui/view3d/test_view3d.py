"""The 3D view: measuring, box selection, sizes and filters, what it finds missing, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.graphs.folding import ShownPart
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.gui.graphs.describing import VertexMenu
from sdfviewer.gui.kit.fields import AngleUnit
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.canvas import SETTLE_MILLISECONDS, Canvas
from sdfviewer.gui.view3d.opengl import probe
from sdfviewer.gui.view3d.view3d import PointMenu
from sdfviewer.render.gl import GL
from sdfviewer.render.view import STILL_IN_SOFTWARE, Depth, Quality, View
from sdfviewer.scene.tools.measuring import Anchor, AnchorKind, format_csv
from sdfviewer.scene.tools.picking import Hit, Target
from tests.frames import frame_in


@pytest.fixture
def canvas(arm: OpenFile, qtbot: QtBot) -> Canvas:
    canvas = arm.view.canvas
    if canvas is None:
        pytest.skip(probe().problem)
    qtbot.waitUntil(lambda: canvas.camera.distance != 3.0)  # fitted at the first picture
    return canvas


def pixel_of(canvas: Canvas, name: str) -> QPoint:
    """Return where the origin of a frame is in the view."""
    model = canvas.document_context.session.model
    assert model is not None
    origin = canvas.feed.scene.X_RootF[model.rows_by_name[name], :3, 3]
    (x, y), _ = canvas.camera.project(origin, canvas.width(), canvas.height())
    return QPoint(round(x), round(y))


def test_the_whole_model_is_in_sight_when_a_file_opens(canvas: Canvas) -> None:
    points = canvas.feed.scene.outline()
    pixels, depth = canvas.camera.project(points, canvas.width(), canvas.height())
    assert (depth > 0).all()
    assert (pixels > 0).all()
    assert (pixels < (canvas.width(), canvas.height())).all()


def test_a_model_far_away_is_left_out_and_named_until_one_wants_to_see_it(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    box = "<visual name='v'><geometry><box><size>1 1 1</size></box></geometry></visual>"
    models = [
        f"<model name='{name}'><pose>{x} 0 {z} 0 0 0</pose><link name='l'>{box}</link></model>"
        for name, x, z in (("table", 0, 0), ("chair", 2, 0), ("lamp", 4, 0), ("lost", 0, 343582))
    ]
    path = tmp_path / "shop.sdf"
    path.write_text(f"<sdf version='1.9'><world name='w'>{''.join(models)}</world></sdf>", encoding="utf-8")
    window.files.open([path])
    assert window.current is not None
    view = window.current.view
    if view.canvas is None:
        pytest.skip(probe().problem)
    canvas = view.canvas
    qtbot.waitUntil(lambda: canvas.camera.distance != 3.0)
    assert canvas.camera.distance < 100
    qtbot.waitUntil(lambda: bool(view.far_note.full_text))
    assert view.far_note.full_text == "lost is too far away for the picture. Show All"
    view.far_note.closed.emit()
    qtbot.waitUntil(lambda: canvas.camera.distance > 1000)
    assert view.far_note.isHidden()


def middle_of_name(canvas: Canvas, row: int, *, is_count: bool = False) -> QPoint:
    """Return where the name of a row is in the view."""
    targets, ratio = canvas.renderer.targets, canvas.devicePixelRatioF()
    at = next(k for k, each in enumerate(targets.names) if each.row == row and each.is_count == is_count)
    left, top, right, bottom = (targets.rectangles[at] / ratio).tolist()
    return QPoint(round((left + right) / 2), round((top + bottom) / 2))


@pytest.mark.pictures
def test_a_name_can_be_hovered_clicked_and_measured_from(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, canvas: Canvas
) -> None:
    model = arm.session.model
    assert model is not None
    qtbot.waitUntil(lambda: bool(canvas.renderer.targets.names))

    def is_hovered(name: str) -> bool:
        return arm.context.highlights.hovered == name

    rows = [each.row for each in canvas.renderer.targets.names if not each.is_count][:3]
    for row in rows:
        at = middle_of_name(canvas, row)
        qtbot.mouseMove(canvas, at)
        qtbot.waitUntil(partial(is_hovered, model.names[row]))
        qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at)
        assert arm.session.selection == (model.names[row],)
        arm.session.select(())
    window.actions_by_id["tool.measure"].trigger()
    for row in rows[:2]:
        qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=middle_of_name(canvas, row))
    (measurement,) = arm.session.measurements
    assert [anchor.frame for anchor in measurement.anchors] == [model.names[row] for row in rows[:2]]


def test_a_right_click_on_a_visual_offers_the_link_that_a_left_click_selects(arm: OpenFile, canvas: Canvas) -> None:
    session = arm.session
    model = session.model
    assert model is not None
    surface = next(each for each in canvas.feed.scene.surfaces if model.kinds[each.row].value == "visual")
    visual, link = model.names[surface.row], model.names[model.owners[surface.row]]
    hit = Hit(surface.row, Target.SURFACE, 1.0, (0.0, 0.0, 0.0))
    menu = PointMenu(canvas, (hit,), arm.view)
    titles = [action.text() for action in menu.actions()]
    first = link.rpartition("::")[2]
    assert titles[:2] == [f"Select {first}", "Focus"]
    assert f"{first}::{visual.rpartition('::')[2]}" in titles
    menu.actions()[0].trigger()
    assert session.selection == (link,)


@pytest.mark.panels("graphs")
def test_menus_of_one_thing_call_and_draw_commands_as_the_menu_bar_does(window: MainWindow, arm: OpenFile) -> None:
    session, canvas = arm.session, arm.view.canvas
    assert session.model is not None
    assert canvas is not None
    row = session.model.rows_by_name["arm::shoulder"]
    graph = build_graph(session.model, GraphKind.RELATIVE_TO)
    menus = (
        PointMenu(canvas, (Hit(row, Target.FRAME, 1.0, (0.0, 0.0, 0.0)),), arm.view),
        VertexMenu(arm.context, ShownPart(), graph, graph.vertex("arm::shoulder"), arm.view),
    )
    named = {action.text(): action for action in window.actions_by_id.values()}
    shared = [(action, named[action.text()]) for menu in menus for action in menu.actions() if action.text() in named]
    assert {action.text() for action, _ in shared} >= {"Hide", "Isolate", "Show in Source", "Fit All", "Select None"}
    for action, of_window in shared:
        assert action.icon().pixmap(16).toImage() == of_window.icon().pixmap(16).toImage(), action.text()


@pytest.mark.pictures
def test_the_name_under_the_mouse_is_asked_for_again_once_the_camera_shows_it_elsewhere(
    qtbot: QtBot, arm: OpenFile, canvas: Canvas
) -> None:
    """A pick between the move and the next picture finds the names where they were."""
    qtbot.waitUntil(lambda: canvas.is_settled and bool(canvas.renderer.targets.names))
    row = next(each.row for each in canvas.renderer.targets.names if not each.is_count)
    at = middle_of_name(canvas, row)
    qtbot.mouseMove(canvas, at)
    qtbot.waitUntil(lambda: bool(arm.context.highlights.hovered))
    canvas.camera_control.move_to(canvas.camera.pan(4000.0, 0.0, canvas.height()))
    qtbot.waitUntil(lambda: not arm.context.highlights.hovered)


def test_two_clicks_measure_one_frame_in_another(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, canvas: Canvas
) -> None:
    window.settings.angle_unit = AngleUnit.RADIANS
    window.actions_by_id["tool.measure"].trigger()
    tool = canvas.tools.measure
    for name in ("arm::inspection", "arm::shoulder"):
        qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=pixel_of(canvas, name))
    (measurement,) = arm.session.measurements
    a, b = (anchor.frame for anchor in measurement.anchors)
    model = arm.session.model
    assert model is not None
    X_AB = frame_in(model, b).resolve_pose(relative_to=a)
    np.testing.assert_allclose(tool.X_AB, X_AB, atol=1e-12)
    assert tool.panel.isVisible()
    assert f"{X_AB[0, 3]:.5f}" in tool.panel.text
    tool.panel.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(f"{measurement.name}: frame {a} to frame {b}: {np.linalg.norm(X_AB[:3, 3]):.9g} m")
    assert arm.session.selection == ()
    window.actions_by_id["tool.select"].trigger()
    assert not tool.panel.isVisible()
    # They come back with the tool.
    window.actions_by_id["tool.measure"].trigger()
    assert tool.panel.table.rowCount() == 1


def test_what_is_measured_follows_the_joints(arm: OpenFile, window: MainWindow, canvas: Canvas) -> None:
    arm.session.select(("arm",))
    window.actions_by_id["tool.measure_from"].trigger()
    canvas.tools.measure.pick_frame("arm::flange")
    before = canvas.tools.measure.panel.text
    arm.session.move_joints({"arm::joint_2": (0.5,)})
    assert canvas.tools.measure.panel.text != before


def test_the_view_goes_on_where_a_measurement_reads_as_before(
    arm: OpenFile, window: MainWindow, canvas: Canvas
) -> None:
    """Its line was compared with the one before, which numpy refuses where the text is the same: the view was gone."""
    failures: list[Exception] = []
    canvas.failed.connect(failures.append)
    window.actions_by_id["tool.measure"].trigger()
    tool = canvas.tools.measure
    for name in ("arm::upper_arm", "arm::forearm"):
        tool.pick_frame(name)
    canvas.grabFramebuffer()
    item = tool.panel.table.item(0, 0)
    assert item is not None
    item.setText("reach")
    canvas.grabFramebuffer()
    arm.session.move_joints({"arm::joint_1": (0.5,)})  # turns the line and keeps its length
    canvas.grabFramebuffer()
    assert failures == []


def test_the_selection_is_offered_as_the_frame_of_the_components(
    arm: OpenFile, window: MainWindow, canvas: Canvas
) -> None:
    window.actions_by_id["tool.measure"].trigger()
    for name in ("arm", "arm::flange"):
        canvas.tools.measure.pick_frame(name)
    offered = canvas.tools.measure.panel.frame
    assert offered.findText("arm::forearm") < 0
    arm.session.select(["arm::forearm"])
    assert offered.findText("arm::forearm") >= 0


def test_measurements_are_renamed_copied_as_csv_and_removed(arm: OpenFile, window: MainWindow, canvas: Canvas) -> None:
    window.actions_by_id["tool.measure"].trigger()
    tool = canvas.tools.measure
    for name in ("arm", "arm::flange", "arm", "arm::grasp"):
        tool.pick_frame(name)
    item = tool.panel.table.item(0, 0)
    assert item is not None
    item.setText("reach")
    assert [each.name for each in arm.session.measurements] == ["reach", "arm → grasp"]
    tool.panel.copy_rows(format_csv)
    heading, first, second = QGuiApplication.clipboard().text().splitlines()
    assert heading.startswith("name,kind_a")
    assert first.startswith("reach,frame,arm,frame,arm::flange")
    assert second.startswith("arm → grasp,")
    tool.panel.table.selectRow(0)
    tool.panel.remove.click()
    assert [each.name for each in arm.session.measurements] == ["arm → grasp"]


def test_shift_and_a_third_point_measure_a_circle(arm: OpenFile, window: MainWindow, canvas: Canvas) -> None:
    window.actions_by_id["tool.measure"].trigger()
    tool = canvas.tools.measure
    for name in ("arm", "arm::flange"):
        tool.pick_frame(name)
    tool.pick(Anchor(AnchorKind.FRAME, "arm::forearm", np.eye(4), "forearm"), extends=True)
    ((measurement, reading),) = tool.rows
    assert len(measurement.anchors) == 3
    assert reading is not None
    assert reading.radius is not None
    table = tool.panel.table
    assert [table.item(0, 1).text(), table.item(0, 2).text()] == [f"R {reading.radius:.5f}", ""]
    assert table.isColumnHidden(2), "A circle has no angle"
    assert table.horizontalHeaderItem(1).text() == "Radius [m]"
    circle, centre = tool.panel.text.splitlines()
    assert circle == f"Circle through 3 points, radius {reading.radius:.5f} m"
    assert centre.startswith("centre")
    canvas.grabFramebuffer()


def test_a_third_point_on_a_line_keeps_the_distance_and_says_why(
    arm: OpenFile, window: MainWindow, canvas: Canvas
) -> None:
    window.actions_by_id["tool.measure"].trigger()
    tool = canvas.tools.measure
    for name in ("arm", "arm::flange"):
        tool.pick_frame(name)
    (before,) = arm.session.measurements
    tool.pick(Anchor(AnchorKind.FRAME, "arm::flange", np.eye(4), "flange"), extends=True)
    assert arm.session.measurements == (before,)
    assert "on one line" in tool.panel.findChild(QLabel).text()


@pytest.mark.pictures
def test_a_view_of_another_size_is_drawn_as_a_draft_first(
    window: MainWindow, canvas: Canvas, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    """All that a window shows is laid out and painted in the same turn: in software the picture is done later."""
    if not probe().is_software:
        pytest.skip("a graphics card draws no drafts")
    qtbot.waitUntil(lambda: canvas.is_settled)
    drawn: list[Quality] = []
    draw = canvas.renderer.draw

    def counted(view: View) -> Iterator[None]:
        drawn.append(view.quality)
        return draw(view)

    monkeypatch.setattr(canvas.renderer, "draw", counted)
    (settle,) = [timer for timer in canvas.findChildren(QTimer) if timer.interval() == SETTLE_MILLISECONDS]
    settle.setInterval(60_000)  # a busy machine may take longer until it draws than the view takes to be still
    canvas.resize(canvas.width() - 40, canvas.height() - 30)
    qtbot.waitUntil(lambda: bool(drawn))
    assert drawn[0] != STILL_IN_SOFTWARE
    settle.start(0)
    qtbot.waitUntil(lambda: canvas.is_settled and drawn[-1] == STILL_IN_SOFTWARE)


def test_an_image_has_full_quality_while_joints_move(arm: OpenFile, canvas: Canvas) -> None:
    still = canvas.picture_at_rest()
    arm.session.move_joints({"arm::joint_2": (0.5,)})
    canvas.grabFramebuffer()  # what the window shows of the motion
    arm.session.move_joints({"arm::joint_2": (0.0,)})
    assert canvas.picture_at_rest() == still


def test_the_list_of_measurements_keeps_its_size_and_shows_the_newest(
    qtbot: QtBot, arm: OpenFile, window: MainWindow, canvas: Canvas
) -> None:
    window.actions_by_id["tool.measure"].trigger()
    tool, panel = canvas.tools.measure, canvas.tools.measure.panel
    lines = panel.fontMetrics().lineSpacing()
    assert panel.height() < 4 * lines, "There is nothing to list yet"
    for name in ("arm", "arm::flange", "arm::forearm"):
        tool.pick_frame(name)
    qtbot.keyPress(canvas, Qt.Key.Key_Control)  # as for a point of the surface
    tool.pick_frame("arm::grasp")
    qtbot.keyRelease(canvas, Qt.Key.Key_Control)
    assert [index.row() for index in panel.table.selectionModel().selectedRows()] == [1]
    before = panel.geometry()
    panel.show_hint(Anchor(AnchorKind.FACE, "arm::forearm", np.eye(4), "arm::forearm::" + "a_very_long_name" * 9))
    assert panel.geometry() == before
    assert panel.sizeHint().height() <= before.height()


def test_the_list_of_measurements_covers_nothing_that_is_measured(
    arm: OpenFile, window: MainWindow, canvas: Canvas
) -> None:
    tool, panel = canvas.tools.measure, canvas.tools.measure.panel
    window.actions_by_id["tool.measure"].trigger()
    tool.pick_frame("arm")
    tool.pick_frame("arm::flange")
    width, height = canvas.width(), canvas.height()
    assert panel.geometry().bottom() > height - 20, "where there is room on the right below"
    assert panel.geometry().right() > width - 20
    # The second thing comes to lie below the panel.
    away = panel.geometry().center() - pixel_of(canvas, "arm::grasp")
    canvas.camera_control.move_to(canvas.camera.pan(away.x(), away.y(), height))
    before = panel.geometry()
    assert before.contains(pixel_of(canvas, "arm::grasp"))
    tool.pick_frame("arm")
    tool.pick_frame("arm::grasp")
    assert not panel.geometry().contains(pixel_of(canvas, "arm::grasp"))
    assert not panel.geometry().intersects(canvas.covered_by_tools)
    chosen = panel.geometry()
    canvas.camera_control.move_to(canvas.camera.pan(-away.x(), -away.y(), height))
    tool.show()
    assert panel.geometry() == chosen, "it stays while the camera moves"


def test_what_is_fitted_does_not_lie_below_the_tools(arm: OpenFile, canvas: Canvas, qtbot: QtBot) -> None:
    """In a low and narrow view the model reached below the tools."""
    window = canvas.window()
    window.resize(760, 560)
    canvas.camera_control.look_from("top")
    canvas.camera_control.fit()
    qtbot.waitUntil(lambda: not canvas.camera_control.is_flying and canvas.is_settled)
    pixels, _ = canvas.camera.project(canvas.feed.scene.outline(), canvas.width(), canvas.height())
    tools = canvas.covered_by_tools
    is_left = pixels[:, 0] <= tools.right()
    assert tools.isValid()
    assert not (is_left & (pixels[:, 1] <= tools.bottom())).any()
    assert (pixels < (canvas.width(), canvas.height())).all()


def test_what_is_fitted_does_not_lie_below_the_view_cube(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    links = "".join(
        f'<link name="l{n}"><pose>0 {0.3 * n} {0.25 * n} 0 0 0</pose><visual name="v"><geometry><box>'
        "<size>0.2 0.2 0.2</size></box></geometry></visual></link>"
        for n in range(12)
    )
    path = tmp_path / "row.sdf"
    path.write_text(f'<sdf version="1.9"><model name="row">{links}</model></sdf>')
    window.files.open([path])
    assert window.current is not None
    canvas = window.current.view.canvas
    assert canvas is not None

    def is_fitted() -> bool:
        pixels, _ = canvas.camera.project(canvas.feed.scene.outline(), canvas.width(), canvas.height())
        cube = canvas.cube.rectangle
        is_below = (pixels[:, 0] >= cube.left()) & (pixels[:, 1] <= cube.bottom())
        is_inside = (pixels >= 0) & (pixels < (canvas.width(), canvas.height()))
        return canvas.feed.scene.names[0] == "row" and bool(is_inside.all() and not is_below.any())

    # It stands straight before the row, wherever in the picture that is: from beside it, a side would be seen, too.
    straight = canvas.feed.scene.outline().mean(axis=0)
    for size, side in product([(1280, 800), (900, 1000)], ["front", "back"]):
        window.resize(*size)
        canvas.camera_control.look_from(side)
        qtbot.waitUntil(lambda: not canvas.camera_control.is_flying and canvas.is_settled and is_fitted())
        assert canvas.camera.focus[1:] == pytest.approx(straight[1:], abs=0.15)
    for narrow in ((466, 260), (466, 320), (466, 400), (578, 400)):  # beside the cube it came to lie below the tools
        canvas.resize(*narrow)
        for around in ("front", "back", "iso"):
            camera = canvas.camera_control.shows((), canvas.camera.seen_from(around))
            assert camera is not None
            pixels, _ = camera.project(canvas.feed.scene.outline(), *narrow)
            assert not (pixels <= (canvas.covered_by_tools.right(), canvas.covered_by_tools.bottom())).all(axis=1).any()


def test_centres_of_mass_are_shown_and_explained(arm: OpenFile, window: MainWindow, canvas: Canvas) -> None:
    window.actions_by_id["show.centres"].trigger()
    scene = canvas.feed.scene
    assert "white one" in window.status.message
    total = scene.centres.totals(scene.X_RootF)
    assert [scene.names[row] for row in total.rows] == ["arm"]
    canvas.grabFramebuffer()
    arm.session.move_joints({"arm::joint_2": (0.7,)})
    moved = canvas.feed.scene
    assert not np.allclose(moved.centres.totals(moved.X_RootF).p_LC, total.p_LC)
    canvas.grabFramebuffer()
    window.actions_by_id["show.centres"].trigger()
    assert not len(canvas.feed.scene.centres.rows)


def test_a_rectangle_selects_what_lies_in_it(qtbot: QtBot, arm: OpenFile, canvas: Canvas) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    corner, opposite = QPoint(2, 2), QPoint(canvas.width() - 3, canvas.height() - 3)
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, control, corner)
    qtbot.mouseMove(canvas, opposite)
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, control, opposite)
    model = arm.session.model
    assert model is not None
    assert {name for name, kind in zip(model.names, model.kinds, strict=True) if kind == "link"} <= set(
        arm.session.selection
    )


def test_sizes_and_filters_reach_scene_and_look(arm: OpenFile, window: MainWindow, canvas: Canvas) -> None:
    menu = arm.view.display_menu
    menu.show_models(arm.session.model)
    menu.kinds["joint"].setChecked(False)
    menu.name.setText("wrist")
    kinds = canvas.feed.scene.kinds
    shown = canvas.feed.scene.triads.rows.tolist()
    assert {kinds[row] for row in shown} == {"link"}
    assert all("wrist" in canvas.feed.scene.names[row] for row in shown)
    menu.unit.setCurrentIndex(1)
    menu.length.setValue(0.5)
    assert canvas.look.frame_size_metres == 0.5
    window.actions_by_id["depth.xray"].trigger()
    assert canvas.look.frame_depth is Depth.X_RAY
    menu.reset.click()
    assert len(canvas.feed.scene.triads.rows) > len(shown)


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("arm", ("edges.relative_to", "show.parent_sides")),
        ("arm", ("edges.attached_to",)),
        ("not_a_cycle", ("show.canonical",)),  # its model frame and its canonical link are apart
    ],
)
def test_relations_are_drawn_on_request(
    open_example: Callable[[str], OpenFile], window: MainWindow, qtbot: QtBot, name: str, ids: tuple[str, ...]
) -> None:
    canvas = open_example(name).view.canvas
    if canvas is None:
        pytest.skip(probe().problem)
    qtbot.waitUntil(lambda: len(canvas.feed.scene.names) > 0)
    for id in ids:
        before = len(canvas.feed.scene.lines.rows)
        window.actions_by_id[id].trigger()
        assert len(canvas.feed.scene.lines.rows) > before, id


def test_the_camera_follows_the_selection(arm: OpenFile, window: MainWindow, canvas: Canvas) -> None:
    window.actions_by_id["camera.follow"].trigger()
    arm.session.select(("arm::flange",))
    before = pixel_of(canvas, "arm::flange")
    arm.session.move_joints({"arm::joint_2": (0.5,)})
    assert (pixel_of(canvas, "arm::flange") - before).manhattanLength() <= 1


def test_the_picture_can_be_copied(window: MainWindow, canvas: Canvas) -> None:
    QGuiApplication.clipboard().clear()
    window.actions_by_id["file.copy_picture"].trigger()
    assert QGuiApplication.clipboard().image().width() >= canvas.width()


def test_hovering_says_what_a_link_weighs(arm: OpenFile, canvas: Canvas) -> None:
    arm.context.highlights.hover("arm::forearm")
    assert arm.view.hint.endswith(" kg")
    arm.context.highlights.hover("arm")
    assert arm.view.hint.endswith(" kg)"), "the mass of the link that it moves with"
    assert "moves with arm::base (" in arm.view.hint


def test_what_is_said_of_the_hovered_is_beside_or_above_the_color_key(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, canvas: Canvas
) -> None:
    key, card = canvas.compared.colour_key, canvas.findChild(QLabel, "hover_name")
    assert card is not None
    key.show_largest(0.5, 0.0)
    for width in (1600, 960):
        window.resize(width, 800)
        window.workspaces.reset()
        qtbot.waitUntil(lambda width=width: window.width() == width)  # type: ignore[misc]
        QApplication.processEvents()  # what has moved below the mouse ends what it has hovered
        arm.context.highlights.hover("arm::base")
        arm.context.highlights.hover("arm::inspection")
        QApplication.processEvents()
        assert card.isVisible()
        place = QRect(card.mapTo(canvas, QPoint()), card.size())
        assert canvas.rect().contains(place)
        assert not place.intersects(key.geometry())


def test_while_measuring_only_the_panel_says_what_is_hovered(window: MainWindow, arm: OpenFile, canvas: Canvas) -> None:
    card = canvas.findChild(QLabel, "hover_name")
    assert card is not None
    arm.context.highlights.hover("arm::forearm")
    assert card.isVisible()
    window.actions_by_id["tool.measure"].trigger()
    arm.context.highlights.hover("arm::shoulder")
    assert not card.isVisible()


MISSING = """<sdf version="1.9"><model name="m"><link name="l"><visual name="v">
<geometry>
<mesh><uri>meshes/nowhere.dae</uri></mesh>
</geometry></visual></link></model></sdf>
"""


@pytest.mark.panels("problems")
def test_a_missing_mesh_is_a_problem_with_its_line(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "missing.sdf"
    file.write_text(MISSING, encoding="utf-8")
    window.files.open([file])
    workspace = window.current
    assert workspace is not None
    qtbot.waitUntil(lambda: bool(workspace.session.diagnostics))
    (problem,) = workspace.session.diagnostics
    assert problem.rule.name == "not-drawn"
    assert not problem.is_error
    assert problem.message.startswith("cannot be shown as written: meshes/nowhere.dae is not found;")
    # What was searched unfolds below the message.
    assert str(tmp_path) not in problem.message
    assert str(tmp_path / "meshes/nowhere.dae") in problem.tried
    assert problem.span is not None
    assert problem.span.line == 3
    assert [each.rule.name for each in workspace.problems.table.problems] == ["not-drawn"]
    # It goes with what caused it.
    text = MISSING.replace("<mesh><uri>meshes/nowhere.dae</uri></mesh>", "<box><size>1 1 1</size></box>")
    workspace.session.apply(Edit("Mend", workspace.session.document, (Replacement(0, len(MISSING), text),)))
    assert workspace.session.diagnostics == ()


def resident_megabytes() -> float:
    """Return the memory that this process holds now."""
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("this system does not tell how much memory a process holds")
    line = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


BOX = """<sdf version="1.9"><model name="m"><link name="l"><visual name="v">
<geometry><box><size>1 1 1</size></box></geometry></visual></link><frame name="f"/></model></sdf>
"""


@pytest.mark.panels("graphs")
@pytest.mark.pictures
def test_many_files_leave_nothing_behind(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    """What the graphics hold for one file alone is 18 MB, and opening one takes a software renderer half a second."""
    path = tmp_path / "box.sdf"
    path.write_text(BOX, encoding="utf-8")
    held = 0.0
    # Software draws small pictures without shadows soonest, and nothing is tested in them.
    window.resize(640, 480)
    window.actions_by_id["show.shadows"].setChecked(False)
    for turn in range(7):
        window.files.open([path])
        workspace = window.current
        assert workspace is not None
        canvas = workspace.view.canvas
        if canvas is None:
            pytest.skip(probe().problem)
        if turn in (1, 4):
            # A panel that floats and comes back may take the context with it.
            for floating in (True, False):
                window.docks.docks["graphs"].setFloating(floating)
                QApplication.processEvents()
        canvas.repaint()
        canvas.makeCurrent()
        assert GL.glGetError() == GL.GL_NO_ERROR
        canvas.doneCurrent()
        window.files.drop(workspace)
        # Without a running event loop nobody deletes what is to be deleted later.
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        QApplication.processEvents()
        del workspace, canvas
        window.files.closed.flush()
        if turn == 3:  # allocators have taken their share
            held = resident_megabytes()
    assert resident_megabytes() - held < 40


@pytest.mark.pictures
def test_what_a_preset_view_shows_stays_in_the_view_once_it_is_narrower(qtbot: QtBot, canvas: Canvas) -> None:
    control = canvas.camera_control
    canvas.setFixedSize(900, 500)
    control.move_to(replace(canvas.camera, distance=2.0))
    control.keep_in_sight()
    assert canvas.camera.distance == 2.0, "the user has moved the camera"
    control.look_from("front")
    qtbot.waitUntil(lambda: not control.is_flying)
    wide, size = canvas.camera, canvas.size()
    canvas.setFixedSize(60, 500)
    control.keep_in_sight()
    share = min(size.width() / size.height() / 1.3, 1.0)
    assert canvas.camera.distance == pytest.approx(wide.distance * share * 1.3 / (60 / 500))


def test_what_is_out_of_sight_comes_into_sight_from_as_far_as_the_camera_is(
    qtbot: QtBot, arm: OpenFile, canvas: Canvas
) -> None:
    control, before = canvas.camera_control, canvas.camera
    name = "arm::joint_2"
    arm.context.requests.reveal.emit((name,))
    assert not control.is_flying
    assert canvas.camera == before, "it is in sight"
    control.move_to(before.pan(4000.0, 0.0, canvas.height()))
    assert not canvas.rect().contains(pixel_of(canvas, name))
    arm.context.requests.reveal.emit((name,))
    qtbot.waitUntil(lambda: not control.is_flying)
    assert canvas.rect().contains(pixel_of(canvas, name))
    assert canvas.camera.distance >= before.distance


def test_another_size_moves_no_camera_also_where_the_user_has_not_moved_it(
    qtbot: QtBot, arm: OpenFile, canvas: Canvas
) -> None:
    """Each notice, each panel and each size of the window fitted everything again."""
    control = canvas.camera_control
    canvas.setFixedSize(900, 600)
    qtbot.waitUntil(lambda: canvas.is_settled)
    control.keep_in_sight()
    fitted = canvas.camera
    for height in (300, 450, 600):
        canvas.setFixedSize(900, height)
        control.keep_in_sight()
        assert canvas.camera is fitted
    points = canvas.compared.outline()
    for width in (700, 500, 300):
        canvas.setFixedSize(width, 600)
        control.keep_in_sight()
        pixels, _ = canvas.camera.project(points, width, 600)
        assert ((pixels >= 0) & (pixels <= (width, 600))).all(), "nothing is cut"
    assert canvas.camera.distance >= fitted.distance * 1.3 / (300 / 600) * 0.99
    canvas.setFixedSize(900, 600)
    canvas.compared.title.setText("Model on disk")
    canvas.compared.title.show()
    assert canvas.room.height() < 600
    control.keep_in_sight()
    assert canvas.camera.distance == pytest.approx(fitted.distance)
    assert canvas.camera.focus == fitted.focus


def test_the_camera_stays_while_layers_and_joints_change_that_are_in_the_picture(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, canvas: Canvas
) -> None:
    qtbot.waitUntil(lambda: canvas.is_settled)
    canvas.camera_control.keep_in_sight()
    fitted = canvas.camera
    window.actions_by_id["show.frames"].toggle()
    arm.session.move_joints({"arm::joint_2": (0.05,)})
    canvas.camera_control.keep_in_sight()
    assert canvas.camera is fitted


def test_a_document_is_fitted_until_all_of_it_is_there(arm: OpenFile, canvas: Canvas, monkeypatch) -> None:
    """The first picture comes before the meshes, and before the panels have their place."""
    control = canvas.camera_control
    control.fit_again()
    with monkeypatch.context() as loading:
        loading.setattr(type(canvas.feed), "is_loading", property(lambda _feed: True))
        distances = []
        for width in (900, 300):
            canvas.setFixedSize(width, 600)
            control.keep_in_sight()
            distances.append(canvas.camera.distance)
        assert distances[1] > distances[0]
        assert control.is_behind is False
    assert control.is_behind, "all has arrived"
    control.keep_in_sight()
    fitted = canvas.camera
    canvas.setFixedSize(300, 500)
    control.keep_in_sight()
    assert canvas.camera.focus == fitted.focus


def test_what_the_user_looks_at_stays_in_sight_in_a_narrower_view(arm: OpenFile) -> None:
    canvas = arm.view.canvas
    if canvas is None:
        pytest.skip(probe().problem)
    control = canvas.camera_control
    control.follow_size(QSize(1600, 800))
    control.move_to(replace(canvas.camera, distance=2.0))
    control.follow_size(QSize(640, 800))
    assert canvas.camera.distance == pytest.approx(2.0 * 1.3 / 0.8)
    control.follow_size(QSize(2000, 800))
    assert canvas.camera.distance == pytest.approx(2.0)
    control.follow_size(QSize(1600, 800))
    assert canvas.camera.distance == pytest.approx(2.0)


def test_a_view_that_was_hidden_while_its_size_changed_is_as_before(qtbot: QtBot, arm: OpenFile) -> None:
    """Each F11 over a panel, and each way back, brought the camera nearer."""
    canvas = arm.view.canvas
    if canvas is None:
        pytest.skip(probe().problem)
    canvas.setFixedSize(600, 300)
    canvas.camera_control.move_to(replace(canvas.camera, distance=2.0))
    canvas.setFixedSize(60, 300)
    qtbot.waitUntil(lambda: canvas.camera.distance > 2.0)
    canvas.hide()
    canvas.setFixedSize(600, 300)
    canvas.show()
    qtbot.waitUntil(lambda: canvas.isVisible() and canvas.width() == 600)
    assert canvas.camera.distance == pytest.approx(2.0)
