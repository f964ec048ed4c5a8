"""Dropping shapes and mesh files into the 3D view, and picking a pose in it: the mouse snaps as in measuring."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QMimeData, QObject, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent

from sdfviewer.diagnostics import SdfViewerError, Span
from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.topics import MeshDrop, PosePick
from sdfviewer.gui.view3d.camera_control import CameraControl
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.gui.view3d.tools.tool_strip import SHAPE_MIME
from sdfviewer.palette import theme
from sdfviewer.refactoring.adding import is_robot
from sdfviewer.refactoring.new_parts import NewShape
from sdfviewer.scene.meshes.reading import SUFFIXES
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.shapes2d import Colour, Shapes, colour_of, disc, stroke, strokes
from sdfviewer.scene.tools.placing import (
    DropTarget,
    PickedPlace,
    drop_shape,
    fitting_size,
    ground_place,
    place_of,
    target_at,
)
from sdfviewer.scene.tools.snapping import snap
from sdfviewer.session.read_only import why_not_current
from sdfviewer.session.session_change import SessionChange
from sdfviewer.transforms import Array


class DropTool(QObject):
    """What is dragged over one view, and where it would go."""

    def __init__(self, canvas: SceneWidget, control: CameraControl) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._control = control
        self._dragged: str | Path | None = None
        self._found: tuple[DropTarget, Floats] | None = None
        canvas.setAcceptDrops(True)
        canvas.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragEnterEvent):
            self._control.keep()
            # What is not for the view is for the window, which opens files.
            event.setAccepted(self.take(event.mimeData()))
        elif isinstance(event, QDropEvent):  # moves, too
            follow = self.move if isinstance(event, QDragMoveEvent) else self.drop
            follow(event.position(), event.modifiers())
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
        elif isinstance(event, QDragLeaveEvent):
            self.leave()
        else:
            return super().eventFilter(watched, event)
        return True

    def take(self, data: QMimeData) -> bool:
        """Return whether what is dragged into the view can be dropped in it: a shape, or one mesh file."""
        session = self._canvas.document_context.session
        takes_robots = session.model is not None and len(session.model) > 0 and is_robot(session.model, 0)
        self._dragged = dragged_in(data, takes_robots=takes_robots) if session.is_current else None
        return self._dragged is not None

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        """Show where it would go."""
        found = find_place(self._canvas, at, modifiers)
        self._found = None if found is None else (self._target(found[0]), found[1])
        if self._dragged is None or self._found is None:
            self.leave()
            return
        target = self._found[0]
        what = self._dragged if isinstance(self._dragged, str) else self._dragged.name
        is_robot_file = isinstance(self._dragged, Path) and is_robot_name(self._dragged)
        where = "a new link" if target.link < 0 else f"on {target.model.names[target.link]}"
        if is_robot_file:
            link = _carrier(target)
            where = "opens" if link < 0 else f"joined to {target.model.names[link]}"
        self._canvas.tools.show_message(f"{what}: {where}", at, "Ctrl: the point as it is")
        if isinstance(self._dragged, str):
            self._preview(target, self._dragged)
        self._canvas.update()

    def drop(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        """Add what was dropped, as one undo step; ask what a mesh file becomes."""
        self.move(at, modifiers)
        dragged, found, context = self._dragged, self._found, self._canvas.document_context
        self.leave()
        if found is None or dragged is None:
            return
        if isinstance(dragged, Path) and is_robot_name(dragged):
            if (link := _carrier(found[0])) >= 0:
                context.requests.robot.emit(MeshDrop(dragged, replace(found[0], link=link)))
            else:
                context.requests.other_file.emit(Span(str(dragged), 0, 0, 1, 1, 1, 1))
        elif isinstance(dragged, Path):
            context.requests.mesh.emit(MeshDrop(dragged, found[0]))
        else:
            context.edits.make(lambda: self._edit(found[0], dragged), self._canvas)

    def leave(self) -> None:
        """Show nothing: it is dragged elsewhere."""
        self._found = None
        self._canvas.document_context.previews.show(None)
        self._canvas.tools.show_message("", QPointF())
        self._canvas.update()

    def choose(self, shape: str) -> None:
        """Place a shape with the next click in the view."""
        context = self._canvas.document_context
        reason = why_not_current(context.session)
        if reason is not None:
            context.messages.refuse(reason.sentence)
            return

        def pose(place: PickedPlace) -> Array:
            target = self._target(place)
            return target.pose(self._shape(target, shape).height_above_bottom)

        def consider(place: PickedPlace | None) -> None:
            if place is None:
                context.previews.show(None)
            else:
                self._preview(self._target(place), shape)

        def take(place: PickedPlace) -> None:
            context.edits.make(lambda: self._edit(self._target(place), shape), self._canvas)

        context.requests.pick_pose(PosePick(f"a {shape}", pose, consider, take, lambda: None))

    def shapes(self) -> Shapes:
        """Return the axes of what is dragged, and the outline of what it would rest on."""
        if self._found is None:
            return Shapes()
        target, outline = self._found
        return place_shapes(self._canvas, target.pose(), outline)

    def _target(self, place: PickedPlace) -> DropTarget:
        model = self._canvas.document_context.session.edited_model
        assert model is not None
        return target_at(self._canvas.feed.scene, model, place)

    def _shape(self, target: DropTarget, shape: str) -> NewShape:
        canvas = self._canvas
        pixel = float(canvas.camera.metres_per_pixel(target.place.point, canvas.height()))
        return NewShape.usual(shape, fitting_size(pixel, canvas.height()))

    def _edit(self, target: DropTarget, shape: str) -> Edit:
        return drop_shape(target, self._shape(target, shape), self._canvas.document_context.session.make_loader())

    def _preview(self, target: DropTarget, shape: str) -> None:
        try:
            edit = self._edit(target, shape)
        except SdfViewerError as error:
            self._canvas.document_context.previews.show(None)
            self._canvas.document_context.messages.refuse(str(error))
        else:
            self._canvas.document_context.previews.show(edit)


def _carrier(target: DropTarget) -> int:
    """Return the link that carries a robot which is dropped: the root link at the frame of the robot; -1 for none."""
    return int(target.model.bodies[0]) if target.link < 0 and target.place.row == 0 else target.link


def is_robot_name(path: Path) -> bool:
    """Return whether a file may hold a robot that can be joined to another one, by its name."""
    return path.suffix.lower() in (".urdf", ".xacro")


def dragged_in(data: QMimeData, *, takes_robots: bool = False) -> str | Path | None:
    """Return the tag of the shape, or the file of a mesh or a robot, that is dragged; None for all else."""
    if data.hasFormat(SHAPE_MIME):
        return bytes(data.data(SHAPE_MIME).data()).decode()
    urls = data.urls()
    path = Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None
    if path is None:
        return None
    return path if path.suffix.lower() in SUFFIXES or (takes_robots and is_robot_name(path)) else None


_REACH = 44.0
"""Length of the axes of the triad in pixels."""
_AXES: tuple[Colour, ...] = ((0.90, 0.25, 0.30, 1.0), (0.25, 0.75, 0.30, 1.0), (0.25, 0.50, 0.95, 1.0))
_KEYS = "Click to place it. Ctrl: the point as it is. Esc: cancel."


def find_place(canvas: SceneWidget, at: QPointF, modifiers: Qt.KeyboardModifier) -> tuple[PickedPlace, Floats] | None:
    """Return the place under the mouse with its outline (k, 2, 3), the ground where nothing else is."""
    scene, size = canvas.feed.scene, (float(canvas.width()), float(canvas.height()))
    free = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
    x, y = at.x(), at.y()
    preferred = canvas.document_context.session.selected_rows
    found = snap(scene, canvas.camera, x, y, size, preferred=preferred, free=free)
    if found is None:
        ground = ground_place(canvas.camera, x, y, size)
        return None if ground is None else (ground, np.zeros((0, 2, 3)))
    at_anchor = scene.X_RootF[scene.names.index(found.anchor.frame)] @ found.anchor.X_FA[:, 3]
    return place_of(found, scene, float(canvas.camera.metres_per_pixel(at_anchor[:3], size[1]))), found.outline


class PlaceTool:
    """Answers the `PosePick` of a form."""

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        self._found: tuple[PickedPlace, Floats] | None = None
        self._pick: PosePick | None = None
        canvas.document_context.requests.pick_changed.connect(self._follow)
        canvas.document_context.changed.connect(self._follow_document)

    @property
    def on(self) -> bool:
        """Whether a click picks a pose."""
        return self._pick is not None

    def _follow(self) -> None:
        self._pick = self._canvas.document_context.requests.pick
        self._show(None, QPointF())
        if self._pick is not None:
            self._canvas.setFocus()  # for Escape
            self._canvas.document_context.messages.show(f"Pick the pose of {self._pick.what} in the 3D view. {_KEYS}")

    def _follow_document(self, change: SessionChange) -> None:
        """Drop a place in the text before; nothing can be placed in a text that has no model."""
        if self._pick is None or not change.document:
            return
        self._show(None, QPointF())
        if self._canvas.document_context.session.model is None:
            self._canvas.document_context.requests.pick_pose(None)

    def hover(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> bool:
        """Show what a click would pick; return whether picking is active."""
        if self._pick is None:
            return False
        self._show(find_place(self._canvas, at, modifiers), at)
        return True

    def leave(self) -> None:
        """Consider nothing while the mouse is elsewhere."""
        if self._pick is not None:
            self._show(None, QPointF())

    def click(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> bool:
        """Return whether the click was for a form."""
        pick = self._pick
        if pick is None:
            return False
        found = find_place(self._canvas, at, modifiers)
        if found is not None:
            pick.take(found[0])
            self._canvas.document_context.requests.pick_pose(None)
        return True

    def _show(self, found: tuple[PickedPlace, Floats] | None, at: QPointF) -> None:
        self._found = found
        if self._pick is not None:
            self._pick.consider(None if found is None else found[0])
            self._canvas.tools.show_message(found[0].label if found else "", at, _KEYS)
        else:
            self._canvas.tools.show_message("", at)
        self._canvas.update()

    def shapes(self) -> Shapes:
        """Return the outline of what the mouse snaps to, and the axes of the pose there."""
        if self._pick is None or self._found is None:
            return Shapes()
        place, outline = self._found
        return place_shapes(self._canvas, self._pick.pose(place), outline)


def place_shapes(canvas: SceneWidget, X_RootF: Floats, outline: Floats) -> Shapes:
    """Return a triad at a pose (4, 4), over the outline (k, 2, 3) of the picked face."""
    colours = theme(canvas.look.dark)
    tone, rim = colour_of(colours.measure), colour_of(colours.plate)
    parts: list[Shapes] = []
    if len(outline):
        segments = canvas.pixels_of(outline)
        parts += [strokes(segments, 5.0, (*rim[:3], 0.7)), strokes(segments, 2.5, tone)]
    origin = X_RootF[:3, 3]
    reach = _REACH * float(canvas.camera.metres_per_pixel(origin, canvas.height()))
    ends = canvas.pixels_of(np.concatenate([origin[None], origin + reach * X_RootF[:3, :3].T]))
    if np.isfinite(ends).all():
        for end, axis in zip(ends[1:], _AXES, strict=True):
            line = np.stack([ends[0], end])
            parts += [stroke(line, 5.5, rim), stroke(line, 3.0, axis)]
        parts += [disc(ends[0], 5.0, rim), disc(ends[0], 3.5, tone)]
    return Shapes.concatenate(parts)
