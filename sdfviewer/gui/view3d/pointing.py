"""What is under a point of a 3D view and under the resting mouse, and what a click there selects."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtWidgets import QWidget

from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.view3d.navigation import ViewCube
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.model.model import Model
from sdfviewer.render.texts import NameTarget, Targets
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.glyph_sizes import DENSE, rows_around
from sdfviewer.scene.tools.picking import Hit, Target, everything_under, pick, pick_frames


def name_of_row(model: Model | None, row: int, *, exact: bool = False) -> str | None:
    """Return the scoped name that a click on a row means: the link of a visual, unless `exact` is requested."""
    if model is None or not 0 <= row < len(model):
        return None
    means = row if exact else next((each for each in model.around(row) if model.kinds[each].is_vertex), 0)
    return model.names[means]


def name_of_hit(model: Model | None, hit: Hit | None, *, exact: bool = False) -> str | None:
    """Return the scoped name of a hit; the hit of an icon or a name is its sensor or light."""
    exact = exact or (hit is not None and hit.target in (Target.ICON, Target.NAME))
    return None if hit is None else name_of_row(model, hit.row, exact=exact)


def names_of_hits(model: Model | None, hits: Sequence[Hit]) -> tuple[str, ...]:
    """Return the scoped names that hits offer, each once: what a click on each means, then what exactly it hits."""
    names: dict[str, None] = {}
    for hit in hits:
        for exact in (False, True):
            if (name := name_of_hit(model, hit, exact=exact)) is not None:
                names[name] = None
    return tuple(names)


def hit_at(view: SceneWidget, at: QPointF) -> Hit | None:
    """Return what is under a point of a view; of frames in one place the selected one."""
    return _hit_at(view, at, view.document_context.session.selected_rows)


def name_at(view: SceneWidget, at: QPointF) -> NameTarget | None:
    """Return the name of a frame, or the number of more names, under a point of a view."""
    ratio = view.devicePixelRatioF()
    target = view.renderer.targets.at(at.x() * ratio, at.y() * ratio)
    # Until the next picture, names are those of the last scene.
    return target if target is not None and target.row < len(view.feed.scene.X_RootF) else None


def pointed_at(view: SceneWidget, at: QPointF) -> Hit | None:
    """Return what the mouse points at: a name, which lies over all else, or what is under the point."""
    target = name_at(view, at)
    if target is None:
        return hit_at(view, at)
    return None if target.is_count else _named(view, target)


def hits_at(view: SceneWidget, at: QPointF) -> tuple[Hit, ...]:
    """Return everything under a point of a view, first what a click selects, or what of it is selected already.

    The rest goes from front to back; under a name it is what is at its frame.
    """
    target, x, y = name_at(view, at), at.x(), at.y()
    size = (view.width(), view.height())
    named = None
    if target is not None:
        named = _named(view, target)
        (x, y), _ = view.camera.project(np.array(named.point), *size)
    hits = everything_under(view.feed.scene, view.camera, float(x), float(y), *size)
    first = hit_at(view, at) if target is None else named
    if first is None or (target is not None and target.is_count):
        return hits
    return (first, *(hit for hit in hits if hit.row != first.row))


def _named(view: SceneWidget, target: NameTarget) -> Hit:
    x, y, z = view.feed.scene.X_RootF[target.row, :3, 3].tolist()
    _, depth = view.camera.project(np.array([x, y, z]), view.width(), view.height())
    return Hit(target.row, Target.NAME, float(depth), (x, y, z))


def _hit_at(view: SceneWidget, at: QPointF, preferred: Collection[int]) -> Hit | None:
    size = (view.width(), view.height())
    return pick(view.feed.scene, view.camera, at.x(), at.y(), *size, preferred=preferred)


def select_at(view: SceneWidget, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
    """Select what is under a point of a view: Ctrl adds it, Alt selects a visual instead of its link."""
    session = view.document_context.session
    exact = bool(modifiers & Qt.KeyboardModifier.AltModifier)
    name = name_of_hit(session.model, _next_hit(view, at), exact=exact)
    if not modifiers & Qt.KeyboardModifier.ControlModifier:
        session.select(() if name is None else (name,), view)
    elif name is not None:
        others = tuple(known for known in session.selection if known != name)
        session.select(others if name in session.selection else (*others, name), view)


def _next_hit(view: SceneWidget, at: QPointF) -> Hit | None:
    """Return what a click selects: a name, or of frames in one place the first, then the next at each click."""
    if name_at(view, at) is not None:
        return pointed_at(view, at)
    hit, selected = _hit_at(view, at, ()), view.document_context.session.selected_rows
    if hit is None or hit.target is Target.SURFACE or not selected:
        return hit
    size = (view.width(), view.height())
    together = [
        each
        for each in pick_frames(view.feed.scene, view.camera, at.x(), at.y(), *size)
        if np.allclose(each.point, hit.point, atol=1e-6)
    ]
    rows = [each.row for each in together]
    return together[(rows.index(selected[-1]) + 1) % len(rows)] if selected[-1] in rows else hit


class Hovering(QObject):
    """Asks handles, the view cube and the scene what is under the mouse, and shares it with the other views.

    Attributes
    ----------
    near
        Rows near the mouse, which are drawn in full where there is too much to draw all so.
    """

    def __init__(self, view: SceneWidget, cube: ViewCube) -> None:
        super().__init__(view)
        self._view = view
        self._cube = cube
        self._at: QPointF | None = None
        self._shown: tuple[Camera, Targets] | None = None
        # The description of the frame under the mouse lies over the picture, and names avoid it: they must not be asked
        # for again then, else it would come and go.
        self._has_named = False
        self.near: tuple[int, ...] = ()
        # A burst of mouse moves is picked once, when the event loop has handled them all.
        self._soon = delayed(self, self._pick)

    def move(self, at: QPointF) -> None:
        """Ask what is under the mouse."""
        self._at = at
        self._soon.start()

    def stop(self) -> None:
        """Ask no more until the mouse moves: a button is down."""
        self._at = None
        self._soon.stop()

    def leave(self) -> None:
        """Show nothing under the mouse: it is elsewhere."""
        self.stop()
        self._cube.hover(None)
        self._view.tools.leave()
        self._look_around(None)
        self._view.document_context.highlights.hover(None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ask again where a widget over the picture goes: Qt says nothing to a view in which the mouse then rests."""
        if self._at is not None and event.type() == QEvent.Type.Hide and isinstance(watched, QWidget):
            view, at = self._view, self._view.mapFromGlobal(QCursor.pos())
            if watched.rect().contains(watched.mapFrom(view, at)) and view.childAt(at) is None:
                view.update()  # names that avoided it may come back
                self.move(QPointF(at))
        return False

    def follow_picture(self, *, is_moving: bool) -> None:
        """Ask again where a picture shows things elsewhere than the last one.

        Names are where the last picture shows them: when the camera moves, nothing is asked before the picture at rest.
        """
        if is_moving:
            return
        view, targets = self._view, self._view.renderer.targets
        before, self._shown = self._shown, (view.camera, targets)
        has_named, self._has_named = self._has_named, False
        is_same = before is not None and before[0] == view.camera and (has_named or targets.is_as(before[1]))
        if self._at is not None and not is_same:
            self._soon.start()

    def _pick(self) -> None:
        view, at = self._view, self._at
        if at is None or view.tools.is_dragging:
            return
        over_handle = view.tools.hover(at, QGuiApplication.keyboardModifiers())
        over_cube = self._cube.hover(None if over_handle else at)
        is_taken = over_handle or over_cube
        is_link = is_taken or name_at(view, at) is not None
        view.setCursor(Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.ArrowCursor)
        hit = None if is_taken else pointed_at(view, at)
        self._look_around(at)
        context = view.document_context
        before = context.highlights.hovered
        context.highlights.hover(name_of_hit(context.session.model, hit))
        self._has_named |= context.highlights.hovered != before

    def _look_around(self, at: QPointF | None) -> None:
        view, scene = self._view, self._view.feed.scene
        near: tuple[int, ...] = ()
        if at is not None and view.look.declutter and len(scene.triads.rows) > DENSE:
            near = rows_around(scene, view.camera, (at.x(), at.y()), (view.width(), view.height()))
        if set(near) != set(self.near):
            self.near = near
            view.show_marks()
