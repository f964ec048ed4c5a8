"""A graph laid out and styled: everything that the window and the exporters need to draw it alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from sdfviewer.scene.graph_blocks import STUB, Block
from sdfviewer.scene.graph_detours import detour
from sdfviewer.scene.graph_layout import Bools, Floats, Layout, Orientation, lay_out
from sdfviewer.scene.graph_view import GHOST, Graph
from sdfviewer.scene.palette import STYLES, parse_hex, style_of, theme

#: Pixels: height of a vertex, size of its glyph, blanks beside them, size and family of the text.
VERTEX_HEIGHT = 26.0
GLYPH_SIZE = 11.0
MARGIN = 9.0
TEXT_SIZE = 12.0
FONTS = "Inter, Segoe UI, Helvetica Neue, DejaVu Sans, Arial, sans-serif"
#: Room for the star of a canonical link, and for what a folded box says of its content.
STAR_WIDTH = 16.0
#: Longer labels are cut in the middle.
LONGEST_LABEL = 34
#: Thickness of edges: ordinary ones and those of a cycle.
EDGE_WIDTH = 1.4
CYCLE_WIDTH = 3.0
#: Length and half the breadth of an arrow head.
HEAD = (8.0, 4.0)
#: How far an edge that leaves the tree bulges: at least, by its length, at most.
BULGE = (26.0, 0.06, 44.0)
#: Dashes of default edges and of the first, second, ... cycle, in multiples of nothing: pixels.
DEFAULT_DASHES = (5.0, 4.0)
CYCLE_DASHES: tuple[tuple[float, ...], ...] = ((), (12.0, 4.0), (4.0, 3.0), (14.0, 4.0, 3.0, 4.0))
#: Cycles are told apart by a number and by dashes; the tints only help.
CYCLE_TINTS = {True: ("#FF7A33", "#FF5C8A", "#FFB000"), False: ("#C04A00", "#B3124E", "#8F5B00")}
LOOP_TINTS = {True: ("#F0E442", "#56B4E9", "#CC79A7"), False: ("#857B00", "#1F77A8", "#A9487D")}


@dataclass(frozen=True, slots=True)
class GraphLook:
    """The colours of a graph on dark or light ground."""

    dark: bool
    ground: str
    text: str
    faint: str
    edge: str
    box: str
    box_border: str
    selection: str
    chain: str

    def kind(self, kind: str, static: bool = False) -> str:
        """Return the colour of a kind of vertex."""
        return STYLES["error"].colour(self.dark) if kind == GHOST else style_of(kind, static).colour(self.dark)

    def fill(self, kind: str, static: bool = False) -> str:
        """Return the colour inside a vertex: bodies and what they imply are tinted, explicit frames are hollow."""
        if kind in {GHOST, "frame"}:
            return self.ground
        return mix(self.kind(kind, static), self.ground, 0.2 if self.dark else 0.13)

    def cycle(self, index: int, is_loop: bool) -> str:
        """Return the tint of a cycle, or of a loop of a mechanism, which is no fault."""
        tints = (LOOP_TINTS if is_loop else CYCLE_TINTS)[self.dark]
        return tints[index % len(tints)]


def mix(colour: str, other: str, share: float) -> str:
    """Return ``share`` of one ``#RRGGBB`` colour and the rest of another."""
    pairs = zip(parse_hex(colour), parse_hex(other), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02X}" for a, b in pairs)


def look(dark: bool) -> GraphLook:
    """Return the colours of graphs for a dark or a light theme."""
    tokens = theme(dark)
    ground = "#1B1F24" if dark else "#FFFFFF"
    return GraphLook(
        dark=dark,
        ground=ground,
        text=tokens.text,
        faint=mix(tokens.text, ground, 0.5),
        edge=mix(tokens.text, ground, 0.46),
        box=mix(tokens.text, ground, 0.045),
        box_border=mix(tokens.text, ground, 0.25),
        selection=tokens.selection,
        chain=tokens.chain,
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
        Where the vertices and boxes lie.
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


def text_width(text: str) -> float:
    """Return roughly how wide a text is in a common sans-serif, on the wide side, where nothing can measure it."""
    narrow = sum(character in "fijlrt.,:;|'()[]I " for character in text)
    wide = sum(character in "mwMW" or unicodedata.east_asian_width(character) in "WF" for character in text)
    return TEXT_SIZE * (0.62 * (len(text) - narrow - wide) + 0.4 * narrow + 0.98 * wide)


def draw_graph(
    graph: Graph,
    orientation: Orientation = Orientation.LEFT_RIGHT,
    measure: Callable[[str], float] = text_width,
) -> GraphPicture:
    """Return the picture of a graph.

    Parameters
    ----------
    graph
        What to draw.
    orientation
        On which side the root stands.
    measure
        Returns the width of a text in pixels.
    """
    texts = _texts(graph)
    layout = arrange(graph, orientation, measure)
    curves, leaves_tree = route(graph, layout, layout.centres)
    between = graph.box_of[graph.sources] != graph.box_of[graph.targets]
    curves = detour(layout, curves, np.flatnonzero(between | leaves_tree), graph.sources, graph.targets)
    edge_of = {source: edge for edge, source in enumerate(graph.sources.tolist())} if layout.blocks else {}
    bundled = {
        edge_of[leaf]: (block, place) for block in layout.blocks for place, leaf in enumerate(block.leaves.tolist())
    }
    return GraphPicture(graph, texts, layout, curves, leaves_tree, bundled)


def arrange(
    graph: Graph, orientation: Orientation = Orientation.LEFT_RIGHT, measure: Callable[[str], float] = text_width
) -> Layout:
    """Return where the vertices of a graph lie, as `draw_graph` draws it."""
    widths = np.array([measure(text) for text in _texts(graph)], dtype=float).reshape(-1)
    widths += 3 * MARGIN + GLYPH_SIZE + STAR_WIDTH * graph.canonical
    sizes = np.stack([np.ceil(widths), np.full(len(graph), VERTEX_HEIGHT)], axis=1)
    bundles = not graph.is_kinematic
    return lay_out(graph.parents, sizes, orientation, graph.box_of, graph.box_parents, bundles=bundles)


def _texts(graph: Graph) -> tuple[str, ...]:
    return tuple(
        shorten(label) + (f"  +{hidden}" if hidden else "")
        for label, hidden in zip(graph.labels, graph.folded.tolist(), strict=True)
    )


def shorten(label: str) -> str:
    """Return a label with its middle left out where it is long."""
    half = LONGEST_LABEL // 2 - 1
    return label if len(label) <= LONGEST_LABEL else f"{label[:half]}…{label[-half:]}"


def route(graph: Graph, layout: Layout, centres: Floats) -> tuple[Floats, Bools]:
    """Return the curves of a graph's edges for vertices at ``centres``, and which of them leave the tree.

    An edge of the tree joins the facing sides of its ends; any other one bulges to the side of the siblings, where
    it can be told from the tree.
    """
    along = 0 if layout.orientation is Orientation.LEFT_RIGHT else 1
    sources, targets = graph.sources, graph.targets
    half = layout.sizes / 2
    towards_root = layout.tree[sources] == targets
    leaves_tree = ~towards_root & (layout.tree[targets] != sources)
    if not graph.is_kinematic:
        leaves_tree |= ~towards_root
    # Where boxes point at each other the levels may run backwards.
    rise = np.where(towards_root, 1, -1) * (centres[sources, along] - centres[targets, along])
    leaves_tree |= rise <= 0
    side = np.where(towards_root, 1.0, -1.0)
    start, end = centres[sources].copy(), centres[targets].copy()
    start[:, along] -= side * half[sources, along]
    end[:, along] += side * half[targets, along]
    for block in layout.blocks:  # a stub, to the trunk beside its column
        stubs = np.isin(sources, block.leaves)
        end[stubs] = start[stubs]
        end[stubs, along] -= STUB / 2
    reach = np.zeros_like(start)
    reach[:, along] = (start[:, along] - end[:, along]) / 2
    curves = np.stack([start, start - reach, end + reach, end], axis=1)

    # The joint that closes a loop mostly stands above its child: its edge joins facing sides as well.
    faces = graph.is_kinematic & (rise > (half[sources, along] + half[targets, along]))
    bent = np.flatnonzero(leaves_tree & ~faces)
    if len(bent):
        a, b = centres[sources[bent]].copy(), centres[targets[bent]].copy()
        loop = sources[bent] == targets[bent]
        across = 1 - along
        a[:, across] -= half[sources[bent], across]
        b[:, across] -= half[targets[bent], across]
        # A self reference leaves and enters at two thirds of its side.
        third = half[sources[bent], along] / 3
        a[loop, along] -= third[loop]
        b[loop, along] += third[loop]
        length = np.linalg.norm(b - a, axis=1)
        bulge = np.clip(BULGE[0] + BULGE[1] * length, 0, BULGE[2])
        lift = np.minimum(a[:, across], b[:, across]) - bulge * 4 / 3
        lean = np.where(loop, third * 1.5, -0.15 * np.abs(b[:, along] - a[:, along]))
        lean *= np.where(a[:, along] <= b[:, along], 1, -1)
        c, d = a.copy(), b.copy()
        c[:, across], d[:, across] = lift, lift
        c[:, along] -= lean
        d[:, along] += lean
        curves[bent] = np.stack([a, c, d, b], axis=1)
    return curves, leaves_tree


def point_on(curve: Floats, t: float) -> tuple[float, float]:
    """Return the point at ``t`` in [0, 1] of one cubic (4, 2)."""
    weights = np.array([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    x, y = weights @ curve
    return float(x), float(y)


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
