"""Pulling faces, edges and ends of the selected shape to another size in the 3D view: mouse, keys and typed sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

from sdfviewer.document.edits import Edit
from sdfviewer.formats.contents import read_shape
from sdfviewer.gui.context.edits import edit_by, keep_parts
from sdfviewer.gui.kit.fields import LENGTH
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.gui.view3d.tools.gizmo_tool import TYPED
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.shapes import kind_of
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.number_expression import parse_number
from sdfviewer.number_text import format_shown
from sdfviewer.operations import frames, properties
from sdfviewer.refactoring.draft import ModelDraft
from sdfviewer.refactoring.editable import is_editable
from sdfviewer.refactoring.inertia import WATER, scale_of_shapes
from sdfviewer.refactoring.parts import part_of_link, partners, what_follows
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.shapes2d import Shapes
from sdfviewer.scene.tools.gizmo import Drag, shortened, snapped
from sdfviewer.scene.tools.resizing import Handles, Resizing, amounts_for, pulled, size_of
from sdfviewer.session.session_change import SessionChange

_DIGITS = 4
_MODIFIERS: Mapping[int, Qt.KeyboardModifier] = {
    Qt.Key.Key_Control: Qt.KeyboardModifier.ControlModifier,
    Qt.Key.Key_Shift: Qt.KeyboardModifier.ShiftModifier,
}


@dataclass
class _Pull:
    """A handle that is pulled.

    Attributes
    ----------
    row
        The shape.
    handle, drag
        The handle, and the way of the mouse.
    before, geometry
        The shape as it is written, and as it is now.
    offset
        How far its origin goes in its own frame, (3,).
    typed
        The size that is being typed, empty where the mouse decides.
    """

    row: int
    handle: Handles
    drag: Drag
    before: Geometry
    geometry: Geometry
    offset: Floats = field(default_factory=lambda: np.zeros(3))
    typed: str = ""


class ResizeTool:
    """The handles of the selected visual or collision, or of the only shape of the selected link.

    Attributes
    ----------
    on, snaps
        Whether there are handles; whether they snap to steps.
    """

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        self.on = self.snaps = False
        self._hovered: Handles | None = None
        self._pull: _Pull | None = None
        self._at, self._modifiers = QPointF(), Qt.KeyboardModifier.NoModifier
        # After Enter or Escape the button is still down; the tool ignores the mouse until it is released.
        self._is_waiting_for_release = False
        canvas.document_context.written_back.given_up.connect(self._restore)

    # --- what is shown ---------------------------------------------------------------------------------------------

    @property
    def is_dragging(self) -> bool:
        """Whether a handle is pulled."""
        return self._pull is not None

    def _shape_row(self) -> int | None:
        """Return the shape that the selection means; None for a link with several or none."""
        session = self._canvas.document_context.session
        model, row = session.model, session.selected_row
        if model is None or row is None:
            return None
        return part_of_link(model, row) if model.kinds[row] is Kind.LINK else row

    def _why_none(self) -> str:
        session = self._canvas.document_context.session
        model, row = session.model, self._shape_row()
        if model is None or session.selected_row is None:
            return "select a visual, a collision, or a link that has one shape"
        if row is None:
            return f"'{model.local_names[session.selected_row]}' has no shape or several; select one of them"
        if model.kinds[row] not in SHAPED:
            return f"a {model.kinds[row]} has no size; select a visual, a collision, or a link that has one shape"
        geometry = read_shape(model, row)
        kind = kind_of(geometry)
        if kind is None or not kind.grips(geometry):
            return f"a {geometry.kind} has no handles; change its numbers in the properties"
        if not session.is_current or not is_editable(session.edited_at([row]) or model, row):
            return f"'{model.local_names[row]}' cannot be edited here; the properties say why"
        return ""

    @property
    def refusal(self) -> str:
        """Why expected handles are missing; empty if there are handles or none are expected."""
        has_model = self._canvas.document_context.session.model is not None
        return self._why_none() if self.on and has_model else ""

    def resizing(self) -> Resizing | None:
        """Return the handles as they are now, None where there are none."""
        session = self._canvas.document_context.session
        row = self._shape_row() if self.on and not self._why_none() else None
        model, X = session.model, self._canvas.feed.scene.X_RootF
        if model is None or row is None or row >= len(X):
            return None
        pull, canvas = self._pull, self._canvas
        geometry = read_shape(model, row) if pull is None else pull.geometry
        return Resizing(geometry, X[row], canvas.camera, canvas.width(), canvas.height())

    def choose(self, on: bool, *, snaps: bool) -> None:
        """Follow the switches of the window."""
        self.cancel()
        changed, self.on, self.snaps = on != self.on, on, snaps
        self._hovered = None
        if changed and on:
            self._explain()

    def _explain(self) -> None:
        messages, why = self._canvas.document_context.messages, self._why_none()
        if why:
            messages.show(f"{why[0].upper()}{why[1:]}.")
        else:
            messages.show("Pull a face, an edge or an end: type a size, Ctrl snaps, Shift pulls both sides.")

    def shapes(self) -> Shapes:
        """Return the shapes drawn over the picture."""
        resizing = self.resizing()
        if resizing is None:
            return Shapes()
        return resizing.paint(self._hovered, dark=self._canvas.look.dark)

    # --- mouse -----------------------------------------------------------------------------------------------------

    def hover(self, at: QPointF) -> bool:
        """Highlight the handle under the mouse; return whether there is one."""
        resizing = self.resizing()
        handle = None if resizing is None else resizing.pick(at.x(), at.y())
        if handle != self._hovered:
            self._hovered = handle
            self._canvas.update()
        return handle is not None

    def press(self, at: QPointF) -> bool:
        """Begin to pull the handle under the mouse; return whether there is one."""
        resizing, row = self.resizing(), self._shape_row()
        handle = None if resizing is None else resizing.pick(at.x(), at.y())
        if resizing is None or handle is None or row is None:
            return False
        before = resizing.geometry
        self._pull = _Pull(row, handle, resizing.drag(handle, at.x(), at.y()), before, before)
        self._at, self._modifiers = at, Qt.KeyboardModifier.NoModifier
        self._is_waiting_for_release = False
        self._show((0.0,) * len(handle))
        return True

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> bool:
        """Pull the handle to the mouse; return whether one is pulled, or was until a key ended that."""
        if self._pull is None:
            return self._is_waiting_for_release
        self._at, self._modifiers = at, modifiers
        self._follow_mouse()
        return True

    def release(self) -> bool:
        """End the pull as one undo step; return whether there was one."""
        if self._is_waiting_for_release:
            self._is_waiting_for_release = False
            return True
        if self._pull is None:
            return False
        self._commit()
        return True

    def _follow_mouse(self) -> None:
        pull = self._pull
        if pull is None or pull.typed:
            return
        amounts = pull.drag.amounts(self._at.x(), self._at.y())
        if bool(self._modifiers & Qt.KeyboardModifier.ControlModifier) != self.snaps:
            self._show(snapped(amounts, self._canvas.settings.snap_length))
        else:
            self._show(tuple(shortened(each, pull.drag.resolution) for each in amounts))

    # --- keys ------------------------------------------------------------------------------------------------------

    def key(self, event: QKeyEvent, *, pressed: bool) -> bool:
        """Handle a key during a pull: a size, Enter, Escape, S. Return whether it was for this tool."""
        pull, key = self._pull, event.key()
        if pull is None:
            return False
        if (own := _MODIFIERS.get(key)) is not None:  # the modifiers of an event are those before it
            self._modifiers = event.modifiers() | own if pressed else event.modifiers() & ~own
            self._follow_mouse()
        elif pressed and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._commit()
            self._is_waiting_for_release = True
        elif pressed and key == Qt.Key.Key_Escape:
            self.cancel()
        elif pressed and key == Qt.Key.Key_S:
            parts = self._canvas.document_context.parts
            parts.separate(parts.together)
            self._restore()
            self._follow_mouse()
        elif pressed and key == Qt.Key.Key_Backspace:
            self._type(pull.typed[:-1])
        elif pressed and event.text() and TYPED.fullmatch(event.text()):
            self._type(pull.typed + event.text())
        return True

    def _type(self, text: str) -> None:
        pull = self._pull
        assert pull is not None
        pull.typed = text.lstrip()
        if not pull.typed:
            self._follow_mouse()
            return
        try:
            sizes = [parse_number(word, LENGTH) for word in pull.typed.split()]
        except ValueError:  # not yet a number: "1e"
            sizes = []
        self._show(amounts_for(pull.before, pull.handle, sizes[: len(pull.handle)], both=self._both))

    @property
    def _both(self) -> bool:
        return bool(self._modifiers & Qt.KeyboardModifier.ShiftModifier)

    # --- the shape -------------------------------------------------------------------------------------------------

    def _rows(self, row: int) -> list[int]:
        """Return the rows that change: the shape, and what is one part with it."""
        context = self._canvas.document_context
        assert context.session.model is not None
        return [row, *(partners(context.session.model, row) if context.parts.together else ())]

    def _show(self, amounts: tuple[float, ...]) -> None:
        pull, session = self._pull, self._canvas.document_context.session
        assert pull is not None
        pull.geometry, pull.offset = pulled(pull.before, pull.handle, amounts, both=self._both)
        rows, X = self._rows(pull.row), session.X_RootF.copy()
        X[rows] = X[rows] @ _shifted(pull.offset)
        self._canvas.feed.preview_shapes(dict.fromkeys(rows, pull.geometry), X)
        self._canvas.tools.show_message(self._text(pull), self._at, self._note(pull))

    def _text(self, pull: _Pull) -> str:
        """Return the sizes that the handle changes, as they are now."""
        words = []
        for each in pull.handle:
            many = np.ravel(getattr(pull.geometry, each.size)).size > 1
            name = "xyz"[each.index] if many else each.size
            words.append(f"{name} {format_shown(size_of(pull.geometry, each), _DIGITS)}")
        typed = f"   {pull.typed}▏" if pull.typed else ""
        return f"{'   '.join(words)} {LENGTH}{typed}"

    def _note(self, pull: _Pull) -> str:
        """Return what changes too, with the mass, and the key that changes that."""
        context = self._canvas.document_context
        model = context.session.model
        assert model is not None
        follows = what_follows(model, pull.row, context.parts.mesh_body)
        if not follows:
            return ""
        if not context.parts.together:
            return f"without {follows}  ·  S: all of it"
        link = int(model.owners[pull.row])
        scale, volume = scale_of_shapes(model, link, context.parts.mesh_body), pull.geometry.volume
        is_all = part_of_link(model, link) in self._rows(pull.row)
        mass = f", {format_shown(scale * WATER * volume, _DIGITS)} kg" if scale and volume and is_all else ""
        return f"with {follows}{mass}  ·  S: only this shape"

    def _edit(self, pull: _Pull) -> Edit:
        """Return the edit that writes the shape as it is now."""
        context = self._canvas.document_context
        session = context.session
        model = session.edited_at([pull.row])
        assert model is not None
        draft, tag = ModelDraft(model, session.make_loader()), pull.before.kind
        for size in dict.fromkeys(each.size for each in pull.handle):
            value = np.ravel(getattr(pull.geometry, size)).tolist()
            written = {"path": f"geometry/{tag}/{size}", "value": value if len(value) > 1 else value[0]}
            draft.make(edit_by(session, draft.model, properties.set_property, thing=[pull.row], **written))
        if pull.offset.any():
            X_RootS = draft.model.X_RootF[pull.row] @ _shifted(pull.offset)
            draft.make(edit_by(session, draft.model, frames.move, frame=pull.row, to=X_RootS))
        edit = draft.edit(f"Resize {model.distinct_name(pull.row)}")
        return keep_parts(session, edit, [pull.row]) if context.parts.together else edit

    def _commit(self) -> None:
        """Write the shape as it is now, as one undo step."""
        pull, context = self._end(), self._canvas.document_context
        if pull is None:
            return
        if pull.geometry == pull.before or not context.edits.make(lambda: self._edit(pull), self._canvas):
            self._restore()

    def cancel(self) -> None:
        """Give the shape the size that it had when the pull began."""
        if self._end() is not None:
            self._is_waiting_for_release = True
            self._restore()

    def _restore(self) -> None:
        self._canvas.feed.preview_shapes(None)

    def follow(self, change: SessionChange) -> None:
        """Cancel the pull where the text changes, or another shape is selected, meanwhile."""
        if self._pull is not None and (change.document or change.selection):
            self.cancel()

    def _end(self) -> _Pull | None:
        pull, self._pull = self._pull, None
        if pull is not None:
            self._canvas.tools.show_message("", QPointF())
            self._canvas.update()
        return pull


def _shifted(offset: Floats) -> Floats:
    X = np.eye(4)
    X[:3, 3] = offset
    return X
