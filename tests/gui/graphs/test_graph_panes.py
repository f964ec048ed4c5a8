"""The graph panes, driven by mouse and keys as a user drives them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp
from threading import Event
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSettings, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolTip
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.formats.load import load_model
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.graphs.layout import Orientation
from sdfviewer.graphs.picture import draw_graph, graph_colours
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.graphs import pane_layout
from sdfviewer.gui.graphs.drawing import NATURAL_ZOOM, NEAREST, CachedPicture
from sdfviewer.gui.graphs.edge_painting import GOOD
from sdfviewer.gui.graphs.graph_canvas import GraphCanvas
from sdfviewer.gui.graphs.graph_marks import GraphMarks
from sdfviewer.gui.graphs.graph_widget import Framing
from sdfviewer.gui.graphs.minimap import Minimap
from sdfviewer.gui.graphs.painting import GraphPainter
from sdfviewer.gui.graphs.panes import GraphPanes
from sdfviewer.gui.kit.safe_text import made_plain
from sdfviewer.session.session import Session
from tests.frames import frame_in

TEXT = """<sdf version="1.11">
  <model name="m">
    <link name="L"/>
    <frame name="A"><pose relative_to="L">1 0 0 0 0 0</pose></frame>
    <frame name="B"><pose relative_to="A">0 2 0 0 0 0</pose></frame>
    <frame name="C" attached_to="B"/>
    <model name="inner"><link name="hand"/><frame name="tip" attached_to="hand"/></model>
  </model>
</sdf>
"""


class Window:
    """A context and its panes, shown."""

    def __init__(self, qtbot: QtBot, text: str) -> None:
        self.context = DocumentContext(Session(parse_document(text)))
        self.settings = Settings(QSettings(f"{mkdtemp()}/settings.ini", QSettings.Format.IniFormat))
        self.panes = made_plain(lambda: GraphPanes(self.context, self.settings))
        qtbot.addWidget(self.panes)
        self.panes.resize(1200, 420)
        self.messages: list[str] = []
        self.refused: list[str] = []
        self.context.messages.shown.connect(self.messages.append)
        self.context.messages.written.connect(lambda text, _path: self.messages.append(text))
        self.context.messages.refused.connect(self.refused.append)
        with qtbot.waitExposed(self.panes):
            self.panes.show()
        self.panes.set_orientation(Orientation.LEFT_RIGHT)
        self.wait(qtbot)

    def wait(self, qtbot: QtBot) -> None:
        """Wait until all graphs are laid out, which large ones are beside the window."""
        qtbot.waitUntil(lambda: all(pane.is_laid_out for pane in self.panes.shown))

    @property
    def session(self) -> Session:
        return self.context.session

    def canvas(self, kind: GraphKind = GraphKind.RELATIVE_TO) -> GraphCanvas:
        return self.panes.panes[kind].canvas

    def names(self, kind: GraphKind = GraphKind.RELATIVE_TO) -> tuple[str, ...]:
        picture = self.canvas(kind).picture
        assert picture is not None
        return picture.graph.names

    def place(self, name: str, kind: GraphKind = GraphKind.RELATIVE_TO) -> QPoint:
        return self.canvas(kind).screen_rect(self.names(kind).index(name)).center().toPoint()

    def head(self, name: str, kind: GraphKind = GraphKind.RELATIVE_TO) -> QPoint:
        """Return a point on a frame's edge, near its head."""
        canvas = self.canvas(kind)
        assert canvas.picture is not None
        edge = int(np.flatnonzero(canvas.picture.graph.sources == self.names(kind).index(name))[0])
        start, end = canvas.picture.curves[edge, 0], canvas.picture.curves[edge, 3]
        return canvas.viewport.to_screen(QPointF(*(end + (start - end) * 0.25).tolist())).toPoint()


def robot(target: str) -> str:
    """Return a model that is laid out beside the window, with a frame at its end."""
    links = "".join(
        f'<link name="l{n}"><pose relative_to="{f"l{n - 1}" if n else "__model__"}">1 0 0 0 0 0</pose></link>'
        for n in range(80)
    )
    frame = f'<frame name="calib" attached_to="l0"><pose relative_to="{target}"/></frame>'
    return f'<sdf version="1.11"><model name="m">{links}{frame}</model></sdf>'


def test_what_undo_selects_is_in_sight_also_where_it_flashes_when_the_graph_is_laid_out(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = Window(qtbot, robot("l79"))
    session, canvas, goes_on = window.session, window.canvas(), Event()
    goes_on.set()

    def held(*arguments: Any, **named: Any) -> Any:
        goes_on.wait()
        return draw_graph(*arguments, **named)

    monkeypatch.setattr(pane_layout, "draw_graph", held)
    at = session.document.text.rindex("l79")
    session.apply(Edit("Mistype", session.document, (Replacement(at, at + 3, "l0"),)), None, select=("m::calib",))
    window.wait(qtbot)
    session.select(("m::l0",))
    goes_on.clear()
    window.context.edits.undo()
    assert session.selection == ("m::calib",)
    qtbot.waitUntil(
        lambda: not window.context.highlights.selected and not window.panes.panes[GraphKind.RELATIVE_TO].is_laid_out
    )
    goes_on.set()
    window.wait(qtbot)
    assert canvas.sees([window.names().index("m::calib")])


def test_what_is_to_be_seen_is_brought_into_sight(qtbot: QtBot) -> None:
    window = Window(qtbot, robot("l79"))
    canvas = window.canvas()
    canvas.reveal([window.names().index("m::l0")], centre=True)
    calib = [window.names().index("m::calib")]
    assert not canvas.sees(calib)
    window.context.requests.reveal.emit(("m::calib",))
    assert canvas.sees(calib)


def drag(
    canvas: GraphCanvas,
    start: QPoint,
    end: QPoint,
    modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    drop: bool = True,
) -> None:
    """Move the mouse with its left button down, in steps, as a hand does."""
    # Sent to the widget itself, as the moves that follow: what QTest moves depends on the tests before.
    at, none = QPointF(start), Qt.MouseButton.NoButton
    where = QPointF(canvas.mapToGlobal(start))
    QApplication.sendEvent(canvas, QMouseEvent(QEvent.Type.MouseMove, at, where, none, none, modifier))
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, modifier, start)
    for step in range(1, 9):
        position = QPointF(start + (end - start) * step / 8)
        where = QPointF(canvas.mapToGlobal(position.toPoint()))
        left = Qt.MouseButton.LeftButton
        QApplication.sendEvent(canvas, QMouseEvent(QEvent.Type.MouseMove, position, where, left, left, modifier))
    if drop:
        QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, modifier, end)


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Window]:
    window = Window(qtbot, TEXT)
    yield window
    window.context.close()


def test_a_click_selects_and_a_selection_elsewhere_is_marked(window: Window) -> None:
    QTest.mouseClick(window.canvas(), Qt.MouseButton.LeftButton, pos=window.place("m::A"))
    assert window.session.selection == ("m::A",)
    other = window.canvas(GraphKind.ATTACHED_TO)
    assert other.marks.selected == {window.names(GraphKind.ATTACHED_TO).index("m::A")}
    window.session.select(["m::C"])
    assert window.canvas().marks.selected == {window.names().index("m::C")}
    assert len(window.canvas().marks.chain) == 4, "C → B → A → L → m"


def test_what_was_hovered_in_a_picture_that_is_gone_is_not_hovered_when_the_mouse_leaves(window: Window) -> None:
    canvas = window.canvas()
    canvas._hover(QPointF(window.place("m::A")))
    assert window.context.highlights.hovered == "m::A"
    picture = canvas.picture
    canvas.show_picture(picture)
    canvas.marks.hovered = -1  # as in other marks
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    assert window.context.highlights.hovered is None


def test_what_scrolls_away_under_the_mouse_is_not_hovered_any_more(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas, place = window.canvas(), QPointF(window.place("m::A"))
    monkeypatch.setattr(canvas, "underMouse", lambda: True)
    none, where = Qt.MouseButton.NoButton, QPointF(canvas.mapToGlobal(place))
    move = QMouseEvent(QEvent.Type.MouseMove, place, where, none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(canvas, move)
    assert window.context.highlights.hovered == "m::A"
    canvas.look_at(canvas.viewport.panned(QPointF(0, 300)))
    qtbot.waitUntil(lambda: window.context.highlights.hovered is None)
    canvas.look_at(canvas.viewport.panned(QPointF(0, -300)))
    qtbot.waitUntil(lambda: window.context.highlights.hovered == "m::A")


def test_a_click_with_control_adds_and_one_on_the_ground_clears(window: Window) -> None:
    canvas = window.canvas()
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=window.place("m::A"))
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, window.place("m::B"))
    assert window.session.selection == ("m::A", "m::B")
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(3, canvas.height() - 3))
    assert window.session.selection == ()


def test_dragging_the_head_of_an_edge_retargets_and_keeps_the_pose(window: Window) -> None:
    before = frame_in(window.session.model, "m::B").pose
    drag(window.canvas(), window.head("m::B"), window.place("m::L"))
    assert '<frame name="B"><pose relative_to="L">1 2 0 0 0 0</pose></frame>' in window.session.document.text
    np.testing.assert_allclose(frame_in(window.session.model, "m::B").pose, before, atol=1e-12)
    assert window.session.selection == ("m::B",)
    assert "keeping the pose" in window.messages[-1]
    window.session.undo()
    assert window.session.document.text == TEXT, "one undo step"


def test_shift_keeps_the_numbers(window: Window) -> None:
    drag(window.canvas(), window.head("m::B"), window.place("m::L"), Qt.KeyboardModifier.ShiftModifier)
    assert '<pose relative_to="L">0 2 0 0 0 0</pose>' in window.session.document.text


def test_a_drop_keeps_the_pose_whatever_the_one_before_kept(window: Window) -> None:
    """A choice that was remembered moved the next frame, in another file and after a new start, too."""
    drag(window.canvas(), window.head("m::B"), window.place("m::L"), Qt.KeyboardModifier.ShiftModifier)
    window.session.undo()
    drag(window.canvas(), window.head("m::B"), window.place("m::L"))
    assert '<pose relative_to="L">1 2 0 0 0 0</pose>' in window.session.document.text


def test_a_drag_shows_what_its_drop_would_do(qtbot: QtBot, window: Window) -> None:
    canvas, context = window.canvas(), window.panes._context
    start, end = window.head("m::B"), window.place("m::L")
    drag(canvas, start, end, drop=False)
    qtbot.waitUntil(lambda: context.previews.edit is not None)
    assert "keeps the pose" in QToolTip.text()
    assert context.previews.edit is not None
    assert context.previews.edit.X_ghost is None, "nothing moves"
    QTest.keyPress(canvas, Qt.Key.Key_Shift)
    qtbot.waitUntil(lambda: context.previews.edit is not None and context.previews.edit.X_ghost is not None)
    assert "keeps the numbers" in QToolTip.text()
    QTest.keyRelease(canvas, Qt.Key.Key_Shift)
    qtbot.waitUntil(lambda: context.previews.edit is not None and context.previews.edit.X_ghost is None)
    text = window.session.document.text
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert context.previews.edit is None
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=end)
    assert window.session.document.text == text


def test_panning_shows_what_painting_again_shows(window: Window) -> None:
    canvas = window.canvas()
    canvas.grab()
    for by in (QPointF(31, -12), QPointF(-70, 5), QPointF(8, 40)):
        canvas.look_at(canvas.viewport.panned(by))
        moved = canvas.grab().toImage()
    canvas.layer = CachedPicture()
    assert canvas.grab().toImage() == moved


@pytest.mark.parametrize("zoom", [1.0, 0.3])
def test_what_another_view_points_out_is_painted_over_the_kept_graph(
    window: Window, monkeypatch: pytest.MonkeyPatch, zoom: float
) -> None:
    canvas = window.canvas()
    canvas.look_at(replace(canvas.viewport, zoom=zoom))
    plain = canvas.grab().toImage()
    with monkeypatch.context() as patched:
        patched.setattr(GraphPainter, "paint", lambda *_: pytest.fail("the whole graph is painted"))
        window.context.highlights.hover("m::A")
        hovered = canvas.grab().toImage()
        area = canvas.screen_rect(window.names().index("m::A")).toAlignedRect()
        assert hovered.copy(area) != plain.copy(area)
        window.context.highlights.hover(None)
        assert canvas.grab().toImage() == plain


def test_a_frame_dropped_on_another_is_attached_to_it(window: Window) -> None:
    kind = GraphKind.ATTACHED_TO
    drag(window.canvas(kind), window.place("m::A", kind), window.place("m::inner::tip", kind))
    assert '<frame name="A" attached_to="inner::tip">' in window.session.document.text


def test_a_drop_that_would_close_a_cycle_is_refused_with_its_path(window: Window) -> None:
    canvas = window.canvas()
    drag(canvas, window.head("m::A"), window.place("m::C"), drop=False)
    names = window.names()
    assert canvas.refusal(names.index("m::A"), names.index("m::C")).endswith("m::A → m::C → m::B → m::A")
    legal = {names[v] for v in np.flatnonzero(canvas.marks.legal)}
    assert legal == {"m", "m::L", "m::inner", "m::inner::hand", "m::inner::tip"}
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=window.place("m::C"))
    assert window.session.document.text == TEXT
    assert canvas.marks.legal is None


@pytest.mark.parametrize(
    ("kind", "source", "target", "reason"),
    [
        (GraphKind.RELATIVE_TO, "m::inner::tip", "m::L", "outside of the scope of 'm::inner'"),
        (GraphKind.RELATIVE_TO, "m", "m::L", "is the root"),
        (GraphKind.ATTACHED_TO, "m::L", "m::A", "a link has no attached_to"),
    ],
)
def test_illegal_targets_say_why(window: Window, kind: GraphKind, source: str, target: str, reason: str) -> None:
    names = window.names(kind)
    drag(window.canvas(kind), window.place(source, kind), window.place(target, kind))
    assert reason in window.canvas(kind).refusal(names.index(source), names.index(target))
    assert window.session.document.text == TEXT


def test_escape_cancels_a_drag(window: Window) -> None:
    canvas = window.canvas()
    drag(canvas, window.head("m::B"), window.place("m::L"), drop=False)
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=window.place("m::L"))
    assert window.session.document.text == TEXT


def test_a_cycle_is_fixed_by_dragging_one_of_its_edges(qtbot: QtBot, examples: Path) -> None:
    window = Window(qtbot, (examples / "relative_to_cycle.sdf").read_text(encoding="utf-8"))
    canvas = window.canvas()
    assert canvas.picture.graph.cycles
    places = [canvas.screen_rect(vertex) for vertex in range(len(canvas.picture.graph))]
    drag(canvas, window.place("relative_to_cycle::carriage_mount"), window.place("relative_to_cycle::rail"))
    assert not canvas.picture.graph.cycles
    assert [canvas.screen_rect(vertex) for vertex in range(len(canvas.picture.graph))] == places, "only edges change"
    assert not canvas.picture.graph.unresolved.any()
    assert "keeping the numbers" in window.messages[-1], "a frame on a cycle has no pose to keep"
    window.context.close()


def test_a_box_folds_at_a_click_on_its_title_and_opens_at_a_double_click(window: Window) -> None:
    canvas = window.canvas()
    left, top, _, _ = canvas.picture.layout.boxes[0].tolist()
    title = canvas.viewport.to_screen(QPointF(left + 30, top + 10)).toPoint()
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=title)
    assert "m::inner::hand" not in window.names()
    QTest.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=window.place("m::inner"))
    assert "m::inner::hand" in window.names()


def test_what_cannot_be_folded_or_unfolded_is_not_offered_and_says_why(window: Window) -> None:
    def offered() -> dict[str, bool]:
        menu = next(menu for menu in window.panes.findChildren(QMenu) if "Fold All" in texts(menu))
        menu.aboutToShow.emit()
        folding = {each.text(): each for each in menu.actions() if each.text().endswith("old All")}
        assert all("old" in each.toolTip() for each in folding.values() if not each.isEnabled())
        assert all(each.toolTip() == each.text() for each in folding.values() if each.isEnabled())
        return {text: action.isEnabled() for text, action in folding.items()}

    def texts(menu: QMenu) -> list[str]:
        return [action.text() for action in menu.actions()]

    assert offered() == {"Fold All": True, "Unfold All": False}
    window.panes._fold_all(True)
    assert offered() == {"Fold All": False, "Unfold All": True}
    window.panes._fold_all(False)
    assert offered() == {"Fold All": True, "Unfold All": False}


def test_focus_shows_what_concerns_the_selection(window: Window) -> None:
    window.session.select(["m::B"])
    window.panes.focus_button.click()
    assert set(window.names()) == {"m", "m::L", "m::A", "m::B", "m::C"}
    window.session.select(["m::A"])
    assert "m::L" in window.names(GraphKind.ATTACHED_TO)
    window.panes.focus_button.click()
    assert "m::inner::tip" in window.names()


def test_search_points_out_and_enter_goes_on(window: Window, qtbot: QtBot) -> None:
    field = window.panes.search_field
    QTest.keyClick(window.canvas(), Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.panes.focusWidget() is field
    qtbot.keyClicks(field, "kind:frame")
    assert {window.names()[v] for v in window.canvas().marks.found} == {"m::A", "m::B", "m::C", "m::inner::tip"}
    assert window.canvas().marks.bright is not None
    picked = []
    for _ in range(5):
        qtbot.keyClick(field, Qt.Key.Key_Return)
        picked.append(window.session.selection[0])
    assert picked[:4] == ["m::A", "m::B", "m::C", "m::inner::tip"]
    assert picked[4] == "m::A"
    assert window.panes.focusWidget() is field, "Enter goes on"
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert window.canvas().marks.bright is None
    assert field.text() == ""
    assert window.panes.focusWidget() is window.canvas(), "back where the search was started"


def test_the_search_field_stays_where_it_is_when_something_is_found(window: Window) -> None:
    field, panes = window.panes.search_field, window.panes
    places = []
    for query in ("", "tip", "kind:frame", "nothing_like_it"):
        field.setText(query)
        QTest.qWait(0)  # the layout follows
        places.append((field.mapTo(panes, QPoint()), field.width()))
    assert len(set(map(str, places))) == 1


def test_a_search_takes_no_room_from_the_counts_before_it_begins(window: Window) -> None:
    field, pane = window.panes.search_field, window.panes.shown[0]
    assert field.mapTo(pane, QPoint(field.width(), 0)).x() > pane.width() - 12


def test_the_search_says_which_of_the_frames_found_is_selected(window: Window) -> None:
    field = window.panes.search_field
    field.setText("tip")
    assert window.panes.count.text() == "1 found"
    field.setText("kind:frame")
    counts = [window.panes.count.text()]
    for _ in range(5):
        field.returnPressed.emit()
        counts.append(window.panes.count.text())
    assert counts == ["4 found", "1 of 4", "2 of 4", "3 of 4", "4 of 4", "1 of 4"]
    window.context.session.select(("m::L",), None)
    assert window.panes.count.text() == "4 found", "what is selected is not among them"
    window.context.session.select(("m::B",), None)
    assert window.panes.count.text() == "2 of 4", "wherever it was selected"
    field.setText("nothing_like_it")
    assert window.panes.count.text() == "No match"
    field.clear()
    window.context.session.select(("m::A",), None)
    assert not window.panes.count.text()


def test_escape_ends_a_search_from_the_graph_too(window: Window, qtbot: QtBot) -> None:
    field, canvas = window.panes.search_field, window.canvas()
    qtbot.keyClicks(field, "kind:frame")
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=window.place("m::C"))
    assert field.text() == "kind:frame"
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert window.session.selection == ("m::C",)


def test_the_panel_gives_the_keyboard_to_its_first_graph(window: Window) -> None:
    window.panes.setFocus()
    assert window.panes.focusWidget() is window.canvas(GraphKind.ATTACHED_TO)
    window.panes.show_graph(GraphKind.ATTACHED_TO, False)
    window.panes.setFocus()
    assert window.panes.focusWidget() is window.canvas()


@pytest.mark.parametrize("depth", [1, 2])
def test_no_edge_crosses_the_title_of_a_box(monkeypatch: pytest.MonkeyPatch, depth: int) -> None:
    inner = '<model name="some_longer_name"><link name="l"/></model>'
    for _ in range(depth - 1):
        inner = f'<model name="around">{inner}<link name="l"/></model>'
    model = load_model(f'<sdf version="1.11"><world name="w">{inner}</world></sdf>')
    picture = draw_graph(build_graph(model, GraphKind.RELATIVE_TO), Orientation.TOP_DOWN)

    def title() -> QImage:
        painter = GraphPainter(picture, graph_colours(False))
        image = QImage(painter.bounds().size().toSize() * 2, QImage.Format.Format_RGB32)
        image.fill(QColor(painter.colours.ground))
        device = QPainter(image)
        device.scale(2, 2)
        painter.paint(device, painter.bounds(), 2.0, GraphMarks())
        device.end()
        left, top = (picture.layout.boxes[-1][:2] * 2).astype(int).tolist()
        return image.copy(left + 16, top + 10, 160, 26)

    with_edges = title()
    monkeypatch.setattr(GraphPainter, "_paint_curves", lambda *_args: None)
    assert with_edges == title()


def test_the_letters_found_are_marked_and_nothing_found_is_reported(window: Window, qtbot: QtBot) -> None:
    field, canvas = window.panes.search_field, window.canvas()
    qtbot.keyClicks(field, "hnd")
    vertex = window.names().index("m::inner::hand")
    assert canvas.marks.found == {vertex}
    assert canvas.marks.letters[vertex] == (0, 2, 3)
    assert window.panes.count.text() == "1 found"
    qtbot.keyClicks(field, "qq")
    assert not canvas.marks.found
    assert canvas.marks.bright is None, "nothing stands out, so nothing is dimmed"
    assert window.panes.count.text() == "No match"
    field.clear()
    assert window.panes.count.text() == ""


def test_the_wheel_zooms_at_the_mouse(window: Window) -> None:
    canvas = window.canvas()
    at = QPointF(window.place("m::C"))
    under = canvas.viewport.to_drawing(at)
    zoom = canvas.viewport.zoom
    event = QWheelEvent(
        at, QPointF(canvas.mapToGlobal(at.toPoint())), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas, event)
    assert canvas.viewport.zoom > zoom
    moved = canvas.viewport.to_screen(under) - at
    assert abs(moved.x()) + abs(moved.y()) < 1e-6


def test_dragging_the_ground_pans_and_home_fits(window: Window) -> None:
    canvas = window.canvas()
    offset = canvas.viewport.offset
    corner = QPoint(5, canvas.height() - 5)
    drag(canvas, corner, corner + QPoint(60, -40))
    assert canvas.viewport.offset - offset == QPointF(60, -40)
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_Home)
    assert canvas.viewport.offset == offset


@pytest.mark.panels("tree")
def test_arrow_keys_move_through_the_tree(window: Window) -> None:
    window.session.select(["m::A"])
    QTest.keyClick(window.canvas(), Qt.Key.Key_Left)
    assert window.session.selection == ("m::L",)
    QTest.keyClick(window.canvas(), Qt.Key.Key_Right)
    assert window.session.selection == ("m::A",)


def test_vertices_keep_their_place_and_arrive_where_they_must(window: Window, qtbot: QtBot) -> None:
    canvas = window.canvas()
    canvas.zoom_by(1.2)
    drag(canvas, window.head("m::B"), window.place("m::L"))
    qtbot.waitUntil(lambda: canvas.is_settled)
    picture = canvas.picture
    assert canvas.screen_rect(0).center() == canvas.viewport.to_screen(QPointF(*picture.layout.centres[0].tolist()))


def test_numbers_that_change_do_not_disturb_the_picture(window: Window) -> None:
    picture = window.canvas().picture
    window.session.apply(_replace(window.session, "0 2 0 0 0 0", "0 3 0 0 0 0"))
    assert window.canvas().picture is picture
    assert "0 3 0 m" in window.canvas().tip(window.names().index("m::B"))


def test_tooltips_say_pose_edge_and_place(window: Window) -> None:
    tip = window.canvas().tip(window.names().index("m::B"))
    assert "raw pose: 0 2 0 m, 0 0 0 rad" in tip
    assert "relative_to: m::A<br>" in tip
    assert "attached_to: m (default)" in tip
    assert "-:5" in tip


def test_linked_graphs_move_together(window: Window) -> None:
    window.panes.link_button.click()
    first, second = window.canvas(GraphKind.ATTACHED_TO), window.canvas()
    before = second.viewport
    corner = QPoint(5, first.height() - 5)
    drag(first, corner, corner + QPoint(30, -20))
    assert second.viewport.offset - before.offset == QPointF(30, -20)
    first.zoom_by(1.5)
    assert second.viewport.zoom == pytest.approx(before.zoom * 1.5)
    window.panes.link_button.click()
    first.zoom_by(1.5)
    assert second.viewport.zoom == pytest.approx(before.zoom * 1.5)


def test_a_file_without_a_model_says_so(window: Window) -> None:
    window.session.apply(_replace(window.session, TEXT, "<nothing/>"))
    canvas = window.canvas()
    assert window.session.model is None
    assert canvas.picture is None
    assert "no readable model" in canvas.hint
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(50, 50))
    window.session.undo()
    assert "m::B" in window.names()


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf", "dot", "json"])
def test_graphs_are_saved_as_shown(window: Window, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"graph.{suffix}"
    window.panes.save(GraphKind.RELATIVE_TO, path)
    assert window.messages[-1] == f"Saved {path.name}"
    if suffix == "png":
        image = QImage(str(path))
        assert image.width() > 400
        assert len({image.pixel(x, image.height() // 2) for x in range(0, image.width(), 3)}) > 5
    elif suffix == "pdf":
        assert path.read_bytes().startswith(b"%PDF")
    else:
        assert "tip" in path.read_text(encoding="utf-8")


def test_an_unknown_format_is_refused(window: Window, tmp_path: Path) -> None:
    window.panes.save(GraphKind.RELATIVE_TO, tmp_path / "graph.xyz")
    assert ".xyz" in window.refused[-1]
    assert not list(tmp_path.iterdir())


def test_text_that_cannot_be_read_keeps_the_last_graph_and_refuses_drops(window: Window) -> None:
    window.session.apply(_replace(window.session, "</model>\n</sdf>", "</modl>\n</sdf>"))
    assert "m::B" in window.names()
    drag(window.canvas(), window.head("m::B"), window.place("m::L"))
    assert "</modl>" in window.session.document.text
    assert 'relative_to="A"' in window.session.document.text


def test_large_graphs_open_with_their_models_and_then_their_families_folded(qtbot: QtBot) -> None:
    models = "".join(f'<model name="box_{i}"><link name="L"/><frame name="F"/></model>' for i in range(200))
    window = Window(qtbot, f'<sdf version="1.11"><world name="w">{models}<model name="arm"/></world></sdf>')
    assert window.names() == ("world", "box_#", "arm")
    assert window.canvas().picture.texts[1] == "box_#  × 200"
    window.context.close()


@pytest.mark.parametrize(("height", "is_open"), [(170, False), (600, True)])
@pytest.mark.parametrize(("models", "links"), [(3, 9), (9, 1)])
def test_models_open_folded_where_a_low_pane_would_show_few_of_their_frames(
    qtbot: QtBot, settings: Settings, height: int, is_open: bool, models: int, links: int
) -> None:
    """Two models were open and cut at the lower edge; of many small ones four were in sight, each a box around one."""
    inside = "".join(f'<link name="l{number}"/>' for number in range(links))
    written = "".join(f'<model name="m{number}">{inside}</model>' for number in range(models))
    context = DocumentContext(Session(parse_document(f'<sdf version="1.9"><world name="w">{written}</world></sdf>')))
    panes = GraphPanes(context, settings)
    qtbot.addWidget(panes)
    panes.resize(1200, height)
    with qtbot.waitExposed(panes):
        panes.show()
    pane = next(each for each in panes.shown if each.kind is GraphKind.RELATIVE_TO)
    qtbot.waitUntil(lambda: pane.is_laid_out and pane.picture is not None)
    assert pane.picture is not None
    assert ("m0::l0" in pane.picture.graph.names) is is_open
    assert "m1" in pane.picture.graph.names
    context.close()


def test_models_whose_files_are_found_are_folded_as_at_first_sight(
    qtbot: QtBot, settings: Settings, tmp_path: Path
) -> None:
    links = "".join(f'<link name="l{number}"/>' for number in range(30))
    (tmp_path / "drone").mkdir()
    (tmp_path / "drone" / "model.sdf").write_text(f'<sdf version="1.9"><model name="drone">{links}</model></sdf>')
    (tmp_path / "drone" / "model.config").write_text("<model><sdf>model.sdf</sdf></model>")
    world = '<sdf version="1.9"><world name="w"><include><uri>model://drone</uri></include></world></sdf>'
    context = DocumentContext(Session(parse_document(world)))
    panes = GraphPanes(context, settings)
    qtbot.addWidget(panes)
    panes.resize(1200, 170)
    with qtbot.waitExposed(panes):
        panes.show()
    pane = next(each for each in panes.shown if each.kind is GraphKind.RELATIVE_TO)
    qtbot.waitUntil(lambda: pane.is_laid_out and pane.picture is not None)
    context.session.finder.look_in([tmp_path])
    context.session.refresh()

    def is_found() -> bool:
        model = context.session.model
        return model is not None and not model.failed_includes and pane.is_laid_out

    qtbot.waitUntil(is_found)
    assert pane.picture is not None
    assert pane.picture.graph.names == ("world", "drone")
    context.close()


def test_a_family_has_the_colour_of_no_body(qtbot: QtBot) -> None:
    """All families had that of the world, as if they were one body."""
    models = "".join(f'<model name="box_{i}"><link name="L"/><frame name="F"/></model>' for i in range(200))
    window = Window(
        qtbot, f'<sdf version="1.11"><world name="w">{models}<model name="arm"><link name="L"/></model></world></sdf>'
    )
    window.panes.bodies_button.click()
    bodies = window.canvas().marks.bodies
    assert bodies is not None
    by_name = dict(zip(window.names(), bodies, strict=True))
    assert by_name["box_#"] is None
    assert by_name["arm"] is not None
    window.context.close()


def zoomed_in(qtbot: QtBot) -> tuple[Window, GraphCanvas, Minimap]:
    """Return a large graph at a size at which the overview is shown."""
    links = "".join(f'<link name="link_{number}"/>' for number in range(60))
    window = Window(qtbot, f'<sdf version="1.11"><model name="m">{links}</model></sdf>')
    canvas = window.canvas()
    overview = canvas.findChild(Minimap)
    assert overview is not None
    canvas.zoom_by(8.0)
    return window, canvas, overview


def test_zooming_towards_an_empty_place_keeps_a_vertex_in_sight(window: Window) -> None:
    canvas = window.canvas()
    corner = QPointF(canvas.width() - 5.0, canvas.height() - 5.0)
    assert canvas.vertex_at(corner.toPoint()) < 0
    for _ in range(12):
        canvas.zoom_by(1.2, corner)
    assert canvas.viewport.zoom == NEAREST
    assert canvas.sees(range(len(window.names())))


def test_a_click_on_an_empty_part_of_the_overview_shows_the_nearest_vertex(qtbot: QtBot) -> None:
    links = "".join(f'<link name="link_{number}"/>' for number in range(60))
    frames = "".join(f'<frame name="f{n}" attached_to="{f"f{n - 1}" if n else "link_30"}"/>' for n in range(12))
    window = Window(qtbot, f'<sdf version="1.11"><model name="m">{links}{frames}</model></sdf>')
    canvas = window.canvas()
    canvas.zoom_by(8.0)
    layout = canvas.picture.layout  # type: ignore[union-attr]
    overview = canvas.findChild(Minimap)
    assert overview is not None
    assert overview.isVisible()
    overview.clicked.emit(QPointF(layout.extent[0], 0.0))  # the corner beside the end of the chain
    assert canvas.sees(range(len(window.names())))


def test_what_is_looked_for_is_not_under_the_overview(qtbot: QtBot) -> None:
    window, canvas, overview = zoomed_in(qtbot)
    assert overview.isVisible()
    for name in window.names()[1:]:
        window.session.select([name])
        vertex = canvas.screen_rect(window.names().index(name)).toRect()
        assert canvas.rect().contains(vertex.center())
        assert not overview.geometry().intersects(vertex), name


def test_a_click_beside_the_drawing_in_the_overview_shows_the_nearest_part(qtbot: QtBot) -> None:
    window, canvas, overview = zoomed_in(qtbot)
    picture = canvas.picture
    assert picture is not None
    for x, y in (
        (2, 2),
        (overview.width() - 2, 2),
        (2, overview.height() - 2),
        (overview.width() - 2, overview.height() - 2),
    ):
        QTest.mouseClick(overview, Qt.MouseButton.LeftButton, pos=QPoint(x, y))
        middle = canvas.viewport.to_drawing(canvas.room.center())
        low, high = QPointF(-60.0, -60.0), QPointF(*picture.layout.extent) + QPointF(60.0, 60.0)
        assert low.x() <= middle.x() <= high.x()
        assert low.y() <= middle.y() <= high.y()
    window.context.close()


def test_the_common_head_of_a_bundle_belongs_to_the_selected_frame(qtbot: QtBot) -> None:
    frames = "".join(f'<frame name="F{n}"><pose relative_to="hub"/></frame>' for n in range(16))
    window = Window(
        qtbot, f'<sdf version="1.11"><model name="m"><link name="hub"/><link name="K"/>{frames}</model></sdf>'
    )
    canvas, source = window.canvas(), window.names().index("m::F3")
    assert canvas.picture is not None
    edge = int(np.flatnonzero(canvas.picture.graph.sources == source)[0])
    block, _ = canvas.picture.bundled[edge]
    head, before = block.lane[-1], block.lane[-2]
    at = head + (before - head) / np.linalg.norm(before - head) * 3.0
    start = canvas.viewport.to_screen(QPointF(*at.tolist())).toPoint()
    drag(canvas, start, window.place("m::K"))
    assert "hub" in window.session.document.text.split('name="F3"')[1][:40], "nothing is selected"
    window.session.select(["m::F3"])
    start = canvas.viewport.to_screen(QPointF(*at.tolist())).toPoint()
    drag(canvas, start, window.place("m::K"))
    assert window.session.document.text.split('name="F3"')[1].startswith('><pose relative_to="K"')
    window.context.close()


def test_the_kinematic_graph_is_shown_on_request(window: Window) -> None:
    pane = window.panes.panes[GraphKind.KINEMATIC]
    assert not pane.isVisible()
    window.panes.show_graph(GraphKind.KINEMATIC)
    assert pane.isVisible()
    assert "m::L" in window.names(GraphKind.KINEMATIC)


def _replace(session: Session, old: str, new: str) -> Edit:
    at = session.document.text.index(old)
    return Edit("Type", session.document, (Replacement(at, at + len(old), new),))


def test_a_previewed_edge_that_leads_out_of_sight_says_where(window: Window, qtbot: QtBot) -> None:
    """It ended at the edge of the canvas: what was being chosen was not to be seen."""
    canvas = window.canvas()
    with qtbot.waitSignal(window.context.previews.edit_changed):
        window.context.previews.show(_replace(window.session, 'relative_to="A"', 'relative_to="L"'))
    assert not canvas.leaving
    in_sight = canvas.grab().toImage()
    at = canvas.viewport.to_drawing(QPointF(window.place("m::B")))
    canvas.set_viewport(canvas.viewport.zoomed(NEAREST, QPointF()).centred(at, canvas.room))
    (edge,) = canvas.leaving
    assert window.names()[edge.target] == "m::L"
    assert edge.arrow == "←"
    assert QRectF(canvas.rect()).contains(edge.at)
    around = canvas.rect().adjusted(0, 0, -canvas.width() // 2, 0)
    assert colours_in(canvas.grab(around).toImage()) >= {GOOD.lower()}
    assert GOOD.lower() in colours_in(in_sight), "there the vertex has a line around it"
    with qtbot.waitSignal(window.context.previews.edit_changed):
        window.context.previews.show(None)
    assert not canvas.leaving
    assert GOOD.lower() not in colours_in(canvas.grab().toImage())


def colours_in(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_what_an_edit_makes_is_brought_into_sight(qtbot: QtBot) -> None:
    """The same is true of graphs that are drawn later, after the other views."""
    links = "".join(f'<link name="part_{chr(97 + n // 26)}{chr(97 + n % 26)}"/>' for n in range(120))
    window = Window(qtbot, f'<sdf version="1.11"><model name="m">{links}</model></sdf>')
    canvas = window.canvas()
    window.session.select(("m::part_ep",))
    qtbot.waitUntil(lambda: canvas.framing is Framing.SELECTION)
    at = window.session.document.text.index("<link")
    made = Edit("Add", window.session.document, (Replacement(at, at, '<link name="first"/>'),))
    window.session.apply(made, select=("m::first",))

    def is_shown() -> bool:
        picture = canvas.picture
        assert picture is not None
        vertex = picture.graph.vertex_of("m::first")
        return vertex >= 0 and canvas.rect().contains(canvas.screen_rect(vertex).toAlignedRect())

    qtbot.waitUntil(is_shown)


def test_the_selection_is_not_cut_at_the_edge_after_an_edit(window: Window) -> None:
    window.session.select(("m::C",))
    canvas = window.canvas()
    canvas.zoom_by(2.0)
    vertex = canvas.picture.graph.vertex("m::C")  # type: ignore[union-attr]
    cut = canvas.screen_rect(vertex)
    canvas.look_at(canvas.viewport.panned(QPointF(canvas.room.width(), 20.0) - cut.center()))
    added = '<frame name="D" attached_to="B"/>'
    window.session.apply(_replace(window.session, '<frame name="C"', f'{added}<frame name="C"'))
    assert "m::D" in window.names()
    vertex = canvas.picture.graph.vertex("m::C")  # type: ignore[union-attr]
    assert canvas.room.contains(canvas.screen_rect(vertex))


def test_a_picture_of_which_nothing_would_be_seen_is_shown_from_its_beginning(window: Window) -> None:
    canvas = window.canvas()
    canvas.look_at(canvas.viewport.panned(QPointF(5000, 5000)))
    everything = range(len(window.names()))
    assert not canvas.sees(everything), "the user may do that"
    canvas.show_picture(canvas.picture)
    assert canvas.sees(everything)

    canvas.resize(canvas.width(), 400)
    canvas.look_at(canvas.viewport.panned(QPointF(0, 250)))
    assert canvas.sees(everything)
    canvas.resize(canvas.width(), 120)
    QApplication.processEvents()
    assert canvas.sees(everything)


def test_a_fitted_graph_is_readable_in_a_much_smaller_pane(qtbot: QtBot) -> None:
    canvas = GraphCanvas()
    qtbot.addWidget(canvas)
    links = "".join(f'<link name="link_{n}"/><frame name="frame_{n}"/>' for n in range(40))
    model = load_model(f'<sdf version="1.9"><model name="m">{links}</model></sdf>')
    picture = draw_graph(build_graph(model, GraphKind.RELATIVE_TO))
    canvas.resize(900, 700)
    canvas.show_picture(picture)
    with qtbot.waitExposed(canvas):
        canvas.show()
    canvas.fit()
    zoom = canvas.viewport.zoom
    canvas.resize(800, 620)
    assert canvas.framing is Framing.ALL
    canvas.resize(800, 90)
    assert canvas.framing is Framing.START
    assert canvas.viewport.zoom >= min(zoom, NATURAL_ZOOM)


def test_the_tip_of_a_drag_tells_ends_of_the_same_name_apart(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    models = "".join(f'<model name="{name}"><link name="body"/></model>' for name in ("drone", "truck"))
    window = Window(qtbot, f'<sdf version="1.11"><world name="w">{models}</world></sdf>')
    tips: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda where, text, widget: tips.append(text))
    names = window.names()
    drone, truck = (next(name for name in names if name.endswith(f"{model}::body")) for model in ("drone", "truck"))
    drag(window.canvas(), window.place(drone), window.place(truck), drop=False)
    assert "drone::body → truck::body" in tips[-1]
    window.context.close()


def chain_of_frames(count: int) -> str:
    frames = "".join(
        f'<frame name="f{n}"><pose relative_to="{f"f{n - 1}" if n else "L"}"/></frame>' for n in range(count)
    )
    return f'<sdf version="1.11"><model name="m"><link name="L"/>{frames}</model></sdf>'


def test_chain_only_begins_at_the_root_wherever_the_graph_was_zoomed_to(qtbot: QtBot) -> None:
    window = Window(qtbot, chain_of_frames(40))
    canvas = window.canvas()
    window.session.select(["m::f2"])
    canvas.zoom_by(3.0)
    canvas.reveal([window.names().index("m::f2")], centre=True)
    canvas.set_viewport(canvas.viewport.zoomed(3.0, QPointF(window.place("m::f2"))))
    window.panes.focus_button.click()
    window.wait(qtbot)
    assert canvas.viewport.zoom <= 1.0
    assert canvas.sees([window.names().index("m::L")])
    assert canvas.sees([window.names().index("m::f2")])
    window.context.close()


def test_what_is_far_away_comes_to_the_middle(qtbot: QtBot) -> None:
    window = Window(qtbot, chain_of_frames(60))
    canvas = window.canvas()
    assert not canvas.sees([window.names().index("m::f30")])
    window.panes.search_field.setText("f30")
    across = canvas.room.width()
    assert 0.25 * across < window.place("m::f30").x() < 0.75 * across
    window.context.close()


@pytest.mark.parametrize(("zoom", "is_dashed"), [(1.0, True), (0.5, False)])
def test_edges_are_dashed_only_where_dashes_can_be_seen(window: Window, zoom: float, is_dashed: bool) -> None:
    picture = window.canvas().picture
    painter = GraphPainter(picture, graph_colours(dark=True))
    graph = picture.graph
    default, written = int(np.flatnonzero(~graph.written)[0]), int(np.flatnonzero(graph.written)[0])
    pens = [painter.pen(edge, zoom, GraphMarks())[0] for edge in (default, written)]
    assert (pens[0].style() is Qt.PenStyle.CustomDashLine) == is_dashed
    assert pens[1].style() is Qt.PenStyle.SolidLine
    assert is_dashed or pens[0].color().alphaF() < 0.6 * pens[1].color().alphaF()
