"""The layout of a graph that makes the most of a pane."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF

from sdfviewer.graphs.graph_view import Graph
from sdfviewer.graphs.layout import Layout, Orientation
from sdfviewer.graphs.picture import VERTEX_HEIGHT, GraphPicture, arrange, draw_graph, label_texts
from sdfviewer.gui.graphs.drawing import FRAME, NATURAL_ZOOM, WHOLE_ZOOM, Extents, frame_above, start_between

#: A lower pane shows whole rows, of a drawing that is wider than the pane by up to a power of two, which is found in so
#: many steps; that of a large graph, whose drawings take long, only if it is very low.
LOW, LOW_OF_LARGE, MOST_WIDER, STEPS = 480, 150, 5.0, 4
#: Larger graphs have one layout, which is made for them.
MOST_COMPARED = 400
#: Shapes to try for a graph that is to be shown whole, as factors of the shape of the pane.
SHAPES = (1.0, 0.7, 1.4, 0.5, 2.0)
#: Shapes to try for a graph of which the pane shows the beginning.
NARROWER = (0.5, 0.25, 0.1)
#: A drawing that needs so many times the room in one shape fits in no other one.
SPREAD = 1.5
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
        return draw_graph(graph, self.orientation, measure, self._aspect_of(graph, measure))

    def arrange(self, graph: Graph, measure: Callable[[str], float]) -> Layout:
        """Return where :meth:`draw` puts the vertices of a graph."""
        return arrange(graph, self.orientation, measure, self._aspect_of(graph, measure))

    def _aspect_of(self, graph: Graph, measure: Callable[[str], float]) -> float:
        if self.most_height is None or self._height(graph, measure, self.aspect) <= self.most_height:
            return self.aspect
        low, high = 0.0, MOST_WIDER
        for _ in range(STEPS):
            middle = (low + high) / 2
            if self._height(graph, measure, self.aspect * 2**middle) <= self.most_height:
                high = middle
            else:
                low = middle
        return self.aspect * 2**high

    def _height(self, graph: Graph, measure: Callable[[str], float], aspect: float) -> float:
        return arrange(graph, self.orientation, measure, aspect).extent[1]


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
    shape, room = pane.width() / pane.height(), _room(pane)
    if len(graph) <= MOST_COMPARED and (whole or _least_area(graph, measure) * WHOLE_ZOOM**2 <= room[0] * room[1]):
        shapes = [shape * by for by in (SHAPES if len(graph) <= MOST_TRIED else SHAPES[:1])]
        # Trees are easiest to follow from left to right.
        largest = 0.0, PaneLayout(Orientation.COMPACT, shape)
        for orientation in Orientation:
            zoom, aspect = _best_shape(graph, orientation, shapes, room, measure, whole)
            layout = PaneLayout(orientation, aspect)
            if zoom >= NATURAL_ZOOM or (whole and orientation is Orientation.COMPACT):
                return layout
            largest = max(largest, (zoom, layout), key=lambda each: each[0])
        if largest[0] >= WHOLE_ZOOM:
            return largest[1]
    # A drawing that does not fit is read row by row: none of them is cut.
    is_low = pane.height() <= (LOW if len(graph) <= MOST_COMPARED else LOW_OF_LARGE) and not whole
    height = (pane.height() - frame_above(pane.height())) / NATURAL_ZOOM if is_low else None
    layout = PaneLayout(Orientation.COMPACT, shape, height)
    if whole or len(graph) > MOST_COMPARED:
        return layout
    # In a narrow pane a narrow drawing, which goes on below, may begin with more whole vertices, or cut none.
    narrow = [PaneLayout(Orientation.COMPACT, shape * by) for by in NARROWER]
    return max([layout, *narrow], key=lambda each: _worth(each.arrange(graph, measure), pane))


def _worth(layout: Layout, pane: QSizeF) -> int:
    """Return how many vertices the beginning of a drawing shows whole, less some for each that it cuts."""
    vertices = Extents(layout.centres - layout.sizes / 2, layout.centres + layout.sizes / 2)
    return start_between(vertices, QRectF(0.0, 0.0, *layout.extent), QRectF(QPointF(), pane))[1]


def is_readable_whole(picture: GraphPicture, pane: QSizeF) -> bool:
    """Return whether a pane can show all of a picture so large that it can be read."""
    return _zoom(picture.layout.extent, _room(pane)) >= NATURAL_ZOOM


def _room(pane: QSizeF) -> tuple[float, float]:
    """Return the width and the height that a pane has for a drawing."""
    return pane.width() - 2 * FRAME, pane.height() - 2 * frame_above(pane.height())


def _best_shape(
    graph: Graph,
    orientation: Orientation,
    shapes: Sequence[float],
    room: tuple[float, float],
    measure: Callable[[str], float],
    whole: bool,
) -> tuple[float, float]:
    """Return the largest zoom at which a room holds a graph laid out in one of some shapes, and that shape."""
    zooms: list[float] = []
    for shape in shapes:
        width, height = arrange(graph, orientation, measure, shape).extent
        zooms.append(_zoom((width, height), room))
        if width * height * WHOLE_ZOOM**2 > SPREAD * room[0] * room[1] and not whole:
            break
    best = int(np.argmax(zooms))
    return zooms[best], shapes[best]


def _least_area(graph: Graph, measure: Callable[[str], float]) -> float:
    """Return the area of the labels: a pane with less room shows no layout of them in a readable size."""
    return VERTEX_HEIGHT * sum(map(measure, label_texts(graph)))


def _zoom(extent: tuple[float, float], room: tuple[float, float]) -> float:
    return min(room[0] / max(extent[0], 1.0), room[1] / max(extent[1], 1.0), 1.0)
