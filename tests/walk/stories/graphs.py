"""The frame graphs."""

from __future__ import annotations

import re

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QToolButton

from sdfviewer.graphs.graph_view import Graph, GraphKind
from sdfviewer.gui.graphs.graph_canvas import GraphCanvas
from sdfviewer.gui.graphs.minimap import Minimap
from sdfviewer.gui.graphs.panes import GraphPanes
from sdfviewer.gui.kit.widgets import widgets_in
from tests.walk.actions import Steps, drop, press, rest, shot, type_text, wait
from tests.walk.stories.finding import letters_of
from tests.walk.story import story
from tests.walk.walk import Walk


def _button(panes: GraphPanes, name: str) -> QToolButton:
    return next(each for each in widgets_in(panes) if isinstance(each, QToolButton) and each.accessibleName() == name)


@story
def graph_search(w: Walk) -> Steps:
    """Ctrl+F in a graph finds, Enter goes through what is found, Esc ends it."""
    canvas = w.graph().canvas
    yield w.click(canvas, QPoint(canvas.width() - 6, canvas.height() // 2), "the graph")
    yield press("ctrl+f")
    field = w.file.graphs.search_field
    w.expect(field.hasFocus(), "Ctrl+F puts the keyboard into the search of the graphs")
    yield type_text(letters_of(w.a_thing()))
    yield shot("found")
    w.expect(re.search(" of | found", w.file.graphs.count.text()), "letters of a name find vertices")
    yield press("enter")
    first = w.selected
    yield shot("first")
    w.expect(first, "Enter selects the first")
    yield press("enter")
    yield shot("next")
    yield press("esc")
    w.expect(not field.text(), "Esc empties the search")
    yield shot("esc")


@story
def graph_fit(w: Walk) -> Steps:
    """The wheel zooms, dragging pans, Fit shows all."""
    canvas = w.graph().canvas
    before = canvas.viewport
    yield w.wheel(canvas, 3)
    yield shot("zoomed")
    w.expect(canvas.viewport.zoom > before.zoom, "the wheel zooms in")
    yield w.click(_button(w.file.graphs, "Fit"))
    yield shot("fitted")
    w.expect(canvas.framing.is_fitted, "Fit shows all")


@story
def graph_fold(w: Walk) -> Steps:
    """Unfold All, Fold All and Unfold All."""
    w.reveal("graphs")
    canvas = w.graph().canvas
    more = _button(w.file.graphs, "More")
    w.need(
        any(pane.can_fold_all(each) for pane in w.file.graphs.shown for each in (True, False)), "nothing can be folded"
    )
    yield w.click(more)
    yield shot("menu")
    if w.graph().can_fold_all(False):  # a large graph opens folded
        yield w.menu_entry("Unfold All")
        yield rest(60)
        yield w.click(more)
    yield w.menu_entry("Fold All")
    yield shot("folded")
    folded = 0 if canvas.picture is None else len(canvas.picture.graph)
    yield w.click(more)
    yield w.menu_entry("Unfold All")
    yield shot("unfolded")
    w.expect(canvas.picture is not None and len(canvas.picture.graph) >= folded, "unfolded it has no fewer vertices")
    yield press("ctrl+alt+home")


@story
def graph_chain(w: Walk) -> Steps:
    """Chain shows only the selection, its chain and its neighbours."""
    canvas = w.graph().canvas
    w.session.select((w.a_thing(),))
    assert canvas.picture is not None
    yield w.hover(canvas)
    count = len(canvas.picture.graph)
    yield w.click(w.file.graphs.focus_button)
    yield shot("chain")
    w.expect(len(canvas.picture.graph) <= count, "the graph is no larger")
    yield w.click(w.file.graphs.focus_button)
    yield shot("all")


@story
def graph_bodies(w: Walk) -> Steps:
    """Bodies colours the frames by body, Link pans both graphs together."""
    w.graph()
    yield w.click(w.file.graphs.bodies_button)
    yield shot("bodies")
    yield w.click(w.file.graphs.link_button)
    canvas = w.graph(GraphKind.ATTACHED_TO).canvas
    yield w.wheel(canvas, 2)
    yield shot("linked")


@story
def minimap(w: Walk) -> Steps:
    """A click in the overview goes there."""
    yield press("ctrl+f3", limit=15)
    canvas = w.graph().canvas
    yield w.wheel(canvas, 8)
    overview = next((each for each in widgets_in(canvas) if isinstance(each, Minimap) and each.isVisible()), None)
    if overview is None:
        w.need(False, "the graph has no overview")
        return
    before = canvas.viewport
    yield shot("zoomed")
    yield w.click(overview, QPoint(overview.width() // 4, overview.height() // 4), "the overview")
    yield shot("gone_there")
    w.expect(canvas.viewport != before, "a click in the overview moves the graph")


@story
def drag_edge(w: Walk) -> Steps:
    """Dragging the head of an edge to another vertex changes the reference; undo restores it."""
    yield press("ctrl+f3", limit=15)
    yield from _lead_an_edge(w, w.graph(GraphKind.RELATIVE_TO).canvas)


@story
def drag_joint(w: Walk) -> Steps:
    """Dragging an edge of the kinematic graph gives a joint another parent; undo restores every byte."""
    w.need(w.session.is_current and bool(w.model.joints), "no joints")
    yield press("ctrl+f3", limit=15)
    panes = w.file.graphs
    yield w.click(_button(panes, "Graphs"))
    yield w.menu_entry("kinematic graph")
    for kind in (GraphKind.ATTACHED_TO, GraphKind.RELATIVE_TO):  # the others leave room
        if panes.panes[kind].isVisible():
            yield w.click(_button(panes, "Graphs"))
            yield w.menu_entry(f"{kind.value} graph")
    yield from _lead_an_edge(w, w.graph(GraphKind.KINEMATIC).canvas)


def _lead_an_edge(w: Walk, canvas: GraphCanvas) -> Steps:
    """Drag the head of an edge to another vertex, and undo that."""
    yield rest()
    found = _edge_to_lead(w, canvas)
    if found is None:
        yield shot("no_edge")
        w.need(False, "no edge in sight can be led to another vertex")
        return
    start, end = found
    before = w.text
    yield w.hover(canvas, start, "the edge")
    yield shot("handle")
    yield w.drag(canvas, start, end, drops=False)
    yield shot("dragging")
    yield drop()
    yield wait("the text has changed", lambda: w.session.document.text != before, 5)
    yield shot("dropped")
    yield press("ctrl+z")
    w.expect(w.session.document.text == before, "undo brings the text back")
    yield shot("undone")


def _edge_to_lead(w: Walk, canvas: GraphCanvas) -> tuple[QPoint, QPoint] | None:
    """Return a point of an edge near its head, and a vertex to which it can be led."""
    picture = canvas.picture
    if picture is None:
        return None
    graph, seen = picture.graph, w.vertices_in_sight(canvas)
    for edge, (source, target) in enumerate(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)):
        if source not in seen:
            continue
        legal = canvas.legal(source)
        near = _near(graph, _near(graph, {source}))  # its joint and its parent already carry it
        goals = [each for each in seen if legal[each] and each not in near | {target}]
        curve = picture.curves[edge].tolist()
        for part in (0.9, 0.8, 0.7, 0.5, 0.3):
            at = canvas.viewport.to_screen(_along(curve, part)).toPoint()
            if goals and canvas.rect().contains(at) and canvas.vertex_at(at) < 0 and canvas.childAt(at) is None:
                return at, w.vertex_point(canvas, goals[len(goals) // 2])
    return None


def _near(graph: Graph, vertices: set[int]) -> set[int]:
    """Return vertices, and those that an edge connects with them."""
    edges = zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)
    return vertices.union(*(edge for edge in edges if not vertices.isdisjoint(edge)))


def _along(curve: list[list[float]], t: float) -> QPointF:
    """Return a point of a cubic curve."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = curve
    s = 1 - t
    weights = (s**3, 3 * s * s * t, 3 * s * t * t, t**3)
    return QPointF(
        sum(weight * x for weight, x in zip(weights, (ax, bx, cx, dx), strict=True)),
        sum(weight * y for weight, y in zip(weights, (ay, by, cy, dy), strict=True)),
    )
