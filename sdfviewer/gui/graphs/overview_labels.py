"""Labels on a zoomed-out graph, the most important first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from sdfviewer.display_text import LEAST_LETTERS, short_name
from sdfviewer.graphs.blocks import BLOCK_FROM, Floats, Ints
from sdfviewer.graphs.picture import VERTEX_HEIGHT, GraphColours, GraphPicture
from sdfviewer.gui.graphs.drawing import Extents, graph_font
from sdfviewer.gui.graphs.graph_marks import GraphMarks

#: So many labels are looked at for room, and so many are written.
MOST_TRIED, MOST_WRITTEN = 600, 240
#: Label of a model's own frame; the name of the model is on the box around it.
MODEL_FRAME = "__model__"
#: Longest label on the screen, blank inside one and beside one, in pixels.
LONGEST, BLANK, APART = 150.0, 3.0, 3.0
#: How high a label is, as a share of the height of its font. With less than this share of the width of a name its words
#: must be left with some letters each.
TIGHT, LEAST_SHARE = 0.85, 0.6
#: So many of the selected vertices, of those on their chains and of those that a search has found are labelled first.
MOST_POINTED_OUT = 40
#: Roots have their names in any case where there are no more of them, and so many heads of blocks.
MOST_ROOTS, MOST_HEADS = 6, 8
#: Labels that are so many times as high as a vertex reach its neighbours; they are so many of their heights apart.
TALL, SPARSE = 1.4, 1.5
#: How much is left of the label of a vertex that does not matter now.
DIMMED = 0.5


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a vertex, and the rectangle of the drawing that it takes."""

    vertex: int
    rect: QRectF
    text: str


class OverviewLabels:
    """Labels in place of vertices that are too small for their own names, placed once for each zoom.

    They are placed for the whole drawing: labels must not come and go while the view is panned. A label covers its own
    vertex and no other one. Only those of roots and of what is pointed out may, and all labels where vertices are much
    smaller than a text; these leave most of the drawing in sight.
    """

    def __init__(self) -> None:
        self._key: tuple[float, tuple[int, ...]] | None = None
        self._labels: list[Label] = []

    def forget(self) -> None:
        """Place them again, because vertices have moved."""
        self._key = None

    def paint(
        self,
        painter: QPainter,
        picture: GraphPicture,
        rects: Sequence[QRectF],
        vertices: Extents,
        colours: GraphColours,
        visible: QRectF,
        zoom: float,
        marks: GraphMarks,
    ) -> None:
        """Write the labels.

        Parameters
        ----------
        painter
            Transformed to the drawing's coordinates.
        picture, rects, vertices, colours
            What is painted, where its vertices are, in which colours.
        visible
            What to paint of the drawing.
        zoom
            Pixels of the screen for each pixel of the drawing.
        marks
            What is pointed out.
        """
        painter.setFont(graph_font(zoom))
        metrics = painter.fontMetrics()
        first = pointed_out(picture, marks)
        key = zoom, tuple(first)
        if key != self._key:
            self._key, self._labels = key, place_labels(metrics, picture, rects, vertices, zoom, first)
        for label in self._labels:
            if label.rect.intersects(visible):
                write_label(painter, label, picture, colours, zoom, marks)
        painter.setBrush(Qt.BrushStyle.NoBrush)


def write_label(
    painter: QPainter, label: Label, picture: GraphPicture, colours: GraphColours, zoom: float, marks: GraphMarks
) -> None:
    """Write one label, in the font of the painter; for the arguments see `OverviewLabels.paint`."""
    vertex = label.vertex
    kind = picture.graph.kinds[vertex]
    border = QPen(QColor(colours.kind(kind)), 1.0 / zoom)
    if vertex in marks.selected:
        border = QPen(QColor(colours.selection), 2.0 / zoom)
    elif vertex in marks.found:
        border = QPen(QColor(colours.match), 2.0 / zoom)
    painter.fillRect(label.rect, QColor(colours.ground))  # it must hide its vertex and edges behind it
    painter.setOpacity(DIMMED if marks.bright is not None and not marks.bright[vertex] else 1.0)
    painter.setPen(border)
    painter.setBrush(QColor(colours.fill(kind)))
    painter.drawRect(label.rect)
    painter.setPen(QColor(colours.text))
    baseline = label.rect.center().y() + painter.fontMetrics().ascent() * 0.38
    painter.drawText(QPointF(label.rect.left() + BLANK / zoom, baseline), label.text)
    painter.setOpacity(1.0)


def pointed_out(picture: GraphPicture, marks: GraphMarks) -> list[int]:
    """Return the vertices whose names are written in any case, the most important first."""
    graph = picture.graph
    selected, found, chain = (
        sorted(marked)[:MOST_POINTED_OUT] for marked in (marks.selected, marks.found, marks.chain)
    )
    steps = np.stack([graph.sources[chain], graph.targets[chain]], axis=1).ravel().tolist()
    roots = np.flatnonzero(picture.layout.tree < 0).tolist()
    roots = roots if len(roots) <= MOST_ROOTS else roots[:1]
    children = _children(picture)
    heads = [v for v in np.argsort(-children, kind="stable")[:MOST_HEADS].tolist() if children[v] >= BLOCK_FROM]
    vertices = [*selected, *found, *steps, *roots, *heads]
    return list(dict.fromkeys(vertices))


def own_label(metrics: QFontMetrics, picture: GraphPicture, own: QRectF, vertex: int, zoom: float) -> Label:
    """Return the label of a vertex, whatever it covers; ``own`` is where it is, for the rest see `place_labels`."""
    text, most, blank = _text(picture, vertex), LONGEST / zoom, BLANK / zoom
    width = metrics.horizontalAdvance(text)
    if width > most:
        short = short_name(text, picture.graph.kinds[vertex], most, metrics.horizontalAdvance)
        text = short or metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, round(most))
        width = metrics.horizontalAdvance(text)
    wanted, high = width + 2 * blank, max(metrics.height() * TIGHT, own.height())
    left = min(own.left(), max(0.0, picture.layout.extent[0] - wanted))
    return Label(vertex, QRectF(left, own.center().y() - high / 2, max(wanted, own.right() - left), high), text)


def place_labels(
    metrics: QFontMetrics,
    picture: GraphPicture,
    rects: Sequence[QRectF],
    vertices: Extents,
    zoom: float,
    first: Sequence[int],
) -> list[Label]:
    """Return the labels that have room.

    Parameters
    ----------
    metrics
        Of their font, in pixels of the drawing.
    picture, rects, vertices
        What is painted, and where its vertices are.
    zoom
        Pixels of the screen for each pixel of the drawing.
    first
        Vertices that are labelled before all others, whatever their labels cover.
    """
    height, blank, apart = metrics.height() * TIGHT, BLANK / zoom, APART / zoom
    labels: list[Label] = []
    in_any_case, is_far = frozenset(first), height > TALL * VERTEX_HEIGHT
    above = SPARSE * height if is_far else 0.0
    order = list(dict.fromkeys([*first, *_by_importance(picture)]))
    own_left, own_top, own_right, own_bottom = _corners(rects[vertex] for vertex in order)
    grown = np.maximum(height - (own_bottom - own_top), 0.0) / 2
    own_top, own_bottom = own_top - grown, own_bottom + grown
    # As columns of numbers: to ask each rectangle takes twenty times as long.
    left_of, top_of, right_of, bottom_of = taken = np.empty((4, MOST_WRITTEN))
    is_covered = np.zeros(len(order), dtype=bool)
    for place, vertex in enumerate(order):
        is_wanted = vertex in in_any_case
        if is_covered[place] and not is_wanted:
            continue  # before its name is measured, which takes longest
        own = own_label(metrics, picture, rects[vertex], vertex, zoom)
        rect, text, kind = own.rect, own.text, picture.graph.kinds[vertex]
        wanted = rect.width()
        if not is_wanted and not is_far:
            rect.setWidth(min(rect.width(), _room(vertex, rect, rects, vertices, apart)))
            room = rect.width() - 2 * blank
            least = 1 if room >= LEAST_SHARE * (wanted - 2 * blank) else LEAST_LETTERS
            short = short_name(text, kind, room, metrics.horizontalAdvance, least)
            if short is None:
                continue
            text = short
        left, top, right, bottom = rect.left(), rect.top(), rect.right(), rect.bottom()
        count, distance = len(labels), 0.0 if is_wanted else above
        meets = (left_of[:count] < right + apart) & (right_of[:count] > left - apart)
        if (meets & (top_of[:count] < bottom + distance) & (bottom_of[:count] > top - distance)).any():
            continue
        is_covered |= (
            (own_left < right + apart)
            & (own_right > left - apart)
            & (own_top < bottom + above)
            & (own_bottom > top - above)
        )
        taken[:, count] = left, top, right, bottom
        labels.append(Label(vertex, rect, text))
        if len(labels) >= MOST_WRITTEN:
            break
    return labels


def _corners(rects: Iterable[QRectF]) -> Floats:
    """Return the left, top, right and bottom (4, k) of rectangles."""
    corners: Floats = np.array([rect.getCoords() for rect in rects], dtype=float).reshape(-1, 4).T
    return corners


def _room(vertex: int, rect: QRectF, rects: Sequence[QRectF], vertices: Extents, apart: float) -> float:
    """Return how much of the width of a label reaches no vertex but its own."""
    low, high = np.array([rect.left(), rect.top()]), np.array([rect.right() + apart, rect.bottom()])
    near = [rects[other].left() for other in vertices.meeting(low, high).tolist() if other != vertex]
    return min(near, default=np.inf) - apart - rect.left()


def _by_importance(picture: GraphPicture) -> list[int]:
    """Return the vertices to label, the most important first: those with the most children, then in their order.

    Of too many that are alike every so-manieth is tried: labels should be all over the drawing.
    """
    weight = _children(picture) + 2 * picture.graph.folded + (picture.layout.tree < 0)
    turn = np.arange(len(weight)) % (len(weight) // MOST_TRIED + 1)
    order: list[int] = np.lexsort((turn, -weight))[:MOST_TRIED].tolist()
    return order


def _children(picture: GraphPicture) -> Ints:
    """Return how many children each vertex has in the tree that is laid out."""
    tree = picture.layout.tree
    return np.bincount(tree[tree >= 0], minlength=len(tree))


def _text(picture: GraphPicture, vertex: int) -> str:
    """Return the label of a vertex where the title of the box around it is not written."""
    text = picture.texts[vertex]
    return picture.graph.names[vertex].rpartition("::")[2] if text == MODEL_FRAME else text
