"""The selected frames in the hand of a tool: whether they can be moved, what goes along, how that is shown."""

from __future__ import annotations

from collections import Counter

import numpy as np

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.model.graph import Rows
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.refactoring.poses.move_set import MoveSet
from sdfviewer.refactoring.poses.moving import Move
from sdfviewer.scene.nodes import Floats

_KINDS = 3
"""How many kinds are counted one by one beside the mouse."""


class DragState:
    """The selected frames of one view, and their move while they are held.

    Attributes
    ----------
    alone
        Whether they are moved alone, so that what is measured from them stays.
    along
        The rows that go along with what is held.
    description
        The same in words, or what is kept in place.
    """

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        self.alone = False
        self.along: list[int] = []
        self.description = ""
        self._asked: tuple[Model, tuple[str, ...], bool] | None = None
        self._answer: MoveSet | str = ""

    @property
    def move_set(self) -> MoveSet | str:
        """What moves, or why it cannot; empty where nothing is selected."""
        session = self._canvas.document_context.session
        model = session.model
        if model is None or not session.is_current or session.selected_row is None:
            return ""
        asked = (model, session.selection, self.alone)
        # Models are compared by identity: each text has one of its own.
        if self._asked is None or self._asked[0] is not model or self._asked[1:] != asked[1:]:
            rows = [model.rows_by_name[name] for name in session.selection if name in model.rows_by_name]
            self._asked = asked
            try:
                self._answer = MoveSet(model, rows, alone=self.alone)
            except SdfViewerError as error:
                self._answer = str(error)
        return self._answer

    def take(self) -> bool:
        """Take the selected frames in hand, where they stand now; return whether they can be moved."""
        session, move_set = self._canvas.document_context.session, self.move_set
        if isinstance(move_set, str) or session.kinematics is None:
            return False
        move = Move(session.kinematics, session.kinematics.positions(session.positions), move_set)
        self._canvas.document_context.hold(move)
        self.along, self.description = move_set.along.tolist(), describe(move_set)
        goes = (move_set.places >= 0)[:, None, None]
        self._canvas.compared.preview(np.where(goes, move.start, np.nan))
        self._canvas.show_marks()
        return True

    @property
    def move(self) -> Move | None:
        """What is held, None where nothing is."""
        return self._canvas.document_context.move

    def show(self, motion: Floats) -> None:
        """Show the frames moved from where they were taken by M (4, 4)."""
        move = self.move
        assert move is not None
        self._canvas.feed.preview(move.by(motion))
        self._canvas.document_context.hold(move)

    def let_go(self) -> Move | None:
        """Hold nothing any more; return what was held. It is drawn where it is until the scene changes."""
        context, move = self._canvas.document_context, self.move
        if move is not None:
            context.hold(None)
            self.along, self.description = [], ""
            self._canvas.compared.preview(context.edit_preview.X_ghost if context.edit_preview else None)
            self._canvas.show_marks()
        return move

    def put_back(self) -> None:
        """Draw everything where the text says."""
        self._canvas.feed.preview(None)


def describe(move_set: MoveSet) -> str:
    """Return which frames move too, or stay in place, in words; empty where there are none."""
    if move_set.alone:
        kept = _count(move_set.model, move_set.kept)
        return f"keeps {kept} in place" if kept else "no poses depend on it"
    along = _count(move_set.model, np.setdiff1d(move_set.along, move_set.rows))
    return f"moves {along}" if along else ""


def _count(model: Model, rows: Rows) -> str:
    """Return how many rows there are of each kind, ``2 links, 1 visual``; the last kinds of many in one number."""
    counts = Counter(model.kinds[row] for row in rows.tolist())
    kinds = [kind for kind in Kind if counts[kind]]
    shown = kinds if len(kinds) <= _KINDS + 1 else kinds[:_KINDS]
    words = [f"{counts[kind]} {kind.value.replace('_', ' ')}{'s' if counts[kind] > 1 else ''}" for kind in shown]
    rest = sum(counts[kind] for kind in kinds[len(shown) :])
    return ", ".join([*words, f"{rest} more"] if rest else words)
