"""A robot that is built with the mouse alone."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QComboBox, QPushButton, QToolButton

from sdfviewer.gui.kit.widgets import widgets_in
from sdfviewer.gui.operations.form_dialog import EditDialog
from sdfviewer.model.kinds import Kind
from sdfviewer.scene.tools.gizmo import Mode
from tests.walk.actions import Action, Steps, drag_between, shot, wait
from tests.walk.story import story
from tests.walk.walk import Walk


def _choose(w: Walk, menu: str, *entries: str) -> Steps:
    """Click an entry of the menu bar, and those of its submenus."""
    bar = w.window.menuBar()
    [action] = [each for each in bar.actions() if each.text().replace("&", "") == menu]
    yield w.click(bar, bar.actionGeometry(action).center(), menu)
    for entry in entries:
        yield w.menu_entry(entry)


def pick(w: Walk, box: QComboBox, text: str) -> Steps:
    """Choose an entry of a list."""
    at = QPointF(box.width() - 10, box.height() / 2) if box.isEditable() else None
    yield w.click(box, at)
    view = box.view()
    row = next(row for row in range(box.count()) if box.itemText(row).startswith(text))
    yield w.click(view, w.list_point(view, row), text)


def _button(w: Walk, text: str) -> QPushButton:
    found = (each for each in widgets_in(w.window) if isinstance(each, QPushButton) and each.isVisible())
    return next(each for each in found if each.text().startswith(text))


def _tool(w: Walk, name: str) -> QToolButton:
    found = (each for each in widgets_in(w.window) if isinstance(each, QToolButton) and each.isVisible())
    return next(each for each in found if each.accessibleName() == name)


def _accept(w: Walk) -> Action:
    dialog = w.dialog
    assert isinstance(dialog, EditDialog)
    w.expect(dialog.accept_button.isEnabled(), f"the form can be accepted ({dialog.fault.text()})")
    return w.click(dialog.accept_button)


def _drag_handle(w: Walk, mode: Mode, axis: int, amount: float) -> Steps:
    """Drag a handle of the gizmo: an arrow by parts of its length, a ring by parts of a full circle."""
    handles = w.canvas.tools.gizmo.gizmo()
    if not w.expect(handles is not None, "there are handles"):
        return
    assert handles is not None
    handle = next(each for each in handles.handles() if each.mode is mode and each.axes == (axis,))
    path = handles.outline(handle)
    if mode is Mode.MOVE:
        start = path[0] + 0.8 * (path[1] - path[0])
        end = start + amount * (path[1] - path[0])
    else:
        number = next(i for i, point in enumerate(path) if handles.pick(*point) == handle)
        start, end = path[number], path[(number + round(amount * len(path))) % len(path)]
    yield w.drag(w.canvas, QPointF(*start), QPointF(*end))


def _drop(w: Walk, shape: str, *point: float) -> Steps:
    """Drag a shape from the palette to a point of the root frame."""
    (x, y), _ = w.canvas.camera.project(point, w.canvas.width(), w.canvas.height())
    places = w.on_screen(w.file.view.shapes.buttons[shape]), w.on_screen(w.canvas, QPointF(float(x), float(y)))
    yield drag_between(f"a {shape}", *places)


@story
def mobile_base(w: Walk) -> Steps:
    """From an empty .urdf to a mobile base, without the keyboard."""
    path = w.session.path
    w.need(path is not None and path.suffix == ".urdf" and not w.session.document.text.strip(), "not an empty .urdf")
    yield w.click(_button(w, "Start a Robot"))
    yield w.click(_tool(w, "Fit All"))
    yield shot("base")
    yield w.click(w.file.tree.view.viewport(), w.tree_point(w.a_name(Kind.LINK)), "the base in the tree")
    yield from _choose(w, "Edit", "Add", "Link")
    dialog = w.dialog
    if not w.expect(isinstance(dialog, EditDialog), "the form of a link is open"):
        return
    assert dialog is not None
    boxes = {each.accessibleName(): each for each in dialog.findChildren(QComboBox)}
    yield from pick(w, boxes["Joint type"], "continuous")
    yield from pick(w, boxes["Shape"], "cylinder")
    yield shot("wheel_form")
    yield _accept(w)
    wheel = w.selected
    yield w.click(_tool(w, "Rotate"))
    yield from _drag_handle(w, Mode.ROTATE, 0, 0.5)
    yield shot("rotated")
    yield w.click(_tool(w, "Move"))
    yield shot("moving")
    yield from _drag_handle(w, Mode.MOVE, 2, 3.0)
    yield shot("wheel")
    w.expect(w.model.kinds[w.model.row(wheel)] is Kind.LINK, "the wheel is a link")
    yield from _choose(w, "Edit", "Arrange", "Mirror Limb")
    yield shot("mirror_form")
    if w.expect(isinstance(w.dialog, EditDialog), "the form of the mirror is open"):
        yield _accept(w)
    yield shot("mirrored")
    yield w.click(_tool(w, "Shape Palette"))
    yield from _drop(w, "sphere", 0.3, 0.0, 0.0)
    yield shot("caster")
    yield w.click(_tool(w, "Save"))
    yield wait("the file is saved", lambda: not w.session.dirty)
    w.expect(len(w.rows(Kind.LINK)) == 4, "a base, two wheels and a caster are there")
    w.expect(not [each for each in w.session.diagnostics if each.is_error], "nothing is wrong")
    yield shot("saved")
