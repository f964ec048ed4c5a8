"""From models to graphs: vertices, edges, cycles, ghosts, boxes; folding and focusing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.graphs.folding import focus, fold, restrict
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import GHOST, Graph, GraphKind
from sdfviewer.graphs.picture import draw_graph
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.session.session import Session


def graph_of(body: str, kind: GraphKind = GraphKind.RELATIVE_TO) -> Graph:
    model = Session(parse_document(f'<sdf version="1.11">{body}</sdf>')).model
    assert model is not None
    return build_graph(model, kind)


def example(examples: Path, name: str, kind: GraphKind) -> Graph:
    model = Session.open(examples / f"{name}.sdf").model
    assert model is not None
    return build_graph(model, kind)


def edges(graph: Graph) -> dict[str, str]:
    pairs = zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)
    return {graph.names[source]: graph.names[target] for source, target in pairs}


ARM = """<model name="arm">
  <link name="base"/>
  <link name="tip"><pose relative_to="J"/></link>
  <joint name="J" type="fixed"><parent>base</parent><child>tip</child><pose relative_to="base"/></joint>
  <frame name="F" attached_to="tip"/>
</model>"""


def test_edges_lead_from_a_frame_to_what_it_names() -> None:
    assert edges(graph_of(ARM)) == {
        "arm::base": "arm",
        "arm::tip": "arm::J",
        "arm::J": "arm::base",
        "arm::F": "arm::tip",
    }
    attached = graph_of(ARM, GraphKind.ATTACHED_TO)
    assert edges(attached) == {"arm": "arm::base", "arm::J": "arm::tip", "arm::F": "arm::tip"}


def test_defaults_are_distinguished_from_what_is_written() -> None:
    graph = graph_of(ARM)
    written = dict(zip((graph.names[v] for v in graph.sources), graph.written.tolist(), strict=True))
    assert written == {"arm::base": False, "arm::tip": True, "arm::J": True, "arm::F": False}


def test_the_canonical_link_is_marked() -> None:
    graph = graph_of(ARM)
    assert [graph.names[v] for v in np.flatnonzero(graph.canonical)] == ["arm::base"]


def test_a_cycle_is_found_whole_and_what_hangs_on_it_is_unresolved() -> None:
    graph = graph_of(
        """<model name="m"><link name="L"/>
        <frame name="A"><pose relative_to="B"/></frame>
        <frame name="B"><pose relative_to="C"/></frame>
        <frame name="C"><pose relative_to="A"/></frame>
        <frame name="D"><pose relative_to="C"/></frame>
        <frame name="E"><pose relative_to="E"/></frame></model>"""
    )
    assert [[graph.names[v] for v in cycle] for cycle in graph.cycles] == [["m::A", "m::B", "m::C"], ["m::E"]]
    assert {graph.names[v] for v in np.flatnonzero(graph.unresolved)} == {f"m::{name}" for name in "ABCDE"}
    marked = {graph.names[graph.sources[edge]]: int(graph.cycle_of[edge]) for edge in range(len(graph.sources))}
    assert marked == {"m::L": -1, "m::A": 0, "m::B": 0, "m::C": 0, "m::D": -1, "m::E": 1}
    assert graph.notes[graph.vertex("m::A")] == "on the cycle m::A → m::B → m::C → m::A"
    assert "m::C" in graph.notes[graph.vertex("m::D")]


@pytest.mark.parametrize(
    ("kind", "missing"), [(GraphKind.ATTACHED_TO, "hand"), (GraphKind.RELATIVE_TO, "leg")], ids=["child", "parent"]
)
def test_the_ghost_of_a_link_that_a_urdf_does_not_have_is_called_so(kind: GraphKind, missing: str) -> None:
    joint = '<joint name="j" type="fixed"><parent link="leg"/><child link="hand"/></joint>'
    model = Session(parse_document(f'<robot name="r"><link name="base"/>{joint}</robot>')).model
    assert model is not None
    graph = build_graph(model, kind)
    assert [graph.labels[v] for v, each in enumerate(graph.kinds) if each == GHOST] == [missing]


def test_an_edge_to_a_name_that_is_not_written_leads_to_a_ghost_without_a_name() -> None:
    model = Session(parse_document('<robot name="r"><link name="l"/><joint name="j" type="fixed"/></robot>')).model
    assert model is not None
    graph = build_graph(model, GraphKind.RELATIVE_TO)
    assert graph.labels[-1] == "?"
    assert graph.notes[-1] == "the name is missing"


def test_a_vertex_without_a_name_is_called_by_its_tag() -> None:
    assert graph_of('<model name="m"><link name="a"/><frame/></model>').labels == ("m", "a", "<frame>")


def test_a_dangling_reference_leads_to_a_ghost_that_suggests_names() -> None:
    graph = graph_of(
        """<model name="m"><link name="gripper"/>
        <frame name="A"><pose relative_to="griper"/></frame><frame name="B"><pose relative_to="griper"/></frame>
        <frame name="C"><pose relative_to="A"/></frame></model>"""
    )
    ghosts = [v for v, kind in enumerate(graph.kinds) if kind == GHOST]
    assert len(ghosts) == 1, "one ghost for one missing name of a scope"
    assert graph.labels[ghosts[0]] == "griper"
    assert "gripper" in graph.notes[ghosts[0]]
    assert graph.rows[ghosts[0]] == -1
    assert set(np.flatnonzero(graph.unresolved)) == {*ghosts, *(graph.vertex(f"m::{name}") for name in "ABC")}


def test_a_name_clash_is_called_a_clash(examples: Path) -> None:
    graph = example(examples, "name_clash", GraphKind.RELATIVE_TO)
    assert any("more than once" in note for note in graph.notes)


def test_nested_models_are_boxes_with_their_own_model_frame(examples: Path) -> None:
    graph = example(examples, "nested_gripper", GraphKind.RELATIVE_TO)
    assert [(box.name, box.label, box.parent) for box in graph.boxes] == [("nested_gripper::gripper", "gripper", -1)]
    head = graph.vertex("nested_gripper::gripper")
    assert graph.box_of[head] == 0
    assert graph.labels[head] == "__model__"
    assert graph.box_of[graph.vertex("nested_gripper::tool_tip")] == -1


@pytest.mark.parametrize("kind", GraphKind)
def test_folding_hides_a_scope_behind_one_vertex(examples: Path, kind: GraphKind) -> None:
    graph = example(examples, "nested_gripper", kind)
    folded = fold(graph, {"nested_gripper::gripper"})
    head = folded.vertex("nested_gripper::gripper")
    inside = int((graph.box_of == 0).sum())
    assert folded.labels[head] == "gripper"
    assert folded.folded[head] == inside - 1
    assert len(folded) == len(graph) - inside + 1
    assert not folded.boxes
    assert folded.vertex("nested_gripper::gripper::body") == head, "what is hidden is found at its scope"
    if kind is GraphKind.RELATIVE_TO:
        assert edges(folded)["nested_gripper::tool_tip"] == "nested_gripper::gripper"
        assert edges(folded)["nested_gripper::gripper"] == "nested_gripper::flange"


def test_folding_nothing_changes_nothing(examples: Path) -> None:
    graph = example(examples, "nested_gripper", GraphKind.RELATIVE_TO)
    assert fold(graph, set()).is_drawn_like(graph)


def test_focus_keeps_the_chain_and_the_neighbors(examples: Path) -> None:
    graph = example(examples, "nested_gripper", GraphKind.RELATIVE_TO)
    kept = focus(graph, ["nested_gripper::flange"]).names
    assert {"nested_gripper", "nested_gripper::lift", "nested_gripper::beam"} <= set(kept), "the chain to the root"
    hanging = {graph.names[v] for v in graph.sources[graph.targets == graph.vertex("nested_gripper::flange")]}
    assert hanging
    assert hanging <= set(kept), "what names it"
    further = {graph.names[v] for v in graph.sources if graph.names[graph.parents[v]] in hanging}
    assert not further & set(kept), "but not what names that"


def test_restricting_drops_edges_whose_ends_are_gone() -> None:
    graph = graph_of(ARM)
    kept = restrict(graph, np.array([name != "arm::J" for name in graph.names]))
    assert edges(kept) == {"arm::base": "arm", "arm::F": "arm::tip"}


def test_kinematic_loops_are_marked_whole_and_islands_are_apart() -> None:
    def joint(name: str, parent: str, child: str) -> str:
        return f'<joint name="{name}" type="revolute"><parent>{parent}</parent><child>{child}</child></joint>'

    graph = graph_of(
        '<model name="m"><link name="A"/><link name="B"/><link name="C"/><link name="alone"/>'
        + joint("AB", "A", "B") + joint("AC", "A", "C") + joint("BC", "B", "C") + joint("fix", "world", "A")
        + "</model>",
        GraphKind.KINEMATIC,
    )  # fmt: skip
    assert len(graph.cycles) == 1
    assert {graph.names[v] for v in graph.cycles[0]} == {"m::A", "m::B", "m::C", "m::AB", "m::AC", "m::BC"}
    assert int((graph.cycle_of == 0).sum()) == 6
    assert not graph.unresolved.any(), "a loop of a mechanism is no fault"
    assert graph.names[0] == "world", "the root comes first"
    assert graph.kinds[0] == "world"
    assert "closes a loop" in graph.notes[graph.vertex("m::BC")]


def revolute(name: str, parent: str, child: str) -> str:
    axis = "<axis><xyz>0 0 1</xyz></axis>"
    return f'<joint name="{name}" type="revolute"><parent>{parent}</parent><child>{child}</child>{axis}</joint>'


def gearbox(parent: str, child: str) -> str:
    return revolute("gear", parent, child).replace("revolute", "gearbox")


def static_model(name: str) -> str:
    return f'<model name="{name}"><static>true</static><link name="l"/></model>'


@pytest.mark.parametrize(
    ("body", "loops"),
    [
        pytest.param(
            '<model name="m"><link name="base"/><link name="a"/><link name="b"/>'
            + gearbox("a", "b") + revolute("ja", "base", "a") + revolute("jb", "base", "b") + "</model>",
            [],
            id="a gearbox couples joints and closes nothing",
        ),
        pytest.param(
            '<world name="w">' + static_model("wall1") + static_model("wall2")
            + '<model name="arm"><link name="x"/></model>'
            + revolute("j1", "wall1::l", "arm::x") + revolute("j2", "wall2::l", "arm::x") + "</world>",
            [{"arm::x", "j1", "wall1::l", "wall2::l", "j2"}],
            id="static models are one body, the ground",
        ),
        pytest.param(
            '<world name="w">' + static_model("wall1") + static_model("wall2")
            + revolute("j1", "wall1::l", "wall2::l") + revolute("j2", "wall2::l", "wall1::l") + "</world>",
            [],
            id="joints between static models move nothing",
        ),
        pytest.param(
            '<model name="m"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>'
            + revolute("ab", "a", "b") + revolute("cb", "c", "b") + revolute("cd", "c", "d") + revolute("ad", "a", "d")
            + "</model>",
            [{"m::a", "m::ab", "m::b", "m::cb", "m::c", "m::cd", "m::d", "m::ad"}],
            id="through a joint that carries its parent",
        ),
    ],
)  # fmt: skip
def test_the_loops_of_the_kinematic_graph_are_those_of_the_kinematics(body: str, loops: list[set[str]]) -> None:
    model = Session(parse_document(f'<sdf version="1.11">{body}</sdf>')).model
    assert model is not None
    graph = build_graph(model, GraphKind.KINEMATIC)
    assert [{graph.names[vertex] for vertex in ring} for ring in graph.cycles] == loops
    closing = [joint.name for joint in Kinematics(model).loop_joints]
    assert [name for name, note in zip(graph.names, graph.notes, strict=True) if "closes a loop" in note] == closing
    draw_graph(graph)  # whatever hangs on what, the layout has roots


@pytest.mark.parametrize("kind", GraphKind)
def test_files_give_graphs_that_can_be_drawn(corpus: Path, kind: GraphKind) -> None:
    for path in sorted(corpus.rglob("*.sdf"))[::25]:
        model = Session.open(path).model
        if model is not None:
            picture = draw_graph(build_graph(model, kind))
            assert np.isfinite(picture.curves).all(), path
