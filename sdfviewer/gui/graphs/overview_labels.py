"""Labels on a zoomed-out graph, the most important first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from sdfviewer.graphs.picture import GraphColours, GraphPicture
from sdfviewer.gui.graphs.glyphs import graph_font

#: So many labels are looked at for room, and so many are written.
MOST_TRIED, MOST_WRITTEN = 400, 80
#: Longest label on the screen, blank inside one and between two, in pixels.
LONGEST, BLANK, APART = 130.0, 2.0, 3.0


def paint_labels(
    painter: QPainter,
    picture: GraphPicture,
    rects: Sequence[QRectF],
    colours: GraphColours,
    zoom: float,
    first: Sequence[int] = (),
) -> None:
    """Write labels over vertices that are too small for their own.

    Parameters
    ----------
    painter
        Transformed to the drawing's coordinates.
    picture, rects, colours
        What is painted, where its vertices are, in which colours.
    zoom
        Pixels of the screen for each pixel of the drawing.
    first
        Vertices that are labelled before all others.
    """
    # Computed for the whole drawing: labels must not come and go while the view is panned.
    font = graph_font(zoom)
    painter.setFont(font)
    metrics = painter.fontMetrics()
    height = metrics.height() * 0.85 + 2 * BLANK / zoom
    taken: list[QRectF] = []
    ground = QColor(colours.ground)
    ground.setAlphaF(0.86)
    for vertex in dict.fromkeys([*first, *_by_importance(picture)]):
        text = metrics.elidedText(picture.texts[vertex], Qt.TextElideMode.ElideMiddle, round(LONGEST / zoom))
        width = metrics.horizontalAdvance(text) + 2 * BLANK / zoom
        left = min(rects[vertex].left(), max(0.0, picture.layout.extent[0] - width))
        rect = QRectF(left, rects[vertex].center().y() - height / 2, width, height)
        around = rect.adjusted(-APART / zoom, 0, APART / zoom, 0)
        if any(around.intersects(other) for other in taken):
            continue
        taken.append(rect)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(rect, 3 / zoom, 3 / zoom)
        painter.setPen(QColor(colours.text))
        painter.drawText(QPointF(rect.left() + BLANK / zoom, rect.center().y() + metrics.ascent() * 0.38), text)
        if len(taken) >= MOST_WRITTEN:
            return


def _by_importance(picture: GraphPicture) -> list[int]:
    """Return the vertices to label, the most important first: those with the most children, then in their order."""
    tree = picture.layout.tree
    children = np.bincount(tree[tree >= 0], minlength=len(tree))
    weight = children + 2 * picture.graph.folded + (tree < 0)
    order: list[int] = np.argsort(-weight, kind="stable")[:MOST_TRIED].tolist()
    return order
