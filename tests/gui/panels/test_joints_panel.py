"""The panel of the joints in little room."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QAction, QContextMenuEvent, QEnterEvent
from PySide6.QtWidgets import QApplication, QSlider
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import parse_document
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.panels.joints.joint_list import JointList
from sdfviewer.gui.panels.joints.panel import JointsPanel
from sdfviewer.gui.widgets.elided import ElidedLabel
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


@pytest.mark.parametrize("width", [300, 340, 800])
def test_a_long_name_leaves_a_joint_a_useful_slider(qtbot: QtBot, settings: Settings, width: int) -> None:
    text = chain(1).replace('"j1"', '"left_gripper_parallel_root_joint_of_the_hand"')
    panel = JointsPanel(DocumentContext(Session(parse_document(text))), settings)
    qtbot.addWidget(panel)
    panel.resize(width, 300)
    panel.show()
    QApplication.processEvents()
    (slider,) = panel.findChildren(QSlider)
    (name,) = (label for label in panel.findChildren(ElidedLabel) if label.full_text.startswith("left_gripper"))
    assert slider.width() >= 80
    assert "left_gripper_parallel_root_joint_of_the_hand" in name.toolTip()
    assert ("…" in name.text()) is (width < 800)


def test_rows_found_by_a_search_leave_their_place_when_it_ends(qtbot: QtBot, settings: Settings) -> None:
    panel = JointsPanel(DocumentContext(Session(parse_document(chain(90)))), settings)
    qtbot.addWidget(panel)
    panel.resize(400, 300)
    with qtbot.waitExposed(panel):
        panel.show()
    (joints,) = panel.findChildren(JointList)
    joints.filter("j8")
    assert joints.rows["m::j88"].isVisible()
    joints.filter("")
    shown = sorted(row.y() for row in joints.rows.values() if row.isVisible())
    assert len(shown) == len(set(shown)), "no row lies on another one"


def test_a_joint_is_not_hovered_any_more_once_its_menu_is_open(qtbot: QtBot, settings: Settings) -> None:
    context = DocumentContext(Session(parse_document(chain(2))))
    panel = JointsPanel(context, settings)
    qtbot.addWidget(panel)
    with qtbot.waitExposed(panel):
        panel.show()
    name = next(label for label in panel.findChildren(ElidedLabel) if label.full_text == "j1")
    middle = QPointF(name.rect().center())
    QApplication.sendEvent(name, QEnterEvent(middle, middle, middle))
    assert context.hovered == "m::j1"
    at = name.mapToGlobal(middle.toPoint())
    QApplication.sendEvent(name, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, middle.toPoint(), at))
    assert context.hovered is None
    QApplication.activePopupWidget().close()
    context.close()
