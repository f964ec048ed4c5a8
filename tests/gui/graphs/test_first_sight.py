"""Graphs at first sight: readable, from the root at the top left, with nothing covered, whatever the size."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from threading import Thread, current_thread, main_thread
from typing import Any, NamedTuple

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt, QTimer
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.graphs.folding import ShownPart
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.graphs.layout import Orientation
from sdfviewer.graphs.picture import MARGIN, graph_colours
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.graphs import pane_layout
from sdfviewer.gui.graphs.describing import VertexMenu
from sdfviewer.gui.graphs.drawing import ICONS_ZOOM, LEAST_TEXT, NATURAL_ZOOM, WHOLE_ZOOM
from sdfviewer.gui.graphs.graph_canvas import GraphCanvas
from sdfviewer.gui.graphs.graph_marks import GraphMarks
from sdfviewer.gui.graphs.graph_widget import Framing
from sdfviewer.gui.graphs.minimap import BLANK, THINNEST, Minimap, size_of_overview
from sdfviewer.gui.graphs.painting import FAINTEST_NAME, GraphPainter
from sdfviewer.gui.graphs.panes import GraphPanes
from sdfviewer.gui.kit.labels import PartsLabel
from sdfviewer.gui.kit.theme import Choice, apply_theme, tokens
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.session.session import Session

pytestmark = pytest.mark.panels("graphs")

#: Width and height of the panes below the 3D view on screens of 1366×768, 1600×900 and 1920×1080.
SIZES = [(720, 210), (890, 245), (1180, 290)]
KINDS = ("ground_plane", "box", "cylinder", "sphere")


class Shown(NamedTuple):
    """The panes of a text, and its session."""

    panes: GraphPanes
    session: Session

    def wait(self, qtbot: QtBot) -> None:
        """Wait until all graphs are laid out, which large ones are beside the window."""
        qtbot.waitUntil(lambda: all(pane.is_laid_out for pane in self.panes.shown))


Show = Callable[[str, tuple[int, int]], Shown]


@pytest.fixture
def show(qtbot: QtBot, settings: Settings) -> Iterator[Show]:
    bridges = []

    def show(text: str, size: tuple[int, int]) -> Shown:
        context = DocumentContext(Session(parse_document(text)))
        bridges.append(context)
        panes = GraphPanes(context, settings)
        qtbot.addWidget(panes)
        panes.resize(*size)
        with qtbot.waitExposed(panes):
            panes.show()
        shown = Shown(panes, context.session)
        shown.wait(qtbot)
        return shown

    yield show
    for context in bridges:
        context.close()


def star(count: int) -> str:
    """Return a model whose links all lean on it, each with a joint and a name of its own, as PR2 has."""
    words = ("torso", "head", "elbow", "wrist", "caster", "gripper", "finger")
    names = ["".join(words[int(digit)] + "_" for digit in np.base_repr(n, 7)) for n in range(count)]
    links = "".join(f'<link name="{name}link"/>' for name in names)
    joints = "".join(
        f'<joint name="{child}joint" type="revolute"><parent>{names[0]}link</parent><child>{child}link</child></joint>'
        for child in names[1:]
    )
    return f'<sdf version="1.11"><model name="robot">{links}{joints}</model></sdf>'


def chain(count: int) -> str:
    """Return a robot in element-relative form: links and joints that lean on one another, as iCub's do."""
    parts = ['<link name="root"/>']
    before = "root"
    for n in range(count):
        word = "".join(chr(97 + int(digit)) for digit in str(n))
        parts.append(
            f'<joint name="joint_{word}" type="revolute"><pose relative_to="{before}"/>'
            f"<parent>{before}</parent><child>link_{word}</child></joint>"
            f'<link name="link_{word}"><pose relative_to="joint_{word}"/></link>'
        )
        before = f"link_{word}"
    return f'<sdf version="1.11"><model name="humanoid">{"".join(parts)}</model></sdf>'


def world(count: int) -> str:
    models = "".join(f'<model name="box_{n}"><link name="link"/></model>' for n in range(count))
    return f'<sdf version="1.11"><world name="w">{models}</world></sdf>'


def pairs() -> str:
    """Return an aircraft of links that lean on none of the others, each with a joint that is attached to it."""
    joints = {f"rotor_{n}_joint": f"rotor_{n}" for n in range(4)} | {"rotor_puller_joint": "rotor_puller"}
    joints |= {"servo_0": "left_elevon", "servo_1": "right_elevon", "servo_2": "elevator"}
    links = "".join(f'<link name="{name}"/>' for name in ("base_link", *joints.values()))
    parts = "".join(
        f'<joint name="{name}" type="revolute"><parent>base_link</parent><child>{child}</child></joint>'
        for name, child in joints.items()
    )
    return f'<sdf version="1.11"><model name="standard_vtol">{links}{parts}</model></sdf>'


def in_sight(canvas: GraphCanvas) -> int:
    """Return how many vertices are wholly in the part of the canvas that the graph has."""
    assert canvas.picture is not None
    return sum(canvas.room.contains(canvas.screen_rect(vertex)) for vertex in range(len(canvas.picture.graph)))


@pytest.mark.parametrize("along", ["right", "bottom"])
def test_a_drawing_fades_towards_an_edge_that_it_goes_on_beyond(show: Show, along: str) -> None:
    canvas = show(chain(30), (720, 150)).panes.shown[0].canvas
    assert canvas.picture is not None
    centres, room = canvas.picture.layout.centres, canvas.room
    right, bottom = int(room.width()) - 1, int(room.height()) - 1
    pixels = [(right, y) for y in range(bottom)] if along == "right" else [(x, bottom) for x in range(right)]

    def inked() -> int:
        """Return how many pixels along the edge are not of the colour of the ground."""
        image, ground = canvas.grab().toImage(), QColor(graph_colours(tokens(canvas.palette()).dark).ground)
        ratio = image.devicePixelRatio()
        colours = (image.pixelColor(int(x * ratio), int(y * ratio)) for x, y in pixels)
        return sum(abs(colour.lightness() - ground.lightness()) > 12 for colour in colours)

    # The last vertex is cut in its middle.
    last = int(centres[:, 0 if along == "right" else 1].argmax())
    canvas.look_at(canvas.viewport.panned(QPointF(right, bottom) - canvas.screen_rect(last).center()))
    assert inked() == 0


def test_a_low_strip_shows_whole_rows_in_a_readable_size(show: Show, examples: Path) -> None:
    shown = show((examples / "arm.sdf").read_text(encoding="utf-8"), (1180, 160))
    for pane in shown.panes.shown:
        canvas = pane.canvas
        assert canvas.picture is not None
        below = canvas.screen_rect(int(canvas.picture.layout.centres[:, 1].argmax()))
        assert below.bottom() <= canvas.height()
    shown.session.select(("arm::grasp",))
    assert all(pane.canvas.viewport.zoom >= ICONS_ZOOM for pane in shown.panes.shown), "vertices have icons"


def test_four_rows_fit_the_strip_of_a_small_screen(show: Show) -> None:
    """The panes on a screen of 1366×768 in Inspect."""
    shown = show(chain(20), (694, 136))
    canvas = shown.panes.panes[GraphKind.RELATIVE_TO].canvas
    assert canvas.picture is not None
    rows = sorted({round(y) for y in canvas.picture.layout.centres[:, 1].tolist()})
    assert len(rows) >= 4
    fourth = canvas.screen_rect(int((abs(canvas.picture.layout.centres[:, 1] - rows[3])).argmin()))
    assert fourth.bottom() <= canvas.height()


@pytest.mark.parametrize("size", [(720, 300), (840, 300), (960, 260)])
def test_a_graph_that_goes_on_beyond_its_pane_ends_between_two_boxes(show: Show, size: tuple[int, int]) -> None:
    canvas = next(pane.canvas for pane in show(chain(30), size).panes.shown if pane.kind is GraphKind.RELATIVE_TO)
    assert canvas.picture is not None
    rects = [canvas.screen_rect(vertex) for vertex in range(len(canvas.picture.graph))]
    room = QRectF(canvas.rect())
    assert any(not room.intersects(rect) for rect in rects), "the graph goes on"
    assert not [rect for rect in rects if room.intersects(rect) and not room.contains(rect)]


def test_a_low_strip_that_grows_is_laid_out_again_with_the_selection(show: Show, qtbot: QtBot, examples: Path) -> None:
    """The view went to the selection by itself; only what the user panned and zoomed to stays."""
    shown = show((examples / "relative_to_cycle.sdf").read_text(encoding="utf-8"), (900, 130))
    shown.session.select(("relative_to_cycle::carriage_mount",))
    shown.panes.resize(1400, 600)
    canvases = [pane.canvas for pane in shown.panes.shown]
    qtbot.waitUntil(lambda: all(in_sight(canvas) == len(canvas.picture.graph) for canvas in canvases))
    canvas = canvases[0]
    before = canvas.picture
    canvas.look_at(canvas.viewport.panned(QPointF(5.0, 0.0)))
    shown.panes.resize(900, 130)
    timers = [timer for pane in shown.panes.shown for timer in pane.findChildren(QTimer)]
    assert any(timer.isActive() for timer in timers)
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in timers))
    assert canvas.picture is before


def test_a_graph_is_laid_out_again_in_a_pane_of_the_same_shape_that_is_much_larger(show: Show, qtbot: QtBot) -> None:
    """It kept the two rows that fitted the low pane."""
    panes = show(chain(20), (1055, 134)).panes
    canvas = panes.shown[0].canvas
    shape, before = canvas.width() / canvas.height(), canvas.picture
    panes.resize(1900, 235)
    qtbot.waitUntil(lambda: canvas.picture is not before)
    assert abs(canvas.width() / canvas.height() / shape - 1.0) < 0.15


def test_the_overview_hides_where_all_is_in_sight(show: Show) -> None:
    (_, pane) = show(chain(45), SIZES[2]).panes.shown
    overview = pane.canvas.findChild(Minimap)
    pane.canvas.look_at(pane.canvas.viewport.panned(QPointF(-5.0, 0.0)))
    assert overview.isVisible()
    pane.canvas.fit()
    assert not overview.isVisible()


GRAPHS = {"star": star(90), "chain": chain(30), "world": world(50)}


@pytest.mark.panels("tree", "graphs")
@pytest.mark.parametrize(
    ("kind", "size"),
    [
        pytest.param(kind, size, marks=[] if at == SIZES.index(size) else [pytest.mark.nightly])
        for at, kind in enumerate(GRAPHS)
        for size in SIZES
    ],
)
def test_a_graph_opens_readable_with_its_root_at_the_top_left(show: Show, kind: str, size: tuple[int, int]) -> None:
    """Each run looks at each graph and each size once, the nightly run at each graph in each size."""
    text = GRAPHS[kind]
    for pane in show(text, size).panes.shown:
        canvas = pane.canvas
        assert canvas.picture is not None
        assert canvas.viewport.zoom >= WHOLE_ZOOM
        root = canvas.screen_rect(int(np.flatnonzero(canvas.picture.layout.tree < 0)[0]))
        assert root.left() < 40
        assert root.top() < 40
        area = canvas.room.width() * canvas.room.height()
        assert in_sight(canvas) >= min(len(canvas.picture.graph), area / 12_000), "the pane is full of vertices"


def test_the_graph_of_a_robot_is_laid_out_beside_the_window(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a robot with 90 links that took 130 ms after an edit in which names change."""
    threads: set[Thread] = set()

    def noted(do: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *arguments: (threads.add(current_thread()), do(*arguments))[1]

    for name in ("arrange", "draw_graph"):
        monkeypatch.setattr(pane_layout, name, noted(getattr(pane_layout, name)))
    assert all(pane.picture is not None for pane in show(star(90), SIZES[0]).panes.shown)
    assert threads
    assert main_thread() not in threads


@pytest.mark.parametrize("width", range(410, 470, 15))
def test_many_small_trees_are_set_in_the_shape_in_which_all_of_them_can_be_read(show: Show, width: int) -> None:
    """It was chosen by another shape than the one that was drawn."""
    canvas = show(pairs(), (2 * width, 397)).panes.panes[GraphKind.ATTACHED_TO].canvas
    assert canvas.picture is not None
    assert in_sight(canvas) == len(canvas.picture.graph)
    assert canvas.viewport.zoom >= NATURAL_ZOOM


def test_a_graph_that_no_longer_fits_is_laid_out_in_another_way(show: Show, qtbot: QtBot) -> None:
    """A row of folded families ran out of the pane when a selected member was drawn apart."""
    boxes = "".join(f'<model name="{kind}_{n}"><link name="link"/></model>' for n in range(50) for kind in KINDS)
    shown = show(f'<sdf version="1.11"><world name="shapes">{boxes}</world></sdf>', (1030, 134))
    canvas = shown.panes.panes[GraphKind.RELATIVE_TO].canvas
    before = canvas.picture
    assert before is not None
    assert in_sight(canvas) == len(before.graph)
    shown.session.select(("cylinder_1",))
    qtbot.waitUntil(lambda: canvas.picture is not before)
    assert canvas.picture is not None
    assert len(canvas.picture.graph) > len(before.graph)
    assert in_sight(canvas) == len(canvas.picture.graph)
    assert canvas.viewport.zoom >= NATURAL_ZOOM


def test_with_nothing_selected_any_more_a_graph_is_laid_out_as_before(show: Show, qtbot: QtBot) -> None:
    """It kept the layout that a selected member of a family had needed, with smaller texts beside an empty third."""
    ground = '<model name="ground_plane"><static>true</static><link name="link"/></model>'
    boxes = "".join(f'<model name="{kind}_{n}"><link name="link"/></model>' for n in range(50) for kind in KINDS[1:])
    shown = show(f'<sdf version="1.11"><world name="shapes">{ground}{boxes}</world></sdf>', (1030, 134))
    canvas = shown.panes.panes[GraphKind.RELATIVE_TO].canvas
    before = canvas.picture
    assert before is not None
    shown.session.select(("box_5",))
    qtbot.waitUntil(lambda: canvas.picture is not before)
    apart = canvas.picture
    shown.session.select(())
    qtbot.waitUntil(lambda: canvas.picture is not apart)
    assert canvas.picture is not None
    assert canvas.picture.layout.extent == before.layout.extent


def test_no_side_of_a_pane_is_blank_where_the_other_side_is_cut(show: Show, qtbot: QtBot) -> None:
    """The view kept the place of what was in its middle, which an edit had brought from the far end to the root."""
    text = chain(30)
    shown = show(text, (1860, 397))
    pane, session = shown.panes.panes[GraphKind.RELATIVE_TO], shown.session
    canvas = pane.canvas
    pane.set_orientation(Orientation.LEFT_RIGHT)
    session.select(("humanoid::link_cj",))
    shown.wait(qtbot)
    assert canvas.framing is Framing.SELECTION
    before = canvas.picture
    at = text.index("link_cg", text.index('name="joint_ch"'))
    session.apply(Edit("Hang on the root", session.document, (Replacement(at, at + len("link_cg"), "root"),)))
    shown.wait(qtbot)
    assert canvas.picture is not before
    qtbot.waitUntil(lambda: canvas.is_settled)
    assert canvas.picture is not None
    rects = [canvas.screen_rect(vertex) for vertex in range(len(canvas.picture.graph))]
    assert max(rect.right() for rect in rects) > canvas.width()
    assert min(rect.left() for rect in rects) < 40
    assert in_sight(canvas) > 0


def test_a_fault_is_counted_also_where_not_all_counts_have_room(show: Show) -> None:
    """The pane of a small screen in Debug, where *1 missing* was left out."""
    shown = show(star(48).replace("</child>", "x</child>", 1), (930, 397))
    for pane in shown.panes.shown:
        counts = pane.findChild(PartsLabel)
        assert counts is not None
        assert "1 missing" in counts.text()
    shown.panes.resize(690, 397)
    QTest.qWait(0)  # the layout follows
    counts = shown.panes.shown[0].findChild(PartsLabel)
    assert counts is not None
    assert counts.text() == "1 missing"


class Recorder:
    """A painter that remembers how large each text was on its device."""

    def __init__(self, painter: QPainter) -> None:
        self._painter = painter
        self.sizes: list[float] = []
        self.texts: list[str] = []
        self.opacities: list[float] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._painter, name)

    def drawText(self, *arguments: object) -> None:
        self.sizes.append(self._painter.font().pixelSize() * self._painter.transform().m11())
        self.texts.append(str(arguments[-1]))
        self.opacities.append(self._painter.opacity())


def test_the_names_of_dimmed_vertices_can_be_read(show: Show, examples: Path) -> None:
    picture = show((examples / "nested_gripper.sdf").read_text(encoding="utf-8"), SIZES[0]).panes.shown[1].picture
    assert picture is not None
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    recorder = Recorder(painter)
    shown = GraphPainter(picture, graph_colours(dark=True))
    marks = GraphMarks(bright=np.zeros(len(picture.graph), dtype=bool))
    shown.paint(recorder, shown.bounds(), 1.0, marks)  # type: ignore[arg-type]
    painter.end()
    assert set(recorder.opacities) == {1.0, FAINTEST_NAME}, "the names of boxes, and those of vertices"


@pytest.mark.parametrize("name", ["nested_gripper", "relative_to_cycle"])
def test_no_text_is_smaller_than_nine_pixels_at_any_zoom(show: Show, examples: Path, name: str) -> None:
    picture = show((examples / f"{name}.sdf").read_text(encoding="utf-8"), SIZES[0]).panes.shown[1].picture
    assert picture is not None
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    for zoom in (1.5, 1.0, 0.75, 0.7, 0.5, 0.41, 0.3, 0.1, 0.02):
        painter = QPainter(image)
        painter.scale(zoom, zoom)
        recorder = Recorder(painter)
        shown = GraphPainter(picture, graph_colours(dark=True))
        shown.paint(recorder, shown.bounds(), zoom, GraphMarks())  # type: ignore[arg-type]
        painter.end()
        assert recorder.texts, f"a graph seen from afar still has labels: {zoom}"
        assert min(recorder.sizes) >= LEAST_TEXT - 1e-6, zoom


class CountedTexts(tuple[str, ...]):
    """Texts that count how often one of them is asked for."""

    asked = 0

    def __getitem__(self, index: Any) -> Any:
        CountedTexts.asked += 1
        return super().__getitem__(index)


def test_panning_from_afar_places_no_labels_again(show: Show) -> None:
    picture = show(star(90), SIZES[0]).panes.shown[1].picture
    assert picture is not None
    shown = GraphPainter(replace(picture, texts=CountedTexts(picture.texts)), graph_colours(dark=True))
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.scale(0.3, 0.3)

    def texts_in(part: QRectF) -> list[str]:
        recorder = Recorder(painter)
        shown.paint(recorder, part, 0.3, GraphMarks())  # type: ignore[arg-type]
        return recorder.texts

    whole = shown.bounds()
    everything = texts_in(whole)
    CountedTexts.asked = 0
    half = QRectF(whole.left(), whole.top(), whole.width(), whole.height() / 2)
    upper, lower = texts_in(half), texts_in(half.translated(0, whole.height() / 2))
    assert CountedTexts.asked == 0
    assert set(upper) | set(lower) == set(everything)
    assert len(upper) < len(everything)
    shown.move(picture.layout.centres + 10, picture.layout.boxes)
    assert texts_in(whole)
    assert CountedTexts.asked > 0, "vertices that have moved take their labels with them"
    painter.end()


@pytest.mark.parametrize(
    "size", [SIZES[0], *(pytest.param(size, marks=pytest.mark.nightly) for size in SIZES[1:]), (1300, 800)]
)
def test_fit_all_shows_all_and_names_the_root(show: Show, qtbot: QtBot, size: tuple[int, int]) -> None:
    shown = show(star(90), size)
    panes, _ = shown
    panes.fit()
    shown.wait(qtbot)
    for pane in panes.shown:
        canvas = pane.canvas
        assert canvas.picture is not None
        assert in_sight(canvas) == len(canvas.picture.graph)
        overview = canvas.findChild(Minimap)
        assert overview is not None
        assert overview.isHidden(), "there is nothing that it could lead to"


def test_fit_all_makes_the_most_of_a_low_pane(show: Show, qtbot: QtBot) -> None:
    """A low pane shows whole rows of a drawing that is much wider; all of that would be a strip of bars."""
    shown = show(chain(60), (720, 150))
    panes, session = shown
    canvas = panes.panes[GraphKind.RELATIVE_TO].canvas

    def drawn() -> QRectF:
        graph = canvas.picture.graph if canvas.picture is not None else ()
        rects = [canvas.screen_rect(vertex) for vertex in range(len(graph))]
        return QRectF(
            QPointF(min(rect.left() for rect in rects), min(rect.top() for rect in rects)),
            QPointF(max(rect.right() for rect in rects), max(rect.bottom() for rect in rects)),
        )

    before = canvas.picture
    assert before is not None
    panes.fit()
    shown.wait(qtbot)
    after = canvas.picture
    assert after is not None
    assert in_sight(canvas) == len(after.graph)
    assert drawn().height() > 0.55 * canvas.height()
    assert drawn().width() > 0.6 * canvas.width()
    panes.fit()
    shown.wait(qtbot)
    assert canvas.picture is not None
    assert (canvas.picture.layout.centres == after.layout.centres).all(), "it is laid out already"
    at = session.document.text.index("</model>")
    session.apply(Edit("Frame", session.document, (Replacement(at, at, '<frame name="camera"/>'),)))
    assert canvas.framing is Framing.ALL
    qtbot.waitUntil(lambda: in_sight(canvas) == len(after.graph) + 1)
    panes.panes[GraphKind.RELATIVE_TO].set_focused(False)
    shown.wait(qtbot)
    assert canvas.framing is Framing.START
    assert canvas.viewport.zoom >= ICONS_ZOOM
    assert canvas.picture.layout.extent[1] <= before.layout.extent[1] + 1.0, "rows are whole again"


def test_chain_only_shows_all_of_a_chain_that_can_be_read(show: Show) -> None:
    panes, session = show(chain(40), (900, 400))
    canvas = panes.panes[GraphKind.RELATIVE_TO].canvas
    session.select(["humanoid::link_h"])
    panes.focus_button.click()
    assert canvas.picture is not None
    assert in_sight(canvas) == len(canvas.picture.graph) > 15
    assert canvas.viewport.zoom >= NATURAL_ZOOM


def test_chain_only_shows_the_end_of_a_long_chain(show: Show) -> None:
    panes, session = show(chain(40), (720, 150))
    canvas = panes.panes[GraphKind.RELATIVE_TO].canvas
    session.select(["humanoid::link_h"])
    panes.focus_button.click()
    graph = canvas.picture.graph if canvas.picture is not None else None
    assert graph is not None
    assert is_in_sight(canvas)
    assert canvas.viewport.zoom >= ICONS_ZOOM
    last = max(canvas.screen_rect(vertex).right() for vertex in range(len(graph)))
    assert last > 0.8 * canvas.room.width(), "the pane is full of the steps before it"
    assert in_sight(canvas) >= 6


@pytest.mark.parametrize("size", [(720, 210), (1180, 290), (700, 900)])
def test_what_is_selected_is_never_under_the_overview(show: Show, size: tuple[int, int]) -> None:
    panes, session = show(star(90), size)
    canvas = panes.panes[GraphKind.RELATIVE_TO].canvas
    overview = canvas.findChild(Minimap)
    assert overview is not None
    assert canvas.picture is not None
    for name in canvas.picture.graph.names[::7]:
        session.select([name])
        rect = canvas.screen_rect(canvas.picture.graph.vertex(name))
        assert QRectF(canvas.rect()).contains(rect)
        assert overview.isHidden() or not QRectF(overview.geometry()).intersects(rect)


def test_a_selected_member_is_drawn_beside_its_folded_family(show: Show, qtbot: QtBot) -> None:
    panes, session = show(world(200), SIZES[1])
    canvas = panes.panes[GraphKind.RELATIVE_TO].canvas

    def texts() -> list[str]:
        assert canvas.picture is not None
        return [re.sub(" +", " ", text) for text in canvas.picture.texts]

    assert texts() == ["w", "box_# × 200"]
    session.select(["box_7"])
    assert canvas.marks.selected == {1}, "the family at once"
    qtbot.waitUntil(lambda: len(texts()) == 3)
    assert sorted(texts()) == ["box_# × 199", "box_7 +1", "w"]
    session.select([])
    qtbot.waitUntil(lambda: len(texts()) == 2)


def is_in_sight(canvas: GraphCanvas) -> bool:
    return all(canvas.room.contains(canvas.screen_rect(vertex)) for vertex in canvas.marks.selected)


def test_graphs_that_appear_show_the_selection(show: Show, qtbot: QtBot) -> None:
    panes, session = show(star(90), SIZES[0])
    panes.hide()
    name = session.model.names[60] if session.model else ""
    document = session.document
    session.apply(Edit("Comment", document, (Replacement(0, 0, "<!-- a robot -->"),)))
    session.select([name])
    panes.resize(*SIZES[1])
    panes.show()
    canvases = [pane.canvas for pane in panes.shown]
    qtbot.waitUntil(lambda: all(canvas.marks.selected and is_in_sight(canvas) for canvas in canvases))


def test_a_member_selected_before_the_graphs_appear_is_drawn_beside_its_family(
    qtbot: QtBot, settings: Settings
) -> None:
    context = DocumentContext(Session(parse_document(world(200))))
    panes = GraphPanes(context, settings)
    qtbot.addWidget(panes)
    context.session.select(["box_7"])
    panes.resize(*SIZES[1])
    panes.show()
    qtbot.waitUntil(lambda: all(pane.picture and "box_7" in pane.picture.graph.names for pane in panes.shown))
    context.close()


def test_a_selection_in_sight_stays_so_in_a_smaller_pane(show: Show, qtbot: QtBot) -> None:
    """The view has not moved to it: it would begin at the root again."""
    panes, session = show(star(90), (1400, 700))
    canvas = panes.panes[GraphKind.RELATIVE_TO].canvas
    assert canvas.picture is not None
    low = int(canvas.picture.layout.centres[:, 1].argmax())
    session.select([canvas.picture.graph.names[low]])
    panes.resize(900, 220)
    qtbot.waitUntil(lambda: canvas.height() < 220 and bool(canvas.marks.selected) and is_in_sight(canvas))


def test_a_family_opens_by_a_double_click_and_folds_again(show: Show, qtbot: QtBot) -> None:
    shown = show(world(80), SIZES[1])
    panes, _ = shown
    pane = panes.panes[GraphKind.RELATIVE_TO]
    assert pane.picture is not None
    at = pane.canvas.screen_rect(1).center().toPoint()
    assert "box_0" in pane.canvas.tip(1)
    QTest.mouseDClick(pane.canvas, Qt.MouseButton.LeftButton, pos=at)
    shown.wait(qtbot)
    assert len(pane.picture.graph) == 81
    pane.toggle_fold("box_#")
    assert len(pane.picture.graph) == 2
    pane.fold_all(False)
    shown.wait(qtbot)
    assert len(pane.picture.graph) == 161
    pane.fold_all(True)
    assert len(pane.picture.graph) == 2


def test_the_menu_of_a_family_opens_it_and_selects_its_members(show: Show, qtbot: QtBot) -> None:
    shown = show(world(80), SIZES[1])
    panes, session = shown
    pane = panes.panes[GraphKind.RELATIVE_TO]
    assert pane.picture is not None
    context, part = DocumentContext(session), ShownPart()
    menu = VertexMenu(context, part, pane.picture.graph, 1, pane)
    menu.fold_toggled.connect(pane.toggle_fold)
    actions = {action.text(): action for action in menu.actions()}
    actions["Select All"].trigger()
    assert len(session.selection) == 80
    actions["Show All 80 of box_#"].trigger()
    shown.wait(qtbot)
    assert len(pane.picture.graph) == 81
    part.opened = frozenset({"box_#"})
    again = VertexMenu(context, part, pane.picture.graph, 1, pane)
    assert "Fold box_#" in [action.text() for action in again.actions()]
    context.close()


def test_the_menu_of_a_vertex_leads_to_its_chain_and_neighbors(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    panes, session = show(chain(6), SIZES[1])
    pane = panes.panes[GraphKind.RELATIVE_TO]
    assert pane.picture is not None
    vertex = pane.picture.graph.vertex("humanoid::link_c")

    def choose(menu: VertexMenu, _: QPoint) -> None:
        next(action for action in menu.actions() if action.text() == "Show Only Its Chain and Neighbours").trigger()

    monkeypatch.setattr(VertexMenu, "exec", choose)
    pane.canvas.customContextMenuRequested.emit(pane.canvas.screen_rect(vertex).center().toPoint())
    assert session.selection == ("humanoid::link_c",)
    assert panes.focus_button.isChecked()
    names = pane.picture.graph.names
    assert "humanoid::root" in names, "the chain"
    assert "humanoid::joint_d" in names, "what names it"
    assert "humanoid::link_d" not in names


def test_an_edge_cannot_be_dropped_on_a_family(show: Show) -> None:
    canvas = show(world(80), SIZES[1]).panes.panes[GraphKind.RELATIVE_TO].canvas
    assert "double-click it to expand it" in (canvas.refusal(0, 1) or "")
    assert not canvas.legal(1).any()


def test_undo_works_wherever_the_focus_is_in_the_graphs(window: MainWindow, arm: OpenFile, qtbot: QtBot) -> None:
    window.activateWindow()
    text = arm.session.document.text
    at = text.index("<link")
    for widget in (arm.graphs.panes[GraphKind.RELATIVE_TO].canvas, arm.graphs.search_field):
        arm.session.apply(Edit("Comment", arm.session.document, (Replacement(at, at, "<!-- -->"),)))
        edited = arm.session.document.text
        widget.setFocus()
        qtbot.waitUntil(widget.hasFocus)
        if widget is arm.graphs.search_field:
            qtbot.keyClicks(widget, "arm")
        QTest.keyClick(widget, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert arm.session.document.text == text
        shifted = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        QTest.keyClick(widget, Qt.Key.Key_Z, shifted)
        assert arm.session.document.text == edited
        arm.session.undo()


def test_the_overview_takes_little_of_the_canvas(show: Show) -> None:
    canvas = show(star(90), SIZES[2]).panes.shown[0].canvas
    overview = canvas.findChild(Minimap)
    assert overview is not None
    canvas.look_at(canvas.viewport.panned(QPointF(-5.0, 0.0)))
    assert not overview.isHidden()
    box = QRectF(overview.geometry())
    assert box.width() * box.height() < 0.2 * canvas.width() * canvas.height()
    assert canvas.room.width() == canvas.width() or canvas.room.height() == canvas.height()
    assert not canvas.room.intersects(box)


@pytest.mark.parametrize("drawing", [(4000, 300), (2000, 300), (600, 2000), (900, 600), (300, 9000), (20_000, 150)])
def test_the_overview_is_as_large_as_its_drawing(drawing: tuple[int, int]) -> None:
    box = size_of_overview(QSizeF(900, 400), QSizeF(*drawing))
    assert box is not None
    assert box.width() <= 0.3 * 900
    assert box.height() <= 0.3 * 400
    scales = [(box.width() - 2 * BLANK) / drawing[0], (box.height() - 2 * BLANK) / drawing[1]]
    if min(box.width(), box.height()) > THINNEST:
        assert max(scales) < 1.1 * min(scales), "it is not stretched"


def test_the_overview_follows_the_theme(show: Show, qapp: QApplication) -> None:
    canvas = show(star(90), SIZES[2]).panes.shown[0].canvas
    overview = canvas.findChild(Minimap)
    assert overview is not None

    def ground() -> int:
        return overview.grab().toImage().pixelColor(overview.width() - 3, overview.height() - 3).lightness()

    assert ground() < 60
    apply_theme(qapp, Choice.LIGHT)
    try:
        assert ground() > 200
    finally:
        apply_theme(qapp, Choice.DARK)


def test_frames_far_apart_leave_the_names_readable(show: Show) -> None:
    links = "".join(f'<link name="link_{number}"/>' for number in range(400))
    panes, session = show(f'<sdf version="1.9"><model name="m">{links}</model></sdf>', (720, 120))
    session.select(["link_3", "link_390"])
    for pane in panes.shown:
        assert pane.canvas.viewport.zoom >= 0.6 * NATURAL_ZOOM


def test_joints_that_are_only_attached_to_their_child_are_one_click_away(show: Show, qtbot: QtBot) -> None:
    shown = show(star(8), SIZES[1])
    attached, relative = shown.panes.shown
    assert attached.canvas.picture is not None
    assert "joint" not in attached.canvas.picture.graph.kinds
    assert attached.joints_button.isVisible()
    assert attached.joints_button.text() == "7 joints"
    assert not relative.joints_button.isVisible(), "where a joint is, is worth an edge"
    QTest.mouseClick(attached.joints_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: attached.canvas.picture.graph.kinds.count("joint") == 7)
    QTest.mouseClick(attached.joints_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: attached.canvas.picture.graph.kinds.count("joint") == 0)


def test_a_click_on_the_sign_of_a_joint_shows_it_and_one_beside_it_selects_the_link(show: Show, qtbot: QtBot) -> None:
    shown = show(star(8), SIZES[2])
    canvas = shown.panes.shown[0].canvas
    assert canvas.picture is not None
    link = int(np.flatnonzero(canvas.picture.graph.holds_joints)[0])
    name, box = canvas.picture.graph.names[link], canvas.screen_rect(link)
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=(box.center() - QPointF(6.0, 0.0)).toPoint())
    assert shown.session.selection == (name,)
    sign = QPointF(box.right() - MARGIN * canvas.viewport.zoom - 5.0, box.center().y())
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=sign.toPoint())
    qtbot.waitUntil(lambda: canvas.picture.graph.kinds.count("joint") == 1)


def test_what_a_search_finds_in_a_graph_that_is_seen_from_afar_comes_near_enough_to_be_read(
    show: Show, qtbot: QtBot
) -> None:
    """It was marked where it was: a dot among thousands."""
    shown = show(chain(200), SIZES[1])
    _, pane = shown.panes.shown
    pane.fold_all(False)
    pane.canvas.fit()
    shown.wait(qtbot)
    pane.canvas.fit()
    assert pane.canvas.viewport.zoom < NATURAL_ZOOM
    shown.panes.search_field.setText("link_bc")
    qtbot.waitUntil(lambda: bool(pane.found) and not pane.is_searching)
    assert pane.canvas.viewport.zoom >= NATURAL_ZOOM
    best = pane.canvas.picture.graph.vertex(pane.found[0])
    assert QRectF(pane.canvas.rect()).contains(pane.canvas.screen_rect(best))


def test_a_first_view_ends_between_vertices_where_a_little_smaller_is_enough(show: Show) -> None:
    """The fourth column of a strip was cut through its names, and 96 % of the zoom shows it whole, with its icons."""
    links = "".join(f'<link name="{leg}_{part}_rotor"/>' for leg in ("FR", "FL", "RR", "RL") for part in "abcdefghijk")
    (pane, _) = show(f'<sdf version="1.11"><model name="m">{links}</model></sdf>', (940, 250)).panes.shown
    canvas = pane.canvas
    assert canvas.picture is not None
    assert ICONS_ZOOM <= canvas.viewport.zoom < NATURAL_ZOOM
    edge = canvas.width()
    rects = [canvas.screen_rect(vertex) for vertex in range(len(canvas.picture.graph))]
    assert not [rect for rect in rects if rect.left() < edge < rect.right()]


@pytest.mark.parametrize(("size", "least"), [((480, 400), 9), ((960, 400), 24), ((960, 600), 30)])
def test_a_narrow_pane_begins_with_whole_columns(show: Show, size: tuple[int, int], least: int) -> None:
    """A quadruped in panes of half that width: a wide drawing showed six vertices, or cut its last column."""
    legs = [f"{side}_{end}" for side in ("front", "rear") for end in ("left", "right")]
    steps = ("hip", "hip_rotor_joint", "thigh", "thigh_rotor_joint", "calf", "calf_rotor_joint", "foot")
    frames = [(f"{leg}_{name}", f"{leg}_{before}") for leg in legs for before, name in pairwise(steps)]
    frames += [(f"{leg}_hip", "imu_joint") for leg in legs] + [
        ("imu_joint", "floating_base"),
        ("floating_base", "base"),
    ]
    frames += [(f"camera_optical_joint_{number}", "imu_joint") for number in range(12)]
    written = "".join(
        f'<frame name="{name}" attached_to="base"><pose relative_to="{of}">1 0 0 0 0 0</pose></frame>'
        for name, of in frames
    )
    text = f'<sdf version="1.11"><model name="m"><link name="base"/>{written}</model></sdf>'
    canvas = next(pane.canvas for pane in show(text, size).panes.shown if pane.kind is GraphKind.RELATIVE_TO)
    assert canvas.picture is not None
    rects = [canvas.screen_rect(vertex) for vertex in range(len(canvas.picture.graph))]
    room = QRectF(canvas.rect())
    assert not [rect for rect in rects if room.intersects(rect) and rect.left() < room.right() < rect.right()]
    assert sum(room.contains(rect) for rect in rects) >= least
