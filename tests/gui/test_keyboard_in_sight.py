"""Keys reach only what is seen: a click shows a place without taking the keyboard there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QLabel,
    QPushButton,
    QTabBar,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from sdfviewer.gui.graphs.graph_canvas import GraphCanvas
from sdfviewer.gui.kit.fields import NumberField
from sdfviewer.gui.shell.docks import DOCKS
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from tests.gui.kept_window import ALL_PANELS

pytestmark = pytest.mark.panels(*ALL_PANELS)


def click(widget: QWidget, at: QPoint) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


def is_seen(widget: QWidget) -> bool:
    return widget.isVisible() and not widget.visibleRegion().isEmpty()


def keyboard_is_seen(window: MainWindow) -> bool:
    """Return whether what has the keyboard is in sight, in this window or in a dialog of it."""
    widget = QApplication.focusWidget() or window.focusWidget()
    return widget is None or is_seen(widget)


def show_problems(qtbot: QtBot, window: MainWindow, file: OpenFile) -> None:
    window.status.problems.click()
    qtbot.waitUntil(lambda: is_seen(file.panels["problems"]))


def test_a_click_on_a_problem_leaves_the_keyboard_in_the_list_and_a_double_click_brings_its_line_in_sight(
    qtbot: QtBot, window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    """The row opened the source as a tab behind the problems, and gave it the keyboard.

    After a double click the line could be seen only by a further click on the tab of the source. Where the source was
    beside the problems it had the keyboard, too, so that an arrow key moved the caret and not the row.
    """
    window.resize(1366, 768)
    file = open_example("relative_to_cycle")
    window.docks.docks["source"].hide()
    text = file.session.document.text
    show_problems(qtbot, window, file)
    view = file.problems.view
    at = view.visualRect(view.model().index(0, 1)).center()
    click(view.viewport(), at)
    qtbot.waitUntil(lambda: not window.docks.docks["source"].isHidden())
    assert keyboard_is_seen(window)
    assert not window.docks.has_focus("source")
    for key in (Qt.Key.Key_F, Qt.Key.Key_Delete):
        QTest.keyClick(window.focusWidget(), key)
    file.source.flush()
    assert file.session.document.text == text, "letters edit the source"

    window.docks.docks["source"].hide()
    click(view.viewport(), at)
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    qtbot.waitUntil(lambda: is_seen(file.source.editor) and window.docks.has_focus("source"))
    assert file.source.editor.marks.place is not None

    window.docks.show_beside("source", "problems")
    QApplication.processEvents()
    click(view.viewport(), view.visualRect(view.model().index(0, 1)).center())
    assert window.docks.has_focus("problems")
    assert file.source.editor.marks.place is not None, "the source shows it all the same"


def test_a_link_to_a_line_brings_the_source_in_front_of_the_problems(
    qtbot: QtBot, window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    """The source became a tab behind the problems, and nothing was seen of the line."""
    window.resize(1366, 768)
    file = open_example("nested_gripper")
    window.docks.docks["source"].hide()
    show_problems(qtbot, window, file)
    assert file.session.model is not None
    file.session.select((file.session.model.names[-1],))
    file.properties.sentence.linkActivated.emit("place")
    qtbot.waitUntil(lambda: is_seen(file.source.editor))
    assert not window.docks.has_focus("source")
    assert keyboard_is_seen(window)


def test_neither_a_notice_nor_a_bar_of_tabs_that_goes_leaves_the_keyboard_out_of_sight(
    qtbot: QtBot, window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    """The button of a notice went away, and Qt gave the keyboard to what comes next: a number of a joint behind a tab.

    Where a panel fills the window, the bar was hidden with its panels a moment later, and kept the keyboard.
    """
    window.resize(960, 540)
    file = open_example("gripper_arm")
    qtbot.waitUntil(lambda: window.docks.is_behind("joints"))
    window.notices.ask("topic", "Use it?", {"Use": lambda: None})
    button = next(each for each in window.findChildren(QPushButton) if each.text() == "Use" and each.isVisible())
    QWidget.setTabOrder(button, file.joints.findChild(NumberField))  # as where the joints come after the notice
    button.setFocus()
    button.click()
    assert keyboard_is_seen(window)

    assert window.docks.is_behind("joints")
    bar = next(bar for bar in window.findChildren(QTabBar) if is_seen(bar) and bar.count() > 1)
    bar.setFocus()
    window.workspaces.maximize("tree")
    qtbot.waitUntil(lambda: not is_seen(bar))
    qtbot.waitUntil(lambda: keyboard_is_seen(window))
    assert window.docks.has_focus("tree")


def test_the_tab_that_covers_the_source_takes_its_keyboard(
    qtbot: QtBot, window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    """A click on the tab of another panel left the keyboard in the editor behind it."""
    file = open_example("relative_to_cycle")
    show_problems(qtbot, window, file)
    window.tabifyDockWidget(window.docks.docks["problems"], window.docks.docks["source"])
    window.docks.reveal("source")
    file.source.editor.setFocus()
    qtbot.waitUntil(lambda: window.docks.is_behind("problems"))
    bar, number = next(
        (bar, number)
        for bar in window.findChildren(QTabBar)
        for number in range(bar.count())
        if bar.tabText(number) == "Problems" and is_seen(bar)
    )
    click(bar, bar.tabRect(number).center())
    qtbot.waitUntil(lambda: window.docks.is_behind("source"))
    qtbot.waitUntil(lambda: window.docks.has_focus("problems"))


def _places(widget: QWidget) -> Iterator[tuple[QWidget, QPoint]]:
    """Yield where a widget may be clicked that shows things of the file: rows, links, vertices."""
    if isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView):
        model, area = widget.model(), widget.viewport().rect()
        root = widget.rootIndex()
        for row in range(min(model.rowCount(root), 8)):
            for column in range(widget.horizontalHeader().count() if isinstance(widget, QTableView) else 1):
                shown = widget.visualRect(model.index(row, column, root)) & area
                if not shown.isEmpty():
                    yield widget.viewport(), shown.center()
    elif isinstance(widget, QLabel) and "<a " in widget.text():
        for part in range(1, 8):
            yield widget, QPoint(widget.width() * part // 8, widget.height() // 2)
    elif isinstance(widget, GraphCanvas):
        graph: QRect = widget.rect()
        for across in range(1, 6):
            for down in range(1, 5):
                yield widget, QPoint(graph.width() * across // 6, graph.height() * down // 5)


@pytest.mark.parametrize("name", ["relative_to_cycle", "nested_gripper"])
def test_no_click_on_what_a_panel_shows_gives_the_keyboard_to_the_source(
    qtbot: QtBot, window: MainWindow, open_example: Callable[[str], OpenFile], name: str
) -> None:
    window.resize(1366, 768)
    file = open_example(name)
    panels = [spec.id for spec in DOCKS if spec.id != "source"]
    for panel in ["problems"] if name == "relative_to_cycle" else panels:
        if file.session.model is not None:
            file.session.select((file.session.model.names[-1],))
        window.docks.reveal(panel)
        shown = file.panels[panel]
        qtbot.waitUntil(partial(is_seen, shown))
        for widget in (shown, *shown.findChildren(QWidget)):
            for target, at in list(_places(widget)) if is_seen(widget) else ():
                click(target, at)
                assert keyboard_is_seen(window), f"{panel}, {widget.accessibleName()} at {at}"
                assert not window.docks.has_focus("source"), f"{panel}, {widget.accessibleName()} at {at}"
