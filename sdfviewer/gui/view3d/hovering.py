"""What is under the mouse in a 3D view while no button is down."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtWidgets import QWidget

from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.view3d.overlays.cube import ViewCube
from sdfviewer.gui.view3d.pointing import name_at, name_of_hit, pointed_at
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.render.texts import Targets
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.glyph_sizes import DENSE, rows_around


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
