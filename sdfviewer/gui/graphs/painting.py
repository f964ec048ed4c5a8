"""Paints a graph on a canvas, an image or a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPainterPath, QPen, QPolygonF

from sdfviewer.display_text import short_name
from sdfviewer.graphs.graph_view import GHOST
from sdfviewer.graphs.layout import Floats, Ints
from sdfviewer.graphs.picture import (
    CYCLE_DASHES,
    CYCLE_WIDTH,
    DEFAULT_DASHES,
    EDGE_WIDTH,
    MARGIN,
    STAR_WIDTH,
    GraphColours,
    GraphPicture,
    arrow_head,
    badge_places,
    mix,
)
from sdfviewer.graphs.routing import route
from sdfviewer.gui.graphs.drawing import ICON_SIZE, ICONS_ZOOM, NATURAL_ZOOM, Extents, graph_font, pixmap
from sdfviewer.gui.graphs.edge_painting import GOOD, LEAST_DASH, UNWRITTEN, Bundles, paint_edge_changes
from sdfviewer.gui.graphs.graph_marks import GraphMarks
from sdfviewer.gui.graphs.overview_labels import Label, OverviewLabels, own_label, write_label
from sdfviewer.gui.kit.icons import KINDS
from sdfviewer.gui.kit.safe_text import visible_lines

#: Below these zooms vertices are bars, with labels in place of some, and edges rough lines.
TEXT_ZOOM, SHAPE_ZOOM = 0.4, 0.16
#: Below this zoom a canonical link has no star.
STAR_ZOOM, STAR_SIZE = 0.62, 13.0
#: With more edges in sight straight lines must do, and those that begin out of sight are left out: a hub of thousands
#: would fill the picture with edges that lead out of it. With yet more edges rough lines must do.
MOST_CURVES, MOST_SMOOTH_LINES = 500, 1500
#: So many straight lines are drawn in full colour; the more there are, the fainter they are, but not fainter than this.
MOST_STRONG, FAINTEST = 300, 0.2
#: How strongly the letters are marked that a search matches.
MATCHED = 0.35
#: Where an edge may be dropped.
LEGAL = GOOD
GHOST_ICON = "mdi6.help-circle-outline"
#: How far the second card of a folded vertex is below it.
STACK = 3.5
#: How much of a vertex that does not matter now is left to see.
DIMMED = 0.3
UNRESOLVED = 0.5
#: Opacity of a vertex that is too small for a card: beside labels, to keep them readable, and where there are none.
PALE, SOLID = 0.4, 0.75
#: How much of the colour of text the ground of a box has.
BOX_SHADE = 0.045
#: How high the title of a box is, which is written on the ground of the box.
TITLE_HEIGHT = 17
#: How high the line at the top of a box is that the title has for itself.
TITLE_LINE = 22
#: How much is left of an edge that a previewed edit would remove.
REMOVED = 0.25
#: How much is left of a vertex on which nothing can be dropped.
REFUSED = 0.4
#: How much is left of each word of a name that is shortened: a card is never without a name.
LEAST_LETTERS = 2
#: Names must be readable whatever is left of the rest.
FAINTEST_NAME = 0.5


class GraphPainter:
    """Paints one picture, with its vertices where the layout has put them or on the way there.

    Parameters
    ----------
    picture
        What to paint.
    colours
        In which colours.
    """

    def __init__(self, picture: GraphPicture, colours: GraphColours) -> None:
        self.picture = picture
        self.colours = colours
        graph = picture.graph
        self._on_cycle = np.zeros(len(graph), dtype=bool)
        for cycle in graph.cycles:
            self._on_cycle[list(cycle)] = True
        self._holds_joints = graph.holds_joints
        self._kinds = list(dict.fromkeys(graph.kinds))
        numbers = {kind: number for number, kind in enumerate(self._kinds)}
        self._kind_of = np.array([numbers[kind] for kind in graph.kinds], dtype=np.intp)
        self._bundles = Bundles(picture, colours)
        self._is_stub = np.zeros(len(graph.sources), dtype=bool)
        self._is_stub[list(picture.bundled)] = True
        self._labels = OverviewLabels()
        self._short_texts: dict[int, str] = {}
        self._zoom_of_short_texts = 0.0
        self.move(picture.layout.centres, picture.layout.boxes)

    def move(self, centres: Floats, boxes: Floats) -> None:
        """Move the vertices and boxes, for one step of an animation."""
        layout = self.picture.layout
        self.centres, self.boxes = centres, boxes
        low, high = centres - layout.sizes / 2, centres + layout.sizes / 2
        self.vertices = Extents(low, high)
        if centres is layout.centres:
            self.curves = self.picture.curves
        else:
            self.curves, _ = route(self.picture.graph, layout, centres)
        self._edges = Extents(self.curves.min(axis=1), self.curves.max(axis=1))
        corners = np.concatenate([low, high - low], axis=1).tolist()
        self._rects = [QRectF(*corner) for corner in corners]
        self._box_rects = [QRectF(left, top, right - left, bottom - top) for left, top, right, bottom in boxes.tolist()]
        self._paths: dict[int, QPainterPath] = {}
        self._outlines: dict[int, QPainterPath] = {}
        self._lines: list[QLineF] | None = None
        self._badges: tuple[float, dict[int, tuple[float, float]]] | None = None
        self._labels.forget()

    def bounds(self) -> QRectF:
        """Return the rectangle around everything, edges that bulge included."""
        low, high = self._edges.around()
        high = np.maximum(high, self.picture.layout.extent)
        return QRectF(QPointF(*low.tolist()), QPointF(*high.tolist()))

    def vertex_at(self, point: QPointF) -> int:
        """Return the vertex at a point of the drawing, or -1."""
        at = np.array([point.x(), point.y()])
        hits = self.vertices.meeting(at, at)
        return int(hits[-1]) if len(hits) else -1

    def joint_sign_at(self, point: QPointF) -> int:
        """Return the link whose sign of a folded joint is at a point of the drawing, or -1."""
        vertex = self.vertex_at(point)
        return vertex if vertex >= 0 and self._holds_joints[vertex] and self._sign(vertex).contains(point) else -1

    def _sign(self, vertex: int) -> QRectF:
        """Return where the sign of a folded joint is: at the end of its link, before the star."""
        rect = self._rects[vertex]
        right = rect.right() - MARGIN - STAR_WIDTH * bool(self.picture.graph.canonical[vertex])
        return QRectF(right - ICON_SIZE, rect.center().y() - ICON_SIZE / 2, ICON_SIZE, ICON_SIZE)

    def vertices_in(self, area: QRectF) -> Ints:
        """Return the vertices that are at least partly in an area of the drawing."""
        return self.vertices.meeting(np.array(area.topLeft().toTuple()), np.array(area.bottomRight().toTuple()))

    def box_title_at(self, point: QPointF) -> int:
        """Return the box whose title line is at a point of the drawing, or -1."""
        hits = self.box_titles_in(QRectF(point, point))
        return int(hits[-1]) if len(hits) else -1

    def box_titles_in(self, area: QRectF) -> Ints:
        """Return the boxes whose title line is at least partly in an area of the drawing."""
        left, top, right, _ = self.boxes.T
        across = (left <= area.right()) & (area.left() <= right)
        return np.flatnonzero(across & (top <= area.bottom()) & (area.top() <= top + TITLE_LINE))

    def box_borders_in(self, area: QRectF) -> Ints:
        """Return the boxes whose border is at least partly in an area of the drawing."""
        left, top, right, bottom = self.boxes.T
        meets = (left <= area.right()) & (area.left() <= right) & (top <= area.bottom()) & (area.top() <= bottom)
        around = (left < area.left()) & (area.right() < right) & (top < area.top()) & (area.bottom() < bottom)
        return np.flatnonzero(meets & ~around)

    def edge_at(self, point: QPointF, reach: float, selected: Iterable[int] = ()) -> int:
        """Return the edge nearest to a point of the drawing and within ``reach`` of it, or -1.

        The trunk of a bundle is that of the edge whose source is one of the ``selected`` vertices.
        """
        edge, distance = self._edge_near(point, reach)
        sources = self.picture.graph.sources
        for own in np.flatnonzero(np.isin(sources, list(selected))).tolist():
            if own in self.picture.bundled and (there := self._bundles.distance(own, point)) <= min(distance, reach):
                edge, distance = own, there
        return edge

    def head(self, edge: int) -> QPointF:
        """Return where the head of an edge is: of one in a bundle at the end of the trunk."""
        is_bundled = edge in self.picture.bundled and not self.picture.graph.is_kinematic
        return QPointF(*(self._bundles.way(edge) if is_bundled else self.curves[edge])[-1].tolist())

    def _edge_near(self, point: QPointF, reach: float) -> tuple[int, float]:
        """Return the curve nearest to a point and its distance, or -1."""
        at = np.array([point.x(), point.y()])
        near = self._edges.meeting(at - reach, at + reach)
        if not len(near):
            return -1, np.inf
        t = np.linspace(0, 1, 33)[:, None]
        weights = np.concatenate([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3], axis=1)
        points = np.einsum("tk,nkd->ntd", weights, self.curves[near])
        distances = np.linalg.norm(points - at, axis=2).min(axis=1)
        best = int(distances.argmin())
        return (int(near[best]), float(distances[best])) if distances[best] <= reach else (-1, np.inf)

    def rect(self, vertex: int) -> QRectF:
        """Return where a vertex is."""
        return self._rects[vertex]

    def paint(self, painter: QPainter, visible: QRectF, zoom: float, marks: GraphMarks, *, texts: bool = True) -> None:
        """Paint a rectangle of the drawing, without what is under the mouse: see `paint_hovered`.

        Parameters
        ----------
        painter
            Transformed to the drawing's coordinates.
        visible
            What to paint.
        zoom
            How large it is shown; details too small to see are left out.
        marks
            What to point out.
        texts
            Whether anything is written.
        """
        low = np.array([visible.left(), visible.top()])
        high = np.array([visible.right(), visible.bottom()])
        vertices = self.vertices.meeting(low, high)
        edges = self._edges.meeting(low - 10, high + 10)
        if len(edges) > MOST_CURVES:
            edges = self._begun_in(vertices, edges, marks)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, zoom >= SHAPE_ZOOM)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setFont(graph_font(zoom))
        cards = texts and zoom >= TEXT_ZOOM
        near = self._paint_boxes(painter, visible, zoom)
        self._bundles.paint(painter, visible, zoom, marks, texts=cards)
        if cards:
            if len(edges) > MOST_CURVES:
                self._paint_lines(painter, edges, zoom, marks)
            else:
                self._paint_curves(painter, edges, zoom, marks)
            self._paint_preview(painter, zoom, marks)
            self._paint_titles(painter, near, zoom)
            for vertex in vertices.tolist():
                self._paint_vertex(painter, vertex, zoom, marks)
        else:
            # Stubs are too short to be visible at a small scale.
            self._paint_lines(painter, edges[~self._is_stub[edges]] if zoom < SHAPE_ZOOM else edges, zoom, marks)
            self._paint_preview(painter, zoom, marks)
            self._paint_blocks(painter, vertices, zoom, marks, PALE if texts else SOLID)
            if texts:
                self._labels.paint(
                    painter, self.picture, self._rects, self.vertices, self.colours, visible, zoom, marks
                )

    def paint_hovered(self, painter: QPainter, zoom: float, marks: GraphMarks) -> None:
        """Paint what is under the mouse once more, above the drawing, of which all else stays as it is."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, zoom >= SHAPE_ZOOM)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setFont(graph_font(zoom))
        vertices = [marks.hovered] if marks.hovered >= 0 else []
        label = self._label_of(marks.hovered, painter.fontMetrics(), zoom)
        if label is not None:
            write_label(painter, label, self.picture, self.colours, zoom, marks)
        if (edge := marks.hovered_edge) >= 0:
            if edge in self.picture.bundled:
                self._bundles.point_out(painter, edge, zoom, self.colours.text)
            self._paint_curves(painter, np.array([edge]), zoom, marks)
            curve = self.curves[edge]  # which runs behind vertices
            vertices += self.vertices.meeting(curve.min(axis=0), curve.max(axis=0)).tolist()
        for vertex in vertices if zoom >= TEXT_ZOOM else ():
            self._paint_vertex(painter, vertex, zoom, marks)

    def hovered_area(self, vertex: int, metrics: QFontMetrics, zoom: float) -> QRectF:
        """Return where a vertex is painted that is under the mouse, without what is BESIDE it; -1: nowhere."""
        if vertex < 0:
            return QRectF()
        label = self._label_of(vertex, metrics, zoom)
        return self._rects[vertex] if label is None else label.rect

    def _label_of(self, vertex: int, metrics: QFontMetrics, zoom: float) -> Label | None:
        """Return the label of a vertex that is too small for its own name."""
        if vertex < 0 or zoom >= TEXT_ZOOM:
            return None
        return own_label(metrics, self.picture, self._rects[vertex], vertex, zoom)

    def _paint_preview(self, painter: QPainter, zoom: float, marks: GraphMarks) -> None:
        """Paint what a previewed edit would change, behind the vertices: their names stay readable."""
        if marks.preview is not None:
            paint_edge_changes(painter, self.rect, self.picture.layout.orientation, marks.preview, zoom)

    def _begun_in(self, vertices: Ints, edges: Ints, marks: GraphMarks) -> Ints:
        """Return the edges that leave some vertices, and those that are pointed out or on a cycle."""
        graph = self.picture.graph
        begun = np.zeros(len(graph), dtype=bool)
        begun[vertices] = True
        kept: Ints = edges[begun[graph.sources[edges]] | (graph.cycle_of[edges] >= 0) | np.isin(edges, [*marks.chain])]
        return kept

    def _paint_boxes(self, painter: QPainter, visible: QRectF, zoom: float) -> list[int]:
        """Paint the boxes that can be seen, without their titles, and return which these are."""
        if not len(self.boxes):
            return []
        painter.setPen(QPen(QColor(self.colours.box_border), max(1.0, 0.7 / zoom)))
        painter.setBrush(self._box_fill())
        left, top, right, bottom = self.boxes.T
        near = (right >= visible.left()) & (left <= visible.right())
        near &= (bottom >= visible.top()) & (top <= visible.bottom())
        shown = np.flatnonzero(near).tolist()
        rects = [self._box_rects[box] for box in shown]
        if zoom < SHAPE_ZOOM:
            painter.drawRects(rects)
        else:
            for rect in rects:
                painter.drawRoundedRect(rect, 8, 8)
        return shown

    def _box_fill(self) -> QColor:
        fill = QColor(self.colours.text)
        fill.setAlphaF(BOX_SHADE)
        return fill

    def _paint_titles(self, painter: QPainter, shown: list[int], zoom: float) -> None:
        """Write the titles of boxes, in front of edges that end in the box or run through it."""
        arrow = pixmap("mdi6.chevron-down", self.colours.faint, zoom)
        metrics = painter.fontMetrics()
        boxes = self.picture.graph.boxes
        for box in shown:
            rect = self._box_rects[box]
            label = visible_lines(boxes[box].label)
            title = metrics.elidedText(label, Qt.TextElideMode.ElideMiddle, round(rect.width() - 28))
            room = QRectF(rect.left() + 4, rect.top() + 3, 22 + metrics.horizontalAdvance(title), TITLE_HEIGHT)
            painter.fillRect(room, QColor(self.colours.ground))
            around = box
            while around >= 0:  # as light as the box is, which lies in others
                painter.fillRect(room, self._box_fill())
                around = boxes[around].parent
            painter.drawPixmap(QRectF(rect.left() + 6, rect.top() + 5, 14, 14), arrow, QRectF(arrow.rect()))
            painter.setPen(QColor(self.colours.faint))
            painter.drawText(QPointF(rect.left() + 22, rect.top() + 12 + metrics.ascent() * 0.38), title)

    def edge_colour(self, edge: int) -> str:
        """Return the colour of an edge where nothing else is pointed out."""
        graph = self.picture.graph
        cycle = int(graph.cycle_of[edge])
        if cycle >= 0:
            return self.colours.cycle(cycle, graph.is_kinematic)
        if graph.kinds[graph.targets[edge]] == GHOST:
            return self.colours.kind(GHOST)
        return self.colours.edge

    def pen(self, edge: int, zoom: float, marks: GraphMarks) -> tuple[QPen, float]:
        """Return the pen of an edge, and the scale of its head."""
        graph = self.picture.graph
        cycle = int(graph.cycle_of[edge])
        dashes: tuple[float, ...] = DEFAULT_DASHES
        colour, width = QColor(self.edge_colour(edge)), EDGE_WIDTH
        if cycle >= 0:
            width, dashes = CYCLE_WIDTH, CYCLE_DASHES[cycle % len(CYCLE_DASHES)]
        elif graph.written[edge]:
            dashes = ()
        if edge in marks.chain and cycle < 0:
            colour, width = QColor(self.colours.selection), 2.2
        if edge == marks.hovered_edge:
            colour, width = QColor(self.colours.text), width + 1.0
        source, target = int(graph.sources[edge]), int(graph.targets[edge])
        if marks.bright is not None and not (marks.bright[source] and marks.bright[target]):
            colour.setAlphaF(DIMMED)
        elif graph.unresolved[source] and cycle < 0 and not marks.chain:
            colour.setAlphaF(UNRESOLVED)
        if marks.preview is not None and edge in marks.preview.removed:
            colour.setAlphaF(REMOVED)
        width = max(width, 0.8 / zoom)
        pen = QPen(colour, width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if dashes and dashes[0] * zoom < LEAST_DASH:
            # Where dashes would run together, an edge that is not written is fainter.
            colour.setAlphaF(colour.alphaF() * (UNWRITTEN if cycle < 0 else 1.0))
            pen.setColor(colour)
        elif dashes:
            pen.setDashPattern([dash / width for dash in dashes])
        return pen, 0.7 + 0.22 * width

    def _path(self, edge: int) -> QPainterPath:
        path = self._paths.get(edge)
        if path is None:
            a, b, c, d = (QPointF(x, y) for x, y in self.curves[edge].tolist())
            path = QPainterPath(a)
            path.cubicTo(b, c, d)
            self._paths[edge] = path
        return path

    def _paint_curves(self, painter: QPainter, edges: Ints, zoom: float, marks: GraphMarks) -> None:
        graph = self.picture.graph
        painter.setBrush(Qt.BrushStyle.NoBrush)
        last = [edge for edge in edges.tolist() if edge in marks.chain]
        badges = []
        for edge in [*edges.tolist(), *last]:
            pen, scale = self.pen(edge, zoom, marks)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(self._path(edge))
            if edge in self.picture.bundled and not graph.is_kinematic:
                continue
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(pen.color())
            painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in arrow_head(self.curves[edge], scale)]))
            if graph.cycle_of[edge] >= 0:
                badges.append((edge, pen.color()))
        radius = 7.5 * max(1.0, NATURAL_ZOOM / zoom)
        places = self.badges(radius) if badges else {}
        for edge, colour in badges:
            if edge not in places:
                continue
            centre = QPointF(*places[edge])
            painter.setPen(QPen(colour, 1.2))
            painter.setBrush(QColor(self.colours.ground))
            painter.drawEllipse(centre, radius, radius)
            square = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
            painter.drawText(square, Qt.AlignmentFlag.AlignCenter, str(int(graph.cycle_of[edge]) + 1))

    def badges(self, radius: float) -> Mapping[int, tuple[float, float]]:
        """Return the centres of the badges on edges of cycles, also while vertices are on the way to their places."""
        if self._badges is None or self._badges[0] != radius:
            self._badges = radius, badge_places(replace(self.picture, curves=self.curves), radius)
        return self._badges[1]

    def _paint_lines(self, painter: QPainter, edges: Ints, zoom: float, marks: GraphMarks) -> None:
        if self._lines is None:
            self._lines = [QLineF(*line) for line in self.curves[:, [0, 3]].reshape(-1, 4).tolist()]
        graph = self.picture.graph
        special = np.zeros(len(self.curves), dtype=bool)
        special[list(marks.chain)] = True
        special |= graph.cycle_of >= 0
        strength = max(min(MOST_STRONG / max(len(edges), 1), 1.0), FAINTEST)

        def hairline(share: float) -> QPen:
            # Opaque: thousands of lines in a transparent colour take longer.
            return QPen(QColor(mix(self.colours.edge, self.colours.ground, share)), 0.0)

        smooth = painter.testRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth and len(edges) <= MOST_SMOOTH_LINES)
        if marks.bright is not None:
            both = marks.bright[graph.sources] & marks.bright[graph.targets]
            painter.setPen(hairline(DIMMED * strength))
            painter.drawLines([self._lines[edge] for edge in edges[~both[edges]].tolist()])
            edges = edges[both[edges]]
        plain = edges[~special[edges]]
        for written, share in ((False, UNWRITTEN), (True, 1.0)):
            painter.setPen(hairline(max(strength * share, FAINTEST)))
            painter.drawLines([self._lines[edge] for edge in plain[graph.written[plain] == written].tolist()])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for edge in edges[special[edges]].tolist():
            pen, _ = self.pen(edge, zoom, marks)
            pen.setWidthF(2.0 / zoom)
            pen.setStyle(Qt.PenStyle.SolidLine)
            painter.setPen(pen)
            painter.drawPath(self._path(edge))

    def _paint_blocks(self, painter: QPainter, vertices: Ints, zoom: float, marks: GraphMarks, opacity: float) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        shades = np.where(self.picture.graph.unresolved & ~self._on_cycle, 1, 0)
        if marks.bright is not None:
            shades[~marks.bright] = 2
        groups = self._kind_of[vertices] * 3 + shades[vertices]
        for group in np.flatnonzero(np.bincount(groups)).tolist():  # np.unique loads modules first, which takes long
            kind, shade = divmod(group, 3)
            colour = QColor(self.colours.kind(self._kinds[kind]))
            colour.setAlphaF(opacity * (1.0, UNRESOLVED, DIMMED)[shade])
            painter.setBrush(colour)
            painter.drawRects([self._rects[vertex] for vertex in vertices[groups == group].tolist()])
        # Highlights must be visible at every scale.
        border = 2.0 / zoom
        marked = [(marks.found, self.colours.match), (marks.selected, self.colours.selection)]
        if marks.legal is not None:
            marked.insert(0, (frozenset(np.flatnonzero(marks.legal).tolist()), LEGAL))
        for chosen, name in marked:
            painter.setPen(QPen(QColor(name), border))
            painter.setBrush(QBrush(QColor(name)))
            painter.drawRects([self._rects[vertex].adjusted(-border, -border, border, border) for vertex in chosen])

    def _outline(self, vertex: int) -> QPainterPath:
        """Return the shape of a vertex: bodies rounded, joints as pills, frames with sharp corners."""
        path = self._outlines.get(vertex)
        if path is None:
            rect = self._rects[vertex]
            radius = {"joint": rect.height() / 2, "link": 5.0, "frame": 1.5, GHOST: 1.5}.get(
                self.picture.graph.kinds[vertex], 8.0
            )
            path = QPainterPath()
            path.addRoundedRect(rect, radius, radius)
            self._outlines[vertex] = path
        return path

    def _paint_vertex(self, painter: QPainter, vertex: int, zoom: float, marks: GraphMarks) -> None:
        unresolved = self.picture.graph.unresolved[vertex] and not self._on_cycle[vertex]
        shown = 1.0
        if marks.bright is not None and not marks.bright[vertex]:
            shown = DIMMED
        elif marks.legal is not None and not marks.legal[vertex] and vertex != marks.dragged:
            shown = REFUSED
        elif unresolved and self.picture.graph.kinds[vertex] != GHOST:
            shown = UNRESOLVED
        self._paint_halo(painter, vertex, zoom, marks)
        if shown < 1.0:
            # A faint vertex must still hide what is behind it.
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.colours.ground))
            painter.drawPath(self._outline(vertex))
        painter.setOpacity(shown)
        self._paint_card(painter, vertex, marks)
        painter.setOpacity(1.0 if vertex in marks.selected else max(shown, FAINTEST_NAME))
        self._paint_label(painter, vertex, zoom, marks.letters.get(vertex, ()))
        painter.setOpacity(1.0)

    def _paint_halo(self, painter: QPainter, vertex: int, zoom: float, marks: GraphMarks) -> None:
        if vertex in marks.selected:
            name = self.colours.selection
        elif vertex in marks.found:
            name = self.colours.match
        elif marks.legal is not None and marks.legal[vertex]:
            name = LEGAL
        else:
            return
        painter.setPen(QPen(QColor(name), 2 * max(3.2, 2.6 / zoom)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        outline = self._outline(vertex)
        painter.drawPath(outline.united(self._card_below(vertex)) if self.picture.graph.folded[vertex] else outline)

    def _card_below(self, vertex: int) -> QPainterPath:
        """Return the second card of a stack, which shows that there are more."""
        path = QPainterPath()
        path.addRoundedRect(self._rects[vertex].translated(STACK, STACK), 8, 8)
        return path

    def _paint_card(self, painter: QPainter, vertex: int, marks: GraphMarks) -> None:
        graph, colours, rect = self.picture.graph, self.colours, self._rects[vertex]
        kind = self.picture.graph.kinds[vertex]
        colour = QColor(colours.kind(kind))
        if graph.folded[vertex]:
            painter.setPen(QPen(colour, 1.0))
            painter.setBrush(QColor(colours.ground))
            painter.drawPath(self._card_below(vertex))
        border = QPen(colour, 1.3)
        if self._on_cycle[vertex] and not graph.is_kinematic:
            border = QPen(QColor(colours.kind(GHOST)), 2.0)
        elif graph.unresolved[vertex]:
            border.setDashPattern([3.0, 2.4])
        if vertex == marks.hovered:
            border.setWidthF(border.widthF() + 0.9)
        painter.setPen(border)
        painter.setBrush(QColor(colours.fill(kind)))
        painter.drawPath(self._outline(vertex))
        if marks.bodies is not None and (body := marks.bodies[vertex]) is not None:
            painter.fillRect(QRectF(rect.left() + 6, rect.bottom() - 3.5, rect.width() - 12, 2.5), body)

    def _short_text(self, vertex: int, zoom: float, room: float, metrics: QFontMetrics) -> str:
        """Return what is written on a vertex that has too little room for its name."""
        if zoom != self._zoom_of_short_texts:
            self._zoom_of_short_texts = zoom
            self._short_texts.clear()
        short = self._short_texts.get(vertex)
        if short is None:
            text = self.picture.texts[vertex]
            short = short_name(text, self.picture.graph.kinds[vertex], room, metrics.horizontalAdvance, LEAST_LETTERS)
            short = short or metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, round(room))
            self._short_texts[vertex] = short
        return short

    def _paint_label(self, painter: QPainter, vertex: int, zoom: float, letters: tuple[int, ...]) -> None:
        rect = self._rects[vertex]
        kind = self.picture.graph.kinds[vertex]
        colour = self.colours.kind(kind)
        density = painter.device().devicePixelRatioF() * zoom
        left = rect.left() + MARGIN - 1.5
        text, metrics = self.picture.texts[vertex], painter.fontMetrics()
        has_star = bool(self.picture.graph.canonical[vertex]) and zoom >= STAR_ZOOM
        has_sign = bool(self._holds_joints[vertex]) and zoom >= ICONS_ZOOM
        right = rect.right() - 4 - (STAR_SIZE if has_star else 0.0) - (ICON_SIZE if has_sign else 0.0)
        beside_icon = left + ICON_SIZE + MARGIN - 3
        # Below its natural size the name may need the place of the icon: shape and colour say the kind.
        if zoom >= NATURAL_ZOOM or (zoom >= ICONS_ZOOM and beside_icon + metrics.horizontalAdvance(text) <= right):
            picture = pixmap(GHOST_ICON if kind == GHOST else KINDS[kind], colour, density)
            spot = QRectF(left, rect.center().y() - ICON_SIZE / 2, ICON_SIZE, ICON_SIZE)
            painter.drawPixmap(spot, picture, QRectF(picture.rect()))
            left = beside_icon
        painter.setPen(QColor(colour if kind == GHOST else self.colours.text))
        if zoom < NATURAL_ZOOM:
            text = self._short_text(vertex, zoom, right - left, metrics)
        baseline = QPointF(left, rect.center().y() + metrics.ascent() * 0.38)
        if letters and text == self.picture.texts[vertex]:
            mark = QColor(self.colours.match)
            mark.setAlphaF(MATCHED)
            for first, end in _runs(letters):
                start, stop = metrics.horizontalAdvance(text[:first]), metrics.horizontalAdvance(text[:end])
                painter.fillRect(QRectF(left + start, rect.top() + 3, stop - start, rect.height() - 6), mark)
        painter.drawText(baseline, text)
        if has_sign:
            joint = pixmap(KINDS["joint"], self.colours.kind("joint"), density)
            painter.drawPixmap(self._sign(vertex), joint, QRectF(joint.rect()))
        if has_star:
            star = pixmap("mdi6.star", colour, density)
            spot = QRectF(rect.right() - MARGIN - 12, rect.center().y() - STAR_SIZE / 2, STAR_SIZE, STAR_SIZE)
            painter.drawPixmap(spot, star, QRectF(star.rect()))


def _runs(positions: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return the beginning and the end of each row of positions that follow one another."""
    runs: list[tuple[int, int]] = []
    for position in positions:
        if runs and runs[-1][1] == position:
            runs[-1] = runs[-1][0], position + 1
        else:
            runs.append((position, position + 1))
    return runs
