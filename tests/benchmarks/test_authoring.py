"""How long the clicks that examine and edit a robot keep the window's thread from answering.

Processor time of that thread until the click has been handled, so that other programs on the machine change it little.
The picture follows by itself; drawing it is measured elsewhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.benchmarks.conftest import NAME, ROBOT
from tests.benchmarks.test_reaction import open_in_window

if TYPE_CHECKING:
    from sdfviewer.gui.shell.files.open_file import OpenFile

pytestmark = pytest.mark.gui

LINK, OTHER, THIRD = (f"{NAME}::{link}" for link in ("l_elbow_flex_link", "r_forearm_roll_link", "base_footprint"))
#: What a click does, yielded by a step that has prepared it; behind the yield it is taken back.
Step = Callable[["Desk"], Iterator[Callable[[], object]]]


class Desk:
    """The PR2 in the real window, and a hand on its actions."""

    def __init__(self, file: OpenFile) -> None:
        from sdfviewer.gui.shell.window import MainWindow

        window = file.view.window()
        assert isinstance(window, MainWindow)
        self.file, self.window = file, window

    def wait(self) -> None:
        """Let what follows by itself follow."""
        from PySide6.QtTest import QTest

        QTest.qWait(200)

    def run(self, action: str) -> None:
        self.window.actions_by_id[action].trigger()

    def select(self, *names: str) -> None:
        self.file.session.select(names)
        self.wait()

    def undo_all(self) -> None:
        while self.file.session.can_undo:
            self.run("edit.undo")
        self.wait()


def action(id: str, *, back: str) -> Step:
    """Return the step that triggers an action of the window; another one takes it back."""

    def step(desk: Desk) -> Iterator[Callable[[], object]]:
        desk.select(LINK)
        yield lambda: desk.run(id)
        desk.run(back)

    return step


def dialog(id: str, *selected: str) -> Step:
    """Return the step that opens a dialog."""

    def step(desk: Desk) -> Iterator[Callable[[], object]]:
        desk.select(*selected)
        yield lambda: desk.run(id)
        assert desk.window.app.dialog is not None
        desk.window.app.dialog.reject()

    return step


def accepting(id: str, *selected: str) -> Step:
    """Return the step that accepts a dialog with what it proposes."""

    def step(desk: Desk) -> Iterator[Callable[[], object]]:
        desk.select(*selected)
        desk.run(id)
        desk.wait()
        form = desk.window.app.dialog
        assert form is not None
        yield form.accept
        assert desk.file.session.can_undo
        desk.undo_all()

    return step


def commit_a_pose(desk: Desk) -> Iterator[Callable[[], object]]:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    desk.select(LINK)
    desk.run("edit.pose")
    field = desk.file.properties.pose.fields[0]
    field.selectAll()
    QTest.keyClicks(field, "0.5")
    desk.wait()
    yield lambda: QTest.keyClick(field, Qt.Key.Key_Return)
    desk.undo_all()


def undo_a_pose(desk: Desk) -> Iterator[Callable[[], object]]:
    for commit in commit_a_pose(desk):
        commit()
        desk.wait()
        yield lambda: desk.run("edit.undo")


def select_a_link(desk: Desk) -> Iterator[Callable[[], object]]:
    desk.select(OTHER)
    yield lambda: desk.file.session.select([LINK])


def make_see_through(desk: Desk) -> Iterator[Callable[[], object]]:
    session = desk.file.session
    before = session.visibility
    yield lambda: session.set_visibility(before.with_opacity([LINK], 0.5))
    session.set_visibility(before)


def drag_a_section(desk: Desk) -> Iterator[Callable[[], object]]:
    session = desk.file.session
    desk.run("section.z")
    desk.wait()
    section = session.section
    assert section is not None
    yield lambda: session.set_section(section.moved(0.1))
    desk.run("section.off")


def measure(desk: Desk) -> Iterator[Callable[[], object]]:
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest

    canvas = desk.file.view.canvas
    assert canvas is not None
    desk.select(LINK)
    desk.run("tool.measure_from")
    desk.wait()
    at = QPoint(canvas.width() // 2, canvas.height() // 2)
    yield lambda: QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    desk.run("tool.select")
    desk.file.session.set_measurements(())


def scrub_a_motion(desk: Desk) -> Iterator[Callable[[], object]]:
    desk.window.docks.show("joints")
    desk.file.joints.show_motion(True)
    strip = desk.file.joints.motion
    for value in (0.0, -1.0):
        desk.file.session.move_joints({f"{NAME}::l_elbow_flex_joint": (value,)})
        strip.add_keyframe()
    strip.bar.collide.setChecked(True)
    desk.wait()
    yield lambda: strip.ruler.sought.emit(0.4)
    strip.bar.collide.setChecked(False)
    while strip.timeline.keyframes:
        strip.change(strip.timeline.without(0))
    desk.file.joints.show_motion(False)
    desk.run("joints.reset")


STEPS: dict[str, Step] = {
    "select a link": select_a_link,
    "hide a link": action("visible.hide", back="visible.all"),
    "make a link see-through": make_see_through,
    "cut along an axis": action("section.x", back="section.off"),
    "drag a section plane": drag_a_section,
    "measure": measure,
    "open Add Link": dialog("edit.add_link", LINK),
    "add a link": accepting("edit.add_link", LINK),
    "add a visual": accepting("edit.add_visual", LINK),
    "add a sensor": accepting("edit.add_sensor", LINK),
    "open Mate Frames": dialog("edit.mate", OTHER, LINK),
    "mate frames": accepting("edit.mate", OTHER, LINK),
    "distribute frames": accepting("edit.distribute", OTHER, THIRD, LINK),
    "commit a pose": commit_a_pose,
    "undo a pose": undo_a_pose,
    "open Remove": dialog("edit.remove", LINK),
    "remove a link": accepting("edit.remove", LINK),
    "scrub a motion": scrub_a_motion,
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Open a robot of a hundred links in the real window, once for all steps."""
    for file in open_in_window(ROBOT, tmp_path_factory.mktemp("settings"), lambda _names: LINK):
        yield Desk(file)


@pytest.mark.target(0.05)
@pytest.mark.benchmark(timer=time.thread_time)
@pytest.mark.parametrize("what", STEPS)
def test_handle_a_click_in_the_window(benchmark: BenchmarkFixture, desk: Desk, what: str) -> None:
    benchmark.extra_info["on"] = f"{NAME}: {what}"
    running: list[Iterator[Callable[[], object]]] = []

    def prepare() -> tuple[tuple[Callable[[], object]], dict[str, object]]:
        finish()
        running.append(STEPS[what](desk))
        act = next(running[-1])
        desk.wait()
        return (act,), {}

    def finish() -> None:
        desk.wait()
        while running:
            next(running.pop(), None)

    benchmark.pedantic(lambda act: act(), setup=prepare, rounds=5, warmup_rounds=1)
    finish()
