"""The model tree over edits: what is open, selected and in sight stays."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, QPoint
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.tree import EXPANDED_ROWS, ModelTree
from sdfviewer.semantics import Model
from sdfviewer.semantics.editing import structure
from sdfviewer.semantics.editing.removal import remove
from sdfviewer.semantics.editing.renaming.rename import rename
from sdfviewer.session import Session


def world(count: int) -> str:
    """Return a world of models, each with a link and a visual."""
    models = "\n".join(
        f'<model name="m{n}"><link name="link"><visual name="look"/></link><frame name="grip"/></model>'
        for n in range(count)
    )
    return f'<sdf version="1.9"><world name="w">\n{models}\n</world></sdf>'


class Desk:
    """A session on a world and its tree, shown."""

    def __init__(self, qtbot: QtBot, count: int) -> None:
        self.session = Session(parse_document(world(count)))
        self.tree = ModelTree(Bridge(self.session))
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
        return self.tree.proxy.mapFromSource(self.tree.source.index_of(self.model.row(name)))

    def is_open(self, name: str) -> bool:
        return self.view.isExpanded(self.index(name))

    def top(self) -> str:
        return str(self.view.indexAt(QPoint(0, 0)).data())

    def selected(self) -> list[str]:
        return [str(index.data()) for index in self.view.selectionModel().selectedRows()]

    def outline(self, parent: QModelIndex | None = None) -> list[object]:
        """Return names with what is below them, as the view sees it."""
        proxy, parent = self.tree.proxy, parent or QModelIndex()
        indices = [proxy.index(position, 0, parent) for position in range(proxy.rowCount(parent))]
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

    edit = structure.duplicate(desk.model, desk.model.row("m3"))
    for change in (edit, remove(desk.model, [desk.model.row("m5")])):
        desk.session.apply(change)
        assert desk.outline() == outline_of(desk.model)
        assert [desk.is_open(name) for name in ("m40", "m40::link", "m41", "m43")] == [True, True, True, False]
        assert (desk.top(), desk.selected(), desk.view.currentIndex().data()) == (top, ["m42"], "m42")
        desk.session.undo()
        assert desk.outline() == outline_of(desk.model)
        assert (desk.top(), desk.selected(), desk.view.currentIndex().data()) == (top, ["m42"], "m42")
    assert not resets


def test_removing_the_selection_selects_nothing_by_itself(desk: Desk) -> None:
    desk.session.select(["m42"])
    desk.session.apply(remove(desk.model, [desk.model.row("m42")]))
    assert desk.session.selection == ("m42",)
    assert desk.selected() == []
    assert desk.view.currentIndex().data() in ("m41", "m43")  # where the keyboard goes on
    desk.session.undo()
    assert desk.selected() == ["m42"]


def test_a_renamed_branch_stays_open(desk: Desk) -> None:
    desk.view.expand(desk.index("m40"))
    edit = rename(desk.model, desk.model.row("m40"), "robot")
    desk.session.apply(edit)
    assert desk.is_open("robot")
    desk.session.undo()
    assert desk.is_open("m40")


def test_a_filter_holds_for_what_comes(desk: Desk) -> None:
    desk.tree.filter.setText("m42")
    edit = structure.duplicate(desk.model, desk.model.row("m42"))
    desk.session.apply(edit)
    edit = structure.duplicate(desk.model, desk.model.row("m3"))
    desk.session.apply(edit)
    names = [name for name, _ in desk.outline()[0][1]]  # type: ignore[index]
    assert names == ["m42", "m42_copy"]
    edit = rename(desk.model, desk.model.row("m42"), "robot")
    desk.session.apply(edit)
    assert [name for name, _ in desk.outline()[0][1]] == ["m42_copy"]  # type: ignore[index]


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
        desk.session.apply(Edit("Type", (Replacement(0, len(before), target),)))
        assert desk.outline() == outline_of(desk.model)
        assert desk.view.isExpanded(desk.tree.proxy.index(0, 0))
