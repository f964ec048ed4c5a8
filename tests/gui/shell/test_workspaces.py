"""Workspaces arrange the panels for a job, fit the screen, and come back as they were left."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain, combinations, pairwise, permutations
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.settings import QUATERNIONS, Settings
from sdfviewer.gui.problems.problem_detail import problem_at_hand
from sdfviewer.gui.shell.docks import DOCKS
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.shell.workspaces import WORKSPACES
from sdfviewer.gui.view3d import camera_control
from sdfviewer.model.kinds import Kind
from sdfviewer.scene.glyph_sizes import fit_with_glyphs

pytestmark = pytest.mark.panels("tree", "properties", "joints", "graphs")

SIZES = [(960, 540), (1366, 720), (1600, 900), (1920, 1050)]


def shown(window: MainWindow) -> set[str]:
    return {id for id, dock in window.docks.docks.items() if not dock.isHidden()}


def resize(qtbot: QtBot, window: MainWindow, size: tuple[int, int]) -> None:
    window.workspaces.reset()  # what else is shown may need more room
    window.resize(*size)
    qtbot.waitUntil(lambda: window.size() == QSize(*size))
    window.workspaces.reset()
    QApplication.processEvents()


def test_another_workspace_shows_each_panel_once_and_its_settings_not_again(window: MainWindow, arm: OpenFile) -> None:
    """All fields of the properties were filled again for each switch that a workspace turns on."""
    shows: list[str] = []
    heard: list[None] = []
    window.settings.changed.connect(lambda: heard.append(None))

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Show:
                shows.append(watched.objectName())
            return False

    watch = Watch()
    for dock in window.docks.docks.values():
        dock.installEventFilter(watch)
    for workspace in (*WORKSPACES[1:], WORKSPACES[0]):
        shows.clear()
        window.actions_by_id[f"workspace.{workspace.id}"].trigger()
        QApplication.processEvents()
        assert sorted(shows) == sorted(set(shows)), workspace.id
    assert not heard
    window.actions_by_id[QUATERNIONS].trigger()
    assert len(heard) == 1


def test_the_3d_view_has_half_of_the_window_at_first(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    for size in SIZES:
        resize(qtbot, window, size)
        assert {"tree", "properties", "joints"} <= shown(window)
        assert not {"problems", "source"} & shown(window)
        share = arm.view.width() * arm.view.height() / (size[0] * size[1])
        assert share >= 0.47, (size, share)
        assert (window.width(), window.height()) == size
        is_tiny = size[0] < 1366
        assert ("graphs" in shown(window)) is not is_tiny
        window.docks.show("graphs")
        qtbot.waitUntil(lambda: all(pane.canvas.isVisible() for pane in arm.graphs.shown))
        canvases = [pane.canvas for pane in arm.graphs.shown]
        assert min(canvas.height() for canvas in canvases) >= (60 if is_tiny else 90)
        assert min(canvas.width() for canvas in canvases) >= (270 if is_tiny else 400)
        assert (window.width(), window.height()) == size
    problems, spec = window.docks.docks["problems"], next(spec for spec in DOCKS if spec.id == "problems")
    window.docks.reveal("problems")
    qtbot.waitUntil(lambda: problems.height() >= spec.height)  # room for several
    assert problems.height() < window.height() // 2


def test_the_side_has_room_while_editing_and_both_graphs_while_debugging(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    docks = window.docks.docks
    window.actions_by_id["workspace.edit"].trigger()
    for size in ((1920, 1050), (1080, 1870), (1366, 720)):
        resize(qtbot, window, size)
        assert {"tree", "source", "properties"} <= shown(window), size
        assert not docks["properties"].visibleRegion().isEmpty(), size
    wide = docks["properties"].width()
    window.actions_by_id["workspace.compare"].trigger()
    window.workspaces.finish()
    arm.context.later.flush()
    QApplication.processEvents()
    assert window.docks.centre.minimumSizeHint().width() > SIZES[1][0] * 0.64 - wide, "what goes is wide"
    window.actions_by_id["workspace.edit"].trigger()
    window.workspaces.finish()
    QApplication.processEvents()
    assert docks["properties"].width() == wide, "as wide as its fields need"

    window.actions_by_id["workspace.debug"].trigger()
    graphs = docks["graphs"]
    for size in SIZES[1:]:
        resize(qtbot, window, size)
        assert not graphs.visibleRegion().isEmpty(), size
        assert graphs.width() * graphs.height() >= 0.3 * size[0] * size[1], size
        assert graphs.width() > 1.5 * arm.view.width(), size
        assert arm.view.height() > 0.8 * arm.view.width(), size
        if size[0] != 1600:
            assert ("tree" in shown(window)) is (size[0] > 1600), "only where there is room for it"


def test_an_upright_window_has_all_panels_and_the_graphs_below_the_3d_view(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    """They were tabs in one column as high as the screen, and the graphs were folded."""
    resize(qtbot, window, (1080, 1800))
    column = [window.docks.docks[id] for id in ("tree", "properties", "joints")]
    qtbot.waitUntil(lambda: all(dock.height() > 300 and not dock.visibleRegion().isEmpty() for dock in column))
    assert len({dock.x() for dock in column}) == 1
    assert not window.docks.docks["graphs"].isHidden()
    assert arm.view.height() > arm.view.width()
    assert (window.width(), window.height()) == (1080, 1800)


def test_what_opens_in_a_small_window_has_room_and_leaves_it_to_the_3d_view(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    """On a small screen the source opened with 28 characters a line.

    A hidden dock still has the height that it had where another workspace has shown it last.
    """
    docks = window.docks.docks
    resize(qtbot, window, SIZES[0])
    # The button that lists what has no room in the toolbar was in the place of the search for commands.
    assert window.toolbar.widgetForAction(window.actions_by_id["go.palette"]).isVisible()
    before = arm.view.height()
    for id in ("source", "problems"):
        window.docks.show(id)
        QApplication.processEvents()
        assert not docks[id].visibleRegion().isEmpty(), "it is in front"
        assert arm.view.height() == before
        assert window.width() == SIZES[0][0]

    resize(qtbot, window, SIZES[1])
    heights = arm.view.height(), arm.graphs.height()
    for id in ("source", "problems"):
        window.docks.show(id)
        QApplication.processEvents()
        assert not docks[id].visibleRegion().isEmpty(), "it is in front"
        assert docks[id].height() > SIZES[1][1] // 2
        assert docks[id].width() >= 0.29 * window.width(), "its lines can be read"
    assert (arm.view.height(), arm.graphs.height()) == heights, "they are beside both"
    assert arm.view.width() > 0.4 * SIZES[1][0]

    for switches in ((), ("workspace.compare", "workspace.inspect")):
        window.workspaces.reset()
        QApplication.processEvents()
        assert "compare" not in shown(window)
        for id in switches:
            window.actions_by_id[id].trigger()
        window.docks.reveal("compare")
        qtbot.waitUntil(lambda: arm.compare.height() >= 200)  # room for its table and its plot
        assert arm.view.height() > arm.compare.height(), switches


def test_a_workspace_comes_back_as_it_was_left(make_window: Callable[[], MainWindow]) -> None:
    first = make_window()
    first.actions_by_id["panel.history"].trigger()
    first.actions_by_id["workspace.edit"].trigger()
    assert "history" not in shown(first)
    assert "source" in shown(first)
    first.actions_by_id["workspace.inspect"].trigger()
    assert "history" in shown(first)
    first.actions_by_id["workspace.debug"].trigger()
    first.close()
    second = make_window()
    assert second.actions_by_id["workspace.debug"].isChecked()
    assert {"graphs", "problems", "source"} <= shown(second)
    second.actions_by_id["workspace.inspect"].trigger()
    assert "history" in shown(second)


def test_the_open_files_decide_whether_their_tabs_are_shown_not_how_a_workspace_was_left(
    window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    def switch(id: str) -> None:
        window.actions_by_id[f"workspace.{id}"].trigger()
        window.workspaces.finish()

    first = open_example("arm")
    switch("edit")
    switch("inspect")
    open_example("shapes")
    assert window.tabs.isVisible()
    switch("edit")
    assert window.tabs.isVisible(), "it was left with one file"
    window.files.drop(first)
    assert not window.tabs.isVisible()
    switch("inspect")
    assert not window.tabs.isVisible(), "it was left with two files"
    window.workspaces.maximize(None)
    open_example("arm")
    window.workspaces.restore_maximized()
    assert window.tabs.isVisible(), "it was opened while one panel filled the window"


def test_the_workspace_for_comparing_lays_out_shows_the_conventions_and_paints_in_turns_of_their_own(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    window.actions_by_id["workspace.compare"].trigger()
    assert "compare" in shown(window)
    assert arm.view.sides.second is None
    assert not window.updatesEnabled(), "painted once, when all is there"
    qtbot.waitUntil(window.updatesEnabled)
    assert arm.view.sides.second is not None
    assert window.actions_by_id["compare.side"].isChecked()
    window.actions_by_id["workspace.inspect"].trigger()
    assert "compare" not in shown(window)
    window.workspaces.finish()
    assert window.actions_by_id["compare.off"].isChecked()

    for id in ("workspace.compare", "workspace.inspect"):
        window.actions_by_id[id].trigger()
    qtbot.waitUntil(window.updatesEnabled)
    assert window.actions_by_id["compare.off"].isChecked(), "one switch after the other ends with the last one"
    assert "compare" not in shown(window)


def test_debugging_is_offered_for_a_file_with_errors(
    window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    file = open_example("relative_to_cycle")
    topic = f"errors {id(file)}"
    assert topic in window.notices.topics
    file.session.apply(Edit("Comment", file.session.document, (Replacement(0, 0, "<!-- mine -->"),)))
    assert topic in window.notices.topics, "the error is still there"
    window.actions_by_id["workspace.debug"].trigger()
    assert topic not in window.notices.topics
    open_example("arm")
    assert not window.notices.topics


def test_one_panel_fills_the_window_and_goes_back(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    docks = window.docks.docks
    window.docks.show("source")
    QApplication.processEvents()
    # Behind another tab a dock has no place.
    before = {each: docks[each].geometry() for each in shown(window) if docks[each].x() >= 0}
    all_shown = shown(window)

    def fills(panel: QWidget) -> bool:
        return panel.width() > 0.95 * window.width() and panel.height() > 0.8 * window.height()

    for panel in (docks["source"], docks["graphs"], arm.view):
        QCursor.setPos(panel.mapToGlobal(QPoint(panel.width() // 2, panel.height() // 2)))
        window.actions_by_id["view.maximize"].trigger()
        qtbot.waitUntil(partial(fills, panel))
        assert window.status.message == "F11 restores the other panels."
        window.actions_by_id["view.maximize"].trigger()
        assert shown(window) == all_shown
        qtbot.waitUntil(lambda: {each: docks[each].geometry() for each in before} == before)
    for id in ("graphs", "properties"):  # a button or a bar of tabs had the keyboard that was hidden with its panel
        arm.tree.filter.setFocus()
        window.workspaces.maximize(id)
        focused = window.focusWidget()
        assert focused is not None
        assert docks[id].isAncestorOf(focused), "what fills the window has the keyboard"
        assert not focused.visibleRegion().isEmpty()
        window.workspaces.restore_maximized()


def test_folded_panels_are_in_the_strip_and_counts_list_what_they_count(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    """A click on a count wrote a word into the filter."""
    button = window.status.strip.buttons["history"]
    assert button.isVisible()
    button.click()
    assert "history" in shown(window)
    qtbot.waitUntil(lambda: not button.isVisible())
    window.docks.docks["history"].close()
    qtbot.waitUntil(button.isVisible)
    model, tree = arm.session.model, arm.tree
    assert model is not None
    tree.filter.setText("elbow")
    for kind in (Kind.JOINT, Kind.LINK):
        window.status.kind_wanted.emit(kind.value)
        listed = [index for index in map(tree.source.index_of, range(len(model))) if index.isValid()]
        rows = {tree.source.row_of(index) for index in listed}
        assert rows == {0, *(row for row, each in enumerate(model.kinds) if each is kind)}
        assert tree.filter.text() == ""


# --- where the window is -------------------------------------------------------------------------------------------


def test_the_first_window_fits_the_screen(qtbot: QtBot, settings: Settings) -> None:
    window = MainWindow(settings)
    qtbot.addWidget(window)
    assert window.screen().availableGeometry().contains(window.geometry())


def test_the_window_comes_back_in_the_same_part_of_another_screen(
    qtbot: QtBot, settings: Settings, tmp_path: Path
) -> None:
    # As it was saved on a screen of four times the size: parts of the screen, not pixels.
    place = {"screen": "gone", "left": 0.5, "top": 0.25, "width": 0.75, "height": 0.5, "state": ""}
    settings.save_window_place(place)
    window = MainWindow(settings)
    qtbot.addWidget(window)
    room = window.screen().availableGeometry()
    assert room.contains(window.geometry())
    assert window.width() == pytest.approx(0.75 * room.width(), abs=1)
    settings.save_window_place({**place, "state": "maximized"})
    maximized = MainWindow(settings)
    qtbot.addWidget(maximized)
    assert maximized.isMaximized()
    maximized.close()
    assert settings.window_place()["state"] == "maximized"
    assert settings.window_place()["width"] == pytest.approx(0.75, abs=0.01)


def test_a_dock_that_opens_asks_once_which_problem_is_at_hand(
    window: MainWindow, open_example: Callable[[str], OpenFile], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = open_example("relative_to_cycle")
    (problem,) = file.session.diagnostics
    asked: list[None] = []
    asking = "sdfviewer.gui.problems.panel.problem_at_hand"
    monkeypatch.setattr(asking, lambda *args: (asked.append(None), problem_at_hand(*args))[1])
    dock = window.docks.docks["problems"]
    window.tabifyDockWidget(window.docks.docks["source"], dock)
    for name in problem.frames:
        window.docks.reveal("source")
        dock.hide()
        file.session.select((name,))
        asked.clear()
        window.docks.reveal("problems")
        assert len(asked) == 1
    window.docks.reveal("source")
    file.session.select(("machine::base",))
    asked.clear()
    window.docks.reveal("problems")
    assert len(asked) == 1, "a tab in front of another one"


def break_it(file: OpenFile) -> None:
    document = file.session.document
    at = document.text.index("<link")
    file.session.apply(Edit("Break it", document, (Replacement(at, at, '<frame name="lost" attached_to="nobody"/>'),)))


def test_problems_that_the_user_opens_or_closes_stay_so(
    make_window: Callable[[], MainWindow], example: Callable[[str], Path]
) -> None:
    """They came and went by themselves with the problems of a file."""
    window = make_window()
    window.files.open([example("arm")])

    def come_back(workspace: str) -> set[str]:
        window.actions_by_id["workspace.inspect"].trigger()
        window.actions_by_id[f"workspace.{workspace}"].trigger()
        return shown(window)

    for workspace, shows in (("edit", False), ("debug", True)):
        window.actions_by_id[f"workspace.{workspace}"].trigger()
        assert ("problems" in shown(window)) is shows
        window.docks.reveal("problems")
        assert "problems" in come_back(workspace), "though it is empty"
        window.docks.docks["problems"].close()
        assert "problems" not in come_back(workspace)
        break_it(window.files.opened[0])
        assert "problems" not in shown(window), workspace
        assert "problems" not in come_back(workspace), "though there are some"
        window.files.opened[0].session.undo()


def test_without_a_file_nothing_empty_is_below_the_welcome_page(
    make_window: Callable[[], MainWindow], example: Callable[[str], Path], qtbot: QtBot
) -> None:
    window = make_window()
    resize(qtbot, window, SIZES[3])
    docks = window.docks.docks
    window.files.open([example("arm")])
    for id in ("problems", "source"):
        window.docks.show(id)
    assert {"problems", "source"} <= shown(window)
    window.files.drop(window.files.opened[0])
    assert docks["problems"].isHidden()
    assert docks["source"].isHidden()
    window.files.open([example("shapes")])
    assert {"problems", "source"} <= shown(window)


def test_the_motion_strip_leaves_room_for_sliders_and_gives_it_back(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    resize(qtbot, window, (1366, 720))
    dock = window.docks.docks["joints"]
    before = dock.height()
    window.actions_by_id["joints.motion"].setChecked(True)
    qtbot.waitUntil(lambda: dock.height() > before + 40)
    window.actions_by_id["joints.motion"].setChecked(False)
    for size in ((1600, 1000), (1200, 760)):  # on the small screen the joints are a tab beside the properties
        _give_room_and_take_it_back(qtbot, window, size)


def _give_room_and_take_it_back(qtbot: QtBot, window: MainWindow, size: tuple[int, int]) -> None:
    resize(qtbot, window, size)
    window.docks.show("joints")
    docks = {id: dock for id, dock in window.docks.docks.items() if not dock.visibleRegion().isEmpty()}

    def heights() -> dict[str, int]:
        return {id: dock.height() for id, dock in docks.items()}

    QApplication.processEvents()
    before = heights()
    for _ in range(2):
        window.actions_by_id["joints.motion"].setChecked(True)
        qtbot.waitUntil(lambda: heights()["joints"] > before["joints"])
        window.actions_by_id["joints.motion"].setChecked(False)
        qtbot.waitUntil(lambda: heights() == before)
    window.actions_by_id["joints.motion"].setChecked(True)
    given = heights()
    window.resizeDocks([docks["tree"]], [given["tree"] + 30], Qt.Orientation.Vertical)
    qtbot.waitUntil(lambda: heights() != given)
    chosen = heights()
    window.actions_by_id["joints.motion"].setChecked(False)
    QApplication.processEvents()
    assert heights() == chosen, f"the user has changed it since in {size}"


def test_problems_leave_room_for_the_3d_view_while_editing(
    qtbot: QtBot, window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    file = open_example("relative_to_cycle")
    window.actions_by_id["workspace.edit"].trigger()
    for size in SIZES[:2]:
        resize(qtbot, window, size)
        window.docks.show("problems")
        qtbot.waitUntil(file.problems.isVisible)
        QApplication.processEvents()
        assert window.docks.docks["problems"].height() <= 0.42 * size[1]
        assert file.view.height() >= 0.35 * size[1]


@pytest.mark.parametrize("size", [SIZES[1], pytest.param(SIZES[3], marks=pytest.mark.nightly)], ids=str)
def test_every_panel_has_the_size_that_it_was_left_with(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, size: tuple[int, int]
) -> None:
    """In each run in a small window, where panels take room from each other; each night in a large one, too."""

    def sizes() -> dict[str, tuple[int, int]]:
        QApplication.processEvents()
        docks = window.docks.docks
        # Behind another tab a dock has no size.
        return {id: docks[id].size().toTuple() for id in shown(window) if not docks[id].visibleRegion().isEmpty()}

    def show(id: str) -> None:
        window.actions_by_id[f"workspace.{id}"].trigger()
        window.workspaces.finish()
        arm.context.later.flush()
        QApplication.processEvents()

    resize(qtbot, window, size)
    left: dict[str, dict[str, tuple[int, int]]] = {}
    for workspace in WORKSPACES:
        show(workspace.id)
        left[workspace.id] = sizes()
    # From each to each other, once: what one shows takes room from what the next one shows only if both are there.
    tour = [*chain.from_iterable(combinations(left, 2)), next(iter(left))]
    assert set(pairwise(tour)) == set(permutations(left, 2))
    for before, now in pairwise([WORKSPACES[-1].id, *tour]):
        show(now)
        assert sizes() == left[now], (before, now)


def test_the_3d_view_has_its_width_and_the_camera_is_fitted_once_before_it_is_painted(
    window: MainWindow, arm: OpenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was drawn in the width of two views, and of one, before it got its own in a later turn."""
    sides = arm.view.sides
    before = sides.first.width()
    window.actions_by_id["compare.side"].trigger()
    assert sides.first.width() < before * 0.6
    window.actions_by_id["compare.off"].trigger()
    assert sides.first.width() == sides.width()
    canvas = arm.view.canvas
    if canvas is None:
        pytest.skip("there is no OpenGL here")
    canvas.grabFramebuffer()
    fits: list[None] = []
    fit = fit_with_glyphs
    monkeypatch.setattr(camera_control, "fit_with_glyphs", lambda *args: (fits.append(None), fit(*args))[1])
    window.actions_by_id["workspace.edit"].trigger()
    window.workspaces.finish()
    assert fits
    fits.clear()
    canvas.grabFramebuffer()
    assert not fits


# --- the keyboard --------------------------------------------------------------------------------------------------


def test_the_3d_view_has_the_keyboard_where_a_workspace_hides_what_had_it(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    with qtbot.waitActive(window):  # else Qt takes the keyboard from no panel that is hidden for a moment
        window.activateWindow()
    assert window.focusWidget() is arm.view.canvas, "that of the first file has it at once"
    window.docks.reveal("tree")
    assert arm.tree.isAncestorOf(window.focusWidget())
    window.actions_by_id["workspace.compare"].trigger()
    assert window.focusWidget() is arm.view.canvas
    window.workspaces.finish()
    second = arm.view.sides.second
    assert second is not None
    second.setFocus()
    window.actions_by_id["workspace.inspect"].trigger()
    window.workspaces.finish()
    assert window.focusWidget() is arm.view.canvas
    window.docks.reveal("properties")
    before = window.focusWidget()
    window.actions_by_id["workspace.edit"].trigger()
    assert window.focusWidget() is before, "it is there, too"


def test_what_covers_a_panel_takes_the_keyboard_from_it(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    resize(qtbot, window, SIZES[1])
    window.docks.reveal("graphs")
    assert arm.graphs.isAncestorOf(window.focusWidget())
    window.actions_by_id["compare.side"].trigger()
    assert window.focusWidget() is arm.compare.view
    window.docks.show("graphs")
    window.docks.reveal("tree")
    before = window.focusWidget()
    window.docks.show("compare")
    assert window.focusWidget() is before


def test_what_was_under_the_mouse_and_is_hidden_is_left(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    """A frame of the tree stayed hovered in the 3D view when another workspace hid the tree, or F4 its dock."""
    viewport = arm.tree.view.viewport()
    viewport.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, True)
    arm.context.highlights.hover("arm::base")
    window.docks.docks["tree"].hide()
    assert not viewport.isVisible()
    assert not viewport.underMouse()
    assert arm.context.highlights.hovered is None
    window.docks.docks["tree"].show()
    viewport.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, True)
    arm.context.highlights.hover("arm::base")
    window.actions_by_id["workspace.edit"].trigger()
    qtbot.waitUntil(lambda: not viewport.underMouse())
    assert arm.context.highlights.hovered is None

    # A button that moves from a resting mouse.
    window.actions_by_id["workspace.inspect"].trigger()
    window.workspaces.finish()
    button = window.status.strip.buttons["history"]
    QCursor.setPos(window.mapToGlobal(QPoint(500, 300)))
    qtbot.waitUntil(lambda: window.mapFromGlobal(QCursor.pos()) == QPoint(500, 300))
    for moves in (window.docks.docks["source"].toggleViewAction(), window.actions_by_id["workspace.edit"]):
        button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, True)
        moves.trigger()
        qtbot.waitUntil(lambda: not button.underMouse())
        assert button.isVisible(), moves.text()


def test_a_click_on_a_problem_leaves_its_row_under_the_mouse(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    """The source opened as a tab, and the row was 65 pixels higher at the second click."""
    break_it(arm)
    view = arm.problems.view

    def place() -> QPoint:
        QApplication.processEvents()
        return view.viewport().mapToGlobal(view.visualRect(view.model().index(0, 0)).topLeft())

    for size in SIZES[::3]:
        resize(qtbot, window, size)
        assert "problems" not in shown(window)
        window.status.problems.click()
        qtbot.waitUntil(lambda: not view.visibleRegion().isEmpty())
        QApplication.processEvents()
        assert "source" not in shown(window) or size == SIZES[0]
        before, row = place(), view.visualRect(view.model().index(0, 0)).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=row)
        assert "source" in shown(window)
        assert place() == before, size


def test_problems_that_the_user_opened_or_closed_stay_so_for_other_files(
    window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    window.workspaces.reset()
    broken = open_example("relative_to_cycle")
    window.actions_by_id["panel.problems"].trigger()
    assert "problems" in shown(window)
    sound = open_example("arm")
    assert "problems" in shown(window)
    window.docks.docks["problems"].close()
    window.files.show(broken)
    assert "problems" not in shown(window)
    window.status.problems.click()
    window.docks.docks["problems"].close()
    window.files.show(sound)
    window.files.show(broken)
    assert "problems" not in shown(window)
