"""The model tree over edits: what is open, selected and in sight stays."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QColor, QCursor, QHoverEvent, QMouseEvent
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Diagnostic, Replacement, Severity
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit import search
from sdfviewer.gui.kit.safe_text import PlainDelegate
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.tree import tree_model
from sdfviewer.gui.tree.panel import EXPANDED_ROWS, ModelTree
from sdfviewer.gui.tree.tree_model import BADGE, EYE
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.refactoring.adding import duplicate
from sdfviewer.refactoring.removal import remove
from sdfviewer.refactoring.renaming import rename
from sdfviewer.session.session import Session
from sdfviewer.validation.file_rules import not_drawn


def world(count: int) -> str:
    """Return a world of models, each with a link and a visual."""
    models = "\n".join(
        f'<model name="m{n}"><link name="link"><visual name="look"/></link><frame name="grip"/></model>'
        for n in range(count)
    )
    return f'<sdf version="1.9"><world name="w">\n{models}\n</world></sdf>'


def plain_settings() -> Settings:
    """Return settings in which nothing is set."""
    return Settings(QSettings("no_such_file.ini", QSettings.Format.IniFormat))


class Desk:
    """A session on a world and its tree, shown."""

    def __init__(self, qtbot: QtBot, count: int, text: str | Document = "") -> None:
        self.session = Session(text if isinstance(text, Document) else parse_document(text or world(count)))
        self.tree = ModelTree(DocumentContext(self.session), plain_settings())
        self.view = self.tree.view
        self.tree.resize(240, 400)
        qtbot.addWidget(self.tree)
        with qtbot.waitExposed(self.tree):
            self.tree.show()

    @property
    def model(self) -> Model:
        assert self.session.model is not None
        return self.session.model

    def index(self, name: str) -> QModelIndex:
        return self.tree.source.index_of(self.model.row(name))

    def is_open(self, name: str) -> bool:
        return self.view.isExpanded(self.index(name))

    def top(self) -> str:
        self.tree.context.later.flush()
        return str(self.view.indexAt(QPoint(0, 0)).data())

    def selected(self) -> list[str]:
        return [str(index.data()) for index in self.view.selectionModel().selectedRows()]

    def outline(self, parent: QModelIndex | None = None) -> list[object]:
        """Return names with what is below them, as the view sees it."""
        source, parent = self.tree.source, parent or QModelIndex()
        indices = [source.index(position, 0, parent) for position in range(source.rowCount(parent))]
        return [(index.data(), self.outline(index)) for index in indices]


def outline_of(model: Model, owner: int = -1) -> list[object]:
    """Return the same of a model."""
    rows = [row for row in range(len(model)) if model.owners[row] == owner]
    return [(model.local_names[row], outline_of(model, row)) for row in rows]


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    return Desk(qtbot, EXPANDED_ROWS // 4)  # four rows each, and the world: too many to start open


def test_adding_and_removing_keep_what_is_open_in_sight_and_selected(desk: Desk) -> None:
    assert not desk.is_open("m40")
    for name in ("m40", "m40::link", "m41"):
        desk.view.expand(desk.index(name))
    desk.session.select(["m42"])
    desk.view.verticalScrollBar().setValue(36)
    top, resets = desk.top(), []
    desk.tree.source.modelReset.connect(lambda: resets.append(1))

    edit = duplicate(desk.model, desk.model.row("m3"))
    for change in (edit, remove(desk.model, [desk.model.row("m5")])):
        desk.session.apply(change)
        assert desk.outline() == outline_of(desk.model)
        assert [desk.is_open(name) for name in ("m40", "m40::link", "m41", "m43")] == [True, True, True, False]
        assert (desk.top(), desk.selected(), desk.view.currentIndex().data()) == (top, ["m42"], "m42")
        desk.session.undo()
        assert desk.outline() == outline_of(desk.model)
        assert (desk.top(), desk.selected(), desk.view.currentIndex().data()) == (top, ["m42"], "m42")
    assert not resets


def test_an_element_without_a_name_is_called_by_its_tag(qtbot: QtBot) -> None:
    desk = Desk(qtbot, 0, '<sdf version="1.11"><model name="m"><link name="a"/><joint type="fixed"/></model></sdf>')
    index = desk.tree.source.index_of(2)
    assert (index.data(), index.data(tree_model.NOTE)) == ("<joint>", "(no name)")
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "joint (no name)"
    assert index.data(Qt.ItemDataRole.ToolTipRole).startswith("joint (no name)\n")


def test_rows_are_laid_out_after_the_turn_of_an_edit(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Qt asks for all rows to lay them out: other views follow the edit first, and what is in sight stays."""
    desk.view.verticalScrollBar().setValue(36)
    layouts: list[None] = []
    do_layout = desk.view.doItemsLayout
    monkeypatch.setattr(desk.view, "doItemsLayout", lambda: (layouts.append(None), do_layout()))
    for _ in range(3):
        edit = duplicate(desk.model, desk.model.row("m3"))
        desk.session.apply(edit, select=edit.added)
    assert not layouts
    assert desk.selected() == [name.rpartition("::")[2] for name in desk.session.selection]
    desk.tree.context.later.flush()
    assert len(layouts) == 1
    assert desk.view.visualRect(desk.view.currentIndex()).intersects(desk.view.viewport().rect())


def test_rows_are_laid_out_in_a_turn_of_their_own(desk: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Qt would do that in the turn in which the edit is painted."""
    laid_out: list[bool] = []
    in_a_job: list[None] = []
    do_layout, scroll = desk.view.doItemsLayout, desk.tree._scroll

    def note_layout() -> None:
        before = desk.view.verticalScrollBar().maximum()
        do_layout()
        if desk.view.verticalScrollBar().maximum() != before:
            laid_out.append(bool(in_a_job))

    def note_job() -> None:
        in_a_job.append(None)
        scroll()
        in_a_job.clear()

    monkeypatch.setattr(desk.view, "doItemsLayout", note_layout)
    monkeypatch.setattr(desk.tree, "_scroll", note_job)
    for change in (lambda: desk.session.apply(remove(desk.model, [desk.model.row("m5")])), desk.session.undo):
        laid_out.clear()
        change()
        qtbot.waitUntil(desk.view.updatesEnabled)
        assert laid_out == [True]


def test_removing_the_selection_selects_nothing_by_itself(desk: Desk) -> None:
    desk.session.select(["m42"])
    desk.session.apply(remove(desk.model, [desk.model.row("m42")]))
    assert desk.session.selection == ("m42",)
    assert desk.selected() == []
    assert desk.view.currentIndex().data() in ("m41", "m43")  # where the keyboard goes on
    desk.session.undo()
    assert desk.selected() == ["m42"]


def test_a_long_name_is_whole_under_the_mouse(qtbot: QtBot, desk: Desk) -> None:
    """The room of a badge that is not there stays the name's while the view paints what the mouse is on."""
    name = "a_name_that_reaches_the_badge"
    desk.session.apply(rename(desk.model, desk.model.row("m0"), name))
    index = desk.index(name)
    desk.tree.resize(desk.view.fontMetrics().horizontalAdvance(name) + 90, 400)
    badge = desk.view.visualRect(index.siblingAtColumn(BADGE)).adjusted(0, 2, 0, -2)

    def shades() -> int:
        picture = desk.view.grab().toImage().copy(badge)
        return len({picture.pixel(x, y) for x in range(picture.width()) for y in range(picture.height())})

    assert shades() > 2, "The name is drawn there while the mouse is elsewhere"
    spot = QPointF(desk.view.visualRect(index).center())
    hover = QHoverEvent(QEvent.Type.HoverMove, spot, desk.view.viewport().mapToGlobal(spot), QPointF(-1, -1))
    QApplication.sendEvent(desk.view.viewport(), hover)
    assert shades() > 2


def test_a_renamed_branch_stays_open(desk: Desk) -> None:
    desk.view.expand(desk.index("m40"))
    edit = rename(desk.model, desk.model.row("m40"), "robot")
    desk.session.apply(edit)
    assert desk.is_open("robot")
    desk.session.undo()
    assert desk.is_open("m40")


def test_a_search_holds_for_what_comes(desk: Desk) -> None:
    desk.tree.filter.setText("m42")
    desk.session.apply(duplicate(desk.model, desk.model.row("m42")))
    desk.session.apply(duplicate(desk.model, desk.model.row("m3")))
    models = [name for name in desk.tree.search.names if "::" not in name]
    assert models == ["m42", "m42_copy"]
    desk.session.apply(rename(desk.model, desk.model.row("m42"), "robot"))
    assert [name for name in desk.tree.search.names if "::" not in name] == ["m42_copy"]


def test_a_search_lists_frames_before_what_is_drawn_on_them(desk: Desk) -> None:
    desk.tree.filter.setText("loo")
    assert {desk.model.kinds[desk.model.row(name)] for name in desk.tree.search.names} == {Kind.VISUAL}
    desk.tree.filter.setText("m7 l")
    kinds = [desk.model.kinds[desk.model.row(name)] for name in desk.tree.search.names]
    assert desk.tree.search.names[0] == "m7::link"
    assert Kind.VISUAL in kinds
    assert not any(kind.is_vertex for kind in kinds[kinds.index(Kind.VISUAL) :])


def test_a_kind_and_a_blank_list_only_that_kind(desk: Desk) -> None:
    desk.session.apply(rename(desk.model, desk.model.row("m7::link"), "arm"))
    desk.tree.filter.setText("model ")
    assert {desk.model.kinds[desk.model.row(name)] for name in desk.tree.search.names} == {Kind.MODEL}
    desk.tree.filter.setText("visual m7")
    assert {desk.model.kinds[desk.model.row(name)] for name in desk.tree.search.names} == {Kind.VISUAL}
    desk.session.apply(rename(desk.model, desk.model.row("m7"), "visual_aid"))
    desk.tree.filter.setText("visual ")
    assert {desk.model.kinds[desk.model.row(name)] for name in desk.tree.search.names} == {Kind.VISUAL}


def test_a_search_is_fuzzy_and_says_when_nothing_matches(qtbot: QtBot, desk: Desk) -> None:
    desk.tree.filter.setText("m7 gp")
    assert desk.tree.search.names[0] == "m7::grip"
    desk.tree.filter.setText("zzz")
    assert desk.tree.search.names == []
    empty = desk.tree.search.results.viewport().grab().toImage()
    desk.tree.search.results.nothing = ""
    assert empty != desk.tree.search.results.viewport().grab().toImage(), "“No match” is drawn"
    qtbot.keyClick(desk.tree.filter, Qt.Key.Key_Escape)
    assert desk.tree.view.isVisible()


def test_no_match_is_said_only_at_the_end_of_a_search(
    qtbot: QtBot, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "SLICE", 50)
    results = desk.tree.search.results
    desk.tree.filter.setText("zzz")
    assert desk.tree.search.is_running
    assert results.placeholder == "Searching…"
    qtbot.waitUntil(lambda: not desk.tree.search.is_running)
    assert results.placeholder == "No match"


def test_what_a_search_has_found_is_picked_with_the_keyboard(qtbot: QtBot, desk: Desk) -> None:
    desk.tree.filter.setFocus()
    qtbot.keyClicks(desk.tree.filter, "grip")
    second = desk.tree.search.names[1]
    qtbot.keyClick(desk.tree.filter, Qt.Key.Key_Down)
    qtbot.keyClick(desk.tree.filter, Qt.Key.Key_Return)
    assert desk.session.selection == (second,)
    assert desk.tree.view.isVisible()
    assert desk.selected() == ["grip"]


def test_a_search_for_what_is_selected_shows_it_again(qtbot: QtBot, desk: Desk) -> None:
    desk.session.select(("m42",))
    desk.view.scrollToTop()
    assert not desk.view.viewport().rect().intersects(desk.view.visualRect(desk.index("m42")))
    desk.tree.filter.setFocus()
    qtbot.keyClicks(desk.tree.filter, "m42")
    qtbot.waitUntil(lambda: desk.tree.search.names[:1] == ["m42"])
    qtbot.keyClick(desk.tree.filter, Qt.Key.Key_Return)
    assert desk.view.viewport().rect().intersects(desk.view.visualRect(desk.index("m42")))


def test_the_mouse_may_rest_on_what_a_reload_takes_away(qtbot: QtBot, desk: Desk) -> None:
    gone = desk.index("m42")
    desk.session.apply(remove(desk.model, [desk.model.row("m42")]))
    desk.view.entered.emit(gone)
    desk.view.entered.emit(QModelIndex())
    assert desk.tree.context.highlights.hovered is None


def test_the_mouse_points_at_nothing_where_a_row_was_removed_or_none_is(qtbot: QtBot, desk: Desk) -> None:
    context = desk.tree.context
    desk.view.entered.emit(desk.index("m42"))
    assert context.highlights.hovered == desk.model.names[desk.model.row("m42")]
    desk.session.apply(remove(desk.model, [desk.model.row("m42")]))
    assert context.highlights.hovered is None
    desk.view.collapseAll()
    desk.view.entered.emit(desk.index("m1"))
    assert context.highlights.hovered is not None
    viewport = desk.view.viewport()
    below = QPointF(10, viewport.height() - 2)
    assert not desk.view.indexAt(below.toPoint()).isValid()
    move = QMouseEvent(
        QEvent.Type.MouseMove,
        below,
        viewport.mapToGlobal(below),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(viewport, move)
    assert context.highlights.hovered is None


def test_rows_that_move_below_a_resting_mouse_are_under_it(qtbot: QtBot, desk: Desk) -> None:
    """After an undo the row that was there before an edit stayed hovered, here and in 3D."""
    viewport, context = desk.view.viewport(), desk.tree.context
    spot = desk.view.visualRect(desk.index("m5")).center()

    def lit() -> bool:
        picture = viewport.grab().toImage()
        return picture.pixelColor(2, spot.y()) == QColor(tokens().hover)

    qtbot.waitActive(desk.tree)
    QCursor.setPos(viewport.mapToGlobal(QPoint(5, 5)))
    QCursor.setPos(viewport.mapToGlobal(spot))
    qtbot.waitUntil(lambda: context.highlights.hovered == "m5")
    desk.session.apply(remove(desk.model, [desk.model.row("m2")]))
    qtbot.waitUntil(lambda: context.highlights.hovered == "m6")
    assert lit()
    desk.session.undo()
    qtbot.waitUntil(lambda: context.highlights.hovered == "m5")
    assert lit()
    desk.view.setExpanded(desk.index("m3"), True)
    qtbot.waitUntil(lambda: context.highlights.hovered == "m3::grip")
    desk.view.collapse(desk.tree.source.index(0, 0))
    qtbot.waitUntil(lambda: context.highlights.hovered is None)


def test_rows_that_scroll_behind_another_panel_are_not_under_the_mouse(qtbot: QtBot, desk: Desk) -> None:
    """Qt enters the row that scrolls to where the mouse is, whether or not the tree can be seen."""
    desk.view.expandAll()
    viewport = desk.view.viewport()
    QCursor.setPos(viewport.mapToGlobal(viewport.rect().center()))
    qtbot.waitUntil(lambda: viewport.rect().contains(viewport.mapFromGlobal(QCursor.pos())))
    desk.tree.hide()
    desk.tree.context.highlights.hover(None)
    desk.view.verticalScrollBar().setValue(20)
    assert desk.tree.context.highlights.hovered is None


EDITS = {
    "several in several models": ('<frame name="grip"/>', "", 3),
    "a model around others": ('<model name="m1">', '<model name="around"><model name="m1">', 1),
    "another kind": ('<link name="link">', '<frame name="link">', 1),
    "a name twice": ('<model name="m2">', '<model name="m1">', 1),
    "members before others": ('<link name="link">', '<frame name="a"/><link name="link">', 5),
    "everything": ("<model", "<light", 100),
}


@pytest.mark.parametrize("what", list(EDITS))
def test_any_edit_gives_the_tree_of_the_file(qtbot: QtBot, what: str) -> None:
    desk = Desk(qtbot, 6)
    # Qt itself looks after every signal: rows that come or go without notice fail the test.
    QAbstractItemModelTester(desk.tree.source, QAbstractItemModelTester.FailureReportingMode.Fatal, desk.tree)
    old, new, times = EDITS[what]
    text = desk.session.document.text
    changed = text.replace(old, new, times)
    if what == "a model around others":
        changed = changed.replace("</world>", "</model></world>")
    if what == "another kind":
        changed = changed.replace("</link>", "</frame>", 1)
    if what == "everything":
        changed = changed.replace("</model>", "</light>")
    for target in (changed, text):
        before = desk.session.document.text
        desk.session.apply(Edit("Type", desk.session.document, (Replacement(0, len(before), target),)))
        assert desk.outline() == outline_of(desk.model)
        assert desk.view.isExpanded(desk.tree.source.index(0, 0))


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(1, 8))])
def test_models_that_come_and_go_in_several_places_are_placed_as_in_a_new_tree(qtbot: QtBot, seed: int) -> None:
    """Twelve edits drawn by chance: in each run from one seed, each night from eight."""
    random = Random(seed)
    desk = Desk(qtbot, 12)
    tester = QAbstractItemModelTester(desk.tree.source, QAbstractItemModelTester.FailureReportingMode.Fatal)
    numbers = sorted(random.sample(range(12), 6))
    for _ in range(12):
        number = random.randrange(40)
        if number in numbers:
            numbers.remove(number)
        else:
            numbers = sorted([*numbers, number])
        nested = random.choice(
            ["", '<model name="in"><link name="l"><visual name="a"/><visual name="b"/></link></model>']
        )
        models = "\n".join(f'<model name="m{each}"><link name="link"/>{nested}</model>' for each in numbers)
        text = f'<sdf version="1.9"><world name="w">\n{models}\n</world></sdf>'
        document = desk.session.document
        desk.session.apply(Edit("Replace", document, (Replacement(0, len(document.text), text),)))
        assert desk.outline() == outline_of(desk.model)
    tester.deleteLater()


def test_an_edit_looks_only_at_the_rows_that_it_changes(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []
    kept_rows = tree_model._kept_rows

    def count(before: Model, after: Model) -> tree_model._KeptRows | None:
        kept = kept_rows(before, after)
        assert kept is not None
        looked_at.append(len(kept.middle))
        return kept

    monkeypatch.setattr(tree_model, "_kept_rows", count)
    kept = [desk.tree.source.index_of(row).internalId() for row in range(len(desk.model))]
    edit = duplicate(desk.model, desk.model.row("m3"))
    desk.session.apply(edit)
    desk.session.undo()
    assert looked_at == [4, 0], "the rows of one model"
    assert [desk.tree.source.index_of(row).internalId() for row in range(len(desk.model))] == kept


def test_names_that_would_look_the_same_are_shortened_where_they_do_not(qtbot: QtBot) -> None:
    names = [f"lower_leg_of_the_robot_skin_{n}_fixed_to_it" for n in range(3)]
    names += [f"the_robot_{n}_head_which_tilts_the_sensors" for n in range(3)]
    links = "".join(f'<link name="{name}"/>' for name in names)
    text = f'<sdf version="1.9"><model name="m">{links}<link name="a_single_link_with_a_very_long_name"/></model></sdf>'
    tree = ModelTree(DocumentContext(Session(parse_document(text))), plain_settings())
    tree.resize(200, 300)
    qtbot.addWidget(tree)
    with qtbot.waitExposed(tree):
        tree.show()

    def elision(name: str) -> Qt.TextElideMode:
        model = tree.context.session.model
        assert model is not None
        index = tree.source.index_of(model.row(name))
        option = QStyleOptionViewItem()
        option.rect, option.widget = tree.view.visualRect(index), tree.view
        delegate = tree.view.itemDelegateForColumn(0)
        assert isinstance(delegate, PlainDelegate)
        delegate.initStyleOption(option, index)
        return option.textElideMode

    assert elision("m::lower_leg_of_the_robot_skin_1_fixed_to_it") is Qt.TextElideMode.ElideLeft
    assert elision("m::the_robot_1_head_which_tilts_the_sensors") is Qt.TextElideMode.ElideRight
    assert elision("m::a_single_link_with_a_very_long_name") is Qt.TextElideMode.ElideMiddle


def test_a_new_name_is_painted_in_the_room_of_the_badge_too(qtbot: QtBot) -> None:
    desk = Desk(qtbot, 1)
    painted: list[int] = []
    desk.tree.source.dataChanged.connect(lambda first, last: painted.extend((first.column(), last.column())))
    desk.session.apply(rename(desk.model, desk.model.row("m0"), "a_name_that_needs_all_of_the_room"))
    assert painted == [0, EYE]


def test_a_selected_row_says_its_kind_in_the_colour_of_text(qtbot: QtBot) -> None:
    joint = '<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>'
    text = f'<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/>{joint}</model></sdf>'
    tree = ModelTree(DocumentContext(Session(parse_document(text))), plain_settings())
    tree.resize(200, 300)
    qtbot.addWidget(tree)
    with qtbot.waitExposed(tree):
        tree.show()
    model = tree.context.session.model
    assert model is not None

    def seen() -> set[str]:
        box = tree.view.visualRect(tree.source.index_of(model.row("m::j")))
        picture = tree.view.viewport().grab(box).toImage()
        return {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}

    muted = tokens().muted.lower()
    assert muted in seen()
    tree.context.session.select(("m::j",), None)
    assert muted not in seen()


def test_the_tooltip_of_a_row_says_the_kind_that_may_have_no_room(desk: Desk) -> None:
    joint = '<joint name="j" type="fixed"><parent>a</parent><child>b</child></joint>'
    at = desk.session.document.text.index("</world>")
    model = f'<model name="n"><link name="a"/><link name="b"/>{joint}</model>'
    desk.session.apply(Edit("Type", desk.session.document, (Replacement(at, at, model),)))
    source = desk.tree.source
    tips = [source.index_of(desk.model.row(name)).data(Qt.ItemDataRole.ToolTipRole) for name in ("n::j", "n::a")]
    assert [tip.splitlines()[0] for tip in tips] == ["fixed joint n::j", "canonical link n::a"]


MISSING = """<sdf version="1.9"><world name="w">
  <model name="a"><link name="l"/></model>
  <include><uri>model://gone</uri></include>
  <model name="b"><include><name>arm</name><uri>model://no_arm</uri></include><link name="l"/></model>
</world></sdf>"""


def test_includes_that_bring_nothing_are_grey_rows_with_their_problem(qtbot: QtBot) -> None:
    desk = Desk(qtbot, 0, MISSING)
    QAbstractItemModelTester(desk.tree.source, QAbstractItemModelTester.FailureReportingMode.Fatal)
    source, root = desk.tree.source, desk.index("world")
    assert desk.outline() == [("w", [("a", [("l", [])]), ("gone", []), ("b", [("arm", []), ("l", [])])])]
    gone = source.index(1, 0, root)
    assert "model://gone" in gone.data(Qt.ItemDataRole.ToolTipRole)
    assert gone.data(Qt.ItemDataRole.ForegroundRole).name() == tokens().disabled.lower()
    assert gone.data(tree_model.NOTE) == "not included"
    desk.tree.context.later.flush()
    assert "model://gone" in gone.siblingAtColumn(BADGE).data(Qt.ItemDataRole.ToolTipRole)
    assert gone.siblingAtColumn(BADGE).data(Qt.ItemDataRole.DecorationRole) is not None

    desk.view.setCurrentIndex(gone)
    assert desk.session.selection == ("gone",), "it is selected and edited like any other model"


def test_rows_of_failed_includes_follow_edits(qtbot: QtBot) -> None:
    desk = Desk(qtbot, 0, MISSING)
    QAbstractItemModelTester(desk.tree.source, QAbstractItemModelTester.FailureReportingMode.Fatal)
    first, last = ["w", "a", "l"], ["b", "arm", "l"]

    def flat(entries: list[object]) -> list[str]:
        return [name for entry, below in entries for name in (entry, *flat(below))]  # type: ignore[misc,has-type]

    assert flat(desk.outline()) == [*first, "gone", *last]
    for old, new, expected in (
        ("model://gone", "model://lost", [*first, "lost", *last]),
        ('  <model name="b">', '  <include/><model name="b">', [*first, "lost", "include", *last]),
        ("<include/>", '<model name="c"><link name="l"/></model>', [*first, "lost", "c", "l", *last]),
    ):
        text = desk.session.document.text
        at = text.index(old)
        replacement = Replacement(at, at + len(old), new)
        desk.session.apply(Edit("Edit", desk.session.document, (replacement,)))
        assert flat(desk.outline()) == expected
    desk.session.apply(remove(desk.model, [desk.model.row("b")]))
    assert flat(desk.outline()) == [*first, "lost", "c", "l"]
    while desk.session.history.undo_label:
        desk.session.undo()
    assert flat(desk.outline()) == [*first, "gone", *last]
    text = desk.session.document.text
    include = "  <include><uri>model://gone</uri></include>\n"
    moved = text.replace(include, "").replace('  <model name="a">', f'{include}  <model name="a">')
    desk.session.apply(Edit("Move", desk.session.document, (Replacement(0, len(text), moved),)))
    assert flat(desk.outline()) == ["w", "gone", "a", "l", *last]


def test_a_problem_that_names_no_frame_is_marked_where_it_is_written(qtbot: QtBot) -> None:
    text = '<sdf version="1.9"><model name="m"><link name="a"><visual name="v" size="1"/></link></model></sdf>'
    desk = Desk(qtbot, 0, text)

    def marked() -> list[str]:
        desk.tree.context.later.flush()
        tips = {
            name: desk.index(name).siblingAtColumn(BADGE).data(Qt.ItemDataRole.ToolTipRole) for name in desk.model.names
        }
        return [name for name, tip in tips.items() if "'size'" in (tip or "")]

    assert [each.frames for each in desk.session.diagnostics if "'size'" in each.message] == [()]
    assert marked() == ["m::a::v"]
    at = text.index(' size="1"')
    desk.session.apply(Edit("Type", desk.session.document, (Replacement(at, at + len(' size="1"'), ""),)))
    assert marked() == []


def test_what_loading_meshes_has_found_is_marked_too(qtbot: QtBot) -> None:
    desk = Desk(qtbot, 0, '<sdf version="1.9"><model name="m"><link name="a"/></model></sdf>')
    link = desk.model.elements[desk.model.row("m::a")]
    found = Diagnostic(not_drawn, Severity.WARNING, "No mesh.", desk.session.document.span(link))
    desk.session.report([found])
    desk.tree.context.later.flush()
    assert desk.index("m::a").siblingAtColumn(BADGE).data(Qt.ItemDataRole.ToolTipRole) == "No mesh."


def badge(desk: Desk, name: str, role: Qt.ItemDataRole = Qt.ItemDataRole.ToolTipRole) -> object:
    return desk.index(name).siblingAtColumn(BADGE).data(role)


def test_what_is_folded_is_marked_for_the_problems_in_it(qtbot: QtBot) -> None:
    wrong = '<link name="l"><visual name="v" size="1"/></link><frame name="f" attached_to="gone"/>'
    text = f'<sdf version="1.9"><world name="w"><model name="a">{wrong}</model><model name="b"><link name="l"/></model>'
    desk = Desk(qtbot, 0, f"{text}</world></sdf>")
    desk.tree.context.later.flush()
    assert [desk.is_open("a"), desk.is_open("a::l")] == [True, False]
    assert badge(desk, "a::l") == "Contains warnings"
    assert badge(desk, "a") is None, "what is wrong in it is in sight"
    desk.view.setExpanded(desk.index("a"), False)
    assert badge(desk, "a") == "Contains errors"
    assert badge(desk, "b") is None
    quiet = desk.index("a").siblingAtColumn(BADGE).data(Qt.ItemDataRole.DecorationRole)
    own = desk.index("a::f").siblingAtColumn(BADGE).data(Qt.ItemDataRole.DecorationRole)
    assert quiet.cacheKey() != own.cacheKey()
    at = desk.session.document.text.index(' attached_to="gone"')
    desk.session.apply(Edit("Type", desk.session.document, (Replacement(at, at + len(' attached_to="gone"'), ""),)))
    desk.tree.context.later.flush()
    assert badge(desk, "a") == "Contains warnings"
    desk.view.setExpanded(desk.index("a"), True)
    desk.view.setExpanded(desk.index("a::l"), True)
    assert [badge(desk, "a"), badge(desk, "a::l")] == [None, None]


def test_what_is_folded_is_marked_for_an_include_in_another_file_that_is_not_found(
    qtbot: QtBot, tmp_path: Path
) -> None:
    hand = (
        '<sdf version="1.9"><model name="hand"><link name="l"/><include><uri>model://gone</uri></include></model></sdf>'
    )
    (tmp_path / "hand.sdf").write_text(hand, encoding="utf-8")
    text = '<sdf version="1.9"><world name="w"><include><uri>hand.sdf</uri></include></world></sdf>'
    desk = Desk(qtbot, 0, parse_document(text, tmp_path / "world.sdf"))
    desk.tree.context.later.flush()
    assert badge(desk, "hand") is None
    desk.view.collapse(desk.index("hand"))
    assert badge(desk, "hand") == "Contains errors"


def test_joints_outside_of_their_limits_are_marked_and_what_they_are_in_is_not(qtbot: QtBot) -> None:
    joint = """
    <joint name="{}" type="revolute"><parent>a</parent><child>{}</child>
      <axis><xyz>0 0 1</xyz><limit><lower>{}</lower><upper>{}</upper></limit></axis></joint>"""
    links = "".join(f'<link name="{name}"/>' for name in "abc")
    text = joint.format("hip", "b", -1, 1) + joint.format("calf", "c", -2.8, -0.9)
    session = Session(parse_document(f'<sdf version="1.11"><model name="m">{links}{text}</model></sdf>'))
    tree = ModelTree(DocumentContext(session), plain_settings())
    qtbot.addWidget(tree)

    def signs() -> dict[str, object]:
        assert session.model is not None
        rows = session.model.rows_by_name
        indexes = {name: tree.source.index_of(rows[name]).siblingAtColumn(BADGE) for name in rows}
        return {
            name: index.data(Qt.ItemDataRole.AccessibleTextRole)
            for name, index in indexes.items()
            if index.data(Qt.ItemDataRole.DecorationRole) is not None
        }

    assert session.model is not None
    assert signs() == {"m::calf": "outside of its limits"}
    calf = tree.source.index_of(session.model.rows_by_name["m::calf"])
    (problem,) = session.model.diagnostics
    tool_tip = f"revolute joint m::calf\nOutside of its limits.\n{problem.message}"
    assert calf.data(Qt.ItemDataRole.ToolTipRole) == tool_tip
    session.move_joints({"m::hip": (1.5,)})
    assert set(signs()) == {"m::hip", "m::calf"}
    session.move_joints({"m::hip": (0.5,)})
    session.move_joints({"m::calf": (-1.0,)})
    assert signs() == {"m::calf": "1 problem"}, "the file still begins outside of the limits"
    at = session.document.text.index("-0.9")
    session.apply(Edit("Limit", session.document, (Replacement(at, at + 4, "-1.9"),)))
    assert signs() == {"m::calf": "outside of its limits"}, "its limits are others"


def test_the_sign_of_what_is_one_part_goes_when_a_partner_changes(qtbot: QtBot) -> None:
    box = "<geometry><box><size>1 1 1</size></box></geometry>"
    link = f'<link name="l"><visual name="v">{box}</visual><collision name="c">{box}</collision></link>'
    desk = Desk(qtbot, 0, f'<sdf version="1.9"><model name="m">{link}<link name="other"/></model></sdf>')

    def spoken() -> object:
        return desk.index("m::l::v").siblingAtColumn(BADGE).data(Qt.ItemDataRole.AccessibleTextRole)

    def replace(old: str, new: str, after: str) -> None:
        text = desk.session.document.text
        at = text.index(old, text.index(after))
        desk.session.apply(Edit("Edit", desk.session.document, (Replacement(at, at + len(old), new),)))

    assert spoken() == "linked"
    repaints: list[None] = []
    desk.tree.source.marks_changed.connect(lambda: repaints.append(None))
    replace('name="other"/>', 'name="other"><pose>1 0 0 0 0 0</pose></link>', "collision")
    assert not repaints
    assert spoken() == "linked"
    replace("1 1 1", "1 1 2", '"c"')
    assert len(repaints) == 1
    assert spoken() is None
