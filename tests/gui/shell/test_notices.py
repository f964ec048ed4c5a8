"""Notices that float over the view."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.notice import NoticeBar
from sdfviewer.gui.shell.window import MainWindow

pytestmark = pytest.mark.pictures


def shown(bar: NoticeBar) -> list[str]:
    frames = {topic: bar.findChildren(QFrame, f"notice_{topic}") for topic in bar.topics}  # with those that are going
    return [topic for topic, found in frames.items() if any(frame.isVisible() for frame in found)]


def test_many_notices_leave_room_for_the_view(qtbot: QtBot) -> None:
    bar = NoticeBar()
    qtbot.addWidget(bar)
    bar.show()
    answered: list[str] = []
    for topic in "abcde":
        bar.ask(topic, f"Unsaved changes to {topic} were stored.", {"Restore": partial(answered.append, topic)})
    assert shown(bar) == ["d", "e"]
    assert bar.more.text() == "Show 3 more notices"
    bar.withdraw("e")
    assert shown(bar) == ["c", "d"]
    assert bar.more.text() == "Show 2 more notices"
    QTest.mouseClick(bar.more, Qt.MouseButton.LeftButton)
    assert shown(bar) == ["a", "b", "c", "d"]
    assert not bar.more.isVisible()
    frame = bar.findChild(QFrame, "notice_a")
    assert isinstance(frame, QFrame)
    QTest.mouseClick(frame.findChild(QPushButton), Qt.MouseButton.LeftButton)
    assert answered == ["a"]
    assert shown(bar) == ["b", "c", "d"]


def test_what_is_said_about_the_file_is_in_sight_before_all_else(qtbot: QtBot) -> None:
    """The offer of the tour and files that a crash had left hid the button that finds missing models."""
    bar, file = NoticeBar(), object()
    qtbot.addWidget(bar)
    bar.show()
    bar.follow(file)
    bar.ask("errors", "2 models are not found.", {"Use ../models": lambda: None}, about=file)
    for topic in "abc":
        bar.ask(topic, f"Unsaved changes to {topic} were stored.", {"Restore": lambda: None})
    bar.ask("news", "The file is open in another window, too.", {})
    bar.ask("tour", "New here?", {"Take the Tour": lambda: None}, is_offer=True)
    assert shown(bar) == ["errors", "c"]
    for topic in "abc":
        bar.withdraw(topic)
    assert shown(bar) == ["errors", "news"]
    host = QWidget()
    qtbot.addWidget(host)
    column = QVBoxLayout(host)
    view = QWidget()
    column.addWidget(view)
    bar.setParent(host)
    host.resize(400, 700)
    host.show()
    bar.float_over(view)
    qtbot.waitUntil(lambda: shown(bar) == ["errors"])
    host.resize(900, 700)
    qtbot.waitUntil(lambda: shown(bar) == ["errors", "news"])


def test_a_notice_that_says_more_of_the_same_does_not_hide_a_newer_question(qtbot: QtBot) -> None:
    """ "2 files are not found", said again, hid the question whether the changed file may be evaluated."""
    bar, file = NoticeBar(), object()
    qtbot.addWidget(bar)
    bar.show()
    bar.follow(file)
    for topic in ("errors", "saved", "question", "errors"):
        bar.ask(topic, f"{topic}: what now?", {"Do It": lambda: None}, about=file)
    assert shown(bar) == ["saved", "question"]
    bar.withdraw("saved")
    assert shown(bar) == ["errors", "question"]


def test_a_question_is_in_front_of_what_is_said_later(qtbot: QtBot) -> None:
    bar, file = NoticeBar(), object()
    qtbot.addWidget(bar)
    bar.show()
    bar.follow(file)
    bar.ask("evaluate", "Evaluate it?", {"Evaluate": lambda: None}, about=file, is_question=True)
    for topic in ("errors", "written", "converted"):
        bar.ask(topic, topic, {"Show": lambda: None}, about=file)
    bar.ask("errors", "2 files are not found.", {"Locate…": lambda: None}, about=file)
    assert "evaluate" in shown(bar)


def test_what_is_said_about_the_file_is_above_an_offer_that_came_before(qtbot: QtBot) -> None:
    bar = NoticeBar()
    qtbot.addWidget(bar)
    bar.ask("tour", "New here?", {"Take the Tour": lambda: None}, is_offer=True)
    bar.ask("errors", "2 models are not found.", {"Use ../models": lambda: None})
    bar.show()
    places = [bar.findChild(QWidget, f"notice_{topic}").geometry() for topic in ("errors", "tour")]
    assert places[0].bottom() < places[1].top()


def test_notices_cover_little_of_the_view_of_a_laptop(qtbot: QtBot) -> None:
    """Three of them, and a button below, hid the feet of a robot on a screen of 1366 by 768 pixels."""
    host, file = QWidget(), object()
    qtbot.addWidget(host)
    view, bar = QWidget(), NoticeBar(host)
    view.setParent(host)
    view.resize(1030, 500)
    host.resize(view.size())
    bar.follow(file)
    bar.ask("errors", "2 models are not found.", {"Use ../models": lambda: None}, about=file)
    bar.ask("news", "The file is open in another window, too.", {})
    bar.ask("tour", "New here?", {"Take the Tour": lambda: None}, is_offer=True)
    host.show()
    bar.float_over(view)
    notice = bar.findChild(QFrame, "notice_errors")
    assert isinstance(notice, QFrame)
    qtbot.waitUntil(lambda: notice.width() > 400 and bar.height() <= 2 * bar.more.height())
    assert shown(bar) == ["errors"]
    assert bar.geometry().bottom() == view.height() - 1 - bar.GAP
    assert bar.more.isVisible()
    QTest.mouseClick(bar.more, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shown(bar) == ["errors", "news", "tour"] and bar.geometry().top() > 300)


def test_a_notice_about_a_file_is_in_sight_only_beside_it(qtbot: QtBot) -> None:
    bar = NoticeBar()
    qtbot.addWidget(bar)
    bar.show()
    first, second = object(), object()
    bar.ask("general", "Unsaved changes were stored.", {})
    bar.ask("errors", "The first file has 4 errors.", {}, about=first)
    bar.follow(first)
    assert shown(bar) == ["general", "errors"]
    bar.follow(second)
    assert shown(bar) == ["general"]
    bar.withdraw("general")
    assert not bar.isVisible(), "an empty stack takes no room"
    bar.follow(first)
    assert shown(bar) == ["errors"]


@pytest.mark.parametrize("width", [1200, 560, 436])
def test_the_text_of_a_notice_is_not_cut_in_a_narrow_window(qtbot: QtBot, width: int) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    bar, view = NoticeBar(), QWidget()
    column.addWidget(bar)
    column.addWidget(view, 1)
    window.resize(width, 300)
    window.show()
    text = "px4.sdf has 1 error. 1 model is not downloaded. The Debug workspace shows the graphs and the source."
    bar.ask("errors", text, {"Download…": lambda: None, "Debug": lambda: None})
    label = next(each for each in bar.findChildren(QLabel) if each.text().startswith("px4.sdf"))
    qtbot.waitUntil(lambda: label.width() > 60 and label.isVisible())
    needed = label.heightForWidth(label.width())
    assert label.height() >= needed, "no line is cut"
    assert needed <= 3 * label.fontMetrics().lineSpacing() + 2
    assert label.text() == text
    assert label.toolTip() == ""
    long = " ".join(f"{number} models are not found." for number in range(40))
    bar.ask("errors", long, {"Debug": lambda: None})
    label = next(each for each in bar.findChildren(QLabel) if each.text().startswith("0 models"))
    qtbot.waitUntil(lambda: label.width() > 60 and label.isVisible())
    assert label.text().endswith("…")
    assert long.startswith(label.text()[:-2])
    assert label.toolTip() == long


def test_answers_that_become_wider_go_below_their_text(qtbot: QtBot) -> None:
    """``has 1 error. 1 model is …`` was beside two answers, which were wider than when the notice got its width."""
    bar = NoticeBar()
    qtbot.addWidget(bar)
    bar.resize(520, 200)
    bar.show()
    text = "world_merge_include.sdf has 1 error. 1 model is not found."
    bar.ask("errors", text, {"Locate": lambda: None, "Debug": lambda: None})
    label = next(each for each in bar.findChildren(QLabel) if each.text() == text)
    [locate, debug] = [each for each in bar.findChildren(QPushButton) if each is not bar.more]
    qtbot.waitUntil(lambda: locate.mapTo(bar, QPoint()).x() > label.mapTo(bar, label.rect().topRight()).x() > 100)
    for button in (locate, debug):
        button.setText("A button with a long text")
    qtbot.waitUntil(lambda: locate.mapTo(bar, QPoint()).y() > label.mapTo(bar, label.rect().bottomLeft()).y())
    assert label.text() == text


def test_what_is_fitted_and_what_is_said_of_it_is_clear_of_notices(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    """The feet of a robot, the names there and the name under the mouse were below the notices."""
    canvas = arm.view.canvas
    assert canvas is not None
    window.notices.ask("test", "The file has errors. " * 20, {"Debug": lambda: None, "Locate…": lambda: None})
    qtbot.waitUntil(lambda: not canvas.covered_by_notices.isEmpty() and canvas.is_settled)
    control, covered = canvas.camera_control, canvas.covered_by_notices
    control.move_to(replace(canvas.camera, distance=canvas.camera.distance * 0.5))
    control.fit()
    qtbot.waitUntil(lambda: not control.is_flying and canvas.is_settled)
    pixels, _ = canvas.camera.project(canvas.compared.outline(), canvas.width(), canvas.height())
    is_inside = (pixels >= (covered.left(), covered.top())) & (pixels <= (covered.right(), covered.bottom()))
    assert not is_inside.all(axis=1).any()
    arm.context.highlights.hover(arm.session.model.names[-1])
    [hint] = canvas.findChildren(QLabel, "hover_name")
    qtbot.waitUntil(
        lambda: hint.isVisible() and not QRect(hint.mapTo(canvas, QPoint()), hint.size()).intersects(covered)
    )


def test_the_list_of_measurements_is_above_the_notices(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    canvas = arm.view.canvas
    assert canvas is not None
    window.actions_by_id["tool.measure"].trigger()
    panel = canvas.tools.measure.panel
    window.notices.ask("test", "The file has errors. " * 20, {"Debug": lambda: None, "Locate…": lambda: None})
    qtbot.waitUntil(lambda: panel.isVisible() and not canvas.covered_by_notices.isEmpty() and canvas.is_settled)
    assert not panel.geometry().intersects(canvas.covered_by_notices)
    assert canvas.rect().contains(panel.geometry())


def test_a_notice_floats_over_the_view_and_moves_nothing(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    """Each one made the view lower, and so moved the camera."""
    canvas = arm.view.canvas
    assert canvas is not None
    size, camera = canvas.size(), canvas.camera
    window.notices.ask("test", "The file has errors. " * 20, {"Debug": lambda: None, "Locate…": lambda: None})
    inside = QRect(canvas.mapTo(window, QPoint()), canvas.size())

    def is_placed() -> bool:
        notices = window.notices
        return notices.isVisible() and inside.contains(QRect(notices.mapTo(window, QPoint()), notices.size()))

    qtbot.waitUntil(is_placed)
    assert (canvas.size(), canvas.camera) == (size, camera)
    window.resize(window.width() - 100, window.height() - 60)
    qtbot.waitUntil(lambda: canvas.size() != size)
    inside = QRect(canvas.mapTo(window, QPoint()), canvas.size())
    qtbot.waitUntil(is_placed)
    size = canvas.size()
    window.notices.withdraw("test")
    assert not window.notices.isVisible()
    assert canvas.size() == size


def test_a_notice_appears_at_its_place(window: MainWindow, arm: OpenFile) -> None:
    """While a file opened, a blank box lay over the upper left of the view."""
    canvas, notices = arm.view.canvas, window.notices
    assert canvas is not None
    for topic in notices.topics:
        notices.withdraw(topic)
    assert not notices.isVisible()
    notices.ask("test", "The file has errors.", {"Debug": lambda: None})
    assert notices.isVisible()
    place = QRect(notices.mapTo(window, QPoint()), notices.size())
    assert QRect(canvas.mapTo(window, QPoint()), canvas.size()).contains(place)
    assert place.top() > window.height() / 3


def test_notices_about_a_file_go_with_it(qtbot: QtBot) -> None:
    bar = NoticeBar()
    qtbot.addWidget(bar)
    file, other = object(), object()
    bar.ask("errors", "It has errors.", {"Debug": lambda: None}, about=file)
    bar.ask("converted", "It is converted.", {}, about=file)
    bar.ask("elsewhere", "It is another file.", {}, about=other)
    bar.ask("general", "It is about no file.", {})
    bar.forget(file)
    assert bar.topics == ("elsewhere", "general")


def test_notices_wait_until_there_is_a_view_to_lie_over(window: MainWindow, arm: OpenFile, qtbot: QtBot) -> None:
    """While a large world was being opened, one lay in the corner of the window, as high as half of it."""
    window.notices.ask("tour", "New here?", {})
    qtbot.waitUntil(window.notices.isVisible)
    window.views.hide()
    qtbot.waitUntil(lambda: not window.notices.isVisible())
    window.views.show()
    qtbot.waitUntil(window.notices.isVisible)
    assert window.notices.height() < window.views.height() / 2
