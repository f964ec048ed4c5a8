"""A graph with layout and style, ready for the window and the exporters."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from sdfviewer.display_text import visible
from sdfviewer.graphs.blocks import Block
from sdfviewer.graphs.graph_view import GHOST, Graph
from sdfviewer.graphs.layout import ASPECT, Bools, Floats, Layout, Orientation, cut_cycles, lay_out
from sdfviewer.graphs.routing import detour, route
from sdfviewer.palette import STYLES, parse_hex, theme

#: Pixels: height of a vertex, size of its glyph, gaps; size and family of the text.
VERTEX_HEIGHT = 26.0
GLYPH_SIZE = 11.0
MARGIN = 9.0
TEXT_SIZE = 12.0
FONTS = "Inter, Segoe UI, Helvetica Neue, DejaVu Sans, Arial, sans-serif"
#: Room for the star of a canonical link, and for the glyph of a joint that is folded into its link.
STAR_WIDTH = 16.0
JOINT_WIDTH = 18.0
#: Longer labels are cut in the middle.
LONGEST_LABEL = 36
#: Thickness of edges: ordinary ones and those of a cycle.
EDGE_WIDTH = 1.4
CYCLE_WIDTH = 3.0
#: Length and half the breadth of an arrow head.
HEAD = (8.0, 4.0)
#: Dashes of default edges and of the first, second, ... cycle, in pixels.
DEFAULT_DASHES = (5.0, 4.0)
CYCLE_DASHES: tuple[tuple[float, ...], ...] = ((), (12.0, 4.0), (4.0, 3.0), (14.0, 4.0, 3.0, 4.0))
#: Cycles are distinguished by a number and by dashes; the tints only help.
CYCLE_TINTS = {True: ("#FF7A33", "#FF5C8A", "#FFB000"), False: ("#B64600", "#B3124E", "#8F5B00")}
#: Blank between the badge of a cycle and vertices, and where on its edge it may be, as in `point_on`, the best first.
BADGE_GAP = 0.4
_BADGE_PLACES = tuple(0.5 + step * 0.05 * side for step in range(9) for side in (1, -1))
LOOP_TINTS = {True: ("#F0E442", "#56B4E9", "#CC79A7"), False: ("#857B00", "#1F77A8", "#A9487D")}


@dataclass(frozen=True, slots=True)
class GraphColours:
    """The colours of a graph on dark or light ground."""

    dark: bool
    ground: str
    text: str
    faint: str
    edge: str
    box: str
    box_border: str
    selection: str
    match: str

    def kind(self, kind: str) -> str:
        """Return the colour of a kind of vertex."""
        return STYLES["error" if kind == GHOST else kind].colour(self.dark)

    def fill(self, kind: str) -> str:
        """Return the colour inside a vertex: bodies and what they imply are tinted, explicit frames are hollow."""
        if kind in {GHOST, "frame"}:
            return self.ground
        return mix(self.kind(kind), self.ground, 0.2 if self.dark else 0.13)

    def cycle(self, index: int, is_loop: bool) -> str:
        """Return the tint of a cycle, or of a loop of a mechanism, which is no fault."""
        tints = (LOOP_TINTS if is_loop else CYCLE_TINTS)[self.dark]
        return tints[index % len(tints)]


def mix(colour: str, other: str, share: float) -> str:
    """Return ``share`` of one ``#RRGGBB`` colour and the rest of another."""
    pairs = zip(parse_hex(colour), parse_hex(other), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02X}" for a, b in pairs)


def graph_colours(dark: bool) -> GraphColours:
    """Return the colours of graphs for a dark or a light theme."""
    tokens = theme(dark)
    ground = "#1B1F24" if dark else "#FFFFFF"
    return GraphColours(
        dark=dark,
        ground=ground,
        text=tokens.text,
        faint=mix(tokens.text, ground, 0.5),
        edge=mix(tokens.text, ground, 0.46),
        box=mix(tokens.text, ground, 0.045),
        box_border=mix(tokens.text, ground, 0.25),
        selection=tokens.selection,
        match=tokens.match,
    )


@dataclass(frozen=True, slots=True, eq=False)
class GraphPicture:
    """A graph with the places of its vertices and the curves of its edges.

    Attributes
    ----------
    graph
        What is drawn.
    texts
        What is written on each vertex: its label, shortened, and how much a folded box hides.
    layout
        The positions of vertices and boxes.
    curves
        (m, 4, 2) control points of a cubic for each edge, from its source to its head.
    leaves_tree
        (m,) whether an edge is beside the tree: it closes a cycle or a loop.
    bundled
        For each edge that is a stub in a bundle its block and its place among the leaves.
    """

    graph: Graph
    texts: tuple[str, ...]
    layout: Layout
    curves: Floats
    leaves_tree: Bools
    bundled: dict[int, tuple[Block, int]] = field(default_factory=dict)


_WITHOUT_NARROW = str.maketrans("", "", "fijlrt.,:;|'()[]I ")


def text_width(text: str) -> float:
    """Return roughly how wide a text is in a common sans-serif, on the wide side, where nothing can measure it."""
    narrow = len(text) - len(text.translate(_WITHOUT_NARROW))
    wide = sum(map(text.count, "mwMW"))
    if not text.isascii():
        wide += sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return TEXT_SIZE * (0.62 * (len(text) - narrow - wide) + 0.4 * narrow + 0.98 * wide)


def draw_graph(
    graph: Graph,
    orientation: Orientation = Orientation.LEFT_RIGHT,
    measure: Callable[[str], float] = text_width,
    aspect: float = ASPECT,
) -> GraphPicture:
    """Return the picture of a graph.

    Parameters
    ----------
    graph
        What to draw.
    orientation
        The side of the root.
    measure
        Returns the width of a text in pixels.
    aspect
        Width over height of the pane that shows it.
    """
    return _with_edges(graph, arrange(graph, orientation, measure, aspect))


def redraw_edges(graph: Graph, before: GraphPicture) -> GraphPicture | None:
    """Return the picture of a graph with all vertices and boxes where they were, None if they are not the same."""
    old, layout = before.graph, before.layout
    if graph.is_kinematic or (graph.names, graph.boxes) != (old.names, old.boxes) or label_texts(graph) != before.texts:
        return None
    of_vertices = ("box_of", "canonical", "holds_joints")
    if not all(np.array_equal(getattr(graph, name), getattr(old, name)) for name in of_vertices):
        return None
    pairs = set(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True))
    blocks = tuple(
        block for block in layout.blocks if all((leaf, block.hub) in pairs for leaf in block.leaves.tolist())
    )
    return _with_edges(graph, replace(layout, tree=cut_cycles(graph.parents), blocks=blocks))


def _with_edges(graph: Graph, layout: Layout) -> GraphPicture:
    """Return the picture of a graph whose vertices are placed."""
    curves, leaves_tree = route(graph, layout, layout.centres)
    between = graph.box_of[graph.sources] != graph.box_of[graph.targets]
    bundled = _bundled(graph, layout) if layout.blocks else {}
    may_cross = between | leaves_tree | (layout.orientation is Orientation.COMPACT)
    may_cross[list(bundled)] = False
    curves = detour(layout, curves, np.flatnonzero(may_cross), graph.sources, graph.targets)
    return GraphPicture(graph, label_texts(graph), layout, curves, leaves_tree, bundled)


def _bundled(graph: Graph, layout: Layout) -> dict[int, tuple[Block, int]]:
    ends = (graph.targets, graph.sources) if graph.is_kinematic else (graph.sources, graph.targets)
    edge_of = {pair: edge for edge, pair in enumerate(zip(*(end.tolist() for end in ends), strict=True))}
    return {
        edge_of[leaf, block.hub]: (block, place)
        for block in layout.blocks
        for place, leaf in enumerate(block.leaves.tolist())
    }


def arrange(
    graph: Graph,
    orientation: Orientation = Orientation.LEFT_RIGHT,
    measure: Callable[[str], float] = text_width,
    aspect: float = ASPECT,
) -> Layout:
    """Return the positions of the vertices of a graph, as `draw_graph` draws it."""
    widths = np.array([measure(text) for text in label_texts(graph)], dtype=float).reshape(-1)
    widths += 3 * MARGIN + GLYPH_SIZE + STAR_WIDTH * graph.canonical + JOINT_WIDTH * graph.holds_joints
    sizes = np.stack([np.ceil(widths), np.full(len(graph), VERTEX_HEIGHT)], axis=1)
    # Edges with a problem are drawn one by one.
    apart = graph.unresolved.copy()
    for cycle in graph.cycles:
        apart[list(cycle)] = True
    return lay_out(
        graph.parents,
        sizes,
        orientation,
        graph.box_of,
        graph.box_parents,
        bundles=orientation is Orientation.COMPACT or not graph.is_kinematic,
        aspect=aspect,
        apart=apart,
    )


def label_texts(graph: Graph) -> tuple[str, ...]:
    """Return each label, shortened, with how many members a family has or how many vertices a folded box hides."""
    return tuple(
        shorten(visible(label)) + (f"  × {members}" if members else f"  +{hidden}" if hidden else "")
        for label, members, hidden in zip(graph.labels, graph.members.tolist(), graph.folded.tolist(), strict=True)
    )


def shorten(label: str) -> str:
    """Return a label with its middle left out where it is long."""
    half = LONGEST_LABEL // 2 - 1
    return label if len(label) <= LONGEST_LABEL else f"{label[:half]}…{label[-half:]}"


def point_on(curve: Floats, t: float) -> tuple[float, float]:
    """Return the point at ``t`` in [0, 1] of one cubic (4, 2)."""
    weights = np.array([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    x, y = weights @ curve
    return float(x), float(y)


def badge_places(picture: GraphPicture, radius: float) -> dict[int, tuple[float, float]]:
    """Return where badges of some radius are on edges of cycles: in their middle, or as near as vertices leave room.

    An edge that is too short for a badge has none where another one of its cycle has.
    """
    layout = picture.layout
    places: dict[int, tuple[float, float]] = {}
    rooms: dict[int, float] = {}
    of_cycles: dict[int, list[int]] = {}
    for edge in np.flatnonzero(picture.graph.cycle_of >= 0).tolist():
        points = np.array([point_on(picture.curves[edge], t) for t in _BADGE_PLACES])
        beyond = np.maximum(np.abs(points[:, None] - layout.centres) - layout.sizes / 2, 0.0)
        distances = np.minimum(np.linalg.norm(beyond, axis=2).min(axis=1), radius + BADGE_GAP)
        at = int(distances.argmax())
        x, y = points[at].tolist()
        places[edge], rooms[edge] = (x, y), float(distances[at])
        of_cycles.setdefault(int(picture.graph.cycle_of[edge]), []).append(edge)
    shown = {max(edges, key=rooms.__getitem__) for edges in of_cycles.values()}
    return {edge: place for edge, place in places.items() if edge in shown or rooms[edge] >= radius + BADGE_GAP}


def arrow_head(curve: Floats, scale: float = 1.0) -> list[tuple[float, float]]:
    """Return tip and two corners of the arrow head at the end of one cubic (4, 2)."""
    tip = curve[3]
    direction = tip - curve[2]
    length = float(np.hypot(*direction))
    along = direction / length if length > 0 else np.array([-1.0, 0.0])
    across = np.array([-along[1], along[0]])
    foot = tip - along * HEAD[0] * scale
    corners = (tip, foot + across * HEAD[1] * scale, foot - across * HEAD[1] * scale)
    return [(float(x), float(y)) for x, y in corners]
