"""The window as a whole: actions, panels, themes, sizes."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.theme import is_dark
from sdfviewer.gui.shell.actions.table import ACTIONS, for_macos
from sdfviewer.gui.shell.command_palette import SYNONYMS, CommandPalette
from sdfviewer.gui.shell.crash import ReportDialog, show_report
from sdfviewer.gui.shell.docks import DOCKS
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.menus import MENU_ORDER, PALETTE_ONLY
from sdfviewer.gui.shell.refusals import ActionSpec
from sdfviewer.gui.shell.welcome import examples as shipped
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.opengl import probe
from sdfviewer.language.fuzzy import best_matches
from tests.gui.kept_window import ALL_PANELS

# --- actions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("actions", [ACTIONS, for_macos(ACTIONS)], ids=["here", "macOS"])
def test_every_action_has_its_own_shortcut(actions: tuple[ActionSpec, ...]) -> None:
    # The source has keys of its own, which go before those of the window where it has the keyboard.
    keys = Counter((spec.in_source, QKeySequence(spec.shortcut).toString()) for spec in actions)
    assert all(QKeySequence(spec.shortcut).toString() for spec in actions)
    assert [key for key, count in keys.items() if count > 1] == []


def test_no_key_is_one_that_macos_keeps_for_itself() -> None:
    # Other program, hide, hide the others, quit, pictures of the screen, search, the Dock; no Del on most keyboards.
    kept = ["Tab", "Space", "H", "Alt+H", "Q", "Shift+3", "Shift+4", "Shift+5", "Alt+Space", "Alt+D", "Alt+Esc"]
    taken = {QKeySequence(f"Ctrl+{key}").toString() for key in kept} | {"Del"}
    keys = {spec.id: set(QKeySequence(spec.shortcut).toString().split(", ")) for spec in for_macos(ACTIONS)}
    assert {name for name, chord in keys.items() if chord & taken} == {"file.quit"}


def test_no_shortcut_opens_a_menu_instead() -> None:
    # Alt with the first letter of a menu opens it; Qt then runs neither.
    menus = {f"Alt+{name[0]}" for name in MENU_ORDER}
    assert [spec.id for spec in ACTIONS if spec.shortcut in menus] == []


@pytest.mark.panels(*ALL_PANELS)
def test_the_keys_in_tooltips_are_those_of_actions(window: MainWindow, arm: OpenFile) -> None:
    actions = window.actions_by_id.values()
    known = {keys.toString(QKeySequence.SequenceFormat.NativeText) for each in actions for keys in each.shortcuts()}
    keys = re.compile(r"\(((?:(?:Ctrl|Alt|Shift|Meta)\+)+\w+(?:, (?:\w+\+)*\w+)?|F\d+|[A-Z])\)")
    named = {found: child for child in window.findChildren(QWidget) for found in keys.findall(child.toolTip())}
    assert len(named) > 10
    assert {found: child.accessibleName() for found, child in named.items() if found not in known} == {}


def test_every_action_is_in_a_menu_and_says_its_shortcut(window: MainWindow) -> None:
    for spec in ACTIONS:
        action = window.actions_by_id[spec.id]
        home = window if spec.id in PALETTE_ONLY else window.menus.menu(spec.menu)
        assert action in home.actions()
        assert action.shortcut().toString(QKeySequence.SequenceFormat.NativeText) in action.toolTip()


def test_without_a_file_only_what_makes_sense_is_offered(window: MainWindow) -> None:
    assert window.actions_by_id["file.open"].isEnabled()
    assert not window.actions_by_id["file.save"].isEnabled()
    assert window.welcome.isVisible()


def test_the_palette_finds_and_runs(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    window.actions_by_id["go.palette"].trigger()
    palette = window.findChild(CommandPalette)
    assert palette is not None
    full = palette.height()
    qtbot.keyClicks(palette.search, "wirefr")
    qtbot.waitUntil(lambda: palette.height() < full / 2)  # no void below the few that match
    qtbot.waitUntil(lambda: len(palette.results.entries) == 1)
    qtbot.waitUntil(lambda: palette.results.viewport().height() < 2 * palette.results.sizeHintForRow(0))
    entry = palette.results.current
    off = palette.describe(entry).icon.cacheKey()
    entry.action.setChecked(True)
    assert palette.describe(entry).icon.cacheKey() != off, "it has a tick"
    entry.action.setChecked(False)
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert window.actions_by_id["show.wireframe"].isChecked()
    canvas = arm.view.canvas
    assert canvas is not None
    assert canvas.look.wireframe


@pytest.mark.parametrize("word", sorted({word for words in SYNONYMS.values() for word in words.split()}))
def test_the_palette_finds_an_action_by_what_people_call_it(word: str) -> None:
    wanted = {id for id, words in SYNONYMS.items() if word in words.split()}
    specs = {spec.id: spec for spec in ACTIONS}
    entries = [(specs[id].text, f"{specs[id].menu} {SYNONYMS.get(id, '')}") for id in specs]
    found = best_matches(word, entries)
    assert wanted <= {list(specs)[number] for number in found}


def test_the_palette_lists_what_a_synonym_means(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    window.actions_by_id["go.palette"].trigger()
    palette = window.findChild(CommandPalette)
    assert palette is not None
    qtbot.keyClicks(palette.search, "ruler")
    qtbot.waitUntil(lambda: [each.action.objectName() for each in palette.results.entries] == ["tool.measure"])
    palette.close()


def test_the_palette_does_not_run_another_command_where_the_one_meant_is_refused(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    """Enter behind "gif" drew All Glyphs in Full, because there was no motion yet."""
    shown = window.actions_by_id["show.everything"].isChecked()
    window.actions_by_id["go.palette"].trigger()
    palette = window.findChild(CommandPalette)
    assert palette is not None
    qtbot.keyClicks(palette.search, "gif")
    qtbot.waitUntil(lambda: not palette.is_searching and len(palette.results.entries) > 1)
    assert palette.results.current.action.objectName() == "joints.record"
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert "Joints → Motion" in window.status.message
    assert window.actions_by_id["show.everything"].isChecked() == shown


def test_the_palette_begins_with_what_can_be_done_of_what_matches_alike(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    """Enter behind "section" said that nothing is cut: only the command that ends one had the word in its name."""
    window.actions_by_id["go.palette"].trigger()
    palette = window.findChild(CommandPalette)
    assert palette is not None
    qtbot.keyClicks(palette.search, "section")
    qtbot.waitUntil(lambda: not palette.is_searching)
    assert palette.describe(palette.results.current).text == "Section: Across x"
    palette.close()


def test_the_view_menu_has_few_entries_and_comparing_one_button(window: MainWindow) -> None:
    entries = [action for action in window.menus.menu("View").actions() if not action.isSeparator()]
    assert 0 < len(entries) < 7
    buttons = {spec.id for spec in ACTIONS if spec.toolbar and "compare" in spec.id}
    assert buttons == {"workspace.compare"}
    assert "compare" not in window.status.strip.buttons


def test_in_the_palette_every_command_has_a_name_that_says_what_it_does(qtbot: QtBot, window: MainWindow) -> None:
    """Those of File › New were called Model and World, and two others Radians, as if there were no menu around them."""
    window.actions_by_id["go.palette"].trigger()
    palette = window.findChild(CommandPalette)
    assert palette is not None
    qtbot.waitUntil(lambda: not palette.is_searching)
    names = [palette.describe(each).text for each in palette.results.entries]
    assert "New: Model" in names
    assert "Model" not in names
    assert [name for name, count in Counter(names).items() if count > 1] == []
    menus = {path.rpartition("/")[2] for path in (*window.menus.menus, "View/Workspace/Panels")}
    assert {name.partition(": ")[0] for name in names if ": " in name} <= menus
    qtbot.keyClicks(palette.search, "new model")
    qtbot.waitUntil(lambda: not palette.is_searching)
    assert palette.describe(palette.results.current).text == "New: Model"


@pytest.mark.panels(*ALL_PANELS)
@pytest.mark.nightly
def test_all_examples_open_from_the_help_menu(qtbot: QtBot, window: MainWindow) -> None:
    for action in window.menus.fill_examples():
        action.trigger()
    qtbot.waitUntil(lambda: window.files.opening is None)
    assert [each.session.path for each in window.files.opened] == [example.path for example in shipped()]


# --- panels ------------------------------------------------------------------------------------------------------


@pytest.mark.panels("properties", "joints")
def test_the_key_of_a_panel_behind_another_tab_brings_it_to_the_front(qtbot: QtBot, window: MainWindow) -> None:
    action, joints = window.actions_by_id["panel.joints"], window.docks.docks["joints"]
    window.docks.window.tabifyDockWidget(joints, window.docks.docks["properties"])
    window.docks.show("properties")
    qtbot.waitUntil(lambda: joints.visibleRegion().isEmpty())
    action.trigger()
    qtbot.waitUntil(lambda: not joints.visibleRegion().isEmpty())
    assert action.isChecked()
    action.trigger()
    assert joints.isHidden()
    assert not action.isChecked()


def test_docks_are_where_they_were(make_window: Callable[[], MainWindow], settings: Settings) -> None:
    first = make_window()
    first.docks.docks["joints"].hide()
    first.docks.docks["tree"].setFloating(True)
    assert first.close()
    second = make_window()
    assert second.docks.docks["joints"].isHidden()
    assert not second.actions_by_id["panel.joints"].isChecked()
    assert second.docks.docks["tree"].isFloating()
    second.actions_by_id["view.reset_layout"].trigger()
    assert second.docks.docks["joints"].isVisible()
    assert not second.docks.docks["tree"].isFloating()


@pytest.mark.panels(*ALL_PANELS)
def test_every_panel_is_reached_by_keyboard(window: MainWindow, arm: OpenFile) -> None:
    window.activateWindow()
    arm.view.setFocus()
    shown = {spec.id for spec in DOCKS if window.docks.docks[spec.id].isVisible()}
    reached = set()
    for _ in shown:
        window.actions_by_id["go.next_panel"].trigger()
        reached |= {spec.id for spec in DOCKS if window.docks.has_focus(spec.id)}
    assert reached == shown


@pytest.mark.panels("tree", "properties")
def test_one_selection_everywhere(qtbot: QtBot, arm: OpenFile) -> None:
    arm.session.select(("arm::grasp",))
    index = arm.tree.view.selectionModel().selectedRows()[0]
    assert index.data() == "grasp"
    assert arm.properties.name.field.text() == "grasp"


@pytest.mark.panels("tree")
def test_the_filter_finds_by_name_and_by_kind(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    window.actions_by_id["go.filter"].trigger()
    qtbot.keyClicks(arm.tree.filter, "frame gra")
    assert arm.tree.search.names[0] == "arm::grasp"
    qtbot.keyClick(arm.tree.filter, Qt.Key.Key_Return)
    assert arm.session.selection == ("arm::grasp",)


@pytest.mark.panels("tree")
def test_frames_on_a_cycle_have_badges(open_example: Callable[[str], OpenFile]) -> None:
    tree = open_example("relative_to_cycle").tree
    model = tree.source.model
    assert model is not None
    for name, tip in (("slide", "cycle"), ("tool_plate", "cannot be resolved")):
        index = tree.source.index_of(model.rows_by_name[f"relative_to_cycle::{name}"]).siblingAtColumn(1)
        assert not index.data(Qt.ItemDataRole.DecorationRole).isNull()
        assert tip in index.data(Qt.ItemDataRole.ToolTipRole)


# --- joints ------------------------------------------------------------------------------------------------------


@pytest.mark.panels("joints")
def test_a_slider_moves_what_rides_on_the_joint(arm: OpenFile) -> None:
    session = arm.session
    model = session.model
    assert model is not None
    before = session.X_RootF.copy()
    row = arm.joints.rows["arm::joint_1"]
    row.slider.setValue(row.slider.maximum())
    assert session.positions["arm::joint_1"] == pytest.approx((row.dof.upper,))
    assert row.field.value == pytest.approx(row.dof.upper)
    moved = np.asarray(~np.isclose(session.X_RootF, before).all(axis=(1, 2)))
    assert moved[model.rows_by_name["arm::grasp"]]
    assert not moved[model.rows_by_name["arm::base"]]
    arm.joints.reset()
    np.testing.assert_allclose(session.X_RootF, before, atol=1e-12)


@pytest.mark.panels("joints")
def test_limits_hold_until_they_are_lifted(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    row = arm.joints.rows["arm::joint_1"]
    row.field.committed.emit(10.0)
    assert arm.session.positions["arm::joint_1"] == pytest.approx((row.dof.upper,))
    window.actions_by_id["joints.lift_limits"].trigger()
    row.field.committed.emit(4.0)
    assert arm.session.positions["arm::joint_1"] == (4.0,)


@pytest.mark.panels("joints")
def test_random_positions_respect_the_limits(arm: OpenFile) -> None:
    arm.joints.randomise()
    for row in arm.joints.rows.values():
        if not row.dof.follows:
            (value,) = arm.session.positions[row.dof.joint]
            assert row.dof.lower <= value <= row.dof.upper


@pytest.mark.panels("joints")
def test_a_follower_has_no_handle_of_its_own(qtbot: QtBot, arm: OpenFile) -> None:
    # Rows out of sight are made in later turns.
    qtbot.waitUntil(lambda: len(arm.joints.rows) == len(arm.session.kinematics.dofs))
    followers = [row for row in arm.joints.rows.values() if row.dof.follows]
    assert not any(row.slider.isEnabled() or row.field.isEnabled() for row in followers)
    arm.joints.rows["arm::left_finger_slide"].field.committed.emit(0.01)
    assert all(row.field.value != 0 for row in followers)


@pytest.mark.panels("joints")
def test_sweeping_moves_and_stops(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    action = window.actions_by_id["joints.sweep"]
    with qtbot.waitSignal(arm.context.changed, check_params_cb=lambda change: change.joints):
        action.trigger()
    window.actions_by_id["joints.reset"].trigger()
    assert not action.isChecked()
    assert not arm.joints.sweeping
    assert arm.session.positions == {}


# --- 3D view -----------------------------------------------------------------------------------------------------


@pytest.fixture
def seen(qtbot: QtBot, arm: OpenFile) -> OpenFile:
    """Return the arm with its 3D view painted."""
    canvas = arm.view.canvas
    if canvas is None:
        pytest.skip(probe().problem)
    with qtbot.waitSignal(canvas.frameSwapped):
        canvas.update()
    return arm


def place_of(workspace: OpenFile, name: str) -> QPoint:
    """Return where the origin of a frame is on the canvas."""
    canvas, model = workspace.view.canvas, workspace.session.model
    assert canvas is not None
    assert model is not None
    origin = workspace.session.X_RootF[model.rows_by_name[name], :3, 3]
    pixel, _ = canvas.camera.project(origin, canvas.width(), canvas.height())
    return QPointF(*pixel).toPoint()


@pytest.mark.pictures
def test_a_click_selects_and_the_empty_ground_selects_nothing(qtbot: QtBot, seen: OpenFile) -> None:
    canvas = seen.view.canvas
    assert canvas is not None
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=place_of(seen, "arm::inspection"))
    assert seen.session.selection == ("arm::inspection",)
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(3, canvas.height() - 3))
    assert seen.session.selection == ()


@pytest.mark.pictures
def test_hovering_names_what_is_under_the_mouse(qtbot: QtBot, seen: OpenFile) -> None:
    canvas = seen.view.canvas
    assert canvas is not None
    at = QPointF(place_of(seen, "arm::inspection"))
    none = Qt.MouseButton.NoButton
    # The pointer of the screen is shared with the tests that run beside this one.
    move = QMouseEvent(QEvent.Type.MouseMove, at, canvas.mapToGlobal(at), none, none, Qt.KeyboardModifier.NoModifier)
    with qtbot.waitSignal(seen.context.highlights.hover_changed):
        QApplication.sendEvent(canvas, move)
    assert seen.context.highlights.hovered == "arm::inspection"
    assert "moves with arm::palm" in seen.view.hint


@pytest.mark.pictures
def test_dragging_orbits_and_selects_nothing(qtbot: QtBot, seen: OpenFile) -> None:
    canvas = seen.view.canvas
    assert canvas is not None
    seen.session.select(("arm::base",))
    camera = canvas.camera
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(100, 100))
    qtbot.mouseMove(canvas, pos=QPoint(160, 120))
    qtbot.mouseMove(canvas, pos=QPoint(180, 120))
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=QPoint(180, 120))
    assert canvas.camera.yaw != camera.yaw
    assert seen.session.selection == ("arm::base",)


@pytest.mark.pictures
def test_focus_brings_the_selection_to_the_middle(qtbot: QtBot, window: MainWindow, seen: OpenFile) -> None:
    canvas = seen.view.canvas
    assert canvas is not None
    seen.session.select(("arm::inspection",))
    window.actions_by_id["camera.focus"].trigger()
    qtbot.waitUntil(lambda: not canvas.camera_control.is_flying)
    middle = QPoint(canvas.width() // 2, canvas.height() // 2)
    assert (place_of(seen, "arm::inspection") - middle).manhattanLength() < 30


@pytest.mark.pictures
def test_the_view_survives_floating(qtbot: QtBot, window: MainWindow, seen: OpenFile) -> None:
    canvas = seen.view.canvas
    assert canvas is not None
    window.views.removeWidget(seen.view)
    seen.view.setParent(None)
    with qtbot.waitExposed(seen.view):
        seen.view.show()
    with qtbot.waitSignal(canvas.frameSwapped):
        canvas.update()
    picture = canvas.grabFramebuffer()
    colours = {picture.pixel(x, y) for x in range(0, picture.width(), 7) for y in range(0, picture.height(), 7)}
    assert len(colours) > 20
    window.views.addWidget(seen.view)


@pytest.mark.pictures
def test_switches_reach_the_renderer(window: MainWindow, seen: OpenFile) -> None:
    canvas = seen.view.canvas
    assert canvas is not None
    surfaces = len(canvas.feed.scene.surfaces)
    window.actions_by_id["show.collisions"].trigger()
    assert len(canvas.feed.scene.surfaces) > surfaces
    window.actions_by_id["show.labels"].trigger()
    assert not canvas.look.labels


# --- looks -------------------------------------------------------------------------------------------------------


@pytest.mark.pictures
@pytest.mark.panels(*ALL_PANELS)
def test_the_theme_changes_in_parts_and_is_shown_when_all_are_done(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    window.actions_by_id["theme.light"].trigger()
    assert not window.updatesEnabled()
    qtbot.waitUntil(window.updatesEnabled)
    assert not is_dark(window.palette())
    canvas = arm.view.canvas
    assert canvas is None or not canvas.look.dark
    window.actions_by_id["theme.dark"].trigger()
    window.actions_by_id["theme.light"].trigger()  # somebody has changed her mind
    window.actions_by_id["theme.dark"].trigger()
    qtbot.waitUntil(window.updatesEnabled)
    assert is_dark(QApplication.palette())
    assert is_dark(window.palette())
    assert canvas is None or canvas.look.dark


@pytest.mark.pictures
def test_no_turn_does_two_parts_of_another_theme(
    window: MainWindow, arm: OpenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another style sheet, other icons and a picture of the window take as long each."""
    done: set[str] = set()

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            parts = {QEvent.Type.StyleChange: "sheet", QEvent.Type.Paint: "picture"}
            if event.type() in parts:
                done.add(parts[event.type()])
            return False

    repaint_icons = window.repaint_icons
    monkeypatch.setattr(window, "repaint_icons", lambda: (done.add("icons"), repaint_icons()))
    watch = Watch()
    window.installEventFilter(watch)
    window.actions_by_id["theme.light"].trigger()
    turns: list[set[str]] = []
    while "picture" not in done:
        turns.append(set(done))
        done.clear()
        QApplication.processEvents()
    turns.append(done)
    assert [turn for turn in turns if turn] == [{"sheet"}, {"sheet"}, {"icons"}, {"picture"}]
    window.removeEventFilter(watch)


@pytest.mark.panels(*ALL_PANELS)
@pytest.mark.parametrize("name", ["arm", "relative_to_cycle", pytest.param("world_frames", marks=pytest.mark.nightly)])
def test_nothing_scrolls_sideways_or_is_cut_at_1280_by_800(
    qtbot: QtBot, window: MainWindow, open_example: Callable[[str], OpenFile], name: str
) -> None:
    workspace = open_example(name)
    model = workspace.session.model
    assert model is not None
    workspace.session.select(model.names[1:2])
    QApplication.processEvents()
    assert (window.width(), window.height()) == (1280, 800)
    assert window.minimumSizeHint().width() <= 1280
    assert window.minimumSizeHint().height() <= 800
    panels = (workspace.tree, workspace.properties, workspace.joints, workspace.problems)

    def all_is_seen() -> None:
        for panel in panels:
            for area in panel.findChildren(QAbstractScrollArea):
                assert area.horizontalScrollBar().maximum() == 0 or not area.isVisible(), area
            for child in panel.findChildren(QWidget):
                if child.isVisible() and isinstance(child, (QAbstractButton, QLineEdit)):
                    right = child.mapTo(panel, QPoint(child.width(), 0)).x()
                    assert right <= panel.width(), child

    qtbot.waitUntil(all_is_seen)  # a problem is arranged again once it has its width


@pytest.mark.panels(*ALL_PANELS)
def test_what_takes_the_keyboard_has_a_name(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(("arm::grasp",))
    for panel in (window.toolbar, arm.tree, arm.properties, arm.joints, arm.problems, arm.view):
        for child in panel.findChildren(QWidget):
            takes = isinstance(child, (QAbstractButton, QLineEdit)) or child is arm.view.canvas
            if takes and child.isVisible() and child.focusPolicy() != Qt.FocusPolicy.NoFocus:
                named = child.accessibleName() or (child.text() if isinstance(child, QAbstractButton) else "")
                assert named, (type(child), child.toolTip())


def test_an_unexpected_exception_shows_a_report_and_keeps_the_file(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    try:
        raise ZeroDivisionError("of all things")
    except ZeroDivisionError as error:
        show_report(error, window)
        show_report(error, window)
    dialogs = window.findChildren(ReportDialog)
    assert len(dialogs) == 1
    assert "of all things" in dialogs[0].report.toPlainText()
    assert "OpenGL" in dialogs[0].report.toPlainText()
    dialogs[0].reject()
    assert window.current is arm


def test_a_report_needs_no_console(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    show_report(ZeroDivisionError("of all things"), window)
    (dialog,) = window.findChildren(ReportDialog)
    dialog.reject()
