"""What the 3D view says and shows of measurements."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QStyledItemDelegate, QStyleOptionViewItem

from sdfviewer.gui.kit.fields import AngleUnit
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.canvas import Canvas
from sdfviewer.gui.view3d.tools.measure_tool import value_of
from sdfviewer.scene.tools.measuring import Anchor, AnchorKind, Reading

JOINT = "arm::joint_2"


@pytest.fixture
def canvas(window: MainWindow, arm: OpenFile) -> Canvas:
    if arm.view.canvas is None:
        pytest.skip("there is no OpenGL here")
    window.actions_by_id["tool.measure"].trigger()
    return arm.view.canvas


def axis_of(joint: str) -> Anchor:
    return Anchor.at(AnchorKind.AXIS, joint, joint, np.zeros(3), np.array([0.0, 1.0, 0.0]))


def test_an_axis_that_is_measured_from_stays_in_sight(arm: OpenFile, canvas: Canvas) -> None:
    """The list said "joint_2 → flange" of a distance to the axis, and nothing showed that it was the axis."""
    tool = canvas.tools.measure
    nothing = len(tool.shapes())
    tool.pick(axis_of(JOINT))
    one_picked = len(tool.shapes())
    assert one_picked > nothing
    tool.pick_frame("arm::flange")
    item = tool.panel.table.item(0, 0)
    assert item is not None
    assert item.text() == "axis of joint_2 → flange"
    assert len(tool.shapes()) > nothing
    # The distance ends on the axis: so far the line is drawn.
    X = arm.session.pose_of(JOINT)
    assert X is not None
    foot = X[:3, 3] - 0.3 * X[:3, 1]
    tool.pick(axis_of(JOINT))
    tool.pick(Anchor.at(AnchorKind.POINT, "arm", "arm", foot + 0.1 * X[:3, 0]))
    size = (canvas.width(), canvas.height())
    ends, _ = canvas.camera.project(np.stack([X[:3, 3], foot]), *size)
    drawn = tool.shapes().points
    for end in ends:
        assert np.linalg.norm(drawn - end, axis=1).min() < 30, "the line reaches from the joint to the distance"


def test_what_is_measured_lies_over_the_axis_it_is_measured_from(arm: OpenFile, canvas: Canvas) -> None:
    """A solid line along the axis looked like the distance, and covered it where both are on one line."""
    tool = canvas.tools.measure
    X = arm.session.pose_of(JOINT)
    assert X is not None
    tool.pick(axis_of(JOINT))
    ends, _ = canvas.camera.project(np.stack([X[:3, 3], X[:3, 3] + 0.1 * X[:3, 0]]), canvas.width(), canvas.height())
    tool.pick(Anchor.at(AnchorKind.POINT, "arm", "arm", X[:3, 3] + 0.1 * X[:3, 0]))
    topmost = tool.shapes().points[-6:].reshape(-1, 2)  # two triangles of a line
    for end in ends:
        assert np.linalg.norm(topmost - end, axis=1).min() < 4


def test_the_list_is_folded_in_a_low_view(arm: OpenFile, canvas: Canvas) -> None:
    """On a screen of 768 rows the list took a third of the height of the view."""
    tool = canvas.tools.measure
    tool.pick(axis_of(JOINT))
    tool.pick_frame("arm::flange")
    arm.view.resize(900, 480)
    tool.show()
    assert canvas.height() <= 480
    assert tool.panel.table.isVisible()
    assert not tool.panel.frame.isVisible()
    assert tool.panel.height() <= 480 / 5
    length = tool.panel.table.item(0, 1)
    assert length is not None
    assert length.text().endswith(" m"), "no header says the unit"
    folded = tool.panel.height()
    tool.panel.more.click()
    assert tool.panel.frame.isVisible()
    assert tool.panel.height() > folded
    tool.panel.more.click()
    assert tool.panel.height() == folded


def test_what_is_next_is_said_while_the_mouse_is_still_on_what_was_picked(canvas: Canvas) -> None:
    """The panel named only what was picked, as before the click."""
    panel, first, other = canvas.tools.measure.panel, axis_of(JOINT), axis_of("arm::joint_1")

    def said() -> str:
        return "\n".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())

    canvas.tools.measure.pick(first)
    panel.show_hint(first)
    assert "Click the second thing to measure." in said()
    panel.show_hint(other)
    assert "joint_1" in said()
    assert "Click to measure to it." in said()
    panel.show_hint(None)
    assert "Click the second thing to measure." in said()


def test_the_arrow_of_a_long_name_stays_in_sight(arm: OpenFile, canvas: Canvas) -> None:
    tool, table = canvas.tools.measure, canvas.tools.measure.panel.table
    tool.pick_frame("arm::forearm")
    tool.pick_frame("arm::flange")
    item = table.item(0, 0)
    assert item is not None
    item.setText(f"{'long_name_' * 9} → {'another_name_' * 9}")
    option, index = QStyleOptionViewItem(), table.indexFromItem(item)
    table.initViewItemOption(option)
    option.rect = table.visualRect(index)
    delegate = table.itemDelegateForIndex(index)
    assert isinstance(delegate, QStyledItemDelegate)
    delegate.initStyleOption(option, index)
    assert " → " in option.text
    assert option.fontMetrics.horizontalAdvance(option.text) <= option.rect.width()


def test_what_rounds_to_zero_has_no_sign(canvas: Canvas) -> None:
    tool = canvas.tools.measure
    tool.pick_frame("arm")
    tool.pick(Anchor.at(AnchorKind.POINT, "arm", "arm", np.array([-1e-9, 0.1, -0.2])))
    assert "-0.20000" in tool.panel.text
    assert "-0.00000" not in tool.panel.text


def test_the_label_rounds_noise_to_zero_as_the_list_does() -> None:
    noise = Reading(np.array([[0.0, 0.0, 0.0], [4.4409e-16, 0.0, 0.0]]), angle=1e-12)
    assert value_of(noise, AngleUnit.RADIANS) == "0 m  0 rad"


def test_a_third_point_names_the_circle_unless_the_user_has_named_it(arm: OpenFile, canvas: Canvas) -> None:
    """It kept the name of the distance between two parts."""
    tool = canvas.tools.measure
    points = [np.array(each) for each in ((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.1, 0.0))]
    for given in ("", "bolt holes"):
        first, second, third = (Anchor.at(AnchorKind.POINT, "arm::palm::v", "palm", each) for each in points)
        tool.pick(first)
        tool.pick(second)
        (item,) = tool.panel.table.findItems(arm.session.measurements[-1].name, Qt.MatchFlag.MatchExactly)
        if given:
            item.setText(given)
        tool.pick(third, extends=True)
        assert arm.session.measurements[-1].name == (given or "circle on palm")


def test_two_faces_of_one_plane_are_said_to_be_in_it(canvas: Canvas) -> None:
    tool, up = canvas.tools.measure, np.array([0.0, 0.0, 1.0])
    for x in (0.0, 0.3):
        tool.pick(Anchor.at(AnchorKind.FACE, "arm", "arm", np.array([x, 0.0, 0.0]), up))
    assert "in the same plane" in tool.panel.text
    (_, reading) = tool.rows[-1]
    assert reading is not None
    assert value_of(reading, AngleUnit.RADIANS) == "0 m  same plane"
