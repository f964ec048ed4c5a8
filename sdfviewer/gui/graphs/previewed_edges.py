"""The edges that a previewed edit changes in a graph."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import EdgeChanges, Graph, GraphKind, compare_edges
from sdfviewer.gui.context.previews import EditPreview, Previews
from sdfviewer.gui.kit.jobs import Background, Latest
from sdfviewer.session.session import Session


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
