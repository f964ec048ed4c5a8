"""The orders of the model tree, and the kinds that it lists."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import load_model
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.tree.listing import LEFT_OUT, TOP, TreeOrder, arrange
from sdfviewer.gui.tree.panel import ModelTree
from sdfviewer.gui.tree.tree_model import NOTE
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.session.session import Session

CYCLE = """<sdf version="1.11"><model name="m">
  <link name="base"/>
  <frame name="a"><pose relative_to="b"/></frame>
  <frame name="b"><pose relative_to="a"/></frame>
  <frame name="behind" attached_to="base"><pose relative_to="b"/></frame>
  <frame name="grip" attached_to="behind"><pose relative_to="base"/></frame>
  <frame name="lost" attached_to="nothing"/>
</model></sdf>"""


def below(model: Model, order: TreeOrder, kinds: frozenset[Kind] | None = None) -> dict[str, str]:
    """Return below what each row is, by names; what is left out is missing."""
    parents = arrange(model, order, kinds).parents.tolist()
    pairs = zip(model.local_names, parents, strict=True)
    return {name: model.local_names[row] if row >= 0 else "" for name, row in pairs if row != LEFT_OUT}


@pytest.mark.parametrize("seed", range(8))
def test_the_kinematic_order_is_that_of_the_urdf(seed: int) -> None:
    """Whatever order the file has: each link is below the parent of its joint, and behind that joint."""
    random = Random(seed)
    joints = {f"j{child}": (f"l{random.randrange(child)}", f"l{child}") for child in range(1, 30)}
    parts = [f'<link name="l{number}"/>' for number in range(30)]
    parts += [
        f'<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>'
        '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        for name, (parent, child) in joints.items()
    ]
    random.shuffle(parts)
    model = load_model(f'<robot name="r">{"".join(parts)}</robot>')
    found = below(model, TreeOrder.KINEMATIC)
    assert found["l0"] == "r"
    for name, (parent, child) in joints.items():
        assert (found[name], found[child]) == (parent, parent)
    ranks = arrange(model, TreeOrder.KINEMATIC).ranks
    assert ranks is not None
    listed = sorted(range(len(model)), key=ranks.__getitem__)
    places = {model.local_names[row]: place for place, row in enumerate(listed)}
    for name, (_, child) in joints.items():
        assert places[child] == places[name] + 1


def test_a_cycle_and_what_leads_to_it_are_where_they_are_written() -> None:
    model = load_model(CYCLE)
    assert below(model, TreeOrder.RELATIVE_TO) == {
        **dict.fromkeys(("base", "a", "b", "behind", "lost"), "m"), "m": "", "grip": "base"
    }  # fmt: skip
    assert below(model, TreeOrder.ATTACHED_TO) == {
        "base": "", "m": "base", "a": "m", "b": "m", "behind": "base", "grip": "behind", "lost": "m"
    }  # fmt: skip


@pytest.mark.parametrize("kinds", [None, frozenset({Kind.MODEL})])
def test_what_is_not_found_is_listed_where_it_is_written(kinds: frozenset[Kind] | None) -> None:
    """It would be elsewhere once it is found, and whoever has just clicked 'Use' would lose the place."""
    model = load_model("""<sdf version="1.11"><world name="w">
      <include><name>first</name><uri>model://nowhere</uri></include>
      <model name="second"><link name="l"/></model>
      <include><name>third</name><uri>model://nowhere</uri></include>
      <model name="fourth"><link name="l"/></model>
    </world></sdf>""")
    ranks = arrange(model, TreeOrder.WRITTEN, kinds).ranks
    assert ranks is not None
    rows = sorted(model.rows_in(0), key=lambda row: float(ranks[row]))
    assert [model.local_names[row] for row in rows] == ["first", "second", "third", "fourth"]
    assert model.rows_in(0) != rows, "the rows have another order"


def test_only_some_kinds_are_listed_below_the_nearest_of_them() -> None:
    link = '<link name="l"><visual name="v"/></link>'
    model = load_model(f'<sdf version="1.11"><world name="w"><model name="m">{link}</model></world></sdf>')
    kinds = frozenset({Kind.VISUAL})
    assert below(model, TreeOrder.WRITTEN, kinds) == {"w": "", "v": "w"}
    assert below(model, TreeOrder.WRITTEN, frozenset({Kind.LINK})) == {"w": "", "l": "w"}
    assert "v" not in below(model, TreeOrder.KINEMATIC)


@pytest.mark.parametrize("order", TreeOrder)
def test_every_frame_of_every_example_is_in_the_tree_once(examples: Path, order: TreeOrder) -> None:
    for path in sorted(examples.glob("*.sdf")):
        model = load_model(path)
        parents = arrange(model, order, frozenset(Kind)).parents
        assert not (parents == LEFT_OUT).any(), path
        for row in range(len(model)):
            at, steps = row, 0
            while at != TOP:
                at, steps = int(parents[at]), steps + 1
                assert steps <= len(model), path


ARM = """<sdf version="1.11"><model name="arm">
  <link name="base"/><link name="upper"><visual name="look"/></link><link name="lower"/>
  <joint name="elbow" type="revolute"><parent>upper</parent><child>lower</child><axis><xyz>0 0 1</xyz></axis></joint>
  <joint name="shoulder" type="revolute"><parent>base</parent><child>upper</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></sdf>"""


def test_the_menu_chooses_what_the_tree_lists_and_the_line_says_it(qtbot: QtBot, settings: Settings) -> None:
    tree = ModelTree(DocumentContext(Session(parse_document(ARM))), settings)
    qtbot.addWidget(tree)
    with qtbot.waitExposed(tree):
        tree.show()

    def outline(parent: QModelIndex) -> list[object]:
        indexes = [tree.source.index(place, 0, parent) for place in range(tree.source.rowCount(parent))]
        return [(index.data(), outline(index)) if tree.source.hasChildren(index) else index.data() for index in indexes]

    written = outline(QModelIndex())
    session = tree.context.session
    session.select(("arm::lower",))
    tree.order_button.orders[TreeOrder.KINEMATIC].trigger()
    assert outline(QModelIndex()) == [("arm", [("base", ["shoulder", ("upper", ["elbow", "lower"])])])]
    assert tree.view.currentIndex().data() == "lower"
    assert tree.view.isExpanded(tree.view.currentIndex().parent())
    session.move_joints({"arm::elbow": (0.5,)})
    elbow = tree.source.index_of(session.model.row("arm::elbow"))
    assert elbow.data(NOTE) == "revolute 0.5 rad"
    tree.order_button.kinds["Joints"].trigger()
    assert outline(QModelIndex()) == [("arm", [("base", [("upper", ["lower"])])])]
    assert not tree.source.index_of(session.model.row("arm::elbow")).isValid()
    session.select(("arm::elbow",))
    assert not tree.view.selectionModel().hasSelection(), "it is not listed"
    assert session.selection == ("arm::elbow",)
    (line,) = (each for each in tree.findChildren(type(tree._arrangement)) if each.isVisible())
    line.linkActivated.emit("all")
    assert outline(QModelIndex()) == written
    assert tree.view.selectionModel().hasSelection()
    assert not line.isVisible()


def test_an_edit_keeps_the_order(qtbot: QtBot, settings: Settings) -> None:
    context = DocumentContext(Session(parse_document(ARM)))
    tree = ModelTree(context, settings)
    qtbot.addWidget(tree)
    tree.arrange(TreeOrder.KIND, None)

    def names() -> list[str]:
        return [tree.source.index(place, 0).data() for place in range(tree.source.rowCount())]

    assert names() == ["arm", "base", "lower", "upper", "elbow", "shoulder"]
    context.edits.rename(context.session.model.row("arm::base"), "zero")
    assert names() == ["arm", "lower", "upper", "zero", "elbow", "shoulder"]
    assert tree.source.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "model arm"
