"""The motion strip: keyframes, sweeps, collisions, joint states and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.joints import panel
from sdfviewer.gui.joints.collisions import ContactList
from sdfviewer.gui.joints.joint_rows import JointRow
from sdfviewer.gui.joints.motion_bar import MotionBar
from sdfviewer.gui.joints.motion_plan import describe_collisions
from sdfviewer.gui.joints.motion_strip import MotionStrip
from sdfviewer.gui.joints.panel import JointsPanel
from sdfviewer.gui.kit.labels import ElidedLines
from sdfviewer.gui.operations.columns import ColumnsDialog
from sdfviewer.gui.shell.actions.table import ACTIONS
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.recording import Recording
from sdfviewer.gui.shell.refusals import NO_MOTION, why_refused
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.opengl import probe
from sdfviewer.model.kinematics.motion import Easing
from sdfviewer.scene.contacts import LinkContact
from sdfviewer.session.session import Session

pytestmark = pytest.mark.panels("joints")

SHOULDER, ELBOW = "arm::joint_2", "arm::joint_3"


@pytest.fixture
def strip(window: MainWindow, arm: OpenFile, qtbot: QtBot) -> MotionStrip:
    window.docks.show("joints")
    window.actions_by_id["joints.motion"].trigger()
    strip = arm.joints.motion
    qtbot.waitUntil(strip.isVisible)
    return strip


class Desk:
    """The panel of the joints alone, with its motion strip."""

    def __init__(self, qtbot: QtBot, settings: Settings, path: Path) -> None:
        self.session = Session.open(path)
        self.context = DocumentContext(self.session)
        self.joints = JointsPanel(self.context, settings)
        qtbot.addWidget(self.joints)
        self.joints.resize(420, 700)
        self.joints.show_motion(True)
        with qtbot.waitExposed(self.joints):
            self.joints.show()


@pytest.fixture
def desk(qtbot: QtBot, settings: Settings, example: Callable[[str], Path]) -> Iterator[Desk]:
    desk = Desk(qtbot, settings, example("arm"))
    yield desk
    desk.joints.close_threads()
    desk.context.close()


def add_keyframe(strip: MotionStrip, arm: OpenFile | Desk, **positions: float) -> None:
    arm.session.move_joints({f"arm::{name}": (value,) for name, value in positions.items()})
    strip.add_keyframe()


def planned(strip: MotionStrip, qtbot: QtBot) -> None:
    """Wait until the motion is that of the keyframes, or of the joint that is swept."""

    def ready() -> bool:
        plan = strip.player.plan
        if plan is None:
            return False
        if strip.swept is not None:
            return plan.sweep is not None and plan.sweep.dof.name == strip.swept
        return plan.sweep is None and len(plan.trajectory.times) == len(strip.timeline.keyframes)

    qtbot.waitUntil(ready)


def test_the_strip_is_hidden_until_it_is_asked_for(window: MainWindow, arm: OpenFile) -> None:
    assert arm.joints.motion.isHidden()
    window.docks.docks["joints"].hide()  # as behind another panel on a small screen
    window.actions_by_id["joints.motion"].trigger()
    assert not arm.joints.motion.isHidden()
    assert window.docks.docks["joints"].isVisible()
    window.actions_by_id["joints.motion"].trigger()
    assert arm.joints.motion.isHidden()


def test_keyframes_are_played_with_easing(desk: Desk, qtbot: QtBot) -> None:
    strip = desk.joints.motion
    add_keyframe(strip, desk, joint_2=0.0)
    add_keyframe(strip, desk, joint_2=1.0)
    add_keyframe(strip, desk, joint_2=0.5, joint_3=0.2)
    assert [each.time for each in strip.timeline.keyframes] == [0.0, 1.0, 2.0]
    planned(strip, qtbot)
    strip.ruler.sought.emit(0.25)
    assert desk.session.positions[SHOULDER] == pytest.approx((0.15625,))
    menu = QMenu()
    strip.fill_keyframe_menu(menu, 0)
    easings = menu.findChildren(QMenu)[0]
    next(each for each in easings.actions() if each.text() == "Linear").trigger()
    assert strip.timeline.keyframes[0].easing is Easing.LINEAR
    qtbot.waitUntil(lambda: strip.player.plan.trajectory.easings[0] is Easing.LINEAR)
    strip.ruler.sought.emit(0.25)
    assert desk.session.positions[SHOULDER] == pytest.approx((0.25,))


def test_keyframes_are_dragged_updated_and_removed(desk: Desk, qtbot: QtBot) -> None:
    strip = desk.joints.motion
    add_keyframe(strip, desk, joint_2=0.0)
    add_keyframe(strip, desk, joint_2=1.0)
    planned(strip, qtbot)
    ruler = strip.ruler
    start = QPoint(round(ruler.x_at(1.0)), ruler.height() - 12)
    QTest.mousePress(ruler, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    assert ruler.selected == 1
    assert desk.session.positions[SHOULDER] == (1.0,)
    end = QPoint(round(ruler.x_at(0.5)), start.y())
    wanted = ruler.time_at(end.x())
    # QTest moves the mouse without its button.
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    move = QMouseEvent(QEvent.Type.MouseMove, QPointF(end), QPointF(ruler.mapToGlobal(end)), left, left, none)
    QApplication.sendEvent(ruler, move)
    QTest.mouseRelease(ruler, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, end)
    desk.session.move_joints({SHOULDER: (0.75,)})
    assert strip.timeline.keyframes[1].time == pytest.approx(wanted)
    menu = QMenu()
    strip.fill_keyframe_menu(menu, 1)
    next(each for each in menu.actions() if each.text().startswith("Update")).trigger()
    assert strip.timeline.keyframes[1].positions[SHOULDER] == (0.75,)
    ruler.select(1)
    QTest.keyClick(ruler, Qt.Key.Key_Delete)
    assert len(strip.timeline.keyframes) == 1


def test_a_timeline_is_there_at_the_next_start_and_follows_renamed_joints(
    strip: MotionStrip, arm: OpenFile, window: MainWindow
) -> None:
    add_keyframe(strip, arm, joint_2=0.75)
    model = arm.session.model
    arm.context.edits.rename(model.row(SHOULDER), "lift")
    assert strip.timeline.keyframes[0].positions == {"arm::lift": (0.75,)}
    path = arm.session.path
    arm.session.undo()
    window.files.drop(arm)
    window.files.open([path])
    again = window.current.joints.motion
    assert again.timeline.keyframes[0].positions == {SHOULDER: (0.75,)}


def test_saved_poses_become_keyframes(desk: Desk) -> None:
    strip = desk.joints.motion
    for name, value in (("up", 0.5), ("down", -0.5)):
        desk.session.move_joints({SHOULDER: (value,)})
        desk.joints.kept.poses.save(name)
    strip.use_saved_poses()
    assert [(each.name, each.time) for each in strip.timeline.keyframes] == [("up", 0.0), ("down", 1.0)]


def test_a_sweep_draws_the_way_of_the_selected_frame(desk: Desk, qtbot: QtBot) -> None:
    strip = desk.joints.motion
    desk.session.select(("arm::grasp",))
    strip.bar.trace.setChecked(True)
    strip.sweep(SHOULDER)
    planned(strip, qtbot)
    qtbot.waitUntil(lambda: desk.context.motion.marks.path is not None)
    kinematics = desk.session.kinematics
    row = kinematics.model.row("arm::grasp")
    expected = kinematics.poses(strip.player.plan.trajectory.q, [row])[:, 0, :3, 3]
    assert np.array_equal(desk.context.motion.marks.path, expected)
    strip.bar.trace.setChecked(False)
    qtbot.waitUntil(lambda: desk.context.motion.marks.path is None)


def test_the_strip_says_that_a_sweep_is_being_computed(desk: Desk, qtbot: QtBot) -> None:
    strip = desk.joints.motion
    add_keyframe(strip, desk, joint_1=0.5)
    add_keyframe(strip, desk, joint_1=1.0)
    planned(strip, qtbot)
    strip.sweep(SHOULDER)
    assert strip.findChild(ElidedLines).full_text == "Computing the sweep…"
    assert not strip.bar.play.isEnabled()
    planned(strip, qtbot)
    assert strip.bar.play.isEnabled()


def test_a_sweep_goes_on_from_where_the_joint_is(desk: Desk, qtbot: QtBot) -> None:
    strip = desk.joints.motion
    desk.session.move_joints({SHOULDER: (0.4,)})
    strip.sweep(SHOULDER)
    planned(strip, qtbot)
    assert strip.player.plan.value_at(strip.player.time) == pytest.approx(0.4)
    strip.player.advance(0.1)
    assert desk.session.positions[SHOULDER][0] == pytest.approx(0.4 + 0.1 * 3.6 / 4.0)
    assert strip.player.plan is not None
    strip.player.seek(4.0)
    strip.player.advance(0.1)
    strip.player.advance(0.1)
    # At its end it turns back.
    assert desk.session.positions[SHOULDER][0] < 2.2


def test_links_that_collide_are_listed_and_lit(desk: Desk, qtbot: QtBot) -> None:
    strip = desk.joints.motion
    strip.sweep(SHOULDER)
    strip.bar.collide.setChecked(True)
    qtbot.waitUntil(lambda: bool(strip.contacts))
    first = strip.list.item(0)
    assert first.text() == "from 1.661 rad  base – left_finger"
    assert not first.font().bold()
    strip.player.seek(strip.contacts[0].begins + 0.05)
    model = desk.session.model
    lit = {model.names[row] for row in desk.context.motion.marks.lit}
    assert {"arm::base", "arm::left_finger"} <= lit
    assert strip.list.item(0).font().bold()
    strip.list.setCurrentRow(0)
    assert set(desk.session.selection) == {"arm::base", "arm::left_finger"}
    strip.bar.collide.setChecked(False)
    assert not desk.context.motion.marks.lit
    assert strip.list.isHidden()


def test_links_that_collide_are_lit_while_a_slider_moves(desk: Desk, qtbot: QtBot) -> None:
    strip = desk.joints.motion
    strip.bar.collide.setChecked(True)
    assert "checking for collisions…" in strip.findChild(ElidedLines).full_text
    qtbot.waitUntil(lambda: "no collision here" in strip.findChild(ElidedLines).full_text)
    desk.session.move_joints({SHOULDER: (2.0,)})
    row = desk.session.model.row("arm::base")
    qtbot.waitUntil(lambda: row in desk.context.motion.marks.lit)
    # The value that the sweep finds too.
    assert strip.list.item(0).text() == "from joint_2 at 1.661 rad  base – left_finger"
    desk.session.move_joints({SHOULDER: (0.0,)})
    qtbot.waitUntil(lambda: not desk.context.motion.marks.lit)


def test_an_edit_ends_what_is_played(desk: Desk, qtbot: QtBot) -> None:
    strip = desk.joints.motion
    strip.sweep(SHOULDER)
    planned(strip, qtbot)
    strip.player.play(True)
    model = desk.session.model
    desk.context.edits.rename(model.row(SHOULDER), "lift")
    assert not strip.player.playing
    qtbot.waitUntil(lambda: strip.player.plan is None or strip.swept is None)


def test_joint_states_are_written_and_read(
    strip: MotionStrip, window: MainWindow, arm: OpenFile, qtbot: QtBot, tmp_path: Path, monkeypatch
) -> None:
    add_keyframe(strip, arm, joint_2=0.0)
    add_keyframe(strip, arm, joint_2=1.0)
    planned(strip, qtbot)
    file = tmp_path / "states.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_options: (str(file), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args, **_options: (str(file), ""))
    window.actions_by_id["joints.save_states"].trigger()
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 27
    assert lines[0].startswith("time,arm::joint_1,arm::joint_2")
    window.actions_by_id["joints.read_states"].trigger()
    qtbot.waitUntil(lambda: len(strip.timeline.keyframes) == 26)
    assert strip.timeline.keyframes[-1].positions[SHOULDER] == (1.0,)
    file.write_text("time,arm::joint_1\n0,1\n0,2\n", encoding="utf-8")
    window.actions_by_id["joints.read_states"].trigger()
    qtbot.waitUntil(lambda: "the time must be later" in window.status.message)
    assert len(strip.timeline.keyframes) == 26


def test_columns_without_a_joint_of_their_name_are_asked_for(
    strip: MotionStrip, window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch
) -> None:
    file = tmp_path / "states.csv"
    file.write_text("stamp,effort,q2\n10,3,0.5\n11,3,0.75\n", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args, **_options: (str(file), ""))
    window.actions_by_id["joints.read_states"].trigger()
    dialog = window.app.dialog
    assert isinstance(dialog, ColumnsDialog)
    assert dialog.columns.text() == "stamp, -, -"
    assert not dialog.accept_button.isEnabled()  # no column has a joint
    dialog.columns.setText("time, -")
    assert "3 columns, but 2" in dialog.fault.text()
    dialog.columns.setText("time, -, joint_7")
    assert "no movable joint 'joint_7'" in dialog.fault.text()
    dialog.columns.setText("time, -, arm::joint_2")
    dialog.accept()
    qtbot.waitUntil(lambda: len(strip.timeline.keyframes) == 2)
    assert [each.positions[SHOULDER] for each in strip.timeline.keyframes] == [(0.5,), (0.75,)]


def test_numbers_without_names_ask_for_the_order_of_the_columns(
    strip: MotionStrip, window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch
) -> None:
    file = tmp_path / "numbers.csv"
    file.write_text("0,0.3,1.0\n1,0.5,1.2\n", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args, **_options: (str(file), ""))
    window.actions_by_id["joints.read_states"].trigger()
    dialog = window.app.dialog
    assert isinstance(dialog, ColumnsDialog)
    dialog.columns.setText("time, arm::joint_3, arm::joint_2")
    dialog.accept()
    qtbot.waitUntil(lambda: len(strip.timeline.keyframes) == 2)
    assert strip.timeline.keyframes[1].positions[ELBOW] == (0.5,)
    assert strip.timeline.keyframes[1].positions[SHOULDER] == (1.2,)


@pytest.mark.pictures
def test_a_motion_is_written_as_pictures(
    strip: MotionStrip, window: MainWindow, arm: OpenFile, qtbot: QtBot, tmp_path: Path, monkeypatch
) -> None:
    if probe().problem:
        pytest.skip(probe().problem)
    add_keyframe(strip, arm, joint_2=0.0)
    add_keyframe(strip, arm, joint_2=1.0)
    strip.change(strip.timeline.moved(1, 0.12))
    qtbot.waitUntil(lambda: strip.player.plan is not None and strip.player.plan.trajectory.end == 0.12)
    arm.session.move_joints({ELBOW: (0.3,)})
    before = dict(arm.session.positions)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_options: (str(tmp_path / "motion.gif"), ""))
    canvas = arm.view.canvas
    assert canvas is not None
    canvas.camera_control.keep_in_sight()
    on_screen, room, used, picture = canvas.camera, canvas.size(), [], canvas.picture

    def take(size: tuple[int, int]) -> object:
        used.append(canvas.camera)
        taken = picture(size)
        canvas.resize(canvas.width(), canvas.height() - 20)  # as the notice of the progress does
        canvas.camera_control.keep_in_sight()
        return taken

    monkeypatch.setattr(canvas, "picture", take)
    window.actions_by_id["joints.record"].trigger()
    window.actions_by_id["joints.record"].trigger()
    assert "still being written" in window.status.message, "Two at a time would move the joints of each other"
    qtbot.waitUntil(lambda: arm.findChild(Recording) is None)
    with Image.open(tmp_path / "motion.gif") as image:
        assert sum(1 for _ in ImageSequence.Iterator(image)) == 4
        size = image.size
    assert used == [on_screen] * 4
    # The notice of the progress makes the view lower meanwhile, and gives it its room back.
    canvas.resize(room)
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_args, **_options: (str(tmp_path / "motion"), "PNG files (*.png)")
    )
    window.actions_by_id["joints.record"].trigger()
    qtbot.waitUntil(lambda: arm.findChild(Recording) is None)
    for number in range(4):
        with Image.open(tmp_path / f"motion_{number:03}.png") as image:
            assert image.size == size
    qtbot.waitUntil(lambda: "recording" not in window.notices.topics)
    assert arm.session.positions[ELBOW] == before[ELBOW]


def test_the_sweep_of_all_joints_can_be_recorded(
    window: MainWindow, arm: OpenFile, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_options: (str(tmp_path / "sweep.gif"), ""))
    monkeypatch.setattr(panel, "SWEEP_SECONDS", 0.2)
    arm.session.move_joints({ELBOW: (0.3,)})
    spec = next(spec for spec in ACTIONS if spec.id == "joints.record")
    assert why_refused(spec, arm, [arm]) == NO_MOTION
    window.actions_by_id["joints.sweep"].setChecked(True)
    assert why_refused(spec, arm, [arm]) is None
    seen: list[float] = []
    arm.context.changed.connect(lambda _change: seen.append(arm.session.positions[ELBOW][0]))
    window.actions_by_id["joints.record"].trigger()
    assert not arm.joints.sweeping, "two motions at a time"
    qtbot.waitUntil(lambda: arm.findChild(Recording) is None)
    with Image.open(tmp_path / "sweep.gif") as image:
        assert sum(1 for _ in ImageSequence.Iterator(image)) == 6
    assert max(seen) > 0.5
    assert min(seen) < -0.5
    assert arm.joints.motion.player.plan is None


def test_pictures_of_a_motion_are_offered_only_where_there_is_a_motion(
    strip: MotionStrip, window: MainWindow, arm: OpenFile, qtbot: QtBot
) -> None:
    spec = next(spec for spec in ACTIONS if spec.id == "joints.record")
    assert why_refused(spec, arm, [arm]) == NO_MOTION
    add_keyframe(strip, arm, joint_2=0.0)
    add_keyframe(strip, arm, joint_2=1.0)
    planned(strip, qtbot)
    assert why_refused(spec, arm, [arm]) is None


def test_a_motion_of_years_is_neither_recorded_nor_written(
    strip: MotionStrip, window: MainWindow, arm: OpenFile, qtbot: QtBot, tmp_path: Path, monkeypatch
) -> None:
    file = tmp_path / "states.csv"
    file.write_text("time,arm::joint_2\n0,0\n1e9,1\n", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args, **_options: (str(file), ""))
    window.actions_by_id["joints.read_states"].trigger()
    qtbot.waitUntil(lambda: strip.player.plan is not None and strip.player.plan.trajectory.end == 1e9)
    for action, name in (("joints.save_states", "out.csv"), ("joints.record", "out.gif")):
        target = str(tmp_path / name)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, target=target, **_options: (target, ""))
        window.actions_by_id[action].trigger()
        assert "at most 100,000" in window.status.message
        assert not Path(target).exists()
    assert arm.findChild(Recording) is None


def test_a_wrong_kind_of_file_does_not_keep_a_motion_from_being_recorded(
    strip: MotionStrip, window: MainWindow, arm: OpenFile, qtbot: QtBot, tmp_path: Path, monkeypatch
) -> None:
    add_keyframe(strip, arm, joint_2=0.0)
    add_keyframe(strip, arm, joint_2=1.0)
    planned(strip, qtbot)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_options: (str(tmp_path / "a.avi"), ""))
    for _ in range(2):
        window.actions_by_id["joints.record"].trigger()
        assert "must be saved as" in window.status.message
    assert arm.findChild(Recording) is None


def entry(row: JointRow, text: str) -> QAction:
    """Return an entry of the menu of a joint's name."""
    menu = QMenu(row)
    row.label.fill_menu(menu)
    return next(each for each in menu.actions() if each.text() == text)


def test_a_joint_is_held_until_its_lock_is_clicked(arm: OpenFile, window: MainWindow) -> None:
    window.docks.show("joints")
    row = arm.joints.rows[SHOULDER]
    assert row.lock.isHidden()
    entry(row, "Hold While Dragging").trigger()
    assert arm.context.motion.held_joints == {SHOULDER}
    assert not row.lock.isHidden()
    assert row.minimumSizeHint().width() <= 260, "The lock takes its room from the name"
    arm.context.edits.rename(arm.session.model.row(SHOULDER), "lift")
    assert arm.context.motion.held_joints == {"arm::lift"}
    row = arm.joints.rows["arm::lift"]
    row.lock.click()
    assert not arm.context.motion.held_joints
    assert row.lock.isHidden()


def test_a_joint_is_moved_to_its_ends_and_swept_from_its_menu(arm: OpenFile, window: MainWindow, qtbot: QtBot) -> None:
    window.docks.show("joints")
    row = arm.joints.rows[SHOULDER]
    entry(row, "Move to Upper Limit").trigger()
    assert arm.session.positions[SHOULDER] == (row.dof.upper,)
    entry(row, "Sweep").trigger()
    assert window.actions_by_id["joints.motion"].isChecked()
    assert arm.joints.motion.swept == SHOULDER
    planned(arm.joints.motion, qtbot)


def test_a_file_without_joints_asks_for_no_keyframes(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "box.sdf"
    path.write_text('<sdf version="1.9"><model name="box"><link name="l"/></model></sdf>')
    window.files.open([path])
    assert window.current is not None
    window.actions_by_id["joints.motion"].setChecked(True)
    assert window.current.joints.motion._text.full_text == "No joint of this file can move."


def test_sweeps_of_joints_with_one_name_can_be_told_apart(qtbot: QtBot) -> None:
    bar = MotionBar()
    qtbot.addWidget(bar)

    def sweeps() -> list[str]:
        return [bar.source.itemText(number) for number in range(1, bar.source.count())]

    bar.show_sources(["left::elbow", "right::elbow"], "world")
    assert sweeps() == ["left::elbow (sweep)", "right::elbow (sweep)"]
    bar.show_sources(["arm::elbow", "arm::hand::elbow"], "arm")
    assert sweeps() == ["elbow (sweep)", "hand::elbow (sweep)"]


def test_pairs_that_always_collide_are_told_from_those_here() -> None:
    """ "no collision here, 10 always" said nothing."""
    assert describe_collisions(0, 0, always=True) == "no collision here"
    assert describe_collisions(0, 10, always=True) == "no collision here, 10 pairs always collide"
    assert describe_collisions(2, 1, always=True) == "2 pairs collide here, 1 more always collides"
    assert describe_collisions(0, 26, always=False) == "no collision here, 26 pairs also collide at zero"


def test_on_a_small_screen_the_strip_leaves_room_for_sliders_and_says_what_collides_in_two_lines(desk: Desk) -> None:
    strip = desk.joints.motion
    strip.bar.collide.setChecked(True)
    strip.list.show()
    assert desk.joints.minimumSizeHint().height() < 245
    text = strip.findChild(ElidedLines)
    text.setFixedWidth(280)
    text.set_full_text(f"0 rad  ·  {describe_collisions(0, 26, always=False)}")
    assert text.text() == text.full_text
    assert text.height() >= 2 * text.fontMetrics().height()


def test_a_pair_that_collides_at_zero_is_named_before_that_is_said(qtbot: QtBot) -> None:
    pairs = ContactList()
    qtbot.addWidget(pairs)
    contact = LinkContact("root_link", "r_arm", (1, 2), ((0.0, 0.0),), from_start=False, always=True)
    pairs.show_contacts((contact,), "", lambda _contact: "also at zero")
    assert pairs.item(0).text() == "root_link – r_arm, also at zero"


def test_long_names_of_a_pair_take_another_line(qtbot: QtBot) -> None:
    """The second name was cut."""
    pairs = ContactList()
    qtbot.addWidget(pairs)
    pairs.setFixedWidth(220)
    names = ("left_front_shoulder_pitch_link", "left_front_shoulder_yaw_link")
    heights = []
    for first, second in (("a", "b"), names):
        pairs.show_contacts(
            (LinkContact(first, second, (1, 2), ((0.0, 0.0),), from_start=False),), "", lambda _contact: "always"
        )
        pairs.show()
        qtbot.waitExposed(pairs)
        heights.append(pairs.visualItemRect(pairs.item(0)).height())
        assert pairs.visualItemRect(pairs.item(0)).width() <= pairs.viewport().width()
    assert heights[1] >= 2 * pairs.fontMetrics().height() > heights[0]
