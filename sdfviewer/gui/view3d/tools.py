"""What the left button does in the 3D view: the tools, and the one that has taken the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLabel

from sdfviewer.gui.theme import tokens
from sdfviewer.gui.view3d.box_tool import BoxTool
from sdfviewer.gui.view3d.gizmo_tool import Axes, GizmoTool
from sdfviewer.gui.view3d.measure_tool import MeasureTool
from sdfviewer.gui.view3d.pose_tool import PoseTool
from sdfviewer.scene.gizmo import Mode
from sdfviewer.scene.shapes2d import Shapes
from sdfviewer.session import Change

if TYPE_CHECKING:
    from sdfviewer.gui.view3d.canvas import Canvas

SELECT, MOVE, TURN, POSE, MEASURE = "tool.select", "tool.move", "tool.turn", "tool.pose", "tool.measure"
_BESIDE_MOUSE = (18, 22)


class Tools(QObject):
    """The tools of one 3D view.

    Attributes
    ----------
    enabled
        Whether the view can be worked in; one that shows another reading is only looked at.
    """

    #: Id of the tool that the keyboard asks for.
    requested = Signal(str)

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.enabled = True
        self.gizmo = GizmoTool(canvas)
        self.pose = PoseTool(canvas)
        self.measure = MeasureTool(canvas)
        self.box = BoxTool(canvas)
        self._label = QLabel(canvas)
        self._label.setObjectName("tool_amount")
        self._label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._label.hide()
        canvas.bridge.changed.connect(self._follow)

    def choose(self, switches: dict[str, bool]) -> None:
        """Follow the switches of the window."""
        self.gizmo.cancel()
        modes = {MOVE: Mode.MOVE, TURN: Mode.TURN}
        before = self.gizmo.mode
        self.gizmo.mode = next((mode for id, mode in modes.items() if switches.get(id) and self.enabled), None)
        self.gizmo.axes = next((axes for axes in Axes if switches.get(f"axes.{axes.value}")), Axes.LOCAL)
        self.gizmo.snaps = switches.get("tool.snap", False)
        self.pose.on = switches.get(POSE, False)
        self.measure.choose(switches.get(MEASURE, False) and self.enabled)
        self.gizmo.hovered = None
        if self.gizmo.mode is not before:
            self.gizmo.explain()

    @property
    def chosen(self) -> bool:
        """Whether there is a tool at work other than selecting."""
        return self.gizmo.mode is not None or self.pose.on or self.measure.on

    @property
    def holding(self) -> bool:
        """Whether something is held with the mouse, so that keys belong to the tool."""
        return self.gizmo.drag is not None or self.pose.holding or self.box.holding

    def shapes(self) -> Shapes:
        """Return what the tools draw over the picture."""
        return Shapes.concatenate([self.gizmo.shapes(), self.pose.shapes()])

    def say(self, text: str, at: QPointF) -> None:
        """Show a short text beside the mouse; an empty one goes away."""
        self._label.setVisible(bool(text))
        if not text:
            return
        colours = tokens(self._canvas.palette())
        self._label.setStyleSheet(
            f"background: {colours.raised}; color: {colours.text}; border: 1px solid {colours.border_strong};"
            "border-radius: 4px; padding: 2px 8px; font-weight: 600;"
        )
        self._label.setText(text)
        self._label.adjustSize()
        canvas = self._canvas
        x = min(round(at.x()) + _BESIDE_MOUSE[0], canvas.width() - self._label.width() - 4)
        y = min(round(at.y()) + _BESIDE_MOUSE[1], canvas.height() - self._label.height() - 4)
        self._label.move(max(x, 4), max(y, 4))

    # --- events ----------------------------------------------------------------------------------------------------

    def press(self, event: QMouseEvent) -> bool:
        """Return whether a tool takes the mouse."""
        if self.holding:
            return True
        if event.button() != Qt.MouseButton.LeftButton or not self.enabled:
            return False
        at = event.position()
        modifiers = event.modifiers()
        return self.gizmo.press(at) or self.pose.press(at, modifiers) or self.box.press(at, modifiers)

    def move(self, event: QMouseEvent) -> bool:
        """Return whether a tool has the mouse."""
        at = event.position()
        return self.gizmo.move(at, event.modifiers()) or self.pose.move(at) or self.box.move(at)

    def release(self, event: QMouseEvent) -> bool:
        """Return whether a tool had the mouse."""
        if event.button() != Qt.MouseButton.LeftButton:
            return self.holding
        return self.gizmo.release() or self.pose.release() or self.box.release(event.position())

    def hover(self, at: QPointF) -> bool:
        """Return whether there is a handle under the mouse."""
        over = self.gizmo.hover(at)
        self._canvas.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
        return over

    def key(self, event: QKeyEvent) -> bool:
        """Return whether a key belonged to a tool."""
        if self.gizmo.key(event):
            return True
        if event.key() != Qt.Key.Key_Escape:
            return False
        if self.box.holding:
            self.box.cancel()
            return True
        if self.pose.holding:
            self.pose.cancel()
            return True
        if self.chosen:
            self.requested.emit(SELECT)
            return True
        return False

    def _follow(self, change: Change) -> None:
        self.gizmo.follow(change)
        self.pose.follow(change)
