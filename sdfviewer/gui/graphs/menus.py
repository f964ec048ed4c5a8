"""Menus of the graphs: *Fold All* and *Unfold All*, and the commands of a vertex."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from sdfviewer.document.edits import Edit
from sdfviewer.graphs.folding import ShownPart, family_of
from sdfviewer.graphs.graph_view import Graph
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.kit.commands import MEASURE_FROM, SHOW_IN_SOURCE, add_command

_NOTHING = {
    True: "Nothing is left to fold: no nested model is open, no joint is only attached to its child, and no frames "
    "differ only in a number",
    False: "Nothing is folded",
}


class FoldMenu(QMenu):
    """A menu whose entries are disabled where they would do nothing; their tooltips say why.

    Parameters
    ----------
    parent
        Where it belongs.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setToolTipsVisible(True)

    def add_folding(self, fold_all: Callable[[bool], None], can_fold_all: Callable[[bool], bool]) -> None:
        """Add *Fold All* and *Unfold All*.

        Parameters
        ----------
        fold_all
            Folds everything, or with False unfolds it.
        can_fold_all
            Returns whether that would change anything; asked when the menu opens.
        """
        actions = {
            folded: self.addAction(text, partial(fold_all, folded))
            for folded, text in ((True, "Fold All"), (False, "Unfold All"))
        }

        def allow() -> None:
            for folded, action in actions.items():
                can = can_fold_all(folded)
                action.setEnabled(can)
                action.setToolTip("" if can else _NOTHING[folded])

        self.aboutToShow.connect(allow)


class VertexMenu(FoldMenu):
    """The commands for one vertex.

    Parameters
    ----------
    context
        Previews and makes the fixes.
    part
        What of the graph is shown.
    graph, vertex
        The graph as it is shown, and the vertex.
    """

    #: Scoped name of a model, or name of a family, to fold or to open.
    fold_toggled = Signal(str)
    #: Scoped name of the vertex of which only the chain and the neighbors are to be shown.
    focus_wanted = Signal(str)

    def __init__(self, context: DocumentContext, part: ShownPart, graph: Graph, vertex: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        name = graph.names[vertex]
        if graph.rows[vertex] >= 0:
            add_command(self, SHOW_IN_SOURCE, lambda: context.requests.show_frame(context.session.model, name))
            if not part.focused:
                self.addAction("Show Only Its Chain and Neighbours", lambda: self.focus_wanted.emit(name))
            add_command(self, MEASURE_FROM, lambda: context.requests.measure.emit(name))
        self._add_folding(part, graph, vertex)
        self._add_fixes(graph, vertex)

    def _add_folding(self, part: ShownPart, graph: Graph, vertex: int) -> None:
        name, count, box = graph.names[vertex], int(graph.members[vertex]), int(graph.box_of[vertex])
        if count:
            members = tuple(member for member, family in graph.hidden.items() if family == name)
            self.addAction(f"Show All {count} of {name}", lambda: self.fold_toggled.emit(name))
            self.addAction("Select All", lambda: self._context.session.select(members, origin=self.parent()))
        if graph.holds_joints[vertex]:
            self.addAction("Show Its Joints", lambda: self.fold_toggled.emit(name))
        elif name in part.opened:
            self.addAction("Fold Its Joints", lambda: self.fold_toggled.emit(name))
        family = family_of(graph, vertex)
        if not count and family in part.opened:
            self.addAction(f"Fold {family}", lambda: self.fold_toggled.emit(family))
        if graph.folded[vertex] and not count:
            self.addAction(f"Unfold {name}", lambda: self.fold_toggled.emit(name))
        elif box >= 0:
            around = graph.boxes[box].name
            self.addAction(f"Fold {around}", lambda: self.fold_toggled.emit(around))

    def _add_fixes(self, graph: Graph, vertex: int) -> None:
        session = self._context.session
        concerned = {graph.names[vertex]}
        if graph.rows[vertex] < 0:  # a missing frame's problem is that of the frames that name it
            concerned |= {graph.names[v] for v in graph.sources[graph.targets == vertex].tolist()}
        path = session.document.name
        fixes = [
            fix
            for diagnostic in session.diagnostics
            if concerned & set(diagnostic.frames)
            for fix in diagnostic.fixes_at_hand
            if fix.path == path
        ]
        if fixes and session.is_current:
            self.addSection("Fix")
            for fix in fixes:
                edit = Edit(fix.label, session.document, fix.replacements)
                action = self.addAction(fix.label, partial(self._apply, edit))
                action.hovered.connect(partial(self._context.previews.show, edit))
            self.aboutToHide.connect(partial(self._context.previews.show, None))

    def _apply(self, edit: Edit) -> None:
        self._context.edits.make(lambda: edit, origin=self.parent())
