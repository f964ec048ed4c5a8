"""The selected frames while a tool drags them: whether they can be moved, what follows them, how that is shown."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.model.graph import Rows
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.refactoring.parts import what_follows, with_partners
from sdfviewer.refactoring.poses.moving import Move, MoveSet
from sdfviewer.scene.nodes import Floats

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
