"""Joints."""

from __future__ import annotations

from math import isfinite

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QStyle, QStyleOptionSlider

from sdfviewer.gui.joints.joint_rows import JointRow
from tests.walk.actions import Steps, drop, pause, press, shot, type_text
from tests.walk.story import NotHere, story
from tests.walk.walk import Walk


def a_joint(w: Walk) -> JointRow:
    """Return the row of a joint that can move, scrolled into sight; one with limits, where there is one."""
    kinematics = w.session.kinematics
    if kinematics is None or not len(kinematics.dofs):
        raise NotHere("no joint can move")
    free = [dof for dof in kinematics.dofs if dof.leader is None]
    limited = [dof for dof in free if isfinite(dof.lower) and isfinite(dof.upper) and dof.lower < dof.upper] or free
    dof = limited[len(limited) // 2]
    w.reveal("joints")
    w.session.select((dof.joint.name,))
    w.session.select(())
    row = w.file.joints.rows.get(dof.name)
    if row is None:
        row = next(each for each in w.file.joints.rows.values() if each.slider.isEnabled())
    w.bring(row)
    return row


def _moved(w: Walk) -> bool:
    return any(any(values) for values in w.session.positions.values())


@story
def slider(w: Walk) -> Steps:
    """A slider moves its joint while it is dragged; Ctrl+0 brings all joints back."""
    row = a_joint(w)
    option = QStyleOptionSlider()
    row.slider.initStyleOption(option)
    handle = row.slider.style().subControlRect(
        QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, row.slider
    )
    start = handle.center()
    end = QPoint(
        row.slider.width() // 4 if start.x() > row.slider.width() // 2 else row.slider.width() * 3 // 4, start.y()
    )
    yield w.drag(row.slider, start, end, drops=False, limit=0)
    yield shot("during")
    yield drop()
    yield shot("dropped")
    w.expect(_moved(w), "the joint has moved")
    yield press("ctrl+0")
    yield shot("zero")
    w.expect(not _moved(w), "Ctrl+0 brings all joints back")


@story
def joint_number(w: Walk) -> Steps:
    """A number moves the joint."""
    row = a_joint(w)
    value = row.dof.bounds(False)[1] / 2 or row.dof.bounds(False)[0] / 2
    yield w.click(row.field, times=2)
    yield press("ctrl+a")
    yield type_text(f"{value:.3f}")
    yield press("enter")
    yield shot("typed")
    w.expect(_moved(w), "the joint has moved")
    yield press("ctrl+0")
    w.expect(not _moved(w), "Ctrl+0 works from the field, too")
    yield shot("zero")


@story
def joint_menu(w: Walk) -> Steps:
    """The menu of a joint's name."""
    row = a_joint(w)
    yield w.click(row.label, button=3)
    yield shot("open")
    w.expect("Sweep" in w.menu_texts, "it offers a sweep")
    yield press("esc")
    yield w.click(row.label)
    yield shot("selected")
    w.expect(w.selected == row.dof.joint, "a click on the name selects the joint")


@story
def sweep_all(w: Walk) -> Steps:
    """Sweep moves all joints, and stops."""
    a_joint(w)
    w.window.actions_by_id["joints.sweep"].setChecked(True)
    yield pause(1.2)
    yield shot("during")
    w.expect(_moved(w), "the joints move")
    w.window.actions_by_id["joints.sweep"].setChecked(False)
    yield press("ctrl+0")
    yield shot("stopped")


@story
def drag_link(w: Walk) -> Steps:
    """Alt and a drag move a link on its joint."""
    kinematics = w.session.kinematics
    if kinematics is None or not len(kinematics.dofs):
        w.need(False, "no joint can move")
        return
    children = {w.model.names[dof.joint.child] for dof in kinematics.dofs if dof.joint.child >= 0}
    tried = set[str]()
    # The origin of a link lies on the axis of its joint, where it cannot follow the mouse.
    for by in (QPointF(40, -40), QPointF(-50, 40), QPointF(40, 40), QPointF(-40, -40)):
        at, name = w.find_in_3d(lambda found: found in children - tried, surface=True)
        tried.add(name)
        yield w.drag(w.canvas, at, at + by, modifiers="alt", drops=False, limit=4)
        yield shot("during")
        yield drop(modifiers="alt")
        if _moved(w):
            w.note(f"dragged {name}")
            break
    yield shot("dropped")
    w.expect(_moved(w), "the link has moved on its joint")
    w.expect(not w.session.dirty, "the file is not changed")
