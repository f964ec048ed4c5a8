"""One graph with its title: follows the session, and turns what the user does on the canvas into edits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QPoint, QRectF, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QVBoxLayout, QWidget

from sdfviewer.document.edits import Edit
from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.elided import ElidedLabel
from sdfviewer.gui.graphs.canvas import GraphCanvas
from sdfviewer.gui.graphs.describing import describe_graph, describe_vertex
from sdfviewer.gui.graphs.glyphs import text_measure
from sdfviewer.gui.graphs.marks import Marks
from sdfviewer.gui.graphs.retargeting import Retargeting
from sdfviewer.gui.graphs.searching import matches
from sdfviewer.gui.graphs.trying import Tried, compare
from sdfviewer.gui.graphs.viewport import fit
from sdfviewer.scene.graph_build import build_graph
from sdfviewer.scene.graph_layout import Bools, Orientation
from sdfviewer.scene.graph_picture import GraphPicture, arrange, draw_graph
from sdfviewer.scene.graph_view import Graph, GraphKind, focus, fold
from sdfviewer.semantics.editing.retargeting import Keep
from sdfviewer.session import Change

#: Graphs with more vertices open with their outermost boxes folded.
MOST_OPEN = 400
#: With more rows than this, and so many milliseconds after an edit, the graph follows.
MANY, LATER_MILLISECONDS = 2000, 40

_TITLES = {
    GraphKind.ATTACHED_TO: "What each frame is fixed to: follow the edges to the body that it moves with",
    GraphKind.RELATIVE_TO: "What each pose is measured from: follow the edges to the root",
    GraphKind.KINEMATIC: "Which joint moves which body; loops are numbered",
}


class GraphPane(QWidget):
    """One of the three graphs, live.

    Parameters
    ----------
    bridge
        The session's bridge.
    kind
        Which graph.
    """

    #: What the search has found: how many vertices.
    searched = Signal()

    def __init__(self, bridge: Bridge, kind: GraphKind, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge, self.kind = bridge, kind
        self.keep: Callable[[], Keep] = lambda: "pose"
        self._full: Graph | None = None
        self._folded: frozenset[str] | None = None
        self._orientation: Orientation | None = None
        self._chosen: Orientation | None = None
        self._focused = self._bodies = False
        self._query = ""
        self._stale = True
        self._soon = QTimer(self, singleShot=True, interval=LATER_MILLISECONDS)
        self._soon.timeout.connect(self._read)
        self._retargeting: tuple[int, Retargeting] | None = None

        self.canvas = GraphCanvas(self)
        self.canvas.setAccessibleName(f"{kind.value} graph")
        self.canvas.legal = self._legal
        self.canvas.refusal = self._refusal
        self.canvas.tip = self._tip
        self.canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._counts = ElidedLabel(parent=self)
        self._counts.setProperty("role", "muted")
        title = QLabel(kind.value, self)
        title.setProperty("role", "title")
        title.setToolTip(_TITLES[kind])
        head = QHBoxLayout()
        head.setContentsMargins(8, 2, 8, 2)
        head.addWidget(title)
        head.addSpacing(8)
        head.addWidget(self._counts, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.canvas, 1)

        bridge.changed.connect(self._follow)
        bridge.hover_changed.connect(self.canvas.point_out)
        bridge.tried.connect(lambda _trial: self._mark())
        bridge.walked.connect(self._follow_walk)
        self.canvas.hovered.connect(bridge.hover)
        self.canvas.picked.connect(self._pick)
        self.canvas.fold_toggled.connect(self.toggle_fold)
        self.canvas.opened.connect(self._show_place)
        self.canvas.retargeted.connect(self._retarget)
        self.canvas.customContextMenuRequested.connect(self._show_menu)

    # --- what is shown -----------------------------------------------------------------------------------------

    @property
    def picture(self) -> GraphPicture | None:
        """The picture as shown."""
        return self.canvas.picture

    def set_orientation(self, orientation: Orientation | None) -> None:
        """Lay the graph out with the root on one side; None: on the side that makes better use of the pane."""
        self._chosen, self._orientation = orientation, orientation
        self._rebuild()

    def set_focused(self, focused: bool) -> None:
        """Show only what concerns the selection, or everything."""
        self._focused = focused
        self._rebuild()

    def set_bodies(self, shown: bool) -> None:
        """Show by colour which body each frame ends in, or not."""
        self._bodies = shown
        self._mark()

    def search(self, query: str) -> None:
        """Point out the vertices that match."""
        self._query = query
        self._mark()

    @property
    def found(self) -> list[str]:
        """Scoped names of what the search has found, in document order."""
        picture = self.canvas.picture
        return [picture.graph.names[vertex] for vertex in sorted(self.canvas.marks.found)] if picture else []

    def toggle_fold(self, name: str) -> None:
        """Fold the box of a model, or open it."""
        self._folded = (self._folded or frozenset()) ^ {name}
        self._rebuild()

    def fold_all(self, folded: bool) -> None:
        """Fold all boxes, or open them."""
        self._folded = frozenset(box.name for box in self._full.boxes) if folded and self._full else frozenset()
        self._rebuild()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what has happened while the pane was hidden."""
        super().showEvent(event)
        if self._stale:
            self._read()

    def _follow(self, change: Change) -> None:
        if change.document:
            self._stale = True
            model = self._bridge.session.model
            if self.isVisible() and model is not None and len(model) > MANY:
                # What was edited is shown first; the graphs of thousands of frames follow.
                self._soon.start()
            elif self.isVisible():
                self._read()
        elif change.selection:
            if self._focused:
                self._rebuild()
            else:
                self._mark()
            if change.origin is not self:
                self.canvas.reveal(sorted(self.canvas.marks.selected))

    def _read(self) -> None:
        """Take up the present model."""
        self._stale, self._retargeting = False, None
        model = self._bridge.session.model
        if model is None:
            self._full = None
            self._counts.set_full_text("")
            self.canvas.clear("The file holds no model and no world that could be read")
            return
        graph = build_graph(model, self.kind)
        if self._full is not None and graph.is_drawn_like(self._full):
            self._mark()
            return
        self._full = graph
        if self._folded is None:
            outermost = frozenset(box.name for box in graph.boxes if box.parent < 0)
            self._folded = outermost if len(graph) > MOST_OPEN else frozenset()
        self._rebuild()

    def _rebuild(self) -> None:
        if self._full is None or self._stale:
            return
        graph = fold(self._full, self._folded or frozenset())
        selection = self._bridge.session.selection
        if self._focused and selection:
            graph = focus(graph, selection)
        shown = f"{len(graph)} of " if len(graph) < len(self._full) else ""
        self._counts.set_full_text(shown + describe_graph(self._full))
        self._counts.setToolTip(self._counts.full_text)
        measure = text_measure()
        if self._orientation is None:
            self._orientation = self._best_orientation(graph, measure)
        picture = draw_graph(graph, self._orientation, measure)
        self.canvas.show_picture(picture, "Nothing in this graph concerns the selection: pick another frame")
        self._mark()

    def _best_orientation(self, graph: Graph, measure: Callable[[str], float]) -> Orientation:
        size = QSizeF(self.canvas.size())

        def zoom(orientation: Orientation) -> float:
            width, height = arrange(graph, orientation, measure).extent
            return fit(QRectF(0, 0, width, height), size).zoom

        # Names are read from left to right: the other way must gain something.
        gain = zoom(Orientation.TOP_DOWN) / zoom(Orientation.LEFT_RIGHT)
        return Orientation.TOP_DOWN if gain > 1.25 else Orientation.LEFT_RIGHT

    def _mark(self) -> None:
        picture, model = self.canvas.picture, self._bridge.session.model
        if picture is None or model is None or self._stale:
            return
        graph = picture.graph
        selected = frozenset(v for v in map(graph.vertex, self._bridge.session.selection) if v >= 0)
        found = frozenset(matches(graph, self._query))
        bright = None
        if self._query.strip():
            bright = np.zeros(len(graph), dtype=bool)
            bright[list(found | selected)] = True
        bodies = _body_colours(model.bodies[np.maximum(graph.rows, 0)]) if self._bodies else None
        walked = [graph.vertex(name) for name in self._bridge.walk]
        chain = _walk(graph, walked) if walked else _chain(graph, selected)
        tried = self._tried(graph)
        self.canvas.mark(Marks(selected, found, chain, bright=bright, tried=tried, bodies=bodies))
        self.searched.emit()

    def _follow_walk(self, names: tuple[str, ...]) -> None:
        """Point out how far a walk along a chain has come, and bring its end into sight."""
        self._mark()
        picture = self.canvas.picture
        if names and picture is not None:
            self.canvas.reveal([vertex for vertex in [picture.graph.vertex(names[-1])] if vertex >= 0])

    def _tried(self, graph: Graph) -> Tried | None:
        """Return what the edit that the user looks at would change here."""
        trial = self._bridge.trial
        if trial is None or trial.model is None or not self.isVisible() or self._full is None:
            return None
        if len(trial.model) != len(self._bridge.session.X_RootF):
            return None
        return compare(graph, build_graph(trial.model, self.kind))

    # --- what the user does ------------------------------------------------------------------------------------

    def _pick(self, names: tuple[str, ...], adding: bool) -> None:
        session = self._bridge.session
        if adding:
            kept = tuple(name for name in session.selection if name not in names)
            names = kept if len(kept) < len(session.selection) else (*session.selection, *names)
        session.select(names, origin=self)

    def _tip(self, vertex: int) -> str:
        model, picture = self._bridge.session.model, self.canvas.picture
        return describe_vertex(model, picture.graph, vertex) if model and picture else ""

    def _show_place(self, name: str) -> None:
        model = self._bridge.session.model
        row = model.rows_by_name.get(name) if model else None
        if model is not None and row is not None:
            self._bridge.show_place(model.document_of(row).span(model.elements[row]))

    def _retargeting_of(self, vertex: int) -> Retargeting:
        model, picture = self._bridge.session.model, self.canvas.picture
        assert model is not None
        assert picture is not None
        row = int(picture.graph.rows[vertex])
        if self._retargeting is None or self._retargeting[0] != row:
            self._retargeting = row, Retargeting(model, self.kind, row)
        return self._retargeting[1]

    def _legal(self, source: int) -> Bools:
        picture = self.canvas.picture
        assert picture is not None
        if not self._bridge.session.is_current:
            return np.zeros(len(picture.graph), dtype=bool)
        retargeting = self._retargeting_of(source)
        return np.array([retargeting.allows(row) for row in picture.graph.rows.tolist()], dtype=bool)

    def _refusal(self, source: int, target: int) -> str | None:
        if not self._bridge.session.is_current:
            return "the text is not well-formed now; mend it first"
        picture = self.canvas.picture
        assert picture is not None
        return self._retargeting_of(source).refusal(int(picture.graph.rows[target]))

    def _retarget(self, source: int, target: int, other: bool) -> None:
        picture = self.canvas.picture
        assert picture is not None
        keep = self.keep()
        if other:
            keep = "numbers" if keep == "pose" else "pose"
        name, row = picture.graph.names[source], int(picture.graph.rows[target])
        retargeting = self._retargeting_of(source)

        def compute() -> Edit:
            edit, kept = retargeting.edit(row, keep)
            return Edit(f"{edit.label}, keeping the {kept}", edit.replacements)

        if self._bridge.make(compute, origin=self):
            self._bridge.session.select((name,), origin=self)

    def _apply(self, edit: Edit) -> None:
        self._bridge.make(lambda: edit, origin=self)

    def _show_menu(self, position: QPoint) -> None:
        picture = self.canvas.picture
        if picture is None:
            return
        vertex = self.canvas.vertex_at(position)
        menu = QMenu(self)
        if vertex >= 0:
            self._fill_menu(menu, picture.graph, vertex)
            menu.addSeparator()
        menu.addAction("Fit All\tHome", self.canvas.fit)
        if self._full is not None and self._full.boxes:
            menu.addAction("Fold All Scopes", lambda: self.fold_all(True))
            menu.addAction("Open All Scopes", lambda: self.fold_all(False))
        menu.exec(self.canvas.mapToGlobal(position))
        menu.deleteLater()

    def _fill_menu(self, menu: QMenu, graph: Graph, vertex: int) -> None:
        session = self._bridge.session
        name, row, box = graph.names[vertex], int(graph.rows[vertex]), int(graph.box_of[vertex])
        if row >= 0:
            menu.addAction("Show in Source", lambda: self._show_place(name))
        model_name = name if graph.folded[vertex] else graph.boxes[box].name if box >= 0 else ""
        if model_name:
            verb = "Open" if graph.folded[vertex] else "Fold"
            menu.addAction(f"{verb} {model_name}", lambda: self.toggle_fold(model_name))
        # A ghost's problem is that of the frames that name it.
        concerned = {name} | {graph.names[v] for v in graph.sources[graph.targets == vertex].tolist() if row < 0}
        path = session.document.name
        fixes = [
            fix
            for diagnostic in session.diagnostics
            if concerned & set(diagnostic.frames)
            for fix in diagnostic.fixes
            if fix.path == path
        ]
        if fixes and session.is_current:
            menu.addSection("Fix")
            for fix in fixes:
                edit = Edit(fix.label, fix.replacements)
                action = menu.addAction(fix.label, partial(self._apply, edit))
                action.hovered.connect(partial(self._bridge.try_out, edit))
            menu.aboutToHide.connect(partial(self._bridge.try_out, None))


def _chain(graph: Graph, selected: frozenset[int]) -> frozenset[int]:
    """Return the edges on the way from the selection to its roots."""
    if not selected:
        return frozenset()
    edge_between = {
        pair: edge for edge, pair in enumerate(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True))
    }
    edges: set[int] = set()
    for start in selected:
        vertex, seen = start, set[int]()
        while vertex >= 0 and vertex not in seen:
            seen.add(vertex)
            above = int(graph.parents[vertex])
            edges.add(edge_between.get((vertex, above), edge_between.get((above, vertex), -1)))
            vertex = above
    return frozenset(edges - {-1})


def _walk(graph: Graph, vertices: Sequence[int]) -> frozenset[int]:
    """Return the edges between vertices that follow one another on the way from the root."""
    steps = set(zip(vertices[1:], vertices, strict=False))
    ends = zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)
    return frozenset(edge for edge, pair in enumerate(ends) if pair in steps)


def _body_colours(bodies: np.ndarray) -> list[QColor | None]:
    """Return a colour for each body, neighbours far apart on the colour wheel; None where there is no body."""
    order = {body: index for index, body in enumerate(dict.fromkeys(bodies[bodies >= 0].tolist()))}
    return [
        QColor.fromHslF(order[body] * 0.381966 % 1.0, 0.65, 0.55) if body in order else None for body in bodies.tolist()
    ]
