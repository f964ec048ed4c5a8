"""Labels on a zoomed-out graph, the most important first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter

from sdfviewer.graphs.picture import GraphColours, GraphPicture
from sdfviewer.gui.graphs.glyphs import graph_font

#: So many labels are looked at for room, and so many are written.
MOST_TRIED, MOST_WRITTEN = 600, 240
#: Label of a model's own frame; the name of the model is on the box around it.
MODEL_FRAME = "__model__"
#: Longest label on the screen, blank inside one and between two in a row, in pixels.
LONGEST, BLANK, APART = 130.0, 2.0, 3.0
#: Height of a label as a share of the font's: letters with both an ascender and a descender are rare, and lines of a
#: graph may be closer than lines of a text.
HEIGHT = 0.85


class OverviewLabels:
    """Labels over vertices that are too small for their own, placed once for each zoom.

    They are placed for the whole drawing: labels must not come and go while the view is panned.
    """

    def __init__(self) -> None:
        self._key: tuple[float, tuple[int, ...]] | None = None
        self._labels: list[tuple[int, QRectF, str]] = []

    def forget(self) -> None:
        """Place them again, because vertices have moved."""
        self._key = None

    def paint(
        self,
        painter: QPainter,
        picture: GraphPicture,
        rects: Sequence[QRectF],
        colours: GraphColours,
        visible: QRectF,
        zoom: float,
        first: Sequence[int] = (),
    ) -> None:
        """Write the labels.

        Parameters
        ----------
        painter
            Transformed to the drawing's coordinates.
        picture, rects, colours
            What is painted, where its vertices are, in which colours.
        visible
            What to paint of the drawing.
        zoom
            Pixels of the screen for each pixel of the drawing.
        first
            Vertices that are labelled before all others.
        """
        painter.setFont(graph_font(zoom))
        metrics = painter.fontMetrics()
        key = zoom, tuple(first)
        if key != self._key:
            self._key, self._labels = key, place_labels(metrics, picture, rects, zoom, first)
        ground = QColor(colours.ground)
        ground.setAlphaF(0.86)
        for vertex, rect, text in self._labels:
            if not rect.intersects(visible):
                continue
            # The vertex is pale enough to be written on.
            beside = rect.adjusted(max(rects[vertex].right() - rect.left(), 0.0), 0.0, 0.0, 0.0)
            if beside.width() > 0.0:
                painter.fillRect(beside, ground)
            painter.setPen(QColor(colours.text))
            painter.drawText(QPointF(rect.left() + BLANK / zoom, rect.center().y() + metrics.ascent() * 0.38), text)


def place_labels(
    metrics: QFontMetrics, picture: GraphPicture, rects: Sequence[QRectF], zoom: float, first: Sequence[int]
) -> list[tuple[int, QRectF, str]]:
    """Return the vertices whose labels have room, where these are, and their texts."""
    height = metrics.height() * HEIGHT
    labels: list[tuple[int, QRectF, str]] = []
    taken = np.empty((MOST_WRITTEN, 4))  # as columns of numbers: to ask each rectangle takes twenty times as long
    for vertex in dict.fromkeys([*first, *_by_importance(picture)]):
        text = metrics.elidedText(_text(picture, vertex), Qt.TextElideMode.ElideMiddle, round(LONGEST / zoom))
        width = metrics.horizontalAdvance(text) + 2 * BLANK / zoom
        left = min(rects[vertex].left(), max(0.0, picture.layout.extent[0] - width))
        rect = QRectF(left, rects[vertex].center().y() - height / 2, width, height)
        around = rect.adjusted(-APART / zoom, 0, APART / zoom, 0)
        left_of, top_of, right_of, bottom_of = taken[: len(labels)].T
        meets = (left_of < around.right()) & (right_of > around.left())
        if (meets & (top_of < around.bottom()) & (bottom_of > around.top())).any():
            continue
        taken[len(labels)] = rect.left(), rect.top(), rect.right(), rect.bottom()
        labels.append((vertex, rect, text))
        if len(labels) >= MOST_WRITTEN:
            break
    return labels


def _by_importance(picture: GraphPicture) -> list[int]:
    """Return the vertices to label, the most important first: those with the most children, then in their order.

    Of too many that are alike every so-manieth is tried: labels should be all over the drawing.
    """
    tree = picture.layout.tree
    children = np.bincount(tree[tree >= 0], minlength=len(tree))
    weight = children + 2 * picture.graph.folded + (tree < 0)
    turn = np.arange(len(tree)) % (len(tree) // MOST_TRIED + 1)
    order: list[int] = np.lexsort((turn, -weight))[:MOST_TRIED].tolist()
    return order


def _text(picture: GraphPicture, vertex: int) -> str:
    """Return the label of a vertex where the title of the box around it is not written."""
    text = picture.texts[vertex]
    return picture.graph.names[vertex].rpartition("::")[2] if text == MODEL_FRAME else text
