"""Re-targeting in a graph pane: where the head of an edge may go, the edit that leads it there, and its preview."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import cast

import numpy as np
from PySide6.QtCore import QObject, Signal

from sdfviewer.document.edits import Edit
from sdfviewer.formats.written_rows import in_included_file
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import EdgeChanges, Graph, GraphKind, compare_edges
from sdfviewer.graphs.layout import Bools
from sdfviewer.gui.context.edits import Edits, edit_by
from sdfviewer.gui.context.previews import EditPreview, Previews
from sdfviewer.gui.kit.jobs import Background, Latest
from sdfviewer.model.model import Model
from sdfviewer.model.targets import Attribute, ReferenceTargets, is_in_tree
from sdfviewer.operations import frames
from sdfviewer.refactoring.editable import RefactoringError, why_read_only
from sdfviewer.refactoring.pose_writing import Keep
from sdfviewer.session.read_only import why_not_current
from sdfviewer.session.session import Session


class Retargeting:
    """The possible edits of the edge of one frame in one graph.

    Parameters
    ----------
    model
        Whose frame it is.
    kind
        The graph: what is re-targeted is ``relative_to`` or ``attached_to``, and the parent of the joint that carries a
        link of a URDF.
    row
        The frame.
    """

    def __init__(self, model: Model, kind: GraphKind, row: int) -> None:
        self._model, self._kind, self._row = model, kind, row
        self._general: str | None = None
        self._reasons: dict[int, str | None] = {}
        self._targets: ReferenceTargets | None = None
        if kind is GraphKind.KINEMATIC and (row < 0 or not is_in_tree(model, row)):
            self._general = "change the parent and child of a joint in its properties"
        elif row < 0:
            self._general = "no frame in the file has this name"
        else:
            # In URDF the tree of links is what poses are measured along.
            attribute = "relative_to" if kind is GraphKind.KINEMATIC else cast("Attribute", kind.value)
            targets = self._targets = ReferenceTargets(model, row, attribute)
            # Frames in a URDF are refused for every target; for included ones the user is asked where that goes.
            read_only = why_read_only(in_included_file(model, [row]) or model, row)
            self._general = targets.general or (None if read_only is None else str(read_only))
            self._reasons = {target.row: target.reason for target in targets}

    def allows(self, target: int) -> bool:
        """Return whether a row is a valid target of the edge."""
        return self._general is None and target in self._reasons and self._reasons[target] is None

    def refusal(self, target: int) -> str | None:
        """Return why a row is not a valid target of the edge, None if it is."""
        if self.allows(target):
            return None
        if self._general is not None or self._targets is None:
            return self._general
        return "no frame in the file has this name" if target < 0 else self._targets.refusal(target)

    def edit(self, session: Session, target: int, keep: Keep) -> tuple[Edit, Keep]:
        """Return the edit that leads the edge to a row, and what it keeps.

        The numbers are kept where there is no pose to keep, as for a frame on a cycle.

        Raises
        ------
        RefactoringError
            If the target is refused.
        """
        change = frames.set_attached_to if self._kind is GraphKind.ATTACHED_TO else frames.set_relative_to
        model = session.edited_at([self._row]) if self._model is session.model else self._model
        model = self._model if model is None or model is session.edited_model else model
        name = None if self._targets is None else self._targets.name_of(target)
        if name is None:
            raise RefactoringError(self.refusal(target) or "there is no such frame")
        try:
            return edit_by(session, model, change, frame=self._row, target=name, keep=keep), keep
        except RefactoringError:
            if keep == "numbers" or not self.allows(target):
                raise
            return edit_by(session, model, change, frame=self._row, target=name, keep="numbers"), "numbers"


class GraphEditing:
    """The edits of one graph.

    Parameters
    ----------
    session, edits
        The open file, and what makes edits of it.
    kind
        Which graph.
    """

    def __init__(self, session: Session, edits: Edits, kind: GraphKind) -> None:
        self._session, self._edits, self._kind = session, edits, kind
        self._graph: Graph | None = None
        self._model: Model | None = None
        self._last: tuple[int, Retargeting] | None = None

    def show(self, graph: Graph | None, model: Model | None) -> None:
        """Take another graph, drawn from a model."""
        self._graph, self._model, self._last = graph, model, None

    def _retargeting_of(self, vertex: int) -> Retargeting:
        assert self._graph is not None
        assert self._model is not None
        row = int(self._graph.rows[vertex])
        if self._last is None or self._last[0] != row:
            self._last = row, Retargeting(self._model, self._kind, row)
        return self._last[1]

    @property
    def _is_current(self) -> bool:
        """Whether the graph is that of the present text."""
        session = self._session
        return session.is_current and self._model is session.model

    def legal(self, source: int) -> Bools:
        """Return the valid targets of the edge of a vertex."""
        assert self._graph is not None
        if not self._is_current or self._graph.members[source]:
            return np.zeros(len(self._graph), dtype=bool)
        retargeting = self._retargeting_of(source)
        return np.array([retargeting.allows(row) for row in self._graph.rows.tolist()], dtype=bool)

    def refusal(self, source: int, target: int) -> str | None:
        """Return why a vertex is not a valid target of the edge of another, None if it is."""
        reason = why_not_current(self._session)
        if reason is not None:
            return str(reason)
        if not self._is_current:
            return "the graph is being laid out"
        assert self._graph is not None
        if self._graph.members[source] or self._graph.members[target]:
            return "this is a group of vertices: double-click it to expand it"
        return self._retargeting_of(source).refusal(int(self._graph.rows[target]))

    def offer(self, source: int, target: int, keep: Keep) -> tuple[Edit | None, str]:
        """Return what a drop of the edge of a vertex on another would do, and in words what it keeps."""
        assert self._graph is not None
        try:
            edit, kept = self._retargeting_of(source).edit(self._session, int(self._graph.rows[target]), keep)
        except RefactoringError as error:
            return None, str(error)
        if kept == "pose":
            return edit, "keeps the pose; with Shift it keeps the numbers, and moves"
        return edit, "keeps the numbers" if keep == kept else "keeps the numbers: there is no pose to keep"

    def retarget(self, source: int, target: int, keep: Keep, origin: object) -> None:
        """Lead the edge of a vertex to another, as one undo step, and select the vertex."""
        assert self._graph is not None
        name, row = self._graph.names[source], int(self._graph.rows[target])
        retargeting = self._retargeting_of(source)

        def compute() -> Edit:
            edit, unchanged = retargeting.edit(self._session, row, keep)
            return Edit(f"{edit.label}, keeping the {unchanged}", edit.document, edit.replacements)

        if self._edits.make(compute, origin=origin):
            self._session.select((name,), origin=origin)


@dataclass(frozen=True, eq=False)
class _PreviewedChanges:
    """What a previewed edit changes in a graph; no changes are known yet where they are None."""

    preview: EditPreview
    graph: Graph
    changes: EdgeChanges | None


class PreviewedEdges(QObject):
    """What the previewed edit changes in one graph.

    Parameters
    ----------
    session, previews
        The open file, and the edit of it that is previewed.
    kind
        Which graph.
    background
        Finds the changes of a large graph.
    """

    #: The changes of a large graph are known now.
    found = Signal()

    _known: _PreviewedChanges | None = None

    def __init__(
        self, session: Session, previews: Previews, kind: GraphKind, background: Background, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._previews = session, previews
        self._kind, self._latest = kind, Latest(background)

    def forget(self) -> None:
        """Drop what was found last."""
        self._known = None
        self._latest.cancel()

    def changes(self, graph: Graph, *, in_background: bool) -> EdgeChanges | None:
        """Return the changes in a graph; None if nothing is previewed, and while they are found in the background."""
        preview = self._previews.edit
        if preview is None or preview.model is None:
            self.forget()
            return None
        if len(preview.model) != len(self._session.X_RootF):
            return None
        known = self._known
        if known is not None and known.preview is preview and known.graph is graph:
            return known.changes
        model, kind = preview.model, self._kind
        if not in_background:
            self._known = _PreviewedChanges(preview, graph, compare_edges(graph, build_graph(model, kind)))
            return self._known.changes

        self._known = wanted = _PreviewedChanges(preview, graph, None)
        self._latest.run(lambda: compare_edges(graph, build_graph(model, kind)), partial(self._take, wanted))
        return None

    def _take(self, wanted: _PreviewedChanges, changes: EdgeChanges) -> None:
        """Take the changes of the edit that is previewed."""
        self._known = replace(wanted, changes=changes)
        self.found.emit()
