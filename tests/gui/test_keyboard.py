"""Everything by keyboard: Tab goes through each panel as it is read and on to the next; all its stops have names."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.focus import FocusRing, tab_stops
from sdfviewer.gui.shell.docks import DOCKS
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from tests.gui.kept_window import ALL_PANELS

pytestmark = pytest.mark.panels(*ALL_PANELS)


def name_of(widget: QWidget) -> str:
    """Return what a screen reader calls a widget."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name)


def parts_of(window: MainWindow, workspace: OpenFile) -> list[QWidget]:
    """Return the 3D view and all panels."""
    return [workspace.view, *workspace.panels.values()]


def test_everything_that_tab_stops_at_has_a_name(window: MainWindow, open_example: Callable[[str], OpenFile]) -> None:
    workspace = open_example("nested_gripper")
    for spec in DOCKS:
        window.docks.docks[spec.id].show()
    joint, link = "nested_gripper::lift", "nested_gripper::beam"
    for names in ((), ("nested_gripper",), (joint,), (link,), (joint, link)):
        workspace.session.select(names)
        stops = [stop for part in (*parts_of(window, workspace), window.toolbar) for stop in tab_stops(part)]
        assert len(stops) > 50, names
        assert not [stop for stop in stops if not name_of(stop)], names


@pytest.mark.panels("properties")
def test_tab_goes_through_a_panel_as_it_is_read(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(("arm::forearm",))
    # Made after all others, when the link was selected.
    qtbot.waitUntil(lambda: "mass" in map(name_of, tab_stops(arm.properties)))
    stops = list(tab_stops(arm.properties))
    names = [name_of(stop) for stop in stops]
    wanted = ["Name", "relative_to", "x", "yaw", "mass", "Copy pose", "Walk"]
    assert [name for name in names if name in wanted] == wanted
    arm.properties.name.field.setFocus()
    reached = {window.focusWidget(): None}
    for _ in range(2 * len(stops)):  # a label stops once for itself and once for the link in it
        if stops[-1] in reached:
            break
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        reached[window.focusWidget()] = None
    assert list(reached) == stops[stops.index(arm.properties.name.field) :]


def test_tab_leads_round_the_whole_window_and_back(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    # Rows out of sight are made in later turns.
    qtbot.waitUntil(lambda: len(arm.joints.rows) == len(arm.session.kinematics.dofs))
    panels = [arm.panels[spec.id] for spec in DOCKS if not spec.on_demand]
    order = [stops for part in (arm.view, *panels) if (stops := list(tab_stops(part)))]
    assert len(order) >= 5
    for before, after in pairwise(order):
        before[-1].setFocus()
        QTest.keyClick(before[-1], Qt.Key.Key_Tab)
        assert window.focusWidget() is after[0]
        if after[0] is arm.source.editor:  # where Tab indents; F6 leads on
            continue
        QTest.keyClick(after[0], Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
        assert window.focusWidget() is before[-1]


@pytest.mark.panels("joints")
def test_what_has_the_keyboard_is_seen_where_it_came_by_a_key(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    row = arm.joints.rows["arm::joint_1"]
    row.slider.setFocus(Qt.FocusReason.OtherFocusReason)
    assert not row.slider.findChildren(FocusRing)
    QTest.keyClick(row.slider, Qt.Key.Key_Tab)
    assert not row.field.findChildren(FocusRing), "its border says so"
    QTest.keyClick(row.field, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    (ring,) = row.slider.findChildren(FocusRing)
    assert ring.isVisible()
    assert ring.size() == row.slider.size()
    canvas = arm.view.canvas
    assert canvas is not None
    canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)
    assert canvas.findChildren(FocusRing)
    qtbot.waitUntil(lambda: not row.slider.findChildren(FocusRing))
    QTest.mouseClick(row.slider, Qt.MouseButton.LeftButton)
    assert window.focusWidget() is row.slider
    assert not row.slider.findChildren(FocusRing)


@pytest.mark.panels("source")
def test_the_keys_of_the_next_match_act_in_the_find_field_too(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    window.docks.docks["source"].show()
    bar = arm.source.find_bar
    bar.open(replacing=True)
    bar.pattern.setText("<link")
    QTest.keyClick(bar.pattern, Qt.Key.Key_Return)
    first = bar.count.text()
    for field in (bar.pattern, bar.replacement):
        window.activateWindow()
        field.setFocus()
        qtbot.waitUntil(field.hasFocus)
        QTest.keyClick(field, Qt.Key.Key_F3)
        assert bar.count.text() != first
        QTest.keyClick(field, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
        assert bar.count.text() == first
        assert field.hasFocus()


def _open_menu(qtbot: QtBot, window: MainWindow, name: str) -> QMenu:
    """Click a menu of the menu bar."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    bar, menu = window.menuBar(), window.menus.menu(name)
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.actionGeometry(menu.menuAction()).center())
    qtbot.waitUntil(menu.isVisible)
    return menu


@pytest.mark.panels("tree")
def test_escape_gives_the_keyboard_back_from_a_menu(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    arm.tree.view.setFocus()
    menu = _open_menu(qtbot, window, "File")
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    assert not menu.isVisible()
    assert window.focusWidget() is arm.tree.view
    QTest.keyClick(arm.tree.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert arm.tree.filter.hasFocus()


@pytest.mark.panels("tree")
def test_escape_in_a_menu_that_the_keyboard_opened(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    arm.tree.view.setFocus()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(arm.tree.view, Qt.Key.Key_Alt)
    assert window.menuBar().hasFocus()
    QTest.keyClick(window.menuBar(), Qt.Key.Key_Down)
    menu = window.menus.menu("File")
    qtbot.waitUntil(menu.isVisible)
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    assert window.focusWidget() is arm.tree.view


@pytest.mark.panels("tree", "source")
@pytest.mark.parametrize("panel", ["tree", "source"])
def test_a_key_that_source_and_window_have_means_the_same_from_the_menu_bar(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, panel: str
) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.docks.reveal(panel)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Alt)
    assert window.menuBar().hasFocus()
    # As the window system does: the key goes to what has the keyboard once the shortcuts have been looked at.
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert (arm.tree.filter if panel == "tree" else arm.source.find_bar.pattern).hasFocus()


@pytest.mark.panels("tree")
def test_a_letter_in_the_menu_bar_opens_a_menu(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    arm.tree.view.setFocus()
    QTest.keyClick(arm.tree.view, Qt.Key.Key_Alt)
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_F)  # also the key that looks at the selection
    menu = window.menus.menu("File")
    qtbot.waitUntil(menu.isVisible)
    QTest.keyClick(menu, Qt.Key.Key_Escape)
