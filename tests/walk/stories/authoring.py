"""Adding, removing and moving by hand."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QAbstractButton

from sdfviewer.gui.kit.widgets import widgets_in
from sdfviewer.gui.operations.form_dialog import EditDialog
from sdfviewer.model.kinds import Kind
from sdfviewer.scene.tools.gizmo import Mode
from sdfviewer.session.read_only import why_read_only
from tests.walk.actions import Steps, drag_between, drop, press, rest, shot
from tests.walk.story import story
from tests.walk.walk import Walk


def _form(w: Walk, key: str, name: str, *kinds: Kind) -> Steps:
    """Open a form by Ctrl+K and a letter, and close it by Escape."""
    w.session.select((w.a_name(*(kinds or (Kind.LINK,)), own=True),))
    before = w.session.document.text
    yield press(f"ctrl+k, {key}")
    yield shot("form")
    if why_read_only(w.session, w.model.row(w.selected)) is not None:
        w.expect(w.window.notices.topics or w.window.status.message, "a notice says why nothing can be added")
        return
    w.expect(isinstance(w.dialog, EditDialog), f"the form of a {name} is open")
    yield press("esc")
    w.expect(w.dialog is None, "Escape closes it")
    w.expect(w.session.document.text == before, "Escape changes nothing")


@story
def add_link(w: Walk) -> Steps:
    """Ctrl+K, L adds a link; Ctrl+Enter accepts, undo removes it."""
    w.session.select((w.a_name(Kind.LINK, editable=True),))
    before = w.session.document.text
    yield press("ctrl+k, l")
    yield shot("form")
    if not w.expect(isinstance(w.dialog, EditDialog), "the form is open"):
        return
    yield press("ctrl+enter")
    yield shot("added")
    w.expect(w.session.document.text != before, "Ctrl+Enter adds the link")
    w.expect(w.selected and w.model.kinds[w.model.row(w.selected)] is Kind.LINK, "the new link is selected")
    yield press("ctrl+z")
    w.expect(w.session.document.text == before, "undo removes it")
    yield shot("undone")


@story
def add_joint(w: Walk) -> Steps:
    """Ctrl+K, J opens the form of a joint."""
    yield from _form(w, "j", "joint")


@story
def add_frame(w: Walk) -> Steps:
    """Ctrl+K, F opens the form of a frame."""
    yield from _form(w, "f", "frame")


@story
def add_visual(w: Walk) -> Steps:
    """Ctrl+K, V opens the form of a visual."""
    yield from _form(w, "v", "visual")


@story
def add_collision(w: Walk) -> Steps:
    """Ctrl+K, C opens the form of a collision."""
    yield from _form(w, "c", "collision")


@story
def remove(w: Walk) -> Steps:
    """Delete lists what depends on the selection; undo brings it back."""
    w.session.select((w.a_name(Kind.LINK, editable=True),))
    before = w.session.document.text
    yield press("del")
    yield shot("asked")
    if w.dialog is not None:
        yield press("esc")
        w.expect(w.session.document.text == before, "Escape removes nothing")
        yield press("del")
        dialog = w.dialog
        button = getattr(dialog, "accept_button", None)
        if button is not None and button.isEnabled():
            yield w.click(button, what="the button of the dialog")
        else:
            w.note("the dialog cannot be accepted as it opens")
            yield press("esc")
            return
    yield shot("removed")
    w.expect(w.session.document.text != before, "it is removed")
    yield press("ctrl+z")
    w.expect(w.session.document.text == before, "undo brings the text back")
    yield shot("undone")


@story
def duplicate(w: Walk) -> Steps:
    """Ctrl+D duplicates the selection."""
    w.session.select((w.a_name(Kind.LINK, editable=True),))
    before = w.session.document.text
    yield press("ctrl+d")
    yield shot("duplicated")
    w.expect(w.session.document.text != before, "there is another one")
    yield press("ctrl+z")
    w.expect(w.session.document.text == before, "undo removes it")


@story
def gizmo(w: Walk) -> Steps:
    """The handles move the selected link: a picture while they are dragged, then undo."""
    at, name = w.find_in_3d(
        lambda found: found in {w.model.names[row] for row in w.rows(Kind.LINK, Kind.MODEL, editable=True)}
    )
    before = w.session.document.text
    yield w.click(w.canvas, at, "a link")
    yield press("t")
    yield press("f")
    yield shot("handles")
    tool = w.canvas.tools.gizmo
    handles = tool.gizmo()
    if handles is None:
        w.need(False, f"{name} has no handles: {tool.refusal}")
        return
    found = None
    for handle in handles.handles():
        if handle.mode is Mode.MOVE and len(handle.axes) == 1:
            path = handles.outline(handle)
            for part in (0.8, 0.65, 0.9):
                x, y = path[0] + part * (path[1] - path[0])
                if handles.pick(x, y) == handle and w.canvas.rect().contains(QPoint(round(x), round(y))):
                    found = QPointF(x, y), QPointF(*(path[1] - path[0]))
                    break
        if found is not None:
            break
    if found is None:
        w.expect(False, "a handle can be reached")
        return
    start, way = found
    yield w.drag(w.canvas, start, start + way * 0.6, drops=False, limit=2)
    yield shot("dragging")
    yield drop()
    yield shot("dropped")
    w.expect(w.session.document.text != before, "letting go writes the pose")
    yield press("ctrl+z")
    w.expect(w.session.document.text == before, "undo brings the text back")
    yield press("r")
    yield shot("rotate")


@story
def shape_palette(w: Walk) -> Steps:
    """A shape is dragged from the palette onto a link; undo removes it."""
    w.need(w.rows(Kind.LINK, editable=True), "the file has no link that can be edited")
    shapes = w.file.view.shapes
    w.window.actions_by_id["show.shapes"].setChecked(True)
    yield rest()
    yield shot("open")
    if not w.expect(shapes.isVisible(), "the palette is in sight"):
        return
    links = {w.model.names[row] for row in w.rows(Kind.LINK, editable=True)}
    at, name = w.find_in_3d(lambda found: found in links)
    before = w.session.document.text
    button = next(each for each in widgets_in(shapes) if isinstance(each, QAbstractButton) and each.isVisible())
    places = w.on_screen(button), w.on_screen(w.canvas, at)
    yield drag_between(f"{button.accessibleName()} to {name}", *places, drops=False, limit=1)
    yield shot("dragging")
    yield drop()
    yield shot("dropped")
    w.expect(w.session.document.text != before, "the shape is added")
    yield press("ctrl+z")
    w.expect(w.session.document.text == before, "undo removes it")
    w.window.actions_by_id["show.shapes"].setChecked(False)
