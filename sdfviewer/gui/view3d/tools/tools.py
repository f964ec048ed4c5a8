"""What the left button does in the 3D view: the tools, which of them handles the mouse, and the selecting rectangle."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLabel, QRubberBand

from sdfviewer.display_text import as_sentence
from sdfviewer.gui.kit.labels import in_lines
from sdfviewer.gui.kit.safe_text import markup, set_rich_text
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widgets import styled
from sdfviewer.gui.view3d.camera_control import CameraControl
from sdfviewer.gui.view3d.pointing import name_of_row
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.gui.view3d.tools.drop_tool import DropTool, PlaceTool
from sdfviewer.gui.view3d.tools.gizmo_tool import Axes, GizmoTool
from sdfviewer.gui.view3d.tools.measure_tool import MeasureTool
from sdfviewer.gui.view3d.tools.pose_tool import PoseTool
from sdfviewer.gui.view3d.tools.resize_tool import ResizeTool
from sdfviewer.gui.view3d.tools.section_tool import SectionTool
from sdfviewer.scene.shapes2d import Shapes
from sdfviewer.scene.tools.gizmo import Mode, Rectangle
from sdfviewer.scene.tools.picking import box_select
from sdfviewer.session.session_change import SessionChange

SELECT, MOVE, ROTATE, POSE, MEASURE = "tool.select", "tool.move", "tool.rotate", "tool.pose", "tool.measure"
RESIZE = "tool.resize"
_BESIDE_MOUSE = (18, 22)
_EDGE, _MARGIN = 4, 8
_PADDING = 20
"""Logical pixels that the style sheet adds to the width of a text."""
_CORNERS = 120
"""Logical pixels that the tool strip and the view cube take on the left and the right of the upper edge."""


class Tools(QObject):
    """The tools of one 3D view.

    Attributes
    ----------
    enabled
        Whether the view can be worked in; one that shows another convention is read-only.
    """

    #: Id of the tool whose shortcut was pressed.
    requested = Signal(str)

    def __init__(self, canvas: SceneWidget, control: CameraControl) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.enabled = True
        # The right button that cancelled a drag is still pressed; releasing it must not open a menu.
        self._is_cancelling = False
        self.gizmo = GizmoTool(canvas)
        self.resize = ResizeTool(canvas)
        self.pose = PoseTool(canvas)
        self.measure = MeasureTool(canvas)
        self.box = BoxTool(canvas)
        self.section = SectionTool(canvas)
        self.place = PlaceTool(canvas)
        self.drop = DropTool(canvas, control)
        self._label = _overlay(canvas, "tool_amount")
        self._refusal = _overlay(canvas, "tool_refusal")
        self._refusal.setWordWrap(True)
        canvas.document_context.changed.connect(self._follow)
        canvas.document_context.requests.measure.connect(self._measure_from)
        canvas.installEventFilter(self)

    def choose(self, switches: dict[str, bool]) -> None:
        """Follow the switches of the window."""
        modes = {MOVE: Mode.MOVE, ROTATE: Mode.ROTATE}
        mode = next((mode for id, mode in modes.items() if switches.get(id) and self.enabled), None)
        axes = next((axes for axes in Axes if switches.get(f"axes.{axes.value}")), Axes.LOCAL)
        self.gizmo.choose(mode, axes, snaps=switches.get("tool.snap", False), alone=switches.get("tool.alone", False))
        self.resize.choose(switches.get(RESIZE, False) and self.enabled, snaps=switches.get("tool.snap", False))
        self.pose.on = switches.get(POSE, False)
        self.pose.keeps_orientation = switches.get("tool.keep_orientation", False)
        self.measure.choose(switches.get(MEASURE, False) and self.enabled)
        self._show_refusal()

    def _measure_from(self, name: str) -> None:
        """Measure from a frame, by its scoped name, as another view asks for."""
        if self.enabled:
            if not self.measure.on:
                self.requested.emit(MEASURE)
            self.measure.pick_frame(name)

    @property
    def chosen(self) -> bool:
        """Whether there is a tool at work other than selecting."""
        return self.gizmo.mode is not None or self.resize.on or self.pose.on or self.measure.on

    @property
    def is_dragging(self) -> bool:
        """Whether a tool drags something, so that keys are for the tool."""
        held = (self.resize, self.pose, self.box, self.section)
        return self.gizmo.drag is not None or any(each.is_dragging for each in held)

    def shapes(self) -> Shapes:
        """Return the shapes that the tools draw over the picture."""
        return Shapes.concatenate(
            [
                self.gizmo.shapes(),
                self.resize.shapes(),
                self.pose.shapes(),
                self.measure.shapes(),
                self.section.shapes(),
                self.place.shapes(),
                self.drop.shapes(),
            ]
        )

    def rectangles(self) -> tuple[Rectangle, ...]:
        """Where handles are that names should not be under, in logical pixels."""
        handles = (each for each in (self.gizmo.gizmo(), self.resize.resizing()) if each is not None)
        return (*self.section.rectangles(), *(place for each in handles for place in each.rectangles()))

    def show_message(self, text: str, at: QPointF, note: str = "") -> None:
        """Show a short text beside the mouse, and a note below it; an empty text goes away."""
        self._label.setVisible(bool(text))
        if not text:
            return
        canvas, label = self._canvas, self._label
        colours, room = tokens(), canvas.width() - 2 * _EDGE - _PADDING
        bold = label.font()
        bold.setWeight(QFont.Weight.DemiBold)
        text, note = _in_room(text, room, QFontMetrics(bold)), _in_room(note, room, label.fontMetrics())
        below = markup('<br><span style="color: {tone}">{note}</span>', tone=colours.muted, note=note) if note else ""
        line = '<span style="white-space: pre"><span style="font-weight: 600">{text}</span>{below}</span>'
        set_rich_text(label, markup(line, text=text, below=below))
        label.adjustSize()
        right, below_mouse = round(at.x()) + _BESIDE_MOUSE[0], round(at.y()) + _BESIDE_MOUSE[1]
        # Above the pointer if there is no room below, but never covered by it.
        is_room = below_mouse + label.height() <= canvas.height() - _EDGE
        y = below_mouse if is_room else round(at.y()) - _BESIDE_MOUSE[1] - label.height()
        label.move(max(min(right, canvas.width() - label.width() - _EDGE), _EDGE), max(y, _EDGE))
        label.raise_()

    def _show_refusal(self) -> None:
        """Say in the middle of the upper edge why what is selected has no handles, where a tool for them is chosen."""
        reason = self.gizmo.refusal or self.resize.refusal
        self._refusal.setVisible(bool(reason))
        if not reason:
            return
        room = max(self._canvas.width() - 2 * _CORNERS, _CORNERS)
        self._refusal.setText(as_sentence(reason))
        self._refusal.setFixedWidth(min(self._refusal.fontMetrics().horizontalAdvance(self._refusal.text()) + 24, room))
        self._refusal.setFixedHeight(self._refusal.heightForWidth(self._refusal.width()))
        self._refusal.move((self._canvas.width() - self._refusal.width()) // 2, _MARGIN)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._canvas and event.type() == QEvent.Type.Resize:
            self._show_refusal()
            self.measure.place()
        return super().eventFilter(watched, event)

    # --- events ----------------------------------------------------------------------------------------------------

    def press(self, event: QMouseEvent) -> bool:
        """Return whether a tool takes the mouse."""
        if self.is_dragging:
            if event.button() == Qt.MouseButton.RightButton:
                self._cancel()
                self._is_cancelling = True
            return True
        if event.button() != Qt.MouseButton.LeftButton or not self.enabled:
            return False
        at = event.position()
        if self.section.press(at):
            return True
        if self.measure.on or self.place.on or self.section.picks_face:
            return False
        modifiers = event.modifiers()
        return (
            self.gizmo.press(at)
            or self.resize.press(at)
            or self.pose.press(at, modifiers)
            or self.box.press(at, modifiers)
        )

    def move(self, event: QMouseEvent) -> bool:
        """Return whether a tool has the mouse."""
        at = event.position()
        if self.section.move(at):
            return True
        if self.resize.move(at, event.modifiers()):
            return True
        return self.gizmo.move(at, event.modifiers()) or self.pose.move(at) or self.box.move(at)

    def click(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> bool:
        """Return whether a click was for a tool."""
        return (
            (self.enabled and self.place.click(at, modifiers))
            or self.section.click(at)
            or self.measure.click(at, modifiers)
        )

    def release(self, event: QMouseEvent) -> bool:
        """Return whether a tool had the mouse."""
        if event.button() != Qt.MouseButton.LeftButton:
            was_cancelling, self._is_cancelling = self._is_cancelling, False
            return self.is_dragging or was_cancelling
        if self.section.release():
            return True
        return (
            self.gizmo.release() or self.resize.release() or self.pose.release() or self.box.release(event.position())
        )

    def hover(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> bool:
        """Return whether there is a handle under the mouse, or a place to pick."""
        if self.enabled and self.place.hover(at, modifiers):
            return True
        self.measure.hover(at, modifiers)
        return self.section.hover(at) or self.gizmo.hover(at) or self.resize.hover(at)

    def leave(self) -> None:
        """Show nothing under the mouse: it is elsewhere."""
        self.place.leave()
        self.section.hover(None)

    def key(self, event: QKeyEvent, *, pressed: bool = True) -> bool:
        """Return whether a tool has handled a pressed or released key."""
        if self.gizmo.key(event, pressed=pressed) or self.resize.key(event, pressed=pressed):
            return True
        if not pressed or event.key() != Qt.Key.Key_Escape:
            return False
        if self._cancel() or self.section.cancel_pick() or self._canvas.document_context.requests.cancel_pick():
            return True
        if self.chosen:
            self.requested.emit(SELECT)
            return True
        return False

    def _cancel(self) -> bool:
        """Cancel the drag, as Escape and the right button do; return whether there was one."""
        if self.gizmo.drag is not None:
            self.gizmo.cancel()
        elif self.resize.is_dragging:
            self.resize.cancel()
        elif self.pose.is_dragging:
            self.pose.cancel()
        elif self.box.is_dragging:
            self.box.cancel()
        elif self.section.is_dragging:
            self.section.cancel()
        else:
            return False
        return True

    def _follow(self, change: SessionChange) -> None:
        self.gizmo.follow(change)
        self.resize.follow(change)
        self.pose.follow(change)
        if change.selection or change.document:
            self._show_refusal()


def _in_room(text: str, room: int, metrics: QFontMetrics) -> str:
    """Return a text in as many lines as it needs."""
    return text if metrics.horizontalAdvance(text) <= room else in_lines(text, room, metrics)


def _overlay(canvas: SceneWidget, name: str) -> QLabel:
    """Return a label over the picture that the mouse does not notice."""
    label = styled(QLabel(canvas), "overlay")
    label.setObjectName(name)
    label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    label.hide()
    return label


_LEAST = 4
"""A smaller rectangle, in pixels, is a click."""


class BoxTool:
    """The rubber band of one view."""

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, canvas)
        self._start: QPointF | None = None

    @property
    def is_dragging(self) -> bool:
        """Whether a rectangle is being drawn."""
        return self._start is not None

    def press(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> bool:
        """Return whether a rectangle begins here."""
        if modifiers != Qt.KeyboardModifier.ControlModifier:
            return False
        self._start = at
        return True

    def move(self, at: QPointF) -> bool:
        """Return whether a rectangle is being drawn."""
        if self._start is None:
            return False
        self._band.setGeometry(self._rectangle(at))
        self._band.setVisible(self._is_box(at))
        return True

    def release(self, at: QPointF) -> bool:
        """Return whether a rectangle was drawn; everything in it is added to the selection."""
        start, self._start = self._start, None
        self._band.hide()
        if start is None:
            return False
        canvas = self._canvas
        corners = ((start.x(), start.y()), (at.x(), at.y()))
        if abs(at.x() - start.x()) + abs(at.y() - start.y()) < _LEAST:
            return False
        rows = box_select(canvas.feed.scene, canvas.camera, *corners, canvas.width(), canvas.height())
        session = canvas.document_context.session
        names = [name_of_row(session.model, row) for row in rows.tolist()]
        session.select(tuple(dict.fromkeys((*session.selection, *(name for name in names if name)))), None)
        return True

    def cancel(self) -> None:
        """End the drag without selecting anything."""
        self._start = None
        self._band.hide()

    def _rectangle(self, at: QPointF) -> QRect:
        assert self._start is not None
        return QRect(self._start.toPoint(), at.toPoint()).normalized()

    def _is_box(self, at: QPointF) -> bool:
        rectangle = self._rectangle(at)
        return rectangle.width() + rectangle.height() >= _LEAST
