"""The panel of the joints in little room."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QEnterEvent, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import parse_document
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.joints import joint_list, joint_rows
from sdfviewer.gui.joints.joint_list import ROWS_AHEAD, ROWS_AT_ONCE, JointList
from sdfviewer.gui.joints.joint_rows import STEPS, Shortening, shortenings
from sdfviewer.gui.joints.panel import JointsPanel
from sdfviewer.gui.kit.fields import NumberField
from sdfviewer.gui.kit.labels import ElidedLabel
from sdfviewer.session.session import Session

BUTTONS = ("reset", "random", "save_pose", "sweep", "ignore_limits", "motion")


def chain(joints: int) -> str:
    parts = [
        f'<link name="l{number}"/><joint name="j{number}" type="continuous"><parent>l{number - 1}</parent>'
        f"<child>l{number}</child><axis><xyz>0 0 1</xyz></axis></joint>"
        for number in range(1, joints + 1)
    ]
    return f'<sdf version="1.9"><model name="m"><link name="l0"/>{"".join(parts)}</model></sdf>'


@pytest.mark.parametrize("joints", [4, 47])
def test_the_number_of_degrees_of_freedom_is_not_cut(qtbot: QtBot, settings: Settings, joints: int) -> None:
    panel = JointsPanel(DocumentContext(Session(parse_document(chain(joints)))), settings)
    qtbot.addWidget(panel)
    actions = [QAction(panel.kept.icon(), name, panel) for name in BUTTONS]
    for action in actions:
        action.setObjectName(f"joints.{action.text()}")
    panel.set_actions(actions)
    panel.resize(500, 400)
    panel.show()
    (count,) = (label for label in panel.findChildren(ElidedLabel) if label.full_text.endswith("DoF"))
    heights = []
    for width in (500, 243, 500):
        panel.resize(width, 400)
        QApplication.processEvents()
        qtbot.waitUntil(lambda: panel.rect().contains(count.geometry()))
        assert count.text() == f"{joints} DoF"
        assert count.fontMetrics().horizontalAdvance(count.text()) <= count.width()
        heights.append(count.y())
    assert heights[0] == heights[2] < heights[1], "it is below the buttons only where there is no room beside them"


@pytest.mark.parametrize("width", [220, 332, 800])
def test_a_joint_has_the_whole_width_for_its_name_its_limits_and_its_slider(
    qtbot: QtBot, settings: Settings, width: int
) -> None:
    text = chain(1).replace('"j1"', '"left_gripper_parallel_root_joint"').replace("continuous", "revolute")
    limits = "<limit><lower>-2.8178</lower><upper>0.5</upper></limit></axis>"
    panel = JointsPanel(DocumentContext(Session(parse_document(text.replace("</axis>", limits)))), settings)
    qtbot.addWidget(panel)
    panel.resize(width, 300)
    panel.show()
    QApplication.processEvents()
    (row,) = panel.rows.values()
    assert [limit.text() for limit in row.limits] == ["-2.818", "0.5"]
    assert row.unit.text() == "rad"
    assert row.slider.width() >= width / 3
    assert "left_gripper_parallel_root_joint" in row.label.toolTip()
    assert ("…" in row.label.text()) is (width < 300)
    panel.lift_limits(True)
    assert row.limits[0].text() == "-6.283"


ALIKE = (
    "l_gripper_l_finger_joint",
    "l_gripper_r_finger_joint",
    "l_gripper_l_finger_tip_joint",
    "l_gripper_r_finger_tip_joint",
    "l_gripper_motor_slider_joint",
    "l_gripper_motor_screw_joint",
    "panda_long_finger_joint1",
    "panda_long_finger_joint2",
)


@pytest.mark.parametrize("width", [310, 340, 380])
def test_joints_of_like_names_are_told_apart(qtbot: QtBot, settings: Settings, width: int) -> None:
    """They were shortened in their middle, which is where they differ."""
    text = chain(len(ALIKE))
    for number, name in enumerate(ALIKE, 1):
        text = text.replace(f'"j{number}"', f'"{name}"')
    panel = JointsPanel(DocumentContext(Session(parse_document(text))), settings)
    qtbot.addWidget(panel)
    panel.resize(width, 400)
    panel.show()
    QApplication.processEvents()
    labels = [row.label for row in panel.rows.values()]
    shown = [label.text() for label in labels]
    assert len(set(shown)) == len(ALIKE), shown
    assert all(text.startswith(name[0]) for text, name in zip(shown, ALIKE, strict=True)), shown
    for label, name in zip(labels, ALIKE, strict=True):
        assert label.fontMetrics().horizontalAdvance(label.text()) <= label.width()
        assert label.toolTip() == f"m::{name}"


def test_names_are_compared_once_a_width(qtbot: QtBot, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []
    monkeypatch.setattr(joint_list, "shortenings", lambda names, _metrics, room: compared.append(room) or {})
    panel = JointsPanel(DocumentContext(Session(parse_document(chain(200)))), settings)
    qtbot.addWidget(panel)
    panel.resize(300, 400)
    panel.show()
    QApplication.processEvents()
    compared.clear()
    (rows,) = panel.findChildren(JointList)
    for place in range(0, 2000, 100):
        rows.verticalScrollBar().setValue(place)
        panel.grab()
    assert not compared


def test_rows_out_of_sight_are_made_some_at_a_time(qtbot: QtBot, settings: Settings) -> None:
    """All 47 of the PR2 held the window for 0.2 s when it was opened."""
    panel = JointsPanel(DocumentContext(Session(parse_document(chain(200)))), settings)
    qtbot.addWidget(panel)
    panel.resize(300, 400)
    with qtbot.waitExposed(panel):
        panel.show()
    (rows,) = panel.findChildren(JointList)
    bar, made = rows.verticalScrollBar(), set(panel.rows)
    bar.setValue(bar.maximum() // 2)
    in_sight = [row for row in panel.rows.values() if not row.visibleRegion().isEmpty()]
    assert len(in_sight) * in_sight[0].height() > 0.7 * rows.viewport().height(), "those in sight are there at once"
    assert len(panel.rows) - len(made) <= len(in_sight) + 2 + ROWS_AT_ONCE
    qtbot.waitUntil(lambda: len(panel.rows) - len(made) >= 2 * ROWS_AHEAD)


def test_very_many_names_are_not_compared(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = QFontMetrics(qapp.font())
    alike = ["leftFrontSteeringKnuckleJoint", "leftFrontSteeringKnuckleJoinx"]
    assert set(shortenings(alike, metrics, 100).values()) == {Shortening.MIDDLE}
    monkeypatch.setattr(joint_rows, "MOST_COMPARED", 1)
    assert set(shortenings(alike, metrics, 100).values()) == {Shortening.WORDS}


def test_rows_found_by_a_search_leave_their_place_when_it_ends(qtbot: QtBot, settings: Settings) -> None:
    panel = JointsPanel(DocumentContext(Session(parse_document(chain(90)))), settings)
    qtbot.addWidget(panel)
    panel.resize(400, 600)
    with qtbot.waitExposed(panel):
        panel.show()
    (joints,) = panel.findChildren(JointList)
    joints.filter("j8")
    assert joints.rows["m::j88"].isVisible()
    joints.filter("")
    shown = sorted(row.y() for row in joints.rows.values() if row.isVisible())
    assert len(shown) == len(set(shown)), "no row lies on another one"


def test_joints_are_found_by_the_beginnings_of_their_words_and_keep_their_order(
    qtbot: QtBot, settings: Settings
) -> None:
    text = chain(8)
    for number, name in enumerate(("l_elbow_flex", "r_elbow_flex", "l_wrist_roll", "leftElbowLift"), 1):
        text = text.replace(f'"j{number}"', f'"{name}"')
    panel = JointsPanel(DocumentContext(Session(parse_document(text))), settings)
    qtbot.addWidget(panel)
    panel.resize(400, 300)
    with qtbot.waitExposed(panel):
        panel.show()
    (joints,) = panel.findChildren(JointList)
    (hint,) = (each for each in joints.findChildren(QLabel) if "No " in each.text())

    def found() -> list[str]:
        rows = sorted((row for row in joints.rows.values() if row.isVisible()), key=lambda row: row.y())
        return [row.dof.label for row in rows]

    assert len(found()) == 8
    plain = joints.rows["m::l_elbow_flex"].label.grab().toImage()
    joints.filter("lef")
    assert found() == ["l_elbow_flex", "leftElbowLift"]
    assert joints.rows["m::l_elbow_flex"].label.grab().toImage() != plain, "the letters are marked"
    joints.filter("elbow")
    assert found() == ["l_elbow_flex", "r_elbow_flex", "leftElbowLift"]
    assert not hint.isVisible()
    joints.filter("knee")
    assert not found()
    assert hint.isVisible()
    assert hint.text() == "No match"
    joints.filter("")
    assert len(found()) == 8
    assert joints.rows["m::l_elbow_flex"].label.grab().toImage() == plain


def test_a_joint_that_is_revealed_leaves_no_row_cut_at_the_top(qtbot: QtBot, settings: Settings) -> None:
    panel = JointsPanel(DocumentContext(Session(parse_document(chain(90)))), settings)
    qtbot.addWidget(panel)
    panel.resize(400, 300)
    with qtbot.waitExposed(panel):
        panel.show()
    (joints,) = panel.findChildren(JointList)
    for number in (40, 60, 20, 45):
        joints.reveal(f"m::j{number}")
        top, row = joints.verticalScrollBar().value(), joints.rows[f"m::j{number}"]
        assert top <= row.y() <= top + joints.viewport().height() - row.height()
        assert not [each for each in joints.rows.values() if each.y() < top < each.y() + each.height()]


def test_a_joint_is_not_hovered_any_more_once_its_menu_is_open(qtbot: QtBot, settings: Settings) -> None:
    context = DocumentContext(Session(parse_document(chain(2))))
    panel = JointsPanel(context, settings)
    qtbot.addWidget(panel)
    with qtbot.waitExposed(panel):
        panel.show()
    name = next(label for label in panel.findChildren(ElidedLabel) if label.full_text == "j1")
    middle = QPointF(name.rect().center())
    QApplication.sendEvent(name, QEnterEvent(middle, middle, middle))
    assert context.highlights.hovered == "m::j1"
    at = name.mapToGlobal(middle.toPoint())
    QApplication.sendEvent(name, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, middle.toPoint(), at))
    assert context.highlights.hovered is None
    QApplication.activePopupWidget().close()
    context.close()


def test_a_slider_is_filled_from_zero_or_from_the_end_nearest_to_it(qtbot: QtBot, settings: Settings) -> None:
    limits = [(-1, 1), (-1, 3), (0, 2), (0.5, 2), (-2, -0.5)]
    text = chain(len(limits)).replace("continuous", "revolute")
    for lower, upper in limits:
        limit = f"<xyz>0  0 1</xyz><limit><lower>{lower}</lower><upper>{upper}</upper></limit>"
        text = text.replace("<xyz>0 0 1</xyz>", limit, 1)
    context = DocumentContext(Session(parse_document(text)))
    panel = JointsPanel(context, settings)
    qtbot.addWidget(panel)
    context.later.flush()
    sliders = [row.slider for row in panel.rows.values()]
    shown = [(slider.origin / STEPS, slider.is_marked) for slider in sliders]
    assert shown == [(0.5, True), (0.25, True), (0.0, True), (0.0, False), (1.0, False)]
    panel.lift_limits(True)
    assert {(slider.origin / STEPS, slider.is_marked) for slider in sliders} == {(0.5, True)}


def test_a_joint_that_moves_has_a_short_number_also_in_the_field_with_the_focus(
    qtbot: QtBot, settings: Settings
) -> None:
    session = Session(parse_document(chain(2)))
    panel = JointsPanel(DocumentContext(session), settings)
    qtbot.addWidget(panel)
    panel.resize(340, 300)
    with qtbot.waitExposed(panel):
        panel.show()
    panel.activateWindow()
    fields = panel.findChildren(NumberField)
    fields[0].setFocus()
    qtbot.waitUntil(fields[0].hasFocus)
    for position in (0.123456789012, 0.215123456789):
        session.move_joints({"m::j1": (position,), "m::j2": (position,)})
        qtbot.waitUntil(lambda: fields[1].text() != "0")
        assert fields[0].text() == fields[1].text()
    QTest.keyClicks(fields[0], "0.123456789012")
    QTest.keyClick(fields[0], Qt.Key.Key_Return)
    assert fields[0].text() == "0.123456789012", "it is being edited"


def test_joints_outside_of_their_limits_are_marked_and_moved_inside(qtbot: QtBot, settings: Settings) -> None:
    limit = "<limit><lower>{}</lower><upper>{}</upper></limit></axis></joint>"
    text = chain(3).replace("</axis></joint>", limit.format(-2.8, -0.9), 2).replace("continuous", "revolute")
    session = Session(parse_document(text.replace(limit.format(-2.8, -0.9), limit.format(-1, 1), 1)))
    panel = JointsPanel(DocumentContext(session), settings)
    qtbot.addWidget(panel)
    panel.resize(500, 400)
    panel.show()
    qtbot.waitUntil(lambda: len(panel.rows) == 3)
    assert {name: row.is_outside for name, row in panel.rows.items()} == {"m::j1": False, "m::j2": True, "m::j3": False}
    sign = panel.rows["m::j2"].warning
    assert sign.isVisible()
    assert sign.toolTip() == "Outside of its limits, -2.8 … -0.9 rad"
    assert panel.outside.text.full_text == "1 joint outside its limits"
    panel.outside.button.click()
    assert session.positions["m::j2"] == (-0.9,)
    assert panel.outside.isHidden()
    assert not sign.isVisible()
    session.move_joints({"m::j1": (1.5,)})
    assert panel.outside.isVisible()
    assert panel.rows["m::j1"].is_outside


def test_why_there_are_no_joints_is_whole_in_a_panel_that_became_narrow(qtbot: QtBot, settings: Settings) -> None:
    panel = JointsPanel(DocumentContext(Session(parse_document(chain(0)))), settings)
    qtbot.addWidget(panel)
    panel.resize(900, 400)
    panel.show()
    (hint,) = (label for label in panel.findChildren(QLabel) if label.wordWrap() and label.isVisible() and label.text())
    panel.resize(220, 400)
    QApplication.processEvents()
    assert hint.width() <= 220
    assert hint.height() >= hint.heightForWidth(hint.width())
