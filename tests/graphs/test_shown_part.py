"""What of a graph is shown: folded by itself where it is large, and as the user folds it while the graph changes."""

from __future__ import annotations

from sdfviewer.formats.load import load_model
from sdfviewer.graphs.folding import MOST_OPEN, ShownPart
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import Graph, GraphKind


def world(*names: str) -> Graph:
    models = "".join(f'<model name="{name}"><link name="link"/><frame name="tip"/></model>' for name in names)
    text = f'<sdf version="1.11"><world name="w">{models}</world></sdf>'
    return build_graph(load_model(text), GraphKind.RELATIVE_TO)


BOXES = [f"box_{n}" for n in range(MOST_OPEN)]


def test_a_small_graph_is_shown_whole_and_a_large_one_folded() -> None:
    small, large = world("arm", "table"), world("arm", *BOXES)
    for graph, names in ((small, small.names), (large, ("world", "arm", "box_#"))):
        part = ShownPart()
        part.update(graph, None)
        assert part.of(graph, ()).names == names


def test_what_an_edit_adds_is_folded_like_the_rest_and_what_the_user_opened_stays_open() -> None:
    before, after = world("arm", *BOXES), world("arm", *BOXES, "gripper")
    part = ShownPart()
    part.update(before, None)
    part.toggle(part.of(before, ()), "arm")
    part.update(after, before)
    assert part.of(after, ()).names == ("world", "arm", "arm::link", "arm::tip", "box_#", "gripper")
    part.open_all()
    part.update(world("arm", *BOXES, "gripper", "cup"), after)
    assert len(part.of(after, ())) == len(after)
    part.fold_all(after)
    assert part.of(after, ()).names == ("world", "arm", "box_#", "gripper")


def test_focus_opens_the_models_around_the_selection() -> None:
    graph = world("arm", *BOXES)
    part = ShownPart(focused=True)
    part.update(graph, None)
    assert part.of(graph, ["box_3::tip"]).names == ("world", "box_3", "box_3::tip")
    assert part.of(graph, ()).names == ("world", "arm", "box_#"), "nothing is selected"


def test_selected_members_are_drawn_apart_until_another_is_selected() -> None:
    graph = world("arm", *BOXES)
    part = ShownPart()
    part.update(graph, None)
    shown = part.of(graph, ["box_7::link"])
    assert part.wanted_apart(shown, ["box_7"]) == {"box_7"}
    part.apart = frozenset({"box_7"})
    shown = part.of(graph, ["box_7"])
    assert "box_7" in shown.names
    assert part.wanted_apart(shown, ["arm"]) == frozenset()
    assert part.wanted_apart(shown, BOXES) == frozenset(), "too many to draw them all"


def test_a_frame_in_a_folded_model_takes_its_model_apart() -> None:
    graph = world("arm", *BOXES)
    part = ShownPart()
    part.update(graph, None)
    shown = part.of(graph, ())
    assert part.wanted_apart(shown, ["box_7::link"]) == {"box_7"}
    assert part.wanted_apart(shown, ["arm::link"]) == frozenset()
    part.apart = frozenset({"box_7"})
    assert part.wanted_apart(part.of(graph, ()), ["box_7::link"]) == {"box_7"}, "it stays apart"


def test_only_what_is_open_can_be_folded_and_only_what_is_folded_opened() -> None:
    for graph, can_fold in ((world(), False), (world("arm"), True), (world("arm", *BOXES), False)):
        part = ShownPart()
        part.update(graph, None)
        assert part.can_fold(part.of(graph, ()), ()) == can_fold
        assert part.can_open(part.of(graph, ())) == (len(graph) > MOST_OPEN)
        part.open_all()
        assert not part.can_open(part.of(graph, ()))
        part.fold_all(graph)
        assert not part.can_fold(part.of(graph, ()), ())


def test_a_family_that_was_opened_can_be_folded() -> None:
    graph = world("arm", *BOXES)
    part = ShownPart()
    part.update(graph, None)
    part.toggle(part.of(graph, ()), "box_#")
    shown = part.of(graph, ())
    assert "box_3" in shown.names
    assert part.can_fold(shown, ())
    assert part.can_open(shown), "the models are folded"


def test_models_around_the_selection_are_not_folded_where_only_its_chain_is_shown() -> None:
    graph = world("arm", "table")
    part = ShownPart(focused=True)
    part.update(graph, None)
    assert not part.can_fold(part.of(graph, ["arm::tip"]), ["arm::tip"])
    assert part.can_fold(part.of(graph, ()), ())
