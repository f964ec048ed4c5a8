"""Titles, tooltips and menus of the graph panes, and the commands of a vertex."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from sdfviewer.document.edits import Edit
from sdfviewer.graphs.folding import ShownPart, family_of
from sdfviewer.graphs.graph_view import GHOST, Graph, GraphKind
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.kit.commands import MEASURE_FROM, SHOW_IN_SOURCE, add_command
from sdfviewer.gui.kit.safe_text import joined, markup, rich_tip
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.number_text import format_shown
from sdfviewer.transforms import matrix_to_pose

#: So many members of a family are listed in its tooltip.
MOST_LISTED = 8


def describe_vertex(model: Model, graph: Graph, vertex: int) -> str:
    """Return the tooltip of a vertex as rich text: what it is, what it names, its raw pose and where it is written."""
    row, note = int(graph.rows[vertex]), graph.notes[vertex]
    if graph.kinds[vertex] == GHOST:
        return rich_tip(markup("<b>{label}</b><br>{note}", label=graph.labels[vertex], note=note))
    if graph.members[vertex]:
        hidden = [name for name, family in graph.hidden.items() if family == graph.names[vertex]]
        listed = hidden[:MOST_LISTED]
        if len(hidden) > MOST_LISTED:
            listed.append(f"and {len(hidden) - MOST_LISTED} more")
        count = int(graph.members[vertex])
        head = markup("<b>{name}</b> × {count}, double-click to expand", name=graph.names[vertex], count=count)
        return _tip([head, *listed])
    if row < 0:
        return rich_tip(markup("<b>{name}</b>", name=graph.names[vertex]))
    kind = model.kinds[row]
    frame = "explicit frame" if kind is Kind.FRAME else f"{kind}, implicit frame"
    lines: list[str] = [markup("<b>{name}</b> ({frame})", name=model.shown_name(row), frame=frame)]
    if graph.folded[vertex]:
        lines.append(f"folded: {int(graph.folded[vertex])} more inside, double-click to open")
    if graph.holds_joints[vertex]:
        lines.append(
            f"attached to it: {', '.join(_joints_in(graph, vertex))}; a click on the sign of the joint shows it"
        )
    if row > 0:
        lines.append(_edge(model, row, GraphKind.RELATIVE_TO))
        x, y, z, *angles = map(format_shown, matrix_to_pose(model.raw_poses[row]).tolist())
        lines.append(f"raw pose: {x} {y} {z} m, {' '.join(angles)} rad")
        if kind is not Kind.LINK:
            lines.append(_edge(model, row, GraphKind.ATTACHED_TO))
        body = int(model.bodies[row])
        if 0 <= body != row:
            lines.append(f"moves with {model.shown_name(body)}")
    if row in model.joints_by_row:
        joint = model.joints_by_row[row]
        ends = [
            model.shown_name(end) if end >= 0 else "world" if end == -1 else "?" for end in (joint.parent, joint.child)
        ]
        lines.append(f"{joint.type} joint from {ends[0]} to {ends[1]}")
    if graph.canonical[vertex]:
        lines.append("★ canonical link: its model frame is attached to it")
    if note:
        lines.append(markup("<b>✗ {note}</b>", note=note) if graph.unresolved[vertex] else note)
    document = model.document_of(row)
    line = document.span(model.elements[row]).line
    lines.append(markup("<small>{file}:{line}</small>", file=document.name, line=line))
    return _tip(lines)


def _joints_in(graph: Graph, vertex: int) -> list[str]:
    """Return the names of the joints that are folded into a link."""
    return [name.rpartition("::")[2] for name, link in graph.hidden.items() if link == graph.names[vertex]]


def _tip(lines: Sequence[str]) -> str:
    return rich_tip(markup("<p style='white-space:pre'>{lines}</p>", lines=joined("<br>", lines)))


def _edge(model: Model, row: int, kind: GraphKind) -> str:
    named, written = (
        (model.relative_to, model.relative_to_written)
        if kind is GraphKind.RELATIVE_TO
        else (model.attached_to, model.attached_to_written)
    )
    target = int(named[row])
    if target < 0:
        return f"{kind.value}: {written[row] or ''} (missing)"
    return f"{kind.value}: {model.shown_name(target)}{'' if written[row] else ' (default)'}"


def describe_graph(graph: Graph, shown: Graph | None = None) -> list[str]:
    """Return the counts of a graph in a few words, those of faults first: the last are left out where room is short.

    Where only a part of the graph is shown, they also say how much that is.
    """
    ghosts = graph.kinds.count(GHOST)
    frames = len(graph.kinds) - ghosts
    edges = len(graph.sources)
    part = graph if shown is None else shown
    parts = [
        _part(len(part) - part.kinds.count(GHOST), frames) + _count(frames, "vertex", "vertices"),
        _part(len(part.sources), edges) + _count(edges, "edge", "edges"),
    ]
    if graph.is_kinematic:
        parts.append(_count(_islands(graph), "island", "islands"))
        if graph.cycles:
            parts.append(_count(len(graph.cycles), "loop", "loops"))
        return parts
    faults: list[str] = []
    if graph.cycles:
        faults.append(_count(len(graph.cycles), "cycle", "cycles"))
    if ghosts:
        faults.append(f"{ghosts} missing")
    lost = int(graph.unresolved.sum()) - ghosts
    if lost:
        faults.append(f"{lost} unresolved")
    return faults + parts


def _part(shown: int, whole: int) -> str:
    return f"{shown} of " if shown < whole else ""


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _islands(graph: Graph) -> int:
    """Return how many parts of a kinematic graph no edge connects."""
    island = np.arange(len(graph))
    while True:
        lowest = island.copy()
        np.minimum.at(lowest, graph.sources, island[graph.targets])
        np.minimum.at(lowest, graph.targets, island[graph.sources])
        lowest = lowest[lowest]
        if np.array_equal(lowest, island):
            return int(np.count_nonzero(island == np.arange(len(graph))))
        island = lowest


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
