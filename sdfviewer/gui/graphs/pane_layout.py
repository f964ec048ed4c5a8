"""The layout of a graph that makes the most of a pane."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QSizeF

from sdfviewer.graphs.graph_view import Graph
from sdfviewer.graphs.layout import Orientation
from sdfviewer.graphs.picture import VERTEX_HEIGHT, GraphPicture, arrange, best_orientation, draw_graph, label_texts
from sdfviewer.gui.graphs.glyphs import NATURAL_ZOOM
from sdfviewer.gui.graphs.viewport import FRAME, frame_above

#: A lower pane shows whole rows, of a drawing that is by such factors wider than the pane.
LOW, WIDER = 150, (2.0, 4.0, 8.0)
#: Shapes to try for a graph that is to be shown whole, as factors of the shape of the pane.
SHAPES = (1.0, 0.7, 1.4, 0.5, 2.0)
#: With more vertices only the first is tried: it is nearly always the best one of a large graph, and each takes long.
MOST_TRIED = 80


@dataclass(frozen=True, slots=True)
class PaneLayout:
    """How the graph of a pane is laid out.

    Attributes
    ----------
    orientation
        The side of the root.
    aspect
        Width over height of a compact drawing.
    most_height
        The drawing is made wider where it would be higher than this, in pixels of the drawing; None: it may be so high
        as it needs to be.
    """

    orientation: Orientation
    aspect: float
    most_height: float | None = None

    def draw(self, graph: Graph, measure: Callable[[str], float]) -> GraphPicture:
        """Return the picture of a graph; ``measure`` returns the width of a text in pixels."""
        picture = draw_graph(graph, self.orientation, measure, self.aspect)
        if self.most_height is None:
            return picture
        for wider in WIDER:
            if picture.layout.extent[1] <= self.most_height:
                break
            picture = draw_graph(graph, self.orientation, measure, self.aspect * wider)
        return picture


def choose_layout(graph: Graph, pane: QSizeF, measure: Callable[[str], float], *, whole: bool) -> PaneLayout:
    """Return the layout that shows all of a graph so large that it can be read, or else as much of it as it can.

    Parameters
    ----------
    graph
        What to draw.
    pane
        The size of the pane in pixels.
    measure
        Returns the width of a text in pixels.
    whole
        Whether all of the graph is shown, however small its texts become.
    """
    shape, above = pane.width() / pane.height(), frame_above(pane.height())
    room = pane.width() - 2 * FRAME, pane.height() - 2 * above
    orientation = best_orientation(graph, room, NATURAL_ZOOM, measure)
    if orientation is not Orientation.COMPACT:
        return PaneLayout(orientation, shape)
    if len(graph) <= MOST_TRIED and (whole or _least_area(graph, measure) * NATURAL_ZOOM**2 <= room[0] * room[1]):
        zooms = [_zoom(arrange(graph, orientation, measure, shape * by).extent, room) for by in SHAPES]
        best = int(np.argmax(zooms))
        if whole or zooms[best] >= NATURAL_ZOOM:
            return PaneLayout(orientation, shape * SHAPES[best])
    # A drawing that does not fit is read row by row: none of them is cut.
    is_low = pane.height() <= LOW and not whole
    return PaneLayout(orientation, shape, (pane.height() - above) / NATURAL_ZOOM if is_low else None)


def _least_area(graph: Graph, measure: Callable[[str], float]) -> float:
    """Return the area of the labels: a pane with less room shows no layout of them in a readable size."""
    return VERTEX_HEIGHT * sum(map(measure, label_texts(graph)))


def _zoom(extent: tuple[float, float], room: tuple[float, float]) -> float:
    return min(room[0] / max(extent[0], 1.0), room[1] / max(extent[1], 1.0), 1.0)
