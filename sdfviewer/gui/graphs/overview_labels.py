"""Labels on a zoomed-out graph, the most important first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter

from sdfviewer.graphs.picture import GraphColours, GraphPicture
from sdfviewer.gui.graphs.glyphs import graph_font

#: So many labels are looked at for room, and so many are written.
MOST_TRIED, MOST_WRITTEN = 400, 80
#: Longest label on the screen, blank inside one and between two, in pixels.
LONGEST, BLANK, APART = 130.0, 2.0, 3.0


class OverviewLabels:
    """Labels over vertices that are too small for their own, placed once for each zoom.

    They are placed for the whole drawing: labels must not come and go while the view is panned.
    """

    def __init__(self) -> None:
        self._key: tuple[float, tuple[int, ...]] | None = None
        self._labels: list[tuple[QRectF, str]] = []

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
            self._key, self._labels = key, _place(metrics, picture, rects, zoom, first)
        ground = QColor(colours.ground)
        ground.setAlphaF(0.86)
        for rect, text in self._labels:
            if not rect.intersects(visible):
                continue
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(rect, 3 / zoom, 3 / zoom)
            painter.setPen(QColor(colours.text))
            painter.drawText(QPointF(rect.left() + BLANK / zoom, rect.center().y() + metrics.ascent() * 0.38), text)


def _place(
    metrics: QFontMetrics, picture: GraphPicture, rects: Sequence[QRectF], zoom: float, first: Sequence[int]
) -> list[tuple[QRectF, str]]:
    """Return where labels have room, and their texts."""
    height = metrics.height() * 0.85 + 2 * BLANK / zoom
    labels: list[tuple[QRectF, str]] = []
    taken = np.empty((MOST_WRITTEN, 4))  # as columns of numbers: to ask each rectangle takes twenty times as long
    for vertex in dict.fromkeys([*first, *_by_importance(picture)]):
        text = metrics.elidedText(picture.texts[vertex], Qt.TextElideMode.ElideMiddle, round(LONGEST / zoom))
        width = metrics.horizontalAdvance(text) + 2 * BLANK / zoom
        left = min(rects[vertex].left(), max(0.0, picture.layout.extent[0] - width))
        rect = QRectF(left, rects[vertex].center().y() - height / 2, width, height)
        around = rect.adjusted(-APART / zoom, 0, APART / zoom, 0)
        left_of, top_of, right_of, bottom_of = taken[: len(labels)].T
        meets = (left_of < around.right()) & (right_of > around.left())
        if (meets & (top_of < around.bottom()) & (bottom_of > around.top())).any():
            continue
        taken[len(labels)] = rect.left(), rect.top(), rect.right(), rect.bottom()
        labels.append((rect, text))
        if len(labels) >= MOST_WRITTEN:
            break
    return labels


def _by_importance(picture: GraphPicture) -> list[int]:
    """Return the vertices to label, the most important first: those with the most children, then in their order."""
    tree = picture.layout.tree
    children = np.bincount(tree[tree >= 0], minlength=len(tree))
    weight = children + 2 * picture.graph.folded + (tree < 0)
    order: list[int] = np.argsort(-weight, kind="stable")[:MOST_TRIED].tolist()
    return order
