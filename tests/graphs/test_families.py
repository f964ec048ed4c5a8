"""Families: what is like is drawn once with its number, what matters is drawn for itself."""

from __future__ import annotations

import pytest

from sdfviewer.formats.load import load_model
from sdfviewer.graphs.folding import fold, fold_families
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import Graph, GraphKind
from sdfviewer.graphs.picture import draw_graph


def graph_of(content: str, kind: GraphKind = GraphKind.RELATIVE_TO) -> Graph:
    return build_graph(load_model(f'<sdf version="1.11"><model name="m">{content}</model></sdf>'), kind)


def frames(count: int, start: int = 0) -> str:
    return "".join(f'<frame name="hole_{n}"/>' for n in range(start, start + count))


def test_names_that_differ_in_numbers_are_one_vertex_with_its_count() -> None:
    graph = fold_families(graph_of(f'<link name="L"/>{frames(5)}<frame name="edge"/>'))
    assert graph.names == ("m", "m::L", "m::hole_#", "m::edge")
    assert graph.members.tolist() == [0, 0, 5, 0]
    assert draw_graph(graph).texts[2] == "hole_#  × 5"
    assert [graph.vertex(f"m::hole_{n}") for n in range(5)] == [2] * 5
    assert [(graph.names[s], graph.names[t]) for s, t in zip(graph.sources, graph.targets, strict=True)] == [
        ("m::L", "m"), ("m::hole_#", "m"), ("m::edge", "m")
    ]  # fmt: skip


def test_two_are_no_family() -> None:
    assert len(fold_families(graph_of(f'<link name="L"/>{frames(2)}'))) == 4


@pytest.mark.parametrize("kind", [GraphKind.RELATIVE_TO, GraphKind.ATTACHED_TO])
def test_a_member_that_is_apart_is_beside_its_family_and_no_other_changes_places(kind: GraphKind) -> None:
    """With the first member apart, its family went behind the next one: each step of a search changed the drawing."""
    content = "".join(f'<link name="left_{n}"/><link name="right_{n}"/>' for n in range(5))
    graph = graph_of(f'<link name="L"/>{content}<link name="edge"/>', kind)
    order = fold_families(graph).names
    for name in (f"m::{side}_{n}" for side in ("left", "right") for n in range(5)):
        shown = list(fold_families(graph, [name]).names)
        at = shown.index(name)
        assert shown[at - 1] == f"{name[:-1]}#"
        shown.remove(name)
        assert tuple(shown) == order
    two = fold_families(graph, ["m::left_0", "m::left_1", "m::left_2"]).names
    assert [name for name in two if "left" not in name] == [name for name in order if "left" not in name]
    assert two.index("m::left_4") < two.index("m::right_#"), "too few are left for a family, in its place"


def test_what_hangs_on_members_goes_with_them_where_it_is_alike() -> None:
    wheels = "".join(
        f'<link name="wheel_{n}"/><joint name="axle_{n}" type="revolute"><parent>L</parent><child>wheel_{n}</child>'
        "<axis/></joint>"
        for n in range(4)
    )
    graph = fold_families(graph_of(f'<link name="L"/>{wheels}<link name="wheel_9"/>'))
    assert graph.names == ("m", "m::L", "m::wheel_#", "m::wheel_9"), "the last wheel has no axle"
    assert graph.folded[2] == 7
    assert graph.vertex("m::axle_2") == 2


def test_numbers_alone_do_not_make_a_family_of_other_kinds_or_of_written_and_default_edges() -> None:
    written = '<frame name="hole_7"><pose relative_to="__model__"/></frame>'
    graph = fold_families(graph_of(f'<link name="L"/>{frames(3)}{written}<link name="hole_8"/>'))
    assert set(graph.names) == {"m", "m::L", "m::hole_#", "m::hole_7", "m::hole_8"}


def test_faults_and_what_is_asked_for_are_drawn_for_themselves() -> None:
    lost = '<frame name="hole_90"><pose relative_to="nothing"/></frame>'
    graph = graph_of(f'<link name="L"/>{frames(6)}{lost}')
    assert {"m::hole_90", "m::hole_3", "m::hole_#"} <= set(fold_families(graph, ["m::hole_3"]).names)
    assert fold_families(graph, opened=["m::hole_#"]).names == graph.names


def test_folded_models_make_families_in_every_kind_of_graph() -> None:
    models = "".join(f'<model name="box_{n}"><link name="l"/></model>' for n in range(50))
    model = load_model(f'<sdf version="1.11"><world name="w">{models}</world></sdf>')
    for kind, names in (
        (GraphKind.RELATIVE_TO, ("world", "box_#")),
        (GraphKind.ATTACHED_TO, ("world", "box_#")),
        (GraphKind.KINEMATIC, ("box_#",)),
    ):
        graph = build_graph(model, kind)
        assert fold_families(fold(graph, {box.name for box in graph.boxes})).names == names


@pytest.mark.parametrize("kind", list(GraphKind))
def test_a_deep_chain_with_numbers_is_no_family_and_no_recursion(kind: GraphKind) -> None:
    links = '<link name="l0"/>' + "".join(
        f'<link name="l{n}"><pose relative_to="l{n - 1}"/></link>' for n in range(1, 3000)
    )
    graph = graph_of(links, kind)
    # The first link is canonical, and so like no other.
    expected = {GraphKind.ATTACHED_TO: 3, GraphKind.KINEMATIC: 2, GraphKind.RELATIVE_TO: 3001}
    assert len(fold_families(graph)) == expected[kind]
