"""A world of 3000 models: what each key in a field of the panels costs, counted in work and not in seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import parse_document
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.previews import Previews
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.joints.panel import JointsPanel
from sdfviewer.gui.kit import frame_picker
from sdfviewer.gui.kit.search import ROW, SLICE, HitModel, Index
from sdfviewer.gui.problems.panel import ProblemsPanel
from sdfviewer.gui.properties.panel import PropertiesPanel
from sdfviewer.gui.source import find_bar
from sdfviewer.gui.source.source_view import SourceView
from sdfviewer.gui.tree.panel import ModelTree
from sdfviewer.gui.view3d.display import Display, DisplayMenu
from sdfviewer.language.fuzzy import FuzzyQuery, Match
from sdfviewer.language.text_map import TextMap
from sdfviewer.refactoring.pose_writing import set_pose_component
from sdfviewer.session.session import Session
from sdfviewer.session.session_reader import SessionReader
from tests.large import world_of_models

MODELS = 3000
#: Rows of a list that can be in sight, with some to spare.
IN_SIGHT = 80


class Work:
    """What was done since `reset`, in all and within one turn of the event loop."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.matches = self.most_matches = self.described = self.previews = 0
        self._this_turn = 0

    def count_match(self) -> None:
        self.matches += 1
        self._this_turn += 1
        self.most_matches = max(self.most_matches, self._this_turn)

    def end_turn(self) -> None:
        self._this_turn = 0


Panel = TypeVar("Panel", bound=QWidget)


class Desk:
    """The panels on a large world, each shown as soon as a test asks for it."""

    def __init__(self, qtbot: QtBot, settings: Settings, work: Work) -> None:
        self.qtbot, self.work, self._settings = qtbot, work, settings
        self.session = Session(parse_document(world_of_models(MODELS)))
        self.context = DocumentContext(self.session)
        self.session.select(["model_2000"])

    @cached_property
    def tree(self) -> ModelTree:
        return self._shown(ModelTree(self.context, self._settings))

    @cached_property
    def properties(self) -> PropertiesPanel:
        return self._shown(PropertiesPanel(self.context, self._settings))

    @cached_property
    def joints(self) -> JointsPanel:
        return self._shown(JointsPanel(self.context, self._settings))

    @cached_property
    def problems(self) -> ProblemsPanel:
        return self._shown(ProblemsPanel(self.context))

    def _shown(self, panel: Panel) -> Panel:
        panel.resize(320, 600)
        self.qtbot.addWidget(panel)
        with self.qtbot.waitExposed(panel):
            panel.show()
        self.work.reset()
        return panel

    def type(self, line: QLineEdit, letters: str, is_done: Callable[[], bool]) -> None:
        """Type letters, each after what the one before has caused is done."""
        for letter in letters:
            self.work.end_turn()
            QTest.keyClicks(line, letter)
            self.finish(is_done)

    def finish(self, is_done: Callable[[], bool]) -> None:
        for _ in range(1000):
            self.work.end_turn()
            QCoreApplication.processEvents()
            if is_done():
                return
        raise AssertionError("the search does not come to its end")


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    work = Work()
    match, describe, preview = FuzzyQuery.match, HitModel.data, Previews.prepare

    def counted_match(self: FuzzyQuery, text: str, aside: str = "") -> Match | None:
        work.count_match()
        return match(self, text, aside)

    def counted_data(self: HitModel, index: Index, role: int = 0) -> object:
        work.described += role == ROW
        return describe(self, index, role)

    def counted_preview(self: Previews, edit: object, files: object) -> object:
        work.previews += 1
        return preview(self, edit, files)  # type: ignore[arg-type]

    monkeypatch.setattr(FuzzyQuery, "match", counted_match)
    monkeypatch.setattr(HitModel, "data", counted_data)
    monkeypatch.setattr(Previews, "prepare", counted_preview)
    return work


@pytest.fixture
def desk(qtbot: QtBot, settings: Settings, work: Work) -> Iterator[Desk]:
    desk = Desk(qtbot, settings, work)
    yield desk
    desk.context.close()


def test_each_letter_in_the_trees_search_is_matched_by_slices(desk: Desk) -> None:
    search, names = desk.tree.search, len(desk.session.model or ())
    desk.tree.filter.setFocus()
    desk.type(desk.tree.filter, "mode", lambda: not search.is_running)
    assert len(search.names) == names - 1  # all but the world
    assert desk.work.most_matches <= SLICE
    assert desk.work.matches <= 4 * names
    assert desk.work.described <= 4 * IN_SIGHT
    desk.work.reset()
    desk.type(desk.tree.filter, "l_2999", lambda: not search.is_running)
    assert search.names[0] == "model_2999"
    assert desk.work.previews == 0
    desk.work.reset()
    desk.type(desk.tree.filter, " li", lambda: not search.is_running)
    assert desk.work.matches < 500, "a longer word looks only at what matched"


def test_one_letter_in_a_picker_previews_nothing_until_somebody_rests(
    desk: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frame_picker, "REST_MILLISECONDS", 3_600_000)  # nobody rests by accident
    picker = desk.properties.relative_to.picker
    picker.open()
    popup = picker.popup
    assert popup is not None
    desk.work.reset()
    desk.type(popup.search, "mod", lambda: not popup.is_searching)
    assert desk.work.previews == 0
    assert desk.work.most_matches <= SLICE
    assert desk.work.described <= 3 * IN_SIGHT
    (rest,) = (timer for timer in popup.findChildren(QTimer) if timer.interval() == frame_picker.REST_MILLISECONDS)
    assert rest.isActive()
    with qtbot.waitSignal(desk.context.previews.edit_changed):
        rest.setInterval(1)  # the rest, and the preview beside the window
    assert desk.work.previews == 1
    for _ in range(5):
        QTest.keyClick(popup.search, Qt.Key.Key_Down)
    with qtbot.waitSignal(desk.context.previews.edit_changed):
        pass
    assert desk.work.previews == 2
    popup.close()


def fields_of(panel: QWidget) -> list[QLineEdit]:
    return [line for line in panel.findChildren(QLineEdit) if line.isVisible() and not line.isReadOnly()]


def test_typing_in_any_field_reads_nothing_before_it_is_finished(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    panels = (desk.tree, desk.properties, desk.joints, desk.problems)
    reads: list[None] = []
    monkeypatch.setattr(SessionReader, "read", lambda self, document: reads.append(None))
    typed = 0
    for panel in panels:
        for line in fields_of(panel):
            line.setFocus()
            line.selectAll()
            desk.type(line, "1.5", lambda: True)
            QTest.keyClick(line, Qt.Key.Key_Escape)
            QCoreApplication.processEvents()
            typed += 1
    assert typed >= 8, "the search of the tree, the name, six numbers of a pose"
    assert not reads
    assert desk.work.previews == 0
    assert desk.work.most_matches <= SLICE


def test_a_key_in_the_find_bar_looks_for_some_matches_and_the_rest_in_turns(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[int] = []
    positions = TextMap.positions_of_shown

    def counted(self: TextMap, ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
        searched.append(len(ranges))
        return positions(self, ranges)

    monkeypatch.setattr(TextMap, "positions_of_shown", counted)
    source = SourceView(desk.context)
    desk.qtbot.addWidget(source)
    with desk.qtbot.waitExposed(source):
        source.show()
    bar = source.find_bar
    bar.open(replacing=True)
    searched.clear()
    desk.type(bar.pattern, "model", lambda: bar.is_complete and len(bar.matches) > MODELS)
    assert max(searched) <= find_bar.SLICE
    turns = len(searched)
    desk.type(bar.replacement, "robot", lambda: True)
    bar.go(1)
    assert len(searched) == turns, "the text is the same"


def test_typing_in_the_filter_of_frames_reads_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[None] = []
    monkeypatch.setattr(Session, "_read", lambda self: reads.append(None))
    menu = DisplayMenu(desk.tree)
    changes: list[Display] = []
    menu.changed.connect(changes.append)
    menu.show_models(desk.session.model)
    assert menu.model.count() == MODELS + 1
    desk.type(menu.name, "box", lambda: True)
    assert [display.name for display in changes] == ["b", "bo", "box"]
    menu.show_models(desk.session.model)
    assert len(changes) == 3, "the same models are not listed again"
    assert not reads
    assert not desk.work.previews


def test_an_edit_of_a_pose_paints_no_row_of_the_tree(desk: Desk) -> None:
    desk.session.move_joints({})
    desk.finish(lambda: True)
    painted: list[QPaintEvent] = []
    watched = desk.tree.view.viewport()

    class Watch(QObject):
        def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
            if isinstance(event, QPaintEvent):
                painted.append(event)
            return False

    watch = Watch()
    watched.installEventFilter(watch)
    model = desk.session.model
    assert model is not None
    row = model.rows_by_name["model_2000"]
    for x in (1.0, 2.0, 3.0):
        assert desk.context.edits.make(partial(set_pose_component, desk.session.model, [row], 0, x))
        for _ in range(5):
            desk.finish(lambda: True)
    assert not painted
    desk.context.edits.rename(row, "other")
    desk.qtbot.waitUntil(lambda: bool(painted))


def test_committing_a_pose_reads_the_text_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[None] = []
    read = SessionReader.read
    monkeypatch.setattr(
        SessionReader, "read", lambda self, *given, **named: (reads.append(None), read(self, *given, **named))[1]
    )
    field = desk.properties.pose.fields[0]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "7.5")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert len(reads) == 1
    assert "<pose>7.5 40 0.5 0 0 2.000</pose>" in desk.session.document.text


def test_the_joints_scroll_to_what_moves_the_selection(qtbot: QtBot, settings: Settings) -> None:
    links = "".join(f'<link name="l{n}"/>' for n in range(41))
    axis = "<axis><xyz>0 0 1</xyz></axis>"
    joints = "".join(
        f'<joint name="j{n}" type="revolute"><parent>l{n}</parent><child>l{n + 1}</child>{axis}</joint>'
        for n in range(40)
    )
    session = Session(parse_document(f'<sdf version="1.9"><model name="m">{links}{joints}</model></sdf>'))
    panel = JointsPanel(DocumentContext(session), settings)
    qtbot.addWidget(panel)
    panel.resize(320, 300)
    with qtbot.waitExposed(panel):
        panel.show()

    def is_shown(joint: str) -> bool:
        row = panel.rows.get(joint)
        return row is not None and not row.visibleRegion().isEmpty()

    for link, joint in (("m::l35", "m::j34"), ("m::l2", "m::j1"), ("m::j30", "m::j30")):
        assert not is_shown(joint)
        session.select((link,))
        qtbot.waitUntil(partial(is_shown, joint))
