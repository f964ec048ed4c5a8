"""Moving and turning the selected frames by handles in the 3D view: mouse, keys and typed numbers."""

from __future__ import annotations

import re
from enum import Enum

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

from sdfviewer.gui.view3d.drag_state import DragState
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.gui.widgets.units import LENGTH, from_radians, to_radians
from sdfviewer.number_expression import parse_number
from sdfviewer.number_text import format_shown
from sdfviewer.refactoring.poses.moving import Move
from sdfviewer.scene.gizmo import Drag, Gizmo, Handle, Mode, gizmo_pose, shortened, snapped
from sdfviewer.scene.gizmo_drawing import paint_drag, paint_gizmo
from sdfviewer.scene.shapes2d import Shapes
from sdfviewer.session.session_change import SessionChange

_TYPED = re.compile(r"[0-9.,+\-*/eEpi ]")
_AXIS_KEYS = {Qt.Key.Key_X: 0, Qt.Key.Key_Y: 1, Qt.Key.Key_Z: 2}


class Axes(str, Enum):
    """The orientation of the handles."""

    LOCAL = "local"
    WORLD = "world"
    RELATIVE_TO = "relative_to"


class GizmoTool:
    """The handles of one 3D view, at the frame selected last: all selected frames move with it, or turn about it.

    Attributes
    ----------
    mode
        What the handles do, None while they are not shown.
    axes
        Along which axes they stand.
    snaps, alone
        Whether they go in steps; whether they move the frames alone, so that what is measured from them stays.
    drag
        The handle that is held, None where none is.
    hand
        What it moves.
    """

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        self.mode: Mode | None = None
        self.axes = Axes.LOCAL
        self.snaps = False
        self.alone = False
        self.hovered: Handle | None = None
        self.drag: Drag | None = None
        self.hand = DragState(canvas)
        self._free: Handle | None = None
        self._amounts: tuple[float, ...] = ()
        self._typed = ""
        self._at = QPointF()
        self._control = False
        # After Enter the button is still down; what it does until it is let go means nothing.
        self._spent = False

    # --- what is shown ---------------------------------------------------------------------------------------------

    def gizmo(self) -> Gizmo | None:
        """Return the handles as they stand, None where there are none."""
        session = self._canvas.document_context.session
        model, row = session.model, session.selected_row
        if self.mode is None or model is None or row is None or isinstance(self.hand.move_set, str):
            return None
        X = self._canvas.feed.scene.X_RootF
        if row >= len(X):
            return None
        axes = {Axes.LOCAL: X[row], Axes.WORLD: np.eye(4), Axes.RELATIVE_TO: X[int(model.relative_to[row])]}[self.axes]
        X_WG = gizmo_pose(X[row], axes[:3, :3])
        canvas = self._canvas
        return Gizmo(X_WG, self.mode, canvas.camera, canvas.width(), canvas.height())

    def choose(self, mode: Mode | None, axes: Axes, *, snaps: bool, alone: bool) -> None:
        """Follow the switches of the window."""
        self.cancel()
        changed = mode is not self.mode or alone != self.alone
        self.mode, self.axes, self.snaps, self.alone = mode, axes, snaps, alone
        self.hand.alone = alone
        self.hovered = None
        if changed:
            self.explain()

    @property
    def refusal(self) -> str:
        """Why there are no handles where somebody would expect them, empty where there are, or nobody would."""
        move_set = self.hand.move_set
        return move_set if self.mode is not None and isinstance(move_set, str) else ""

    def explain(self) -> None:
        """Say what the handles will move, or why there are none."""
        context = self._canvas.document_context
        session = context.session
        if self.mode is None or session.model is None:
            return
        if session.selected_row is None:
            context.status_message.emit(f"Select a frame to {self.mode.value} it.")
        elif self.refusal:
            context.refused.emit(self.refusal)
        elif len(session.selection) > 1:
            pivot = session.model.local_names[session.selected_row]
            about = f" about {pivot}" if self.mode is Mode.ROTATE else ""
            context.status_message.emit(
                f"{self.mode.value.capitalize()}s {len(session.selection)} frames as one{about}."
            )
        else:
            context.status_message.emit(
                "Drag a handle. While dragging, press X, Y or Z to lock an axis, hold Ctrl to snap, or type a number."
            )

    def shapes(self) -> Shapes:
        """Return the shapes drawn over the picture."""
        dark = self._canvas.look.dark
        if self.drag is not None:
            return paint_drag(self.drag, self._amounts, dark=dark)
        gizmo = self.gizmo()
        return Shapes() if gizmo is None else paint_gizmo(gizmo, self.hovered, dark=dark)

    def text(self) -> str:
        """Return the text beside the mouse while a handle is dragged."""
        if self.drag is None:
            return ""
        turning = self.drag.handle.mode is Mode.ROTATE
        unit = self._canvas.settings.angle_unit
        sign = unit.value if turning else LENGTH
        names = "xyz" if not self.drag.handle.axes else self.drag.handle.name
        label = "view" if turning and not self.drag.handle.axes else "  ".join(names)
        if self._typed:
            return f"{label}   {self._typed}▏{sign}"
        shown = [from_radians(each, unit) if turning else each for each in self._amounts]
        if turning:
            return f"{label}   {format_shown(shown[0] if shown else 0.0, 4)} {sign}"
        return (
            "   ".join(f"{name} {format_shown(each, 4)}" for name, each in zip(names, shown, strict=True)) + f" {sign}"
        )

    def note(self) -> str:
        """Return the text below that: which frames move too, and the key that changes it."""
        other = "move all with it" if self.hand.alone else "only the frame"
        return f"{self.hand.description}  ·  O: {other}" if self.hand.description else ""

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
        if gizmo is None or handle is None or not self.hand.take():
            return False
        self.drag, self._free = Drag(gizmo, handle, at.x(), at.y()), handle
        self._at, self._typed, self._spent = at, "", False
        self._show(self._zero)
        return True

    @property
    def _zero(self) -> tuple[float, ...]:
        assert self.drag is not None
        handle = self.drag.handle
        return (0.0,) * (1 if handle.mode is Mode.ROTATE else len(handle.axes) or 3)

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> bool:
        """Follow the mouse with the handle that is held; return whether one is, or was until a key ended it."""
        if self.drag is None:
            return self._spent
        self._at = at
        self._follow_mouse(modifiers)
        return True

    def _follow_mouse(self, modifiers: Qt.KeyboardModifier) -> None:
        self._control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        if self.drag is None or self._typed:
            return
        # What comes back is unwound from where it was, so the amounts before snapping have to be near.
        amounts = self.drag.amounts(self._at.x(), self._at.y(), self._amounts)
        settings, turning = self._canvas.settings, self.drag.handle.mode is Mode.ROTATE
        if self._control != self.snaps:
            self._show(snapped(amounts, settings.snap_angle if turning else settings.snap_length))
        elif turning:
            unit = settings.angle_unit
            resolution = from_radians(self.drag.resolution, unit)
            self._show(tuple(to_radians(shortened(from_radians(each, unit), resolution), unit) for each in amounts))
        else:
            self._show(tuple(shortened(each, self.drag.resolution) for each in amounts))

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

    def key(self, event: QKeyEvent, *, pressed: bool) -> bool:
        """Take a key while a handle is held: axes, digits, Enter, Escape. Return whether it was for this tool."""
        if self.drag is None:
            return False
        key, modifiers = event.key(), event.modifiers()
        if key == Qt.Key.Key_Control:
            # The modifiers of an event are those before it.
            held = Qt.KeyboardModifier.ControlModifier
            self._follow_mouse(modifiers | held if pressed else modifiers & ~held)
        if not pressed:
            return True
        if key == Qt.Key.Key_Escape:
            self.abandon()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.commit()
            self._spent = True
        elif key == Qt.Key.Key_Backspace:
            self._type(self._typed[:-1], modifiers)
        elif key == Qt.Key.Key_O:
            self._change_company()
        elif key in _AXIS_KEYS:
            self._constrain(_AXIS_KEYS[Qt.Key(key)], modifiers)
        elif event.text() and _TYPED.fullmatch(event.text()):
            self._type(self._typed + event.text(), modifiers)
        return True

    def _constrain(self, axis: int, modifiers: Qt.KeyboardModifier) -> None:
        """Hold on to one axis, or with Shift to the plane across it; the same key again lets go of it."""
        assert self.drag is not None
        assert self._free is not None
        mode = self.drag.handle.mode
        across = modifiers & Qt.KeyboardModifier.ShiftModifier and mode is Mode.MOVE
        wanted = Handle(mode, ((axis + 1) % 3, (axis + 2) % 3) if across else (axis,))
        self.drag = self.drag.holding(self._free if wanted == self.drag.handle else wanted)
        self._amounts = ()
        self._type(self._typed, modifiers)

    def _type(self, text: str, modifiers: Qt.KeyboardModifier) -> None:
        assert self.drag is not None
        self._typed = text.lstrip()
        if not self._typed:
            self._amounts = ()
            self._follow_mouse(modifiers)
            return
        turning = self.drag.handle.mode is Mode.ROTATE
        unit = self._canvas.settings.angle_unit
        try:
            numbers = [parse_number(word, unit.value if turning else LENGTH) for word in self._typed.split()]
        except ValueError:  # not yet a number: "-", "1e"
            numbers = []
        values = tuple(to_radians(number, unit) if turning else number for number in numbers)
        self._show((*values, *self._zero[len(values) :])[: len(self._zero)])

    def _change_company(self) -> None:
        """Take along what is measured from the frames, or leave it, until they are let go."""
        self.hand.alone = not self.hand.alone
        if self.hand.take():
            self._show(self._amounts)
            return
        reason = self.refusal
        self.hand.alone = not self.hand.alone
        self._canvas.document_context.refused.emit(reason)
        self._canvas.tools.show_message(self.text(), self._at, reason)

    # --- the frames ------------------------------------------------------------------------------------------------

    def _show(self, amounts: tuple[float, ...]) -> None:
        assert self.drag is not None
        self._amounts = amounts
        self.hand.show(self.drag.motion(amounts))
        self._canvas.tools.show_message(self.text(), self._at, self.note())

    def commit(self) -> None:
        """Write where the frames stand now, as one undo step."""
        drag, amounts, move = self.drag, self._amounts, self._let_go()
        if move is None or drag is None:
            return
        verb = drag.handle.mode.value.capitalize()
        if not any(amounts) or not self._canvas.document_context.make(lambda: move.edit(verb), self._canvas):
            self.hand.put_back()

    def cancel(self) -> None:
        """Put the frames back where they were."""
        if self._let_go() is not None:
            self.hand.put_back()

    def abandon(self) -> None:
        """Put the frames back while the button is still down."""
        self._spent = True
        self.cancel()

    def follow(self, change: SessionChange) -> None:
        """Let go without a trace where the text changes, or another frame is selected, under the hand."""
        if self.drag is not None and (change.document or change.selection):
            self.abandon()
        if change.selection:
            self.explain()

    def _let_go(self) -> Move | None:
        self.drag, self._typed, self._amounts = None, "", ()
        self.hand.alone = self.alone
        self._canvas.tools.show_message("", QPointF())
        self._canvas.update()
        return self.hand.let_go()
