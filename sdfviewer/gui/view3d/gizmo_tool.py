"""Moving and turning the selected frame by handles in the 3D view: mouse, keys and typed numbers."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.edits import Edit
from sdfviewer.gui.number_field import format_number, parse_number
from sdfviewer.gui.units import LENGTH, from_radians, to_radians
from sdfviewer.scene.gizmo import Drag, Gizmo, Handle, Mode, gizmo_pose, snapped
from sdfviewer.scene.gizmo_picture import paint_drag, paint_gizmo
from sdfviewer.scene.shapes2d import Shapes
from sdfviewer.semantics.editing.moving import Move, require_movable
from sdfviewer.semantics.model import Model
from sdfviewer.session import Change

if TYPE_CHECKING:
    from sdfviewer.gui.view3d.canvas import Canvas

_TYPED = re.compile(r"[0-9.,+\-*/eEpi ]")
_AXIS_KEYS = {Qt.Key.Key_X: 0, Qt.Key.Key_Y: 1, Qt.Key.Key_Z: 2}


class Axes(str, Enum):
    """Along which axes the handles stand."""

    LOCAL = "local"
    WORLD = "world"
    RELATIVE_TO = "relative_to"


class GizmoTool:
    """The handles at the selected frame of one 3D view.

    Attributes
    ----------
    mode
        What the handles do, None while they are not shown.
    axes
        Along which axes they stand.
    drag
        The handle that is held, None where none is.
    """

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self.mode: Mode | None = None
        self.axes = Axes.LOCAL
        self.snaps = False
        self.hovered: Handle | None = None
        self.drag: Drag | None = None
        self._move: Move | None = None
        self._free: Handle | None = None
        self._amounts: tuple[float, ...] = ()
        self._typed = ""
        self._at = QPointF()
        # After Enter the button is still down; what it does until it is let go means nothing.
        self._spent = False

    # --- what is shown ---------------------------------------------------------------------------------------------

    def gizmo(self) -> Gizmo | None:
        """Return the handles as they stand, None where there are none."""
        session = self._canvas.bridge.session
        model, row = session.model, session.selected_row
        if self.mode is None or model is None or row is None or not session.is_current:
            return None
        X = self._canvas.feed.scene.X_RootF
        reference = int(model.relative_to[row])
        if row >= len(X) or self.why_not(model, row):
            return None
        axes = {Axes.LOCAL: X[row], Axes.WORLD: np.eye(4), Axes.RELATIVE_TO: X[reference]}[self.axes]
        X_WG = gizmo_pose(X[row], axes[:3, :3])
        canvas = self._canvas
        return Gizmo(X_WG, self.mode, canvas.camera, canvas.width(), canvas.height())

    @staticmethod
    def why_not(model: Model, row: int) -> str:
        """Return why a frame has no handles, empty where it has."""
        try:
            require_movable(model, row)
        except SdfViewerError as error:
            return str(error)
        return ""

    def explain(self) -> None:
        """Say why there are no handles, where somebody would expect them."""
        bridge = self._canvas.bridge
        model, row = bridge.session.model, bridge.session.selected_row
        if self.mode is None or model is None:
            return
        if row is None:
            bridge.said.emit(f"Select a frame to {self.mode.value} it.")
        elif reason := self.why_not(model, row):
            bridge.refused.emit(reason)

    def shapes(self) -> Shapes:
        """Return what is drawn over the picture."""
        dark = self._canvas.look.dark
        if self.drag is not None:
            return paint_drag(self.drag, self._amounts, dark=dark)
        gizmo = self.gizmo()
        return Shapes() if gizmo is None else paint_gizmo(gizmo, self.hovered, dark=dark)

    def text(self) -> str:
        """Return what is said beside the mouse while a handle is held."""
        if self.drag is None:
            return ""
        turning = self.drag.handle.mode is Mode.TURN
        unit = self._canvas.settings.angle_unit
        sign = unit.value if turning else LENGTH
        names = "xyz" if not self.drag.handle.axes else self.drag.handle.name
        label = "view" if turning and not self.drag.handle.axes else "  ".join(names)
        if self._typed:
            return f"{label}   {self._typed}▏{sign}"
        shown = [from_radians(each, unit) if turning else each for each in self._amounts]
        if turning:
            return f"{label}   {format_number(shown[0] if shown else 0.0, 4)} {sign}"
        return (
            "   ".join(f"{name} {format_number(each, 4)}" for name, each in zip(names, shown, strict=True)) + f" {sign}"
        )

    # --- mouse -----------------------------------------------------------------------------------------------------

    def hover(self, at: QPointF) -> bool:
        """Light up the handle under the mouse; return whether there is one."""
        gizmo = self.gizmo()
        handle = None if gizmo is None else gizmo.pick(at.x(), at.y())
        if handle != self.hovered:
            self.hovered = handle
            self._canvas.update()
        return handle is not None

    def press(self, at: QPointF) -> bool:
        """Take the handle under the mouse; return whether there is one."""
        gizmo = self.gizmo()
        handle = None if gizmo is None else gizmo.pick(at.x(), at.y())
        session = self._canvas.bridge.session
        if gizmo is None or handle is None or session.kinematics is None or session.selected_row is None:
            return False
        try:
            q = session.kinematics.positions(session.positions)
            self._move = Move(session.kinematics, q, session.selected_row)
        except SdfViewerError as error:
            self._canvas.bridge.refused.emit(str(error))
            return False
        self.drag, self._free = Drag(gizmo, handle, at.x(), at.y()), handle
        self._at, self._typed, self._spent = at, "", False
        self._show((0.0,) * (1 if handle.mode is Mode.TURN else len(handle.axes) or 3))
        return True

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> bool:
        """Follow the mouse with the handle that is held; return whether one is, or was until a key ended it."""
        if self.drag is None:
            return self._spent
        self._at = at
        if not self._typed:
            self._follow_mouse(bool(modifiers & Qt.KeyboardModifier.ControlModifier))
        return True

    def _follow_mouse(self, control: bool) -> None:
        if self.drag is None:
            return
        # What comes back is unwound from where it was, so the amounts before snapping have to be near.
        amounts = self.drag.amounts(self._at.x(), self._at.y(), self._amounts)
        if control != self.snaps:
            settings = self._canvas.settings
            amounts = snapped(amounts, settings.snap_angle if self.drag.unit == "rad" else settings.snap_length)
        self._show(amounts)

    def release(self) -> bool:
        """Let go: one undo step. Return whether a handle was held."""
        if self._spent:
            self._spent = False
            return True
        if self.drag is None:
            return False
        self.commit()
        return True

    # --- keys ------------------------------------------------------------------------------------------------------

    def key(self, event: QKeyEvent) -> bool:
        """Constrain, type, finish or cancel while a handle is held; return whether the key meant anything."""
        if self.drag is None:
            return False
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.cancel()
            self._spent = True
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.commit()
            self._spent = True
        elif key == Qt.Key.Key_Backspace:
            self._type(self._typed[:-1])
        elif key in _AXIS_KEYS:
            self._constrain(_AXIS_KEYS[key], bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif event.text() and _TYPED.fullmatch(event.text()):
            self._type(self._typed + event.text())
        return True

    def _constrain(self, axis: int, across: bool) -> None:
        """Hold on to one axis, or with Shift to the plane across it; the same key again lets go of it."""
        assert self.drag is not None
        assert self._free is not None
        mode = self.drag.handle.mode
        axes = ((axis + 1) % 3, (axis + 2) % 3) if across and mode is Mode.MOVE else (axis,)
        wanted = Handle(mode, axes)
        self.drag = self.drag.holding(self._free if wanted == self.drag.handle else wanted)
        self._amounts = ()
        if self._typed:
            self._type(self._typed)
        else:
            self._follow_mouse(control=self.snaps)

    def _type(self, text: str) -> None:
        assert self.drag is not None
        self._typed = text
        if not text.strip():
            self._typed = ""
            self._follow_mouse(control=self.snaps)
            return
        try:
            numbers = [parse_number(word) for word in text.split()]
        except ValueError:  # not yet a number: "-", "1e"
            numbers = []
        turning = self.drag.handle.mode is Mode.TURN
        unit = self._canvas.settings.angle_unit
        count = 1 if turning else len(self.drag.handle.axes) or 3
        values = [to_radians(number, unit) if turning else number for number in numbers[:count]]
        self._show(tuple(values + [0.0] * (count - len(values))))

    # --- the frame -------------------------------------------------------------------------------------------------

    def _show(self, amounts: tuple[float, ...]) -> None:
        assert self.drag is not None
        assert self._move is not None
        self._amounts = amounts
        self._canvas.feed.preview(self._move.by(self.drag.motion(amounts)))
        self._canvas.tools.say(self.text(), self._at)

    def commit(self) -> None:
        """Write where the frame stands now, as one undo step."""
        move, drag, amounts = self._move, self.drag, self._amounts
        self._end()
        if move is None or drag is None:
            return

        def edit() -> Edit:
            made = move.edit()
            verb = "Turn" if drag.handle.mode is Mode.TURN else "Move"
            return Edit(f"{verb} {move.model.local_names[move.row]}", made.replacements)

        if not any(amounts) or not self._canvas.bridge.make(edit, self._canvas):
            self._canvas.feed.preview(None)

    def cancel(self) -> None:
        """Put the frame back where it was."""
        if self.drag is not None:
            self._end()
            self._canvas.feed.preview(None)

    def follow(self, change: Change) -> None:
        """Let go without a trace where the text changes, or another frame is selected, under the hand."""
        if self.drag is not None and (change.document or change.selection):
            self._spent = True
            self.cancel()
        if change.selection:
            self.explain()

    def _end(self) -> None:
        self.drag, self._move, self._typed, self._amounts = None, None, "", ()
        self._canvas.tools.say("", QPointF())
        self._canvas.update()
