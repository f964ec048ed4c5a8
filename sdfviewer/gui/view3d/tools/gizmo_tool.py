"""Moving and rotating the selected frames by handles in the 3D view: mouse, keys and typed numbers."""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.edits import keep_parts
from sdfviewer.gui.kit.fields import LENGTH, from_radians, to_radians
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.model.graph import Rows
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.number_expression import parse_number
from sdfviewer.number_text import format_shown
from sdfviewer.refactoring.parts import what_follows, with_partners
from sdfviewer.refactoring.pose_moving import Move, MoveSet
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.shapes2d import Shapes
from sdfviewer.scene.tools.gizmo import (
    Drag,
    Gizmo,
    Handle,
    Mode,
    gizmo_pose,
    paint_drag,
    paint_gizmo,
    shortened,
    snapped,
)
from sdfviewer.session.session_change import SessionChange

_AXIS_KEYS = {Qt.Key.Key_X: 0, Qt.Key.Key_Y: 1, Qt.Key.Key_Z: 2}


class Axes(str, Enum):
    """The orientation of the handles."""

    LOCAL = "local"
    WORLD = "world"
    RELATIVE_TO = "relative_to"


class GizmoTool:
    """The handles of one 3D view, at the frame selected last: all selected frames move with it, or rotate about it.

    Attributes
    ----------
    mode
        What the handles do, None while they are not shown.
    axes
        The orientation of the handles.
    snaps, alone
        Whether they snap to steps; whether they move the frames alone, so that what is measured from them stays.
    drag
        The handle that is dragged, None where none is.
    drag_state
        The frames that it moves.
    """

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        self.mode: Mode | None = None
        self.axes = Axes.LOCAL
        self.snaps = False
        self.alone = False
        self.hovered: Handle | None = None
        self.drag: Drag | None = None
        self.drag_state = DragState(canvas)
        self._free: Handle | None = None
        self._amounts: tuple[float, ...] = ()
        self._typed = ""
        self._at = QPointF()
        self._control = False
        # After Enter or Escape the button is still down; the tool ignores the mouse until it is released.
        self._is_waiting_for_release = False

    # --- what is shown ---------------------------------------------------------------------------------------------

    def gizmo(self) -> Gizmo | None:
        """Return the handles as they are now, None where there are none."""
        session = self._canvas.document_context.session
        model, row = session.model, session.selected_row
        if self.mode is None or model is None or row is None or isinstance(self.drag_state.move_set, str):
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
        self.drag_state.alone = alone
        self.hovered = None
        if changed:
            self.explain()

    @property
    def refusal(self) -> str:
        """Why expected handles are missing; empty if there are handles or none are expected."""
        session = self._canvas.document_context.session
        if self.mode is None or session.model is None:  # then what would move is not needed
            return ""
        if session.selected_row is None:
            return f"select what to {self.mode.value}: click it here or in the tree"
        move_set = self.drag_state.move_set
        return move_set if isinstance(move_set, str) else ""

    def explain(self) -> None:
        """Say what the handles will move, or why there are none."""
        context = self._canvas.document_context
        session = context.session
        if self.mode is None or session.model is None:
            return
        if session.selected_row is None:
            return  # the upper edge says it
        if self.refusal:
            context.messages.refuse(self.refusal)
        elif len(session.selection) > 1:
            pivot = session.model.local_names[session.selected_row]
            about = f" about {pivot}" if self.mode is Mode.ROTATE else ""
            context.messages.show(f"{self.mode.value.capitalize()}s {len(session.selection)} frames as one{about}.")
        else:
            context.messages.show("Drag a handle: X, Y, Z lock an axis, Ctrl snaps, digits set the amount.")

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
        rotates = self.drag.handle.mode is Mode.ROTATE
        unit = self._canvas.settings.angle_unit
        sign = unit.value if rotates else LENGTH
        names = "xyz" if not self.drag.handle.axes else self.drag.handle.name
        label = "view" if rotates and not self.drag.handle.axes else "  ".join(names)
        if self._typed:
            return f"{label}   {self._typed}▏{sign}"
        shown = [from_radians(each, unit) if rotates else each for each in self._amounts]
        if rotates:
            return f"{label}   {format_shown(shown[0] if shown else 0.0, 4)} {sign}"
        return (
            "   ".join(f"{name} {format_shown(each, 4)}" for name, each in zip(names, shown, strict=True)) + f" {sign}"
        )

    def note(self) -> str:
        """Return the text below that: which frames move too, and the key that changes it."""
        other = "move all with it" if self.drag_state.alone else "only the frame"
        return f"{self.drag_state.description}  ·  O: {other}" if self.drag_state.description else ""

    # --- mouse -----------------------------------------------------------------------------------------------------

    def hover(self, at: QPointF) -> bool:
        """Highlight the handle under the mouse; return whether there is one."""
        gizmo = self.gizmo()
        handle = None if gizmo is None else gizmo.pick(at.x(), at.y())
        if handle != self.hovered:
            self.hovered = handle
            self._canvas.update()
        return handle is not None

    def press(self, at: QPointF) -> bool:
        """Begin to drag the handle under the mouse; return whether there is one."""
        gizmo = self.gizmo()
        handle = None if gizmo is None else gizmo.pick(at.x(), at.y())
        if gizmo is None or handle is None or not self.drag_state.begin():
            return False
        self.drag, self._free = Drag(gizmo, handle, at.x(), at.y()), handle
        self._at, self._typed, self._is_waiting_for_release = at, "", False
        self._show(self._zero)
        return True

    @property
    def _zero(self) -> tuple[float, ...]:
        assert self.drag is not None
        handle = self.drag.handle
        return (0.0,) * (1 if handle.mode is Mode.ROTATE else len(handle.axes) or 3)

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> bool:
        """Drag the handle to the mouse; return whether one is dragged, or was until a key ended that."""
        if self.drag is None:
            return self._is_waiting_for_release
        self._at = at
        self._follow_mouse(modifiers)
        return True

    def _follow_mouse(self, modifiers: Qt.KeyboardModifier) -> None:
        self._control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        if self.drag is None or self._typed:
            return
        # What comes back is unwound from where it was, so the amounts before snapping have to be near.
        amounts = self.drag.amounts(self._at.x(), self._at.y(), self._amounts)
        settings, rotates = self._canvas.settings, self.drag.handle.mode is Mode.ROTATE
        if self._control != self.snaps:
            self._show(snapped(amounts, settings.snap_angle if rotates else settings.snap_length))
        elif rotates:
            unit = settings.angle_unit
            resolution = from_radians(self.drag.resolution, unit)
            self._show(tuple(to_radians(shortened(from_radians(each, unit), resolution), unit) for each in amounts))
        else:
            self._show(tuple(shortened(each, self.drag.resolution) for each in amounts))

    def release(self) -> bool:
        """End the drag as one undo step; return whether there was one."""
        if self._is_waiting_for_release:
            self._is_waiting_for_release = False
            return True
        if self.drag is None:
            return False
        self.commit()
        return True

    # --- keys ------------------------------------------------------------------------------------------------------

    def key(self, event: QKeyEvent, *, pressed: bool) -> bool:
        """Handle a key during a drag: axes, digits, Enter, Escape. Return whether it was for this tool."""
        if self.drag is None:
            return False
        key, modifiers = event.key(), event.modifiers()
        if key == Qt.Key.Key_Control:
            # The modifiers of an event are those before it.
            control = Qt.KeyboardModifier.ControlModifier
            self._follow_mouse(modifiers | control if pressed else modifiers & ~control)
        if not pressed:
            return True
        if key == Qt.Key.Key_Escape:
            self.cancel()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.commit()
            self._is_waiting_for_release = True
        elif key == Qt.Key.Key_Backspace:
            self._type(self._typed[:-1], modifiers)
        elif key == Qt.Key.Key_O:
            self._toggle_alone()
        elif key in _AXIS_KEYS:
            self._lock_axis(_AXIS_KEYS[Qt.Key(key)], modifiers)
        elif event.text() and TYPED.fullmatch(event.text()):
            self._type(self._typed + event.text(), modifiers)
        return True

    def _lock_axis(self, axis: int, modifiers: Qt.KeyboardModifier) -> None:
        """Lock one axis, or with Shift the plane across it; the same key again unlocks it."""
        assert self.drag is not None
        assert self._free is not None
        mode = self.drag.handle.mode
        across = modifiers & Qt.KeyboardModifier.ShiftModifier and mode is Mode.MOVE
        wanted = Handle(mode, ((axis + 1) % 3, (axis + 2) % 3) if across else (axis,))
        self.drag = self.drag.locked_to(self._free if wanted == self.drag.handle else wanted)
        self._amounts = ()
        self._type(self._typed, modifiers)

    def _type(self, text: str, modifiers: Qt.KeyboardModifier) -> None:
        assert self.drag is not None
        self._typed = text.lstrip()
        if not self._typed:
            self._amounts = ()
            self._follow_mouse(modifiers)
            return
        rotates = self.drag.handle.mode is Mode.ROTATE
        unit = self._canvas.settings.angle_unit
        try:
            numbers = [parse_number(word, unit.value if rotates else LENGTH) for word in self._typed.split()]
        except ValueError:  # not yet a number: "-", "1e"
            numbers = []
        values = tuple(to_radians(number, unit) if rotates else number for number in numbers)
        self._show((*values, *self._zero[len(values) :])[: len(self._zero)])

    def _toggle_alone(self) -> None:
        """Move what is measured from the frames with them, or keep it in place, until the drag ends."""
        self.drag_state.alone = not self.drag_state.alone
        if self.drag_state.begin():
            self._show(self._amounts)
            return
        reason = self.refusal
        self.drag_state.alone = not self.drag_state.alone
        self._canvas.document_context.messages.refuse(reason)
        self._canvas.tools.show_message(self.text(), self._at, reason)

    # --- the frames ------------------------------------------------------------------------------------------------

    def _show(self, amounts: tuple[float, ...]) -> None:
        assert self.drag is not None
        self._amounts = amounts
        self.drag_state.show(self.drag.motion(amounts))
        self._canvas.tools.show_message(self.text(), self._at, self.note())

    def commit(self) -> None:
        """Write where the frames are now, as one undo step."""
        drag, amounts, move = self.drag, self._amounts, self._end_drag()
        if move is None or drag is None:
            return
        context, verb = self._canvas.document_context, drag.handle.mode.value.capitalize()

        def edit() -> Edit:
            made = move.edit(verb)
            rows = move.move_set.rows
            return keep_parts(context.session, made, rows) if context.parts.together else made

        if not any(amounts) or not context.edits.make(edit, self._canvas):
            self.drag_state.restore()

    def cancel(self) -> None:
        """Move the frames back to where the drag began."""
        self._is_waiting_for_release = self._is_waiting_for_release or self.drag is not None
        if self._end_drag() is not None:
            self.drag_state.restore()

    def follow(self, change: SessionChange) -> None:
        """Cancel the drag where the text changes, or another frame is selected, meanwhile."""
        if self.drag is not None and (change.document or change.selection):
            self.cancel()
        if change.selection:
            self.explain()

    def _end_drag(self) -> Move | None:
        self.drag, self._typed, self._amounts = None, "", ()
        self.drag_state.alone = self.alone
        self._canvas.tools.show_message("", QPointF())
        self._canvas.update()
        return self.drag_state.end()


TYPED = re.compile(r"[0-9.,+\-*/eEpi ]")
"""A key that belongs to a number or an expression that is typed while something is dragged."""
_KINDS = 3
"""How many kinds are counted one by one beside the mouse."""


class DragState:
    """The selected frames of one view, and their move while they are dragged.

    Attributes
    ----------
    alone
        Whether they are moved alone, so that what is measured from them stays.
    followers
        The rows that follow what is dragged.
    description
        The same in words, or what is kept in place.
    """

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        self.alone = False
        self.followers: list[int] = []
        self.description = ""
        self._asked: tuple[Model, tuple[str, ...], bool, bool] | None = None
        self._answer: MoveSet | str = ""
        canvas.document_context.written_back.given_up.connect(self.restore)

    @property
    def move_set(self) -> MoveSet | str:
        """What moves, or why it cannot; empty where nothing is selected."""
        session = self._canvas.document_context.session
        model = session.model
        if model is None or not session.is_current or session.selected_row is None:
            return ""
        together = self._canvas.document_context.parts.together
        asked = (model, session.selection, self.alone, together)
        # Models are compared by identity: each text has one of its own.
        if self._asked is None or self._asked[0] is not model or self._asked[1:] != asked[1:]:
            rows = [model.rows_by_name[name] for name in session.selection if name in model.rows_by_name]
            rows = [*rows, *(set(with_partners(model, rows)) - set(rows))] if together else rows
            self._asked = asked
            try:
                self._answer = MoveSet(session.edited_at(rows) or model, rows, alone=self.alone)
            except SdfViewerError as error:
                self._answer = str(error)
        return self._answer

    def begin(self) -> bool:
        """Begin to drag the selected frames from where they are now; return whether they can be moved."""
        session, move_set = self._canvas.document_context.session, self.move_set
        if isinstance(move_set, str) or session.kinematics is None:
            return False
        move = Move(session.kinematics, session.kinematics.positions(session.positions), move_set)
        self._canvas.document_context.motion.drag_began.emit()
        self._canvas.document_context.motion.set_move(move)
        row, parts = session.selected_row, self._canvas.document_context.parts
        follows = what_follows(move_set.model, row, parts.mesh_body) if parts.together and row is not None else ""
        words = describe(move_set), f"with {follows}" if follows else ""
        self.followers, self.description = move_set.followers.tolist(), ", ".join(filter(None, words))
        moves = (move_set.lead_of >= 0)[:, None, None]
        self._canvas.compared.preview(np.where(moves, move.start, np.nan))
        self._canvas.show_marks()
        return True

    @property
    def move(self) -> Move | None:
        """What is dragged, None where nothing is."""
        return self._canvas.document_context.motion.move

    def show(self, motion: Floats) -> None:
        """Show the frames moved from where the drag began by M (4, 4)."""
        move = self.move
        assert move is not None
        self._canvas.feed.preview(move.by(motion))
        self._canvas.document_context.motion.set_move(move)

    def end(self) -> Move | None:
        """End the drag; return what was dragged. It is drawn where it is until the scene changes."""
        context, move = self._canvas.document_context, self.move
        if move is not None:
            context.motion.set_move(None)
            self.followers, self.description = [], ""
            self._canvas.compared.preview(context.previews.edit.X_ghost if context.previews.edit else None)
            self._canvas.show_marks()
        return move

    def restore(self) -> None:
        """Draw everything where the text says that it is."""
        self._canvas.feed.preview(None)


def describe(move_set: MoveSet) -> str:
    """Return which frames move too, or stay in place, in words; empty where there are none."""
    if move_set.alone:
        kept = _count(move_set.model, move_set.kept)
        return f"keeps {kept} in place" if kept else "no poses depend on it"
    followers = _count(move_set.model, np.setdiff1d(move_set.followers, move_set.rows))
    return f"moves {followers}" if followers else ""


def _count(model: Model, rows: Rows) -> str:
    """Return how many rows there are of each kind, ``2 links, 1 visual``; the last kinds of many in one number."""
    counts = Counter(model.kinds[row] for row in rows.tolist())
    kinds = [kind for kind in Kind if counts[kind]]
    shown = kinds if len(kinds) <= _KINDS + 1 else kinds[:_KINDS]
    words = [f"{counts[kind]} {kind.value.replace('_', ' ')}{'s' if counts[kind] > 1 else ''}" for kind in shown]
    rest = sum(counts[kind] for kind in kinds[len(shown) :])
    return ", ".join([*words, f"{rest} more"] if rest else words)
